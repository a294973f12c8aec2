"""Wrong answers to 93_scheme_comparison; each docstring is what the learner is told."""
import numpy as np


def _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets):
    """The right counts of all schemes."""
    return dict.fromkeys(("none", "sinusoidal", "alibi", "sandwich", "rope"), 0) | {
        "learned": max_len * d_model,
        "shaw": n_layers * 2 * (2 * max_distance + 1) * (d_model // n_heads),
        "t5": num_buckets * n_heads,
    }


def _diagonals(scores):
    n = scores.shape[-1]
    return [np.diagonal(scores, offset, -2, -1) for offset in range(1 - n, n)]     # (..., n - |offset|) each


def _constant(diagonal, atol):
    return bool((diagonal.max(axis=-1) <= diagonal.min(axis=-1) + atol).all())


def _apart(weights):
    """Key position minus query position."""
    positions = np.arange(weights.shape[-1])
    return positions - positions[:, None]                           # (n, n)


def _by_query(weights, distance):
    """The average distance of every query."""
    return (weights * distance).sum(axis=-1)                        # (..., n)


class position_parameters:
    def sinusoids_counted(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """The sinusoidal table is counted, but it is computed: there is nothing in it to train."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"sinusoidal": max_len * d_model})[scheme]

    def slopes_counted(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """The slopes of ALiBi are counted, one per head; they are fixed before training, so nothing is
        trained."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"alibi": n_heads})[scheme]

    def learned_in_every_layer(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """The learned table is counted once per layer; it is added once, below the first layer."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"learned": counts["learned"] * n_layers})[scheme]

    def tables_per_head(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """Shaw's tables are counted once per head, d_model columns in all; the heads of a layer share tables
        that are as wide as one head, d_model / n_heads."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": counts["shaw"] * n_heads})[scheme]

    def keys_only(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """Shaw's tables for the values are missing: every layer has one table for keys and one for values."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": counts["shaw"] // 2})[scheme]

    def one_layer_of_tables(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """Shaw's tables are counted for one layer; every layer has its own, so multiply by n_layers."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": counts["shaw"] // n_layers})[scheme]

    def distance_zero_forgotten(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """Shaw's tables have a row too few: distances run from -max_distance to max_distance, 0 among them,
        which makes 2 * max_distance + 1."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": n_layers * 4 * max_distance * (d_model // n_heads)})[scheme]

    def keys_before_counted_alone(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """Shaw's tables have rows for the keys on one side of the query only: distances run from -max_distance to
        max_distance, which makes 2 * max_distance + 1."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": n_layers * 2 * (max_distance + 1) * (d_model // n_heads)})[scheme]

    def buckets_for_both_directions(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """T5's buckets are counted twice, once per direction; num_buckets are those of both directions together."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"t5": counts["t5"] * 2})[scheme]

    def buckets_in_every_layer(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """T5's table is counted once per layer; all layers share one."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"t5": counts["t5"] * n_layers})[scheme]

    def one_number_per_bucket(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """T5's heads are forgotten: each head has a number of its own for every bucket."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"t5": num_buckets})[scheme]


class is_relative:
    def masked_in_all_matrices(scores, atol=1e-9):
        """A diagonal counts as masked only if it is -inf in every matrix at once; heads may see different
        distances, so ask each matrix by itself."""
        return all(bool(np.isneginf(d).all() or (np.ptp(d, axis=-1) <= atol).all()) for d in _diagonals(scores))

    def masked_becomes_nan(scores, atol=1e-9):
        """A diagonal wholly -inf came out as not constant: -inf minus -inf is NaN, and no comparison with NaN
        is true. Compare the largest with the smallest plus atol."""
        return all(bool((np.ptp(d, axis=-1) <= atol).all()) for d in _diagonals(scores))

    def masked_keys_left_out(scores, atol=1e-9):
        """The entries that are -inf were left out, and the rest of the diagonal decided: a diagonal that
        holds -inf and numbers is not constant."""
        lows = [np.where(np.isneginf(d), np.inf, d).min(axis=-1) for d in _diagonals(scores)]
        highs = [d.max(axis=-1) for d in _diagonals(scores)]
        return all(bool((h <= low + atol).all()) for h, low in zip(highs, lows, strict=True))

    def masked_counts_as_zero(scores, atol=1e-9):
        """The -inf were replaced by a number such as 0, so a masked key counts as one with that score: leave them
        as they are."""
        return all(_constant(np.where(np.isneginf(d), 0.0, d), atol) for d in _diagonals(scores))

    def keys_before_only(scores, atol=1e-9):
        """Only the main diagonal and those below it were looked at; keys after the query are on those above:
        offsets run from 1 - n to n - 1."""
        return all(_constant(d, atol) for d in _diagonals(scores)[: scores.shape[-1]])

    def before_and_after_alike(scores, atol=1e-9):
        """Keys equally far before and after were compared with each other: the distance has a sign, and a
        score may differ between the two."""
        diagonals = _diagonals(scores)
        both = [np.concatenate(pair, axis=-1) for pair in zip(diagonals, diagonals[::-1], strict=True)]
        return all(_constant(d, atol) for d in both)

    def masked_diagonals_skipped(scores, atol=1e-9):
        """Every diagonal that holds a -inf was passed over; only one that is -inf from end to end is constant
        for that reason."""
        return all(bool((np.isneginf(d).any(axis=-1) | (d.max(axis=-1) <= d.min(axis=-1) + atol)).all())
                   for d in _diagonals(scores))

    def keys_after_only(scores, atol=1e-9):
        """Only the main diagonal and those above it were looked at; keys before the query are on those below:
        offsets run from 1 - n to n - 1."""
        return all(_constant(d, atol) for d in _diagonals(scores)[scores.shape[-1] - 1 :])

    def main_diagonal_only(scores, atol=1e-9):
        """Only the main diagonal was looked at, on which every query meets itself: offsets run from 1 - n to
        n - 1."""
        return _constant(_diagonals(scores)[scores.shape[-1] - 1], atol)

    def last_offsets_left_out(scores, atol=1e-9):
        """The range ends too early: offsets 2 - n and n - 2 still have two entries each."""
        return all(_constant(d, atol) for d in _diagonals(scores)[2:-2])

    def any_diagonal(scores, atol=1e-9):
        """One constant diagonal is not enough: `all` of them are wanted, not `any`."""
        return any(_constant(d, atol) for d in _diagonals(scores))

    def the_other_diagonals(scores, atol=1e-9):
        """These are the diagonals from the upper right to the lower left, on which i + j stays the same; the
        distance j - i stays on the others."""
        return all(_constant(d, atol) for d in _diagonals(scores[..., ::-1]))

    def symmetry(scores, atol=1e-9):
        """Symmetry was asked for: it compares a key before with a key after, and nothing along a diagonal."""
        turned = scores.swapaxes(-1, -2)
        return bool(((scores == turned) | (np.maximum(scores, turned) <= np.minimum(scores, turned) + atol)).all())

    def ends_compared(scores, atol=1e-9):
        """Only the first and the last score of each diagonal were compared: those between count as well."""
        return all(_constant(d[..., [0, -1]], atol) for d in _diagonals(scores))

    def spread_averaged(scores, atol=1e-9):
        """A standard deviation averages away a single score out of line: compare the largest with the
        smallest."""
        return all(bool(((d.max(axis=-1) == d.min(axis=-1)) | (d.std(axis=-1) <= atol)).all())
                   for d in _diagonals(scores))

    def exactly_equal(scores, atol=1e-9):
        """The scores were compared with ==, so that rounding alone makes them fail: allow for `atol`."""
        return all(_constant(d, 0.0) for d in _diagonals(scores))

    def atol_ignored(scores, atol=1e-9):
        """The tolerance is written into the code: use the argument `atol`."""
        return all(_constant(d, 1e-9) for d in _diagonals(scores))

    def first_matrix_only(scores, atol=1e-9):
        """Only the first matrix on the leading axes was looked at: all of them have to be relative."""
        return all(_constant(d, atol) for d in _diagonals(scores.reshape(-1, *scores.shape[-2:])[0]))

    def one_matrix_is_enough(scores, atol=1e-9):
        """One relative matrix on the leading axes was enough: every one of them has to be relative."""
        n = scores.shape[-1]
        return any(all(_constant(d, atol) for d in _diagonals(matrix)) for matrix in scores.reshape(-1, n, n))

    def axes_of_the_diagonal_left_out(scores, atol=1e-9):
        """np.diagonal takes the first two axes unless told: with heads in front those are not queries and keys.
        Give it axis1=-2 and axis2=-1."""
        n = scores.shape[-1]
        return all(_constant(np.diagonal(scores, offset), atol) for offset in range(1 - n, n))

    def one_position_is_not(scores, atol=1e-9):
        """One position came out as not relative: there are no two scores that could differ."""
        return scores.shape[-1] != 1 and all(_constant(d, atol) for d in _diagonals(scores))

    def upside_down(scores, atol=1e-9):
        """The answer is the wrong way round: True means that the scores depend on the distance alone."""
        return not all(_constant(d, atol) for d in _diagonals(scores))

    def each_against_the_next(scores, atol=1e-9):
        """Every score was compared with the next one on its diagonal only, and many small steps make a long
        way: compare the largest with the smallest."""
        steps = (np.where(d[..., 1:] == d[..., :-1], 0.0, np.abs(d[..., 1:] - d[..., :-1])) for d in _diagonals(scores))
        return all(bool((step <= atol).all()) for step in steps)

    def relative_tolerance(scores, atol=1e-9):
        """np.allclose adds 1e-5 of the score to `atol`, so that large scores pass too easily: set rtol=0, or
        compare yourself."""
        ends = ((d.min(axis=-1), d.max(axis=-1)) for d in _diagonals(scores))
        return all(bool(np.allclose(low, high, atol=atol)) for low, high in ends)

    def matrices_compared(scores, atol=1e-9):
        """The matrices on the leading axes were compared with each other: heads may differ, as ALiBi's slopes
        do. Take largest and smallest along the diagonal's own axis."""
        return all(_constant(d.ravel(), atol) for d in _diagonals(scores))

    def one_answer_per_matrix(scores, atol=1e-9):
        """This is an answer for every matrix on the leading axes; one for all of them is wanted: put `all`
        around them."""
        return np.all([d.max(axis=-1) <= d.min(axis=-1) + atol for d in _diagonals(scores)], axis=0)


class mean_attention_distance:
    def one_distance_per_query(weights):
        """This is the distance of every query; the mean over the queries is missing."""
        return _by_query(weights, np.abs(_apart(weights)))

    def averaged_over_pairs(weights):
        """The mean was taken over all pairs, n times too small: over the keys the weights make the average, so
        add up there, and take the mean over the queries."""
        return _by_query(weights, np.abs(_apart(weights))).mean(axis=-1) / weights.shape[-1]

    def added_up_over_queries(weights):
        """The distances of the queries were added up; take their mean."""
        return _by_query(weights, np.abs(_apart(weights))).sum(axis=-1)

    def signs_cancel(weights):
        """The distance has its sign, so keys before and after the query cancel: take |i - j|."""
        return _by_query(weights, _apart(weights)).mean(axis=-1)

    def keys_after_left_out(weights):
        """Keys after the query count as if they were at distance 0; they are as far as keys equally far
        before it."""
        return _by_query(weights, np.maximum(-_apart(weights), 0)).mean(axis=-1)

    def squares(weights):
        """The distances were squared: the weights are to average |i - j| itself."""
        return _by_query(weights, _apart(weights) ** 2).mean(axis=-1)

    def one_number_for_all_matrices(weights):
        """The mean was taken over the leading axes, too: every matrix has a number of its own, so average over
        the queries only."""
        return _by_query(weights, np.abs(_apart(weights))).mean()

    def strongest_key_only(weights):
        """Only the key with the highest weight was looked at: all keys count, each as much as its weight."""
        strongest = weights.argmax(axis=-1)                         # (..., n)
        return np.abs(strongest - np.arange(weights.shape[-1])).mean(axis=-1)
