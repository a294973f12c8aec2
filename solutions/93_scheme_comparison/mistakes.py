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
        """You count the sinusoidal table, but it is computed, not trained: count 0."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"sinusoidal": max_len * d_model})[scheme]

    def slopes_counted(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count the slopes of ALiBi, one per head, but they are fixed before training: count 0."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"alibi": n_heads})[scheme]

    def learned_in_every_layer(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count the learned table once per layer. The model has only one, below the first layer: do not multiply by
        n_layers."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"learned": counts["learned"] * n_layers})[scheme]

    def tables_per_head(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count Shaw's tables once per head, d_model columns in all. The heads of a layer share tables that are as
        wide as one head: count d_model / n_heads columns."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": counts["shaw"] * n_heads})[scheme]

    def keys_only(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You leave out one of Shaw's two tables: every layer has one for keys and one for values, so count both."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": counts["shaw"] // 2})[scheme]

    def one_layer_of_tables(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count Shaw's tables for one layer, but every layer has its own: multiply by n_layers."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": counts["shaw"] // n_layers})[scheme]

    def distance_zero_forgotten(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count one row too few for Shaw's tables. The distances from -max_distance to max_distance include 0, so
        count 2 * max_distance + 1 rows."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": n_layers * 4 * max_distance * (d_model // n_heads)})[scheme]

    def keys_before_counted_alone(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count rows of Shaw's tables only for keys on one side of the query. The distances run from -max_distance
        to max_distance, so count 2 * max_distance + 1 rows."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"shaw": n_layers * 2 * (max_distance + 1) * (d_model // n_heads)})[scheme]

    def buckets_for_both_directions(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count T5's buckets twice, once per direction, but num_buckets is the number for both directions together.
        Count num_buckets per head."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"t5": counts["t5"] * 2})[scheme]

    def buckets_in_every_layer(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You count T5's table once per layer, but all layers share one table: do not multiply by n_layers."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"t5": counts["t5"] * n_layers})[scheme]

    def one_number_per_bucket(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """You leave out T5's heads: each head has its own number for every bucket, so multiply by n_heads."""
        counts = _counts(max_len, d_model, n_heads, n_layers, max_distance, num_buckets)
        return (counts | {"t5": num_buckets})[scheme]


