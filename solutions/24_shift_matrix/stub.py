"""Moving along the sinusoidal table: one rotation for every offset, the same from every position."""
import numpy as np


def shift_matrix(offset, d_model, base=10000.0):
    """Return the matrix that moves every row of the sinusoidal table by `offset` positions.

    Parameters
    ----------
    offset : int or float
        Positions to move on. A negative offset moves back; it need not be whole.
    d_model : int
        Columns of the table. Even only: a sine cannot move without its cosine.
    base : float, default 10000.0
        Pair ``i`` of columns turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_model, d_model)
        The matrix whose product ``M @ row`` with the row of position ``p`` is the row of position
        ``p + offset``, for every ``p``. Columns ``2i`` and ``2i + 1`` of a row are the sine and the cosine of
        pair ``i``; the matrix mixes these two and no others.

    Raises
    ------
    ValueError
        If `d_model` is below 1 or odd, or `base` is not positive; the message names the argument and shows
        its value.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; written out by Denk 2019, "Linear
    relationships in the transformer's positional encoding".
    """
    # TODO 1: refuse a width that makes no whole pairs, and a base that is not positive.
    # TODO 2: one angle per pair, and a block of two rows and two columns for it.      (d_model, d_model)
    raise NotImplementedError("shift_matrix")


def shift_encoding(encoding, offset, base=10000.0):
    """Move every row of a sinusoidal table by `offset` positions, from the rows alone.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        Rows of sines and cosines, in the columns of `shift_matrix`; `d` is even. Which positions they belong
        to is not said: they may come in any order, with gaps and repeats. Integers count as float64.
    offset : int or float
        As in `shift_matrix`.
    base : float, default 10000.0
        As in `shift_matrix`.

    Returns
    -------
    ndarray, shape (n, d), floating dtype of `encoding`
        Row ``r`` is ``shift_matrix(offset, d, base) @ encoding[r]``. A row that is no row of the table, such
        as twice one, the sum of two or all zeros, has this product as well.

    Raises
    ------
    ValueError
        If `encoding` has an odd number of columns, or `base` is not positive; the message names the argument
        and shows its value, for an array its shape.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 3: refuse rows with a column that has no partner, and a base as above.
    # TODO 4: the same matrix for every row.                           (n, d)
    raise NotImplementedError("shift_encoding")
