"""The bucket of every distance; the bands that the buckets form in a table; the bias of a head."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    around = np.setdiff1d(np.arange(-160, 161), [-64, -32, -16, 16, 32, 64])    # rounding decides these
    striped = np.arange(32.0)[:, None] % 2                                      # (32, 1): 1 for odd buckets
    falling = -np.sqrt(np.arange(32) % 16)[:, None]                             # (32, 1)
    return [
        Curves("Buckets widen with distance from the query", {
                   "both directions": lambda: kata.relative_position_bucket(around),
                   "one direction": lambda: kata.relative_position_bucket(around, bidirectional=False),
               }, x="key minus query (tokens)", y="bucket (number)", over=around),
        heatmap("Bands: even buckets have bias 0, odd ones 1", lambda: kata.t5_bias(striped, 64)[0],
                x="key (position)", y="query (position)", colour="bias (logits)"),
        Curves("Fewer buckets, both directions", {
                   "32 buckets": lambda: kata.relative_position_bucket(around),
                   "16 buckets": lambda: kata.relative_position_bucket(around, num_buckets=16),
               }, x="key minus query (tokens)", y="bucket (number)", over=around),
        heatmap("Bias of a head whose table falls with distance", lambda: kata.t5_bias(falling, 64)[0],
                x="key (position)", y="query (position)", colour="bias (logits)"),
    ]
