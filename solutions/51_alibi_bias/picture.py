"""ALiBi's bias and the attention weights that follow from it, over distance; the bias table of a head; the slopes."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def bias(head):
        return lambda: kata.alibi_bias(8, 32)[head - 1, -1, ::-1]                           # (32,) by distance

    def weights(head):
        q, k, v = np.zeros((8, 1, 1)), np.ones((8, 32, 1)), np.tile(np.eye(32), (8, 1, 1))
        return lambda: kata.alibi_attention(q, k, v)[head - 1, 0, ::-1]                     # (32,) by distance

    return [
        Curves("The bias: each head has its own slope", {f"head {h}": bias(h) for h in (1, 2, 4, 8)},
               x="distance back to the key (tokens)", y="bias (logits)", over=np.arange(32)),
        Curves("Attention weights if all scores are equal", {f"head {h}": weights(h) for h in (1, 2, 4, 8)},
               x="distance back to the key (tokens)", y="weight", over=np.arange(32)),
        heatmap("The bias of head 1 of 8, with the causal mask", lambda: kata.alibi_bias(8, 24)[0],
                x="key (position)", y="query (position)", colour="bias (logits)"),
        Curves("Slopes of the heads", {
                   "8 heads": lambda: np.r_[kata.alibi_slopes(8), np.full(4, np.nan)],
                   "12 heads": lambda: kata.alibi_slopes(12),
               }, x="head (number)", y="slope\n(logits per position)", over=np.arange(1, 13), log="y"),
    ]
