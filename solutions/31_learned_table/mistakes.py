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
        """You use the standard deviation 0.02 in every call. Use the argument `std`."""
        return np.random.default_rng(seed).normal(0.0, 0.02, size=(max_len, d_model))

    def std_as_mean(max_len, d_model, std=0.02, seed=0):
        """You use `std` as the mean. The mean is 0, and `std` is the standard deviation. `normal` takes the mean
        first."""
        return np.random.default_rng(seed).normal(std, size=(max_len, d_model))

    def std_as_variance(max_len, d_model, std=0.02, seed=0):
        """You use the square root of `std` as the standard deviation, as if `std` were the variance. Use `std` itself
        as the standard deviation."""
        return np.random.default_rng(seed).normal(0.0, std**0.5, size=(max_len, d_model))

    def uniform(max_len, d_model, std=0.02, seed=0):
        """You draw uniformly between -std and std. Draw from a normal distribution with standard deviation `std`."""
        return np.random.default_rng(seed).uniform(-std, std, size=(max_len, d_model))

    def truncated(max_len, d_model, std=0.02, seed=0):
        """You make no draw beyond two standard deviations, as BERT's code does. Draw from the whole normal
        distribution: about 1 entry in 22 is beyond two standard deviations."""
        generator = np.random.default_rng(seed)
        table = generator.normal(0.0, std, size=(max_len, d_model))
        while (beyond := np.abs(table) > 2 * std).any():
            table[beyond] = generator.normal(0.0, std, size=int(beyond.sum()))
        return table

    def seed_not_used(max_len, d_model, std=0.02, seed=0):
        """You return the same table for every seed. Pass `seed` to the generator."""
        return np.random.default_rng(0).normal(0.0, std, size=(max_len, d_model))

    def one_row_for_all(max_len, d_model, std=0.02, seed=0):
        """You draw one row and repeat it, so all positions look the same. Draw every entry separately."""
        return np.tile(np.random.default_rng(seed).normal(0.0, std, size=d_model), (max_len, 1))


class look_up:
    def offset_not_used(table, n, offset=0):
        """You return the first rows for every offset. Start at row `offset`."""
        _checked(table, n, offset)
        return table[:n]

    def n_as_the_end(table, n, offset=0):
        """You use `n` as the end of the slice, but it is the number of rows. The end is `offset + n`."""
        _checked(table, n, offset)
        return table[offset:n]

    def one_row_late(table, n, offset=0):
        """You start one row too late, as if positions counted from 1. Position 0 has row 0."""
        _checked(table, n, offset)
        return table[offset + 1 : offset + n + 1]

    def last_rows(table, n, offset=0):
        """You count the offset from the end of the table. Count it from the start: row `offset` comes first."""
        _checked(table, n, offset)
        return table[len(table) - offset - n : len(table) - offset]

    def end_included(table, n, offset=0):
        """You return one row too many. Return n rows, offset to offset + n - 1. A slice does not include its end."""
        _checked(table, n, offset)
        return table[offset : offset + n + 1]

    def last_row_refused(table, n, offset=0):
        """You raise ValueError if someone reads the last row. `offset + n` may equal the number of rows."""
        _checked(table, n + 1, offset)
        return table[offset : offset + n]

    def one_row_past_the_end(table, n, offset=0):
        """You raise no error one position past the last row. The last row you read is offset + n - 1, and the last row
        of the table is len(table) - 1."""
        _checked(table, n - 1, offset)
        return table[offset : offset + n]

    def only_n_compared(table, n, offset=0):
        """You compare only `n` with the number of rows, so an offset can lead past the end. Compare `offset + n`."""
        _checked(table, n, 0)
        return table[offset : offset + n]

    def only_the_first_row_compared(table, n, offset=0):
        """You only check that row `offset` exists. The last of the n rows must exist too."""
        _checked(table, 1, offset)
        return table[offset : offset + n]

    def compared_with_the_columns(table, n, offset=0):
        """You compare `offset + n` with the number of columns. The number of rows is `len(table)` or
        `table.shape[0]`."""
        _checked(table.T, n, offset)
        return table[offset : offset + n]

    def cut_short_at_the_end(table, n, offset=0):
        """You return fewer than n rows, because a slice past the last row stops there without an error. Raise
        ValueError in that case."""
        return table[offset : offset + n]

    def last_row_repeated(table, n, offset=0):
        """You return the last row for all positions past it. A learned table has no rows for them: raise ValueError."""
        return np.take(table, np.arange(offset, offset + n), axis=0, mode="clip")

    def zeros_past_the_end(table, n, offset=0):
        """You return rows of zeros for positions past the last row. Such rows were never trained: raise ValueError."""
        rows = table[offset : offset + n]
        return np.concatenate([rows, np.zeros((n - len(rows), table.shape[1]))])

    def begins_again(table, n, offset=0):
        """You start again at row 0 after the last row, so two positions share a row. Raise ValueError for positions
        past the last row."""
        return np.take(table, np.arange(offset, offset + n), axis=0, mode="wrap")


