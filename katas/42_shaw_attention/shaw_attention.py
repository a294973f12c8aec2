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
        ``(q_i . k_j + q_i . a_ij) / sqrt(d)``, with ``a_ij`` the row for the distance of ``i`` and ``j``. Not
        masked.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", sections 3.1 and 3.2.
    """
    # TODO 1: the row of the table for every query and key             (n_queries, n_keys, d)
    #         query times key plus query times row, both scaled        (..., n_queries, n_keys)
    raise NotImplementedError("shaw_scores")


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
        `value_table` for the distance.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", sections 3.1 and 3.2.
    """
    # TODO 2: the softmax of the scores over the keys                  (..., n_queries, n_keys)
    #         weights times values plus weights times rows             (..., n_queries, d_v)
    # TODO 3: where there is a mask, -inf for the scores it forbids    (..., n_queries, n_keys)
    raise NotImplementedError("shaw_attention")
