"""Wrong answers to 22_similarity_matrix; each docstring is what the learner is told."""
import numpy as np


def _real(encoding):
    return encoding if encoding.dtype.kind == "f" else encoding.astype(np.float64)


def _gram(encoding):
    encoding = _real(encoding)
    return encoding @ encoding.T                                # (n, n)


def _without_zero_rows(encoding):
    encoding = _real(encoding)
    for row in np.flatnonzero(~encoding.any(axis=1)):
        raise ValueError(f"row {row} of encoding is all zeros and has no direction")
    return encoding


def _lengths(encoding):
    return np.sqrt((encoding**2).sum(axis=1, keepdims=True))    # (n, 1)


def _cosines(encoding):
    encoding = _without_zero_rows(encoding)
    return _gram(encoding / _lengths(encoding))


def _position_checked(encoding, position):
    if not 0 <= position < len(encoding):
        raise ValueError(f"position must be at least 0 and below {len(encoding)}, got {position}")


def _k_checked(encoding, k):
    if not 1 <= k < len(encoding):
        raise ValueError(f"k must be at least 1 and below {len(encoding)}, got {k}")


def _checked(encoding, position, k):
    _position_checked(encoding, position)
    _k_checked(encoding, k)


def _ranked(similarity, candidates, tie=1e-9):
    """The candidates by falling similarity, tied ones by position."""
    order = candidates[np.argsort(-similarity[candidates], kind="stable")]
    level = np.append(0, np.cumsum(-np.diff(similarity[order]) > tie))[: len(order)]
    return order[np.lexsort((order, level))]


def _others(encoding, position):
    return np.delete(np.arange(len(encoding)), position)        # (n - 1,)


class dot_similarity:
    def columns_compared(encoding):
        """The columns are compared with each other, not the rows: a row is a position, so it is `encoding @
        encoding.T`."""
        encoding = _real(encoding)
        return encoding.T @ encoding

    def divided_by_width(encoding):
        """The dot products are divided by the width d: that is neither a dot product nor a cosine."""
        return _gram(encoding) / encoding.shape[1]

    def divided_by_root_of_width(encoding):
        """The dot products are divided by sqrt(d), as attention does with its scores; here they stay as they
        are."""
        return _gram(encoding) / np.sqrt(encoding.shape[1]).astype(_real(encoding).dtype)

    def cosines_for_dot_products(encoding):
        """These are cosines: the rows were brought to length 1 first. A dot product keeps their lengths."""
        encoding = _real(encoding)
        lengths = _lengths(encoding)
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def distances_for_dot_products(encoding):
        """These are distances between the rows: 0 on the diagonal. Multiply the rows and sum, do not subtract
        them."""
        encoding = _real(encoding)
        return np.sqrt(((encoding[:, None] - encoding) ** 2).sum(axis=-1))       # (n, n)

    def entry_by_entry(encoding):
        """The table is multiplied with itself entry by entry; a dot product sums over the columns of two
        rows."""
        return _real(encoding) ** 2

    def mean_taken_off(encoding):
        """The mean row was taken off first: that is a covariance. Compare the rows as they are."""
        encoding = _real(encoding)
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

    def dot_products_widened(encoding):
        """The numbers are right, but a float32 table came back as float64: keep the dtype that came in."""
        return _gram(encoding).astype(np.float64)


