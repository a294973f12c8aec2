"""Skewing: relative logits from one matrix product, without a vector for every pair of positions."""
import numpy as np


def skew(products):
    """Move the product of query and distance to the key that lies at that distance.

    Parameters
    ----------
    products : ndarray, shape (..., n, n)
        Row i holds query i's product with every distance, farthest first: column m is distance ``n - 1 - m``.

    Returns
    -------
    ndarray, shape (..., n, n)
        Row i, column j: ``products[i, n - 1 - (i - j)]`` for keys up to the query, ``j <= i``; 0 for keys
        after it.

    Source: Huang et al. 2018, "Music Transformer", section 3.4 and figure 1.
    """
    *leading, n = products.shape[:-1]
    zeros = np.zeros((*leading, n, 1))                              # (..., n, 1)
    padded = np.concatenate([zeros, products], axis=-1)             # (..., n, n + 1)
    reread = padded.reshape(*leading, n + 1, n)                     # (..., n + 1, n) the same numbers in the same order
    return np.tril(reread[..., 1:, :])                              # (..., n, n) row i has moved n - 1 - i to the left


def relative_logits(q, table):
    """Return every query's product with the vector of its distance to every key.

    Parameters
    ----------
    q : ndarray, shape (..., n, d)
        Queries, at positions 0 to ``n - 1``.
    table : ndarray, shape (n, d)
        One vector per distance, for all leading axes, farthest first: row m is distance ``-(n - 1 - m)``, key
        position minus query position, and the last row is distance 0.

    Returns
    -------
    ndarray, shape (..., n, n)
        Row i, column j: ``q[i]`` times the vector of distance ``j - i`` for keys up to the query; 0 for keys
        after it. Not scaled. The memory held on the way grows as n * n, not as n * n * d.

    Source: Huang et al. 2018, "Music Transformer", section 3.4 and figure 1.
    """
    products = q @ table.T                                          # (..., n, n) no array of (n, n, d) is made
    return skew(products)                                           # (..., n, n)
