"""Rotary positions: every pair of columns of a query or key is turned by an angle its position sets."""
import numpy as np


def rope_frequencies(d_head, base=10000.0):
    """Return how fast each pair of columns turns, fastest first.

    Parameters
    ----------
    d_head : int
        Columns of one head, two per frequency; even.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position.

    Raises
    ------
    ValueError
        If `d_head` is below 1 or odd, or `base` is not positive; the message names the argument and shows its
        value.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    # TODO 1: refuse a width below 1 or odd, and a base that is not positive.
    # TODO 2: one frequency per pair of columns.                       (d_head / 2,)
    raise NotImplementedError("rope_frequencies")


def apply_rope(x, positions, base=10000.0):
    """Turn every pair of neighbouring columns by the angle of its row's position.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys, two axes or more; `d_head` is even. Integers count as float64.
    positions : ndarray of int or float, shape (n,)
        The position of each row, of any sign, in any order. Any shape that broadcasts to ``x.shape[:-1]``
        without enlarging it will do, such as (batch, 1, n) for `x` of shape (batch, heads, n, d_head).
    base : float, default 10000.0
        As in `rope_frequencies`.

    Returns
    -------
    ndarray, shape of `x`, floating dtype of `x`
        Columns ``2i`` and ``2i + 1`` of `x`, taken as a point in the plane (``2i`` across, ``2i + 1`` up) and
        turned counter-clockwise by ``position * rope_frequencies(d_head, base)[i]`` radians.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes or an odd last one, if `positions` does not fit `x`, or if `base` is
        not positive; the message names the argument and shows its value, for an array its shape.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    # TODO 3: refuse vectors without rows or pairs, positions that do not fit the rows, and a base as above.
    # TODO 4: one angle per row and pair, then columns 2i and 2i + 1 turned by it.      (..., n, d_head)
    raise NotImplementedError("apply_rope")


def rope_scores(q, k, q_positions, k_positions, base=10000.0):
    """Return the dot product of every rotated query with every rotated key.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d_head)
        Queries, not yet rotated; two axes or more, `d_head` even. Integers count as float64.
    k : ndarray, shape (..., n_keys, d_head)
        Keys, not yet rotated; as wide as the queries.
    q_positions, k_positions : ndarray of int or float, shape (n_queries,) and (n_keys,)
        Positions of the queries and of the keys, each as in `apply_rope`.
    base : float, default 10000.0
        As in `rope_frequencies`.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys), floating dtype of `q`
        Not scaled and not masked.

    Raises
    ------
    ValueError
        If `q` or `k` has fewer than two axes or an odd last one, if their widths differ, if positions do not
        fit their vectors, or if `base` is not positive; the message names the argument and shows its value,
        for an array its shape.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2.
    """
    # TODO 5: refuse what `apply_rope` refuses, under the names used here, and q and k of different widths.
    # TODO 6: rotated queries times rotated keys.                      (..., n_queries, n_keys)
    raise NotImplementedError("rope_scores")
