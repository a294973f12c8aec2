"""Wrong answers to 52_t5_buckets; each docstring is what the learner is told."""
import numpy as np


def _split(bidirectional, num_buckets):
    """The buckets of a direction, and how many of them contain one distance each."""
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
    """Right buckets for near distances; far(distance, n, m) for the others."""
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
        """You have swapped past and future. Relative positions are key minus query, so they are negative for keys
        before the query. With both directions, the upper half of the buckets is for keys after it."""
        return _bucket(-relative_position, bidirectional, num_buckets, max_distance)

    def zero_in_the_upper_half(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You put the query's own position into the upper half. It belongs in bucket 0, and the upper half is for keys
        after the query, so compare with `> 0`."""
        n, _ = _split(bidirectional, num_buckets)
        right = _bucket(relative_position, bidirectional, num_buckets, max_distance)
        return right + np.where(bidirectional & (relative_position == 0), n, 0)

    def half_of_an_odd_number(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """For an odd n, your m = n / 2 is not a whole number. Cut it: m = n // 2."""
        n, _ = _split(bidirectional, num_buckets)
        distance, m = _distance(relative_position, bidirectional), n / 2
        far = np.minimum(m + np.floor(_growth(distance, m, max_distance) * (n - m)), n - 1)
        near_or_far = np.where(distance < m, distance, far).astype(int)
        return _first(relative_position, bidirectional, n) + near_or_far

    def past_in_the_upper_half(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """With both directions, you give the upper half of the buckets to keys before the query. It is for keys after
        the query: compare with `> 0`."""
        turned = -relative_position if bidirectional else relative_position
        return _bucket(turned, bidirectional, num_buckets, max_distance)

    def flag_inverted(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Your code ignores the flag or inverts it. Halve the buckets only for `bidirectional=True`, where two
        directions share them."""
        return _bucket(relative_position, not bidirectional, num_buckets, max_distance)

    def future_like_the_past(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """With one direction, you give keys after the query the buckets of keys before it. They all belong in bucket 0:
        take max(-relative_position, 0) instead of the absolute value."""
        position = relative_position if bidirectional else -np.abs(relative_position)
        return _bucket(position, bidirectional, num_buckets, max_distance)

    def directions_not_told_apart(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Keys after the query get the same buckets as keys before it. With both directions, add half of all buckets to
        those of keys after the query."""
        position = -np.abs(relative_position) if bidirectional else relative_position
        return _bucket(position, bidirectional, num_buckets, max_distance)

    def buckets_not_halved(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You give each of the two directions all of the buckets, so the numbers run up to twice as high. Each
        direction has half of them."""
        first = _first(relative_position, bidirectional, num_buckets)
        distance = _distance(relative_position, bidirectional)
        return first + _in_direction(distance, num_buckets, num_buckets // 2, max_distance)

    def a_bucket_for_every_distance(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You give every distance its own bucket until the buckets run out. Only the first half of a direction's
        buckets contain one distance each; the others are logarithmic."""
        return _with_far(relative_position, bidirectional, num_buckets, lambda t, n, m: np.minimum(t, n - 1))

    def far_ones_evenly_wide(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Your far buckets all have the same width. They must widen with distance: divide the logarithm of the distance
        into even parts, not the distance."""

        def far(t, n, m):
            return np.minimum(m + (n - m) * (t - m) // (max_distance - m), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def no_last_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """From max_distance on, your buckets run past the last one of their direction. Take the minimum with n - 1."""

        def far(t, n, m):
            return m + (_growth(t, m, max_distance) * (n - m)).astype(int)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def last_bucket_of_all(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You limit far keys before the query to the last bucket of all, but that one is for keys after it. Limit each
        direction to its own last bucket: take the minimum with n - 1 before you add the first bucket."""

        def far(t, n, m):
            return m + (_growth(t, m, max_distance) * (n - m)).astype(int)

        return np.minimum(_with_far(relative_position, bidirectional, num_buckets, far), num_buckets - 1)

    def last_bucket_at_max_distance(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Your last bucket begins at max_distance, but it must begin earlier. Divide the logarithm up to max_distance
        into n - m parts; the last bucket is the last part."""

        def far(t, n, m):
            inner = m + (_growth(t, m, max_distance) * (n - 1 - m)).astype(int)
            return np.where(t >= max_distance, n - 1, np.minimum(inner, n - 2))

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def as_many_far_as_near(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You multiply the growth by m. Multiply it by n - m, the number of far buckets. If n is odd, that is one
        more."""

        def far(t, n, m):
            return np.minimum(m + (_growth(t, m, max_distance) * m).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def max_distance_not_divided(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You divide by the logarithm of max_distance. Divide by the logarithm of max_distance / m instead, just as you
        divide the distance by m."""

        def far(t, n, m):
            return np.minimum(m + (np.log(t / m) / np.log(max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def whole_number_ratio(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Your ratio under the logarithm is a whole number, because `//` drops the remainder. Divide by m with `/`."""

        def far(t, n, m):
            return np.minimum(m + (np.log(t // m) / np.log(max_distance / m) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def rounded_to_nearest(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You round the far buckets to the nearest number. The formula rounds down."""

        def far(t, n, m):
            return np.minimum(m + np.rint(_growth(t, m, max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def logarithm_of_the_bare_distance(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You take the logarithms of distance and max_distance themselves. Divide both by m first. Then the growth is 0
        at distance m."""
        def far(t, n, m):
            return np.minimum(m + (np.log(t) / np.log(max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def rounded_up(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You round the far buckets up, so bucket m contains the distance m only. Round down."""
        def far(t, n, m):
            return np.minimum(m + np.ceil(_growth(t, m, max_distance) * (n - m)).astype(int), n - 1)

        return _with_far(relative_position, bidirectional, num_buckets, far)

    def near_ones_rounded_up(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """If a direction has an odd number of buckets, you have one more near bucket than far ones. Round m = n / 2
        down, which makes one more far bucket instead."""
        n, _ = _split(bidirectional, num_buckets)
        in_direction = _in_direction(_distance(relative_position, bidirectional), n, (n + 1) // 2, max_distance)
        return _first(relative_position, bidirectional, n) + in_direction

    def max_distance_fixed(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Your code uses 128 whatever `max_distance` is. Use the argument."""
        return _bucket(relative_position, bidirectional, num_buckets, 128)

    def changes_the_positions(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """You write into the caller's array, for example with `out=a` or `a *= -1`. `np.abs(a)` and `-a` make a new
        array instead."""
        bucket = _bucket(relative_position, bidirectional, num_buckets, max_distance)
        if relative_position.flags.writeable:
            relative_position[...] = _distance(relative_position, bidirectional)
        return bucket


class t5_bias:
    def reshaped_to_heads_first(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """You bring the heads to the front with `reshape`. It keeps the order of the numbers in memory, so it mixes
        heads and positions. Move the axis instead, with `np.moveaxis`."""
        n_keys = n_queries if n_keys is None else n_keys
        numbers = table[_bucket(_ahead(n_queries, n_keys), bidirectional, len(table), max_distance)]
        return numbers.reshape(table.shape[1], n_queries, n_keys)

    def keys_before_queries(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """You have swapped the last two axes; `.T` does this, because it reverses all three. Put the queries on axis 1
        and the keys on axis 2."""
        n_keys = n_queries if n_keys is None else n_keys
        return table[_bucket(_ahead(n_queries, n_keys), bidirectional, len(table), max_distance)].T

    def heads_come_last(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """You leave the heads on the last axis, where `table[buckets]` leaves them. Move them to the front: (n_heads,
        n_queries, n_keys)."""
        n_keys = n_queries if n_keys is None else n_keys
        return table[_bucket(_ahead(n_queries, n_keys), bidirectional, len(table), max_distance)]

    def queries_come_first(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """In your code, query i is at position i. If there are fewer queries than keys, the queries are the last
        positions: query i is at position i + n_keys - n_queries."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = np.arange(n_keys) - np.arange(n_queries)[:, None]
        return _looked_up(table, ahead, bidirectional, max_distance)

    def flag_not_handed_on(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """Your bias always has both directions. Pass `bidirectional` on to `relative_position_bucket`, which must use
        it."""
        n_keys = n_queries if n_keys is None else n_keys
        return _looked_up(table, _ahead(n_queries, n_keys), True, max_distance)

    def max_distance_not_handed_on(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """You do not pass `max_distance` on to `relative_position_bucket`, so it is always 128. Pass it on."""
        n_keys = n_queries if n_keys is None else n_keys
        return _looked_up(table, _ahead(n_queries, n_keys), bidirectional, 128)

    def number_of_buckets_not_handed_on(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """You always use 32 buckets. The table has one row per bucket: pass `len(table)` to `relative_position_bucket`,
        which must use its argument."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.moveaxis(table[_bucket(_ahead(n_queries, n_keys), bidirectional, 32, max_distance)], -1, 0)

    def query_minus_key(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """You have swapped past and future. `relative_position_bucket` expects key minus query, so subtract the query's
        position from the key's position."""
        n_keys = n_queries if n_keys is None else n_keys
        return _looked_up(table, -_ahead(n_queries, n_keys), bidirectional, max_distance)

    def future_masked(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """With one direction, you set keys after the query to -inf. This function masks nothing: they get the number of
        bucket 0."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return np.where(ahead > 0 if not bidirectional else False, -np.inf,
                        _looked_up(table, ahead, bidirectional, max_distance))
