"""Probes: what a linear reader, and a bilinear one, can get out of the rows of an encoding."""
import numpy as np


def probe_positions(features, weights):
    """Return what a linear probe reads out of every row.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        One row per example, such as the row of a position.
    weights : ndarray, shape (d + 1,)
        One weight per column, the bias last.

    Returns
    -------
    ndarray, shape (n,)
        ``row @ weights + bias`` for every row, whole number or not.

    Source: Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes".
    """
    # TODO 1: every row times the weights, plus the bias               (n,)
    raise NotImplementedError("probe_positions")


def fit_linear_probe(features, targets, ridge=1e-6):
    """Return the weights and the bias that read the targets out of the features.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        One row per example, such as the row of a position.
    targets : ndarray, shape (n,)
        What is to be read out of each row, such as the position.
    ridge : float, default 1e-6
        What a weight costs, above 0.

    Returns
    -------
    ndarray, shape (d + 1,)
        One weight per column, the bias last. They make the sum over all rows of
        ``(row @ weights + bias - target) ** 2``, plus `ridge` times the sum of the squared weights, as small as
        can be. The bias costs nothing.

    Source: Hoerl and Kennard 1970, "Ridge regression"; Alain and Bengio 2016, "Understanding intermediate
    layers using linear classifier probes".
    """
    # TODO 2: the weights, from columns without their means            (d,)
    #         the bias behind them, which makes up for the means       (d + 1,)
    raise NotImplementedError("fit_linear_probe")


def fit_bilinear_probe(encoding, target_scores, ridge=1e-3):
    """Return the matrix that makes, of two rows of an encoding, the score of their positions.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position, `P`.
    target_scores : ndarray, shape (n, n)
        The scores wanted, `Y`: query i in row i, key j in column j.
    ridge : float, default 1e-3
        What a weight costs, above 0, for the queries as for the keys.

    Returns
    -------
    ndarray, shape (d, d)
        ``A Y A^T`` with ``A = (P^T P + ridge I)^-1 P^T``. Row i of the encoding times this matrix times row j is
        near ``target_scores[i, j]``.

    Source: ridge regression (Hoerl and Kennard 1970) from both sides; Elhage et al. 2021, "A mathematical
    framework for transformer circuits", has the scores of a head as such a product.
    """
    # TODO 3: the matrix A                                             (d, n)
    #         A times the scores times A transposed                    (d, d)
    raise NotImplementedError("fit_bilinear_probe")


def previous_token_accuracy(scores):
    """Return how often a query's highest score among earlier keys is that of the key just before it.

    Parameters
    ----------
    scores : ndarray, shape (n, n)
        Query i in row i, key j in column j, n at least 2. Keys from the query's own on are not looked at,
        whatever they hold.

    Returns
    -------
    float
        Of the rows i >= 1, the share whose highest score among the keys j < i is at i - 1.

    Source: Elhage et al. 2021, "A mathematical framework for transformer circuits", and Olsson et al. 2022,
    "In-context learning and induction heads", for heads that attend to the previous token.
    """
    # TODO 4: for every query from 1 on, whether its best earlier key is the one just before it
    #         the share of those for which it is
    raise NotImplementedError("previous_token_accuracy")
