"""Multi-head attention with rotary positions: a whole sequence at once, or token by token with a cache."""
import numpy as np


def rope_attention(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
    """Return self-attention whose queries and keys are turned by their positions.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
        One row per token; positions count from 0.
    w_q : ndarray, shape (d_model, n_heads * d_head)
        Makes the queries, ``x @ w_q``. The columns of head h start at ``h * d_head``; `d_head` is even.
    w_k, w_v : ndarray, shape (d_model, n_kv_heads * d_head)
        Make the keys and the values, with the heads next to each other as in `w_q`.
    w_o : ndarray, shape (n_heads * d_head, d_model)
        Makes the output: the results of all heads next to each other, times `w_o`.
    n_heads : int
        Number of query heads.
    n_kv_heads : int, optional
        Number of key and value heads, by default `n_heads`. Query head h reads key and value head
        ``h // (n_heads // n_kv_heads)``.
    base : float, default 10000.0
        Columns ``2i`` and ``2i + 1`` of a query or key head are a point in the plane; ``2i`` is horizontal. Turn it
        counter-clockwise by ``position * base ** (-2 * i / d_head)`` radians. Do not turn values.
    causal : bool, default True
        Whether a query sees only its own position and the ones before it.

    Returns
    -------
    ndarray, shape (..., n, d_model), float32 for float32
        The scores of every head are divided by ``sqrt(d_head)`` before the softmax.

    Source: Su et al. 2021, "RoFormer", section 3.2; Ainslie et al. 2023, "GQA", section 2.2.
    """
    # TODO 1: for as many key heads as query heads: split the columns into heads, turn queries and keys (not
    #         values) by position, attend, join the heads, multiply by w_o.       (..., n_heads, n, d_head)
    # TODO 2: for fewer key heads: let neighbouring query heads share one.        (..., n_kv_heads, n, d_head)
    raise NotImplementedError("rope_attention")


def decode_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
    """Return the output for one more token, and the caches with its key and value.

    Parameters
    ----------
    x_new : ndarray, shape (d_model,)
        The token at position ``t``.
    k_cache, v_cache : ndarray, shape (t, n_kv_heads, d_head)
        The keys of positions 0 to ``t - 1``, already turned, and their values; ``t`` may be 0.
    w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base
        As in `rope_attention`.

    Returns
    -------
    out : ndarray, shape (d_model,), float32 for float32
        The last row of causal `rope_attention` over all ``t + 1`` tokens.
    k_cache, v_cache : ndarray, shape (t + 1, n_kv_heads, d_head), float32 for float32
        The old rows, then the new row: the turned key of the token, or its unturned value.

    Source: Shazeer 2019, "Fast transformer decoding"; Su et al. 2021, "RoFormer", section 3.2.
    """
    # TODO 3: turn query and key by position t, append key and value to the caches, let the query attend to
    #         all their rows, multiply by w_o.                                    (t + 1, n_kv_heads, d_head)
    raise NotImplementedError("decode_step")
