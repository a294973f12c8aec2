"""A learned table for another length: between its rows, over a grid of patches, or in two levels."""
import numpy as np


def interpolate_table(table, new_len):
    """Return the table stretched or squeezed to another number of rows.

    Parameters
    ----------
    table : ndarray, shape (old_len, d)
        One row per position. Integers count as float64.
    new_len : int
        Rows of the result, more or fewer than there are.

    Returns
    -------
    ndarray of the dtype of `table`, shape (new_len, d)
        Row ``i`` is what the table holds at position ``(i + 0.5) * old_len / new_len - 0.5``: on the straight
        line between the two rows around it, and the first or the last row for positions beyond them.

    Raises
    ------
    ValueError
        If `new_len` is below 1; the message names the argument and shows its value.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 3.2; the centres are those of
    ``torch.nn.functional.interpolate`` with ``align_corners=False``.
    """
    if new_len < 1:
        raise ValueError(f"new_len must be at least 1, got {new_len}")
    table, old_len = _real(table), len(table)
    place = (np.arange(new_len) + 0.5) * old_len / new_len - 0.5           # (new_len,)
    place = np.clip(place, 0, old_len - 1)
    below = place.astype(int)
    above = np.minimum(below + 1, old_len - 1)
    share = (place - below).astype(table.dtype)[:, None]                   # (new_len, 1)
    stretched, steps = table[below], table[above]                          # (new_len, d) each
    steps -= stretched
    steps *= share
    stretched += steps                                                     # (1 - share) * below + share * above
    return stretched


def interpolate_grid(table, old_height, old_width, new_height, new_width):
    """Return the table of a grid of patches, stretched or squeezed to another grid.

    Parameters
    ----------
    table : ndarray, shape (old_height * old_width, d)
        One row per patch, row-major: patch ``(y, x)`` has row ``y * old_width + x``. Integers count as
        float64.
    old_height, old_width : int
        Patches of the grid that the table was trained on.
    new_height, new_width : int
        Patches of the grid wanted; either may grow or shrink by itself.

    Returns
    -------
    ndarray of the dtype of `table`, shape (new_height * new_width, d)
        Row-major. As `interpolate_table` along the height and along the width: bilinear, the same centres.

    Raises
    ------
    ValueError
        If a size is below 1, or `table` does not have ``old_height * old_width`` rows; the message names the
        argument and shows its value, for `table` its shape.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 3.2.
    """
    for name, size in (("old_height", old_height), ("old_width", old_width),
                       ("new_height", new_height), ("new_width", new_width)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    rows, d = table.shape
    if rows != old_height * old_width:
        raise ValueError(f"table must have {old_height} * {old_width} rows, got shape {table.shape}")
    grid = interpolate_table(table.reshape(old_height, old_width * d), new_height)
    stretched = np.empty((new_height, new_width, d), grid.dtype)
    for y, row in enumerate(grid.reshape(new_height, old_width, d)):
        stretched[y] = interpolate_table(row, new_width)        # (new_width, d)
    return stretched.reshape(-1, d)


def hierarchical_table(table, new_len, alpha=0.4):
    """Return a longer table that begins with this one, its further rows made from pairs of rows.

    Parameters
    ----------
    table : ndarray, shape (n, d)
        One row per position. Integers count as float64.
    new_len : int
        Rows of the result, from 1 to ``n * n``.
    alpha : float, default 0.4
        Share of the slow index in a pair, between 0 and 1 and not 0.5, where pairs could not be told from
        their reverse.

    Returns
    -------
    ndarray of the dtype of `table`, shape (new_len, d)
        Row ``i * n + j`` is ``alpha * u[i] + (1 - alpha) * u[j]``, where
        ``u = (table - alpha * table[0]) / (1 - alpha)``. The first n rows are the table itself.

    Raises
    ------
    ValueError
        If `new_len` is below 1 or above ``n * n``, or `alpha` is not between 0 and 1, or is 0.5; the message
        names the argument and shows its value.

    Source: Su 2020, "Hierarchical decomposition of position encodings", kexue.fm/archives/7947 (in Chinese).
    """
    n = len(table)
    if not 1 <= new_len <= n * n:
        raise ValueError(f"new_len must be from 1 to {n * n}, the square of the rows of table, got {new_len}")
    if not 0 < alpha < 1 or alpha == 0.5:
        raise ValueError(f"alpha must lie between 0 and 1 and not be 0.5, got {alpha}")
    table = _real(table)
    base = (table - alpha * table[0]) / (1 - alpha)             # (n, d)
    blocks = -(-new_len // n)                                   # of n rows, the last one perhaps not whole
    pairs = alpha * base[:blocks, None] + (1 - alpha) * base    # (blocks, n, d)
    return pairs.reshape(blocks * n, -1)[:new_len]


def _real(table):
    """Integers become float64; a floating array stays as it is."""
    return table if table.dtype.kind == "f" else table.astype(np.float64)
