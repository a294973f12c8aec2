"""Words and positions in one sum: the input of the transformer, and the effect of pooling."""
import numpy as np


def embed(token_ids, token_table, encoding, scale=True):
    """Return the row of every word, scaled if asked, plus the row of its position.

    Parameters
    ----------
    token_ids : ndarray of int, shape (..., n)
        One or more sequences of words. Each number is a row of `token_table`. Every sequence starts at
        position 0.
    token_table : ndarray, shape (vocab, d)
        One row per word.
    encoding : ndarray, shape (max_len, d)
        One row per position; `max_len` is at least `n`.
    scale : bool, default True
        Whether to multiply the word rows by ``sqrt(d)``. The position rows are never multiplied.

    Returns
    -------
    ndarray, shape (..., n, d)
        ``token_table[token_ids] * sqrt(d) + encoding[:n]``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.4 (the scaling) and 3.5 (the sum).
    """
    words = token_table[token_ids]                              # (..., n, d)
    if scale:
        words = words * np.sqrt(words.shape[-1])                # (..., n, d)
    return words + encoding[: token_ids.shape[-1]]              # (..., n, d)


def same_word_similarity(word, encoding, i, j):
    """Return how similar a word is to itself at two positions.

    Parameters
    ----------
    word : ndarray, shape (d,)
        The row of the word. Add it unchanged, without a factor.
    encoding : ndarray, shape (max_len, d)
        One row per position.
    i, j : int
        The two positions, from 0 to ``max_len - 1``.

    Returns
    -------
    float
        The cosine of the angle between ``word + encoding[i]`` and ``word + encoding[j]``: their dot product
        divided by both lengths. Neither sum is all zeros.

    Source: follows from the sum of Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    a, b = word + encoding[i], word + encoding[j]               # (d,) each
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


def sum_pool(x):
    """Return the sum over all positions of every sequence.

    Parameters
    ----------
    x : ndarray, shape (..., n, d)
        One row per position; two axes or more.

    Returns
    -------
    ndarray, shape (..., d)
        One row per sequence.

    Source: Zaheer et al. 2017, "Deep sets", theorem 2.
    """
    return x.sum(axis=-2)                                       # (..., d)
