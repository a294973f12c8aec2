"""Wrong answers to 62_rope_layouts; each docstring is what the learner is told."""
import numpy as np


def _angles(x, positions, base):
    d_head = x.shape[-1]
    return positions[..., None] * base ** (-np.arange(0, d_head, 2) / d_head)     # (..., n, d_head / 2)


def _join(first, second, x):
    return np.concatenate([first, second], axis=-1).astype(np.result_type(x, 1.0))


def _weave(even, odd, x):
    return np.stack([even, odd], axis=-1).reshape(x.shape).astype(np.result_type(x, 1.0))


def _turned_halves(x, angles):
    (first, second), cosine, sine = np.split(x, 2, axis=-1), np.cos(angles), np.sin(angles)
    return _join(first * cosine - second * sine, first * sine + second * cosine, x)


def _turned_neighbours(x, angles):
    even, odd, cosine, sine = x[..., 0::2], x[..., 1::2], np.cos(angles), np.sin(angles)
    return _weave(even * cosine - odd * sine, even * sine + odd * cosine, x)


class rotate_half:
    def minus_on_the_first_half(x):
        """The minus is on the wrong half, which turns clockwise: (a, b) becomes (-b, a), so the second half,
        which comes first now, is negated."""
        first, second = np.split(x, 2, axis=-1)
        return np.concatenate([second, -first], axis=-1)

    def no_minus(x):
        """The halves change places, but nothing is negated: that mirrors each pair. The second half gets a
        minus."""
        first, second = np.split(x, 2, axis=-1)
        return np.concatenate([second, first], axis=-1)

    def halves_left_in_place(x):
        """The second half has its minus but the halves did not change places: the negated second half comes
        first, the first half after it."""
        first, second = np.split(x, 2, axis=-1)
        return np.concatenate([first, -second], axis=-1)

    def neighbours_change_places(x):
        """This is the quarter turn of neighbours, (-x1, x0, -x3, x2, ...); here column i pairs with column i
        + d/2."""
        return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)


