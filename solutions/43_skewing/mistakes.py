"""Wrong answers to 43_skewing; each docstring is what the learner is told."""
import numpy as np


def _checked_square(products):
    if products.shape[-2:-1] != products.shape[-1:]:
        raise ValueError(f"products must be square, got shape {products.shape}")


def _checked_rows(q, table):
    if len(table) != q.shape[-2]:
        raise ValueError(f"table must have one row per position of q, {q.shape[-2]}, got shape {table.shape}")


def _checked_width(q, table):
    if table.shape[-1] != q.shape[-1]:
        raise ValueError(f"table must be as wide as q, {q.shape[-1]}, got shape {table.shape}")


def _checked(q, table):
    _checked_rows(q, table)
    _checked_width(q, table)


def _as_real(x):
    return x if x.dtype.kind == "f" else x.astype(np.float64)


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


def _products(q, table):
    return _as_real(q) @ table.T                            # (..., n, n)


def _column_of_distance(n):
    """The column that row i, column j takes its number from; 0 above the diagonal."""
    i, j = np.indices((n, n))
    return np.where(j <= i, n - 1 - (i - j), 0)


class skew:
    def last_row_dropped(products):
        """After the second reading it is the first row that goes, `[..., 1:, :]`; here the last one was
        dropped, so every number is a row too low."""
        _checked_square(products)
        padded = np.concatenate([_column(products), products], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[..., :-1, :])

    def padded_on_the_right(products):
        """The column of zeros stands after the products; it belongs before them, on the left."""
        _checked_square(products)
        padded = np.concatenate([products, _column(products)], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[..., 1:, :])

    def padded_right_and_cut_below(products):
        """The column of zeros stands after the products and the last row was dropped: pad on the left and
        drop the first row."""
        _checked_square(products)
        padded = np.concatenate([products, _column(products)], axis=-1)
        return np.tril(_reread(padded, products.shape[-1])[..., :-1, :])

    def extra_row_kept(products):
        """There is a row too many: after the second reading the first of the n + 1 rows is dropped."""
        _checked_square(products)
        padded = np.concatenate([_column(products), products], axis=-1)
        return np.tril(_reread(padded, products.shape[-1]))

    def not_skewed(products):
        """Nothing has moved: this is the lower triangle of the products, whose columns are distances, not
        keys."""
        _checked_square(products)
        return np.tril(products)

    def other_rows_above_the_diagonal(products):
        """Above the diagonal numbers of other rows are left over from the second reading; they must be 0."""
        _checked_square(products)
        return _shifted(products)

    def rolled_round_above_the_diagonal(products):
        """Every row is rolled, and what fell out on one side stands above the diagonal; it must be 0
        there."""
        _checked_square(products)
        n = products.shape[-1]
        return _rolled(products, range(1 - n, 1))

    def minus_infinity_above_the_diagonal(products):
        """Above the diagonal stands -inf, which is what a mask does later; here it is 0."""
        _checked_square(products)
        skewed = _as_real(_skewed(products))
        skewed[..., ~np.tri(products.shape[-1], dtype=bool)] = -np.inf
        return skewed

    def diagonal_lost(products):
        """The diagonal is 0 too: a query's own key has distance 0 and is kept, only keys after it are 0."""
        _checked_square(products)
        return np.tril(_shifted(products), -1)

    def nearest_first(products):
        """The columns are read as distances 0, 1, 2, ...; they come farthest first, distance 0 in the last
        one."""
        _checked_square(products)
        return _skewed(products[..., ::-1])

    def transposed(products):
        """Rows and columns of the result are swapped: a row is a query, a column a key."""
        _checked_square(products)
        return np.swapaxes(_skewed(products), -1, -2)

    def mask_before_the_shift(products):
        """The upper triangle was cut off before the shift, when the columns still were distances: skew first,
        then keep the lower triangle."""
        _checked_square(products)
        return _skewed(np.tril(products))

    def leading_axes_in_one_row(products):
        """All the leading axes were read as one long matrix, so only the first matrix is right: keep them in
        both reshapes."""
        _checked_square(products)
        n = products.shape[-1]
        flat = products.reshape(-1, n)
        padded = np.concatenate([_column(flat), flat], axis=1).reshape(-1, n)
        return np.tril(padded[1 : len(flat) + 1].reshape(products.shape))

    def written_into_the_argument(products):
        """The rows are moved within `products` itself, so the caller's array changes: write into a new
        one."""
        _checked_square(products)
        if not products.flags.writeable:
            products = products.copy()
        n = products.shape[-1]
        for i in range(n):
            products[..., i, : i + 1] = products[..., i, n - 1 - i :].copy()
            products[..., i, i + 1 :] = 0
        return products

    def not_square_accepted(products):
        """The last two axes are not compared: as many distances as positions are needed, so refuse other
        shapes."""
        *leading, rows, n = products.shape
        padded = np.concatenate([_column(products), products], axis=-1)
        return np.tril(padded.reshape(*leading, n + 1, rows)[..., 1:, :].reshape(products.shape))


