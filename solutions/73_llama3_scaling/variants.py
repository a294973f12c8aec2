"""Other right answers to 73_llama3_scaling, and when you would want them."""
import math

import numpy as np


def _waves(d_head, base):
    return 2 * np.pi * base ** (np.arange(0, d_head, 2) / d_head)            # (d_head / 2,)


class wavelengths:
    def by_growing_powers(d_head, base=10000.0):
        """Leave the minus sign out of the exponent and multiply by 2 pi, so nothing is divided.
        The wavelengths of neighbouring pairs differ by the factor base ** (2 / d_head)."""
        return _waves(d_head, base)

    def by_loop(d_head, base=10000.0):
        """Compute one pair after the other with math.pi, exactly as in the formula.
        Use it to check an array version."""
        return np.array([2 * math.pi / base ** (-2 * pair / d_head) for pair in range(d_head // 2)])


class llama3_frequencies:
    def by_three_cases(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Handle one pair at a time, with three cases, as the first release of Llama 3.1 does. You can see the three
        cases in the code."""
        speeds = []
        for wave in _waves(d_head, base).tolist():
            speed = 2 * math.pi / wave
            if wave < train_len / high_freq_factor:
                speeds.append(speed)
            elif wave > train_len / low_freq_factor:
                speeds.append(speed / factor)
            else:
                s = (train_len / wave - low_freq_factor) / (high_freq_factor - low_freq_factor)
                speeds.append((1 - s) * speed / factor + s * speed)
        return np.array(speeds)

    def by_where(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Compute all three results for every pair and choose with np.where, as transformers 5.23 does. The thresholds
        stand in the code as they do in the description."""
        waves = _waves(d_head, base)
        speeds = 2 * np.pi / waves
        s = (train_len / waves - low_freq_factor) / (high_freq_factor - low_freq_factor)
        blended = (1 - s) * speeds / factor + s * speeds
        slow = np.where(waves > train_len / low_freq_factor, speeds / factor, blended)
        return np.where(waves < train_len / high_freq_factor, speeds, slow)

    def by_interpolation(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Make one factor per pair with np.interp: a ramp over the turns in training, with level ends. There are no
        frequencies to mix."""
        speeds = np.exp(-math.log(base) * np.arange(0, d_head, 2) / d_head)
        turns = train_len * speeds / (2 * np.pi)
        return speeds * np.interp(turns, (low_freq_factor, high_freq_factor), (1 / factor, 1.0))


class pairs_by_fate:
    def by_counting_turns(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Compare turns with the two factors instead of wavelengths with the two thresholds.
        You do not divide by `high_freq_factor` or `low_freq_factor`."""
        turns = train_len / _waves(d_head, base)
        fast, slow = turns > high_freq_factor, turns < low_freq_factor
        return np.array([fast.sum(), (~fast & ~slow).sum(), slow.sum()])

    def by_search(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Find where each fate begins with np.searchsorted, because the wavelengths are sorted. The differences of
        these indices are the counts. Each search takes few steps, even for very many pairs."""
        thresholds = [train_len / high_freq_factor, train_len / low_freq_factor]
        first, last = np.searchsorted(_waves(d_head, base), thresholds)
        return np.diff([0, first, last, d_head // 2])

    def by_histogram(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Give every pair the number of its fate with np.digitize, and count the numbers with np.bincount. You also get
        the fate of each pair this way."""
        thresholds = [train_len / high_freq_factor, train_len / low_freq_factor]
        return np.bincount(np.digitize(_waves(d_head, base), thresholds), minlength=3)

    def by_loop(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
        """Count with a loop and three cases.
        Every pair is in exactly one of them, so the sum is right by itself."""
        counts = [0, 0, 0]
        for pair in range(d_head // 2):
            turns = train_len * base ** (-2 * pair / d_head) / (2 * math.pi)
            counts[0 if turns > high_freq_factor else 2 if turns < low_freq_factor else 1] += 1
        return np.array(counts)
