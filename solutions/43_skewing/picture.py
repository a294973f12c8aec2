"""The effect of skewing: a distance is a column before it and a diagonal after it."""
import numpy as np

from grader.course.panels import heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    columns = np.tile(np.arange(1.0, 13.0), (12, 1))                                        # (12, 12) 0 is for no key
    rng = np.random.default_rng(0)
    q, table = rng.normal(size=(12, 8)), rng.normal(size=(12, 8))                           # (12, 8) each
    return [
        heatmap("Before skewing: one column per distance", columns,
                x="column of the products (index)", y="query (position)", colour="column + 1\n(index, 0: no key)"),
        heatmap("After skewing: one diagonal per distance", lambda: kata.skew(columns),
                x="key (position)", y="query (position)", colour="column + 1\n(index, 0: no key)"),
        heatmap("Before: products with every distance", q @ table.T,
                x="column of the products (index)", y="query (position)", colour="product"),
        heatmap("After: relative logits", lambda: kata.relative_logits(q, table),
                x="key (position)", y="query (position)", colour="logit"),
    ]
