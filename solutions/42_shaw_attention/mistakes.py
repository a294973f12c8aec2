"""Wrong answers to 42_shaw_attention; each docstring is what the learner is told."""
import numpy as np


def _checked_widths(q, k, key_table):
    for name, array in (("k", k), ("key_table", key_table)):
        if array.shape[-1] != q.shape[-1]:
            raise ValueError(f"{name} must be as wide as q, {q.shape[-1]}, got shape {array.shape}")


def _checked_length(q, k):
    if q.shape[-2] > k.shape[-2]:
        raise ValueError(f"q must not have more queries than k has keys, got {q.shape} and {k.shape}")


def _checked_rows(key_table):
    if len(key_table) < 3 or len(key_table) % 2 == 0:
        raise ValueError(f"key_table must have an odd number of rows, 3 or more, got shape {key_table.shape}")


def _checked(q, k, key_table):
    _checked_widths(q, k, key_table)
    _checked_length(q, k)
    _checked_rows(key_table)


def _checked_values(k, v, value_table):
    if v.shape[-2] != k.shape[-2]:
        raise ValueError(f"k and v must have equally many positions, got {k.shape} and {v.shape}")
    if v.shape[-1] != value_table.shape[-1]:
        raise ValueError(f"v and value_table must be equally wide, got {v.shape} and {value_table.shape}")


def _checked_tables(key_table, value_table):
    if len(key_table) != len(value_table):
        raise ValueError(f"key_table {key_table.shape} and value_table {value_table.shape} differ in rows")


def _checked_mask(q, k, mask):
    wanted = q.shape[-2], k.shape[-2]
    if mask is not None and mask.shape != wanted:
        raise ValueError(f"mask must have shape {wanted}, got {mask.shape}")


def _checked_all(q, k, v, key_table, value_table, mask):
    _checked(q, k, key_table)
    _checked_values(k, v, value_table)
    _checked_tables(key_table, value_table)
    _checked_mask(q, k, mask)


def _distances(n_queries, n_keys):
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


def _rows(table, distances):
    reach = len(table) // 2
    return table[np.clip(distances, -reach, reach) + reach]         # (n_queries, n_keys, d)


def _rows_of(table, q, k):
    return _rows(table, _distances(q.shape[-2], k.shape[-2]))


def _plain(q, k):
    return np.einsum("...id,...jd->...ij", 1.0 * q, k)              # (..., n_queries, n_keys)


