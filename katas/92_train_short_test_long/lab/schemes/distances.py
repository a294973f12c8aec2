"""Vectors and numbers for distances, in the scores."""
import numpy as np

from lab.schemes.base import Scheme, causal_mask, score_gradients

SHAW_REACH = 16                                  # K of kata 41; farther keys share a vector
T5_BUCKETS = 16                                  # T5 has 32


class Shaw(Scheme):
    """A vector per distance is added to the keys, another to the values; every layer has two tables of its own."""

    uses = ("gather_relative", "relative_index")

    def shapes(self):
        rows = (2 * SHAW_REACH + 1, self.config.d_head)
        return {f"{layer}.{kind}": rows for layer in range(self.config.layers) for kind in ("for_keys", "for_values")}

    def bias(self, params, layer, x, q, k):
        b, n, d_head = len(q), *q.shape[-2:]
        rows = self.gathered(params[f"{layer}.for_keys"], n)                               # (n, n, d_head)
        products = by_query(q) @ rows.swapaxes(1, 2)                                       # (n, b * h, n)
        products *= d_head**-0.5
        return back_from(products, b) + super().bias(params, layer, x, q, k)

    def extra(self, params, layer, weights):
        rows = self.gathered(params[f"{layer}.for_values"], weights.shape[-1])             # (n, n, d_head)
        return back_from(by_query(weights) @ rows, len(weights))

    def attention_backward(self, params, grads, layer, known, dq, dk):
        _, q, k, v, weights, upstream = known
        b, n, d_head = len(q), *q.shape[-2:]
        scale = d_head**-0.5
        key_rows, value_rows = (                                                           # (n, n, d_head) each
            self.gathered(params[f"{layer}.{kind}"], n) for kind in ("for_keys", "for_values"))
        # The way back is linear in the gradient of the weights. attention_gradients knew the part that comes
        # through v; the part that comes through the vectors for values is added to it.
        dweights = back_from(by_query(upstream) @ value_rows.swapaxes(1, 2), b)            # (b, h, n, n)
        dscores = score_gradients(weights, dweights) * scale                               # (b, h, n, n)
        dq = dq + dscores @ k
        dk = dk + dscores.swapaxes(-1, -2) @ q
        # The bias q . a_ij has both parts.
        dscores += score_gradients(weights, upstream @ v.swapaxes(-1, -2)) * scale
        dscores = by_query(dscores)                                                        # (n, b * h, n)
        dq += back_from(dscores @ key_rows, b)
        grads[f"{layer}.for_keys"][...] = self.by_distance(dscores.swapaxes(1, 2) @ by_query(q))
        grads[f"{layer}.for_values"][...] = self.by_distance(by_query(weights).swapaxes(1, 2) @ by_query(upstream))
        return dq, dk, None

    def gathered(self, table, n):
        """The vector of every query and key: (n, n, d_head)."""
        return self.narrowed(self.functions.gather_relative(table, n))

    def by_distance(self, pairs):
        """Add up vectors (n, n, d_head) of queries and keys that share a row of the table."""
        n = len(pairs)
        chosen = self.once("chosen", n, self.chosen)
        return chosen @ pairs.reshape(n * n, -1)

    def chosen(self, n):
        """(2K + 1, n * n): 1 where a query and a key are at the distance of the row."""
        return np.arange(2 * SHAW_REACH + 1)[:, None] == self.functions.relative_index(n, n, SHAW_REACH).ravel()


def by_query(x):
    """(b, h, n, m) -> (n, b * h, m): one matrix per query, to be multiplied with the vectors of that query."""
    b, h, n, m = x.shape
    return np.ascontiguousarray(x.reshape(b * h, n, m).swapaxes(0, 1))


def back_from(x, b):
    """(n, b * h, m) -> (b, h, n, m)"""
    n, rows, m = x.shape
    return np.ascontiguousarray(x.swapaxes(0, 1)).reshape(b, rows // b, n, m)


class T5(Scheme):
    """A number per bucket of distances and head, in one table for all layers.

    T5 has 32 buckets, a maximum distance of 128 and training texts of 512 tokens. Here there are 16 buckets and the
    maximum distance is half the training length: 32 for texts of 64, so that the last bucket begins at distance 27.
    Training reaches every bucket; one that it did not reach would keep its first value, 0.
    """

    uses = ("t5_bias", "relative_position_bucket")

    def shapes(self):
        return {"buckets": (T5_BUCKETS, self.config.heads)}

    def initial(self, seed):
        return {"buckets": np.zeros(self.shapes()["buckets"])}

    @property
    def max_distance(self):
        return max(T5_BUCKETS // 2 + 1, self.config.train_length // 2)

    def bias(self, params, layer, x, q, k):
        n = q.shape[-2]
        table = self.functions.t5_bias(
            params["buckets"], n, bidirectional=False, max_distance=self.max_distance)     # (h, n, n)
        return self.narrowed(table) + super().bias(params, layer, x, q, k)

    def begin_backward(self, grads):
        grads["buckets"][...] = 0

    def attention_backward(self, params, grads, layer, known, dq, dk):
        _, _, _, v, weights, upstream = known
        h, n = weights.shape[1:3]
        dscores = score_gradients(weights, upstream @ v.swapaxes(-1, -2)).sum(axis=0)      # (h, n, n)
        chosen = self.once("chosen", n, self.chosen)
        grads["buckets"] += chosen @ dscores.reshape(h, n * n).T
        return dq, dk, None

    def chosen(self, n):
        """(buckets, n * n): 1 where a query and a key are in the bucket of the row."""
        ahead = np.arange(n) - np.arange(n)[:, None]                                       # (n, n) key minus query
        found = self.functions.relative_position_bucket(
            ahead, bidirectional=False, num_buckets=T5_BUCKETS, max_distance=self.max_distance)
        return np.arange(T5_BUCKETS)[:, None] == found.ravel()


class Alibi(Scheme):
    uses = ("alibi_bias",)

    def bias(self, params, layer, x, q, k):
        return self.once("bias", q.shape[-2], lambda n: self.functions.alibi_bias(self.config.heads, n))


class Sandwich(Scheme):
    uses = ("sandwich_bias",)

    def bias(self, params, layer, x, q, k):
        return self.once("bias", q.shape[-2], self.masked)

    def masked(self, n):
        return self.functions.sandwich_bias(self.config.heads, n) + causal_mask(n)         # (h, n, n)
