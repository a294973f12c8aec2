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
        """You return the difference vectors. Return their lengths, one number per pair of rows. In a sinusoidal table,
        all these lengths are equal, but the vectors are not."""
        return _differences(encoding, offset)

    def squared(encoding, offset):
        """You return squared distances. Take the square root."""
        return (_differences(encoding, offset) ** 2).sum(axis=1)

    def sum_of_sizes(encoding, offset):
        """You add up absolute differences (the L1 norm). The Euclidean distance is the square root of the sum of
        squares."""
        return np.abs(_differences(encoding, offset)).sum(axis=1)

    def largest_difference(encoding, offset):
        """You return the largest difference of a row. The Euclidean distance uses every column."""
        return np.abs(_differences(encoding, offset)).max(axis=1)

    def averaged_over_columns(encoding, offset):
        """You average the squares, so every distance is too small by the factor sqrt(d). Add them up."""
        return np.sqrt((_differences(encoding, offset) ** 2).mean(axis=1))

    def along_the_positions(encoding, offset):
        """You take one norm per column. You need one norm per row, because rows are positions: use axis=1."""
        return np.linalg.norm(_differences(encoding, offset), axis=0)

    def one_pair_is_a_number(encoding, offset):
        """For a single pair of rows, you return a number. Return an array of shape (1,): np.squeeze, for example,
        removes the axis that you need."""
        return np.squeeze(_distances(encoding, offset))

    def one_norm_for_all(encoding, offset):
        """You return one norm of all differences together. Pass axis=1 to np.linalg.norm to get one per row."""
        return np.linalg.norm(_differences(encoding, offset))

    def wraps_around(encoding, offset):
        """You pair the last rows with the first, as np.roll does. Return only n - offset distances."""
        return np.linalg.norm(np.roll(encoding, -offset, axis=0) - encoding, axis=1)

    def differences_of_differences(encoding, offset):
        """You take differences of differences, as np.diff does with n=offset. Subtract rows `offset` apart once."""
        return np.linalg.norm(np.diff(encoding, n=offset, axis=0), axis=1)

    def always_neighbours(encoding, offset):
        """You return distances between neighbouring rows for every offset. Use the argument `offset`."""
        return _distances(encoding, min(1, len(encoding) - 1))

    def length_of_the_way(encoding, offset):
        """You add up the steps between the two rows. Their distance is the length of the straight line."""
        steps = np.linalg.norm(np.diff(encoding, axis=0), axis=1)
        return np.array([steps[p : p + offset].sum() for p in range(len(encoding) - offset)])

    def from_row_zero(encoding, offset):
        """You measure every distance from row 0. Measure row p + offset from row p."""
        return np.linalg.norm(encoding[offset:] - encoding[0], axis=1)

    def blocks(encoding, offset):
        """You take rows in steps of `offset`, so most pairs are missing. Row p and row p + offset are a pair for every
        p = 0, 1, 2, ..."""
        return np.linalg.norm(np.diff(encoding[:: max(offset, 1)], axis=0), axis=1)

    def one_pair_short(encoding, offset):
        """You leave out the last pair of rows. There are n - offset pairs, and the last p is n - offset - 1."""
        return _distances(encoding, offset)[:-1]

    def rows_normalised(encoding, offset):
        """You scale the rows to length 1 first. Use the rows unchanged."""
        lengths = np.linalg.norm(encoding, axis=1, keepdims=True)
        return _distances(encoding / np.where(lengths == 0.0, 1.0, lengths), offset)

    def dot_products(encoding, offset):
        """You return dot products, which measure how similar two rows are. Return the distances."""
        return (encoding[offset:] * encoding[: len(encoding) - offset]).sum(axis=1)

    def offset_zero_empty(encoding, offset):
        """You slice `[:-offset]`, which is empty at offset 0. Write `[:n - offset]`."""
        return np.linalg.norm(encoding[offset:] - encoding[:-offset], axis=1)

    def cut_to_whole_numbers(encoding, offset):
        """Your result has the dtype of the table, so distances in a table of integers lose their fractions. Return
        floats."""
        return _distances(encoding, offset).astype(encoding.dtype)

    def changes_the_table(encoding, offset):
        """You change the caller's table, for example with -=. Make a new array."""
        rows = encoding if encoding.flags.writeable else encoding.copy()
        rows[: len(rows) - offset] -= rows[offset:].copy()
        return np.linalg.norm(rows[: len(rows) - offset], axis=1)

    def always_single(encoding, offset):
        """You convert the distances to float32, which keeps seven digits. Keep double precision."""
        return _distances(encoding, offset).astype(np.float32)


