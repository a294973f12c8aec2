"""Attention weights that follow the distance, and a cache with turned keys and unturned values."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    # column 0 of every token is 1: it makes all queries equal, all keys equal, and the last column of every value.
    # The other columns are a one-hot code of the token and the rest of its value, so an output is a row of weights.
    x = np.concatenate([np.ones((31, 1)), np.eye(31)], axis=1)                              # (31, 32)
    first = np.zeros((32, 32))
    first[0, 0::2] = 1.0                                                                    # (1, 0) in every pair
    w_v = np.roll(np.eye(32), -1, axis=1)                                                   # (32, 32)
    weights = {"w_q": 1.5 * first, "w_k": first, "w_v": w_v, "w_o": w_v.T, "n_heads": 1}

    def attended(causal):
        return lambda: kata.rope_attention(x, **weights, causal=causal)[:, 1:]              # (31, 31)

    def decoded():
        keys = values = np.zeros((0, 1, 32))
        for token in x:
            out, keys, values = kata.decode_step(token, keys, values, **weights)
        return out[1:], keys[:, 0], values[:, 0]                                            # (31,), (31, 32), (31, 32)

    places = {"x": "key (position)", "y": "query (position)", "colour": "weight"}
    return [
        heatmap("No mask: attention weights follow the distance", attended(False), **places),
        Curves("In the cache: turned keys, unturned values", {
                   "key, column 0": lambda: decoded()[1][:, 0], "key, column 8": lambda: decoded()[1][:, 8],
                   "value, column 31": lambda: decoded()[2][:, 31],
               }, x="position (tokens)", y="entry", over=np.arange(31)),
        heatmap("The same weights, causal", attended(True), **places),
        Curves("Weights of the last token, causal", {
                   "all at once": lambda: attended(True)()[-1, ::-1], "step by step": lambda: decoded()[0][::-1],
               }, x="distance back to the key (positions)", y="weight", over=np.arange(31)),
    ]
