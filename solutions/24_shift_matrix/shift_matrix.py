"""Moving along the sinusoidal table: each offset has one matrix, and it works for every position."""
import numpy as np


def shift_matrix(offset, d_model, base=10000.0):
    """Return the matrix that moves every row of the sinusoidal table by `offset` positions.

    Parameters
    ----------
    offset : int or float
        How many positions to move. A negative offset moves back. Fractions are allowed.
    d_model : int
        Columns of the table, an even number: a sine cannot move without its cosine.
    base : float, default 10000.0
        Pair ``i`` of columns turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_model, d_model)
        The matrix ``M``. If ``row`` is the row of position ``p``, then ``M @ row`` is the row of position
        ``p + offset``, for every ``p``. Columns ``2i`` and ``2i + 1`` of a row are the sine and the cosine of
        pair ``i``. The matrix mixes only these two.

    Raises
    ------
    ValueError
        If `d_model` is odd.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5. Denk 2019, "Linear relationships
    in the transformer's positional encoding", writes the matrix out.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, got {d_model}")
    pairs = np.arange(d_model // 2)                             # (d_model / 2,)
    angles = offset * base ** (-2 * pairs / d_model)            # (d_model / 2,)
    even, odd = 2 * pairs, 2 * pairs + 1                        # (d_model / 2,) each
    matrix = np.zeros((d_model, d_model))                       # (d_model, d_model)
    matrix[even, even] = np.cos(angles)                         # (d_model / 2,)
    matrix[even, odd] = np.sin(angles)                          # (d_model / 2,)
    matrix[odd, even] = -np.sin(angles)                         # (d_model / 2,)
    matrix[odd, odd] = np.cos(angles)                           # (d_model / 2,)
    return matrix


def shift_encoding(encoding, offset, base=10000.0):
    """Move every row of a sinusoidal table by `offset` positions, whatever its position is.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        Rows of sines and cosines, with the columns in the order of `shift_matrix`. `d` is even. You do not
        know their positions: these may be in any order, with gaps and repeats.
    offset : int or float
        As in `shift_matrix`.
    base : float, default 10000.0
        As in `shift_matrix`.

    Returns
    -------
    ndarray, shape (n, d)
        Row ``r`` is ``shift_matrix(offset, d, base) @ encoding[r]``, even if ``encoding[r]`` does not come
        from the table, such as twice a row, the sum of two rows, or all zeros.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    matrix = shift_matrix(offset, encoding.shape[-1], base)     # (d, d)
    return encoding @ matrix.T                                  # (n, d)
