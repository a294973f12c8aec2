"""The first layer of a transformer: rows for tokens plus rows for positions, with dropout on their sum."""
import numpy as np


def embedding_layer(token_ids, token_table, position_table, dropout=0.0, seed=None):
    """Return the token rows plus the position rows, with some entries of the sum dropped.

    Parameters
    ----------
    token_ids : ndarray of int, shape (..., n)
        The row of `token_table` for each position, a number from 0 to vocab - 1.
    token_table : ndarray, shape (vocab, d_model)
        One row per token.
    position_table : ndarray, shape (max_len, d_model)
        One row per position. It has at least n rows, and the first n are used.
    dropout : float, default 0.0
        The probability of dropping an entry, at least 0 and below 1.
    seed : int or None, default None
        Determines which entries are dropped. With None, the choice is new in every call.

    Returns
    -------
    ndarray, shape (..., n, d_model)
        Without dropout, the sums, not scaled. With dropout, each entry is independently either set to 0 or divided
        by ``1 - dropout``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.5 and 5.4 (dropout); Srivastava et
    al. 2014, "Dropout: a simple way to prevent neural networks from overfitting".
    """
    # TODO 1: a token row plus a position row for each word            (..., n, d_model)
    # TODO 2: drop entries independently; divide those that stay       (..., n, d_model)
    raise NotImplementedError("embedding_layer")


def build_position_table(kind, max_len, d_model, seed=0):
    """Return a table of position rows, with its values before training.

    Parameters
    ----------
    kind : str
        "sinusoidal", "learned" or "hybrid".
    max_len : int
        Number of rows. Positions count from 0.
    d_model : int
        Number of columns. It may be odd.
    seed : int, default 0
        Determines the random numbers: the same seed produces the same table, another seed another table.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        "sinusoidal": columns ``2i`` and ``2i + 1`` are the sine and cosine of
        ``position * 10000 ** (-2 * i / d_model)``. If `d_model` is odd, the last column is a sine. The seed has no
        effect.
        "learned": independent normal numbers with mean 0 and standard deviation 0.02. You may use any generator.
        "hybrid": the sum of a sinusoidal table and a learned one.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; 0.02 as in Radford et al. 2018,
    "Improving language understanding by generative pre-training", model specifications.
    """
    # TODO 3: sinusoidal: sines and cosines in neighbouring columns    (max_len, d_model)
    #         learned: normal numbers, determined by the seed          (max_len, d_model)
    #         hybrid: a sinusoidal table plus a learned one            (max_len, d_model)
    raise NotImplementedError("build_position_table")


def parameter_count(kind, vocab_size, max_len, d_model):
    """Return how many numbers of an embedding layer are trained.

    Parameters
    ----------
    kind : str
        The kind of position table, as in `build_position_table`.
    vocab_size : int
        Number of rows of the token table, which is always trained.
    max_len : int
        Number of rows of the position table.
    d_model : int
        Number of columns of both.

    Returns
    -------
    int
        The entries of the token table, plus the entries of the position rows if they are trained.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5 (fixed and learned positions).
    """
    # TODO 4: the number of entries in all tables that are trained
    raise NotImplementedError("parameter_count")
