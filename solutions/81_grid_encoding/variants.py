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
        """Let np.meshgrid make both grids from two lines of numbers, which need not be whole. Say indexing="ij",
        because its default has the columns first."""
        grids = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
        return np.stack(grids, axis=-1).reshape(-1, 2)

    def by_unravel_index(height, width):
        """Turn the number of an entry into its place with np.unravel_index, in an array of any number of axes. The same
        line works for the three axes of a video."""
        return np.transpose(np.unravel_index(np.arange(height * width), (height, width)))

    def by_repeating(height, width):
        """Repeat each row number `width` times and tile the column numbers `height` times.
        You see how both numbers run, without a division."""
        return np.column_stack([np.repeat(np.arange(height), width), np.tile(np.arange(width), height)])

    def by_loops(height, width):
        """Go through rows and columns with two loops. The inner loop runs over the columns, so the order is row by row.
        Use it to check other versions."""
        return np.array([(row, column) for row in range(height) for column in range(width)])

    def in_one_array(height, width):
        """Write both numbers into an empty array of the shape of the image and let NumPy broadcast them. It needs no
        division and no second array."""
        places = np.empty((height, width, 2), int)
        places[..., 0] = np.arange(height)[:, None]
        places[..., 1] = np.arange(width)
        return places.reshape(-1, 2)


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

    def by_phase_shift(height, width, d_model, base=10000.0):
        """Take one sine for all columns, with a phase of 0 or pi/2, because cos(a) is sin(a + pi/2).
        It writes into no array, so it also works in JAX, where you cannot change arrays."""
        column = np.arange(d_model)
        half, wave = column // (d_model // 2), column // (d_model // 4) % 2   # row or column, sine or cosine
        places = np.indices((height, width)).reshape(2, -1).T[:, half]        # (n, d_model)
        return np.sin(places * np.tile(_frequencies(d_model, base), 4) + np.pi / 2 * wave)

    def by_four_quarters(height, width, d_model, base=10000.0):
        """Stack the four quarters along a new axis, then reshape. The order of the quarters is one line to read. The
        frequencies are exp of a multiple of -log(base). The result is read-only."""
        quarter = d_model // 4
        speeds = np.exp(np.arange(quarter) * (-math.log(base) / quarter))
        down, across = np.einsum("ap,i->api", np.indices((height, width)).reshape(2, -1), speeds)
        table = np.stack([np.sin(down), np.cos(down), np.sin(across), np.cos(across)], axis=1).reshape(-1, d_model)
        table.flags.writeable = False
        return table

    def by_columns(height, width, d_model, base=10000.0):
        """Compute one column of the table after the other and return the transpose of their array.
        Each column is contiguous in memory, so the result is Fortran-ordered."""
        rows, columns = np.divmod(np.arange(height * width), width)
        speeds = _frequencies(d_model, base)
        return np.array([wave(places * speed) for places in (rows, columns)
                         for wave in (np.sin, np.cos) for speed in speeds]).T


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

    def by_all_maps(encoding, row, column, height, width):
        """Compute the products of all pairs of patches and keep one map. Use it if you draw the maps of all patches
        beside each other."""
        maps = (encoding @ encoding.T).reshape(height, width, height, width)
        return maps[row, column]

    def by_loops(encoding, row, column, height, width):
        """Compute the products patch by patch in the order of the image. Use it to check other versions."""
        own = encoding[row * width + column]
        return np.array([[np.vdot(own, encoding[y * width + x]) for x in range(width)] for y in range(height)])

    def by_distances(encoding, row, column, height, width):
        """Compute a dot product as half of both squared norms minus the squared distance. This shows how the map and
        distances belong together. It needs double precision, because it subtracts large numbers."""
        wide = encoding.astype(np.float64)
        own = wide[row * width + column]
        squares = np.square(wide).sum(axis=1)
        apart = np.square(wide - own).sum(axis=1)
        return ((squares + own @ own - apart) / 2).reshape(height, width)
