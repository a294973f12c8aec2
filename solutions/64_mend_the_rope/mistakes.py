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
        """The frequencies are laid out in two halves, but the pairs are neighbours: both columns of a pair
        need the same angle, so repeat each in place."""
        angles = _angles(max_len, d_head, base)
        angles = np.concatenate([angles, angles], axis=-1)
        return np.cos(angles), np.sin(angles)

    def every_column_its_own_frequency(max_len, d_head, base=10000.0):
        """Every column has a frequency of its own: the two columns of a pair share one."""
        angles = np.outer(np.arange(max_len), base ** (-np.arange(d_head) / d_head))
        return np.cos(angles), np.sin(angles)

    def only_cosines_repeated(max_len, d_head, base=10000.0):
        """The cosines are repeated in place, but the sines are laid out in two halves: cosine and sine of one
        column then belong to different frequencies."""
        angles = _angles(max_len, d_head, base)
        return _tables(angles)[0], np.sin(np.concatenate([angles, angles], axis=-1))

    def sines_first(max_len, d_head, base=10000.0):
        """The two tables come in the wrong order: cosines first, then sines."""
        return _tables(_angles(max_len, d_head, base))[::-1]

    def sines_negated(max_len, d_head, base=10000.0):
        """The sines are negated: these are the tables of a turn the other way. If the direction was wrong,
        the tables were not the place to mend it."""
        return _tables(-_angles(max_len, d_head, base))

    def one_column_per_pair(max_len, d_head, base=10000.0):
        """There is one column per pair: the tables are as wide as the vectors, with each number twice."""
        angles = _angles(max_len, d_head, base)
        return np.cos(angles), np.sin(angles)

    def doubled_twice(max_len, d_head, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range already is 2i, so divide it by d_head."""
        return _tables(np.outer(np.arange(max_len), base ** (-2 * np.arange(0, d_head, 2) / d_head)))

    def starts_at_one(max_len, d_head, base=10000.0):
        """Row 0 is the row of position 1: positions count from 0, and position 0 does not turn."""
        return _tables(_angles(max_len + 1, d_head, base)[1:])

    def base_dropped(max_len, d_head, base=10000.0):
        """The argument `base` is not used: the frequencies always have base 10000."""
        return _tables(_angles(max_len, d_head, 10000.0))

    def single_precision_inside(max_len, d_head, base=10000.0):
        """The angles were computed in single precision, which is felt at far positions: use float64."""
        return _tables(_angles(max_len, d_head, base).astype(np.float32).astype(np.float64))


class apply_rotary:
    def second_to_last_axis(x, cos, sin, seq_axis=-2):
        """The rows of the tables were laid along the last axis but one, whatever `seq_axis` says. In (batch,
        n, heads, d_head) that is the axis of the heads."""
        return _as_tables_stand(x, cos, sin)

    def clockwise(x, cos, sin, seq_axis=-2):
        """The vectors turn clockwise: at position 1, (1, 0) has to become (cos 1, +sin 1). Lengths, and
        scores at equal distance, cannot show it."""
        return _turned(x, cos, -sin, seq_axis)

    def second_to_last_axis_and_clockwise(x, cos, sin, seq_axis=-2):
        """Two things at once: the rows of the tables lie along the last axis but one instead of along
        `seq_axis`, and the vectors turn clockwise."""
        return _as_tables_stand(x, cos, -sin)

    def halves_turned(x, cos, sin, seq_axis=-2):
        """Column i was taken for the partner of column i + d_head/2, while the tables are made for
        neighbours: two layouts are mixed, and this is no rotation."""
        first, second = np.split(x, 2, axis=-1)
        partners = np.concatenate([-second, first], axis=-1)
        return (x * _as_x(x, cos, seq_axis) + partners * _as_x(x, sin, seq_axis)).astype(_dtype(x))

    def different_frequencies_paired(x, cos, sin, seq_axis=-2):
        """Cosines were read from every other column and sines from the first half of the table: those belong
        to different pairs. Read both from the same columns."""
        sin = np.repeat(sin[:, : x.shape[-1] // 2], 2, axis=-1)
        return _turned(x, cos, sin, seq_axis)

    def no_minus(x, cos, sin, seq_axis=-2):
        """The minus is missing: column 2i becomes x[2i] cos - x[2i + 1] sin. Without it lengths change."""
        return _turned(x, cos, np.where(np.arange(x.shape[-1]) % 2, sin, -sin), seq_axis)

    def left_in_two_halves(x, cos, sin, seq_axis=-2):
        """The halves of the columns come back one after the other: put the columns of a pair side by side
        again."""
        turned = _turned(x, cos, sin, seq_axis)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    def always_the_second_axis(x, cos, sin, seq_axis=-2):
        """With more than two axes the sequence was taken to be axis 1, as in (batch, n, heads, d_head); it is
        `seq_axis`."""
        if x.ndim == 2:
            return _turned(x, cos, sin, 0)
        n = np.arange(x.shape[1]) % len(cos)
        return _turned(x, cos[n], sin[n], 1)

    def sign_of_the_axis_lost(x, cos, sin, seq_axis=-2):
        """A negative `seq_axis` was read as if it were positive: -3 counts from the end, 3 from the start."""
        axis = seq_axis if seq_axis >= 0 or x.ndim < 3 else min(-seq_axis, x.ndim - 2)
        n = np.arange(x.shape[axis]) % len(cos)
        return _turned(x, cos[n], sin[n], axis)

    def axis_not_moved_back(x, cos, sin, seq_axis=-2):
        """The sequence was moved to the last axis but one and stayed there: the result has the shape of `x`,
        with its axes in the same order."""
        return _turned(np.moveaxis(x, seq_axis, -2), cos, sin, -2)

    def last_rows_of_the_tables(x, cos, sin, seq_axis=-2):
        """The last rows of the tables were used: positions count from 0, so a shorter sequence has the first
        ones."""
        n = x.shape[seq_axis]
        return _turned(x, cos[len(cos) - n :], sin[len(sin) - n :], seq_axis)

    def reads_what_it_wrote(x, cos, sin, seq_axis=-2):
        """The odd columns were computed from even columns that had been overwritten: x[..., 0::2] is a view.
        Compute both before writing either."""
        cosine, sine = _as_x(x, cos, seq_axis)[..., 0::2], _as_x(x, sin, seq_axis)[..., 0::2]
        turned = x.astype(_dtype(x))
        turned[..., 0::2] = turned[..., 0::2] * cosine - turned[..., 1::2] * sine
        turned[..., 1::2] = turned[..., 0::2] * sine + turned[..., 1::2] * cosine
        return turned

    def integers_cut(x, cos, sin, seq_axis=-2):
        """An integer `x` was answered with integers, so sines and cosines were cut to whole numbers: it
        counts as float64."""
        return _turned(x, cos, sin, seq_axis).astype(x.dtype)

    def widened(x, cos, sin, seq_axis=-2):
        """A float32 `x` came back as float64, because the tables are float64: the result keeps the dtype of
        `x`."""
        return _turned(x.astype(np.float64), cos, sin, seq_axis)
