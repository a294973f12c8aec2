"""Other right answers to 22_similarity_matrix, and when one would want them."""
import functools
import math

import numpy as np


def _directions(encoding):
    return encoding / np.sqrt(np.einsum("nd,nd->n", encoding, encoding))[:, None]       # (n, d) rows of length 1


class dot_similarity:
    def by_loops(encoding):
        """Two loops over rows and a sum over columns: the definition, letter by letter.
        Some hundred times slower than a matrix product."""
        n, width = encoding.shape
        result = np.zeros((n, n))
        for i in range(n):
            for j in range(n):
                result[i, j] = sum(float(encoding[i, c]) * float(encoding[j, c]) for c in range(width))
        return result

    def by_einsum(encoding):
        """The letters say which axis is summed, so nothing needs to be transposed.
        It reads well where tables have more axes than two."""
        return np.einsum("id,jd->ij", encoding, encoding)

    def by_inner(encoding):
        """np.inner sums over the last axes of both: rows with rows, no transpose to forget.
        Its result for two tables is the same product of matrices."""
        return np.inner(encoding, encoding)

    def by_columns(encoding):
        """Every column adds one outer product: it shows what each pair of columns contributes.
        For sinusoids each pair adds one cosine of the offset."""
        return sum(np.outer(column, column) for column in encoding.T)

    def by_half_the_matrix(encoding):
        """The matrix is symmetric, so half of the products do: compute one triangle and mirror it.
        Worth it where a product is dear; the result here is read-only and Fortran-ordered."""
        n = len(encoding)
        result = np.zeros((n, n), order="F")
        for i in range(n):
            result[i, i:] = encoding[i:] @ encoding[i]
            result[i:, i] = result[i, i:]
        result.flags.writeable = False
        return result


class cosine_similarity:
    def by_directions(encoding):
        """Bring the rows to length 1 first: their dot products are the cosines. It divides n * d numbers in
        place of n * n, and is the fastest here when a table has more rows than columns."""
        directions = encoding / np.linalg.norm(encoding, axis=1, keepdims=True)         # (n, d)
        return directions @ directions.T

    def by_the_diagonal(encoding):
        """The diagonal of the dot products holds the squared lengths, so the table is read only once.
        Divides the rows of the matrix, then its columns."""
        gram = encoding @ encoding.T                            # (n, n)
        lengths = np.sqrt(np.diag(gram))                        # (n,)
        return gram / lengths[:, None] / lengths

    def by_loops(encoding):
        """math.hypot gives the length without squaring what may overflow.
        Slow, and the one to trust on rows of extreme lengths."""
        unit = [[float(x) / math.hypot(*map(float, row)) for x in row] for row in encoding]
        return np.array([[math.fsum(x * y for x, y in zip(a, b, strict=True)) for b in unit] for a in unit])

    def by_chords(encoding):
        """Rows of length 1 lie on a sphere, and the chord between two tells their cosine: 1 - chord**2 / 2.
        It shows that ranking by cosine is ranking by distance once the lengths are gone."""
        unit = _directions(encoding)
        chords = unit[:, None, :] - unit                        # (n, n, d)
        return 1 - (chords**2).sum(axis=-1) / 2

    def by_diagonal_matrices(encoding):
        """In matrices: D P P.T D with the inverse lengths on the diagonal of D.
        Good on paper; as code it multiplies many zeros."""
        inverse = np.diag(1 / np.linalg.norm(encoding, axis=1))
        return inverse @ encoding @ encoding.T @ inverse

    def by_largest_entry_first(encoding):
        """Divide by the largest entry before squaring, so that no square overflows or vanishes.
        One pass more, and rows of length 1e-200 keep their direction."""
        scaled = encoding / np.abs(encoding).max(axis=1, keepdims=True)
        unit = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
        return unit.dot(unit.T)


