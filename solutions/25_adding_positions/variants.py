"""Other right answers to 25_adding_positions, and when to use them."""
import math

import numpy as np


def _real(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


class embed:
    def added_in_place(token_ids, token_table, encoding, scale=True):
        """Indexing with an array copies the rows, so you can write the factor and the positions into that copy. You
        need no second array. In place, float32 rows stay float32. In NumPy 2, `rows * np.sqrt(d)` widens them to
        float64."""
        rows = _real(token_table[token_ids])                                   # (..., n, d)
        if scale:
            rows *= token_table.shape[1] ** 0.5
        rows += encoding[: token_ids.shape[-1]]
        return rows

    def by_loops(token_ids, token_table, encoding, scale=True):
        """Go through the words one by one: look up the row, look up the position, add. Use it to check other versions,
        because nothing depends on broadcasting."""
        factor = math.sqrt(token_table.shape[1]) if scale else 1.0
        rows = np.zeros((*token_ids.shape, token_table.shape[1]))
        for place in np.ndindex(token_ids.shape):
            for column in range(token_table.shape[1]):
                word = float(token_table[token_ids[place], column])
                rows[(*place, column)] = word * factor + float(encoding[place[-1], column])
        return rows

    def by_one_hot(token_ids, token_table, encoding, scale=True):
        """Write each word as a row of zeros with a single 1, and multiply it by the word table. This shows that a
        look-up is a linear map, so you can learn the table like any weight. Most products are with zeros."""
        one_hot = (token_ids[..., None] == np.arange(len(token_table))).astype(float)      # (..., n, vocab)
        factor = math.sqrt(token_table.shape[1]) if scale else 1.0
        return factor * (one_hot @ token_table) + encoding[: token_ids.shape[-1]]


class same_word_similarity:
    def by_expanding(word, encoding, i, j):
        """(w + p)(w + q) = ww + wp + wq + pq: the dot product has a part from the word, one from the positions, and two
        mixed ones. Attention on summed rows contains the same four terms."""
        p, q = encoding[i], encoding[j]
        product = word @ word + word @ p + word @ q + p @ q
        lengths = [math.sqrt(word @ word + 2 * (word @ row) + row @ row) for row in (p, q)]
        return product / (lengths[0] * lengths[1])

    def by_unit_vectors(word, encoding, i, j):
        """Scale both sums to length 1. Their dot product is then the cosine. If you compare many rows with many others,
        you scale once per row instead of once per pair."""
        rows = word + encoding[[i, j]]                                         # (2, d)
        rows = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return rows[0] @ rows[1]


class sum_pool:
    def by_a_row_of_ones(x):
        """A sum is a product with a row of ones, so pooling is a linear map. If you replace the ones with weights, the
        same line computes a weighted sum or leaves out padding."""
        return (np.ones((1, x.shape[-2]), dtype=x.dtype) @ x)[..., 0, :]

    def by_einsum(x):
        """The letters name the axes. `n` appears to the left of the arrow but not to the right, so einsum sums over it.
        You need not count axes."""
        return np.einsum("...nd->...d", x)
