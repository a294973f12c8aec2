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
    # TODO 1: a gate for every key up to the query, 0 after it              (..., n, n)
    #         sums of the gates from the query back to the key              (..., n, n)
    raise NotImplementedError("gated_positions")


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
    # TODO 2: the product of every query with every row of the table        (..., n, P)
    #         read between two of these products, up to the last            (..., n, n)
    raise NotImplementedError("position_logits")


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
    # TODO 3: scores divided by sqrt(d), plus the logits of their positions (..., n, n)
    #         -inf for keys after the query, the softmax of each row        (..., n, n)
    #         the weighted sum of the values                                (..., n, d_v)
    raise NotImplementedError("contextual_attention")
