"""Other right answers to 64_mend_the_rope, and when you would want them."""
import numpy as np


def _dtype(x):
    return np.result_type(x, 1.0)


class rotary_tables:
    def by_column(max_len, d_head, base=10000.0):
        """Compute the exponent of every column directly: c - c % 2 is the same for both columns of a pair.
        No array has to be repeated, and the formula fits on one line."""
        columns = np.arange(d_head)
        angles = np.arange(max_len)[:, None] * base ** (-(columns - columns % 2) / d_head)
        return np.cos(angles), np.sin(angles)

    def by_blocks(max_len, d_head, base=10000.0):
        """Multiply every 64th row by the first 64 rows: a product of complex numbers adds their angles. So all rows
        come from few sines and cosines."""
        speeds = (base ** (-np.arange(0, d_head, 2) / d_head)).repeat(2)       # (d_head,)
        far = np.exp(1j * np.outer(np.arange(0, max_len, 64), speeds))         # (blocks, d_head)
        near = np.exp(1j * np.outer(np.arange(64), speeds))                    # (64, d_head)
        turns = (far[:, None] * near).reshape(-1, d_head)[:max_len]
        return turns.real, turns.imag


class apply_rotary:
    def with_tables_of_its_dtype(x, cos, sin, seq_axis=-2):
        """Convert the tables to float32 for float32 vectors, so no large array is ever float64.
        In transformers 5.23, GPT-J does so in every layer."""
        dtype, shape = _dtype(x), [1] * x.ndim
        shape[seq_axis], shape[-1] = x.shape[seq_axis], x.shape[-1]
        c, s = (table[: x.shape[seq_axis]].reshape(shape).astype(dtype) for table in (cos, sin))
        x = x.astype(dtype, copy=False)
        return x * c + np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape) * s

    def by_moving_the_axis(x, cos, sin, seq_axis=-2):
        """Move the axis of the positions next to the columns, turn, and move it back.
        The tables need no reshape. The result is a view, which may not be C-ordered."""
        moved = np.moveaxis(x, seq_axis, -2)                    # (..., n, d_head)
        c, s = cos[: moved.shape[-2], 0::2], sin[: moved.shape[-2], 0::2]
        turned = np.empty(moved.shape, _dtype(x))
        turned[..., 0::2] = moved[..., 0::2] * c - moved[..., 1::2] * s
        turned[..., 1::2] = moved[..., 0::2] * s + moved[..., 1::2] * c
        return np.moveaxis(turned, -2, seq_axis)

    def by_complex_multiplication(x, cos, sin, seq_axis=-2):
        """View two neighbouring columns as one complex number, and turn it with one multiplication. No array of
        partners is needed."""
        moved = np.moveaxis(x, seq_axis, -2)                    # (..., n, d_head)
        turns = (cos + 1j * sin)[: moved.shape[-2], 0::2]       # (n, d_head / 2)
        turns = turns.astype(np.result_type(_dtype(x), np.complex64))
        points = np.ascontiguousarray(moved, turns.real.dtype).view(turns.dtype)
        turned = (points * turns).view(turns.real.dtype).astype(_dtype(x), copy=False)
        return np.moveaxis(turned, -2, seq_axis)

    def by_loops(x, cos, sin, seq_axis=-2):
        """Turn one vector and one pair at a time. The index along `seq_axis` is the row of the tables. Use it to check
        other versions."""
        turned = np.zeros(x.shape, _dtype(x))
        for row in np.ndindex(x.shape[:-1]):
            position = row[seq_axis % x.ndim]
            for column in range(0, x.shape[-1], 2):
                c, s = float(cos[position, column]), float(sin[position, column])
                across, up = float(x[(*row, column)]), float(x[(*row, column + 1)])
                turned[(*row, column)] = across * c - up * s
                turned[(*row, column + 1)] = across * s + up * c
        return turned
