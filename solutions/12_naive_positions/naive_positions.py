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
    return np.arange(float(n))[:, None]                         # (n, 1)


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
    steps = max(1, n - 1)                                       # 1 keeps a single position from being 0 / 0
    return np.arange(n)[:, None] / steps                        # (n, 1)


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
    if n > max_len:
        raise ValueError(f"n must be at most max_len, got n={n} and max_len={max_len}")
    return np.eye(n, max_len)                                   # (n, max_len)


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
    if n > 2**n_bits:
        raise ValueError(f"n must be at most 2 ** n_bits, got n={n} and n_bits={n_bits}")
    positions = np.arange(n)[:, None]                           # (n, 1)
    return np.floor(positions / 2.0 ** np.arange(n_bits)) % 2   # (n, n_bits)


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
    differences = encoding[1:] - encoding[:-1]                  # (n - 1, d)
    return np.linalg.norm(differences, axis=1)                  # (n - 1,)
