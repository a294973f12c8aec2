"""How far apart two rows of a table are when they stand a given number of positions apart."""
import numpy as np


def offset_distances(encoding, offset):
    """Return how far every row is from the one `offset` positions after it.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position.
    offset : int
        Positions between the two rows, from 0 to n - 1.

    Returns
    -------
    ndarray, shape (n - offset,)
        Entry ``p`` is the Euclidean distance of rows ``p`` and ``p + offset``.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2 (translation invariance).
    """
    n = len(encoding)
    differences = encoding[offset:] - encoding[: n - offset]           # (n - offset, d)
    return np.linalg.norm(differences, axis=1)                         # (n - offset,)


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
    offsets : ndarray of int or float, shape (...)
        Positions between the two rows; any sign, whole or not.
    d_model : int
        Columns of the table. Even only: the sum needs both columns of every pair.
    base : float, default 10000.0
        Pair ``i`` of columns turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (...)
        ``sum_i cos(frequency[i] * offset)`` over the d_model / 2 pairs, one number per offset.

    Raises
    ------
    ValueError
        If `d_model` is odd: a sine without its cosine has no closed form.

    Source: follows from the table of Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, got {d_model}")
    frequencies = base ** (-2 * np.arange(d_model // 2) / d_model)     # (d_model / 2,)
    angles = offsets[..., None] * frequencies                          # (..., d_model / 2)
    return np.cos(angles).sum(axis=-1)                                 # (...)
