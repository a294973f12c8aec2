"""The tables that the lab prints, as texts."""
import itertools
import statistics

import numpy as np

NAMES = 20                                       # columns for the name of a scheme


def perplexity_table(results, lengths):
    """Perplexity by length; `results` is {scheme: {seed: {length: found}}}."""
    rows = {}
    for scheme, by_seed in results.items():
        columns = [[found[str(n)]["perplexity"] for found in by_seed.values()] for n in lengths]
        rows[scheme] = [with_spread(values) for values in columns]
    return table(["scheme", *map(str, lengths)], rows)


def ratio_table(results, lengths, train_length):
    """Perplexity divided by that at the training length: the mean over seeds of the ratio."""
    rows = {}
    for scheme, by_seed in results.items():
        ratios = [[found[str(n)]["perplexity"] / found[str(train_length)]["perplexity"] for found in by_seed.values()]
                  for n in lengths]
        rows[scheme] = [with_spread(values) for values in ratios]
    return table(["scheme", *map(str, lengths)], rows)


def position_table(results, length, train_length):
    """Perplexity of the tokens between two positions, in texts of one length."""
    edges = band_edges(length, train_length)
    rows = {}
    for scheme, by_seed in results.items():
        found = [one[str(length)] for one in by_seed.values()]
        rows[scheme] = [with_spread(values) for values in zip(*(in_bands(one, edges) for one in found), strict=True)]
    head = [f"{start}-{end - 1}" for start, end in itertools.pairwise(edges)]
    return table(["scheme", *head], rows)


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
    """The mean, followed by the standard deviation where there are several seeds."""
    values = list(values)
    mean = f"{statistics.fmean(values):.2f}"
    return mean if len(values) == 1 else f"{mean} +-{statistics.stdev(values):.2f}"


def table(head, rows):
    """Text of a table: names to the left, numbers to the right, all columns but the first equally wide."""
    width = 2 + max([7, *(len(cell) for cells in (head[1:], *rows.values()) for cell in cells)])
    lines = [f"{head[0]:<{NAMES}}" + "".join(f"{cell:>{width}}" for cell in head[1:])]
    lines += [f"{name:<{NAMES}}" + "".join(f"{cell:>{width}}" for cell in cells) for name, cells in rows.items()]
    return "\n".join(lines)
