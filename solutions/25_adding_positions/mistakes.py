"""Wrong answers to 25_adding_positions; each docstring is what the learner is told."""
import numpy as np


def _checked_tokens(token_ids, token_table):
    vocab = len(token_table)
    unknown = token_ids[(token_ids < 0) | (token_ids >= vocab)]
    if unknown.size:
        raise ValueError(f"token_ids must be from 0 to {vocab - 1}, got {unknown[0]}")


def _checked_widths(token_table, encoding):
    if encoding.shape[1] != token_table.shape[1]:
        raise ValueError(
            f"token_table and encoding must be equally wide, got {token_table.shape} and {encoding.shape}")


def _checked_length(token_ids, encoding):
    if token_ids.shape[-1] > len(encoding):
        raise ValueError(
            f"token_ids of shape {token_ids.shape} are longer than the {len(encoding)} rows of encoding")


def _checked(token_ids, token_table, encoding):
    _checked_tokens(token_ids, token_table)
    _checked_widths(token_table, encoding)
    _checked_length(token_ids, encoding)


def _checked_word(word, encoding):
    if word.shape != encoding.shape[1:]:
        raise ValueError(f"word and encoding must be equally wide, got {word.shape} and {encoding.shape}")


def _checked_pair(word, encoding, i, j):
    for name, position in (("i", i), ("j", j)):
        if not 0 <= position < len(encoding):
            raise ValueError(f"{name} must be from 0 to {len(encoding) - 1}, got {position}")
    _checked_word(word, encoding)


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _words(token_ids, token_table, scale):
    rows = _floating(token_table)[token_ids]                    # (..., n, d)
    return rows * rows.shape[-1] ** 0.5 if scale else rows


def _positions(token_ids, encoding):
    return _floating(encoding)[: token_ids.shape[-1]]           # (n, d)


def _cosine(here, there):
    return float(here @ there / (np.linalg.norm(here) * np.linalg.norm(there)))


class embed:
    def scale_forgotten(token_ids, token_table, encoding, scale=True):
        """The words were not scaled: unless `scale` is False, their rows are multiplied by sqrt(d)
        first."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, False) + _positions(token_ids, encoding)

    def positions_scaled_too(token_ids, token_table, encoding, scale=True):
        """The sum was scaled, positions and all: scale the words' rows, then add those of the
        positions."""
        _checked(token_ids, token_table, encoding)
        rows = _words(token_ids, token_table, False) + _positions(token_ids, encoding)
        return rows * rows.shape[-1] ** 0.5 if scale else rows

    def only_positions_scaled(token_ids, token_table, encoding, scale=True):
        """The positions were scaled and the words were not: sqrt(d) belongs to the words."""
        _checked(token_ids, token_table, encoding)
        rows = _positions(token_ids, encoding)
        rows = rows * rows.shape[-1] ** 0.5 if scale else rows
        return _words(token_ids, token_table, False) + rows

    def divided_by_the_root(token_ids, token_table, encoding, scale=True):
        """The words were divided by sqrt(d), as scores are in attention: embeddings are multiplied by
        it."""
        _checked(token_ids, token_table, encoding)
        rows = _words(token_ids, token_table, False)
        return (rows / rows.shape[-1] ** 0.5 if scale else rows) + _positions(token_ids, encoding)

    def scaled_by_the_width(token_ids, token_table, encoding, scale=True):
        """The words were multiplied by d itself: the factor is its square root."""
        _checked(token_ids, token_table, encoding)
        rows = _words(token_ids, token_table, False)
        return (rows * rows.shape[-1] if scale else rows) + _positions(token_ids, encoding)

    def scale_ignored(token_ids, token_table, encoding, scale=True):
        """The words were scaled although `scale` is False: then their rows are added as they are."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, True) + _positions(token_ids, encoding)

    def position_by_batch(token_ids, token_table, encoding, scale=True):
        """The positions were counted along the batch: every sequence has a single position here. They run
        along the last axis of `token_ids`, from 0 in every sequence."""
        _checked(token_ids, token_table, encoding)
        words = _words(token_ids, token_table, scale)
        if words.ndim == 2:
            return words + _positions(token_ids, encoding)
        return words + _floating(encoding)[: words.shape[-3]][:, None]

    def counted_through_the_batch(token_ids, token_table, encoding, scale=True):
        """The positions go on from one sequence to the next: each sequence begins at position 0."""
        _checked(token_ids, token_table, encoding)
        positions = np.arange(token_ids.size).reshape(token_ids.shape)
        return _words(token_ids, token_table, scale) + _floating(encoding)[positions]

    def position_by_token(token_ids, token_table, encoding, scale=True):
        """The encoding was indexed with the tokens, so a word has one position wherever it stands: index
        it with 0, 1, 2, ..."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, scale) + _floating(encoding)[token_ids]

    def positions_start_at_one(token_ids, token_table, encoding, scale=True):
        """The first word got row 1 of the encoding: the first position is 0."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, scale) + _floating(encoding)[1 : token_ids.shape[-1] + 1]

    def last_positions(token_ids, token_table, encoding, scale=True):
        """The last rows of the encoding were taken: n words get its first n rows."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, scale) + _floating(encoding)[-token_ids.shape[-1] :]

    def first_position_for_all(token_ids, token_table, encoding, scale=True):
        """Every word got the row of position 0, so the order is still invisible: row p belongs to
        position p."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, scale) + _floating(encoding)[0]

    def multiplied(token_ids, token_table, encoding, scale=True):
        """Words and positions were multiplied: the rows are added."""
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, scale) * _positions(token_ids, encoding)

    def too_long_clipped(token_ids, token_table, encoding, scale=True):
        """A sequence longer than the encoding got its last row again and again: refuse it."""
        _checked_tokens(token_ids, token_table)
        _checked_widths(token_table, encoding)
        positions = np.minimum(np.arange(token_ids.shape[-1]), len(encoding) - 1)
        return _words(token_ids, token_table, scale) + _floating(encoding)[positions]

    def counts_from_the_end(token_ids, token_table, encoding, scale=True):
        """A negative token was taken from the end of the word table, as NumPy does: refuse it."""
        _checked(np.maximum(token_ids, 0), token_table, encoding)
        return _words(token_ids % len(token_table), token_table, scale) + _positions(token_ids, encoding)

    def tokens_clipped(token_ids, token_table, encoding, scale=True):
        """A token without a row got that of the nearest one: refuse it, do not clip."""
        token_ids = np.clip(token_ids, 0, len(token_table) - 1)
        _checked(token_ids, token_table, encoding)
        return _words(token_ids, token_table, scale) + _positions(token_ids, encoding)

    def one_column_stretched(token_ids, token_table, encoding, scale=True):
        """A table of one column was stretched to the width of the other: refuse tables of different
        width."""
        if 1 not in (token_table.shape[1], encoding.shape[1]):
            _checked_widths(token_table, encoding)
        _checked_tokens(token_ids, token_table)
        _checked_length(token_ids, encoding)
        return _words(token_ids, token_table, scale) + _positions(token_ids, encoding)

    def changes_its_tables(token_ids, token_table, encoding, scale=True):
        """A table that came in was changed, by *= or += on its own rows: return a new array, for the next
        call finds another table."""
        _checked(token_ids, token_table, encoding)
        rows = _words(token_ids, token_table, scale) + _positions(token_ids, encoding)
        if scale and token_table.flags.writeable and token_table.dtype.kind == "f":
            token_table *= token_table.shape[1] ** 0.5
        return rows

    def always_double(token_ids, token_table, encoding, scale=True):
        """float32 tables gave float64 rows. np.sqrt(d) is a float64 scalar and makes that happen in NumPy
        2; d**0.5 is a plain float."""
        _checked(token_ids, token_table, encoding)
        return (_words(token_ids, token_table, scale) + _positions(token_ids, encoding)).astype(np.float64)


