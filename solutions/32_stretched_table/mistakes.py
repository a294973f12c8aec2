"""Wrong answers to 32_stretched_table; each docstring is what the learner is told."""
import itertools

import numpy as np


def _centres(old_len, new_len):
    return (np.arange(new_len) + 0.5) * old_len / new_len - 0.5            # (new_len,)


def _between(table, places):
    """The table at places within its ends."""
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, len(table) - 1)
    share = (places - below)[:, None]
    return (1 - share) * table[below] + share * table[above]


def _within(places, table):
    return np.clip(places, 0, len(table) - 1)


def _stretched(table, new_len):
    return _between(table, _within(_centres(len(table), new_len), table))


def _axis_stretched(grid, axis, new_size):
    lines = np.moveaxis(grid, axis, 0)                                     # (old_size, ...)
    stretched = _stretched(lines.reshape(len(lines), -1), new_size)
    return np.moveaxis(stretched.reshape(new_size, *lines.shape[1:]), 0, axis)


def _grid_stretched(grid, new_height, new_width):
    return _axis_stretched(_axis_stretched(grid, 0, new_height), 1, new_width)


def _base(table, alpha):
    return (table - alpha * table[0]) / (1 - alpha)                        # (n, d)


def _paired(base, new_len, alpha):
    slow, fast = np.divmod(np.arange(new_len), len(base))
    return alpha * base[slow] + (1 - alpha) * base[fast]


