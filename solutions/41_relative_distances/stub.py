"""Who stands how far from whom: distances, the rows of a table that they point at, the rows themselves."""
import numpy as np


def relative_distances(n_queries, n_keys=None):
    """Return how far every key stands from every query, negative where it stands before.

    Parameters
    ----------
    n_queries : int
        Queries. They are the last positions: query ``i`` stands at ``i + n_keys - n_queries``.
    n_keys : int, optional
        Keys, at positions 0, 1, 2, ...; as many as queries unless given.

    Returns
    -------
    ndarray of int, shape (n_queries, n_keys)
        Position of the key minus position of the query.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    # TODO 1: position of every key minus position of every query      (n_queries, n_keys)
    raise NotImplementedError("relative_distances")


def relative_index(n_queries, n_keys, max_distance):
    """Return which row of a table of vectors belongs to every query and key.

    Parameters
    ----------
    n_queries, n_keys : int
        As in `relative_distances`.
    max_distance : int
        The farthest distance that has a row of its own, `K`. Keys farther away share the last row of their
        side.

    Returns
    -------
    ndarray of int, shape (n_queries, n_keys)
        Distances clipped to ``-K..K``, plus `K`: 0 for keys `K` or more before the query, `K` for its own
        position, ``2 * K`` for keys `K` or more after it.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    # TODO 2: distances clipped to -K..K, then moved up to 0..2K        (n_queries, n_keys)
    raise NotImplementedError("relative_index")


def gather_relative(table, n_queries, n_keys=None):
    """Return the vector that belongs to every query and key.

    Parameters
    ----------
    table : ndarray, shape (2 * K + 1, d)
        One row per distance, from `K` before the query to `K` after it; the middle row is for distance 0.
    n_queries : int
        As in `relative_distances`.
    n_keys : int, optional
        As in `relative_distances`.

    Returns
    -------
    ndarray, shape (n_queries, n_keys, d)
        At ``[i, j]`` the row of `table` that ``relative_index(n_queries, n_keys, K)[i, j]`` points at.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    # TODO 3: one row of the table for every query and key              (n_queries, n_keys, d)
    raise NotImplementedError("gather_relative")
