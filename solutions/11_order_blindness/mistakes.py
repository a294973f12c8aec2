"""Wrong answers to 11_order_blindness; each docstring is what the learner is told."""
import numpy as np


def _softmax(scores, axis=-1):
    powers = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def _scores(x, w_q, w_k):
    return (x @ w_q) @ (x @ w_k).T / np.sqrt(w_q.shape[1])      # (n, n)


def _hidden(scores, mask, number=-np.inf):
    return scores if mask is None else np.where(mask, scores, number)


def _attention(x, w_q, w_k, w_v, mask=None, factor=1.0):
    return _softmax(_hidden(factor * _scores(x, w_q, w_k), mask)) @ (x @ w_v)


def _difference(x, w_q, w_k, w_v, order, mask):
    return _attention(x[order], w_q, w_k, w_v, mask) - _attention(x, w_q, w_k, w_v, mask)[order]


class softmax:
    def overflows(scores):
        """exp overflows above 709 and is 0 below -745, and inf / inf is NaN: subtract each row's maximum
        first, which changes no weight."""
        powers = np.exp(scores)
        return powers / powers.sum(axis=-1, keepdims=True)

    def largest_of_all_subtracted(scores):
        """The maximum of the whole array is subtracted, so a row far below it becomes 0 / 0: subtract each
        row's own maximum."""
        powers = np.exp(scores - scores.max())
        return powers / powers.sum(axis=-1, keepdims=True)

    def mean_subtracted(scores):
        """The mean is subtracted, which leaves numbers above 0 that can overflow: subtract the maximum of
        each row."""
        powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def clipped(scores):
        """The scores are clipped so that exp cannot overflow, but two large scores are then equal: subtract
        the maximum of each row instead."""
        powers = np.exp(np.clip(scores, -500.0, 500.0))
        return powers / powers.sum(axis=-1, keepdims=True)

    def first_axis(scores):
        """The weights add up to 1 along the first axis: each row is a softmax of its own, along the last."""
        return _softmax(scores, axis=0)

    def second_axis(scores):
        """The axis is written as 1, which is the last one of two axes only: use -1."""
        return _softmax(scores, axis=min(1, scores.ndim - 1))

    def every_entry_together(scores):
        """The whole array adds up to 1: each row along the last axis has to, so sum with axis=-1."""
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum()

    def sums_across_columns(scores):
        """The sums of the rows lost their axis, so NumPy lays them along the columns: use keepdims=True."""
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1)

    def largest_is_one(scores):
        """The exponentials are divided by the largest of them: divide by their sum, and they add up to 1."""
        return np.exp(scores - scores.max(axis=-1, keepdims=True))

    def no_exponential(scores):
        """The scores themselves are divided by their sum: take their exponentials first."""
        return scores / scores.sum(axis=-1, keepdims=True)

    def powers_of_two(scores):
        """These are powers of 2: softmax takes powers of e, np.exp."""
        return _softmax(scores * np.log(2.0))

    def small_scores_win(scores):
        """The sign is the other way round: the largest score gets the largest weight."""
        return _softmax(-scores)

    def logarithms(scores):
        """These are the logarithms of the weights: take their exponentials."""
        with np.errstate(divide="ignore"):
            return np.log(_softmax(scores))

    def infinity_becomes_a_number(scores):
        """A score of -inf was replaced by -10000, which can be higher than the scores beside it: leave -inf
        as it is, exp(-inf) is 0."""
        return _softmax(np.where(np.isneginf(scores), -1e4, scores))

    def infinity_becomes_zero(scores):
        """A score of -inf was replaced by 0, whose exponential is 1: leave -inf as it is, exp(-inf) is 0."""
        return _softmax(np.where(np.isneginf(scores), 0.0, scores))

    def whole_numbers_stay_whole(scores):
        """The weights were written into an array of the scores' dtype, which cuts them to 0 where the scores
        are whole numbers: let NumPy make the array, or make one of floats."""
        weights = np.empty_like(scores)
        weights[...] = _softmax(scores)
        return weights

    def in_place(scores):
        """The maximum was subtracted in place, so the caller's scores are changed: make a new array."""
        scores -= scores.max(axis=-1, keepdims=True)
        return _softmax(scores)


