"""The figure of Press et al. 2022: perplexity against length, one line for each scheme."""
import importlib.util

MISSING = "--picture needs matplotlib, which is not installed: pip install matplotlib"

# Grey levels, dashes and markers differ, so that lines can be told apart without colours
STYLES = {
    "none": ("0.6", ":", "x"), "sinusoidal": ("#c44e00", "-", "o"), "learned": ("#d08a00", "--", "s"),
    "shaw": ("#4c8f2f", "-.", "D"), "t5": ("#2c7a5a", ":", "v"), "alibi": ("#003a7d", "-", "^"),
    "sandwich": ("#4878d0", "--", ">"), "rope": ("#000000", "-", "P"), "rope+interpolation": ("#777777", "--", "*"),
    "rope+yarn": ("#444444", "-.", "d"), "rope+llama3": ("#999999", "-", "h"), "rope+longrope": ("#222222", ":", "p"),
    "partial-rope": ("#8a2d7c", "-", "<"), "truncated-rope": ("#b565a7", "--", "H"),
    "forgetting": ("#a31f34", "-", "8"), "cope": ("#d4606f", "-.", "X")}


def available():
    """Whether matplotlib can be imported."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(path, perplexities, train_length, title):
    """Write a picture to `path`; `perplexities` is {scheme: {length: [one for every seed]}}."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker
    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    for scheme, by_length in perplexities.items():
        colour, dashes, marker = STYLES[scheme]
        means = [sum(values) / len(values) for values in by_length.values()]
        axes.plot(list(by_length), means, color=colour, linestyle=dashes, marker=marker, markersize=6, label=scheme)
        if len(next(iter(by_length.values()))) > 1:
            axes.fill_between(list(by_length), [min(v) for v in by_length.values()],
                              [max(v) for v in by_length.values()], color=colour, alpha=0.15, linewidth=0)
    axes.axvline(train_length, color="0.5", linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    lengths = sorted({length for by_length in perplexities.values() for length in by_length})
    axes.set_xticks(lengths, [str(length) for length in lengths])
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.ScalarFormatter())
    axes.yaxis.set_minor_formatter(ticker.ScalarFormatter())
    axes.set_xlabel(f"length of the texts in the evaluation (trained on {train_length})")
    axes.set_ylabel("perplexity")
    axes.set_title(title)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
