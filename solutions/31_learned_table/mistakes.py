"""Wrong answers to 31_learned_table; each docstring is what the learner is told."""
import numpy as np


def _checked(table, n, offset):
    if offset + n > len(table):
        raise ValueError(f"offset + n must be at most {len(table)}, the rows of the table, got {offset} + {n}")


def _counted(attention_mask):
    return np.cumsum(attention_mask, axis=1)                               # (batch, n) 1, 2, 3, ...


def _summed(ids, upstream, max_len):
    gradient = np.zeros((max_len, upstream.shape[-1]))                     # (max_len, d)
    np.add.at(gradient, ids, upstream)
    return gradient


class init_table:
    def std_not_used(max_len, d_model, std=0.02, seed=0):
        """The standard deviation is written into the code as 0.02: use the argument `std`."""
        return np.random.default_rng(seed).normal(0.0, 0.02, size=(max_len, d_model))

    def std_as_mean(max_len, d_model, std=0.02, seed=0):
        """`std` was taken for the mean: `normal` takes the mean first, 0, then the standard deviation."""
        return np.random.default_rng(seed).normal(std, size=(max_len, d_model))

    def std_as_variance(max_len, d_model, std=0.02, seed=0):
        """`std` was taken for the variance and its root for the standard deviation; it is the standard
        deviation itself."""
        return np.random.default_rng(seed).normal(0.0, std**0.5, size=(max_len, d_model))

    def uniform(max_len, d_model, std=0.02, seed=0):
        """The draws are uniform between -std and std: draw from a normal distribution with standard deviation
        `std`."""
        return np.random.default_rng(seed).uniform(-std, std, size=(max_len, d_model))

    def truncated(max_len, d_model, std=0.02, seed=0):
        """No draw lies beyond two standard deviations. BERT's first code cut the distribution off there; here
        it is whole, and about 1 entry of 22 lies beyond."""
        generator = np.random.default_rng(seed)
        table = generator.normal(0.0, std, size=(max_len, d_model))
        while (beyond := np.abs(table) > 2 * std).any():
            table[beyond] = generator.normal(0.0, std, size=int(beyond.sum()))
        return table

    def seed_not_used(max_len, d_model, std=0.02, seed=0):
        """Every seed gives one and the same table: hand `seed` on to the generator."""
        return np.random.default_rng(0).normal(0.0, std, size=(max_len, d_model))

    def one_row_for_all(max_len, d_model, std=0.02, seed=0):
        """One row was drawn and repeated, so all positions look alike: draw every entry."""
        return np.tile(np.random.default_rng(seed).normal(0.0, std, size=d_model), (max_len, 1))


class look_up:
    def offset_not_used(table, n, offset=0):
        """The first rows came back whatever the offset: begin at row `offset`."""
        _checked(table, n, offset)
        return table[:n]

    def n_as_the_end(table, n, offset=0):
        """`n` was taken for the end of the slice, not for its length: the end is `offset + n`."""
        _checked(table, n, offset)
        return table[offset:n]

    def one_row_late(table, n, offset=0):
        """Positions were counted from 1: the row of position 0 is row 0."""
        _checked(table, n, offset)
        return table[offset + 1 : offset + n + 1]

    def last_rows(table, n, offset=0):
        """The offset was counted from the end of the table: row `offset` from the front comes first."""
        _checked(table, n, offset)
        return table[len(table) - offset - n : len(table) - offset]

    def end_included(table, n, offset=0):
        """One row too many came back: rows offset to offset + n - 1 are n rows, and the end of a slice is not
        part of it."""
        _checked(table, n, offset)
        return table[offset : offset + n + 1]

    def last_row_refused(table, n, offset=0):
        """The last row is out of reach: `offset + n` may be equal to the number of rows."""
        _checked(table, n + 1, offset)
        return table[offset : offset + n]

    def one_row_past_the_end(table, n, offset=0):
        """One position past the last row is let through: the last row that is read is offset + n - 1, and the
        table's own last row is len(table) - 1."""
        _checked(table, n - 1, offset)
        return table[offset : offset + n]

    def only_n_compared(table, n, offset=0):
        """`n` by itself was compared with the number of rows, so with an offset the end is passed: compare
        `offset + n`."""
        _checked(table, n, 0)
        return table[offset : offset + n]

    def only_the_first_row_compared(table, n, offset=0):
        """It was only asked whether row `offset` exists: the last of the n rows has to be there too."""
        _checked(table, 1, offset)
        return table[offset : offset + n]

    def compared_with_the_columns(table, n, offset=0):
        """`offset + n` was compared with the number of columns: the table has `len(table)` rows, which is
        `table.shape[0]`."""
        _checked(table.T, n, offset)
        return table[offset : offset + n]

    def cut_short_at_the_end(table, n, offset=0):
        """Fewer than n rows came back: a slice past the last row stops there without a word. Refuse it."""
        return table[offset : offset + n]

    def last_row_repeated(table, n, offset=0):
        """Positions past the last row all got the last row: a learned table has nothing there, so refuse
        them."""
        return np.take(table, np.arange(offset, offset + n), axis=0, mode="clip")

    def zeros_past_the_end(table, n, offset=0):
        """Positions past the last row got rows of zeros, as if they had been trained to nothing: refuse them."""
        rows = table[offset : offset + n]
        return np.concatenate([rows, np.zeros((n - len(rows), table.shape[1]))])

    def begins_again(table, n, offset=0):
        """Behind the last row the table began again at row 0, so that two positions had one row: refuse positions
        past the last row."""
        return np.take(table, np.arange(offset, offset + n), axis=0, mode="wrap")


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

    def clipped_at_zero(attention_mask):
        """Padding on the left has 0, but padding on the right has what the last token has: give it 0 on both
        sides."""
        return np.maximum(_counted(attention_mask) - 1, 0)

    def padding_minus_one(attention_mask):
        """Padding has -1, which would read the last row of a table: give it 0."""
        return np.where(attention_mask, _counted(attention_mask) - 1, -1)

    def padding_one(attention_mask):
        """Padding has 1, as in some code of the transformers library: here it has 0."""
        return np.where(attention_mask, _counted(attention_mask) - 1, 1)

    def right_padding_counts_on(attention_mask):
        """Each text is counted from its first token, but padding on the right is counted too: give it 0 on both
        sides."""
        start = np.argmax(attention_mask, axis=1)[:, None]                     # (batch, 1)
        return np.maximum(np.arange(attention_mask.shape[1]) - start, 0)

    def counts_from_one(attention_mask):
        """The first real token has 1: positions count from 0."""
        return np.where(attention_mask, _counted(attention_mask), 0)

    def counts_through_the_batch(attention_mask):
        """The count goes on from one row to the next: every row begins at 0."""
        counted = np.cumsum(attention_mask).reshape(attention_mask.shape)
        return np.where(attention_mask, counted - 1, 0)

    def counts_down_the_batch(attention_mask):
        """The running sum goes down the batch, from text to text: it goes along each text, which is axis 1."""
        return np.where(attention_mask, np.cumsum(attention_mask, axis=0) - 1, 0)

    def padding_always_on_the_left(attention_mask):
        """The number of padded places was subtracted from every place, as if padding were always on the left: a
        text with padding on the right begins at its first place."""
        padded = (attention_mask == 0).sum(axis=1, keepdims=True)              # (batch, 1)
        return np.maximum(np.arange(attention_mask.shape[1]) - padded, 0)


