"""Attention to the same words in two orders, and what a causal mask changes."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(10, 8))                                                            # (10, 8)
    w_q, w_k, w_v = rng.normal(size=(3, 8, 8)) / 2                                          # (8, 8) each
    causal = np.tril(np.ones((10, 10), dtype=bool))                                         # (10, 10)

    def swapped(place):
        order = np.arange(10)
        order[[0, place]] = place, 0
        return order

    def gap(mask):
        return lambda: [kata.permutation_gap(x, w_q, w_k, w_v, swapped(place), mask) for place in range(10)]

    def attention(x, mask=None):
        return lambda: kata.self_attention(x, w_q, w_k, w_v, mask)

    reverse = x[::-1].copy()
    axes = {"x": "column (index)", "y": "place of the word (index)", "colour": "output (no unit)"}
    return [
        heatmap("Attention to ten words", attention(x), **axes),
        heatmap("The words in reverse: the same rows in reverse", attention(reverse), **axes),
        heatmap("With a causal mask, in reverse: other rows", attention(reverse, causal), **axes),
        Curves("Word 0 swapped with another: do the rows just swap?",
               {"no mask": gap(None), "causal mask": gap(causal)},
               x="place of the other word (index)", y="permutation gap\n(no unit)", over=np.arange(10)),
    ]
