"""The cosine table, one vector turned in two pairs, scores over two positions, and the same vector in four heads."""
import numpy as np

from grader.course.panels import Arrows, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.repeat(np.outer(np.arange(3), [1.0, 0.25]), 2, axis=1)                      # (3, 4) by hand: base 16
    across = np.tile([1.0, 0.0], (3, 2))                                                    # (3, 4): (1, 0) twice
    q, k = np.random.default_rng(0).normal(size=(2, 1, 8)).repeat(12, axis=1)               # (12, 8) each
    alike = np.tile([1.0, 0.0], (1, 6, 4, 2))                                               # (1, 6, 4, 4)

    def turned(position, pair):
        return lambda: kata.apply_rotary(across, np.cos(angles), np.sin(angles))[position, 2 * pair : 2 * pair + 2]

    def scores():
        tables = kata.rotary_tables(12, 8, 50.0)
        return kata.apply_rotary(q, *tables) @ kata.apply_rotary(k, *tables).T

    return [
        heatmap("The cosine table, width 8, base 16", lambda: kata.rotary_tables(24, 8, 16.0)[0],
                x="column (index)", y="position (tokens)", colour="cosine"),
        Arrows("The vector (1, 0), turned in two pairs", {
                   "position 0": turned(0, 0),
                   "pair 0, position 1": turned(1, 0), "pair 0, position 2": turned(2, 0),
                   "pair 1, position 1": turned(1, 1), "pair 1, position 2": turned(2, 1),
               }, x="first column of a pair", y="second column of a pair"),
        heatmap("Scores of one query and one key at 12 positions", scores,
                x="position of the key (tokens)", y="position of the query (tokens)", colour="score"),
        heatmap("The same vector in 4 heads at 6 positions",
                lambda: kata.apply_rotary(alike, *kata.rotary_tables(6, 4), seq_axis=1)[0, :, :, 0],
                x="head (index)", y="position (tokens)", colour="column 0"),
    ]
