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
        """You compare columns with each other. Compare rows, because each row belongs to a position. Use
        `encoding @ encoding.T`."""
        return encoding.T @ encoding

    def divided_by_width(encoding):
        """You divide the dot products by the width d. Return them undivided."""
        return _gram(encoding) / encoding.shape[1]

    def divided_by_root_of_width(encoding):
        """You divide the dot products by sqrt(d), as attention does with its scores. Return them undivided."""
        return _gram(encoding) / np.sqrt(encoding.shape[1])

    def cosines_for_dot_products(encoding):
        """You return cosines, because you divide by the lengths of the rows. Return the dot products undivided."""
        lengths = _lengths(encoding)
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def distances_for_dot_products(encoding):
        """You return distances between the rows, so the diagonal is 0. Do not subtract the rows: multiply them entry by
        entry and sum."""
        return np.sqrt(((encoding[:, None] - encoding) ** 2).sum(axis=-1))       # (n, n)

    def entry_by_entry(encoding):
        """You square each entry of the table. For every two rows, multiply their entries and sum over the columns:
        `encoding @ encoding.T`."""
        return encoding**2

    def mean_taken_off(encoding):
        """You subtract the mean row from all rows first. Use the rows unchanged."""
        return _gram(encoding - encoding.mean(axis=0))

    def one_triangle_only(encoding):
        """You leave one half of the matrix empty. Entries [i, j] and [j, i] are equal, so fill in both."""
        return np.triu(_gram(encoding))

    def diagonal_left_out(encoding):
        """You set the diagonal to 0. It must contain each row's dot product with itself, the square of its length."""
        gram = _gram(encoding)
        return gram - np.diag(np.diag(gram))

    def softmax_of_rows(encoding):
        """You take a softmax of the rows, as attention does. Return the dot products themselves."""
        gram = _gram(encoding)
        weights = np.exp(gram - gram.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)


class cosine_similarity:
    def dot_products_for_cosines(encoding):
        """You return dot products. Divide each one by the lengths of both rows, so that the diagonal is 1."""
        return _gram(encoding)

    def cosine_over_width(encoding):
        """You divide the dot products by the width d. Divide by the lengths of both rows."""
        return _gram(encoding) / encoding.shape[1]

    def divided_by_half_the_width(encoding):
        """You divide the dot products by d/2, which is the squared length of a sinusoidal row of even width. Other rows
        can have other lengths. Divide by the lengths of the given rows."""
        return _gram(encoding) / (encoding.shape[1] / 2)

    def lengths_of_columns(encoding):
        """You take the lengths of columns. Use `axis=1`, which returns one length per row."""
        lengths = np.sqrt((encoding**2).sum(axis=0))
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def lengths_of_columns_divided_by(encoding):
        """You take the lengths of columns, and a column of zeros makes NaN. Use `axis=1`, which returns one length per
        row."""
        return _gram(encoding / np.sqrt((encoding**2).sum(axis=0)))

    def lengths_along_columns(encoding):
        """You drop the axis of the lengths, so NumPy divides columns by them instead of rows. For the lengths, use
        `keepdims=True`."""
        return _gram(encoding / _lengths(encoding)[:, 0])

    def one_length_for_all(encoding):
        """You divide all rows by the norm of the whole table. Divide each row by its own length."""
        return _gram(encoding / np.linalg.norm(encoding))

    def one_of_two_lengths(encoding):
        """You divide by only one of the two lengths. Divide entry [i, j] by the lengths of row i and row j."""
        return _gram(encoding) / _lengths(encoding)

    def one_length_twice(encoding):
        """You divide by the squared length of one row. Divide entry [i, j] by the lengths of row i and row j."""
        return _gram(encoding) / _lengths(encoding).T ** 2

    def lengths_added(encoding):
        """You divide by the sum of the two lengths. Divide by their product: `np.outer(lengths, lengths)`."""
        lengths = _lengths(encoding)
        return _gram(encoding) / (lengths + lengths.T)

    def root_forgotten(encoding):
        """You divide the rows by their squared lengths. Take the square root first."""
        return _gram(encoding / _lengths(encoding) ** 2)

    def sums_for_lengths(encoding):
        """You divide the rows by the sum of their absolute values. The length is the root of the sum of squares."""
        return _gram(encoding / np.abs(encoding).sum(axis=1, keepdims=True))

    def largest_for_lengths(encoding):
        """You divide the rows by their largest entry. The length is the root of the sum of squares."""
        return _gram(encoding / np.abs(encoding).max(axis=1, keepdims=True))

    def correlations(encoding):
        """You subtract each row's mean first, so you return correlations. Use the rows unchanged."""
        centred = encoding - encoding.mean(axis=1, keepdims=True)
        lengths = _lengths(centred)
        return _gram(centred / np.where(lengths == 0, 1, lengths))

    def sign_lost(encoding):
        """You lose the sign. Rows that point in opposite directions have the cosine -1, not 1."""
        return np.abs(_cosines(encoding))

    def angles_for_cosines(encoding):
        """You return the angles, in radians. Return their cosines."""
        return np.arccos(np.clip(_cosines(encoding), -1, 1))

    def small_number_added(encoding):
        """You add a small number to the lengths, or replace small lengths, to avoid a division by 0. It brings the
        cosines of short rows too close to 0. No row is all zeros, so leave it out."""
        return _gram(encoding / (_lengths(encoding) + 1e-8))

    def changed_in_place(encoding):
        """You change the caller's table, for example with `/=`, which writes into the array. Make a new array."""
        encoding /= _lengths(encoding)
        return _gram(encoding)


