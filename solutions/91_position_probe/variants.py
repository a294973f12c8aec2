"""Other right answers to 91_position_probe, and when one would want them."""
import math

import numpy as np


def _checked(rows, others, ridge, others_name):
    shape = rows.shape[:1] if others_name == "targets" else rows.shape[:1] * 2
    if others.shape != shape:
        raise ValueError(f"{others_name} of shape {others.shape} instead of {shape}")
    if not ridge > 0:
        raise ValueError(f"a ridge of {ridge} is not above 0")
    dtype = rows.dtype if rows.dtype.kind == "f" else np.float64
    return rows.astype(dtype), others.astype(dtype)


def _checked_scores(scores):
    if scores.shape[0] != scores.shape[1] or scores.shape[0] < 2:
        raise ValueError(f"no previous tokens in scores of shape {scores.shape}")


class fit_linear_probe:
    def by_a_column_of_ones(features, targets, ridge=1e-6):
        """The bias as the weight of a column of ones, whose place on the diagonal stays without ridge.
        One system for all d + 1 numbers; features far from 0 cost it some digits."""
        features, targets = _checked(features, targets, ridge, "targets")
        ones = np.ones((len(features), 1), dtype=features.dtype)
        wide = np.concatenate([features, ones], axis=1)                         # (n, d + 1)
        cost = np.diag([ridge] * features.shape[1] + [0.0]).astype(features.dtype)
        return np.linalg.solve(wide.T @ wide + cost, wide.T @ targets)

    def by_further_rows(features, targets, ridge=1e-6):
        """Plain least squares on d more rows: the root of the ridge on their diagonal, and 0 to be met.
        Any solver of least squares then fits a ridge, and the squares of small numbers are never formed."""
        features, targets = _checked(features, targets, ridge, "targets")
        d = features.shape[1]
        centre, middle = features.mean(axis=0), targets.mean()
        below = np.eye(d, dtype=features.dtype) * math.sqrt(ridge)
        rows = np.concatenate([features - centre, below])                       # (n + d, d)
        wanted = np.concatenate([targets - middle, np.zeros(d, dtype=targets.dtype)])
        weights = np.linalg.lstsq(rows, wanted, rcond=None)[0]
        return np.concatenate([weights, [middle - weights @ centre]]).astype(features.dtype)

    def by_singular_values(features, targets, ridge=1e-6):
        """Along every singular direction the weight is s / (s * s + ridge) of what is found there.
        It shows what a ridge does, and further ridges cost next to nothing."""
        features, targets = _checked(features, targets, ridge, "targets")
        centre = features.mean(axis=0)
        u, s, v = np.linalg.svd(features - centre, full_matrices=False)         # (n, r), (r,), (r, d)
        weights = (targets @ u * (s / (s * s + ridge))) @ v
        return np.append(weights, targets.mean() - centre @ weights)

    def by_rows_against_rows(features, targets, ridge=1e-6):
        """The same weights from an n by n system, the dot products of the rows: smaller where there are more
        columns than rows. Kernel methods begin here."""
        features, targets = _checked(features, targets, ridge, "targets")
        centre = features.mean(axis=0)
        centred = features - centre
        kernel = np.einsum("id,jd->ij", centred, centred)
        kernel.flat[:: len(kernel) + 1] += ridge
        weights = np.linalg.solve(kernel, targets - targets.mean()) @ centred
        return np.append(weights, targets.mean() - np.inner(weights, centre))


class fit_bilinear_probe:
    def by_two_regressions(encoding, target_scores, ridge=1e-3):
        """One ridge regression that finds, for every key, what makes its scores of the queries, and one that
        makes that of the keys' own rows: where the two A come from."""
        encoding, target_scores = _checked(encoding, target_scores, ridge, "target_scores")
        cost = np.eye(encoding.shape[1], dtype=encoding.dtype) * encoding.dtype.type(ridge)
        inverse = np.linalg.inv(encoding.T @ encoding + cost)                   # (d, d)
        by_key = inverse @ (encoding.T @ target_scores)                         # (d, n)
        return (inverse @ (encoding.T @ by_key.T)).T

    def by_singular_values(encoding, target_scores, ridge=1e-3):
        """Both sides in the directions of the singular vectors, where A is a row of numbers.
        No inverse is formed, and it goes through with more columns than rows as with fewer."""
        encoding, target_scores = _checked(encoding, target_scores, ridge, "target_scores")
        u, s, v = np.linalg.svd(encoding, full_matrices=False)
        shrunk = s / (s**2 + ridge)                                             # (r,)
        return v.T @ (shrunk[:, None] * (u.T @ target_scores @ u) * shrunk) @ v


class previous_token_accuracy:
    def by_loops(scores):
        """One query after the other, as one would say it: nothing has to be masked.
        Slower by the number of queries, which seldom matters."""
        _checked_scores(scores)
        rows = [row[:i].tolist() for i, row in enumerate(scores)][1:]
        return sum(row.index(max(row)) == len(row) - 1 for row in rows) / len(rows)

    def by_the_highest_score(scores):
        """No place is looked for: the previous token's score is to be the highest earlier one itself.
        A running maximum along the rows has it on the diagonal below the main one."""
        _checked_scores(scores)
        highest = np.maximum.accumulate(scores, axis=1).diagonal(-1)            # (n - 1,)
        return np.count_nonzero(scores.diagonal(-1) == highest) / (len(scores) - 1)
