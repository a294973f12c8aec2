"""The effect of memory: the last queries have the same scores as in the whole text."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.outer(np.arange(12), 10000.0 ** (-np.arange(0, 16, 2) / 16))                # (12, 8)
    r = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)                            # (12, 16) sinusoids
    rng = np.random.default_rng(0)
    q, k = 0.25 * rng.normal(size=(2, 12, 16))                                               # (12, 16) each
    u, v = np.full(16, 0.1), 1.5 * r[0]                                                     # v favours near keys

    def scores(first, keys=k, distances=r):
        return lambda: kata.transformer_xl_scores(q[first:], keys, distances, u, v)

    def last(keys, distances):
        return lambda: scores(11, keys, distances)()[0, ::-1]                               # (12,) nearest first

    axes = {"x": "key (position)", "y": "query (position)", "colour": "score"}
    return [
        heatmap("The whole text: 12 queries, 12 keys", scores(0), **axes),
        heatmap("Last segment: 4 queries, the same 12 keys", scores(8), **axes, first=(8, 0)),
        Curves("The last query: content, distance and their sum",
               {"content": last(k, np.zeros_like(r)), "distance": last(np.zeros_like(k), r), "score": last(k, r)},
               x="distance from query back to key (tokens)", y="score", over=np.arange(12)),
    ]
