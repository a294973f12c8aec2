"""Wrong answers to 52_t5_buckets; each docstring is what the learner is told."""
import numpy as np


def _split(bidirectional, num_buckets):
    """The buckets of a direction, and how many of them hold one distance each."""
    n = num_buckets // 2 if bidirectional else num_buckets
    return n, n // 2


def _growth(distance, m, max_distance):
    """0 at m, 1 at max_distance."""
    return np.log(np.maximum(distance, m) / m) / np.log(max_distance / m)


def _in_direction(distance, n, m, max_distance):
    """The bucket of a distance among the n of its direction."""
    far = np.minimum(m + (_growth(distance, m, max_distance) * (n - m)).astype(int), n - 1)
    return np.where(distance < m, distance, far)


def _distance(relative_position, bidirectional):
    return np.abs(relative_position) if bidirectional else np.maximum(-relative_position, 0)


def _first(relative_position, bidirectional, n):
    """The first bucket of the direction."""
    return np.where(bidirectional & (relative_position > 0), n, 0)


def _bucket(relative_position, bidirectional, num_buckets, max_distance):
    n, m = _split(bidirectional, num_buckets)
    near_or_far = _in_direction(_distance(relative_position, bidirectional), n, m, max_distance)
    return _first(relative_position, bidirectional, n) + near_or_far


def _with_far(relative_position, bidirectional, num_buckets, far):
    """Near distances as they should be; far(distance, n, m) beyond."""
    n, m = _split(bidirectional, num_buckets)
    distance = _distance(relative_position, bidirectional)
    near_or_far = np.where(distance < m, distance, far(np.maximum(distance, m), n, m))
    return _first(relative_position, bidirectional, n) + near_or_far


def _ahead(n_queries, n_keys):
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


def _looked_up(table, relative_position, bidirectional, max_distance):
    return np.moveaxis(table[_bucket(relative_position, bidirectional, len(table), max_distance)], -1, 0)


