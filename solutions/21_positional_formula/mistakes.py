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
        """You compute one frequency per column. Compute one per pair of columns: i counts pairs, 0 and up, so there are
        ceil(d_model / 2) of them."""
        return base ** (-np.arange(d_model) / d_model)

    def doubled_twice(d_model, base=10000.0):
        """You double the exponent twice. Use 2i / d_model, where i counts pairs. A range with a step of 2 already
        contains the numbers 2i."""
        return base ** (-2 * np.arange(0, d_model, 2) / d_model)

    def missing_two(d_model, base=10000.0):
        """You leave out the 2 in the exponent 2i / d_model, so each exponent is half as large as it should be."""
        return base ** (-np.arange((d_model + 1) // 2) / d_model)

    def base_fixed(d_model, base=10000.0):
        """You use the base 10000 in every call. Use the argument `base`."""
        return _frequencies(d_model, 10000.0)

    def base_1000(d_model, base=10000.0):
        """You use the base 1000 in every call. Use the argument `base`, whose default is 10000."""
        return _frequencies(d_model, 1000.0)

    def power_not_divided(d_model, base=10000.0):
        """You leave out the minus sign of the exponent, so the numbers grow from pair to pair. Use base ** (-2i /
        d_model), or divide 1 by your numbers."""
        return base ** (np.arange(0, d_model, 2) / d_model)

    def integer_exponent(d_model, base=10000.0):
        """You cut the exponents to the whole number 0, so every frequency is 1. Divide with `/`, not with `//`, and do
        not round."""
        return float(base) ** -(np.arange(0, d_model, 2) // d_model)

    def endpoint_included(d_model, base=10000.0):
        """You let the exponents run up to 1, so the last frequency is 1 / base. Divide 2i by d_model: the steps are
        then 2 / d_model, and all exponents stay below 1."""
        return base ** -np.linspace(0.0, 1.0, (d_model + 1) // 2)

    def counts_from_one(d_model, base=10000.0):
        """You count the pairs from 1. Start with i = 0: the first pair turns exactly 1 radian per position."""
        return base ** (-(np.arange(0, d_model, 2) + 2) / d_model)

    def odd_width_rounded_down(d_model, base=10000.0):
        """You leave out the last frequency if the width is odd. The last column is a sine without a cosine and needs a
        frequency too, so there are (d_model + 1) // 2."""
        return base ** (-2 * np.arange(d_model // 2) / d_model)

    def width_rounded_to_even(d_model, base=10000.0):
        """You divide 2i by d_model + 1 if the width is odd. Divide it by d_model for every width."""
        return _frequencies(d_model + d_model % 2, base)

    def slowest_first(d_model, base=10000.0):
        """You return the frequencies in reverse order, slowest first. Pair 0 is the fastest: it turns 1 radian per
        position."""
        return _frequencies(d_model, base)[::-1]

    def turns_not_radians(d_model, base=10000.0):
        """You multiply the frequencies by 2 pi. The formula is already in radians per position, so leave out the
        factor."""
        return 2 * np.pi * _frequencies(d_model, base)


class positional_encoding:
    def every_column_its_own_exponent(max_len, d_model, base=10000.0):
        """You give each column its own exponent. Both columns of a pair share one: 2i / d_model, where i is column //
        2."""
        columns = np.arange(d_model)
        angles = np.outer(np.arange(max_len), base ** (-2 * columns / d_model))      # (max_len, d_model)
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))

    def two_tables_reshaped(max_len, d_model, base=10000.0):
        """You join the table of sines and the table of cosines by a reshape, which mixes positions. Put the sines into
        the even columns and the cosines into the odd ones."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        return np.array([np.sin(angles), np.cos(angles)]).reshape(max_len, -1)[:, :d_model]

    def odd_width_ends_on_a_cosine(max_len, d_model, base=10000.0):
        """You end on a cosine if the width is odd. The last column is a sine, because column 2i is the sine of pair
        i."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        table = _interleaved(angles, d_model)
        if d_model % 2:
            table[:, -1] = np.cos(angles[:, -1])
        return table

    def cosine_its_own_exponent(max_len, d_model, base=10000.0):
        """You use the exponent (2i + 1) / d_model for the cosines. Use the exponent of the sine in the same pair, 2i /
        d_model."""
        columns = np.arange(d_model)
        angles = np.outer(np.arange(max_len), base ** (-columns / d_model))          # (max_len, d_model)
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))

    def halves_not_interleaved(max_len, d_model, base=10000.0):
        """You put all sines first, then all cosines. The paper interleaves: the sine of pair i in column 2i, its cosine
        in column 2i + 1."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        return np.concatenate([np.sin(angles), np.cos(angles[:, : d_model // 2])], axis=1)

    def cosine_first(max_len, d_model, base=10000.0):
        """You swap sines and cosines. Put the sines into the even columns: the row of position 0 begins 0, 1, 0, 1."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        table = np.empty((max_len, d_model))
        table[:, 0::2] = np.cos(angles)
        table[:, 1::2] = np.sin(angles[:, : d_model // 2])
        return table

    def starts_at_one(max_len, d_model, base=10000.0):
        """You count the positions from 1. Start with position 0: its row is 0, 1, 0, 1, ..."""
        return _interleaved(np.outer(np.arange(1, max_len + 1), _frequencies(d_model, base)), d_model)

    def odd_width_forgotten(max_len, d_model, base=10000.0):
        """You have more angles than cosine columns if the width is odd, because the last column is a sine. Cut the
        angles to d_model // 2 columns before you take the cosine."""
        angles = np.outer(np.arange(max_len), _frequencies(d_model, base))
        table = np.empty((max_len, d_model))
        table[:, 0::2] = np.sin(angles)
        table[:, 1::2] = np.cos(angles)
        return table

    def multiplies_by_the_power(max_len, d_model, base=10000.0):
        """You multiply the positions by base ** (2i / d_model). Divide them by it, or make the exponent negative."""
        return _interleaved(np.outer(np.arange(max_len), 1 / _frequencies(d_model, base)), d_model)

    def base_dropped(max_len, d_model, base=10000.0):
        """You use the base 10000 in every table. Use the argument `base`, and pass it on if you call `frequencies`."""
        return _interleaved(np.outer(np.arange(max_len), _frequencies(d_model, 10000.0)), d_model)

    def half_precision_positions(max_len, d_model, base=10000.0):
        """You compute the angles in half precision (float16), which is too coarse for large angles. Use float64."""
        angles = np.outer(np.arange(max_len).astype(np.float16), _frequencies(d_model, base).astype(np.float16))
        return _interleaved(angles.astype(np.float64), d_model)

    def only_sines(max_len, d_model, base=10000.0):
        """You fill every column with sines. Put the cosine of the same angle into the odd column of each pair."""
        angles = np.outer(np.arange(max_len), np.repeat(_frequencies(d_model, base), 2)[:d_model])
        return np.sin(angles)

    def odd_columns_left_empty(max_len, d_model, base=10000.0):
        """You leave the odd columns at 0. Fill them with the cosines."""
        table = np.zeros((max_len, d_model))
        table[:, 0::2] = np.sin(np.outer(np.arange(max_len), _frequencies(d_model, base)))
        return table

    def degrees(max_len, d_model, base=10000.0):
        """You convert the angles from degrees to radians. Position times frequency is already in radians, so leave out
        the conversion."""
        return _interleaved(np.radians(np.outer(np.arange(max_len), _frequencies(d_model, base))), d_model)

    def positions_scaled_to_one(max_len, d_model, base=10000.0):
        """You scale the positions to 0..1, so each row depends on the length of the table. Use 0, 1, 2, ... instead."""
        positions = np.arange(max_len) / max(max_len - 1, 1)
        return _interleaved(np.outer(positions, _frequencies(d_model, base)), d_model)

    def transposed(max_len, d_model, base=10000.0):
        """You swap rows and columns. A row is a position, a column one sine or cosine."""
        return _interleaved(np.outer(np.arange(max_len), _frequencies(d_model, base)), d_model).T
