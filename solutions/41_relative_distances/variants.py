"""Other right answers to 41_relative_distances, and when one would want them."""
import numpy as np


def _n_keys(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _distances(n_queries, n_keys):
    n_keys = _n_keys(n_queries, n_keys)
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


def _windows(line, n_queries, n_keys):
    """Row i of the result begins n_queries - 1 - i places into the line: each row one step further left."""
    return np.lib.stride_tricks.sliding_window_view(line, n_keys, axis=0)[:n_queries][::-1]


class relative_distances:
    def by_loops(n_queries, n_keys=None):
        """One query and one key at a time: the definition letter by letter, to check others by.
        Some hundred times slower than NumPy on a sequence of any length."""
        n_keys = _n_keys(n_queries, n_keys)
        queries = range(n_keys - n_queries, n_keys)
        return np.array([[key - query for key in range(n_keys)] for query in queries])

    def by_the_last_rows(n_queries, n_keys=None):
        """Make the square for all positions and keep its last rows: no offset can go wrong.
        For one query and a long cache nearly all of the work is thrown away."""
        n_keys = _n_keys(n_queries, n_keys)
        row, column = np.indices((n_keys, n_keys))
        return (column - row)[-n_queries:]

    def by_sliding_windows(n_queries, n_keys=None):
        """Every row is a window on one line of n_queries + n_keys - 1 distances, a step further left each.
        No pair is ever computed. The result is a read-only view on that line."""
        n_keys = _n_keys(n_queries, n_keys)
        return _windows(np.arange(1 - n_keys, n_queries), n_queries, n_keys)


class relative_index:
    def clipped_afterwards(n_queries, n_keys, max_distance):
        """Add first, clip to 0..2K second. The bounds are then those of the table, so it is plain to see that
        no index leaves it."""
        return (_distances(n_queries, n_keys) + max_distance).clip(0, 2 * max_distance)

    def by_counting_steps(n_queries, n_keys, max_distance):
        """The index is the number of row borders that lie below the distance, which np.searchsorted counts.
        It goes on working when the rows stand for uneven ranges of distances."""
        borders = np.arange(-max_distance, max_distance)                # between one row and the next
        return np.searchsorted(borders, _distances(n_queries, n_keys))

    def by_diagonals(n_queries, n_keys, max_distance):
        """Start with the last row everywhere and lower it diagonal by diagonal: np.tri is 1 at and below one.
        Adding up triangles takes 2K passes, each of them without an index or a clip."""
        n_keys = _n_keys(n_queries, n_keys)
        index = np.full((n_queries, n_keys), 2 * max_distance)
        for distance in range(-max_distance, max_distance):
            index -= np.tri(n_queries, n_keys, n_keys - n_queries + distance, dtype=int)
        return index


class gather_relative:
    def by_one_hot_rows(table, n_queries, n_keys=None):
        """A 1 where the distance has its row, 0 elsewhere, times the table: a look-up as a matrix product.
        Accelerators that are slow to index have been given this form; it does 2K + 1 times the work."""
        middle = len(table) // 2
        distances = _distances(n_queries, n_keys).clip(-middle, middle)
        one_hot = distances[..., None] == np.arange(-middle, middle + 1)         # (n_queries, n_keys, 2K + 1)
        return one_hot.astype(table.dtype) @ table

    def by_sliding_windows(table, n_queries, n_keys=None):
        """Write the vectors of all distances into one line, then look at it through sliding windows: the
        memory grows with n, not n * n. The result is a read-only view that has to be copied to be changed."""
        n_keys, middle = _n_keys(n_queries, n_keys), len(table) // 2
        line = table.take(np.arange(1 - n_keys, n_queries) + middle, axis=0, mode="clip")
        return np.moveaxis(_windows(line, n_queries, n_keys), 1, 2)     # (n_queries, n_keys, d)
