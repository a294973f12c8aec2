"""Wrong answers to 65_partial_rope; each docstring is what the learner is told."""
import numpy as np


def _dtype(x):
    return x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)


def _speeds(width, base):
    return base ** (-np.arange(0, width, 2) / width)            # (width / 2,)


def _fast(d_head, share, base):
    return np.where(np.arange(d_head // 2) < int(share * d_head / 2), _speeds(d_head, base), 0.0)


def _angles(positions, speeds):
    return positions[..., None] * speeds                        # (..., n, pairs)


def _turned(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty(x.shape, _dtype(x))
    turned[..., 0::2] = even * cos - odd * sin
    turned[..., 1::2] = even * sin + odd * cos
    return turned


def _halves(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1).astype(_dtype(x))


def _behind(turned, x):
    return np.concatenate([turned, x[..., turned.shape[-1] :]], axis=-1)


def _partial(x, positions, rotary_dim, base):
    return _behind(_turned(x[..., :rotary_dim], _angles(positions, _speeds(rotary_dim, base))), x)


def _truncated(x, positions, share, base):
    return _turned(x, _angles(positions, _fast(x.shape[-1], share, base)))


def _along_the_heads(x, positions, rotate):
    """Rotate along the axis before the sequence, as if it were the sequence."""
    if x.ndim < 3:
        return rotate(x, positions)
    moved = np.swapaxes(x, -2, -3)
    return np.swapaxes(rotate(moved, np.resize(positions, moved.shape[-2])), -2, -3)


class partial_rope:
    def frequencies_of_the_head(x, positions, rotary_dim, base=10000.0):
        """You divide the exponent by d_head, the width of the whole head. Divide 2i by `rotary_dim`: the part turns as
        a head of its own width."""
        return _behind(_turned(x[..., :rotary_dim],
                               _angles(positions, base ** (-np.arange(0, rotary_dim, 2) / x.shape[-1]))), x)

    def whole_head_turned(x, positions, rotary_dim, base=10000.0):
        """You turn all columns, whatever `rotary_dim` is. Turn the first `rotary_dim` columns and leave the others as
        they are."""
        even = x.shape[-1] - x.shape[-1] % 2
        return _partial(x, positions, even, base)

    def last_columns_turned(x, positions, rotary_dim, base=10000.0):
        """You turn the last columns and leave the first. Turn the first `rotary_dim` columns. DeepSeek-V2 puts the
        turned columns last, GPT-J puts them first."""
        split = x.shape[-1] - rotary_dim
        turned = _turned(x[..., split:], _angles(positions, _speeds(rotary_dim, base)))
        return np.concatenate([x[..., :split], turned], axis=-1)

    def rest_put_first(x, positions, rotary_dim, base=10000.0):
        """You turn the right columns, but put them behind the others. Put the turned columns first, then the rest, as
        in `x`."""
        turned = _partial(x, positions, rotary_dim, base)
        return np.concatenate([turned[..., rotary_dim:], turned[..., :rotary_dim]], axis=-1)

    def rest_dropped(x, positions, rotary_dim, base=10000.0):
        """You return only the turned columns. Append the other columns of `x`, unchanged: the result has the shape of
        `x`."""
        return _partial(x, positions, rotary_dim, base)[..., :rotary_dim]

    def rest_zero(x, positions, rotary_dim, base=10000.0):
        """You set the columns that do not turn to 0, so their content is lost. Copy them from `x`."""
        turned = _partial(x, positions, rotary_dim, base)
        turned[..., rotary_dim:] = 0.0
        return turned

    def rest_taken_from_the_front(x, positions, rotary_dim, base=10000.0):
        """You copy the first columns of `x` behind the part. Take those from `rotary_dim` on."""
        turned = _partial(x, positions, rotary_dim, base)
        turned[..., rotary_dim:] = x[..., np.arange(x.shape[-1] - rotary_dim) % x.shape[-1]]
        return turned

    def rotary_dim_counts_pairs(x, positions, rotary_dim, base=10000.0):
        """You turn twice as many columns as you should: `rotary_dim` counts columns, and a pair has two of them."""
        return _partial(x, positions, min(2 * rotary_dim, x.shape[-1] - x.shape[-1] % 2), base)

    def half_of_the_part(x, positions, rotary_dim, base=10000.0):
        """You turn only the first half of the part. All `rotary_dim` columns turn: they are `rotary_dim // 2` pairs of
        two columns."""
        speeds = _speeds(rotary_dim, base)
        speeds[(rotary_dim // 2 + 1) // 2 if rotary_dim > 2 else 0 :] = 0.0
        return _behind(_turned(x[..., :rotary_dim], _angles(positions, speeds)), x)

    def halves_of_the_part(x, positions, rotary_dim, base=10000.0):
        """You turn column i with column i + rotary_dim/2, as in GPT-NeoX and Phi-2. Turn neighbouring columns together,
        2i and 2i + 1, as GPT-J does."""
        return _behind(_halves(x[..., :rotary_dim], _angles(positions, _speeds(rotary_dim, base))), x)

    def halves_of_the_head(x, positions, rotary_dim, base=10000.0):
        """You turn column i with column i + d_head/2, which is outside the part. Turn neighbouring columns together, 2i
        and 2i + 1."""
        even = x.shape[-1] - x.shape[-1] % 2
        speeds = np.zeros(even // 2)
        speeds[: rotary_dim // 2] = _speeds(rotary_dim, base)
        return _behind(_halves(x[..., :even], _angles(positions, speeds)), x)

    def spread_over_the_head(x, positions, rotary_dim, base=10000.0):
        """You spread the turned pairs over the whole head. They are the first ones: columns 0 to rotary_dim - 1."""
        pairs = x.shape[-1] // 2
        speeds = np.zeros(pairs)
        speeds[np.arange(rotary_dim // 2) * pairs // (rotary_dim // 2)] = _speeds(rotary_dim, base)
        return _behind(_turned(x[..., : 2 * pairs], _angles(positions, speeds)), x)

    def rest_turned_by_one_radian(x, positions, rotary_dim, base=10000.0):
        """You turn the pairs behind the part by 1 radian per position: they have frequency 1, not 0. Copy these columns
        from `x`."""
        even = x.shape[-1] - x.shape[-1] % 2
        speeds = np.ones(even // 2)
        speeds[: rotary_dim // 2] = _speeds(rotary_dim, base)
        return _behind(_turned(x[..., :even], _angles(positions, speeds)), x)

    def clockwise(x, positions, rotary_dim, base=10000.0):
        """You turn the vectors clockwise. A positive angle turns (1, 0) into (cos, sin), counter-clockwise."""
        return _partial(x, -positions, rotary_dim, base)

    def both_signs_positive(x, positions, rotary_dim, base=10000.0):
        """You leave out a minus, so the lengths change. Column 2i becomes x[2i] cos - x[2i + 1] sin."""
        angles = _angles(positions, _speeds(rotary_dim, base))
        result = _partial(x, positions, rotary_dim, base)
        result[..., 0:rotary_dim:2] += (2 * x[..., 1:rotary_dim:2] * np.sin(angles)).astype(result.dtype)
        return result

    def sine_and_cosine_swapped(x, positions, rotary_dim, base=10000.0):
        """You swap sine and cosine. At position 0 the cosine is 1 and the sine 0, so the vector must not change."""
        return _behind(_turned(x[..., :rotary_dim],
                               np.pi / 2 - _angles(positions, _speeds(rotary_dim, base))), x)

    def left_in_two_halves(x, positions, rotary_dim, base=10000.0):
        """The pairs are turned correctly but return them as two halves of the part. Put columns 2i and 2i + 1 next to
        each other again."""
        turned = _partial(x, positions, rotary_dim, base)
        part = turned[..., :rotary_dim]
        return np.concatenate([part[..., 0::2], part[..., 1::2], turned[..., rotary_dim:]], axis=-1)

    def reads_what_it_wrote(x, positions, rotary_dim, base=10000.0):
        """You compute the odd columns from even columns that were already overwritten: x[..., 0::2] is a view. Compute
        both before you write either, or write into a new array."""
        result = x.astype(_dtype(x))
        angles = _angles(positions, _speeds(rotary_dim, base))
        part = result[..., :rotary_dim]
        part[..., 0::2] = part[..., 0::2] * np.cos(angles) - part[..., 1::2] * np.sin(angles)
        part[..., 1::2] = part[..., 0::2] * np.sin(angles) + part[..., 1::2] * np.cos(angles)
        return result

    def writes_into_x(x, positions, rotary_dim, base=10000.0):
        """The values are right, but you write them into the argument `x`. Return a new array."""
        turned = _partial(x, positions, rotary_dim, base)
        if x.dtype.kind != "f":
            return turned
        x[...] = turned
        return x

    def integers_cut(x, positions, rotary_dim, base=10000.0):
        """You cut the result to whole numbers if `x` has whole numbers. Turned vectors have fractions, so return
        float64."""
        return _partial(x, positions, rotary_dim, base).astype(x.dtype)

    def widened(x, positions, rotary_dim, base=10000.0):
        """You return float64 for a float32 `x`, because float64 angles or a float64 copy of `x` make the result
        float64. Convert the result to the dtype of `x` if that is a float."""
        return _partial(x.astype(np.float64), positions, rotary_dim, base)

    def base_dropped(x, positions, rotary_dim, base=10000.0):
        """Your code ignores the argument `base`, so the angles always have base 10000. Use it."""
        return _partial(x, positions, rotary_dim, 10000.0)

    def doubled_twice(x, positions, rotary_dim, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already gives 2i, so divide that by `rotary_dim`."""
        return _behind(_turned(x[..., :rotary_dim], _angles(positions, _speeds(rotary_dim, base) ** 2)), x)

    def power_not_divided(x, positions, rotary_dim, base=10000.0):
        """You leave out the sign of the exponent, so later pairs turn faster instead of slower. It is
        -2i/rotary_dim."""
        return _behind(_turned(x[..., :rotary_dim], _angles(positions, 1 / _speeds(rotary_dim, base))), x)

    def rows_counted_instead(x, positions, rotary_dim, base=10000.0):
        """You turn the rows by 0, 1, 2, ... instead of `positions`. Use `positions`: they may have gaps and repeats,
        and need not start at 0."""
        return _partial(x, np.arange(x.shape[-2]), rotary_dim, base)

    def fractions_cut(x, positions, rotary_dim, base=10000.0):
        """You cut the positions to whole numbers. They may have fractions, so use them unchanged."""
        return _partial(x, positions.astype(int), rotary_dim, base)

    def sign_of_positions_lost(x, positions, rotary_dim, base=10000.0):
        """You treat negative positions as positive ones. They must turn the other way, clockwise."""
        return _partial(x, np.abs(positions), rotary_dim, base)

    def heads_as_sequence(x, positions, rotary_dim, base=10000.0):
        """Your angles run along the wrong axis. The rows are axis -2 of `x`, after any axes for batches and heads."""
        return _along_the_heads(x, positions, lambda y, at: _partial(y, at, rotary_dim, base))

    def first_batch_for_all(x, positions, rotary_dim, base=10000.0):
        """You turn all batches by the positions of the first one. `positions` may have leading axes too, so let them
        broadcast."""
        return _partial(x, positions.reshape(-1, positions.shape[-1])[0], rotary_dim, base)


class truncated_frequencies:
    def frequencies_of_the_kept_part(d_head, share, base=10000.0):
        """You give the kept pairs the frequencies of a narrower head, as in partial rotary. Divide 2i by `d_head`: a
        pair keeps the frequency that it has in the whole head."""
        kept, speeds = int(share * d_head / 2), np.zeros(d_head // 2)
        speeds[:kept] = base ** (-np.arange(kept) / max(kept, 1))
        return speeds

    def fast_pairs_stopped(d_head, share, base=10000.0):
        """You keep the frequency of the slow pairs and set the fast ones to 0. Keep the first pairs, which are the fast
        ones, and set the slow ones to 0."""
        kept = int(share * d_head / 2)
        return np.where(np.arange(d_head // 2) >= d_head // 2 - kept, _speeds(d_head, base), 0.0)

    def share_that_stops(d_head, share, base=10000.0):
        """You treat `share` as the part of the pairs that stops. It is the part that keeps its frequency."""
        return np.where(np.arange(d_head // 2) < int((1 - share) * d_head / 2), _speeds(d_head, base), 0.0)

    def rounded_up(d_head, share, base=10000.0):
        """You round the number of kept pairs up. Round it down: half of 5 pairs is 2 pairs."""
        return np.where(np.arange(d_head // 2) < share * d_head / 2, _speeds(d_head, base), 0.0)

    def rounded_to_nearest(d_head, share, base=10000.0):
        """You round the number of kept pairs to the nearest. Round it down: 0.875 of 3 pairs is 2 pairs."""
        return np.where(np.arange(d_head // 2) < round(share * d_head / 2), _speeds(d_head, base), 0.0)

    def one_pair_too_many(d_head, share, base=10000.0):
        """You keep the frequency of one pair too many. Pairs count from 0, so keep those below the number, not at
        it."""
        return np.where(np.arange(d_head // 2) <= int(share * d_head / 2), _speeds(d_head, base), 0.0)

    def at_least_one_pair(d_head, share, base=10000.0):
        """You keep the frequency of one pair even if the rounded number is 0. Then no pair turns."""
        return np.where(np.arange(d_head // 2) < max(int(share * d_head / 2), 1), _speeds(d_head, base), 0.0)

    def share_cut_first(d_head, share, base=10000.0):
        """You cut `share` to a whole number before you multiply, so a share below 1 keeps no pair. Multiply first:
        int(share * d_head / 2)."""
        return np.where(np.arange(d_head // 2) < int(share) * (d_head // 2), _speeds(d_head, base), 0.0)

    def columns_taken_for_pairs(d_head, share, base=10000.0):
        """You keep the frequency of twice as many pairs as you should: share * d_head counts columns. Divide by 2."""
        return np.where(np.arange(d_head // 2) < int(share * d_head), _speeds(d_head, base), 0.0)

    def slow_pairs_left_out(d_head, share, base=10000.0):
        """You return only the kept frequencies. Return d_head/2 numbers: the pairs that stand still have frequency
        0."""
        return _speeds(d_head, base)[: int(share * d_head / 2)]

    def one_for_zero(d_head, share, base=10000.0):
        """You give the slow pairs frequency 1, so they are as fast as the first pair. A pair that stands still has
        frequency 0."""
        return np.where(np.arange(d_head // 2) < int(share * d_head / 2), _speeds(d_head, base), 1.0)

    def slowest_kept_repeated(d_head, share, base=10000.0):
        """You give the slow pairs the frequency of the slowest kept pair. Give them frequency 0: they stand still."""
        kept = int(share * d_head / 2)
        return _speeds(d_head, base)[np.minimum(np.arange(d_head // 2), max(kept - 1, 0))] * (kept > 0)

    def first_stopped_repeated(d_head, share, base=10000.0):
        """You give all slow pairs the frequency that the first of them has in the whole head. Give them frequency 0:
        they stand still."""
        kept = int(share * d_head / 2)
        return _speeds(d_head, base)[np.minimum(np.arange(d_head // 2), kept)]

    def multiplied_by_share(d_head, share, base=10000.0):
        """You multiply every frequency by `share`. `share` decides which pairs turn, and those keep their frequency."""
        return share * _speeds(d_head, base)

    def share_ignored(d_head, share, base=10000.0):
        """You keep the frequency of every pair, whatever `share` is. Give the slow pairs frequency 0."""
        return _speeds(d_head, base)

    def exponent_by_share(d_head, share, base=10000.0):
        """You divide the exponent by `share`, so every pair turns, and faster or slower than it should. Keep the
        exponent -2i/d_head and give the slow pairs frequency 0."""
        return _speeds(d_head, base) ** (1 / max(share, 0.125))

    def one_per_column(d_head, share, base=10000.0):
        """You return every frequency twice, once per column. Both columns of a pair share one, so return d_head/2
        numbers."""
        return np.repeat(_fast(d_head, share, base), 2)

    def base_dropped(d_head, share, base=10000.0):
        """You use base 10000 in every call. Use the argument `base`."""
        return _fast(d_head, share, 10000.0)

    def doubled_twice(d_head, share, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already gives 2i, so divide that by `d_head`."""
        return _fast(d_head, share, base) ** 2

    def missing_two(d_head, share, base=10000.0):
        """You leave out the 2 of 2i/d_head, so all kept pairs but the first turn too fast. The exponent is
        -2i/d_head."""
        return _fast(d_head, share, base) ** 0.5

    def power_not_divided(d_head, share, base=10000.0):
        """You leave out the sign of the exponent, so later pairs turn faster instead of slower. It is -2i/d_head."""
        return np.where(np.arange(d_head // 2) < int(share * d_head / 2), 1 / _speeds(d_head, base), 0.0)

    def endpoint_included(d_head, share, base=10000.0):
        """The exponents of all pairs go from 0 to -1 and include both ends. Use steps of -2/d_head, which stop before
        -1."""
        speeds = base ** -np.linspace(0.0, 1.0, d_head // 2)
        return np.where(np.arange(d_head // 2) < int(share * d_head / 2), speeds, 0.0)


class truncated_rope:
    def partial_instead(x, positions, share, base=10000.0):
        """You turn the first columns with the frequencies of a narrower head, as in `partial_rope`. Use those of the
        whole head, from `truncated_frequencies`."""
        kept = int(share * x.shape[-1] / 2)
        return _partial(x, positions, 2 * kept, base) if kept else x.astype(_dtype(x))

    def every_pair_turned(x, positions, share, base=10000.0):
        """You turn every pair, whatever `share` is. The slow pairs have frequency 0, so they stay as they are."""
        return _turned(x, _angles(positions, _speeds(x.shape[-1], base)))

    def slow_pairs_turned(x, positions, share, base=10000.0):
        """You turn the slow pairs and leave the fast ones. Turn the fast pairs: they are the first ones."""
        pairs = x.shape[-1] // 2
        still = np.arange(pairs) < pairs - int(share * x.shape[-1] / 2)
        return _turned(x, _angles(positions, np.where(still, 0.0, _speeds(x.shape[-1], base))))

    def slow_pairs_zero(x, positions, share, base=10000.0):
        """You set the slow pairs to 0. An angle of 0 has the cosine 1, so these pairs stay as they are."""
        turned = _truncated(x, positions, share, base)
        turned[..., 2 * int(share * x.shape[-1] / 2) :] = 0.0
        return turned

    def slow_pairs_dropped(x, positions, share, base=10000.0):
        """You return only the turned columns. The result has the shape of `x`, and the slow pairs are unchanged."""
        return _truncated(x, positions, share, base)[..., : 2 * int(share * x.shape[-1] / 2)]

    def slow_pairs_as_fast_as_the_first(x, positions, share, base=10000.0):
        """You turn the slow pairs by 1 radian per position: they have frequency 1, not 0. Leave them as they are."""
        speeds = _fast(x.shape[-1], share, base)
        return _turned(x, _angles(positions, np.where(speeds > 0.0, speeds, 1.0)))

    def half_of_the_kept_pairs(x, positions, share, base=10000.0):
        """You turn only half of the kept pairs: you use the number of pairs as a number of columns. A pair has two
        columns."""
        kept = int(share * x.shape[-1] / 2)
        return _turned(x, _angles(positions, np.where(np.arange(x.shape[-1] // 2) < kept // 2,
                                                      _speeds(x.shape[-1], base), 0.0)))

    def halves_layout(x, positions, share, base=10000.0):
        """You turn column i with column i + d_head/2, as in the transformers library. Turn neighbouring columns
        together: 2i and 2i + 1."""
        return _halves(x, _angles(positions, _fast(x.shape[-1], share, base)))

    def halves_of_the_kept_columns(x, positions, share, base=10000.0):
        """You pair the turned columns in halves, i with i + kept. Turn neighbouring columns together: 2i and 2i + 1."""
        kept = int(share * x.shape[-1] / 2)
        angles = _angles(positions, _speeds(x.shape[-1], base)[:kept])
        return _behind(_halves(x[..., : 2 * kept], angles), x)

    def tiled_angles_with_pairs(x, positions, share, base=10000.0):
        """You lay the angles out in two halves, but you pair neighbouring columns. Both columns of a pair need the same
        angle, so repeat each angle in place."""
        angles = np.concatenate([_angles(positions, _fast(x.shape[-1], share, base))] * 2, axis=-1)
        partners = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def left_in_two_halves(x, positions, share, base=10000.0):
        """You turn the pairs correctly but return them as two halves. Put columns 2i and 2i + 1 next to each other
        again."""
        turned = _truncated(x, positions, share, base)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    def clockwise(x, positions, share, base=10000.0):
        """You turn the vectors clockwise. A positive angle turns (1, 0) into (cos, sin), counter-clockwise."""
        return _truncated(x, -positions, share, base)

    def sine_and_cosine_swapped(x, positions, share, base=10000.0):
        """You swap sine and cosine. A pair that stands still has an angle of 0, whose cosine is 1 and sine 0."""
        return _turned(x, np.pi / 2 - _angles(positions, _fast(x.shape[-1], share, base)))

    def base_dropped(x, positions, share, base=10000.0):
        """Your code ignores the argument `base`, so the angles always have base 10000. Pass it on."""
        return _truncated(x, positions, share, 10000.0)

    def reads_what_it_wrote(x, positions, share, base=10000.0):
        """You compute the odd columns from even columns that were already overwritten: x[..., 0::2] is a view. Compute
        both before you write either, or write into a new array."""
        result = x.astype(_dtype(x))
        angles = _angles(positions, _fast(x.shape[-1], share, base))
        result[..., 0::2] = result[..., 0::2] * np.cos(angles) - result[..., 1::2] * np.sin(angles)
        result[..., 1::2] = result[..., 0::2] * np.sin(angles) + result[..., 1::2] * np.cos(angles)
        return result

    def writes_into_x(x, positions, share, base=10000.0):
        """The values are right, but you write them into the argument `x`. Return a new array."""
        turned = _truncated(x, positions, share, base)
        if x.dtype.kind != "f":
            return turned
        x[...] = turned
        return x

    def integers_cut(x, positions, share, base=10000.0):
        """You cut the result to whole numbers if `x` has whole numbers. Turned vectors have fractions, so return
        float64."""
        return _truncated(x, positions, share, base).astype(x.dtype)

    def widened(x, positions, share, base=10000.0):
        """You return float64 for a float32 `x`, because float64 angles or a float64 copy of `x` make the result
        float64. Convert the result to the dtype of `x` if that is a float."""
        return _truncated(x.astype(np.float64), positions, share, base)

    def rows_counted_instead(x, positions, share, base=10000.0):
        """You turn the rows by 0, 1, 2, ... instead of `positions`. Use `positions`: they may have gaps and repeats,
        and need not start at 0."""
        return _truncated(x, np.arange(x.shape[-2]), share, base)

    def fractions_cut(x, positions, share, base=10000.0):
        """You cut the positions to whole numbers. They may have fractions, so use them unchanged."""
        return _truncated(x, positions.astype(int), share, base)

    def sign_of_positions_lost(x, positions, share, base=10000.0):
        """You treat negative positions as positive ones. They must turn the other way, clockwise."""
        return _truncated(x, np.abs(positions), share, base)

    def heads_as_sequence(x, positions, share, base=10000.0):
        """Your angles run along the wrong axis. The rows are axis -2 of `x`, after any axes for batches and heads."""
        return _along_the_heads(x, positions, lambda y, at: _truncated(y, at, share, base))

    def first_batch_for_all(x, positions, share, base=10000.0):
        """You turn all batches by the positions of the first one. `positions` may have leading axes too, so let them
        broadcast."""
        return _truncated(x, positions.reshape(-1, positions.shape[-1])[0], share, base)
