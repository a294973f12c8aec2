"""Wrong answers to 22_similarity_matrix; each docstring is what the learner is told."""
import numpy as np


def _gram(encoding):
    return encoding @ encoding.T                                # (n, n)


def _lengths(encoding):
    return np.sqrt((encoding**2).sum(axis=1, keepdims=True))    # (n, 1)


def _cosines(encoding):
    return _gram(encoding / _lengths(encoding))                 # (n, n)


def _others(encoding, position):
    return np.delete(np.arange(len(encoding)), position)        # (n - 1,)


def _ranked(similarity, candidates, tie=1e-9):
    """The candidates by falling similarity, tied ones by position."""
    order = candidates[np.argsort(-similarity[candidates], kind="stable")]
    level = np.append(0, np.cumsum(-np.diff(similarity[order]) > tie))[: len(order)]
    return order[np.lexsort((order, level))]


class dot_similarity:
    def columns_compared(encoding):
        """The columns are compared with each other, not the rows: a row is a position, so it is `encoding @
        encoding.T`."""
        return encoding.T @ encoding

    def divided_by_width(encoding):
        """The dot products are divided by the width d: that is neither a dot product nor a cosine."""
        return _gram(encoding) / encoding.shape[1]

    def divided_by_root_of_width(encoding):
        """The dot products are divided by sqrt(d), as attention does with its scores; here they stay as they
        are."""
        return _gram(encoding) / np.sqrt(encoding.shape[1])

    def cosines_for_dot_products(encoding):
        """These are cosines: the rows were brought to length 1 first. A dot product keeps their lengths."""
        lengths = _lengths(encoding)
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def distances_for_dot_products(encoding):
        """These are distances between the rows: 0 on the diagonal. Multiply the rows and sum, do not subtract
        them."""
        return np.sqrt(((encoding[:, None] - encoding) ** 2).sum(axis=-1))       # (n, n)

    def entry_by_entry(encoding):
        """The table is multiplied with itself entry by entry; a dot product sums over the columns of two
        rows."""
        return encoding**2

    def mean_taken_off(encoding):
        """The mean row was taken off first: that is a covariance. Compare the rows as they are."""
        return _gram(encoding - encoding.mean(axis=0))

    def one_triangle_only(encoding):
        """One half of the matrix is missing: i is as much like j as j is like i, so fill in both entries."""
        return np.triu(_gram(encoding))

    def diagonal_left_out(encoding):
        """The diagonal is 0: a row's dot product with itself is the square of its length."""
        gram = _gram(encoding)
        return gram - np.diag(np.diag(gram))

    def softmax_of_rows(encoding):
        """A softmax was taken of the rows, as in attention; here the dot products themselves are wanted."""
        gram = _gram(encoding)
        weights = np.exp(gram - gram.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)


