"""Wrong answers to 43_skewing; each docstring is what the learner is told."""
import numpy as np


def _column(products):
    """A column of zeros to pad with."""
    return np.zeros((*products.shape[:-1], 1), dtype=products.dtype)


def _reread(padded, n):
    """What is padded to n + 1 columns, in rows of n."""
    return padded.reshape(*padded.shape[:-2], n + 1, n)


def _shifted(products):
    """Skewed, with other rows' numbers left above the diagonal."""
    return _reread(np.concatenate([_column(products), products], axis=-1), products.shape[-1])[..., 1:, :]


def _skewed(products):
    return np.tril(_shifted(products))


def _rolled(products, steps):
    """Row i rolled to the right by steps[i]."""
    rows = [np.roll(products[..., i, :], step, axis=-1) for i, step in enumerate(steps)]
    return np.stack(rows, axis=-2)


def _column_of_distance(n):
    """The column that row i, column j takes its number from; 0 above the diagonal."""
    i, j = np.indices((n, n))
    return np.where(j <= i, n - 1 - (i - j), 0)


class skew:
    def last_row_dropped(products):
        """You drop the last row, so every number is a row too low. After you read the numbers again, drop the first
        row: keep `[..., 1:, :]`."""
        padded = np.concatenate([_column(products), products], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[..., :-1, :])

    def padded_on_the_right(products):
        """You put the column of zeros behind the products. Put it in front of them, on the left."""
        padded = np.concatenate([products, _column(products)], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[..., 1:, :])

    def padded_right_and_cut_below(products):
        """You put the column of zeros behind the products and drop the last row. Put the column in front and drop the
        first row."""
        padded = np.concatenate([products, _column(products)], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[..., :-1, :])

    def extra_row_kept(products):
        """You return one row too many. After you read the numbers again, drop the first of the n + 1 rows."""
        padded = np.concatenate([_column(products), products], axis=-1)
        return np.tril(_reread(padded, products.shape[-1]))

    def not_skewed(products):
        """You do not move the rows. This is the lower triangle of the products, whose columns are distances. In the
        result, the columns are keys."""
        return np.tril(products)

    def other_rows_above_the_diagonal(products):
        """You leave numbers of other rows above the diagonal. Set them to 0."""
        return _shifted(products)

    def rolled_round_above_the_diagonal(products):
        """You roll each row, so the numbers that drop out on the left come back above the diagonal. Set them to 0."""
        n = products.shape[-1]
        return _rolled(products, range(1 - n, 1))

    def minus_infinity_above_the_diagonal(products):
        """You set the numbers above the diagonal to -inf. Set them to 0. A model masks these scores later."""
        skewed = _skewed(products).astype(float)
        skewed[..., ~np.tri(products.shape[-1], dtype=bool)] = -np.inf
        return skewed

    def diagonal_lost(products):
        """You set the diagonal to 0 too. The query's own key has distance 0 and keeps its product. Only keys after the
        query get 0."""
        return np.tril(_shifted(products), -1)

    def nearest_first(products):
        """You read the columns as 0, 1, 2, ... positions back. They are farthest first, and distance 0 is the last
        column."""
        return _skewed(products[..., ::-1])

    def transposed(products):
        """You swap rows and columns of the result. A row is a query, a column is a key."""
        return np.swapaxes(_skewed(products), -1, -2)

    def mask_before_the_shift(products):
        """You set the numbers above the diagonal to 0 before you move the rows, when the columns are still distances.
        Move the rows first, then keep the lower triangle."""
        return _skewed(np.tril(products))

    def mask_only_before_the_shift(products):
        """You keep the triangle before you move the rows, when the columns are still distances. Move the rows first,
        then keep the lower triangle."""
        return _shifted(np.tril(products))

    def first_matrix_dropped(products):
        """You drop the first matrix of a batch with `[1:]`. Drop the first row of every matrix: `[..., 1:, :]`."""
        padded = np.concatenate([_column(products), products], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[1:])

    def leading_axes_in_one_row(products):
        """You read all leading axes as one long matrix, so only the first matrix is right. Keep the leading axes in
        both reshapes."""
        n = products.shape[-1]
        flat = products.reshape(-1, n)
        padded = np.concatenate([_column(flat), flat], axis=1).reshape(-1, n)
        return np.tril(padded[1 : len(flat) + 1].reshape(products.shape))

    def written_into_the_argument(products):
        """You move the rows within `products`, so the caller's array changes. Write into a new array."""
        if not products.flags.writeable:
            products = products.copy()
        n = products.shape[-1]
        for i in range(n):
            products[..., i, : i + 1] = products[..., i, n - 1 - i :].copy()
            products[..., i, i + 1 :] = 0
        return products

    def moved_by_the_row_number(products):
        """You move row i by i places to the left. Move it n - 1 - i places, so that its last number is on the
        diagonal."""
        return np.tril(_rolled(products, range(0, -products.shape[-1], -1)))

    def moved_to_the_right(products):
        """You move the rows to the right. Move them to the left, so that the last number of row i is in column i."""
        return np.tril(_rolled(products, range(products.shape[-1] - 1, -1, -1)))

    def upper_triangle_kept(products):
        """You keep the upper triangle, but its numbers are left over from other rows. Keep the lower triangle and the
        diagonal."""
        return np.triu(_shifted(products))


