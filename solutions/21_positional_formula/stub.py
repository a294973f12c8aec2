"""The sinusoidal table of "Attention is all you need": one row of sines and cosines per position."""
import numpy as np


def frequencies(d_model, base=10000.0):
    """Return how fast each pair of columns turns, fastest first.

    Parameters
    ----------
    d_model : int
        Columns of the table, two per frequency. An odd width has a last frequency with one column.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (ceil(d_model / 2),)
        Radians per position.

    Raises
    ------
    ValueError
        If `d_model` is below 1 or `base` is not positive; the message names the argument and shows its value.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 1: refuse a width below 1 and a base that is not positive.
    # TODO 2: one frequency per pair of columns.                       (ceil(d_model / 2),)
    raise NotImplementedError("frequencies")


def positional_encoding(max_len, d_model, base=10000.0):
    """Return one row of sines and cosines per position.

    Parameters
    ----------
    max_len : int
        Rows; positions count from 0.
    d_model : int
        Columns. An odd width ends on a sine.
    base : float, default 10000.0
        As in `frequencies`.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        Columns ``2i`` and ``2i + 1``: sine and cosine of ``position * frequencies(d_model, base)[i]``.

    Raises
    ------
    ValueError
        If `max_len` or `d_model` is below 1, or `base` is not positive; the message names the argument and
        shows its value.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 3: refuse sizes and a base that make no table.
    # TODO 4: one angle per position and pair, its sine on an even column, its cosine on the odd one after it.
    raise NotImplementedError("positional_encoding")