class cosine_similarity:
    def dot_products_for_cosines(encoding):
        """These are dot products: divide each by the lengths of both rows, so that the diagonal is 1."""
        return _gram(_without_zero_rows(encoding))

    def cosine_over_width(encoding):
        """The dot products are divided by the width d; divide by the lengths of both rows."""
        return _gram(_without_zero_rows(encoding)) / encoding.shape[1]

    def divided_by_half_the_width(encoding):
        """The dot products are divided by d/2: only rows of sines and cosines have that squared length.
        Divide by the lengths of the rows that came."""
        return _gram(_without_zero_rows(encoding)) / (encoding.shape[1] / 2)

    def lengths_of_columns(encoding):
        """The lengths were taken along the wrong axis: one per row, `axis=1` with `keepdims=True`."""
        encoding = _without_zero_rows(encoding)
        lengths = np.sqrt((encoding**2).sum(axis=0))
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def lengths_along_columns(encoding):
        """The lengths have lost an axis: without `keepdims=True` they are laid along the columns, not the
        rows."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding / _lengths(encoding)[:, 0])

    def one_length_for_all(encoding):
        """All rows were divided by one number, the norm of the whole table; every row has a length of its
        own."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding / np.linalg.norm(encoding))

    def one_of_two_lengths(encoding):
        """Only one of the two lengths was divided by: entry [i, j] needs those of row i and of row j."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding) / _lengths(encoding)

    def root_forgotten(encoding):
        """The rows were divided by their squared lengths: the square root is missing."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding / _lengths(encoding) ** 2)

    def sums_for_lengths(encoding):
        """The rows were divided by the sum of their absolute values; the length is the root of the sum of
        squares."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding / np.abs(encoding).sum(axis=1, keepdims=True))

    def largest_for_lengths(encoding):
        """The rows were divided by their largest entry; the length is the root of the sum of squares."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding / np.abs(encoding).max(axis=1, keepdims=True))

    def correlations(encoding):
        """Each row's mean was taken off first: that is a correlation. Cosine compares the rows as they
        are."""
        encoding = _without_zero_rows(encoding)
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
        """A small number was added to the lengths against division by 0: it shows on short rows. Refuse the
        rows of zeros, then nothing needs to be added."""
        encoding = _without_zero_rows(encoding)
        return _gram(encoding / (_lengths(encoding) + np.array(1e-8, dtype=encoding.dtype)))

    def zero_row_like_nothing(encoding):
        """A row of zeros got similarity 0 to all: it has no direction, so raise a ValueError that names the
        row."""
        encoding = _real(encoding)
        lengths = _lengths(encoding)
        return _gram(encoding / np.where(lengths == 0, 1, lengths))

    def zero_row_divided_by(encoding):
        """A row of zeros was divided by its length, which gives NaN: raise a ValueError that names the
        row."""
        encoding = _real(encoding)
        with np.errstate(invalid="ignore"):
            return _gram(encoding / _lengths(encoding))

    def zero_row_not_named(encoding):
        """The message must say which row is all zeros, by its number."""
        if not _real(encoding).any(axis=1).all():
            raise ValueError("encoding has a row of zeros")
        return _cosines(encoding)

    def zero_row_counted_from_one(encoding):
        """The message names the wrong row: rows count from 0, as positions do."""
        for row in np.flatnonzero(~_real(encoding).any(axis=1)):
            raise ValueError(f"row {row + 1} of encoding is all zeros")
        return _cosines(encoding)

    def balanced_rows_refused(encoding):
        """A row whose entries sum to 0 was taken for a row of zeros: (1, -1) has a direction. Look at the
        entries, not at their sum."""
        for row in np.flatnonzero(_real(encoding).sum(axis=1) == 0):
            raise ValueError(f"row {row} of encoding is all zeros")
        return _cosines(encoding)

    def any_zero_refused(encoding):
        """A single 0 was taken for a row of zeros: only a row whose entries all are 0 has no direction."""
        for row in np.flatnonzero((encoding == 0).any(axis=1)):
            raise ValueError(f"row {row} of encoding is all zeros")
        return _cosines(encoding)

    def short_rows_refused(encoding):
        """A short row was taken for a row of zeros: however short it is, a row that is not all zeros has a
        direction."""
        for row in np.flatnonzero(_lengths(_real(encoding))[:, 0] < 1e-5):
            raise ValueError(f"row {row} of encoding is all zeros")
        return _cosines(encoding)

    def changed_in_place(encoding):
        """The table that came in was changed: `/=` writes into the caller's array. Divide into a new one."""
        encoding = _without_zero_rows(encoding)
        encoding /= _lengths(encoding)
        return _gram(encoding)

    def cosines_widened(encoding):
        """The numbers are right, but a float32 table came back as float64: keep the dtype that came in."""
        return _cosines(encoding).astype(np.float64)


