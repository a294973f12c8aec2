"""The bias of Sandwich over the distance for each head, and the table of one head."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def head(number, width=128):
        return lambda: kata.sandwich_bias(8, 128, d_bar=width)[number, -1, ::-1]            # (128,) by distance

    return [
        Curves("Bias over distance, a line per head", {f"head {h + 1}": head(h) for h in range(8)},
               x="distance from query back to key (positions)", y="bias (logits)", over=np.arange(128)),
        Curves("Head 8 with narrower sinusoids", {f"width {d}": head(7, d) for d in (16, 64, 128)},
               x="distance from query back to key (positions)", y="bias (logits)", over=np.arange(128)),
        heatmap("Head 1 of 8", lambda: kata.sandwich_bias(8, 48)[0],
                x="key (position)", y="query (position)", colour="bias (logits)"),
    ]