class relative_position_bucket:
    def query_minus_key(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Past and future have changed places: relative positions are key minus query, so keys before the
        query are negative, and in both directions the upper half is for keys after it."""
        return _bucket(-relative_position, bidirectional, num_buckets, max_distance)

    def zero_in_the_upper_half(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The query's own position is in bucket 0; the upper half begins one key later, so compare with >
        0."""
        n, _ = _split(bidirectional, num_buckets)
        right = _bucket(relative_position, bidirectional, num_buckets, max_distance)
        return right + np.where(bidirectional & (relative_position == 0), n, 0)

    def flag_inverted(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The flag is the other way round: the buckets are halved for `bidirectional=True`, which has two
        directions to tell apart."""
        return _bucket(relative_position, not bidirectional, num_buckets, max_distance)

    def future_like_the_past(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """In one direction keys after the query are not told apart: they are all in bucket 0, so take
        max(-relative_position, 0) and no absolute value."""
        position = relative_position if bidirectional else -np.abs(relative_position)
        return _bucket(position, bidirectional, num_buckets, max_distance)

    def directions_not_told_apart(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Keys after the query are in the buckets of keys before it: half of all has to be added to
        theirs."""
        position = -np.abs(relative_position) if bidirectional else relative_position
        return _bucket(position, bidirectional, num_buckets, max_distance)

    def buckets_not_halved(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """With two directions each has half of the buckets; here each has all of them, and the numbers run up
        to twice as high."""
        first = _first(relative_position, bidirectional, num_buckets)
        distance = _distance(relative_position, bidirectional)
        return first + _in_direction(distance, num_buckets, num_buckets // 2, max_distance)

    def a_bucket_for_every_distance(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Every distance has a bucket until they run out; only the first half of a direction's buckets hold
        one distance each."""
        return _with_far(relative_position, bidirectional, num_buckets, lambda t, n, m: np.minimum(t, n - 1))

    def far_ones_evenly_wide(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The far buckets are equally wide here; they widen with the distance: it is its logarithm that is
        cut evenly."""

        def far(t, n, m):
            return np.minimum(m + (n - m) * (t - m) // (max_distance - m), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def no_last_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """From max_distance on the buckets run past the last one of their direction: take the minimum with
        n - 1."""

        def far(t, n, m):
            return m + (_growth(t, m, max_distance) * (n - m)).astype(int)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def last_bucket_of_all(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The far keys before the query are cut off at the last bucket of all, which is for the keys after
        it: each direction has a last one, its n - 1."""

        def far(t, n, m):
            return m + (_growth(t, m, max_distance) * (n - m)).astype(int)

        return np.minimum(_with_far(relative_position, bidirectional, num_buckets, far), num_buckets - 1)

    def last_bucket_at_max_distance(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Only distances from max_distance on are in the last bucket here; it begins earlier, since the
        logarithm up to max_distance is cut into n - m parts."""

        def far(t, n, m):
            inner = m + (_growth(t, m, max_distance) * (n - 1 - m)).astype(int)
            return np.where(t >= max_distance, n - 1, np.minimum(inner, n - 2))

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def as_many_far_as_near(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The growth is multiplied by m; there are n - m far buckets, and for an odd n that is one more."""

        def far(t, n, m):
            return np.minimum(m + (_growth(t, m, max_distance) * m).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def max_distance_not_divided(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The logarithm below the line is that of max_distance; like the one above it, it is that of a
        distance divided by m."""

        def far(t, n, m):
            return np.minimum(m + (np.log(t / m) / np.log(max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def whole_number_ratio(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The ratio under the logarithm was cut to a whole number: `//` drops what distances between
        multiples of m have over; divide with `/`."""

        def far(t, n, m):
            return np.minimum(m + (np.log(t // m) / np.log(max_distance / m) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def rounded_to_nearest(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The far buckets are rounded to the nearest; the formula rounds down."""

        def far(t, n, m):
            return np.minimum(m + np.rint(_growth(t, m, max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def logarithm_of_the_bare_distance(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The logarithms are taken of distance and max_distance themselves: divide both by m first, so that the
        far buckets begin with 0 at distance m."""
        def far(t, n, m):
            return np.minimum(m + (np.log(t) / np.log(max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def rounded_up(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The far buckets are rounded up; the formula rounds down, so bucket m holds more than the distance
        m."""
        def far(t, n, m):
            return np.minimum(m + np.ceil(_growth(t, m, max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def near_ones_rounded_up(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Of an odd number of buckets one more is near than far here; m is n / 2 rounded down, so that the far
        ones have one more."""
        n, _ = _split(bidirectional, num_buckets)
        in_direction = _in_direction(_distance(relative_position, bidirectional), n, (n + 1) // 2, max_distance)
        return _first(relative_position, bidirectional, n) + in_direction

    def max_distance_fixed(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """128 is written into the code: use the argument `max_distance`."""
        return _bucket(relative_position, bidirectional, num_buckets, 128)

    def changes_the_positions(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The distances are written over the caller's array: `np.abs(a)` makes a new one, `out=a` or `a *=
        -1` does not."""
        bucket = _bucket(relative_position, bidirectional, num_buckets, max_distance)
        if relative_position.flags.writeable:
            relative_position[...] = _distance(relative_position, bidirectional)
        return bucket


class t5_bias:
    def reshaped_to_heads_first(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """The heads are brought to the front by `reshape`, which keeps the order in memory and so mixes heads
        and positions; move the axis instead."""
        n_keys = n_queries if n_keys is None else n_keys
        numbers = table[_bucket(_ahead(n_queries, n_keys), bidirectional, len(table), max_distance)]
        return numbers.reshape(table.shape[1], n_queries, n_keys)

    def keys_before_queries(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """The last two axes are swapped: `.T` turns all three round. Queries are on axis 1, keys on axis
        2."""
        n_keys = n_queries if n_keys is None else n_keys
        return table[_bucket(_ahead(n_queries, n_keys), bidirectional, len(table), max_distance)].T

    def heads_come_last(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """The heads are on the last axis, where `table[buckets]` leaves them; the result wants them first:
        (n_heads, n_queries, n_keys)."""
        n_keys = n_queries if n_keys is None else n_keys
        return table[_bucket(_ahead(n_queries, n_keys), bidirectional, len(table), max_distance)]

    def queries_come_first(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """Query i is taken to stand at position i; when there are fewer queries than keys, they are the last
        ones: i + n_keys - n_queries."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = np.arange(n_keys) - np.arange(n_queries)[:, None]
        return _looked_up(table, ahead, bidirectional, max_distance)

    def flag_not_handed_on(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """`bidirectional` is not handed on to `relative_position_bucket`, so both directions are always told
        apart."""
        n_keys = n_queries if n_keys is None else n_keys
        return _looked_up(table, _ahead(n_queries, n_keys), True, max_distance)

    def max_distance_not_handed_on(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """`max_distance` is not handed on to `relative_position_bucket`, so it is always 128."""
        n_keys = n_queries if n_keys is None else n_keys
        return _looked_up(table, _ahead(n_queries, n_keys), bidirectional, 128)

    def number_of_buckets_not_handed_on(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """The number of buckets is not handed on to `relative_position_bucket`, so it is always 32: the table
        has one row per bucket, so hand on `len(table)`."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.moveaxis(table[_bucket(_ahead(n_queries, n_keys), bidirectional, 32, max_distance)], -1, 0)

    def query_minus_key(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """Past and future have changed places: `relative_position_bucket` wants key minus query, so subtract
        the query's position from the key's."""
        n_keys = n_queries if n_keys is None else n_keys
        return _looked_up(table, -_ahead(n_queries, n_keys), bidirectional, max_distance)

    def future_masked(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """Keys after the query are set to -inf in one direction; masking is not the bias's job: they have the
        number of bucket 0."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return np.where(ahead > 0 if not bidirectional else False, -np.inf,
                        _looked_up(table, ahead, bidirectional, max_distance))
