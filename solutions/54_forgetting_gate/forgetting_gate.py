"""The forget gate: a bias on attention scores that each token of the text makes itself."""
import numpy as np


def log_forget_gates(logits):
    """Return the logarithm of every forget gate.

    Parameters
    ----------
    logits : ndarray, shape (...)
        Numbers from -10000 to 700, for example one per head and token. The gate is their sigmoid,
        ``1 / (1 + exp(-logits))``: 1 keeps everything before this token, 0 forgets everything before it.

    Returns
    -------
    ndarray, shape (...)
        ``log(sigmoid(logits))``, which is never above 0. Nine digits are right, however near to 0 it is.

    Source: Lin et al. 2025, "Forgetting Transformer: softmax attention with a forget gate".
    """
    # exp(-|x|) cannot overflow, and log1p keeps the digits of a small number
    return np.minimum(logits, 0.0) - np.log1p(np.exp(-np.abs(logits)))      # (...)


def forgetting_bias(log_gates):
    """Return what the gates between a key and a query add to their score.

    Parameters
    ----------
    log_gates : ndarray, shape (..., n)
        Logarithms of the forget gates, one per token. They are finite.

    Returns
    -------
    ndarray, shape (..., n, n)
        ``[..., i, j]`` is the sum of ``log_gates[..., l]`` for l = j + 1..i: 0 for the query's own key, -inf for
        keys after the query, j > i.

    Source: Lin et al. 2025, "Forgetting Transformer: softmax attention with a forget gate".
    """
    sums = np.cumsum(log_gates, axis=-1)                                    # (..., n)
    bias = sums[..., :, None] - sums[..., None, :]                          # (..., n, n)
    return np.where(np.tri(log_gates.shape[-1], dtype=bool), bias, -np.inf)     # (..., n, n)


def forgetting_attention(q, k, v, log_gates):
    """Return the output of causal attention that forgets as its gates say.

    Parameters
    ----------
    q, k : ndarray, shape (H, n, d)
        Queries and keys of `H` heads.
    v : ndarray, shape (H, n, d_v)
        Values; their width may differ from `d`.
    log_gates : ndarray, shape (H, n)
        Logarithms of the forget gates, one per head and token.

    Returns
    -------
    ndarray, shape (H, n, d_v)
        ``softmax(q k^T / sqrt(d) + forgetting_bias(log_gates)) v``.

    Source: Lin et al. 2025, "Forgetting Transformer: softmax attention with a forget gate".
    """
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])                  # (H, n, n)
    scores = scores + forgetting_bias(log_gates)                            # (H, n, n)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))           # (H, n, n) none above 1
    weights = weights / weights.sum(axis=-1, keepdims=True)                 # (H, n, n)
    return weights @ v                                                      # (H, n, d_v)
