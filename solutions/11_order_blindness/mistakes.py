"""Wrong answers to 11_order_blindness; each docstring is what the learner is told."""
import numpy as np


def _floating(array):
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _softmax(scores, axis=-1):
    scores = _floating(scores)
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _checked(x, w_q, w_k, w_v, mask, weights=3):
    n, d = x.shape
    d_head = w_q.shape[-1]
    for name, weight in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v))[:weights]:
        if weight.shape != (d, d_head):
            raise ValueError(f"{name} must have shape {(d, d_head)}, got {weight.shape}")
    if mask is not None and mask.shape != (n, n):
        raise ValueError(f"mask must have shape {(n, n)}, got {mask.shape}")


def _projected(x, w_q, w_k, w_v):
    x = _floating(x)
    return x @ w_q, x @ w_k, x @ w_v                    # (n, d_head) each


def _scores(x, w_q, w_k, w_v):
    q, k, _ = _projected(x, w_q, w_k, w_v)
    return q @ k.T / w_q.shape[1]**0.5                  # (n, n)


def _hidden(scores, mask, number=-np.inf):
    return scores if mask is None else np.where(mask, scores, number)


def _unchecked(x, w_q, w_k, w_v, mask):
    q, k, v = _projected(x, w_q, w_k, w_v)
    return _softmax(_hidden(q @ k.T / w_q.shape[1]**0.5, mask)) @ v


def _attention(x, w_q, w_k, w_v, mask=None, factor=1.0):
    _checked(x, w_q, w_k, w_v, mask)
    return _unchecked(x, w_q * factor, w_k, w_v, mask)


def _ordered(x, order):
    if not np.array_equal(np.sort(order), np.arange(len(x))):
        raise ValueError(f"order must hold each of 0..{len(x) - 1} once, got {order}")


def _difference(x, w_q, w_k, w_v, order, mask):
    return _attention(x[order], w_q, w_k, w_v, mask) - _attention(x, w_q, w_k, w_v, mask)[order]


def _gap(*arguments):
    return float(np.abs(_difference(*arguments)).max())


class softmax:
    def overflows(scores):
        """exp overflows above 709 and is 0 below -745, and inf / inf is NaN: subtract each row's maximum
        first, which changes no weight."""
        powers = np.exp(_floating(scores))
        return powers / powers.sum(axis=-1, keepdims=True)

    def largest_of_all_subtracted(scores):
        """The maximum of the whole array is subtracted, so a row far below it becomes 0 / 0: subtract each
        row's own maximum."""
        scores = _floating(scores)
        powers = np.exp(scores - scores.max())
        return powers / powers.sum(axis=-1, keepdims=True)

    def mean_subtracted(scores):
        """The mean is subtracted, which leaves numbers above 0 that can overflow: subtract the maximum of
        each row."""
        scores = _floating(scores)
        powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def clipped(scores):
        """The scores are clipped so that exp cannot overflow, but two large scores are then equal: subtract
        the maximum of each row instead."""
        powers = np.exp(np.clip(_floating(scores), -500.0, 500.0))
        return powers / powers.sum(axis=-1, keepdims=True)

    def first_axis(scores):
        """The weights add up to 1 along the first axis: each row is a softmax of its own, along the last."""
        return _softmax(scores, axis=0)

    def second_axis(scores):
        """The axis is written as 1, which is the last one of two axes only: use -1."""
        return _softmax(scores, axis=min(1, scores.ndim - 1))

    def every_entry_together(scores):
        """The whole array adds up to 1: each row along the last axis has to, so sum with axis=-1."""
        scores = _floating(scores)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum()

    def sums_across_columns(scores):
        """The sums of the rows lost their axis, so NumPy lays them along the columns: use keepdims=True."""
        scores = _floating(scores)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1)

    def largest_is_one(scores):
        """The exponentials are divided by the largest of them: divide by their sum, and they add up to 1."""
        scores = _floating(scores)
        return np.exp(scores - scores.max(axis=-1, keepdims=True))

    def no_exponential(scores):
        """The scores themselves are divided by their sum: take their exponentials first."""
        scores = _floating(scores)
        return scores / scores.sum(axis=-1, keepdims=True)

    def powers_of_two(scores):
        """These are powers of 2: softmax takes powers of e, np.exp."""
        return _softmax(_floating(scores) * np.log(2.0))

    def small_scores_win(scores):
        """The sign is the other way round: the largest score gets the largest weight."""
        return _softmax(-_floating(scores))

    def logarithms(scores):
        """These are the logarithms of the weights: take their exponentials."""
        with np.errstate(divide="ignore"):
            return np.log(_softmax(scores))

    def infinity_becomes_a_number(scores):
        """A score of -inf was replaced by -10000, which can be higher than the scores beside it: leave -inf
        as it is, exp(-inf) is 0."""
        scores = _floating(scores)
        return _softmax(np.where(np.isneginf(scores), -1e4, scores))

    def infinity_becomes_zero(scores):
        """A score of -inf was replaced by 0, whose exponential is 1: leave -inf as it is, exp(-inf) is 0."""
        scores = _floating(scores)
        return _softmax(np.where(np.isneginf(scores), 0.0, scores))

    def whole_numbers_stay_whole(scores):
        """The weights were written into an array of the scores' dtype, which cuts them to 0 where the scores
        are integers: integers count as float64."""
        weights = np.empty_like(scores)
        weights[...] = _softmax(scores)
        return weights

    def in_place(scores):
        """The maximum was subtracted in place, so the caller's scores are changed: make a new array."""
        if scores.dtype.kind != "f" or not scores.flags.writeable:
            return _softmax(scores)
        scores -= scores.max(axis=-1, keepdims=True)
        return _softmax(scores)


