"""Four obvious codes for a position, and the steps between their rows, which show how each of them fails."""
import numpy as np


def integer_positions(n):
    """Return the positions themselves, one per row.

    Parameters
    ----------
    n : int
        Rows; positions count from 0.

    Returns
    -------
    ndarray, shape (n, 1)
        0 to n - 1.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", as one that does not work.
    """
    # TODO 1: position p on row p                                      (n, 1)
    raise NotImplementedError("integer_positions")


def normalised_positions(n):
    """Return the positions on a scale on which the first is 0 and the last is 1.

    Parameters
    ----------
    n : int
        Rows; positions count from 0.

    Returns
    -------
    ndarray, shape (n, 1)
        Even steps from 0 to 1, both included. A single position is 0.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", as one that does not work.
    """
    # TODO 2: even steps from 0 to 1; a single position is 0           (n, 1)
    raise NotImplementedError("normalised_positions")


def one_hot_positions(n, max_len):
    """Return a row per position that is 1 in the position's own column and 0 in all others.

    Parameters
    ----------
    n : int
        Rows; positions count from 0.
    max_len : int
        Columns, and so the most positions that there are codes for.

    Returns
    -------
    ndarray, shape (n, max_len)
        1 where the column is the position, 0 elsewhere.

    Raises
    ------
    ValueError
        If `n` is above `max_len`: NumPy would give the positions past the last column equal rows in silence.

    Source: a one-hot row times a matrix is a row of it, the position embedding of Gehring et al. 2017,
    "Convolutional sequence to sequence learning", section 3.1.
    """
    # TODO 3: a single 1 per row, in the column of its position        (n, max_len)
    # TODO 4: refuse more positions than columns
    raise NotImplementedError("one_hot_positions")


def binary_positions(n, n_bits):
    """Return the positions as binary numbers, one bit per column.

    Parameters
    ----------
    n : int
        Rows; positions count from 0.
    n_bits : int
        Columns; they have codes for ``2 ** n_bits`` positions.

    Returns
    -------
    ndarray, shape (n, n_bits)
        0 or 1, the least significant bit first: column ``b`` counts ``2 ** b``.

    Raises
    ------
    ValueError
        If `n` is above ``2 ** n_bits``: the codes would repeat in silence.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", on the way to the sinusoids.
    """
    # TODO 5: the bits of every position, least significant first      (n, n_bits)
    # TODO 6: refuse more positions than the bits can tell apart
    raise NotImplementedError("binary_positions")


def step_sizes(encoding):
    """Return how far each row is from the next.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position.

    Returns
    -------
    ndarray, shape (n - 1,)
        Entry ``p`` is the Euclidean distance of rows ``p`` and ``p + 1``. One row has no next: no entries.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2: equal steps are its translation
    invariance at the offset 1.
    """
    # TODO 7: the Euclidean distance of every row to the next          (n - 1,)
    raise NotImplementedError("step_sizes")
