"""Wrong answers to 72_yarn; each docstring is what the learner is told."""
import math

import numpy as np


def _index(turns, d_head, train_len, base):
    return d_head / 2 * math.log(train_len / (2 * math.pi * turns)) / math.log(base)


def _range(d_head, train_len, beta_fast, beta_slow, base):
    low = math.floor(_index(beta_fast, d_head, train_len, base))
    high = math.ceil(_index(beta_slow, d_head, train_len, base))
    return max(low, 0), min(high, d_head - 1)


def _kept(d_head, base):
    return base ** (-np.arange(0, d_head, 2) / d_head)          # (d_head / 2,)


def _shares(d_head, low, high, places=None):
    places = np.arange(d_head // 2) if places is None else places
    return np.clip((places - low) / (high - low or 0.001), 0.0, 1.0)


def _mixed(kept, slowed, shares):
    return (1 - shares) * kept + shares * slowed


class correction_range:
    def betas_swapped(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You swap the two numbers of turns. Fast pairs come first, so compute `low` from beta_fast and `high` from
        beta_slow."""
        return _range(d_head, train_len, beta_slow, beta_fast, base)

    def radians_not_turns(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You leave out the 2 pi. Frequencies are in radians, and a whole turn is 2 pi radians."""
        return _range(d_head, 2 * math.pi * train_len, beta_fast, beta_slow, base)

    def columns_not_pairs(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your indices count columns, so they are twice too large. `low` and `high` count pairs: multiply by d_head / 2
        instead of d_head."""
        low = math.floor(2 * _index(beta_fast, d_head, train_len, base))
        high = math.ceil(2 * _index(beta_slow, d_head, train_len, base))
        return max(low, 0), min(high, d_head - 1)

    def rounded_to_the_nearest(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You round the indices to the nearest whole number. Round `low` down and `high` up."""
        low = round(_index(beta_fast, d_head, train_len, base))
        high = round(_index(beta_slow, d_head, train_len, base))
        return max(low, 0), min(high, d_head - 1)

    def both_rounded_down(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You round `high` down like `low`. Round it up with np.ceil."""
        low = math.floor(_index(beta_fast, d_head, train_len, base))
        high = math.floor(_index(beta_slow, d_head, train_len, base))
        return max(low, 0), min(high, d_head - 1)

    def left_as_fractions(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You do not round the indices. `low` is the floor of one index and `high` the ceiling of the other."""
        low, high = (_index(turns, d_head, train_len, base) for turns in (beta_fast, beta_slow))
        return max(low, 0.0), min(high, d_head - 1.0)

    def low_below_zero(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your `low` can be below 0, because short texts leave no pair with beta_fast turns. Return 0 in that case."""
        return math.floor(_index(beta_fast, d_head, train_len, base)), _range(
            d_head, train_len, beta_fast, beta_slow, base)[1]

    def high_above_the_width(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your `high` can be above d_head - 1, for long texts or a small base. Return d_head - 1 in that case."""
        low = math.floor(_index(beta_fast, d_head, train_len, base))
        return max(low, 0), math.ceil(_index(beta_slow, d_head, train_len, base))

    def high_cut_to_the_pairs(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You limit `high` to the last pair, d_head/2 - 1. Limit it to d_head - 1, as the released code does: the slope
        of the ramp depends on it."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        return low, min(high, d_head // 2 - 1)

    def base_fixed(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You write the base 10000 into the code. Use the argument `base`."""
        return _range(d_head, train_len, beta_fast, beta_slow, 10000.0)


class yarn_frequencies:
    def ramp_reversed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You reverse the ramp. Keep the fast pairs, which come first, and divide the frequencies of the slow pairs by
        the scale."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, 1 - _shares(d_head, low, high))

    def small_scales_ignored(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You ignore a scale below 1. Divide by it like any other: slow pairs then get faster."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / max(scale, 1.0), _shares(d_head, low, high))

    def all_pairs_slowed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You divide every frequency by the scale, which is position interpolation. In YaRN the fast pairs keep their
        frequencies."""
        return _kept(d_head, base) / scale

    def step_without_ramp(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You keep all pairs before `high` and slow all others. Between `low` and `high`, mix the kept and the slowed
        frequency with a ramp."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return np.where(np.arange(d_head // 2) < max(high, low + 0.001), kept, kept / scale)

    def ramp_not_cut_off(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your ramp continues below 0 and above 1, so the frequencies there are wrong. Limit it to 0 and 1 with
        np.clip."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, (np.arange(d_head // 2) - low) / (high - low or 0.001))

    def ramp_over_columns(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You compute the ramp for 0, 2, 4, ..., which are columns. `low` and `high` count pairs, so compute it for 0,
        1, 2, ..."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high, np.arange(0, d_head, 2)))

    def ramp_over_turns(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your ramp is linear in the number of turns, as in the paper. Make it linear in the pair index, as in the
        released code: (i - low) / (high - low)."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        return _mixed(kept / scale, kept, np.clip((turns - beta_slow) / (beta_fast - beta_slow), 0.0, 1.0))

    def wavelengths_mixed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You mix the wavelengths and invert the result. Mix the frequencies instead."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return 1 / _mixed(1 / kept, scale / kept, _shares(d_head, low, high))

    def division_by_zero(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your ramp divides by 0 if `low` equals `high`. Use low + 0.001 for `high` in that case."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        with np.errstate(all="ignore"):
            shares = np.clip((np.arange(d_head // 2) - low) / np.float64(high - low), 0.0, 1.0)
            return _mixed(kept, kept / scale, shares)

    def step_slows_its_own_pair(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You slow pair `low` too if `low` equals `high`. Use low + 0.001 for `high` in that case. Then pair `low`
        keeps its frequency, and the pairs after it are divided by the scale."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept, places = _kept(d_head, base), np.arange(d_head // 2)
        return _mixed(kept, kept / scale, places >= low if low == high else _shares(d_head, low, high))

    def range_of_the_long_text(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You count the turns in scale * train_len positions. Count the turns that the pairs made in training, in
        train_len positions."""
        low, high = _range(d_head, scale * train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high))

    def turns_fixed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You always compute the range for 32 and 1 turns. Pass `beta_fast` and `beta_slow` to `correction_range`."""
        low, high = _range(d_head, train_len, 32.0, 1.0, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high))

    def base_not_handed_on(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You always compute the range for base 10000. Pass `base` to `correction_range`."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, 10000.0)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high))

    def exponents_mixed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You use the ramp as an exponent of the scale, kept / scale ** ramp. Mix the two frequencies instead: (1 -
        ramp) * kept + ramp * kept / scale."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        return _kept(d_head, base) / scale ** _shares(d_head, low, high)

    def scale_in_the_base(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Your slow frequencies are (scale * base) ** (-2i/d_head). Compute the power of the base first, then divide it
        by the scale."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        return _mixed(_kept(d_head, base), _kept(d_head, scale * base), _shares(d_head, low, high))

    def attention_factor_included(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """You multiply the frequencies by the attention factor. Leave the factor out: it multiplies queries and keys,
        not angles."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        factor = 0.1 * math.log(max(scale, 1.0)) + 1.0
        return factor * _mixed(kept, kept / scale, _shares(d_head, low, high))


class yarn_attention_factor:
    def one_forgotten(scale):
        """You leave out the 1, so the factor is 1 too small. It is 0.1 * ln(scale) + 1."""
        return 0.1 * math.log(scale) if scale > 1 else 1.0

    def decimal_logarithm(scale):
        """Your logarithm has base 10. Use the natural logarithm, np.log."""
        return 0.1 * math.log10(max(scale, 1.0)) + 1.0

    def below_one(scale):
        """For a scale below 1, your factor is below 1. Return 1 in that case."""
        return 0.1 * math.log(scale) + 1.0

    def squared(scale):
        """You return the square of the factor, which multiplies the scores. Return the factor itself, which multiplies
        queries and keys."""
        return (0.1 * math.log(max(scale, 1.0)) + 1.0) ** 2
