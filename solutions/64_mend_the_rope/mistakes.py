"""Wrong answers to 64_mend_the_rope; each docstring is what the learner is told."""
import numpy as np


def _angles(max_len, d_head, base):
    frequencies = base ** (-np.arange(0, d_head, 2) / d_head)   # (d_head / 2,)
    return np.outer(np.arange(max_len), frequencies)            # (max_len, d_head / 2)


def _tables(angles):
    angles = np.repeat(angles, 2, axis=-1)                      # (max_len, d_head)
    return np.cos(angles), np.sin(angles)


def _as_x(x, table, axis):
    shape = [1] * x.ndim
    shape[axis], shape[-1] = x.shape[axis], x.shape[-1]
    return table[: x.shape[axis]].reshape(shape)


def _partners(x):
    return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)


def _dtype(x):
    return np.result_type(x, 1.0)


def _turned(x, cos, sin, axis):
    return (x * _as_x(x, cos, axis) + _partners(x) * _as_x(x, sin, axis)).astype(_dtype(x))


def _as_tables_stand(x, cos, sin):
    n = np.arange(x.shape[-2]) % len(cos)                       # no error where the axis is too long
    return (x * cos[n] + _partners(x) * sin[n]).astype(_dtype(x))


class rotary_tables:
    def halves_of_frequencies(max_len, d_head, base=10000.0):
        """Columns 0, 1, 2, ... have the angles of pairs 0, 1, 2, ..., and then all pairs come again. Columns 0 and 1
        are pair 0, columns 2 and 3 are pair 1: put the two copies of each angle next to each other."""
        angles = _angles(max_len, d_head, base)
        angles = np.concatenate([angles, angles], axis=-1)
        return np.cos(angles), np.sin(angles)

    def every_column_its_own_frequency(max_len, d_head, base=10000.0):
        """Every column has a different frequency. Use the same frequency for both columns of a pair."""
        angles = np.outer(np.arange(max_len), base ** (-np.arange(d_head) / d_head))
        return np.cos(angles), np.sin(angles)

    def only_cosines_repeated(max_len, d_head, base=10000.0):
        """The cosines are right, but the columns of the sines are in another order: all pairs once, then all pairs
        again. In both tables, columns 2i and 2i + 1 belong to pair i."""
        angles = _angles(max_len, d_head, base)
        return _tables(angles)[0], np.sin(np.concatenate([angles, angles], axis=-1))

    def sines_first(max_len, d_head, base=10000.0):
        """The two tables are in the wrong order. Return the cosines first, then the sines."""
        return _tables(_angles(max_len, d_head, base))[::-1]

    def sines_negated(max_len, d_head, base=10000.0):
        """The sines have the wrong sign. Return the sines of the angles themselves, because other code may use these
        tables too."""
        return _tables(-_angles(max_len, d_head, base))

    def one_column_per_pair(max_len, d_head, base=10000.0):
        """The tables have only one column per pair. Return one column for each of the d_head columns of a vector:
        every number appears twice."""
        angles = _angles(max_len, d_head, base)
        return np.cos(angles), np.sin(angles)

    def doubled_twice(max_len, d_head, base=10000.0):
        """The exponent contains the factor 2 twice, so all pairs but the first turn too slowly. It is -2i/d_head,
        where i counts pairs: 0, 1, 2, ..."""
        return _tables(np.outer(np.arange(max_len), base ** (-2 * np.arange(0, d_head, 2) / d_head)))

    def starts_at_one(max_len, d_head, base=10000.0):
        """Row 0 has the angles of position 1. Count positions from 0: the angles of row 0 are all 0."""
        return _tables(_angles(max_len + 1, d_head, base)[1:])

    def base_dropped(max_len, d_head, base=10000.0):
        """The frequencies always have base 10000. Use the argument `base`."""
        return _tables(_angles(max_len, d_head, 10000.0))

    def single_precision_inside(max_len, d_head, base=10000.0):
        """The angles are computed in float32, which is not exact enough at high positions. Use float64."""
        return _tables(_angles(max_len, d_head, base).astype(np.float32).astype(np.float64))


