"""Wrong answers to 73_llama3_scaling; each docstring is what the learner is told."""
import numpy as np


def _kept(d_head, base):
    return base ** (-2 * np.arange(d_head // 2) / d_head)       # (d_head / 2,)


def _waves(d_head, base):
    return 2 * np.pi / _kept(d_head, base)                      # (d_head / 2,)


def _shares(waves, train_len, low, high):
    return np.clip((train_len / waves - low) / (high - low), 0.0, 1.0)


def _blend(kept, slowed, shares):
    return (1 - shares) * slowed + shares * kept


def _right(d_head, factor, train_len, low, high, base):
    kept = _kept(d_head, base)
    return _blend(kept, kept / factor, _shares(2 * np.pi / kept, train_len, low, high))


def _counts(waves, fast, slow):
    """How many are below the one threshold, between, above the other."""
    kept, divided = np.sum(waves < fast), np.sum(waves > slow)
    return np.array([kept, len(waves) - kept - divided, divided])


class wavelengths:
    def two_pi_missing(d_head, base=10000.0):
        """You leave out the 2 pi. 1 / frequency is the number of positions for one radian, and a full turn is 2 pi
        radians."""
        return 1 / _kept(d_head, base)

    def half_a_turn(d_head, base=10000.0):
        """Your wavelengths are half as long as they should be. A full turn is 2 pi radians, not pi."""
        return np.pi / _kept(d_head, base)

    def multiplied_by_the_frequency(d_head, base=10000.0):
        """You multiply 2 pi by the frequency. Divide 2 pi by it: a slow pair needs more positions for a turn."""
        return 2 * np.pi * _kept(d_head, base)

    def turns_per_position(d_head, base=10000.0):
        """You return turns per position, frequency / (2 pi). A wavelength is the inverse: positions per turn."""
        return _kept(d_head, base) / (2 * np.pi)

    def frequencies_returned(d_head, base=10000.0):
        """You return the frequencies. Divide 2 pi by them to get wavelengths."""
        return _kept(d_head, base)

    def degrees(d_head, base=10000.0):
        """You count a full turn as 360. The frequencies are in radians, so a full turn is 2 pi."""
        return 360 / _kept(d_head, base)

    def base_fixed(d_head, base=10000.0):
        """You use base 10000 in every call. Use the argument `base`."""
        return _waves(d_head, 10000.0)

    def base_of_llama(d_head, base=500000.0):
        """Your default for the base is 500000. In `wavelengths` it is 10000. Only the other two functions have
        500000."""
        return _waves(d_head, base)

    def missing_two(d_head, base=10000.0):
        """You leave out the 2 in the exponent 2i / d_head, so the wavelengths grow too slowly from pair to pair."""
        return 2 * np.pi * base ** (np.arange(d_head // 2) / d_head)

    def doubled_twice(d_head, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already contains the numbers 2i."""
        return 2 * np.pi * base ** (2 * np.arange(0, d_head, 2) / d_head)

    def counts_from_one(d_head, base=10000.0):
        """You count the pairs from 1. Start with i = 0: the first wavelength is 2 pi."""
        return 2 * np.pi * base ** ((np.arange(0, d_head, 2) + 2) / d_head)

    def endpoint_included(d_head, base=10000.0):
        """Your last wavelength is 2 pi times the base. Divide 2i by d_head: the exponents then stay below 1."""
        return 2 * np.pi * base ** np.linspace(0.0, 1.0, d_head // 2)

    def one_per_column(d_head, base=10000.0):
        """You return every wavelength twice, once per column. Return one per pair, d_head / 2 numbers."""
        return np.repeat(_waves(d_head, base), 2)

    def longest_first(d_head, base=10000.0):
        """Your wavelengths are in reverse order. The first pair is the fastest, so it has the shortest one."""
        return _waves(d_head, base)[::-1]

    def rounded_up_to_positions(d_head, base=10000.0):
        """You round the wavelengths to whole positions. A turn may end between two positions, so do not round."""
        return np.ceil(_waves(d_head, base))


class llama3_frequencies:
    def unchanged(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You return the frequencies of training. Return the new ones: divide the slow ones by the factor, and blend
        those in between."""
        return _kept(d_head, base)

    def all_divided(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide every frequency by the factor, which is position interpolation. Llama 3.1 keeps the fast pairs."""
        return _kept(d_head, base) / factor

    def fates_exchanged(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You exchange fast and slow pairs. Keep the pairs with the short wavelengths and divide the pairs with the
        long ones. A large share s means that much of the old frequency remains."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, kept / factor, 1 - shares)

    def blend_reversed(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You exchange s and 1 - s in the blend, so the frequencies jump at the thresholds. Multiply the kept frequency
        by s and the divided one by 1 - s."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        between = (shares > 0) & (shares < 1)
        return _blend(kept, kept / factor, np.where(between, 1 - shares, shares))

    def blended_pairs_kept(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You keep pairs between the two thresholds. Blend the kept and the divided frequency there."""
        kept = _kept(d_head, base)
        return np.where(2 * np.pi / kept > train_len / low_freq_factor, kept / factor, kept)

    def blended_pairs_divided(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide pairs between the two thresholds. Blend the kept and the divided frequency there."""
        kept = _kept(d_head, base)
        return np.where(2 * np.pi / kept < train_len / high_freq_factor, kept, kept / factor)

    def half_of_each(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You give every pair between the thresholds the mean of both frequencies. Use the share s instead, which grows
        with the turns of the pair."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, kept / factor, (np.ceil(shares) + np.floor(shares)) / 2)

    def share_not_limited(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your share is below 0 for slow pairs and above 1 for fast ones. Limit it to the range from 0 to 1, or handle
        these pairs separately."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        shares = (turns - low_freq_factor) / (high_freq_factor - low_freq_factor)
        return _blend(kept, kept / factor, shares)

    def share_limited_above_only(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your share of the slow pairs is below 0. Make it 0, so these pairs are divided by the factor."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        shares = (turns - low_freq_factor) / (high_freq_factor - low_freq_factor)
        return _blend(kept, kept / factor, np.minimum(shares, 1.0))

    def share_limited_below_only(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your share of the fast pairs is above 1, so they turn faster than in training. Make it 1, so these pairs keep
        their frequency."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        shares = (turns - low_freq_factor) / (high_freq_factor - low_freq_factor)
        return _blend(kept, kept / factor, np.maximum(shares, 0.0))

    def thresholds_multiplied(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your thresholds are `train_len` times the two factors. Divide by the factors: a pair that makes 4 turns has a
        wavelength of train_len / 4."""
        return _right(d_head, factor, train_len, 1 / high_freq_factor, 1 / low_freq_factor, base)

    def first_threshold_only(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your share is turns / high_freq_factor. Subtract low_freq_factor from both, so the share is 0 at the slow
        threshold."""
        return _right(d_head, factor, train_len, 0.0, high_freq_factor, base)

    def not_divided_by_the_difference(
            d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide the share by high_freq_factor. Divide by the difference of the two factors, so the share is 1 at
        the fast threshold."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        shares = np.where(turns > high_freq_factor, 1.0, (turns - low_freq_factor) / high_freq_factor)
        return _blend(kept, kept / factor, np.clip(shares, 0.0, 1.0))

    def share_of_the_high_factor(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide the share by high_freq_factor and then limit it, so it is too small, and some fast pairs are
        blended. Divide by the difference of the two factors."""
        kept = _kept(d_head, base)
        turns = train_len * kept / (2 * np.pi)
        return _blend(kept, kept / factor, np.clip((turns - low_freq_factor) / high_freq_factor, 0.0, 1.0))

    def even_over_the_wavelength(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your share falls evenly with the wavelength. Make it grow evenly with the turns, train_len / wavelength."""
        kept = _kept(d_head, base)
        fast, slow = train_len / high_freq_factor, train_len / low_freq_factor
        shares = np.clip((slow - 2 * np.pi / kept) / (slow - fast), 0.0, 1.0)
        return _blend(kept, kept / factor, shares)

    def even_over_the_pairs(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your share falls evenly with the pair index, as in kata 72. Make it grow evenly with the turns, train_len /
        wavelength."""
        kept = _kept(d_head, base)
        turns = np.log(train_len * kept / (2 * np.pi))
        low, high = np.log(low_freq_factor), np.log(high_freq_factor)
        return _blend(kept, kept / factor, np.clip((turns - low) / (high - low), 0.0, 1.0))

    def wavelengths_mixed(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You mix the wavelengths and invert the result. Mix the frequencies instead."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return 1 / _blend(1 / kept, factor / kept, shares)

    def share_as_exponent(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide the frequency by a power of the factor. Mix the kept and the divided frequency instead: (1 - s) *
        frequency / factor + s * frequency."""
        kept = _kept(d_head, base)
        return kept / factor ** (1 - _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor))

    def divided_twice(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide the slow part by the factor twice. In the blend, divide the frequency of training by the factor
        once."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, kept / factor**2, shares)

    def multiplied_by_the_factor(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You multiply the slow pairs by the factor, so they get faster. Divide them by it."""
        return _right(d_head, 1 / factor, train_len, low_freq_factor, high_freq_factor, base)

    def slow_pairs_stand_still(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You cut the frequencies of the slow pairs to whole numbers, so most are 0. Divide by the factor with `/`, not
        with `//`."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, np.where(shares == 0, kept // factor, kept / factor), shares)

    def divided_part_cut(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You cut the divided part of every frequency to a whole number, so slow pairs get 0 and blended ones too
        little. Divide by the factor with `/`, not with `//`."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, kept // factor, shares)

    def factor_fixed(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You use the factor 8 in every call. Use the argument `factor`: the small models of Llama 3.2 have 32."""
        return _right(d_head, 8.0, train_len, low_freq_factor, high_freq_factor, base)

    def train_len_fixed(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You use the training length 8192 in every call. Use the argument `train_len`."""
        return _right(d_head, factor, 8192, low_freq_factor, high_freq_factor, base)

    def thresholds_fixed(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your thresholds are always 1 and 4 turns. Use `low_freq_factor` and `high_freq_factor`."""
        return _right(d_head, factor, train_len, 1.0, 4.0, base)

    def length_of_the_long_text(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You count the turns in factor * train_len positions. Count the turns in training, in train_len positions."""
        return _right(d_head, factor, factor * train_len, low_freq_factor, high_freq_factor, base)

    def radians_not_turns(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You leave out the 2 pi and compare radians with turns. Use the wavelengths, 2 pi / frequency."""
        return _right(d_head, factor, 2 * np.pi * train_len, low_freq_factor, high_freq_factor, base)

    def base_of_wavelengths(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your wavelengths have base 10000, because you do not pass `base` to `wavelengths`. Pass it on."""
        kept = _kept(d_head, base)
        shares = _shares(_waves(d_head, 10000.0), train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, kept / factor, shares)

    def base_fixed(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You use base 500000 in every call. Use the argument `base`."""
        return _right(d_head, factor, train_len, low_freq_factor, high_freq_factor, 500000.0)

    def base_ten_thousand(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=10000.0):
        """Your default for the base is 10000. In `llama3_frequencies` it is 500000, the base of Llama 3."""
        return _right(d_head, factor, train_len, low_freq_factor, high_freq_factor, base)

    def factor_in_the_base(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your slow frequencies are (factor * base) ** (-2i / d_head). Compute the power of the base first, then divide
        it by the factor."""
        kept = _kept(d_head, base)
        shares = _shares(2 * np.pi / kept, train_len, low_freq_factor, high_freq_factor)
        return _blend(kept, _kept(d_head, factor * base), shares)

    def wavelengths_returned(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You return the new wavelengths. Return the frequencies, in radians per position."""
        return 2 * np.pi / _right(d_head, factor, train_len, low_freq_factor, high_freq_factor, base)

    def attention_factor_included(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You multiply the frequencies by YaRN's attention factor. Leave it out: Llama 3.1 has none, and it never
        multiplies frequencies."""
        new = _right(d_head, factor, train_len, low_freq_factor, high_freq_factor, base)
        return new * (0.1 * np.log(factor) + 1)

    def thresholds_cut(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You cut the thresholds to whole numbers. Divide with `/`, not with `//`."""
        kept = _kept(d_head, base)
        waves = 2 * np.pi / kept
        shares = (train_len / waves - low_freq_factor) / (high_freq_factor - low_freq_factor)
        shares = np.where(waves > train_len // low_freq_factor, 0.0, shares)
        return _blend(kept, kept / factor, np.where(waves < train_len // high_freq_factor, 1.0, shares))


class pairs_by_fate:
    def divided_first(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your counts are in reverse order. Return the kept pairs first, then the blended ones, then the divided
        ones."""
        return _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)[::-1]

    def blended_last(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You count the blended pairs last. The order is kept, blended, divided."""
        counts = _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)
        return counts[[0, 2, 1]]

    def blended_counted_as_kept(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You count the blended pairs as kept, too. A pair is kept only if its wavelength is below train_len /
        high_freq_factor."""
        waves = _waves(d_head, base)
        counts = _counts(waves, train_len / high_freq_factor, train_len / low_freq_factor)
        return counts + np.array([1, 0, 0]) * counts[1]

    def columns_counted(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You count columns, so each count is twice too large. Count pairs: the sum is d_head / 2."""
        return 2 * _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)

    def indices_returned(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You return the indices at which the fates end. Return how many pairs have each fate: the differences of the
        indices."""
        counts = _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)
        return np.cumsum(counts)

    def shares_returned(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You divide the counts by the number of pairs. Return the counts themselves."""
        counts = _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)
        return counts / (d_head // 2)

    def zeros_at_the_end_missing(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You leave out the last 0 if the last fate has no pairs. Return three numbers in every call: np.bincount needs
        minlength=3."""
        counts = _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)
        return counts[: np.flatnonzero(counts).max() + 1]

    def fates_without_pairs_missing(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You leave out the 0 of a fate without pairs, as np.unique does. Return three numbers in every call."""
        counts = _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)
        return counts[counts > 0]

    def fate_of_each_pair(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You return one number per pair, its fate. Count how many pairs have each fate and return three numbers."""
        return np.digitize(_waves(d_head, base), [train_len / high_freq_factor, train_len / low_freq_factor])

    def thresholds_multiplied(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your thresholds are `train_len` times the two factors. Divide by the factors: a pair that makes 4 turns has a
        wavelength of train_len / 4."""
        return _counts(_waves(d_head, base), train_len * low_freq_factor, train_len * high_freq_factor)

    def thresholds_exchanged(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You exchange the two thresholds, so a pair in between counts as kept and as divided. The high factor belongs
        to the short wavelengths: train_len / high_freq_factor is the smaller threshold."""
        return _counts(_waves(d_head, base), train_len / low_freq_factor, train_len / high_freq_factor)

    def thresholds_cut(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You cut the thresholds to whole numbers. Divide with `/`, not with `//`."""
        return _counts(_waves(d_head, base), train_len // high_freq_factor, train_len // low_freq_factor)

    def wavelengths_cut(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You cut the wavelengths to whole numbers. Compare them with the thresholds as they are."""
        waves = np.floor(_waves(d_head, base))
        return _counts(waves, train_len / high_freq_factor, train_len / low_freq_factor)

    def thresholds_fixed(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your thresholds are always 4 turns and 1 turn. Use `low_freq_factor` and `high_freq_factor`."""
        return _counts(_waves(d_head, base), train_len / 4, train_len)

    def train_len_fixed(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You use the training length 8192 in every call. Use the argument `train_len`."""
        return _counts(_waves(d_head, base), 8192 / high_freq_factor, 8192 / low_freq_factor)

    def radians_not_turns(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You leave out the 2 pi and compare radians with turns. Use the wavelengths, 2 pi / frequency."""
        return _counts(1 / _kept(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)

    def base_of_wavelengths(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Your wavelengths have base 10000, because you do not pass `base` to `wavelengths`. Pass it on."""
        return _counts(_waves(d_head, 10000.0), train_len / high_freq_factor, train_len / low_freq_factor)

    def base_ten_thousand(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=10000.0):
        """Your default for the base is 10000. In `pairs_by_fate` it is 500000, the base of Llama 3."""
        return _counts(_waves(d_head, base), train_len / high_freq_factor, train_len / low_freq_factor)

    def base_fixed(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """You use base 500000 in every call. Use the argument `base`."""
        return _counts(_waves(d_head, 500000.0), train_len / high_freq_factor, train_len / low_freq_factor)
