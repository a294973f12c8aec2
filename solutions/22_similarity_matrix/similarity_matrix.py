"""How similar the rows of a positional table are: dot products, cosines and the most similar positions."""
import numpy as np


def dot_similarity(encoding):
    """Return the dot product of every row with every row.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position.

    Returns
    -------
    ndarray, shape (n, n)
        Entry ``[i, j]`` is the dot product of rows ``i`` and ``j``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.2.1 (attention compares by dot
    products) and 3.5 (the sinusoidal table).
    """
    return encoding @ encoding.T                                # (n, d) @ (d, n) -> (n, n)


def cosine_similarity(encoding):
    """Return the cosine of the angle between every two rows.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position; no row is all zeros.

    Returns
    -------
    ndarray, shape (n, n)
        Entry ``[i, j]`` is the dot product of rows ``i`` and ``j`` divided by the lengths of both.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 4.5 and figure 7, which shows cosines
    of learned positions.
    """
    lengths = np.linalg.norm(encoding, axis=1)                           # (n,)
    return dot_similarity(encoding) / np.outer(lengths, lengths)         # (n, n)


def nearest_positions(encoding, position, k):
    """Return the k other positions whose rows have the largest cosine with the row of one position.

    Parameters
    ----------
    encoding : ndarray of float64, shape (n, d)
        One row per position; no row is all zeros.
    position : int
        The position to compare with, from 0 to ``n - 1``. It is never part of the result.
    k : int
        How many to return, from 1 to ``n - 1``.

    Returns
    -------
    ndarray of int, shape (k,)
        The position with the largest cosine comes first; if two cosines are equal, the lower position comes first.
        Equal means up to rounding: cosines differ either by less than 1e-12, which is rounding, or by more than 1e-6.

    Source: cosines as in `cosine_similarity`; the rule for equal cosines belongs to this kata.
    """
    similarity = cosine_similarity(encoding)[position]          # (n,)
    rounded = np.round(similarity, 9)                           # (n,) now equal cosines have equal digits
    ranked = np.argsort(-rounded, kind="stable")                # (n,) stable: of equal ones the lower first
    return ranked[ranked != position][:k]                       # (k,)
