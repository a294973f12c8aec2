"""Other right answers to 92_train_short_test_long, and when one would want them."""
import math

import numpy as np


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _fitting_targets(logits, targets):
    if targets.shape != logits.shape[:-1]:
        raise ValueError(f"targets of shape {targets.shape} do not fit logits of shape {logits.shape}")
    for target in targets.ravel().tolist():
        if not 0 <= target < logits.shape[-1]:
            raise ValueError(f"targets must be words of the vocabulary, got {target}")
    return _floating(logits)


def _fitting(q, k, v, bias, upstream):
    if q.shape != k.shape:
        raise ValueError(f"q {q.shape} and k {k.shape} must have the same shape")
    if v.shape != upstream.shape:
        raise ValueError(f"v {v.shape} and upstream {upstream.shape} must have the same shape")
    if q.shape[:-1] != v.shape[:-1]:
        raise ValueError(f"q {q.shape} and v {v.shape} must have equally many rows")
    scores = (*q.shape[:-1], q.shape[-2])
    padded = (1,) * (len(scores) - bias.ndim) + bias.shape
    if len(padded) > len(scores) or any(b not in (1, s) for b, s in zip(padded, scores, strict=True)):
        raise ValueError(f"bias {bias.shape} must broadcast to {scores}")
    return [_floating(array) for array in (q, k, v, bias, upstream)]


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


class cross_entropy:
    def by_loops(logits, targets):
        """One position at a time, with math.log: the formula letter by letter, for checking a faster version.
        math.fsum rounds once where a sum rounds at every step."""
        logits = _fitting_targets(logits, targets)
        losses = []
        for row, target in zip(logits.reshape(-1, logits.shape[-1]).tolist(), targets.ravel().tolist(), strict=True):
            highest = max(row)
            losses.append(math.log(math.fsum(math.exp(x - highest) for x in row)) + highest - row[target])
        return logits.dtype.type(math.fsum(losses) / len(losses))

    def by_logaddexp(logits, targets):
        """np.logaddexp adds two numbers that are given by their logarithms, and its reduce adds a whole row: no
        maximum has to be subtracted. Short; slower than exp, sum and log, for it takes a logarithm per word."""
        logits = _fitting_targets(logits, targets)
        chosen = np.where(np.arange(logits.shape[-1]) == targets[..., None], logits, -np.inf).max(axis=-1)
        return np.mean(np.logaddexp.reduce(logits, axis=-1) - chosen)


class cross_entropy_gradient:
    def by_index(logits, targets):
        """Flatten the positions and subtract 1 at (position, target), one pair of indices per position: no array
        of zeros and ones is made. Plain -= will do, as no pair comes twice."""
        logits = _fitting_targets(logits, targets)
        gradient = _softmax(logits.reshape(-1, logits.shape[-1]))              # (positions, vocab)
        gradient[np.arange(targets.size), targets.ravel()] -= 1.0
        return (gradient / targets.size).reshape(logits.shape)

    def by_chain_rule(logits, targets):
        """Step by step backwards, as automatic differentiation does it: the mean, the logarithm, the softmax.
        -1/p grows without bound where p is small, so p is multiplied in before anything is summed."""
        logits = _fitting_targets(logits, targets)
        p = _softmax(logits)                                                   # (..., vocab)
        ones = np.eye(logits.shape[-1], dtype=logits.dtype)[targets]
        p_times_change = -ones / targets.size                                  # p * (-1/p) at the target
        return p_times_change - p * p_times_change.sum(axis=-1, keepdims=True)


class attention_gradients:
    def by_einsum(q, k, v, bias, upstream):
        """The letters name the axes, i queries and j keys, so no transpose has to be remembered. np.einsum does
        the three-axis sums without BLAS, which costs time for long sequences."""
        q, k, v, bias, upstream = _fitting(q, k, v, bias, upstream)
        scale = q.shape[-1] ** -0.5
        w = _softmax(np.einsum("...id,...jd->...ij", q, k) * scale + bias)
        dw = np.einsum("...ie,...je->...ij", upstream, v)
        ds = w * (dw - np.einsum("...ij,...ij->...i", w, dw)[..., None]) * scale
        dq, dk = np.einsum("...ij,...jd->...id", ds, k), np.einsum("...ij,...id->...jd", ds, q)
        return dq, dk, np.einsum("...ij,...ie->...je", w, upstream)

    def by_jacobians(q, k, v, bias, upstream):
        """The derivative of every softmax written out, diag(w) - w w^T, an (n, n) matrix per query. It needs n
        times the memory; it shows why a product by w and one sum per row do the same."""
        q, k, v, bias, upstream = _fitting(q, k, v, bias, upstream)
        scale, n = q.shape[-1] ** -0.5, q.shape[-2]
        w = _softmax(q @ k.swapaxes(-1, -2) * scale + bias)                    # (..., n, n)
        jacobian = w[..., :, None] * np.eye(n, dtype=w.dtype) - w[..., :, None] * w[..., None, :]
        dw = upstream @ v.swapaxes(-1, -2)                                     # (..., n, n)
        ds = (jacobian @ dw[..., None])[..., 0] * scale
        return ds @ k, ds.swapaxes(-1, -2) @ q, w.swapaxes(-1, -2) @ upstream

    def by_blocks_of_queries(q, k, v, bias, upstream):
        """A few queries at a time, the scores of a block made, used and thrown away, as fused kernels do it. The
        sum of weights times derivatives is that of upstream times the result: no (n, n) array is needed for it."""
        q, k, v, bias, upstream = _fitting(q, k, v, bias, upstream)
        scale, n = q.shape[-1] ** -0.5, q.shape[-2]
        bias = np.broadcast_to(bias, (*q.shape[:-1], n))
        dq, dk, dv = np.empty_like(q), np.zeros_like(k), np.zeros_like(v)
        for start in range(0, n, 4):
            rows = np.s_[..., start : start + 4, :]
            w = _softmax(q[rows] @ k.swapaxes(-1, -2) * scale + bias[rows])    # (..., 4, n)
            inner = (upstream[rows] * (w @ v)).sum(axis=-1, keepdims=True)     # (..., 4, 1)
            ds = w * (upstream[rows] @ v.swapaxes(-1, -2) - inner) * scale
            dq[rows] = ds @ k
            dk += ds.swapaxes(-1, -2) @ q[rows]
            dv += w.swapaxes(-1, -2) @ upstream[rows]
        return dq, dk, dv

    def by_pairs(q, k, v, bias, upstream):
        """One query and one key at a time, hidden ones left out: every product of the formula stands there once.
        Good for checking a vectorised version; slow beyond a few dozen positions."""
        q, k, v, bias, upstream = _fitting(q, k, v, bias, upstream)
        scale, n = q.shape[-1] ** -0.5, q.shape[-2]
        bias = np.broadcast_to(bias, (*q.shape[:-1], n))
        dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
        for at in np.ndindex(q.shape[:-1]):
            seen = [(*at[:-1], j) for j in range(n) if bias[(*at, j)] > -np.inf]
            scores = [float(q[at] @ k[key]) * scale + float(bias[(*at, key[-1])]) for key in seen]
            powers = [math.exp(score - max(scores)) for score in scores]
            weights = [power / sum(powers) for power in powers]
            changes = [float(upstream[at] @ v[key]) for key in seen]
            mean = sum(w * change for w, change in zip(weights, changes, strict=True))
            for key, w, change in zip(seen, weights, changes, strict=True):
                slope = w * (change - mean) * scale
                dq[at] += slope * k[key]
                dk[key] += slope * q[at]
                dv[key] += w * upstream[at]
        return dq, dk, dv
