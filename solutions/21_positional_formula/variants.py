"""Other right answers to 21_positional_formula, and when one would want them."""
import math

import numpy as np


class frequencies:
    def by_exponential(d_model, base=10000.0):
        """exp of a multiple of -log(base), as most published code has it: one logarithm serves every column.
        The power is the formula as printed; the two agree to rounding."""
        return np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))

    def by_geometric_steps(d_model, base=10000.0):
        """Each frequency is the one before times a constant, so a running product gives them all.
        It shows the geometric series; the error grows by one rounding a step."""
        factors = np.full((d_model + 1) // 2, base ** (-2 / d_model))
        factors[0] = 1.0
        return np.cumprod(factors)

    def by_logspace(d_model, base=10000.0):
        """np.logspace with the endpoint excluded says 'even steps of the exponent' in one call.
        Worth having where the exponents are easier to state than the frequencies."""
        pairs = (d_model + 1) // 2
        return np.logspace(0.0, -2 * pairs / d_model, pairs, endpoint=False, base=base)


class positional_encoding:
    def by_loops(max_len, d_model, base=10000.0):
        """Two loops and math.sin: the formula letter by letter, good for checking a vectorised version.
        Some hundred times slower than NumPy on a table of any size."""
        table = np.zeros((max_len, d_model))
        for position in range(max_len):
            for column in range(d_model):
                angle = position / base ** (2 * (column // 2) / d_model)
                table[position, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
        return table

    def by_complex_exponential(max_len, d_model, base=10000.0):
        """exp(i angle) holds cosine and sine of a pair in one complex number; a view as floats interleaves them.
        Multiplying by i and conjugating puts the sine first. It leads straight to rotary encodings."""
        speeds = base ** (-np.arange(0, d_model, 2) / d_model)
        spiral = np.exp(-1j * np.outer(np.arange(max_len), speeds)) * 1j       # (max_len, pairs): sin + i cos
        return spiral.view(np.float64)[:, :d_model]

    def by_blocks(max_len, d_model, base=10000.0):
        """Angles add where complex numbers multiply: every 64th row times the first 64 rows makes all of them.
        It takes few sines, so it is several times as fast on a (2048, 4096) table; right to rounding."""
        speeds = base ** (-np.arange(0, d_model, 2) / d_model)
        far = np.exp(-1j * np.outer(np.arange(0, max_len, 64), speeds))        # (blocks, pairs)
        near = np.exp(-1j * np.outer(np.arange(64), speeds)) * 1j              # (64, pairs): sin + i cos
        spiral = (far[:, None] * near).reshape(-1, len(speeds))                # (blocks * 64, pairs)
        return spiral.view(np.float64)[:max_len, :d_model]

    def by_phase_shift(max_len, d_model, base=10000.0):
        """cos(a) is sin(a + pi/2): one sine over all columns with a phase of 0 or pi/2, no strided assignment.
        Handy where arrays cannot be written to, as in JAX."""
        columns = np.arange(d_model)
        speeds = base ** (-2 * (columns // 2) / d_model)                       # (d_model,)
        return np.sin(np.arange(max_len)[:, None] * speeds + np.pi / 2 * (columns % 2))

    def by_recurrence(max_len, d_model, base=10000.0):
        """Each row is the one before, turned by one fixed rotation: no sine is taken after row 1.
        Fast where sines are dear; the rounding errors add up along the rows."""
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

    def by_stacking(max_len, d_model, base=10000.0):
        """Stack sine and cosine on a new last axis and flatten it: the interleaving is in the reshape.
        For an odd width the last cosine is computed and dropped. The result is a read-only view."""
        angles = np.outer(np.arange(max_len), base ** (-np.arange(0, d_model, 2) / d_model))
        table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, -1)
        table.flags.writeable = False
        return table[:, :d_model]

    def by_columns(max_len, d_model, base=10000.0):
        """Build the transpose, one contiguous row per column, and return its transposed view.
        Each sine or cosine is then written to memory in one run; the result is Fortran-ordered."""
        positions = np.arange(max_len)
        wave = (np.sin, np.cos)
        columns = [wave[c % 2](positions * base ** (-(c - c % 2) / d_model)) for c in range(d_model)]
        return np.array(columns).T
