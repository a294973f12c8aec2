"""Other right answers to 32_stretched_table, and when you would want them."""
import numpy as np


def _real(table):
    """float32 stays float32, integers become float64."""
    return table.astype(np.result_type(table, 1.0), copy=False)


def _weights(old_len, new_len):
    """The share of each old row in each new one: 1 at its own place, falling to 0 at its neighbours."""
    places = np.clip((np.arange(new_len) + 0.5) * old_len / new_len - 0.5, 0, old_len - 1)
    return np.maximum(0.0, 1.0 - np.abs(places[:, None] - np.arange(old_len)))     # (new_len, old_len)


def _neighbours(old_len, new_len, i):
    """The two old rows that new row i mixes, each with its share."""
    place = min(max((i + 0.5) * old_len / new_len - 0.5, 0.0), old_len - 1.0)
    below = int(place)
    return (below, 1 - (place - below)), (min(below + 1, old_len - 1), place - below)


def _stretched(table, new_len):
    """The stretched table as a new array, with one more array of that size as memory."""
    places = np.clip((np.arange(new_len) + 0.5) * len(table) / new_len - 0.5, 0, len(table) - 1)
    below = places.astype(int)
    above = np.minimum(below + 1, len(table) - 1)
    stretched, steps = table[below], table[above]                                  # (new_len, d) each
    steps -= stretched
    steps *= (places - below).astype(table.dtype)[:, None]
    stretched += steps                                                             # below + share * (above - below)
    return stretched


class interpolate_table:
    def in_place(table, new_len):
        """Start from the row before and add a share of the step to the row after, all in place in two arrays."""
        return _stretched(_real(table), new_len)

    def by_np_interp(table, new_len):
        """Let np.interp mix and clip, one column at a time. You write little code. It always computes in double
        precision."""
        places = (np.arange(new_len) + 0.5) * (len(table) / new_len) - 0.5
        return np.array([np.interp(places, np.arange(len(table)), column) for column in table.T]).T

    def by_a_matrix(table, new_len):
        """Stretching is linear, so a matrix can do it. Each of its rows holds the shares of two old rows.
        You can use one matrix for all tables of a length, and its transpose for the gradient."""
        return _weights(len(table), new_len) @ table


class interpolate_grid:
    def by_two_matrices(table, old_height, old_width, new_height, new_width):
        """Multiply by one matrix of shares for the height and by one for the width. Most shares are 0, but you need no
        loop and no index."""
        table = _real(table)
        tall = _weights(old_height, new_height).astype(table.dtype)
        wide = _weights(old_width, new_width).astype(table.dtype)
        rows = (tall @ table.reshape(old_height, -1)).reshape(new_height, old_width, -1)
        return (wide @ rows).reshape(new_height * new_width, -1)

    def line_by_line(table, old_height, old_width, new_height, new_width):
        """Stretch each line in place and write it straight into the result. You need no list of lines and no copy that
        joins them."""
        grid = _stretched(_real(table).reshape(old_height, -1), new_height)
        stretched = np.empty((new_height, new_width, table.shape[1]), grid.dtype)
        for y, row in enumerate(grid.reshape(new_height, old_width, -1)):
            stretched[y] = _stretched(row, new_width)                              # (new_width, d)
        return stretched.reshape(new_height * new_width, -1)

    def by_four_corners(table, old_height, old_width, new_height, new_width):
        """Mix each new patch from the four old ones around it, which is what bilinear means. A share is the product of
        one along the height and one along the width. Use it to check other versions."""
        rows = np.zeros((new_height * new_width, table.shape[1]))
        for y in range(new_height):
            for x in range(new_width):
                for row, tall in _neighbours(old_height, new_height, y):
                    for column, wide in _neighbours(old_width, new_width, x):
                        rows[y * new_width + x] += tall * wide * table[row * old_width + column]
        return rows


class hierarchical_table:
    def without_a_base(table, new_len, alpha=0.4):
        """Insert the formula of u, and each row becomes p[j] + alpha / (1 - alpha) * (p[i] - p[0]). You see that each
        block of n rows is the table plus one row."""
        n, d = table.shape
        blocks = -(-new_len // n)                                                  # the last may be cut short
        moves = (table[:blocks] - table[0]) * (alpha / (1 - alpha))                # (blocks, d)
        return (moves[:, None] + table).reshape(blocks * n, d)[:new_len]

    def by_blocks(table, new_len, alpha=0.4):
        """Make all pairs by broadcasting (n, 1, d) against (n, d), then keep the first rows.
        This is short, but it makes n * n rows even if you need few. The result is a read-only view."""
        u = (table - alpha * table[0]) / (1 - alpha)                               # (n, d)
        rows = (alpha * u[:, None] + (1 - alpha) * u).reshape(-1, table.shape[1])
        rows.flags.writeable = False
        return rows[:new_len]