def _relative(q, rows):
    return np.einsum("...id,ijd->...ij", 1.0 * q, rows)             # (..., n_queries, n_keys)


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
        _checked(q, k, key_table)
        return _plain(q, k) / q.shape[-1] ** 0.5 + _relative(q, _rows_of(key_table, q, k))

    def not_scaled(q, k, key_table):
        """The scores are not divided by sqrt(d)."""
        _checked(q, k, key_table)
        return _scores(q, k, key_table) * q.shape[-1] ** 0.5

    def relative_term_left_out(q, k, key_table):
        """The table is not used: these are the scores without positions. Add the product of each query with
        the row for each distance."""
        _checked(q, k, key_table)
        return _plain(q, k) / q.shape[-1] ** 0.5

    def keys_times_rows(q, k, key_table):
        """The row for the distance is multiplied by the key; it is added to the key and so multiplied by the
        query."""
        _checked(q, k, key_table)
        relative = np.einsum("...jd,ijd->...ij", 1.0 * k, _rows_of(key_table, q, k))
        return (_plain(q, k) + relative) / q.shape[-1] ** 0.5

    def rows_not_multiplied(q, k, key_table):
        """The row for the distance is added up as it is; it is added to the key, so it has to be multiplied
        by the query."""
        _checked(q, k, key_table)
        return (_plain(q, k) + _rows_of(key_table, q, k).sum(axis=-1)) / q.shape[-1] ** 0.5

    def table_upside_down(q, k, key_table):
        """The sign of the distance is turned round: it is key minus query, so row 0 is for keys far before
        the query."""
        _checked(q, k, key_table)
        return _scores(q, k, key_table[::-1])

    def far_keys_wrapped_round(q, k, key_table):
        """Distances are not clipped, and beyond one end of the table its other end is read: clip them to
        -K..K first."""
        _checked(q, k, key_table)
        distances, n_rows = _distances(q.shape[-2], k.shape[-2]), len(key_table)
        rows = key_table[(distances + n_rows // 2) % n_rows]
        return (_plain(q, k) + _relative(q, rows)) / q.shape[-1] ** 0.5

    def zeros_when_far(q, k, key_table):
        """Keys beyond the table get nothing added, as in VITS; here they share the outermost row of their
        side."""
        _checked(q, k, key_table)
        near = np.abs(_distances(q.shape[-2], k.shape[-2])) <= len(key_table) // 2
        return (_plain(q, k) + _relative(q, _rows_of(key_table, q, k)) * near) / q.shape[-1] ** 0.5

    def queries_at_the_start(q, k, key_table):
        """With fewer queries than keys the queries are the last positions: query i stands at i + n_keys -
        n_queries, not at i."""
        _checked(q, k, key_table)
        distances = np.arange(k.shape[-2]) - np.arange(q.shape[-2])[:, None]
        return (_plain(q, k) + _relative(q, _rows(key_table, distances))) / q.shape[-1] ** 0.5

    def table_without_middle_accepted(q, k, key_table):
        """A table with an even number of rows or only one is accepted; the first has no row for distance 0,
        the second no other: refuse both."""
        _checked_widths(q, k, key_table)
        _checked_length(q, k)
        reach = (len(key_table) - 1) // 2
        rows = key_table[np.clip(_distances(q.shape[-2], k.shape[-2]), -reach, reach) + reach]
        return (_plain(q, k) + _relative(q, rows)) / q.shape[-1] ** 0.5

    def more_queries_accepted(q, k, key_table):
        """More queries than keys are accepted, and some then stand before the first key: refuse them."""
        _checked_widths(q, k, key_table)
        _checked_rows(key_table)
        return _scores(q, k, key_table)

    def one_column_stretches(q, k, key_table):
        """The widths are not compared, and einsum silently repeats a single column of keys or table: refuse
        it."""
        _checked_length(q, k)
        _checked_rows(key_table)
        return _scores(q, k, key_table)

    def scales_q_in_place(q, k, key_table):
        """The scaling is written into `q` itself: `q /= ...` changes the caller's array, `q / ...` makes a
        new one."""
        _checked(q, k, key_table)
        if q.dtype.kind == "f" and q.flags.writeable:
            q /= q.shape[-1] ** 0.5
            return _scores(q, k, key_table) * q.shape[-1] ** 0.5
        return _scores(q, k, key_table)


class shaw_attention:
    def values_without_the_table(q, k, v, key_table, value_table, mask=None):
        """Only the keys know the distance; the row of `value_table` for the distance is to be added to each
        value."""
        _checked_all(q, k, v, key_table, value_table, mask)
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return np.einsum("...ij,...jc->...ic", weights, v)

    def rows_not_weighted(q, k, v, key_table, value_table, mask=None):
        """The rows of `value_table` are added up as they are; each belongs to a value and gets that value's
        weight."""
        _checked_all(q, k, v, key_table, value_table, mask)
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return np.einsum("...ij,...jc->...ic", weights, v) + _rows_of(value_table, q, k).sum(axis=1)

    def value_table_upside_down(q, k, v, key_table, value_table, mask=None):
        """The sign of the distance is turned round for the values: row 0 of either table is for keys far
        before the query."""
        _checked_all(q, k, v, key_table, value_table, mask)
        rows = _rows_of(value_table[::-1], q, k)
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, rows)

    def value_zeros_when_far(q, k, v, key_table, value_table, mask=None):
        """Values beyond the table get nothing added, as in VITS; here they share the outermost row of their
        side."""
        _checked_all(q, k, v, key_table, value_table, mask)
        near = np.abs(_distances(q.shape[-2], k.shape[-2])) <= len(value_table) // 2
        rows = _rows_of(value_table, q, k) * near[..., None]
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, rows)

    def rows_see_through_the_mask(q, k, v, key_table, value_table, mask=None):
        """The mask is missing where the rows of `value_table` are weighted: values and rows have the same
        weights."""
        _checked_all(q, k, v, key_table, value_table, mask)
        scores, rows = _scores(q, k, key_table), _rows_of(value_table, q, k)
        values = np.einsum("...ij,...jc->...ic", _softmax(_masked(scores, mask)), v)
        return values + np.einsum("...ij,ijc->...ic", _softmax(scores), rows)

    def mask_turned_round(q, k, v, key_table, value_table, mask=None):
        """The mask is read the wrong way round: True means that a query may attend to a key."""
        _checked_all(q, k, v, key_table, value_table, mask)
        with np.errstate(all="ignore"):
            weights = _softmax(_masked(_scores(q, k, key_table), None if mask is None else ~mask))
        return _attended(weights, v, _rows_of(value_table, q, k))

    def masked_after_the_softmax(q, k, v, key_table, value_table, mask=None):
        """The mask is applied after the softmax, so the weights no longer add up to 1: mask the scores, with
        -inf."""
        _checked_all(q, k, v, key_table, value_table, mask)
        weights = _softmax(_scores(q, k, key_table)) * (True if mask is None else mask)
        return _attended(weights, v, _rows_of(value_table, q, k))

    def masked_with_a_large_number(q, k, v, key_table, value_table, mask=None):
        """Hidden scores are replaced by a large negative number, and a visible score that is lower still
        loses to it; take -inf."""
        _checked_all(q, k, v, key_table, value_table, mask)
        scores = _scores(q, k, key_table)
        if mask is not None:
            scores = np.where(mask, scores, -1e9)
        return _attended(_softmax(scores), v, _rows_of(value_table, q, k))

    def softmax_overflows(q, k, v, key_table, value_table, mask=None):
        """The exponential overflows for large scores: subtract the highest score of each row first."""
        _checked_all(q, k, v, key_table, value_table, mask)
        with np.errstate(all="ignore"):
            weights = np.exp(_masked(_scores(q, k, key_table), mask))
            return _attended(weights / weights.sum(axis=-1, keepdims=True), v, _rows_of(value_table, q, k))

    def highest_score_of_all(q, k, v, key_table, value_table, mask=None):
        """The highest score of all rows is subtracted, so in a row far below it every exponential is 0: take
        the highest of each row."""
        _checked_all(q, k, v, key_table, value_table, mask)
        scores = _masked(_scores(q, k, key_table), mask)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return _attended(weights / weights.sum(axis=-1, keepdims=True), v, _rows_of(value_table, q, k))

    def softmax_over_queries(q, k, v, key_table, value_table, mask=None):
        """The softmax runs over the queries; for each query the weights of its keys add up to 1, so it is the
        last axis."""
        _checked_all(q, k, v, key_table, value_table, mask)
        with np.errstate(all="ignore"):
            weights = _softmax(_masked(_scores(q, k, key_table), mask), axis=-2)
        return _attended(weights, v, _rows_of(value_table, q, k))

    def single_values_stretch(q, k, v, key_table, value_table, mask=None):
        """Numbers of keys and widths of values are not compared, and NumPy silently repeats a single value or
        column: refuse it."""
        _checked(q, k, key_table)
        _checked_tables(key_table, value_table)
        _checked_mask(q, k, mask)
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, _rows_of(value_table, q, k))

    def tables_of_different_reach(q, k, v, key_table, value_table, mask=None):
        """The tables have different numbers of rows, so they clip at different distances: refuse that."""
        _checked(q, k, key_table)
        _checked_values(k, v, value_table)
        _checked_mask(q, k, mask)
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, _rows_of(value_table, q, k))

    def mask_stretches(q, k, v, key_table, value_table, mask=None):
        """The mask's shape is not looked at, and NumPy silently repeats a single row or column: refuse any
        but (n_queries, n_keys)."""
        _checked(q, k, key_table)
        _checked_values(k, v, value_table)
        _checked_tables(key_table, value_table)
        return _attended(_softmax(_masked(_scores(q, k, key_table), mask)), v, _rows_of(value_table, q, k))

    def widened(q, k, v, key_table, value_table, mask=None):
        """float32 came in and float64 comes out, but the output has the dtype of the input. An array made by
        `np.zeros` is float64 unless told otherwise."""
        _checked_all(q, k, v, key_table, value_table, mask)
        weights = _softmax(_masked(_scores(q, k, key_table), mask))
        return _attended(weights, v, _rows_of(value_table, q, k)).astype(np.float64)
