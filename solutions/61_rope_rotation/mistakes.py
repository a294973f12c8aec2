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
        """You return one frequency per column. Return one per pair of columns: i counts the d_head/2 pairs."""
        return base ** (-np.arange(d_head) / d_head)

    def repeated_for_both_columns(d_head, base=10000.0):
        """You return every frequency twice. Both columns of a pair share one, so return d_head/2 numbers."""
        return np.repeat(_frequencies(d_head, base), 2)

    def doubled_twice(d_head, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already gives 2i, so divide that by d_head."""
        return base ** (-2 * np.arange(0, d_head, 2) / d_head)

    def missing_two(d_head, base=10000.0):
        """You leave out the 2 of 2i/d_head, so all pairs but the first turn too fast. The exponent is -2i/d_head."""
        return base ** (-np.arange(d_head // 2) / d_head)

    def paper_index_from_zero(d_head, base=10000.0):
        """You use the paper's exponent -2(i - 1)/d_head, but the paper counts pairs from 1 and you count from 0. With i
        from 0, use -2i/d_head."""
        return base ** (-(np.arange(0, d_head, 2) - 2) / d_head)

    def counts_from_one(d_head, base=10000.0):
        """You count the pairs from 1. Count them from 0 in -2i/d_head: the first pair turns by 1 radian per
        position."""
        return base ** (-(np.arange(0, d_head, 2) + 2) / d_head)

    def odd_columns_exponent(d_head, base=10000.0):
        """You use the exponents of the odd columns, -(2i + 1)/d_head. Use -2i/d_head, which starts at 0."""
        return base ** (-np.arange(1, d_head, 2) / d_head)

    def power_not_divided(d_head, base=10000.0):
        """You leave out the sign of the exponent, so later pairs turn faster instead of slower. The exponent is
        -2i/d_head."""
        return base ** (np.arange(0, d_head, 2) / d_head)

    def integer_exponent(d_head, base=10000.0):
        """You cut the exponent to a whole number: `//` gives 0 for every 2i below d_head. Divide with `/`."""
        return float(base) ** -(np.arange(0, d_head, 2) // d_head)

    def endpoint_included(d_head, base=10000.0):
        """Your exponents go from 0 to -1 and include both ends. Use steps of -2/d_head, which stop before -1."""
        return base ** -np.linspace(0.0, 1.0, d_head // 2)

    def base_fixed(d_head, base=10000.0):
        """You fix the base at 10000 in the code. Use the argument `base`."""
        return _frequencies(d_head, 10000.0)

    def base_1000(d_head, base=10000.0):
        """You fix the base at 1000 in the code. Use the argument `base`, whose default is 10000."""
        return _frequencies(d_head, 1000.0)

    def slowest_first(d_head, base=10000.0):
        """Your frequencies are in reverse order, slowest first. Pair 0 is the fastest, at 1 radian per position."""
        return _frequencies(d_head, base)[::-1]

    def turns_not_radians(d_head, base=10000.0):
        """Your frequencies are too large by a factor of 2 pi. The formula already gives radians per position, so leave
        this factor out."""
        return 2 * np.pi * _frequencies(d_head, base)


class apply_rope:
    def reversed_rotation(x, positions, base=10000.0):
        """You turn the vectors clockwise. A positive angle turns (1, 0) into (cos, sin), counter-clockwise. Lengths and
        the law of offsets are right in both directions. A single score is not: the query (1, 0) and the key (0, 1) one
        step before it score +sin 1."""
        return _turned(x, -_angles(x, positions, base))

    def positions_as_rows_of_a_table(x, positions, base=10000.0):
        """You look the angles up in a table of whole positions from 0, so fractions are cut and negative positions read
        the end of the table. Multiply the positions by the frequencies."""
        rows = positions.astype(int)
        table = np.outer(np.arange(np.abs(rows).max(initial=0) + 1), _frequencies(x.shape[-1], base))
        return _turned(x, table[rows])

    def halves_layout(x, positions, base=10000.0):
        """You turn column i with column i + d_head/2, as for Llama in the transformers library. Turn neighbouring
        columns together: 2i and 2i + 1."""
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        first, second = np.split(x, 2, axis=-1)
        halves = [first * cos - second * sin, first * sin + second * cos]
        return np.concatenate(halves, axis=-1).astype(_dtype(x))

    def repeated_angles_with_halves(x, positions, base=10000.0):
        """You repeat the angles for neighbouring columns, but you pair the columns in halves. This mixes two layouts
        and is not a rotation. Turn columns 2i and 2i + 1 together."""
        angles = np.repeat(_angles(x, positions, base), 2, axis=-1)
        first, second = np.split(x, 2, axis=-1)
        partners = np.concatenate([-second, first], axis=-1)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def tiled_angles_with_pairs(x, positions, base=10000.0):
        """You lay the angles out in two halves, but you pair neighbouring columns. This mixes two layouts. Both columns
        of a pair need the same angle, so repeat each angle in place."""
        angles = np.concatenate([_angles(x, positions, base)] * 2, axis=-1)
        partners = _interleaved(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def every_column_its_own_angle(x, positions, base=10000.0):
        """You turn the two columns of a pair by different angles, so this is not a rotation. Give both the same
        angle."""
        angles = positions[..., None] * base ** (-np.arange(x.shape[-1]) / x.shape[-1])     # (..., n, d_head)
        partners = _interleaved(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def reads_what_it_wrote(x, positions, base=10000.0):
        """You compute the odd columns from even columns that were already overwritten: x[..., 0::2] is a view. Compute
        both before you write either, or write into a new array."""
        result = _as_real(x)
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        result[..., 0::2] = result[..., 0::2] * cos - result[..., 1::2] * sin
        result[..., 1::2] = result[..., 0::2] * sin + result[..., 1::2] * cos
        return result

    def writes_into_x(x, positions, base=10000.0):
        """The values are right, but you write them into the argument `x`. Return a new array."""
        if x.dtype.kind != "f":
            return _rotated(x, positions, base)
        x[...] = _rotated(x, positions, base)
        return x

    def integers_cut(x, positions, base=10000.0):
        """You cut the result to whole numbers if `x` has whole numbers. Turned vectors have fractions, so return
        float64."""
        return _rotated(x, positions, base).astype(x.dtype)

    def widened(x, positions, base=10000.0):
        """You return float64 for a float32 `x`, because the angles are float64. Return float32 for float32, which other
        parts of the model use."""
        return _rotated(x.astype(np.float64), positions, base)

    def complex_view_of_any_dtype(x, positions, base=10000.0):
        """You view the columns as complex128, which is right for float64 only. One such number covers four columns of
        float32, so view float32 as complex64. Convert whole numbers to float64 first."""
        points = np.ascontiguousarray(x).view(np.complex128)
        return (points * np.exp(1j * _angles(x, positions, base))).view(np.float64)

    def both_signs_positive(x, positions, base=10000.0):
        """You leave out a minus, so the lengths change. Column 2i becomes x[2i] cos - x[2i + 1] sin."""
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        even, odd = x[..., 0::2], x[..., 1::2]
        return _interleaved(even * cos + odd * sin, even * sin + odd * cos, x)

    def mirrored(x, positions, base=10000.0):
        """You mirror the pairs instead of turning them. Column 2i becomes x[2i] cos - x[2i + 1] sin, and column 2i + 1
        becomes x[2i] sin + x[2i + 1] cos. Position 0 must not change the vector."""
        cos, sin = np.cos(_angles(x, positions, base)), np.sin(_angles(x, positions, base))
        even, odd = x[..., 0::2], x[..., 1::2]
        return _interleaved(even * cos + odd * sin, even * sin - odd * cos, x)

    def sine_and_cosine_swapped(x, positions, base=10000.0):
        """You swap sine and cosine. At position 0 the cosine is 1 and the sine 0, so the vector must not change."""
        return _turned(x, np.pi / 2 - _angles(x, positions, base))

    def only_cosines(x, positions, base=10000.0):
        """You multiply every column by its cosine and leave out the sines. Add or subtract its partner column times the
        sine."""
        return (x * np.repeat(np.cos(_angles(x, positions, base)), 2, axis=-1)).astype(_dtype(x))

    def added_not_turned(x, positions, base=10000.0):
        """You add sines and cosines to the vectors, as in the transformer of 2017. A rotary encoding adds nothing: turn
        the pairs instead."""
        angles = _angles(x, positions, base)
        return (x + _interleaved(np.sin(angles), np.cos(angles), x)).astype(_dtype(x))

    def left_in_two_halves(x, positions, base=10000.0):
        """You turn the pairs correctly but return them as two halves. Put columns 2i and 2i + 1 next to each other
        again."""
        turned = _rotated(x, positions, base)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    def base_dropped(x, positions, base=10000.0):
        """Your code ignores the argument `base`, so the angles always have base 10000. Pass it on in every call, down
        to `rope_frequencies`."""
        return _rotated(x, positions, 10000.0)

    def rows_counted_instead(x, positions, base=10000.0):
        """You turn the rows by 0, 1, 2, ... instead of `positions`. Use `positions`: they may have gaps and repeats,
        and need not start at 0."""
        return _rotated(x, np.arange(x.shape[-2]), base)

    def offset_lost(x, positions, base=10000.0):
        """You subtract the first position from all of them. Use the positions unchanged: when decoding, a single row
        may have a position far from 0."""
        return _rotated(x, positions - positions[..., :1], base)

    def starts_at_one(x, positions, base=10000.0):
        """You turn each row one position too far. Position 0 must not change its vector."""
        return _rotated(x, positions + 1, base)

    def fractions_cut(x, positions, base=10000.0):
        """You cut the positions to whole numbers. They may have fractions, so use them unchanged."""
        return _rotated(x, positions.astype(int), base)

    def sign_of_positions_lost(x, positions, base=10000.0):
        """You treat negative positions as positive ones. They must turn the other way, clockwise."""
        return _rotated(x, np.abs(positions), base)

    def positions_sorted(x, positions, base=10000.0):
        """You sort the positions. Row i belongs to positions[i], so keep their order."""
        return _rotated(x, np.sort(positions, axis=-1), base)

    def first_batch_for_all(x, positions, base=10000.0):
        """You turn all batches by the positions of the first one. `positions` may have leading axes too, so let them
        broadcast."""
        return _rotated(x, positions.reshape(-1, positions.shape[-1])[0], base)

    def heads_as_sequence(x, positions, base=10000.0):
        """Your angles run along the wrong axis. The rows are axis -2 of `x`, after any axes for batches and heads."""
        if x.ndim < 3:
            return _rotated(x, positions, base)
        return np.swapaxes(_rotated(np.swapaxes(x, -2, -3), np.resize(positions, x.shape[-3]), base), -2, -3)

    def half_precision_angles(x, positions, base=10000.0):
        """You compute the angles in half precision, which keeps only three digits. Use float64."""
        speeds = _frequencies(x.shape[-1], base).astype(np.float16)
        return _turned(x, (positions.astype(np.float16)[..., None] * speeds).astype(np.float64))

    def degrees(x, positions, base=10000.0):
        """You convert the angles from degrees. Position times frequency is already in radians, so do not convert it."""
        return _turned(x, np.radians(_angles(x, positions, base)))


class rope_scores:
    def scaled(q, k, q_positions, k_positions, base=10000.0):
        """You divide the scores by sqrt(d_head). Leave the scaling to the attention layer and return plain dot
        products."""
        scores = _products(_rotated(q, q_positions, base), _rotated(k, k_positions, base))
        return (scores / np.sqrt(q.shape[-1])).astype(_dtype(q))

    def both_start_at_zero(q, k, q_positions, k_positions, base=10000.0):
        """Queries and keys each start at position 0 in your code, which changes the offsets between them. Use the
        positions unchanged, or subtract the same number from both."""
        queries = _rotated(q, q_positions - q_positions.min(), base)
        return _products(queries, _rotated(k, k_positions - k_positions.min(), base))

    def only_queries_turned(q, k, q_positions, k_positions, base=10000.0):
        """You rotate only the queries, so a score ignores the key's position. Rotate the keys too."""
        return _products(_rotated(q, q_positions, base), _as_real(k))

    def only_keys_turned(q, k, q_positions, k_positions, base=10000.0):
        """You rotate only the keys, so a score ignores the query's position. Rotate the queries too."""
        return _products(_as_real(q), _rotated(k, k_positions, base))

    def nothing_turned(q, k, q_positions, k_positions, base=10000.0):
        """You return plain dot products without positions. Rotate queries and keys by their positions first."""
        return _products(_as_real(q), _as_real(k))

    def keys_turned_backwards(q, k, q_positions, k_positions, base=10000.0):
        """You turn the keys clockwise, the queries counter-clockwise, so a score depends on the sum of the positions.
        Turn both counter-clockwise."""
        return _products(_rotated(q, q_positions, base), _rotated(k, -k_positions, base))

    def difference_reversed(q, k, q_positions, k_positions, base=10000.0):
        """Your offset has the wrong sign: a key one step before the query scores like a key one step after it. Turn
        both counter-clockwise, by their own positions."""
        return _products(_rotated(q, -q_positions, base), _rotated(k, -k_positions, base))

    def distance_without_sign(q, k, q_positions, k_positions, base=10000.0):
        """You give a key before the query and a key after it the same score. Use the difference of the positions with
        its sign."""
        apart = np.abs(q_positions[..., :, None] - k_positions[..., None, :])              # (..., n_q, n_k)
        queries = _rotated(np.repeat(q[..., None, :], k.shape[-2], axis=-2), apart, base)
        return (queries * k[..., None, :, :]).sum(axis=-1)

    def conjugate_forgotten(q, k, q_positions, k_positions, base=10000.0):
        """You leave out the conjugate. If pairs are complex numbers, the dot product is the real part of the query
        times the conjugate of the key."""
        queries, keys = _rotated(q, q_positions, base), _rotated(k, k_positions, base)
        return _products(queries, _interleaved(keys[..., 0::2], -keys[..., 1::2], keys))

    def keys_at_query_positions(q, k, q_positions, k_positions, base=10000.0):
        """You turn the keys by the queries' positions. Turn them by their own positions, `k_positions`."""
        keys = _rotated(k, np.resize(q_positions, k.shape[:-1]), base)
        return _products(_rotated(q, q_positions, base), keys)

    def positions_swapped(q, k, q_positions, k_positions, base=10000.0):
        """You swap the positions. Turn the queries by `q_positions` and the keys by `k_positions`."""
        return _products(
            _rotated(q, np.resize(k_positions, q.shape[:-1]), base),
            _rotated(k, np.resize(q_positions, k.shape[:-1]), base),
        )

    def rows_counted_instead(q, k, q_positions, k_positions, base=10000.0):
        """You turn queries and keys by 0, 1, 2, ... Use their positions instead: otherwise a query that is decoded
        alone always has position 0."""
        return _products(_rotated(q, np.arange(q.shape[-2]), base), _rotated(k, np.arange(k.shape[-2]), base))

    def queries_put_last(q, k, q_positions, k_positions, base=10000.0):
        """You turn the queries as if they were the last rows of the keys. Turn them by `q_positions`."""
        last = np.arange(k.shape[-2] - q.shape[-2], k.shape[-2])
        return _products(_rotated(q, last, base), _rotated(k, k_positions, base))

    def base_dropped(q, k, q_positions, k_positions, base=10000.0):
        """You do not pass the argument `base` to `apply_rope`, so the angles always have base 10000."""
        return _products(_rotated(q, q_positions, 10000.0), _rotated(k, k_positions, 10000.0))

    def base_for_queries_only(q, k, q_positions, k_positions, base=10000.0):
        """You always turn the keys with base 10000. Pass `base` for the keys too: they need the same frequencies as the
        queries."""
        return _products(_rotated(q, q_positions, base), _rotated(k, k_positions, 10000.0))

    def transposed(q, k, q_positions, k_positions, base=10000.0):
        """You swap rows and columns. Each row belongs to a query, each column to a key."""
        return _products(_rotated(k, k_positions, base), _rotated(q, q_positions, base))

    def all_axes_reversed(q, k, q_positions, k_positions, base=10000.0):
        """`.T` reverses all axes, including the batches. Swap only the last two, with np.swapaxes."""
        return _rotated(q, q_positions, base) @ _rotated(k, k_positions, base).T

    def later_keys_masked(q, k, q_positions, k_positions, base=10000.0):
        """You set keys after the query to -inf. Leave the causal mask out: return a score for every query and key."""
        scores = _products(_rotated(q, q_positions, base), _rotated(k, k_positions, base))
        later = k_positions[..., None, :] > q_positions[..., :, None]
        return np.where(later, -np.inf, scores).astype(scores.dtype)

    def softmax_taken(q, k, q_positions, k_positions, base=10000.0):
        """You return weights after a softmax. Return the scores themselves."""
        scores = _products(_rotated(q, q_positions, base), _rotated(k, k_positions, base))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    def turned_twice(q, k, q_positions, k_positions, base=10000.0):
        """You turn queries and keys twice, so every offset counts double. Turn each of them once."""
        return _products(_rotated(q, 2 * q_positions, base), _rotated(k, 2 * k_positions, base))

    def made_unit_length(q, k, q_positions, k_positions, base=10000.0):
        """You scale the vectors to length 1 first, which gives cosines. Take the dot product of the vectors without
        scaling."""
        queries, keys = _rotated(q, q_positions, base), _rotated(k, k_positions, base)
        lengths = [np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-30) for v in (queries, keys)]
        return _products(queries / lengths[0], keys / lengths[1])
