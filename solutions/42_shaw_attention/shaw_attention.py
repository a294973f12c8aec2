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
    a = _rows(key_table, q.shape[-2], k.shape[-2])                  # (n_queries, n_keys, d)
    products = q @ k.swapaxes(-1, -2) + np.einsum("...id,ijd->...ij", q, a)     # (..., n_queries, n_keys)
    return products / np.sqrt(q.shape[-1])                          # (..., n_queries, n_keys)


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
    scores = shaw_scores(q, k, key_table)                           # (..., n_queries, n_keys)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)                    # (..., n_queries, n_keys)
    weights = _softmax(scores)                                      # (..., n_queries, n_keys)
    b = _rows(value_table, q.shape[-2], k.shape[-2])                # (n_queries, n_keys, d_v)
    return weights @ v + np.einsum("...ij,ijc->...ic", weights, b)  # (..., n_queries, d_v)


def _rows(table, n_queries, n_keys):
    """The row of the table for the distance of every query and key."""
    distances = np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]      # (n_queries, n_keys)
    reach = len(table) // 2
    return table[np.clip(distances, -reach, reach) + reach]         # (n_queries, n_keys, d)


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))    # (..., n_queries, n_keys) none above 1
    return powers / powers.sum(axis=-1, keepdims=True)              # (..., n_queries, n_keys)
