"""The matrix that moves every row by three positions, and rows moved by it."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.outer(np.arange(48), 10000.0 ** (-np.arange(0, 16, 2) / 16))                # (48, 8)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, 16)             # (48, 16)
    axes = {"x": "column of the matrix (index)", "y": "row of the matrix (index)", "colour": "entry (no unit)"}
    return [
        heatmap("The matrix of offset 3: a small rotation for every pair", lambda: kata.shift_matrix(3, 16), **axes),
        heatmap("The matrix of offset -3: the same, turned back", lambda: kata.shift_matrix(-3, 16), **axes),
        Curves("Column 2 of a table, before and after its rows are moved", {
                   "before": table[:, 2],
                   "by 3": lambda: kata.shift_encoding(table, 3)[:, 2],
                   "by -1.5": lambda: kata.shift_encoding(table, -1.5)[:, 2],
               }, x="position (tokens)", y="entry (no unit)", over=np.arange(48)),
    ]
