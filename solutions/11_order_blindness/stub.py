"""Attention does not see order: one attention head, and how far it is from moving along with its words."""
import numpy as np


def softmax(scores):
    """Turn scores into weights that are never negative and add up to 1 along the last axis.

    Parameters
    ----------
    scores : ndarray, shape (..., n)
        Entries of size 1e6 do no harm; an entry of ``-inf`` gets the weight 0.

    Returns
    -------
    ndarray, shape (..., n)
        ``exp(scores)`` divided by its sum along the last axis.

    Source: Goodfellow et al. 2016, "Deep learning", section 4.1.
    """
    # TODO 1: exponentials of the scores, each row divided by its sum      (..., n)
    raise NotImplementedError("softmax")


def self_attention(x, w_q, w_k, w_v, mask=None):
    """Return one attention head: for each word the average of all values, weighted by its scores.

    Parameters
    ----------
    x : ndarray, shape (n, d)
        One row per word.
    w_q, w_k, w_v : ndarray, shape (d, d_head)
        Make the queries ``q = x @ w_q``, the keys ``k = x @ w_k`` and the values ``v = x @ w_v``.
    mask : ndarray of bool, shape (n, n), optional
        True at ``[i, j]`` where word ``i`` may attend to word ``j``; no row is all False. By default all may.

    Returns
    -------
    ndarray, shape (n, d_head)
        ``softmax(q @ k.T / sqrt(d_head)) @ v``, where scores that the mask forbids count as ``-inf``.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.2.1 and 3.2.3.
    """
    # TODO 2: queries, keys and values                                     (n, d_head) each
    #         a scaled score for every query and key                       (n, n)
    #         the values, averaged with the softmax of the scores          (n, d_head)
    # TODO 3: where there is a mask, forbidden scores become -inf          (n, n)
    raise NotImplementedError("self_attention")


def permutation_gap(x, w_q, w_k, w_v, order, mask=None):
    """Return how far attention is from moving along with its words when they are put in another order.

    Parameters
    ----------
    x, w_q, w_k, w_v : ndarray
        As in `self_attention`.
    order : ndarray of int, shape (n,)
        A permutation of 0..n-1: the word of place ``order[i]`` goes to place ``i``.
    mask : ndarray of bool, shape (n, n), optional
        As in `self_attention`. It is about places, so it stays as it is when the words move.

    Returns
    -------
    float
        The largest absolute entry of ``self_attention(x[order], ...) - self_attention(x, ...)[order]``, both
        with the same mask.

    Source: Lee et al. 2019, "Set transformer", section 3.1; Vaswani et al. 2017, section 3.5.
    """
    # TODO 4: attention to the moved words                                 (n, d_head)
    #         the moved rows of attention                                  (n, d_head)
    #         the largest difference between the two                       a float
    raise NotImplementedError("permutation_gap")


def bag_of_words(x):
    """Return the sum over all positions: what is there and how often, but not where.

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
    # TODO 5: add up the rows                                              (d,)
    raise NotImplementedError("bag_of_words")
