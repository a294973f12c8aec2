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
        """The turns were exchanged: fast pairs come first, so `low` belongs to beta_fast and `high` to
        beta_slow."""
        return _range(d_head, train_len, beta_slow, beta_fast, base)

    def radians_not_turns(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The 2 pi is missing: frequencies are in radians, and a whole turn has 2 pi of them."""
        return _range(d_head, 2 * math.pi * train_len, beta_fast, beta_slow, base)

    def columns_not_pairs(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """These are column indices, twice as large: `low` and `high` count pairs, so half of d_head is
        multiplied."""
        low = math.floor(2 * _index(beta_fast, d_head, train_len, base))
        high = math.ceil(2 * _index(beta_slow, d_head, train_len, base))
        return max(low, 0), min(high, d_head - 1)

    def rounded_to_the_nearest(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The indices were rounded to the nearest whole number: `low` is rounded down and `high` up."""
        low = round(_index(beta_fast, d_head, train_len, base))
        high = round(_index(beta_slow, d_head, train_len, base))
        return max(low, 0), min(high, d_head - 1)

    def both_rounded_down(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """`high` was rounded down like `low`: it is rounded up, so that the ramp holds all of the range."""
        low = math.floor(_index(beta_fast, d_head, train_len, base))
        high = math.floor(_index(beta_slow, d_head, train_len, base))
        return max(low, 0), min(high, d_head - 1)

    def left_as_fractions(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The indices were not rounded: `low` is the floor of one and `high` the ceiling of the other, both
        ints."""
        low, high = (_index(turns, d_head, train_len, base) for turns in (beta_fast, beta_slow))
        return max(low, 0.0), min(high, d_head - 1.0)

    def low_below_zero(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """`low` is below 0: no pair makes beta_fast turns, but the ramp still begins at pair 0 at the
        earliest."""
        return math.floor(_index(beta_fast, d_head, train_len, base)), _range(
            d_head, train_len, beta_fast, beta_slow, base)[1]

    def high_above_the_width(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """`high` is above d_head - 1, where it has to be cut off."""
        low = math.floor(_index(beta_fast, d_head, train_len, base))
        return max(low, 0), math.ceil(_index(beta_slow, d_head, train_len, base))

    def high_cut_to_the_pairs(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """`high` was cut to the last pair, d_head/2 - 1: the released code cuts it to d_head - 1, and the
        slope of the ramp depends on it."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        return low, min(high, d_head // 2 - 1)

    def base_fixed(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        return _range(d_head, train_len, beta_fast, beta_slow, 10000.0)



class yarn_frequencies:
    def ramp_reversed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The ramp is the wrong way round: fast pairs, the first ones, keep their speed, and slow ones are
        divided."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, 1 - _shares(d_head, low, high))

    def all_pairs_slowed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Every pair was divided by the scale, or the positions were: that is position interpolation. Here
        fast pairs keep their speed."""
        return _kept(d_head, base) / scale

    def step_without_ramp(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """All pairs before `high` keep their speed and all others are slowed: between `low` and `high` a ramp
        leads from one to the other."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return np.where(np.arange(d_head // 2) < max(high, low + 0.001), kept, kept / scale)

    def ramp_not_cut_off(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The ramp goes on below 0 and above 1: cut it off there, or fast pairs speed up and slow ones
        reverse."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, (np.arange(d_head // 2) - low) / (high - low or 0.001))

    def ramp_over_columns(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The ramp counts columns, 0, 2, 4, ..., where `low` and `high` are pairs: it counts 0, 1, 2, ..."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high, np.arange(0, d_head, 2)))

    def ramp_over_turns(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """This is the ramp as the paper prints it, linear in the number of turns: here it is the released
        code's, linear in the pair index."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        return _mixed(kept / scale, kept, np.clip((turns - beta_slow) / (beta_fast - beta_slow), 0.0, 1.0))

    def wavelengths_mixed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The wavelengths were mixed and then inverted: it is the frequencies that are mixed."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return 1 / _mixed(1 / kept, scale / kept, _shares(d_head, low, high))

    def division_by_zero(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Where `low` equals `high` the ramp divides 0 by 0: `high` counts as low + 0.001 there."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        with np.errstate(all="ignore"):
            shares = np.clip((np.arange(d_head // 2) - low) / np.float64(high - low), 0.0, 1.0)
            return _mixed(kept, kept / scale, shares)

    def range_of_the_long_text(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The turns were counted in scale * train_len positions: what counts is how far a pair turned in
        training."""
        low, high = _range(d_head, scale * train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high))

    def turns_fixed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The range was made with 32 and 1 turns: hand `beta_fast` and `beta_slow` on to
        `correction_range`."""
        low, high = _range(d_head, train_len, 32.0, 1.0, base)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high))

    def base_not_handed_on(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The range was made with base 10000: hand `base` on to `correction_range`, which counts the turns with
        it."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, 10000.0)
        kept = _kept(d_head, base)
        return _mixed(kept, kept / scale, _shares(d_head, low, high))

    def exponents_mixed(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The ramp stands in an exponent, kept / scale ** ramp: mix the frequencies themselves,
        (1 - ramp) * kept + ramp * kept / scale."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        return _kept(d_head, base) / scale ** _shares(d_head, low, high)

    def scale_in_the_base(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The slow frequencies have the scale under the power, (scale * base) ** (-2i/d_head): divide the
        frequency itself by the scale."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        return _mixed(_kept(d_head, base), _kept(d_head, scale * base), _shares(d_head, low, high))

    def attention_factor_included(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The frequencies were multiplied by the attention factor: that one multiplies queries and keys, not
        angles."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        kept = _kept(d_head, base)
        factor = 0.1 * math.log(max(scale, 1.0)) + 1.0
        return factor * _mixed(kept, kept / scale, _shares(d_head, low, high))


class yarn_attention_factor:
    def one_forgotten(scale):
        """The 1 is missing: it is 0.1 * ln(scale) + 1, so that it begins at 1."""
        return 0.1 * math.log(scale) if scale > 1 else 1.0

    def decimal_logarithm(scale):
        """The logarithm is the natural one, not that of base 10."""
        return 0.1 * math.log10(max(scale, 1.0)) + 1.0

    def below_one(scale):
        """For a scale below 1 the factor fell below 1: it stays 1 up to a scale of 1."""
        return 0.1 * math.log(scale) + 1.0

    def squared(scale):
        """This is the square, by which the scores are multiplied in the end: queries and keys get the factor
        itself."""
        return (0.1 * math.log(max(scale, 1.0)) + 1.0) ** 2
