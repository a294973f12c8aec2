"""Wrong answers to 42_shaw_attention; each docstring is what the learner is told."""
import numpy as np


def _distances(n_queries, n_keys):
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


def _rows(table, distances):
    reach = len(table) // 2
    return table[np.clip(distances, -reach, reach) + reach]         # (n_queries, n_keys, d)


def _rows_of(table, q, k):
    return _rows(table, _distances(q.shape[-2], k.shape[-2]))


def _plain(q, k):
    return np.einsum("...id,...jd->...ij", q, k)              # (..., n_queries, n_keys)


def _relative(q, rows):
    return np.einsum("...id,ijd->...ij", q, rows)             # (..., n_queries, n_keys)


def _scores(q, k, key_table):
    return (_plain(q, k) + _relative(q, _rows_of(key_table, q, k))) / q.shape[-1] ** 0.5


def _masked(scores, mask):
    return scores if mask is None else np.where(mask, scores, -np.inf)


def _softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _attended(weights, v, rows):
    return np.einsum("...ij,...jc->...ic", weights, v) + np.einsum("...ij,ijc->...ic", weights, rows)


class shaw_scores:
    def relative_term_not_scaled(q, k, key_table):
        """You divide only the product of query and key by sqrt(d). Divide the product of query and table row by it
        too."""
        return _plain(q, k) / q.shape[-1] ** 0.5 + _relative(q, _rows_of(key_table, q, k))

    def not_scaled(q, k, key_table):
        """You do not divide the scores by sqrt(d). Divide them by the square root of the width of queries and keys."""
        return _scores(q, k, key_table) * q.shape[-1] ** 0.5

    def divided_by_the_width(q, k, key_table):
        """You divide the scores by d. Divide them by its square root instead."""
        return _scores(q, k, key_table) / q.shape[-1] ** 0.5

    def relative_term_left_out(q, k, key_table):
        """You do not use the table, so the scores do not depend on positions. Add the product of each query with the
        row for each distance."""
        return _plain(q, k) / q.shape[-1] ** 0.5

    def keys_times_rows(q, k, key_table):
        """You multiply the row for the distance with the key. The row is added to the key, so multiply it with the
        query."""
        relative = np.einsum("...jd,ijd->...ij", k, _rows_of(key_table, q, k))
        return (_plain(q, k) + relative) / q.shape[-1] ** 0.5

    def rows_not_multiplied(q, k, key_table):
        """You add up the entries of the row for the distance without the query. The row is added to the key, so
        multiply it with the query."""
        return (_plain(q, k) + _rows_of(key_table, q, k).sum(axis=-1)) / q.shape[-1] ** 0.5

    def table_upside_down(q, k, key_table):
        """You use the distance with the wrong sign. It is key minus query, so row 0 is for keys far before the
        query."""
        return _scores(q, k, key_table[::-1])

    def far_keys_wrapped_round(q, k, key_table):
        """You do not clip distances, so keys beyond one end of the table read rows from its other end. Clip the
        distances to -K..K first."""
        distances, n_rows = _distances(q.shape[-2], k.shape[-2]), len(key_table)
        rows = key_table[(distances + n_rows // 2) % n_rows]
        return (_plain(q, k) + _relative(q, rows)) / q.shape[-1] ** 0.5

    def zeros_when_far(q, k, key_table):
        """You add nothing for keys farther away than K, as VITS does. They should share the outermost row on their
        side."""
        near = np.abs(_distances(q.shape[-2], k.shape[-2])) <= len(key_table) // 2
        return (_plain(q, k) + _relative(q, _rows_of(key_table, q, k)) * near) / q.shape[-1] ** 0.5

    def queries_at_the_start(q, k, key_table):
        """You place query i at position i. With fewer queries than keys, the queries are the last positions: query i is
        at i + n_keys - n_queries."""
        distances = np.arange(k.shape[-2]) - np.arange(q.shape[-2])[:, None]
        return (_plain(q, k) + _relative(q, _rows(key_table, distances))) / q.shape[-1] ** 0.5

    def counted_from_the_longest_distance(q, k, key_table):
        """You use row 0 for the longest distance in the sequence, so the row of a distance changes with the length. The
        middle row of the table is for distance 0: clip distances to -K..K and add K."""
        n_keys = k.shape[-2]
        index = _distances(q.shape[-2], n_keys) + n_keys - 1
        rows = key_table[np.minimum(index, len(key_table) - 1)]
        return (_plain(q, k) + _relative(q, rows)) / q.shape[-1] ** 0.5

    def cut_to_integers(q, k, key_table):
        """You cut the scores to whole numbers if the input holds whole numbers. Dividing by sqrt(d) leaves fractions,
        and an array made by `np.zeros_like` of integers cannot hold them."""
        return _scores(q, k, key_table).astype(q.dtype)

    def scales_q_in_place(q, k, key_table):
        """You change the array of the caller: `q /= ...` writes into `q`. Write `q / ...`, which makes a new array."""
        if q.dtype.kind == "f" and q.flags.writeable:
            q /= q.shape[-1] ** 0.5
            return _scores(q, k, key_table) * q.shape[-1] ** 0.5
        return _scores(q, k, key_table)


class shaw_attention:
    def scaled_twice(q, k, v, key_table, value_table, mask=None):
        """You divide the scores by sqrt(d) twice. `shaw_scores` has already divided them."""
        scores = _scores(q, k, key_table) / q.shape[-1] ** 0.5
        return _attended(_softmax(_masked(scores, mask)), v, _rows_of(value_table, q, k))

    def scaled_by_the_width_of_the_values(q, k, v, key_table, value_table, mask=None):
        """You divide the scores by the square root of d_v, the width of the values. Divide by the square root of d, the
        width of queries and keys."""
        scores = _scores(q, k, key_table) * (q.shape[-1] / v.shape[-1]) ** 0.5
        return _attended(_softmax(_masked(scores, mask)), v, _rows_of(value_table, q, k))

    def values_looked_up_from_the_start(q, k, v, key_table, value_table, mask=None):
        """You place the first query at position 0 in the look-up in `value_table`. If there are fewer queries than
        keys, the queries are the last positions, as in `shaw_scores`."""
        distances = np.arange(k.shape[-2]) - np.arange(q.shape[-2])[:, None]
        scores = _masked(_scores(q, k, key_table), mask)
        return _attended(_softmax(scores), v, _rows(value_table, distances))

    def values_without_the_table(q, k, v, key_table, value_table, mask=None):
        """You do not use `value_table`, so the values do not depend on the distance. Add the row for the distance to
        each value."""
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return np.einsum("...ij,...jc->...ic", weights, v)

    def rows_not_weighted(q, k, v, key_table, value_table, mask=None):
        """You add up the rows of `value_table` without weights. Each row belongs to a value and needs the weight of
        that value."""
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return np.einsum("...ij,...jc->...ic", weights, v) + _rows_of(value_table, q, k).sum(axis=1)

    def value_table_upside_down(q, k, v, key_table, value_table, mask=None):
        """You use the distance with the wrong sign in the look-up in `value_table`. In both tables, row 0 is for keys
        far before the query."""
        rows = _rows_of(value_table[::-1], q, k)
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, rows)

    def value_zeros_when_far(q, k, v, key_table, value_table, mask=None):
        """You add nothing to values farther away than K, as VITS does. They should share the outermost row on their
        side."""
        near = np.abs(_distances(q.shape[-2], k.shape[-2])) <= len(value_table) // 2
        rows = _rows_of(value_table, q, k) * near[..., None]
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, rows)

    def rows_see_through_the_mask(q, k, v, key_table, value_table, mask=None):
        """You give the rows of `value_table` weights computed without the mask. Use the masked weights for values and
        rows alike."""
        scores, rows = _scores(q, k, key_table), _rows_of(value_table, q, k)
        values = np.einsum("...ij,...jc->...ic", _softmax(_masked(scores, mask)), v)
        return values + np.einsum("...ij,ijc->...ic", _softmax(scores), rows)

    def mask_turned_round(q, k, v, key_table, value_table, mask=None):
        """You read the mask the wrong way round. True means that a query may attend to a key."""
        with np.errstate(all="ignore"):
            weights = _softmax(_masked(_scores(q, k, key_table), None if mask is None else ~mask))
        return _attended(weights, v, _rows_of(value_table, q, k))

    def masked_after_the_softmax(q, k, v, key_table, value_table, mask=None):
        """You apply the mask after the softmax, so the weights no longer add up to 1. Set the forbidden scores to -inf
        before the softmax."""
        weights = _softmax(_scores(q, k, key_table)) * (True if mask is None else mask)
        return _attended(weights, v, _rows_of(value_table, q, k))

    def hidden_scores_are_zero(q, k, v, key_table, value_table, mask=None):
        """You set forbidden scores to 0. The exponential of 0 is 1, so these keys still get weight. Set their scores to
        -inf."""
        weights = _softmax(_scores(q, k, key_table) * (True if mask is None else mask))
        return _attended(weights, v, _rows_of(value_table, q, k))

    def masked_with_a_large_number(q, k, v, key_table, value_table, mask=None):
        """You set forbidden scores to a large negative number. If all visible scores are lower still, the hidden keys
        get the weight. Use -inf."""
        scores = _scores(q, k, key_table)
        if mask is not None:
            scores = np.where(mask, scores, -1e9)
        return _attended(_softmax(scores), v, _rows_of(value_table, q, k))

    def large_number_added(q, k, v, key_table, value_table, mask=None):
        """You add a large negative number to forbidden scores. If a forbidden score is larger than the allowed ones by
        that much, its key gets the weight. Set forbidden scores to -inf."""
        scores = _scores(q, k, key_table)
        if mask is not None:
            scores = scores + np.where(mask, 0.0, -1e9)
        return _attended(_softmax(scores), v, _rows_of(value_table, q, k))

    def softmax_overflows(q, k, v, key_table, value_table, mask=None):
        """You take the exponential of large scores, which overflows. Subtract the highest score of each row before
        `np.exp`."""
        with np.errstate(all="ignore"):
            weights = np.exp(_masked(_scores(q, k, key_table), mask))
            return _attended(weights / weights.sum(axis=-1, keepdims=True), v, _rows_of(value_table, q, k))

    def highest_score_of_all(q, k, v, key_table, value_table, mask=None):
        """You subtract the highest score of the whole array. In a row far below it, every exponential is 0. Subtract
        the highest score of each row."""
        scores = _masked(_scores(q, k, key_table), mask)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return _attended(weights / weights.sum(axis=-1, keepdims=True), v, _rows_of(value_table, q, k))

    def softmax_over_queries(q, k, v, key_table, value_table, mask=None):
        """You take the softmax over the queries. The weights of the keys must add up to 1 for each query, so use the
        last axis."""
        with np.errstate(all="ignore"):
            weights = _softmax(_masked(_scores(q, k, key_table), mask), axis=-2)
        return _attended(weights, v, _rows_of(value_table, q, k))
