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
    n_queries, n_keys = q.shape[-2], k.shape[-2]
    positions = np.arange(n_keys - n_queries, n_keys)[:, None]      # (n_queries, 1) the queries are the last ones
    back = positions - np.arange(n_keys)                            # (n_queries, n_keys) negative for keys after them
    content = (q + u) @ np.swapaxes(k, -1, -2)                      # (..., n_queries, n_keys)
    vectors = r[back]                                               # (n_queries, n_keys, d) any for keys after them
    distance = np.einsum("...id,ijd->...ij", q + v, vectors)        # (..., n_queries, n_keys)
    scores = (content + distance) / np.sqrt(q.shape[-1])            # (..., n_queries, n_keys)
    return np.where(back < 0, -np.inf, scores)                      # (..., n_queries, n_keys)
