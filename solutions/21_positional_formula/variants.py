"""Other right answers to 21_positional_formula, and when you would want them."""
import math

import numpy as np


class frequencies:
    def by_exponential(d_model, base=10000.0):
        """Write the power as exp of a multiple of -log(base), as PyTorch's tutorial on transformers does. One logarithm
        is enough for all pairs. The result agrees with the power up to rounding."""
        return np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))


class positional_encoding:
    def by_loops(max_len, d_model, base=10000.0):
        """Compute the formula entry by entry, with two loops, math.sin and math.cos. Use it to check a vectorised
        version."""
        table = np.zeros((max_len, d_model))
        for position in range(max_len):
            for column in range(d_model):
                angle = position / base ** (2 * (column // 2) / d_model)
                table[position, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
        return table

    def by_complex_exponential(max_len, d_model, base=10000.0):
        """Store a pair as one complex number, sin + i cos, which equals i exp(-i angle).
        A view of it as floats is already interleaved. Rotary encodings can use complex numbers too."""
        speeds = base ** (-np.arange(0, d_model, 2) / d_model)
        spiral = np.exp(-1j * np.outer(np.arange(max_len), speeds)) * 1j       # (max_len, pairs): sin + i cos
        return spiral.view(np.float64)[:, :d_model]

    def by_blocks(max_len, d_model, base=10000.0):
        """Multiply complex numbers to add their angles: every 64th row times the first 64 rows makes all rows. You
        compute few sines, and the result is exact up to rounding."""
        speeds = base ** (-np.arange(0, d_model, 2) / d_model)
        far = np.exp(-1j * np.outer(np.arange(0, max_len, 64), speeds))        # (blocks, pairs)
        near = np.exp(-1j * np.outer(np.arange(64), speeds)) * 1j              # (64, pairs): sin + i cos
        spiral = (far[:, None] * near).reshape(-1, len(speeds))                # (blocks * 64, pairs)
        return spiral.view(np.float64)[:max_len, :d_model]

    def by_phase_shift(max_len, d_model, base=10000.0):
        """Take one sine for all columns, with a phase of 0 or pi/2, because cos(a) is sin(a + pi/2).
        You write into no array, so this also works in JAX, where you cannot change arrays."""
        columns = np.arange(d_model)
        speeds = base ** (-2 * (columns // 2) / d_model)                       # (d_model,)
        return np.sin(np.arange(max_len)[:, None] * speeds + np.pi / 2 * (columns % 2))

    def by_recurrence(max_len, d_model, base=10000.0):
        """Rotate the pairs of each row by fixed angles, their frequencies, to get the next row.
        This shows that one step along the positions is a rotation. Rounding errors add up along the rows."""
        speeds = base ** (-np.arange(0, d_model, 2) / d_model)
        sine, cosine = np.zeros_like(speeds), np.ones_like(speeds)
        rows = []
        for _ in range(max_len):
            rows.append(np.stack([sine, cosine], axis=-1).reshape(-1)[:d_model])
            sine, cosine = (
                sine * np.cos(speeds) + cosine * np.sin(speeds),
                cosine * np.cos(speeds) - sine * np.sin(speeds),
            )
        return np.array(rows)
