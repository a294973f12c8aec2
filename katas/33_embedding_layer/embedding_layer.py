"""The first layer of a transformer: rows for tokens plus rows for positions, with dropout on their sum."""
import numpy as np


def embedding_layer(token_ids, token_table, position_table, dropout=0.0, seed=None):
    """Return the token rows plus the position rows, some entries of the sum dropped.

    Parameters
    ----------
    token_ids : ndarray of int, shape (..., n)
        Which row of `token_table` stands at each position, from 0 to vocab - 1.
    token_table : ndarray, shape (vocab, d_model)
        One row per token.
    position_table : ndarray, shape (max_len, d_model)
        One row per position, at least n; the first n are used.
    dropout : float, default 0.0
        The probability with which an entry is dropped; at least 0 and below 1.
    seed : int or None, default None
        What the choice of dropped entries follows from; None chooses afresh every time.

    Returns
    -------
    ndarray, shape (..., n, d_model)
        Without dropout the sums, not scaled. With dropout each entry by itself is either 0 or divided by
        ``1 - dropout``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.5 and 5.4 (dropout); Srivastava et
    al. 2014, "Dropout: a simple way to prevent neural networks from overfitting", section 10 (the division).
    """
    # TODO 1: a token row and a position row for every word, added     (..., n, d_model)
    # TODO 2: drop entries, each by itself; divide those that are kept (..., n, d_model)
    raise NotImplementedError("embedding_layer")


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

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; 0.02 as in Radford et al. 2018,
    "Improving language understanding by generative pre-training", section 4.1.
    """
    # TODO 3: sinusoidal: sines and cosines on neighbouring columns    (max_len, d_model)
    #         learned: normal numbers that follow from the seed        (max_len, d_model)
    #         hybrid: one of each, added                               (max_len, d_model)
    raise NotImplementedError("build_position_table")


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

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5 (fixed and learned positions).
    """
    # TODO 4: the entries of every table that is trained
    raise NotImplementedError("parameter_count")
