"""Rotary positions by tables: cosines and sines made once, then used for queries and keys of any axes."""
import numpy as np


def rotary_tables(max_len, d_head, base=10000.0):
    """Return the cosines and the sines that turn every position's vectors, for interleaved pairs.

    Parameters
    ----------
    max_len : int
        Rows of each table; positions count from 0.
    d_head : int
        Columns of one head, two per frequency; even.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    cos, sin : ndarray of float64, shape (max_len, d_head) each
        Columns ``2i`` and ``2i + 1`` are equal: cosine and sine of position times frequency ``i``.

    Raises
    ------
    ValueError
        If `max_len` or `d_head` is below 1, `d_head` is odd, or `base` is not positive; the message names the
        argument and shows its value.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2.
    """
    for name, size in (("max_len", max_len), ("d_head", d_head)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    if d_head % 2:
        raise ValueError(f"d_head must be even, got {d_head}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    frequencies = base ** (-np.arange(0, d_head, 2) / d_head)   # (d_head / 2,)
    angles = np.outer(np.arange(max_len), frequencies)          # (max_len, d_head / 2)
    return np.cos(angles).repeat(2, axis=-1), np.sin(angles).repeat(2, axis=-1)        # (max_len, d_head) each


def apply_rotary(x, cos, sin, seq_axis=-2):
    """Turn every pair of neighbouring columns by the angle of its position, with tables made before.

    Parameters
    ----------
    x : ndarray, two axes or more, the last of them d_head
        Queries or keys, such as (batch, heads, n, d_head), or (batch, n, heads, d_head) with `seq_axis` 1.
        Integers count as float64.
    cos, sin : ndarray, shape (max_len, d_head)
        What `rotary_tables` makes; of a table with more rows than the sequence has, the first are used.
    seq_axis : int, default -2
        The axis of `x` along which positions count 0, 1, 2, ...; a negative one counts from the end.

    Returns
    -------
    ndarray, shape of `x`, floating dtype of `x`
        Columns ``2i`` and ``2i + 1`` of `x`, taken as a point in the plane (``2i`` across, ``2i + 1`` up) and
        turned counter-clockwise by the angle of the position.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes, if `seq_axis` is its last axis or out of range, or if the tables
        differ in shape, are not as wide as `x` or have fewer rows than the sequence; the message names the
        argument and shows its value, for an array its shape.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2.
    """
    _check(x, cos, sin, seq_axis)
    n, d_head = x.shape[seq_axis], x.shape[-1]
    shape = [1] * x.ndim
    shape[seq_axis], shape[-1] = n, d_head
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    cos, sin = (table[:n].reshape(shape).astype(x.dtype) for table in (cos, sin))      # as x, or 1 on other axes
    return x * cos + _rotate_pairs(x) * sin


def _rotate_pairs(x):
    """Every pair of neighbouring columns turned by a right angle."""
    across, up = x[..., 0::2], x[..., 1::2]
    return np.stack([-up, across], axis=-1).reshape(x.shape)


def _check(x, cos, sin, seq_axis):
    """Refuse an axis that holds no sequence, and tables that do not fit."""
    if x.ndim < 2:
        raise ValueError(f"x must have two axes or more, got shape {x.shape}")
    if not -x.ndim <= seq_axis < x.ndim or seq_axis in (-1, x.ndim - 1):
        raise ValueError(f"seq_axis must be one of the {x.ndim} axes of x, but not the last, got {seq_axis}")
    if cos.shape != sin.shape:
        raise ValueError(f"cos and sin must have the same shape, got {cos.shape} and {sin.shape}")
    if cos.shape[-1] != x.shape[-1]:
        raise ValueError(f"cos and sin of shape {cos.shape} are not as wide as x of shape {x.shape}")
    if len(cos) < x.shape[seq_axis]:
        raise ValueError(f"x of shape {x.shape} is longer than cos and sin, whose shape is {cos.shape}")
