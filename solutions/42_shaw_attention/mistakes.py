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
        """Only the product of query and key is divided by sqrt(d); the product with the row for the distance
        is to be divided as well."""
        return _plain(q, k) / q.shape[-1] ** 0.5 + _relative(q, _rows_of(key_table, q, k))

    def not_scaled(q, k, key_table):
        """The scores are not divided by sqrt(d)."""
        return _scores(q, k, key_table) * q.shape[-1] ** 0.5

    def divided_by_the_width(q, k, key_table):
        """The scores are divided by d; divide them by its square root."""
        return _scores(q, k, key_table) / q.shape[-1] ** 0.5

    def relative_term_left_out(q, k, key_table):
        """The table is not used: these are the scores without positions. Add the product of each query with
        the row for each distance."""
        return _plain(q, k) / q.shape[-1] ** 0.5

    def keys_times_rows(q, k, key_table):
        """The row for the distance is multiplied by the key; it is added to the key and so multiplied by the
        query."""
        relative = np.einsum("...jd,ijd->...ij", k, _rows_of(key_table, q, k))
        return (_plain(q, k) + relative) / q.shape[-1] ** 0.5

    def rows_not_multiplied(q, k, key_table):
        """The row for the distance is added up as it is; it is added to the key, so it has to be multiplied
        by the query."""
        return (_plain(q, k) + _rows_of(key_table, q, k).sum(axis=-1)) / q.shape[-1] ** 0.5

    def table_upside_down(q, k, key_table):
        """The sign of the distance is turned round: it is key minus query, so row 0 is for keys far before
        the query."""
        return _scores(q, k, key_table[::-1])

    def far_keys_wrapped_round(q, k, key_table):
        """Distances are not clipped, and beyond one end of the table its other end is read: clip them to
        -K..K first."""
        distances, n_rows = _distances(q.shape[-2], k.shape[-2]), len(key_table)
        rows = key_table[(distances + n_rows // 2) % n_rows]
        return (_plain(q, k) + _relative(q, rows)) / q.shape[-1] ** 0.5

    def zeros_when_far(q, k, key_table):
        """Keys beyond the table get nothing added, as in VITS; here they share the outermost row of their
        side."""
        near = np.abs(_distances(q.shape[-2], k.shape[-2])) <= len(key_table) // 2
        return (_plain(q, k) + _relative(q, _rows_of(key_table, q, k)) * near) / q.shape[-1] ** 0.5

    def queries_at_the_start(q, k, key_table):
        """With fewer queries than keys the queries are the last positions: query i stands at i + n_keys -
        n_queries, not at i."""
        distances = np.arange(k.shape[-2]) - np.arange(q.shape[-2])[:, None]
        return (_plain(q, k) + _relative(q, _rows(key_table, distances))) / q.shape[-1] ** 0.5

    def counted_from_the_longest_distance(q, k, key_table):
        """Row 0 goes to the longest distance in the sequence, so a distance has another row in every length. The
        middle row of the table is for distance 0: clip to -K..K and add K."""
        n_keys = k.shape[-2]
        index = _distances(q.shape[-2], n_keys) + n_keys - 1
        rows = key_table[np.minimum(index, len(key_table) - 1)]
        return (_plain(q, k) + _relative(q, rows)) / q.shape[-1] ** 0.5

    def cut_to_integers(q, k, key_table):
        """Whole numbers came in and the scores are cut to whole numbers; a division by sqrt(d) leaves fractions. An
        array made by `np.zeros_like` of integers holds integers."""
        return _scores(q, k, key_table).astype(q.dtype)

    def scales_q_in_place(q, k, key_table):
        """The scaling is written into `q` itself: `q /= ...` changes the caller's array, `q / ...` makes a
        new one."""
        if q.dtype.kind == "f" and q.flags.writeable:
            q /= q.shape[-1] ** 0.5
            return _scores(q, k, key_table) * q.shape[-1] ** 0.5
        return _scores(q, k, key_table)


class shaw_attention:
    def scaled_twice(q, k, v, key_table, value_table, mask=None):
        """The scores are divided by sqrt(d) once more: `shaw_scores` has done it already."""
        scores = _scores(q, k, key_table) / q.shape[-1] ** 0.5
        return _attended(_softmax(_masked(scores, mask)), v, _rows_of(value_table, q, k))

    def scaled_by_the_width_of_the_values(q, k, v, key_table, value_table, mask=None):
        """The scores are divided by the root of the values' width. What is added up in a score is as wide as queries
        and keys, so take d, not d_v."""
        scores = _scores(q, k, key_table) * (q.shape[-1] / v.shape[-1]) ** 0.5
        return _attended(_softmax(_masked(scores, mask)), v, _rows_of(value_table, q, k))

    def values_without_the_table(q, k, v, key_table, value_table, mask=None):
        """Only the keys know the distance; the row of `value_table` for the distance is to be added to each
        value."""
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return np.einsum("...ij,...jc->...ic", weights, v)

    def rows_not_weighted(q, k, v, key_table, value_table, mask=None):
        """The rows of `value_table` are added up as they are; each belongs to a value and gets that value's
        weight."""
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return np.einsum("...ij,...jc->...ic", weights, v) + _rows_of(value_table, q, k).sum(axis=1)

    def value_table_upside_down(q, k, v, key_table, value_table, mask=None):
        """The sign of the distance is turned round for the values: row 0 of either table is for keys far
        before the query."""
        rows = _rows_of(value_table[::-1], q, k)
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, rows)

    def value_zeros_when_far(q, k, v, key_table, value_table, mask=None):
        """Values beyond the table get nothing added, as in VITS; here they share the outermost row of their
        side."""
        near = np.abs(_distances(q.shape[-2], k.shape[-2])) <= len(value_table) // 2
        rows = _rows_of(value_table, q, k) * near[..., None]
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, rows)

    def rows_see_through_the_mask(q, k, v, key_table, value_table, mask=None):
        """The mask is missing where the rows of `value_table` are weighted: values and rows have the same
        weights."""
        scores, rows = _scores(q, k, key_table), _rows_of(value_table, q, k)
        values = np.einsum("...ij,...jc->...ic", _softmax(_masked(scores, mask)), v)
        return values + np.einsum("...ij,ijc->...ic", _softmax(scores), rows)

    def mask_turned_round(q, k, v, key_table, value_table, mask=None):
        """The mask is read the wrong way round: True means that a query may attend to a key."""
        with np.errstate(all="ignore"):
            weights = _softmax(_masked(_scores(q, k, key_table), None if mask is None else ~mask))
        return _attended(weights, v, _rows_of(value_table, q, k))

    def masked_after_the_softmax(q, k, v, key_table, value_table, mask=None):
        """The mask is applied after the softmax, so the weights no longer add up to 1: mask the scores, with
        -inf."""
        weights = _softmax(_scores(q, k, key_table)) * (True if mask is None else mask)
        return _attended(weights, v, _rows_of(value_table, q, k))

    def hidden_scores_are_zero(q, k, v, key_table, value_table, mask=None):
        """Hidden scores become 0, and 0 is a score like any other, whose exponential is 1. They have to be -inf."""
        weights = _softmax(_scores(q, k, key_table) * (True if mask is None else mask))
        return _attended(weights, v, _rows_of(value_table, q, k))

    def masked_with_a_large_number(q, k, v, key_table, value_table, mask=None):
        """Hidden scores are replaced by a large negative number, and a visible score that is lower still
        loses to it; take -inf."""
        scores = _scores(q, k, key_table)
        if mask is not None:
            scores = np.where(mask, scores, -1e9)
        return _attended(_softmax(scores), v, _rows_of(value_table, q, k))

    def softmax_overflows(q, k, v, key_table, value_table, mask=None):
        """The exponential overflows for large scores: subtract the highest score of each row first."""
        with np.errstate(all="ignore"):
            weights = np.exp(_masked(_scores(q, k, key_table), mask))
            return _attended(weights / weights.sum(axis=-1, keepdims=True), v, _rows_of(value_table, q, k))

    def highest_score_of_all(q, k, v, key_table, value_table, mask=None):
        """The highest score of all rows is subtracted, so in a row far below it every exponential is 0: take
        the highest of each row."""
        scores = _masked(_scores(q, k, key_table), mask)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return _attended(weights / weights.sum(axis=-1, keepdims=True), v, _rows_of(value_table, q, k))

    def softmax_over_queries(q, k, v, key_table, value_table, mask=None):
        """The softmax runs over the queries; for each query the weights of its keys add up to 1, so it is the
        last axis."""
        with np.errstate(all="ignore"):
            weights = _softmax(_masked(_scores(q, k, key_table), mask), axis=-2)
        return _attended(weights, v, _rows_of(value_table, q, k))
