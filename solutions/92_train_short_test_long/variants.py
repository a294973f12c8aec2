"""Other right answers to 92_train_short_test_long, and when you would want them."""
import math

import numpy as np


def _softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def _softmax_in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


class cross_entropy:
    def by_loops(logits, targets):
        """Take one position at a time, with math.log: the formula as written, good for checking another version.
        math.fsum rounds once. A plain sum rounds at every step."""
        losses = []
        for row, target in zip(logits.reshape(-1, logits.shape[-1]).tolist(), targets.ravel().tolist(), strict=True):
            highest = max(row)
            losses.append(math.log(math.fsum(math.exp(x - highest) for x in row)) + highest - row[target])
        return np.result_type(logits, 1.0).type(math.fsum(losses) / len(losses))

    def in_place(logits, targets):
        """Pick the target's logits first. Then one array of the size of the logits is enough, because np.exp overwrites
        it. The reference makes two. Good for large vocabularies."""
        highest = logits.max(axis=-1, keepdims=True)                           # (..., 1)
        chosen = np.take_along_axis(logits, targets[..., None], axis=-1) - highest
        powers = np.subtract(logits, highest, dtype=np.result_type(logits, 1.0))              # (..., vocab)
        np.exp(powers, out=powers)
        return (np.log(powers.sum(axis=-1)) - chosen[..., 0]).mean()


class cross_entropy_gradient:
    def in_place(logits, targets):
        """Turn one copy of the logits into powers, then probabilities, then the gradient, to save memory. It needs no
        array of zeros and ones: it subtracts 1 at one index per position, and no index repeats."""
        gradient = _softmax_in_place(logits.reshape(-1, logits.shape[-1]).astype(np.result_type(logits, 1.0)))
        gradient[np.arange(targets.size), targets.ravel()] -= 1                # (positions, vocab)
        gradient /= targets.size
        return gradient.reshape(logits.shape)

    def by_rows_of_the_identity(logits, targets):
        """Make the zeros and ones in one short call, np.eye(vocab)[targets]: row t of the identity has its 1 in column
        t. The identity has vocab squared entries, so this suits small vocabularies."""
        vocab = logits.shape[-1]
        return (_softmax(logits) - np.eye(vocab, dtype=bool)[targets]) / math.prod(logits.shape[:-1])


class attention_gradients:
    def by_einsum(q, k, v, bias, upstream):
        """Name the axes with letters, i for queries and j for keys, so you need not remember a transpose. np.einsum
        computes these sums without BLAS."""
        scale = q.shape[-1] ** -0.5
        w = _softmax(np.einsum("...id,...jd->...ij", q, k) * scale + bias)
        dw = np.einsum("...ie,...je->...ij", upstream, v)
        ds = w * (dw - np.einsum("...ij,...ij->...i", w, dw)[..., None]) * scale
        dq, dk = np.einsum("...ij,...jd->...id", ds, k), np.einsum("...ij,...id->...jd", ds, q)
        return dq, dk, np.einsum("...ij,...ie->...je", w, upstream)

    def by_jacobians(q, k, v, bias, upstream):
        """Write out the derivative of each softmax: diag(w) - w w^T, an (n, n) matrix per query. Its memory grows with
        n cubed, but shows where the average in the formula comes from."""
        scale, n = q.shape[-1] ** -0.5, q.shape[-2]
        w = _softmax(q @ k.swapaxes(-1, -2) * scale + bias)                    # (..., n, n)
        jacobian = w[..., :, None] * np.eye(n, dtype=w.dtype) - w[..., :, None] * w[..., None, :]
        dw = upstream @ v.swapaxes(-1, -2)                                     # (..., n, n)
        ds = (jacobian @ dw[..., None])[..., 0] * scale
        return ds @ k, ds.swapaxes(-1, -2) @ q, w.swapaxes(-1, -2) @ upstream

    def by_blocks_of_queries(q, k, v, bias, upstream):
        """Take a few queries at a time, as fused kernels do, so you need no (n, n) array. The average of a row equals
        the sum of upstream times the result, so a block of queries needs nothing from the others."""
        scale, n = q.shape[-1] ** -0.5, q.shape[-2]
        bias = np.broadcast_to(bias, (*q.shape[:-1], n))
        dq, dk, dv = (np.zeros(array.shape, np.result_type(q, 1.0)) for array in (q, k, v))
        for start in range(0, n, 4):
            rows = np.s_[..., start : start + 4, :]
            w = _softmax(q[rows] @ k.swapaxes(-1, -2) * scale + bias[rows])    # (..., 4, n)
            inner = (upstream[rows] * (w @ v)).sum(axis=-1, keepdims=True)     # (..., 4, 1)
            ds = w * (upstream[rows] @ v.swapaxes(-1, -2) - inner) * scale
            dq[rows] = ds @ k
            dk += ds.swapaxes(-1, -2) @ q[rows]
            dv += w.swapaxes(-1, -2) @ upstream[rows]
        return dq, dk, dv
