"""Four obvious codes side by side, and the steps between their rows."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    n = 32
    axes = {"x": "column (index)", "y": "position (tokens)", "colour": "entry (no unit)"}
    return [
        heatmap("Binary: the least significant bit first", lambda: kata.binary_positions(n, 5), **axes),
        heatmap("One-hot: a column for every position", lambda: kata.one_hot_positions(n, n), **axes),
        Curves("Integers, and fractions for two lengths", {
                   "integers / 8": lambda: kata.integer_positions(8)[:, 0] / 8,
                   "fractions, n = 8": lambda: kata.normalised_positions(8)[:, 0],
                   "fractions, n = 32": lambda: kata.normalised_positions(32)[:8, 0],
               }, x="position (tokens)", y="entry (no unit)", over=np.arange(8)),
        Curves("Step from each position to the next", {
                   "binary": lambda: kata.step_sizes(np.arange(n)[:, None] // 2.0 ** np.arange(5) % 2),
                   "one-hot": lambda: kata.step_sizes(np.eye(n)),
                   "fractions": lambda: kata.step_sizes(np.linspace(0.0, 1.0, n)[:, None]),
               }, x="position (tokens)", y="distance to the next\n(no unit)", over=np.arange(n - 1)),
    ]
