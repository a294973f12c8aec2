"""What skewing moves where: every column a distance before it, every diagonal a distance after it."""
import numpy as np

from grader.panels import heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    distances = np.tile(np.arange(11.0, -1.0, -1.0), (12, 1)) + 1.0                         # (12, 12) from 12 to 1
    rng = np.random.default_rng(0)
    q, table = rng.normal(size=(12, 8)), rng.normal(size=(12, 8))                           # (12, 8) each
    return [
        heatmap("Before skewing: a column per distance", distances,
                x="column of the products (index)", y="query (position)", colour="keys from there on\n(distance + 1)"),
        heatmap("After skewing: a diagonal per distance", lambda: kata.skew(distances),
                x="key (position)", y="query (position)", colour="keys from there on\n(distance + 1)"),
        heatmap("Before: products with every distance", q @ table.T,
                x="column of the products (index)", y="query (position)", colour="product (no unit)"),
        heatmap("After: relative logits", lambda: kata.relative_logits(q, table),
                x="key (position)", y="query (position)", colour="logit (no unit)"),
    ]