class cosine_similarity:
    def dot_products_for_cosines(encoding):
        """These are dot products: divide each by the lengths of both rows, so that the diagonal is 1."""
        return _gram(encoding)

    def cosine_over_width(encoding):
        """The dot products are divided by the width d; divide by the lengths of both rows."""
        return _gram(encoding) / encoding.shape[1]

    def divided_by_half_the_width(encoding):
        """The dot products are divided by d/2: only rows of sines and cosines have that squared length.
        Divide by the lengths of the rows that came."""
        return _gram(encoding) / (encoding.shape[1] / 2)

    def lengths_of_columns(encoding):
        """The lengths were taken along the wrong axis: `axis=1` gives one per row."""
        lengths = np.sqrt((encoding**2).sum(axis=0))
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def lengths_along_columns(encoding):
        """The lengths have lost an axis: without `keepdims=True` they are laid along the columns, not the
        rows."""
        return _gram(encoding / _lengths(encoding)[:, 0])

    def one_length_for_all(encoding):
        """All rows were divided by one number, the norm of the whole table; every row has a length of its
        own."""
        return _gram(encoding / np.linalg.norm(encoding))

    def one_of_two_lengths(encoding):
        """Only one of the two lengths was divided by: entry [i, j] needs those of row i and of row j."""
        return _gram(encoding) / _lengths(encoding)

    def lengths_added(encoding):
        """The two lengths were added up; divide by their product: `np.outer(lengths, lengths)`."""
        lengths = _lengths(encoding)
        return _gram(encoding) / (lengths + lengths.T)

    def root_forgotten(encoding):
        """The rows were divided by their squared lengths: the square root is missing."""
        return _gram(encoding / _lengths(encoding) ** 2)

    def sums_for_lengths(encoding):
        """The rows were divided by the sum of their absolute values; the length is the root of the sum of
        squares."""
        return _gram(encoding / np.abs(encoding).sum(axis=1, keepdims=True))

    def largest_for_lengths(encoding):
        """The rows were divided by their largest entry; the length is the root of the sum of squares."""
        return _gram(encoding / np.abs(encoding).max(axis=1, keepdims=True))

    def correlations(encoding):
        """Each row's mean was taken off first: that is a correlation. Cosine compares the rows as they
        are."""
        centred = encoding - encoding.mean(axis=1, keepdims=True)
        lengths = _lengths(centred)
        return _gram(centred / np.where(lengths == 0, 1, lengths))

    def sign_lost(encoding):
        """The sign is gone: rows that point in opposite directions have the cosine -1, not 1."""
        return np.abs(_cosines(encoding))

    def angles_for_cosines(encoding):
        """These are the angles, in radians; the cosine itself is wanted."""
        return np.arccos(np.clip(_cosines(encoding), -1, 1))

    def small_number_added(encoding):
        """A small number was added to the lengths against division by 0. It makes the cosines of short rows too
        small. No row is all zeros here, so nothing needs to be added."""
        return _gram(encoding / (_lengths(encoding) + 1e-8))

    def changed_in_place(encoding):
        """The table that came in was changed: `/=` writes into the caller's array. Divide into a new one."""
        encoding /= _lengths(encoding)
        return _gram(encoding)


