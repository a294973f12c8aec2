"""Rotary positions in a grid of patches: half of every head turns by the row, the other half by the column."""
import numpy as np


def axial_rope(x, rows, columns, base=10000.0):
    """Turn the first half of the columns by each patch's row, and the second half by its column.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys of n patches, with at least two axes; `d_head` is divisible by 4.
    rows, columns : ndarray of int or float, shape (n,) each
        The place of each patch in the image: any sign, any order, fractions too.
    base : float, default 10000.0
        In each half, pair ``i`` turns ``base ** (-4 * i / d_head)`` radians per row or per column of patches.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``2i`` and ``2i + 1`` of each half of `x` are a point in the plane; ``2i`` is horizontal. It
        is turned counter-clockwise by ``rows * base ** (-4 * i / d_head)`` radians in the first half, and by
        ``columns * base ** (-4 * i / d_head)`` radians in the second.

    Source: Fang et al. 2023, "EVA-02: A Visual Representation for Neon Genesis", and its released code.
    """
    # TODO 1: one frequency per pair of half a head                              (d_head / 4,)
    #         angles of the rows, then angles of the columns                       (n, d_head / 2)
    #         columns 2i and 2i + 1, turned by them                                (..., n, d_head)
    raise NotImplementedError("axial_rope")


def axial_scores(q, k, height, width, base=10000.0):
    """Return the dot product of every query with every key, both turned by their places in the image.

    Parameters
    ----------
    q, k : ndarray, shape (..., height * width, d_head)
        Queries and keys of the patches, not yet turned, with at least two axes. Patches are numbered row by row, so
        patch ``p`` is in row ``p // width`` and column ``p % width``. `d_head` is divisible by 4.
    height, width : int
        Number of patches along the sides of the image.
    base : float, default 10000.0
        As in `axial_rope`.

    Returns
    -------
    ndarray, shape (..., height * width, height * width)
        One row per query. Not scaled and not masked.

    Source: Fang et al. 2023, "EVA-02: A Visual Representation for Neon Genesis", and its released code.
    """
    # TODO 2: row and column of every patch                                        (height * width,) each
    #         turned queries times turned keys                 (..., height * width, height * width)
    raise NotImplementedError("axial_scores")


def resized_positions(height, width, train_height, train_width):
    """Return rows and columns for an image of another size, in the range of the images in training.

    Parameters
    ----------
    height, width : int
        Number of patches along the sides of the image.
    train_height, train_width : int
        Number of patches along the sides of the images in training.

    Returns
    -------
    rows, columns : ndarray of float64, shape (height * width,) each
        Row of each patch times ``train_height / height``, and column times ``train_width / width``. Patches are
        numbered row by row.

    Source: Fang et al. 2023, "EVA-02: A Visual Representation for Neon Genesis", released code.
    """
    # TODO 3: row and column of every patch, each stretched to the size in training   (height * width,) each
    raise NotImplementedError("resized_positions")
