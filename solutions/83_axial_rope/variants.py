"""Other right answers to 83_axial_rope, and what each is good for."""
import math

import numpy as np


def _dtype(x):
    return x.dtype if np.issubdtype(x.dtype, np.floating) else np.dtype(np.float64)


def _speeds(x, base):
    half = x.shape[-1] // 2
    return np.exp(np.arange(0, half, 2) * (-math.log(base) / half))             # (d_head / 4,)


def _rope(x, positions, base):
    """Kata 61: neighbours as complex numbers, turned by one kind of position."""
    speeds = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    points = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * np.multiply.outer(positions, speeds))
    return np.stack([points.real, points.imag], axis=-1).reshape(x.shape)


def _turned(x, rows, columns, base):
    """Neighbours as complex numbers in the precision of x, by angles without whole turns."""
    places = np.stack([rows, columns], axis=-1)[..., None]                      # (n, 2, 1)
    angles = (places * _speeds(x, base)).reshape(len(rows), -1)                 # (n, d_head / 2)
    if _dtype(x).itemsize < 8:                                        # near 0, float32 will do for the sines, too
        angles = (angles - 2 * np.pi * np.rint(angles / (2 * np.pi))).astype(np.float32)
    turns = np.empty(angles.shape, np.result_type(_dtype(x), np.complex64))
    turns.real, turns.imag = np.cos(angles), np.sin(angles)
    points = np.ascontiguousarray(x, turns.real.dtype).view(turns.dtype)        # (..., n, d_head / 2)
    return (points * turns).view(turns.real.dtype)


class axial_rope:
    def by_two_ropes(x, rows, columns, base=10000.0):
        """Split the head, turn each half with the rotation of kata 61, and join them.
        It shows that an axial rotation is two ordinary ones side by side."""
        by_row, by_column = np.split(x, 2, axis=-1)
        return np.concatenate([_rope(by_row, rows, base), _rope(by_column, columns, base)], axis=-1).astype(_dtype(x))

    def without_whole_turns(x, rows, columns, base=10000.0):
        """Treat a pair as one complex number. Subtract whole turns from its angle, so float32 vectors need only float32
        sines. The benchmark page in tests/benchmarks shows its time."""
        return _turned(x, rows, columns, base)

    def by_loops(x, rows, columns, base=10000.0):
        """Turn one patch and one pair at a time with math.cos: the formula without any array operation. Use it to check
        other versions."""
        quarter, turned = x.shape[-1] // 4, np.zeros(x.shape, _dtype(x))
        for place in np.ndindex(x.shape[:-1]):
            for pair in range(2 * quarter):
                position = float((rows if pair < quarter else columns)[place[-1]])
                angle = position / base ** ((pair % quarter) / quarter)
                even, odd = float(x[(*place, 2 * pair)]), float(x[(*place, 2 * pair + 1)])
                turned[(*place, 2 * pair)] = even * math.cos(angle) - odd * math.sin(angle)
                turned[(*place, 2 * pair + 1)] = even * math.sin(angle) + odd * math.cos(angle)
        return turned

    def with_an_axis_for_the_halves(x, rows, columns, base=10000.0):
        """Reshape the head to (2, d_head / 4, 2): which half, which pair, which column of the pair. The places get the
        same first axis. It grows to three directions, as for video, with a 3 in place of the 2."""
        places = np.stack([rows, columns], axis=-1)                             # (n, 2)
        angles = places[:, :, None] * _speeds(x, base)                          # (n, 2, d_head / 4)
        pairs = x.reshape(*x.shape[:-1], 2, -1, 2)
        cos, sin, even, odd = np.cos(angles), np.sin(angles), pairs[..., 0], pairs[..., 1]
        turned = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
        return turned.reshape(x.shape).astype(_dtype(x))

    def by_partners(x, rows, columns, base=10000.0):
        """Multiply each column by its cosine, and add its partner with its sign times the sine, as in the code of
        EVA-02. You can keep the tables of cosines and sines for all layers."""
        angles = np.concatenate([np.outer(p, np.repeat(_speeds(x, base), 2)) for p in (rows, columns)], axis=-1)
        number = np.arange(x.shape[-1])
        partner = x[..., number ^ 1] * np.where(number % 2, 1, -1)              # -x1, x0, -x3, x2, ...
        return (x * np.cos(angles) + partner * np.sin(angles)).astype(_dtype(x))


class axial_scores:
    def without_whole_turns(q, k, height, width, base=10000.0):
        """Turn queries and keys as complex numbers in their own precision, then multiply the matrices."""
        rows, columns = np.divmod(np.arange(height * width), width)
        return _turned(q, rows, columns, base) @ np.swapaxes(_turned(k, rows, columns, base), -1, -2)

    def sum_of_two_scores(q, k, height, width, base=10000.0):
        """Add the score of the rows and the score of the columns, each from its half of the head. It shows what the
        method can express: a function of the row offset plus one of the column offset."""
        rows, columns = np.divmod(np.arange(height * width), width)
        total = 0.0
        for half, places in enumerate((rows, columns)):
            queries, keys = (_rope(np.split(v, 2, axis=-1)[half], places, base) for v in (q, k))
            total = total + queries @ np.swapaxes(keys, -1, -2)
        return total.astype(_dtype(q))

    def from_the_centre(q, k, height, width, base=10000.0):
        """Count rows and columns from the centre of the image. Only offsets matter, so the scores are the same.
        The angles are half as large, so they lose less to rounding."""
        rows, columns = np.meshgrid(np.arange(height) - height / 2, np.arange(width) - width / 2, indexing="ij")
        places = rows.ravel(), columns.ravel()
        return _turned(q, *places, base) @ np.swapaxes(_turned(k, *places, base), -1, -2)


class resized_positions:
    def by_meshgrid(height, width, train_height, train_width):
        """Resize one list of rows and one of columns, and let np.meshgrid repeat them for all patches.
        indexing="ij" puts the rows first. Only height + width numbers are divided."""
        rows = np.arange(height) * (train_height / height)
        columns = np.arange(width) * (train_width / width)
        return tuple(grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))

    def by_repeating(height, width, train_height, train_width):
        """Repeat every row `width` times, and tile the columns `height` times.
        It makes nothing but the two results."""
        rows = np.linspace(0.0, train_height, height, endpoint=False)
        columns = np.linspace(0.0, train_width, width, endpoint=False)
        return np.repeat(rows, width), np.tile(columns, height)

    def by_indices(height, width, train_height, train_width):
        """Let np.indices make rows and columns of all patches, and resize both with one division. The result is one
        array of shape (2, height * width), whose two rows are the two results."""
        steps = np.array([[train_height / height], [train_width / width]])
        return np.indices((height, width)).reshape(2, -1) * steps

    def by_loops(height, width, train_height, train_width):
        """Write two loops over the image, in the order of reading. It shows the numbering of the patches."""
        places = [(row / height * train_height, column / width * train_width)
                  for row in range(height) for column in range(width)]
        return np.array([row for row, _ in places]), np.array([column for _, column in places])
