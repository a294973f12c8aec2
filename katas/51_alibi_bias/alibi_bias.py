"""ALiBi: attention scores that lose a fixed amount for every position between query and key."""
import numpy as np


def alibi_slopes(n_heads):
    """Return the slope of every head: what it subtracts from a score per position of distance.

    Parameters
    ----------
    n_heads : int
        Number of heads, `H`.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        ``2 ** (-8 * h / H)`` for h = 1..H if `H` is a power of two. Otherwise the slopes of the largest power
        of two below `H`, then the 1st, 3rd, 5th, ... slope of twice that power, as many as are missing.

    Source: Press et al. 2022, "Train short, test long", section 3; its released code for other counts.
    """
    # TODO 1: a power of two: one geometric sequence                        (n_heads,)
    # TODO 2: any other count: the power of two below it, then every other slope of twice that power
    raise NotImplementedError("alibi_slopes")


def alibi_bias(n_heads, n_queries, n_keys=None, causal=True):
    """Return the bias that ALiBi adds to the scores of every head.

    Parameters
    ----------
    n_heads : int
        Number of heads. Their slopes come from `alibi_slopes`.
    n_queries : int
        Number of queries. They are the last positions: query ``i`` is at position ``i + n_keys - n_queries``.
    n_keys : int, optional
        Number of keys, at positions 0, 1, 2, ... If None, there are as many keys as queries.
    causal : bool, default True
        Whether to forbid keys after the query. If not, they have the same bias as keys equally far before it.

    Returns
    -------
    ndarray of float64, shape (n_heads, n_queries, n_keys)
        ``-slope * distance``, with the distance in positions. With `causal`, -inf for keys after the query.

    Source: Press et al. 2022, section 3 and figure 3; the form without a causal mask is not in the paper.
    """
    # TODO 3: the distance of every query and key                           (n_queries, n_keys)
    #         times minus every slope; -inf for the future if causal        (n_heads, n_queries, n_keys)
    raise NotImplementedError("alibi_bias")


def alibi_attention(q, k, v, causal=True):
    """Return the output of attention whose scores get the ALiBi bias.

    Parameters
    ----------
    q : ndarray, shape (H, n_queries, d)
        Queries, the last positions of the sequence.
    k : ndarray, shape (H, n_keys, d)
        Keys, at least as many as queries.
    v : ndarray, shape (H, n_keys, d_v)
        Values; their width may differ from `d`.
    causal : bool, default True
        As in `alibi_bias`.

    Returns
    -------
    ndarray, shape (H, n_queries, d_v)
        ``softmax(q k^T / sqrt(d) + bias) v``.

    Source: Press et al. 2022, section 3; a footnote says that the bias is not scaled by sqrt(d).
    """
    # TODO 4: scaled scores plus bias, a stable softmax                     (H, n_queries, n_keys)
    #         the values, summed with these weights                         (H, n_queries, d_v)
    raise NotImplementedError("alibi_attention")
