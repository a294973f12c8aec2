"""Distance and similarity of two rows of a table whose positions differ by a given offset."""
import numpy as np


def offset_distances(encoding, offset):
    """Return the distance from every row to the row `offset` positions after it.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position.
    offset : int
        Difference of the two positions, from 0 to n - 1.

    Returns
    -------
    ndarray, shape (n - offset,)
        Entry ``p`` is the Euclidean distance between rows ``p`` and ``p + offset``.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2 (translation invariance).
    """
    n = len(encoding)
    differences = encoding[offset:] - encoding[: n - offset]           # (n - offset, d)
    return np.linalg.norm(differences, axis=1)                         # (n - offset,)


def is_translation_invariant(encoding, atol=1e-9):
    """Return whether the distance between two rows depends only on their offset.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position. A table of one or two rows is always invariant.
    atol : float, default 1e-9
        The largest allowed difference between two distances at one offset; absolute, not relative.

    Returns
    -------
    bool
        True if, at every offset, all distances between rows that far apart agree within `atol`.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2 (translation invariance).
    """
    return all(np.ptp(offset_distances(encoding, offset)) <= atol for offset in range(len(encoding)))


def similarity_at_offset(offsets, d_model, base=10000.0):
    """Return the dot product of two rows of the sinusoidal table whose positions differ by `offsets`.

    Parameters
    ----------
    offsets : ndarray of int or float, shape (...)
        Differences of the two positions; positive, negative or 0, whole or fractional.
    d_model : int
        Number of columns of the table; even, because the sum needs both columns of every pair.
    base : float, default 10000.0
        Pair ``i`` of columns turns ``base ** (-2 * i / d_model)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (...)
        For each offset, the sum of ``cos(frequency[i] * offset)`` over the d_model / 2 pairs.

    Raises
    ------
    ValueError
        If `d_model` is odd: with a sine that has no cosine, the dot product depends on more than the offset.

    Source: follows from the table of Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, got {d_model}")
    frequencies = base ** (-2 * np.arange(d_model // 2) / d_model)     # (d_model / 2,)
    angles = offsets[..., None] * frequencies                          # (..., d_model / 2)
    return np.cos(angles).sum(axis=-1)                                 # (...)
