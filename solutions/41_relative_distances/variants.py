"""Other right answers to 41_relative_distances, and when you would want them."""
import numpy as np


def _n_keys(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _distances(n_queries, n_keys):
    n_keys = _n_keys(n_queries, n_keys)
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


def _windows(line, n_queries, n_keys):
    """Row i of the result starts at place n_queries - 1 - i of the line, one step to the left of the row before."""
    return np.lib.stride_tricks.sliding_window_view(line, n_keys, axis=0)[:n_queries][::-1]


class relative_distances:
    def by_loops(n_queries, n_keys=None):
        """Go through queries and keys one by one, exactly as in the definition. Use it to check other versions."""
        n_keys = _n_keys(n_queries, n_keys)
        queries = range(n_keys - n_queries, n_keys)
        return np.array([[key - query for key in range(n_keys)] for query in queries])

    def by_the_last_rows(n_queries, n_keys=None):
        """Make the square of distances between all positions and keep its last rows. You need no offset.
        For one query and many keys, nearly all of the work is wasted."""
        n_keys = _n_keys(n_queries, n_keys)
        row, column = np.indices((n_keys, n_keys))
        return (column - row)[-n_queries:]

    def by_sliding_windows(n_queries, n_keys=None):
        """Write all n_queries + n_keys - 1 distances into one line. Each row of the result is a window on this line.
        It needs memory for the line only. The result is a read-only view of the line."""
        n_keys = _n_keys(n_queries, n_keys)
        return _windows(np.arange(1 - n_keys, n_queries), n_queries, n_keys)


class relative_index:
    def clipped_afterwards(n_queries, n_keys, max_distance):
        """Add K first, then clip to 0..2K. The bounds are the first and the last row of the table,
        so it is easy to see that every index is in the table."""
        return (_distances(n_queries, n_keys) + max_distance).clip(0, 2 * max_distance)

    def by_counting_steps(n_queries, n_keys, max_distance):
        """Count the borders between rows that lie below the distance, with np.searchsorted: the number is the index.
        This also works if each row covers a range of distances, as in kata 52."""
        borders = np.arange(-max_distance, max_distance)                # between a row and the next
        return np.searchsorted(borders, _distances(n_queries, n_keys))

    def by_diagonals(n_queries, n_keys, max_distance):
        """Start with the last row everywhere and subtract triangles: np.tri is 1 on and below a diagonal.
        It takes 2K passes, but needs no distances and no clip."""
        n_keys = _n_keys(n_queries, n_keys)
        index = np.full((n_queries, n_keys), 2 * max_distance)
        for distance in range(-max_distance, max_distance):
            index -= np.tri(n_queries, n_keys, n_keys - n_queries + distance, dtype=int)
        return index


class gather_relative:
    def by_one_hot_rows(table, n_queries, n_keys=None):
        """Multiply one-hot rows by the table, so the look-up is a matrix product. It suits hardware made for matrix
        products, but it needs 2K + 1 multiplications for each number that a look-up copies."""
        middle = len(table) // 2
        distances = _distances(n_queries, n_keys).clip(-middle, middle)
        one_hot = distances[..., None] == np.arange(-middle, middle + 1)         # (n_queries, n_keys, 2K + 1)
        return one_hot.astype(table.dtype) @ table

    def by_sliding_windows(table, n_queries, n_keys=None):
        """Write the vectors of all distances into one line, then take a window for each query.
        Memory grows with n, not n * n. The result is a read-only view: copy it before you change it."""
        n_keys, middle = _n_keys(n_queries, n_keys), len(table) // 2
        line = table.take(np.arange(1 - n_keys, n_queries) + middle, axis=0, mode="clip")
        return np.moveaxis(_windows(line, n_queries, n_keys), 1, 2)     # (n_queries, n_keys, d)
