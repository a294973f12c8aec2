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
        One row per word.
    encoding : ndarray, shape (max_len, d)
        One row per position; as many as `n` or more.
    scale : bool, default True
        Whether the words' rows are multiplied by ``sqrt(d)``. The positions' rows never are.

    Returns
    -------
    ndarray, shape (..., n, d)
        ``token_table[token_ids] * sqrt(d) + encoding[:n]``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.4 (the scaling) and 3.5 (the sum).
    """
    # TODO 1: each token's row, times sqrt(d) unless scale is False    (..., n, d)
    #         plus the row of each position                            (..., n, d)
    raise NotImplementedError("embed")


def same_word_similarity(word, encoding, i, j):
    """Return how alike one word is to itself at two positions.

    Parameters
    ----------
    word : ndarray, shape (d,)
        The row of the word as it is added, so already scaled if it is to be.
    encoding : ndarray, shape (max_len, d)
        One row per position.
    i, j : int
        The two positions, from 0 to ``max_len - 1``.

    Returns
    -------
    float
        The cosine of the angle between ``word + encoding[i]`` and ``word + encoding[j]``: their dot product
        divided by both their lengths. Neither sum is all zeros.

    Source: follows from the sum of Vaswani et al. 2017, "Attention is all you need", section 3.5.
    """
    # TODO 2: the word at either position                              (d,) each
    #         the cosine between the two                               a number
    raise NotImplementedError("same_word_similarity")


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

    Source: Zaheer et al. 2017, "Deep sets", section 2.2.
    """
    # TODO 3: the sum of each sequence's rows                          (..., d)
    raise NotImplementedError("sum_pool")