class is_relative:
    def masked_in_all_matrices(scores, atol=1e-9):
        """You count a diagonal as masked only if it is -inf in every matrix. Heads may hide different distances, so
        check each matrix separately."""
        return all(bool(np.isneginf(d).all() or (np.ptp(d, axis=-1) <= atol).all()) for d in _diagonals(scores))

    def masked_becomes_nan(scores, atol=1e-9):
        """You count a diagonal that is all -inf as not constant, because -inf minus -inf is NaN and every comparison
        with NaN is False. Compare the largest with the smallest plus atol."""
        return all(bool((np.ptp(d, axis=-1) <= atol).all()) for d in _diagonals(scores))

    def masked_keys_left_out(scores, atol=1e-9):
        """You leave out the entries that are -inf, so only the rest of the diagonal is compared. But a diagonal with
        -inf and numbers is not constant: keep the -inf."""
        lows = [np.where(np.isneginf(d), np.inf, d).min(axis=-1) for d in _diagonals(scores)]
        highs = [d.max(axis=-1) for d in _diagonals(scores)]
        return all(bool((h <= low + atol).all()) for h, low in zip(highs, lows, strict=True))

    def masked_counts_as_zero(scores, atol=1e-9):
        """You replace -inf by a number such as 0, so a masked key counts as a key with that score. Keep the -inf."""
        return all(_constant(np.where(np.isneginf(d), 0.0, d), atol) for d in _diagonals(scores))

    def keys_before_only(scores, atol=1e-9):
        """You leave out the diagonals above the main one. They contain the keys after the query. Let the offsets run
        from 1 - n to n - 1."""
        return all(_constant(d, atol) for d in _diagonals(scores)[: scores.shape[-1]])

    def before_and_after_alike(scores, atol=1e-9):
        """You compare different diagonals with each other. The distance j - i has a sign, so their scores may differ:
        compare only along each diagonal."""
        diagonals = _diagonals(scores)
        both = [np.concatenate(pair, axis=-1) for pair in zip(diagonals, diagonals[::-1], strict=True)]
        return all(_constant(d, atol) for d in both)

    def masked_diagonals_skipped(scores, atol=1e-9):
        """You skip every diagonal with a -inf. Only a diagonal that is all -inf is constant. One with -inf and numbers
        is not: return False for it."""
        return all(bool((np.isneginf(d).any(axis=-1) | (d.max(axis=-1) <= d.min(axis=-1) + atol)).all())
                   for d in _diagonals(scores))

    def keys_after_only(scores, atol=1e-9):
        """You leave out the diagonals below the main one. They contain the keys before the query. Let the offsets run
        from 1 - n to n - 1."""
        return all(_constant(d, atol) for d in _diagonals(scores)[scores.shape[-1] - 1 :])

    def main_diagonal_only(scores, atol=1e-9):
        """You check only the main diagonal, where every query meets itself. Let the offsets run from 1 - n to n - 1."""
        return _constant(_diagonals(scores)[scores.shape[-1] - 1], atol)

    def last_offsets_left_out(scores, atol=1e-9):
        """You leave out the last diagonals. The diagonals at the offsets 2 - n and n - 2 have two entries each: check
        them too."""
        return all(_constant(d, atol) for d in _diagonals(scores)[2:-2])

    def any_diagonal(scores, atol=1e-9):
        """You accept one constant diagonal. All of them must be constant, so use `all` instead of `any`."""
        return any(_constant(d, atol) for d in _diagonals(scores))

    def the_other_diagonals(scores, atol=1e-9):
        """You take the diagonals from the upper right to the lower left, where i + j is constant. Take those from the
        upper left to the lower right, where j - i is constant."""
        return all(_constant(d, atol) for d in _diagonals(scores[..., ::-1]))

    def symmetry(scores, atol=1e-9):
        """You test symmetry, which compares a key before with a key after. Compare scores along each diagonal
        instead."""
        turned = scores.swapaxes(-1, -2)
        return bool(((scores == turned) | (np.maximum(scores, turned) <= np.minimum(scores, turned) + atol)).all())

    def ends_compared(scores, atol=1e-9):
        """You compare only the first and the last score of each diagonal. Compare the scores between them too."""
        return all(_constant(d[..., [0, -1]], atol) for d in _diagonals(scores))

    def spread_averaged(scores, atol=1e-9):
        """You use a standard deviation, which hides a single different score on a long diagonal. Compare the largest
        with the smallest."""
        return all(bool(((d.max(axis=-1) == d.min(axis=-1)) | (d.std(axis=-1) <= atol)).all())
                   for d in _diagonals(scores))

    def exactly_equal(scores, atol=1e-9):
        """You compare the scores exactly, so rounding is enough to make them fail. Allow a difference of `atol`."""
        return all(_constant(d, 0.0) for d in _diagonals(scores))

    def atol_ignored(scores, atol=1e-9):
        """Your tolerance is a number in your code or the default of np.allclose. Use the argument `atol`."""
        return all(_constant(d, 1e-9) for d in _diagonals(scores))

    def first_matrix_only(scores, atol=1e-9):
        """You check only the first matrix on the leading axes. All of them have to be relative, so check all."""
        return all(_constant(d, atol) for d in _diagonals(scores.reshape(-1, *scores.shape[-2:])[0]))

    def one_matrix_is_enough(scores, atol=1e-9):
        """You return True for one relative matrix on the leading axes, but all of them have to be relative."""
        n = scores.shape[-1]
        return any(all(_constant(d, atol) for d in _diagonals(matrix)) for matrix in scores.reshape(-1, n, n))

    def axes_of_the_diagonal_left_out(scores, atol=1e-9):
        """Your diagonals run over the first two axes, as np.diagonal takes them by default. With heads in front, these
        are not queries and keys. Pass axis1=-2 and axis2=-1."""
        n = scores.shape[-1]
        return all(_constant(np.diagonal(scores, offset), atol) for offset in range(1 - n, n))

    def one_position_is_not(scores, atol=1e-9):
        """You return False for one position, but no two scores can differ there: return True."""
        return scores.shape[-1] != 1 and all(_constant(d, atol) for d in _diagonals(scores))

    def upside_down(scores, atol=1e-9):
        """You swap True and False: True means that the scores depend on the distance alone."""
        return not all(_constant(d, atol) for d in _diagonals(scores))

    def each_against_the_next(scores, atol=1e-9):
        """You compare every score only with the next one on its diagonal, but many small steps add up. Compare the
        largest with the smallest."""
        steps = (np.where(d[..., 1:] == d[..., :-1], 0.0, np.abs(d[..., 1:] - d[..., :-1])) for d in _diagonals(scores))
        return all(bool((step <= atol).all()) for step in steps)

    def relative_tolerance(scores, atol=1e-9):
        """Your tolerance grows with the scores, as in np.allclose, which adds 1e-5 of the score to `atol`. So large
        scores pass too easily: set rtol=0, or compare without it."""
        ends = ((d.min(axis=-1), d.max(axis=-1)) for d in _diagonals(scores))
        return all(bool(np.allclose(low, high, atol=atol)) for low, high in ends)

    def matrices_compared(scores, atol=1e-9):
        """You compare the matrices on the leading axes with each other, but heads may differ, as ALiBi's do. Take the
        largest and the smallest along the diagonal's own axis."""
        return all(_constant(d.ravel(), atol) for d in _diagonals(scores))

    def one_answer_per_matrix(scores, atol=1e-9):
        """You return one answer per matrix on the leading axes. Return one answer for all of them, with `all`."""
        return np.all([d.max(axis=-1) <= d.min(axis=-1) + atol for d in _diagonals(scores)], axis=0)