class nearest_positions:
    def by_one_row(encoding, position, k):
        """The other rows against this one: n * d multiplications, where the whole matrix takes n * n * d.
        A tie ends where the sorted similarities fall by more than 1e-9."""
        directions = encoding / np.linalg.norm(encoding, axis=1, keepdims=True)         # (n, d)
        similarity = directions @ directions[position]          # (n,)
        others = np.delete(np.arange(len(encoding)), position)  # (n - 1,)
        ranked = others[np.argsort(-similarity[others])]        # (n - 1,) nearest first, ties in any order
        falls = -np.diff(similarity[ranked])                    # (n - 2,)
        level = np.append(0, np.cumsum(falls > 1e-9))           # (n - 1,) the same number throughout a tie
        return ranked[np.lexsort((ranked, level))][:k]          # by level, within a level by position

    def by_taking_the_best(encoding, position, k):
        """Take the best k times: the lowest position within 1e-9 of the best that is left.
        It is the rule as one would say it, and quick when k is small."""
        unit = _directions(encoding)
        similarity = unit @ unit[position]                      # (n,)
        similarity[position] = -np.inf
        nearest = np.empty(k, dtype=np.intp)
        for i in range(k):
            nearest[i] = np.argmax(similarity >= similarity.max() - 1e-9)
            similarity[nearest[i]] = -np.inf
        return nearest

    def by_comparison(encoding, position, k):
        """Sort with a function that compares two positions: the rule for ties stands in one place.
        Python's sort calls it about n log n times."""
        unit = _directions(encoding)
        similarity = (unit @ unit[position]).tolist()

        def order(i, j):
            gap = similarity[j] - similarity[i]
            return i - j if abs(gap) <= 1e-9 else gap

        others = (i for i in range(len(unit)) if i != position)
        return np.array(sorted(others, key=functools.cmp_to_key(order))[:k])

    def by_counting(encoding, position, k):
        """A position's place is the number of those that come before it: more alike, or tied and lower.
        No sort of the similarities at all, for n * n comparisons."""
        unit = _directions(encoding)
        others = np.delete(np.arange(len(unit)), position)      # (n - 1,)
        similarity = unit[others] @ unit[position]              # (n - 1,)
        gaps = similarity[:, None] - similarity                 # (n - 1, n - 1)
        lower = others[:, None] < others
        before = (gaps > 1e-9) | (abs(gaps) <= 1e-9) & lower    # [i, j]: i comes before j
        return others[np.argsort(before.sum(axis=0), kind="stable")[:k]]

    def by_insertion(encoding, position, k):
        """Walk through the positions once and insert each behind all that are as much alike or more.
        Rising positions settle the ties; the similarities can arrive one at a time."""
        unit = _directions(encoding)
        ranked = []
        for other in range(len(unit)):
            if other == position:
                continue
            similarity = float(unit[other] @ unit[position])
            place = len(ranked)
            while place and ranked[place - 1][0] < similarity - 1e-9:
                place -= 1
            ranked.insert(place, (similarity, other))
        return np.array([other for _, other in ranked[:k]])

    def by_groups(encoding, position, k):
        """Cut the sorted similarities where they fall by more than 1e-9 and sort each piece by position.
        np.split gives the pieces, and with them what is tied with what."""
        unit = _directions(encoding)
        similarity = unit @ unit[position]                      # (n,)
        ranked = np.argsort(-similarity)
        ranked = ranked[ranked != position]
        cuts = np.flatnonzero(similarity[ranked[:-1]] - similarity[ranked[1:]] > 1e-9) + 1
        return np.concatenate([np.sort(tied) for tied in np.split(ranked, cuts)])[:k]

    def by_sorting_pairs(encoding, position, k):
        """Python sorts (similarity, position) pairs by the first and, where that is equal, by the second.
        The rounded similarity is negated, so the most alike comes first and the lower position still wins."""
        unit = _directions(encoding)
        similarity = (unit @ unit[position]).round(9).tolist()
        pairs = sorted((-s, other) for other, s in enumerate(similarity) if other != position)
        return np.array([other for _, other in pairs[:k]])