class relative_logits:
    def products_not_skewed(q, table):
        """You do not skew the products. Column m of the products is a distance, not key m. Pass them to `skew`."""
        return np.tril(q @ table.T)

    def queries_on_the_columns(q, table):
        """You transpose the products: distances on the rows, queries on the columns. `skew` needs one row per query: q
        @ table.T."""
        return _skewed(table @ np.swapaxes(q, -1, -2))

    def scaled(q, table):
        """You divide the products by sqrt(d). Return them unscaled: a model scales the whole sum later."""
        return _skewed(q @ table.T) / q.shape[-1] ** 0.5

    def distance_zero_first(q, table):
        """You use the first row of the table for distance 0. The first row is for the farthest distance, and the last
        row is for distance 0."""
        return _skewed(q @ table[::-1].T)

    def distances_from_one(q, table):
        """You use the last row of the table for distance -1. It is for distance 0, the query's own position."""
        return _skewed(q @ np.roll(table, -1, axis=0).T)

    def future_mirrored(q, table):
        """You give keys after the query the product for the same distance before it. The table has no vector for later
        keys, so set them to 0."""
        i, j = np.indices((len(table), len(table)))
        at = np.broadcast_to(len(table) - 1 - np.abs(i - j), (*q.shape[:-1], len(table)))
        return np.take_along_axis(q @ table.T, at, axis=-1)

    def vectors_of_the_key(q, table):
        """You multiply the vector for the distance with `q[j]`, at the position of the key. Multiply it with the query,
        `q[i]`."""
        products = q @ table.T                                              # (..., n, n)
        n = len(table)
        by_key = np.swapaxes(products, -1, -2)                                      # (..., distance, key)
        at = np.broadcast_to(_column_of_distance(n), products.shape)
        return np.tril(np.take_along_axis(by_key, at, axis=-2))

    def a_vector_for_every_pair(q, table):
        """You build an array of n * n * d numbers, a vector for every query and key. One product with the table and the
        shift need n * n."""
        vectors = table[_column_of_distance(len(table))]                            # (n, n, d)
        return np.tril(np.einsum("...id,ijd->...ij", q, vectors))

    def two_vectors_for_every_pair(q, table):
        """You have two arrays of n * n * d numbers in memory together: the vectors of all pairs, and their products
        before the sum. A matrix product builds neither."""
        vectors = table[_column_of_distance(len(table))]                            # (n, n, d)
        return np.tril((q[..., :, None, :] * vectors).sum(axis=-1))

    def one_hot_for_every_pair(q, table):
        """You build an array of n * n * n ones and zeros, which picks a distance for every pair. Skew the products
        instead: that needs n * n numbers."""
        products = q @ table.T
        chosen = np.eye(len(table), dtype=products.dtype)[_column_of_distance(len(table))]      # (n, n, n)
        return np.tril(np.einsum("...im,ijm->...ij", products, chosen))
