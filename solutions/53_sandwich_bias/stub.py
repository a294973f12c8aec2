"""Sandwich: a bias on the scores, made of the dot products of sinusoidal rows."""
import numpy as np


def sandwich_bias(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
    """Return the bias that Sandwich adds to the scores of every head.

    Parameters
    ----------
    n_heads : int
        Number of heads, `H`. Head h, counted from 1, has the factor ``H / (8 * h)``.
    n_queries : int
        Number of queries. They are the last positions: the first query is at position ``n_keys - n_queries``.
    n_keys : int, optional
        Number of keys, at positions 0, 1, 2, ... If None, there are as many keys as queries.
    d_bar : int, default 128
        Width of the sinusoidal rows, even. It need not be the width of the model.
    base : float, default 10000.0
        Pair ``i`` of the sinusoids turns ``base ** (-2 * i / d_bar)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_queries, n_keys)
        ``(sum_i cos(t * base ** (-2 * i / d_bar)) - d_bar / 2) * H / (8 * h)`` with i = 0..d_bar/2 - 1, where
        ``t`` is the distance in positions. Keys after the query have the same bias as keys equally far before
        it: nothing is masked.

    Source: Chi et al. 2022, "Dissecting transformer length extrapolation via the lens of receptive field
    analysis", where Sandwich is introduced.
    """
    # TODO 1: the cost of every distance                               (n_keys,)
    #         that cost for every query and key                        (n_queries, n_keys)
    # TODO 2: that cost, times the factor of every head                (n_heads, n_queries, n_keys)
    raise NotImplementedError("sandwich_bias")
