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
        """The positions are counted from 1; the first position is 0, and the last is n - 1."""
        return np.arange(1.0, n + 1)[:, None]

    def one_axis(n):
        """The numbers are right, but a code is a row per position, if only of one column: shape (n, 1), not
        (n,)."""
        return np.arange(float(n))


class normalised_positions:
    def divided_by_n(n):
        """The positions are divided by n, so the last stops short of 1: there are n - 1 steps between n
        positions."""
        return np.arange(n)[:, None] / n

    def counts_from_one(n):
        """The positions are counted from 1, so the first is 1/n: it has to be 0."""
        return np.arange(1, n + 1)[:, None] / n

    def single_position_is_nan(n):
        """With one position n - 1 is 0, and 0/0 is NaN: a single position is 0."""
        with np.errstate(all="ignore"):
            return np.arange(n)[:, None] / np.float64(n - 1)

    def from_minus_one(n):
        """The scale runs from -1 to 1; it starts at 0."""
        return np.linspace(-1.0, 1.0, n)[:, None] if n > 1 else np.zeros((1, 1))

    def epsilon_in_the_divisor(n):
        """A small number added to n - 1 saves n = 1 from 0/0, but then the last position is not quite 1:
        treat n = 1 apart."""
        return np.arange(n)[:, None] / (n - 1 + 1e-8)

    def steps_added_up(n):
        """`np.arange` with a fractional step decides by rounding whether its end is in, so some lengths get a
        row too many: count in whole numbers and divide, or use linspace."""
        step = 1 / max(n - 1, 1)
        return np.arange(0.0, 1.0 + step, step)[:, None] if n > 1 else np.zeros((1, 1))


class one_hot_positions:
    def filled_up_to_the_position(n, max_len):
        """All columns up to the position are 1; one-hot means one single 1 in each row."""
        _checked_columns(n, max_len)
        return np.tri(n, max_len)

    def columns_counted_from_one(n, max_len):
        """The 1 stands one column too far to the right: position 0 has column 0."""
        _checked_columns(n, max_len)
        return np.eye(n, max_len, 1)

    def as_many_columns_as_rows(n, max_len):
        """There are n columns; there have to be max_len, so that a shorter text has the same codes."""
        _checked_columns(n, max_len)
        return np.eye(n)

    def zeros_past_the_last_column(n, max_len):
        """Positions that have no column got rows of zeros, all the same: refuse an n above max_len."""
        return np.eye(n, max_len)

    def last_column_shared(n, max_len):
        """Positions past the last column all got the last column: refuse an n above max_len."""
        return np.eye(max_len)[np.minimum(np.arange(n), max_len - 1)]

    def full_table_refused(n, max_len):
        """As many positions as columns are refused, but they fit: only an n above max_len is too large."""
        _checked_columns(n + 1, max_len)
        return np.eye(n, max_len)


class binary_positions:
    def most_significant_first(n, n_bits):
        """The bits stand the way numbers are written, the most significant first; column 0 is the least
        significant one, so it reads 0, 1, 0, 1, ... from top to bottom."""
        _checked_bits(n, n_bits)
        return _bits(np.arange(n), n_bits)[:, ::-1]

    def bits_not_cut_off(n, n_bits):
        """Column b holds the position divided by 2 ** b, with all higher bits still in it: keep the remainder
        of its division by 2."""
        _checked_bits(n, n_bits)
        return _quotients(np.arange(n), n_bits).astype(np.float64)

    def masked_in_place(n, n_bits):
        """Column b is 0 or 2 ** b: the bit was cut out but not moved down, so it is not 0 or 1."""
        _checked_bits(n, n_bits)
        return _bits(np.arange(n), n_bits) * 2.0 ** np.arange(n_bits)

    def power_as_exclusive_or(n, n_bits):
        """In Python `2 ^ b` is the exclusive or of the two numbers, not a power: write `2 ** b`."""
        _checked_bits(n, n_bits)
        with np.errstate(all="ignore"):
            return (np.arange(n)[:, None] // (2 ^ np.arange(n_bits)) % 2).astype(np.float64)

    def starts_again_at_zero(n, n_bits):
        """Past 2 ** n_bits positions the codes start again at 0, so two positions share one: refuse such an
        n."""
        return _bits(np.arange(n), n_bits)

    def full_count_refused(n, n_bits):
        """2 ** n_bits positions are refused, but they fit: the last of them is 2 ** n_bits - 1, all ones."""
        _checked_bits(n + 1, n_bits)
        return _bits(np.arange(n), n_bits)

    def one_byte(n, n_bits):
        """The positions were counted in bytes, which start again at 0 after 255: use a wider type of
        integer."""
        _checked_bits(n, n_bits)
        return _bits(np.arange(n) % 256, n_bits)


class step_sizes:
    def squared(encoding):
        """These are squared distances: the root is missing."""
        return (np.diff(encoding, axis=0) ** 2).sum(axis=1)

    def city_blocks(encoding):
        """The differences of the columns are added without squaring them; the Euclidean distance is the root
        of the sum of their squares."""
        return np.abs(np.diff(encoding, axis=0)).sum(axis=1)

    def between_columns(encoding):
        """These are distances of neighbouring columns; a position is a row, so take the differences along
        axis 0."""
        return np.linalg.norm(np.diff(encoding, axis=1), axis=0)

    def differences_of_lengths(encoding):
        """The lengths of the rows were taken first, and their differences then; subtract the rows, then take
        the length."""
        return np.abs(np.diff(np.linalg.norm(encoding, axis=1)))

    def back_to_the_first_row(encoding):
        """The last entry is the distance of the last row to the first: a text does not go round, so there are
        n - 1 steps."""
        return np.linalg.norm(np.roll(encoding, -1, axis=0) - encoding, axis=1)

    def squares_expanded(encoding):
        """|a|^2 - 2ab + |b|^2 equals |a - b|^2 on paper, but long rows that are close lose all their digits
        in it: subtract first."""
        squares = (encoding * encoding).sum(axis=1)
        products = (encoding[1:] * encoding[:-1]).sum(axis=1)
        return np.sqrt(np.maximum(squares[1:] - 2 * products + squares[:-1], 0.0))
