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
        """You negate the wrong half, so the pairs turn clockwise. (a, b) must become (-b, a): negate the second half,
        and put it first in the result."""
        first, second = np.split(x, 2, axis=-1)
        return np.concatenate([second, -first], axis=-1)

    def no_minus(x):
        """You exchange the halves but negate neither, so each pair is mirrored. Negate the second half."""
        first, second = np.split(x, 2, axis=-1)
        return np.concatenate([second, first], axis=-1)

    def halves_left_in_place(x):
        """You leave the halves in their places. Put the negated second half first, then the first half."""
        first, second = np.split(x, 2, axis=-1)
        return np.concatenate([first, -second], axis=-1)

    def neighbours_change_places(x):
        """You make the quarter turn of neighbours, (-x1, x0, -x3, x2, ...). In the half layout, column i pairs with
        column i + d/2. Work with the two halves."""
        return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)


class apply_rope_half:
    def neighbours_turned(x, positions, base=10000.0):
        """You turn columns 2i and 2i + 1 together, as in kata 61. In the half layout, turn column i with column i +
        d_head/2."""
        return _turned_neighbours(x, _angles(x, positions, base))

    def repeated_angles(x, positions, base=10000.0):
        """You repeat each angle for neighbouring columns, but you pair the columns in halves. This mixes two layouts
        and is not a rotation. Repeat the whole row of angles: pairs 0, 1, 2, ... and then 0, 1, 2, ... again."""
        angles = np.repeat(_angles(x, positions, base), 2, axis=-1)
        partners = _join(*np.split(x, 2, axis=-1)[::-1], x) * np.repeat([-1, 1], x.shape[-1] // 2)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(np.result_type(x, 1.0))

    def reversed_rotation(x, positions, base=10000.0):
        """You turn the vectors clockwise. A positive angle turns (1, 0) into (cos, sin), counter-clockwise. Lengths and
        the law of offsets are right in both directions. A single score is not: the query (1, 0) and the key (0, 1) one
        step before it score +sin 1."""
        return _turned_halves(x, -_angles(x, positions, base))

    def counts_from_one(x, positions, base=10000.0):
        """You count the pairs from 1. Count them from 0 in the exponent -2i/d_head: the first pair turns by 1 radian
        per position."""
        return _turned_halves(x, _angles(x, positions, base) * base ** (-2 / x.shape[-1]))

    def doubled_twice(x, positions, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already gives 2i, so divide that by d_head."""
        exponents = -2 * np.arange(0, x.shape[-1], 2) / x.shape[-1]
        return _turned_halves(x, positions[..., None] * base**exponents)

    def missing_two(x, positions, base=10000.0):
        """You leave out the 2 of 2i/d_head, so all pairs but the first turn too fast. Pair i has the frequency base **
        (-2i / d_head)."""
        exponents = -np.arange(x.shape[-1] // 2) / x.shape[-1]
        return _turned_halves(x, positions[..., None] * base**exponents)

    def reads_what_it_wrote(x, positions, base=10000.0):
        """You compute the second half from a first half that was already overwritten. A slice is a view, so compute
        both halves before you write either."""
        (first, second), angles = np.split(x, 2, axis=-1), _angles(x, positions, base)
        first = first * np.cos(angles) - second * np.sin(angles)
        return _join(first, first * np.sin(angles) + second * np.cos(angles), x)

    def rows_counted_instead(x, positions, base=10000.0):
        """You turn the rows by 0, 1, 2, ... instead of `positions`. Use `positions`: they may have gaps and repeats,
        and need not start at 0."""
        return _turned_halves(x, _angles(x, np.arange(x.shape[-2]), base))

    def base_dropped(x, positions, base=10000.0):
        """You do not use the argument `base`, so the frequencies always have base 10000. Compute them from `base`."""
        return _turned_halves(x, _angles(x, positions, 10000.0))

    def heads_as_sequence(x, positions, base=10000.0):
        """Your angles run along the wrong axis. The rows are axis -2 of `x`, after any axes for batches and heads."""
        if x.ndim < 3:
            return _turned_halves(x, _angles(x, positions, base))
        across, positions = np.swapaxes(x, -2, -3), np.resize(positions, x.shape[-3])
        return np.swapaxes(_turned_halves(across, _angles(x, positions, base)), -2, -3)

    def cut_to_integers(x, positions, base=10000.0):
        """You cut the result to whole numbers if `x` has whole numbers. Turned vectors have fractions, so return
        float64."""
        return _turned_halves(x, _angles(x, positions, base)).astype(x.dtype)

    def widened(x, positions, base=10000.0):
        """You return float64 for a float32 `x`, because the angles are float64. Convert the result to float32."""
        return _turned_halves(x.astype(np.float64), _angles(x, positions, base))


class apply_rope_complex:
    def halves_as_complex(x, positions, base=10000.0):
        """You take the real and imaginary parts from the two halves of the columns. This function is for the
        interleaved layout: take columns 2i and 2i + 1."""
        return _turned_halves(x, _angles(x, positions, base))

    def turned_clockwise(x, positions, base=10000.0):
        """You turn every pair clockwise. Either the angle has the wrong sign, or the real and imaginary parts are
        swapped. Column 2i is the real part, and the factor is exp(1j * angle)."""
        return _turned_neighbours(x, -_angles(x, positions, base))

    def left_in_two_halves(x, positions, base=10000.0):
        """You return all real parts first, then all imaginary parts. The two columns of a pair must be neighbours:
        stack the parts on a new last axis and reshape."""
        turned = _turned_neighbours(x, _angles(x, positions, base))
        return _join(turned[..., 0::2], turned[..., 1::2], x)

    def angles_laid_out_twice(x, positions, base=10000.0):
        """You repeat the row of angles as for the half layout, but you turn neighbours together. This mixes two layouts
        and is not a rotation. Columns 2i and 2i + 1 must share one angle."""
        angles, swapped = np.tile(_angles(x, positions, base), 2), _weave(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + swapped * np.sin(angles)).astype(np.result_type(x, 1.0))

    def rows_counted_instead(x, positions, base=10000.0):
        """You turn the rows by 0, 1, 2, ... instead of `positions`. Use `positions`: they may start anywhere and have
        gaps and repeats."""
        return _turned_neighbours(x, _angles(x, np.arange(x.shape[-2]), base))

    def single_precision_inside(x, positions, base=10000.0):
        """You compute the product in single precision, which keeps seven digits. Use complex128 for float64 vectors."""
        angles = _angles(x, positions, base).astype(np.float32)
        return _turned_neighbours(x.astype(np.float32), angles).astype(np.result_type(x, 1.0))

    def widened(x, positions, base=10000.0):
        """You return float64 for a float32 `x`, because exp(1j * angle) is complex128. Convert the result to
        float32."""
        return _turned_neighbours(x.astype(np.float64), _angles(x, positions, base))


class interleaved_to_half:
    def the_way_back(x):
        """You reorder in the opposite direction, from halves to neighbours. Columns 0, 2, 4, ... must come first. With
        four columns both directions are the same, with six they are not."""
        first, second = np.split(x, 2, axis=-1)
        return np.stack([first, second], axis=-1).reshape(x.shape)

    def joined_along_the_first_axis(x):
        """np.concatenate joins along axis 0 unless you say otherwise, which is right for a single vector only. Use
        axis=-1."""
        return np.concatenate([x[..., 0::2], x[..., 1::2]])

    def odd_columns_first(x):
        """You put the odd columns first. Put columns 0, 2, 4, ... first: they are the first of each pair."""
        return np.concatenate([x[..., 1::2], x[..., 0::2]], axis=-1)


class half_to_interleaved:
    def the_way_there(x):
        """You reorder in the opposite direction, from neighbours to halves. Column d/2 must come right after column
        0."""
        return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)

    def second_half_first(x):
        """You swap the two columns of each pair. Put the one from the first half first."""
        first, second = np.split(x, 2, axis=-1)
        return np.stack([second, first], axis=-1).reshape(x.shape)


class permute_projection:
    def all_heads_as_one(w, n_heads):
        """You reorder all rows as one wide head, which mixes the heads. Reorder the rows within each head."""
        return np.concatenate([w[0::2], w[1::2]])

    def the_way_back(w, n_heads):
        """You permute the rows in the opposite direction, from halves to neighbours. In each head, put rows 0, 2, 4,
        ... first."""
        return w.reshape(n_heads, 2, -1, w.shape[1]).swapaxes(1, 2).reshape(w.shape)

    def columns_reordered(w, n_heads):
        """You reorder the columns of `w`, but they belong to the token. Reorder the rows, which make queries or
        keys."""
        return np.concatenate([w[:, 0::2], w[:, 1::2]], axis=1)

    def heads_vary_fastest(w, n_heads):
        """You treat row 1 as the first row of head 1. The rows of each head are neighbours: first all rows of head 0,
        then those of head 1."""
        rows = np.arange(len(w)).reshape(-1, 2, n_heads)        # (d_head / 2, 2, n_heads)
        return w[rows.swapaxes(0, 1).ravel()]