class is_translation_invariant:
    def wide_default(encoding, atol=1e-6):
        """You use 1e-6 as the default of `atol`. It must be 1e-9."""
        return all(np.ptp(_distances(encoding, k)) <= atol for k in range(len(encoding)))

    def squared_distances(encoding, atol=1e-9):
        """You compare squares with `atol`: squared distances, or squared differences of distances. Compare the
        differences of the distances themselves."""
        return all(np.ptp(_distances(encoding, k) ** 2) <= atol for k in range(len(encoding)))

    def relative_tolerance(encoding, atol=1e-9):
        """You let large distances pass too easily, because np.allclose adds 1e-5 of the value to `atol`. Set rtol=0."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all(np.allclose(d, d[0], atol=atol) for d in distances)

    def atol_times_distance(encoding, atol=1e-9):
        """You multiply `atol` by the distances. It is absolute: compare with `atol` itself."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all(bool(np.ptp(d) <= atol * d.max()) for d in distances)

    def atol_ignored(encoding, atol=1e-9):
        """You ignore the argument `atol`. Compare the largest distance minus the smallest with it."""
        return all(np.ptp(_distances(encoding, k)) <= 1e-9 for k in range(len(encoding)))

    def spread_averaged(encoding, atol=1e-9):
        """You average, for example in a standard deviation, which hides a single wrong row. Compare the largest
        distance with the smallest."""
        return all(_distances(encoding, k).std() <= atol for k in range(len(encoding)))

    def each_against_the_next(encoding, atol=1e-9):
        """You compare each distance only with the next, so you miss many small changes that add up. Compare the
        largest distance with the smallest."""
        return all((np.abs(np.diff(_distances(encoding, k))) <= atol).all() for k in range(len(encoding)))

    def one_offset_short(encoding, atol=1e-9):
        """Your range stops too early, because it excludes its end. Offset n - 2 still has two distances."""
        return all(np.ptp(_distances(encoding, k)) <= atol for k in range(1, len(encoding) - 2))

    def small_offsets_only(encoding, atol=1e-9):
        """You test only offsets up to about n / 2. Test up to n - 2, the last offset with two distances."""
        offsets = range((len(encoding) + 1) // 2)
        return all(np.ptp(_distances(encoding, k)) <= atol for k in offsets)

    def only_neighbours(encoding, atol=1e-9):
        """You test only offset 1. A path of equal steps can still bend, so test every offset."""
        return bool(len(encoding) < 2 or np.ptp(_distances(encoding, 1)) <= atol)

    def rows_zero_and_one(encoding, atol=1e-9):
        """You compare only the distances from row 0 and from row 1. Compare the distances from every row."""
        return all(np.ptp(_distances(encoding, k)[:2]) <= atol for k in range(len(encoding)))

    def first_against_last(encoding, atol=1e-9):
        """You compare only the first and the last distance at each offset. Include the distances in between."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all(bool(abs(d[0] - d[-1]) <= atol) for d in distances)

    def any_offset(encoding, atol=1e-9):
        """You accept tables that have equal distances only at some offsets. Every offset must have them: combine the
        answers with `all`."""
        offsets = range(1, len(encoding) - 1)
        return not offsets or any(np.ptp(_distances(encoding, k)) <= atol for k in offsets)

    def always_true(encoding, atol=1e-9):
        """You return True for every table. Return False if two distances at one offset differ by more than `atol`."""
        return True

    def short_table_fails(encoding, atol=1e-9):
        """You fail on a table of one or two rows, because `max` gets an empty list. Return True for such a table."""
        return bool(max([np.ptp(_distances(encoding, k)) for k in range(1, len(encoding) - 1)]) <= atol)

    def one_row_is_not(encoding, atol=1e-9):
        """You return False for a table of one row. Return True, because there are no two distances that differ."""
        offsets = range(len(encoding))
        return len(encoding) > 1 and all(np.ptp(_distances(encoding, k)) <= atol for k in offsets)

    def exactly_equal(encoding, atol=1e-9):
        """You compare distances with ==, so rounding alone makes a table fail. Allow a difference of `atol`."""
        distances = (_distances(encoding, k) for k in range(len(encoding)))
        return all((d == d[0]).all() for d in distances)

    def sums_of_sizes(encoding, atol=1e-9):
        """You compare L1 distances, which change along a sinusoidal table. Compare Euclidean distances."""
        sizes = (np.abs(_differences(encoding, k)).sum(axis=1) for k in range(len(encoding)))
        return all(np.ptp(d) <= atol for d in sizes)

    def cosines(encoding, atol=1e-9):
        """You compare directions. Compare distances, because rows with the same direction can differ in length."""
        lengths = np.linalg.norm(encoding, axis=1, keepdims=True)
        directions = encoding / np.where(lengths == 0.0, 1.0, lengths)
        return all(np.ptp(np.diagonal(directions @ directions.T, k)) <= atol for k in range(len(encoding)))

    def wraps_around(encoding, atol=1e-9):
        """You pair the last rows with the first, as np.roll does. Leave these pairs out: their rows are not `offset`
        positions apart."""
        rolled = (np.roll(encoding, -k, axis=0) for k in range(len(encoding)))
        return all(np.ptp(np.linalg.norm(other - encoding, axis=1)) <= atol for other in rolled)

    def dot_products(encoding, atol=1e-9):
        """You compare dot products. Compare distances: evenly spaced rows on a line have equal distances, but
        unequal dot products."""
        products = encoding @ encoding.T
        return all(np.ptp(np.diagonal(products, k)) <= atol for k in range(len(encoding)))

    def one_distance_for_all_offsets(encoding, atol=1e-9):
        """You compare distances at different offsets. Only distances at the same offset have to agree."""
        distances = [_distances(encoding, k) for k in range(1, len(encoding))]
        return not distances or bool(np.ptp(np.concatenate(distances)) <= atol)

    def upside_down(encoding, atol=1e-9):
        """You reverse the answer. Return True if the distances agree, and False if they do not."""
        return any(np.ptp(_distances(encoding, k)) > atol for k in range(len(encoding)))

    def one_answer_per_offset(encoding, atol=1e-9):
        """You return one answer per offset. Return one answer for the whole table: combine them with `all`."""
        return np.array([np.ptp(_distances(encoding, k)) <= atol for k in range(len(encoding))])

    def difference_vectors(encoding, atol=1e-9):
        """You compare difference vectors, whose directions can change along the table. Compare their lengths."""
        return all(np.ptp(_differences(encoding, k), axis=0).max() <= atol for k in range(len(encoding)))

    def always_false(encoding, atol=1e-9):
        """You return False for every table, even if all rows are equal. Return True if the distances at each offset
        agree."""
        return False


class similarity_at_offset:
    def averaged(offsets, d_model, base=10000.0):
        """You average the cosines. Add them up: the sum is the dot product, which is d_model / 2 at offset 0."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base)) / (d_model // 2)

    def divided_by_width(offsets, d_model, base=10000.0):
        """You divide the sum by d_model. Return the sum itself, which is the dot product."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base)) / d_model

    def columns_counted(offsets, d_model, base=10000.0):
        """You count every cosine twice. A pair of columns adds sin a sin b + cos a cos b, which is one cosine."""
        _even(d_model)
        return _cosine_sum(offsets, np.repeat(_frequencies(d_model, base), 2))

    def sines(offsets, d_model, base=10000.0):
        """You add up sines. Add up cosines, because sin a sin b + cos a cos b = cos(a - b)."""
        _even(d_model)
        return np.sin(np.multiply.outer(offsets, _frequencies(d_model, base))).sum(axis=-1)

    def row_added_up(offsets, d_model, base=10000.0):
        """You add up sines and cosines. Add up only the cosines, because sin a sin b + cos a cos b = cos(a - b)."""
        _even(d_model)
        angles = np.multiply.outer(offsets, _frequencies(d_model, base))
        return (np.sin(angles) + np.cos(angles)).sum(axis=-1)

    def distance_instead(offsets, d_model, base=10000.0):
        """You return the distance between the rows, sqrt(d_model - 2 s). Return the similarity s."""
        _even(d_model)
        return np.sqrt(np.maximum(d_model - 2 * _cosine_sum(offsets, _frequencies(d_model, base)), 0.0))

    def one_frequency_per_column(offsets, d_model, base=10000.0):
        """You use one frequency per column. Use one per pair of columns: i counts the pairs."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(d_model) / d_model))

    def doubled_twice(offsets, d_model, base=10000.0):
        """You double the exponent twice. A range with a step of 2 is already 2i."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-2 * np.arange(0, d_model, 2) / d_model))

    def missing_two(offsets, d_model, base=10000.0):
        """You leave out the 2 in the exponent 2i/d_model, so every pair but the first turns too fast."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(d_model // 2) / d_model))

    def cosine_exponent_of_its_own(offsets, d_model, base=10000.0):
        """Your exponents are (2i + 1)/d_model. Sine and cosine of a pair share 2i/d_model."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(1, d_model, 2) / d_model))

    def counts_from_one(offsets, d_model, base=10000.0):
        """You count the pairs from 1. The first is i = 0 and turns by exactly 1 radian per position."""
        _even(d_model)
        return _cosine_sum(offsets, base ** (-np.arange(2, d_model + 1, 2) / d_model))

    def endpoint_included(offsets, d_model, base=10000.0):
        """Your exponents run from 0 to 1, both included. They must go up in steps of 2/d_model and stop below 1."""
        _even(d_model)
        return _cosine_sum(offsets, base ** -np.linspace(0.0, 1.0, d_model // 2))

    def integer_exponent(offsets, d_model, base=10000.0):
        """You cut the exponent to a whole number: 2i // d_model is 0 for every pair. Use `/`."""
        _even(d_model)
        return _cosine_sum(offsets, float(base) ** -(np.arange(0, d_model, 2) // d_model))

    def multiplies_by_the_power(offsets, d_model, base=10000.0):
        """You leave out the minus sign of the exponent. Pair 0 must be the fastest, at 1 radian per position."""
        _even(d_model)
        return _cosine_sum(offsets, 1 / _frequencies(d_model, base))

    def base_fixed(offsets, d_model, base=10000.0):
        """You always use the base 10000. Use the argument `base`."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, 10000.0))

    def base_1000(offsets, d_model, base=1000.0):
        """Your default of `base` is 1000. It must be 10000."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base))

    def turns_not_radians(offsets, d_model, base=10000.0):
        """Your angles are too large by the factor 2 pi. The formula counts radians per position, not turns."""
        _even(d_model)
        return _cosine_sum(offsets, 2 * np.pi * _frequencies(d_model, base))

    def degrees(offsets, d_model, base=10000.0):
        """You convert the angles from degrees. Offset times frequency is already in radians."""
        _even(d_model)
        return _cosine_sum(offsets, np.radians(_frequencies(d_model, base)))

    def whole_offsets_only(offsets, d_model, base=10000.0):
        """You cut the offsets to whole numbers. Keep their fractions."""
        _even(d_model)
        return _cosine_sum(np.asarray(offsets).astype(int), _frequencies(d_model, base))

    def negative_as_zero(offsets, d_model, base=10000.0):
        """You set negative offsets to 0. Keep them: cos(-a) equals cos(a), so -3 has the same result as 3."""
        _even(d_model)
        return _cosine_sum(np.maximum(offsets, 0), _frequencies(d_model, base))

    def half_precision_offsets(offsets, d_model, base=10000.0):
        """You compute the angles in half precision, which rounds large offsets to the same number. Use float64."""
        _even(d_model)
        offsets = np.asarray(offsets).astype(np.float16)
        angles = np.multiply.outer(offsets, _frequencies(d_model, base).astype(np.float16))
        return np.cos(angles.astype(np.float64)).sum(axis=-1)

    def offset_meets_frequency(offsets, d_model, base=10000.0):
        """You multiply offsets and frequencies entry by entry. Multiply every offset by every frequency: add a last
        axis to the offsets."""
        _even(d_model)
        return np.cos(np.asarray(offsets) * _frequencies(d_model, base)).sum(axis=-1)

    def added_up_over_offsets(offsets, d_model, base=10000.0):
        """You also sum over the offsets. Sum only over the axis of the pairs, axis=-1."""
        _even(d_model)
        return np.cos(np.multiply.outer(offsets, _frequencies(d_model, base))).sum()

    def first_axis_summed(offsets, d_model, base=10000.0):
        """You sum over the first axis, which belongs to the offsets. The pairs are on the last axis."""
        _even(d_model)
        return np.cos(np.multiply.outer(offsets, _frequencies(d_model, base))).sum(axis=0)

    def not_added_up(offsets, d_model, base=10000.0):
        """You return one cosine per pair. Return their sum over the last axis."""
        _even(d_model)
        return np.cos(np.multiply.outer(offsets, _frequencies(d_model, base)))

    def single_offset_in_an_array(offsets, d_model, base=10000.0):
        """For a single offset, you return an array of shape (1,). Return a single number."""
        _even(d_model)
        return _cosine_sum(np.atleast_1d(offsets), _frequencies(d_model, base))

    def flattened(offsets, d_model, base=10000.0):
        """You flatten the offsets. Return a result of their shape, and a single number for a single offset."""
        _even(d_model)
        return _cosine_sum(np.ravel(offsets), _frequencies(d_model, base))

    def one_number_only(offsets, d_model, base=10000.0):
        """You pass an array to float(), int() or a function of math such as math.cos, which take one number. Leave out
        float() and int(), and use np.cos, which takes any shape."""
        _even(d_model)
        return float(_cosine_sum(float(offsets), _frequencies(d_model, base)))

    def odd_width_accepted(offsets, d_model, base=10000.0):
        """You return numbers for an odd width. Its last sine has no cosine, so the dot product depends on the
        positions and no sum over offsets is right. Raise a ValueError."""
        return _cosine_sum(offsets, _frequencies(d_model, base))

    def odd_width_asserted(offsets, d_model, base=10000.0):
        """You use assert for an odd width, which Python skips when it runs with -O. Raise a ValueError."""
        assert d_model % 2 == 0
        return _cosine_sum(offsets, _frequencies(d_model, base))

    def always_single(offsets, d_model, base=10000.0):
        """You convert the similarities to float32, which keeps seven digits. Keep double precision."""
        _even(d_model)
        return _cosine_sum(offsets, _frequencies(d_model, base)).astype(np.float32)
