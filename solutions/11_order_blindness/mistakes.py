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
        """You take the exponentials of the scores themselves. np.exp returns infinity above about 709 and 0 below about
        -745, so the division can return NaN. Subtract each row's maximum first. This changes no weight."""
        powers = np.exp(scores)
        return powers / powers.sum(axis=-1, keepdims=True)

    def largest_of_all_subtracted(scores):
        """You subtract the maximum of the whole array, so a row far below it becomes 0 / 0. Subtract each
        row's own maximum."""
        powers = np.exp(scores - scores.max())
        return powers / powers.sum(axis=-1, keepdims=True)

    def mean_subtracted(scores):
        """You subtract the mean, but scores far above the mean still overflow. Subtract the maximum of each row."""
        powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def clipped(scores):
        """You clip the scores or their exponentials against overflow, but this makes two different large scores equal.
        Subtract the maximum of each row instead."""
        powers = np.exp(np.clip(scores, -500.0, 500.0))
        return powers / powers.sum(axis=-1, keepdims=True)

    def first_axis(scores):
        """You make the weights add up to 1 along the first axis. They must add up to 1 along the last axis: use
        axis=-1."""
        return _softmax(scores, axis=0)

    def second_axis(scores):
        """You use axis 1, which is the last axis only if there are two axes. Use axis=-1."""
        return _softmax(scores, axis=min(1, scores.ndim - 1))

    def every_entry_together(scores):
        """You make the whole array add up to 1. Each row must add up to 1: sum with axis=-1."""
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum()

    def sums_across_columns(scores):
        """You drop the axis of the row maxima or of the row sums, so NumPy matches them with the columns. For both, use
        keepdims=True."""
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1)

    def largest_is_one(scores):
        """You do not divide the exponentials, so the largest weight of each row is 1. Divide them by their sum, so that
        each row adds up to 1."""
        return np.exp(scores - scores.max(axis=-1, keepdims=True))

    def no_exponential(scores):
        """You divide the scores themselves by their sum. Take their exponentials first."""
        return scores / scores.sum(axis=-1, keepdims=True)

    def powers_of_two(scores):
        """You take powers of 2. Softmax takes powers of e: use np.exp."""
        return _softmax(scores * np.log(2.0))

    def small_scores_win(scores):
        """You reverse the sign of the scores. The largest score must get the largest weight."""
        return _softmax(-scores)

    def logarithms(scores):
        """You return the logarithms of the weights. Take their exponentials."""
        with np.errstate(divide="ignore"):
            return np.log(_softmax(scores))

    def infinity_becomes_a_number(scores):
        """You replaced -inf with -10000, which can be higher than the other scores. Keep -inf: np.exp(-inf)
        is 0."""
        return _softmax(np.where(np.isneginf(scores), -1e4, scores))

    def infinity_becomes_zero(scores):
        """You replaced -inf with 0, whose exponential is 1. Keep -inf: np.exp(-inf) is 0."""
        return _softmax(np.where(np.isneginf(scores), 0.0, scores))

    def whole_numbers_stay_whole(scores):
        """Your result has the dtype of the scores. If the scores are integers, every weight below 1 is cut to 0. Let
        NumPy create the result, or make an array of floats."""
        weights = np.empty_like(scores)
        weights[...] = _softmax(scores)
        return weights

    def in_place(scores):
        """You change the caller's scores, for example with `-=`. Make a new array."""
        scores -= scores.max(axis=-1, keepdims=True)
        return _softmax(scores)


