"""The gradients that a NumPy transformer needs: those of the cross-entropy and of attention with a bias."""
import numpy as np


def cross_entropy(logits, targets):
    """Return the mean loss of a model, which is how much the targets surprise it, in nats.

    Parameters
    ----------
    logits : ndarray, shape (..., vocab)
        One score per position and word of the vocabulary. Logits may be as large as 1e6.
    targets : ndarray of int, shape (...)
        The index of the target at each position, from 0 to ``vocab - 1``.

    Returns
    -------
    float
        The mean of ``-log(softmax(logits)[target])`` over all positions of all leading axes. Without leading
        axes there is one position.

    Source: Goodfellow et al. 2016, "Deep learning", section 6.2.2.3.
    """
    # TODO 1: the mean of log(sum of exp(logits)) minus the target's logit, without overflow.  (...) -> float
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
    ndarray, shape (..., vocab), float32 for float32
        At each position ``softmax(logits)``, minus 1 at the target, divided by the number of positions in all
        leading axes together.

    Source: Bishop 2006, "Pattern recognition and machine learning", section 4.3.4.
    """
    # TODO 2: softmax, minus 1 at every target, divided by the number of positions.            (..., vocab)
    raise NotImplementedError("cross_entropy_gradient")


def attention_gradients(q, k, v, bias, upstream):
    """Return the derivatives of a loss with respect to the queries, keys and values of attention.

    Parameters
    ----------
    q, k : ndarray, shape (..., n, d)
        Queries and keys, as many of one as of the other. Scores may be as large as 1e6.
    v : ndarray, shape (..., n, d_v)
        Values.
    bias : ndarray, any shape that broadcasts to (..., n, n) without enlarging it
        Added to the scores, such as the penalty of ALiBi. ``-inf`` hides a key from a query. Every query sees at
        least one key.
    upstream : ndarray, shape (..., n, d_v)
        The derivative of the loss with respect to ``softmax(q @ k^T / sqrt(d) + bias) @ v``.

    Returns
    -------
    dq, dk : ndarray, shape (..., n, d), float32 for float32
        The derivatives of the loss with respect to `q` and `k`.
    dv : ndarray, shape (..., n, d_v), float32 for float32
        The derivative with respect to `v`. A hidden key adds 0 to all three, never NaN.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.2.1; Dao et al. 2022,
    "FlashAttention", appendix B.2.
    """
    # TODO 3: the weights (..., n, n) again, without overflow, and from them dv.               (..., n, d_v)
    # TODO 4: back through the weighted sum, the softmax and the scaled product: dq and dk.    (..., n, d)
    raise NotImplementedError("attention_gradients")
