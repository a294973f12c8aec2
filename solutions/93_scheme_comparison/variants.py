"""Other right answers to 93_scheme_comparison, and when you would want them."""
import math

import numpy as np


class position_parameters:
    def by_cases(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """Write one `if` per scheme that trains something, with the formulas of the README. It computes only the count
        that you ask for."""
        if scheme == "learned":
            return max_len * d_model
        if scheme == "shaw":
            return n_layers * 2 * (2 * max_distance + 1) * (d_model // n_heads)
        if scheme == "t5":
            return num_buckets * n_heads
        return 0

    def by_shapes(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
        """List the shapes of all trained arrays and add up their sizes, as for any model.
        A scheme that trains nothing has an empty list, and an empty sum is 0."""
        table = (2 * max_distance + 1, d_model // n_heads)
        shapes = {"learned": [(max_len, d_model)], "shaw": [table, table] * n_layers, "t5": [(num_buckets, n_heads)]}
        return sum(math.prod(shape) for shape in shapes.get(scheme, []))


class is_relative:
    def by_the_mask_first(scores, atol=1e-9):
        """Follow the rule as written, for one diagonal after the other: all -inf, or largest minus smallest at most
        `atol`. It stops at the first diagonal that fails. -inf minus -inf makes NumPy warn."""
        n = scores.shape[-1]
        for offset in range(1 - n, n):
            diagonal = np.diagonal(scores, offset, -2, -1)                          # (..., n - |offset|)
            masked = np.isneginf(diagonal).all(axis=-1)                             # (...)
            if not (masked | (diagonal.max(axis=-1) - diagonal.min(axis=-1) <= atol)).all():
                return False
        return True

    def row_by_row(scores, atol=1e-9):
        """Let each row update, in place, the largest and the smallest of the diagonals that it crosses. It reads rows
        in the order of memory. The benchmark page in tests/benchmarks shows its time for 32 heads of 2048."""
        *leading, n = scores.shape[:-1]
        smallest = np.full((*leading, 2 * n - 1), np.inf)                           # one per diagonal
        largest = -smallest
        for i in range(n):
            crossed = np.s_[..., n - 1 - i : 2 * n - 1 - i]                         # from left to right
            np.minimum(smallest[crossed], scores[..., i, :], out=smallest[crossed])
            np.maximum(largest[crossed], scores[..., i, :], out=largest[crossed])
        return bool((largest <= smallest + atol).all())

    def by_loops(scores, atol=1e-9):
        """Follow the definition, one entry after the other. Two entries that are both -inf are equal, so it compares
        before it subtracts. Use it to check other versions."""
        n = scores.shape[-1]
        for matrix in scores.reshape(-1, n, n):
            largest, smallest = {}, {}
            for i in range(n):
                for j in range(n):
                    score = float(matrix[i, j])
                    largest[j - i] = max(score, largest.get(j - i, score))
                    smallest[j - i] = min(score, smallest.get(j - i, score))
            for apart in largest:
                if largest[apart] != smallest[apart] and largest[apart] - smallest[apart] > atol:
                    return False
        return True

    def by_rows_that_slip(scores, atol=1e-9):
        """Pad every row to 2n - 1 entries and read the numbers as rows that are one longer. Row i then moves i places
        to the left, and every diagonal becomes a column. This is skewing (kata 43), without a loop."""
        *leading, n = scores.shape[:-1]
        rows = np.full((*leading, n, 2 * n - 1), np.nan)
        rows[..., :n] = scores
        end = np.full((*leading, n), np.nan)
        flat = np.concatenate([rows.reshape(*leading, n * (2 * n - 1)), end], axis=-1)
        columns = flat.reshape(*leading, n, 2 * n)          # negative distances are at the right, a row higher
        empty = np.isnan(columns)
        largest = np.where(empty, -np.inf, columns).max(axis=-2)
        smallest = np.where(empty, np.inf, columns).min(axis=-2)
        return bool((largest <= smallest + atol).all())


class mean_attention_distance:
    def by_tensordot(weights):
        """Make one product of the weights and the distances over both axes, without an array of products."""
        n = weights.shape[-1]
        distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))            # (n, n)
        return np.tensordot(weights, distance.astype(np.result_type(weights, 1.0)), axes=2) / n

    def by_loops(weights):
        """Take one query and one key after the other, with a sum that rounds once at the end. Use it to check another
        version."""
        *leading, n, _ = weights.shape
        means = np.empty(leading)
        for index in np.ndindex(*leading):
            parts = [float(weights[(*index, i, j)]) * abs(i - j) for i in range(n) for j in range(n)]
            means[index] = math.fsum(parts) / n
        return means
