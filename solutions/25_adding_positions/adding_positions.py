"""Words and positions in one sum: the input of the transformer, and what a sum can and cannot tell."""
import numpy as np


def embed(token_ids, token_table, encoding, scale=True):
    """Return the row of every word, scaled, plus the row of its position.

    Parameters
    ----------
    token_ids : ndarray of int, shape (..., n)
        One or more sequences of words, each word the number of its row in `token_table`. Every sequence
        begins at position 0.
    token_table : ndarray, shape (vocab, d)
        One row per word. Integers count as float64.
    encoding : ndarray, shape (max_len, d)
        One row per position; as many as `n` or more. Integers count as float64.
    scale : bool, default True
        Whether the words' rows are multiplied by ``sqrt(d)``. The positions' rows never are.

    Returns
    -------
    ndarray, shape (..., n, d), floating dtype of the tables
        ``token_table[token_ids] * sqrt(d) + encoding[:n]``.

    Raises
    ------
    ValueError
        If a token is negative or not below `vocab`, if the tables differ in width, or if `n` is above
        `max_len`; the message names the argument and shows its shape, or the token. Axes of size 1 do not
        stretch.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.4 (the scaling) and 3.5 (the sum).
    """
    (vocab, d), n = token_table.shape, token_ids.shape[-1]
    unknown = token_ids[(token_ids < 0) | (token_ids >= vocab)]
    if unknown.size:
        raise ValueError(f"token_ids must be from 0 to {vocab - 1}, got {unknown[0]}")
    if encoding.shape[1] != d:
        raise ValueError(
            f"token_table and encoding must be equally wide, got {token_table.shape} and {encoding.shape}")
    if n > len(encoding):
        raise ValueError(
            f"token_ids of shape {token_ids.shape} are longer than the {len(encoding)} rows of encoding")
    embedded = _floating(token_table[token_ids])                # (..., n, d), new numbers
    if scale:
        embedded *= d**0.5
    embedded += encoding[:n]
    return embedded


def same_word_similarity(word, encoding, i, j):
    """Return how alike one word is to itself at two positions.

    Parameters
    ----------
    word : ndarray, shape (d,)
        The row of the word as it is added, so already scaled if it is to be. Integers count as float64.
    encoding : ndarray, shape (max_len, d)
        One row per position. Integers count as float64.
    i, j : int
        The two positions, from 0 to ``max_len - 1``.

    Returns
    -------
    float
        The cosine of the angle between ``word + encoding[i]`` and ``word + encoding[j]``: their dot product
        divided by both their lengths. Neither sum is all zeros.

    Raises
    ------
    ValueError
        If a position is negative or not below `max_len`, or if `word` is not as wide as `encoding`; the
        message names the argument and shows its value, for an array its shape. Axes of size 1 do not stretch.

    Source: follows from the sum of Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    for name, position in (("i", i), ("j", j)):
        if not 0 <= position < len(encoding):
            raise ValueError(f"{name} must be from 0 to {len(encoding) - 1}, got {position}")
    if word.shape != encoding.shape[1:]:
        raise ValueError(f"word and encoding must be equally wide, got {word.shape} and {encoding.shape}")
    word, encoding = _floating(word), _floating(encoding)
    here, there = word + encoding[i], word + encoding[j]        # (d,) each
    return float(here @ there / (np.linalg.norm(here) * np.linalg.norm(there)))


def sum_pool(x):
    """Return the sum over all positions of every sequence.

    Parameters
    ----------
    x : ndarray, shape (..., n, d)
        One row per position; two axes or more. Integers count as float64.

    Returns
    -------
    ndarray, shape (..., d), floating dtype of `x`
        One row per sequence.

    Source: Zaheer et al. 2017, "Deep sets", section 2.2.
    """
    return _floating(x).sum(axis=-2)


def _floating(array):
    """Whole numbers become float64; a floating dtype stays."""
    return array if array.dtype.kind == "f" else array.astype(np.float64)