class position_ids:
    def places_for_positions(attention_mask):
        """You count padding too. The first real token of each text has position 0, even after padding on the left."""
        return np.tile(np.arange(attention_mask.shape[1]), (attention_mask.shape[0], 1))

    def places_of_real_tokens(attention_mask):
        """You give padding 0, but the ids of the real tokens count the padding on the left too. Count from 0 at the
        first real token."""
        return np.where(attention_mask, np.arange(attention_mask.shape[1]), 0)

    def padding_counts_on(attention_mask):
        """You give padding -1 on the left and the number of the last token on the right. Give it 0 on both sides."""
        return _counted(attention_mask) - 1

    def clipped_at_zero(attention_mask):
        """You give padding 0 on the left, but the number of the last token on the right. Give it 0 on both sides."""
        return np.maximum(_counted(attention_mask) - 1, 0)

    def padding_minus_one(attention_mask):
        """You give padding -1, which would read the last row of a table. Give it 0."""
        return np.where(attention_mask, _counted(attention_mask) - 1, -1)

    def padding_one(attention_mask):
        """You give padding 1, as version 4 of the library transformers does when it generates text. Give it 0."""
        return np.where(attention_mask, _counted(attention_mask) - 1, 1)

    def right_padding_counts_on(attention_mask):
        """You start each text at its first token, but you count padding on the right too. Give it 0 on both sides."""
        start = np.argmax(attention_mask, axis=1)[:, None]                     # (batch, 1)
        return np.maximum(np.arange(attention_mask.shape[1]) - start, 0)

    def counts_from_one(attention_mask):
        """You give the first real token 1. Positions count from 0."""
        return np.where(attention_mask, _counted(attention_mask), 0)

    def counts_through_the_batch(attention_mask):
        """You continue the count from one text to the next. Every text must start at 0."""
        counted = np.cumsum(attention_mask).reshape(attention_mask.shape)
        return np.where(attention_mask, counted - 1, 0)

    def counts_down_the_batch(attention_mask):
        """You take the running sum from text to text, along axis 0. Take it along each text, which is axis 1."""
        return np.where(attention_mask, np.cumsum(attention_mask, axis=0) - 1, 0)

    def padding_always_on_the_left(attention_mask):
        """You subtract the number of padding tokens everywhere, as if padding were always on the left. Padding on the
        right must not change the ids of the tokens before it."""
        padded = (attention_mask == 0).sum(axis=1, keepdims=True)              # (batch, 1)
        return np.maximum(np.arange(attention_mask.shape[1]) - padded, 0)


class table_gradient:
    def repeated_rows_once(ids, upstream, max_len):
        """You keep only the last gradient of a row that is read several times, because `gradient[ids] += upstream`
        writes each row once. np.add.at adds every time."""
        gradient = np.zeros((max_len, upstream.shape[-1]))
        gradient[ids] += upstream
        return gradient

    def repeated_rows_once_in_a_text(ids, upstream, max_len):
        """You add up the texts, but a row that is read twice in one text keeps only the last gradient of that text:
        `gradient[ids[0]] += upstream[0]` writes each row once. np.add.at adds every time."""
        gradient = np.zeros((max_len, upstream.shape[-1]))
        for text in np.ndindex(ids.shape[:-1]):
            gradient[ids[text]] += upstream[text]
        return gradient

    def repeated_rows_once_in_a_text_of_a_batch(ids, upstream, max_len):
        """You add up the texts of a batch, but a row that one text reads twice keeps only the last gradient of that
        text. np.add.at adds every time."""
        gradient = np.zeros((max_len, upstream.shape[-1]))
        for text, rows in zip(ids, upstream, strict=True):
            gradient[text] += rows
        return gradient

    def averaged_over_uses(ids, upstream, max_len):
        """You average the gradients of a row. Add them up."""
        uses = np.bincount(ids.ravel(), minlength=max_len)[:, None]            # (max_len, 1)
        return _summed(ids, upstream, max_len) / np.maximum(uses, 1)

    def averaged_over_texts(ids, upstream, max_len):
        """You divide the sum by the number of texts. Add up the gradients without dividing. If the loss is a mean,
        `upstream` is already divided."""
        return _summed(ids, upstream, max_len) * ids.shape[-1] / ids.size

    def only_the_first_text(ids, upstream, max_len):
        """You use only the gradients of the first text. Add up the gradients of all texts."""
        first = (0,) * (ids.ndim - 1)
        return _summed(ids[first], upstream[first], max_len)

    def places_for_ids(ids, upstream, max_len):
        """You add the gradients to rows 0, 1, 2, ... in the order of the places. Add each one to the row that `ids` has
        at its place."""
        return _summed(np.broadcast_to(np.arange(ids.shape[-1]) % max_len, ids.shape), upstream, max_len)

    def only_rows_up_to_the_last_read(ids, upstream, max_len):
        """You leave out the rows after the last one read. The gradient has `max_len` rows, like the table."""
        return _summed(ids, upstream, ids.max() + 1)

    def only_rows_that_were_read(ids, upstream, max_len):
        """You leave out the rows that were not read. Give them zeros: row r of the gradient belongs to row r of the
        table."""
        used, inverse = np.unique(ids, return_inverse=True)
        return _summed(inverse.reshape(ids.shape), upstream, len(used))

    def ids_changed(ids, upstream, max_len):
        """You get the right numbers, but change the argument `ids`, as `ids.sort()` and `ids += 1` do, also through a
        flat view. Work on a new array, such as np.sort(ids) or ids + 1."""
        gradient, flat = _summed(ids, upstream, max_len), ids.reshape(-1)
        if flat.flags.writeable:
            flat.sort()
        return gradient

    def upstream_changed(ids, upstream, max_len):
        """You get the right numbers, but change the argument `upstream`. Add up its rows in a new array of zeros."""
        gradient, rows = _summed(ids, upstream, max_len), upstream.reshape(-1, upstream.shape[-1])
        if rows.flags.writeable:
            rows[:] = gradient[ids.ravel()]
        return gradient
