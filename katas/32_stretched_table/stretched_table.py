"""A learned table for another length: stretched along a line or a grid, or continued in two levels."""
import numpy as np


def interpolate_table(table, new_len):
    """Return the table, stretched or shrunk to another number of rows.

    Parameters
    ----------
    table : ndarray, shape (old_len, d)
        One row per position.
    new_len : int
        Number of rows of the result, more or fewer than `old_len`.

    Returns
    -------
    ndarray, shape (new_len, d)
        Row ``i`` reads the table at place ``(i + 0.5) * old_len / new_len - 0.5``. It is a linear mixture of the two
        rows around that place. A place before the first row or after the last row reads that row.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 3.2; the places are as in
    ``torch.nn.functional.interpolate`` with ``align_corners=False``.
    """
    # TODO 1: compute the place of each new row, clipped to the ends   (new_len,)
    #         mix the two old rows around each place                   (new_len, d)
    raise NotImplementedError("interpolate_table")


def interpolate_grid(table, old_height, old_width, new_height, new_width):
    """Return the table of a grid of patches, stretched or shrunk to another grid.

    Parameters
    ----------
    table : ndarray, shape (old_height * old_width, d)
        One row per patch, row-major: patch ``(y, x)`` has row ``y * old_width + x``.
    old_height, old_width : int
        Number of patches along the sides of the grid in training.
    new_height, new_width : int
        Number of patches along the sides of the new grid. One side may grow while the other shrinks.

    Returns
    -------
    ndarray, shape (new_height * new_width, d)
        One row per patch, row-major. The grid is stretched along its height and along its width, as
        `interpolate_table` does.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 3.2.
    """
    # TODO 2: stretch along the height, then along the width           (new_height * new_width, d)
    raise NotImplementedError("interpolate_grid")


def hierarchical_table(table, new_len, alpha=0.4):
    """Return a longer table. It begins with the rows of this table, and pairs of them make the other rows.

    Parameters
    ----------
    table : ndarray, shape (n, d)
        One row per position.
    new_len : int
        Number of rows of the result, at most ``n * n``. It may be less than ``n``.
    alpha : float, default 0.4
        Share of the slow digit, between 0 and 1 but not 0.5: the pairs ``(i, j)`` and ``(j, i)`` would then have the
        same row.

    Returns
    -------
    ndarray, shape (new_len, d)
        Row ``i * n + j`` is ``alpha * u[i] + (1 - alpha) * u[j]``, where
        ``u = (table - alpha * table[0]) / (1 - alpha)``. The first ``n`` rows are the table itself.

    Source: Su 2020, "Hierarchical decomposition of position encodings", kexue.fm/archives/7947 (in Chinese).
    """
    # TODO 3: compute the rows u                                       (n, d)
    #         mix a slow row u[i] and a fast row u[j] per position     (new_len, d)
    raise NotImplementedError("hierarchical_table")
