"""Other right answers to 94_model_in_numpy, and what each is good for."""
import math

import numpy as np


def _d_head(config):
    return config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]


def _projections(weights, layer):
    return (weights[f"model.layers.{layer}.self_attn.{name}_proj.weight"] for name in "qkvo")


def _turned(x, positions, base):
    """Pairs (i, i + d_head/2), turned as one complex number."""
    half = x.shape[-1] // 2
    phases = np.exp(1j * np.multiply.outer(positions, base ** (-np.arange(half) / half)))    # (n, d_head / 2)
    pairs = (x[..., :half] + 1j * x[..., half:]) * phases                       # (heads, n, d_head / 2)
    return np.concatenate([pairs.real, pairs.imag], axis=-1).astype(np.result_type(x, 1.0))


def _softmax(scores):
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def _attention(x, weights, layer, config, positions, cache=None):
    """Attention whose rows are the last ones, behind those in the cache."""
    n, d_head = len(x), _d_head(config)
    w_q, w_k, w_v, w_o = _projections(weights, layer)
    q, k, v = ((x @ w.T).reshape(n, -1, d_head).swapaxes(0, 1) for w in (w_q, w_k, w_v))     # (heads, n, d_head)
    q, k = (_turned(a, positions, config.get("rope_theta", 10000.0)) for a in (q, k))
    if cache is not None:
        if layer in cache:
            k, v = (np.concatenate(pair, axis=1) for pair in zip(cache[layer], (k, v), strict=True))
        cache[layer] = k, v                                                     # (n_kv_heads, n_keys, d_head) each
    n_keys = k.shape[1]
    q = q.reshape(len(k), -1, n, d_head)                                        # (n_kv_heads, group, n, d_head)
    scores = q @ k[:, None].swapaxes(-1, -2) / d_head ** 0.5                    # (n_kv_heads, group, n, n_keys)
    scores = np.where(np.tri(n, n_keys, n_keys - n, dtype=bool), scores, -np.inf)
    results = _softmax(scores) @ v[:, None]                                     # (n_kv_heads, group, n, d_head)
    return results.reshape(-1, n, d_head).swapaxes(0, 1).reshape(n, -1) @ w_o.T


def _normed(x, weights, name, config):
    size = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + config["rms_norm_eps"])
    return x / size * weights[f"model.{name}.weight"]


def _network(x, weights, layer):
    w_gate, w_up, w_down = (weights[f"model.layers.{layer}.mlp.{name}_proj.weight"] for name in ("gate", "up", "down"))
    gate = x @ w_gate.T
    return (gate * np.exp(-np.logaddexp(0, -gate)) * (x @ w_up.T)) @ w_down.T


def _rows(token_ids, weights, config, positions, cache=None):
    """The rows behind the last norm."""
    x = weights["model.embed_tokens.weight"][token_ids]
    for layer in range(config["num_hidden_layers"]):
        normed = _normed(x, weights, f"layers.{layer}.input_layernorm", config)
        x = x + _attention(normed, weights, layer, config, positions, cache)
        x = x + _network(_normed(x, weights, f"layers.{layer}.post_attention_layernorm", config), weights, layer)
    return _normed(x, weights, "norm", config)


def _head(weights, config):
    return weights["model.embed_tokens.weight" if config.get("tie_word_embeddings") else "lm_head.weight"]


class rms_norm:
    def by_the_length(x, weight, eps=1e-6):
        """Divide by the length of the row, as vector geometry has it: the root of the mean square is the length divided
        by sqrt(d). It shows that the norm puts every row on a sphere."""
        d = x.shape[-1]
        length = np.sqrt(np.einsum("...d,...d->...", x, x) + d * eps)[..., None]
        return x * (d ** 0.5 / length) * weight


