"""Wrong answers to 61_rope_rotation; each docstring is what the learner is told."""
import numpy as np


def _frequencies(d_head, base):
    return base ** (-np.arange(0, d_head, 2) / d_head)          # (d_head / 2,)


def _dtype(x):
    return x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)


def _angles(x, positions, base):
    return positions[..., None] * _frequencies(x.shape[-1], base)        # (..., n, d_head / 2)


def _interleaved(even, odd, x):
    result = np.empty(x.shape, _dtype(x))
    result[..., 0::2] = even
    result[..., 1::2] = odd
    return result


def _turned(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    return _interleaved(even * cos - odd * sin, even * sin + odd * cos, x)


def _rotated(x, positions, base):
    return _turned(x, _angles(x, positions, base))


def _products(queries, keys):
    return queries @ np.swapaxes(keys, -1, -2)


def _as_real(x):
    return x.astype(_dtype(x))


class rope_frequencies:
    def one_per_column(d_head, base=10000.0):
        """There is one frequency per pair of columns, not one per column: i counts the d_head/2 pairs."""
        return base ** (-np.arange(d_head) / d_head)

    def repeated_for_both_columns(d_head, base=10000.0):
        """Every frequency comes twice: both columns of a pair share one, so d_head/2 numbers are enough."""
        return np.repeat(_frequencies(d_head, base), 2)

    def doubled_twice(d_head, base=10000.0):
        """The exponent is doubled twice: a step of 2 in the range already is 2i, so divide it by d_head."""
        return base ** (-2 * np.arange(0, d_head, 2) / d_head)

    def missing_two(d_head, base=10000.0):
        """The 2 of 2i/d_head is missing: the slowest pair turns about 0.01 per position, not 0.0001."""
        return base ** (-np.arange(d_head // 2) / d_head)

    def paper_index_from_zero(d_head, base=10000.0):
        """The paper's exponent 2(i - 1)/d_head was used with i = 0, 1, ...: the paper counts pairs from 1.
        With i from 0 it is 2i/d_head."""
        return base ** (-(np.arange(0, d_head, 2) - 2) / d_head)

    def counts_from_one(d_head, base=10000.0):
        """The pairs are counted from 1 in 2i/d_head: the first pair is i = 0 and turns by 1 radian."""
        return base ** (-(np.arange(0, d_head, 2) + 2) / d_head)

    def odd_columns_exponent(d_head, base=10000.0):
        """The exponent counts the odd columns, (2i + 1)/d_head; it is 2i/d_head, so that the first is 0."""
        return base ** (-np.arange(1, d_head, 2) / d_head)

    def power_not_divided(d_head, base=10000.0):
        """The sign of the exponent is missing, so every pair but the first turns faster and faster; it is
        -2i/d_head."""
        return base ** (np.arange(0, d_head, 2) / d_head)

    def integer_exponent(d_head, base=10000.0):
        """The exponent was cut to a whole number: `//` gives 0 for every 2i below d_head; divide with `/`."""
        return float(base) ** -(np.arange(0, d_head, 2) // d_head)

    def endpoint_included(d_head, base=10000.0):
        """The exponents run from 0 to 1 with both ends; their steps are 2/d_head and stop short of 1."""
        return base ** -np.linspace(0.0, 1.0, d_head // 2)

    def base_fixed(d_head, base=10000.0):
        """The base is written into the code as 10000: use the argument `base`."""
        return _frequencies(d_head, 10000.0)

    def base_1000(d_head, base=10000.0):
        """The base here is 1000: the default is 10000, and the argument `base` replaces it."""
        return _frequencies(d_head, 1000.0)

    def slowest_first(d_head, base=10000.0):
        """The frequencies come slowest first; pair 0 is the fastest one, at 1 radian per position."""
        return _frequencies(d_head, base)[::-1]

    def turns_not_radians(d_head, base=10000.0):
        """There is a factor of 2 pi too much: the formula counts radians per position, not turns."""
        return 2 * np.pi * _frequencies(d_head, base)


class apply_rope:
    def reversed_rotation(x, positions, base=10000.0):
        """The vectors turn the wrong way round: a positive angle is counter-clockwise, so (1, 0) becomes
        (cos, sin). Neither lengths nor equal scores at equal distances can show it."""
        return _turned(x, -_angles(x, positions, base))

    def halves_layout(x, positions, base=10000.0):
        """Column i was turned with column i + d_head/2, as Llama does in the transformers library; here the
        partners are neighbours, columns 2i and 2i + 1."""
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        first, second = np.split(x, 2, axis=-1)
        halves = [first * cos - second * sin, first * sin + second * cos]
        return np.concatenate(halves, axis=-1).astype(_dtype(x))

    def repeated_angles_with_halves(x, positions, base=10000.0):
        """The angles are repeated for neighbouring columns, but the vectors are rotated in halves: the two
        layouts are mixed, so this is no rotation. Turn columns 2i and 2i + 1 together."""
        angles = np.repeat(_angles(x, positions, base), 2, axis=-1)
        first, second = np.split(x, 2, axis=-1)
        partners = np.concatenate([-second, first], axis=-1)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def tiled_angles_with_pairs(x, positions, base=10000.0):
        """The angles are laid out in two halves, but the vectors are rotated in pairs: the two layouts are
        mixed. Both columns of a pair need the same angle, so repeat each angle in place."""
        angles = np.concatenate([_angles(x, positions, base)] * 2, axis=-1)
        partners = _interleaved(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def every_column_its_own_angle(x, positions, base=10000.0):
        """The two columns of a pair are turned by different angles, which is no rotation: they share one."""
        angles = positions[..., None] * base ** (-np.arange(x.shape[-1]) / x.shape[-1])     # (..., n, d_head)
        partners = _interleaved(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def reads_what_it_wrote(x, positions, base=10000.0):
        """The odd columns were computed from even columns that had been overwritten: x[..., 0::2] is a view.
        Compute both before writing either, or write into a new array."""
        result = _as_real(x)
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        result[..., 0::2] = result[..., 0::2] * cos - result[..., 1::2] * sin
        result[..., 1::2] = result[..., 0::2] * sin + result[..., 1::2] * cos
        return result

    def writes_into_x(x, positions, base=10000.0):
        """The values are right, but they were written into the argument `x`: return a new array."""
        if x.dtype.kind != "f":
            return _rotated(x, positions, base)
        x[...] = _rotated(x, positions, base)
        return x

    def integers_cut(x, positions, base=10000.0):
        """A whole-number `x` was answered with whole numbers, so the fractions were cut off: turned vectors have
        fractions, so return float64."""
        return _rotated(x, positions, base).astype(x.dtype)

    def widened(x, positions, base=10000.0):
        """A float32 `x` came back as float64, because the angles are float64: return float32, which is what the
        rest of a model runs in."""
        return _rotated(x.astype(np.float64), positions, base)

    def complex_view_of_any_dtype(x, positions, base=10000.0):
        """The columns were viewed as complex128, which pairs neighbours in float64 only: float32 holds four columns
        in one such number, and whole numbers have other bytes. Convert `x` first."""
        points = np.ascontiguousarray(x).view(np.complex128)
        return (points * np.exp(1j * _angles(x, positions, base))).view(np.float64)

    def both_signs_positive(x, positions, base=10000.0):
        """The minus is missing: column 2i becomes x[2i] cos - x[2i + 1] sin. Without it the lengths
        change."""
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        even, odd = x[..., 0::2], x[..., 1::2]
        return _interleaved(even * cos + odd * sin, even * sin + odd * cos, x)

    def mirrored(x, positions, base=10000.0):
        """This mirrors the pairs, it does not turn them: column 2i + 1 becomes x[2i] sin + x[2i + 1] cos, and
        position 0 leaves the vector alone."""
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        even, odd = x[..., 0::2], x[..., 1::2]
        return _interleaved(even * cos + odd * sin, even * sin - odd * cos, x)

    def sine_and_cosine_swapped(x, positions, base=10000.0):
        """Sine and cosine are swapped: at position 0 the cosine is 1 and the vector stays as it is."""
        return _turned(x, np.pi / 2 - _angles(x, positions, base))

    def only_cosines(x, positions, base=10000.0):
        """Every column is multiplied by its cosine and nothing more: the partner's column times the sine is
        missing."""
        return (x * np.repeat(np.cos(_angles(x, positions, base)), 2, axis=-1)).astype(_dtype(x))

    def added_not_turned(x, positions, base=10000.0):
        """Sines and cosines were added to the vectors, as in 2017; a rotary encoding adds nothing, it turns
        them."""
        angles = _angles(x, positions, base)
        return (x + _interleaved(np.sin(angles), np.cos(angles), x)).astype(_dtype(x))

    def left_in_two_halves(x, positions, base=10000.0):
        """The pairs are turned rightly, but come back as two halves: put columns 2i and 2i + 1 side by side
        again."""
        turned = _rotated(x, positions, base)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    def base_dropped(x, positions, base=10000.0):
        """The argument `base` is not handed on to `rope_frequencies`, so the angles always have base
        10000."""
        return _rotated(x, positions, 10000.0)

    def rows_counted_instead(x, positions, base=10000.0):
        """The rows were counted 0, 1, 2, ... instead of looking at `positions`, which may have gaps and
        repeats and need not start at 0."""
        return _rotated(x, np.arange(x.shape[-2]), base)

    def offset_lost(x, positions, base=10000.0):
        """The first position was taken off all of them: turn by the positions as they are. When decoding, one
        row may stand far from 0."""
        return _rotated(x, positions - positions[..., :1], base)

    def starts_at_one(x, positions, base=10000.0):
        """Each row is turned one position too far: position 0 leaves its vector alone."""
        return _rotated(x, positions + 1, base)

    def fractions_cut(x, positions, base=10000.0):
        """The positions were cut to whole numbers: they may be fractions."""
        return _rotated(x, positions.astype(int), base)

    def sign_of_positions_lost(x, positions, base=10000.0):
        """Negative positions were taken for positive ones: they turn the other way, clockwise."""
        return _rotated(x, np.abs(positions), base)

    def positions_sorted(x, positions, base=10000.0):
        """The positions were sorted: row i belongs to positions[i], in whatever order they come."""
        return _rotated(x, np.sort(positions, axis=-1), base)

    def first_batch_for_all(x, positions, base=10000.0):
        """All batches were turned by the positions of the first: `positions` may have leading axes of its
        own."""
        return _rotated(x, positions.reshape(-1, positions.shape[-1])[0], base)

    def heads_as_sequence(x, positions, base=10000.0):
        """The angles were laid along the axis before the rows: the rows are the last axis but one, whatever
        stands before it, heads or batches."""
        if x.ndim < 3:
            return _rotated(x, positions, base)
        return np.swapaxes(_rotated(np.swapaxes(x, -2, -3), np.resize(positions, x.shape[-3]), base), -2, -3)

    def half_precision_angles(x, positions, base=10000.0):
        """The angles were computed in half precision, which keeps only three digits: use float64."""
        speeds = _frequencies(x.shape[-1], base).astype(np.float16)
        return _turned(x, (positions.astype(np.float16)[..., None] * speeds).astype(np.float64))

    def degrees(x, positions, base=10000.0):
        """The angles were converted from degrees; position times frequency is in radians already."""
        return _turned(x, np.radians(_angles(x, positions, base)))


class rope_scores:
    def scaled(q, k, q_positions, k_positions, base=10000.0):
        """The scores are divided by sqrt(d_head): that is the attention's business, here they stay
        unscaled."""
        scores = _products(_rotated(q, q_positions, base), _rotated(k, k_positions, base))
        return (scores / np.sqrt(q.shape[-1])).astype(_dtype(q))

    def only_queries_turned(q, k, q_positions, k_positions, base=10000.0):
        """Only the queries are rotated, so a score depends on the query's position and not on the key's:
        rotate both."""
        return _products(_rotated(q, q_positions, base), _as_real(k))

    def only_keys_turned(q, k, q_positions, k_positions, base=10000.0):
        """Only the keys are rotated, so a score depends on the key's position and not on the query's: rotate
        both."""
        return _products(_as_real(q), _rotated(k, k_positions, base))

    def nothing_turned(q, k, q_positions, k_positions, base=10000.0):
        """These are the plain dot products: rotate queries and keys by their positions first."""
        return _products(_as_real(q), _as_real(k))

    def keys_turned_backwards(q, k, q_positions, k_positions, base=10000.0):
        """The keys are turned the other way than the queries, so the score depends on the sum of the
        positions: turn both counter-clockwise."""
        return _products(_rotated(q, q_positions, base), _rotated(k, -k_positions, base))

    def difference_reversed(q, k, q_positions, k_positions, base=10000.0):
        """The score sees key minus query where query minus key is right: a key one step before looks like one
        a step after."""
        return _products(_rotated(q, -q_positions, base), _rotated(k, -k_positions, base))

    def distance_without_sign(q, k, q_positions, k_positions, base=10000.0):
        """The score sees how far the key is, not on which side: use the difference with its sign."""
        apart = np.abs(q_positions[..., :, None] - k_positions[..., None, :])              # (..., n_q, n_k)
        queries = _rotated(np.repeat(q[..., None, :], k.shape[-2], axis=-2), apart, base)
        return (queries * k[..., None, :, :]).sum(axis=-1)

    def conjugate_forgotten(q, k, q_positions, k_positions, base=10000.0):
        """As complex numbers, the dot product is the real part of the query times the conjugate of the key;
        the conjugate is missing here."""
        queries, keys = _rotated(q, q_positions, base), _rotated(k, k_positions, base)
        return _products(queries, _interleaved(keys[..., 0::2], -keys[..., 1::2], keys))

    def keys_at_query_positions(q, k, q_positions, k_positions, base=10000.0):
        """The keys are turned by the queries' positions: they have positions of their own, `k_positions`."""
        keys = _rotated(k, np.resize(q_positions, k.shape[:-1]), base)
        return _products(_rotated(q, q_positions, base), keys)

    def positions_swapped(q, k, q_positions, k_positions, base=10000.0):
        """The queries are turned by `k_positions` and the keys by `q_positions`: it is the other way
        round."""
        return _products(
            _rotated(q, np.resize(k_positions, q.shape[:-1]), base),
            _rotated(k, np.resize(q_positions, k.shape[:-1]), base),
        )

    def rows_counted_instead(q, k, q_positions, k_positions, base=10000.0):
        """Queries and keys were counted 0, 1, 2, ... instead of looking at their positions: a query that is
        decoded alone would stand at 0."""
        return _products(_rotated(q, np.arange(q.shape[-2]), base), _rotated(k, np.arange(k.shape[-2]), base))

    def queries_put_last(q, k, q_positions, k_positions, base=10000.0):
        """The queries were put at the end of the keys; here `q_positions` says where they stand."""
        last = np.arange(k.shape[-2] - q.shape[-2], k.shape[-2])
        return _products(_rotated(q, last, base), _rotated(k, k_positions, base))

    def base_dropped(q, k, q_positions, k_positions, base=10000.0):
        """The argument `base` is not handed on to `apply_rope`, so the angles always have base 10000."""
        return _products(_rotated(q, q_positions, 10000.0), _rotated(k, k_positions, 10000.0))

    def base_for_queries_only(q, k, q_positions, k_positions, base=10000.0):
        """The keys are turned with base 10000 whatever `base` is: queries and keys need the same
        frequencies."""
        return _products(_rotated(q, q_positions, base), _rotated(k, k_positions, 10000.0))

    def transposed(q, k, q_positions, k_positions, base=10000.0):
        """Rows and columns are swapped: a row is a query, a column is a key."""
        return _products(_rotated(k, k_positions, base), _rotated(q, q_positions, base))

    def all_axes_reversed(q, k, q_positions, k_positions, base=10000.0):
        """`.T` reverses every axis, the batch as well: swap only the last two."""
        return _rotated(q, q_positions, base) @ _rotated(k, k_positions, base).T

    def later_keys_masked(q, k, q_positions, k_positions, base=10000.0):
        """Keys after the query got -inf: a causal mask is not asked here, every pair has its score."""
        scores = _products(_rotated(q, q_positions, base), _rotated(k, k_positions, base))
        later = k_positions[..., None, :] > q_positions[..., :, None]
        return np.where(later, -np.inf, scores).astype(scores.dtype)

    def softmax_taken(q, k, q_positions, k_positions, base=10000.0):
        """A softmax was taken: the scores themselves are asked for, not the weights."""
        scores = _products(_rotated(q, q_positions, base), _rotated(k, k_positions, base))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    def turned_twice(q, k, q_positions, k_positions, base=10000.0):
        """Queries and keys are turned twice, so every difference counts double: turn each once."""
        return _products(_rotated(q, 2 * q_positions, base), _rotated(k, 2 * k_positions, base))

    def made_unit_length(q, k, q_positions, k_positions, base=10000.0):
        """The vectors were brought to length 1 first, which makes cosines: a score is the dot product as it
        is."""
        queries, keys = _rotated(q, q_positions, base), _rotated(k, k_positions, base)
        lengths = [np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-30) for v in (queries, keys)]
        return _products(queries / lengths[0], keys / lengths[1])
