"""Other right answers to 31_learned_table, and what each is good for."""
import numpy as np


class init_table:
    def by_standard_draws(max_len, d_model, std=0.02, seed=0):
        """Draw with standard deviation 1, and multiply by `std` afterwards. Two tables that differ only in `std` are
        then multiples of each other."""
        return std * np.random.default_rng(seed).standard_normal((max_len, d_model))

    def row_by_row(max_len, d_model, std=0.02, seed=0):
        """Draw one row after the other from NumPy's older generator, whose numbers never change. A longer table then
        starts with the rows of the shorter one."""
        generator = np.random.RandomState(seed)
        return np.array([std * generator.randn(d_model) for _ in range(max_len)])


class look_up:
    def by_one_hot_rows(table, n, offset=0):
        """Write every position as a row of zeros with a single 1, and multiply by the table. This shows why the
        gradient is the transposed product, but it stores n * max_len numbers."""
        if offset + n > len(table):
            raise ValueError("the table is too short")
        chosen = np.eye(n, len(table), k=offset)                               # (n, max_len)
        return chosen @ table

    def by_a_list_of_positions(table, n, offset=0):
        """List every position, and read all of them. This also works for positions with gaps or in another order. The
        result is a copy, so writing into it does not change the table, unlike with a slice."""
        positions = np.arange(offset, offset + n)                              # (n,)
        if positions[-1] >= len(table):
            raise ValueError("the table is too short")
        return table[positions]

    def by_what_came(table, n, offset=0):
        """Take the slice first, and count its rows. You need no condition on `offset` and `n`, which is easy to get
        wrong. The slice is a view, so it copies nothing."""
        rows = table[offset : offset + n]                                      # (n, d), or fewer rows
        if len(rows) < n:
            raise ValueError("the table is too short")
        return rows


class position_ids:
    def by_the_first_token(attention_mask):
        """Find where the tokens of each text start, and count from there, without a running sum. It needs tokens
        without gaps, as padding on the left or on the right leaves them."""
        start = np.argmax(attention_mask, axis=1)[:, None]                     # (batch, 1)
        return (np.arange(attention_mask.shape[1]) - start) * attention_mask

    def text_by_text(attention_mask):
        """Write 0, 1, 2, ... over the real tokens of one text after the other. Padding keeps the 0 it starts with. The
        code reads like its description."""
        ids = np.zeros(attention_mask.shape, dtype=int)
        for row, mask in zip(ids, attention_mask, strict=True):
            row[mask == 1] = np.arange(mask.sum())
        return ids


class table_gradient:
    def place_by_place(ids, upstream, max_len):
        """Loop over the places, and add a whole row at each. This makes one addition of arrays per place, however wide
        the rows are."""
        gradient = np.zeros((max_len, upstream.shape[-1]), upstream.dtype)
        for place in np.ndindex(ids.shape):
            gradient[ids[place]] += upstream[place]                            # (d,)
        return gradient

    def by_one_hot_rows(ids, upstream, max_len):
        """If reading is a product with one-hot rows, the gradient is the product with their transpose. This suits
        hardware made for matrix products, but the one-hot array is large."""
        one_hot = (ids.reshape(-1, 1) == np.arange(max_len)).astype(upstream.dtype)        # (places, max_len)
        return one_hot.T @ upstream.reshape(-1, upstream.shape[-1])
