"""Wrong answers to 41_relative_distances; each docstring is what the learner is told."""
import numpy as np


def _checked_positive(n_queries, n_keys):
    n_keys = n_queries if n_keys is None else n_keys
    for name, size in (("n_queries", n_queries), ("n_keys", n_keys)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    return n_keys


def _checked_order(n_queries, n_keys):
    if n_queries > n_keys:
        raise ValueError(f"n_queries must be at most n_keys, got n_queries={n_queries} and n_keys={n_keys}")


def _checked(n_queries, n_keys):
    n_keys = _checked_positive(n_queries, n_keys)
    _checked_order(n_queries, n_keys)
    return n_keys


def _checked_distance(max_distance):
    if max_distance < 1:
        raise ValueError(f"max_distance must be at least 1, got {max_distance}")


def _checked_table(table):
    if len(table) < 3 or len(table) % 2 == 0:
        raise ValueError(f"table must have an odd number of rows, 3 or more, got shape {table.shape}")
    return len(table) // 2


def _distances(n_queries, n_keys, offset=None):
    """Key minus query, where the first query stands at the offset."""
    offset = n_keys - n_queries if offset is None else offset
    return np.arange(n_keys) - (np.arange(n_queries) + offset)[:, None]        # (n_queries, n_keys)


def _index(n_queries, n_keys, max_distance):
    return np.clip(_distances(n_queries, n_keys), -max_distance, max_distance) + max_distance


class relative_distances:
    def query_minus_key(n_queries, n_keys=None):
        """The sign is turned round: this is query minus key. Take key minus query, so that keys before the
        query are at negative distances."""
        return -_distances(n_queries, _checked(n_queries, n_keys))

    def without_sign(n_queries, n_keys=None):
        """The sign is gone, so a key two places before and one two places after look alike: leave out the
        absolute value."""
        return np.abs(_distances(n_queries, _checked(n_queries, n_keys)))

    def queries_at_the_start(n_queries, n_keys=None):
        """With fewer queries than keys the queries are the last positions: query i stands at
        i + n_keys - n_queries, not at i."""
        return _distances(n_queries, _checked(n_queries, n_keys), offset=0)

    def offset_subtracted(n_queries, n_keys=None):
        """The offset n_keys - n_queries has the wrong sign: it moves the queries to the end, so it makes the
        distances smaller."""
        n_keys = _checked(n_queries, n_keys)
        return _distances(n_queries, n_keys, offset=n_queries - n_keys)

    def counts_from_one(n_queries, n_keys=None):
        """Keys are counted from 1 and queries from 0: a query's own position is at distance 0."""
        return _distances(n_queries, _checked(n_queries, n_keys)) + 1

    def future_cut_off(n_queries, n_keys=None):
        """Every key after the query is at distance 0 here. What may be seen is the mask's business; distances
        go on into the future."""
        return np.minimum(_distances(n_queries, _checked(n_queries, n_keys)), 0)

    def small_integers(n_queries, n_keys=None):
        """The distances are kept in 8 bits, which end at 127: leave the integer type to NumPy."""
        return _distances(n_queries, _checked(n_queries, n_keys)).astype(np.int8)

    def fractions(n_queries, n_keys=None):
        """The distances are floats, which cannot be used as indices: `np.arange` without a dtype makes
        integers."""
        return _distances(n_queries, _checked(n_queries, n_keys)).astype(float)

    def keys_along_the_rows(n_queries, n_keys=None):
        """Rows and columns are swapped: a row is a query, a column a key."""
        return _distances(n_queries, _checked(n_queries, n_keys)).T

    def n_keys_ignored(n_queries, n_keys=None):
        """The argument `n_keys` is not used: there are as many columns as keys."""
        _checked(n_queries, n_keys)
        return _distances(n_queries, n_queries)

    def zero_keys_taken_for_none(n_queries, n_keys=None):
        """`n_keys or n_queries` takes 0 keys for no answer; 0 is to be refused, so ask `n_keys is None`."""
        return _distances(n_queries, _checked(n_queries, n_keys or n_queries))

    def more_queries_accepted(n_queries, n_keys=None):
        """More queries than keys are accepted, and some queries then stand before position 0: refuse them."""
        return _distances(n_queries, _checked_positive(n_queries, n_keys))

    def sizes_not_checked(n_queries, n_keys=None):
        """Sizes below 1 give an empty array; they are to be refused with a ValueError that names the
        argument."""
        n_keys = n_queries if n_keys is None else n_keys
        if n_keys > 0:
            _checked_order(n_queries, n_keys)
        return _distances(max(n_queries, 0), max(n_keys, 0), offset=n_keys - n_queries)


class relative_index:
    def query_minus_key(n_queries, n_keys, max_distance):
        """The table is read backwards: row 0 is for keys far before the query, so the distance is key minus
        query."""
        _checked_distance(max_distance)
        return 2 * max_distance - _index(n_queries, _checked(n_queries, n_keys), max_distance)

    def not_clipped(n_queries, n_keys, max_distance):
        """Nothing is clipped, so keys farther away than max_distance point beside the table: they share the
        last row of their side."""
        _checked_distance(max_distance)
        return _distances(n_queries, _checked(n_queries, n_keys)) + max_distance

    def not_moved_up(n_queries, n_keys, max_distance):
        """The clipped distances are not moved up by max_distance: a negative index counts rows from the end
        of the table."""
        _checked_distance(max_distance)
        return _index(n_queries, _checked(n_queries, n_keys), max_distance) - max_distance

    def far_keys_wrapped_round(n_queries, n_keys, max_distance):
        """Keys beyond the last row start again at the first: `%` wraps where `np.clip` is wanted."""
        _checked_distance(max_distance)
        return (_distances(n_queries, _checked(n_queries, n_keys)) + max_distance) % (2 * max_distance + 1)

    def one_row_short(n_queries, n_keys, max_distance):
        """The farthest row after the query is never used: clip to max_distance on both sides, which makes
        2 * max_distance + 1 rows."""
        _checked_distance(max_distance)
        return np.minimum(_index(n_queries, _checked(n_queries, n_keys), max_distance), 2 * max_distance - 1)

    def clipped_before_only(n_queries, n_keys, max_distance):
        """Only distances below -max_distance are clipped; those above max_distance are to share a row,
        too."""
        _checked_distance(max_distance)
        return np.maximum(_distances(n_queries, _checked(n_queries, n_keys)), -max_distance) + max_distance

    def window_shrunk(n_queries, n_keys, max_distance):
        """The largest distance is lowered to what the sequence needs, so one distance has different rows in
        short and long sequences: keep max_distance as it is."""
        _checked_distance(max_distance)
        n_keys = _checked(n_queries, n_keys)
        return _index(n_queries, n_keys, min(max_distance, n_keys - 1))

    def largest_distance_not_checked(n_queries, n_keys, max_distance):
        """A largest distance below 1 is accepted; refuse it with a ValueError that names max_distance."""
        return _index(n_queries, _checked(n_queries, n_keys), max_distance)


class gather_relative:
    def not_moved_to_the_middle(table, n_queries, n_keys=None):
        """Distance 0 reads row 0 here, and negative distances count from the end; the middle row is for
        distance 0, so use `relative_index`."""
        n_keys, middle = _checked(n_queries, n_keys), _checked_table(table)
        return table[np.clip(_distances(n_queries, n_keys), -middle, middle)]

    def zeros_when_far(table, n_queries, n_keys=None):
        """Keys beyond the table get zeros, as in VITS; here they share the first or the last row of the
        table."""
        n_keys, middle = _checked(n_queries, n_keys), _checked_table(table)
        near = np.abs(_distances(n_queries, n_keys)) <= middle
        return np.where(near[..., None], table[_index(n_queries, n_keys, middle)], table.dtype.type(0))

    def centred_on_the_sequence(table, n_queries, n_keys=None):
        """The rows are those around the middle of the sequence, n_keys - 1, not of the table: distance 0 is
        row (rows - 1) / 2."""
        n_keys, _ = _checked(n_queries, n_keys), _checked_table(table)
        return table[np.clip(_distances(n_queries, n_keys) + n_keys - 1, 0, len(table) - 1)]

    def keys_first(table, n_queries, n_keys=None):
        """The first two axes are swapped: queries first, then keys, then the columns of the table."""
        n_keys, middle = _checked(n_queries, n_keys), _checked_table(table)
        return table[_index(n_queries, n_keys, middle).T]

    def even_table_accepted(table, n_queries, n_keys=None):
        """An even number of rows is accepted, though no row is in the middle: refuse it."""
        n_keys = _checked(n_queries, n_keys)
        if len(table) == 1:
            _checked_table(table)
        return table[_index(n_queries, n_keys, (len(table) - 1) // 2)]

    def single_row_accepted(table, n_queries, n_keys=None):
        """A table of one row is accepted, though it tells no distance from another: refuse it."""
        n_keys = _checked(n_queries, n_keys)
        if len(table) > 1:
            _checked_table(table)
        return table[_index(n_queries, n_keys, len(table) // 2)]

    def widened(table, n_queries, n_keys=None):
        """float32 came in and float64 comes out, but the vectors have the dtype of the table. An array made
        by `np.zeros` is float64 unless told otherwise."""
        n_keys, middle = _checked(n_queries, n_keys), _checked_table(table)
        return table[_index(n_queries, n_keys, middle)].astype(np.float64)
