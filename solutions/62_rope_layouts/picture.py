"""Which columns turn together in the two layouts, and where each row of the weights goes."""
import numpy as np

from grader.course.panels import heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    two = np.full(8, 2)                                                                     # eight rows at position 2
    turned = {"x": "column after the turn (index)", "y": "column of the 1 (index)", "colour": "entry"}
    moved = {"x": "old row (index)", "y": "new row (index)", "colour": "entry"}
    return [
        heatmap("Interleaved: neighbours turn together",
                lambda: kata.apply_rope_complex(np.eye(8), two, base=16.0), **turned),
        heatmap("Half: columns 4 apart turn together",
                lambda: kata.apply_rope_half(np.eye(8), two, base=16.0), **turned),
        heatmap("Rows of two heads, reordered", lambda: kata.permute_projection(np.eye(16), 2), **moved),
    ]
