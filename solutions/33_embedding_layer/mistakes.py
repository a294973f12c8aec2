"""Wrong answers to 33_embedding_layer; each docstring is what the learner is told."""
import numpy as np


def _embedded(token_ids, token_table, position_table):
    return token_table[token_ids] + position_table[: token_ids.shape[-1]]          # (..., n, d_model)


def _kept(shape, dropout, seed):
    return np.random.default_rng(seed).random(shape) >= dropout


def _dropped(embedded, dropout, seed):
    return np.where(_kept(embedded.shape, dropout, seed), embedded / (1 - dropout), 0.0)


def _angles(max_len, d_model):
    return np.outer(np.arange(max_len), 10000.0 ** (-np.arange(0, d_model, 2) / d_model))


def _interleaved(angles, d_model):
    table = np.empty((len(angles), d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return table


def _sinusoidal(max_len, d_model):
    return _interleaved(_angles(max_len, d_model), d_model)


def _learned(max_len, d_model, seed):
    return np.random.default_rng(seed).normal(scale=0.02, size=(max_len, d_model))


def _table(kind, sinusoidal, learned):
    return {"sinusoidal": sinusoidal, "learned": learned, "hybrid": sinusoidal + learned}[kind]


class embedding_layer:
    def scaled_by_the_root(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You multiply the token rows by the square root of the width, as in the transformer of 2017. Add them without
        scaling."""
        scaled = token_table * token_table.shape[1] ** 0.5
        return _dropped(_embedded(token_ids, scaled, position_table), dropout, seed)

    def positions_by_token(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You index the position table with the token ids. Use the position in the sentence: the first token gets row
        0, whatever its id is."""
        ids = np.minimum(token_ids, len(position_table) - 1)
        return _dropped(token_table[token_ids] + position_table[ids], dropout, seed)

    def positions_by_sentence(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You give all words of a sentence the same position row, and the next sentence the next row. Positions run
        along the last axis of the ids."""
        rows = position_table[np.arange(len(token_ids)) % len(position_table)]
        rows = rows.reshape(len(token_ids), *[1] * (token_ids.ndim - 1), -1)
        return _dropped(token_table[token_ids] + rows, dropout, seed)

    def counted_through_the_batch(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You continue the positions from one sentence to the next. Every sentence of a batch starts at position 0."""
        places = np.arange(token_ids.size).reshape(token_ids.shape) % len(position_table)
        return _dropped(token_table[token_ids] + position_table[places], dropout, seed)

    def starts_at_one(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You count the positions from 1. Count from 0: the first token of a sentence gets the first row of the
        table."""
        rows = np.roll(position_table, -1, axis=0)
        return _dropped(_embedded(token_ids, token_table, rows), dropout, seed)

    def last_rows(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You add the last n rows of the position table. Use the first n rows: the first token is at position 0."""
        rows = position_table[-token_ids.shape[-1]:]
        return _dropped(_embedded(token_ids, token_table, rows), dropout, seed)

    def all_rows_added(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You add the whole position table, which works only if a sentence is as long as the table. Use its first n
        rows, where n is the last size of the ids."""
        return _dropped(token_table[token_ids] + position_table, dropout, seed)

    def only_tokens(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You leave out the position rows. Add the first n rows of the position table to every sentence."""
        return _dropped(token_table[token_ids], dropout, seed)

    def kept_as_they_were(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You do not scale the entries that stay. Divide them by 1 - dropout, so that the average does not change."""
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape, dropout, seed)

    def kept_multiplied(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You multiply the entries that stay by 1 - dropout. Divide them by it, so that the average does not change."""
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape, dropout, seed) * (1 - dropout)

    def divided_by_the_dropout(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You divide the entries that stay by `dropout`. Divide them by 1 - dropout, the probability that an entry
        stays."""
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape, dropout, seed) / (dropout or 1.0)

    def share_kept(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You use `dropout` as the probability to keep an entry, as in the paper on dropout. Use it as the probability
        to drop one."""
        share = 1 - dropout if dropout else 0.0
        return _dropped(_embedded(token_ids, token_table, position_table), share, seed)

    def whole_words_dropped(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You drop all entries of a token or none. Decide for each entry separately."""
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept((*token_ids.shape, 1), dropout, seed) / (1 - dropout)

    def one_mask_for_all_sentences(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You drop the same entries in all sentences of the batch. Draw one random number for each entry of the
        result."""
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape[-2:], dropout, seed) / (1 - dropout)

    def only_tokens_dropped(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You apply dropout to the token rows alone, before you add the position rows. Apply it to the sum."""
        tokens = _dropped(token_table[token_ids], dropout, seed)
        return tokens + position_table[: token_ids.shape[-1]]

    def dropout_seed_ignored(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You drop the same entries for every seed. Pass `seed` to the random generator."""
        return _dropped(_embedded(token_ids, token_table, position_table), dropout, 0)

    def no_seed_is_one_seed(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You drop the same entries in every call without a seed. Pass None on to the generator, which then chooses
        anew."""
        return _dropped(_embedded(token_ids, token_table, position_table), dropout, seed or 0)

    def writes_into_the_position_table(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """You change the position table: `position_table[:n]` is a view, so adding in place writes into the table.
        Compute the sum in a new array."""
        embedded = _embedded(token_ids, token_table, position_table)
        if token_ids.ndim == 1 and position_table.dtype == embedded.dtype:
            rows = position_table[: len(token_ids)]
            rows += token_table[token_ids]
        return _dropped(embedded, dropout, seed)


class build_position_table:
    def sines_then_cosines(kind, max_len, d_model, seed=0):
        """You get the right values, but put all sines first, then all cosines. Put the sine of pair i into column 2i
        and its cosine into column 2i + 1."""
        angles = _angles(max_len, d_model)
        halves = np.concatenate([np.sin(angles), np.cos(angles[:, : d_model // 2])], axis=1)
        return _table(kind, halves, _learned(max_len, d_model, seed))

    def every_column_its_own_exponent(kind, max_len, d_model, seed=0):
        """You give each column its own exponent. Both columns of a pair share one: 2i / d_model, where i is column //
        2."""
        columns = np.arange(d_model)
        angles = np.outer(np.arange(max_len), 10000.0 ** (-columns / d_model))
        table = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
        return _table(kind, table, _learned(max_len, d_model, seed))

    def odd_width_rounded_up(kind, max_len, d_model, seed=0):
        """You divide the exponents by d_model + 1 if the width is odd. Divide by d_model for every width."""
        sinusoidal = _sinusoidal(max_len, d_model + d_model % 2)[:, :d_model]
        return _table(kind, sinusoidal, _learned(max_len, d_model, seed))

    def position_zero_left_out(kind, max_len, d_model, seed=0):
        """You start the sinusoids at position 1. Start at position 0: its row is 0, 1, 0, 1, ..."""
        waves = _interleaved(_angles(max_len + 1, d_model)[1:], d_model)
        return _table(kind, waves, _learned(max_len, d_model, seed))

    def spread_of_one(kind, max_len, d_model, seed=0):
        """You draw with the standard deviation 1, which is 50 times too large. Use 0.02."""
        return _table(kind, _sinusoidal(max_len, d_model), 50.0 * _learned(max_len, d_model, seed))

    def variance_for_deviation(kind, max_len, d_model, seed=0):
        """You use 0.02 as the variance, so the learned numbers are 7 times too large. Use it as the standard
        deviation."""
        return _table(kind, _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed) / 0.02**0.5)

    def deviation_for_mean(kind, max_len, d_model, seed=0):
        """You use 0.02 as the mean of the learned numbers, and 1 as their standard deviation. Give it by name:
        scale=0.02."""
        learned = np.random.default_rng(seed).normal(0.02, size=(max_len, d_model))
        return _table(kind, _sinusoidal(max_len, d_model), learned)

    def spread_by_the_width(kind, max_len, d_model, seed=0):
        """You use the standard deviation 1 / sqrt(d_model). Use 0.02 for every width."""
        noise = 50.0 * _learned(max_len, d_model, seed) / d_model**0.5
        return _table(kind, _sinusoidal(max_len, d_model), noise)

    def box_instead_of_bell(kind, max_len, d_model, seed=0):
        """You draw the learned numbers uniformly from an interval. Draw them from a normal distribution."""
        numbers = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(max_len, d_model))
        return _table(kind, _sinusoidal(max_len, d_model), 0.02 * 3**0.5 * numbers)

    def seed_ignored(kind, max_len, d_model, seed=0):
        """You return the same numbers for every seed. Pass `seed` to the random generator."""
        return _table(kind, _sinusoidal(max_len, d_model), _learned(max_len, d_model, 0))

    def seed_ignored_in_the_hybrid(kind, max_len, d_model, seed=0):
        """You return the same learned part of a hybrid for every seed. Pass `seed` on for the hybrid too."""
        learned = _learned(max_len, d_model, 0 if kind == "hybrid" else seed)
        return _table(kind, _sinusoidal(max_len, d_model), learned)

    def one_row_for_all(kind, max_len, d_model, seed=0):
        """You use one row of random numbers for every position, so all positions look the same. Draw max_len rows."""
        rows = np.tile(_learned(1, d_model, seed), (max_len, 1))
        return _table(kind, _sinusoidal(max_len, d_model), rows)

    def hybrid_side_by_side(kind, max_len, d_model, seed=0):
        """You put sinusoids into the first columns of the hybrid and learned numbers into the others. Add two tables of
        full width instead."""
        sinusoidal, learned = _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed)
        both = np.concatenate([sinusoidal[:, : d_model // 2], learned[:, d_model // 2:]], axis=1)
        return both if kind == "hybrid" else _table(kind, sinusoidal, learned)

    def hybrid_is_a_mean(kind, max_len, d_model, seed=0):
        """You return the mean of a sinusoidal and a learned table as the hybrid. Return their sum."""
        table = _table(kind, _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed))
        return table / 2 if kind == "hybrid" else table


class parameter_count:
    def sinusoids_counted(kind, vocab_size, max_len, d_model):
        """You count the sinusoidal table too. It is computed, not trained, so leave it out."""
        return (vocab_size + max_len) * d_model

    def tokens_forgotten(kind, vocab_size, max_len, d_model):
        """You count only the position rows. The token table is trained too, so add its entries."""
        return 0 if kind == "sinusoidal" else max_len * d_model

    def hybrid_counted_twice(kind, vocab_size, max_len, d_model):
        """You count both parts of the hybrid. Count its learned part only, because its sinusoids are not trained."""
        return (vocab_size + ("sinusoidal", "learned", "hybrid").index(kind) * max_len) * d_model

    def hybrid_not_counted(kind, vocab_size, max_len, d_model):
        """You count the hybrid as if none of its position rows were trained. Count its learned part."""
        return (vocab_size + (kind == "learned") * max_len) * d_model
