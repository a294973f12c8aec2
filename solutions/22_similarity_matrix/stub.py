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
    # TODO 1: one dot product for every pair of rows                   (n, n)
    raise NotImplementedError("dot_similarity")


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
    # TODO 2: one length per row                                       (n,)
    #         every dot product divided by the lengths of both rows    (n, n)
    raise NotImplementedError("cosine_similarity")


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
    # TODO 3: the cosines with this position, rounded to nine digits                 (n,)
    #         the positions by falling cosine, of equal ones the lower first         (n,)
    #         the first k of them that are not the position itself                   (k,)
    raise NotImplementedError("nearest_positions")
