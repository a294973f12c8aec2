"""Attention does not see order: one attention head, and a measure of how much its rows depend on the order."""
import numpy as np


def bag_of_words(x):
    """Return the sum of all rows. It depends on which words occur and how often, but not on their order.

    Parameters
    ----------
    x : ndarray, shape (n, d)
        One row per word.

    Returns
    -------
    ndarray, shape (d,)
        The sum of the rows.

    Source: Zaheer et al. 2017, "Deep sets", section 2.2.
    """
    # TODO 1: add up the rows                                              (d,)
    raise NotImplementedError("bag_of_words")


def softmax(scores):
    """Turn scores into weights, which are never negative and add up to 1 along the last axis.

    Parameters
    ----------
    scores : ndarray, shape (..., n)
        Entries may be as large as 1e6; an entry of ``-inf`` gets the weight 0.

    Returns
    -------
    ndarray, shape (..., n)
        ``exp(scores)`` divided by its sum along the last axis.

    Source: Goodfellow et al. 2016, "Deep learning", section 4.1.
    """
    # TODO 2: exponentials of the scores, divided by the sum of their row  (..., n)
    raise NotImplementedError("softmax")


def self_attention(x, w_q, w_k, w_v, mask=None):
    """Return the output of one attention head: for each word, a weighted average of the values.

    Parameters
    ----------
    x : ndarray, shape (n, d)
        One row per word.
    w_q, w_k, w_v : ndarray, shape (d, d_head)
        The weights for the queries ``q = x @ w_q``, the keys ``k = x @ w_k`` and the values ``v = x @ w_v``.
    mask : ndarray of bool, shape (n, n), optional
        True at ``[i, j]`` if word ``i`` may attend to word ``j``; no row is all False. If None, nothing is hidden.

    Returns
    -------
    ndarray, shape (n, d_head)
        ``softmax(q @ k.T / sqrt(d_head)) @ v``, with ``-inf`` for every score that the mask forbids.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.2.1 and 3.2.3.
    """
    # TODO 3: queries, keys and values                                     (n, d_head) each
    #         a scaled score for every query and key                       (n, n)
    #         the values, averaged with the softmax of the scores          (n, d_head)
    # TODO 4: if there is a mask, forbidden scores become -inf             (n, n)
    raise NotImplementedError("self_attention")


def permutation_gap(x, w_q, w_k, w_v, order, mask=None):
    """Return the largest change in any word's row of attention if the words are in another order.

    Parameters
    ----------
    x, w_q, w_k, w_v : ndarray
        As in `self_attention`.
    order : ndarray of int, shape (n,)
        A permutation of 0..n-1: the word at position ``order[i]`` moves to position ``i``.
    mask : ndarray of bool, shape (n, n), optional
        As in `self_attention`. It belongs to positions, so it does not move with the words.

    Returns
    -------
    float
        The largest absolute entry of ``self_attention(x[order], ...) - self_attention(x, ...)[order]``, both
        with the same mask.

    Source: Lee et al. 2019, "Set transformer", section 3.1; Vaswani et al. 2017, section 3.5.
    """
    # TODO 5: attention to the reordered words                             (n, d_head)
    #         the reordered rows of attention                              (n, d_head)
    #         the largest difference between the two                       a float
    raise NotImplementedError("permutation_gap")