class self_attention:
    def not_scaled(x, w_q, w_k, w_v, mask=None):
        """You do not scale the scores. Divide q @ k.T by the square root of d_head."""
        return _attention(x, w_q, w_k, w_v, mask, factor=w_q.shape[1]**0.5)

    def divided_by_the_width(x, w_q, w_k, w_v, mask=None):
        """You divide the scores by d_head. Divide by its square root."""
        return _attention(x, w_q, w_k, w_v, mask, factor=w_q.shape[1]**-0.5)

    def root_of_the_input_width(x, w_q, w_k, w_v, mask=None):
        """You divide the scores by the root of d, the width of a word. Use d_head, the width of a query."""
        return _attention(x, w_q, w_k, w_v, mask, factor=(w_q.shape[1] / x.shape[1])**0.5)

    def root_of_the_length(x, w_q, w_k, w_v, mask=None):
        """You divide the scores by the root of n, the number of words. Use d_head, the width of a query."""
        return _attention(x, w_q, w_k, w_v, mask, factor=(w_q.shape[1] / len(x))**0.5)

    def multiplied_by_the_root(x, w_q, w_k, w_v, mask=None):
        """You multiply the scores by the root of d_head. Divide by it."""
        return _attention(x, w_q, w_k, w_v, mask, factor=w_q.shape[1])

    def queries_and_keys_swapped(x, w_q, w_k, w_v, mask=None):
        """You swap queries and keys. Row i of the scores must compare the query of word i with every key."""
        return _attention(x, w_k, w_q, w_v, mask)

    def softmax_over_queries(x, w_q, w_k, w_v, mask=None):
        """You take the softmax over the queries. For each query, the weights must add up to 1 over the keys: take the
        softmax along the last axis."""
        scores = _hidden(_scores(x, w_q, w_k), mask)
        return _softmax(scores, axis=0) @ (x @ w_v)

    def weights_transposed(x, w_q, w_k, w_v, mask=None):
        """You transpose the weights before you multiply them with the values. Row i of the weights belongs to word i:
        use weights @ v."""
        scores = _hidden(_scores(x, w_q, w_k), mask)
        return _softmax(scores).T @ (x @ w_v)

    def words_for_values(x, w_q, w_k, w_v, mask=None):
        """You average the words themselves. Average their values, x @ w_v."""
        scores = _hidden(_scores(x, w_q, w_k), mask)
        return _softmax(scores) @ x

    def keys_for_values(x, w_q, w_k, w_v, mask=None):
        """You average the keys. Average the values, x @ w_v."""
        return _attention(x, w_q, w_k, w_k, mask)

    def queries_for_keys(x, w_q, w_k, w_v, mask=None):
        """You compare the queries with each other. Compare them with the keys, x @ w_k."""
        return _attention(x, w_q, w_q, w_v, mask)

    def words_for_queries_and_keys(x, w_q, w_k, w_v, mask=None):
        """You compare the words themselves. Compare their queries, x @ w_q, with their keys, x @ w_k."""
        return _softmax(_hidden(x @ x.T / w_q.shape[1]**0.5, mask)) @ (x @ w_v)

    def softmax_forgotten(x, w_q, w_k, w_v, mask=None):
        """You multiply the scores with the values directly. Turn the scores into weights with softmax first."""
        return _hidden(_scores(x, w_q, w_k), mask, 0.0) @ (x @ w_v)

    def own_value_added(x, w_q, w_k, w_v, mask=None):
        """You add each word's own value to the average. Return only the average: a single head has no residual
        connection."""
        return _attention(x, w_q, w_k, w_v, mask) + x @ w_v

    def always_causal(x, w_q, w_k, w_v, mask=None):
        """You hide later words although no mask was given. Without a mask, every word attends to all words."""
        n = len(x)
        return _attention(x, w_q, w_k, w_v, np.tri(n, dtype=bool) if mask is None else mask)

    def every_mask_made_causal(x, w_q, w_k, w_v, mask=None):
        """You use a causal mask instead of the given mask. Use `mask` itself, which may allow other words."""
        return _attention(x, w_q, w_k, w_v, None if mask is None else np.tri(len(x), dtype=bool))

    def mask_ignored(x, w_q, w_k, w_v, mask=None):
        """You ignore the mask. Set the scores that it forbids to -inf before the softmax."""
        return _attention(x, w_q, w_k, w_v)

    def mask_inverted(x, w_q, w_k, w_v, mask=None):
        """You hide the words that the mask allows. True means that word i may see word j: hide the False entries."""
        return _attention(x, w_q, w_k, w_v, None if mask is None else ~mask)

    def mask_transposed(x, w_q, w_k, w_v, mask=None):
        """You transpose the mask. mask[i, j] says whether the query of word i may see the key of word j."""
        return _attention(x, w_q, w_k, w_v, None if mask is None else mask.T)

    def masked_after_softmax(x, w_q, w_k, w_v, mask=None):
        """You set weights to 0 after the softmax, so the weights of a row no longer add up to 1. Set the scores
        to -inf before the softmax."""
        weights = _softmax(_scores(x, w_q, w_k))
        return _hidden(weights, mask, 0.0) @ (x @ w_v)

    def masked_and_divided_again(x, w_q, w_k, w_v, mask=None):
        """You set weights to 0 after the softmax and divide by their new sum. If a hidden score is far above the
        others, this is 0 / 0. Set the scores to -inf before the softmax."""
        weights = _hidden(_softmax(_scores(x, w_q, w_k)), mask, 0.0)
        return weights / weights.sum(axis=-1, keepdims=True) @ (x @ w_v)

    def hidden_scores_set_to_zero(x, w_q, w_k, w_v, mask=None):
        """You set hidden scores to 0, whose exponential is 1, so they still count. Set them to -inf."""
        scores = _hidden(_scores(x, w_q, w_k), mask, 0.0)
        return _softmax(scores) @ (x @ w_v)

    def hidden_scores_set_to_a_number(x, w_q, w_k, w_v, mask=None):
        """You set hidden scores to -10000, which can be higher than the visible scores. Set them to -inf."""
        scores = _hidden(_scores(x, w_q, w_k), mask, -1e4)
        return _softmax(scores) @ (x @ w_v)

    def hidden_scores_set_to_minus_a_billion(x, w_q, w_k, w_v, mask=None):
        """You set hidden scores to -1e9. If all visible scores are lower than that, the hidden words get the weight.
        Set hidden scores to -inf."""
        scores = _hidden(_scores(x, w_q, w_k), mask, -1e9)
        return _softmax(scores) @ (x @ w_v)

    def minus_a_billion_added(x, w_q, w_k, w_v, mask=None):
        """You add -1e9 to hidden scores. If a hidden score is larger than the visible ones by that much, the hidden
        word gets the weight. Set hidden scores to -inf."""
        scores = _scores(x, w_q, w_k)
        if mask is not None:
            scores = scores + np.where(mask, 0.0, -1e9)
        return _softmax(scores) @ (x @ w_v)

    def infinity_times_zero(x, w_q, w_k, w_v, mask=None):
        """Your scores or weights contain NaN. Perhaps you multiply the mask by -inf and add it, but 0 * -inf is NaN.
        Choose between score and -inf with np.where(mask, scores, -np.inf)."""
        scores = _scores(x, w_q, w_k)
        with np.errstate(invalid="ignore"):
            return _softmax(scores if mask is None else scores + ~mask * -np.inf) @ (x @ w_v)

    def mask_added(x, w_q, w_k, w_v, mask=None):
        """You add the mask to the scores as ones and zeros. Set the scores to -inf where the mask is False."""
        scores = _scores(x, w_q, w_k)
        return _softmax(scores if mask is None else scores + mask) @ (x @ w_v)

    def whole_numbers_stay_whole(x, w_q, w_k, w_v, mask=None):
        """Your result has the dtype of x. If x contains integers, this cuts off every fraction. Let NumPy create the
        result, or make an array of floats."""
        return _attention(x, w_q, w_k, w_v, mask).astype(x.dtype)