class apply_rotary:
    def second_to_last_axis(x, cos, sin, seq_axis=-2):
        """The rows of the tables always run along the second to last axis. In (batch, n, heads, d_head) that is the
        axis of the heads. Use `seq_axis`."""
        return _as_tables_stand(x, cos, sin)

    def clockwise(x, cos, sin, seq_axis=-2):
        """The vectors turn clockwise. At position 1, the first pair (1, 0) has to become (cos 1, +sin 1). Check the
        signs of `partners`."""
        return _turned(x, cos, -sin, seq_axis)

    def heads_taken_for_positions(x, cos, sin, seq_axis=-2):
        """The rows of the tables run along the second to last axis, which is the axis of the heads in
        (batch, n, heads, d_head). Use `seq_axis`. Another fault is left after this one."""
        return _as_tables_stand(x, cos, -sin)

    def halves_turned(x, cos, sin, seq_axis=-2):
        """Column i is paired with column i + d_head/2, but the tables are made for neighbouring columns. Pair columns
        2i and 2i + 1."""
        first, second = np.split(x, 2, axis=-1)
        partners = np.concatenate([-second, first], axis=-1)
        return (x * _as_x(x, cos, seq_axis) + partners * _as_x(x, sin, seq_axis)).astype(_dtype(x))

    def different_frequencies_paired(x, cos, sin, seq_axis=-2):
        """The cosine and the sine of a column belong to different pairs: the sines come from the first half of their
        table. Read both from the same columns."""
        sin = np.repeat(sin[:, : x.shape[-1] // 2], 2, axis=-1)
        return _turned(x, cos, sin, seq_axis)

    def no_minus(x, cos, sin, seq_axis=-2):
        """The minus sign is missing. Column 2i has to become x[2i] cos - x[2i + 1] sin."""
        return _turned(x, cos, np.where(np.arange(x.shape[-1]) % 2, sin, -sin), seq_axis)

    def left_in_two_halves(x, cos, sin, seq_axis=-2):
        """The result has all even columns first and then all odd columns. Put the two columns of each pair next to
        each other again."""
        turned = _turned(x, cos, sin, seq_axis)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    def always_the_second_axis(x, cos, sin, seq_axis=-2):
        """If `x` has more than two axes, the positions always run along axis 1, as in (batch, n, heads, d_head). Use
        `seq_axis`."""
        if x.ndim == 2:
            return _turned(x, cos, sin, 0)
        n = np.arange(x.shape[1]) % len(cos)
        return _turned(x, cos[n], sin[n], 1)

    def sign_of_the_axis_lost(x, cos, sin, seq_axis=-2):
        """A negative `seq_axis` loses its sign. Count it from the end: -3 is the third axis from the end."""
        axis = seq_axis if seq_axis >= 0 or x.ndim < 3 else min(-seq_axis, x.ndim - 2)
        n = np.arange(x.shape[axis]) % len(cos)
        return _turned(x, cos[n], sin[n], axis)

    def axis_not_moved_back(x, cos, sin, seq_axis=-2):
        """The result has its axes in another order than `x`: the positions come right before the columns. Move that
        axis back to `seq_axis`."""
        return _turned(np.moveaxis(x, seq_axis, -2), cos, sin, -2)

    def last_rows_of_the_tables(x, cos, sin, seq_axis=-2):
        """A sequence shorter than the tables gets their last rows. Use the first rows, because positions start at
        0."""
        n = x.shape[seq_axis]
        return _turned(x, cos[len(cos) - n :], sin[len(sin) - n :], seq_axis)

    def reads_what_it_wrote(x, cos, sin, seq_axis=-2):
        """The even columns are overwritten before the odd columns are computed from them. Compute both from the old
        values."""
        cosine, sine = _as_x(x, cos, seq_axis)[..., 0::2], _as_x(x, sin, seq_axis)[..., 0::2]
        turned = x.astype(_dtype(x))
        turned[..., 0::2] = turned[..., 0::2] * cosine - turned[..., 1::2] * sine
        turned[..., 1::2] = turned[..., 0::2] * sine + turned[..., 1::2] * cosine
        return turned

    def integers_cut(x, cos, sin, seq_axis=-2):
        """For an `x` of integers, the results are cut to integers. Return float64 in this case."""
        return _turned(x, cos, sin, seq_axis).astype(x.dtype)

    def widened(x, cos, sin, seq_axis=-2):
        """A float32 `x` comes back as float64, because the tables are float64. Convert the result to float32 in this
        case."""
        return _turned(x.astype(np.float64), cos, sin, seq_axis)
