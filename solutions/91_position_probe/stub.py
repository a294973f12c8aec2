"""Probes: what a linear reader, and a bilinear one, can get out of the rows of an encoding."""
import numpy as np


def fit_linear_probe(features, targets, ridge=1e-6):
    """Return the weights and the bias that read the targets out of the features.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        One row per example, such as the row of a position. Integers count as float64.
    targets : ndarray, shape (n,)
        What is to be read out of each row, such as the position. Integers will do as well.
    ridge : float, default 1e-6
        What a weight costs, above 0.

    Returns
    -------
    ndarray, shape (d + 1,), floating dtype of `features`
        One weight per column, the bias last. They make the sum over all rows of
        ``(row @ weights + bias - target) ** 2``, plus `ridge` times the sum of the squared weights, as small as
        can be. The bias costs nothing.

    Raises
    ------
    ValueError
        If `targets` has not one number per row of `features`, or `ridge` is not positive; the message names
        the argument and shows its value, for an array its shape.

    Source: Hoerl and Kennard 1970, "Ridge regression"; Alain and Bengio 2016, "Understanding intermediate
    layers using linear classifier probes".
    """
    # TODO 1: refuse targets that do not fit the features, and a ridge that is not positive.
    # TODO 2: the weights and the bias.                                                          (d + 1,)
    raise NotImplementedError("fit_linear_probe")


def probe_positions(features, weights):
    """Return what a linear probe reads out of every row.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        One row per example. Integers count as float64.
    weights : ndarray, shape (d + 1,)
        As `fit_linear_probe` makes them, the bias last.

    Returns
    -------
    ndarray, shape (n,), floating dtype of `features`
        ``row @ weights + bias`` for every row, whole number or not.

    Raises
    ------
    ValueError
        If `weights` has not one number more than `features` has columns; the message names the argument and
        shows its shape.

    Source: Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes".
    """
    # TODO 3: refuse weights that do not fit the features.
    # TODO 4: what they read out of every row.                                                      (n,)
    raise NotImplementedError("probe_positions")


def fit_bilinear_probe(encoding, target_scores, ridge=1e-3):
    """Return the matrix that makes, of two rows of an encoding, the score of their positions.

    Parameters
    ----------
    encoding : ndarray, shape (n, d)
        One row per position, `P`. Integers count as float64.
    target_scores : ndarray, shape (n, n)
        The scores wanted, `Y`: query i in row i, key j in column j. Integers will do as well.
    ridge : float, default 1e-3
        What a weight costs, above 0, for the queries as for the keys.

    Returns
    -------
    ndarray, shape (d, d), floating dtype of `encoding`
        ``A Y A^T`` with ``A = (P^T P + ridge I)^-1 P^T``. Row i of the encoding times this matrix times row j is
        near ``target_scores[i, j]``.

    Raises
    ------
    ValueError
        If `target_scores` has not one row and one column per row of `encoding`, or `ridge` is not positive; the
        message names the argument and shows its value, for an array its shape.

    Source: ridge regression (Hoerl and Kennard 1970) from both sides; Elhage et al. 2021, "A mathematical
    framework for transformer circuits", has the scores of a head as such a product.
    """
    # TODO 5: refuse scores that do not fit the encoding, and a ridge that is not positive.
    # TODO 6: the matrix between two rows.                                                        (d, d)
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

    Raises
    ------
    ValueError
        If `scores` is not square or has fewer than 2 rows; the message names the argument and shows its shape.

    Source: Elhage et al. 2021, "A mathematical framework for transformer circuits", and Olsson et al. 2022,
    "In-context learning and induction heads", for heads that attend to the previous token.
    """
    # TODO 7: refuse scores without an earlier key, or not of all positions against each other.
    # TODO 8: the share of queries whose best earlier key is the one just before.
    raise NotImplementedError("previous_token_accuracy")
