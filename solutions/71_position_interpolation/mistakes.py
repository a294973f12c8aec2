"""Wrong answers to 71_position_interpolation; each docstring is what the learner is told."""
import numpy as np


def _frequencies(d_head, base):
    return base ** (-np.arange(0, d_head, 2) / d_head)          # (d_head / 2,)


def _base(scale, d_head, base):
    return base * scale ** (d_head / (d_head - 2))


def _stretched(stretch, d_head, base):
    return _base(max(stretch, 1.0), d_head, base)


class interpolated_frequencies:
    def multiplied_by_the_scale(d_head, scale, base=10000.0):
        """You multiply the frequencies by the scale, so the angles grow faster than in training. Divide by the scale
        instead."""
        return _frequencies(d_head, base) * scale

    def scale_forgotten(d_head, scale, base=10000.0):
        """You return the frequencies of training, without the scale. Divide every frequency by `scale`."""
        return _frequencies(d_head, base)

    def scale_in_the_exponent(d_head, scale, base=10000.0):
        """You divide the exponent by the scale, which makes every pair but the first faster. Divide the frequencies
        themselves."""
        return base ** (-np.arange(0, d_head, 2) / (d_head * scale))

    def scale_in_the_base(d_head, scale, base=10000.0):
        """You multiply the base by the scale, so every pair is slowed by another factor and pair 0 is not slowed at
        all. Compute the power of the base first, then divide by the scale."""
        return _frequencies(d_head, base * scale)

    def larger_base_of_ntk(d_head, scale, base=10000.0):
        """You use the larger base from `ntk_base`, which keeps the frequency of the fastest pair. Position
        interpolation keeps the base and divides every frequency by the scale."""
        return _frequencies(d_head, _base(scale, d_head, base) if d_head > 2 else base)

    def fastest_pair_kept(d_head, scale, base=10000.0):
        """You keep the frequency of the first pair. Divide its frequency by the scale, too."""
        speeds = _frequencies(d_head, base)
        return np.where(np.arange(d_head // 2) > 0, speeds / scale, speeds)

    def slowed_only(d_head, scale, base=10000.0):
        """You treat a scale below 1 as 1. Divide by it like any other scale: the pairs then get faster."""
        return _frequencies(d_head, base) / max(scale, 1.0)

    def doubled_twice(d_head, scale, base=10000.0):
        """Your exponent contains the factor 2 twice, so all pairs but the first are too slow. It is -2i/d_head, where i
        counts pairs: 0, 1, 2, ..."""
        return base ** (-2 * np.arange(0, d_head, 2) / d_head) / scale

    def base_fixed(d_head, scale, base=10000.0):
        """You write the base 10000 into the code. Use the argument `base`."""
        return _frequencies(d_head, 10000.0) / scale


class ntk_base:
    def exponent_missing(scale, d_head, base=10000.0):
        """You multiply the base by the scale itself. The exponent of the slowest pair is not 1 but (d_head - 2)/d_head,
        so raise the scale to d_head/(d_head - 2)."""
        return base * scale

    def exponent_upside_down(scale, d_head, base=10000.0):
        """Your exponent is upside down. It is d_head/(d_head - 2), which is above 1."""
        return base * scale ** ((d_head - 2) / d_head)

    def exponent_without_parentheses(scale, d_head, base=10000.0):
        """Python reads d_head / d_head - 2 as 1 - 2. Put the difference in parentheses: d_head / (d_head - 2)."""
        return base * float(scale) ** (d_head / d_head - 2)

    def exponent_cut(scale, d_head, base=10000.0):
        """You cut the exponent to a whole number: `//` returns 1 for every width above 4. Divide with `/`."""
        return base * scale ** (d_head // (d_head - 2))

    def product_raised(scale, d_head, base=10000.0):
        """You raise the base to the power, too. Raise only the scale: base * scale ** (...)."""
        return (base * scale) ** (d_head / (d_head - 2))

    def base_fixed(scale, d_head, base=10000.0):
        """You write the base 10000 into the code. Use the argument `base`."""
        return _base(scale, d_head, 10000.0)


class dynamic_ntk_base:
    def shrinks_short_texts(n, train_len, d_head, factor=1.0, base=10000.0):
        """You give a text shorter than train_len a stretch below 1. If it is even below 0, its power is no real number.
        Replace a stretch below 1 by 1."""
        with np.errstate(invalid="ignore"):
            return _base(np.float64(factor * n / train_len - (factor - 1)), d_head, base)

    def grows_beyond_the_factor_only(n, train_len, d_head, factor=1.0, base=10000.0):
        """You keep the base until a text is longer than factor * train_len. It grows as soon as the text is longer than
        train_len."""
        stretch = factor * n / train_len - (factor - 1)
        return _base(stretch, d_head, base) if n > factor * train_len else base

    def factor_not_taken_off(n, train_len, d_head, factor=1.0, base=10000.0):
        """You do not subtract `factor - 1`, so the base jumps as soon as the text is longer than in training. The
        stretch is factor * n / train_len - (factor - 1)."""
        return _stretched(factor * n / train_len if n > train_len else 1.0, d_head, base)

    def factor_taken_off_without_parentheses(n, train_len, d_head, factor=1.0, base=10000.0):
        """Your stretch is 2 too small: `- factor - 1` subtracts 1 where you have to add 1. Put `factor - 1` in
        parentheses."""
        return _stretched(factor * n / train_len - factor - 1, d_head, base)

    def factor_ignored(n, train_len, d_head, factor=1.0, base=10000.0):
        """Your stretch is n / train_len, whatever `factor` is. It has to be factor * n / train_len - (factor - 1)."""
        return _stretched(n / train_len, d_head, base)

    def length_ignored(n, train_len, d_head, factor=1.0, base=10000.0):
        """You give every long text the same stretch, as if its length were always `factor` times train_len. Compute the
        stretch from `n`."""
        return _stretched(factor * factor - (factor - 1) if n > train_len else 1.0, d_head, base)

    def factor_alone(n, train_len, d_head, factor=1.0, base=10000.0):
        """You give every long text the same stretch, `factor`. Compute the stretch from `n`: factor * n / train_len -
        (factor - 1)."""
        return _stretched(factor if n > train_len else 1.0, d_head, base)

    def exponent_missing(n, train_len, d_head, factor=1.0, base=10000.0):
        """You multiply the base by the stretch itself. Pass the stretch to `ntk_base`, which raises it to
        d_head/(d_head - 2)."""
        return base * max(factor * n / train_len - (factor - 1), 1.0)

    def ratio_cut(n, train_len, d_head, factor=1.0, base=10000.0):
        """You cut n / train_len to a whole number, so the base grows in jumps. Divide with `/`."""
        return _stretched(factor * (n // train_len) - (factor - 1), d_head, base)

    def base_dropped(n, train_len, d_head, factor=1.0, base=10000.0):
        """You always start long texts from base 10000. Use the argument `base`, which `ntk_base` takes too."""
        stretch = factor * n / train_len - (factor - 1)
        return _base(stretch, d_head, 10000.0) if n > train_len else base
