"""Other right answers to 72_yarn, and when you would want them."""
import math

import numpy as np


def _range(d_head, train_len, beta_fast, beta_slow, base):
    radians = 2 * math.pi * beta_fast, 2 * math.pi * beta_slow
    fast, slow = (d_head / 2 * math.log(train_len / angle, base) for angle in radians)
    return max(math.floor(fast), 0), min(math.ceil(slow), d_head - 1)


class correction_range:
    def by_logarithms_to_the_base(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Pass the base to math.log as its second argument, so no division by a logarithm is needed. math.floor and
        math.ceil return ints directly."""
        return _range(d_head, train_len, beta_fast, beta_slow, base)

    def by_counting(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Compute the turns of d_head pairs, twice as many as there are. Count the fast ones for `low`, and all that
        are not slow for `high`. This needs no logarithm and no rounding."""
        turns = [train_len / (2 * math.pi) * base ** (-2 * pair / d_head) for pair in range(d_head)]
        fast = sum(made >= beta_fast for made in turns)
        faster_than_slow = sum(made > beta_slow for made in turns)
        return max(fast - 1, 0), min(faster_than_slow, d_head - 1)


class yarn_frequencies:
    def by_loop(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
        """Handle one pair at a time, with three cases: kept, slowed, or mixed. You can see the three cases in the
        code."""
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
        """Let np.interp make a ramp from 1 at `low` to 1 / scale at `high`. It repeats the end values outside. Instead
        of two frequencies to mix, there is one factor per pair."""
        low, high = _range(d_head, train_len, beta_fast, beta_slow, base)
        ends = (low, high if high > low else low + 0.001)
        remains = np.interp(np.arange(d_head // 2), ends, (1.0, 1 / scale))
        return remains * np.exp(-math.log(base) * np.arange(0, d_head, 2) / d_head)


class yarn_attention_factor:
    def by_two_cases(scale):
        """Write one return statement for each of the two cases.
        This is easy to compare with the formula."""
        if scale <= 1:
            return 1.0
        return 1 + math.log(scale) / 10
