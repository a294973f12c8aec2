"""Wrong answers to 31_learned_table; each docstring is what the learner is told."""
import numpy as np


def _checked_sizes(max_len, d_model):
    for name, size in (("max_len", max_len), ("d_model", d_model)):
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


def _checked_rows(table, n, offset, last=0):
    _checked_n(n)
    _checked_offset(offset)
    if offset + n > len(table) - last:
        raise ValueError(f"table has {len(table)} rows, too few for n = {n} from offset = {offset} on")


def _checked_n(n):
    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")


def _checked_offset(offset):
    if offset < 0:
        raise ValueError(f"offset must be at least 0, got {offset}")


def _counted(attention_mask):
    return np.cumsum(attention_mask, axis=1, dtype=np.int64)               # (batch, n) 1, 2, 3, ...


def _checked_max_len(max_len):
    if max_len < 1:
        raise ValueError(f"max_len must be at least 1, got {max_len}")


def _checked_shapes(ids, upstream):
    if ids.shape != upstream.shape[:-1]:
        raise ValueError(f"upstream of shape {upstream.shape} does not fit ids of shape {ids.shape}")


def _checked_ids(ids, low, high, max_len):
    for entry in ids[(ids < low) | (ids >= high)]:
        raise ValueError(f"ids must be from 0 to {max_len - 1}, got {entry}")


def _checked(ids, upstream, max_len):
    _checked_max_len(max_len)
    _checked_shapes(ids, upstream)
    _checked_ids(ids, 0, max_len, max_len)


def _zeros(max_len, upstream):
    dtype = upstream.dtype if upstream.dtype.kind == "f" else np.float64
    return np.zeros((max_len, upstream.shape[-1]), dtype)


def _summed(ids, upstream, max_len):
    gradient = _zeros(max_len, upstream)
    np.add.at(gradient, ids, upstream)
    return gradient


class init_table:
    def sizes_not_checked(max_len, d_model, std=0.02, seed=0):
        """A size of 0 gave an empty table, and a negative one NumPy's own error, which does not name the
        argument: look at both sizes first."""
        return np.random.default_rng(seed).normal(0.0, std, size=(max_len, d_model))

    def std_not_used(max_len, d_model, std=0.02, seed=0):
        """The standard deviation is written into the code as 0.02: use the argument `std`."""
        _checked_sizes(max_len, d_model)
        return np.random.default_rng(seed).normal(0.0, 0.02, size=(max_len, d_model))

    def std_as_mean(max_len, d_model, std=0.02, seed=0):
        """`std` was taken for the mean: `normal` takes the mean first, 0, then the standard deviation."""
        _checked_sizes(max_len, d_model)
        return np.random.default_rng(seed).normal(std, size=(max_len, d_model))

    def std_as_variance(max_len, d_model, std=0.02, seed=0):
        """`std` was taken for the variance and its root for the standard deviation; it is the standard
        deviation itself."""
        _checked_sizes(max_len, d_model)
        return np.random.default_rng(seed).normal(0.0, std**0.5, size=(max_len, d_model))

    def uniform(max_len, d_model, std=0.02, seed=0):
        """The draws are uniform between -std and std: draw from a normal distribution with standard deviation
        `std`."""
        _checked_sizes(max_len, d_model)
        return np.random.default_rng(seed).uniform(-std, std, size=(max_len, d_model))

    def truncated(max_len, d_model, std=0.02, seed=0):
        """No draw lies beyond two standard deviations. BERT's first code cut the distribution off there; here
        it is whole, and about 1 entry of 22 lies beyond."""
        _checked_sizes(max_len, d_model)
        generator = np.random.default_rng(seed)
        table = generator.normal(0.0, std, size=(max_len, d_model))
        while (beyond := np.abs(table) > 2 * std).any():
            table[beyond] = generator.normal(0.0, std, size=int(beyond.sum()))
        return table

    def seed_not_used(max_len, d_model, std=0.02, seed=0):
        """Every seed gives one and the same table: hand `seed` on to the generator."""
        _checked_sizes(max_len, d_model)
        return np.random.default_rng(0).normal(0.0, std, size=(max_len, d_model))

    def one_row_for_all(max_len, d_model, std=0.02, seed=0):
        """One row was drawn and repeated, so all positions look alike: draw every entry."""
        _checked_sizes(max_len, d_model)
        return np.tile(np.random.default_rng(seed).normal(0.0, std, size=d_model), (max_len, 1))


