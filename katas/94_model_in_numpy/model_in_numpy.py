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
    # TODO 1: the mean of the squares of every row                             (..., 1)
    #         x divided by the root, times the weights                         (..., d)
    raise NotImplementedError("rms_norm")


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
    # TODO 2: queries, keys and values, split into heads                       (heads, n, d_head)
    #         turn queries and keys, repeat key and value heads                (n_heads, n, d_head)
    #         scores, -inf for later rows, softmax                             (n_heads, n, n)
    #         join the results of the heads, times o_proj                      (n, d)
    raise NotImplementedError("attention")


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
    # TODO 3: silu of the gate, times up                                       (n, d_hidden)
    #         times down                                                       (n, d)
    raise NotImplementedError("feed_forward")


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
    # TODO 4: rows of the embedding table; per layer, add attention, then feed_forward, each of the normed rows
    #         norm, times lm_head or the embedding table                       (n, vocab)
    raise NotImplementedError("logits")


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
    # TODO 5: n_new times, append the token with the largest last logit        (n + n_new,)
    raise NotImplementedError("greedy")
