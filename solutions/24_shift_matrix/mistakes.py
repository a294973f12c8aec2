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
        """Every block is transposed, so the matrix moves backwards. A pair is sine, then cosine: its
        block is [[cos, sin], [-sin, cos]]."""
        _needs_pairs(d_model)
        return _matrix(offset, d_model, base).T

    def minus_forgotten(offset, d_model, base=10000.0):
        """Both sines of a block are positive: the cosine of a sum is cos cos minus sin sin, so the lower
        one wants a minus."""
        _needs_pairs(d_model)
        angles = offset * _frequencies(d_model, base)
        return _blocks(np.cos(angles), np.sin(angles), np.sin(angles), np.cos(angles))

    def sine_and_cosine_swapped(offset, d_model, base=10000.0):
        """Sines and cosines are swapped: the diagonal holds the cosines, so that an offset of 0 moves
        nothing."""
        _needs_pairs(d_model)
        return _turned(np.pi / 2 - offset * _frequencies(d_model, base))

    def in_halves(offset, d_model, base=10000.0):
        """The four numbers of a pair stand d_model/2 columns apart, as for a table with all sines first.
        Here sine and cosine are neighbours, and so are rows and columns 2i and 2i + 1."""
        _needs_pairs(d_model)
        order = np.arange(d_model).reshape(-1, 2).T.ravel()
        return _matrix(offset, d_model, base)[np.ix_(order, order)]

    def one_speed_for_all(offset, d_model, base=10000.0):
        """Every pair turns by the offset itself: each has a frequency of its own, base ** (-2i/d_model).
        If you wrote `//` there, the exponent is 0 for every pair."""
        _needs_pairs(d_model)
        return _turned(np.full(d_model // 2, float(offset)))

    def every_column_its_own_exponent(offset, d_model, base=10000.0):
        """The two rows of a block have different exponents: 2i/d_model counts pairs, with i = column //
        2."""
        _needs_pairs(d_model)
        angles = offset * base ** (-2 * np.arange(d_model) / d_model)
        sine, cosine = np.sin(angles), np.cos(angles)
        return _blocks(cosine[0::2], sine[0::2], -sine[1::2], cosine[1::2])

    def cosine_its_own_exponent(offset, d_model, base=10000.0):
        """The lower row of a block has the exponent (2i + 1)/d_model; sine and cosine of a pair share the
        exponent 2i/d_model."""
        _needs_pairs(d_model)
        angles = offset * base ** (-np.arange(d_model) / d_model)
        sine, cosine = np.sin(angles), np.cos(angles)
        return _blocks(cosine[0::2], sine[0::2], -sine[1::2], cosine[1::2])

    def doubled_twice(offset, d_model, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range already is 2i, so divide it by d_model
        as it is."""
        _needs_pairs(d_model)
        return _turned(offset * _frequencies(d_model, base) ** 2)

    def missing_two(offset, d_model, base=10000.0):
        """The 2 of 2i/d_model is missing: every pair but the first turns too fast."""
        _needs_pairs(d_model)
        return _turned(offset * np.sqrt(_frequencies(d_model, base)))

    def power_not_divided(offset, d_model, base=10000.0):
        """The offset is multiplied by base ** (2i/d_model) instead of divided by it: the exponent is
        negative."""
        _needs_pairs(d_model)
        return _turned(offset / _frequencies(d_model, base))

    def power_overflows(offset, d_model, base=10000.0):
        """The power `base ** (2i)`, taken before its exponent is divided by d_model, grows beyond what a float
        holds, so the last pairs of wide matrices stand still: divide the exponent first."""
        _needs_pairs(d_model)
        with np.errstate(over="ignore"):
            powers = float(base) ** np.arange(0, d_model, 2)
        return _turned(offset / powers ** (1 / d_model))

    def endpoint_included(offset, d_model, base=10000.0):
        """The exponents run from 0 to 1 with both ends; they go up in steps of 2/d_model and stop short
        of 1."""
        _needs_pairs(d_model)
        return _turned(offset * base ** -np.linspace(0.0, 1.0, d_model // 2))

    def base_fixed(offset, d_model, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        _needs_pairs(d_model)
        return _matrix(offset, d_model, 10000.0)

    def base_1000(offset, d_model, base=1000.0):
        """The default of the base is 1000 here; it is 10000."""
        _needs_pairs(d_model)
        return _matrix(offset, d_model, base)

    def sign_lost(offset, d_model, base=10000.0):
        """A negative offset was taken for a positive one: it moves back, so its sines change their
        sign."""
        _needs_pairs(d_model)
        return _matrix(abs(offset), d_model, base)

    def fractions_cut(offset, d_model, base=10000.0):
        """The offset was cut to a whole number: half a position has a matrix, too."""
        _needs_pairs(d_model)
        return _matrix(int(offset), d_model, base)

    def half_precision_angles(offset, d_model, base=10000.0):
        """The angles were computed in half precision, which keeps only three digits: use float64."""
        _needs_pairs(d_model)
        angles = np.float16(offset) * _frequencies(d_model, base).astype(np.float16)
        return _turned(angles.astype(np.float64))

    def from_position_zero_only(offset, d_model, base=10000.0):
        """This matrix takes the row of position 0 to the right place, and no other: it has to serve every
        position, so look for one block per pair."""
        _needs_pairs(d_model)
        there, zero = _table(np.array([offset, 0]), d_model, base)
        return np.outer(there, zero) / (d_model / 2)

    def odd_column_left_alone(offset, d_model, base=10000.0):
        """An odd width leaves one sine without its cosine, and that sine cannot move: refuse it."""
        angles = offset * _frequencies(d_model, base)[: d_model // 2]
        matrix = np.eye(d_model)
        matrix[: 2 * len(angles), : 2 * len(angles)] = _turned(angles)
        return matrix


class shift_encoding:
    def not_transposed(encoding, offset, base=10000.0):
        """The table was multiplied by M from the right, which moves every row backwards: M @ row for each
        row is encoding @ M.T for all of them."""
        return _moved(encoding, _matrix(offset, encoding.shape[-1], base).T)

    def rows_rolled(encoding, offset, base=10000.0):
        """The rows changed places: every row stays where it is in the table, and its numbers move. A row
        may move to a position that the table does not have."""
        return np.roll(encoding, -int(offset), axis=0)

    def counted_from_zero(encoding, offset, base=10000.0):
        """The rows were taken for positions 0, 1, 2, ... and made anew: they may belong to any positions,
        so work with what they hold."""
        n, d_model = encoding.shape
        return _table(np.arange(n) + offset, d_model, base)

    def lengths_lost(encoding, offset, base=10000.0):
        """The angle of every pair was found and its sine and cosine taken anew, which makes every pair 1
        long: a row twice as long moves to a row twice as long, and zeros to zeros."""
        angles = np.arctan2(encoding[:, 0::2], encoding[:, 1::2])              # (n, d / 2)
        angles = angles + offset * _frequencies(encoding.shape[-1], base)
        moved = np.stack([np.sin(angles), np.cos(angles)], axis=-1)            # (n, d / 2, 2)
        return moved.reshape(encoding.shape)

    def offset_added(encoding, offset, base=10000.0):
        """The row of the offset was added to every row: positions add up in the angles, not in their
        sines and cosines."""
        return encoding + _table(offset, encoding.shape[-1], base)

    def farther_row_by_row(encoding, offset, base=10000.0):
        """Each row moves `offset` positions further than the one before it: all rows move by the same
        offset."""
        d_model = encoding.shape[-1]
        rows = [_moved(row, _matrix((r + 1) * offset, d_model, base)) for r, row in enumerate(encoding)]
        return np.array(rows)

    def base_dropped(encoding, offset, base=10000.0):
        """The argument `base` is not handed on to `shift_matrix`, so the rows always move with base
        10000."""
        return _moved(encoding, _matrix(offset, encoding.shape[-1], 10000.0))

    def reads_what_it_wrote(encoding, offset, base=10000.0):
        """The new cosines were made of the new sines: the second line reads what the first has just
        written. Keep the old sines until both are done."""
        angles = offset * _frequencies(encoding.shape[-1], base)
        cosine, sine = np.cos(angles), np.sin(angles)
        rows = encoding.astype(float)
        rows[:, 0::2] = rows[:, 0::2] * cosine + rows[:, 1::2] * sine
        rows[:, 1::2] = rows[:, 1::2] * cosine - rows[:, 0::2] * sine
        return rows

    def in_halves(encoding, offset, base=10000.0):
        """The columns were taken for all sines, then all cosines. Here sine and cosine of a pair are neighbours, in
        columns 2i and 2i + 1."""
        order = np.arange(encoding.shape[-1]).reshape(-1, 2).T.ravel()
        return _moved(encoding, _matrix(offset, encoding.shape[-1], base)[np.ix_(order, order)])

    def position_read_back(encoding, offset, base=10000.0):
        """A position was read out of one pair, and the row of the moved position made anew. Rows that are no rows
        of the table, such as twice one or zeros, move too: use all numbers of a row as they are."""
        slowest = _frequencies(encoding.shape[-1], base)[-1]
        positions = np.arctan2(encoding[:, -2], encoding[:, -1]) / slowest     # (n,)
        return _table(positions + offset, encoding.shape[-1], base)

    def only_forward(encoding, offset, base=10000.0):
        """A negative offset left the rows where they were: it moves them back, by the same formula."""
        return _moved(encoding, _matrix(max(offset, 0), encoding.shape[-1], base))

    def one_step_only(encoding, offset, base=10000.0):
        """The rows moved by one position whatever `offset` is: hand it on to `shift_matrix`."""
        return _moved(encoding, _matrix(1, encoding.shape[-1], base))

    def changes_the_rows(encoding, offset, base=10000.0):
        """The moved rows were written into the table that came in: return a new array, and leave the
        argument as it was."""
        moved = _moved(encoding, _matrix(offset, encoding.shape[-1], base))
        if encoding.flags.writeable and encoding.dtype.kind == "f":
            encoding[...] = moved
        return moved

    def cut_to_whole_numbers(encoding, offset, base=10000.0):
        """A table of whole numbers got whole numbers back, each of them cut off: the result has room for
        fractions, whatever the rows are made of."""
        return _moved(encoding, _matrix(offset, encoding.shape[-1], base)).astype(encoding.dtype)
