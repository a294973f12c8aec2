"""T5's relative bias: one learned number per head for every bucket of distances."""
import numpy as np


def relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Return the bucket of every relative position.

    Parameters
    ----------
    relative_position : ndarray of int, shape (...)
        Key position minus query position: negative for keys before the query.
    bidirectional : bool, default True
        Whether keys after the query have separate buckets, the upper half of all. If not, they share bucket 0
        with the query's own position.
    num_buckets : int, default 32
        Number of buckets in all: even and at least 4 if `bidirectional`, else at least 2.
    max_distance : int, default 128
        A key at least this many positions away is in the last bucket of its direction. Always greater than
        ``m``, which is explained below.

    Returns
    -------
    ndarray of int, shape (...)
        Buckets from 0 to ``num_buckets - 1``. Of the ``n`` buckets of a direction (half of all if
        `bidirectional`), the first ``m = n // 2`` contain one distance each: 0, 1, ..., m - 1. From m on,
        the bucket is ``m + floor((n - m) * log(distance / m) / log(max_distance / m))``, at most n - 1.

    Source: Raffel et al. 2020, "Exploring the limits of transfer learning with a unified text-to-text
    transformer", section 2.1; its released code for the formula.
    """
    n = num_buckets // 2 if bidirectional else num_buckets                  # buckets of a direction
    m = n // 2                                                              # this many contain one distance
    first = np.where(bidirectional & (relative_position > 0), n, 0)         # (...) first bucket of the direction
    distance = np.abs(relative_position) if bidirectional else np.maximum(-relative_position, 0)        # (...)
    growth = np.log(np.maximum(distance, m) / m) / np.log(max_distance / m)         # (...) 0 at m, 1 at max_distance
    far = np.minimum(m + np.floor((n - m) * growth).astype(int), n - 1)     # (...)
    return first + np.where(distance < m, distance, far)                    # (...)


def t5_bias(table, n_queries, n_keys=None, bidirectional=True, max_distance=128):
    """Return the bias that T5 adds to the scores of every head.

    Parameters
    ----------
    table : ndarray, shape (num_buckets, n_heads)
        The learned numbers: one row per bucket, one column per head.
    n_queries : int
        Number of queries. They are the last positions: query ``i`` is at position ``i + n_keys - n_queries``.
    n_keys : int, optional
        Number of keys, at positions 0, 1, 2, ... If None, there are as many keys as queries.
    bidirectional : bool, default True
        As in `relative_position_bucket`. Nothing is masked either way.
    max_distance : int, default 128
        As in `relative_position_bucket`.

    Returns
    -------
    ndarray, shape (n_heads, n_queries, n_keys)
        ``table[bucket, head]`` for the bucket of key position minus query position.

    Source: Raffel et al. 2020, section 2.1.
    """
    n_keys = n_queries if n_keys is None else n_keys
    queries = np.arange(n_keys - n_queries, n_keys)[:, None]                # (n_queries, 1) the last positions
    ahead = np.arange(n_keys) - queries                                     # (n_queries, n_keys) key minus query
    buckets = relative_position_bucket(ahead, bidirectional, len(table), max_distance)  # (n_queries, n_keys)
    return np.moveaxis(table[buckets], -1, 0)                               # (n_heads, n_queries, n_keys)
