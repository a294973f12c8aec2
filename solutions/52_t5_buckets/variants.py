"""Other right answers to 52_t5_buckets, and when one would want them."""
import math

import numpy as np


def _checked(bidirectional, num_buckets, max_distance):
    if num_buckets < (4 if bidirectional else 2) or (bidirectional and num_buckets % 2):
        raise ValueError(f"num_buckets is out of range: {num_buckets}")
    if max_distance <= num_buckets // (4 if bidirectional else 2):
        raise ValueError(f"max_distance is too small: {max_distance}")


def _checked_sizes(table, n_queries, n_keys, bidirectional, max_distance):
    n_keys = n_queries if n_keys is None else n_keys
    if n_queries < 1 or n_keys < n_queries:
        raise ValueError(f"n_queries={n_queries} and n_keys={n_keys} make no bias")
    _checked(bidirectional, len(table), max_distance)
    return n_keys


def _edges(n, max_distance):
    """Where the far buckets of a direction begin, but for the first of them."""
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
    def by_loops(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """One position at a time with if and else: the rule as one would tell it to somebody.
        Some hundred times slower than NumPy; good for checking a vectorised version."""
        _checked(bidirectional, num_buckets, max_distance)
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
        """Compute the few edges once and let np.searchsorted count how many a distance has reached.
        No logarithm per pair of positions, and the edges can be looked at."""
        _checked(bidirectional, num_buckets, max_distance)
        return _bucket(relative_position, bidirectional, num_buckets, max_distance)

    def by_one_look_up(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """A table of the buckets of -max_distance..max_distance, and every position is one look-up.
        Worth it where many arrays of positions are turned into buckets of the same sizes."""
        _checked(bidirectional, num_buckets, max_distance)
        n = num_buckets // 2 if bidirectional else num_buckets
        reach = _by_edges(np.arange(max_distance + 1), n, max_distance)
        after = n + reach[1:] if bidirectional else np.zeros(max_distance, dtype=int)
        buckets = np.concatenate([reach[::-1], after])              # of -max_distance..max_distance
        return buckets[np.clip(relative_position, -max_distance, max_distance) + max_distance]

    def by_counting_edges(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """The bucket is how many buckets begin at or below the distance, less one: compare with all and sum.
        Needs memory for every pair and bucket, but knows no near and far and no special cases."""
        _checked(bidirectional, num_buckets, max_distance)
        n = num_buckets // 2 if bidirectional else num_buckets
        begins = np.concatenate([np.arange(1, n // 2 + 1), _edges(n, max_distance)])       # (n - 1,)
        signed = np.stack([-relative_position, relative_position], axis=-1)                # (..., 2)
        before, after = np.moveaxis((signed[..., None] >= begins).sum(axis=-1), -1, 0)
        return before + bidirectional * (after + n * (relative_position > 0))

    def by_assignment(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        """Start from the distances and write over the far ones only: the logarithm is taken of no others, and
        never of 0. The result is of four-byte integers."""
        _checked(bidirectional, num_buckets, max_distance)
        n = num_buckets // 2 if bidirectional else num_buckets
        m = n // 2
        after = relative_position > 0
        buckets = np.where(after, relative_position if bidirectional else 0, -relative_position)
        far = buckets >= m
        growth = np.log2(buckets[far] / m) / np.log2(max_distance / m)
        buckets[far] = np.clip(np.floor(m + growth * (n - m)), m, n - 1)
        if bidirectional:
            buckets[after] += n
        return buckets.astype(np.int32)


class t5_bias:
    def by_loops(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """A loop over queries and keys that writes one column of numbers at a time.
        The definition letter by letter, too slow for sequences of any length."""
        n_keys = _checked_sizes(table, n_queries, n_keys, bidirectional, max_distance)
        bias = np.empty((table.shape[1], n_queries, n_keys), dtype=table.dtype)
        for i in range(n_queries):
            for j in range(n_keys):
                ahead = np.array(j - (i + n_keys - n_queries))
                bias[:, i, j] = table[int(_bucket(ahead, bidirectional, len(table), max_distance))]
        return bias

    def by_sliding_windows(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """One number per head and relative position; every row is a window on them, one step further for each
        query. Only n_queries + n_keys look-ups; the result is a read-only view."""
        n_keys = _checked_sizes(table, n_queries, n_keys, bidirectional, max_distance)
        ahead = np.arange(1 - n_keys, n_queries)                    # every key minus query, smallest first
        numbers = table[_bucket(ahead, bidirectional, len(table), max_distance)].T  # (H, all)
        return np.lib.stride_tricks.sliding_window_view(numbers, n_keys, axis=1)[:, ::-1]

    def by_one_hot(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
        """A one-hot row per pair, multiplied by the table: the look-up as a matrix product, which is how its
        gradient is easiest to see. Far more work than picking the rows."""
        n_keys = _checked_sizes(table, n_queries, n_keys, bidirectional, max_distance)
        ahead = np.subtract.outer(np.arange(n_keys), np.arange(n_keys)).T[n_keys - n_queries :]
        buckets = _bucket(ahead, bidirectional, len(table), max_distance)
        one_hot = np.eye(len(table), dtype=table.dtype)[buckets]    # (n_queries, n_keys, num_buckets)
        return np.einsum("ijb,bh->hij", one_hot, table)
