"""Transformer-XL: scores that know distances only, so that keys of earlier segments fit in."""
import numpy as np


def transformer_xl_scores(q, k, r, u, v):
    """Return the score of every query and key from what the key says and from how far back it stands.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d)
        Queries, the last positions: query i stands at position ``i + n_keys - n_queries``.
    k : ndarray, shape (..., n_keys, d)
        Keys at positions 0, 1, 2, ..., at least as many as queries; those of earlier segments come first.
    r : ndarray, shape (n_keys, d)
        One vector per distance, for all leading axes, nearest first: row m is for a key m positions back.
    u : ndarray, shape (d,)
        What every query has in common when it meets a key; added to each query.
    v : ndarray, shape (d,)
        The same for when it meets a distance.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        ``((q_i + u) . k_j + (q_i + v) . r_m) / sqrt(d)``, where key j stands m positions before query i; -inf
        for keys after the query.

    Source: Dai et al. 2019, "Transformer-XL", section 3.3 and appendix B.
    """
    # TODO 1: how many positions each key stands before each query     (n_queries, n_keys)
    #         content and distance                                     (..., n_queries, n_keys) each
    #         their sum, over sqrt(d); -inf for keys after the query   (..., n_queries, n_keys)
    # TODO 2: more keys than queries: the queries are the last ones    (..., n_queries, n_keys)
    raise NotImplementedError("transformer_xl_scores")