class self_attention:
    def value_width_unchecked(x, w_q, w_k, w_v, mask=None):
        """w_v may have any width here: all three weights have the same shape (d, d_head)."""
        _checked(x, w_q, w_k, w_v, mask, weights=2)
        if len(w_v) != x.shape[1]:
            raise ValueError(f"w_v must have {x.shape[1]} rows, got {len(w_v)}")
        return _unchecked(x, w_q, w_k, w_v, mask)

    def mask_stretched(x, w_q, w_k, w_v, mask=None):
        """A mask with an axis of size 1 is stretched over all words: refuse any mask that is not (n, n)."""
        _checked(x, w_q, w_k, w_v, None)
        if mask is not None and any(size not in (1, len(x)) for size in mask.shape):
            raise ValueError(f"mask must have shape {(len(x), len(x))}, got {mask.shape}")
        return _unchecked(x, w_q, w_k, w_v, mask)

    def nothing_refused(x, w_q, w_k, w_v, mask=None):
        """Shapes that do not fit are left to NumPy, whose message names no argument: check them first."""
        return _unchecked(x, w_q, w_k, w_v, mask)

    def not_scaled(x, w_q, w_k, w_v, mask=None):
        """The scores are not scaled: divide q @ k.T by the square root of d_head."""
        return _attention(x, w_q, w_k, w_v, mask, factor=w_q.shape[1]**0.5)

    def divided_by_the_width(x, w_q, w_k, w_v, mask=None):
        """The scores are divided by d_head: divide by its square root."""
        return _attention(x, w_q, w_k, w_v, mask, factor=w_q.shape[1]**-0.5)

    def root_of_the_input_width(x, w_q, w_k, w_v, mask=None):
        """The scores are divided by the root of d, the width of a word: take d_head, the width of a query."""
        return _attention(x, w_q, w_k, w_v, mask, factor=(w_q.shape[1] / x.shape[1])**0.5)

    def root_of_the_length(x, w_q, w_k, w_v, mask=None):
        """The scores are divided by the root of n, the number of words: take d_head, the width of a query."""
        return _attention(x, w_q, w_k, w_v, mask, factor=(w_q.shape[1] / len(x))**0.5)

    def multiplied_by_the_root(x, w_q, w_k, w_v, mask=None):
        """The scores are multiplied by the root of d_head: divide by it."""
        return _attention(x, w_q, w_k, w_v, mask, factor=w_q.shape[1])

    def queries_and_keys_swapped(x, w_q, w_k, w_v, mask=None):
        """Queries and keys are swapped: row i of the scores holds the query of word i against every key."""
        _checked(x, w_q, w_k, w_v, mask)
        return _attention(x, w_k, w_q, w_v, mask)

    def softmax_over_queries(x, w_q, w_k, w_v, mask=None):
        """The weights of a key add up to 1 over the queries: those of a query have to, over the keys."""
        _checked(x, w_q, w_k, w_v, mask)
        scores = _hidden(_scores(x, w_q, w_k, w_v), mask)
        return _softmax(scores, axis=0) @ (x @ w_v)

    def weights_transposed(x, w_q, w_k, w_v, mask=None):
        """The weights are transposed before they meet the values: row i of weights @ v belongs to word i."""
        _checked(x, w_q, w_k, w_v, mask)
        scores = _hidden(_scores(x, w_q, w_k, w_v), mask)
        return _softmax(scores).T @ (x @ w_v)

    def words_for_values(x, w_q, w_k, w_v, mask=None):
        """The words themselves are averaged: average their values, x @ w_v."""
        _checked(x, w_q, w_k, w_v, mask)
        scores = _hidden(_scores(x, w_q, w_k, w_v), mask)
        return _softmax(scores) @ x

    def keys_for_values(x, w_q, w_k, w_v, mask=None):
        """The keys are averaged: average the values, x @ w_v."""
        _checked(x, w_q, w_k, w_v, mask)
        return _attention(x, w_q, w_k, w_k, mask)

    def queries_for_keys(x, w_q, w_k, w_v, mask=None):
        """The queries are compared with each other: compare them with the keys, x @ w_k."""
        _checked(x, w_q, w_k, w_v, mask)
        return _attention(x, w_q, w_q, w_v, mask)

    def words_for_queries_and_keys(x, w_q, w_k, w_v, mask=None):
        """The words themselves are compared: compare their queries, x @ w_q, with their keys, x @ w_k."""
        _checked(x, w_q, w_k, w_v, mask)
        x = _floating(x)
        return _softmax(_hidden(x @ x.T / w_q.shape[1]**0.5, mask)) @ (x @ w_v)

    def softmax_forgotten(x, w_q, w_k, w_v, mask=None):
        """The scores meet the values as they are: turn them into weights with softmax first."""
        _checked(x, w_q, w_k, w_v, mask)
        return _hidden(_scores(x, w_q, w_k, w_v), mask, 0.0) @ (x @ w_v)

    def own_value_added(x, w_q, w_k, w_v, mask=None):
        """Each word's own value is added to the average: the head alone has no such shortcut."""
        return _attention(x, w_q, w_k, w_v, mask) + _floating(x) @ w_v

    def always_causal(x, w_q, w_k, w_v, mask=None):
        """Later words are hidden without being asked for: without a mask, every word attends to all."""
        n = len(x)
        return _attention(x, w_q, w_k, w_v, np.tri(n, dtype=bool) if mask is None else mask)

    def every_mask_made_causal(x, w_q, w_k, w_v, mask=None):
        """A causal mask stands in for the one that was given: use `mask` as it is, whatever it allows."""
        _checked(x, w_q, w_k, w_v, mask)
        return _attention(x, w_q, w_k, w_v, None if mask is None else np.tri(len(x), dtype=bool))

    def mask_ignored(x, w_q, w_k, w_v, mask=None):
        """The mask has no effect: the scores that it forbids have to become -inf before the softmax."""
        _checked(x, w_q, w_k, w_v, mask)
        return _attention(x, w_q, w_k, w_v)

    def mask_inverted(x, w_q, w_k, w_v, mask=None):
        """The mask is read the other way round: True means that a word may attend."""
        return _attention(x, w_q, w_k, w_v, None if mask is None else ~mask)

    def mask_transposed(x, w_q, w_k, w_v, mask=None):
        """The mask is transposed: mask[i, j] says whether the query of word i may see the key of word j."""
        return _attention(x, w_q, w_k, w_v, None if mask is None else mask.T)

    def masked_after_softmax(x, w_q, w_k, w_v, mask=None):
        """Weights were set to 0 after the softmax, so those of a row no longer add up to 1: set the scores to
        -inf before it."""
        _checked(x, w_q, w_k, w_v, mask)
        weights = _softmax(_scores(x, w_q, w_k, w_v))
        return _hidden(weights, mask, 0.0) @ (x @ w_v)

    def masked_and_divided_again(x, w_q, w_k, w_v, mask=None):
        """Weights were set to 0 after the softmax and divided by their new sum, which is 0 / 0 where a hidden
        score is far above the others: set the scores to -inf before the softmax."""
        _checked(x, w_q, w_k, w_v, mask)
        weights = _hidden(_softmax(_scores(x, w_q, w_k, w_v)), mask, 0.0)
        return weights / weights.sum(axis=-1, keepdims=True) @ (x @ w_v)

    def hidden_scores_set_to_zero(x, w_q, w_k, w_v, mask=None):
        """Hidden scores were set to 0, whose exponential is 1, so they still count: set them to -inf."""
        _checked(x, w_q, w_k, w_v, mask)
        scores = _hidden(_scores(x, w_q, w_k, w_v), mask, 0.0)
        return _softmax(scores) @ (x @ w_v)

    def hidden_scores_set_to_a_number(x, w_q, w_k, w_v, mask=None):
        """Hidden scores were set to -10000, which can be higher than those beside them: set them to -inf."""
        _checked(x, w_q, w_k, w_v, mask)
        scores = _hidden(_scores(x, w_q, w_k, w_v), mask, -1e4)
        return _softmax(scores) @ (x @ w_v)

    def mask_added(x, w_q, w_k, w_v, mask=None):
        """The mask was added to the scores as ones and zeros: set the scores where it is False to -inf."""
        _checked(x, w_q, w_k, w_v, mask)
        scores = _scores(x, w_q, w_k, w_v)
        return _softmax(scores if mask is None else scores + mask) @ (x @ w_v)

    def single_precision_widened(x, w_q, w_k, w_v, mask=None):
        """The result is float64 whatever came in: float32 words and weights make a float32 result. Divide by
        a Python number such as d_head**0.5, not by np.sqrt(d_head), which is a float64."""
        _checked(x, w_q, w_k, w_v, mask)
        return _attention(*(a.astype(np.float64) for a in (x, w_q, w_k, w_v)), mask)

    def whole_numbers_stay_whole(x, w_q, w_k, w_v, mask=None):
        """The rows were written into an array of the dtype of x, which cuts them off where x is of integers:
        integers count as float64."""
        return _attention(x, w_q, w_k, w_v, mask).astype(x.dtype)


