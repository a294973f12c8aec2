"""A small causal transformer in NumPy, with its backward pass written by hand, and Adam to train it.

What differs from one position scheme to another is in the folder schemes. Shapes are written with b texts of n tokens,
width d, h heads of width d_head = d / h.
"""
from dataclasses import dataclass

import numpy as np

EPSILON = 1e-5                                   # avoids a division by 0 for a row of zeros
TOKEN_STD = 0.3                                  # the best or nearly the best of 0.1, 0.3 and 1 for all schemes tried


@dataclass(frozen=True)
class Config:
    """The sizes of a model; `train_length` is the number of tokens in the texts of training."""

    vocab: int
    width: int = 64
    heads: int = 4
    layers: int = 2
    hidden: int = 256
    train_length: int = 64
    dtype: str = "float32"

    @property
    def d_head(self):
        return self.width // self.heads


# Parameters: named views of one long vector, so that Adam and clipping are a few operations on that vector

def shapes(config, scheme):
    """{name: shape} of everything that is trained, those of the scheme last."""
    d, hidden = config.width, config.hidden
    found = {"tokens": (config.vocab, d), "final_gain": (d,), "unembed": (d, config.vocab)}
    for layer in range(config.layers):
        found |= {
            f"{layer}.attention_gain": (d,), f"{layer}.qkv": (d, 3 * d), f"{layer}.merge": (d, d),
            f"{layer}.mlp_gain": (d,), f"{layer}.widen": (d, hidden), f"{layer}.narrow": (hidden, d)}
    return found | scheme.shapes()


def views(vector, wanted):
    """{name: view of `vector`} for the shapes `wanted`, one after the other."""
    found, start = {}, 0
    for name, shape in wanted.items():
        size = int(np.prod(shape))
        found[name] = vector[start : start + size].reshape(shape)
        start += size
    return found


def initial(config, scheme, seed):
    """Return the vector of all parameters before training, and its views.

    The weights that all schemes share are drawn first, so for one seed all models start with the same ones.
    """
    wanted = shapes(config, scheme)
    vector = np.zeros(sum(int(np.prod(shape)) for shape in wanted.values()), config.dtype)
    params = views(vector, wanted)
    rng = np.random.default_rng(seed)
    own = scheme.initial(seed)
    for name, array in params.items():
        kind = name.split(".")[-1]
        if name in own:
            array[...] = own[name]
        elif kind.endswith("gain"):
            array[...] = 1.0
        elif kind == "tokens":
            array[...] = rng.normal(scale=TOKEN_STD, size=array.shape)
        else:
            # entries of a product then have about the size of the input's entries; what is added to the residual
            # stream is smaller by the root of the number of additions, as in GPT-2
            std = len(array) ** -0.5 / ((2 * config.layers) ** 0.5 if kind in ("merge", "narrow") else 1.0)
            array[...] = rng.normal(scale=std, size=array.shape)
    return vector, params


# The parts and their gradients

def rms_norm(x, gain):
    """x (rows, d) over the root of its mean square, times gain (d,); `rms_norm_backward` needs the factor (rows, 1)."""
    factor = 1 / np.sqrt(np.einsum("rd,rd->r", x, x)[:, None] / x.shape[-1] + EPSILON)     # (rows, 1)
    return x * factor * gain, factor


def rms_norm_backward(x, gain, factor, upstream):
    """The gradients with respect to x (rows, d) and to gain (d,)."""
    normed = x * factor                                                                    # (rows, d)
    by_gain = np.einsum("rd,rd->d", upstream, normed)                                      # (d,)
    upstream = upstream * gain                                                             # (rows, d)
    along = np.einsum("rd,rd->r", upstream, normed)[:, None] / x.shape[-1]                 # (rows, 1)
    upstream -= normed * along
    upstream *= factor
    return upstream, by_gain


