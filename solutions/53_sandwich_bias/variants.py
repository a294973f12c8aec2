"""Other right answers to 53_sandwich_bias, and when to use them."""
import math

import numpy as np


def _settled(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _speeds(d_bar, base):
    return base ** (-np.arange(0, d_bar, 2) / d_bar)            # (d_bar / 2,)


def _factors(n_heads):
    return n_heads / np.arange(8, 8 * n_heads + 1, 8)           # (n_heads,)


class sandwich_bias:
    def by_loops(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Loop over heads, queries, keys and pairs, and follow the formula to the letter. Use it to check a vectorised
        version."""
        n_keys = _settled(n_queries, n_keys)
        costs = []
        for distance in range(n_keys):
            cosines = [math.cos(distance * base ** (-2 * i / d_bar)) for i in range(d_bar // 2)]
            costs.append(math.fsum(cosines) - d_bar / 2)
        bias = np.empty((n_heads, n_queries, n_keys))
        for h in range(n_heads):
            for i in range(n_queries):
                for j in range(n_keys):
                    bias[h, i, j] = costs[abs(i + n_keys - n_queries - j)] * n_heads / (8 * (h + 1))
        return bias

    def by_every_pair(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Compute the cosines for every query and key separately, as the formula suggests. Use it for short texts only:
        2048 positions against each other need 2 GiB of cosines."""
        n_keys = _settled(n_queries, n_keys)
        apart = np.arange(n_keys - n_queries, n_keys)[:, None] - np.arange(n_keys)         # (n_queries, n_keys)
        frequencies = base ** (-2 * np.arange(d_bar // 2) / d_bar)             # (d_bar / 2,)
        cost = np.cos(apart[..., None] * frequencies).sum(axis=-1) - d_bar / 2             # (n_queries, n_keys)
        return cost * n_heads / (8 * np.arange(1, n_heads + 1)[:, None, None])

    def by_products_of_rows(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Multiply the table of sinusoids by its transpose: one matrix product, and the origin of the formula. Sines
        and cosines may be in any order, because it does not change a dot product."""
        n_keys = _settled(n_queries, n_keys)
        angles = np.outer(np.arange(n_keys), _speeds(d_bar, base))
        table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)       # (n_keys, d_bar)
        cost = table[n_keys - n_queries :] @ table.T - d_bar / 2               # (n_queries, n_keys)
        return _factors(n_heads)[:, None, None] * cost

    def by_half_angles(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Use that cos(a) - 1 is -2 sin(a/2)**2, so you need not subtract anything at the end. No digits are lost where
        all cosines are near 1."""
        n_keys = _settled(n_queries, n_keys)
        apart = np.subtract.outer(np.arange(n_keys - n_queries, n_keys), np.arange(n_keys))
        sines = np.sin(apart[..., None] * _speeds(d_bar, base) / 2)        # (n_queries, n_keys, d_bar / 2)
        return np.multiply.outer(_factors(n_heads), -2 * np.einsum("ijc,ijc->ij", sines, sines))

    def by_pairs(n_heads, n_queries, n_keys=None, d_bar=128, base=10000.0):
        """Add one pair of columns after another, so no array is larger than the result. The heads are last in memory,
        and a view puts them first."""
        n_keys = _settled(n_queries, n_keys)
        apart = np.arange(n_keys - n_queries, n_keys)[:, None] - np.arange(n_keys)
        cost = np.zeros(apart.shape)
        for speed in _speeds(d_bar, base):
            cost += np.cos(apart * speed) - 1.0
        return np.moveaxis(cost[..., None] * _factors(n_heads), -1, 0)
