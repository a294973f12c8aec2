"""Four obvious codes for a position, and the size of the steps between neighbouring rows of any table."""
import numpy as np


def integer_positions(n):
    """Return the positions themselves, one per row.

    Parameters
    ----------
    n : int
        Number of rows; positions count from 0.

    Returns
    -------
    ndarray, shape (n, 1)
        0 to n - 1.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", which explains why this fails.
    """
    # TODO 1: position p in row p                                      (n, 1)
    raise NotImplementedError("integer_positions")


def normalised_positions(n):
    """Return the positions scaled so that the first is 0 and the last is 1.

    Parameters
    ----------
    n : int
        Number of rows; positions count from 0.

    Returns
    -------
    ndarray, shape (n, 1)
        Evenly spaced numbers from 0 to 1, both included. A single position is 0.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", which explains why this fails.
    """
    # TODO 2: evenly spaced from 0 to 1; a single position is 0        (n, 1)
    raise NotImplementedError("normalised_positions")


def one_hot_positions(n, max_len):
    """Return one row per position, with 1 in the position's own column and 0 in all others.

    Parameters
    ----------
    n : int
        Number of rows; positions count from 0.
    max_len : int
        Number of columns, which is also the largest possible number of positions.

    Returns
    -------
    ndarray, shape (n, max_len)
        1 where the column is the position, 0 elsewhere.

    Raises
    ------
    ValueError
        If `n` is greater than `max_len`: NumPy would silently return the same row for all positions without a column.

    Source: a one-hot row times a matrix is a row of that matrix, as in the position embeddings of Gehring et al. 2017,
    "Convolutional sequence to sequence learning", section 3.1.
    """
    # TODO 3: a single 1 per row, in the column of its position        (n, max_len)
    # TODO 4: raise a ValueError for more positions than columns
    raise NotImplementedError("one_hot_positions")


def binary_positions(n, n_bits):
    """Return the positions as binary numbers, one bit per column.

    Parameters
    ----------
    n : int
        Number of rows; positions count from 0.
    n_bits : int
        Number of columns; ``n_bits`` bits have codes for ``2 ** n_bits`` positions.

    Returns
    -------
    ndarray, shape (n, n_bits)
        0 or 1, the least significant bit first: a 1 in column ``b`` means ``2 ** b``.

    Raises
    ------
    ValueError
        If `n` is greater than ``2 ** n_bits``: the codes would silently repeat.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", which leads from bits to sinusoids.
    """
    # TODO 5: the bits of every position, least significant first      (n, n_bits)
    # TODO 6: raise a ValueError for more positions than the bits can count
    raise NotImplementedError("binary_positions")


def step_sizes(encoding):
    """Return the distance from each row to the next.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position.

    Returns
    -------
    ndarray, shape (n - 1,)
        Entry ``p`` is the Euclidean distance between rows ``p`` and ``p + 1``; for a single row, there are no entries.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2: translation invariance. For Euclidean
    distances at offset 1, it means equal steps.
    """
    # TODO 7: the Euclidean distance from every row to the next        (n - 1,)
    raise NotImplementedError("step_sizes")