def softmax_in_place(scores):
    """Turn scores (..., n) into weights; -inf becomes 0."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def split_heads(x, b, n, h):
    """(b * n, d) -> (b, h, n, d_head)"""
    return x.reshape(b, n, h, -1).transpose(0, 2, 1, 3)


def merge_heads(x):
    """(b, h, n, d_head) -> (b * n, d)"""
    b, h, n, d_head = x.shape
    return x.transpose(0, 2, 1, 3).reshape(b * n, h * d_head)


def one_hot_sum(ids, rows, count):
    """Add up the rows (m, d) with the same id (m,): (count, d). A product is faster than adding row by row."""
    chosen = (np.arange(count)[:, None] == ids).astype(rows.dtype)                         # (count, m)
    return chosen @ rows


# The whole model

def forward(config, scheme, params, tokens):
    """Return the logits (b, n, vocab) for tokens (b, n), and what `backward` needs."""
    b, n = tokens.shape
    x = params["tokens"][tokens]                                                           # (b, n, d)
    rows = scheme.rows(params, n)
    if rows is not None:
        x = x + rows
    x = x.reshape(b * n, -1)                                                               # (b * n, d)
    kept = []
    for layer in range(config.layers):
        of = {name.split(".")[-1]: array for name, array in params.items() if name.startswith(f"{layer}.")}
        normed, factor = rms_norm(x, of["attention_gain"])                                 # (b * n, d)
        qkv = (normed @ of["qkv"]).reshape(b, n, 3, config.heads, config.d_head)
        q, k, v = np.ascontiguousarray(qkv.transpose(2, 0, 3, 1, 4))                       # (b, h, n, d_head) each
        q, k = scheme.turn(q, k)
        bias = scheme.bias(params, layer, normed.reshape(b, n, -1), q, k)   # (n, n), (h, n, n) or (b, h, n, n)
        scores = q @ k.swapaxes(-1, -2)                                                    # (b, h, n, n)
        scores *= config.d_head**-0.5
        scores += bias
        weights = softmax_in_place(scores)                                                 # (b, h, n, n)
        found = weights @ v                                                                # (b, h, n, d_head)
        extra = scheme.extra(params, layer, weights)
        merged = merge_heads(found if extra is None else found + extra)                    # (b * n, d)
        between = x + merged @ of["merge"]                                                 # (b * n, d)
        mlp_normed, mlp_factor = rms_norm(between, of["mlp_gain"])                         # (b * n, d)
        widened = np.maximum(mlp_normed @ of["widen"], 0)                                  # (b * n, hidden)
        kept.append((x, normed, factor, q, k, v, bias, weights, merged, between, mlp_normed, mlp_factor, widened))
        x = between + widened @ of["narrow"]
    normed, factor = rms_norm(x, params["final_gain"])
    logits = normed @ params["unembed"]                                                    # (b * n, vocab)
    return logits.reshape(b, n, -1), (tokens, kept, x, normed, factor)


def backward(config, scheme, params, cache, upstream, grads, attention_gradients):
    """Write into `grads` the gradient of a loss whose gradient with respect to the logits is `upstream`.

    `attention_gradients` is the learner's. Everything else here is the chain rule for products of matrices.
    """
    tokens, kept, x, normed, factor = cache
    (b, n), h = tokens.shape, config.heads
    upstream = upstream.reshape(b * n, -1)                                                 # (b * n, vocab)
    grads["unembed"][...] = normed.T @ upstream
    dx, grads["final_gain"][...] = rms_norm_backward(x, params["final_gain"], factor, upstream @ params["unembed"].T)
    scheme.begin_backward(grads)
    for layer in reversed(range(config.layers)):
        of = {name.split(".")[-1]: array for name, array in params.items() if name.startswith(f"{layer}.")}
        to = {name.split(".")[-1]: array for name, array in grads.items() if name.startswith(f"{layer}.")}
        x, normed, factor, q, k, v, bias, weights, merged, between, mlp_normed, mlp_factor, widened = kept.pop()

        to["narrow"][...] = widened.T @ dx
        dwidened = dx @ of["narrow"].T                                                     # (b * n, hidden)
        dwidened *= widened > 0
        to["widen"][...] = mlp_normed.T @ dwidened
        step, to["mlp_gain"][...] = rms_norm_backward(between, of["mlp_gain"], mlp_factor, dwidened @ of["widen"].T)
        dx = dx + step

        to["merge"][...] = merged.T @ dx
        dfound = np.ascontiguousarray(split_heads(dx @ of["merge"].T, b, n, h))            # (b, h, n, d_head)
        dq, dk, dv = attention_gradients(q, k, v, bias, dfound)
        known = (normed.reshape(b, n, -1), q, k, v, weights, dfound)
        dq, dk, by_bias = scheme.attention_backward(params, grads, layer, known, dq, dk)
        dq, dk = scheme.turn_back(dq, dk)
        dqkv = np.stack([dq, dk, dv]).transpose(1, 3, 0, 2, 4).reshape(b * n, -1)          # (b * n, 3 * d)
        to["qkv"][...] = normed.T @ dqkv
        dnormed = dqkv @ of["qkv"].T                                                       # (b * n, d)
        if by_bias is not None:
            dnormed += by_bias.reshape(b * n, -1)
        step, to["attention_gain"][...] = rms_norm_backward(x, of["attention_gain"], factor, dnormed)
        dx = dx + step
    grads["tokens"][...] = one_hot_sum(tokens.ravel(), dx, config.vocab)
    scheme.rows_backward(grads, dx.reshape(b, n, -1))
