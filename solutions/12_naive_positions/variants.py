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
        """np.linspace returns evenly spaced numbers between two ends and includes both.
        For a single position it returns the first end, so you never compute 0 / 0."""
        return np.linspace(0.0, 1.0, n)[:, None]


class one_hot_positions:
    def by_comparison(n, max_len):
        """Compare every position with every column and put 1 where they are equal.
        Unlike np.eye, this works for positions in any order and with gaps."""
        _checked_columns(n, max_len)
        return (np.arange(n)[:, None] == np.arange(max_len)).astype(np.float64)


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
