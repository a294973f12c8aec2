"""The bias of ALiBi: over the distance for each head, and as tables of two heads."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def head(number):
        return lambda: kata.alibi_bias(8, 32)[number, -1, ::-1]                             # (32,) by distance

    axes = {"x": "key (position)", "y": "query (position)", "colour": "bias (logits)"}
    return [
        Curves("Bias over distance, a line per head", {f"head {h + 1}": head(h) for h in range(8)},
               x="distance from query back to key (positions)", y="bias (logits)", over=np.arange(32)),
        heatmap("Head 1 of 8, causal", lambda: kata.alibi_bias(8, 24)[0], **axes),
        heatmap("Head 1 of 8, looking both ways", lambda: kata.alibi_bias(8, 24, causal=False)[0], **axes),
        Curves("Slopes of the heads", {
                   "8 heads": lambda: np.r_[kata.alibi_slopes(8), np.full(4, np.nan)],
                   "12 heads": lambda: kata.alibi_slopes(12),
               }, x="head (number)", y="slope\n(logits per position)", over=np.arange(1, 13), log="y"),
    ]
