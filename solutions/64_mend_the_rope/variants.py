"""Other right answers to 64_mend_the_rope, and when one would want them."""
import math

import numpy as np


def _check_sizes(max_len, d_head, base):
    if max_len < 1:
        raise ValueError(f"max_len is out of range: {max_len}")
    if d_head < 1 or d_head % 2:
        raise ValueError(f"d_head must be even and above 0: {d_head}")
    if base <= 0:
        raise ValueError(f"base is out of range: {base}")


def _check(x, cos, sin, seq_axis):
    if x.ndim < 2:
        raise ValueError(f"x has too few axes: shape {x.shape}")
    if seq_axis not in range(-x.ndim, x.ndim) or seq_axis % x.ndim == x.ndim - 1:
        raise ValueError(f"seq_axis = {seq_axis} is no axis for positions")
    for name, table in (("cos", cos), ("sin", sin)):
        if table.shape[-1] != x.shape[-1] or len(table) < x.shape[seq_axis]:
            raise ValueError(f"{name} of shape {table.shape} does not fit x, shape {x.shape}")
    if cos.shape != sin.shape:
        raise ValueError(f"sin must be like cos, shape {cos.shape}, got {sin.shape}")


def _dtype(x):
    return x.dtype if np.issubdtype(x.dtype, np.floating) else np.dtype(np.float64)


class rotary_tables:
    def by_column(max_len, d_head, base=10000.0):
        """The exponent of column c is c - c % 2: the even number at or below it, which both of a pair share.
        Nothing has to be repeated, and the formula stands in one line."""
        _check_sizes(max_len, d_head, base)
        columns = np.arange(d_head)
        angles = np.arange(max_len)[:, None] * base ** (-(columns - columns % 2) / d_head)
        return np.cos(angles), np.sin(angles)

    def by_complex_powers(max_len, d_head, base=10000.0):
        """exp(1j * angle) holds both numbers; the real parts are one table, the imaginary parts the other.
        Both come back as read-only views of one complex array."""
        _check_sizes(max_len, d_head, base)
        speeds = np.exp(np.arange(0, d_head, 2) * (-math.log(base) / d_head))
        turns = np.exp(1j * np.outer(np.arange(max_len), speeds).repeat(2, axis=1))
        turns.flags.writeable = False
        return turns.real, turns.imag

    def by_blocks(max_len, d_head, base=10000.0):
        """Angles add where complex numbers multiply: every 64th row times the first 64 rows makes all of them.
        Few sines, so 3 copies of two (2048, 128) tables where the reference takes 9; right to rounding."""
        _check_sizes(max_len, d_head, base)
        speeds = (base ** (-np.arange(0, d_head, 2) / d_head)).repeat(2)       # (d_head,)
        far = np.exp(1j * np.outer(np.arange(0, max_len, 64), speeds))         # (blocks, d_head)
        near = np.exp(1j * np.outer(np.arange(64), speeds))                    # (64, d_head)
        turns = (far[:, None] * near).reshape(-1, d_head)[:max_len]
        return turns.real, turns.imag


class apply_rotary:
    def by_moving_the_axis(x, cos, sin, seq_axis=-2):
        """Move the sequence next to the columns, turn there, and move it back: no shape has to be built.
        The result is a view whose axes are not in C order."""
        _check(x, cos, sin, seq_axis)
        moved = np.moveaxis(x, seq_axis, -2)                    # (..., n, d_head)
        c, s = cos[: moved.shape[-2], 0::2], sin[: moved.shape[-2], 0::2]
        turned = np.empty(moved.shape, _dtype(x))
        turned[..., 0::2] = moved[..., 0::2] * c - moved[..., 1::2] * s
        turned[..., 1::2] = moved[..., 0::2] * s + moved[..., 1::2] * c
        return np.moveaxis(turned, -2, seq_axis)

    def by_complex_multiplication(x, cos, sin, seq_axis=-2):
        """Neighbours viewed as one complex number, turned by one product; the sequence moved next to them.
        1.5 copies of a (1, 32, 2048, 128) array where the reference takes 6."""
        _check(x, cos, sin, seq_axis)
        moved = np.moveaxis(x, seq_axis, -2)                    # (..., n, d_head)
        turns = (cos + 1j * sin)[: moved.shape[-2], 0::2]       # (n, d_head / 2)
        turns = turns.astype(np.result_type(_dtype(x), np.complex64))
        points = np.ascontiguousarray(moved, turns.real.dtype).view(turns.dtype)
        turned = (points * turns).view(turns.real.dtype).astype(_dtype(x), copy=False)
        return np.moveaxis(turned, -2, seq_axis)

    def by_loops(x, cos, sin, seq_axis=-2):
        """One row and one pair at a time: the index along the sequence says which row of the tables to read.
        Some hundred times slower than NumPy on an array of any size."""
        _check(x, cos, sin, seq_axis)
        turned = np.zeros(x.shape, _dtype(x))
        for row in np.ndindex(x.shape[:-1]):
            position = row[seq_axis % x.ndim]
            for column in range(0, x.shape[-1], 2):
                c, s = float(cos[position, column]), float(sin[position, column])
                across, up = float(x[(*row, column)]), float(x[(*row, column + 1)])
                turned[(*row, column)] = across * c - up * s
                turned[(*row, column + 1)] = across * s + up * c
        return turned

    def position_by_position(x, cos, sin, seq_axis=-2):
        """With the sequence as first axis, one position is one entry of it, turned by one row of each table.
        Whatever the other axes are, the row fits the last of them by itself."""
        _check(x, cos, sin, seq_axis)
        columns = np.arange(x.shape[-1])
        signs = np.where(columns % 2, 1.0, -1.0)
        turned = [entry * cos[p] + entry[..., columns ^ 1] * (signs * sin[p])
                  for p, entry in enumerate(np.moveaxis(x, seq_axis, 0))]
        return np.moveaxis(np.array(turned), 0, seq_axis).astype(_dtype(x))

    def by_small_matrices(x, cos, sin, seq_axis=-2):
        """One 2 x 2 matrix per position and pair, applied by einsum to pairs as an axis of their own.
        It stores every cosine and sine twice, and writes the rotation as textbooks do."""
        _check(x, cos, sin, seq_axis)
        pairs = np.moveaxis(x, seq_axis, -2)
        n = pairs.shape[-2]
        pairs = pairs.reshape(*pairs.shape[:-1], -1, 2)         # (..., n, d_head / 2, 2)
        c, s = cos[:n, 0::2], sin[:n, 0::2]
        matrices = np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
        turned = np.einsum("npij,...npj->...npi", matrices, pairs)
        return np.moveaxis(turned.reshape(*turned.shape[:-2], -1), -2, seq_axis).astype(_dtype(x))
