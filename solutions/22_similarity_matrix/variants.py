"""Other right answers to 22_similarity_matrix, and when you would want them."""
import functools
import math

import numpy as np


def _directions(encoding):
    return encoding / np.sqrt(np.einsum("nd,nd->n", encoding, encoding))[:, None]       # (n, d) rows of length 1


class dot_similarity:
    def by_loops(encoding):
        """Loop over both rows and sum over the columns. This is the definition, term by term. Use it to check other
        versions."""
        n, width = encoding.shape
        result = np.zeros((n, n))
        for i in range(n):
            for j in range(n):
                result[i, j] = sum(float(encoding[i, c]) * float(encoding[j, c]) for c in range(width))
        return result

    def by_einsum(encoding):
        """The letters say which axis einsum sums over, so you need no transpose.
        This is easy to read if a table has more than two axes."""
        return np.einsum("id,jd->ij", encoding, encoding)

    def by_inner(encoding):
        """np.inner sums over the last axis of both tables, so it multiplies rows with rows.
        You cannot forget the transpose."""
        return np.inner(encoding, encoding)

    def by_columns(encoding):
        """Add one outer product per column, which shows what each column contributes.
        In a sinusoidal table, each pair of columns adds one cosine wave over the offset."""
        return sum(np.outer(column, column) for column in encoding.T)


class cosine_similarity:
    def by_directions(encoding):
        """Scale the rows to length 1 first. Then their dot products are the cosines. You divide n * d numbers instead
        of n * n, which are fewer if a table has more rows than columns."""
        directions = encoding / np.linalg.norm(encoding, axis=1, keepdims=True)         # (n, d)
        return directions @ directions.T

    def by_the_diagonal(encoding):
        """The diagonal of the dot products contains the squared lengths. Divide the rows of the matrix by the lengths,
        then its columns. Use it if you have only the dot products and not the table."""
        gram = encoding @ encoding.T                            # (n, n)
        lengths = np.sqrt(np.diag(gram))                        # (n,)
        return gram / lengths[:, None] / lengths

    def by_loops(encoding):
        """Loop over the rows. math.hypot returns a length without squares that overflow, so this works for rows of
        extreme lengths."""
        unit = [[float(x) / math.hypot(*map(float, row)) for x in row] for row in encoding]
        return np.array([[math.fsum(x * y for x, y in zip(a, b, strict=True)) for b in unit] for a in unit])


class nearest_positions:
    def by_one_row(encoding, position, k):
        """Compare all rows only with this row: n * d multiplications instead of n * n * d for the whole matrix.
        Cosines count as equal until the sorted list falls by more than 1e-9."""
        directions = encoding / np.linalg.norm(encoding, axis=1, keepdims=True)         # (n, d)
        similarity = directions @ directions[position]          # (n,)
        others = np.delete(np.arange(len(encoding)), position)  # (n - 1,)
        ranked = others[np.argsort(-similarity[others])]        # (n - 1,) nearest first, ties in any order
        falls = -np.diff(similarity[ranked])                    # (n - 2,)
        level = np.append(0, np.cumsum(falls > 1e-9))           # (n - 1,) the same number throughout a tie
        return ranked[np.lexsort((ranked, level))][:k]          # by level, within a level by position

    def by_taking_the_best(encoding, position, k):
        """Take one position k times: the lowest one whose cosine is within 1e-9 of the largest remaining cosine. This
        follows the rule word for word and sorts nothing."""
        unit = _directions(encoding)
        similarity = unit @ unit[position]                      # (n,)
        similarity[position] = -np.inf
        nearest = np.empty(k, dtype=np.intp)
        for i in range(k):
            nearest[i] = np.argmax(similarity >= similarity.max() - 1e-9)
            similarity[nearest[i]] = -np.inf
        return nearest

    def by_comparison(encoding, position, k):
        """Sort with a function that compares two positions, so that one function contains the whole rule.
        Python's sort calls it about n log n times."""
        unit = _directions(encoding)
        similarity = (unit @ unit[position]).tolist()

        def order(i, j):
            gap = similarity[j] - similarity[i]
            return i - j if abs(gap) <= 1e-9 else gap

        others = (i for i in range(len(unit)) if i != position)
        return np.array(sorted(others, key=functools.cmp_to_key(order))[:k])

    def by_sorting_pairs(encoding, position, k):
        """Python sorts pairs by the first number and then by the second. Pair each negated, rounded cosine with its
        position: the most similar comes first, and of equal ones the lower position."""
        unit = _directions(encoding)
        similarity = (unit @ unit[position]).round(9).tolist()
        pairs = sorted((-s, other) for other, s in enumerate(similarity) if other != position)
        return np.array([other for _, other in pairs[:k]])
