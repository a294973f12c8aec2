"""Rotary positions for keys that come out of a small latent: columns of their own, and no key is ever stored."""
import numpy as np


def _rope(x, positions, base):
    """Turn every pair of neighbouring columns of x (..., n, d_r) by the angle of its row's position."""
    d_r = x.shape[-1]
    angles = positions[:, None] * base ** (-2 * np.arange(d_r // 2) / d_r)      # (n, d_r / 2)
    cos, sin = np.cos(angles), np.sin(angles)                   # (n, d_r / 2) each
    even, odd = x[..., 0::2], x[..., 1::2]                      # (..., n, d_r / 2) each
    turned = np.empty(x.shape)                                  # (..., n, d_r)
    turned[..., 0::2] = even * cos - odd * sin                  # (..., n, d_r / 2)
    turned[..., 1::2] = even * sin + odd * cos                  # (..., n, d_r / 2)
    return turned                                               # (..., n, d_r)


def latent_scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
    """Return the attention scores of all heads, with keys that are made from the latent.

    Parameters
    ----------
    q : ndarray, shape (H, n_q, d_c)
        Content columns of the queries. They have no position.
    q_rope : ndarray, shape (H, n_q, d_r)
        Rotary columns of the queries, not yet turned; `d_r` is even.
    latent : ndarray, shape (n_k, r)
        What the cache contains for each token: `r` numbers for all heads together.
    k_rope : ndarray, shape (n_k, d_r)
        Rotary columns of the keys, not yet turned, the same for all heads.
    w_up : ndarray, shape (H, r, d_c)
        Head ``h`` has the content keys ``latent @ w_up[h]``.
    q_positions, k_positions : ndarray of int or float, shape (n_q,) and (n_k,)
        Positions of the queries and of the keys: any sign, any order.
    base : float, default 10000.0
        Pair ``i`` of the rotary columns turns ``base ** (-2 * i / d_r)`` radians per position.

    Returns
    -------
    ndarray, shape (H, n_q, n_k)
        Dot products of the content columns plus those of the turned rotary columns, divided by ``sqrt(d_c + d_r)``.
        Not masked.

    Source: DeepSeek-AI 2024, "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    section 2.1.
    """
    keys = latent @ w_up                                        # (H, n_k, d_c)
    content = q @ keys.swapaxes(-1, -2)                         # (H, n_q, n_k)
    position = _rope(q_rope, q_positions, base) @ _rope(k_rope, k_positions, base).T        # (H, n_q, n_k)
    return (content + position) / (q.shape[-1] + q_rope.shape[-1]) ** 0.5       # (H, n_q, n_k)


def absorb(q, w_up):
    """Return queries that are multiplied by the latent instead of by keys.

    Parameters
    ----------
    q : ndarray, shape (H, n_q, d_c)
        Content columns of the queries.
    w_up : ndarray, shape (H, r, d_c)
        As in `latent_scores`.

    Returns
    -------
    ndarray, shape (H, n_q, r)
        One row per query of head ``h``. For every latent ``c``, the dot product of this row and ``c`` equals that of
        the query and the key ``c @ w_up[h]``.

    Source: DeepSeek-AI 2024, "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    section 2.1.
    """
    return q @ w_up.swapaxes(-1, -2)                            # (H, n_q, r)


def absorbed_scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
    """Return the numbers of `latent_scores` without making the keys.

    Parameters
    ----------
    q : ndarray, shape (H, n_q, d_c)
        Content columns of the queries.
    q_rope : ndarray, shape (H, n_q, d_r)
        Rotary columns of the queries, not yet turned; `d_r` is even.
    latent : ndarray, shape (n_k, r)
        What the cache contains for each token.
    k_rope : ndarray, shape (n_k, d_r)
        Rotary columns of the keys, not yet turned, the same for all heads.
    w_up : ndarray, shape (H, r, d_c)
        As in `latent_scores`.
    q_positions, k_positions : ndarray of int or float, shape (n_q,) and (n_k,)
        As in `latent_scores`.
    base : float, default 10000.0
        As in `latent_scores`.

    Returns
    -------
    ndarray, shape (H, n_q, n_k)
        The numbers of `latent_scores`. For one query and many keys, the memory in use beyond the arguments stays
        below a quarter of an array of shape (H, n_k, d_c).

    Source: DeepSeek-AI 2024, "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    section 2.1.
    """
    content = absorb(q, w_up) @ latent.T                        # (H, n_q, n_k)
    position = _rope(q_rope, q_positions, base) @ _rope(k_rope, k_positions, base).T        # (H, n_q, n_k)
    return (content + position) / (q.shape[-1] + q_rope.shape[-1]) ** 0.5       # (H, n_q, n_k)


def cached_numbers(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
    """Return how many numbers one layer caches.

    Parameters
    ----------
    kind : str
        "mha": every head has its own keys and values. "gqa": groups of heads share them. "mqa": all heads share
        them. "mla": a latent for keys and values together, and the rotary columns of one key.
    n : int
        Number of tokens.
    n_heads : int
        Number of query heads.
    d_head : int
        Number of columns of a key, and of a value.
    n_kv_heads : int or None
        Number of key and value heads; only "gqa" uses it.
    d_latent, d_rope : int or None
        Number of columns of the latent and of the rotary part; only "mla" uses them.

    Returns
    -------
    int
        "mha": ``2 * n * n_heads * d_head``. "gqa": ``2 * n * n_kv_heads * d_head``. "mqa": ``2 * n * d_head``.
        "mla": ``n * (d_latent + d_rope)``. Arguments that a kind does not use are ignored.

    Source: DeepSeek-AI 2024, "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
    section 2.1.
    """
    if kind == "mla":
        return n * (d_latent + d_rope)
    heads = {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind]
    return 2 * n * heads * d_head
