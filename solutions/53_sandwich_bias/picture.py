"""Sandwich's bias over the distance, next to ALiBi's, for several heads and widths; the bias table of one head."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    distances = np.arange(128)

    def head(number, width=128):
        return lambda: kata.sandwich_bias(8, 1, 128, width)[number - 1, 0, ::-1]            # (128,) by distance

    def far(number):
        return lambda: kata.sandwich_bias(8, 1, 128)[number - 1, 0, -2::-1]                 # (127,) from distance 1

    return [
        Curves("Sandwich flattens out, ALiBi does not", {
                   "Sandwich, head 1": head(1),
                   "ALiBi, head 1": -distances / 2,
               }, x="distance back to the key (tokens)", y="bias (logits)", over=distances),
        Curves("Logarithmic axis: nearly straight lines", {f"head {h}": far(h) for h in (1, 2, 4, 8)},
               x="distance back to the key (tokens)", y="bias (logits)", over=distances[1:], log="x"),
        Curves("Head 8 with narrower sinusoids", {f"width {d}": head(8, d) for d in (16, 64, 128)},
               x="distance back to the key (tokens)", y="bias (logits)", over=distances),
        heatmap("Head 1 of 8", lambda: kata.sandwich_bias(8, 48)[0],
                x="key (position)", y="query (position)", colour="bias (logits)"),
    ]
