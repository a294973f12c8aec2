"""Other right answers to 33_embedding_layer, and when one would want them."""
import math

import numpy as np


def _checked(kind, **sizes):
    if kind not in ("sinusoidal", "learned", "hybrid"):
        raise ValueError(f"the kind {kind!r} is not known, only sinusoidal, learned and hybrid")
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is out of range: {size}")


def _checked_layer(token_ids, token_table, position_table, dropout):
    for wrong in token_ids[(token_ids < 0) | (token_ids >= len(token_table))]:
        raise ValueError(f"token_ids have {wrong}, for which there is no row")
    if token_ids.shape[-1] > len(position_table):
        raise ValueError(f"position_table has {len(position_table)} rows for {token_ids.shape[-1]} words")
    if token_table.shape[1] != position_table.shape[1]:
        raise ValueError(f"token_table is {token_table.shape[1]} wide, not {position_table.shape[1]}")
    if dropout < 0 or dropout >= 1:
        raise ValueError(f"dropout is out of range: {dropout}")


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


class build_position_table:
    def by_phase_shift(kind, max_len, d_model, seed=0):
        """One sine over all columns with a phase of 0 or pi/2, and NumPy's older generator for the noise.
        Two factors of 0 or 1 choose the parts, so there is one formula for all kinds."""
        _checked(kind, max_len=max_len, d_model=d_model)
        columns = np.arange(d_model)
        angles = np.arange(max_len)[:, None] * 10000.0 ** (-2 * (columns // 2) / d_model)
        waves = np.sin(angles + np.pi / 2 * (columns % 2))      # (max_len, d_model)
        noise = 0.02 * np.random.RandomState(seed).randn(max_len, d_model)
        return (kind != "learned") * waves + (kind != "sinusoidal") * noise

    def by_loops(kind, max_len, d_model, seed=0):
        """The formula entry by entry with math.sin and math.cos, the random numbers drawn one at a time.
        Good for checking a vectorised version."""
        _checked(kind, max_len=max_len, d_model=d_model)
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
        """Normal numbers out of even ones: a root of a logarithm as radius, an even angle, and the cosine.
        What a generator without a normal distribution needs; the result is Fortran-ordered."""
        _checked(kind, max_len=max_len, d_model=d_model)
        pairs = (d_model + 1) // 2
        spiral = 1j * np.exp(-1j * np.outer(np.arange(max_len), 10000.0 ** (-2 * np.arange(pairs) / d_model)))
        waves = spiral.view(np.float64)[:, :d_model]            # sin + i cos, taken apart into columns
        even = np.random.Generator(np.random.Philox(seed)).random((2, d_model, max_len))
        noise = 0.02 * np.sqrt(-2.0 * np.log(1.0 - even[0])) * np.cos(2.0 * np.pi * even[1])
        return {"sinusoidal": waves, "learned": noise.T, "hybrid": waves + noise.T}[kind]


class embedding_layer:
    def by_one_hot_products(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """A table look-up is a product with one-hot rows; that shows why its gradient adds up repeated ids.
        The mask is drawn as 0 or 1 from a binomial distribution of one throw."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        one_hot = token_ids[..., None] == np.arange(len(token_table))                  # (..., n, vocab)
        places = np.eye(token_ids.shape[-1], len(position_table), dtype=bool)          # (n, max_len)
        embedded = _floating(one_hot @ token_table + places @ position_table)
        factors = np.random.RandomState(seed).binomial(1, 1 - dropout, embedded.shape) / (1 - dropout)
        return embedded * factors.astype(embedded.dtype)

    def by_loops(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Word by word, the rows added and every entry given its chance on its own.
        It reads like the definition; a batch of any size wants array operations."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        generator = np.random.default_rng(seed)
        dtype = _floating(token_table[:1] + position_table[:1]).dtype
        embedded = np.zeros((*token_ids.shape, token_table.shape[1]), dtype)
        for index in np.ndindex(token_ids.shape):
            for column in range(token_table.shape[1]):
                if generator.random() >= dropout:
                    value = token_table[token_ids[index], column] + position_table[index[-1], column]
                    embedded[(*index, column)] = value / (1 - dropout)
        return embedded

    def by_writing_zeros(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Take the rows into a new array, add, divide everything, then write zeros where the lot fell so.
        In place throughout, on an array of its own: no second one of full size but the mask."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        embedded = _floating(np.take(token_table, token_ids, axis=0))
        embedded += position_table[: token_ids.shape[-1]]
        embedded /= 1 - dropout
        embedded[np.random.default_rng(seed).uniform(size=embedded.shape) < dropout] = 0.0
        return embedded


class parameter_count:
    def by_the_tables_sizes(kind, vocab_size, max_len, d_model):
        """List the shapes of what is trained and add up their sizes, as one would count any model.
        A further table, such as one for segments, is one more entry of the list."""
        _checked(kind, vocab_size=vocab_size, max_len=max_len, d_model=d_model)
        shapes = [(vocab_size, d_model)] + [(max_len, d_model)] * (kind in ("learned", "hybrid"))
        return sum(math.prod(shape) for shape in shapes)
