"""Other right answers to 42_shaw_attention, and when you would want them."""
import math

import numpy as np


def _index(table, n_queries, n_keys):
    """The row of the table for every query and key, as a number."""
    reach = len(table) // 2
    distances = np.subtract.outer(-np.arange(n_keys - n_queries, n_keys), -np.arange(n_keys))
    return np.clip(distances + reach, 0, 2 * reach)                 # (n_queries, n_keys)


def _scores(q, k, key_table, mask=None):
    rows = key_table[_index(key_table, q.shape[-2], k.shape[-2])]
    scores = np.einsum("...id,...ijd->...ij", q, k[..., None, :, :] + rows) / math.sqrt(q.shape[-1])
    return scores if mask is None else np.where(mask, scores, -np.inf)


def _scores_row_by_row(q, k, key_table):
    q = q / math.sqrt(q.shape[-1])                                  # scales every product below
    scores = q @ k.swapaxes(-1, -2)                                 # (..., n_queries, n_keys)
    products = q @ key_table.T                                      # (..., n_queries, 2K + 1)
    for i, rows in enumerate(_index(key_table, q.shape[-2], k.shape[-2])):
        scores[..., i, :] += products[..., i, :].take(rows, axis=-1)        # (..., n_keys)
    return scores


def _weights(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


class shaw_scores:
    def by_loops(q, k, key_table):
        """Compute one pair at a time, with min and max for the clip. This follows the formula to the letter. Use it to
        check other versions."""
        n_queries, n_keys, reach = q.shape[-2], k.shape[-2], len(key_table) // 2
        scores = np.empty((*q.shape[:-1], n_keys))
        for place in np.ndindex(scores.shape):
            *lead, i, j = place
            distance = j - (i + n_keys - n_queries)
            row = key_table[max(-reach, min(reach, distance)) + reach]
            scores[place] = q[(*lead, i)] @ (k[(*lead, j)] + row) / math.sqrt(q.shape[-1])
        return scores

    def by_moving_the_keys(q, k, key_table):
        """Add the rows to the keys first, as in equation 4 of the paper. It is short, but every query gets its own
        keys: n_queries * n_keys * d numbers for each head."""
        return _scores(q, k, key_table)

    def by_products_row_by_row(q, k, key_table):
        """Multiply the queries with the whole table, 2K + 1 products each, and add the right ones to each row of scores
        in a loop. You copy no vector."""
        return _scores_row_by_row(q, k, key_table)


class shaw_attention:
    def by_loops(q, k, v, key_table, value_table, mask=None):
        """Compute one query at a time, with only the keys that it may see. You need no -inf and compute no hidden
        score. A program that writes text also computes one query at a time."""
        index = _index(key_table, q.shape[-2], k.shape[-2])
        output = np.empty((*q.shape[:-1], v.shape[-1]))
        for place in np.ndindex(q.shape[:-1]):
            *lead, i = place
            seen = slice(None) if mask is None else np.flatnonzero(mask[i])
            keys = k[tuple(lead)][seen] + key_table[index[i, seen]]
            values = v[tuple(lead)][seen] + value_table[index[i, seen]]
            output[place] = _weights(keys @ q[place] / math.sqrt(q.shape[-1])) @ values
        return output

    def by_neighbours_that_share_a_row(q, k, v, key_table, value_table, mask=None):
        """Keys that share a row are neighbours, so add up their weights with np.add.reduceat. Then multiply the 2K + 1
        sums with the table. You copy no vector."""
        weights = _scores_row_by_row(q, k, key_table)               # (..., n_queries, n_keys)
        if mask is not None:
            np.copyto(weights, -np.inf, where=~mask)
        weights -= weights.max(axis=-1, keepdims=True)              # the highest score of a row becomes 0
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        sums = np.zeros((*q.shape[:-1], len(value_table)), weights.dtype)       # (..., n_queries, 2K + 1)
        for i, rows in enumerate(_index(value_table, q.shape[-2], k.shape[-2])):
            seen, first = np.unique(rows, return_index=True)
            sums[..., i, seen] = np.add.reduceat(weights[..., i, :], first, axis=-1)
        return weights @ v + sums @ value_table

    def by_moving_the_values(q, k, v, key_table, value_table, mask=None):
        """Add the rows to the values first, as in equation 3 of the paper, then compute one weighted sum. It is short,
        but every query gets its own values, so it takes more memory than two sums."""
        weights = _weights(_scores(q, k, key_table, mask))
        values = v[..., None, :, :] + value_table[_index(value_table, q.shape[-2], k.shape[-2])]
        return np.squeeze(weights[..., None, :] @ values, axis=-2)
