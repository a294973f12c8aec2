"""The effect of each table: with the key table, scores depend on distance; with the value table, equal words differ."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    # K = 4 as in VITS; a query of ones scores row m of the key table as wanted[m]
    wanted = np.array([-1.0, 0.0, 1.0, 3.0, 2.0, 1.0, 0.0, -1.0, -2.0])                     # distances -4 to 4
    key_table = np.repeat(wanted[:, None] / 8.0, 64, axis=1)                                # (9, 64)
    ones, zeros = np.ones((16, 64)), np.zeros((16, 64))
    no_vectors = np.zeros((3, 64))                                                          # every score is 0
    sides = np.eye(3)                                                                       # before, itself, after

    def output(mask=None):
        return lambda: kata.shaw_attention(zeros, zeros, np.zeros((16, 3)), no_vectors, sides, mask)

    def side(number):
        return lambda: output()()[:, number]                                                # (16,)

    return [
        heatmap("Key table: one score per distance", lambda: kata.shaw_scores(ones, zeros, key_table),
                x="key (position)", y="query (position)", colour="score"),
        Curves("Value table: equal words, different outputs",
               {"row for before": side(0), "row for distance 0": side(1), "row for after": side(2)},
               x="query (position)", y="share in the output", over=np.arange(16)),
        heatmap("The same outputs with a causal mask", output(np.tri(16, dtype=bool)),
                x="row: before, distance 0, after (index)", y="query (position)", colour="share"),
    ]
