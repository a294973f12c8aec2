"""A released language model in NumPy: from token numbers and a checkpoint to the next tokens."""
import numpy as np


def rms_norm(x, weight, eps=1e-6):
    """Divide every row by the root of the mean of its squares, and multiply every column by its weight.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        One row per token.
    weight : ndarray, shape (d,)
        One factor per column.
    eps : float, default 1e-6
        Added to the mean before the root is taken.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        ``x / sqrt(mean(x ** 2) + eps) * weight``, with the mean over the last axis.

    Source: Zhang and Sennrich 2019, "Root mean square layer normalization", section 4.
    """
    mean_square = np.mean(x ** 2, axis=-1, keepdims=True)                       # (..., 1)
    return x / np.sqrt(mean_square + eps) * weight                              # (..., d)


def attention(x, weights, layer, config, positions):
    """Return causal self-attention of one layer: rotary positions, key heads shared.

    Parameters
    ----------
    x : ndarray, shape (n, d)
        One row per token, in the order of the text.
    weights : dict of str to ndarray
        The checkpoint. ``model.layers.{layer}.self_attn.q_proj.weight`` has shape (n_heads * d_head, d), and makes
        the queries ``x @ w.T``, with the heads side by side. `k_proj` and `v_proj` have (n_kv_heads * d_head, d),
        and `o_proj`, for the result, has (d, n_heads * d_head).
    layer : int
        The number of the layer, counted from 0.
    config : dict
        Keys ``hidden_size``, ``num_attention_heads``; ``num_key_value_heads``, if missing as many as heads;
        ``head_dim``, if missing or None ``hidden_size // num_attention_heads``; ``rope_theta``, if missing 10000.0.
        Others are ignored.
    positions : ndarray of int, shape (n,)
        The position of each row, in any order. Row i attends to rows 0 to i, whatever their positions are.

    Returns
    -------
    ndarray, shape (n, d), float32 for float32
        Columns ``i`` and ``i + d_head/2`` of each query and key head are turned by ``position * rope_theta **
        (-2 * i / d_head)`` radians. Query head h reads key and value head ``h // (n_heads // n_kv_heads)``. The
        scores are divided by ``sqrt(d_head)``.

    Source: Touvron et al. 2023, "LLaMA", section 2.2; Ainslie et al. 2023, "GQA", section 2.2.
    """
    n, n_heads = len(x), config["num_attention_heads"]
    n_kv_heads = config.get("num_key_value_heads", n_heads)
    d_head = config.get("head_dim") or config["hidden_size"] // n_heads
    w_q, w_k, w_v, w_o = (weights[f"model.layers.{layer}.self_attn.{name}_proj.weight"] for name in "qkvo")
    q, k, v = ((x @ w.T).reshape(n, -1, d_head).swapaxes(0, 1) for w in (w_q, w_k, w_v))     # (heads, n, d_head)
    base = config.get("rope_theta", 10000.0)
    q, k = _rotate(q, positions, base), _rotate(k, positions, base)             # (heads, n, d_head)
    k, v = (np.repeat(a, n_heads // n_kv_heads, axis=0) for a in (k, v))        # (n_heads, n, d_head)
    scores = q @ k.swapaxes(1, 2) / d_head ** 0.5                               # (n_heads, n, n)
    scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)                   # (n_heads, n, n)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))                # (n_heads, n, n)
    shares = shares / shares.sum(axis=-1, keepdims=True)                        # (n_heads, n, n)
    return (shares @ v).swapaxes(0, 1).reshape(n, -1) @ w_o.T                   # (n, d)


def feed_forward(x, weights, layer):
    """Return the gated feed-forward network of one layer.

    Parameters
    ----------
    x : ndarray, shape (n, d)
        One row per token.
    weights : dict of str to ndarray
        The checkpoint. ``model.layers.{layer}.mlp.gate_proj.weight`` and `up_proj` have shape (d_hidden, d), and
        `down_proj` has (d, d_hidden).
    layer : int
        The number of the layer, counted from 0.

    Returns
    -------
    ndarray, shape (n, d), float32 for float32
        ``down_proj(silu(gate_proj(x)) * up_proj(x))`` with ``silu(z) = z * sigmoid(z)``. No `z` up to 1000,
        positive or negative, makes NaN or inf.

    Source: Shazeer 2020, "GLU variants improve transformer", section 2.
    """
    w_gate, w_up, w_down = (weights[f"model.layers.{layer}.mlp.{name}_proj.weight"] for name in ("gate", "up", "down"))
    z = x @ w_gate.T                                                            # (n, d_hidden)
    silu = z * (1 + np.tanh(z / 2)) / 2                                         # (n, d_hidden) tanh never overflows
    return (silu * (x @ w_up.T)) @ w_down.T                                     # (n, d)


def logits(token_ids, weights, config, positions=None):
    """Return one number per token and word: the larger it is, the likelier is this word after this token.

    Parameters
    ----------
    token_ids : ndarray of int, shape (n,)
        The text. Each token is the number of a row of ``model.embed_tokens.weight``.
    weights : dict of str to ndarray
        The checkpoint: the names in `attention` and `feed_forward` for every layer,
        ``model.layers.{layer}.input_layernorm.weight``, ``model.layers.{layer}.post_attention_layernorm.weight`` and
        ``model.norm.weight`` of shape (d,), ``model.embed_tokens.weight`` and ``lm_head.weight`` of shape (vocab, d).
    config : dict
        As in `attention`, and ``num_hidden_layers``, ``rms_norm_eps``, ``tie_word_embeddings``, if missing False.
    positions : ndarray of int, shape (n,), optional
        The position of each token, by default 0, 1, 2 and so on.

    Returns
    -------
    ndarray, shape (n, vocab), float32 for float32
        Row i comes from tokens 0 to i. If ``tie_word_embeddings`` is True, the last product is with
        ``model.embed_tokens.weight``, even if there is an ``lm_head.weight``.

    Source: Touvron et al. 2023, "LLaMA", section 2.2.
    """
    eps = config["rms_norm_eps"]
    if positions is None:
        positions = np.arange(len(token_ids))                                   # (n,)
    x = weights["model.embed_tokens.weight"][token_ids]                         # (n, d)
    for layer in range(config["num_hidden_layers"]):
        normed = rms_norm(x, weights[f"model.layers.{layer}.input_layernorm.weight"], eps)               # (n, d)
        x = x + attention(normed, weights, layer, config, positions)            # (n, d)
        normed = rms_norm(x, weights[f"model.layers.{layer}.post_attention_layernorm.weight"], eps)      # (n, d)
        x = x + feed_forward(normed, weights, layer)                            # (n, d)
    head = "model.embed_tokens.weight" if config.get("tie_word_embeddings", False) else "lm_head.weight"
    return rms_norm(x, weights["model.norm.weight"], eps) @ weights[head].T     # (n, vocab)


def greedy(prompt, n_new, weights, config):
    """Return the prompt and the tokens that the model adds, each the likeliest one.

    Parameters
    ----------
    prompt : ndarray of int, shape (n,)
        The text to continue.
    n_new : int
        How many tokens to add, 0 or more.
    weights, config
        As in `logits`.

    Returns
    -------
    ndarray of int, shape (n + n_new,)
        The prompt, then the token with the largest last logit, `n_new` times.

    Source: Radford et al. 2019, "Language models are unsupervised multitask learners", section 3.7.
    """
    tokens = prompt                                                             # (n,)
    for _ in range(n_new):
        likeliest = np.argmax(logits(tokens, weights, config)[-1])              # ()
        tokens = np.append(tokens, likeliest)                                   # (n + 1,), (n + 2,), ...
    return tokens


def _rotate(x, positions, base):
    """Turn columns i and i + d_head/2 of x (heads, n, d_head) by position and pair."""
    d_head = x.shape[-1]
    angles = np.outer(positions, base ** (-np.arange(0, d_head, 2) / d_head))   # (n, d_head / 2)
    cos, sin = np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)           # (n, d_head) each, float64
    first, second = np.split(x, 2, axis=-1)                                     # (heads, n, d_head / 2) each
    turned = x * cos + np.concatenate([-second, first], axis=-1) * sin          # (heads, n, d_head)
    return turned.astype(np.result_type(x, 1.0))                                # float32 stays float32
