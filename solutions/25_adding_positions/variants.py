"""Other right answers to 25_adding_positions, and when one would want them."""
import math

import numpy as np


def _real(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


class embed:
    def added_in_place(token_ids, token_table, encoding, scale=True):
        """Looking up has copied the rows, so the factor and the positions can go into that copy: no array is made
        beyond the result. `d**0.5` is a plain float, so float32 rows stay float32, unlike with `np.sqrt(d)`."""
        rows = _real(token_table[token_ids])                                   # (..., n, d)
        if scale:
            rows *= token_table.shape[1] ** 0.5
        rows += encoding[: token_ids.shape[-1]]
        return rows

    def by_loops(token_ids, token_table, encoding, scale=True):
        """Word by word: look at its number, look at its place, add. Good for checking the others.
        Every row is written where it belongs, so no broadcasting has to be believed."""
        factor = math.sqrt(token_table.shape[1]) if scale else 1.0
        rows = np.zeros((*token_ids.shape, token_table.shape[1]))
        for place in np.ndindex(token_ids.shape):
            for column in range(token_table.shape[1]):
                word = float(token_table[token_ids[place], column])
                rows[(*place, column)] = word * factor + float(encoding[place[-1], column])
        return rows

    def by_one_hot(token_ids, token_table, encoding, scale=True):
        """A row of zeros with one 1 for each word, times the word table: looking up is a linear map.
        That is why a table can be learned like any weight; as a way to look up it is wasteful."""
        one_hot = (token_ids[..., None] == np.arange(len(token_table))).astype(float)      # (..., n, vocab)
        factor = math.sqrt(token_table.shape[1]) if scale else 1.0
        return factor * (one_hot @ token_table) + encoding[: token_ids.shape[-1]]

    def by_scaling_the_table(token_ids, token_table, encoding, scale=True):
        """Scale the table once and look up afterwards: worth having for many words and a small table.
        A power of 0 stands for no factor, so one line serves both cases."""
        table = token_table * float(token_table.shape[1]) ** (0.5 if scale else 0.0)
        return np.take(table, token_ids, axis=0) + encoding[: token_ids.shape[-1]]

    def by_position_ids(token_ids, token_table, encoding, scale=True):
        """Positions are ids as well: make an array of them in the shape of the words and look both up.
        It needs one line less where positions are not simply 0, 1, 2, ..., as with padding."""
        position_ids = np.broadcast_to(np.arange(token_ids.shape[-1]), token_ids.shape)
        words = token_table[token_ids]
        return words * (math.sqrt(words.shape[-1]) if scale else 1.0) + encoding[position_ids]

    def by_one_table_of_all_sums(token_ids, token_table, encoding, scale=True):
        """Every word at every position, added beforehand: one look-up is left. The result is Fortran-ordered.
        For small vocabularies that are asked again and again, if the table of sums is kept."""
        n = token_ids.shape[-1]
        factor = math.sqrt(token_table.shape[1]) if scale else 1.0
        sums = (factor * token_table)[:, None] + encoding[None, :n]            # (vocab, n, d)
        return np.asfortranarray(sums[token_ids, np.arange(n)])


class same_word_similarity:
    def by_expanding(word, encoding, i, j):
        """(w + p)(w + q) = ww + wp + wq + pq: the dot product falls into word, positions, and both mixed.
        These four terms are what attention on summed rows gets to see."""
        p, q = encoding[i], encoding[j]
        product = word @ word + word @ p + word @ q + p @ q
        lengths = [math.sqrt(word @ word + 2 * (word @ row) + row @ row) for row in (p, q)]
        return product / (lengths[0] * lengths[1])

    def by_unit_vectors(word, encoding, i, j):
        """Bring both sums to length 1; the dot product is then the cosine. For comparing many rows with many,
        this is done once per row and not once per pair."""
        rows = word + encoding[[i, j]]                                         # (2, d)
        rows = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return rows[0] @ rows[1]

    def by_the_law_of_cosines(word, encoding, i, j):
        """The two sums and their difference are a triangle, and its three sides give the angle. The difference is that
        of the positions alone, without the word, so a longer word makes a narrower triangle."""
        a, b = np.linalg.norm(word + encoding[i]), np.linalg.norm(word + encoding[j])
        apart = np.linalg.norm(np.subtract(encoding[i], encoding[j]))
        return (a**2 + b**2 - apart**2) / (2 * a * b)


class sum_pool:
    def by_a_row_of_ones(x):
        """A sum is a product with ones, here for all sequences at once: pooling is a linear map.
        Exchange the ones for weights and the same line takes a weighted sum, or leaves padding out."""
        return (np.ones((1, x.shape[-2]), dtype=x.dtype) @ x)[..., 0, :]

    def by_einsum(x):
        """The letters say what happens: `n` is on the left of the arrow and not on the right, so it is summed over.
        No axis has to be counted."""
        return np.einsum("...nd->...d", x)
