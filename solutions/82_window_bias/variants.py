"""Other right answers to 82_window_bias, and when you would want them."""
import math

import numpy as np


def _codes(height, width):
    """One number per patch, so that a difference of two shows the offsets of rows and columns."""
    return (np.arange(height)[:, None] * (2 * width - 1) + np.arange(width)).ravel()         # (n,)


def _index(height, width):
    codes = _codes(height, width)
    return codes[:, None] - codes + codes[-1]                                                # (n, n)


def _coordinates(size):
    """The coordinates of one direction."""
    t = np.arange(1 - size, size) * (8 / (size - 1))
    return np.copysign(np.log1p(np.abs(t)), t) / math.log(8)                                 # (2 * size - 1,)


class window_index:
    def by_one_number_per_patch(height, width):
        """Give each patch the number row * (2 * width - 1) + column. The differences of these numbers are the index, up
        to a constant. There is one subtraction per pair."""
        return _index(height, width)

    def by_four_axes(height, width):
        """Give row and column of the query and of the key an axis each, and let NumPy broadcast.
        No division is needed to find the row of a patch."""
        row, column = np.arange(height)[:, None, None, None], np.arange(width)[:, None, None]
        down = row - np.arange(height)[:, None] + height - 1                                 # (height, 1, height, 1)
        across = column - np.arange(width) + width - 1                                       # (width, 1, width)
        return (down * (2 * width - 1) + across).reshape(height * width, height * width)

    def by_loops(height, width):
        """Go through queries and keys one by one, exactly as in the formula. Use it to check other versions."""
        patches = [(row, column) for row in range(height) for column in range(width)]
        return np.array([[(y - row + height - 1) * (2 * width - 1) + (x - column + width - 1)
                          for row, column in patches] for y, x in patches])


class window_bias:
    def heads_first_at_once(table, height, width):
        """Turn the table first, then look up its columns: the heads are already in front, and the result is
        contiguous."""
        return table.T.take(_index(height, width), axis=1)

    def by_windows_of_offsets(table, height, width):
        """Lay the table out as a grid of offsets. Each query sees a window of this grid, upside down and from right to
        left. The windows are views, so nothing is looked up, and large tables with many heads are copied once."""
        grid = table.reshape(2 * height - 1, 2 * width - 1, -1)
        seen = np.lib.stride_tricks.sliding_window_view(grid, (height, width), axis=(0, 1))  # (h, w, H, h, w)
        seen = np.moveaxis(seen[..., ::-1, ::-1], 2, 0)                                      # (H, h, w, h, w)
        return seen.reshape(-1, height * width, height * width)

    def by_loops(table, height, width):
        """Fill the result pair by pair from a grid of offsets. It shows which number belongs to which pair. The result
        is Fortran-ordered."""
        grid = table.reshape(2 * height - 1, 2 * width - 1, -1)
        bias = np.empty((grid.shape[-1], height * width, height * width), table.dtype, order="F")
        for query in range(height * width):
            for key in range(height * width):
                down = query // width - key // width + height - 1
                across = query % width - key % width + width - 1
                bias[:, query, key] = grid[down, across]
        return bias


class log_offsets:
    def each_direction_once(height, width):
        """Take the logarithms of one line per direction and write them into all rows and columns. A window of 16 x 16
        needs 62 logarithms, not 1922."""
        offsets = np.empty((2 * height - 1, 2 * width - 1, 2))
        offsets[..., 0] = _coordinates(height)[:, None]
        offsets[..., 1] = _coordinates(width)
        return offsets

    def by_indices(height, width):
        """Let np.indices make both grids of offsets, and scale them with one division. The other lines are the formula,
        as the released code has it."""
        farthest = np.array([height - 1, width - 1])
        offsets = np.moveaxis(np.indices((2 * height - 1, 2 * width - 1)), 0, -1) - farthest
        t = offsets / farthest * 8
        return np.sign(t) * np.log2(np.abs(t) + 1.0) / np.log2(8)

    def by_loops(height, width):
        """Compute the formula entry by entry, with math.log2. Use it to check other versions."""
        def coordinate(offset, size):
            t = 8 * offset / (size - 1)
            return math.copysign(math.log2(1 + abs(t)) / 3, t)
        return np.array([[(coordinate(down, height), coordinate(across, width)) for across in range(1 - width, width)]
                         for down in range(1 - height, height)])
