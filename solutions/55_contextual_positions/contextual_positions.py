"""Contextual positions: each query counts the tokens that matter to it, and reads a table at that count."""
import numpy as np


def gated_positions(scores):
    """Return the position of every key, as its query counts.

    Parameters
    ----------
    scores : ndarray, shape (..., n, n)
        Scores of every query and key. Those above the diagonal, of keys after the query, do not count, whatever
        they are.

    Returns
    -------
    ndarray, shape (..., n, n)
        ``[..., i, j]`` is the sum of ``sigmoid(scores[..., i, l])`` for l = j..i, a number of tokens. 0 for keys
        after the query, j > i.

    Source: Golovneva et al. 2024, "Contextual position encoding: learning to count what's important".
    """
    seen = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)  # (..., n, n)
    gates = np.exp(-np.logaddexp(0.0, -seen))                               # (..., n, n) the sigmoid, without overflow
    return np.cumsum(gates[..., ::-1], axis=-1)[..., ::-1]                  # (..., n, n) sums from the last key back


def position_logits(q, table, positions):
    """Return what the query gets from the table at every position.

    Parameters
    ----------
    q : ndarray, shape (..., n, d)
        Queries.
    table : ndarray, shape (P, d)
        One vector for each of the positions 0..P - 1. `P` is at least 2.
    positions : ndarray, shape (..., n, n)
        One position for each query and key, not negative. The leading axes are those of `q`.

    Returns
    -------
    ndarray, shape (..., n, n)
        ``[..., i, j]`` is ``q[..., i, :]`` times the table, read at ``positions[..., i, j]``: between two rows
        linearly, after the last row as at the last row. Nothing is masked.

    Source: Golovneva et al. 2024, "Contextual position encoding: learning to count what's important".
    """
    products = q @ table.T                                                  # (..., n, P) one for each row
    places = np.minimum(positions, len(table) - 1)                          # (..., n, n) up to the last row
    below, above = np.floor(places).astype(int), np.ceil(places).astype(int)    # (..., n, n) each
    share = places - below                                                  # (..., n, n) of the row above
    low, high = (np.take_along_axis(products, row, axis=-1) for row in (below, above))      # (..., n, n) each
    return (1 - share) * low + share * high                                 # (..., n, n)


def contextual_attention(q, k, v, table):
    """Return the output of causal attention whose positions depend on the text.

    Parameters
    ----------
    q, k : ndarray, shape (..., n, d)
        Queries and keys.
    v : ndarray, shape (..., n, d_v)
        Values; their width may differ from `d`.
    table : ndarray, shape (P, d)
        As in `position_logits`.

    Returns
    -------
    ndarray, shape (..., n, d_v)
        The scores are ``s = q k^T / sqrt(d)``, and the positions are gated by `s`. The weights are the softmax over
        the keys j <= i of ``s + position_logits``.

    Source: Golovneva et al. 2024, "Contextual position encoding: learning to count what's important", listing.
    """
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])                  # (..., n, n)
    scores = scores + position_logits(q, table, gated_positions(scores))    # (..., n, n)
    scores = np.where(np.tri(q.shape[-2], dtype=bool), scores, -np.inf)     # (..., n, n)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))           # (..., n, n) none above 1
    weights = weights / weights.sum(axis=-1, keepdims=True)                 # (..., n, n)
    return weights @ v                                                      # (..., n, d_v)
