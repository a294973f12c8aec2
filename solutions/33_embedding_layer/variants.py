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

    def by_one_hot_products(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Write each table look-up as a product with one-hot rows. You see why the gradients of repeated ids add up.
        The zeros and ones of the mask come from a binomial distribution with one trial."""
        one_hot = token_ids[..., None] == np.arange(len(token_table))                  # (..., n, vocab)
        places = np.eye(token_ids.shape[-1], len(position_table), dtype=bool)          # (n, max_len)
        embedded = one_hot @ token_table + places @ position_table                     # (..., n, d_model)
        return embedded * np.random.RandomState(seed).binomial(1, 1 - dropout, embedded.shape) / (1 - dropout)

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
    def by_phase_shift(kind, max_len, d_model, seed=0):
        """Take one sine for all columns, with a phase of 0 or pi/2, plus noise from NumPy's older generator.
        Two factors of 0 or 1 choose the parts, so all kinds share one formula without an `if`."""
        columns = np.arange(d_model)
        angles = np.arange(max_len)[:, None] * 10000.0 ** (-2 * (columns // 2) / d_model)
        waves = np.sin(angles + np.pi / 2 * (columns % 2))      # (max_len, d_model)
        noise = 0.02 * np.random.RandomState(seed).randn(max_len, d_model)
        return (kind != "learned") * waves + (kind != "sinusoidal") * noise

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

    def by_box_and_muller(kind, max_len, d_model, seed=0):
        """Make normal numbers from uniform ones: use the logarithm of one for a radius, another for an angle. This
        helps if your generator has no normal distribution. The learned table is Fortran-ordered."""
        pairs = (d_model + 1) // 2
        spiral = 1j * np.exp(-1j * np.outer(np.arange(max_len), 10000.0 ** (-2 * np.arange(pairs) / d_model)))
        waves = spiral.view(np.float64)[:, :d_model]            # sin + i cos, split into columns
        even = np.random.Generator(np.random.Philox(seed)).random((2, d_model, max_len))
        noise = 0.02 * np.sqrt(-2.0 * np.log(1.0 - even[0])) * np.cos(2.0 * np.pi * even[1])
        return {"sinusoidal": waves, "learned": noise.T, "hybrid": waves + noise.T}[kind]


class parameter_count:
    def by_the_tables_sizes(kind, vocab_size, max_len, d_model):
        """List the shapes of all trained tables and add up their sizes, as you would for any model.
        Another table, such as BERT's for segments, is one more entry in the list."""
        shapes = [(vocab_size, d_model)] + [(max_len, d_model)] * (kind in ("learned", "hybrid"))
        return sum(math.prod(shape) for shape in shapes)
