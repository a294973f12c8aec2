"""Multi-head attention with rotary positions: a whole sequence at once, or token by token with a cache."""
import numpy as np


def rope_attention(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
    """Return self-attention whose queries and keys are turned by their positions.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_model)
        One row per position; positions count from 0.
    w_q : ndarray, shape (d_model, n_heads * d_head)
        Makes the queries, ``x @ w_q``; head h has the columns from ``h * d_head`` on. `d_head` must be even.
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
    ndarray of the dtype of `x` (integers count as float64), shape (..., n, d_model)
        Every head's scores are divided by ``sqrt(d_head)``.

    Raises
    ------
    ValueError
        If `n_heads` or `n_kv_heads` is below 1, `n_kv_heads` does not divide `n_heads`, `base` is not
        positive, or the arrays do not have the shapes above; the message names the argument and shows its
        value, for an array its shape.

    Source: Su et al. 2021, "RoFormer", section 3.2; Ainslie et al. 2023, "GQA", section 2.2.
    """
    if x.shape[-1] != w_q.shape[0]:
        raise ValueError(f"x must have shape (..., n, {w_q.shape[0]}) to fit w_q, got {x.shape}")
    n_kv_heads, d_head = _head_sizes(w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base)
    x = _real(x)
    *leading, n, _ = x.shape

    def heads(w):                                               # (..., n, d_model) -> (..., heads, n, d_head)
        return (x @ w).reshape(*leading, n, -1, d_head).swapaxes(-2, -3)

    positions = np.arange(n)
    q, k = _turned(heads(w_q), positions, base), _turned(heads(w_k), positions, base)
    result = _attend(q, k, heads(w_v), causal)                  # (..., n_heads, n, d_head)
    return result.swapaxes(-2, -3).reshape(*leading, n, -1) @ w_o


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
    out : ndarray, shape (d_model,)
        The last row of causal `rope_attention` over all ``t + 1`` tokens.
    k_cache, v_cache : ndarray, shape (t + 1, n_kv_heads, d_head)
        New arrays: the rows that came in, then the key of the token, turned, and its value, not turned.

    Raises
    ------
    ValueError
        As in `rope_attention`, and if a cache does not fit the other one or the weights.

    Source: Shazeer 2019, "Fast transformer decoding"; Su et al. 2021, "RoFormer", section 3.2.
    """
    if x_new.shape != (w_q.shape[0],):
        raise ValueError(f"x_new must have shape ({w_q.shape[0]},) to fit w_q, got {x_new.shape}")
    n_kv_heads, d_head = _head_sizes(w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base)
    t = len(k_cache)
    for name, cache in (("k_cache", k_cache), ("v_cache", v_cache)):
        if cache.shape != (t, n_kv_heads, d_head):
            raise ValueError(f"{name} must have shape {(t, n_kv_heads, d_head)}, got {cache.shape}")
    x_new = _real(x_new)
    q = _turned((x_new @ w_q).reshape(-1, d_head), t, base)     # (n_heads, d_head)
    k = _turned((x_new @ w_k).reshape(-1, d_head), t, base)     # (n_kv_heads, d_head)
    v = (x_new @ w_v).reshape(-1, d_head)                       # (n_kv_heads, d_head)
    k_cache = np.concatenate([k_cache, k[None]])                # (t + 1, n_kv_heads, d_head)
    v_cache = np.concatenate([v_cache, v[None]])
    result = _attend(q[:, None], k_cache.swapaxes(0, 1), v_cache.swapaxes(0, 1), causal=False)
    return result.reshape(-1) @ w_o, k_cache, v_cache


def _head_sizes(w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base):
    """Return n_kv_heads and d_head once everything fits."""
    if n_heads < 1:
        raise ValueError(f"n_heads must be at least 1, got {n_heads}")
    if n_kv_heads is None:
        n_kv_heads = n_heads
    if n_kv_heads < 1 or n_heads % n_kv_heads:
        raise ValueError(f"n_kv_heads must be at least 1 and divide n_heads = {n_heads}, got {n_kv_heads}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    d_model, width = w_q.shape
    if width % (2 * n_heads):
        raise ValueError(f"w_q must make {n_heads} heads of one even width, got shape {w_q.shape}")
    d_head = width // n_heads
    for name, w, shape in (
        ("w_k", w_k, (d_model, n_kv_heads * d_head)),
        ("w_v", w_v, (d_model, n_kv_heads * d_head)),
        ("w_o", w_o, (width, d_model)),
    ):
        if w.shape != shape:
            raise ValueError(f"{name} must have shape {shape}, got {w.shape}")
    return n_kv_heads, d_head


def _real(x):
    """Integers become float64; a floating array stays as it is."""
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _turned(x, positions, base):
    """Turn every pair of columns of x (..., n, d_head) by position * frequency, in the dtype of x."""
    frequencies = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = np.multiply.outer(positions, frequencies)          # (n, d_head / 2)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = even * cos - odd * sin
    turned[..., 1::2] = even * sin + odd * cos
    return turned


def _attend(q, k, v, causal):
    """Attention head by head, where neighbouring query heads share a key and value head."""
    *leading, n_heads, n_queries, d_head = q.shape
    n_kv_heads = k.shape[-3]
    q = q.reshape(*leading, n_kv_heads, n_heads // n_kv_heads, n_queries, d_head) / d_head**0.5
    k, v = k[..., None, :, :], v[..., None, :, :]               # (..., n_kv_heads, 1, n_keys, d_head)
    weights = q @ k.swapaxes(-1, -2)                            # (..., n_kv_heads, group, n_queries, n_keys)
    if causal:
        np.copyto(weights, -np.inf, where=~np.tri(n_queries, dtype=bool))
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    result = weights @ v / weights.sum(axis=-1, keepdims=True)
    return result.reshape(*leading, n_heads, n_queries, d_head)