class table_gradient:
    def repeated_rows_once(ids, upstream, max_len):
        """Of a row that was read often only the last gradient is left: `gradient[ids] += upstream` writes it
        once. np.add.at adds every time."""
        gradient = np.zeros((max_len, upstream.shape[-1]))
        gradient[ids] += upstream
        return gradient

    def repeated_rows_once_in_a_text(ids, upstream, max_len):
        """The texts add up, but of a row that was read twice in one text only the last gradient is left:
        `gradient[ids[0]] += upstream[0]` writes it once. np.add.at adds every time."""
        gradient = np.zeros((max_len, upstream.shape[-1]))
        for text in np.ndindex(ids.shape[:-1]):
            gradient[ids[text]] += upstream[text]
        return gradient

    def averaged_over_uses(ids, upstream, max_len):
        """A row's gradients were averaged; they add up."""
        uses = np.bincount(ids.ravel(), minlength=max_len)[:, None]            # (max_len, 1)
        return _summed(ids, upstream, max_len) / np.maximum(uses, 1)

    def averaged_over_texts(ids, upstream, max_len):
        """The sum was divided by the number of texts; the gradients of all texts add up. If the loss is a mean,
        upstream is divided already."""
        return _summed(ids, upstream, max_len) * ids.shape[-1] / ids.size

    def only_the_first_text(ids, upstream, max_len):
        """Only the first text of the batch trained the table: add up the gradients of all texts."""
        first = (0,) * (ids.ndim - 1)
        return _summed(ids[first], upstream[first], max_len)

    def places_for_ids(ids, upstream, max_len):
        """The gradients went to rows 0, 1, 2, ... in the order of the places: they belong to the rows that
        `ids` names."""
        return _summed(np.broadcast_to(np.arange(ids.shape[-1]) % max_len, ids.shape), upstream, max_len)

    def only_rows_up_to_the_last_read(ids, upstream, max_len):
        """Rows behind the last one read are missing: the gradient has `max_len` rows, as the table has."""
        return _summed(ids, upstream, ids.max() + 1)

    def only_rows_that_were_read(ids, upstream, max_len):
        """The rows that were not read are missing: they get zeros, so that row r of the gradient belongs to row r
        of the table."""
        used, inverse = np.unique(ids, return_inverse=True)
        return _summed(inverse.reshape(ids.shape), upstream, len(used))

    def ids_changed(ids, upstream, max_len):
        """The numbers are right, but the caller's `ids` were changed, as `ids.sort()` and `ids += 1` do, also
        through a flat view of them: work with a new array, as np.sort(ids) and ids + 1 make it."""
        gradient, flat = _summed(ids, upstream, max_len), ids.reshape(-1)
        if flat.flags.writeable:
            flat.sort()
        return gradient

    def upstream_changed(ids, upstream, max_len):
        """The numbers are right, but the caller's `upstream` was changed: add its rows up in an array of zeros
        of your own."""
        gradient, rows = _summed(ids, upstream, max_len), upstream.reshape(-1, upstream.shape[-1])
        if rows.flags.writeable:
            rows[:] = gradient[ids.ravel()]
        return gradient