class self_attention:
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
        return _attention(x, w_k, w_q, w_v, mask)

    def softmax_over_queries(x, w_q, w_k, w_v, mask=None):
        """The weights of a key add up to 1 over the queries: those of a query have to, over the keys."""
        scores = _hidden(_scores(x, w_q, w_k), mask)
        return _softmax(scores, axis=0) @ (x @ w_v)

    def weights_transposed(x, w_q, w_k, w_v, mask=None):
        """The weights are transposed before they meet the values: row i of weights @ v belongs to word i."""
        scores = _hidden(_scores(x, w_q, w_k), mask)
        return _softmax(scores).T @ (x @ w_v)

    def words_for_values(x, w_q, w_k, w_v, mask=None):
        """The words themselves are averaged: average their values, x @ w_v."""
        scores = _hidden(_scores(x, w_q, w_k), mask)
        return _softmax(scores) @ x

    def keys_for_values(x, w_q, w_k, w_v, mask=None):
        """The keys are averaged: average the values, x @ w_v."""
        return _attention(x, w_q, w_k, w_k, mask)

    def queries_for_keys(x, w_q, w_k, w_v, mask=None):
        """The queries are compared with each other: compare them with the keys, x @ w_k."""
        return _attention(x, w_q, w_q, w_v, mask)

    def words_for_queries_and_keys(x, w_q, w_k, w_v, mask=None):
        """The words themselves are compared: compare their queries, x @ w_q, with their keys, x @ w_k."""
        return _softmax(_hidden(x @ x.T / w_q.shape[1]**0.5, mask)) @ (x @ w_v)

    def softmax_forgotten(x, w_q, w_k, w_v, mask=None):
        """The scores meet the values as they are: turn them into weights with softmax first."""
        return _hidden(_scores(x, w_q, w_k), mask, 0.0) @ (x @ w_v)

    def own_value_added(x, w_q, w_k, w_v, mask=None):
        """Each word's own value is added to the average: the head alone has no such shortcut."""
        return _attention(x, w_q, w_k, w_v, mask) + x @ w_v

    def always_causal(x, w_q, w_k, w_v, mask=None):
        """Later words are hidden without being asked for: without a mask, every word attends to all."""
        n = len(x)
        return _attention(x, w_q, w_k, w_v, np.tri(n, dtype=bool) if mask is None else mask)

    def every_mask_made_causal(x, w_q, w_k, w_v, mask=None):
        """A causal mask stands in for the one that was given: use `mask` as it is, whatever it allows."""
        return _attention(x, w_q, w_k, w_v, None if mask is None else np.tri(len(x), dtype=bool))

    def mask_ignored(x, w_q, w_k, w_v, mask=None):
        """The mask has no effect: the scores that it forbids have to become -inf before the softmax."""
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
        weights = _softmax(_scores(x, w_q, w_k))
        return _hidden(weights, mask, 0.0) @ (x @ w_v)

    def masked_and_divided_again(x, w_q, w_k, w_v, mask=None):
        """Weights were set to 0 after the softmax and divided by their new sum, which is 0 / 0 where a hidden
        score is far above the others: set the scores to -inf before the softmax."""
        weights = _hidden(_softmax(_scores(x, w_q, w_k)), mask, 0.0)
        return weights / weights.sum(axis=-1, keepdims=True) @ (x @ w_v)

    def hidden_scores_set_to_zero(x, w_q, w_k, w_v, mask=None):
        """Hidden scores were set to 0, whose exponential is 1, so they still count: set them to -inf."""
        scores = _hidden(_scores(x, w_q, w_k), mask, 0.0)
        return _softmax(scores) @ (x @ w_v)

    def hidden_scores_set_to_a_number(x, w_q, w_k, w_v, mask=None):
        """Hidden scores were set to -10000, which can be higher than those beside them: set them to -inf."""
        scores = _hidden(_scores(x, w_q, w_k), mask, -1e4)
        return _softmax(scores) @ (x @ w_v)

    def hidden_scores_set_to_minus_a_billion(x, w_q, w_k, w_v, mask=None):
        """Hidden scores were set to -1e9. That looks low enough, but large words have lower scores, and then a
        hidden word gets all the weight: set them to -inf."""
        scores = _hidden(_scores(x, w_q, w_k), mask, -1e9)
        return _softmax(scores) @ (x @ w_v)

    def infinity_times_zero(x, w_q, w_k, w_v, mask=None):
        """The mask was multiplied by -inf and added, but 0 * -inf is NaN: choose between score and -inf with
        np.where(mask, scores, -np.inf)."""
        scores = _scores(x, w_q, w_k)
        with np.errstate(invalid="ignore"):
            return _softmax(scores if mask is None else scores + ~mask * -np.inf) @ (x @ w_v)

    def mask_added(x, w_q, w_k, w_v, mask=None):
        """The mask was added to the scores as ones and zeros: set the scores where it is False to -inf."""
        scores = _scores(x, w_q, w_k)
        return _softmax(scores if mask is None else scores + mask) @ (x @ w_v)

    def whole_numbers_stay_whole(x, w_q, w_k, w_v, mask=None):
        """The rows were written into an array of the dtype of x, which cuts them off where x holds whole
        numbers: let NumPy make the array, or make one of floats."""
        return _attention(x, w_q, w_k, w_v, mask).astype(x.dtype)


