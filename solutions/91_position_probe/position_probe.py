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
    if targets.shape != features.shape[:1]:
        raise ValueError(f"targets must have shape {features.shape[:1]}, one per row of features, got {targets.shape}")
    if ridge <= 0:
        raise ValueError(f"ridge must be positive, got {ridge}")
    features, targets = _floating(features, targets)
    centre = features.mean(axis=0)                              # (d,)
    weights = _reader(features - centre, ridge) @ targets       # (d,) centred columns do not see the targets' mean
    return np.append(weights, targets.mean() - centre @ weights)       # (d + 1,)


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
    if weights.shape != (features.shape[1] + 1,):
        raise ValueError(f"weights must have shape ({features.shape[1] + 1},), a bias last, got {weights.shape}")
    features, weights = _floating(features, weights)
    return features @ weights[:-1] + weights[-1]                # (n, d) -> (n,)


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
    n = len(encoding)
    if target_scores.shape != (n, n):
        raise ValueError(f"target_scores must have shape {(n, n)} to fit encoding, got {target_scores.shape}")
    if ridge <= 0:
        raise ValueError(f"ridge must be positive, got {ridge}")
    encoding, target_scores = _floating(encoding, target_scores)
    reader = _reader(encoding, ridge)                           # (d, n)
    return reader @ target_scores @ reader.T                    # (d, n) (n, n) (n, d) -> (d, d)


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
    n = len(scores)
    if scores.shape != (n, n) or n < 2:
        raise ValueError(f"scores must be square with at least 2 rows, got shape {scores.shape}")
    earlier = np.tri(n, k=-1, dtype=bool)                       # (n, n) key before query
    best = np.where(earlier, scores, -np.inf).argmax(axis=1)    # (n,)
    return float(np.mean(best[1:] == np.arange(n - 1)))


def _floating(rows, others):
    """Both in the floating dtype of the rows, float64 if they are integers."""
    dtype = rows.dtype if rows.dtype.kind == "f" else np.float64
    return rows.astype(dtype), others.astype(dtype)


def _reader(rows, ridge):
    """What makes weights of targets, one target per row: (rows^T rows + ridge I)^-1 rows^T."""
    gram = rows.T @ rows                                        # (d, d)
    gram[np.diag_indices_from(gram)] += ridge
    return np.linalg.solve(gram, rows.T)                        # (d, n)
