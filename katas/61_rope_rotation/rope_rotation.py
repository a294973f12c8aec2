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
    # TODO 1: one frequency per pair of columns                        (d_head / 2,)
    raise NotImplementedError("rope_frequencies")


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
    # TODO 2: one angle per row and pair, its cosine and its sine      (..., n, d_head / 2)
    #         columns 2i and 2i + 1, turned by it                      (..., n, d_head)
    raise NotImplementedError("apply_rope")


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
    # TODO 3: rotated queries times rotated keys                       (..., n_queries, n_keys)
    raise NotImplementedError("rope_scores")
