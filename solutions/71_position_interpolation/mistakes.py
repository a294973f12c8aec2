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
        """The frequencies are multiplied by the scale, so positions run away faster than before: divide, so
        that a text `scale` times as long has the angles of training."""
        return _frequencies(d_head, base) * scale

    def scale_forgotten(d_head, scale, base=10000.0):
        """These are the frequencies of training; `scale` was not used: divide by it."""
        return _frequencies(d_head, base)

    def scale_in_the_base(d_head, scale, base=10000.0):
        """The scale went into the base, under the power: then every pair is slowed by another factor, and the
        first not at all. Here all are divided by the scale itself."""
        return _frequencies(d_head, base * scale)

    def larger_base_of_ntk(d_head, scale, base=10000.0):
        """This is what the larger base of `ntk_base` makes: the fastest pair keeps its speed. Position
        interpolation slows every pair alike."""
        return _frequencies(d_head, _base(scale, d_head, base) if d_head > 2 else base)

    def fastest_pair_kept(d_head, scale, base=10000.0):
        """The first pair was left at 1 radian per position: position interpolation slows it like the
        others."""
        speeds = _frequencies(d_head, base)
        return np.where(np.arange(d_head // 2) > 0, speeds / scale, speeds)

    def slowed_only(d_head, scale, base=10000.0):
        """A scale below 1 was taken for 1: every scale divides, and a small one makes the pairs
        faster."""
        return _frequencies(d_head, base) / max(scale, 1.0)

    def doubled_twice(d_head, scale, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range already is 2i, so divide it by d_head."""
        return base ** (-2 * np.arange(0, d_head, 2) / d_head) / scale

    def base_fixed(d_head, scale, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        return _frequencies(d_head, 10000.0) / scale


class ntk_base:
    def exponent_missing(scale, d_head, base=10000.0):
        """The base is multiplied by the scale itself: the slowest pair does not have the exponent 1, but
        (d_head - 2)/d_head, so the scale has to be raised to d_head/(d_head - 2)."""
        return base * scale

    def exponent_upside_down(scale, d_head, base=10000.0):
        """The exponent is upside down: it is d_head/(d_head - 2), above 1."""
        return base * scale ** ((d_head - 2) / d_head)

    def exponent_without_parentheses(scale, d_head, base=10000.0):
        """d_head / d_head - 2 is 1 - 2: put the difference in parentheses, d_head / (d_head - 2)."""
        return base * float(scale) ** (d_head / d_head - 2)

    def exponent_cut(scale, d_head, base=10000.0):
        """The exponent was cut to a whole number: `//` makes 1 of it for any width above 4; divide with
        `/`."""
        return base * scale ** (d_head // (d_head - 2))

    def product_raised(scale, d_head, base=10000.0):
        """The base was raised to the power as well: only the scale is, base * scale ** (...)."""
        return (base * scale) ** (d_head / (d_head - 2))

    def base_fixed(scale, d_head, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        return _base(scale, d_head, 10000.0)


class dynamic_ntk_base:
    def shrinks_short_texts(n, train_len, d_head, factor=1.0, base=10000.0):
        """A text shorter than train_len got a stretch below 1, even below 0, where a power is no real number:
        the stretch is never below 1."""
        with np.errstate(invalid="ignore"):
            return _base(np.float64(factor * n / train_len - (factor - 1)), d_head, base)

    def factor_not_taken_off(n, train_len, d_head, factor=1.0, base=10000.0):
        """`factor - 1` was not subtracted, so the base jumps where the text becomes too long: at train_len
        the stretch is 1."""
        return _stretched(factor * n / train_len if n > train_len else 1.0, d_head, base)

    def factor_taken_off_without_parentheses(n, train_len, d_head, factor=1.0, base=10000.0):
        """`- factor - 1` takes off 1 where 1 has to be added: put `factor - 1` in parentheses."""
        return _stretched(factor * n / train_len - factor - 1, d_head, base)

    def factor_ignored(n, train_len, d_head, factor=1.0, base=10000.0):
        """The stretch is n / train_len whatever `factor` is: it is factor * n / train_len - (factor - 1)."""
        return _stretched(n / train_len, d_head, base)

    def length_ignored(n, train_len, d_head, factor=1.0, base=10000.0):
        """Every long text got the base for `factor` times train_len positions: the stretch has to grow with
        n."""
        return _stretched(factor * factor - (factor - 1) if n > train_len else 1.0, d_head, base)

    def factor_alone(n, train_len, d_head, factor=1.0, base=10000.0):
        """Every long text was stretched by `factor`, as if it were fixed: that is `ntk_base`; here the
        stretch grows with n."""
        return _stretched(factor if n > train_len else 1.0, d_head, base)

    def exponent_missing(n, train_len, d_head, factor=1.0, base=10000.0):
        """The base is multiplied by the stretch itself: hand the stretch to `ntk_base`, which raises it to
        d_head/(d_head - 2)."""
        return base * max(factor * n / train_len - (factor - 1), 1.0)

    def ratio_cut(n, train_len, d_head, factor=1.0, base=10000.0):
        """n / train_len was cut to a whole number, so the base grows in jumps: divide with `/`."""
        return _stretched(factor * (n // train_len) - (factor - 1), d_head, base)

    def base_dropped(n, train_len, d_head, factor=1.0, base=10000.0):
        """The argument `base` was not handed on, so long texts always have multiples of 10000."""
        stretch = factor * n / train_len - (factor - 1)
        return _base(stretch, d_head, 10000.0) if n > train_len else base
