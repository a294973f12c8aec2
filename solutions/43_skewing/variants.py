"""Other right answers to 43_skewing, and when one would want them."""
import numpy as np


def _checked(products):
    if products.ndim < 2 or products.shape[-2] != products.shape[-1]:
        raise ValueError(f"products of shape {products.shape} are not square")


def _checked_table(q, table):
    if table.shape != q.shape[-2:]:
        raise ValueError(f"table of shape {table.shape} does not fit q of shape {q.shape}")


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


class skew:
    def by_loops(products):
        """The definition letter by letter, for one row and one key after the other: good for checking others.
        The leading axes need no loop of their own."""
        _checked(products)
        n = products.shape[-1]
        skewed = np.zeros_like(products)
        for i in range(n):
            for j in range(i + 1):
                skewed[..., i, j] = products[..., i, n - 1 - (i - j)]
        return skewed

    def by_indices(products):
        """Say for every row and key which column is wanted, and take it: no trick to remember or to explain.
        It needs n * n indices besides, and reads the numbers in a less regular order."""
        _checked(products)
        n = products.shape[-1]
        behind = np.subtract.outer(np.arange(n), np.arange(n))              # (n, n) query minus key
        column = np.broadcast_to((n - 1 - behind) % n, products.shape)
        return np.where(behind >= 0, np.take_along_axis(products, column, axis=-1), 0)

    def by_windows(products):
        """Zeros behind every row, then row i is a window of n numbers that starts at n - 1 - i.
        The zeros above the diagonal come from the padding, so nothing has to be masked."""
        _checked(products)
        n = products.shape[-1]
        padded = np.concatenate([products, np.zeros_like(products)], axis=-1)       # (..., n, 2n)
        windows = np.lib.stride_tricks.sliding_window_view(padded, n, axis=-1)      # (..., n, n + 1, n)
        return windows[..., np.arange(n), np.arange(n)[::-1], :]

    def by_mask_after_the_shift(products):
        """Concatenate the zeros, shift, and cut the upper triangle off: the paper's steps, each in one call.
        Every step makes a new array, so it takes 3 to 4 times as long as the reference."""
        _checked(products)
        *leading, n = products.shape[:-1]
        before = np.zeros((*leading, n, 1), dtype=products.dtype)
        padded = np.concatenate([before, products], axis=-1)                # (..., n, n + 1)
        return np.tril(padded.reshape(*leading, n + 1, n)[..., 1:, :])

    def by_diagonals(products):
        """Column m of the products is a diagonal of the result, n - 1 - m below the main one: write it there.
        In the transpose, read as one long row, it runs at steps of n + 1. The result is Fortran-ordered."""
        _checked(products)
        n = products.shape[-1]
        flat = np.zeros((*products.shape[:-2], n * n), dtype=products.dtype)        # (..., n * n)
        for m in range(n):
            flat[..., n - 1 - m : (m + 1) * n : n + 1] = products[..., n - 1 - m :, m]
        return flat.reshape(products.shape).swapaxes(-1, -2)


class relative_logits:
    def by_growing_tables(q, table):
        """Query i meets the last i + 1 rows of the table and no others: nothing to shift and nothing to mask.
        This is what decoding does, one query at a time; for whole sequences one product is faster."""
        _checked_table(q, table)
        q, n = _floating(q), len(table)
        logits = np.zeros((*q.shape[:-1], n), dtype=q.dtype)
        for i in range(n):
            logits[..., i, : i + 1] = q[..., i, :] @ table[n - 1 - i :].T
        return logits

    def by_distance(q, table):
        """One distance after the other: every query that has a key so far back is multiplied with its vector.
        Only the products that are wanted are made, about half of those of the whole table."""
        _checked_table(q, table)
        q, n = _floating(q), len(table)
        logits = np.zeros((*q.shape[:-1], n), dtype=q.dtype)
        for back in range(n):
            i = np.arange(back, n)
            logits[..., i, i - back] = np.einsum("...id,d->...i", q[..., back:, :], table[n - 1 - back])
        return logits

    def by_blocks(q, table):
        """A block of queries at a time, so that the unshifted products never exist as a whole.
        A block of b rows holds b * n products besides the result; b is free to choose."""
        _checked_table(q, table)
        q, n = _floating(q), len(table)
        logits = np.zeros((*q.shape[:-1], n), dtype=q.dtype)
        for start in range(0, n, 4):
            products = q[..., start : start + 4, :] @ table.T                       # (..., 4, n)
            for i in range(start, min(start + 4, n)):
                logits[..., i, : i + 1] = products[..., i - start, n - 1 - i :]
        return logits