class permutation_gap:
    def rows_not_moved(x, w_q, w_k, w_v, order, mask=None):
        """You compare the words that are at the same position. Reorder the rows of the second result first, so that
        you compare each word with itself."""
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)).max()

    def rows_moved_back(x, w_q, w_k, w_v, order, mask=None):
        """You move the rows of the second result by the inverse of the order. Index them with `order`."""
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[np.argsort(order)]).max()

    def order_inverted(x, w_q, w_k, w_v, order, mask=None):
        """You move the words by the inverse of the order. Use x[order], which moves the word at position order[i] to
        position i."""
        return np.abs(_difference(x, w_q, w_k, w_v, np.argsort(order), mask)).max()

    def words_compared(x, w_q, w_k, w_v, order, mask=None):
        """You compare the words themselves. Compare the outputs of `self_attention`."""
        return np.abs(x[order] - x).max()

    def mask_moved_as_well(x, w_q, w_k, w_v, order, mask=None):
        """Your gap is 0 for every mask. You move the mask with the words, or you do not use the mask, or you reorder
        nothing. Reorder the words, and pass the same mask to both calls of `self_attention`."""
        moved = _attention(x[order], w_q, w_k, w_v, None if mask is None else mask[order][:, order])
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[order]).max()

    def rows_of_the_mask_moved(x, w_q, w_k, w_v, order, mask=None):
        """You reorder the rows of the mask with the words. The mask belongs to positions: leave it unchanged."""
        moved = _attention(x[order], w_q, w_k, w_v, None if mask is None else mask[order])
        return np.abs(moved - _attention(x, w_q, w_k, w_v, mask)[order]).max()

    def mask_on_one_side(x, w_q, w_k, w_v, order, mask=None):
        """You use the mask for only one of the two results. Pass it to both calls of `self_attention`."""
        moved = _attention(x[order], w_q, w_k, w_v, mask)
        return np.abs(moved - _attention(x, w_q, w_k, w_v)[order]).max()

    def sign_kept(x, w_q, w_k, w_v, order, mask=None):
        """You take the largest difference with its sign, so a large negative one is lost. Take absolute values
        before the maximum."""
        return _difference(x, w_q, w_k, w_v, order, mask).max()

    def absolute_too_late(x, w_q, w_k, w_v, order, mask=None):
        """You take the absolute value of the maximum. Take the absolute values of all entries first, then the
        maximum."""
        return abs(_difference(x, w_q, w_k, w_v, order, mask).max())

    def mean_difference(x, w_q, w_k, w_v, order, mask=None):
        """You return the mean of the differences. The gap is the largest of them."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)).mean()

    def sum_of_differences(x, w_q, w_k, w_v, order, mask=None):
        """You return the sum of the differences. The gap is the largest of them."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)).sum()

    def squared_differences(x, w_q, w_k, w_v, order, mask=None):
        """You return the largest squared difference. Return the largest absolute difference."""
        return (_difference(x, w_q, w_k, w_v, order, mask) ** 2).max()

    def length_of_the_difference(x, w_q, w_k, w_v, order, mask=None):
        """You return the root of the sum of squares. The gap is the largest absolute value of one entry."""
        return np.linalg.norm(_difference(x, w_q, w_k, w_v, order, mask))

    def first_row_only(x, w_q, w_k, w_v, order, mask=None):
        """You use only the first row. Take the largest difference over all rows."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)[0]).max()

    def last_row_only(x, w_q, w_k, w_v, order, mask=None):
        """You use only the last row. Take the largest difference over all rows."""
        return np.abs(_difference(x, w_q, w_k, w_v, order, mask)[-1]).max()

    def share_of_the_output(x, w_q, w_k, w_v, order, mask=None):
        """You divide the gap by the largest output. Return the difference itself."""
        gap = np.abs(_difference(x, w_q, w_k, w_v, order, mask)).max()
        return gap / np.abs(_attention(x, w_q, w_k, w_v, mask)).max()

    def words_moved_in_place(x, w_q, w_k, w_v, order, mask=None):
        """You reorder the words inside x itself, which changes the caller's array. x[order] is a new array."""
        rows_moved = _attention(x, w_q, w_k, w_v, mask)[order]
        x[:] = x[order]
        return np.abs(_attention(x, w_q, w_k, w_v, mask) - rows_moved).max()


