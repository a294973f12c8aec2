"""A learned table of positions: its start values, how you read its rows, and the gradient that trains them."""
import numpy as np


def init_table(max_len, d_model, std=0.02, seed=0):
    """Return a table before training: random numbers from a normal distribution with mean 0.

    Parameters
    ----------
    max_len : int
        Number of rows. Positions count from 0.
    d_model : int
        Number of columns.
    std : float, default 0.02
        Standard deviation of every entry.
    seed : int, default 0
        The same seed gives the same table, a different seed a different one. You may use any generator.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        Every entry is a separate draw.

    Source: Gehring et al. 2017, "Convolutional sequence to sequence learning", section 3.1; the 0.02 from
    Radford et al. 2018, "Improving language understanding by generative pre-training", section 4.1.
    """
    # TODO 1: one normal draw per entry, from a generator made from the seed      (max_len, d_model)
    raise NotImplementedError("init_table")


def look_up(table, n, offset=0):
    """Return the rows of `n` neighbouring positions.

    Parameters
    ----------
    table : ndarray, shape (max_len, d)
        One row per position.
    n : int
        Number of positions.
    offset : int, default 0
        The first position. It is above 0 if the model has already read earlier positions.

    Returns
    -------
    ndarray, shape (n, d)
        Rows ``offset`` to ``offset + n - 1``.

    Raises
    ------
    ValueError
        If ``offset + n`` is greater than the number of rows. A slice would return fewer than `n` rows instead.

    Source: Devlin et al. 2019, "BERT", section 3 and figure 2; Radford et al. 2019, "Language models are
    unsupervised multitask learners", section 2.3 (1024 rows).
    """
    # TODO 2: n rows, starting at row offset                                      (max_len, d) -> (n, d)
    # TODO 3: refuse to read past the last row
    raise NotImplementedError("look_up")


def position_ids(attention_mask):
    """Return the row number that every token of a padded batch reads.

    Parameters
    ----------
    attention_mask : ndarray of int, shape (batch, n)
        1 for a real token, 0 for padding, which is on the left or on the right of a text.

    Returns
    -------
    ndarray of int, shape (batch, n)
        The real tokens of every text have 0, 1, 2, ... from left to right. Padding has 0.

    Source: the library transformers 5.23 does this when it generates text from a padded batch.
    """
    # TODO 4: count the real tokens of each row from 0; padding gets 0            (batch, n)
    raise NotImplementedError("position_ids")


def table_gradient(ids, upstream, max_len):
    """Return the gradient of a loss with respect to the table whose rows were read as ``table[ids]``.

    Parameters
    ----------
    ids : ndarray of int, shape (..., n)
        The row that was read at each place. A row may be read several times, or never.
    upstream : ndarray, shape (..., n, d)
        The gradient of the loss with respect to the row that was read at each place.
    max_len : int
        Number of rows of the table.

    Returns
    -------
    ndarray, shape (max_len, d)
        Row ``r`` is the sum of `upstream` over all places with the id ``r``. It is zeros if there are none.

    Source: the chain rule. Gehring et al. 2017, section 3.1, train their table of positions.
    """
    # TODO 5: add each row of upstream to the row that its place read             (..., n, d) -> (max_len, d)
    raise NotImplementedError("table_gradient")
