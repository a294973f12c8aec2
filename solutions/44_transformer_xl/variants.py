"""Other right answers to 44_transformer_xl, and when you would want them."""
import math

import numpy as np


def _back(q, k):
    """How many positions back each key is from each query."""
    own = np.arange(k.shape[-2] - q.shape[-2], k.shape[-2])
    return np.subtract.outer(own, np.arange(k.shape[-2]))                   # (n_queries, n_keys)


class transformer_xl_scores:
    def by_a_row_of_zeros(q, k, r, u, v):
        """Put a row of zeros before r, farthest first. The product then has the column of zeros that skewing
        (kata 43) needs, so you copy no products."""
        *leading, n_queries, d = q.shape
        n_keys = k.shape[-2]
        scores = (q + u) / d**0.5 @ k.swapaxes(-1, -2)                      # (..., n_queries, n_keys)
        padded = (q + v) / d**0.5 @ np.concatenate([np.zeros_like(r[:1]), r[::-1]]).T     # (..., n_queries, n_keys + 1)
        shifted = padded.reshape(*leading, n_keys + 1, n_queries)[..., 1:, :]
        scores += shifted.reshape(scores.shape)                             # row i has moved by n_queries - 1 - i
        np.copyto(scores, -np.inf, where=~np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool))
        return scores

    def by_indices(q, k, r, u, v):
        """Multiply with all rows of r once, then pick the right product for every query and key. You need no array of
        (n_queries, n_keys, d)."""
        back = _back(q, k)
        products = (q + v) @ r.T                                            # (..., n_queries, n_keys) m back
        picked = products[..., np.arange(q.shape[-2])[:, None], np.maximum(back, 0)]
        scores = ((q + u) @ np.swapaxes(k, -1, -2) + picked) / math.sqrt(len(u))
        scores[..., back < 0] = -np.inf
        return scores

    def by_four_terms(q, k, r, u, v):
        """Compute the paper's terms (a) to (d) one by one. The product with u is one number per key, the product with v
        one number per distance. You can look at each term or leave it out."""
        back = _back(q, k)
        m = np.broadcast_to(np.maximum(back, 0), (*q.shape[:-1], len(r)))
        a = np.einsum("...id,...jd->...ij", q, k)
        b = np.take_along_axis(np.einsum("...id,md->...im", q, r), m, axis=-1)
        c = np.einsum("d,...jd->...j", u, k)[..., None, :]
        d = (r @ v)[np.maximum(back, 0)]                                    # (n_queries, n_keys)
        scores = (a + b + c + d) / math.sqrt(len(u))
        scores[..., back < 0] = -np.inf
        return scores

    def by_loops(q, k, r, u, v):
        """Follow the formula to the letter, one query and one key at a time. Use it to check other versions. np.ndindex
        runs through all queries."""
        scores = np.full((*q.shape[:-1], k.shape[-2]), -np.inf)
        memory = k.shape[-2] - q.shape[-2]
        for at in np.ndindex(*q.shape[:-1]):
            own = at[-1] + memory
            for j in range(own + 1):
                total = (q[at] + u) @ k[at[:-1]][j] + (q[at] + v) @ r[own - j]
                scores[(*at, j)] = total / math.sqrt(len(u))
        return scores

    def by_one_query_after_the_other(q, k, r, u, v):
        """Multiply each query only with the keys that it may see and with as many rows of r, read backwards, so you
        compute no hidden score. A model that writes one token at a time works like this."""
        rows = []
        for i in range(q.shape[-2]):
            seen = i + 1 + k.shape[-2] - q.shape[-2]
            query = q[..., i, None, :]                                      # (..., 1, d)
            row = (query + u) @ np.swapaxes(k[..., :seen, :], -1, -2) + (query + v) @ r[:seen][::-1].T
            future = np.full((*row.shape[:-1], k.shape[-2] - seen), -np.inf)
            rows.append(np.concatenate([row / math.sqrt(len(u)), future], axis=-1))
        return np.concatenate(rows, axis=-2)
