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
        Standard deviation of every entry, above 0.
    seed : int, default 0
        The same seed gives the same table, another seed another one. Which numbers they are is free.

    Returns
    -------
    ndarray of float64, shape (max_len, d_model)
        Independent draws.

    Raises
    ------
    ValueError
        If `max_len` or `d_model` is below 1; the message names the argument and shows its value.

    Source: Gehring et al. 2017, "Convolutional sequence to sequence learning", section 3.1; the 0.02 from
    Radford et al. 2018, "Improving language understanding by generative pre-training", section 4.1.
    """
    for name, size in (("max_len", max_len), ("d_model", d_model)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    return np.random.default_rng(seed).normal(0.0, std, size=(max_len, d_model))


def look_up(table, n, offset=0):
    """Return the rows of n positions that follow one another.

    Parameters
    ----------
    table : ndarray, shape (max_len, d)
        One row per position.
    n : int
        How many positions, at least 1.
    offset : int, default 0
        The first of them, at least 0: above 0 where earlier positions have been dealt with already.

    Returns
    -------
    ndarray of the dtype of `table`, shape (n, d)
        Rows ``offset`` to ``offset + n - 1``.

    Raises
    ------
    ValueError
        If `n` is below 1, `offset` is negative, or ``offset + n`` is above the number of rows; the message
        names the argument and shows its value.

    Source: Devlin et al. 2019, "BERT", section 3 and figure 2; Radford et al. 2019, "Language models are
    unsupervised multitask learners", section 2.3 (1024 rows).
    """
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    if offset < 0:
        raise ValueError(f"offset must be at least 0, got {offset}")
    if offset + n > len(table):
        raise ValueError(f"table has {len(table)} rows, too few for n = {n} from offset = {offset} on")
    return table[offset : offset + n]


def position_ids(attention_mask):
    """Return which row of the table every token of a padded batch reads.

    Parameters
    ----------
    attention_mask : ndarray of int or bool, shape (batch, n)
        1 for a real token, 0 for padding, which stands to the left or to the right of a row's tokens.

    Returns
    -------
    ndarray of int, shape (batch, n)
        The real tokens of every row are counted 0, 1, 2, ... from the left; padding has 0.

    Source: the transformers library, which does so when it generates text from a padded batch.
    """
    return np.where(attention_mask, np.cumsum(attention_mask, axis=1) - 1, 0)


def table_gradient(ids, upstream, max_len):
    """Return the gradient of a loss with respect to the table whose rows were read as ``table[ids]``.

    Parameters
    ----------
    ids : ndarray of int, shape (..., n)
        The row that was read at each place; rows may be read often, or never.
    upstream : ndarray, shape (..., n, d)
        The gradient with respect to what was read there. Integers count as float64.
    max_len : int
        Rows of the table.

    Returns
    -------
    ndarray of the dtype of `upstream`, shape (max_len, d)
        Row ``r`` is the sum of ``upstream`` over all places whose id is ``r``; a row that was not read is 0.

    Raises
    ------
    ValueError
        If `max_len` is below 1, `ids` has a negative entry or one not below `max_len`, or `upstream` without
        its last axis does not have the shape of `ids`; the message names the argument and shows its value,
        for an array its shape or the entry.

    Source: the chain rule; Gehring et al. 2017, section 3.1, trains its positions so.
    """
    if max_len < 1:
        raise ValueError(f"max_len must be at least 1, got {max_len}")
    if ids.shape != upstream.shape[:-1]:
        raise ValueError(f"upstream of shape {upstream.shape} does not fit ids of shape {ids.shape}")
    outside = ids[(ids < 0) | (ids >= max_len)]
    if outside.size:
        raise ValueError(f"ids must be from 0 to {max_len - 1}, got {outside[0]}")
    dtype = upstream.dtype if upstream.dtype.kind == "f" else np.float64
    gradient = np.zeros((max_len, upstream.shape[-1]), dtype)
    for place in np.ndindex(ids.shape):
        gradient[ids[place]] += upstream[place]                 # (d,), added again where an id comes again
    return gradient
