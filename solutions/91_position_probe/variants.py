"""Other right answers to 91_position_probe, and when one would want them."""
import math

import numpy as np


def _gram(rows, ridge):
    gram = (rows.T @ rows).astype(np.result_type(rows, 1.0))                    # (d, d)
    gram.flat[:: len(gram) + 1] += ridge
    return gram


class probe_positions:
    def by_a_column_of_ones(features, weights):
        """A further column of ones takes the bias for the weight of its own: one product, and no special case.
        It copies the features, which the sum of two terms need not."""
        return np.column_stack([features, np.ones(len(features))]) @ weights


class fit_linear_probe:
    def by_a_column_of_ones(features, targets, ridge=1e-6):
        """The bias as the weight of a column of ones, whose place on the diagonal stays without ridge.
        One system for all d + 1 numbers, as most would write it; features far from 0 cost it some digits."""
        n, d = features.shape
        wide = np.hstack([features, np.ones((n, 1))])                           # (n, d + 1)
        cost = ridge * np.eye(d + 1)                                            # (d + 1, d + 1)
        cost[d, d] = 0.0
        return np.linalg.solve(wide.T @ wide + cost, wide.T @ targets)

    def with_one_right_side(features, targets, ridge=1e-6):
        """The columns are multiplied with the targets first, so the system is solved for d numbers, not for d
        times n. At 2048 rows of 512 columns it takes less than a third of the reference's time."""
        mean, middle = features.mean(axis=0), targets.mean()
        centred = features - mean                                               # (n, d)
        weights = np.linalg.solve(_gram(centred, ridge), centred.T @ (targets - middle))
        return np.append(weights, middle - mean @ weights)

    def by_further_rows(features, targets, ridge=1e-6):
        """Plain least squares on d more rows: the root of the ridge on their diagonal, and 0 to be met.
        Any solver of least squares then fits a ridge, and the squares of small numbers are never formed."""
        d = features.shape[1]
        mean, middle = features.mean(axis=0), targets.mean()
        rows = np.concatenate([features - mean, math.sqrt(ridge) * np.eye(d)])  # (n + d, d)
        wanted = np.concatenate([targets - middle, np.zeros(d)])                # (n + d,)
        weights = np.linalg.lstsq(rows, wanted, rcond=None)[0]
        return np.concatenate([weights, [middle - weights @ mean]])

    def by_singular_values(features, targets, ridge=1e-6):
        """Along every singular direction the weight is s / (s * s + ridge) of what is found there.
        It shows what a ridge does, and further ridges cost next to nothing."""
        mean = features.mean(axis=0)
        u, s, v = np.linalg.svd(features - mean, full_matrices=False)           # (n, r), (r,), (r, d)
        weights = (targets @ u * (s / (s * s + ridge))) @ v
        return np.append(weights, targets.mean() - mean @ weights)

    def by_rows_against_rows(features, targets, ridge=1e-6):
        """The same weights from an n by n system, the dot products of the rows: smaller where there are more
        columns than rows. Kernel methods begin here."""
        mean = features.mean(axis=0)
        centred = features - mean
        kernel = np.einsum("id,jd->ij", centred, centred)
        kernel.flat[:: len(kernel) + 1] += ridge
        weights = np.linalg.solve(kernel, targets - targets.mean()) @ centred
        return np.append(weights, targets.mean() - np.inner(weights, mean))


class fit_bilinear_probe:
    def with_the_products_first(encoding, target_scores, ridge=1e-3):
        """P^T Y P comes first, a table of d by d; the system is solved for its columns, then for its rows. No A of
        d by n is made. At 2048 positions in float32 it takes about half of the reference's time."""
        gram = _gram(encoding, ridge)                                           # (d, d)
        between = encoding.T @ target_scores @ encoding                         # (d, d)
        return np.linalg.solve(gram, np.linalg.solve(gram, between).T).T

    def by_an_inverse(encoding, target_scores, ridge=1e-3):
        """The formula letter by letter, with the inverse written out, as most would type it.
        The easiest one to compare with what is printed."""
        reader = np.linalg.inv(encoding.T @ encoding + ridge * np.eye(encoding.shape[1])) @ encoding.T
        return reader @ target_scores @ reader.T

    def by_two_regressions(encoding, target_scores, ridge=1e-3):
        """One ridge regression that finds, for every key, what makes its scores of the queries, and one that
        makes that of the keys' own rows: where the two A come from."""
        gram = _gram(encoding, ridge)                                           # (d, d)
        by_key = np.linalg.solve(gram, encoding.T @ target_scores)              # (d, n)
        return np.linalg.solve(gram, encoding.T @ by_key.T).T

    def by_singular_values(encoding, target_scores, ridge=1e-3):
        """Both sides in the directions of the singular vectors, where A is a row of numbers.
        No inverse is formed, and it goes through with more columns than rows as with fewer."""
        u, s, v = np.linalg.svd(encoding, full_matrices=False)
        shrunk = s / (s**2 + ridge)                                             # (r,)
        return v.T @ (shrunk[:, None] * (u.T @ target_scores @ u) * shrunk) @ v


class previous_token_accuracy:
    def by_a_mask(scores):
        """All queries at once: keys that do not count get -inf, so that none of them wins, then one argmax along
        the keys. There is no loop, but a copy of the scores."""
        n = len(scores)
        best = np.where(np.tri(n, k=-1, dtype=bool), scores, -np.inf).argmax(axis=1)      # (n,)
        return float(np.mean(best[1:] == np.arange(n - 1)))

    def by_plain_loops(scores):
        """One query after the other, its earlier scores as a plain list: the rule as one would say it.
        For reading; it is the slowest of these."""
        rows = [row[:i].tolist() for i, row in enumerate(scores)][1:]
        return sum(row.index(max(row)) == len(row) - 1 for row in rows) / len(rows)

    def by_the_highest_score(scores):
        """No place is looked for: the previous token's score is to be the highest earlier one itself.
        A running maximum along the rows has it on the diagonal below the main one."""
        highest = np.maximum.accumulate(scores, axis=1).diagonal(-1)            # (n - 1,)
        return np.count_nonzero(scores.diagonal(-1) == highest) / (len(scores) - 1)