class look_up:
    def offset_not_used(table, n, offset=0):
        """The first rows came back whatever the offset: begin at row `offset`."""
        _checked_rows(table, n, offset)
        return table[:n]

    def n_as_the_end(table, n, offset=0):
        """`n` was taken for the end of the slice, not for its length: the end is `offset + n`."""
        _checked_rows(table, n, offset)
        return table[offset:n]

    def one_row_late(table, n, offset=0):
        """Positions were counted from 1: the row of position 0 is row 0."""
        _checked_rows(table, n, offset, last=1)
        return table[offset + 1 : offset + n + 1]

    def last_row_refused(table, n, offset=0):
        """The last row is out of reach: `offset + n` may be equal to the number of rows."""
        _checked_rows(table, n, offset, last=1)
        return table[offset : offset + n]

    def cut_short_at_the_end(table, n, offset=0):
        """Fewer than n rows came back: a slice past the last row stops there without a word. Refuse it."""
        _checked_n(n)
        _checked_offset(offset)
        return table[offset : offset + n]

    def last_row_repeated(table, n, offset=0):
        """Positions past the last row all got the last row: a learned table has nothing there, so refuse
        them."""
        _checked_n(n)
        _checked_offset(offset)
        return np.take(table, np.arange(offset, offset + n), axis=0, mode="clip")

    def negative_offset_counts_from_the_end(table, n, offset=0):
        """A negative offset was counted from the end, as Python does it: refuse it, and say its value."""
        _checked_n(n)
        if offset >= 0:
            _checked_rows(table, n, offset)
        return table[offset:][:n]


class position_ids:
    def places_for_positions(attention_mask):
        """These are places in the row, padding or not: the first real token has position 0 wherever it
        stands."""
        return np.tile(np.arange(attention_mask.shape[1]), (attention_mask.shape[0], 1))

    def places_of_real_tokens(attention_mask):
        """Padding has 0, but the real tokens have their places in the row: behind padding on the left, too,
        they are counted from 0."""
        return np.where(attention_mask, np.arange(attention_mask.shape[1]), 0)

    def padding_counts_on(attention_mask):
        """Padding has -1 on the left, and on the right what the last token has: give it 0."""
        return _counted(attention_mask) - 1

    def padding_minus_one(attention_mask):
        """Padding has -1, which would read the last row of a table: give it 0."""
        return np.where(attention_mask, _counted(attention_mask) - 1, -1)

    def counts_from_one(attention_mask):
        """The first real token has 1: positions count from 0."""
        return np.where(attention_mask, _counted(attention_mask), 0)

    def counts_through_the_batch(attention_mask):
        """The count goes on from one row to the next: every row begins at 0."""
        counted = np.cumsum(attention_mask).reshape(attention_mask.shape)
        return np.where(attention_mask, counted - 1, 0)


class table_gradient:
    def repeated_rows_once(ids, upstream, max_len):
        """Of a row that was read often only the last gradient is left: `gradient[ids] += upstream` writes it
        once. np.add.at adds every time."""
        _checked(ids, upstream, max_len)
        gradient = _zeros(max_len, upstream)
        gradient[ids] += upstream
        return gradient

    def averaged_over_uses(ids, upstream, max_len):
        """A row's gradients were averaged; they add up."""
        _checked(ids, upstream, max_len)
        uses = np.bincount(ids.ravel(), minlength=max_len)[:, None]            # (max_len, 1)
        gradient = _summed(ids, upstream, max_len)
        return gradient / np.maximum(uses, 1).astype(gradient.dtype)

    def places_for_ids(ids, upstream, max_len):
        """The gradients went to rows 0, 1, 2, ... in the order of the places: they belong to the rows that
        `ids` names."""
        _checked(ids, upstream, max_len)
        return _summed(np.broadcast_to(np.arange(ids.shape[-1]) % max_len, ids.shape), upstream, max_len)

    def only_rows_up_to_the_last_read(ids, upstream, max_len):
        """Rows behind the last one read are missing: the gradient has `max_len` rows, as the table has."""
        _checked(ids, upstream, max_len)
        return _summed(ids, upstream, ids.max() + 1)

    def negative_ids_count_from_the_end(ids, upstream, max_len):
        """A negative id was counted from the end, as NumPy does it: refuse it, and show it."""
        _checked_max_len(max_len)
        _checked_shapes(ids, upstream)
        _checked_ids(ids, -max_len, max_len, max_len)
        return _summed(ids, upstream, max_len)

    def ids_past_the_end_clipped(ids, upstream, max_len):
        """An id without a row was replaced by the nearest one that has a row: refuse it, and show it."""
        _checked_max_len(max_len)
        _checked_shapes(ids, upstream)
        return _summed(np.clip(ids, 0, max_len - 1), upstream, max_len)

    def shapes_not_checked(ids, upstream, max_len):
        """The shapes were left to NumPy: it stretches an axis of size 1 without a word, and its own errors
        name no argument. Compare `ids.shape` with `upstream.shape[:-1]`."""
        _checked_max_len(max_len)
        _checked_ids(ids, 0, max_len, max_len)
        return _summed(ids, upstream, max_len)
