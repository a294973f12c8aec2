"""The sinusoidal table of "Attention is all you need": one row of sines and cosines per position."""
import numpy as np


def frequencies(d_model, base=10000.0):
    """Return how fast each pair of columns turns, fastest first.

    Parameters
    ----------
    d_model : int
        Number of columns of the table, two per frequency. If it is odd, the last frequency has one column.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (ceil(d_model / 2),)
        Radians per position.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 1: one frequency per pair of columns                        (ceil(d_model / 2),)
    raise NotImplementedError("frequencies")


def positional_encoding(max_len, d_model, base=10000.0):
    """Return one row of sines and cosines per position.

    Parameters
    ----------
    max_len : int
        Number of rows. Positions count from 0.
    d_model : int
        Number of columns. If it is odd, the last one is a sine.
    base : float, default 10000.0
        As in `frequencies`.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        Columns ``2i`` and ``2i + 1`` are the sine and cosine of ``position * frequencies(d_model, base)[i]``.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 2: one angle per position and pair                          (max_len, ceil(d_model / 2))
    #         sines on the even columns, cosines on the odd ones       (max_len, d_model)
    raise NotImplementedError("positional_encoding")
