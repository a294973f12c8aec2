"""Rotary positions: turn every pair of columns of a query or key by an angle that grows with its position."""
import numpy as np


def rope_frequencies(d_head, base=10000.0):
    """Return the frequency of each pair of columns, fastest first.

    Parameters
    ----------
    d_head : int
        Number of columns of one head; even.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    return base ** (-2 * np.arange(d_head // 2) / d_head)       # (d_head / 2,)


def apply_rope(x, positions, base=10000.0):
    """Turn every pair of neighbouring columns by the angle of its row's position.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys, with at least two axes; `d_head` is even.
    positions : ndarray of int or float, shape (n,)
        The position of each row: any sign, any order. Or any shape that broadcasts to ``x.shape[:-1]`` without
        enlarging it, such as (batch, 1, n) for `x` of shape (batch, heads, n, d_head).
    base : float, default 10000.0
        As in `rope_frequencies`.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``2i`` and ``2i + 1`` of `x` are the x and the y coordinate of a point. It is turned
        counter-clockwise by ``position * rope_frequencies(d_head, base)[i]`` radians.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    angles = positions[..., None] * rope_frequencies(x.shape[-1], base)      # (..., n, d_head / 2)
    cos, sin = np.cos(angles), np.sin(angles)                   # (..., n, d_head / 2) each
    even, odd = x[..., 0::2], x[..., 1::2]                      # (..., n, d_head / 2) each
    turned = np.empty(x.shape, np.result_type(x, 1.0))          # (..., n, d_head) float32 stays float32
    turned[..., 0::2] = even * cos - odd * sin                  # (..., n, d_head / 2)
    turned[..., 1::2] = even * sin + odd * cos                  # (..., n, d_head / 2)
    return turned                                               # (..., n, d_head)


def rope_scores(q, k, q_positions, k_positions, base=10000.0):
    """Return the dot product of every rotated query with every rotated key.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d_head)
        Queries, not yet rotated, with at least two axes; `d_head` is even.
    k : ndarray, shape (..., n_keys, d_head)
        Keys, not yet rotated, with the width of the queries.
    q_positions, k_positions : ndarray of int or float, shape (n_queries,) and (n_keys,)
        Positions of the queries and of the keys: any sign, any order.
    base : float, default 10000.0
        As in `rope_frequencies`.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        Not scaled and not masked.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    queries = apply_rope(q, q_positions, base)                  # (..., n_queries, d_head)
    keys = apply_rope(k, k_positions, base)                     # (..., n_keys, d_head)
    return queries @ np.swapaxes(keys, -1, -2)                  # (..., n_queries, n_keys)
