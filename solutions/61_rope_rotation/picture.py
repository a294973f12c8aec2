"""Two arrows that keep the angle between them, scores over the offset, and the effect of the base."""
import numpy as np

from grader.course.panels import Arrows, Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    query, key = np.array([[1.0, 0.0]]), np.array([[0.6, 0.0]])                             # (1, 2) each
    q, k = np.random.default_rng(3).normal(size=(2, 1, 16))                                 # (1, 16) each
    equal = np.full((1, 128), 128**-0.5)                                                    # (1, 128) of length 1
    near, far = np.arange(-16, 17), np.arange(-2000, 1, 25)

    def turned(x, position):
        return lambda: kata.apply_rope(x, np.array([position]))[0]                          # (2,)

    def scores(q, k, start, offsets, base=10000.0):
        keys = np.repeat(k, len(offsets), axis=0)                                           # (len(offsets), d_head)
        return lambda: kata.rope_scores(q, keys, np.array([start]), start + offsets, base)[0]

    def turns(base):
        return lambda: kata.rope_frequencies(128, base) * 8192 / (2 * np.pi)                # (64,)

    return [
        Arrows("Both move by 3: the angle between them stays", {
                   "query at 1": turned(query, 1), "key at 0": turned(key, 0),
                   "query at 4": turned(query, 4), "key at 3": turned(key, 3),
               }, x="column 0", y="column 1", angles=(("key at 0", "query at 1"), ("key at 3", "query at 4"))),
        Curves("Width 16: the score depends on the offset",
               {f"query at {start}": scores(q, k, start, near) for start in (0, 40, 4000)},
               x="key minus query (positions)", y="score", over=near),
        Curves("Query equals key, width 128: scores far away",
               {f"base {base}": scores(equal, equal, 0, far, float(base)) for base in (10000, 500000)},
               x="key minus query (positions)", y="score", over=far),
        Curves("Turns of each pair in 8192 positions, width 128",
               {f"base {base}": turns(float(base)) for base in (10000, 500000)},
               x="pair of columns (index)", y="turns", over=np.arange(64), log="y"),
    ]
