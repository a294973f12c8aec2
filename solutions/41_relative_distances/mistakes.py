"""Wrong answers to 41_relative_distances; each docstring is what the learner is told."""
import numpy as np


def _n_keys(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _distances(n_queries, n_keys, offset=None):
    """Key minus query, where the first query is at position `offset`."""
    n_keys = _n_keys(n_queries, n_keys)
    offset = n_keys - n_queries if offset is None else offset
    return np.arange(n_keys) - (np.arange(n_queries) + offset)[:, None]        # (n_queries, n_keys)


def _index(n_queries, n_keys, max_distance):
    return np.clip(_distances(n_queries, n_keys), -max_distance, max_distance) + max_distance


class relative_distances:
    def query_minus_key(n_queries, n_keys=None):
        """You take query minus key. Take key minus query, so that keys before the query have negative distances."""
        return -_distances(n_queries, n_keys)

    def without_sign(n_queries, n_keys=None):
        """You drop the sign, so a key two places before and a key two places after look the same. Do not take the
        absolute value."""
        return np.abs(_distances(n_queries, n_keys))

    def queries_at_the_start(n_queries, n_keys=None):
        """You start the queries at position 0. If there are fewer queries than keys, they are the last positions: query
        i is at i + n_keys - n_queries."""
        return _distances(n_queries, n_keys, offset=0)

    def offset_subtracted(n_queries, n_keys=None):
        """You give the offset n_keys - n_queries the wrong sign. Query i is at i + n_keys - n_queries, so subtract the
        offset from the distances."""
        n_keys = _n_keys(n_queries, n_keys)
        return _distances(n_queries, n_keys, offset=n_queries - n_keys)

    def counts_from_one(n_queries, n_keys=None):
        """You return distances that are 1 too large. Count keys and queries from the same number: a query and a key at
        the same position have distance 0."""
        return _distances(n_queries, n_keys) + 1

    def future_cut_off(n_queries, n_keys=None):
        """You give every key after the query distance 0. Return its positive distance: the mask hides future keys, not
        this function."""
        return np.minimum(_distances(n_queries, n_keys), 0)

    def small_integers(n_queries, n_keys=None):
        """You store the distances as 8-bit integers, which cannot exceed 127. Use the default integer type of NumPy."""
        return _distances(n_queries, n_keys).astype(np.int8)

    def keys_along_the_rows(n_queries, n_keys=None):
        """You swap rows and columns. Each row belongs to one query, each column to one key."""
        return _distances(n_queries, n_keys).T

    def n_keys_ignored(n_queries, n_keys=None):
        """You do not use the argument `n_keys`. Return one column per key. If `n_keys` is None, there are n_queries
        keys."""
        return _distances(n_queries, n_queries)


class relative_index:
    def query_minus_key(n_queries, n_keys, max_distance):
        """You return the rows in reverse order. Row 0 belongs to keys far before the query. Take key minus query as the
        distance."""
        return 2 * max_distance - _index(n_queries, n_keys, max_distance)

    def not_clipped(n_queries, n_keys, max_distance):
        """You do not clip the distances, so keys farther away than max_distance get rows below 0 or above 2 *
        max_distance. Clip to -max_distance and max_distance first."""
        return _distances(n_queries, n_keys) + max_distance

    def not_moved_up(n_queries, n_keys, max_distance):
        """You do not add max_distance to the clipped distances. Add it: NumPy counts negative rows from the end of the
        table."""
        return _index(n_queries, n_keys, max_distance) - max_distance

    def far_keys_wrapped_round(n_queries, n_keys, max_distance):
        """You give keys beyond one end of the table rows from its other end. Clip the distances: do not wrap them with
        `%`."""
        return (_distances(n_queries, n_keys) + max_distance) % (2 * max_distance + 1)

    def one_row_short(n_queries, n_keys, max_distance):
        """You never use the last row of the table. Clip to max_distance on both sides, which makes 2 * max_distance + 1
        rows."""
        return np.minimum(_index(n_queries, n_keys, max_distance), 2 * max_distance - 1)

    def clipped_before_only(n_queries, n_keys, max_distance):
        """You clip only distances below -max_distance. Clip those above max_distance too."""
        return np.maximum(_distances(n_queries, n_keys), -max_distance) + max_distance

    def window_shrunk(n_queries, n_keys, max_distance):
        """You reduce max_distance for short sequences, so a distance has different rows in short and long ones. Keep
        max_distance for any length."""
        return _index(n_queries, n_keys, min(max_distance, _n_keys(n_queries, n_keys) - 1))

    def clipped_to_the_wrong_bounds(n_queries, n_keys, max_distance):
        """You clip the distances to -K..K after you add K, so every key after the query has row K. Clip before you add
        K."""
        return np.clip(_distances(n_queries, n_keys) + max_distance, -max_distance, max_distance)

    def moved_up_by_the_length(n_queries, n_keys, max_distance):
        """You add n_keys - 1 to the clipped distances, so the row of a distance depends on the length. Add max_distance
        instead."""
        return _index(n_queries, n_keys, max_distance) - max_distance + _n_keys(n_queries, n_keys) - 1


class gather_relative:
    def table_upside_down(table, n_queries, n_keys=None):
        """You read the table from its other end. Its first row belongs to keys far before the query. Take key minus
        query as the distance."""
        return table[::-1][_index(n_queries, n_keys, len(table) // 2)]

    def queries_at_the_start(table, n_queries, n_keys=None):
        """You look up the vectors for queries at positions 0, 1, 2, ... The queries are the last positions: query i is
        at i + n_keys - n_queries."""
        middle = len(table) // 2
        return table[np.clip(_distances(n_queries, n_keys, offset=0), -middle, middle) + middle]

    def far_keys_wrapped_round(table, n_queries, n_keys=None):
        """You give keys beyond one end of the table rows from its other end. Clip the distances first."""
        return table[(_distances(n_queries, n_keys) + len(table) // 2) % len(table)]

    def cut_to_integers(table, n_queries, n_keys=None):
        """You cut the vectors to whole numbers. Keep the fractions: do not store the result in an integer array."""
        return table[_index(n_queries, n_keys, len(table) // 2)].astype(int)

    def not_moved_to_the_middle(table, n_queries, n_keys=None):
        """You read row 0 for distance 0, and count negative distances from the end. Add len(table) // 2 to the clipped
        distances, so that distance 0 reads the middle row."""
        middle = len(table) // 2
        return table[np.clip(_distances(n_queries, n_keys), -middle, middle)]

    def zeros_when_far(table, n_queries, n_keys=None):
        """You use zeros for keys beyond the table, as VITS does. Use the first or the last row of the table for
        them."""
        middle = len(table) // 2
        near = np.abs(_distances(n_queries, n_keys)) <= middle
        return np.where(near[..., None], table[_index(n_queries, n_keys, middle)], table.dtype.type(0))

    def centred_on_the_sequence(table, n_queries, n_keys=None):
        """You read row n_keys - 1 for distance 0, which depends on the length. Read the middle row of the table,
        len(table) // 2."""
        n_keys = _n_keys(n_queries, n_keys)
        return table[np.clip(_distances(n_queries, n_keys) + n_keys - 1, 0, len(table) - 1)]

    def middle_one_too_far(table, n_queries, n_keys=None):
        """You clip at a distance that is one too large, so far keys are beyond the end of the table. A table of 2K + 1
        rows has the largest distance K = len(table) // 2."""
        return table[_index(n_queries, n_keys, (len(table) + 1) // 2)]

    def middle_from_the_width(table, n_queries, n_keys=None):
        """You compute the largest distance from the number of columns. Compute it from the number of rows, len(table)
        // 2."""
        farthest = (table.shape[-1] - 1) // 2
        return table[np.clip(_distances(n_queries, _n_keys(n_queries, n_keys)), -farthest, farthest) + farthest]

    def keys_first(table, n_queries, n_keys=None):
        """You swap the first two axes. Return the axes in the order queries, keys, columns of the table."""
        middle = len(table) // 2
        return table[_index(n_queries, n_keys, middle).T]
