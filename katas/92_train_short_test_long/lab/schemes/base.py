"""The model without positions, and what a scheme may change in it.

b, n, h, d and d_head are as in model.py.
"""
import numpy as np


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

    def bias(self, params, layer, x, q, k):
        """What is added to the scores, -inf for keys after the query: anything that broadcasts to (b, h, n, n).

        x (b, n, d) is what q and k (b, h, n, d_head) are made of.
        """
        return self.once("bias", q.shape[-2], causal_mask)

    def extra(self, params, layer, weights):
        """What the weights (b, h, n, n) collect besides the values: (b, h, n, d_head), or None."""
        return None

    def begin_backward(self, grads):
        """Clear what the layers will add to."""

    def attention_backward(self, params, grads, layer, known, dq, dk):
        """Write the gradients of the scheme's own parameters.

        Returns dq and dk with what the bias adds to them, and the gradient (b, n, d) that reaches x through the bias,
        or None. `known` has x, q, k, v, the weights and the gradient of the result.
        """
        return dq, dk, None


def causal_mask(n):
    """(n, n): 0 where the key is not after the query, else -inf."""
    return np.triu(np.full((n, n), -np.inf), 1)


def score_gradients(weights, dweights):
    """Back through the softmax: from weights (..., n, n) and their gradients to the gradients of the scores."""
    along = np.einsum("...ij,...ij->...i", weights, dweights)                              # (..., n)
    return weights * (dweights - along[..., None])
