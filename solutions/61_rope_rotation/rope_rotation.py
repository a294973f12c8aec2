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
    if d_head < 1:
        raise ValueError(f"d_head must be at least 1, got {d_head}")
    if d_head % 2:
        raise ValueError(f"d_head must be even, got {d_head}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    return base ** (-np.arange(0, d_head, 2) / d_head)          # (d_head / 2,)


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
    _check("x", x, "positions", positions)
    dtype = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    angles = positions[..., None] * rope_frequencies(x.shape[-1], base)      # (..., n, d_head / 2)
    if dtype.itemsize < 8:                                      # whole turns off, then float32 will do
        angles = (angles - 2 * np.pi * np.rint(angles / (2 * np.pi))).astype(np.float32)
    turns = np.empty(angles.shape, np.result_type(dtype, np.complex64))     # complex numbers of length 1
    turns.real, turns.imag = np.cos(angles), np.sin(angles)
    points = np.ascontiguousarray(x, turns.real.dtype).view(turns.dtype)    # (..., n, d_head / 2) across + i up
    return (points * turns).view(turns.real.dtype).astype(dtype, copy=False)


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
    _check("q", q, "q_positions", q_positions)
    _check("k", k, "k_positions", k_positions)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"q and k must have the same width, got shapes {q.shape} and {k.shape}")
    queries = apply_rope(q, q_positions, base)                  # (..., n_queries, d_head)
    keys = apply_rope(k, k_positions, base)                     # (..., n_keys, d_head)
    return queries @ np.swapaxes(keys, -1, -2)


def _check(name, x, positions_name, positions):
    """Refuse vectors that have no pairs or no rows, and positions that do not fit the rows."""
    if x.ndim < 2:
        raise ValueError(f"{name} must have two axes or more, got shape {x.shape}")
    if x.shape[-1] % 2:
        raise ValueError(f"{name} must have an even last axis, got shape {x.shape}")
    try:
        np.broadcast_to(positions, x.shape[:-1])                # refuses what would enlarge, too
    except ValueError:
        raise ValueError(
            f"{positions_name} of shape {positions.shape} does not fit {name} of shape {x.shape}") from None
