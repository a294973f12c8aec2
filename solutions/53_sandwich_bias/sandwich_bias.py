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

    Raises
    ------
    ValueError
        If a size is below 1, `d_bar` is odd, `base` is not positive or `n_queries` is above `n_keys`; the
        message names the argument and shows its value.

    Source: Chi et al. 2022, "Dissecting transformer length extrapolation via the lens of receptive field
    analysis", where Sandwich is introduced.
    """
    n_keys = n_queries if n_keys is None else n_keys
    for name, size in (("n_heads", n_heads), ("n_queries", n_queries), ("n_keys", n_keys), ("d_bar", d_bar)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    if d_bar % 2:
        raise ValueError(f"d_bar must be even, got {d_bar}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    if n_queries > n_keys:
        raise ValueError(f"n_queries must be at most n_keys, got n_queries={n_queries} and n_keys={n_keys}")
    frequencies = base ** (-np.arange(0, d_bar, 2) / d_bar)             # (d_bar / 2,)
    angles = np.outer(np.arange(n_keys), frequencies)                   # (n_keys, d_bar / 2)
    cost = np.cos(angles).sum(axis=1) - d_bar / 2                       # (n_keys,) by distance
    queries = np.arange(n_keys - n_queries, n_keys)                     # (n_queries,) the last positions
    distance = np.abs(queries[:, None] - np.arange(n_keys))             # (n_queries, n_keys)
    factors = n_heads / (8 * np.arange(1, n_heads + 1))                 # (n_heads,)
    return factors[:, None, None] * cost[distance]                      # (n_heads, n_queries, n_keys)
