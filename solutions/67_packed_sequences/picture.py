"""Which keys each query sees, with and without a window, and the attention of several texts in one row."""
import numpy as np

from grader.course.panels import Curves, heatmap

LENGTHS = np.array([10, 4, 16, 1, 9])                                                        # 40 tokens


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    # every query is (1, 0) and every key (2, 0) in each pair; the values make the output the weights
    q = np.tile([1.0, 0.0], (1, 40, 16))                                                    # (1, 40, 32)
    k, v = 2.0 * q, np.eye(40)[None]

    def attended(window):
        return lambda: kata.packed_attention(q, k, v, LENGTHS, window)[0]                   # (40, 40)

    places = {"x": "key (place in the row)", "y": "query (place in the row)"}
    return [
        heatmap("Five texts in one row: who sees whom", lambda: kata.packed_mask(LENGTHS), **places,
                colour="visible (1) or hidden (0)"),
        Curves("Positions start again in each text", {
                   "packed_positions": lambda: kata.packed_positions(LENGTHS),
                   "place in the row": np.arange(40),
               }, x="place in the row (tokens)", y="position (tokens)", over=np.arange(40)),
        heatmap("With a window of 4", lambda: kata.packed_mask(LENGTHS, 4), **places,
                colour="visible (1) or hidden (0)"),
        heatmap("Weights of equal queries and keys", attended(None), **places, colour="weight"),
    ]
