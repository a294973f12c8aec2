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

    Raises
    ------
    ValueError
        If a size is below 1 or `n_queries` is above `n_keys`; the message names the argument and shows its
        value.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    n_keys = n_queries if n_keys is None else n_keys
    for name, size in (("n_queries", n_queries), ("n_keys", n_keys)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    if n_queries > n_keys:
        raise ValueError(f"n_queries must be at most n_keys, got n_queries={n_queries} and n_keys={n_keys}")
    queries = np.arange(n_keys - n_queries, n_keys)             # (n_queries,) the last positions
    return np.arange(n_keys) - queries[:, None]                 # (n_queries, n_keys)


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

    Raises
    ------
    ValueError
        If a size or `max_distance` is below 1, or `n_queries` is above `n_keys`; the message names the
        argument and shows its value.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    if max_distance < 1:
        raise ValueError(f"max_distance must be at least 1, got {max_distance}")
    return (relative_distances(n_queries, n_keys) + max_distance).clip(0, 2 * max_distance)


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
    ndarray, shape (n_queries, n_keys, d), dtype of `table`
        At ``[i, j]`` the row of `table` that ``relative_index(n_queries, n_keys, K)[i, j]`` points at.

    Raises
    ------
    ValueError
        If `table` has an even number of rows or only one, if a size is below 1, or if `n_queries` is above
        `n_keys`; the message names the argument and shows its value, for the table its shape.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2.
    """
    n_rows = len(table)
    if n_rows < 3 or n_rows % 2 == 0:
        raise ValueError(f"table must have an odd number of rows, 3 or more, got shape {table.shape}")
    n_keys = n_queries if n_keys is None else n_keys
    return table[relative_index(n_queries, n_keys, n_rows // 2)]        # (n_queries, n_keys, d)
