"""Transformer-XL: scores that know distances only, so that keys of earlier segments fit in."""
import numpy as np


def transformer_xl_scores(q, k, r, u, v):
    """Return the score of every query and key from what the key says and from how far back it stands.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d)
        Queries, the last positions: query i stands at position ``i + n_keys - n_queries``. Integers count as
        float64.
    k : ndarray, shape (..., n_keys, d)
        Keys at positions 0, 1, 2, ..., at least as many as queries; those of earlier segments come first.
    r : ndarray, shape (n_keys, d)
        One vector per distance, for all leading axes, nearest first: row m is for a key m positions back.
    u : ndarray, shape (d,)
        What every query has in common when it meets a key; added to each query.
    v : ndarray, shape (d,)
        The same for when it meets a distance.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys), floating dtype of `q`
        ``((q_i + u) . k_j + (q_i + v) . r_m) / sqrt(d)``, where key j stands m positions before query i; -inf
        for keys after the query.

    Raises
    ------
    ValueError
        If `q`, `k`, `r`, `u` and `v` are not equally wide, if `r` has not one row per key, or if `q` has more
        queries than `k` has keys; the message names an argument and shows its shape. Axes of size 1 do not
        stretch.

    Source: Dai et al. 2019, "Transformer-XL", section 3.3 and appendix B.
    """
    (n_queries, d), n_keys = q.shape[-2:], k.shape[-2]
    if k.shape[-1] != d:
        raise ValueError(f"q and k must be equally wide, got {q.shape} and {k.shape}")
    if n_queries > n_keys:
        raise ValueError(f"q must not have more queries than k has keys, got {q.shape} and {k.shape}")
    if r.shape != (n_keys, d):
        raise ValueError(f"r must have shape {(n_keys, d)}, one row per key, got {r.shape}")
    for name, bias in (("u", u), ("v", v)):
        if bias.shape != (d,):
            raise ValueError(f"{name} must have shape {(d,)}, as wide as q, got {bias.shape}")
    if q.dtype.kind != "f":
        q, k, r = (array.astype(np.float64) for array in (q, k, r))
    *leading, _, _ = q.shape
    content = (q + u) / d**0.5 @ k.swapaxes(-1, -2)                 # (..., n_queries, n_keys)
    padded = np.zeros((*leading, n_queries, n_keys + 1), content.dtype)
    padded[..., 1:] = (q + v) / d**0.5 @ r[::-1].T                  # farthest first, after a column of zeros
    shifted = padded.reshape(*leading, n_keys + 1, n_queries)[..., 1:, :]      # row i has moved by n_queries - 1 - i
    content += shifted.reshape(content.shape)
    past = np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)
    np.copyto(content, -np.inf, where=~past)
    return content