class permutation_gap:
    def repeats_accepted(x, w_q, w_k, w_v, order, mask=None):
        """The entries of the order are held against 0 and n-1 only: it also has to hold each place once."""
        if len(order) != len(x) or order.min() < 0 or order.max() >= len(x):
            raise ValueError(f"order must hold each of 0..{len(x) - 1} once, got {order}")
        return _gap(x, w_q, w_k, w_v, order, mask)

    def negative_places_accepted(x, w_q, w_k, w_v, order, mask=None):
        """Negative places are counted from the end, as NumPy does: an order holds 0..n-1, refuse the rest."""
        if len(order) != len(x) or order.max() >= len(x) or len(np.unique(order % len(x))) != len(x):
            raise ValueError(f"order must hold each of 0..{len(x) - 1} once, got {order}")
        return _gap(x, w_q, w_k, w_v, order, mask)

    def length_unchecked(x, w_q, w_k, w_v, order, mask=None):
        """The order is held against its own length: it has to hold as many places as x has rows."""
        _ordered(order, order)
        return _gap(x, w_q, w_k, w_v, order, mask)

    def order_unchecked(x, w_q, w_k, w_v, order, mask=None):
        """Any order is accepted: one that repeats or skips a place, or counts from the end, is no permutation
        of 0..n-1 and has to be refused."""
        return _gap(x, w_q, w_k, w_v, order, mask)

    def rows_not_moved(x, w_q, w_k, w_v, order, mask=None):
        """The two results are held against each other place by place: first bring the rows of the second into
        the same order, so that each word meets itself."""
        _ordered(x, order)
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return float(np.abs(moved - _attention(x, w_q, w_k, w_v, mask)).max())

    def rows_moved_back(x, w_q, w_k, w_v, order, mask=None):
        """The rows of the second result are moved by the inverse of the order: index them with `order`."""
        _ordered(x, order)
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return float(np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[np.argsort(order)]).max())

    def words_compared(x, w_q, w_k, w_v, order, mask=None):
        """This is how far the words themselves differ: compare what attention makes of them."""
        _ordered(x, order)
        _checked(x, w_q, w_k, w_v, mask)
        return float(np.abs(x[order] - x).max())

    def mask_moved_as_well(x, w_q, w_k, w_v, order, mask=None):
        """The gap is 0 whatever the mask: the mask moved along with the words, or was not used, or nothing
        was reordered. The words move, the mask goes to both calls of `self_attention` as it is."""
        _ordered(x, order)
        _checked(x, w_q, w_k, w_v, mask)
        moved = _attention(x[order], w_q, w_k, w_v, None if mask is None else mask[order][:, order])
        return float(np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[order]).max())

    def rows_of_the_mask_moved(x, w_q, w_k, w_v, order, mask=None):
        """The rows of the mask moved along with the words: it belongs to the places and stays as it is."""
        _ordered(x, order)
        _checked(x, w_q, w_k, w_v, mask)
        moved = _attention(x[order], w_q, w_k, w_v, None if mask is None else mask[order])
        return float(np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[order]).max())

    def mask_on_one_side(x, w_q, w_k, w_v, order, mask=None):
        """Only the moved words are seen through the mask: hand it to both calls of `self_attention`."""
        _ordered(x, order)
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return float(np.abs(moved - _attention(x, w_q, w_k, w_v)[order]).max())

    def sign_kept(x, w_q, w_k, w_v, order, mask=None):
        """The largest difference was taken with its sign, so a large negative one is lost: take absolute
        values before the maximum."""
        _ordered(x, order)
        return float(_difference(x, w_q, w_k, w_v, order, mask).max())

    def absolute_too_late(x, w_q, w_k, w_v, order, mask=None):
        """The absolute value was taken of the maximum: take those of all entries first, then the maximum."""
        _ordered(x, order)
        return float(abs(_difference(x, w_q, w_k, w_v, order, mask).max()))

    def mean_difference(x, w_q, w_k, w_v, order, mask=None):
        """This is the mean of the differences: the gap is the largest."""
        _ordered(x, order)
        return float(np.abs(_difference(x, w_q, w_k, w_v, order, mask)).mean())

    def sum_of_differences(x, w_q, w_k, w_v, order, mask=None):
        """This is the sum of the differences: the gap is the largest."""
        _ordered(x, order)
        return float(np.abs(_difference(x, w_q, w_k, w_v, order, mask)).sum())

    def squared_differences(x, w_q, w_k, w_v, order, mask=None):
        """This is the largest square of a difference: take the largest absolute value."""
        _ordered(x, order)
        return float((_difference(x, w_q, w_k, w_v, order, mask) ** 2).max())

    def length_of_the_difference(x, w_q, w_k, w_v, order, mask=None):
        """This is the root of the sum of squares: the gap is the largest absolute value of a single entry."""
        _ordered(x, order)
        return float(np.linalg.norm(_difference(x, w_q, w_k, w_v, order, mask)))

    def first_row_only(x, w_q, w_k, w_v, order, mask=None):
        """Only the first row is looked at: take the largest difference of all rows."""
        _ordered(x, order)
        return float(np.abs(_difference(x, w_q, w_k, w_v, order, mask)[0]).max())

    def last_row_only(x, w_q, w_k, w_v, order, mask=None):
        """Only the last row is looked at: take the largest difference of all rows."""
        _ordered(x, order)
        return float(np.abs(_difference(x, w_q, w_k, w_v, order, mask)[-1]).max())

    def share_of_the_output(x, w_q, w_k, w_v, order, mask=None):
        """The gap is divided by the largest output: it is the difference itself, in the units of the
        values."""
        _ordered(x, order)
        gap = np.abs(_difference(x, w_q, w_k, w_v, order, mask)).max()
        return float(gap / np.abs(_attention(x, w_q, w_k, w_v, mask)).max())

    def words_moved_in_place(x, w_q, w_k, w_v, order, mask=None):
        """The words were moved within x itself, so the caller's array is changed: x[order] is a new array."""
        _ordered(x, order)
        gap = _gap(x, w_q, w_k, w_v, order, mask)
        if x.flags.writeable:
            x[...] = x[order]
        return gap


