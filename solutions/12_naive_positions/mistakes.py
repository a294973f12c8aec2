"""Wrong answers to 12_naive_positions; each docstring is what the learner is told."""
import numpy as np


def _checked_columns(n, max_len):
    if n > max_len:
        raise ValueError(f"n must be at most max_len, got n={n} and max_len={max_len}")


def _checked_bits(n, n_bits):
    if n > 2**n_bits:
        raise ValueError(f"n must be at most 2 ** n_bits, got n={n} and n_bits={n_bits}")


def _quotients(positions, n_bits):
    return positions[:, None] >> np.arange(n_bits)              # (n, n_bits)


def _bits(positions, n_bits):
    return (_quotients(positions, n_bits) & 1).astype(np.float64)


class integer_positions:
    def counts_from_one(n):
        """You count the positions from 1. The first position is 0, and the last is n - 1."""
        return np.arange(1.0, n + 1)[:, None]

    def one_axis(n):
        """You return the right numbers in the shape (n,). Return one row per position and one column, shape (n, 1)."""
        return np.arange(float(n))


class normalised_positions:
    def divided_by_n(n):
        """You divide the positions by n, so the last one is below 1. There are n - 1 steps between n positions."""
        return np.arange(n)[:, None] / n

    def counts_from_one(n):
        """You count the positions from 1, so the first code is 1/n. It must be 0: count from 0 and divide by n - 1."""
        return np.arange(1, n + 1)[:, None] / n

    def single_position_is_nan(n):
        """You divide by n - 1, which is 0 for a single position, and 0/0 is NaN. Return 0 for a single position."""
        with np.errstate(all="ignore"):
            return np.arange(n)[:, None] / np.float64(n - 1)

    def from_minus_one(n):
        """Your positions run from -1 to 1. They must run from 0 to 1."""
        return np.linspace(-1.0, 1.0, n)[:, None] if n > 1 else np.zeros((1, 1))

    def epsilon_in_the_divisor(n):
        """You add a small number to n - 1 to avoid 0/0, so the last position is a little below 1. Handle n = 1
        separately."""
        return np.arange(n)[:, None] / (n - 1 + 1e-8)

    def steps_added_up(n):
        """For some lengths you return one row too many, because rounding decides whether `np.arange` includes the end.
        Count in whole numbers and divide, or use np.linspace."""
        step = 1 / max(n - 1, 1)
        return np.arange(0.0, 1.0 + step, step)[:, None] if n > 1 else np.zeros((1, 1))


class one_hot_positions:
    def filled_up_to_the_position(n, max_len):
        """You set all columns up to the position to 1. A one-hot row has a single 1, in the column of its position."""
        _checked_columns(n, max_len)
        return np.tri(n, max_len)

    def columns_counted_from_one(n, max_len):
        """You put the 1 one column too far to the right. Position 0 has its 1 in column 0."""
        _checked_columns(n, max_len)
        return np.eye(n, max_len, 1)

    def as_many_columns_as_rows(n, max_len):
        """You return n columns. Return max_len columns, so that a position has the same code in a shorter text."""
        _checked_columns(n, max_len)
        return np.eye(n)

    def zeros_past_the_last_column(n, max_len):
        """You return the same row of zeros for all positions without a column. Raise a ValueError if n is above
        max_len."""
        return np.eye(n, max_len)

    def last_column_shared(n, max_len):
        """You give the last column to all positions past it. Raise a ValueError if n is above max_len."""
        return np.eye(max_len)[np.minimum(np.arange(n), max_len - 1)]

    def full_table_refused(n, max_len):
        """You refuse as many positions as columns, but they fit. Only an n above max_len is too large."""
        _checked_columns(n + 1, max_len)
        return np.eye(n, max_len)


class binary_positions:
    def most_significant_first(n, n_bits):
        """You put the most significant bit first. Column 0 is the least significant bit, so it reads 0, 1, 0, 1, ...
        from top to bottom."""
        _checked_bits(n, n_bits)
        return _bits(np.arange(n), n_bits)[:, ::-1]

    def bits_not_cut_off(n, n_bits):
        """You return the position divided by 2 ** b in column b, which still includes all higher bits. Take the
        remainder modulo 2."""
        _checked_bits(n, n_bits)
        return _quotients(np.arange(n), n_bits).astype(np.float64)

    def masked_in_place(n, n_bits):
        """You do not shift the bit down, so column b is 0 or 2 ** b. It must be 0 or 1."""
        _checked_bits(n, n_bits)
        return _bits(np.arange(n), n_bits) * 2.0 ** np.arange(n_bits)

    def power_as_exclusive_or(n, n_bits):
        """You write `2 ^ b` for a power. In Python, `^` is the exclusive or of two numbers. Write `2 ** b`."""
        _checked_bits(n, n_bits)
        with np.errstate(all="ignore"):
            return (np.arange(n)[:, None] // (2 ^ np.arange(n_bits)) % 2).astype(np.float64)

    def starts_again_at_zero(n, n_bits):
        """You start again at 0 after 2 ** n_bits positions, so two positions share a code. Raise a ValueError if n is
        above 2 ** n_bits."""
        return _bits(np.arange(n), n_bits)

    def full_count_refused(n, n_bits):
        """You refuse 2 ** n_bits positions, but they fit. The code of the last one, 2 ** n_bits - 1, is all ones."""
        _checked_bits(n + 1, n_bits)
        return _bits(np.arange(n), n_bits)

    def one_byte(n, n_bits):
        """You count the positions in bytes, which start again at 0 after 255. Use a wider integer type."""
        _checked_bits(n, n_bits)
        return _bits(np.arange(n) % 256, n_bits)


class step_sizes:
    def squared(encoding):
        """You return squared distances. Take the square root."""
        return (np.diff(encoding, axis=0) ** 2).sum(axis=1)

    def city_blocks(encoding):
        """You add up absolute differences. The Euclidean distance is the square root of the sum of the squared
        differences."""
        return np.abs(np.diff(encoding, axis=0)).sum(axis=1)

    def between_columns(encoding):
        """You return distances between neighbouring columns. A position is a row, so take the differences along
        axis 0."""
        return np.linalg.norm(np.diff(encoding, axis=1), axis=0)

    def differences_of_lengths(encoding):
        """You take the lengths of the rows first and then their differences. Subtract the rows first, then take
        the length."""
        return np.abs(np.diff(np.linalg.norm(encoding, axis=1)))

    def back_to_the_first_row(encoding):
        """Your last entry is the distance from the last row back to the first. The last row has no next row, so return
        n - 1 steps."""
        return np.linalg.norm(np.roll(encoding, -1, axis=0) - encoding, axis=1)

    def squares_expanded(encoding):
        """You use |a|^2 - 2ab + |b|^2. On paper this equals |a - b|^2, but for long rows that are close together,
        rounding leaves few correct digits. Subtract the rows first."""
        squares = (encoding * encoding).sum(axis=1)
        products = (encoding[1:] * encoding[:-1]).sum(axis=1)
        return np.sqrt(np.maximum(squares[1:] - 2 * products + squares[:-1], 0.0))
