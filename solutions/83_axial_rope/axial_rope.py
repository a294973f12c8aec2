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
    half = x.shape[-1] // 2
    frequencies = base ** (-np.arange(0, half, 2) / half)                       # (d_head / 4,)
    by_row, by_column = np.outer(rows, frequencies), np.outer(columns, frequencies)     # (n, d_head / 4) each
    angles = np.concatenate([by_row, by_column], axis=-1)                       # (n, d_head / 2)
    cos, sin = np.cos(angles), np.sin(angles)                                   # (n, d_head / 2) each
    even, odd = x[..., 0::2], x[..., 1::2]                                      # (..., n, d_head / 2) each
    turned = np.empty(x.shape, np.result_type(x, 1.0))                          # (..., n, d_head) keeps float32
    turned[..., 0::2] = even * cos - odd * sin                                  # (..., n, d_head / 2)
    turned[..., 1::2] = even * sin + odd * cos                                  # (..., n, d_head / 2)
    return turned                                                               # (..., n, d_head)


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
    rows, columns = np.divmod(np.arange(height * width), width)                 # (height * width,) each
    queries = axial_rope(q, rows, columns, base)                                # (..., height * width, d_head)
    keys = axial_rope(k, rows, columns, base)                                   # (..., height * width, d_head)
    return queries @ np.swapaxes(keys, -1, -2)                                  # (..., height * width, height * width)


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
    rows, columns = np.divmod(np.arange(height * width), width)                 # (height * width,) each
    return rows * train_height / height, columns * train_width / width          # (height * width,) each
