"""Which pairs turn: GPT-J's part of a head, the fast pairs of Gemma 4, and what that does to scores."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    near, far = np.arange(48), np.arange(0, 2000, 25)

    def points(width, positions):
        return np.tile([1.0, 0.0], (len(positions), width // 2))                    # (n, width), every pair is (1, 0)

    def partial(width, rotary_dim, positions):
        return kata.partial_rope(points(width, positions), positions, rotary_dim)   # (n, width)

    def truncated(width, share, base, positions):
        return kata.truncated_rope(points(width, positions), positions, share, base)

    def scores(turned):
        return lambda: turned()[:, 0::2].mean(axis=1)      # (n,) with the key (1, 0, 1, 0, ...) of length 1 at 0

    return [
        heatmap("GPT-J: 32 of 128 pairs turn", lambda: partial(256, 64, near)[:, 0::2],
                x="pair of columns (index)", y="position (tokens)", colour="first entry of the pair"),
        heatmap("Gemma 4: the 64 fastest of 256 turn", lambda: truncated(512, 0.25, 1e6, near)[:, 0::2],
                x="pair of columns (index)", y="position (tokens)", colour="first entry of the pair"),
        Curves("Query equals key: the columns that stay add a constant", {
                   "all 256 columns": scores(lambda: partial(256, 256, far)),
                   "64 of 256 (GPT-J)": scores(lambda: partial(256, 64, far)),
                   "the fast quarter": scores(lambda: truncated(256, 0.25, 10000.0, far)),
               }, x="distance (positions)", y="score", over=far),
    ]
