"""Attention with two learned vectors per distance: one is added to the keys, the other to the values."""
import numpy as np


def shaw_scores(q, k, key_table):
    """Return the score of every query and key, with the vector for their distance added to the key.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d)
        Queries, the last positions of the sequence: query ``i`` is at position ``i + n_keys - n_queries``.
    k : ndarray, shape (..., n_keys, d)
        Keys, at positions 0, 1, 2, ... There are at least as many as queries. The leading axes are as in `q`.
    key_table : ndarray, shape (2 * K + 1, d)
        The vectors added to the keys. Row ``m`` is for keys at distance ``m - K``, key minus query. Keys
        farther away than `K` share the outermost row on their side.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        ``(q_i . k_j + q_i . a_ij) / sqrt(d)``, where ``a_ij`` is the row for the distance of query ``i`` and
        key ``j``. No mask is applied.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", sections 3.1 and 3.2.
    """
    # TODO 1: the row of the table for every query and key             (n_queries, n_keys, d)
    #         query times key plus query times row, over sqrt(d)       (..., n_queries, n_keys)
    raise NotImplementedError("shaw_scores")


def shaw_attention(q, k, v, key_table, value_table, mask=None):
    """Return the output of attention whose scores and values depend on the distance.

    Parameters
    ----------
    q, k, key_table : ndarray
        As in `shaw_scores`.
    v : ndarray, shape (..., n_keys, d_v)
        Values, one for each key. Their width may differ from `d`.
    value_table : ndarray, shape (2 * K + 1, d_v)
        The vectors added to the values. The rows are for the same distances as in `key_table`.
    mask : ndarray of bool, shape (n_queries, n_keys), optional
        True at ``[i, j]`` if query ``i`` may attend to key ``j``. No row is all False. Without a mask, every
        query may attend to every key.

    Returns
    -------
    ndarray, shape (..., n_queries, d_v)
        For each query, the sum over the keys of weight times ``(v_j + b_ij)``, where ``b_ij`` is the row of
        `value_table` for the distance. The weights are the softmax of `shaw_scores` over the keys. Scores
        that the mask forbids become ``-inf`` first.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", sections 3.1 and 3.2.
    """
    # TODO 2: the softmax of the scores over the keys                  (..., n_queries, n_keys)
    #         weights times values plus weights times rows             (..., n_queries, d_v)
    # TODO 3: with a mask, -inf for the scores that it forbids         (..., n_queries, n_keys)
    raise NotImplementedError("shaw_attention")
