"""What each position scheme does to the model of model.py: rows added, vectors turned, or scores biased.

The encodings are functions of the katas, such as `functions.alibi_bias`. This file applies them to the model and
computes the gradients of their trained numbers. b, n, h and d_head are as in model.py.
"""
import numpy as np

SHAW_REACH = 16                                  # K of kata 41; farther keys share a vector
T5_BUCKETS = 16                                  # T5 has 32


class Scheme:
    """No positions but the causal mask ("none"); the other schemes override what they change."""

    uses = ()                                    # functions of the katas

    def __init__(self, config, functions):
        self.config = config
        self.functions = functions
        self.known = {}                          # arrays that depend on n only, made once for every n

    def once(self, what, n, make):
        """`make(n)` in the model's precision, computed once per n."""
        if (what, n) not in self.known:
            self.known[what, n] = np.asarray(make(n)).astype(self.config.dtype)
        return self.known[what, n]

    def narrowed(self, array):
        """The result of a kata's function in the model's precision: the function may have widened it."""
        return array.astype(self.config.dtype, copy=False)

    # What is trained

    def shapes(self):
        """{name: shape} of the scheme's own parameters."""
        return {}

    def initial(self, seed):
        """{name: array} for the parameters that do not start like a random matrix."""
        return {}

    # Rows added to the embeddings

    def rows(self, params, n):
        """What is added to the embeddings (b, n, d): (n, d), or None."""
        return None

    def rows_backward(self, grads, upstream):
        """From the gradient (b, n, d) with respect to the embeddings."""

    # Queries and keys turned

    def turn(self, q, k):
        """Queries and keys (b, h, n, d_head) as they enter the scores."""
        return q, k

    def turn_back(self, dq, dk):
        """Turn the gradients of what `turn` returned into those of its arguments."""
        return dq, dk

    # Scores biased

    def bias(self, params, layer, q):
        """What is added to the scores, -inf for keys after the query: anything that broadcasts to (b, h, n, n)."""
        return self.once("bias", q.shape[-2], causal_mask)

    def extra(self, params, layer, weights):
        """What the weights (b, h, n, n) collect besides the values: (b, h, n, d_head), or None."""
        return None

    def begin_backward(self, grads):
        """Clear what the layers will add to."""

    def attention_backward(self, params, grads, layer, known, dq, dk):
        """Write the gradients of the scheme's own parameters; return dq, dk with what the bias adds to them."""
        return dq, dk


def causal_mask(n):
    """(n, n): 0 where the key is not after the query, else -inf."""
    return np.triu(np.full((n, n), -np.inf), 1)


def score_gradients(weights, dweights):
    """Back through the softmax: from weights (..., n, n) and their gradients to the gradients of the scores."""
    along = np.einsum("...ij,...ij->...i", weights, dweights)                              # (..., n)
    return weights * (dweights - along[..., None])


# Tables of rows

class Sinusoidal(Scheme):
    uses = ("positional_encoding",)

    def rows(self, params, n):
        return self.once("rows", n, lambda n: self.functions.positional_encoding(n, self.config.width))


class Learned(Scheme):
    """A table with a row for each training position; for longer texts it is stretched, as in kata 32."""

    uses = ("init_table", "look_up", "table_gradient", "interpolate_table")

    def shapes(self):
        return {"positions": (self.config.train_length, self.config.width)}

    def initial(self, seed):
        # Another seed than the model's, which would give the numbers of the token embeddings
        return {"positions": self.functions.init_table(*self.shapes()["positions"], seed=seed + 1_000_000)}

    def rows(self, params, n):
        table = params["positions"]
        if n > len(table):
            return self.narrowed(self.functions.interpolate_table(table, n))
        return self.narrowed(self.functions.look_up(table, n))

    def rows_backward(self, grads, upstream):
        b, n, _ = upstream.shape
        ids = np.tile(np.arange(n), (b, 1))                                                # (b, n)
        grads["positions"][...] = self.functions.table_gradient(ids, upstream, len(grads["positions"]))


# Vectors and numbers for distances

