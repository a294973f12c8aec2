"""How alike the rows of a positional table are: dot products, cosines, and the nearest positions by them."""
import numpy as np


def dot_similarity(encoding):
    """Return the dot product of every row with every row.

    Parameters
    ----------
    encoding : ndarray of real numbers, shape (n, d)
        One row per position. Integers count as float64.

    Returns
    -------
    ndarray of the dtype of `encoding`, shape (n, n)
        Entry ``[i, j]`` is the dot product of rows ``i`` and ``j``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.2.1 (attention compares by dot
    products) and 3.5 (the sinusoidal table).
    """
    if encoding.dtype.kind != "f":
        encoding = encoding.astype(np.float64)                  # small integers would overflow
    return encoding @ encoding.T                                # (n, d) @ (d, n) -> (n, n)


def cosine_similarity(encoding):
    """Return the cosine of the angle between every row and every row.

    Parameters
    ----------
    encoding : ndarray of real numbers, shape (n, d)
        One row per position, of any length but 0. Integers count as float64.

    Returns
    -------
    ndarray of the dtype of `encoding`, shape (n, n)
        Entry ``[i, j]`` is the dot product of rows ``i`` and ``j`` divided by the lengths of both.

    Raises
    ------
    ValueError
        If a row of `encoding` holds nothing but zeros: it has no direction. The message names the row by its
        number, counted from 0. A row that is merely short has a direction and is not refused.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 4.5 and figure 7, which compares
    learned positions in this way.
    """
    return dot_similarity(_directions(encoding))


def nearest_positions(encoding, position, k):
    """Return the k other positions whose rows are most alike to one position's row, nearest first.

    Parameters
    ----------
    encoding : ndarray of real numbers, shape (n, d)
        One row per position.
    position : int
        The position to compare with, from 0 to ``n - 1``. It is not one of its own neighbours.
    k : int
        How many to return, from 1 to ``n - 1``.

    Returns
    -------
    ndarray of int, shape (k,)
        Positions by falling cosine similarity. Similarities within 1e-9 of each other are a tie, and of
        tied positions the lower comes first.

    Raises
    ------
    ValueError
        If `position` is negative or above ``n - 1``, or `k` is below 1 or above ``n - 1``; the message names
        the argument and shows its value. A row of zeros is refused as in `cosine_similarity`.

    Source: the similarity is that of `cosine_similarity`; the rule for ties is this kata's own.
    """
    n = len(encoding)
    if not 0 <= position < n:
        raise ValueError(f"position must be at least 0 and below the {n} rows of encoding, got {position}")
    if not 1 <= k < n:
        raise ValueError(f"k must be at least 1 and below the {n} rows of encoding, got {k}")
    directions = _directions(encoding)                          # (n, d)
    similarity = directions @ directions[position]              # (n,)
    others = np.delete(np.arange(n), position)                  # (n - 1,)
    ranked = others[np.argsort(-similarity[others])]            # (n - 1,) nearest first, ties in any order
    falls = -np.diff(similarity[ranked])                        # (n - 2,)
    level = np.append(0, np.cumsum(falls > 1e-9))               # (n - 1,) the same number throughout a tie
    return ranked[np.lexsort((ranked, level))][:k]              # by level, within a level by position


def _directions(encoding):
    """The rows divided by their lengths; a row of zeros is refused."""
    zeros = np.flatnonzero(~encoding.any(axis=1))
    if zeros.size:
        raise ValueError(f"row {zeros[0]} of encoding is all zeros and has no direction")
    return encoding / np.linalg.norm(encoding, axis=1, keepdims=True)
