"""Other right answers to 43_skewing, and when you would want them."""
import numpy as np


class skew:
    def by_rows(products):
        """Copy the last i + 1 products of row i, which have a key, to the front of a row of zeros. There is no trick,
        and you skip the products without a key."""
        n = products.shape[-1]
        skewed = np.zeros(products.shape, products.dtype)
        for i in range(n):
            skewed[..., i, : i + 1] = products[..., i, n - 1 - i :]
        return skewed

    def by_triangles(products):
        """Take the products that have a key, the triangle at the lower right. Read row by row, they fill the lower
        triangle in the same order. You need two masks and one assignment, and you count no places."""
        lower = np.tri(products.shape[-1], dtype=bool)                      # (n, n)
        skewed = np.zeros(products.shape)
        skewed[..., lower] = products[..., lower[:, ::-1]]
        return skewed

    def by_loops(products):
        """Follow the definition to the letter, one row and one key at a time. Use it to check other versions. The
        leading axes need no loop."""
        n = products.shape[-1]
        skewed = np.zeros_like(products)
        for i in range(n):
            for j in range(i + 1):
                skewed[..., i, j] = products[..., i, n - 1 - (i - j)]
        return skewed

    def by_indices(products):
        """Compute which column every row and key needs, and take it. There is no trick to remember, but it needs n * n
        indices."""
        n = products.shape[-1]
        behind = np.subtract.outer(np.arange(n), np.arange(n))              # (n, n) query minus key
        column = np.broadcast_to((n - 1 - behind) % n, products.shape)
        return np.where(behind >= 0, np.take_along_axis(products, column, axis=-1), 0)


class relative_logits:
    def by_blocks(q, table):
        """Multiply 128 queries at a time, only with the rows of the table that they need. In a long text, you compute
        about half of the products and never store all of them."""
        n = len(table)
        logits = np.zeros((*q.shape[:-1], n), np.result_type(q, table))
        for start in range(0, n, 128):
            end = min(start + 128, n)
            products = q[..., start:end, :] @ table[n - end :].T                    # (..., 128, end)
            for i in range(start, end):
                logits[..., i, : i + 1] = products[..., i - start, end - 1 - i :]
        return logits

    def by_a_row_of_zeros(q, table):
        """Put a row of zeros in front of the table, so the products already have their column of zeros and need no
        copy. Clear the upper triangle in place."""
        *leading, n, _ = q.shape
        padded = q @ np.concatenate([np.zeros_like(table[:1]), table]).T            # (..., n, n + 1)
        logits = padded.reshape(*leading, n + 1, n)[..., 1:, :]
        np.copyto(logits, 0, where=~np.tri(n, dtype=bool))
        return logits

    def by_growing_tables(q, table):
        """Multiply query i only with the last i + 1 rows of the table, so there is nothing to shift or to mask. Text
        generation works like this, one query at a time."""
        n = len(table)
        logits = np.zeros((*q.shape[:-1], n))
        for i in range(n):
            logits[..., i, : i + 1] = q[..., i, :] @ table[n - 1 - i :].T
        return logits
