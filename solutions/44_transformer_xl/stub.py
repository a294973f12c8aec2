"""Transformer-XL: scores from content and distance, with which queries can look back into earlier segments."""
import numpy as np


def transformer_xl_scores(q, k, r, u, v):
    """Return the score of every query and key, from the content of the key and from how far back it is.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d)
        Queries, the last positions: query ``i`` is at position ``i + n_keys - n_queries``.
    k : ndarray, shape (..., n_keys, d)
        Keys, at positions 0, 1, 2, ... There are at least as many as queries. Keys of earlier segments come
        first.
    r : ndarray, shape (n_keys, d)
        One vector per distance, nearest first, shared by all leading axes. Row ``m`` is for a key ``m``
        positions back.
    u : ndarray, shape (d,)
        Learned vector, the same for all queries. It is added to each query in the product with the keys.
    v : ndarray, shape (d,)
        Learned vector, the same for all queries. It is added to each query in the product with the distances.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        ``((q_i + u) . k_j + (q_i + v) . r_m) / sqrt(d)``, where key ``j`` is ``m`` positions before query
        ``i``. -inf for keys after the query.

    Source: Dai et al. 2019, "Transformer-XL", section 3.3 and appendix B.
    """
    # TODO 1: how many positions back each key is from each query      (n_queries, n_keys)
    #         content and distance                                     (..., n_queries, n_keys) each
    #         their sum, over sqrt(d); -inf for keys after the query   (..., n_queries, n_keys)
    # TODO 2: with more keys, the queries are the last positions       (..., n_queries, n_keys)
    raise NotImplementedError("transformer_xl_scores")
