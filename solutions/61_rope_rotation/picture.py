"""What a rotation does to one vector at five positions, and scores that depend on the offset alone."""
import numpy as np

from grader.panels import Arrows, Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    vector = np.tile([1.0, 0.0, 0.8, 0.2], (5, 1))                                          # (5, 4) five times the same

    def turned(position, pair):
        return lambda: kata.apply_rope(vector, np.arange(5), base=16.0)[position, 2 * pair : 2 * pair + 2]

    q, k = np.random.default_rng(3).normal(size=(2, 1, 16))                                 # (1, 16) each
    offsets = np.arange(-32, 33)
    ones = np.ones((1, 64))

    def scores(q, k, start):
        return lambda: kata.rope_scores(q, np.repeat(k, 65, axis=0), np.array([start]), start + offsets)[0]

    return [
        Arrows("The fast pair of a vector at five positions",
               {f"position {p}": turned(p, 0) for p in range(5)}, x="column 0 (no unit)", y="column 1 (no unit)"),
        Arrows("The slow pair of the same vector, base 16",
               {f"position {p}": turned(p, 1) for p in range(5)}, x="column 2 (no unit)", y="column 3 (no unit)"),
        Curves("Score against offset: the same wherever the query stands",
               {f"query at {start}": scores(q, k, start) for start in (0, 40, 4000)},
               x="key minus query (positions)", y="score (no unit)", over=offsets),
        Curves("Two vectors of ones, width 64: the score falls and wavers", {"query at 0": scores(ones, ones, 0)},
               x="key minus query (positions)", y="score (no unit)", over=offsets),
    ]