class bag_of_words:
    def mean(x):
        """You return the mean. Take the sum, which also depends on how many words there are."""
        return x.mean(axis=0)

    def largest(x):
        """You return the largest entry of each column. Add up all entries of the column."""
        return x.max(axis=0)

    def over_the_columns(x):
        """You add up the numbers of each word. Add up the words, along axis 0, and keep the d columns."""
        return x.sum(axis=1)

    def one_number(x):
        """You add up everything to one number. Add up the words, along axis 0, and keep the d columns."""
        return x.sum()

    def axis_kept(x):
        """You return a table with one row. Drop the summed axis, so that the shape is (d,)."""
        return x.sum(axis=0, keepdims=True)

    def each_word_once(x):
        """You count a word that occurs twice only once, as in a set. In a bag, count every copy."""
        return np.unique(x, axis=0).sum(axis=0)

    def by_place(x):
        """You multiply the words by their positions before you add them, so the result depends on the order. Add
        the rows unchanged."""
        return (np.arange(len(x))[:, None] * x).sum(axis=0)

    def absolute_values(x):
        """You lose the signs. Add the entries themselves, not their absolute values."""
        return np.abs(x).sum(axis=0)

    def of_length_one(x):
        """You divide the sum by its length. Return the sum itself."""
        total = x.sum(axis=0)
        return total / max(np.linalg.norm(total), 1e-300)

    def last_word_missing(x):
        """You leave the last word out of the sum, as a slice that ends at -1 does. Add all words."""
        return x[:-1].sum(axis=0)

    def added_into_the_first_word(x):
        """You add the words into x[0]. This is a view, so `+=` changes the caller's words. Start from zeros, or
        use x.sum(axis=0)."""
        total = x[0]
        for word in x[1:]:
            total += word
        return total

    def running_sums(x):
        """You return running sums, one row per word. The bag is the last row of them."""
        return x.cumsum(axis=0)