class mean_attention_distance:
    def one_distance_per_query(weights):
        """You return one distance per query. Take the mean over its last axis, the queries."""
        return _by_query(weights, np.abs(_apart(weights)))

    def averaged_over_pairs(weights):
        """You take a mean over all pairs, which is n times too small. The weights already average over the keys, so add
        up over the keys and take the mean over the queries."""
        return _by_query(weights, np.abs(_apart(weights))).mean(axis=-1) / weights.shape[-1]

    def added_up_over_queries(weights):
        """You add up the distances of the queries. Take their mean."""
        return _by_query(weights, np.abs(_apart(weights))).sum(axis=-1)

    def signs_cancel(weights):
        """You keep the sign of the distance, so keys before and after the query cancel. Take |i - j|."""
        return _by_query(weights, _apart(weights)).mean(axis=-1)

    def keys_after_left_out(weights):
        """You count keys after the query as distance 0. Their distance is |i - j|, as for keys before it."""
        return _by_query(weights, np.maximum(-_apart(weights), 0)).mean(axis=-1)

    def squares(weights):
        """You square the distances. Multiply the weights by |i - j| without a square."""
        return _by_query(weights, _apart(weights) ** 2).mean(axis=-1)

    def one_number_for_all_matrices(weights):
        """You take the mean over the leading axes too. Every matrix has its own number, so average over the queries
        only."""
        return _by_query(weights, np.abs(_apart(weights))).mean()

    def strongest_key_only(weights):
        """You count only the key with the highest weight. Count all keys: multiply each distance by its weight."""
        strongest = weights.argmax(axis=-1)                         # (..., n)
        return np.abs(strongest - np.arange(weights.shape[-1])).mean(axis=-1)
