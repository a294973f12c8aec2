"""Wrong answers to 25_adding_positions; each docstring is what the learner is told."""
import numpy as np


def _words(token_ids, token_table, scale):
    rows = token_table[token_ids]                               # (..., n, d)
    return rows * rows.shape[-1] ** 0.5 if scale else rows


def _positions(token_ids, encoding):
    return encoding[: token_ids.shape[-1]]                      # (n, d)


def _cosine(here, there):
    return here @ there / (np.linalg.norm(here) * np.linalg.norm(there))


class embed:
    def scale_forgotten(token_ids, token_table, encoding, scale=True):
        """The words were not scaled: unless `scale` is False, their rows are multiplied by sqrt(d)
        first."""
        return _words(token_ids, token_table, False) + _positions(token_ids, encoding)

    def positions_scaled_too(token_ids, token_table, encoding, scale=True):
        """The sum was scaled, positions and all: scale the words' rows, then add those of the
        positions."""
        rows = _words(token_ids, token_table, False) + _positions(token_ids, encoding)
        return rows * rows.shape[-1] ** 0.5 if scale else rows

    def only_positions_scaled(token_ids, token_table, encoding, scale=True):
        """The positions were scaled and the words were not: sqrt(d) belongs to the words."""
        rows = _positions(token_ids, encoding)
        rows = rows * rows.shape[-1] ** 0.5 if scale else rows
        return _words(token_ids, token_table, False) + rows

    def divided_by_the_root(token_ids, token_table, encoding, scale=True):
        """The words were divided by sqrt(d), as scores are in attention: embeddings are multiplied by
        it."""
        rows = _words(token_ids, token_table, False)
        return (rows / rows.shape[-1] ** 0.5 if scale else rows) + _positions(token_ids, encoding)

    def scaled_by_the_width(token_ids, token_table, encoding, scale=True):
        """The words were multiplied by d itself: the factor is its square root."""
        rows = _words(token_ids, token_table, False)
        return (rows * rows.shape[-1] if scale else rows) + _positions(token_ids, encoding)

    def scale_ignored(token_ids, token_table, encoding, scale=True):
        """The words were scaled although `scale` is False: then their rows are added as they are."""
        return _words(token_ids, token_table, True) + _positions(token_ids, encoding)

    def position_by_batch(token_ids, token_table, encoding, scale=True):
        """The positions were counted along the batch: every sequence has a single position here. They run
        along the last axis of `token_ids`, from 0 in every sequence."""
        words = _words(token_ids, token_table, scale)
        if words.ndim == 2:
            return words + _positions(token_ids, encoding)
        return words + encoding[: words.shape[-3]][:, None]

    def counted_through_the_batch(token_ids, token_table, encoding, scale=True):
        """The positions go on from one sequence to the next: each sequence begins at position 0."""
        positions = np.arange(token_ids.size).reshape(token_ids.shape)
        return _words(token_ids, token_table, scale) + encoding[positions]

    def position_by_token(token_ids, token_table, encoding, scale=True):
        """The encoding was indexed with the tokens, so a word has one position wherever it stands: index
        it with 0, 1, 2, ..."""
        return _words(token_ids, token_table, scale) + encoding[token_ids]

    def positions_start_at_one(token_ids, token_table, encoding, scale=True):
        """The first word got row 1 of the encoding: the first position is 0."""
        return _words(token_ids, token_table, scale) + encoding[1 : token_ids.shape[-1] + 1]

    def last_positions(token_ids, token_table, encoding, scale=True):
        """The last rows of the encoding were taken: n words get its first n rows."""
        return _words(token_ids, token_table, scale) + encoding[-token_ids.shape[-1] :]

    def first_position_for_all(token_ids, token_table, encoding, scale=True):
        """Every word got the row of position 0, so the order is still invisible: row p belongs to
        position p."""
        return _words(token_ids, token_table, scale) + encoding[0]

    def multiplied(token_ids, token_table, encoding, scale=True):
        """Words and positions were multiplied: the rows are added."""
        return _words(token_ids, token_table, scale) * _positions(token_ids, encoding)

    def scaled_by_the_vocabulary(token_ids, token_table, encoding, scale=True):
        """The factor is the root of the number of words: it is the root of the width, the last size of the
        table."""
        words = _words(token_ids, token_table, False)
        return (words * len(token_table) ** 0.5 if scale else words) + _positions(token_ids, encoding)

    def words_left_out(token_ids, token_table, encoding, scale=True):
        """Only the positions came back: add them to the rows of the words."""
        return np.broadcast_to(_positions(token_ids, encoding), (*token_ids.shape, encoding.shape[1]))

    def cut_to_whole_numbers(token_ids, token_table, encoding, scale=True):
        """Tables of whole numbers got whole numbers back, with the fractions cut off: the result has room for
        fractions, whatever the tables are made of."""
        rows = _words(token_ids, token_table, scale) + _positions(token_ids, encoding)
        return rows.astype(token_table.dtype)

    def changes_its_tables(token_ids, token_table, encoding, scale=True):
        """A table that came in was changed, by *= or += on its own rows: return a new array, for the next
        call finds another table."""
        rows = _words(token_ids, token_table, scale) + _positions(token_ids, encoding)
        if scale and token_table.flags.writeable and token_table.dtype.kind == "f":
            token_table *= token_table.shape[1] ** 0.5
        return rows


