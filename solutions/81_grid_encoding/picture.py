"""The table of MAE ViT-B, and how similar its patches are to one of them, as images."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def around(row, column):
        return kata.similarity_map(kata.grid_encoding(14, 14, 768), row, column, 14, 14)           # (14, 14)

    axes = {"x": "column of the image (patch)", "y": "row of the image (patch)", "colour": "dot product"}
    return [
        heatmap("The table: one row per patch", lambda: kata.grid_encoding(14, 14, 768),
                x="column of the table (index)", y="patch (number)", colour="entry"),
        heatmap("How similar each patch is to (4, 9)", lambda: around(4, 9), **axes),
        heatmap("How similar each patch is to the corner", lambda: around(0, 0), **axes),
        Curves("Similarity to patch (0, 0)", {
                   "along its row": lambda: around(0, 0)[0],
                   "along the diagonal": lambda: np.diagonal(around(0, 0)),
               }, x="column of the image (patch)", y="dot product", over=np.arange(14)),
    ]
