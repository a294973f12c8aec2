"""Other right answers to 12_naive_positions, and when you would want them."""
import math
from itertools import pairwise

import numpy as np


def _checked_columns(n, max_len):
    if n > max_len:
        raise ValueError(f"n={n} is too large for max_len={max_len}")


def _checked_bits(n, n_bits):
    if n > 1 << n_bits:
        raise ValueError(f"n={n} is too large for n_bits={n_bits}")


class integer_positions:
    def by_running_sum(n):
        """Take a running sum of ones and subtract 1.
        To leave out padding, use zeros instead of ones for the padding tokens."""
        return np.cumsum(np.ones((n, 1)), axis=0) - 1.0


class normalised_positions:
    def by_linspace(n):
        """np.linspace makes even steps between two ends and includes both.
        For a single position it returns the first end, so you never compute 0 / 0."""
        return np.linspace(0.0, 1.0, n)[:, None]

    def by_interpolation(n):
        """Interpolate between the two ends with np.interp. A single position gets the first value. np.interp also works
        if the positions are unevenly spaced."""
        return np.interp(np.arange(n), [0, max(n - 1, 1)], [0.0, 1.0]).reshape(n, 1)


class one_hot_positions:
    def by_comparison(n, max_len):
        """Compare every position with every column and put 1 where they are equal.
        Unlike np.eye, this works for positions in any order and with gaps."""
        _checked_columns(n, max_len)
        return (np.arange(n)[:, None] == np.arange(max_len)).astype(np.float64)

    def by_filling_the_diagonal(n, max_len):
        """In the memory of a table with n columns, each 1 is n + 1 entries after the previous 1.
        One strided assignment writes them all. The result is a transposed view of this table."""
        _checked_columns(n, max_len)
        table = np.zeros((max_len, n))
        table.reshape(-1)[: n * n : n + 1] = 1.0
        return table.T


class binary_positions:
    def by_text(n, n_bits):
        """Let Python write the binary numbers as text, and reverse them to get the least significant bit first. You
        need no arithmetic, and you can read the digits."""
        _checked_bits(n, n_bits)
        return np.array([[float(bit) for bit in reversed(f"{p:0{n_bits}b}")] for p in range(n)])

    def by_shifting(n, n_bits):
        """Integers are binary in memory: shift bit b to the end and keep only that bit. The result is an integer array.
        Shifts are exact up to the largest int64, while floats are exact only up to 2 ** 53."""
        _checked_bits(n, n_bits)
        return np.arange(n)[:, None] >> np.arange(n_bits) & 1

    def by_square_waves(n, n_bits):
        """Column b is 0 for 2 ** b rows, then 1 for 2 ** b rows, and so on, so you can repeat one wave. This shows the
        likeness to sinusoids: each column has half the frequency of the column before."""
        _checked_bits(n, n_bits)
        waves = [np.tile(np.repeat([0.0, 1.0], 2**b), -(-n // 2 ** (b + 1)))[:n] for b in range(n.bit_length())]
        return np.array(waves[:n_bits] + [np.zeros(n)] * (n_bits - len(waves))).T

    def by_doubling(n, n_bits):
        """Copy the rows that you have, set the next bit in the copy, and repeat until there are enough rows.
        You need no arithmetic on the positions. Columns that you do not need stay 0."""
        _checked_bits(n, n_bits)
        table = np.zeros((1, n_bits))
        bit = 0
        while len(table) < n:
            upper = table.copy()
            upper[:, bit] = 1.0
            table, bit = np.concatenate([table, upper]), bit + 1
        return table[:n]

    def by_unpacking(n, n_bits):
        """View each position as 8 bytes and let np.unpackbits turn them into 64 bits, least significant first.
        Keep the first n_bits of them, or add columns of zeros. The same format stores eight flags in one byte."""
        _checked_bits(n, n_bits)
        positions = np.arange(n, dtype="<i8").reshape(n, 1)
        bits = np.unpackbits(positions.view(np.uint8), axis=1, bitorder="little")      # (n, 64)
        wider = np.zeros((n, n_bits))
        wider[:, :64] = bits[:, :n_bits]
        return wider


class step_sizes:
    def by_loops(encoding):
        """Call math.dist for each pair of neighbouring rows. This is the definition, row by row, and you do not have to
        think about axes."""
        steps = [math.dist(row, after) for row, after in pairwise(encoding.tolist())]
        return np.array(steps)

    def by_einsum(encoding):
        """Subtract the rows first. Then einsum squares and adds in one pass, without an array of squares.
        This saves memory if the table is large."""
        differences = (encoding[1:] - encoding[:-1]).astype(float)     # (n - 1, d)
        return np.sqrt(np.einsum("nd,nd->n", differences, differences))

    def by_hypotenuse(encoding):
        """np.hypot adds one column after another to the distance, like the sides of right-angled triangles.
        It does not overflow as long as the distance itself is finite."""
        return np.hypot.reduce(encoding[1:] - encoding[:-1], axis=1)
