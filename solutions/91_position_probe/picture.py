"""What probes read from sinusoids and from random rows, a probe for the key before, and what chance finds."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def sinusoids(positions, width):
        angles = np.outer(positions, 10000.0 ** (-np.arange(0, width, 2) / width))          # (n, width / 2)
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, width)       # (n, width)

    rng = np.random.default_rng(0)
    random = rng.normal(size=(80, 48))                                                      # (80, 48)
    even, odd, beyond = np.arange(0, 64, 2), np.arange(1, 64, 2), np.arange(1, 80, 6)
    widths, lengths = np.arange(2, 49, 2), np.arange(2, 25, 2)
    chance = [rng.normal(size=(40, n, n)) for n in lengths]                                 # 40 texts of each length

    def read(table, positions):
        return kata.probe_positions(table[positions], kata.fit_linear_probe(table[even], even, ridge=1e-3))

    def error(table, positions):
        return lambda: [np.abs(read(table(int(d)), positions) - positions).mean() for d in widths]

    def one_back(width):
        table = sinusoids(np.arange(64), width)                                             # (64, width)
        return kata.fit_bilinear_probe(table, sinusoids(np.arange(-1, 63), width) @ table.T, ridge=0.1)

    def by_chance():
        return [np.mean([kata.previous_token_accuracy(scores) for scores in many]) for many in chance]

    def far_away(n, width):
        rows = sinusoids(np.arange(5000, 5000 + n), width)                                  # (n, width)
        return rows @ one_back(width) @ rows.T                                              # (n, n)

    def found():
        return [kata.previous_token_accuracy(far_away(n, 8)) for n in lengths]

    return [
        Curves("Positions that a linear probe reads", {
                   "the truth": beyond,
                   "sinusoids": lambda: read(sinusoids(np.arange(80), 16), beyond),
                   "random rows": lambda: read(random[:, :16], beyond),
               }, x="position (tokens; fitted to 0 to 62)", y="position read (tokens)", over=beyond),
        heatmap("Probe for the key before, fitted at 0 to 63", lambda: far_away(15, 16),
                x="key (position)", y="query (position)", colour="score", first=(5000, 5000)),
        Curves("Random rows fit, but do not generalise", {
                   "random, others": error(lambda d: random[:, :d], odd),
                   "random, fitted": error(lambda d: random[:, :d], even),
                   "sinusoids, others": error(lambda d: sinusoids(np.arange(80), d), odd),
               }, x="width (columns)", y="mean error\n(tokens)", over=widths, log="y"),
        Curves("Random scores rarely find the key before in long texts", {
                   "probe, at 5000": found, "random scores": by_chance,
               }, x="length of the text (tokens)", y="previous tokens found\n(share of 1)", over=lengths),
    ]
