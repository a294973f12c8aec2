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

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2.
    """
    # TODO 1: with these tables, a turn makes vectors longer or shorter.
    frequencies = base ** (-2 * np.arange(d_head // 2) / d_head)     # (d_head / 2,)
    angles = np.arange(max_len)[:, None] * frequencies               # (max_len, d_head / 2)
    angles = np.concatenate([angles, angles], axis=-1)               # (max_len, d_head)
    return np.cos(angles), np.sin(angles)                            # (max_len, d_head) each


def apply_rotary(x, cos, sin, seq_axis=-2):
    """Turn every pair of neighbouring columns by the angle of its position, with tables made before.

    Parameters
    ----------
    x : ndarray, two axes or more, the last of them d_head
        Queries or keys, such as (batch, heads, n, d_head), or (batch, n, heads, d_head) with `seq_axis` 1.
    cos, sin : ndarray, shape (max_len, d_head)
        What `rotary_tables` makes; of a table with more rows than the sequence has, the first are used.
    seq_axis : int, default -2
        The axis of `x` along which positions count 0, 1, 2, ...; a negative one counts from the end.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``2i`` and ``2i + 1`` of `x`, taken as a point in the plane (``2i`` across, ``2i + 1`` up) and
        turned counter-clockwise by the angle of the position.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2.
    """
    # TODO 2: in (batch, n, heads, d_head) all words of one head turn alike, and the heads do not.
    # TODO 3: at position 1 the point (1, 0) comes out below the first axis, not above it.
    n = x.shape[-2]
    cos, sin = cos[:n], sin[:n]                                      # (n, d_head) each
    partners = np.stack([x[..., 1::2], -x[..., 0::2]], axis=-1).reshape(x.shape)     # shape of x
    turned = x * cos + partners * sin                                # shape of x
    return turned.astype(np.result_type(x, 1.0))                     # shape of x, float32 stays float32
