"""How alike the rows of a positional table are: dot products, cosines, and the nearest positions by them."""
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
    """Return the cosine of the angle between every row and every row.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position, of any length but 0.

    Returns
    -------
    ndarray, shape (n, n)
        Entry ``[i, j]`` is the dot product of rows ``i`` and ``j`` divided by the lengths of both.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 4.5 and figure 7, which compares
    learned positions in this way.
    """
    # TODO 2: one length per row                                       (n,)
    #         every dot product divided by the lengths of both rows    (n, n)
    raise NotImplementedError("cosine_similarity")


def nearest_positions(encoding, position, k):
    """Return the k other positions whose rows are most alike to one position's row, nearest first.

    Parameters
    ----------
    encoding : ndarray of float64, shape (n, d)
        One row per position, of any length but 0.
    position : int
        The position to compare with, from 0 to ``n - 1``. It is not one of its own neighbours.
    k : int
        How many to return, from 1 to ``n - 1``.

    Returns
    -------
    ndarray of int, shape (k,)
        Positions by falling cosine similarity; of equal similarities the lower position comes first. Equal
        means up to rounding: below 1e-12 a difference is rounding, and all other differences are above 1e-6.

    Source: the similarity is that of `cosine_similarity`; the rule for ties is this kata's own.
    """
    # TODO 3: the similarities to this position, without rounding's last digits      (n,)
    #         the positions by falling similarity, of equal ones the lower first     (n,)
    #         the first k of them that are not the position itself                   (k,)
    raise NotImplementedError("nearest_positions")
