"""Wrong answers to 26_timestep_embedding; each docstring is what the learner is told."""
import numpy as np


def _frequencies(half, max_period, freq_shift=0.0):
    return max_period ** (-np.arange(half) / (half - freq_shift))        # (half,)


def _joined(angles, d_model, cosine_first):
    first, second = (np.cos, np.sin) if cosine_first else (np.sin, np.cos)
    rest = np.zeros((*angles.shape[:-1], d_model % 2))
    return np.concatenate([first(angles), second(angles), rest], axis=-1)


def _embedding(timesteps, d_model, max_period, cosine_first, freq_shift):
    frequencies = _frequencies(d_model // 2, max_period, freq_shift)
    return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)


def _angles(x, n_frequencies):
    return x[..., None] * np.pi * 2.0 ** np.arange(n_frequencies)        # (..., c, L)


def _interleaved(angles):
    """(..., c, L) -> (..., 2 * L * c)"""
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*angles.shape[:-2], -1)


def _gaps(first, second):
    return np.abs(first[:, :, None] - second[:, None, :])               # (n, d, d)


class timestep_embedding:
    def sines_always_first(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your sines always come first. This is right only if cosine_first is False. The default is cosines first."""
        return _embedding(timesteps, d_model, max_period, False, freq_shift)

    def cosines_always_first(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your cosines always come first. If cosine_first is False, put the sines first."""
        return _embedding(timesteps, d_model, max_period, True, freq_shift)

    def order_inverted(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your halves are exchanged for both values of cosine_first. If it is True, the cosines come first."""
        return _embedding(timesteps, d_model, max_period, not cosine_first, freq_shift)

    def interleaved(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You put each cosine next to its sine, as in kata 21. Here all cosines come first, then all sines: join two
        arrays along the last axis."""
        table = _embedding(timesteps, d_model, max_period, cosine_first, freq_shift)
        half = d_model // 2
        order = [c for i in range(half) for c in (i, half + i)] + list(range(2 * half, d_model))
        return table[..., order]

    def shift_ignored(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You ignore the argument freq_shift. Divide by half - freq_shift in the exponent."""
        return _embedding(timesteps, d_model, max_period, cosine_first, 0.0)

    def shift_always_one(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You always divide by half - 1, so the last frequency is 1 / max_period. This is the DDPM release. Divide by
        half - freq_shift, whose default is 0."""
        return _embedding(timesteps, d_model, max_period, cosine_first, 1.0)

    def shift_added(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You add freq_shift to half. Subtract it: divide by half - freq_shift."""
        return _embedding(timesteps, d_model, max_period, cosine_first, -freq_shift)

    def shift_on_the_index(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You add freq_shift to the index i. Subtract it from half, below the fraction line."""
        half = d_model // 2
        frequencies = max_period ** (-(np.arange(half) + freq_shift) / half)
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def shift_on_the_width(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You subtract freq_shift from d_model before you halve it. Subtract it from half."""
        half = d_model // 2
        frequencies = max_period ** (-np.arange(half) / ((2 * half - freq_shift) / 2))
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def shift_cut_to_an_integer(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You cut freq_shift to a whole number. It may be a fraction, such as 0.5."""
        return _embedding(timesteps, d_model, max_period, cosine_first, int(freq_shift))

    def shift_as_a_switch(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You subtract 1 for every freq_shift except 0. Subtract freq_shift itself."""
        return _embedding(timesteps, d_model, max_period, cosine_first, 1.0 if freq_shift else 0.0)

    def divided_by_the_width(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You divide i by d_model instead of half, so each exponent is half as large as it should be."""
        half = d_model // 2
        frequencies = max_period ** (-np.arange(half) / (2 * half - freq_shift))
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def half_of_an_odd_width(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For an odd width, you divide by d_model / 2 - freq_shift, and d_model / 2 is not a whole number. Round it
        down: half is d_model // 2."""
        frequencies = max_period ** (-np.arange(d_model // 2) / (d_model / 2 - freq_shift))
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def doubled_exponent(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You use 2 * i in the exponent, and divide by half. The formula has i / (half - freq_shift), without the 2."""
        half = d_model // 2
        frequencies = max_period ** (-2 * np.arange(half) / (half - freq_shift))
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def one_frequency_per_column(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You give each column a frequency of its own. The cosine and the sine of a frequency share it, so there are
        d_model // 2 frequencies, and both halves use the same ones."""
        half = d_model // 2
        angles = timesteps[..., None] * max_period ** (-np.arange(2 * half) / (2 * half - freq_shift))
        first, second = (np.cos, np.sin) if cosine_first else (np.sin, np.cos)
        rest = np.zeros((*timesteps.shape, d_model % 2))
        return np.concatenate([first(angles[..., :half]), second(angles[..., half:]), rest], axis=-1)

    def period_fixed(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You use the period 10000 in every call. Use the argument max_period."""
        return _embedding(timesteps, d_model, 10000.0, cosine_first, freq_shift)

    def minus_missing(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your frequencies grow, because the minus sign of the exponent is missing. The first one is 1, and all others
        are below it."""
        return _embedding(timesteps, d_model, 1 / max_period, cosine_first, freq_shift)

    def slowest_first(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your frequencies are in reverse order. Frequency 0 is the fastest: it turns 1 radian per timestep."""
        frequencies = _frequencies(d_model // 2, max_period, freq_shift)[::-1]
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def counts_from_one(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You count the frequencies from 1. Start with i = 0: the first one is exactly 1."""
        half = d_model // 2
        frequencies = max_period ** (-np.arange(1, half + 1) / (half - freq_shift))
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def whole_exponents(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your exponents are whole numbers, because you divide with `//`. Divide with `/`."""
        half = d_model // 2
        frequencies = float(max_period) ** -(np.arange(half) // (half - freq_shift))
        return _joined(timesteps[..., None] * frequencies, d_model, cosine_first)

    def even_steps(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your frequencies are evenly spaced. Neighbours should have a constant ratio: take even steps in the
        exponent."""
        ends = _frequencies(d_model // 2, max_period, freq_shift)
        return _joined(timesteps[..., None] * np.linspace(1.0, ends[-1], len(ends)), d_model, cosine_first)

    def turns_not_radians(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your angles are 2 pi times too large. The formula is already in radians, so leave out the factor."""
        return _embedding(2 * np.pi * timesteps, d_model, max_period, cosine_first, freq_shift)

    def zeros_first(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For an odd width, your column of zeros is the first one. Put it at the end."""
        return np.roll(_embedding(timesteps, d_model, max_period, cosine_first, freq_shift), d_model % 2, axis=-1)

    def zeros_between_the_halves(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For an odd width, your column of zeros is between the halves. Put it at the end, after both."""
        table, half = _embedding(timesteps, d_model, max_period, cosine_first, freq_shift), d_model // 2
        return np.concatenate([table[..., :half], table[..., 2 * half :], table[..., half : 2 * half]], axis=-1)

    def odd_width_one_short(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For an odd width, you leave out a column. Add a column of zeros at the end, so that there are d_model."""
        return _embedding(timesteps, d_model, max_period, cosine_first, freq_shift)[..., : 2 * (d_model // 2)]

    def odd_width_ends_on_a_wave(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For an odd width, you round half up and cut the last column off. Round half down, and end the row on a 0."""
        half = (d_model + 1) // 2
        return _embedding(timesteps, 2 * half, max_period, cosine_first, freq_shift)[..., :d_model]

    def ends_on_the_timestep(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For an odd width, your last column contains the timesteps. It should contain zeros."""
        table = _embedding(timesteps, d_model, max_period, cosine_first, freq_shift)
        if d_model % 2:
            table[..., -1] = timesteps
        return table

    def positions_in_the_array(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You compute the rows 0, 1, 2, ... of a table. Use the numbers in `timesteps`, which may have gaps and may be
        in any order."""
        places = np.arange(timesteps.size).reshape(timesteps.shape)
        return _embedding(places, d_model, max_period, cosine_first, freq_shift)

    def scaled_to_one(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You divide the timesteps by the largest one, so a row depends on the others. Use the timesteps
        themselves."""
        largest = max(np.abs(timesteps).max(), 1)
        return _embedding(timesteps / largest, d_model, max_period, cosine_first, freq_shift)

    def times_a_thousand(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You multiply the timesteps by 1000, as programs do whose times are between 0 and 1. Use the timesteps
        themselves."""
        return _embedding(1000 * timesteps, d_model, max_period, cosine_first, freq_shift)

    def counted_in_periods(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You divide the timesteps by max_period. It is only the base of the power: the first frequency is 1."""
        return _embedding(timesteps / max_period, d_model, max_period, cosine_first, freq_shift)

    def cut_to_whole_timesteps(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You cut the timesteps to whole numbers. They may be fractions, such as 2.5."""
        return _embedding(np.asarray(timesteps).astype(int), d_model, max_period, cosine_first, freq_shift)

    def sign_lost(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You take the absolute values of the timesteps. If a timestep changes its sign, its sines must change
        theirs."""
        return _embedding(np.abs(timesteps), d_model, max_period, cosine_first, freq_shift)

    def wraps_at_the_period(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your timesteps start again at max_period. The waves do not repeat there, so leave out the modulo."""
        return _embedding(timesteps % max_period, d_model, max_period, cosine_first, freq_shift)

    def one_axis_for_all(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Your result always has two axes, as np.outer makes them. Keep the axes of `timesteps`, and add one at the
        end: timesteps[..., None]."""
        return _embedding(np.ravel(timesteps), d_model, max_period, cosine_first, freq_shift)

    def second_axis(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You join the halves along axis 1, which is the last axis only if `timesteps` has one axis. Use axis=-1."""
        half, axis = d_model // 2, min(1, timesteps.ndim)
        table = _embedding(timesteps, 2 * half, max_period, cosine_first, freq_shift)
        parts = [table[..., :half], table[..., half:]]
        joined = np.concatenate(parts, axis=axis)
        return np.concatenate([joined, np.zeros((*joined.shape[:-1], d_model % 2))], axis=-1)

    def timesteps_along_the_columns(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You exchange rows and columns. Each timestep has a row of its own: the columns are the last axis."""
        return np.moveaxis(_embedding(timesteps, d_model, max_period, cosine_first, freq_shift), -1, 0)

    def a_row_too_many_axes(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """For a single timestep, your result has two axes. Return one row, of shape (d_model,)."""
        return _embedding(np.atleast_1d(timesteps), d_model, max_period, cosine_first, freq_shift)

    def cosines_twice(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Both halves contain cosines. One of them should contain sines."""
        angles = timesteps[..., None] * _frequencies(d_model // 2, max_period, freq_shift)
        rest = np.zeros((*timesteps.shape, d_model % 2))
        return np.concatenate([np.cos(angles), np.cos(angles), rest], axis=-1)

    def half_precision_angles(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """You compute the timesteps in half precision (float16), which is too coarse for large ones. Use float64."""
        rough = np.clip(np.asarray(timesteps), -60000.0, 60000.0).astype(np.float16).astype(float)
        return _embedding(rough, d_model, max_period, cosine_first, freq_shift)


class fourier_features:
    def pi_missing(x, n_frequencies):
        """Your angles are without pi, as in the release of NeRF. The paper has it: multiply by 2**k * pi."""
        return _interleaved(_angles(x, n_frequencies) / np.pi)

    def two_pi(x, n_frequencies):
        """Your angles are twice as large as they should be. Multiply by pi, not by 2 pi, and start with 2**0, not with
        2**1."""
        return _interleaved(2 * _angles(x, n_frequencies))

    def frequency_by_frequency(x, n_frequencies):
        """Your columns go through all coordinates for each frequency, as in the release of NeRF. Write all columns of
        one coordinate before you go to the next."""
        angles = _angles(x, n_frequencies).swapaxes(-1, -2)                  # (..., L, c)
        pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-2)          # (..., L, 2, c)
        return pairs.reshape(*x.shape[:-1], -1)

    def pairs_for_each_frequency(x, n_frequencies):
        """Your columns go through all coordinates for each frequency, with sine and cosine side by side. Write all
        columns of one coordinate before you go to the next."""
        return _interleaved(_angles(x, n_frequencies).swapaxes(-1, -2))

    def halves_per_coordinate(x, n_frequencies):
        """For each coordinate, you put all sines before all cosines. Put the cosine of each angle next to its sine."""
        angles = _angles(x, n_frequencies)
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1).reshape(*x.shape[:-1], -1)

    def halves(x, n_frequencies):
        """You put all sines of all coordinates first, then all cosines. Put the cosine of each angle next to its
        sine."""
        angles = _angles(x, n_frequencies).reshape(*x.shape[:-1], -1)
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)

    def cosine_before_sine(x, n_frequencies):
        """Your cosines come before the sines. The sine of each angle comes first."""
        angles = _angles(x, n_frequencies)
        return np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(*x.shape[:-1], -1)

    def with_the_coordinates(x, n_frequencies):
        """Your rows begin with the coordinates, as in the release of NeRF. Return only sines and cosines."""
        return np.concatenate([x, _interleaved(_angles(x, n_frequencies))], axis=-1)

    def multiples_not_powers(x, n_frequencies):
        """Your frequencies are pi, 2 pi, 3 pi, ... Double them each time: pi, 2 pi, 4 pi, ..."""
        return _interleaved(x[..., None] * np.pi * np.arange(1, n_frequencies + 1))

    def squares_not_powers(x, n_frequencies):
        """You use k**2 instead of 2**k, so the frequencies are 0, 1, 4, 9, ... times pi. Double them each time, as in
        1, 2, 4, 8."""
        return _interleaved(x[..., None] * np.pi * np.arange(n_frequencies) ** 2)

    def even_steps(x, n_frequencies):
        """Your frequencies are evenly spaced between the first and the last. Double them each time."""
        steps = np.linspace(1.0, 2.0 ** (n_frequencies - 1), n_frequencies)
        return _interleaved(x[..., None] * np.pi * steps)

    def halved_each_time(x, n_frequencies):
        """Your frequencies get slower, because you divide by 2**k. Multiply by it."""
        return _interleaved(x[..., None] * np.pi / 2.0 ** np.arange(n_frequencies))

    def fastest_first(x, n_frequencies):
        """Your frequencies are in reverse order. The slowest, pi, comes first."""
        return _interleaved(_angles(x, n_frequencies)[..., ::-1])

    def one_frequency_too_many(x, n_frequencies):
        """You have one frequency too many. They end at 2**(L - 1) * pi, so there are n_frequencies of them."""
        return _interleaved(_angles(x, n_frequencies + 1))

    def exponents_of_the_transformer(x, n_frequencies):
        """You use the frequencies of the first transformer, from 1 down to 1 / 10000. NeRF uses pi, 2 pi, 4 pi, ..."""
        return _interleaved(x[..., None] * 10000.0 ** (-np.arange(n_frequencies) / n_frequencies))

    def axes_of_the_frequencies_left(x, n_frequencies):
        """You keep separate axes for coordinates and frequencies. Make one row of all columns of a point."""
        angles = _angles(x, n_frequencies)
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1)

    def leading_axes_lost(x, n_frequencies):
        """Your result always has two axes. Keep the axes of x except for the last one."""
        return _interleaved(_angles(x.reshape(-1, x.shape[-1]), n_frequencies))

    def coordinates_added_up(x, n_frequencies):
        """You add up the coordinates before or after the sines. Each coordinate has columns of its own."""
        return _interleaved(_angles(x.sum(axis=-1, keepdims=True), n_frequencies))

    def sines_only(x, n_frequencies):
        """You fill every column with sines. Put the cosine of each angle next to its sine."""
        angles = _angles(x, n_frequencies)
        return np.stack([np.sin(angles), np.sin(angles)], axis=-1).reshape(*x.shape[:-1], -1)

    def limited_to_one(x, n_frequencies):
        """You limit the coordinates to the range from -1 to 1. The formula is the same for coordinates outside it."""
        return _interleaved(_angles(np.clip(x, -1.0, 1.0), n_frequencies))

    def wrapped_to_one(x, n_frequencies):
        """You take the coordinates modulo 1. The slowest wave repeats only after 2, so this changes its sign."""
        return _interleaved(_angles(x % 1.0, n_frequencies))

    def sign_lost(x, n_frequencies):
        """You take the absolute values of the coordinates. The sines of negative coordinates are negative."""
        return _interleaved(_angles(np.abs(x), n_frequencies))

    def multiplied_in_place(x, n_frequencies):
        """You multiply x by pi in place, which changes the caller's array. Make a new array: x * np.pi."""
        if x.flags.writeable and x.dtype.kind == "f":
            x *= np.pi
            return _interleaved(x[..., None] * 2.0 ** np.arange(n_frequencies))
        return _interleaved(_angles(x, n_frequencies))

    def half_precision_angles(x, n_frequencies):
        """You compute the angles in half precision (float16), which is too coarse for high frequencies. Use float64."""
        return _interleaved(np.clip(_angles(x, n_frequencies), -6e4, 6e4).astype(np.float16).astype(float))


class same_up_to_order:
    def the_other_way_round(first, second):
        """Your list is the inverse: it says where each column of `second` is in `first`. Check that second[:, result]
        equals `first`."""
        return _gaps(second, first).max(axis=0).argmin(axis=1)

    def exactly_equal(first, second):
        """You look for columns that are exactly equal. Rounding errors make equal columns different, so allow
        differences up to 1e-9."""
        return (_gaps(first, second) == 0).all(axis=0).argmax(axis=1)

    def default_tolerance(first, second):
        """You use np.isclose or np.allclose with its default tolerances. Different columns can be as close as that. Set
        rtol=0 and atol=1e-9, or look for the nearest column."""
        return np.isclose(first[:, :, None], second[:, None, :]).all(axis=0).argmax(axis=1)

    def three_decimals(first, second):
        """You compare only a few decimals. Different columns may agree in these: compare up to 1e-9."""
        return (_gaps(np.round(first, 3), np.round(second, 3)) == 0).all(axis=0).argmax(axis=1)

    def first_row_only(first, second):
        """You compare only the first row. Different columns may agree there: compare all rows."""
        return _gaps(first, second)[0].argmin(axis=1)

    def last_row_only(first, second):
        """You compare only the last row. Different columns may agree there: compare all rows."""
        return _gaps(first, second)[-1].argmin(axis=1)

    def any_row(first, second):
        """You accept a column that agrees in one row. It must agree in every row: use the largest difference, or
        `all`."""
        return _gaps(first, second).min(axis=0).argmin(axis=1)

    def column_sums(first, second):
        """You compare the sums of the columns. Different columns may have equal sums: compare all rows."""
        return np.abs(first.sum(axis=0)[:, None] - second.sum(axis=0)).argmin(axis=1)

    def column_norms(first, second):
        """You compare the lengths of the columns. Different columns may be equally long: compare all rows."""
        lengths = np.linalg.norm(first, axis=0)[:, None], np.linalg.norm(second, axis=0)
        return np.abs(lengths[0] - lengths[1]).argmin(axis=1)

    def sorted_columns(first, second):
        """You sort the numbers of each column before you compare. The same numbers must be in the same rows."""
        return _gaps(np.sort(first, axis=0), np.sort(second, axis=0)).max(axis=0).argmin(axis=1)

    def absolute_values(first, second):
        """You compare absolute values. A column and its negative are different."""
        return _gaps(np.abs(first), np.abs(second)).max(axis=0).argmin(axis=1)

    def largest_product(first, second):
        """You look for the column with the largest dot product. A longer column wins even if it is different. Look for
        the smallest difference."""
        return (first.T @ second).argmax(axis=1)

    def largest_cosine(first, second):
        """You look for the column with the largest cosine or correlation. A multiple of a column has the same. Look for
        the smallest difference."""
        lengths = np.outer(np.linalg.norm(first, axis=0), np.linalg.norm(second, axis=0))
        return (first.T @ second / np.maximum(lengths, 1e-300)).argmax(axis=1)

    def farthest_column(first, second):
        """You return the column that differs most. Return the nearest one, with argmin."""
        return _gaps(first, second).max(axis=0).argmax(axis=1)

    def rows_compared(first, second):
        """You compare rows. Compare columns: entry j of the result is about column j."""
        wide = np.abs(first[:, None, :] - second[None, :, :])               # (n, n, d)
        return wide.max(axis=-1).argmin(axis=1)

    def table_of_matches(first, second):
        """You return a table that is 1 where two columns are equal. Return the number of the column: the index of the 1
        in each row."""
        return (_gaps(first, second).max(axis=0) < 1e-9).astype(int)

    def reordered_table(first, second):
        """You return the reordered table. Return the list of columns, of shape (d,)."""
        return second[:, _gaps(first, second).max(axis=0).argmin(axis=1)]

    def known_layouts(first, second):
        """You assume that one table is interleaved and the other is in halves. The order may be any: compare the
        numbers."""
        d = first.shape[1]
        return np.concatenate([np.arange(d).reshape(2, -1).T[:, ::-1].ravel(), np.arange(d // 2 * 2, d)]) \
            if d % 2 == 0 else np.arange(d)

    def same_place(first, second):
        """You return 0, 1, 2, ..., as if the columns were in the same order. Look for each column of `first` in
        `second`."""
        return np.arange(first.shape[1])

    def counted_from_one(first, second):
        """You count the columns from 1. Column numbers begin with 0, as in second[:, 0]."""
        return _gaps(first, second).max(axis=0).argmin(axis=1) + 1

    def ranks_by_the_first_row(first, second):
        """You sort both tables by their first row. Columns may agree there: compare all rows."""
        order = np.empty(first.shape[1], dtype=int)
        order[np.argsort(first[0], kind="stable")] = np.argsort(second[0], kind="stable")
        return order

    def one_table_sorted(first, second):
        """You sort the columns of `second`, and do not look at `first`. Say for each column of `first` where it is in
        `second`."""
        return np.lexsort(second[::-1])

    def both_tables_sorted(first, second):
        """You sort the columns of both tables, row by row. Where columns agree in a row, rounding errors then decide
        their order. Compare all rows of two columns before you decide."""
        order = np.empty(first.shape[1], dtype=int)
        order[np.lexsort(first)] = np.lexsort(second)
        return order

    def weighted_sums(first, second):
        """You compare one number for each column, such as a weighted sum. Different columns may have the same one:
        compare all rows."""
        weights = np.arange(1, len(first) + 1)
        return np.abs((weights @ first)[:, None] - weights @ second).argmin(axis=1)
