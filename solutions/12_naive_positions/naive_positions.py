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
    ndarray of float64, shape (n, 1)
        0 to n - 1.

    Raises
    ------
    ValueError
        If `n` is below 1; the message names the argument and shows its value.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", as one that does not work.
    """
    _check_rows(n)
    return np.arange(n, dtype=np.float64)[:, None]


def normalised_positions(n):
    """Return the positions on a scale on which the first is 0 and the last is 1.

    Parameters
    ----------
    n : int
        Rows; positions count from 0.

    Returns
    -------
    ndarray of float64, shape (n, 1)
        Even steps from 0 to 1, both included. A single position is 0.

    Raises
    ------
    ValueError
        If `n` is below 1; the message names the argument and shows its value.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", as one that does not work.
    """
    _check_rows(n)
    return np.linspace(0.0, 1.0, n)[:, None]


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
    ndarray of float64, shape (n, max_len)
        1 where the column is the position, 0 elsewhere.

    Raises
    ------
    ValueError
        If `n` is below 1 or above `max_len`; the message names the argument and shows its value.

    Source: a one-hot row times a matrix is a row of it, the position embedding of Gehring et al. 2017,
    "Convolutional sequence to sequence learning", section 3.1.
    """
    _check_rows(n)
    if n > max_len:
        raise ValueError(f"n must be at most max_len, got n={n} and max_len={max_len}")
    return np.eye(n, max_len)


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
    ndarray of float64, shape (n, n_bits)
        0 or 1, the least significant bit first: column ``b`` counts ``2 ** b``.

    Raises
    ------
    ValueError
        If `n` or `n_bits` is below 1, or `n` is above ``2 ** n_bits``; the message names the argument and
        shows its value.

    Source: Kazemnejad 2019, "Transformer architecture: the positional encoding", on the way to the sinusoids.
    """
    _check_rows(n)
    if n_bits < 1:
        raise ValueError(f"n_bits must be at least 1, got {n_bits}")
    if n > 2**n_bits:
        raise ValueError(f"n must be at most 2 ** n_bits, got n={n} and n_bits={n_bits}")
    positions = np.arange(n)[:, None]                           # (n, 1)
    return (positions >> np.arange(n_bits) & 1).astype(np.float64)         # (n, n_bits)


def step_sizes(encoding):
    """Return how far each row is from the next.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position. Integers count as float64.

    Returns
    -------
    ndarray, shape (n - 1,), floating dtype of `encoding`
        Entry ``p`` is the Euclidean distance of rows ``p`` and ``p + 1``. One row has no next: no entries.

    Source: Wang et al. 2021, "On position embeddings in BERT", section 2: equal steps are its translation
    invariance at the offset 1.
    """
    if encoding.dtype.kind != "f":
        encoding = encoding.astype(np.float64)                  # small integers would overflow
    return np.linalg.norm(np.diff(encoding, axis=0), axis=1)    # (n - 1, d) -> (n - 1,)


def _check_rows(n):
    """Refuse a code without rows."""
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
