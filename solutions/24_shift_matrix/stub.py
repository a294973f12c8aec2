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
        If `d_model` is odd.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; written out by Denk 2019, "Linear
    relationships in the transformer's positional encoding".
    """
    # TODO 1: one angle per pair of columns                            (d_model / 2,)
    #         a block of two rows and two columns for each             (d_model, d_model)
    # TODO 2: refuse an odd width
    raise NotImplementedError("shift_matrix")


def shift_encoding(encoding, offset, base=10000.0):
    """Move every row of a sinusoidal table by `offset` positions, from the rows alone.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        Rows of sines and cosines, in the columns of `shift_matrix`; `d` is even. Which positions they belong
        to is not said: they may come in any order, with gaps and repeats.
    offset : int or float
        As in `shift_matrix`.
    base : float, default 10000.0
        As in `shift_matrix`.

    Returns
    -------
    ndarray, shape (n, d)
        Row ``r`` is ``shift_matrix(offset, d, base) @ encoding[r]``. A row that is no row of the table, such
        as twice one, the sum of two or all zeros, has this product as well.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 3: the same matrix for every row                            (n, d)
    raise NotImplementedError("shift_encoding")
