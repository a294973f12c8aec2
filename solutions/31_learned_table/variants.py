"""Other right answers to 31_learned_table, and when one would want them."""

import numpy as np


def _checked_sizes(**sizes):
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is below 1: {size}")


def _checked_rows(table, n, offset):
    _checked_sizes(n=n)
    if offset < 0:
        raise ValueError(f"offset is negative: {offset}")
    if n > table.shape[0] - offset:
        raise ValueError(f"from offset {offset} on there are no {n} rows in a table of shape {table.shape}")


def _checked_ids(ids, upstream, max_len):
    _checked_sizes(max_len=max_len)
    if upstream.shape[:-1] != ids.shape:
        raise ValueError(f"ids {ids.shape} and upstream {upstream.shape} do not fit")
    for row in ids.flat:
        if row not in range(max_len):
            raise ValueError(f"ids has the entry {row}, but there are only {max_len} rows")


def _dtype(upstream):
    return upstream.dtype if np.issubdtype(upstream.dtype, np.floating) else np.dtype(np.float64)


class init_table:
    def by_box_and_muller(max_len, d_model, std=0.02, seed=0):
        """Two uniform draws make one normal one: a length from the first, a direction from the second.
        For machines and languages that only have uniform draws."""
        _checked_sizes(max_len=max_len, d_model=d_model)
        length, turn = np.random.default_rng(seed).random((2, max_len, d_model))
        return std * np.sqrt(-2.0 * np.log1p(-length)) * np.cos(2.0 * np.pi * turn)

    def row_by_row(max_len, d_model, std=0.02, seed=0):
        """One row after the other from NumPy's older generator, whose numbers will never change.
        Standard draws times std: the same draws then serve any scale."""
        _checked_sizes(max_len=max_len, d_model=d_model)
        generator = np.random.RandomState(seed)
        return np.array([std * generator.randn(d_model) for _ in range(max_len)])


class look_up:
    def by_one_hot_rows(table, n, offset=0):
        """Every position as a row of one 1 and zeros, times the table: a lookup is a matrix product.
        It shows why the gradient is the transposed product; n * max_len numbers for nothing else."""
        _checked_rows(table, n, offset)
        chosen = np.eye(n, len(table), k=offset, dtype=table.dtype)            # (n, max_len)
        return chosen @ table


class position_ids:
    def by_the_first_token(attention_mask):
        """Find where each row's tokens begin and count from there, with no running sum.
        It needs the tokens to be in one piece, which padding leaves them."""
        start = np.argmax(attention_mask, axis=1)[:, None]                     # (batch, 1)
        return (np.arange(attention_mask.shape[1]) - start) * attention_mask

    def by_a_triangle(attention_mask):
        """A product with a triangle of ones counts the real tokens before each place, the place left out.
        Nothing then has to be subtracted; n * n products instead of n sums."""
        real = attention_mask.astype(np.int64)
        before = np.triu(np.ones((real.shape[1], real.shape[1]), dtype=np.int64), k=1)     # (n, n)
        return real @ before * real


class table_gradient:
    def by_one_hot_rows(ids, upstream, max_len):
        """If reading is a product with one-hot rows, the gradient is the product with their transpose.
        Fast on hardware made for products, but the one-hot array is large."""
        _checked_ids(ids, upstream, max_len)
        dtype = _dtype(upstream)
        one_hot = (ids.reshape(-1, 1) == np.arange(max_len)).astype(dtype)     # (places, max_len)
        return one_hot.T @ upstream.reshape(-1, upstream.shape[-1]).astype(dtype)

    def by_add_at(ids, upstream, max_len):
        """np.add.at adds again where an id comes again, which gradient[ids] += upstream does not.
        It takes one number at a time: 5 to 10 times as long as the reference for rows of 4096 columns."""
        _checked_ids(ids, upstream, max_len)
        gradient = np.zeros((max_len, upstream.shape[-1]), _dtype(upstream))
        np.add.at(gradient, ids, upstream)
        return gradient

    def by_sorting(ids, upstream, max_len):
        """Sort the places by id, so that the uses of one row lie side by side, and add up every run.
        Each row of the result is written once, which suits work done in parallel."""
        _checked_ids(ids, upstream, max_len)
        rows = upstream.reshape(-1, upstream.shape[-1]).astype(_dtype(upstream))
        order = np.argsort(ids.ravel(), kind="stable")
        used, first = np.unique(ids.ravel()[order], return_index=True)
        gradient = np.zeros((max_len, rows.shape[-1]), rows.dtype)
        gradient[used] = np.add.reduceat(rows[order], first, axis=0)
        return gradient

    def by_counting_with_weights(ids, upstream, max_len):
        """np.bincount adds weights up by number, in double precision: one call per column.
        The columns are laid one after the other, so the result is a transposed view."""
        _checked_ids(ids, upstream, max_len)
        columns = np.moveaxis(upstream, -1, 0)                                 # (d, ..., n)
        sums = [np.bincount(ids.ravel(), column.ravel(), minlength=max_len) for column in columns]
        return np.array(sums, dtype=_dtype(upstream)).T
