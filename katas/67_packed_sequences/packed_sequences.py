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
    # TODO 1: count from 0 in every text                                (n,)
    raise NotImplementedError("packed_positions")


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
    # TODO 2: the same text, not a later key and, with a window, not too far back      (n, n)
    raise NotImplementedError("packed_mask")


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
    # TODO 3: turn queries and keys (not values) by the packed positions, hide what the mask hides,
    #         softmax, weighted sum of the values.                     (H, n, d_v)
    raise NotImplementedError("packed_attention")
