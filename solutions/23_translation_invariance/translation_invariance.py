"""How far apart two rows of a table are when they stand a given number of positions apart."""
import numpy as np


def offset_distances(encoding, offset):
    """Return how far every row is from the one `offset` positions after it.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position. Integers count as float64.
    offset : int
        Positions between the two rows, from 0 to n - 1.

    Returns
    -------
    ndarray, shape (n - offset,)
        Entry ``p`` is the Euclidean distance of rows ``p`` and ``p + offset``; float32 for a float32 table.

    Raises
    ------
    ValueError
        If `offset` is negative, or not below n; the message names the argument and shows its value.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2 (translation invariance).
    """
    n = len(encoding)
    if not 0 <= offset < n:
        raise ValueError(f"offset must be at least 0 and below {n}, the number of rows, got {offset}")
    if encoding.dtype.kind != "f":
        encoding = encoding.astype(np.float64)
    differences = encoding[offset:] - encoding[: n - offset]    # (n - offset, d)
    return np.sqrt(np.einsum("pd,pd->p", differences, differences))


def is_translation_invariant(encoding, atol=1e-9):
    """Return whether the distance of two rows depends on their offset alone.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position. A table of one or two rows has nothing to compare and is invariant.
    atol : float, default 1e-9
        How far the distances at one offset may lie apart, largest minus smallest; absolute, not relative.

    Returns
    -------
    bool
        True if for every offset all distances between rows that far apart agree within `atol`.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2 (translation invariance).
    """
    return all(np.ptp(offset_distances(encoding, offset)) <= atol for offset in range(len(encoding)))


def similarity_at_offset(offsets, d_model, base=10000.0):
    """Return the dot product of two rows of the sinusoidal table that are `offsets` positions apart.

    Parameters
    ----------
    offsets : int, float or ndarray, shape (...)
        Positions between the two rows; any sign, whole or not.
    d_model : int
        Columns of the table. Even only: the sum needs both columns of every pair.
    base : float, default 10000.0
        Pair ``i`` of columns turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    float or ndarray of float64, shape (...)
        ``sum_i cos(frequency[i] * offset)`` over the d_model / 2 pairs, one number per offset.

    Raises
    ------
    ValueError
        If `d_model` is below 1 or odd, or `base` is not positive; the message names the argument and shows
        its value.

    Source: follows from the table of Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    if d_model < 1 or d_model % 2:
        raise ValueError(f"d_model must be even and at least 2, got {d_model}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    frequencies = base ** (-np.arange(0, d_model, 2) / d_model)            # (d_model / 2,)
    return np.cos(np.multiply.outer(offsets, frequencies)).sum(axis=-1)    # (..., d_model / 2) -> (...)
