"""What the lab prints after the training: the tables, as texts, and the conclusion."""
import itertools
import math
import statistics

import numpy as np

NAMES = 20                                       # columns for the name of a scheme
AS_GOOD = 1.05                                   # times the perplexity at the length of training, at most


def perplexities(results, lengths):
    """{scheme: {length: [one for every seed]}}; `results` is {scheme: {seed: {length: found}}}."""
    return {scheme: {n: [found[str(n)]["perplexity"] for found in by_seed.values()] for n in lengths}
            for scheme, by_seed in results.items()}


def ratios(measured, train_length):
    """What `perplexities` returned, each divided by the one of the same seed at the training length."""
    return {scheme: {n: [one / base for one, base in zip(values, by_length[train_length], strict=True)]
                     for n, values in by_length.items()}
            for scheme, by_length in measured.items()}


def length_table(measured):
    """A column for every length, for what `perplexities` or `ratios` returned."""
    lengths = next(iter(measured.values()))
    rows = {scheme: map(with_spread, by_length.values()) for scheme, by_length in measured.items()}
    return table(["scheme", *map(str, lengths)], rows)


def conclusion(compared, train_length, missing=()):
    """One sentence on what `ratios` returned, at the longest length; `missing` are schemes without a result."""
    longest = max(next(iter(compared.values())))
    if longest == train_length:
        return f"Conclusion: no text was longer than {train_length}, so this run does not compare longer texts."
    times = {scheme: round(statistics.fmean(by_length[longest]), 2) for scheme, by_length in compared.items()}
    known = sorted((scheme for scheme in times if not math.isnan(times[scheme])), key=times.get)
    groups = {
        f"about as good or better (perplexity at most {AS_GOOD} times as high)":
            [scheme for scheme in known if times[scheme] <= AS_GOOD],
        "worse": [f"{scheme} ({times[scheme]:.2f} times as high)" for scheme in known if times[scheme] > AS_GOOD],
        "without a result": [*(scheme for scheme in times if scheme not in known), *missing]}
    said = "; ".join(f"{listed(names)} {what}" for what, names in groups.items() if names)
    return f"Conclusion: in texts of {longest}, compared with texts of {train_length}, {said}."


def listed(names):
    """The names with commas and "and" between them, and the verb that follows."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) + (" is" if len(names) == 1 else " are")


def position_table(results, length, train_length):
    """Perplexity of the tokens between two positions, in texts of one length."""
    edges = band_edges(length, train_length)
    rows = {}
    for scheme, by_seed in results.items():
        found = [one[str(length)] for one in by_seed.values()]
        rows[scheme] = map(with_spread, zip(*(in_bands(one, edges) for one in found), strict=True))
    head = [f"{start}-{end - 1}" for start, end in itertools.pairwise(edges)]
    return table(["scheme", *head], rows)


def why_nan(results, length, train_length, uncounted):
    """A line for each reason why nan stands in the tables; `uncounted` says why a target does not count."""
    edges, every = band_edges(length, train_length), [one for by_seed in results.values() for one in by_seed.values()]
    if any(not any(one[str(length)]["counts"][start:end])
           for one in every for start, end in itertools.pairwise(edges)):
        yield f"nan: no target is counted at these positions: {uncounted}"
    for scheme, by_seed in results.items():
        if any(math.isnan(found["perplexity"]) for one in by_seed.values() for found in one.values()):
            yield f"nan: the loss of {scheme} is not a number, so there is no perplexity"


def band_edges(length, train_length):
    """Two bands within the training length, then growing bands: 0, 32, 64, 96, 128, 192, 256, 384, 512."""
    edges, edge = [0, max(1, train_length // 2)], train_length
    while edge < length:
        edges += [edge, edge + max(1, edge // 2)]
        edge *= 2
    return sorted({edge for edge in edges if edge < length}) + [length]


def in_bands(found, edges):
    """The perplexity from every edge to the next; nan where nothing is counted."""
    losses, counts = np.array(found["losses"]), np.array(found["counts"])                  # (n,) each
    perplexities = []
    for start, end in itertools.pairwise(edges):
        total = counts[start:end].sum()
        mean = losses[start:end] @ counts[start:end] / total if total else np.nan
        perplexities.append(float(np.exp(mean)))
    return perplexities


def with_spread(values):
    """The mean, followed by the standard deviation where there are several seeds; nan has none."""
    mean = statistics.fmean(values)
    spread = f" +-{statistics.stdev(values):.2f}" if len(values) > 1 and math.isfinite(mean) else ""
    return f"{mean:.2f}{spread}"


def table(head, rows):
    """Text of a table: names to the left, numbers to the right, all columns but the first equally wide."""
    rows = {name: list(cells) for name, cells in rows.items()}
    width = 2 + max([7, *(len(cell) for cells in (head[1:], *rows.values()) for cell in cells)])
    return "\n".join(f"{name:<{NAMES}}" + "".join(f"{cell:>{width}}" for cell in cells)
                     for name, cells in [(head[0], head[1:]), *rows.items()])
