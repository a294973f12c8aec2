"""Biases that the text itself makes: forgetting gates (kata 54) and contextual positions (kata 55).

Their gradients go back to numbers of the scheme, to queries and keys, and to the input of the layer.
"""
import numpy as np

from lab.schemes.base import Scheme, score_gradients


class Forgetting(Scheme):
    """Every token and head has a gate between 0 and 1, the sigmoid of a linear function of the layer's input.

    As in the released code, the biases of that function start at 0. Its weights start like those of other matrices.
    """

    uses = ("log_forget_gates", "forgetting_bias")

    def shapes(self):
        sizes = {"gates": (self.config.width, self.config.heads), "gate_bias": (self.config.heads,)}
        return {f"{layer}.{kind}": size for layer in range(self.config.layers) for kind, size in sizes.items()}

    def initial(self, seed):
        return {name: np.zeros(size) for name, size in self.shapes().items() if name.endswith("gate_bias")}

    def logits(self, params, layer, x):
        """What the sigmoid turns into gates: (b, h, n)."""
        return (x @ params[f"{layer}.gates"] + params[f"{layer}.gate_bias"]).swapaxes(1, 2)

    def bias(self, params, layer, x, q, k):
        log_gates = self.functions.log_forget_gates(self.logits(params, layer, x))         # (b, h, n)
        return self.narrowed(self.functions.forgetting_bias(log_gates))                    # (b, h, n, n)

    def attention_backward(self, params, grads, layer, known, dq, dk):
        x, _, _, v, weights, upstream = known
        dscores = score_gradients(weights, upstream @ v.swapaxes(-1, -2))                  # (b, h, n, n)
        # The bias of query i and key j is total[i] - total[j], where total adds up the log gates 0 to i.
        dtotal = dscores.sum(axis=-1) - dscores.sum(axis=-2)                               # (b, h, n)
        dlog_gates = dtotal[..., ::-1].cumsum(axis=-1)[..., ::-1]                          # (b, h, n)
        # The derivative of log(sigmoid(z)) is 1 - sigmoid(z).
        dlogits = dlog_gates * sigmoid(-self.logits(params, layer, x))                     # (b, h, n)
        dlogits = dlogits.swapaxes(1, 2)                                                   # (b, n, h)
        grads[f"{layer}.gates"][...] = np.einsum("bnd,bnh->dh", x, dlogits)
        grads[f"{layer}.gate_bias"][...] = dlogits.sum(axis=(0, 1))
        return dq, dk, dlogits @ params[f"{layer}.gates"].T                                # (b, n, d)


class Cope(Scheme):
    """The position of a key is counted in gates, which the scores make; a table is read there.

    As in the listing of the paper, every layer has one table for all its heads, and it starts at 0. Here it has a row
    for the positions 0 to half the training length: 0 to 32 for texts of 64. The gates of a key and of all that follow
    add up to 32 if their mean is 1/2 in a text of 64. Farther positions read the last row.
    """

    uses = ("gated_positions", "position_logits")

    @property
    def count(self):
        """Rows of the table."""
        return max(2, self.config.train_length // 2 + 1)

    def shapes(self):
        return {f"{layer}.counted": (self.count, self.config.d_head) for layer in range(self.config.layers)}

    def initial(self, seed):
        return {name: np.zeros(size) for name, size in self.shapes().items()}

    def bias(self, params, layer, x, q, k):
        positions = self.positions(q, k)                                                   # (b, h, n, n)
        found = self.narrowed(self.functions.position_logits(q, params[f"{layer}.counted"], positions))
        return found + super().bias(params, layer, x, q, k)                                # (b, h, n, n)

    def positions(self, q, k):
        """How much each query counts back to each key: (b, h, n, n)."""
        return self.narrowed(self.functions.gated_positions(scaled(q, k)))

    def attention_backward(self, params, grads, layer, known, dq, dk):
        _, q, k, v, weights, upstream = known
        table = params[f"{layer}.counted"]                                                 # (P, d_head)
        dbias = score_gradients(weights, upstream @ v.swapaxes(-1, -2))                    # (b, h, n, n)
        place = np.minimum(self.positions(q, k), self.count - 1)                           # (b, h, n, n)
        below = place.astype(np.intp)                                                      # the row before, and
        above = np.minimum(below + 1, self.count - 1)                                      # the row after it
        share = place - below                                                              # how far between them

        # Through the rows: bias = (1 - share) * (q . row below) + share * (q . row above)
        dproducts = (scattered(below, dbias * (1 - share), self.count)
                     + scattered(above, dbias * share, self.count)).astype(q.dtype)        # (b, h, n, P)
        grads[f"{layer}.counted"][...] = np.einsum("bhnp,bhnd->pd", dproducts, q)
        dq = dq + dproducts @ table

        # Through the place: at the last row there is no row above, so the difference is 0
        products = q @ table.T                                                             # (b, h, n, P)
        dplace = dbias * (np.take_along_axis(products, above, -1) - np.take_along_axis(products, below, -1))
        # Query i counts the gate of key l for the keys j up to l, and it has no gates after itself.
        dgates = np.tril(dplace.cumsum(axis=-1))                                           # (b, h, n, n)
        gates = sigmoid(scaled(q, k))                                                      # (b, h, n, n)
        dscores = dgates * gates * (1 - gates) * q.dtype.type(q.shape[-1] ** -0.5)         # (b, h, n, n)
        return dq + dscores @ k, dk + dscores.swapaxes(-1, -2) @ q, None


def scaled(q, k):
    """The scores of q and k (b, h, n, d_head) before any bias: (b, h, n, n)."""
    return q @ k.swapaxes(-1, -2) * q.dtype.type(q.shape[-1] ** -0.5)


def sigmoid(z):
    """1 / (1 + exp(-z)), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * z))


def scattered(places, numbers, count):
    """Add up the numbers (..., n, n) of each query by their place in 0..count - 1: (..., n, count)."""
    *leading, n = places.shape
    queries = int(np.prod(leading))
    flat = places.reshape(queries, n) + count * np.arange(queries)[:, None]                # (queries, n)
    return np.bincount(flat.ravel(), numbers.ravel(), queries * count).reshape(*leading, count)
