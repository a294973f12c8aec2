"""ALiBi: attention scores that lose a fixed amount for every position between query and key."""
import numpy as np


def alibi_slopes(n_heads):
    """Return how much each head takes off a score per position of distance.

    Parameters
    ----------
    n_heads : int
        Heads, `H`.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        ``2 ** (-8 * h / H)`` for h = 1..H if `H` is a power of two. Otherwise the slopes of the largest power
        of two below `H`, then the 1st, 3rd, 5th, ... slope of twice that power, as many as are missing.

    Raises
    ------
    ValueError
        If `n_heads` is below 1; the message names the argument and shows its value.

    Source: Press et al. 2022, "Train short, test long", section 3; its released code for other counts.
    """
    if n_heads < 1:
        raise ValueError(f"n_heads must be at least 1, got {n_heads}")
    power = 2 ** int(np.log2(n_heads))                              # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)          # (power,)
    between = 2.0 ** (-4 * np.arange(1, 2 * power, 2) / power)      # the 1st, 3rd, ... of 2 * power heads
    return np.concatenate([slopes, between[: n_heads - power]])


def alibi_bias(n_heads, n_queries, n_keys=None, causal=True):
    """Return what ALiBi adds to the scores of every head.

    Parameters
    ----------
    n_heads : int
        Heads, with the slopes of `alibi_slopes`.
    n_queries : int
        Queries. They are the last positions: query ``i`` stands at ``i + n_keys - n_queries``.
    n_keys : int, optional
        Keys, at positions 0, 1, 2, ...; as many as queries unless given.
    causal : bool, default True
        Whether keys after the query are forbidden. If not, they cost as much as keys equally far before it.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_queries, n_keys)
        ``-slope * distance``, the distance in positions; with `causal`, -inf for keys after the query.

    Raises
    ------
    ValueError
        If a size is below 1 or `n_queries` is above `n_keys`; the message names the argument and shows its
        value.

    Source: Press et al. 2022, section 3 and figure 3; the form without a causal mask is not in the paper.
    """
    n_keys = n_queries if n_keys is None else n_keys
    for name, size in (("n_queries", n_queries), ("n_keys", n_keys)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    if n_queries > n_keys:
        raise ValueError(f"n_queries must be at most n_keys, got n_queries={n_queries} and n_keys={n_keys}")
    return alibi_slopes(n_heads)[:, None, None] * _steps(n_queries, n_keys, causal)        # (H, n_queries, n_keys)


def alibi_attention(q, k, v, causal=True):
    """Return attention in which position enters through the ALiBi bias alone.

    Parameters
    ----------
    q : ndarray, shape (H, n_queries, d)
        Queries, the last positions of the sequence.
    k : ndarray, shape (H, n_keys, d)
        Keys, at least as many as queries.
    v : ndarray, shape (H, n_keys, d_v)
        Values; their width may differ from `d`.
    causal : bool, default True
        As in `alibi_bias`.

    Returns
    -------
    ndarray, shape (H, n_queries, d_v)
        ``softmax(q k^T / sqrt(d) + bias) v`` in the dtype of the input; integers count as float64.

    Raises
    ------
    ValueError
        If `q`, `k` and `v` differ in heads, `q` and `k` in width, `k` and `v` in keys, or `q` has more
        queries than `k` has keys; the message names the argument and shows its shape. Axes of size 1 do not
        stretch.

    Source: Press et al. 2022, section 3; footnote 10 says that the bias is not scaled by sqrt(d).
    """
    if not len(q) == len(k) == len(v):
        raise ValueError(f"q, k and v must have equally many heads, got {q.shape}, {k.shape} and {v.shape}")
    if q.shape[2] != k.shape[2]:
        raise ValueError(f"q and k must be equally wide, got {q.shape} and {k.shape}")
    if k.shape[1] != v.shape[1]:
        raise ValueError(f"k and v must have equally many positions, got {k.shape} and {v.shape}")
    if q.shape[1] > k.shape[1]:
        raise ValueError(f"q must not have more queries than k has keys, got {q.shape} and {k.shape}")
    dtype = q.dtype if np.issubdtype(q.dtype, np.floating) else np.float64
    q, k, v = (array.astype(dtype, copy=False) for array in (q, k, v))
    (n_heads, n_queries, d), (n_keys, d_v) = q.shape, v.shape[1:]
    slopes, steps = alibi_slopes(n_heads).astype(dtype), _steps(n_queries, n_keys, causal).astype(dtype)
    attended = np.empty((n_heads, n_queries, d_v), dtype)
    for h in range(n_heads):                                        # one head's scores fit into memory better
        weights = q[h] / d**0.5 @ k[h].T                            # (n_queries, n_keys)
        weights += slopes[h] * steps
        weights -= weights.max(axis=-1, keepdims=True)              # the highest score of a row becomes 0
        np.exp(weights, out=weights)
        attended[h] = weights @ v[h] / weights.sum(axis=-1, keepdims=True)
    return attended


def _steps(n_queries, n_keys, causal):
    """Minus the distance of every query and key, (n_queries, n_keys); what is forbidden is infinitely far."""
    queries = np.arange(n_keys - n_queries, n_keys)                 # (n_queries,) the last positions
    ahead = np.arange(n_keys) - queries[:, None]                    # (n_queries, n_keys) key minus query
    return np.where(ahead > 0, -np.inf if causal else -ahead, ahead).astype(np.float64, copy=False)
