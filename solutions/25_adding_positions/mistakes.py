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
        """You do not scale the words. Multiply their rows by sqrt(d), unless `scale` is False."""
        return _words(token_ids, token_table, False) + _positions(token_ids, encoding)

    def positions_scaled_too(token_ids, token_table, encoding, scale=True):
        """You scale the positions too. Scale the word rows first, then add the position rows."""
        rows = _words(token_ids, token_table, False) + _positions(token_ids, encoding)
        return rows * rows.shape[-1] ** 0.5 if scale else rows

    def only_positions_scaled(token_ids, token_table, encoding, scale=True):
        """You scale the positions instead of the words. Multiply the word rows by sqrt(d), and leave the position rows
        unchanged."""
        rows = _positions(token_ids, encoding)
        rows = rows * rows.shape[-1] ** 0.5 if scale else rows
        return _words(token_ids, token_table, False) + rows

    def divided_by_the_root(token_ids, token_table, encoding, scale=True):
        """You divide the words by sqrt(d), as attention does with scores. Multiply them by it."""
        rows = _words(token_ids, token_table, False)
        return (rows / rows.shape[-1] ** 0.5 if scale else rows) + _positions(token_ids, encoding)

    def scaled_by_the_width(token_ids, token_table, encoding, scale=True):
        """You multiply the words by d. The factor is the square root of d."""
        rows = _words(token_ids, token_table, False)
        return (rows * rows.shape[-1] if scale else rows) + _positions(token_ids, encoding)

    def scale_ignored(token_ids, token_table, encoding, scale=True):
        """You scale the words although `scale` is False. In that case, add their rows without a factor."""
        return _words(token_ids, token_table, True) + _positions(token_ids, encoding)

    def position_by_batch(token_ids, token_table, encoding, scale=True):
        """Your positions run along the batch, so all words of a sequence have the same position. They must run along
        the last axis of `token_ids`, from 0 in every sequence."""
        words = _words(token_ids, token_table, scale)
        if words.ndim == 2:
            return words + _positions(token_ids, encoding)
        return words + encoding[: words.shape[-3]][:, None]

    def length_from_axis_one(token_ids, token_table, encoding, scale=True):
        """You read the length of the sequence from axis 1. With more leading axes, the sequence is on the last axis."""
        n = token_ids.shape[1] if token_ids.ndim > 1 else len(token_ids)
        return _words(token_ids, token_table, scale) + encoding[:n]

    def counted_through_the_batch(token_ids, token_table, encoding, scale=True):
        """Your positions continue from one sequence to the next. Every sequence must start at position 0."""
        positions = np.arange(token_ids.size).reshape(token_ids.shape)
        return _words(token_ids, token_table, scale) + encoding[positions]

    def position_by_token(token_ids, token_table, encoding, scale=True):
        """You index the encoding with the tokens, so a word gets the same row at every position. Index it with 0, 1, 2,
        ..."""
        return _words(token_ids, token_table, scale) + encoding[token_ids]

    def positions_start_at_one(token_ids, token_table, encoding, scale=True):
        """You give the first word row 1 of the encoding. The first position is 0."""
        return _words(token_ids, token_table, scale) + encoding[1 : token_ids.shape[-1] + 1]

    def last_positions(token_ids, token_table, encoding, scale=True):
        """You use the last rows of the encoding. A sequence of n words gets the first n rows."""
        return _words(token_ids, token_table, scale) + encoding[-token_ids.shape[-1] :]

    def first_position_for_all(token_ids, token_table, encoding, scale=True):
        """You give every word the row of position 0, so the order is still invisible. Position p must get row p."""
        return _words(token_ids, token_table, scale) + encoding[0]

    def multiplied(token_ids, token_table, encoding, scale=True):
        """You multiply the rows of words and positions. Add them."""
        return _words(token_ids, token_table, scale) * _positions(token_ids, encoding)

    def scaled_by_the_vocabulary(token_ids, token_table, encoding, scale=True):
        """Your factor is the square root of the number of words in the table. It must be the square root of the width,
        the last size of the table."""
        words = _words(token_ids, token_table, False)
        return (words * len(token_table) ** 0.5 if scale else words) + _positions(token_ids, encoding)

    def words_left_out(token_ids, token_table, encoding, scale=True):
        """You return only the positions. Add them to the word rows."""
        return np.broadcast_to(_positions(token_ids, encoding), (*token_ids.shape, encoding.shape[1]))

    def cut_to_whole_numbers(token_ids, token_table, encoding, scale=True):
        """You truncate the result to whole numbers, because the tables contain whole numbers. Return floats, whatever
        the dtype of the tables."""
        rows = _words(token_ids, token_table, scale) + _positions(token_ids, encoding)
        return rows.astype(token_table.dtype)

    def changes_its_tables(token_ids, token_table, encoding, scale=True):
        """You change a table that belongs to the caller, for example with `*=` or `+=`. The next call then starts from
        other numbers. Return a new array."""
        rows = _words(token_ids, token_table, scale) + _positions(token_ids, encoding)
        if scale and token_table.flags.writeable and token_table.dtype.kind == "f":
            token_table *= token_table.shape[1] ** 0.5
        return rows


