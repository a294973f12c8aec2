"""Wrong answers to 23_translation_invariance; each docstring is what the learner is told."""
import numpy as np


def _differences(encoding, offset):
    return encoding[offset:] - encoding[: len(encoding) - offset]          # (n - offset, d)


def _distances(encoding, offset):
    return np.linalg.norm(_differences(encoding, offset), axis=1)          # (n - offset,)


def _even(d_model):
    if d_model % 2:
        raise ValueError(f"d_model must be even, got {d_model}")


def _frequencies(d_model, base):
    return base ** (-np.arange(0, d_model, 2) / d_model)        # (d_model / 2,)


def _cosine_sum(offsets, frequencies):
    return np.cos(np.multiply.outer(offsets, frequencies)).sum(axis=-1)    # (...)


class offset_distances:
    def difference_vectors(encoding, offset):
        """These are the difference vectors; one number per pair of rows is wanted, the length of that vector.
        The length is the same everywhere in a sinusoidal table, the vector is not."""
        return _differences(encoding, offset)

    def squared(encoding, offset):
        """The root is missing: these are squared distances."""
        return (_differences(encoding, offset) ** 2).sum(axis=1)

    def sum_of_sizes(encoding, offset):
        """The sizes of the differences were added up (the L1 norm); the Euclidean distance is the root of the
        sum of their squares."""
        return np.abs(_differences(encoding, offset)).sum(axis=1)

    def largest_difference(encoding, offset):
        """Only the largest difference of a row counts here; the Euclidean distance takes every column."""
        return np.abs(_differences(encoding, offset)).max(axis=1)

    def averaged_over_columns(encoding, offset):
        """The squares were averaged, not added up: every distance is too small by the factor sqrt(d)."""
        return np.sqrt((_differences(encoding, offset) ** 2).mean(axis=1))

    def along_the_positions(encoding, offset):
        """The norm runs along the wrong axis, one number per column: rows are positions, so use axis=1."""
        return np.linalg.norm(_differences(encoding, offset), axis=0)

    def one_pair_is_a_number(encoding, offset):
        """One pair of rows still makes an array, of shape (1,): np.squeeze took its axis away."""
        return np.squeeze(_distances(encoding, offset))

    def one_norm_for_all(encoding, offset):
        """This is one norm of all differences together: np.linalg.norm needs an axis to go row by row."""
        return np.linalg.norm(_differences(encoding, offset))

    def wraps_around(encoding, offset):
        """np.roll brings the first rows back after the last: there are only n - offset pairs of rows."""
        return np.linalg.norm(np.roll(encoding, -offset, axis=0) - encoding, axis=1)

    def differences_of_differences(encoding, offset):
        """np.diff with n=offset takes differences of differences; subtract rows `offset` apart, once."""
        return np.linalg.norm(np.diff(encoding, n=offset, axis=0), axis=1)

    def always_neighbours(encoding, offset):
        """These are the distances of neighbouring rows, whatever the offset."""
        return _distances(encoding, min(1, len(encoding) - 1))

    def length_of_the_way(encoding, offset):
        """The steps on the way were added up; the distance of two rows is the straight line between them."""
        steps = np.linalg.norm(np.diff(encoding, axis=0), axis=1)
        return np.array([steps[p : p + offset].sum() for p in range(len(encoding) - offset)])

    def from_row_zero(encoding, offset):
        """Every distance is measured from row 0; row p + offset is measured from row p."""
        return np.linalg.norm(encoding[offset:] - encoding[0], axis=1)

    def blocks(encoding, offset):
        """Rows were taken in steps of `offset`, so most pairs are missing: p goes through 0, 1, 2, ..."""
        return np.linalg.norm(np.diff(encoding[:: max(offset, 1)], axis=0), axis=1)

    def one_pair_short(encoding, offset):
        """The last pair of rows is missing: p runs from 0 to n - offset - 1, both included."""
        return _distances(encoding, offset)[:-1]

    def rows_normalised(encoding, offset):
        """The rows were brought to length 1 first; the distance takes them as they are."""
        lengths = np.linalg.norm(encoding, axis=1, keepdims=True)
        return _distances(encoding / np.where(lengths == 0.0, 1.0, lengths), offset)

    def dot_products(encoding, offset):
        """These are dot products: they say how similar two rows are, not how far apart."""
        return (encoding[offset:] * encoding[: len(encoding) - offset]).sum(axis=1)

    def offset_zero_empty(encoding, offset):
        """At offset 0 the slice `[:-offset]` is `[:0]`, which is empty: write `[:n - offset]`."""
        return np.linalg.norm(encoding[offset:] - encoding[:-offset], axis=1)

    def cut_to_whole_numbers(encoding, offset):
        """A table of whole numbers got whole distances: the result array took its dtype, so every root was
        cut off. Return the norms as NumPy makes them."""
        return _distances(encoding, offset).astype(encoding.dtype)

    def changes_the_table(encoding, offset):
        """The difference was written into the table itself with -=: arguments must stay as they were."""
        rows = encoding if encoding.flags.writeable else encoding.copy()
        rows[: len(rows) - offset] -= rows[offset:].copy()
        return np.linalg.norm(rows[: len(rows) - offset], axis=1)

    def always_single(encoding, offset):
        """The distances were brought to float32, which keeps seven digits: leave them in double precision."""
        return _distances(encoding, offset).astype(np.float32)


