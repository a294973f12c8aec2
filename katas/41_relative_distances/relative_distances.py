"""Distances between queries and keys, the row of a table for each distance, and the vector in each row."""
import numpy as np


def relative_distances(n_queries, n_keys=None):
    """Return the distance from each query to each key, negative if the key comes before the query.

    Parameters
    ----------
    n_queries : int
        Number of queries. They are the last positions: query ``i`` is at ``i + n_keys - n_queries``.
    n_keys : int, optional
        Number of keys, at positions 0, 1, 2, ... With None, there are as many keys as queries.

    Returns
    -------
    ndarray of int, shape (n_queries, n_keys)
        Position of the key minus position of the query.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    # TODO 1: position of each key minus position of each query        (n_queries, n_keys)
    raise NotImplementedError("relative_distances")


def relative_index(n_queries, n_keys, max_distance):
    """Return the row of a table of vectors for each pair of a query and a key.

    Parameters
    ----------
    n_queries, n_keys : int
        As in `relative_distances`.
    max_distance : int
        `K`, the largest distance with a separate row. Keys farther away share row 0 (before the query) or row
        ``2 * K`` (after it).

    Returns
    -------
    ndarray of int, shape (n_queries, n_keys)
        Distances clipped to ``-K..K``, plus `K`: 0 for keys at least `K` positions before the query, `K` for the
        key at the query's position, and ``2 * K`` for keys at least `K` positions after it.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    # TODO 2: distances clipped to -K..K, then shifted to 0..2K         (n_queries, n_keys)
    raise NotImplementedError("relative_index")


def gather_relative(table, n_queries, n_keys=None):
    """Return the vector for each pair of a query and a key.

    Parameters
    ----------
    table : ndarray, shape (2 * K + 1, d)
        One row per distance, from `K` before the query to `K` after it. The middle row is for distance 0.
    n_queries : int
        As in `relative_distances`.
    n_keys : int, optional
        As in `relative_distances`.

    Returns
    -------
    ndarray, shape (n_queries, n_keys, d)
        Entry ``[i, j]`` is row ``relative_index(n_queries, n_keys, K)[i, j]`` of `table`.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    # TODO 3: one row of the table for each query and key               (n_queries, n_keys, d)
    raise NotImplementedError("gather_relative")
