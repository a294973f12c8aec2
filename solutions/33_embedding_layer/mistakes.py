"""Wrong answers to 33_embedding_layer; each docstring is what the learner is told."""
import numpy as np

KINDS = ("sinusoidal", "learned", "hybrid")


def _checked(kind, **sizes):
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    _checked_sizes(**sizes)


def _checked_sizes(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def _angles(max_len, d_model):
    return np.outer(np.arange(max_len), 10000.0 ** (-np.arange(0, d_model, 2) / d_model))


def _sinusoidal(max_len, d_model):
    angles = _angles(max_len, d_model)
    table = np.empty((max_len, d_model))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return table


def _learned(max_len, d_model, seed):
    return np.random.default_rng(seed).normal(scale=0.02, size=(max_len, d_model))


def _table(kind, sinusoidal, learned):
    return {"sinusoidal": sinusoidal, "learned": learned, "hybrid": sinusoidal + learned}[kind]


def _checked_ids(token_ids, token_table, lowest=0):
    low, high = token_ids.min(), token_ids.max()
    if low < lowest or high >= len(token_table):
        raise ValueError(f"token_ids must be from 0 to {len(token_table) - 1}, got {low} to {high}")


def _checked_length(token_ids, position_table):
    if token_ids.shape[-1] > len(position_table):
        shapes = f"{token_ids.shape} and {position_table.shape}"
        raise ValueError(f"token_ids must not be longer than position_table, got shapes {shapes}")


def _checked_widths(token_table, position_table):
    if token_table.shape[1] != position_table.shape[1]:
        shapes = f"{token_table.shape} and {position_table.shape}"
        raise ValueError(f"token_table and position_table must be equally wide, got shapes {shapes}")


def _checked_dropout(dropout):
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, got {dropout}")


def _checked_layer(token_ids, token_table, position_table, dropout):
    _checked_ids(token_ids, token_table)
    _checked_length(token_ids, position_table)
    _checked_widths(token_table, position_table)
    _checked_dropout(dropout)


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _embedded(token_ids, token_table, position_table):
    return _floating(token_table[token_ids] + position_table[: token_ids.shape[-1]])


def _kept(shape, dropout, seed):
    return np.random.default_rng(seed).random(shape) >= dropout


def _dropped(embedded, dropout, seed):
    return embedded * _kept(embedded.shape, dropout, seed) / (1 - dropout) if dropout else embedded


class build_position_table:
    def sines_then_cosines(kind, max_len, d_model, seed=0):
        """The values are right, the columns are not: all sines, then all cosines. Wanted are the sine of pair
        i in column 2i and its cosine in column 2i + 1."""
        _checked(kind, max_len=max_len, d_model=d_model)
        angles = _angles(max_len, d_model)
        halves = np.concatenate([np.sin(angles), np.cos(angles[:, : d_model // 2])], axis=1)
        return _table(kind, halves, _learned(max_len, d_model, seed))

    def every_column_its_own_exponent(kind, max_len, d_model, seed=0):
        """Every column has its own exponent; both columns of a pair share one, 2i / d_model."""
        _checked(kind, max_len=max_len, d_model=d_model)
        columns = np.arange(d_model)
        angles = np.outer(np.arange(max_len), 10000.0 ** (-columns / d_model))
        table = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
        return _table(kind, table, _learned(max_len, d_model, seed))

    def spread_of_one(kind, max_len, d_model, seed=0):
        """The learned numbers have a standard deviation of 1, as large as a whole embedding: it is 0.02."""
        _checked(kind, max_len=max_len, d_model=d_model)
        return _table(kind, _sinusoidal(max_len, d_model), 50.0 * _learned(max_len, d_model, seed))

    def variance_for_deviation(kind, max_len, d_model, seed=0):
        """0.02 was taken for the variance, so the numbers are 7 times too large: it is the standard
        deviation."""
        _checked(kind, max_len=max_len, d_model=d_model)
        return _table(kind, _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed) / 0.02**0.5)

    def box_instead_of_bell(kind, max_len, d_model, seed=0):
        """The learned numbers are spread evenly over an interval; wanted are normal ones."""
        _checked(kind, max_len=max_len, d_model=d_model)
        numbers = np.random.default_rng(seed).uniform(-1.0, 1.0, size=(max_len, d_model))
        return _table(kind, _sinusoidal(max_len, d_model), 0.02 * 3**0.5 * numbers)

    def seed_ignored(kind, max_len, d_model, seed=0):
        """Every seed makes the same numbers: hand `seed` on to the generator."""
        _checked(kind, max_len=max_len, d_model=d_model)
        return _table(kind, _sinusoidal(max_len, d_model), _learned(max_len, d_model, 0))

    def one_row_for_all(kind, max_len, d_model, seed=0):
        """Random numbers were drawn for one row and used for all of them, so no position differs from
        another: draw max_len rows."""
        _checked(kind, max_len=max_len, d_model=d_model)
        rows = np.tile(_learned(1, d_model, seed), (max_len, 1))
        return _table(kind, _sinusoidal(max_len, d_model), rows)

    def hybrid_side_by_side(kind, max_len, d_model, seed=0):
        """The hybrid is sinusoidal in its first columns and learned in the others; wanted is the sum of two
        tables of full width."""
        _checked(kind, max_len=max_len, d_model=d_model)
        sinusoidal, learned = _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed)
        both = np.concatenate([sinusoidal[:, : d_model // 2], learned[:, d_model // 2:]], axis=1)
        return both if kind == "hybrid" else _table(kind, sinusoidal, learned)

    def hybrid_is_a_mean(kind, max_len, d_model, seed=0):
        """The hybrid is the mean of a sinusoidal and a learned table; it is their sum."""
        _checked(kind, max_len=max_len, d_model=d_model)
        table = _table(kind, _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed))
        return table / 2 if kind == "hybrid" else table

    def unknown_kind_is_sinusoidal(kind, max_len, d_model, seed=0):
        """A kind that is not known came back as a sinusoidal table: end the cases with one that raises
        ValueError."""
        _checked_sizes(max_len=max_len, d_model=d_model)
        known = kind if kind in KINDS else "sinusoidal"
        return _table(known, _sinusoidal(max_len, d_model), _learned(max_len, d_model, seed))


class embedding_layer:
    def scaled_by_the_root(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """The token rows are multiplied by the root of the width, as the transformer of 2017 does; this layer
        adds them as they are."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        scaled = _floating(token_table) * token_table.shape[1] ** 0.5
        return _dropped(_embedded(token_ids, scaled, position_table), dropout, seed)

    def positions_by_token(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """The position table is read with the ids: a word has the position row of its place, whatever word it
        is."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        ids = np.minimum(token_ids, len(position_table) - 1)
        return _dropped(_floating(token_table[token_ids] + position_table[ids]), dropout, seed)

    def positions_by_sentence(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """All words of a sentence have one position row, the next sentence has the next: positions run along
        the last axis of the ids, not along the first."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        rows = position_table[np.arange(len(token_ids)) % len(position_table)]
        rows = rows.reshape(len(token_ids), *[1] * (token_ids.ndim - 1), -1)
        return _dropped(_floating(token_table[token_ids] + rows), dropout, seed)

    def last_rows(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """The last n rows of the position table were added; the first word stands at position 0."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        rows = position_table[-token_ids.shape[-1]:]
        return _dropped(_embedded(token_ids, token_table, rows), dropout, seed)

    def last_position_repeated(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Words past the last position row all got that row: a sequence longer than the table is refused."""
        _checked_ids(token_ids, token_table)
        _checked_widths(token_table, position_table)
        _checked_dropout(dropout)
        places = np.minimum(np.arange(token_ids.shape[-1]), len(position_table) - 1)
        return _dropped(_embedded(token_ids, token_table, position_table[places]), dropout, seed)

    def negative_ids_from_the_end(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Negative ids were counted from the end of the token table, as NumPy does: refuse them."""
        _checked_ids(token_ids, token_table, -len(token_table))
        _checked_length(token_ids, position_table)
        _checked_widths(token_table, position_table)
        _checked_dropout(dropout)
        return _dropped(_embedded(token_ids, token_table, position_table), dropout, seed)

    def kept_as_they_were(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """The entries that are kept were left as they were; divide them by 1 - dropout, so that the mean
        stays."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape, dropout, seed)

    def kept_multiplied(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """The entries that are kept were multiplied by 1 - dropout; they are divided by it, to make up for
        those that are dropped."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape, dropout, seed) * (1 - dropout)

    def share_kept(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """`dropout` was taken for the probability to keep an entry, as some papers have it; here it is the
        probability to drop one."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        share = 1 - dropout if dropout else 0.0
        return _dropped(_embedded(token_ids, token_table, position_table), share, seed)

    def whole_words_dropped(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """A word loses all of its entries or none; every entry is dropped or kept by itself."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept((*token_ids.shape, 1), dropout, seed) / (1 - dropout)

    def one_mask_for_all_sentences(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """All sentences of the batch lose the same entries: draw a number for every entry of the whole
        result."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        embedded = _embedded(token_ids, token_table, position_table)
        return embedded * _kept(embedded.shape[-2:], dropout, seed) / (1 - dropout)

    def only_tokens_dropped(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Dropout was applied to the token rows and the positions added after it; it is applied to the
        sum."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        tokens = _dropped(_floating(token_table[token_ids]), dropout, seed)
        return tokens + position_table[: token_ids.shape[-1]]

    def dropout_seed_ignored(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """Every seed drops the same entries: hand `seed` on to the generator."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        return _dropped(_embedded(token_ids, token_table, position_table), dropout, 0)

    def writes_into_the_position_table(token_ids, token_table, position_table, dropout=0.0, seed=None):
        """`position_table[:n]` is a view, so adding to it in place changes the table itself: make a new
        array."""
        _checked_layer(token_ids, token_table, position_table, dropout)
        embedded = _embedded(token_ids, token_table, position_table)
        if token_ids.ndim == 1 and position_table.dtype == embedded.dtype:
            rows = position_table[: len(token_ids)]
            rows += token_table[token_ids]
        return _dropped(embedded, dropout, seed)


class parameter_count:
    def sinusoids_counted(kind, vocab_size, max_len, d_model):
        """The sinusoidal table is counted as well, but it is computed, not trained."""
        _checked(kind, vocab_size=vocab_size, max_len=max_len, d_model=d_model)
        return (vocab_size + max_len) * d_model

    def tokens_forgotten(kind, vocab_size, max_len, d_model):
        """Only the positions are counted; the token table is trained, too."""
        _checked(kind, vocab_size=vocab_size, max_len=max_len, d_model=d_model)
        return 0 if kind == "sinusoidal" else max_len * d_model

    def hybrid_counted_twice(kind, vocab_size, max_len, d_model):
        """Both parts of the hybrid are counted, but its sinusoids are not trained: it has as many numbers as
        a learned table."""
        _checked(kind, vocab_size=vocab_size, max_len=max_len, d_model=d_model)
        return (vocab_size + KINDS.index(kind) * max_len) * d_model

    def hybrid_not_counted(kind, vocab_size, max_len, d_model):
        """The hybrid is counted as if it were fixed; its learned part is trained."""
        _checked(kind, vocab_size=vocab_size, max_len=max_len, d_model=d_model)
        return (vocab_size + (kind == "learned") * max_len) * d_model
