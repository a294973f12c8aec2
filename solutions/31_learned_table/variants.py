"""Other right answers to 31_learned_table, and when one would want them."""
import numpy as np


class init_table:
    def by_standard_draws(max_len, d_model, std=0.02, seed=0):
        """Draw with standard deviation 1 and multiply by std afterwards: the same draws then serve any scale.
        Two tables that differ in std alone are multiples of each other."""
        return std * np.random.default_rng(seed).standard_normal((max_len, d_model))

    def by_box_and_muller(max_len, d_model, std=0.02, seed=0):
        """Two uniform draws make one normal one: a length from the first, a direction from the second.
        For machines and languages that only have uniform draws."""
        length, turn = np.random.default_rng(seed).random((2, max_len, d_model))
        return std * np.sqrt(-2.0 * np.log1p(-length)) * np.cos(2.0 * np.pi * turn)

    def row_by_row(max_len, d_model, std=0.02, seed=0):
        """One row after the other from NumPy's older generator, whose numbers will never change.
        A longer table then begins with the rows of the shorter one."""
        generator = np.random.RandomState(seed)
        return np.array([std * generator.randn(d_model) for _ in range(max_len)])

    def by_a_seed_per_row(max_len, d_model, std=0.02, seed=0):
        """Every row has a generator of its own, made from the seed and the number of the row.
        So any row can be drawn alone, or many at the same time, and it has the same numbers in every table."""
        return np.array([np.random.default_rng([seed, row]).normal(0.0, std, d_model) for row in range(max_len)])


class look_up:
    def by_one_hot_rows(table, n, offset=0):
        """Every position as a row of one 1 and zeros, times the table: a lookup is a matrix product.
        It shows why the gradient is the transposed product; n * max_len numbers for nothing else."""
        if offset + n > len(table):
            raise ValueError("the table is too short")
        chosen = np.eye(n, len(table), k=offset)                               # (n, max_len)
        return chosen @ table

    def by_a_list_of_positions(table, n, offset=0):
        """Name every position and read them all: positions with gaps or in another order work the same way.
        The result is a copy, so writing into it does not change the table, as it would with a slice."""
        positions = np.arange(offset, offset + n)                              # (n,)
        if positions[-1] >= len(table):
            raise ValueError("the table is too short")
        return table[positions]

    def by_what_came(table, n, offset=0):
        """Take the slice first and count the rows that came: no condition on offset and n to get wrong.
        The slice is a view and costs nothing, so it does no harm to take it in vain."""
        rows = table[offset : offset + n]                                      # (n, d), or fewer rows
        if len(rows) < n:
            raise ValueError("the table is too short")
        return rows


class position_ids:
    def by_the_first_token(attention_mask):
        """Find where each row's tokens begin and count from there, with no running sum.
        It needs the tokens to be in one piece, which padding leaves them."""
        start = np.argmax(attention_mask, axis=1)[:, None]                     # (batch, 1)
        return (np.arange(attention_mask.shape[1]) - start) * attention_mask

    def by_a_triangle(attention_mask):
        """A product with a triangle of ones counts the real tokens before each place, the place left out.
        Nothing then has to be subtracted; n * n products instead of n sums."""
        n = attention_mask.shape[1]
        before = np.triu(np.ones((n, n), dtype=int), k=1)                      # (n, n)
        return attention_mask @ before * attention_mask

    def text_by_text(attention_mask):
        """Write 0, 1, 2, ... over the real tokens of one text after the other; padding keeps the 0 it begins with.
        It reads like the sentence that describes it."""
        ids = np.zeros(attention_mask.shape, dtype=int)
        for row, mask in zip(ids, attention_mask, strict=True):
            row[mask == 1] = np.arange(mask.sum())
        return ids


class table_gradient:
    def place_by_place(ids, upstream, max_len):
        """A loop in which each place adds its whole row at once, where np.add.at adds one number at a time.
        For rows of 4096 columns it takes a quarter of the time or less, for rows of 64 columns up to twice the time."""
        gradient = np.zeros((max_len, upstream.shape[-1]), upstream.dtype)
        for place in np.ndindex(ids.shape):
            gradient[ids[place]] += upstream[place]                            # (d,)
        return gradient

    def by_one_hot_rows(ids, upstream, max_len):
        """If reading is a product with one-hot rows, the gradient is the product with their transpose.
        Fast on hardware made for products, but the one-hot array is large."""
        one_hot = (ids.reshape(-1, 1) == np.arange(max_len)).astype(upstream.dtype)        # (places, max_len)
        return one_hot.T @ upstream.reshape(-1, upstream.shape[-1])

    def by_sorting(ids, upstream, max_len):
        """Sort the places by id, so that the uses of one row lie side by side, and add up every run.
        Each row of the result is written once, which suits work done in parallel."""
        rows = upstream.reshape(-1, upstream.shape[-1])                        # (places, d)
        order = np.argsort(ids.ravel(), kind="stable")
        used, first = np.unique(ids.ravel()[order], return_index=True)
        gradient = np.zeros((max_len, rows.shape[-1]))
        gradient[used] = np.add.reduceat(rows[order], first, axis=0)
        return gradient

    def by_counting_with_weights(ids, upstream, max_len):
        """np.bincount adds weights up by number, in double precision: one call per column.
        The columns are laid one after the other, so the result is a transposed view."""
        columns = np.moveaxis(upstream, -1, 0)                                 # (d, ..., n)
        return np.array([np.bincount(ids.ravel(), column.ravel(), minlength=max_len) for column in columns]).T
