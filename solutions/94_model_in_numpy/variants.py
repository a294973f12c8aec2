"""Other right answers to 94_model_in_numpy, and what each is good for."""
import numpy as np


def _heads(x, w, d_head):
    return (x @ w.T).reshape(len(x), -1, d_head).swapaxes(0, 1)                 # (heads, n, d_head)


def _turned(x, positions, base):
    """Pairs (i, i + d_head/2), turned as one complex number."""
    half = x.shape[-1] // 2
    phases = np.exp(1j * np.multiply.outer(positions, base ** (-np.arange(half) / half)))    # (n, d_head / 2)
    pairs = (x[..., :half] + 1j * x[..., half:]) * phases                       # (heads, n, d_head / 2)
    return np.concatenate([pairs.real, pairs.imag], axis=-1).astype(np.result_type(x, 1.0))


class attention:
    def with_a_cache(x, weights, layer, config, positions, cache=None):
        """Keep the turned keys and the values of each layer in a dict, and give the function only the rows that are
        new. The lab of this kata calls it like that, so a token costs the same work whatever stands before it, but for
        the scores."""
        n, n_heads = len(x), config["num_attention_heads"]
        d_head = config.get("head_dim") or config["hidden_size"] // n_heads
        w_q, w_k, w_v, w_o = (weights[f"model.layers.{layer}.self_attn.{name}_proj.weight"] for name in "qkvo")
        q, k, v = (_heads(x, w, d_head) for w in (w_q, w_k, w_v))
        q, k = (_turned(a, positions, config.get("rope_theta", 10000.0)) for a in (q, k))
        if cache is not None:
            if layer in cache:
                k, v = (np.concatenate(pair, axis=1) for pair in zip(cache[layer], (k, v), strict=True))
            cache[layer] = k, v                                                 # (n_kv_heads, n_keys, d_head) each
        n_keys = k.shape[1]
        q = q.reshape(len(k), -1, n, d_head)                                    # (n_kv_heads, group, n, d_head)
        scores = q @ k[:, None].swapaxes(-1, -2) / d_head ** 0.5                # (n_kv_heads, group, n, n_keys)
        scores = np.where(np.tri(n, n_keys, n_keys - n, dtype=bool), scores, -np.inf)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares = shares / shares.sum(axis=-1, keepdims=True)
        return (shares @ v[:, None]).reshape(n_heads, n, d_head).swapaxes(0, 1).reshape(n, -1) @ w_o.T