class interpolate_table:
    def corners_aligned(table, new_len):
        """The first and the last row were kept in place, and the others spread evenly between them. Here the
        centres count: row i reads at (i + 0.5) * old/new - 0.5."""
        return _between(table, np.linspace(0, len(table) - 1, new_len))

    def centres_forgotten(table, new_len):
        """Both halves are missing: row i read at i * old/new, too far to the front when the table grows. It
        reads at (i + 0.5) * old/new - 0.5."""
        return _between(table, _within(np.arange(new_len) * len(table) / new_len, table))

    def half_not_taken_off(table, new_len):
        """The last half is missing: row i reads at (i + 0.5) * old/new - 0.5, for old rows have their centres
        at 0.5, 1.5, ... as well."""
        return _between(table, _within(_centres(len(table), new_len) + 0.5, table))

    def half_only_taken_off(table, new_len):
        """The first half is missing: row i has its centre at i + 0.5, so it reads at (i + 0.5) * old/new - 0.5."""
        return _between(table, _within(np.arange(new_len) * len(table) / new_len - 0.5, table))

    def ratio_inverted(table, new_len):
        """The ratio is upside down: a step in the result is old/new steps in the table, less than one when it
        grows."""
        return _between(table, _within((np.arange(new_len) + 0.5) * new_len / len(table) - 0.5, table))

    def ratio_cut(table, new_len):
        """The ratio was cut to a whole number: `//` makes 0 or 1 of old/new where it is no whole number; divide
        with `/`."""
        return _between(table, _within((np.arange(new_len) + 0.5) * (len(table) // new_len) - 0.5, table))

    def nearest_row(table, new_len):
        """Each row is a copy of the nearest old one: between two rows take the straight line."""
        return table[np.floor(_within(_centres(len(table), new_len), table) + 0.5).astype(int)]

    def row_below_alone(table, new_len):
        """Each row is a copy of the old row before its place: the row after it has a share, too, the fraction of
        the place."""
        return table[_within(_centres(len(table), new_len), table).astype(int)]

    def shares_swapped(table, new_len):
        """The shares are swapped: the closer a place is to the row above it, the more that row counts."""
        places = _within(_centres(len(table), new_len), table)
        below = np.floor(places).astype(int)
        share = (places - below)[:, None]
        return share * table[below] + (1 - share) * table[np.minimum(below + 1, len(table) - 1)]

    def continued_past_the_ends(table, new_len):
        """The line was drawn on beyond the first and the last row: places out there have the end row
        itself."""
        places = _centres(len(table), new_len)
        below = np.clip(np.floor(places).astype(int), 0, max(len(table) - 2, 0))
        share = (places - below)[:, None]
        return (1 - share) * table[below] + share * table[np.minimum(below + 1, len(table) - 1)]

    def ends_joined(table, new_len):
        """The ends were mixed, as if the table were a ring: in NumPy, row -1 is the last one. Clip the places
        to 0 .. old - 1."""
        places = _centres(len(table), new_len)
        below = np.floor(places).astype(int)
        share = (places - below)[:, None]
        return (1 - share) * table[below % len(table)] + share * table[(below + 1) % len(table)]

    def begins_again(table, new_len):
        """The rows were repeated from the start, or cut off: stretch the table over the new length."""
        return table[np.arange(new_len) % len(table)]

    def averaged(table, new_len):
        """Each row is the average of the old rows in its share of the table: only the two rows around its
        place count, however much the table shrinks."""
        ends = np.arange(new_len + 1) * len(table)
        parts = [table[a // new_len : -(-b // new_len)] for a, b in itertools.pairwise(ends)]
        return np.array([part.mean(axis=0) for part in parts])

    def integers_cut(table, new_len):
        """A table of whole numbers was answered with whole numbers, so the fractions were cut off: the line between
        two rows has fractions."""
        return _stretched(table, new_len).astype(table.dtype)


class interpolate_grid:
    def read_by_columns(table, old_height, old_width, new_height, new_width):
        """The table was read column by column of the grid: patch (y, x) has row y * old_width + x."""
        grid = table.reshape(old_width, old_height, -1).swapaxes(0, 1)
        return _grid_stretched(grid, new_height, new_width).reshape(new_height * new_width, -1)

    def old_sizes_swapped(table, old_height, old_width, new_height, new_width):
        """The old grid was taken for one of `old_width` lines: it has `old_height` lines of `old_width` patches."""
        grid = table.reshape(old_width, old_height, -1)
        return _grid_stretched(grid, new_height, new_width).reshape(new_height * new_width, -1)

    def laid_down_by_columns(table, old_height, old_width, new_height, new_width):
        """The result lists the grid column by column: it is row-major, as the table is."""
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_height, new_width)
        return grid.swapaxes(0, 1).reshape(new_height * new_width, -1)

    def new_sizes_swapped(table, old_height, old_width, new_height, new_width):
        """The height was stretched to `new_width` and the width to `new_height`: the height comes first."""
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_width, new_height)
        return grid.reshape(new_height * new_width, -1)

    def taken_for_a_line(table, old_height, old_width, new_height, new_width):
        """The rows were stretched as one long line, across the edges of the grid: stretch the height and the
        width each by itself."""
        return _stretched(table, new_height * new_width)

    def square_assumed(table, old_height, old_width, new_height, new_width):
        """The old grid was taken for a square, its side the root of the number of rows: use `old_height` and
        `old_width`."""
        side = int(len(table) ** 0.5)
        grid = _grid_stretched(table.reshape(side, side, -1), new_height, new_width)
        return grid.reshape(new_height * new_width, -1)

    def only_the_width_between(table, old_height, old_width, new_height, new_width):
        """Along the height whole lines were copied, the nearest ones: the line between two lines of the grid counts
        there, too."""
        places = np.clip(_centres(old_height, new_height), 0, old_height - 1)
        grid = table.reshape(old_height, old_width, -1)[np.floor(places + 0.5).astype(int)]
        return _axis_stretched(grid, 1, new_width).reshape(new_height * new_width, -1)


class hierarchical_table:
    def rows_for_base(table, new_len, alpha=0.4):
        """The pairs were made of the table's own rows. Make them of (table - alpha * table[0]) / (1 - alpha):
        only then are the first n rows the table itself."""
        return _paired(table, new_len, alpha)

    def base_not_divided(table, new_len, alpha=0.4):
        """The base vectors are too short: (table - alpha * table[0]) is still to be divided by 1 - alpha."""
        return _paired(table - alpha * table[0], new_len, alpha)

    def only_the_first_divided(table, new_len, alpha=0.4):
        """The parentheses are missing in the base vectors: divide all of (table - alpha * table[0]) by 1 - alpha,
        not the first row alone."""
        return _paired(table - alpha * table[0] / (1 - alpha), new_len, alpha)

    def base_of_neighbours(table, new_len, alpha=0.4):
        """Each base vector was made with the row before it: alpha times the first row is taken off all of them."""
        before = np.concatenate([table[:1], table[:-1]])
        return _paired((table - alpha * before) / (1 - alpha), new_len, alpha)

    def slow_and_fast_swapped(table, new_len, alpha=0.4):
        """Slow and fast index are swapped: in row i * n + j alpha belongs to u[i] and 1 - alpha to u[j]."""
        return _paired(_base(table, alpha), new_len, 1 - alpha)

    def alpha_not_used(table, new_len, alpha=0.4):
        """The share is written into the code as 0.4: use the argument `alpha`."""
        return _paired(_base(table, 0.4), new_len, 0.4)

    def first_block_twice(table, new_len, alpha=0.4):
        """The pairs were put behind the table, but the first n of them are the table already: the next row
        has i = 1."""
        return np.concatenate([table, _paired(_base(table, alpha), new_len, alpha)])[:new_len]

    def begins_again(table, new_len, alpha=0.4):
        """The table was repeated from the start: in block i every row is moved by alpha * (u[i] - u[0])."""
        return table[np.arange(new_len) % len(table)]
