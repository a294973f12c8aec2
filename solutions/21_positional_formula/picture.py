"""The table as a heatmap and as curves, and how fast each pair of columns turns."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def column(number):
        return lambda: kata.positional_encoding(32, 32)[:, number]           # (32,)

    return [
        heatmap("The table: one row per position", lambda: kata.positional_encoding(64, 32),
                x="column (index)", y="position (tokens)", colour="entry"),
        Curves("Four sine columns: low columns change fast", {f"column {c}": column(c) for c in (0, 4, 8, 12)},
               x="position (tokens)", y="entry", over=np.arange(32)),
        Curves("The frequency spectrum", {
                   "width 32": lambda: kata.frequencies(32),
                   "base 100": lambda: kata.frequencies(32, base=100.0),
               }, x="pair of columns (index)", y="frequency\n(radians per position)", over=np.arange(16), log="y"),
    ]
