"""The gradients that a transformer in NumPy needs: of the cross-entropy, and of attention with a bias."""
import numpy as np


def cross_entropy(logits, targets):
    """Return how surprised a model is by what came, in nats, averaged over all positions.

    Parameters
    ----------
    logits : ndarray, shape (..., vocab)
        One score per word of the vocabulary and position; sizes of 1e6 do no harm. Integers count as float64.
    targets : ndarray of int, shape (...)
        The word that came at each position, from 0 to ``vocab - 1``.

    Returns
    -------
    float
        The mean of ``-log(softmax(logits)[target])`` over every position of every leading axis; of one
        position if there is no leading axis. A NumPy scalar does as well.

    Raises
    ------
    ValueError
        If `targets` has not the shape of `logits` without its last axis, or has an entry that is negative or
        not below ``vocab``; the message names the argument and shows its shape or the entry.

    Source: Goodfellow et al. 2016, "Deep learning", section 6.2.2.3.
    """
    _check_targets(logits, targets)
    logits = logits - logits.max(axis=-1, keepdims=True)                 # (..., vocab), the largest is 0
    chosen = np.take_along_axis(logits, targets[..., None], axis=-1)     # (..., 1)
    return (np.log(np.exp(logits).sum(axis=-1)) - chosen[..., 0]).mean()


def cross_entropy_gradient(logits, targets):
    """Return the derivative of `cross_entropy` with respect to every logit.

    Parameters
    ----------
    logits : ndarray, shape (..., vocab)
        As in `cross_entropy`.
    targets : ndarray of int, shape (...)
        As in `cross_entropy`.

    Returns
    -------
    ndarray of the dtype of `logits` (integers count as float64), shape (..., vocab)
        At every position ``softmax(logits)``, less 1 at the target, divided by the number of positions in all
        leading axes together.

    Raises
    ------
    ValueError
        As in `cross_entropy`.

    Source: Bishop 2006, "Pattern recognition and machine learning", section 4.3.4.
    """
    logits = _floating(logits)
    _check_targets(logits, targets)
    gradient = _softmax_in_place(logits.copy())                          # (..., vocab)
    gradient -= targets[..., None] == np.arange(logits.shape[-1])        # 1 at every target
    gradient /= targets.size
    return gradient


def attention_gradients(q, k, v, bias, upstream):
    """Return the derivatives of a loss with respect to queries, keys and values of an attention.

    Parameters
    ----------
    q, k : ndarray, shape (..., n, d)
        Queries and keys, equally many; scores of size 1e6 do no harm.
    v : ndarray, shape (..., n, d_v)
        Values. Integers count as float64, here and in the other arguments.
    bias : ndarray, any shape that broadcasts to (..., n, n) without enlarging it
        What was added to the scores, such as a distance penalty of ALiBi. ``-inf`` hides a key from a query;
        every query sees at least one key.
    upstream : ndarray, shape (..., n, d_v)
        The derivative of the loss with respect to ``softmax(q @ k^T / sqrt(d) + bias) @ v``.

    Returns
    -------
    dq, dk : ndarray, shape (..., n, d)
        The derivatives of the loss with respect to `q` and `k`, of the dtype of `q`.
    dv : ndarray, shape (..., n, d_v)
        The derivative with respect to `v`. What is hidden contributes 0, never NaN.

    Raises
    ------
    ValueError
        If `k` has not the shape of `q`, `v` not as many rows, `upstream` not the shape of `v`, or `bias` does
        not broadcast to (..., n, n); the message names the argument and shows its shape. Axes of size 1 do not
        stretch, except in `bias`.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.2.1; Dao et al. 2022,
    "FlashAttention", appendix B.2.
    """
    _check_attention(q, k, v, bias, upstream)
    q, k, v, upstream = (_floating(array) for array in (q, k, v, upstream))
    scale = q.shape[-1] ** -0.5
    q = q * scale                                         # (..., n, d), the scale of the scores and of dk
    scores = q @ k.swapaxes(-1, -2)                       # (..., n, n), one row per query
    scores += bias
    weights = _softmax_in_place(scores)
    dv = weights.swapaxes(-1, -2) @ upstream              # (..., n, d_v)
    change = upstream @ v.swapaxes(-1, -2)                # (..., n, n), derivatives of the weights
    change -= np.einsum("...ij,...ij->...i", change, weights)[..., None]
    change *= weights                                     # now of the scores
    dq = change @ k                                       # (..., n, d)
    dq *= scale
    return dq, change.swapaxes(-1, -2) @ q, dv


def _floating(array):
    """The array itself if it is of floats; integers become float64."""
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _softmax_in_place(scores):
    """Overwrite scores (..., n) with their exponentials, divided by the sum along the last axis."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _check_targets(logits, targets):
    *positions, vocab = logits.shape
    if targets.shape != tuple(positions):
        raise ValueError(f"targets must have shape {tuple(positions)} to fit logits, got {targets.shape}")
    outside = targets[(targets < 0) | (targets >= vocab)]
    if outside.size:
        raise ValueError(f"targets must be from 0 to {vocab - 1}, got {outside[0]}")


def _check_attention(q, k, v, bias, upstream):
    if k.shape != q.shape:
        raise ValueError(f"k must have the shape of q, {q.shape}, got {k.shape}")
    if v.shape[:-1] != q.shape[:-1]:
        raise ValueError(f"v must have as many rows as q, {q.shape}, got {v.shape}")
    if upstream.shape != v.shape:
        raise ValueError(f"upstream must have the shape of v, {v.shape}, got {upstream.shape}")
    scores = (*q.shape[:-1], q.shape[-2])
    try:
        np.broadcast_to(bias, scores)
    except ValueError:
        raise ValueError(f"bias must broadcast to {scores}, got {bias.shape}") from None
