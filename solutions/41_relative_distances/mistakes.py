"""Wrong answers to 41_relative_distances; each docstring is what the learner is told."""
import numpy as np


def _n_keys(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _distances(n_queries, n_keys, offset=None):
    """Key minus query, where the first query stands at the offset."""
    n_keys = _n_keys(n_queries, n_keys)
    offset = n_keys - n_queries if offset is None else offset
    return np.arange(n_keys) - (np.arange(n_queries) + offset)[:, None]        # (n_queries, n_keys)


def _index(n_queries, n_keys, max_distance):
    return np.clip(_distances(n_queries, n_keys), -max_distance, max_distance) + max_distance


class relative_distances:
    def query_minus_key(n_queries, n_keys=None):
        """The sign is turned round: this is query minus key. Take key minus query, so that keys before the
        query are at negative distances."""
        return -_distances(n_queries, n_keys)

    def without_sign(n_queries, n_keys=None):
        """The sign is gone, so a key two places before and one two places after look alike: leave out the
        absolute value."""
        return np.abs(_distances(n_queries, n_keys))

    def queries_at_the_start(n_queries, n_keys=None):
        """With fewer queries than keys the queries are the last positions: query i stands at
        i + n_keys - n_queries, not at i."""
        return _distances(n_queries, n_keys, offset=0)

    def offset_subtracted(n_queries, n_keys=None):
        """The offset n_keys - n_queries has the wrong sign: it moves the queries to the end, so it makes the
        distances smaller."""
        n_keys = _n_keys(n_queries, n_keys)
        return _distances(n_queries, n_keys, offset=n_queries - n_keys)

    def counts_from_one(n_queries, n_keys=None):
        """Keys are counted from 1 and queries from 0: a query's own position is at distance 0."""
        return _distances(n_queries, n_keys) + 1

    def future_cut_off(n_queries, n_keys=None):
        """Every key after the query is at distance 0 here. What may be seen is the mask's business; distances
        go on into the future."""
        return np.minimum(_distances(n_queries, n_keys), 0)

    def small_integers(n_queries, n_keys=None):
        """The distances are kept in 8 bits, which end at 127: leave the integer type to NumPy."""
        return _distances(n_queries, n_keys).astype(np.int8)

    def keys_along_the_rows(n_queries, n_keys=None):
        """Rows and columns are swapped: a row is a query, a column a key."""
        return _distances(n_queries, n_keys).T

    def n_keys_ignored(n_queries, n_keys=None):
        """The argument `n_keys` is not used: there are as many columns as keys."""
        return _distances(n_queries, n_queries)


class relative_index:
    def query_minus_key(n_queries, n_keys, max_distance):
        """The table is read backwards: row 0 is for keys far before the query, so the distance is key minus
        query."""
        return 2 * max_distance - _index(n_queries, n_keys, max_distance)

    def not_clipped(n_queries, n_keys, max_distance):
        """Nothing is clipped, so keys farther away than max_distance point beside the table: they share the
        last row of their side."""
        return _distances(n_queries, n_keys) + max_distance

    def not_moved_up(n_queries, n_keys, max_distance):
        """The clipped distances are not moved up by max_distance: a negative index counts rows from the end
        of the table."""
        return _index(n_queries, n_keys, max_distance) - max_distance

    def far_keys_wrapped_round(n_queries, n_keys, max_distance):
        """Keys beyond the last row start again at the first: `%` wraps where `np.clip` is wanted."""
        return (_distances(n_queries, n_keys) + max_distance) % (2 * max_distance + 1)

    def one_row_short(n_queries, n_keys, max_distance):
        """The farthest row after the query is never used: clip to max_distance on both sides, which makes
        2 * max_distance + 1 rows."""
        return np.minimum(_index(n_queries, n_keys, max_distance), 2 * max_distance - 1)

    def clipped_before_only(n_queries, n_keys, max_distance):
        """Only distances below -max_distance are clipped; those above max_distance are to share a row,
        too."""
        return np.maximum(_distances(n_queries, n_keys), -max_distance) + max_distance

    def window_shrunk(n_queries, n_keys, max_distance):
        """The largest distance is lowered to what the sequence needs, so one distance has different rows in
        short and long sequences: keep max_distance as it is."""
        return _index(n_queries, n_keys, min(max_distance, _n_keys(n_queries, n_keys) - 1))

    def clipped_to_the_wrong_bounds(n_queries, n_keys, max_distance):
        """The distances are moved up first and clipped to -K..K second, so half of the table is never used. Clip
        first; after moving up, the bounds are 0 and 2K."""
        return np.clip(_distances(n_queries, n_keys) + max_distance, -max_distance, max_distance)

    def moved_up_by_the_length(n_queries, n_keys, max_distance):
        """The clipped distances are moved up by n_keys - 1, so a distance has another row in every length. Add
        max_distance, whatever the sequence."""
        return _index(n_queries, n_keys, max_distance) - max_distance + _n_keys(n_queries, n_keys) - 1


class gather_relative:
    def table_upside_down(table, n_queries, n_keys=None):
        """The table is read from its other end. Its first row is for keys far before the query, because the distance
        is key minus query."""
        return table[::-1][_index(n_queries, n_keys, len(table) // 2)]

    def queries_at_the_start(table, n_queries, n_keys=None):
        """The vectors are right for queries at positions 0, 1, 2, ... The queries are the last positions: query i
        stands at i + n_keys - n_queries."""
        middle = len(table) // 2
        return table[np.clip(_distances(n_queries, n_keys, offset=0), -middle, middle) + middle]

    def far_keys_wrapped_round(table, n_queries, n_keys=None):
        """Keys beyond one end of the table get rows from its other end: NumPy counts a negative row from the end.
        Clip the distances first."""
        return table[(_distances(n_queries, n_keys) + len(table) // 2) % len(table)]

    def cut_to_integers(table, n_queries, n_keys=None):
        """The vectors are cut to whole numbers: an array made with dtype int holds no fractions."""
        return table[_index(n_queries, n_keys, len(table) // 2)].astype(int)

    def not_moved_to_the_middle(table, n_queries, n_keys=None):
        """Distance 0 reads row 0 here, and negative distances count from the end; the middle row is for
        distance 0, so use `relative_index`."""
        middle = len(table) // 2
        return table[np.clip(_distances(n_queries, n_keys), -middle, middle)]

    def zeros_when_far(table, n_queries, n_keys=None):
        """Keys beyond the table get zeros, as in VITS; here they share the first or the last row of the
        table."""
        middle = len(table) // 2
        near = np.abs(_distances(n_queries, n_keys)) <= middle
        return np.where(near[..., None], table[_index(n_queries, n_keys, middle)], table.dtype.type(0))

    def centred_on_the_sequence(table, n_queries, n_keys=None):
        """The rows are those around the middle of the sequence, n_keys - 1, not of the table: distance 0 is
        row (rows - 1) / 2."""
        n_keys = _n_keys(n_queries, n_keys)
        return table[np.clip(_distances(n_queries, n_keys) + n_keys - 1, 0, len(table) - 1)]

    def keys_first(table, n_queries, n_keys=None):
        """The first two axes are swapped: queries first, then keys, then the columns of the table."""
        middle = len(table) // 2
        return table[_index(n_queries, n_keys, middle).T]