class bag_of_words:
    def mean(x):
        """This is the mean: the bag also knows how many words there are, so take the sum."""
        return _floating(x).mean(axis=0)

    def largest(x):
        """This is the largest entry of each column: add them all up."""
        return _floating(x).max(axis=0)

    def over_the_columns(x):
        """Each word was added up by itself: add up over the positions, axis 0, and keep the d columns."""
        return _floating(x).sum(axis=1)

    def one_number(x):
        """Everything was added up to one number: add up over the positions, axis 0, and keep the d
        columns."""
        return _floating(x).sum()

    def axis_kept(x):
        """The result is a table of one row: drop the axis that was summed, so that its shape is (d,)."""
        return _floating(x).sum(axis=0, keepdims=True)

    def each_word_once(x):
        """A word that comes twice was counted once: this is a set, in a bag every copy counts."""
        return np.unique(_floating(x), axis=0).sum(axis=0)

    def by_place(x):
        """The words were multiplied by their places before adding, so the order shows: add them as they
        are."""
        return (np.arange(len(x))[:, None] * _floating(x)).sum(axis=0)

    def absolute_values(x):
        """The signs are lost: add the entries as they are, not their absolute values."""
        return np.abs(_floating(x)).sum(axis=0)

    def of_length_one(x):
        """The sum was divided by its length: leave it as it is."""
        total = _floating(x).sum(axis=0)
        return total / max(np.linalg.norm(total), 1e-300)

    def last_word_missing(x):
        """The last word is missing: a slice that ends at -1 leaves it out."""
        return _floating(x)[:-1].sum(axis=0)

    def running_sums(x):
        """These are the sums so far, one row per word: the bag is the last of them."""
        return _floating(x).cumsum(axis=0)
