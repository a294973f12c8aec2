"""Rotary positions for a part of each head: fewer columns turn, or only the fast pairs turn."""
import numpy as np


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
    # TODO 1: one angle per row and turning pair                       (..., n, rotary_dim / 2)
    #         the first columns, turned                                (..., n, rotary_dim)
    #         the other columns behind them, unchanged                 (..., n, d_head)
    raise NotImplementedError("partial_rope")


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
    # TODO 2: one frequency per pair, 0 for the slow ones              (d_head / 2,)
    raise NotImplementedError("truncated_frequencies")


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
    # TODO 3: one angle per row and pair, with these frequencies       (..., n, d_head / 2)
    #         columns 2i and 2i + 1, turned by it                      (..., n, d_head)
    raise NotImplementedError("truncated_rope")
