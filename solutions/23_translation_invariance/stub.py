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
    # TODO 1: subtract rows that are offset apart                              (n - offset, d)
    #         one norm per row of the difference                               (n - offset,)
    raise NotImplementedError("offset_distances")


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
    # TODO 2: at every offset, largest distance minus smallest against atol
    raise NotImplementedError("is_translation_invariant")


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
    # TODO 3: one angle per offset and pair                                    (..., d_model / 2)
    #         the sum of the cosines over the pairs                            (...)
    # TODO 4: an odd d_model is refused with a ValueError, before the rest
    raise NotImplementedError("similarity_at_offset")
