"""Other right answers to 12_naive_positions, and when one would want them."""
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
        """Count the rows as one goes: a running sum of ones, less the first one.
        With a mask of real tokens in place of the ones it counts past padding, too."""
        return np.cumsum(np.ones((n, 1)), axis=0) - 1.0


class normalised_positions:
    def by_linspace(n):
        """np.linspace makes even steps between two ends that are both included.
        For one position it gives the first end, so 0 / 0 never comes up."""
        return np.linspace(0.0, 1.0, n)[:, None]

    def by_interpolation(n):
        """Read the scale off a line through its two ends: np.interp holds the first value for one position.
        The same call places positions at uneven times, too."""
        return np.interp(np.arange(n), [0, max(n - 1, 1)], [0.0, 1.0]).reshape(n, 1)


class one_hot_positions:
    def by_comparison(n, max_len):
        """Compare every position with every column; what is equal is 1.
        It works for positions in any order and with gaps, where np.eye does not."""
        _checked_columns(n, max_len)
        return (np.arange(n)[:, None] == np.arange(max_len)).astype(np.float64)

    def by_filling_the_diagonal(n, max_len):
        """In the memory of a table of n columns every 1 comes n + 1 entries after the one before it.
        One strided assignment writes them all; the result is a transposed view."""
        _checked_columns(n, max_len)
        table = np.zeros((max_len, n))
        table.reshape(-1)[: n * n : n + 1] = 1.0
        return table.T


class binary_positions:
    def by_text(n, n_bits):
        """Python writes binary numbers itself; read backwards they have the least significant bit first.
        Slow, and hard to get wrong."""
        _checked_bits(n, n_bits)
        return np.array([[float(bit) for bit in reversed(f"{p:0{n_bits}b}")] for p in range(n)])

    def by_shifting(n, n_bits):
        """Integers are binary in memory: shift bit b to the end and keep it. The result holds integers.
        Shifts are faster than divisions, and the largest int64 has its bits as exactly as any other."""
        _checked_bits(n, n_bits)
        return np.arange(n)[:, None] >> np.arange(n_bits) & 1

    def by_square_waves(n, n_bits):
        """Column b stays 0 for 2 ** b rows, then 1 for as many, and so on: a wave made of two halves.
        Seen so, a column is a clock hand with two places, each half as fast as the one before."""
        _checked_bits(n, n_bits)
        waves = [np.tile(np.repeat([0.0, 1.0], 2**b), -(-n // 2 ** (b + 1)))[:n] for b in range(n.bit_length())]
        return np.array(waves[:n_bits] + [np.zeros(n)] * (n_bits - len(waves))).T

    def by_doubling(n, n_bits):
        """Write the rows there are once more with the next bit set, and go on until there are enough.
        No arithmetic at all; the columns that are not needed yet stay 0."""
        _checked_bits(n, n_bits)
        table = np.zeros((1, n_bits))
        bit = 0
        while len(table) < n:
            upper = table.copy()
            upper[:, bit] = 1.0
            table, bit = np.concatenate([table, upper]), bit + 1
        return table[:n]

    def by_unpacking(n, n_bits):
        """NumPy unpacks bytes into bits, the least significant first if told so. The bytes are an int64's,
        and only the wanted columns are kept, or filled up. Packed, eight flags share one byte in memory."""
        _checked_bits(n, n_bits)
        positions = np.arange(n, dtype="<i8").reshape(n, 1)
        bits = np.unpackbits(positions.view(np.uint8), axis=1, bitorder="little")      # (n, 64)
        wider = np.zeros((n, n_bits))
        wider[:, :64] = bits[:, :n_bits]
        return wider


class step_sizes:
    def by_loops(encoding):
        """math.dist for one pair of rows after another: the definition, with no difference left to store.
        It needs no thought about axes, and for a handful of rows no array either."""
        steps = [math.dist(row, after) for row, after in pairwise(encoding.tolist())]
        return np.array(steps)

    def by_einsum(encoding):
        """The sum of squares without an array of squares: einsum multiplies and adds in one go.
        The subtraction comes first, so that rows which are long and close keep their digits."""
        differences = (encoding[1:] - encoding[:-1]).astype(float)     # (n - 1, d)
        return np.sqrt(np.einsum("nd,nd->n", differences, differences))

    def by_hypotenuse(encoding):
        """np.hypot adds one column after another to the distance so far, as sides of right-angled triangles.
        Nothing is squared on its own, so nothing overflows that need not."""
        return np.hypot.reduce(encoding[1:] - encoding[:-1], axis=1)
