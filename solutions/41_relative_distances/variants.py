"""Other right answers to 41_relative_distances, and when you would want them."""
import numpy as np


def _n_keys(n_queries, n_keys):
    return n_queries if n_keys is None else n_keys


def _distances(n_queries, n_keys):
    n_keys = _n_keys(n_queries, n_keys)
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


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


class gather_relative:
    def by_one_hot_rows(table, n_queries, n_keys=None):
        """Multiply one-hot rows by the table, so the look-up is a matrix product. It suits hardware made for matrix
        products, but it needs 2K + 1 multiplications for each number that a look-up copies."""
        middle = len(table) // 2
        distances = _distances(n_queries, n_keys).clip(-middle, middle)
        one_hot = distances[..., None] == np.arange(-middle, middle + 1)         # (n_queries, n_keys, 2K + 1)
        return one_hot.astype(table.dtype) @ table
