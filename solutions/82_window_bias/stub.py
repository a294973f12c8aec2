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
    # TODO 1: rows and columns of the query minus those of the key           (n, n) each, n = height * width
    #         the row of the table for each pair of offsets                  (n, n)
    raise NotImplementedError("window_index")


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
    # TODO 2: look up the row of the table for each query and key            (n, n, H), n = height * width
    #         heads first                                                    (H, n, n)
    raise NotImplementedError("window_bias")


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
    # TODO 3: offsets in both directions, scaled to -8 .. 8                  (2 * height - 1, 2 * width - 1, 2)
    #         their logarithms, with the signs of the offsets                the same shape
    raise NotImplementedError("log_offsets")
