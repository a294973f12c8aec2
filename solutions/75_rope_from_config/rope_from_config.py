"""Rotary tables as a model's `config.json` asks for them, and the rotation that uses them."""
import numpy as np


def inverse_frequencies(config):
    """Return the frequency of every pair of columns, as a model's configuration asks for it.

    Parameters
    ----------
    config : dict
        Keys of the model's ``config.json``. It is left untouched. The README has a table of the keys and of their
        defaults. Other keys are ignored.

    Returns
    -------
    ndarray of float64, shape (r / 2,)
        Radians per position, fastest pair first. `r` is the rotary width, ``int(head_dim * partial_rotary_factor)``,
        which is even. With ``kept = rope_theta ** (-2 * i / r)`` for pair ``i``, the frequency is
        ``s * kept + (1 - s) * kept / factor``. The share `s` is 1 for the type "default" and without a scaling, and
        0 for "linear". For "llama3" it grows with the turns of the pair, and for "yarn" it falls with its index.

    Source: the library transformers 5.23, ``modeling_rope_utils.py``.
    """
    head_dim = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    r = int(head_dim * config.get("partial_rotary_factor", 1.0))
    base = config.get("rope_theta", 10000.0)
    kept = base ** (-2 * np.arange(r // 2) / r)                              # (r / 2,) radians per position
    rope_type, scaling = _scaling(config)
    if rope_type == "default":
        return kept                                                          # (r / 2,)
    if rope_type == "linear":
        s = 0
    elif rope_type == "llama3":
        s = _share_of_llama3(kept, scaling)                                  # (r / 2,)
    else:
        train_len = scaling.get("original_max_position_embeddings", config["max_position_embeddings"])
        s = _share_of_yarn(r, base, train_len, scaling)                      # (r / 2,)
    return s * kept + (1 - s) * kept / scaling["factor"]                     # (r / 2,)


def attention_factor(config):
    """Return the factor by which the configuration multiplies cosines and sines.

    Parameters
    ----------
    config : dict
        As in `inverse_frequencies`.

    Returns
    -------
    float
        1 unless the type is "yarn". For "yarn", it is the value of the key ``attention_factor``, if that is given and
        not None. Otherwise it is ``m(mscale) / m(mscale_all_dim)`` if both of these keys are given and not 0, and
        ``m(1)`` if not. ``m(x)`` is ``0.1 * x * ln(factor) + 1``, and 1 if `factor` is at most 1.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models", section "YaRN",
    for ``m(1)``; the library transformers 5.23, ``modeling_rope_utils.py``, for the keys.
    """
    rope_type, scaling = _scaling(config)
    if rope_type != "yarn":
        return 1.0
    if scaling.get("attention_factor") is not None:
        return scaling["attention_factor"]
    mscale, mscale_all_dim = scaling.get("mscale"), scaling.get("mscale_all_dim")
    if mscale and mscale_all_dim:
        return _m(mscale, scaling["factor"]) / _m(mscale_all_dim, scaling["factor"])
    return _m(1, scaling["factor"])


def rope_tables(config, positions):
    """Return the cosines and sines by which queries and keys are turned.

    Parameters
    ----------
    config : dict
        As in `inverse_frequencies`.
    positions : ndarray of int, shape (..., n)
        The position of each row. With leading axes, each text of a batch has its own positions.

    Returns
    -------
    cos, sin : ndarray of float64, shape (..., n, r)
        Cosine and sine of ``position * frequency``, times the attention factor. Columns ``i`` and ``i + r/2`` belong
        to pair ``i``, so the two halves of a row are equal.

    Source: the library transformers 5.23, class ``LlamaRotaryEmbedding``.
    """
    angles = positions[..., None] * inverse_frequencies(config)              # (..., n, r / 2)
    angles = np.tile(angles, 2)                                              # (..., n, r) each pair twice
    factor = attention_factor(config)
    return np.cos(angles) * factor, np.sin(angles) * factor                  # (..., n, r) each


def apply_tables(x, cos, sin):
    """Turn the first columns of queries or keys by the tables.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys in the half layout, with one head per row.
    cos, sin : ndarray of float64, shape (n, r)
        As `rope_tables` makes them; `r` is at most `d_head`. Or a shape (..., n, r) whose leading axes broadcast to
        those of `x`, such as (batch, 1, n, r) for `x` of shape (batch, heads, n, d_head).

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        The first `r` columns are ``x * cos + rotate_half(x) * sin``, where ``rotate_half`` returns the second half of
        these columns, negated, followed by the first half. The other columns are copied from `x`.

    Source: the library transformers 5.23, functions ``rotate_half`` and ``apply_rotary_pos_emb``.
    """
    r = cos.shape[-1]
    rotary, rest = x[..., :r], x[..., r:]                                    # (..., n, r), (..., n, d_head - r)
    first, second = np.split(rotary, 2, axis=-1)                             # (..., n, r / 2) each
    turned = rotary * cos + np.concatenate([-second, first], axis=-1) * sin  # (..., n, r)
    return np.concatenate([turned, rest], axis=-1).astype(np.result_type(x, 1.0))         # (..., n, d_head)


def _scaling(config):
    """The type of the scaling, and its keys."""
    scaling = config.get("rope_scaling") or {"rope_type": "default"}
    return scaling.get("rope_type") or scaling["type"], scaling


def _share_of_llama3(kept, scaling):
    """The share that each pair keeps: 1 for fast pairs, 0 for slow ones."""
    turns = scaling["original_max_position_embeddings"] * kept / (2 * np.pi)             # (r / 2,) in training
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    return np.clip((turns - low) / (high - low), 0, 1)                       # (r / 2,)


def _share_of_yarn(r, base, train_len, scaling):
    """The share that each pair keeps: 1 up to pair low, 0 from pair high on."""
    betas = np.array([scaling.get("beta_fast", 32.0), scaling.get("beta_slow", 1.0)])    # (2,) turns in training
    low, high = r / 2 * np.log(train_len / (2 * np.pi * betas)) / np.log(base)           # one index each
    if scaling.get("truncate", True):
        low, high = np.floor(low), np.ceil(high)
    low, high = max(low, 0), min(high, r - 1)
    return 1 - np.clip((np.arange(r // 2) - low) / (high - low), 0, 1)       # (r / 2,)


def _m(x, factor):
    """0.1 * x * ln(factor) + 1, and 1 for a factor of at most 1."""
    return 0.1 * x * np.log(max(factor, 1)) + 1
