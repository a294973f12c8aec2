"""Rotary positions for a part of each head: fewer columns turn, or only the fast pairs turn."""
import numpy as np


def _turned(x, angles):
    """Turn every pair of columns of x (..., n, columns) by its angle (..., n, columns / 2)."""
    cos, sin = np.cos(angles), np.sin(angles)                   # (..., n, columns / 2) each
    even, odd = x[..., 0::2], x[..., 1::2]                      # (..., n, columns / 2) each
    turned = np.empty(x.shape, np.result_type(x, 1.0))          # (..., n, columns) float32 stays float32
    turned[..., 0::2] = even * cos - odd * sin                  # (..., n, columns / 2)
    turned[..., 1::2] = even * sin + odd * cos                  # (..., n, columns / 2)
    return turned                                               # (..., n, columns)


def partial_rope(x, positions, rotary_dim, base=10000.0):
    """Turn the first columns of each row by its position and leave the other columns as they are.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys, with at least two axes; `d_head` may be odd.
    positions : ndarray of int or float, shape (n,)
        The position of each row: any sign, any order. Or any shape that broadcasts to ``x.shape[:-1]`` without
        enlarging it, such as (batch, 1, n) for `x` of shape (batch, heads, n, d_head).
    rotary_dim : int
        Number of columns that turn: even, from 2 to `d_head`.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / rotary_dim)`` radians per position.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        For each pair ``i`` below ``rotary_dim / 2``, columns ``2i`` and ``2i + 1`` are turned counter-clockwise by
        ``position * base ** (-2 * i / rotary_dim)`` radians. Columns from `rotary_dim` on are those of `x`.

    Source: Wang and Komatsuzaki 2021, "GPT-J-6B"; `GPTJAttention` in the library transformers.
    """
    frequencies = base ** (-2 * np.arange(rotary_dim // 2) / rotary_dim)        # (rotary_dim / 2,)
    angles = positions[..., None] * frequencies                 # (..., n, rotary_dim / 2)
    turned = _turned(x[..., :rotary_dim], angles)               # (..., n, rotary_dim)
    return np.concatenate([turned, x[..., rotary_dim:]], axis=-1)               # (..., n, d_head)


def truncated_frequencies(d_head, share, base=10000.0):
    """Return the frequency of each pair of columns, with 0 for the slow pairs.

    Parameters
    ----------
    d_head : int
        Number of columns of one head; even.
    share : float
        The part of the pairs that keeps its frequency, from 0 to 1. The number of these pairs is rounded down.
    base : float, default 10000.0
        Pair ``i`` keeps ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position: ``base ** (-2 * i / d_head)`` for the first ``floor(share * d_head / 2)`` pairs, 0 for
        the pairs after them.

    Source: Barbero et al. 2024, "Round and Round We Go! What makes Rotary Positional Encodings useful?" (p-RoPE).
    """
    pairs = np.arange(d_head // 2)                              # (d_head / 2,)
    kept = pairs < int(share * d_head / 2)                      # (d_head / 2,) the fast pairs come first
    return np.where(kept, base ** (-2 * pairs / d_head), 0.0)   # (d_head / 2,)


def truncated_rope(x, positions, share, base=10000.0):
    """Turn the fast pairs of each row by its position and leave the slow pairs as they are.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys, with at least two axes; `d_head` is even.
    positions : ndarray of int or float, shape (n,)
        As in `partial_rope`.
    share : float
        As in `truncated_frequencies`.
    base : float, default 10000.0
        As in `truncated_frequencies`.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``2i`` and ``2i + 1`` are turned counter-clockwise by
        ``position * truncated_frequencies(d_head, share, base)[i]`` radians.

    Source: Barbero et al. 2024, "Round and Round We Go! What makes Rotary Positional Encodings useful?" (p-RoPE).
    """
    frequencies = truncated_frequencies(x.shape[-1], share, base)               # (d_head / 2,)
    return _turned(x, positions[..., None] * frequencies)       # (..., n, d_head)
