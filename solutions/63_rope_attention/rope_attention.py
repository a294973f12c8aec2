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
    n, d_head = x.shape[-2], w_q.shape[1] // n_heads
    # q (..., n_heads, n, d_head); k and v (..., n_kv_heads, n, d_head): the width of w_k determines n_kv_heads
    q, k, v = ((x @ w).reshape(*x.shape[:-1], -1, d_head).swapaxes(-2, -3) for w in (w_q, w_k, w_v))
    q, k = _rotate(q, np.arange(n), base), _rotate(k, np.arange(n), base)    # (..., heads, n, d_head)
    mask = np.tri(n, dtype=bool) if causal else True            # (n, n)
    result = _attend(q, k, v, mask)                             # (..., n_heads, n, d_head)
    return result.swapaxes(-2, -3).reshape(*x.shape[:-1], -1) @ w_o          # (..., n, d_model)


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
    t, _, d_head = k_cache.shape
    q, k, v = ((x_new @ w).reshape(1, -1, d_head) for w in (w_q, w_k, w_v))  # (1, heads, d_head)
    q, k = _rotate(q, t, base), _rotate(k, t, base)             # (1, heads, d_head), all at position t
    k_cache = np.concatenate([k_cache, k])                      # (t + 1, n_kv_heads, d_head)
    v_cache = np.concatenate([v_cache, v])                      # (t + 1, n_kv_heads, d_head)
    result = _attend(q.swapaxes(0, 1), k_cache.swapaxes(0, 1), v_cache.swapaxes(0, 1))      # (n_heads, 1, d_head)
    return result.reshape(-1) @ w_o, k_cache, v_cache           # (d_model,)


def _rotate(x, positions, base):
    """Turn every pair of columns of x (..., n, d_head) by its angle."""
    angles = np.outer(positions, base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1]))     # (n, d_head / 2)
    cos, sin = np.cos(angles), np.sin(angles)                   # (n, d_head / 2) each
    even, odd = x[..., 0::2], x[..., 1::2]                      # (..., n, d_head / 2) each
    turned = np.empty(x.shape, np.result_type(x, 1.0))          # (..., n, d_head) float32 stays float32
    turned[..., 0::2] = even * cos - odd * sin                  # (..., n, d_head / 2)
    turned[..., 1::2] = even * sin + odd * cos                  # (..., n, d_head / 2)
    return turned                                               # (..., n, d_head)


def _attend(q, k, v, mask=True):
    """Let every query head attend; neighbouring query heads share a key and value head."""
    k, v = (np.repeat(a, q.shape[-3] // a.shape[-3], axis=-3) for a in (k, v))      # (..., n_heads, n_keys, d_head)
    scores = np.where(mask, q @ k.swapaxes(-1, -2) / q.shape[-1] ** 0.5, -np.inf)   # (..., n_heads, n_queries, n_keys)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))                   # (..., n_heads, n_queries, n_keys)
    weights = weights / weights.sum(axis=-1, keepdims=True)                         # (..., n_heads, n_queries, n_keys)
    return weights @ v                                                              # (..., n_heads, n_queries, d_head)
