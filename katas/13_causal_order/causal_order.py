"""Positions that a causal mask reveals by itself: means of all words so far, and the orders that they distinguish."""
import numpy as np


def prefix_mean(x):
    """Return the mean of each row and all rows before it, which is causal attention whose scores are all equal.

    Parameters
    ----------
    x : ndarray, shape (..., n, d)
        One row per word.

    Returns
    -------
    ndarray, shape (..., n, d)
        Row ``i`` is the mean of rows 0 to ``i`` of `x`, so row 0 is the first word itself.

    Source: Vaswani et al. 2017, "Attention is all you need", sections 3.2.1 (attention) and 3.2.3 (the mask).
    """
    # TODO 1: how many words each row sees                             (n, 1)
    #         the sum of these words, divided by their number          (..., n, d)
    raise NotImplementedError("prefix_mean")


def positions_from_share(share):
    """Return the position of each row, read from the share of the first token in the mean of the row.

    Parameters
    ----------
    share : ndarray of float, shape (...)
        About ``1 / (i + 1)`` for position ``i``: the mean that `prefix_mean` returns in row ``i`` for a column that is
        1 in the first token and 0 in all others. The shares are above 0 and need not be exact. They may come from any
        rows, in any order.

    Returns
    -------
    ndarray of int, shape (...)
        The whole number nearest to ``1 / share - 1``.

    Source: Kazemnejad et al. 2023, "The impact of positional encoding on length generalization in transformers",
    theorem 1.
    """
    # TODO 2: the whole number nearest to 1 / share - 1                (...)
    raise NotImplementedError("positions_from_share")


def prefix_gap(x, order):
    """Return how much each row of the mean changes if the words are in another order.

    Parameters
    ----------
    x : ndarray, shape (n, d)
        One row per word.
    order : ndarray of int, shape (n,)
        A permutation of 0..n-1: the word at position ``order[i]`` moves to position ``i``.

    Returns
    -------
    ndarray, shape (n,)
        Entry ``i`` is the largest ``|prefix_mean(x[order]) - prefix_mean(x)|`` in row ``i``. It is 0, up to rounding,
        if both orders begin with the same ``i + 1`` words, however these are arranged.

    Source: Zaheer et al. 2017, "Deep sets", section 2.2: a sum over a set has no order.
    """
    # TODO 3: the means of the reordered words, minus the means        (n, d)
    #         the largest change in each row                           (n,)
    raise NotImplementedError("prefix_gap")
