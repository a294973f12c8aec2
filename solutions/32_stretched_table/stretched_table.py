"""A learned table for another length: between its rows, over a grid of patches, or in two levels."""
import numpy as np


def interpolate_table(table, new_len):
    """Return the table stretched or squeezed to another number of rows.

    Parameters
    ----------
    table : ndarray, shape (old_len, d)
        One row per position.
    new_len : int
        Rows of the result, more or fewer than there are.

    Returns
    -------
    ndarray, shape (new_len, d)
        Row ``i`` is what the table holds at position ``(i + 0.5) * old_len / new_len - 0.5``: on the straight
        line between the two rows around it, and the first or the last row for positions beyond them.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 3.2; the centres are those of
    ``torch.nn.functional.interpolate`` with ``align_corners=False``.
    """
    old_len = len(table)
    places = (np.arange(new_len) + 0.5) * old_len / new_len - 0.5         # (new_len,)
    places = np.clip(places, 0, old_len - 1)                              # (new_len,) kept within the ends
    below = places.astype(int)                                            # (new_len,)
    above = np.minimum(below + 1, old_len - 1)                            # (new_len,) after the last row is none
    share = (places - below)[:, None]                                     # (new_len, 1)
    return (1 - share) * table[below] + share * table[above]              # (new_len, d)


def interpolate_grid(table, old_height, old_width, new_height, new_width):
    """Return the table of a grid of patches, stretched or squeezed to another grid.

    Parameters
    ----------
    table : ndarray, shape (old_height * old_width, d)
        One row per patch, row-major: patch ``(y, x)`` has row ``y * old_width + x``.
    old_height, old_width : int
        Patches of the grid that the table was trained on.
    new_height, new_width : int
        Patches of the grid wanted; either may grow or shrink by itself.

    Returns
    -------
    ndarray, shape (new_height * new_width, d)
        Row-major. As `interpolate_table` along the height and along the width: bilinear, the same centres.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 3.2.
    """
    grid = table.reshape(old_height, -1)                                  # (old_height, old_width * d)
    stretched = interpolate_table(grid, new_height)                       # (new_height, old_width * d)
    rows = stretched.reshape(new_height, old_width, -1)                   # (new_height, old_width, d)
    return np.concatenate([interpolate_table(row, new_width) for row in rows])     # (new_height * new_width, d)


def hierarchical_table(table, new_len, alpha=0.4):
    """Return a longer table that begins with this one, its further rows made from pairs of rows.

    Parameters
    ----------
    table : ndarray, shape (n, d)
        One row per position.
    new_len : int
        Rows of the result, at most ``n * n``; fewer than n are allowed.
    alpha : float, default 0.4
        Share of the slow index in a pair, between 0 and 1 and not 0.5, where pairs could not be told from
        their reverse.

    Returns
    -------
    ndarray, shape (new_len, d)
        Row ``i * n + j`` is ``alpha * u[i] + (1 - alpha) * u[j]``, where
        ``u = (table - alpha * table[0]) / (1 - alpha)``. The first n rows are the table itself.

    Source: Su 2020, "Hierarchical decomposition of position encodings", kexue.fm/archives/7947 (in Chinese).
    """
    u = (table - alpha * table[0]) / (1 - alpha)                          # (n, d)
    i, j = np.divmod(np.arange(new_len), len(table))                      # (new_len,) each
    return alpha * u[i] + (1 - alpha) * u[j]                              # (new_len, d)
