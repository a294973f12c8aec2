"""Which row of the table each pair of patches reads, and the coordinates of Swin V2."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    down, across = np.meshgrid(np.arange(-6, 7), np.arange(-6, 7), indexing="ij")              # (13, 13) each
    table = np.exp(-0.1 * (down ** 2 + 4 * (across + 2) ** 2)).reshape(169, 1)                 # (169, 1) made up

    def seen_by(patch):
        return lambda: kata.window_bias(table, 7, 7)[0, patch].reshape(7, 7)                   # (7, 7)

    axes = {"x": "column of the key (patch)", "y": "row of the key (patch)", "colour": "bias"}
    return [
        heatmap("Row of Swin-T's table for each pair", lambda: kata.window_index(7, 7),
                x="key (patch of the window)", y="query (patch of the window)", colour="row of the table (index)"),
        Curves("Swin V2: coordinates in a window of 16", {
                   "log_offsets": lambda: kata.log_offsets(16, 16)[0, :, 1],
                   "even steps": np.linspace(-1, 1, 31),
               }, x="columns of the query minus the key (patches)", y="coordinate", over=np.arange(-15, 16)),
        heatmap("A made-up bias, for the patch (3, 3)", seen_by(24), **axes),
        heatmap("The same table, for the patch (6, 1)", seen_by(43), **axes),
    ]
