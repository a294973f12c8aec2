"""Rotary positions from tables: compute cosines and sines once, then rotate queries and keys with them."""
import numpy as np


def rotary_tables(max_len, d_head, base=10000.0):
    """Return a table of cosines and a table of sines, with one row per position and one column per column of a head.

    Parameters
    ----------
    max_len : int
        Number of rows of each table, for positions 0 to ``max_len - 1``.
    d_head : int
        Width of one head, two columns per pair; even.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    cos, sin : ndarray of float64, shape (max_len, d_head) each
        Columns ``2i`` and ``2i + 1`` have the cosine or sine of the same angle, position times frequency ``i``.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2.
    """
    # TODO 1: compare the tables with task 1 and the formula in the README, and mend what is wrong.
    frequencies = base ** (-2 * np.arange(d_head // 2) / d_head)     # (d_head / 2,)
    angles = np.arange(max_len)[:, None] * frequencies               # (max_len, d_head / 2)
    angles = np.concatenate([angles, angles], axis=-1)               # (max_len, d_head)
    return np.cos(angles), np.sin(angles)                            # (max_len, d_head) each


def apply_rotary(x, cos, sin, seq_axis=-2):
    """Turn every pair of neighbouring columns by an angle that depends on the position, using tables.

    Parameters
    ----------
    x : ndarray with two or more axes, the last of size d_head
        Queries or keys. Shapes are, for example, (batch, heads, n, d_head), or (batch, n, heads, d_head) with
        `seq_axis` 1.
    cos, sin : ndarray, shape (max_len, d_head)
        Tables from `rotary_tables`. If they have more rows than there are positions, use the first rows.
    seq_axis : int, default -2
        The axis of `x` along which the positions 0, 1, 2, ... run. A negative axis counts from the end.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``2i`` and ``2i + 1`` of `x` are the coordinates of a point, horizontal first. The point is
        turned counter-clockwise by the angle of its position and pair.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2.
    """
    # TODO 2: compare the result with task 2 in the README, and mend what is wrong.
    # TODO 3: compare the result with task 3 and the formula in the README, and mend what is wrong.
    n = x.shape[-2]
    cos, sin = cos[:n], sin[:n]                                      # (n, d_head) each
    partners = np.stack([x[..., 1::2], -x[..., 0::2]], axis=-1).reshape(x.shape)     # shape of x
    turned = x * cos + partners * sin                                # shape of x
    return turned.astype(np.result_type(x, 1.0))                     # shape of x, float32 stays float32
