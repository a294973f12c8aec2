"""Multi-head attention with rotary positions: a whole sequence at once, or token by token with a cache."""
import numpy as np


def rope_attention(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
    """Return self-attention whose queries and keys are turned by their positions.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
        One row per position; positions count from 0.
    w_q : ndarray, shape (d_model, n_heads * d_head)
        Makes the queries, ``x @ w_q``; head h has the columns from ``h * d_head`` on. `d_head` is even.
    w_k, w_v : ndarray, shape (d_model, n_kv_heads * d_head)
        Make the keys and the values, with heads side by side as in `w_q`.
    w_o : ndarray, shape (n_heads * d_head, d_model)
        Makes the output of the heads' results side by side.
    n_heads : int
        Query heads.
    n_kv_heads : int, optional
        Key and value heads; as many as query heads unless given. Query head h reads key and value head
        ``h // (n_heads // n_kv_heads)``.
    base : float, default 10000.0
        Columns ``2i`` and ``2i + 1`` of a query or key head are a point of the plane; it is turned
        counter-clockwise by ``position * base ** (-2 * i / d_head)`` radians. Values are not turned.
    causal : bool, default True
        Whether a query sees only its own position and the ones before it.

    Returns
    -------
    ndarray, shape (..., n, d_model), float32 for float32
        Every head's scores are divided by ``sqrt(d_head)``.

    Source: Su et al. 2021, "RoFormer", section 3.2; Ainslie et al. 2023, "GQA", section 2.2.
    """
    # TODO 1: for as many key heads as query heads: split the columns into heads, turn queries and keys (not
    #         values) by position, attend, set the heads side by side, apply w_o. (..., n_heads, n, d_head)
    # TODO 2: for fewer key heads: let neighbouring query heads share one.        (..., n_kv_heads, n, d_head)
    raise NotImplementedError("rope_attention")


def decode_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
    """Return the output for one more token, and the caches with its key and value.

    Parameters
    ----------
    x_new : ndarray, shape (d_model,)
        The token at position ``t``.
    k_cache, v_cache : ndarray, shape (t, n_kv_heads, d_head)
        The keys of positions ``0 .. t - 1``, already turned, and their values; ``t`` may be 0.
    w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base
        As in `rope_attention`.

    Returns
    -------
    out : ndarray, shape (d_model,), float32 for float32
        The last row of causal `rope_attention` over all ``t + 1`` tokens.
    k_cache, v_cache : ndarray, shape (t + 1, n_kv_heads, d_head), float32 for float32
        The rows that came in, then the key of the token, turned, and its value, not turned.

    Source: Shazeer 2019, "Fast transformer decoding"; Su et al. 2021, "RoFormer", section 3.2.
    """
    # TODO 3: turn query and key to position t, append key and value to the caches, let the query see every
    #         row of them, apply w_o.                                             (t + 1, n_kv_heads, d_head)
    raise NotImplementedError("decode_step")