class permutation_gap:
    def rows_not_moved(x, w_q, w_k, w_v, order, mask=None):
        """The two results are held against each other place by place: first bring the rows of the second into
        the same order, so that each word meets itself."""
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)).max()

    def rows_moved_back(x, w_q, w_k, w_v, order, mask=None):
        """The rows of the second result are moved by the inverse of the order: index them with `order`."""
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[np.argsort(order)]).max()

    def order_inverted(x, w_q, w_k, w_v, order, mask=None):
        """The words were moved by the inverse of the order: x[order] brings the word of place order[i] to
        place i, so index with `order` as it comes."""
        return np.abs(_difference(x, w_q, w_k, w_v, np.argsort(order), mask)).max()

    def words_compared(x, w_q, w_k, w_v, order, mask=None):
        """This is how far the words themselves differ: compare what attention makes of them."""
        return np.abs(x[order] - x).max()

    def mask_moved_as_well(x, w_q, w_k, w_v, order, mask=None):
        """The gap is 0 whatever the mask: the mask moved along with the words, or was not used, or nothing
        was reordered. The words move, the mask goes to both calls of `self_attention` as it is."""
        moved = _attention(x[order], w_q, w_k, w_v, None if mask is None else mask[order][:, order])
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[order]).max()

    def rows_of_the_mask_moved(x, w_q, w_k, w_v, order, mask=None):
        """The rows of the mask moved along with the words: it belongs to the places and stays as it is."""
        moved = _attention(x[order], w_q, w_k, w_v, None if mask is None else mask[order])
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[order]).max()

    def mask_on_one_side(x, w_q, w_k, w_v, order, mask=None):
        """Only one of the two sides is seen through the mask: hand it to both calls of `self_attention`."""
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.abs(moved - _attention(x, w_q, w_k, w_v)[order]).max()

    def sign_kept(x, w_q, w_k, w_v, order, mask=None):
        """The largest difference was taken with its sign, so a large negative one is lost: take absolute
        values before the maximum."""
        return _difference(x, w_q, w_k, w_v, order, mask).max()

    def absolute_too_late(x, w_q, w_k, w_v, order, mask=None):
        """The absolute value was taken of the maximum: take those of all entries first, then the maximum."""
        return abs(_difference(x, w_q, w_k, w_v, order, mask).max())

    def mean_difference(x, w_q, w_k, w_v, order, mask=None):
        """This is the mean of the differences: the gap is the largest."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)).mean()

    def sum_of_differences(x, w_q, w_k, w_v, order, mask=None):
        """This is the sum of the differences: the gap is the largest."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)).sum()

    def squared_differences(x, w_q, w_k, w_v, order, mask=None):
        """This is the largest square of a difference: take the largest absolute value."""
        return (_difference(x, w_q, w_k, w_v, order, mask) ** 2).max()

    def length_of_the_difference(x, w_q, w_k, w_v, order, mask=None):
        """This is the root of the sum of squares: the gap is the largest absolute value of a single entry."""
        return np.linalg.norm(_difference(x, w_q, w_k, w_v, order, mask))

    def first_row_only(x, w_q, w_k, w_v, order, mask=None):
        """Only the first row is looked at: take the largest difference of all rows."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)[0]).max()

    def last_row_only(x, w_q, w_k, w_v, order, mask=None):
        """Only the last row is looked at: take the largest difference of all rows."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)[-1]).max()

    def share_of_the_output(x, w_q, w_k, w_v, order, mask=None):
        """The gap is divided by the largest output: it is the difference itself, in the units of the
        values."""
        gap = np.abs(_difference(x, w_q, w_k, w_v, order, mask)).max()
        return gap / np.abs(_attention(x, w_q, w_k, w_v, mask)).max()

    def words_moved_in_place(x, w_q, w_k, w_v, order, mask=None):
        """The words were moved within x itself, so the caller's array is changed: x[order] is a new array."""
        rows_moved = _attention(x, w_q, w_k, w_v, mask)[order]
        x[:] = x[order]
        return np.abs(_attention(x, w_q, w_k, w_v, mask) - rows_moved).max()


