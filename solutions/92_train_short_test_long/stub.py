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
    # TODO 1: refuse targets of another shape, and targets outside the vocabulary.
    # TODO 2: the mean of log(sum of exp(logits)) less the target's logit, without overflow.     (...) -> float
    raise NotImplementedError("cross_entropy")


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
    # TODO 3: refuse what `cross_entropy` refuses.
    # TODO 4: softmax, less 1 at every target, divided by the number of positions.               (..., vocab)
    raise NotImplementedError("cross_entropy_gradient")


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
    # TODO 5: refuse arrays that do not fit, and a bias that does not broadcast to (..., n, n).
    # TODO 6: make the weights once more, without overflow; from them and upstream comes dv.     (..., n, n)
    # TODO 7: back through the weighted sum, the softmax and the scaled product: dq and dk.      (..., n, d)
    raise NotImplementedError("attention_gradients")