class nearest_positions:
    def itself_included(encoding, position, k):
        """You include the position itself. Return only other positions."""
        return _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[:k]

    def first_of_all_dropped(encoding, position, k):
        """You drop the first position of the ranking, but this is not always the position itself: a copy of its row can
        come first. Remove the position by its number."""
        return _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[1 : k + 1]

    def itself_set_to_zero(encoding, position, k):
        """You set the cosine of the position with itself to 0. If the other cosines are negative, the position comes
        first. Use -inf, or remove the position by its number."""
        similarity = _cosines(encoding)[position]
        similarity[position] = 0
        return _ranked(similarity, np.arange(len(encoding)))[:k]

    def itself_set_to_minus_one(encoding, position, k):
        """You set the cosine of the position with itself to -1, but a row in the opposite direction also has -1. Use
        -inf, or remove the position by its number."""
        similarity = _cosines(encoding)[position]
        similarity[position] = -1
        return _ranked(similarity, np.arange(len(encoding)))[:k]

    def places_in_the_shortened_list(encoding, position, k):
        """You return indices of a list without the position itself, where all later rows move up by one. Turn these
        indices back into positions."""
        similarity = np.delete(_cosines(encoding)[position], position)
        return _ranked(similarity, np.arange(len(similarity)))[:k]

    def one_too_few(encoding, position, k):
        """You return one position too few, because you cut the list to k before you remove the position itself. Remove
        it first, then cut."""
        ranked = _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[:k]
        return ranked[ranked != position]

    def farthest_first(encoding, position, k):
        """You begin with the least similar position. Sort from the largest cosine down."""
        return _ranked(-_cosines(encoding)[position], _others(encoding, position))[:k]

    def ranked_by_dot_product(encoding, position, k):
        """You rank by dot product, which favours long rows. Rank by cosine."""
        return _ranked(_gram(encoding)[position], _others(encoding, position))[:k]

    def ranked_by_distance(encoding, position, k):
        """You rank by the distance between rows, which depends on their lengths. Rank by cosine."""
        return _ranked(-_lengths(encoding - encoding[position])[:, 0], _others(encoding, position))[:k]

    def ranked_without_sign(encoding, position, k):
        """You rank by the absolute value of the cosine. A row in the opposite direction is the least similar, not the
        most similar."""
        return _ranked(np.abs(_cosines(encoding)[position]), _others(encoding, position))[:k]

    def ranked_by_offset(encoding, position, k):
        """You rank by how far apart the positions are. Rank by the cosines of their rows."""
        offsets = np.abs(np.arange(len(encoding)) - position)
        return _ranked(-offsets.astype(np.float64), _others(encoding, position))[:k]

    def ranks_for_positions(encoding, position, k):
        """You return the rank of each position. Return the positions themselves, in the order of their ranks: call
        np.argsort once and not twice."""
        others = _others(encoding, position)
        return np.argsort(_ranked(_cosines(encoding)[position], others))[:k]

    def in_rising_order(encoding, position, k):
        """You return the right positions, but sorted by number. Put the most similar one first."""
        return np.sort(_ranked(_cosines(encoding)[position], _others(encoding, position))[:k])

    def all_of_them(encoding, position, k):
        """You return all other positions. Return only the first k."""
        return _ranked(_cosines(encoding)[position], _others(encoding, position))

    def similarities_returned(encoding, position, k):
        """You return the similarities. Return the positions that have them."""
        similarity = _cosines(encoding)[position]
        return similarity[_ranked(similarity, _others(encoding, position))[:k]]

    def rounding_breaks_ties(encoding, position, k):
        """You treat cosines that differ only by rounding as different. Round them first, for example to nine digits. Of
        positions with equal cosines, put the lower one first."""
        return _ranked(_cosines(encoding)[position], _others(encoding, position), tie=0.0)[:k]

    def unstable_sort(encoding, position, k):
        """You leave positions with equal cosines in an arbitrary order. np.argsort keeps the lower one first only with
        `kind="stable"`. In short tables you may not notice."""
        ranked = np.argsort(-np.round(_cosines(encoding)[position], 9))
        return ranked[ranked != position][:k]

    def higher_index_first(encoding, position, k):
        """Of positions with equal cosines, you put the higher one first. Put the lower one first. If you reverse a
        sorted result, sort the negated cosines with kind="stable" instead."""
        backwards = len(encoding) - 1 - _others(encoding, position)
        return len(encoding) - 1 - _ranked(_cosines(encoding)[position][::-1], backwards)[:k]

    def closer_position_first(encoding, position, k):
        """You sort positions with equal cosines by their distance from the position. Put the lower number first."""
        similarity = _cosines(encoding)[position]
        ranked = _ranked(similarity, _others(encoding, position))
        level = np.append(0, np.cumsum(-np.diff(similarity[ranked]) > 1e-9))
        return ranked[np.lexsort((ranked, np.abs(ranked - position), level))][:k]

    def tie_too_wide(encoding, position, k):
        """You treat cosines that are a few millionths apart as equal, as np.isclose does by default. Rounding errors
        are much smaller: round to nine digits."""
        return _ranked(_cosines(encoding)[position], _others(encoding, position), tie=1e-5)[:k]

    def tie_relative(encoding, position, k):
        """Your tolerance is relative to the cosines, so near 0 no two cosines are equal. Rounding errors do not shrink
        with a cosine: use an absolute tolerance, or round."""
        similarity = _cosines(encoding)[position]
        others = _others(encoding, position)
        ranked = others[np.argsort(-similarity[others], kind="stable")]
        falls = -np.diff(similarity[ranked]) > 1e-9 * np.abs(similarity[ranked[1:]])
        return ranked[np.lexsort((ranked, np.append(0, np.cumsum(falls))))][:k]

    def ties_after_the_cut(encoding, position, k):
        """You cut the ranking to k before you sort positions with equal cosines, so you can lose the lower one. Sort
        the whole ranking, then cut."""
        similarity = _cosines(encoding)[position]
        others = _others(encoding, position)
        return _ranked(similarity, others[np.argsort(-similarity[others], kind="stable")[:k]])

    def ties_of_the_best_only(encoding, position, k):
        """You handle only cosines that equal the largest one. Handle equal cosines farther down as well."""
        similarity = _cosines(encoding)[position].copy()
        others = _others(encoding, position)
        best = similarity[others].max()
        similarity[similarity >= best - 1e-9] = best
        return _ranked(similarity, others, tie=0.0)[:k]
