"""Other right answers to 25_adding_positions, and when one would want them."""
import math

import numpy as np


def _real(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _checked(token_ids, token_table, encoding):
    if token_ids.min() < 0 or token_ids.max() >= len(token_table):
        raise ValueError(f"token_ids go from {token_ids.min()} to {token_ids.max()}")
    if token_table.shape[1] != encoding.shape[1]:
        raise ValueError(f"encoding {encoding.shape} does not fit token_table {token_table.shape}")
    if len(encoding) < token_ids.shape[-1]:
        raise ValueError(f"encoding {encoding.shape} is too short for token_ids {token_ids.shape}")


def _checked_pair(word, encoding, i, j):
    if i not in range(len(encoding)):
        raise ValueError(f"no position i = {i}")
    if j not in range(len(encoding)):
        raise ValueError(f"no position j = {j}")
    if len(word) != encoding.shape[1]:
        raise ValueError(f"word has shape {word.shape}, encoding {encoding.shape}")


class embed:
    def by_loops(token_ids, token_table, encoding, scale=True):
        """Word by word: look at its number, look at its place, add. Good for checking the others.
        Every row is written where it belongs, so no broadcasting has to be believed."""
        _checked(token_ids, token_table, encoding)
        factor = math.sqrt(token_table.shape[1]) if scale else 1.0
        rows = np.zeros((*token_ids.shape, token_table.shape[1]), dtype=_real(token_table).dtype)
        for place in np.ndindex(token_ids.shape):
            for column in range(token_table.shape[1]):
                word = float(token_table[token_ids[place], column])
                rows[(*place, column)] = word * factor + float(encoding[place[-1], column])
        return rows

    def by_one_hot(token_ids, token_table, encoding, scale=True):
        """A row of zeros with one 1 for each word, times the word table: looking up is a linear map.
        That is why a table can be learned like any weight; as a way to look up it is wasteful."""
        _checked(token_ids, token_table, encoding)
        table = _real(token_table)
        one_hot = (token_ids[..., None] == np.arange(len(table))).astype(table.dtype)      # (..., n, vocab)
        factor = math.sqrt(table.shape[1]) if scale else 1.0
        return factor * (one_hot @ table) + _real(encoding)[: token_ids.shape[-1]]

    def by_scaling_the_table(token_ids, token_table, encoding, scale=True):
        """Scale the table once and look up afterwards: worth having for many words and a small table.
        The rows are then added to in place, which is safe since np.take has copied them."""
        _checked(token_ids, token_table, encoding)
        table = _real(token_table) * float(token_table.shape[1]) ** (0.5 if scale else 0.0)
        rows = np.take(table, token_ids, axis=0)                               # (..., n, d)
        rows += encoding[: token_ids.shape[-1]]
        return rows

    def by_position_ids(token_ids, token_table, encoding, scale=True):
        """Positions are ids as well: make an array of them in the shape of the words and look both up.
        It needs one line less where positions are not simply 0, 1, 2, ..., as with padding."""
        _checked(token_ids, token_table, encoding)
        position_ids = np.broadcast_to(np.arange(token_ids.shape[-1]), token_ids.shape)
        words = _real(token_table)[token_ids]
        return words * (math.sqrt(words.shape[-1]) if scale else 1.0) + _real(encoding)[position_ids]

    def by_one_table_of_all_sums(token_ids, token_table, encoding, scale=True):
        """Every word at every position, added beforehand: one look-up is left. The result is Fortran-ordered.
        For small vocabularies that are asked again and again, if the table of sums is kept."""
        _checked(token_ids, token_table, encoding)
        n, table = token_ids.shape[-1], _real(token_table)
        factor = math.sqrt(table.shape[1]) if scale else 1.0
        sums = (factor * table)[:, None] + _real(encoding)[None, :n]           # (vocab, n, d)
        return np.asfortranarray(sums[token_ids, np.arange(n)])


class same_word_similarity:
    def by_expanding(word, encoding, i, j):
        """(w + p)(w + q) = ww + wp + wq + pq: the dot product falls into word, positions, and both mixed.
        These four terms are what attention on summed rows gets to see."""
        _checked_pair(word, encoding, i, j)
        word, p, q = _real(word), _real(encoding[i]), _real(encoding[j])
        product = word @ word + word @ p + word @ q + p @ q
        squares = (word @ word + 2 * (word @ p) + p @ p) * (word @ word + 2 * (word @ q) + q @ q)
        return product / np.sqrt(squares)

    def by_unit_vectors(word, encoding, i, j):
        """Bring both sums to length 1; the dot product is then the cosine. For comparing many rows with many,
        this is done once per row and not once per pair."""
        _checked_pair(word, encoding, i, j)
        rows = _real(word) + _real(encoding[[i, j]])                           # (2, d)
        rows = rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        return rows[0] @ rows[1]


class sum_pool:
    def by_a_row_of_ones(x):
        """A sum is a product with ones, here for all sequences at once: pooling is a linear map.
        Exchange the ones for weights and the same line takes a weighted sum, or leaves padding out."""
        x = _real(x)
        return (np.ones((1, x.shape[-2]), dtype=x.dtype) @ x)[..., 0, :]
