"""Other right answers to 52_t5_buckets, and when to use them."""
import math

import numpy as np


def _edges(n, max_distance):
    """Where the far buckets of a direction begin, except the first one."""
    m = n // 2
    return m * (max_distance / m) ** (np.arange(1, n - m) / (n - m))


def _by_edges(distance, n, max_distance):
    """A near distance is its own bucket; a far one counts the edges that it has reached."""
    m = n // 2
    return np.minimum(distance, m) + np.searchsorted(_edges(n, max_distance), distance, side="right")


def _bucket(relative_position, bidirectional, num_buckets, max_distance):
    n = num_buckets // 2 if bidirectional else num_buckets
    before = _by_edges(np.maximum(-relative_position, 0), n, max_distance)
    after = n + _by_edges(relative_position, n, max_distance) if bidirectional else 0
    return np.where(relative_position > 0, after, before)


class relative_position_bucket:
    def as_released(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Follow the steps of T5's own code: flip the sign, reuse `num_buckets` for the number per direction, and
        multiply by the number of far buckets last. So an edge at a whole number is rounded as in released models."""
        away = -relative_position
        first = 0
        if bidirectional:
            num_buckets //= 2
            first = (away < 0) * num_buckets
            away = np.abs(away)
        else:
            away = np.maximum(away, 0)
        max_exact = num_buckets // 2
        growth = np.log(np.maximum(away, 1) / max_exact) / np.log(max_distance / max_exact)
        far = max_exact + (growth * (num_buckets - max_exact)).astype(int)
        return first + np.where(away < max_exact, away, np.minimum(far, num_buckets - 1))

    def by_loops(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Take one position at a time with if and else, which reads like the rule in words. Use it to check a
        vectorised version."""
        n = num_buckets // 2 if bidirectional else num_buckets
        m = n // 2
        buckets = np.zeros(relative_position.shape, dtype=int)
        for place, position in np.ndenumerate(relative_position):
            distance, first = (-position, 0) if position <= 0 else (position, n) if bidirectional else (0, 0)
            if distance >= m:
                growth = math.log(distance / m) / math.log(max_distance / m)
                distance = min(m + int(growth * (n - m)), n - 1)
            buckets[place] = first + distance
        return buckets

    def by_edges(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Compute the few edges once, and let np.searchsorted count how many of them a distance has reached. You need
        no logarithm per pair of positions, and you can print the edges."""
        return _bucket(relative_position, bidirectional, num_buckets, max_distance)

    def by_one_look_up(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Build a table of the buckets of -max_distance..max_distance, so every position is one look-up. Keep the table
        if you need more arrays with the same flag, `num_buckets` and `max_distance`."""
        n = num_buckets // 2 if bidirectional else num_buckets
        reach = _by_edges(np.arange(max_distance + 1), n, max_distance)
        after = n + reach[1:] if bidirectional else np.zeros(max_distance, dtype=int)
        buckets = np.concatenate([reach[::-1], after])              # of -max_distance..max_distance
        return buckets[np.clip(relative_position, -max_distance, max_distance) + max_distance]


class t5_bias:
    def by_each_distance_once(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """Find the bucket of every relative position once, not once per pair, and let np.take write the heads first. It
        takes only n_queries + n_keys - 1 logarithms, and the result is a contiguous array."""
        n_keys = n_queries if n_keys is None else n_keys
        queries = np.arange(n_keys - n_queries, n_keys)                 # (n_queries,) the last positions
        ahead = np.arange(n_keys) - queries[:, None]                    # (n_queries, n_keys) key minus query
        distances = np.arange(1 - n_keys, n_queries)                    # every value of `ahead` once
        buckets = _bucket(distances, bidirectional, len(table), max_distance)
        return np.take(table[buckets].T, ahead + n_keys - 1, axis=1)    # (n_heads, n_queries, n_keys)

    def by_loops(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """Loop over queries and keys, and write the numbers of all heads together. It follows the definition to the
        letter. Use it to check a vectorised version."""
        n_keys = n_queries if n_keys is None else n_keys
        bias = np.empty((table.shape[1], n_queries, n_keys), dtype=table.dtype)
        for i in range(n_queries):
            for j in range(n_keys):
                ahead = np.array(j - (i + n_keys - n_queries))
                bias[:, i, j] = table[int(_bucket(ahead, bidirectional, len(table), max_distance))]
        return bias