class bag_of_words:
    def mean(x):
        """This is the mean: the bag also knows how many words there are, so take the sum."""
        return x.mean(axis=0)

    def largest(x):
        """This is the largest entry of each column: add them all up."""
        return x.max(axis=0)

    def over_the_columns(x):
        """Each word was added up by itself: add up over the positions, axis 0, and keep the d columns."""
        return x.sum(axis=1)

    def one_number(x):
        """Everything was added up to one number: add up over the positions, axis 0, and keep the d
        columns."""
        return x.sum()

    def axis_kept(x):
        """The result is a table of one row: drop the axis that was summed, so that its shape is (d,)."""
        return x.sum(axis=0, keepdims=True)

    def each_word_once(x):
        """A word that comes twice was counted once: this is a set, in a bag every copy counts."""
        return np.unique(x, axis=0).sum(axis=0)

    def by_place(x):
        """The words were multiplied by their places before adding, so the order shows: add them as they
        are."""
        return (np.arange(len(x))[:, None] * x).sum(axis=0)

    def absolute_values(x):
        """The signs are lost: add the entries as they are, not their absolute values."""
        return np.abs(x).sum(axis=0)

    def of_length_one(x):
        """The sum was divided by its length: leave it as it is."""
        total = x.sum(axis=0)
        return total / max(np.linalg.norm(total), 1e-300)

    def last_word_missing(x):
        """The last word is missing: a slice that ends at -1 leaves it out."""
        return x[:-1].sum(axis=0)

    def added_into_the_first_word(x):
        """The sum was kept in x[0], which is a view, so `+=` changes the caller's words: start from zeros, or
        let x.sum(axis=0) add."""
        total = x[0]
        for word in x[1:]:
            total += word
        return total

    def running_sums(x):
        """These are the sums so far, one row per word: the bag is the last of them."""
        return x.cumsum(axis=0)
