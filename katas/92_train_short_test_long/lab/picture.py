"""The figure of Press et al. 2022: perplexity against length, one line for each scheme."""
import importlib.util
import math

MISSING = "needs Matplotlib, which is not installed: pip install matplotlib"


def available():
    """Whether matplotlib can be imported."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(path, measured, train_length, title):
    """Write a picture to `path`; `measured` is {scheme: {length: [perplexity for every seed]}}."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    lengths = list(next(iter(measured.values())))
    # Markers and dashes differ too, so that lines can be told apart without colours
    for number, (scheme, by_length) in enumerate(measured.items()):
        means = [sum(values) / len(values) for values in by_length.values()]
        if not all(map(math.isfinite, means)):
            continue                             # a model whose loss is not a number has no line
        (line,) = axes.plot(lengths, means, color=f"C{number % 10}", linestyle=("-", "--", "-.")[number % 3],
                            marker="xosDv^>8XP*dhp<H"[number], label=scheme)
        axes.fill_between(lengths, list(map(min, by_length.values())), list(map(max, by_length.values())),
                          color=line.get_color(), alpha=0.15, linewidth=0)
    axes.axvline(train_length, color="0.5", linewidth=0.8, linestyle=(0, (1, 2)))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(lengths, list(map(str, lengths)))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.ScalarFormatter())
    axes.yaxis.set_minor_formatter(ticker.ScalarFormatter())
    axes.set_xlabel(f"length of the texts in the evaluation (trained on {train_length})")
    axes.set_ylabel("perplexity")
    axes.set_title(title)
    lines = sorted(axes.get_lines()[:-1], key=lambda line: line.get_ydata()[-1], reverse=True)
    figure.legend(handles=lines, loc="outside right upper")              # outside the axes, it covers no line
    figure.savefig(path, dpi=150)
    pyplot.close(figure)
