"""Probes: a linear and a bilinear reader of the rows of an encoding."""
import numpy as np


def probe_positions(features, weights):
    """Return the number that a linear probe reads from each row.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        One row per example, such as the row of a position.
    weights : ndarray, shape (d + 1,)
        One weight per column, the bias last.

    Returns
    -------
    ndarray, shape (n,)
        ``row @ weights + bias`` for each row, not rounded.

    Source: Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes".
    """
    # TODO 1: each row times the weights, plus the bias                (n,)
    raise NotImplementedError("probe_positions")


def fit_linear_probe(features, targets, ridge=1e-6):
    """Return the weights and the bias that read the targets from the features.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        One row per example, such as the row of a position.
    targets : ndarray, shape (n,)
        The number to read from each row, such as the position.
    ridge : float, default 1e-6
        How costly large weights are, above 0.

    Returns
    -------
    ndarray, shape (d + 1,)
        One weight per column, the bias last. They minimise the sum over all rows of
        ``(row @ weights + bias - target) ** 2``, plus `ridge` times the sum of the squared weights. The ridge
        does not apply to the bias.

    Source: Hoerl and Kennard 1970, "Ridge regression"; Alain and Bengio 2016, "Understanding intermediate
    layers using linear classifier probes".
    """
    # TODO 2: the weights, from centred columns                        (d,)
    #         append the bias, which makes up for the means            (d + 1,)
    raise NotImplementedError("fit_linear_probe")


def fit_bilinear_probe(encoding, target_scores, ridge=1e-3):
    """Return the matrix that turns two rows of an encoding into the score of their positions.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position, `P`.
    target_scores : ndarray, shape (n, n)
        The scores to approximate, `Y`: query i in row i, key j in column j.
    ridge : float, default 1e-3
        How costly large weights are, above 0, for the queries and for the keys alike.

    Returns
    -------
    ndarray, shape (d, d)
        ``A Y A^T`` with ``A = (P^T P + ridge I)^-1 P^T``. Row i of the encoding, times this matrix, times row j
        approximates ``target_scores[i, j]``.

    Source: ridge regression (Hoerl and Kennard 1970), from both sides. Elhage et al. 2021, "A mathematical
    framework for transformer circuits", write the scores of a head as such a product.
    """
    # TODO 3: the matrix A                                             (d, n)
    #         A, times the scores, times A transposed                  (d, d)
    raise NotImplementedError("fit_bilinear_probe")


def previous_token_accuracy(scores):
    """Return how often the key just before a query has the highest score of all earlier keys.

    Parameters
    ----------
    scores : ndarray, shape (n, n)
        Query i in row i, key j in column j, n at least 2. The scores of the query's own key and of later keys
        do not count.

    Returns
    -------
    float
        The share of the rows i >= 1 whose highest score among the keys j < i is at i - 1.

    Source: Elhage et al. 2021, "A mathematical framework for transformer circuits", and Olsson et al. 2022,
    "In-context learning and induction heads", for heads that attend to the previous token.
    """
    # TODO 4: for each query from 1 on, whether its best earlier key is the key just before it
    #         the share of these queries for which this is true
    raise NotImplementedError("previous_token_accuracy")
