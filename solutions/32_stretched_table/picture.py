"""A short table stretched along a line, continued in two levels, and stretched over a grid."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    line = np.array([0.0, 0.5, 0.9, 1.0, 0.6, 0.2])[:, None]                              # (6, 1)
    y, x = np.mgrid[0.5:4, 0.5:4]                                                           # (4, 4) each
    grid = np.sin(0.8 * x) + np.cos(0.8 * y)                                                # (4, 4)

    def longer():
        return kata.hierarchical_table(line, 36)[:, 0]                                      # (36,)

    def stretched():
        return kata.interpolate_grid(grid.reshape(16, 1), 4, 4, 12, 18).reshape(12, 18)     # (12, 18)

    over = {"x": "position (tokens)", "y": "entry", "over": np.arange(36)}
    axes = {"x": "column of the grid (patch)", "y": "row of the grid (patch)", "colour": "entry"}
    return [
        Curves("Stretched: 6 rows spread over 36 positions", {
                   "6 old rows as cells": np.repeat(line[:, 0], 6),
                   "36 new rows": lambda: kata.interpolate_table(line, 36)[:, 0],
               }, **over),
        Curves("Two levels: 6 rows stay, 30 follow", {
                   "36 new rows": longer,
                   "start of each block": lambda: np.repeat(longer()[::6], 6),
               }, **over),
        heatmap("A grid of 4 x 4 patches", grid, **axes),
        heatmap("The same grid stretched to 12 x 18", stretched, **axes),
    ]