class nearest_positions:
    def itself_included(encoding, position, k):
        """The position itself is in the list, first of all: it is not one of its own neighbours."""
        _checked(encoding, position, k)
        return _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[:k]

    def first_of_all_dropped(encoding, position, k):
        """The first of the ranking was dropped as if it had to be the position itself; a copy of the row can
        stand before it. Leave out the position by its number."""
        _checked(encoding, position, k)
        return _ranked(_cosines(encoding)[position], np.arange(len(encoding)))[1 : k + 1]

    def itself_set_to_zero(encoding, position, k):
        """The position's similarity to itself was set to 0, which is more than -0.5: where the others point
        away, the position comes back as its own neighbour. Take -inf, or leave it out."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position]
        similarity[position] = 0
        return _ranked(similarity, np.arange(len(encoding)))[:k]

    def itself_set_to_minus_one(encoding, position, k):
        """The position's similarity to itself was set to -1, which a row in the opposite direction has as
        well: take -inf, or leave the position out."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position]
        similarity[position] = -1
        return _ranked(similarity, np.arange(len(encoding)))[:k]

    def places_in_the_shortened_list(encoding, position, k):
        """Without the position itself the list is one shorter, and what comes after it has moved up: turn the
        places in the shortened list back into positions."""
        _checked(encoding, position, k)
        similarity = np.delete(_cosines(encoding)[position], position)
        return _ranked(similarity, np.arange(len(similarity)))[:k]

    def farthest_first(encoding, position, k):
        """The ranking begins with the least alike: sort by falling similarity."""
        _checked(encoding, position, k)
        return _ranked(-_cosines(encoding)[position], _others(encoding, position))[:k]

    def ranked_by_dot_product(encoding, position, k):
        """The ranking is by dot product, which long rows win; rank by cosine."""
        _checked(encoding, position, k)
        return _ranked(_gram(_without_zero_rows(encoding))[position], _others(encoding, position))[:k]

    def ranked_by_distance(encoding, position, k):
        """The ranking is by the distance between rows, which depends on their lengths; rank by cosine."""
        _checked(encoding, position, k)
        encoding = _without_zero_rows(encoding)
        return _ranked(-_lengths(encoding - encoding[position])[:, 0], _others(encoding, position))[:k]

    def ranked_without_sign(encoding, position, k):
        """The sign of the cosine is gone: a row in the opposite direction is the least alike, not the
        most."""
        _checked(encoding, position, k)
        return _ranked(np.abs(_cosines(encoding)[position]), _others(encoding, position))[:k]

    def ranked_by_offset(encoding, position, k):
        """The ranking is by how far apart the positions are; rank by how alike their rows are."""
        _checked(encoding, position, k)
        offsets = np.abs(np.arange(len(_without_zero_rows(encoding))) - position)
        return _ranked(-offsets.astype(np.float64), _others(encoding, position))[:k]

    def in_rising_order(encoding, position, k):
        """The right positions, but sorted by number: the nearest comes first."""
        _checked(encoding, position, k)
        return np.sort(_ranked(_cosines(encoding)[position], _others(encoding, position))[:k])

    def all_of_them(encoding, position, k):
        """All other positions came back: only the first k are wanted."""
        _checked(encoding, position, k)
        return _ranked(_cosines(encoding)[position], _others(encoding, position))

    def similarities_returned(encoding, position, k):
        """The similarities came back; the positions that have them are wanted."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position]
        return similarity[_ranked(similarity, _others(encoding, position))[:k]]

    def rounding_breaks_ties(encoding, position, k):
        """Similarities that are equal but for rounding were told apart: within 1e-9 they are a tie, and the
        lower position comes first."""
        _checked(encoding, position, k)
        return _ranked(_cosines(encoding)[position], _others(encoding, position), tie=0.0)[:k]

    def higher_index_first(encoding, position, k):
        """Tied positions come highest first: turning round a rising sort does that. The lower comes first."""
        _checked(encoding, position, k)
        backwards = len(encoding) - 1 - _others(encoding, position)
        return len(encoding) - 1 - _ranked(_cosines(encoding)[position][::-1], backwards)[:k]

    def closer_position_first(encoding, position, k):
        """Tied positions come in order of their distance from the position; the lower number comes first."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position]
        ranked = _ranked(similarity, _others(encoding, position))
        level = np.append(0, np.cumsum(-np.diff(similarity[ranked]) > 1e-9))
        return ranked[np.lexsort((ranked, np.abs(ranked - position), level))][:k]

    def tie_too_wide(encoding, position, k):
        """Similarities far more than 1e-9 apart were called a tie; np.isclose has wider defaults."""
        _checked(encoding, position, k)
        return _ranked(_cosines(encoding)[position], _others(encoding, position), tie=1e-5)[:k]

    def rounded_to_eight_digits(encoding, position, k):
        """The similarities were rounded to eight digits: some that are 2e-9 apart are then called a tie."""
        _checked(encoding, position, k)
        return _ranked(np.round(_cosines(encoding)[position], 8), _others(encoding, position))[:k]

    def tie_relative(encoding, position, k):
        """The tie was measured relative to the similarities: near 0 nothing is a tie then. 1e-9 is meant
        absolutely."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position]
        others = _others(encoding, position)
        ranked = others[np.argsort(-similarity[others], kind="stable")]
        falls = -np.diff(similarity[ranked]) > 1e-9 * np.abs(similarity[ranked[1:]])
        return ranked[np.lexsort((ranked, np.append(0, np.cumsum(falls))))][:k]

    def ties_after_the_cut(encoding, position, k):
        """The ranking was cut to k first and the ties were settled after that: a lower index can be cut off
        so. Settle the ties of the whole ranking, then cut."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position]
        others = _others(encoding, position)
        return _ranked(similarity, others[np.argsort(-similarity[others], kind="stable")[:k]])

    def ties_of_the_best_only(encoding, position, k):
        """Only the positions tied with the best were put in order; ties occur farther down as well."""
        _checked(encoding, position, k)
        similarity = _cosines(encoding)[position].copy()
        others = _others(encoding, position)
        best = similarity[others].max()
        similarity[similarity >= best - 1e-9] = best
        return _ranked(similarity, others, tie=0.0)[:k]

    def negative_position_wraps(encoding, position, k):
        """A negative position was counted from the end, as Python does it: refuse it, and say its value."""
        _k_checked(encoding, k)
        if position < 0:
            position += len(encoding)
        _position_checked(encoding, position)
        return _ranked(_cosines(encoding)[position], _others(encoding, position))[:k]

    def position_clipped(encoding, position, k):
        """A position that is not there was replaced by the nearest one that is: refuse it, and say its
        value."""
        _k_checked(encoding, k)
        position = min(max(position, 0), len(encoding) - 1)
        return _ranked(_cosines(encoding)[position], _others(encoding, position))[:k]

    def position_not_checked(encoding, position, k):
        """A position past the last row runs into an IndexError: look at `position` first and raise a
        ValueError."""
        _k_checked(encoding, k)
        if position < 0:
            _position_checked(encoding, position)
        return _ranked(_cosines(encoding)[position], _others(encoding, position))[:k]

    def k_clipped(encoding, position, k):
        """More neighbours were asked for than there are other positions, and fewer came back: refuse such a
        k."""
        _position_checked(encoding, position)
        if k < 1:
            _k_checked(encoding, k)
        return _ranked(_cosines(encoding)[position], _others(encoding, position))[:k]

    def k_below_one_accepted(encoding, position, k):
        """A k of 0 gave an empty list, and a negative one cut the list from its end: refuse both."""
        _position_checked(encoding, position)
        if k >= 1:
            _k_checked(encoding, k)
        return _ranked(_cosines(encoding)[position], _others(encoding, position))[:k]

    def zero_row_ranked(encoding, position, k):
        """A row of zeros was ranked as if its similarity were 0: it has none, so refuse it as
        `cosine_similarity` does."""
        _checked(encoding, position, k)
        encoding = _real(encoding)
        lengths = _lengths(encoding)
        similarity = _gram(encoding / np.where(lengths == 0, 1, lengths))[position]
        return _ranked(similarity, _others(encoding, position))[:k]
