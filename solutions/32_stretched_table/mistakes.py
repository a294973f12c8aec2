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
        """You let the first new row read the first old row and the last read the last, as with `align_corners=True`.
        Use the centres of the cells instead: row i reads at (i + 0.5) * old/new - 0.5."""
        return _between(table, np.linspace(0, len(table) - 1, new_len))

    def centres_forgotten(table, new_len):
        """You leave out both 0.5: row i reads at i * old/new, which is too large when the table grows. Use the centres
        of the cells: row i reads at (i + 0.5) * old/new - 0.5."""
        return _between(table, _within(np.arange(new_len) * len(table) / new_len, table))

    def half_not_taken_off(table, new_len):
        """You leave out the 0.5 at the end. Old rows have their centres at 0.5, 1.5, ... too, so subtract 0.5 at the
        end: row i reads at (i + 0.5) * old/new - 0.5."""
        return _between(table, _within(_centres(len(table), new_len) + 0.5, table))

    def half_only_taken_off(table, new_len):
        """You leave out the 0.5 after i. The centre of new row i is at i + 0.5, so row i reads at (i + 0.5) * old/new -
        0.5."""
        return _between(table, _within(np.arange(new_len) * len(table) / new_len - 0.5, table))

    def ratio_inverted(table, new_len):
        """You use the ratio upside down. One step in the new table is old/new steps in the old one, which is less than
        1 when the table grows."""
        return _between(table, _within((np.arange(new_len) + 0.5) * new_len / len(table) - 0.5, table))

    def ratio_cut(table, new_len):
        """You cut the ratio old/new to a whole number. Divide with `/` and keep the fraction."""
        return _between(table, _within((np.arange(new_len) + 0.5) * (len(table) // new_len) - 0.5, table))

    def nearest_row(table, new_len):
        """You copy the nearest old row into each new row. Mix the two old rows around each place instead."""
        return table[np.floor(_within(_centres(len(table), new_len), table) + 0.5).astype(int)]

    def row_below_alone(table, new_len):
        """You copy the old row before its place into each new row. Mix in the row after the place: its share is the
        fraction of the place."""
        return table[_within(_centres(len(table), new_len), table).astype(int)]

    def shares_swapped(table, new_len):
        """You swap the two shares. The fraction of the place is the share of the row after it; the row before it gets
        the rest."""
        places = _within(_centres(len(table), new_len), table)
        below = np.floor(places).astype(int)
        share = (places - below)[:, None]
        return share * table[below] + (1 - share) * table[np.minimum(below + 1, len(table) - 1)]

    def continued_past_the_ends(table, new_len):
        """You continue the line beyond the first and the last row. A place beyond an end reads the end row itself, so
        clip all places to 0 .. old - 1."""
        places = _centres(len(table), new_len)
        below = np.clip(np.floor(places).astype(int), 0, max(len(table) - 2, 0))
        share = (places - below)[:, None]
        return (1 - share) * table[below] + share * table[np.minimum(below + 1, len(table) - 1)]

    def ends_joined(table, new_len):
        """You mix the first and the last row at both ends, as if the table were a ring: row -1 is the last row, and `%`
        or np.roll joins the other end. Clip the places to 0 .. old - 1."""
        places = _centres(len(table), new_len)
        below = np.floor(places).astype(int)
        share = (places - below)[:, None]
        return (1 - share) * table[below % len(table)] + share * table[(below + 1) % len(table)]

    def begins_again(table, new_len):
        """You repeat the old rows from the start, or cut them off. Stretch the whole table over the new length
        instead."""
        return table[np.arange(new_len) % len(table)]

    def averaged(table, new_len):
        """You average all old rows that the cell of a new row covers. Mix only the two rows around its place, even if
        the table shrinks."""
        ends = np.arange(new_len + 1) * len(table)
        parts = [table[a // new_len : -(-b // new_len)] for a, b in itertools.pairwise(ends)]
        return np.array([part.mean(axis=0) for part in parts])

    def integers_cut(table, new_len):
        """You cut the results to integers if the table has integers. Return floats: a mixture of two rows has
        fractions."""
        return _stretched(table, new_len).astype(table.dtype)


class interpolate_grid:
    def read_by_columns(table, old_height, old_width, new_height, new_width):
        """You read the table column by column of the grid. It is row-major: patch (y, x) has row y * old_width + x."""
        grid = table.reshape(old_width, old_height, -1).swapaxes(0, 1)
        return _grid_stretched(grid, new_height, new_width).reshape(new_height * new_width, -1)

    def old_sizes_swapped(table, old_height, old_width, new_height, new_width):
        """You swap the old height and width. The grid has `old_height` lines of `old_width` patches each."""
        grid = table.reshape(old_width, old_height, -1)
        return _grid_stretched(grid, new_height, new_width).reshape(new_height * new_width, -1)

    def laid_down_by_columns(table, old_height, old_width, new_height, new_width):
        """You get the right numbers, but list the grid column by column. Return it row by row, in the order of the
        table."""
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_height, new_width)
        return grid.swapaxes(0, 1).reshape(new_height * new_width, -1)

    def new_sizes_swapped(table, old_height, old_width, new_height, new_width):
        """You swap the new height and width. Stretch the height to `new_height` and the width to `new_width`."""
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_width, new_height)
        return grid.reshape(new_height * new_width, -1)

    def returned_if_as_many_patches(table, old_height, old_width, new_height, new_width):
        """You return the table unchanged if the number of patches stays the same. 2 lines of 3 patches are not 3 lines
        of 2: compare height and width."""
        if new_height * new_width == len(table):
            return table.copy()
        grid = _grid_stretched(table.reshape(old_height, old_width, -1), new_height, new_width)
        return grid.reshape(new_height * new_width, -1)

    def heights_and_widths_swapped(table, old_height, old_width, new_height, new_width):
        """You swap height and width, in the old grid and in the new one. The old grid has `old_height` lines of
        `old_width` patches, and the new one has `new_height` lines of `new_width` patches."""
        grid = _grid_stretched(table.reshape(old_width, old_height, -1), new_width, new_height)
        return grid.reshape(new_height * new_width, -1)

    def one_ratio_for_both_sides(table, old_height, old_width, new_height, new_width):
        """You stretch height and width by the same factor. Stretch the height by new_height / old_height and the width
        by new_width / old_width."""
        ratio = (old_height * old_width / (new_height * new_width)) ** 0.5
        grid = table.reshape(old_height, old_width, -1)
        for axis, size in enumerate((new_height, new_width)):
            lines = np.moveaxis(grid, axis, 0)
            places = _within((np.arange(size) + 0.5) * ratio - 0.5, lines)
            stretched = _between(lines.reshape(len(lines), -1), places)
            grid = np.moveaxis(stretched.reshape(size, *lines.shape[1:]), 0, axis)
        return grid.reshape(new_height * new_width, -1)

    def taken_for_a_line(table, old_height, old_width, new_height, new_width):
        """You stretch the table as one long line, so it mixes the end of one line of the grid with the start of the
        next. Stretch the height and the width separately."""
        return _stretched(table, new_height * new_width)

    def square_assumed(table, old_height, old_width, new_height, new_width):
        """You treat the old grid as a square, with the root of the number of rows as its side. Use `old_height` and
        `old_width`."""
        side = int(len(table) ** 0.5)
        grid = _grid_stretched(table.reshape(side, side, -1), new_height, new_width)
        return grid.reshape(new_height * new_width, -1)

    def only_the_width_between(table, old_height, old_width, new_height, new_width):
        """You copy the nearest old line along the height. Mix the two lines around each place, as you do along the
        width."""
        places = np.clip(_centres(old_height, new_height), 0, old_height - 1)
        grid = table.reshape(old_height, old_width, -1)[np.floor(places + 0.5).astype(int)]
        return _axis_stretched(grid, 1, new_width).reshape(new_height * new_width, -1)


class hierarchical_table:
    def rows_for_base(table, new_len, alpha=0.4):
        """You make the pairs from the rows of the table, so the first n rows change. Make the pairs from u = (table -
        alpha * table[0]) / (1 - alpha)."""
        return _paired(table, new_len, alpha)

    def base_not_divided(table, new_len, alpha=0.4):
        """You leave out the division in u. Divide table - alpha * table[0] by 1 - alpha."""
        return _paired(table - alpha * table[0], new_len, alpha)

    def only_the_first_divided(table, new_len, alpha=0.4):
        """You leave out parentheses in u, so only alpha * table[0] is divided. Divide the whole difference: (table -
        alpha * table[0]) / (1 - alpha)."""
        return _paired(table - alpha * table[0] / (1 - alpha), new_len, alpha)

    def base_of_neighbours(table, new_len, alpha=0.4):
        """You subtract a share of the row before from each row of u. Subtract alpha times the first row instead: u =
        (table - alpha * table[0]) / (1 - alpha)."""
        before = np.concatenate([table[:1], table[:-1]])
        return _paired((table - alpha * before) / (1 - alpha), new_len, alpha)

    def slow_and_fast_swapped(table, new_len, alpha=0.4):
        """You swap the two shares. In row i * n + j, the slow u[i] has share alpha and the fast u[j] has share 1 -
        alpha."""
        return _paired(_base(table, alpha), new_len, 1 - alpha)

    def alpha_not_used(table, new_len, alpha=0.4):
        """You use the share 0.4 in every call. Use the argument `alpha`."""
        return _paired(_base(table, 0.4), new_len, 0.4)

    def first_block_twice(table, new_len, alpha=0.4):
        """You put the pairs after the table, so the first n rows appear twice. The pairs with i = 0 are the table
        already. Return the pairs alone."""
        return np.concatenate([table, _paired(_base(table, alpha), new_len, alpha)])[:new_len]

    def begins_again(table, new_len, alpha=0.4):
        """You repeat the table from the start without change. In block i, add alpha * (u[i] - u[0]) to every row."""
        return table[np.arange(new_len) % len(table)]
