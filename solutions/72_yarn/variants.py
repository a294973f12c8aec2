"""Other right answers to 72_yarn, and when one would want them."""
import math

import numpy as np


def _range(d_head, train_len, beta_fast, beta_slow, base):
    radians = 2 * math.pi * beta_fast, 2 * math.pi * beta_slow
    fast, slow = (d_head / 2 * math.log(train_len / angle, base) for angle in radians)
    return max(math.floor(fast), 0), min(math.ceil(slow), d_head - 1)


class correction_range:
    def by_logarithms_to_the_base(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """math.log takes a base of its own: the wavelength that fits `turns` times, as a power of `base`.
        math.floor and math.ceil make ints of it at once."""
        return _range(d_head, train_len, beta_fast, beta_slow, base)

    def by_counting(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Go through the pairs, real ones and those beyond the width, and count the turns that each makes.
        No logarithm, and no doubt about which end is rounded down."""
        turns = [train_len / (2 * math.pi) * base ** (-2 * pair / d_head) for pair in range(d_head)]
        fast = sum(made >= beta_fast for made in turns)
        faster_than_slow = sum(made > beta_slow for made in turns)
        return max(fast - 1, 0), min(faster_than_slow, d_head - 1)

    def by_search(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """The turns fall from pair to pair, so both places can be found in their sorted list by bisection.
        For frequencies that follow no formula this still works."""
        turns = train_len / (2 * np.pi) * float(base) ** (-2 * np.arange(d_head) / d_head)
        low = np.searchsorted(-turns, -beta_fast, side="right") - 1
        high = np.searchsorted(-turns, -beta_slow, side="left")
        return np.maximum(low, 0), np.minimum(high, d_head - 1)


class yarn_frequencies:
    def by_loop(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """One pair at a time, with the three cases spelled out: kept, slowed, or some of both.
        Slower than arrays, and the only form in which the cases can be read off."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        speeds = []
        for pair in range(d_head // 2):
            speed = base ** (-2 * pair / d_head)
            if pair <= low:
                speeds.append(speed)
            elif pair >= high:
                speeds.append(speed / scale)
            else:
                share = (pair - low) / (high - low)
                speeds.append(speed * (1 - share) + speed / scale * share)
        return np.array(speeds)

    def by_interpolation(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """np.interp is a ramp with level ends: from 1 at `low` to 1 / scale at `high`, times the frequencies.
        The mixture of two frequencies is one factor per pair."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        ends = (low, high if high > low else low + 0.001)
        remains = np.interp(np.arange(d_head // 2), ends, (1.0, 1 / scale))
        return remains * np.exp(-math.log(base) * np.arange(0, d_head, 2) / d_head)

    def by_slices(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Start from the frequencies of training and change two slices in place, the ramp and the slow pairs.
        The fast pairs are never touched, so they come back to the last bit."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        speeds = base ** (-np.arange(0, d_head, 2) / d_head)
        ramp = np.linspace(1.0, 1 / scale, high - low + 1)[:-1]                # empty where low equals high
        speeds[low:high] *= ramp[: len(speeds[low:high])]
        speeds[max(high, low + 1) :] /= scale
        return speeds


class yarn_attention_factor:
    def by_two_cases(scale):
        """The two cases of the definition, one line each.
        What a reader of the paper looks for."""
        if scale <= 1:
            return 1.0
        return 1 + math.log(scale) / 10

    def by_larger_of_two(scale):
        """The line would fall below 1 where the scale does, so the larger of it and 1 is taken.
        No case to choose, and nothing to compare the scale with."""
        return np.maximum(np.log(scale) / 10 + 1, 1.0)
