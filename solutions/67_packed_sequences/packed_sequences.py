"""Several texts in one row: positions that start again, a mask that keeps the texts apart, and attention with both."""
import numpy as np


def packed_positions(lengths):
    """Return the position of every token in its own text.

    Parameters
    ----------
    lengths : ndarray of int, shape (m,)
        Number of tokens of each text, at least 1, in the order of the texts in the row. Their sum is ``n``.

    Returns
    -------
    ndarray of int, shape (n,)
        Each text counts from 0: ``0, 1, ..., lengths[0] - 1, 0, 1, ..., lengths[1] - 1, ...``.

    Source: Krell et al. 2021, "Efficient sequence packing without cross-contamination", section 3.2.
    """
    starts = np.cumsum(lengths) - lengths                       # (m,) place in the row of each text's first token
    return np.arange(lengths.sum()) - np.repeat(starts, lengths)             # (n,)


def packed_mask(lengths, window=None):
    """Return which keys each query may attend to.

    Parameters
    ----------
    lengths : ndarray of int, shape (m,)
        As in `packed_positions`.
    window : int, optional
        At least 1. A query sees only keys that are fewer than `window` positions before it; with a window of 1, only
        its own key. By default, there is no such limit.

    Returns
    -------
    ndarray of bool, shape (n, n)
        Row i, column j: True if key j is in the text of query i, is not after query i and, with a window, is fewer
        than `window` positions before it.

    Source: Krell et al. 2021, "Efficient sequence packing without cross-contamination", section 3.2; Beltagy et al.
    2020, "Longformer", section 3.1 (the window).
    """
    texts = np.repeat(np.arange(len(lengths)), lengths)         # (n,) the number of each token's text
    positions = packed_positions(lengths)                       # (n,)
    distance = positions[:, None] - positions                   # (n, n) how far the key is before the query
    mask = (texts[:, None] == texts) & (distance >= 0)          # (n, n)
    return mask if window is None else mask & (distance < window)            # (n, n)


def packed_attention(q, k, v, lengths, window=None, base=10000.0):
    """Return rotary attention in which every text attends only to itself.

    Parameters
    ----------
    q, k : ndarray, shape (H, n, d)
        Queries and keys of H heads, not yet turned; `d` is even.
    v : ndarray, shape (H, n, d_v)
        Values. Do not turn them.
    lengths : ndarray of int, shape (m,)
        As in `packed_positions`; the sum is ``n``.
    window : int, optional
        As in `packed_mask`.
    base : float, default 10000.0
        Columns ``2i`` and ``2i + 1`` of a query or key are a point in the plane; ``2i`` is horizontal. Turn it
        counter-clockwise by ``position * base ** (-2 * i / d)`` radians, with the positions of `packed_positions`.

    Returns
    -------
    ndarray, shape (H, n, d_v), float32 for float32
        Softmax of the scores that `packed_mask` allows, divided by ``sqrt(d)``, times the values. Each text has the
        rows that it would have without the other texts.

    Source: Krell et al. 2021, "Efficient sequence packing without cross-contamination", section 3.2; Su et al. 2021,
    "RoFormer", section 3.2.
    """
    positions = packed_positions(lengths)                       # (n,)
    q, k = _rotate(q, positions, base), _rotate(k, positions, base)          # (H, n, d) each
    scores = q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5        # (H, n, n)
    scores = np.where(packed_mask(lengths, window), scores, -np.inf)         # (H, n, n)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))            # (H, n, n)
    weights = weights / weights.sum(axis=-1, keepdims=True)     # (H, n, n)
    return weights @ v                                          # (H, n, d_v)


def _rotate(x, positions, base):
    """Turn every pair of columns of x (H, n, d) by its angle."""
    angles = np.outer(positions, base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1]))     # (n, d / 2)
    cos, sin = np.cos(angles), np.sin(angles)                   # (n, d / 2) each
    even, odd = x[..., 0::2], x[..., 1::2]                      # (H, n, d / 2) each
    turned = np.empty(x.shape, np.result_type(x, 1.0))          # (H, n, d) float32 stays float32
    turned[..., 0::2] = even * cos - odd * sin                  # (H, n, d / 2)
    turned[..., 1::2] = even * sin + odd * cos                  # (H, n, d / 2)
    return turned                                               # (H, n, d)
