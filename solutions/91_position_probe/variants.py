"""Other right answers to 91_position_probe, and when you would want them."""
import math

import numpy as np


def _gram(rows, ridge):
    gram = (rows.T @ rows).astype(np.result_type(rows, 1.0))                    # (d, d)
    gram.flat[:: len(gram) + 1] += ridge
    return gram


class probe_positions:
    def by_a_column_of_ones(features, weights):
        """Append a column of ones, which makes the bias an ordinary weight: one product and no special case. It costs a
        copy of the features."""
        return np.column_stack([features, np.ones(len(features))]) @ weights


class fit_linear_probe:
    def by_a_column_of_ones(features, targets, ridge=1e-6):
        """Make the bias the weight of a column of ones, with no ridge at its place on the diagonal. One system has all
        d + 1 numbers as its solution. If the features are far from 0, it loses some digits."""
        n, d = features.shape
        wide = np.hstack([features, np.ones((n, 1))])                           # (n, d + 1)
        cost = ridge * np.eye(d + 1)                                            # (d + 1, d + 1)
        cost[d, d] = 0.0
        return np.linalg.solve(wide.T @ wide + cost, wide.T @ targets)

    def with_one_right_side(features, targets, ridge=1e-6):
        """Multiply the columns by the targets first, so you solve the system for d numbers instead of d times n."""
        mean, middle = features.mean(axis=0), targets.mean()
        centred = features - mean                                               # (n, d)
        weights = np.linalg.solve(_gram(centred, ridge), centred.T @ (targets - middle))
        return np.append(weights, middle - mean @ weights)

    def by_further_rows(features, targets, ridge=1e-6):
        """Use plain least squares with d extra rows: the root of the ridge on their diagonal, and targets of 0. So any
        least-squares solver can fit a ridge, and no small number is squared."""
        d = features.shape[1]
        mean, middle = features.mean(axis=0), targets.mean()
        rows = np.concatenate([features - mean, math.sqrt(ridge) * np.eye(d)])  # (n + d, d)
        wanted = np.concatenate([targets - middle, np.zeros(d)])                # (n + d,)
        weights = np.linalg.lstsq(rows, wanted, rcond=None)[0]
        return np.concatenate([weights, [middle - weights @ mean]])


class fit_bilinear_probe:
    def with_the_products_first(encoding, target_scores, ridge=1e-3):
        """Compute P^T Y P first, d by d, then solve the system for its columns and for its rows, without A. No array
        has n columns after that."""
        gram = _gram(encoding, ridge)                                           # (d, d)
        between = encoding.T @ target_scores @ encoding                         # (d, d)
        return np.linalg.solve(gram, np.linalg.solve(gram, between).T).T

    def by_an_inverse(encoding, target_scores, ridge=1e-3):
        """Write the formula with an explicit inverse. It is the easiest version to compare with the README."""
        reader = np.linalg.inv(encoding.T @ encoding + ridge * np.eye(encoding.shape[1])) @ encoding.T
        return reader @ target_scores @ reader.T


class previous_token_accuracy:
    def by_a_mask(scores):
        """Give keys that do not count -inf, so they cannot win, and one argmax along the keys serves all queries. It
        needs no loop, but a copy of the scores."""
        n = len(scores)
        best = np.where(np.tri(n, k=-1, dtype=bool), scores, -np.inf).argmax(axis=1)      # (n,)
        return float(np.mean(best[1:] == np.arange(n - 1)))

    def by_plain_loops(scores):
        """Take one query after the other, with its earlier scores in a plain list. It is easy to read."""
        rows = [row[:i].tolist() for i, row in enumerate(scores)][1:]
        return sum(row.index(max(row)) == len(row) - 1 for row in rows) / len(rows)
