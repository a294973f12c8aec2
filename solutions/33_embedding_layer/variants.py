"""Other right answers to 33_embedding_layer, and when you would want them."""
import math

import numpy as np


class embedding_layer:
    def in_place(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Add, drop and divide in place in one new array, and draw no random numbers if there is no dropout."""
        embedded = np.take(token_table, token_ids, axis=0)                             # (..., n, d_model)
        embedded = embedded.astype(np.result_type(embedded, 1.0), copy=False)
        embedded += position_table[: token_ids.shape[-1]]
        if dropout > 0:
            embedded *= np.random.default_rng(seed).random(embedded.shape) >= dropout
            embedded /= 1 - dropout
        return embedded

    def by_loops(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Go through tokens and columns one by one, and decide for each entry separately. This is close to the
        definition. Use it to check other versions."""
        generator = np.random.default_rng(seed)
        embedded = np.zeros((*token_ids.shape, token_table.shape[1]))                  # (..., n, d_model)
        for index in np.ndindex(token_ids.shape):
            for column in range(token_table.shape[1]):
                if generator.random() >= dropout:
                    value = token_table[token_ids[index], column] + position_table[index[-1], column]
                    embedded[(*index, column)] = value / (1 - dropout)
        return embedded

    def by_writing_zeros(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Divide all entries, then write zeros into the dropped ones, with a boolean array as the index.
        Writing into the sum is safe, because it is a new array and not a view of a table."""
        embedded = (token_table[token_ids] + position_table[: token_ids.shape[-1]]) / (1 - dropout)
        embedded[np.random.default_rng(seed).uniform(size=embedded.shape) < dropout] = 0.0
        return embedded


class build_position_table:
    def by_loops(kind, max_len, d_model, seed=0):
        """Compute the formula entry by entry with math.sin and math.cos, and draw one random number at a time. Use it
        to check the sinusoids of a vectorised version."""
        generator = np.random.default_rng([seed, max_len, d_model])
        table = np.zeros((max_len, d_model))
        for position in range(max_len):
            for column in range(d_model):
                if kind != "learned":
                    angle = position / 10000.0 ** ((column - column % 2) / d_model)
                    table[position, column] = math.cos(angle) if column % 2 else math.sin(angle)
                if kind != "sinusoidal":
                    table[position, column] += generator.normal(0.0, 0.02)
        return table


class parameter_count:
    def by_the_tables_sizes(kind, vocab_size, max_len, d_model):
        """List the shapes of all trained tables and add up their sizes, as you would for any model.
        Another table, such as BERT's for segments, is one more entry in the list."""
        shapes = [(vocab_size, d_model)] + [(max_len, d_model)] * (kind in ("learned", "hybrid"))
        return sum(math.prod(shape) for shape in shapes)
