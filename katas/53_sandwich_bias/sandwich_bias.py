"""Sandwich: a bias on the scores that falls with distance as the products of sinusoidal rows do."""
import numpy as np


def sandwich_bias(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
    """Return what Sandwich adds to the scores of every head.

    Parameters
    ----------
    n_heads : int
        Heads, `H`. Head h, counted from 1, has the factor ``H / (8 * h)``.
    n_queries : int
        Queries. They are the last positions: query ``i`` stands at ``i + n_keys - n_queries``.
    n_keys : int, optional
        Keys, at positions 0, 1, 2, ...; as many as queries unless given.
    d_bar : int, default 128
        Width of the sinusoids whose products are taken, even; the width of the model may be another.
    base : float, default 10000.0
        Pair ``i`` of the sinusoids turns ``base ** (-2 * i / d_bar)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_queries, n_keys)
        ``(sum_i cos(t * base ** (-2 * i / d_bar)) - d_bar / 2) * H / (8 * h)`` with i = 0..d_bar/2 - 1, where
        ``t`` is the distance in positions. Keys after the query cost as much as keys equally far before it:
        nothing is masked.

    Source: Chi et al. 2022, "Dissecting transformer length extrapolation via the lens of receptive field
    analysis", where Sandwich is introduced.
    """
    # TODO 1: what every distance costs                                (n_keys,)
    #         that cost for every query and key                        (n_queries, n_keys)
    # TODO 2: that cost, times the factor of every head                (n_heads, n_queries, n_keys)
    raise NotImplementedError("sandwich_bias")
