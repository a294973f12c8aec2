"""Other right answers to 81_grid_encoding, and when you would want them."""
import math

import numpy as np


def _frequencies(d_model, base):
    return base ** (-np.arange(d_model // 4) / (d_model // 4))               # (d_model / 4,)


def _line(n, d_model, base):
    """Sines, then cosines, of the numbers 0 .. n - 1: half of the columns of the table."""
    angles = np.arange(n)[:, None] * _frequencies(d_model, base)             # (n, d_model / 4)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)          # (n, d_model / 2)


class grid_positions:
    def by_indices(height, width):
        """Let np.indices make one grid of row numbers and one of column numbers. Flatten both and transpose the array.
        The result is a Fortran-ordered view."""
        return np.indices((height, width)).reshape(2, -1).T

    def by_meshgrid(height, width):
        """Let np.meshgrid make both grids from two lines of numbers, which need not be whole. Pass indexing="ij",
        because its default has the columns first."""
        grids = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
        return np.stack(grids, axis=-1).reshape(-1, 2)

    def by_repeating(height, width):
        """Repeat each row number `width` times and tile the column numbers `height` times.
        You see how both numbers run, without a division."""
        return np.column_stack([np.repeat(np.arange(height), width), np.tile(np.arange(width), height)])

    def by_loops(height, width):
        """Go through rows and columns with two loops. The inner loop runs over the columns, so the order is row by row.
        Use it to check other versions."""
        return np.array([(row, column) for row in range(height) for column in range(width)])


class grid_encoding:
    def each_line_once(height, width, d_model, base=10000.0):
        """Compute sines and cosines once per row and once per column, then write them into all patches. A grid of 32 x
        32 patches needs 64 lines of them, not 2048."""
        table = np.empty((height, width, d_model))
        table[..., : d_model // 2] = _line(height, d_model, base)[:, None]
        table[..., d_model // 2 :] = _line(width, d_model, base)
        return table.reshape(height * width, d_model)

    def by_looking_up(height, width, d_model, base=10000.0):
        """Make one table for a line as long as the longer side, and look up the row and the column of each patch.
        This is how you would keep one table for images of many sizes."""
        rows, columns = np.divmod(np.arange(height * width), width)
        line = _line(max(height, width), d_model, base)
        return np.concatenate([line[rows], line[columns]], axis=1)

    def by_loops(height, width, d_model, base=10000.0):
        """Compute the formula entry by entry, with math.sin and math.cos. Use it to check other versions."""
        quarter = d_model // 4
        speeds = [base ** (-i / quarter) for i in range(quarter)]
        table = []
        for row in range(height):
            for column in range(width):
                table.append([wave(place * speed) for place in (row, column)
                              for wave in (math.sin, math.cos) for speed in speeds])
        return np.array(table)

    def by_complex_exponential(height, width, d_model, base=10000.0):
        """Compute exp(i angle) once per angle: its imaginary part is the sine, its real part the cosine.
        The angles of rows and columns are one array here."""
        places = np.indices((height, width)).reshape(2, -1, 1)                # (2, n, 1)
        turned = np.exp(1j * places * _frequencies(d_model, base))            # (2, n, d_model / 4)
        down, across = turned
        return np.concatenate([down.imag, down.real, across.imag, across.real], axis=1)


class similarity_map:
    def by_the_image(encoding, row, column, height, width):
        """Lay the table out as the image first. Then `image[row, column]` is the row of the patch, and no patch number
        is needed."""
        image = encoding.reshape(height, width, -1)
        return image @ image[row, column]

    def by_einsum(encoding, row, column, height, width):
        """Name the axes: y and x of the image, and d for the columns of the table, which are summed.
        It is easy to check, and it extends to a map for every patch."""
        image = encoding.reshape(height, width, -1)
        return np.einsum("yxd,d->yx", image, image[row, column])

    def by_loops(encoding, row, column, height, width):
        """Compute the products patch by patch in the order of the image. Use it to check other versions."""
        own = encoding[row * width + column]
        return np.array([[np.vdot(own, encoding[y * width + x]) for x in range(width)] for y in range(height)])