class apply_rope_half:
    def neighbours_turned(x, positions, base=10000.0):
        """Columns 2i and 2i + 1 were turned together, as in kata 61; in the half layout column i turns with
        column i + d_head/2."""
        return _turned_neighbours(x, _angles(x, positions, base))

    def repeated_angles(x, positions, base=10000.0):
        """Each angle is repeated for neighbouring columns, but `rotate_half` pairs i with i + d_head/2: two
        layouts are mixed, and this is no rotation. Lay the angles out twice, one run after the other."""
        angles = np.repeat(_angles(x, positions, base), 2, axis=-1)
        partners = _join(*np.split(x, 2, axis=-1)[::-1], x) * np.repeat([-1, 1], x.shape[-1] // 2)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(np.result_type(x, 1.0))

    def reversed_rotation(x, positions, base=10000.0):
        """The vectors turn clockwise. Lengths, and scores at equal distance, look right all the same; but (1,
        0) has to become (cos, +sin)."""
        return _turned_halves(x, -_angles(x, positions, base))

    def counts_from_one(x, positions, base=10000.0):
        """The pairs are counted from 1 in the exponent 2i/d_head: the first pair is i = 0, and turns by 1
        radian per position."""
        return _turned_halves(x, _angles(x, positions, base) * base ** (-2 / x.shape[-1]))

    def doubled_twice(x, positions, base=10000.0):
        """The exponent is doubled twice: a range with a step of 2 is 2i already, so divide it by d_head as it
        is."""
        exponents = -2 * np.arange(0, x.shape[-1], 2) / x.shape[-1]
        return _turned_halves(x, positions[..., None] * base**exponents)

    def missing_two(x, positions, base=10000.0):
        """The 2 of 2i/d_head is missing: the slow pairs turn too fast. Pair i has the frequency base ** (-2i /
        d_head)."""
        exponents = -np.arange(x.shape[-1] // 2) / x.shape[-1]
        return _turned_halves(x, positions[..., None] * base**exponents)

    def reads_what_it_wrote(x, positions, base=10000.0):
        """The second half was computed from a first half that had been overwritten: a slice is a view.
        Compute both before writing either."""
        (first, second), angles = np.split(x, 2, axis=-1), _angles(x, positions, base)
        first = first * np.cos(angles) - second * np.sin(angles)
        return _join(first, first * np.sin(angles) + second * np.cos(angles), x)

    def rows_counted_instead(x, positions, base=10000.0):
        """The rows were counted 0, 1, 2, ... instead of looking at `positions`, which may have gaps and
        repeats and need not start at 0."""
        return _turned_halves(x, _angles(x, np.arange(x.shape[-2]), base))

    def base_dropped(x, positions, base=10000.0):
        """The argument `base` is not used: the frequencies always have base 10000."""
        return _turned_halves(x, _angles(x, positions, 10000.0))

    def heads_as_sequence(x, positions, base=10000.0):
        """The angles were laid along the axis before the rows; the rows are the last axis but one, whatever
        stands before it, heads or batches."""
        if x.ndim < 3:
            return _turned_halves(x, _angles(x, positions, base))
        across, positions = np.swapaxes(x, -2, -3), np.resize(positions, x.shape[-3])
        return np.swapaxes(_turned_halves(across, _angles(x, positions, base)), -2, -3)

    def cut_to_integers(x, positions, base=10000.0):
        """The result was written into an array made like `x`: where `x` holds whole numbers, everything behind
        the point is cut off. Make room for floats."""
        return _turned_halves(x, _angles(x, positions, base)).astype(x.dtype)

    def widened(x, positions, base=10000.0):
        """A float32 `x` came back as float64, because the angles are float64: the result keeps the dtype of
        `x`."""
        return _turned_halves(x.astype(np.float64), _angles(x, positions, base))


class apply_rope_complex:
    def halves_as_complex(x, positions, base=10000.0):
        """Real and imaginary parts were taken from the two halves of the columns; this function is for the
        interleaved layout, so they are columns 2i and 2i + 1."""
        return _turned_halves(x, _angles(x, positions, base))

    def turned_clockwise(x, positions, base=10000.0):
        """Every pair turns clockwise: the angle has the wrong sign, or real and imaginary part are swapped.
        Column 2i is the real part, and the factor is exp(1j * angle)."""
        return _turned_neighbours(x, -_angles(x, positions, base))

    def left_in_two_halves(x, positions, base=10000.0):
        """All real parts came back first, then all imaginary parts: put the two columns of a pair side by
        side again, by stacking on a new last axis."""
        turned = _turned_neighbours(x, _angles(x, positions, base))
        return _join(turned[..., 0::2], turned[..., 1::2], x)

    def angles_laid_out_twice(x, positions, base=10000.0):
        """The angles run twice over the columns, as for the half layout, but neighbours are partners here and
        share an angle: this is no rotation. One angle belongs to columns 2i and 2i + 1."""
        angles, swapped = np.tile(_angles(x, positions, base), 2), _weave(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + swapped * np.sin(angles)).astype(np.result_type(x, 1.0))

    def rows_counted_instead(x, positions, base=10000.0):
        """The rows were counted 0, 1, 2, ... in place of `positions`, which may begin anywhere and have gaps and
        repeats: a key read from a cache keeps its own."""
        return _turned_neighbours(x, _angles(x, np.arange(x.shape[-2]), base))

    def single_precision_inside(x, positions, base=10000.0):
        """The product was taken in complex64, which keeps seven digits: the parts of float64 vectors need
        complex128."""
        angles = _angles(x, positions, base).astype(np.float32)
        return _turned_neighbours(x.astype(np.float32), angles).astype(np.result_type(x, 1.0))

    def widened(x, positions, base=10000.0):
        """A float32 `x` came back as float64, because exp(1j * angle) is complex128: the result keeps the dtype
        of `x`."""
        return _turned_neighbours(x.astype(np.float64), _angles(x, positions, base))


class interleaved_to_half:
    def the_way_back(x):
        """This is the other direction, from halves to neighbours: here columns 0, 2, 4, ... come first. With
        four columns the two are the same, with six they are not."""
        first, second = np.split(x, 2, axis=-1)
        return np.stack([first, second], axis=-1).reshape(x.shape)

    def odd_columns_first(x):
        """The odd columns come first: the first half is columns 0, 2, 4, ..., which point across."""
        return np.concatenate([x[..., 1::2], x[..., 0::2]], axis=-1)


class half_to_interleaved:
    def the_way_there(x):
        """This is the other direction, from neighbours to halves: here column 0 is followed by column d/2."""
        return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)

    def second_half_first(x):
        """The columns of each pair are swapped: the one from the first half comes first."""
        first, second = np.split(x, 2, axis=-1)
        return np.stack([second, first], axis=-1).reshape(x.shape)


class permute_projection:
    def all_heads_as_one(w, n_heads):
        """All rows were reordered as one wide head, which mixes the heads: reorder within each head's
        rows."""
        return np.concatenate([w[0::2], w[1::2]])

    def the_way_back(w, n_heads):
        """The rows go from halves to neighbours, the wrong way: in each head rows 0, 2, 4, ... come first."""
        return w.reshape(n_heads, 2, -1, w.shape[1]).swapaxes(1, 2).reshape(w.shape)

    def columns_reordered(w, n_heads):
        """The columns of `w` were reordered: they read the token. Its rows make queries or keys."""
        return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)

    def heads_vary_fastest(w, n_heads):
        """Row 1 was taken for the first row of head 1: the rows of a head stand together, first those of head
        0."""
        rows = np.arange(len(w)).reshape(-1, 2, n_heads)        # (d_head / 2, 2, n_heads)
        return w[rows.swapaxes(0, 1).ravel()]
