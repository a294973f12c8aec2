"""Swin's bias: a learned number for every offset of rows and columns in a window, and the coordinates of Swin V2."""
import numpy as np


def window_index(height, width):
    """Return the row of the table for each query and key in a window.

    Parameters
    ----------
    height, width : int
        Number of patches from top to bottom and from left to right. Patches are numbered row by row.

    Returns
    -------
    ndarray of int, shape (height * width, height * width)
        ``(dr + height - 1) * (2 * width - 1) + (dc + width - 1)``, where ``dr`` and ``dc`` are row and column of the
        query (first axis) minus those of the key (second axis).

    Source: Liu et al. 2021, "Swin transformer: hierarchical vision transformer using shifted windows", section 3.2; the
    order of the rows is that of its released code.
    """
    rows, columns = np.divmod(np.arange(height * width), width)         # (n,) each, n = height * width
    down = rows[:, None] - rows                                         # (n, n) query minus key
    across = columns[:, None] - columns                                 # (n, n)
    return (down + height - 1) * (2 * width - 1) + (across + width - 1)     # (n, n)


def window_bias(table, height, width):
    """Return the numbers that are added to the scores of a window.

    Parameters
    ----------
    table : ndarray of float, shape ((2 * height - 1) * (2 * width - 1), H)
        One row per offset, in the order of `window_index`, and one column per head.
    height, width : int
        As in `window_index`.

    Returns
    -------
    ndarray, shape (H, height * width, height * width)
        One number for each head, query and key.

    Source: Liu et al. 2021, "Swin transformer: hierarchical vision transformer using shifted windows", section 3.2.
    """
    numbers = table[window_index(height, width)]                        # (n, n, H), n = height * width
    return np.moveaxis(numbers, -1, 0)                                  # (H, n, n)


def log_offsets(height, width):
    """Return the coordinates from which Swin V2 computes its table.

    Parameters
    ----------
    height, width : int
        As in `window_index`, at least 2.

    Returns
    -------
    ndarray of float64, shape (2 * height - 1, 2 * width - 1, 2)
        Entry ``[a, b]`` belongs to ``a - (height - 1)`` rows and ``b - (width - 1)`` columns. Its two numbers are
        ``sign(t) * log2(1 + |t|) / 3`` for the rows and for the columns, where ``t = 8 * offset / (size - 1)`` and the
        size is the height or the width.

    Source: Liu et al. 2022, "Swin transformer V2: scaling up capacity and resolution", as in its released code.
    """
    down = np.arange(1 - height, height) / (height - 1)                 # (2 * height - 1,) from -1 to 1
    across = np.arange(1 - width, width) / (width - 1)                  # (2 * width - 1,)
    t = 8 * np.stack(np.meshgrid(down, across, indexing="ij"), axis=-1)     # (2 * height - 1, 2 * width - 1, 2)
    return np.sign(t) * np.log2(1 + np.abs(t)) / 3                      # the same shape
