"""A learned table of positions: how it begins, how its rows are read, and the gradient that trains them."""
import numpy as np


def init_table(max_len, d_model, std=0.02, seed=0):
    """Return the table as it is before training: random numbers from a normal distribution of mean 0.

    Parameters
    ----------
    max_len : int
        Rows; positions count from 0.
    d_model : int
        Columns.
    std : float, default 0.02
        Standard deviation of every entry.
    seed : int, default 0
        The same seed gives the same table, another seed another one. Which numbers they are is free.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        Independent draws.

    Source: Gehring et al. 2017, "Convolutional sequence to sequence learning", section 3.1; the 0.02 from
    Radford et al. 2018, "Improving language understanding by generative pre-training", section 4.1.
    """
    # TODO 1: one normal draw per entry, from a generator made from the seed      (max_len, d_model)
    raise NotImplementedError("init_table")


def look_up(table, n, offset=0):
    """Return the rows of n positions that follow one another.

    Parameters
    ----------
    table : ndarray, shape (max_len, d)
        One row per position.
    n : int
        How many positions.
    offset : int, default 0
        The first of them; above 0 where earlier positions have been dealt with already.

    Returns
    -------
    ndarray, shape (n, d)
        Rows ``offset`` to ``offset + n - 1``.

    Raises
    ------
    ValueError
        If ``offset + n`` is above the number of rows: a slice would return fewer than `n` rows in silence.

    Source: Devlin et al. 2019, "BERT", section 3 and figure 2; Radford et al. 2019, "Language models are
    unsupervised multitask learners", section 2.3 (1024 rows).
    """
    # TODO 2: the n rows from offset on                                           (max_len, d) -> (n, d)
    # TODO 3: refuse to read past the last row
    raise NotImplementedError("look_up")


def position_ids(attention_mask):
    """Return which row of the table every token of a padded batch reads.

    Parameters
    ----------
    attention_mask : ndarray of int, shape (batch, n)
        1 for a real token, 0 for padding, which stands to the left or to the right of a row's tokens.

    Returns
    -------
    ndarray of int, shape (batch, n)
        The real tokens of every row are counted 0, 1, 2, ... from the left; padding has 0.

    Source: the transformers library, which does so when it generates text from a padded batch.
    """
    # TODO 4: count the real tokens of each row from 0; padding gets 0            (batch, n)
    raise NotImplementedError("position_ids")


def table_gradient(ids, upstream, max_len):
    """Return the gradient of a loss with respect to the table whose rows were read as ``table[ids]``.

    Parameters
    ----------
    ids : ndarray of int, shape (..., n)
        The row that was read at each place; rows may be read often, or never.
    upstream : ndarray, shape (..., n, d)
        The gradient with respect to what was read there.
    max_len : int
        Rows of the table.

    Returns
    -------
    ndarray, shape (max_len, d)
        Row ``r`` is the sum of ``upstream`` over all places whose id is ``r``; a row that was not read is 0.

    Source: the chain rule; Gehring et al. 2017, section 3.1, trains its positions so.
    """
    # TODO 5: add every upstream row to the row that was read there               (..., n, d) -> (max_len, d)
    raise NotImplementedError("table_gradient")