class nearest_positions:
    def itself_included(encoding, position, k):
        """The position itself is in the list, first of all: it is not one of its own neighbours."""
        return _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[:k]

    def first_of_all_dropped(encoding, position, k):
        """The first of the ranking was dropped as if it had to be the position itself; a copy of the row can
        stand before it. Leave out the position by its number."""
        return _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[1 : k + 1]

    def itself_set_to_zero(encoding, position, k):
        """The position's similarity to itself was set to 0, which is more than -0.5: where the others point
        away, the position comes back as its own neighbour. Take -inf, or leave it out."""
        similarity = _cosines(encoding)[position]
        similarity[position] = 0
        return _ranked(similarity, np.arange(len(encoding)))[:k]

    def itself_set_to_minus_one(encoding, position, k):
        """The position's similarity to itself was set to -1, which a row in the opposite direction has as
        well: take -inf, or leave the position out."""
        similarity = _cosines(encoding)[position]
        similarity[position] = -1
        return _ranked(similarity, np.arange(len(encoding)))[:k]

    def places_in_the_shortened_list(encoding, position, k):
        """Without the position itself the list is one shorter, and what comes after it has moved up: turn the
        places in the shortened list back into positions."""
        similarity = np.delete(_cosines(encoding)[position], position)
        return _ranked(similarity, np.arange(len(similarity)))[:k]

    def one_too_few(encoding, position, k):
        """The list was cut to k before the position itself was left out, so one is missing: leave it out
        first, then cut."""
        ranked = _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[:k]
        return ranked[ranked != position]

    def farthest_first(encoding, position, k):
        """The ranking begins with the least alike: sort by falling similarity."""
        return _ranked(-_cosines(encoding)[position], _others(encoding, position))[:k]

    def ranked_by_dot_product(encoding, position, k):
        """The ranking is by dot product, which long rows win; rank by cosine."""
        return _ranked(_gram(encoding)[position], _others(encoding, position))[:k]

    def ranked_by_distance(encoding, position, k):
        """The ranking is by the distance between rows, which depends on their lengths; rank by cosine."""
        return _ranked(-_lengths(encoding - encoding[position])[:, 0], _others(encoding, position))[:k]

    def ranked_without_sign(encoding, position, k):
        """The sign of the cosine is gone: a row in the opposite direction is the least alike, not the
        most."""
        return _ranked(np.abs(_cosines(encoding)[position]), _others(encoding, position))[:k]

    def ranked_by_offset(encoding, position, k):
        """The ranking is by how far apart the positions are; rank by how alike their rows are."""
        offsets = np.abs(np.arange(len(encoding)) - position)
        return _ranked(-offsets.astype(np.float64), _others(encoding, position))[:k]

    def ranks_for_positions(encoding, position, k):
        """These are ranks: the place of every position in the ranking. The positions themselves are wanted, in
        the order of their ranks, so sort once and not twice."""
        others = _others(encoding, position)
        return np.argsort(_ranked(_cosines(encoding)[position], others))[:k]

    def in_rising_order(encoding, position, k):
        """The right positions, but sorted by number: the nearest comes first."""
        return np.sort(_ranked(_cosines(encoding)[position], _others(encoding, position))[:k])

    def all_of_them(encoding, position, k):
        """All other positions came back: only the first k are wanted."""
        return _ranked(_cosines(encoding)[position], _others(encoding, position))

    def similarities_returned(encoding, position, k):
        """The similarities came back; the positions that have them are wanted."""
        similarity = _cosines(encoding)[position]
        return similarity[_ranked(similarity, _others(encoding, position))[:k]]

    def rounding_breaks_ties(encoding, position, k):
        """Similarities that are equal but for rounding were told apart. Round them, to nine digits for example;
        of equal ones the lower position comes first."""
        return _ranked(_cosines(encoding)[position], _others(encoding, position), tie=0.0)[:k]

    def unstable_sort(encoding, position, k):
        """Equal similarities come in any order: np.argsort keeps the lower index first only with
        `kind="stable"`. In short tables you may not notice."""
        ranked = np.argsort(-np.round(_cosines(encoding)[position], 9))
        return ranked[ranked != position][:k]

    def higher_index_first(encoding, position, k):
        """Tied positions come highest first: turning round a rising sort does that. The lower comes first."""
        backwards = len(encoding) - 1 - _others(encoding, position)
        return len(encoding) - 1 - _ranked(_cosines(encoding)[position][::-1], backwards)[:k]

    def closer_position_first(encoding, position, k):
        """Tied positions come in order of their distance from the position; the lower number comes first."""
        similarity = _cosines(encoding)[position]
        ranked = _ranked(similarity, _others(encoding, position))
        level = np.append(0, np.cumsum(-np.diff(similarity[ranked]) > 1e-9))
        return ranked[np.lexsort((ranked, np.abs(ranked - position), level))][:k]

    def tie_too_wide(encoding, position, k):
        """Similarities some millionths apart were called equal, as np.isclose does by default: it allows 1e-5 of
        the value. Rounding is much smaller; nine digits tell them apart."""
        return _ranked(_cosines(encoding)[position], _others(encoding, position), tie=1e-5)[:k]

    def tie_relative(encoding, position, k):
        """The tie was measured relative to the similarities, so near 0 nothing is a tie. Rounding errors do not
        shrink with the sum: use an absolute tolerance, or round."""
        similarity = _cosines(encoding)[position]
        others = _others(encoding, position)
        ranked = others[np.argsort(-similarity[others], kind="stable")]
        falls = -np.diff(similarity[ranked]) > 1e-9 * np.abs(similarity[ranked[1:]])
        return ranked[np.lexsort((ranked, np.append(0, np.cumsum(falls))))][:k]

    def ties_after_the_cut(encoding, position, k):
        """The ranking was cut to k first and the ties were settled after that: a lower index can be cut off
        so. Settle the ties of the whole ranking, then cut."""
        similarity = _cosines(encoding)[position]
        others = _others(encoding, position)
        return _ranked(similarity, others[np.argsort(-similarity[others], kind="stable")[:k]])

    def ties_of_the_best_only(encoding, position, k):
        """Only the positions tied with the best were put in order; ties occur farther down as well."""
        similarity = _cosines(encoding)[position].copy()
        others = _others(encoding, position)
        best = similarity[others].max()
        similarity[similarity >= best - 1e-9] = best
        return _ranked(similarity, others, tie=0.0)[:k]