class same_word_similarity:
    def dot_product(word, encoding, i, j):
        """You return the dot product. Divide it by both lengths to get the cosine."""
        return (word + encoding[i]) @ (word + encoding[j])

    def word_changed_on_the_way(word, encoding, i, j):
        """You write `first = word`, which does not make a copy, so `first += ...` changes the word before you use it
        again. Write `first = word + encoding[i]`."""
        first = word
        first += encoding[i]
        return _cosine(first, word + encoding[j])

    def root_missing(word, encoding, i, j):
        """You divide the dot product by the squared lengths. Take their square roots first."""
        here, there = word + encoding[i], word + encoding[j]
        return here @ there / ((here @ here) * (there @ there))

    def word_left_out(word, encoding, i, j):
        """You compare the two positions without the word. Add the word to both first."""
        return _cosine(encoding[i], encoding[j])

    def word_scaled(word, encoding, i, j):
        """You multiply the word by sqrt(d). Add it unchanged in this function."""
        word = word * len(word) ** 0.5
        return _cosine(word + encoding[i], word + encoding[j])

    def distance(word, encoding, i, j):
        """You return the distance between the two sums. Return the cosine of the angle between them."""
        return np.linalg.norm((word + encoding[i]) - (word + encoding[j]))

    def angle(word, encoding, i, j):
        """You return the angle in radians. Return its cosine, without `arccos`."""
        return np.arccos(np.clip(_cosine(word + encoding[i], word + encoding[j]), -1.0, 1.0))

    def one_minus_cosine(word, encoding, i, j):
        """You return 1 minus the cosine, which is a distance. Return the cosine: 1 for the same direction, -1 for
        opposite ones."""
        return 1.0 - _cosine(word + encoding[i], word + encoding[j])

    def only_one_position_added(word, encoding, i, j):
        """You compare the word at one position with the word alone. Add a position to both."""
        return _cosine(word + encoding[i], word)

    def sign_lost(word, encoding, i, j):
        """Your cosine is never negative, because you take an absolute value or a square. Keep the sign: the cosine is
        negative if the two sums point away from each other."""
        return abs(_cosine(word + encoding[i], word + encoding[j]))


class sum_pool:
    def averaged(x):
        """You return the mean of the rows. Return their sum, without dividing by n."""
        return x.mean(axis=-2)

    def first_axis(x):
        """You sum along the first axis, which is the batch if there is one. The positions are on the second to last
        axis, -2."""
        return x.sum(axis=0)

    def second_axis(x):
        """You sum along axis 1. The positions are there only if there is one leading axis. They are always on the
        second to last axis, -2."""
        return x.sum(axis=1)

    def over_columns(x):
        """You sum along the columns, which leaves one number per position. Add up the positions: axis -2."""
        return x.sum(axis=-1)

    def batch_added_up_too(x):
        """You add up the sequences too. Every sequence must keep its own sum."""
        return x.sum(axis=tuple(range(x.ndim - 1)))

    def last_row_only(x):
        """You return only the row of the last position. Add up the rows of all positions."""
        return x[..., -1, :]

    def running_sum(x):
        """You return a running sum, with one row per position. Return one row per sequence: the sum of all its rows."""
        return np.cumsum(x, axis=-2)