class relative_logits:
    def scaled(q, table):
        """The products are divided by sqrt(d); these logits are not scaled, that is done once for the whole
        sum."""
        _checked(q, table)
        return _skewed(_products(q, table)) / q.shape[-1] ** 0.5

    def distance_zero_first(q, table):
        """The first row of the table is taken for distance 0; it is the farthest one, distance 0 is the
        last."""
        _checked(q, table)
        return _skewed(_products(q, table[::-1]))

    def distances_from_one(q, table):
        """The last row of the table is taken for distance -1; it is distance 0, the query's own position."""
        _checked(q, table)
        return _skewed(_products(q, np.roll(table, -1, axis=0)))

    def future_mirrored(q, table):
        """Keys after the query have the product of the same distance before it; they have none, so 0."""
        _checked(q, table)
        i, j = np.indices((len(table), len(table)))
        at = np.broadcast_to(len(table) - 1 - np.abs(i - j), (*q.shape[:-1], len(table)))
        return np.take_along_axis(_products(q, table), at, axis=-1)

    def vectors_of_the_key(q, table):
        """The row that is multiplied is the key's, `q[j]`; the distance is looked up for the query,
        `q[i]`."""
        _checked(q, table)
        products = _products(q, table)                                              # (..., n, n)
        n = len(table)
        by_key = np.swapaxes(products, -1, -2)                                      # (..., distance, key)
        at = np.broadcast_to(_column_of_distance(n), products.shape)
        return np.tril(np.take_along_axis(by_key, at, axis=-2))

    def other_tables_accepted(q, table):
        """A longer table is cut, or a shorter one is filled up with its farthest row; a table that has not
        one row per position is to be refused."""
        _checked_width(q, table)
        n = q.shape[-2]
        at = np.maximum(np.arange(len(table) - n, len(table)), 0)
        return _skewed(_products(q, table[at]))

    def one_column_stretches(q, table):
        """The widths of `q` and `table` are not compared, and a single column is silently repeated: refuse
        it."""
        _checked_rows(q, table)
        return _skewed(np.einsum("...id,md->...im", _as_real(q), table))

    def widened(q, table):
        """float32 came in and float64 comes out; floating input keeps its dtype."""
        _checked(q, table)
        return _skewed(_products(q, table)).astype(np.float64)

    def a_vector_for_every_pair(q, table):
        """An array of n * n * d numbers was made on the way, a vector for every query and key. One product
        with the table, then the shift, needs n * n."""
        _checked(q, table)
        vectors = table[_column_of_distance(len(table))]                            # (n, n, d)
        return np.tril(np.einsum("...id,ijd->...ij", _as_real(q), vectors))

    def two_vectors_for_every_pair(q, table):
        """Two arrays of n * n * d numbers were held at once: the vectors of all pairs and their products
        before the sum. A matrix product makes neither."""
        _checked(q, table)
        vectors = table[_column_of_distance(len(table))]                            # (n, n, d)
        return np.tril((_as_real(q)[..., :, None, :] * vectors).sum(axis=-1))

    def one_hot_for_every_pair(q, table):
        """An array of n * n * n numbers was made on the way, ones and zeros that pick a distance for every
        pair. The shift picks them without it."""
        _checked(q, table)
        products = _products(q, table)
        chosen = np.eye(len(table), dtype=products.dtype)[_column_of_distance(len(table))]      # (n, n, n)
        return np.tril(np.einsum("...im,ijm->...ij", products, chosen))
