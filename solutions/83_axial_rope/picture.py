"""Scores of one patch with all others, and what resizing does to a larger image, at the sizes of EVA-02."""
import numpy as np

from grader.course.panels import Curves, heatmap

HEAD = 64                                                                        # columns of one head


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def equal(n):
        return np.full((n, HEAD), HEAD**-0.5)                                    # (n, 64) rows of length 1

    def score_map():
        return kata.axial_scores(equal(256), equal(256), 16, 16)[5 * 16 + 10].reshape(16, 16)

    def along_a_row(rows, columns):
        turned = kata.axial_rope(equal(32), rows, columns)                       # (32, 64)
        return turned @ turned[0]                                                # (32,)

    def counted():
        return along_a_row(np.zeros(32), np.arange(32))

    def resized():
        rows, columns = kata.resized_positions(32, 32, 16, 16)                   # (1024,) each
        return along_a_row(rows[:32], columns[:32])

    return [
        heatmap("All vectors equal: scores of patch (5, 10)", score_map,
                x="column of the key (patches)", y="row of the key (patches)", colour="score"),
        Curves("32 columns: scores of patch 0 with its row",
               {"counted 0 to 31": counted, "resized to 16": resized},
               x="column of the key (patches)", y="score", over=np.arange(32)),
        Curves("The columns of 32 patches", {
                   "counted": lambda: np.arange(32.0),
                   "resized to 16": lambda: kata.resized_positions(32, 32, 16, 16)[1][:32],
                   "resized to 24": lambda: kata.resized_positions(32, 32, 24, 24)[1][:32],
               }, x="column (patches)", y="position (columns in training)", over=np.arange(32)),
    ]
