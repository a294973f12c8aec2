"""A short table stretched along a line, over a grid, and as a hierarchy."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    rng = np.random.default_rng(2)
    line = np.array([0.0, 1.0, 0.4, -0.8, -0.2, 0.6])[:, None]                              # (6, 1)
    grid = rng.normal(size=(12, 1))                                                         # (3 * 4, 1)

    def stretched():
        return kata.interpolate_grid(grid, 3, 4, 12, 16).reshape(12, 16)                    # (12, 16)

    axes = {"x": "column of the grid (patch)", "y": "row of the grid (patch)", "colour": "entry (no unit)"}
    return [
        Curves("Six rows stretched to thirty-six", {
                   "interpolated": lambda: kata.interpolate_table(line, 36)[:, 0],
                   "hierarchical": lambda: kata.hierarchical_table(line, 36)[:, 0],
               }, x="position (tokens)", y="entry (no unit)", over=np.arange(36)),
        heatmap("A grid of 3 x 4 before", grid.reshape(3, 4), **axes),
        heatmap("The same grid stretched to 12 x 16", stretched, **axes),
    ]
