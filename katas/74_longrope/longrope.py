"""LongRoPE: a rotary encoding that slows every pair by a factor of its own, in short texts and in long ones."""
import numpy as np


def longrope_frequencies(n, train_len, short_factors, long_factors, base=10000.0):
    """Return the frequency of every pair of columns, divided by the factor of this pair.

    Parameters
    ----------
    n : int
        Length of the text (positions).
    train_len : int
        Length of the texts in training, before the extension (positions).
    short_factors : ndarray, shape (d_head / 2,)
        The factor of every pair in a text of at most `train_len` positions.
    long_factors : ndarray, shape (d_head / 2,)
        The factor of every pair in a longer text.
    base : float, default 10000.0
        In training, pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position: ``base ** (-2 * i / d_head)`` divided by the short or the long factor of pair ``i``.

    Source: Ding et al. 2024, "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", for a factor per pair;
    the released code of Phi-3 for the choice.
    """
    # TODO 1: the short or the long factors                                  (d_head / 2,)
    #         one frequency per pair, divided by its factor                  (d_head / 2,)
    raise NotImplementedError("longrope_frequencies")


def longrope_attention_factor(max_len, train_len):
    """Return a factor for queries and keys. It makes the softmax sharper in a model for longer texts.

    Parameters
    ----------
    max_len : int
        Length of the longest text that the model is made for (positions).
    train_len : int
        Length of the texts in training, before the extension (positions); at least 2.

    Returns
    -------
    float
        ``sqrt(1 + ln(s) / ln(train_len))`` with ``s = max_len / train_len``, or 1 if `s` is at most 1.

    Source: the released code of Phi-3.
    """
    # TODO 2: one number, at least 1
    raise NotImplementedError("longrope_attention_factor")


def longrope_scores(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
    """Return the dot product of every turned query with every turned key, multiplied by the squared attention factor.

    Parameters
    ----------
    q : ndarray, shape (..., n_queries, d_head)
        Queries, not yet turned, with at least two axes; `d_head` is even.
    k : ndarray, shape (..., n_keys, d_head)
        Keys, not yet turned, with the width of the queries.
    q_positions, k_positions : ndarray of int or float, shape (n_queries,) and (n_keys,)
        Positions of the queries and of the keys: any sign, any order. The length of the text is the largest of all
        these positions, plus 1.
    max_len, train_len : int
        As in `longrope_attention_factor`.
    short_factors, long_factors : ndarray, shape (d_head / 2,)
        As in `longrope_frequencies`.
    base : float, default 10000.0
        As in `longrope_frequencies`.

    Returns
    -------
    ndarray, shape (..., n_queries, n_keys)
        All queries and keys are turned with the same frequencies, columns ``2i`` and ``2i + 1`` as a pair, and
        multiplied by the attention factor. The scores are not scaled by anything else and not masked.

    Source: the released code of Phi-3. It pairs columns ``i`` and ``i + d_head / 2``.
    """
    # TODO 3: the length of the text, and one set of frequencies             (d_head / 2,)
    #         queries and keys, turned and multiplied by the factor          (..., n_queries or n_keys, d_head)
    #         their dot products                                             (..., n_queries, n_keys)
    raise NotImplementedError("longrope_scores")