class Shaw(Scheme):
    """A vector per distance is added to the keys, another to the values; every layer has two tables of its own."""

    uses = ("gather_relative", "relative_index")

    def shapes(self):
        rows = (2 * SHAW_REACH + 1, self.config.d_head)
        return {f"{layer}.{kind}": rows for layer in range(self.config.layers) for kind in ("for_keys", "for_values")}

    def bias(self, params, layer, q):
        b, n, d_head = len(q), *q.shape[-2:]
        rows = self.gathered(params[f"{layer}.for_keys"], n)                               # (n, n, d_head)
        products = by_query(q) @ rows.swapaxes(1, 2)                                       # (n, b * h, n)
        products *= d_head**-0.5
        return back_from(products, b) + super().bias(params, layer, q)

    def extra(self, params, layer, weights):
        rows = self.gathered(params[f"{layer}.for_values"], weights.shape[-1])             # (n, n, d_head)
        return back_from(by_query(weights) @ rows, len(weights))

    def attention_backward(self, params, grads, layer, known, dq, dk):
        q, k, v, weights, upstream = known
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
        return dq, dk

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

    def bias(self, params, layer, q):
        n = q.shape[-2]
        table = self.functions.t5_bias(
            params["buckets"], n, bidirectional=False, max_distance=self.max_distance)     # (h, n, n)
        return self.narrowed(table) + super().bias(params, layer, q)

    def begin_backward(self, grads):
        grads["buckets"][...] = 0

    def attention_backward(self, params, grads, layer, known, dq, dk):
        _, _, v, weights, upstream = known
        h, n = weights.shape[1:3]
        dscores = score_gradients(weights, upstream @ v.swapaxes(-1, -2)).sum(axis=0)      # (h, n, n)
        chosen = self.once("chosen", n, self.chosen)
        grads["buckets"] += chosen @ dscores.reshape(h, n * n).T
        return dq, dk

    def chosen(self, n):
        """(buckets, n * n): 1 where a query and a key are in the bucket of the row."""
        ahead = np.arange(n) - np.arange(n)[:, None]                                       # (n, n) key minus query
        found = self.functions.relative_position_bucket(
            ahead, bidirectional=False, num_buckets=T5_BUCKETS, max_distance=self.max_distance)
        return np.arange(T5_BUCKETS)[:, None] == found.ravel()


class Alibi(Scheme):
    uses = ("alibi_bias",)

    def bias(self, params, layer, q):
        return self.once("bias", q.shape[-2], lambda n: self.functions.alibi_bias(self.config.heads, n))


class Sandwich(Scheme):
    uses = ("sandwich_bias",)

    def bias(self, params, layer, q):
        return self.once("bias", q.shape[-2], self.masked)

    def masked(self, n):
        return self.functions.sandwich_bias(self.config.heads, n) + causal_mask(n)         # (h, n, n)


# Rotations

class Rope(Scheme):
    """Every pair of columns of a query or key is turned by an angle.

    `apply_rope` turns a vector of a single pair by its position in radians. So each pair is passed as a vector, with
    its angle as the position: the same function serves all frequencies.
    """

    uses = ("apply_rope", "rope_frequencies")

    def frequencies(self, n):
        """Radians per position (d_head / 2,) in texts of n tokens."""
        return self.functions.rope_frequencies(self.config.d_head)

    def factor(self, n):
        """What queries and keys are multiplied by."""
        return 1.0

    def turned(self, x, direction):
        """x (..., n, d_head), every pair turned by its angle, forwards (1) or backwards (-1)."""
        n = x.shape[-2]
        angles = np.outer(np.arange(n), self.frequencies(n))                               # (n, d_head / 2)
        pairs = x.reshape(*x.shape[:-1], -1, 2)                                            # (..., n, d_head / 2, 2)
        return self.functions.apply_rope(pairs, direction * angles).reshape(x.shape)

    def turn(self, q, k):
        factor = q.dtype.type(self.factor(q.shape[-2]))
        return self.turned(q, 1) * factor, self.turned(k, 1) * factor

    def turn_back(self, dq, dk):
        factor = dq.dtype.type(self.factor(dq.shape[-2]))
        return self.turned(dq, -1) * factor, self.turned(dk, -1) * factor


class RopeInterpolation(Rope):
    """Trained as rope. In longer texts the positions are squeezed into the training range."""

    uses = (*Rope.uses, "interpolated_frequencies")

    def frequencies(self, n):
        if n <= self.config.train_length:
            return super().frequencies(n)
        return self.functions.interpolated_frequencies(self.config.d_head, n / self.config.train_length)


class RopeYarn(Rope):
    """Trained as rope. In longer texts fast pairs keep their speed, slow ones are squeezed, and scores are scaled."""

    uses = (*Rope.uses, "yarn_frequencies", "yarn_attention_factor")

    def frequencies(self, n):
        if n <= self.config.train_length:
            return super().frequencies(n)
        train_length = self.config.train_length
        return self.functions.yarn_frequencies(self.config.d_head, n / train_length, train_length)

    def factor(self, n):
        return self.functions.yarn_attention_factor(max(n / self.config.train_length, 1.0))


SCHEMES = {
    "none": Scheme, "sinusoidal": Sinusoidal, "learned": Learned, "shaw": Shaw, "t5": T5, "alibi": Alibi,
    "sandwich": Sandwich, "rope": Rope, "rope+interpolation": RopeInterpolation, "rope+yarn": RopeYarn}
