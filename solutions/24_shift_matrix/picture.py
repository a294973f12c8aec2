"""The matrix that moves every row by three positions, two pairs turned by it, and a column before and after."""
import numpy as np

from grader.course.panels import Arrows, Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.outer(np.arange(48), 10000.0 ** (-np.arange(0, 16, 2) / 16))                # (48, 8)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(48, 16)             # (48, 16)

    def moved(position):
        return lambda: kata.shift_encoding(table, 3)[position, 2:4]                         # (2,) pair 1

    return [
        heatmap("The matrix of offset 3: one block per pair", lambda: kata.shift_matrix(3, 16),
                x="column of the matrix (index)", y="row of the matrix (index)", colour="entry"),
        Arrows("Pair 1: every row turns by 54 degrees", {
                   "row 0": table[0, 2:4], "row 0, moved": moved(0),
                   "row 7": table[7, 2:4], "row 7, moved": moved(7),
               }, x="sine, column 2", y="cosine, column 3"),
        Curves("Column 2 of a table, before and after its rows move", {
                   "before": table[:, 2],
                   "by 3": lambda: kata.shift_encoding(table, 3)[:, 2],
                   "by -1.5": lambda: kata.shift_encoding(table, -1.5)[:, 2],
               }, x="position (tokens)", y="entry", over=np.arange(48)),
    ]
