"""Other right answers to 43_skewing, and when one would want them."""
import numpy as np


class skew:
    def by_rows(products):
        """Row i ends on the i + 1 products that have a key: copy them to the front of a row of zeros. No trick, and the
        fastest here: what belongs to no key is neither read nor written."""
        n = products.shape[-1]
        skewed = np.zeros(products.shape, products.dtype)
        for i in range(n):
            skewed[..., i, : i + 1] = products[..., i, n - 1 - i :]
        return skewed

    def by_a_masked_copy(products):
        """Copy behind the column of zeros only what has a key: once it is read again, nothing has to be cut off.
        The result is a view, and no other array of its size is made."""
        *leading, n = products.shape[:-1]
        padded = np.zeros((*leading, n, n + 1), dtype=products.dtype)
        kept = np.tri(n, dtype=bool)[:, ::-1]                               # (n, n) what has a key
        np.copyto(padded[..., 1:], products, where=kept)
        return padded.reshape(*leading, n + 1, n)[..., 1:, :]

    def by_triangles(products):
        """What has a key lies in the triangle at the lower right; read row by row, it fills the lower triangle as it
        is. Two masks and one assignment, and nothing to count."""
        lower = np.tri(products.shape[-1], dtype=bool)                      # (n, n)
        skewed = np.zeros(products.shape)
        skewed[..., lower] = products[..., lower[:, ::-1]]
        return skewed

    def by_loops(products):
        """The definition letter by letter, for one row and one key after the other: good for checking others.
        The leading axes need no loop of their own."""
        n = products.shape[-1]
        skewed = np.zeros_like(products)
        for i in range(n):
            for j in range(i + 1):
                skewed[..., i, j] = products[..., i, n - 1 - (i - j)]
        return skewed

    def by_indices(products):
        """Say for every row and key which column is wanted, and take it: no trick to remember or to explain.
        It needs n * n indices besides, and reads the numbers in a less regular order."""
        n = products.shape[-1]
        behind = np.subtract.outer(np.arange(n), np.arange(n))              # (n, n) query minus key
        column = np.broadcast_to((n - 1 - behind) % n, products.shape)
        return np.where(behind >= 0, np.take_along_axis(products, column, axis=-1), 0)

    def by_windows(products):
        """Zeros behind every row, then row i is a window of n numbers that starts at n - 1 - i.
        The zeros above the diagonal come from the padding, so nothing has to be masked."""
        n = products.shape[-1]
        padded = np.concatenate([products, np.zeros_like(products)], axis=-1)       # (..., n, 2n)
        windows = np.lib.stride_tricks.sliding_window_view(padded, n, axis=-1)      # (..., n, n + 1, n)
        return windows[..., np.arange(n), np.arange(n)[::-1], :]

    def by_diagonals(products):
        """Column m of the products is a diagonal of the result, n - 1 - m below the main one: write it there.
        In the transpose, read as one long row, it runs at steps of n + 1. The result is Fortran-ordered."""
        n = products.shape[-1]
        flat = np.zeros((*products.shape[:-2], n * n), dtype=products.dtype)        # (..., n * n)
        for m in range(n):
            flat[..., n - 1 - m : (m + 1) * n : n + 1] = products[..., n - 1 - m :, m]
        return flat.reshape(products.shape).swapaxes(-1, -2)


class relative_logits:
    def by_blocks(q, table):
        """Multiply 128 queries at a time, and only with the rows of the table that they meet: half the products, and
        they never exist as a whole. The fastest here."""
        n = len(table)
        logits = np.zeros((*q.shape[:-1], n), np.result_type(q, table))
        for start in range(0, n, 128):
            end = min(start + 128, n)
            products = q[..., start:end, :] @ table[n - end :].T                    # (..., 128, end)
            for i in range(start, end):
                logits[..., i, : i + 1] = products[..., i - start, end - 1 - i :]
        return logits

    def by_a_row_of_zeros(q, table):
        """With a row of zeros in front of the table, the products come with their column of zeros: no copy is made to
        put it there. The triangle is cut off in place."""
        *leading, n, _ = q.shape
        padded = q @ np.concatenate([np.zeros_like(table[:1]), table]).T            # (..., n, n + 1)
        logits = padded.reshape(*leading, n + 1, n)[..., 1:, :]
        np.copyto(logits, 0, where=~np.tri(n, dtype=bool))
        return logits

    def by_growing_tables(q, table):
        """Query i meets the last i + 1 rows of the table and no others: nothing to shift and nothing to mask.
        This is what decoding does, one query at a time."""
        n = len(table)
        logits = np.zeros((*q.shape[:-1], n))
        for i in range(n):
            logits[..., i, : i + 1] = q[..., i, :] @ table[n - 1 - i :].T
        return logits

    def by_distance(q, table):
        """One distance after the other: every query that has a key so far back is multiplied with its vector.
        Only the products that are wanted are made, about half of those of the whole table."""
        n = len(table)
        logits = np.zeros((*q.shape[:-1], n))
        for back in range(n):
            i = np.arange(back, n)
            logits[..., i, i - back] = np.einsum("...id,d->...i", q[..., back:, :], table[n - 1 - back])
        return logits