class same_word_similarity:
    def dot_product(word, encoding, i, j):
        """This is the dot product: divide it by both lengths to get the cosine."""
        _checked_pair(word, encoding, i, j)
        word, encoding = _floating(word), _floating(encoding)
        return float((word + encoding[i]) @ (word + encoding[j]))

    def root_missing(word, encoding, i, j):
        """The dot product was divided by the squared lengths: take their roots first."""
        _checked_pair(word, encoding, i, j)
        word, encoding = _floating(word), _floating(encoding)
        here, there = word + encoding[i], word + encoding[j]
        return float(here @ there / ((here @ here) * (there @ there)))

    def word_left_out(word, encoding, i, j):
        """The two positions were compared by themselves: add the word to both first."""
        _checked_pair(word, encoding, i, j)
        encoding = _floating(encoding)
        return _cosine(encoding[i], encoding[j])

    def word_scaled(word, encoding, i, j):
        """The word was multiplied by sqrt(d): here it is added as it comes."""
        _checked_pair(word, encoding, i, j)
        word, encoding = _floating(word) * len(word) ** 0.5, _floating(encoding)
        return _cosine(word + encoding[i], word + encoding[j])

    def position_from_the_end(word, encoding, i, j):
        """A negative position was counted from the end, as NumPy does: refuse it."""
        _checked_pair(word, encoding, max(i, 0), max(j, 0))
        word, encoding = _floating(word), _floating(encoding)
        return _cosine(word + encoding[i % len(encoding)], word + encoding[j % len(encoding)])


class sum_pool:
    def averaged(x):
        """The rows were averaged: a mean is the sum divided by n."""
        return _floating(x).mean(axis=-2)

    def first_axis(x):
        """The sum runs along the first axis, which is the batch when there is one: positions are the last
        axis but one."""
        return _floating(x).sum(axis=0)

    def over_columns(x):
        """The sum runs along the columns, so one number per position is left: add up the positions, axis
        -2."""
        return _floating(x).sum(axis=-1)

    def batch_added_up_too(x):
        """All sequences were added up as well: each has a sum of its own."""
        return _floating(x).sum(axis=tuple(range(x.ndim - 1)))
