"""Wrong answers to 24_shift_matrix; each docstring is what the learner is told."""
import numpy as np


def _frequencies(d_model, base):
    return base ** (-np.arange(0, d_model, 2) / d_model)        # (d_model / 2,)


def _needs_pairs(d_model):
    if d_model % 2:
        raise ValueError(f"d_model must be even, got {d_model}")


def _blocks(upper_left, upper_right, lower_left, lower_right):
    """The four numbers of every pair, laid along the diagonal."""
    sines = 2 * np.arange(len(upper_left))
    matrix = np.zeros((2 * len(sines), 2 * len(sines)))
    matrix[sines, sines] = upper_left
    matrix[sines, sines + 1] = upper_right
    matrix[sines + 1, sines] = lower_left
    matrix[sines + 1, sines + 1] = lower_right
    return matrix


def _turned(angles):
    cosine, sine = np.cos(angles), np.sin(angles)
    return _blocks(cosine, sine, -sine, cosine)


def _matrix(offset, d_model, base):
    return _turned(offset * _frequencies(d_model, base))


def _table(positions, d_model, base):
    angles = np.multiply.outer(positions, _frequencies(d_model, base))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*np.shape(positions), d_model)


def _moved(encoding, matrix):
    return encoding @ matrix.T


class shift_matrix:
    def transposed_rotation(offset, d_model, base=10000.0):
        """You transpose every block, so the matrix moves rows backwards. A pair of the table is (sine, cosine), so its
        block is [[cos, sin], [-sin, cos]]."""
        _needs_pairs(d_model)
        return _matrix(offset, d_model, base).T

    def minus_forgotten(offset, d_model, base=10000.0):
        """You give both sines of a block a plus. The cosine of a sum is cos cos minus sin sin, so the lower sine needs
        a minus."""
        _needs_pairs(d_model)
        angles = offset * _frequencies(d_model, base)
        return _blocks(np.cos(angles), np.sin(angles), np.sin(angles), np.cos(angles))

    def sine_and_cosine_swapped(offset, d_model, base=10000.0):
        """You swap sines and cosines in the blocks. Put the cosines on the diagonal. Check: the matrix of offset 0 is
        the identity matrix."""
        _needs_pairs(d_model)
        return _turned(np.pi / 2 - offset * _frequencies(d_model, base))

    def in_halves(offset, d_model, base=10000.0):
        """You put the columns of a pair d_model/2 apart, as in a table with all sines first. In this table, sine and
        cosine are neighbours: pair i has rows and columns 2i and 2i + 1."""
        _needs_pairs(d_model)
        order = np.arange(d_model).reshape(-1, 2).T.ravel()
        return _matrix(offset, d_model, base)[np.ix_(order, order)]

    def one_speed_for_all(offset, d_model, base=10000.0):
        """You turn every pair by the offset itself. Multiply the offset by the frequency of the pair, base **
        (-2i/d_model). If you wrote `//` there, the exponent is 0 for every pair."""
        _needs_pairs(d_model)
        return _turned(np.full(d_model // 2, float(offset)))

    def every_column_its_own_exponent(offset, d_model, base=10000.0):
        """You give the two rows of a block different exponents. They must share 2i/d_model, where i = column // 2 is
        the number of the pair."""
        _needs_pairs(d_model)
        angles = offset * base ** (-2 * np.arange(d_model) / d_model)
        sine, cosine = np.sin(angles), np.cos(angles)
        return _blocks(cosine[0::2], sine[0::2], -sine[1::2], cosine[1::2])

    def cosine_its_own_exponent(offset, d_model, base=10000.0):
        """You use the exponent (2i + 1)/d_model in the lower row of a block. Both rows of a block must use
        2i/d_model."""
        _needs_pairs(d_model)
        angles = offset * base ** (-np.arange(d_model) / d_model)
        sine, cosine = np.sin(angles), np.cos(angles)
        return _blocks(cosine[0::2], sine[0::2], -sine[1::2], cosine[1::2])

    def doubled_twice(offset, d_model, base=10000.0):
        """You double the exponent twice. A range with a step of 2 is 2i already, so divide it by d_model and do not
        multiply it by 2 again."""
        _needs_pairs(d_model)
        return _turned(offset * _frequencies(d_model, base) ** 2)

    def missing_two(offset, d_model, base=10000.0):
        """You leave out the 2 of 2i/d_model, so every pair but the first turns too fast. Multiply i by 2."""
        _needs_pairs(d_model)
        return _turned(offset * np.sqrt(_frequencies(d_model, base)))

    def power_not_divided(offset, d_model, base=10000.0):
        """You multiply the offset by base ** (2i/d_model) instead of dividing by it. Give the exponent a minus sign."""
        _needs_pairs(d_model)
        return _turned(offset / _frequencies(d_model, base))

    def power_overflows(offset, d_model, base=10000.0):
        """You compute the power `base ** (2i)`, which becomes too large for a float, so the last pairs of wide matrices
        do not turn. Divide the exponent by d_model before you take the power."""
        _needs_pairs(d_model)
        with np.errstate(over="ignore"):
            powers = float(base) ** np.arange(0, d_model, 2)
        return _turned(offset / powers ** (1 / d_model))

    def endpoint_included(offset, d_model, base=10000.0):
        """You let the exponents run from 0 to 1, both included. They must go up in steps of 2/d_model, and the last one
        is below 1."""
        _needs_pairs(d_model)
        return _turned(offset * base ** -np.linspace(0.0, 1.0, d_model // 2))

    def base_fixed(offset, d_model, base=10000.0):
        """You always use the base 10000. Use the argument `base`."""
        _needs_pairs(d_model)
        return _matrix(offset, d_model, 10000.0)

    def base_1000(offset, d_model, base=1000.0):
        """You use 1000 as the default of `base`. It must be 10000."""
        _needs_pairs(d_model)
        return _matrix(offset, d_model, base)

    def sign_lost(offset, d_model, base=10000.0):
        """You lose the sign of the offset, so a negative offset moves rows forward. It must move them back: its sines
        have the opposite sign."""
        _needs_pairs(d_model)
        return _matrix(abs(offset), d_model, base)

    def fractions_cut(offset, d_model, base=10000.0):
        """You cut the offset to a whole number. Use it unchanged: an offset of half a position has a matrix too."""
        _needs_pairs(d_model)
        return _matrix(int(offset), d_model, base)

    def half_precision_angles(offset, d_model, base=10000.0):
        """You compute the angles in half precision, which keeps only three digits. Use float64."""
        _needs_pairs(d_model)
        angles = np.float16(offset) * _frequencies(d_model, base).astype(np.float16)
        return _turned(angles.astype(np.float64))

    def from_position_zero_only(offset, d_model, base=10000.0):
        """You return a matrix that moves the row of position 0 correctly, but no other row. Build one block per pair,
        which works for every position."""
        _needs_pairs(d_model)
        there, zero = _table(np.array([offset, 0]), d_model, base)
        return np.outer(there, zero) / (d_model / 2)

    def odd_column_left_alone(offset, d_model, base=10000.0):
        """You return a matrix for an odd width, but the last sine has no cosine and cannot move. Raise ValueError for
        an odd width."""
        angles = offset * _frequencies(d_model, base)[: d_model // 2]
        matrix = np.eye(d_model)
        matrix[: 2 * len(angles), : 2 * len(angles)] = _turned(angles)
        return matrix


class shift_encoding:
    def not_transposed(encoding, offset, base=10000.0):
        """You multiply the table by M and not by its transpose, so every row moves backwards. `M @ row` moves one row.
        For all rows, use `encoding @ M.T`."""
        return _moved(encoding, _matrix(offset, encoding.shape[-1], base).T)

    def rows_rolled(encoding, offset, base=10000.0):
        """You move the rows to other places in the table. Keep each row in its place and change its numbers. A row may
        move to a position that no row of the table has."""
        return np.roll(encoding, -int(offset), axis=0)

    def counted_from_zero(encoding, offset, base=10000.0):
        """You compute the rows anew, as if their positions were 0, 1, 2, ... plus the offset. They may have any
        positions, so use the numbers in the rows."""
        n, d_model = encoding.shape
        return _table(np.arange(n) + offset, d_model, base)

    def lengths_lost(encoding, offset, base=10000.0):
        """You give every pair length 1, because you keep only its angle. If a row doubles, the moved row must double,
        and zeros must stay zeros. Multiply the numbers of the row by the matrix."""
        angles = np.arctan2(encoding[:, 0::2], encoding[:, 1::2])              # (n, d / 2)
        angles = angles + offset * _frequencies(encoding.shape[-1], base)
        moved = np.stack([np.sin(angles), np.cos(angles)], axis=-1)            # (n, d / 2, 2)
        return moved.reshape(encoding.shape)

    def offset_added(encoding, offset, base=10000.0):
        """You add the row of the offset to every row. Positions add in the angles, not in the sines and cosines.
        Multiply each row by the matrix."""
        return encoding + _table(offset, encoding.shape[-1], base)

    def farther_row_by_row(encoding, offset, base=10000.0):
        """You move each row `offset` positions further than the row before it. Move all rows by the same offset."""
        d_model = encoding.shape[-1]
        rows = [_moved(row, _matrix((r + 1) * offset, d_model, base)) for r, row in enumerate(encoding)]
        return np.array(rows)

    def base_dropped(encoding, offset, base=10000.0):
        """You do not use `base`, so the rows always move with base 10000. Pass it to `shift_matrix`."""
        return _moved(encoding, _matrix(offset, encoding.shape[-1], 10000.0))

    def reads_what_it_wrote(encoding, offset, base=10000.0):
        """You compute the new cosines from the new sines, because the second line reads numbers that the first line has
        overwritten. Keep the old sines until both lines are done."""
        angles = offset * _frequencies(encoding.shape[-1], base)
        cosine, sine = np.cos(angles), np.sin(angles)
        rows = encoding.astype(float)
        rows[:, 0::2] = rows[:, 0::2] * cosine + rows[:, 1::2] * sine
        rows[:, 1::2] = rows[:, 1::2] * cosine - rows[:, 0::2] * sine
        return rows

    def in_halves(encoding, offset, base=10000.0):
        """You read the columns as all sines, then all cosines. In this table, sine and cosine of a pair are neighbours,
        in columns 2i and 2i + 1."""
        order = np.arange(encoding.shape[-1]).reshape(-1, 2).T.ravel()
        return _moved(encoding, _matrix(offset, encoding.shape[-1], base)[np.ix_(order, order)])

    def position_read_back(encoding, offset, base=10000.0):
        """You compute a position from one pair, and its row anew. That fails for rows outside the table, such as twice
        a row or zeros. Apply the matrix to all numbers of a row."""
        slowest = _frequencies(encoding.shape[-1], base)[-1]
        positions = np.arctan2(encoding[:, -2], encoding[:, -1]) / slowest     # (n,)
        return _table(positions + offset, encoding.shape[-1], base)

    def only_forward(encoding, offset, base=10000.0):
        """You leave the rows unchanged if the offset is negative. Move them back, by the same formula."""
        return _moved(encoding, _matrix(max(offset, 0), encoding.shape[-1], base))

    def one_step_only(encoding, offset, base=10000.0):
        """You move the rows by one position, whatever `offset` is. Pass it to `shift_matrix`."""
        return _moved(encoding, _matrix(1, encoding.shape[-1], base))

    def changes_the_rows(encoding, offset, base=10000.0):
        """You write the moved rows into the argument `encoding`. Return a new array, and leave the argument
        unchanged."""
        moved = _moved(encoding, _matrix(offset, encoding.shape[-1], base))
        if encoding.flags.writeable and encoding.dtype.kind == "f":
            encoding[...] = moved
        return moved

    def cut_to_whole_numbers(encoding, offset, base=10000.0):
        """You cut the result to whole numbers, because `encoding` has whole numbers. Return floats, whatever the dtype
        of `encoding`."""
        return _moved(encoding, _matrix(offset, encoding.shape[-1], base)).astype(encoding.dtype)
