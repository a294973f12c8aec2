"""The first layer of a transformer: rows for tokens plus rows for positions, with dropout on their sum."""
import numpy as np

KINDS = ("sinusoidal", "learned", "hybrid")


def build_position_table(kind, max_len, d_model, seed=0):
    """Return a table of position rows as it is before training.

    Parameters
    ----------
    kind : str
        "sinusoidal", "learned" or "hybrid".
    max_len : int
        Rows; positions count from 0.
    d_model : int
        Columns. Odd widths are allowed.
    seed : int, default 0
        What the random numbers follow from: the same seed makes the same table, another seed another one.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        "sinusoidal": columns ``2i`` and ``2i + 1`` are the sine and cosine of
        ``position * 10000 ** (-2 * i / d_model)``; an odd width ends on a sine. The seed plays no part.
        "learned": independent normal numbers of mean 0 and standard deviation 0.02. Any generator will do.
        "hybrid": a sinusoidal table plus a learned one.

    Raises
    ------
    ValueError
        If `kind` is none of the three, or `max_len` or `d_model` is below 1; the message names the argument
        and shows its value, and for `kind` lists the three.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; 0.02 as in Radford et al. 2018,
    "Improving language understanding by generative pre-training", section 4.1.
    """
    _check(kind, max_len=max_len, d_model=d_model)
    table = np.zeros((max_len, d_model))
    if kind != "learned":
        frequencies = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)     # (ceil(d_model / 2),)
        angles = np.outer(np.arange(max_len), frequencies)                 # (max_len, ceil(d_model / 2))
        table[:, 0::2] = np.sin(angles)
        table[:, 1::2] = np.cos(angles[:, : d_model // 2])
    if kind != "sinusoidal":
        table += np.random.default_rng(seed).normal(scale=0.02, size=table.shape)
    return table


def embedding_layer(token_ids, token_table, position_table, dropout=0.0, seed=None):
    """Return the token rows plus the position rows, some entries of the sum dropped.

    Parameters
    ----------
    token_ids : ndarray of int, shape (..., n)
        Which row of `token_table` stands at each position, from 0 to vocab - 1.
    token_table : ndarray, shape (vocab, d_model)
        One row per token. Integers count as float64.
    position_table : ndarray, shape (max_len, d_model)
        One row per position; the first n are used. Integers count as float64.
    dropout : float, default 0.0
        The probability with which an entry is dropped; at least 0 and below 1.
    seed : int or None, default None
        What the choice of dropped entries follows from; None chooses afresh every time.

    Returns
    -------
    ndarray, shape (..., n, d_model), floating dtype of the tables
        Without dropout the sums, not scaled. With dropout each entry by itself is either 0 or divided by
        ``1 - dropout``.

    Raises
    ------
    ValueError
        If an id is negative or has no row, if n is above max_len, if the tables differ in width, or if
        `dropout` is out of range; the message names the argument and shows its value, for an array its shape
        or the wrong entry.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.5 and 5.4 (dropout); Srivastava et
    al. 2014, "Dropout: a simple way to prevent neural networks from overfitting", section 10 (the division).
    """
    low, high, n = token_ids.min(), token_ids.max(), token_ids.shape[-1]
    if low < 0 or high >= len(token_table):
        raise ValueError(f"token_ids must be from 0 to {len(token_table) - 1}, got {low} to {high}")
    if n > len(position_table):
        shapes = f"{token_ids.shape} and {position_table.shape}"
        raise ValueError(f"token_ids must not be longer than position_table, got shapes {shapes}")
    if token_table.shape[1] != position_table.shape[1]:
        shapes = f"{token_table.shape} and {position_table.shape}"
        raise ValueError(f"token_table and position_table must be equally wide, got shapes {shapes}")
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, got {dropout}")
    embedded = token_table[token_ids] + position_table[:n]      # (..., n, d_model)
    if embedded.dtype.kind != "f":
        embedded = embedded.astype(np.float64)
    if dropout > 0:
        kept = np.random.default_rng(seed).random(embedded.shape) >= dropout
        embedded *= kept
        embedded /= 1 - dropout
    return embedded


def parameter_count(kind, vocab_size, max_len, d_model):
    """Return how many numbers of an embedding layer are trained.

    Parameters
    ----------
    kind : str
        The kind of position table, as in `build_position_table`.
    vocab_size : int
        Rows of the token table, which is always trained.
    max_len : int
        Rows of the position table.
    d_model : int
        Columns of both.

    Returns
    -------
    int
        The entries of the token table, and those of the positions that are trained.

    Raises
    ------
    ValueError
        If `kind` is unknown, or any size is below 1 whatever the kind; the message names the argument and
        shows its value, and for `kind` lists the three.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5 (fixed and learned positions).
    """
    _check(kind, vocab_size=vocab_size, max_len=max_len, d_model=d_model)
    rows = vocab_size if kind == "sinusoidal" else vocab_size + max_len
    return rows * d_model


def _check(kind, **sizes):
    """Refuse an unknown kind of table, and sizes below 1."""
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
