"""Wrong answers to 21_positional_formula; each docstring is what the learner is told."""
import numpy as np


def _frequencies(d_model, base):
    return base ** (-np.arange(0, d_model, 2) / d_model)        # (ceil(d_model / 2),)


def _interleaved(angles, d_model):
    table = np.empty((len(angles), d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return table


class frequencies:
    def one_per_column(d_model, base=10000.0):
        """There is one frequency per pair of columns, not one per column: i counts pairs, from 0 to d_model/2 - 1."""
        return base ** (-np.arange(d_model) / d_model)

    def doubled_twice(d_model, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range already is 2i, so divide it by d_model as it is."""
        return base ** (-2 * np.arange(0, d_model, 2) / d_model)

    def missing_two(d_model, base=10000.0):
        """The 2 of 2i/d_model is missing: the slowest pair turns about 0.01 per position instead of about 0.0001."""
        return base ** (-np.arange((d_model + 1) // 2) / d_model)

    def base_fixed(d_model, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        return _frequencies(d_model, 10000.0)

    def base_1000(d_model, base=10000.0):
        """The base here is 1000: the default is 10000, and the argument `base` replaces it."""
        return _frequencies(d_model, 1000.0)

    def power_not_divided(d_model, base=10000.0):
        """The sign of the exponent is missing: these are wavelengths over 2 pi, so divide 1 by them."""
        return base ** (np.arange(0, d_model, 2) / d_model)

    def integer_exponent(d_model, base=10000.0):
        """The exponent was cut to a whole number: `//` gives 0 for every 2i below d_model; divide with `/`."""
        return float(base) ** -(np.arange(0, d_model, 2) // d_model)

    def endpoint_included(d_model, base=10000.0):
        """The exponents run from 0 to 1 with both ends; they go up in steps of 2/d_model and stop short of 1."""
        return base ** -np.linspace(0.0, 1.0, (d_model + 1) // 2)

    def counts_from_one(d_model, base=10000.0):
        """The pairs are counted from 1: the first pair is i = 0 and turns by exactly 1 radian per position."""
        return base ** (-(np.arange(0, d_model, 2) + 2) / d_model)

    def odd_width_rounded_down(d_model, base=10000.0):
        """An odd width has one more frequency than d_model // 2: its last column is a sine without a cosine."""
        return base ** (-2 * np.arange(d_model // 2) / d_model)

    def width_rounded_to_even(d_model, base=10000.0):
        """For an odd width the exponent was divided by d_model + 1; divide 2i by d_model itself, odd or not."""
        return _frequencies(d_model + d_model % 2, base)

    def slowest_first(d_model, base=10000.0):
        """The frequencies come slowest first; pair 0 is the fastest one, at 1 radian per position."""
        return _frequencies(d_model, base)[::-1]

    def turns_not_radians(d_model, base=10000.0):
        """There is a factor of 2 pi too much: the formula counts radians per position, not turns."""
        return 2 * np.pi * _frequencies(d_model, base)


class positional_encoding:
    def every_column_its_own_exponent(max_len, d_model, base=10000.0):
        """Every column has its own exponent; both columns of a pair share one: use 2 * (column // 2)."""
        columns = np.arange(d_model)
        angles = np.outer(np.arange(max_len), base ** (-2 * columns / d_model))      # (max_len, d_model)
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))

    def cosine_its_own_exponent(max_len, d_model, base=10000.0):
        """The cosines use an exponent of their own, (2i + 1)/d_model; they share 2i/d_model with their sine."""
        columns = np.arange(d_model)
        angles = np.outer(np.arange(max_len), base ** (-columns / d_model))          # (max_len, d_model)
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))

    def halves_not_interleaved(max_len, d_model, base=10000.0):
        """The values are right, the columns are not: all sines, then all cosines. The paper interleaves: the sine of
        pair i in column 2i, its cosine in column 2i + 1."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        return np.concatenate([np.sin(angles), np.cos(angles[:, : d_model // 2])], axis=1)

    def cosine_first(max_len, d_model, base=10000.0):
        """Sine and cosine are swapped: even columns (0, 2, ...) are sines, so position 0 begins 0, 1, 0, 1."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        table = np.empty((max_len, d_model))
        table[:, 0::2] = np.cos(angles)
        table[:, 1::2] = np.sin(angles[:, : d_model // 2])
        return table

    def starts_at_one(max_len, d_model, base=10000.0):
        """Positions are counted from 1; the first position is 0, whose row is 0, 1, 0, 1, ..."""
        return _interleaved(np.outer(np.arange(1, max_len + 1), _frequencies(d_model, base)), d_model)

    def odd_width_forgotten(max_len, d_model, base=10000.0):
        """An odd width ends on a sine, so it has one cosine less than sines: cut the angles to d_model // 2 columns
        before taking the cosine."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        table = np.empty((max_len, d_model))
        table[:, 0::2] = np.sin(angles)
        table[:, 1::2] = np.cos(angles)
        return table

    def multiplies_by_the_power(max_len, d_model, base=10000.0):
        """The position is multiplied by base ** (2i/d_model) instead of divided, so the high columns look like
        noise."""
        return _interleaved(np.outer(np.arange(max_len), 1 / _frequencies(d_model, base)), d_model)

    def base_dropped(max_len, d_model, base=10000.0):
        """The argument `base` is not handed on to `frequencies`, so the table always has base 10000."""
        return _interleaved(np.outer(np.arange(max_len), _frequencies(d_model, 10000.0)), d_model)

    def half_precision_positions(max_len, d_model, base=10000.0):
        """The angles were computed in half precision, which cannot tell far positions apart: use float64."""
        angles = np.outer(np.arange(max_len).astype(np.float16), _frequencies(d_model, base).astype(np.float16))
        return _interleaved(angles.astype(np.float64), d_model)

    def only_sines(max_len, d_model, base=10000.0):
        """Every column is a sine; the odd columns are cosines of the same angle."""
        angles = np.outer(np.arange(max_len), np.repeat(_frequencies(d_model, base), 2)[:d_model])
        return np.sin(angles)

    def odd_columns_left_empty(max_len, d_model, base=10000.0):
        """The odd columns were never filled in: the cosines are missing."""
        table = np.zeros((max_len, d_model))
        table[:, 0::2] = np.sin(np.outer(np.arange(max_len), _frequencies(d_model, base)))
        return table

    def degrees(max_len, d_model, base=10000.0):
        """The angles were converted from degrees; position times frequency is in radians already."""
        return _interleaved(np.radians(np.outer(np.arange(max_len), _frequencies(d_model, base))), d_model)

    def positions_scaled_to_one(max_len, d_model, base=10000.0):
        """The positions were scaled to 0..1, so a row depends on the length; use 0, 1, 2, ... as they are."""
        positions = np.arange(max_len) / max(max_len - 1, 1)
        return _interleaved(np.outer(positions, _frequencies(d_model, base)), d_model)

    def transposed(max_len, d_model, base=10000.0):
        """Rows and columns are swapped: a row is a position, a column one sine or cosine."""
        return _interleaved(np.outer(np.arange(max_len), _frequencies(d_model, base)), d_model).T
