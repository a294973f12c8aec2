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
    ndarray, shape (..., n, n), dtype of `products`
        Row i, column j: ``products[i, n - 1 - (i - j)]`` for keys up to the query, ``j <= i``; 0 for keys
        after it.

    Raises
    ------
    ValueError
        If the last two axes of `products` differ in size; the message names the argument and shows its shape.

    Source: Huang et al. 2018, "Music Transformer", section 3.4 and figure 1.
    """
    if products.shape[-2:-1] != products.shape[-1:]:
        raise ValueError(f"products must be square, got shape {products.shape}")
    *leading, n = products.shape[:-1]
    padded = np.zeros((*leading, n, n + 1), dtype=products.dtype)   # a column of zeros before the products
    kept = np.tri(n, dtype=bool)[:, ::-1]                           # (n, n) what will not end above the diagonal
    np.copyto(padded[..., 1:], products, where=kept)
    return padded.reshape(*leading, n + 1, n)[..., 1:, :]           # (..., n, n) row i has moved by n - 1 - i


def relative_logits(q, table):
    """Return every query's product with the vector of its distance to every key.

    Parameters
    ----------
    q : ndarray, shape (..., n, d)
        Queries, at positions 0 to ``n - 1``. Integers count as float64.
    table : ndarray, shape (n, d)
        One vector per distance, for all leading axes, farthest first: row m is distance ``-(n - 1 - m)``, key
        position minus query position, and the last row is distance 0.

    Returns
    -------
    ndarray, shape (..., n, n), floating dtype of `q`
        Row i, column j: ``q[i]`` times the vector of distance ``j - i`` for keys up to the query; 0 for keys
        after it. Not scaled. The memory held on the way grows as n * n, not as n * n * d.

    Raises
    ------
    ValueError
        If `table` has not one row per position of `q`, or not its width; the message names an argument and
        shows its shape. Axes of size 1 do not stretch.

    Source: Huang et al. 2018, "Music Transformer", section 3.4 and figure 1.
    """
    if table.shape != q.shape[-2:]:
        raise ValueError(f"table must have the last two axes of q, {q.shape[-2:]}, got shape {table.shape}")
    if q.dtype.kind != "f":
        q = q.astype(np.float64)                # products of small integers would overflow
    return skew(q @ table.T)