class is_translation_invariant:
    def wide_default(encoding, atol=1e-6):
        """The default of `atol` is 1e-9, not 1e-6."""
        return all(np.ptp(_distances(encoding, k)) <= atol for k in range(len(encoding)))

    def squared_distances(encoding, atol=1e-9):
        """Squared distances were compared; `atol` is meant for the distances themselves."""
        return all(np.ptp(_distances(encoding, k) ** 2) <= atol for k in range(len(encoding)))

    def relative_tolerance(encoding, atol=1e-9):
        """np.allclose adds 1e-5 of the value to `atol`, so large distances pass too easily: set rtol=0."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all(np.allclose(d, d[0], atol=atol) for d in distances)

    def atol_times_distance(encoding, atol=1e-9):
        """`atol` was multiplied by the distances; it is absolute."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all(bool(np.ptp(d) <= atol * d.max()) for d in distances)

    def atol_ignored(encoding, atol=1e-9):
        """The tolerance is written into the code: use the argument `atol`."""
        return all(np.ptp(_distances(encoding, k)) <= 1e-9 for k in range(len(encoding)))

    def spread_averaged(encoding, atol=1e-9):
        """A standard deviation averages away a single row out of line: compare largest with smallest."""
        return all(_distances(encoding, k).std() <= atol for k in range(len(encoding)))

    def each_against_the_next(encoding, atol=1e-9):
        """Each distance was compared with the next one only, and many small steps make a long way: compare
        the largest with the smallest."""
        return all((np.abs(np.diff(_distances(encoding, k))) <= atol).all() for k in range(len(encoding)))

    def one_offset_short(encoding, atol=1e-9):
        """The range stops too early, for it leaves out its end: offset n - 2 still has two distances."""
        return all(np.ptp(_distances(encoding, k)) <= atol for k in range(1, len(encoding) - 2))

    def small_offsets_only(encoding, atol=1e-9):
        """Only offsets below n / 2 were looked at: go on to n - 2, the last one with two distances."""
        offsets = range((len(encoding) + 1) // 2)
        return all(np.ptp(_distances(encoding, k)) <= atol for k in offsets)

    def only_neighbours(encoding, atol=1e-9):
        """Only offset 1 was looked at: steps of equal length can still bend, so go through every offset."""
        return bool(len(encoding) < 2 or np.ptp(_distances(encoding, 1)) <= atol)

    def rows_zero_and_one(encoding, atol=1e-9):
        """Only the distances from row 0 and from row 1 were compared: every row has to agree."""
        return all(np.ptp(_distances(encoding, k)[:2]) <= atol for k in range(len(encoding)))

    def first_against_last(encoding, atol=1e-9):
        """Only the first and the last distance of each offset were compared: those between count as well."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all(bool(abs(d[0] - d[-1]) <= atol) for d in distances)

    def any_offset(encoding, atol=1e-9):
        """One offset with equal distances is not enough: `all` offsets are wanted, not `any`."""
        offsets = range(1, len(encoding) - 1)
        return not offsets or any(np.ptp(_distances(encoding, k)) <= atol for k in offsets)

    def always_true(encoding, atol=1e-9):
        """Every table comes out as invariant: look at what is compared with what."""
        return True

    def short_table_fails(encoding, atol=1e-9):
        """A table of one or two rows has nothing to compare, so `max` gets an empty list: it is invariant."""
        return bool(max([np.ptp(_distances(encoding, k)) for k in range(1, len(encoding) - 1)]) <= atol)

    def one_row_is_not(encoding, atol=1e-9):
        """A table of one row is invariant: there are no two distances that could differ."""
        offsets = range(len(encoding))
        return len(encoding) > 1 and all(np.ptp(_distances(encoding, k)) <= atol for k in offsets)

    def exactly_equal(encoding, atol=1e-9):
        """The distances were compared with ==, so rounding alone makes a table fail: allow for `atol`."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all((d == d[0]).all() for d in distances)

    def sums_of_sizes(encoding, atol=1e-9):
        """L1 distances were compared, which do change along a sinusoidal table; the Euclidean ones do not."""
        sizes = (np.abs(_differences(encoding, k)).sum(axis=1) for k in range(len(encoding)))
        return all(np.ptp(d) <= atol for d in sizes)

    def cosines(encoding, atol=1e-9):
        """Directions were compared, not distances: rows that point the same way can differ in length."""
        lengths = np.linalg.norm(encoding, axis=1, keepdims=True)
        directions = encoding / np.where(lengths == 0.0, 1.0, lengths)
        return all(np.ptp(np.diagonal(directions @ directions.T, k)) <= atol for k in range(len(encoding)))

    def wraps_around(encoding, atol=1e-9):
        """np.roll pairs the last rows with the first ones, which are not `offset` apart: leave them out."""
        rolled = (np.roll(encoding, -k, axis=0) for k in range(len(encoding)))
        return all(np.ptp(np.linalg.norm(other - encoding, axis=1)) <= atol for other in rolled)

    def dot_products(encoding, atol=1e-9):
        """Dot products were compared: rows on a straight line have equal distances, unequal dot products."""
        products = encoding @ encoding.T
        return all(np.ptp(np.diagonal(products, k)) <= atol for k in range(len(encoding)))

    def one_distance_for_all_offsets(encoding, atol=1e-9):
        """Distances of different offsets were compared: only those at one offset have to agree."""
        distances = [_distances(encoding, k) for k in range(1, len(encoding))]
        return not distances or bool(np.ptp(np.concatenate(distances)) <= atol)

    def upside_down(encoding, atol=1e-9):
        """The answer is the wrong way round: True means that the distances agree."""
        return any(np.ptp(_distances(encoding, k)) > atol for k in range(len(encoding)))

    def one_answer_per_offset(encoding, atol=1e-9):
        """This is an answer for every offset; one for the whole table is wanted: put `all` around them."""
        return np.array([np.ptp(_distances(encoding, k)) <= atol for k in range(len(encoding))])

    def difference_vectors(encoding, atol=1e-9):
        """The difference vectors were compared; they turn along the table. Compare their lengths."""
        return all(np.ptp(_differences(encoding, k), axis=0).max() <= atol for k in range(len(encoding)))

    def always_false(encoding, atol=1e-9):
        """No table comes out as invariant, not even one of equal rows: look at what is compared with what."""
        return False


class similarity_at_offset:
    def averaged(offsets, d_model, base=10000.0):
        """The cosines were averaged; their sum is the dot product, d_model / 2 at offset 0."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base)) / (d_model // 2)

    def divided_by_width(offsets, d_model, base=10000.0):
        """The sum was divided by d_model; it is the dot product as it is."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base)) / d_model

    def columns_counted(offsets, d_model, base=10000.0):
        """Every cosine was counted twice: a pair of columns adds sin sin + cos cos, which is one cosine."""
        _even(d_model)
        return _cosine_sum(offsets, np.repeat(_frequencies(d_model, base), 2))

    def sines(offsets, d_model, base=10000.0):
        """The sum is one of cosines: sin a sin b + cos a cos b = cos(a - b)."""
        _even(d_model)
        return np.sin(np.multiply.outer(offsets, _frequencies(d_model, base))).sum(axis=-1)

    def row_added_up(offsets, d_model, base=10000.0):
        """Sines and cosines were all added up; the dot product with row 0 keeps the cosines only."""
        _even(d_model)
        angles = np.multiply.outer(offsets, _frequencies(d_model, base))
        return (np.sin(angles) + np.cos(angles)).sum(axis=-1)

    def distance_instead(offsets, d_model, base=10000.0):
        """This is the distance of the two rows, sqrt(d_model - 2 s); the similarity s is wanted."""
        _even(d_model)
        return np.sqrt(np.maximum(d_model - 2 * _cosine_sum(offsets, _frequencies(d_model, base)), 0.0))

    def one_frequency_per_column(offsets, d_model, base=10000.0):
        """There is one frequency per pair of columns, not one per column: i counts the pairs."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(d_model) / d_model))

    def doubled_twice(offsets, d_model, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range is 2i already, so do not double it."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-2 * np.arange(0, d_model, 2) / d_model))

    def missing_two(offsets, d_model, base=10000.0):
        """The 2 of 2i/d_model is missing: every pair but the first turns at the wrong speed."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(d_model // 2) / d_model))

    def cosine_exponent_of_its_own(offsets, d_model, base=10000.0):
        """The exponents here are (2i + 1)/d_model; sine and cosine of a pair share 2i/d_model."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(1, d_model, 2) / d_model))

    def counts_from_one(offsets, d_model, base=10000.0):
        """The pairs are counted from 1: the first is i = 0 and turns by exactly 1 radian per position."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(2, d_model + 1, 2) / d_model))

    def endpoint_included(offsets, d_model, base=10000.0):
        """The exponents run from 0 to 1 with both ends; they go up by 2/d_model and stop short of 1."""
        _even(d_model)
        return _cosine_sum(offsets, base ** -np.linspace(0.0, 1.0, d_model // 2))

    def integer_exponent(offsets, d_model, base=10000.0):
        """The exponent was cut to a whole number: `//` gives 0 for every 2i below d_model; use `/`."""
        _even(d_model)
        return _cosine_sum(offsets, float(base) ** -(np.arange(0, d_model, 2) // d_model))

    def multiplies_by_the_power(offsets, d_model, base=10000.0):
        """The sign of the exponent is missing: pair 0 is the fastest, at 1 radian per position."""
        _even(d_model)
        return _cosine_sum(offsets, 1 / _frequencies(d_model, base))

    def base_fixed(offsets, d_model, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, 10000.0))

    def base_1000(offsets, d_model, base=1000.0):
        """The base here is 1000 by default: it is 10000."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base))

    def turns_not_radians(offsets, d_model, base=10000.0):
        """There is a factor of 2 pi too much: the formula counts radians per position, not turns."""
        _even(d_model)
        return _cosine_sum(offsets, 2 * np.pi * _frequencies(d_model, base))

    def degrees(offsets, d_model, base=10000.0):
        """The angles were converted from degrees; offset times frequency is in radians already."""
        _even(d_model)
        return _cosine_sum(offsets, np.radians(_frequencies(d_model, base)))

    def whole_offsets_only(offsets, d_model, base=10000.0):
        """The offsets were cut to whole numbers; the sum is meant for any real offset."""
        _even(d_model)
        return _cosine_sum(np.asarray(offsets).astype(int), _frequencies(d_model, base))

    def negative_as_zero(offsets, d_model, base=10000.0):
        """Negative offsets were set to 0; the cosine is even, so -3 gives what 3 gives."""
        _even(d_model)
        return _cosine_sum(np.maximum(offsets, 0), _frequencies(d_model, base))

    def half_precision_offsets(offsets, d_model, base=10000.0):
        """The angles were computed in half precision, which cannot tell far offsets apart: use float64."""
        _even(d_model)
        offsets = np.asarray(offsets).astype(np.float16)
        angles = np.multiply.outer(offsets, _frequencies(d_model, base).astype(np.float16))
        return np.cos(angles.astype(np.float64)).sum(axis=-1)

    def offset_meets_frequency(offsets, d_model, base=10000.0):
        """Offsets and frequencies were multiplied entry by entry; every offset meets every frequency, so give
        the offsets a new last axis."""
        _even(d_model)
        return np.cos(np.asarray(offsets) * _frequencies(d_model, base)).sum(axis=-1)

    def added_up_over_offsets(offsets, d_model, base=10000.0):
        """The cosines were added up over the offsets too: only the axis of the pairs goes away."""
        _even(d_model)
        return np.cos(np.multiply.outer(offsets, _frequencies(d_model, base))).sum()

    def first_axis_summed(offsets, d_model, base=10000.0):
        """The sum runs over the first axis, that of the offsets: the pairs are on the last one."""
        _even(d_model)
        return np.cos(np.multiply.outer(offsets, _frequencies(d_model, base))).sum(axis=0)

    def not_added_up(offsets, d_model, base=10000.0):
        """These are the cosines, pair by pair: their sum over the last axis is wanted."""
        _even(d_model)
        return np.cos(np.multiply.outer(offsets, _frequencies(d_model, base)))

    def single_offset_in_an_array(offsets, d_model, base=10000.0):
        """A single offset came back in an array of shape (1,): one number goes in, one number comes out."""
        _even(d_model)
        return _cosine_sum(np.atleast_1d(offsets), _frequencies(d_model, base))

    def flattened(offsets, d_model, base=10000.0):
        """The offsets were flattened: the result has their shape, and one offset gives one number."""
        _even(d_model)
        return _cosine_sum(np.ravel(offsets), _frequencies(d_model, base))

    def one_number_only(offsets, d_model, base=10000.0):
        """An array of offsets did not go through: float() and math.cos take one number, np.cos any shape."""
        _even(d_model)
        return float(_cosine_sum(float(offsets), _frequencies(d_model, base)))

    def odd_width_accepted(offsets, d_model, base=10000.0):
        """An odd width got an answer. Its last sine has no cosine, so the dot product depends on where the rows
        stand and no sum over offsets is right: raise a ValueError."""
        return _cosine_sum(offsets, _frequencies(d_model, base))

    def odd_width_asserted(offsets, d_model, base=10000.0):
        """An odd width ended in an AssertionError, which Python leaves out when it runs with -O: raise a
        ValueError."""
        assert d_model % 2 == 0
        return _cosine_sum(offsets, _frequencies(d_model, base))

    def always_single(offsets, d_model, base=10000.0):
        """The similarities were brought to float32, which keeps seven digits: leave them in double precision."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base)).astype(np.float32)
