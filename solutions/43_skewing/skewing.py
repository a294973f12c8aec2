"""Skewing: relative logits from one matrix product, without a vector for every pair of positions."""
import numpy as np


def skew(products):
    """Move every product of a query and a distance to the column of the key at that distance.

    Parameters
    ----------
    products : ndarray, shape (..., n, n)
        Row i has the products of query i with all distances, farthest first: column m is for the key
        ``n - 1 - m`` positions back.

    Returns
    -------
    ndarray, shape (..., n, n)
        Row i, column j: ``products[i, n - 1 - (i - j)]`` for keys up to the query (``j <= i``), 0 for keys
        after it.

    Source: Huang et al. 2018, "Music Transformer", section 3.4 and figure 1.
    """
    *leading, n = products.shape[:-1]
    zeros = np.zeros((*leading, n, 1))                              # (..., n, 1)
    padded = np.concatenate([zeros, products], axis=-1)             # (..., n, n + 1)
    reread = padded.reshape(*leading, n + 1, n)                     # (..., n + 1, n) the same numbers in the same order
    return np.tril(reread[..., 1:, :])                              # (..., n, n) row i has moved n - 1 - i to the left


def relative_logits(q, table):
    """Return the product of every query with the vector for its distance to every key.

    Parameters
    ----------
    q : ndarray, shape (..., n, d)
        Queries, at positions 0 to ``n - 1``.
    table : ndarray, shape (n, d)
        One vector per distance, farthest first, shared by all leading axes. Row m is for distance
        ``-(n - 1 - m)``, key position minus query position. The last row is for distance 0.

    Returns
    -------
    ndarray, shape (..., n, n)
        Row i, column j: ``q[i]`` times the vector for distance ``j - i`` for keys up to the query
        (``j <= i``), 0 for keys after it. Not scaled. The memory in use grows as n * n, not as n * n * d.

    Source: Huang et al. 2018, "Music Transformer", section 3.4 and figure 1.
    """
    products = q @ table.T                                          # (..., n, n) no array of (n, n, d) is made
    return skew(products)                                           # (..., n, n)
