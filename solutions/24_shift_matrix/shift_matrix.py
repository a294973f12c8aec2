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
    if d_model < 1 or d_model % 2:
        raise ValueError(f"d_model must be even and at least 2, got {d_model}")
    angles = _angles(offset, d_model, base)                     # (d_model / 2,)
    sines = np.arange(0, d_model, 2)                            # (d_model / 2,): the columns 2i
    matrix = np.diag(np.repeat(np.cos(angles), 2))              # (d_model, d_model)
    matrix[sines, sines + 1] = np.sin(angles)
    matrix[sines + 1, sines] = -np.sin(angles)
    return matrix


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
    if encoding.shape[-1] % 2:
        raise ValueError(f"encoding must have an even number of columns, got shape {encoding.shape}")
    angles = _angles(offset, encoding.shape[-1], base)          # (d / 2,)
    if encoding.dtype.kind != "f":
        encoding = encoding.astype(np.float64)
    cosine, sine = np.cos(angles).astype(encoding.dtype), np.sin(angles).astype(encoding.dtype)
    sines, cosines = encoding[:, 0::2], encoding[:, 1::2]       # (n, d / 2) each
    moved = np.empty_like(encoding)
    moved[:, 0::2] = cosine * sines + sine * cosines            # the matrix, without its zeros
    moved[:, 1::2] = cosine * cosines - sine * sines
    return moved


def _angles(offset, d_model, base):
    """How far every pair of columns turns in `offset` positions, (d_model / 2,) radians."""
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    return offset * base ** (-np.arange(0, d_model, 2) / d_model)