class same_word_similarity:
    def dot_product(word, encoding, i, j):
        """This is the dot product: divide it by both lengths to get the cosine."""
        return (word + encoding[i]) @ (word + encoding[j])

    def root_missing(word, encoding, i, j):
        """The dot product was divided by the squared lengths: take their roots first."""
        here, there = word + encoding[i], word + encoding[j]
        return here @ there / ((here @ here) * (there @ there))

    def word_left_out(word, encoding, i, j):
        """The two positions were compared by themselves: add the word to both first."""
        return _cosine(encoding[i], encoding[j])

    def word_scaled(word, encoding, i, j):
        """The word was multiplied by sqrt(d): here it is added as it comes."""
        word = word * len(word) ** 0.5
        return _cosine(word + encoding[i], word + encoding[j])

    def distance(word, encoding, i, j):
        """This is how far the two sums are apart: asked is the cosine of the angle between them."""
        return np.linalg.norm((word + encoding[i]) - (word + encoding[j]))

    def angle(word, encoding, i, j):
        """This is the angle in radians: asked is its cosine, so leave out the `arccos`."""
        return np.arccos(np.clip(_cosine(word + encoding[i], word + encoding[j]), -1.0, 1.0))

    def one_minus_cosine(word, encoding, i, j):
        """This is 1 minus the cosine, which is a distance: alike is 1 here, and opposite is -1."""
        return 1.0 - _cosine(word + encoding[i], word + encoding[j])

    def only_one_position_added(word, encoding, i, j):
        """The word with one position was compared with the bare word: add a position to both."""
        return _cosine(word + encoding[i], word)

    def sign_lost(word, encoding, i, j):
        """The cosine lost its sign: two sums that point away from each other have a negative one."""
        return abs(_cosine(word + encoding[i], word + encoding[j]))


class sum_pool:
    def averaged(x):
        """The rows were averaged: a mean is the sum divided by n."""
        return x.mean(axis=-2)

    def first_axis(x):
        """The sum runs along the first axis, which is the batch when there is one: positions are the last
        axis but one."""
        return x.sum(axis=0)

    def over_columns(x):
        """The sum runs along the columns, so one number per position is left: add up the positions, axis
        -2."""
        return x.sum(axis=-1)

    def batch_added_up_too(x):
        """All sequences were added up as well: each has a sum of its own."""
        return x.sum(axis=tuple(range(x.ndim - 1)))

    def last_row_only(x):
        """Only the last position came back: add up the rows of all positions."""
        return x[..., -1, :]

    def running_sum(x):
        """Every position got the sum up to itself: one row is left for each sequence, the sum of all its
        rows."""
        return np.cumsum(x, axis=-2)
