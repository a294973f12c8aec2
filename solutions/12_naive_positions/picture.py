"""How the obvious codes fail: fractions depend on the length, and distances do not grow with the offset."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    n = 32

    def fractions(length):
        return lambda: kata.normalised_positions(length)[:8, 0]                             # (8,)

    def from_the_first(code):
        return lambda: np.linalg.norm(1.0 * code() - 1.0 * code()[0], axis=1)               # (n,)

    return [
        Curves("Normalised codes depend on the text length",
               {f"text of {length} words": fractions(length) for length in (8, 16, 32)},
               x="position (tokens)", y="code", over=np.arange(8)),
        Curves("Distance from the code of position 0", {
                   "one-hot": from_the_first(lambda: kata.one_hot_positions(n, n)),
                   "binary": from_the_first(lambda: kata.binary_positions(n, 5)),
               }, x="position (tokens)", y="distance", over=np.arange(n)),
        heatmap("Binary: the least significant bit first", lambda: kata.binary_positions(n, 5),
                x="column (index)", y="position (tokens)", colour="entry"),
        Curves("Step from each position to the next", {
                   "integers": lambda: kata.step_sizes(kata.integer_positions(n)),
                   "binary": lambda: kata.step_sizes(np.arange(n)[:, None] // 2.0 ** np.arange(5) % 2),
                   "one-hot": lambda: kata.step_sizes(np.eye(n)),
                   "normalised": lambda: kata.step_sizes(np.linspace(0.0, 1.0, n)[:, None]),
               }, x="position (tokens)", y="distance to the next", over=np.arange(n - 1)),
    ]
