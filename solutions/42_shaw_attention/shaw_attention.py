"""Attention that knows distances: a learned vector for each is added to the keys, another to the values."""
import numpy as np


def shaw_scores(q, k, key_table):
    """Return the score of every query with every key, once the vector for their distance is added to the key.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d)
        Queries, the last positions of the sequence: query ``i`` stands at ``i + n_keys - n_queries``.
    k : ndarray, shape (..., n_keys, d)
        Keys, at positions 0, 1, 2, ...; at least as many as queries, with the leading axes of `q`.
    key_table : ndarray, shape (2 * K + 1, d)
        The vectors added to the keys: row ``m`` is for keys at distance ``m - K``, key minus query. Keys
        farther away than `K` share the outermost row of their side.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        ``(q_i . k_j + q_i . a_ij) / sqrt(d)``, with ``a_ij`` the row for the distance of ``i`` and ``j``. A
        floating dtype is kept, integers count as float64. Not masked.

    Raises
    ------
    ValueError
        If `k` or `key_table` is not as wide as `q`, if `q` has more queries than `k` has keys, or if
        `key_table` has an even number of rows or only one; the message names an argument that does not fit
        and shows its shape. Axes of size 1 do not stretch.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", sections 3.1 and 3.2.
    """
    n_queries, n_keys, d = q.shape[-2], k.shape[-2], q.shape[-1]
    for name, array in (("k", k), ("key_table", key_table)):
        if array.shape[-1] != d:
            raise ValueError(f"{name} must be as wide as q, {d}, got shape {array.shape}")
    if n_queries > n_keys:
        raise ValueError(f"q must not have more queries than k has keys, got {q.shape} and {k.shape}")
    if len(key_table) < 3 or len(key_table) % 2 == 0:
        raise ValueError(f"key_table must have an odd number of rows, 3 or more, got shape {key_table.shape}")
    q = q / d**0.5                                                  # scales every product below
    scores = q @ k.swapaxes(-1, -2)                                 # (..., n_queries, n_keys)
    products = q @ key_table.T                                      # (..., n_queries, 2K + 1)
    for i, rows in enumerate(_rows(key_table, n_queries, n_keys)):
        scores[..., i, :] += products[..., i, :].take(rows, axis=-1)        # (..., n_keys)
    return scores


def shaw_attention(q, k, v, key_table, value_table, mask=None):
    """Return attention in which both the scores and the values know the distance.

    Parameters
    ----------
    q, k, key_table : ndarray
        As in `shaw_scores`.
    v : ndarray, shape (..., n_keys, d_v)
        Values, one for each key; their width may differ from `d`.
    value_table : ndarray, shape (2 * K + 1, d_v)
        The vectors added to the values, with as many rows as `key_table`, for the same distances.
    mask : ndarray of bool, shape (n_queries, n_keys), optional
        True at ``[i, j]`` where query ``i`` may attend to key ``j``; no row is all False. By default all may.

    Returns
    -------
    ndarray, shape (..., n_queries, d_v)
        For each query the sum over the keys of weight times ``(v_j + b_ij)``. The weights are the softmax of
        `shaw_scores`, where scores that the mask forbids count as ``-inf``; ``b_ij`` is the row of
        `value_table` for the distance. A floating dtype is kept, integers count as float64.

    Raises
    ------
    ValueError
        As `shaw_scores`, and if `k` and `v` differ in keys, `v` and `value_table` in width, the tables in
        rows, or `mask` is not (n_queries, n_keys); the message names an argument that does not fit and shows
        its shape. Axes of size 1 do not stretch.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", sections 3.1 and 3.2.
    """
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    if v.shape[-2] != n_keys:
        raise ValueError(f"k and v must have equally many positions, got {k.shape} and {v.shape}")
    fitting = (len(key_table), v.shape[-1])
    if value_table.shape != fitting:
        raise ValueError(f"value_table must have shape {fitting}, got {value_table.shape}")
    if mask is not None and mask.shape != (n_queries, n_keys):
        raise ValueError(f"mask must have shape {(n_queries, n_keys)}, got {mask.shape}")
    weights = shaw_scores(q, k, key_table)                          # (..., n_queries, n_keys)
    if mask is not None:
        np.copyto(weights, -np.inf, where=~mask)
    weights -= weights.max(axis=-1, keepdims=True)                  # the highest score of a row becomes 0
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    sums = np.zeros((*q.shape[:-1], len(value_table)), weights.dtype)       # (..., n_queries, 2K + 1)
    for i, rows in enumerate(_rows(value_table, n_queries, n_keys)):
        seen, first = np.unique(rows, return_index=True)            # keys of one row of the table are neighbours
        sums[..., i, seen] = np.add.reduceat(weights[..., i, :], first, axis=-1)
    return weights @ v + sums @ value_table


def _rows(table, n_queries, n_keys):
    """Which row of the table belongs to the distance of every query and key."""
    reach = len(table) // 2
    distances = np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]      # key minus query
    return np.clip(distances, -reach, reach) + reach                # (n_queries, n_keys)
