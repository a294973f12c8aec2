"""The bucket of every distance, for both directions and for one, and the bias it leads to."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    around, back = np.arange(-160, 161), -np.arange(161)                                    # (321,) and (161,)
    table = -np.sqrt(np.arange(32) % 16)[:, None]                                           # (32, 1) for one head
    return [
        Curves("Buckets over distance, both directions", {
                   "32 buckets": lambda: kata.relative_position_bucket(around),
                   "16 buckets": lambda: kata.relative_position_bucket(around, num_buckets=16),
               }, x="key minus query (positions)", y="bucket (number)", over=around),
        Curves("Buckets over distance, one direction", {
                   "32 buckets": lambda: kata.relative_position_bucket(back, bidirectional=False),
                   "16 buckets": lambda: kata.relative_position_bucket(back, bidirectional=False, num_buckets=16),
               }, x="distance from query back to key (positions)", y="bucket (number)", over=-back),
        heatmap("The bucket of each query and key", lambda: kata.relative_position_bucket(
                    np.arange(32) - np.arange(32)[:, None]),
                x="key (position)", y="query (position)", colour="bucket (number)"),
        heatmap("The bias of a head whose table falls with distance", lambda: kata.t5_bias(table, 32)[0],
                x="key (position)", y="query (position)", colour="bias (logits)"),
    ]
