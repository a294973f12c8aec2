"""Wrong answers to 32_stretched_table; each docstring is what the learner is told."""
import itertools

import numpy as np


def _checked_len(new_len):
    if new_len < 1:
        raise ValueError(f"new_len must be at least 1, got {new_len}")


def _real(table):
    return table if table.dtype.kind == "f" else table.astype(np.float64)


def _centres(old_len, new_len):
    return (np.arange(new_len) + 0.5) * old_len / new_len - 0.5            # (new_len,)


def _between(table, places):
    """The table at places within its ends."""
    table = _real(table)
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, len(table) - 1)
    share = (places - below).astype(table.dtype)[:, None]
    return (1 - share) * table[below] + share * table[above]


def _stretched(table, new_len):
    return _between(table, np.clip(_centres(len(table), new_len), 0, len(table) - 1))


def _checked_sizes(old_height, old_width, new_height, new_width):
    for name, size in (("old_height", old_height), ("old_width", old_width),
                       ("new_height", new_height), ("new_width", new_width)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def _checked_grid(table, old_height, old_width, new_height, new_width):
    _checked_sizes(old_height, old_width, new_height, new_width)
    if len(table) != old_height * old_width:
        raise ValueError(f"table must have {old_height} * {old_width} rows, got shape {table.shape}")


def _axis_stretched(grid, axis, new_size):
    lines = np.moveaxis(grid, axis, 0)                                     # (old_size, ...)
    stretched = _stretched(lines.reshape(len(lines), -1), new_size)
    return np.moveaxis(stretched.reshape(new_size, *lines.shape[1:]), 0, axis)


def _grid_stretched(grid, new_height, new_width):
    return _axis_stretched(_axis_stretched(grid, 0, new_height), 1, new_width)


def _checked_square(table, new_len):
    if not 1 <= new_len <= len(table) ** 2:
        raise ValueError(f"new_len must be from 1 to {len(table) ** 2}, got {new_len}")


def _checked_alpha(alpha):
    if not 0 < alpha < 1 or alpha == 0.5:
        raise ValueError(f"alpha must lie between 0 and 1 and not be 0.5, got {alpha}")


def _base(table, alpha):
    return (table - alpha * table[0]) / (1 - alpha)                        # (n, d)


def _paired(base, new_len, alpha):
    slow, fast = np.divmod(np.arange(new_len), len(base))
    return alpha * base[slow] + (1 - alpha) * base[fast]


class interpolate_table:
    def length_not_checked(table, new_len):
        """Fewer rows than one were asked for, and an empty table came back: refuse `new_len` below 1."""
        return _stretched(table, new_len)

    def corners_aligned(table, new_len):
        """The first and the last row were kept in place, and the others spread evenly between them. Here the
        centres count: row i reads at (i + 0.5) * old/new - 0.5."""
        _checked_len(new_len)
        return _between(table, np.linspace(0, len(table) - 1, new_len))

    def centres_forgotten(table, new_len):
        """Both halves are missing: row i read at i * old/new, too far to the front when the table grows. It
        reads at (i + 0.5) * old/new - 0.5."""
        _checked_len(new_len)
        return _between(table, np.minimum(np.arange(new_len) * len(table) / new_len, len(table) - 1))

    def half_not_taken_off(table, new_len):
        """The last half is missing: row i reads at (i + 0.5) * old/new - 0.5, for old rows have their centres
        at 0.5, 1.5, ... as well."""
        _checked_len(new_len)
        return _between(table, np.minimum(_centres(len(table), new_len) + 0.5, len(table) - 1))

    def ratio_inverted(table, new_len):
        """The ratio is upside down: a step in the result is old/new steps in the table, less than one when it
        grows."""
        _checked_len(new_len)
        places = (np.arange(new_len) + 0.5) * new_len / len(table) - 0.5
        return _between(table, np.clip(places, 0, len(table) - 1))

    def nearest_row(table, new_len):
        """Each row is a copy of the nearest old one: between two rows take the straight line."""
        _checked_len(new_len)
        nearest = np.floor(np.clip(_centres(len(table), new_len), 0, len(table) - 1) + 0.5).astype(int)
        return _real(table)[nearest]

    def shares_swapped(table, new_len):
        """The shares are swapped: the closer a place is to the row above it, the more that row counts."""
        _checked_len(new_len)
        table = _real(table)
        places = np.clip(_centres(len(table), new_len), 0, len(table) - 1)
        below = np.floor(places).astype(int)
        share = (places - below).astype(table.dtype)[:, None]
        return share * table[below] + (1 - share) * table[np.minimum(below + 1, len(table) - 1)]

    def continued_past_the_ends(table, new_len):
        """The line was drawn on beyond the first and the last row: places out there have the end row
        itself."""
        _checked_len(new_len)
        table = _real(table)
        places = _centres(len(table), new_len)
        below = np.clip(np.floor(places).astype(int), 0, max(len(table) - 2, 0))
        share = (places - below).astype(table.dtype)[:, None]
        return (1 - share) * table[below] + share * table[np.minimum(below + 1, len(table) - 1)]

    def ends_joined(table, new_len):
        """The ends were mixed, as if the table were a ring: in NumPy, row -1 is the last one. Clip the places
        to 0 .. old - 1."""
        _checked_len(new_len)
        table = _real(table)
        places = _centres(len(table), new_len)
        below = np.floor(places).astype(int)
        share = (places - below).astype(table.dtype)[:, None]
        return (1 - share) * table[below % len(table)] + share * table[(below + 1) % len(table)]

    def begins_again(table, new_len):
        """The rows were repeated from the start, or cut off: stretch the table over the new length."""
        _checked_len(new_len)
        return table[np.arange(new_len) % len(table)]

    def averaged(table, new_len):
        """Each row is the average of the old rows in its share of the table: only the two rows around its
        place count, however much the table shrinks."""
        _checked_len(new_len)
        table = _real(table)
        ends = np.arange(new_len + 1) * len(table)
        parts = [table[a // new_len : -(-b // new_len)] for a, b in itertools.pairwise(ends)]
        return np.array([part.mean(axis=0) for part in parts])


class interpolate_grid:
    def sizes_not_checked(table, old_height, old_width, new_height, new_width):
        """A size below 1 was let through, or ran into an error that does not name it: check all four."""
        if len(table) != old_height * old_width:
            raise ValueError(f"table must have {old_height} * {old_width} rows, got shape {table.shape}")
        grid = table.reshape(old_height, old_width, table.shape[1])
        return _grid_stretched(grid, new_height, new_width).reshape(-1, table.shape[1])

    def rows_not_counted(table, old_height, old_width, new_height, new_width):
        """A table of another grid was let through: `reshape(old_height, old_width, -1)` makes columns of rows
        where that comes out even. Compare `old_height * old_width` with the rows."""
        _checked_sizes(old_height, old_width, new_height, new_width)
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_height, new_width)
        return grid.reshape(new_height * new_width, -1)

    def read_by_columns(table, old_height, old_width, new_height, new_width):
        """The table was read column by column of the grid: patch (y, x) has row y * old_width + x."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        grid = table.reshape(old_width, old_height, -1).swapaxes(0, 1)
        return _grid_stretched(grid, new_height, new_width).reshape(new_height * new_width, -1)

    def laid_down_by_columns(table, old_height, old_width, new_height, new_width):
        """The result lists the grid column by column: it is row-major, as the table is."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_height, new_width)
        return grid.swapaxes(0, 1).reshape(new_height * new_width, -1)

    def new_sizes_swapped(table, old_height, old_width, new_height, new_width):
        """The height was stretched to `new_width` and the width to `new_height`: the height comes first."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_width, new_height)
        return grid.reshape(new_height * new_width, -1)

    def taken_for_a_line(table, old_height, old_width, new_height, new_width):
        """The rows were stretched as one long line, across the edges of the grid: stretch the height and the
        width each by itself."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        return _stretched(table, new_height * new_width)

    def square_assumed(table, old_height, old_width, new_height, new_width):
        """The old grid was taken for a square, its side the root of the number of rows: use `old_height` and
        `old_width`."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        side = int(len(table) ** 0.5)
        grid = _grid_stretched(table.reshape(side, side, -1), new_height, new_width)
        return grid.reshape(new_height * new_width, -1)


class hierarchical_table:
    def rows_for_base(table, new_len, alpha=0.4):
        """The pairs were made of the table's own rows. Make them of (table - alpha * table[0]) / (1 - alpha):
        only then are the first n rows the table itself."""
        _checked_square(table, new_len)
        _checked_alpha(alpha)
        return _paired(_real(table), new_len, alpha)

    def base_not_divided(table, new_len, alpha=0.4):
        """The base vectors are too short: (table - alpha * table[0]) is still to be divided by 1 - alpha."""
        _checked_square(table, new_len)
        _checked_alpha(alpha)
        table = _real(table)
        return _paired(table - alpha * table[0], new_len, alpha)

    def slow_and_fast_swapped(table, new_len, alpha=0.4):
        """Slow and fast index are swapped: in row i * n + j alpha belongs to u[i] and 1 - alpha to u[j]."""
        _checked_square(table, new_len)
        _checked_alpha(alpha)
        return _paired(_base(_real(table), alpha), new_len, 1 - alpha)

    def alpha_not_used(table, new_len, alpha=0.4):
        """The share is written into the code as 0.4: use the argument `alpha`."""
        _checked_square(table, new_len)
        _checked_alpha(alpha)
        return _paired(_base(_real(table), 0.4), new_len, 0.4)

    def first_block_twice(table, new_len, alpha=0.4):
        """The pairs were put behind the table, but the first n of them are the table already: the next row
        has i = 1."""
        _checked_square(table, new_len)
        _checked_alpha(alpha)
        table = _real(table)
        return np.concatenate([table, _paired(_base(table, alpha), new_len, alpha)])[:new_len]

    def the_full_square_refused(table, new_len, alpha=0.4):
        """A length of n * n was refused: there are n * n pairs, so that many rows can be made."""
        _checked_square(table, new_len)
        if new_len == len(table) ** 2:
            raise ValueError(f"new_len must be below {len(table) ** 2}, got {new_len}")
        _checked_alpha(alpha)
        return _paired(_base(_real(table), alpha), new_len, alpha)

    def shorter_refused(table, new_len, alpha=0.4):
        """A length below that of the table was refused: the result is its first rows then."""
        _checked_square(table, new_len)
        if new_len < len(table):
            raise ValueError(f"new_len must be at least {len(table)}, got {new_len}")
        _checked_alpha(alpha)
        return _paired(_base(_real(table), alpha), new_len, alpha)

    def one_half_accepted(table, new_len, alpha=0.4):
        """A share of 0.5 was let through: row i * n + j is then the same as row j * n + i. Refuse it."""
        _checked_square(table, new_len)
        if alpha != 0.5:
            _checked_alpha(alpha)
        return _paired(_base(_real(table), alpha), new_len, alpha)

    def alpha_not_checked(table, new_len, alpha=0.4):
        """A share that is not between 0 and 1 was let through: refuse it, and 0, 0.5 and 1 as well."""
        _checked_square(table, new_len)
        return _paired(_base(_real(table), alpha), new_len, alpha)

    def longer_begins_again(table, new_len, alpha=0.4):
        """More rows than n * n were made by beginning again: there are no more pairs, so refuse them."""
        _checked_len(new_len)
        _checked_alpha(alpha)
        pairs = np.arange(new_len) % len(table) ** 2
        return _paired(_base(_real(table), alpha), len(table) ** 2, alpha)[pairs]