class attention:
    def with_a_cache(x, weights, layer, config, positions, cache=None):
        """Keep the turned keys and the values of each layer in a dict, and hand over only the rows that are new: they
        attend to the kept ones too. The lab of this kata calls it like that, so no earlier row is computed again."""
        return _attention(x, weights, layer, config, positions, cache)

    def by_the_sizes_of_the_weights(x, weights, layer, config, positions):
        """Read the width of a head and the number of key heads off the weights, so no key of the config can be missing
        or misread."""
        n, n_heads = len(x), config["num_attention_heads"]
        w_q, w_k, w_v, w_o = _projections(weights, layer)
        d_head = len(w_q) // n_heads
        group = len(w_q) // len(w_k)
        q, k, v = (np.moveaxis((x @ w.T).reshape(n, -1, d_head), 1, 0) for w in (w_q, w_k, w_v))
        base = config.get("rope_theta", 10000.0)
        q, k = _turned(q, positions, base), np.repeat(_turned(k, positions, base), group, axis=0)
        scores = q @ k.swapaxes(1, 2) / d_head ** 0.5
        scores[:, np.triu(np.ones((n, n), dtype=bool), k=1)] = -np.inf
        return np.concatenate([*(_softmax(scores) @ np.repeat(v, group, axis=0))], axis=1) @ w_o.T

    def by_heads(x, weights, layer, config, positions):
        """Go head by head, with two lines for the rotation, and add what each head adds to the rows. Almost nothing is
        reshaped, so it is easy to check against the formula."""
        n_heads, d_head = config["num_attention_heads"], _d_head(config)
        group = n_heads // config.get("num_key_value_heads", n_heads)
        w_q, w_k, w_v, w_o = _projections(weights, layer)
        angles = np.outer(positions, config.get("rope_theta", 10000.0) ** (-2 * np.arange(d_head // 2) / d_head))
        cos, sin = (f(angles).astype(np.result_type(x, 1.0)) for f in (np.cos, np.sin))

        def turned(rows):
            a, b = np.split(rows, 2, axis=1)
            return np.hstack([a * cos - b * sin, a * sin + b * cos])

        hidden = np.triu(np.full((len(x), len(x)), -math.inf, cos.dtype), k=1)
        added = 0
        for h in range(n_heads):
            own, shared = (slice(i * d_head, (i + 1) * d_head) for i in (h, h // group))
            scores = turned(x @ w_q[own].T) @ turned(x @ w_k[shared].T).T / math.sqrt(d_head)
            added = added + _softmax(scores + hidden) @ (x @ w_v[shared].T) @ w_o[:, own].T
        return added


class feed_forward:
    def by_the_plain_sigmoid(x, weights, layer):
        """Divide the gate by 1 + exp(-gate), as the formula says. For a gate of -1000, exp is inf, and dividing by inf
        gives 0, which is right. NumPy prints a warning."""
        names = (f"model.layers.{layer}.mlp.{name}_proj.weight" for name in ("gate", "up", "down"))
        w_gate, w_up, w_down = (weights[name] for name in names)
        gate = x @ w_gate.T
        return (gate / (1 + np.exp(-gate)) * (x @ w_up.T)) @ w_down.T

    def by_one_product(x, weights, layer):
        """Put gate and up into one matrix, multiply once, and split the result. The checkpoints of Phi-3 store the two
        like that, as gate_up_proj."""
        prefix = f"model.layers.{layer}.mlp"
        both = np.concatenate([weights[f"{prefix}.gate_proj.weight"], weights[f"{prefix}.up_proj.weight"]])
        gate, up = np.split(x @ both.T, 2, axis=-1)
        return gate * np.exp(-np.logaddexp(0, -gate)) * up @ weights[f"{prefix}.down_proj.weight"].T


class logits:
    def with_angles_from_0(token_ids, weights, config, positions=None):
        """Subtract the first position from all. Only differences count, so the logits stay the same, and the angles of
        a text that starts late are small again."""
        positions = np.arange(len(token_ids)) if positions is None else positions
        return _rows(token_ids, weights, config, positions - positions[0]) @ _head(weights, config).T


class greedy:
    def with_a_cache(prompt, n_new, weights, config):
        """Read the prompt once. Then give each step only the newest token with its position, and keep keys and values
        in a dict. Multiply only the last row by the last weights: the others are not needed."""
        text, cache, new = [*prompt], {}, np.asarray(prompt)
        for _ in range(n_new):
            positions = np.arange(len(text) - len(new), len(text))
            last = _rows(new, weights, config, positions, cache)[-1]
            new = np.array([np.argmax(_head(weights, config) @ last)])
            text.extend(new)
        return np.array(text)
