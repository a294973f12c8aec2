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
    # TODO 1: the rotary width r, and rope_theta ** (-2i / r) for every pair i           (r / 2,)
    #         divided by factor if the type is "linear"                                  (r / 2,)
    # TODO 2: the share s of every pair, if the type is "llama3" or "yarn"               (r / 2,)
    #         kept and divided frequencies, mixed                                        (r / 2,)
    raise NotImplementedError("inverse_frequencies")


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
    # TODO 3: 1, or for "yarn" what the keys attention_factor, mscale, mscale_all_dim and factor say
    raise NotImplementedError("attention_factor")


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
    # TODO 4: an angle for every position and pair, each row of angles twice             (..., n, r)
    #         its cosines and sines, times the attention factor                          (..., n, r) each
    raise NotImplementedError("rope_tables")


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
    # TODO 5: the first r columns, turned by the tables                                  (..., n, r)
    #         followed by the other columns, in the dtype of x                           (..., n, d_head)
    raise NotImplementedError("apply_tables")
