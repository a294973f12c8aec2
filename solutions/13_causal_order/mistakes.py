"""Wrong answers to 13_causal_order; each docstring is what the learner is told."""
import numpy as np


def _counts(x):
    return np.arange(1, x.shape[-2] + 1)[:, None]               # (n, 1)


def _mean(x):
    return np.cumsum(x, axis=-2) / _counts(x)                   # (..., n, d)


def _change(x, order):
    return _mean(x[order]) - _mean(x)                           # (n, d)


class prefix_mean:
    def not_divided(x):
        """You return the sums of the words so far. Divide row i by i + 1, the number of words it sees."""
        return np.cumsum(x, axis=-2)

    def divided_by_all(x):
        """You divide every row by n. Row i sees only i + 1 words, so divide it by i + 1."""
        return np.cumsum(x, axis=-2) / x.shape[-2]

    def divided_by_position(x):
        """You divide row i by i. It sees i + 1 words, the words 0 to i: divide it by i + 1. The first row is then
        divided by 1, and needs no special case."""
        return np.cumsum(x, axis=-2) / np.maximum(np.arange(x.shape[-2])[:, None], 1)

    def one_too_many(x):
        """You divide row i by i + 2. Row i sees i + 1 words, so the first row stays as it is."""
        return np.cumsum(x, axis=-2) / (_counts(x) + 1)

    def counts_along_the_columns(x):
        """You put the divisors 1, 2, 3, ... along the columns. Give them a second axis with [:, None], so that each row
        has its own divisor."""
        return np.cumsum(x, axis=-2) / np.arange(1, x.shape[-2] + 1)

    def counts_backwards(x):
        """You divide by n, n - 1, ..., 1. The first row sees one word and the last row sees n. If you take the divisors
        from a mask, sum its rows and not its columns."""
        return np.cumsum(x, axis=-2) / _counts(x)[::-1]

    def without_itself(x):
        """Your row i is the mean of the words before it. It sees itself too, so its last term is x[i]."""
        means = np.zeros(x.shape)
        means[..., 1:, :] = _mean(x)[..., :-1, :]
        return means

    def one_word_ahead(x):
        """Your row i sees one word too many, x[i + 1]. A causal mask hides all later words: the last term is x[i]."""
        means = _mean(x)
        means[..., :-1, :] = means[..., 1:, :]
        return means

    def later_words(x):
        """Your row i is the mean of the words from i on, as with a transposed mask. Use the words from 0 to i."""
        return _mean(x[..., ::-1, :])[..., ::-1, :]

    def all_words(x):
        """You return the mean of all words in every row, as attention without a mask does. Row i sees only the words 0
        to i."""
        return np.broadcast_to(x.mean(axis=-2, keepdims=True), x.shape).copy()

    def first_axis(x):
        """You add along the first axis. With a batch, this mixes texts. The words are on the axis before the last one,
        axis=-2."""
        counts = np.arange(1, len(x) + 1).reshape(-1, *[1] * (x.ndim - 1))
        return np.cumsum(x, axis=0) / counts

    def first_axis_summed(x):
        """You sum along axis 0 but count the words on the axis before the last one. With a batch, axis 0 contains the
        texts. Sum along axis=-2 too."""
        return np.cumsum(x, axis=0) / _counts(x)

    def second_axis(x):
        """You add along axis 1, which contains the words only if there are three axes. Use axis=-2."""
        axis = min(1, x.ndim - 1)
        counts = np.arange(1, x.shape[axis] + 1).reshape(-1, *[1] * (x.ndim - 1 - axis))
        return np.cumsum(x, axis=axis) / counts

    def along_the_columns(x):
        """You average the numbers of each word. Average the words, along axis=-2. The columns stay apart."""
        return np.cumsum(x, axis=-1) / np.arange(1, x.shape[-1] + 1)

    def all_axes_in_one(x):
        """You add up the whole array as one long row, because cumsum has no axis. Use axis=-2."""
        return np.cumsum(x).reshape(x.shape) / _counts(x)

    def last_two_words(x):
        """Your row i is the mean of the words i - 1 and i. Causal attention sees all words from 0 on."""
        means = x.astype(float)
        means[..., 1:, :] = (x[..., 1:, :] + x[..., :-1, :]) / 2
        return means

    def half_of_the_mean_before(x):
        """You average each word with the mean before it, so early words count less and less. All i + 1 words have the
        same weight."""
        means = x.astype(float)
        for i in range(1, x.shape[-2]):
            means[..., i, :] = (means[..., i - 1, :] + x[..., i, :]) / 2
        return means

    def median(x):
        """You return the median of the words so far. Return their mean: their sum, divided by their number."""
        return np.stack([np.median(x[..., : i + 1, :], axis=-2) for i in range(x.shape[-2])], axis=-2)

    def zeros_not_counted(x):
        """You leave out the words whose numbers are all 0. They count too: divide row i by i + 1."""
        counts = np.cumsum((x != 0).any(axis=-1, keepdims=True), axis=-2)
        return np.cumsum(x, axis=-2) / np.maximum(counts, 1)

    def whole_division(x):
        """Your means are whole numbers, because you divide with `//`. Divide with `/`."""
        return np.cumsum(x, axis=-2) // _counts(x)

    def cut_to_whole_numbers(x):
        """You cut the means to whole numbers, because your result has the dtype of x. Return floats if x contains whole
        numbers."""
        return _mean(x).astype(x.dtype)

    def single_precision_sums(x):
        """You compute the sums in float32. Compute them in float64."""
        return _mean(x.astype(np.float32))

    def half_precision_sums(x):
        """You compute the sums in half precision (float16), which loses small words in long texts. Use float64."""
        return np.cumsum(x.astype(np.float16), axis=-2) / _counts(x)

    def written_into_x(x):
        """You write the sums or means into x, which changes the caller's array. Write into a new one. np.array makes a
        copy; np.asarray does not if the dtype is right already, and np.cumsum does not with `out=x`."""
        if x.flags.writeable:
            np.cumsum(x, axis=-2, out=x)
            return x / _counts(x)
        return _mean(x)

    def scores_of_zero_where_hidden(x):
        """You give the hidden words the score 0 instead of -inf, so softmax gives them weight too. Their weight must be
        0."""
        weights = np.exp(np.tri(x.shape[-2]))
        return weights / weights.sum(axis=-1, keepdims=True) @ x

    def largest_so_far(x):
        """You return the largest number so far in each column. Return the mean of the words so far."""
        return np.maximum.accumulate(x, axis=-2)


class positions_from_share:
    def cut_off(share):
        """You cut 1 / share - 1 to a whole number, so 2.85 becomes 2. Round it to the nearest one, with np.rint."""
        return (1 / share - 1).astype(int)

    def rounded_down(share):
        """You round 1 / share - 1 down. Round it to the nearest whole number, with np.rint."""
        return np.floor(1 / share - 1).astype(int)

    def divided_without_rest(share):
        """You divide with `//`, which rounds down: 1 // 0.2 is 4, because 0.2 is stored a little too large. Divide with
        `/`, subtract 1, and round to the nearest whole number with np.rint."""
        return (1 // np.asarray(share, dtype=float) - 1).astype(int)

    def rounded_up(share):
        """You round 1 / share - 1 up. Round it to the nearest whole number, with np.rint."""
        return np.ceil(1 / share - 1).astype(int)

    def not_rounded(share):
        """You return 1 / share - 1 itself. Round it to the nearest whole number: a position is an integer."""
        return 1 / share - 1

    def one_too_far(share):
        """Your positions count from 1. Row i has the share 1 / (i + 1), so subtract 1 from 1 / share."""
        return np.rint(1 / share).astype(int)

    def one_added(share):
        """You add 1 to 1 / share. Row i has the share 1 / (i + 1), so subtract 1."""
        return np.rint(1 / share + 1).astype(int)

    def missing_brackets(share):
        """You divide 1 by share - 1, because there are brackets around it. Divide first, then subtract 1."""
        return np.rint(1 / np.where(share == 1, 2.0, share - 1)).astype(int)

    def row_numbers(share):
        """You return 0, 1, 2, ..., whatever the shares are. They may be in any order, so compute each position from its
        own share."""
        return np.arange(np.size(share)).reshape(np.shape(share))

    def ranks(share):
        """You sort the shares and return their ranks. Positions may be missing or occur twice, so compute each position
        from its own share."""
        return np.argsort(np.argsort(-np.ravel(share))).reshape(np.shape(share))

    def ranks_of_different_shares(share):
        """You number the different shares. Positions may be missing, so compute each position from its own share."""
        return np.searchsorted(np.unique(-np.asarray(share)), -np.asarray(share))

    def sorted_positions(share):
        """Your positions are sorted. Return them in the order of the shares."""
        found = np.rint(1 / share - 1).astype(int)
        return np.sort(found.ravel()).reshape(np.shape(share))

    def no_more_than_the_rows(share):
        """You limit the positions to the number of shares. The shares may come from any rows of a longer text."""
        return np.minimum(np.rint(1 / share - 1), np.size(share) - 1).astype(int)

    def complement(share):
        """You compute from 1 - share, the share of all other words. Solve share = 1 / (i + 1) for i: it is
        1 / share - 1."""
        return np.rint((1 - share) * 10).astype(int)

    def other_words_share(share):
        """You return 1 / (1 - share), which uses the share of the other words. The position is 1 / share - 1."""
        return np.rint(1 / np.maximum(1 - share, 1e-3)).astype(int)

    def nearest_share(share):
        """You look for the nearest of the numbers 1, 1/2, 1/3, ... Between two of them, this is not the same as the
        nearest position: compute 1 / share - 1 first, and round that."""
        share = np.asarray(share)
        exact = 1 / np.arange(1.0, min(1 / share.min() + 2, 5000.0))
        return np.abs(exact - share[..., None]).argmin(axis=-1)

    def powers_of_two(share):
        """You take the logarithm, as if the share halved at each position. It is 1 / (i + 1): compute 1 / share - 1."""
        return np.rint(-np.log2(share)).astype(int)

    def share_rounded_first(share):
        """You round the share to two decimals before you divide. Far positions then get the same share. Round only the
        result."""
        return np.rint(1 / np.maximum(np.round(share, 2), 0.01) - 1).astype(int)

    def eight_bits(share):
        """Your positions have 8 bits, so they overflow after 127 or 255. Use the ordinary int."""
        return np.rint(1 / share - 1).astype(np.int64).astype(np.uint8)

    def sixteen_bits(share):
        """Your positions have 16 bits, so they overflow after 32767 or 65535. Use the ordinary int."""
        return np.rint(1 / share - 1).astype(np.int64).astype(np.int16)

    def half_precision_shares(share):
        """You compute in half precision (float16), which gives far positions the same number. Keep the dtype of the
        shares."""
        return np.rint(1 / np.asarray(share).astype(np.float16).astype(float) - 1).astype(int)

    def never_zero(share):
        """Your positions are never 0. The first token stands at position 0 and has the share 1."""
        return np.maximum(np.rint(1 / share - 1), 1).astype(int)

    def one_long_row(share):
        """You return a single axis. Return the positions in the shape of `share`."""
        return np.rint(1 / np.ravel(share) - 1).astype(int)

    def largest_only(share):
        """You return only the largest position. Return one for each share."""
        return np.rint(1 / share - 1).astype(int).max()


class prefix_gap:
    def one_number(x, order):
        """You return the largest change of all rows. Return one number per row: take the maximum with axis=1."""
        return np.abs(_change(x, order)).max()

    def per_column(x, order):
        """You return the largest change of each column. Return the largest change of each row: take the maximum with
        axis=1."""
        return np.abs(_change(x, order)).max(axis=0)

    def mean_change(x, order):
        """You average the changes of a row. Return the largest one."""
        return np.abs(_change(x, order)).mean(axis=-1)

    def summed_change(x, order):
        """You add up the changes of a row. Return the largest one."""
        return np.abs(_change(x, order)).sum(axis=-1)

    def euclidean(x, order):
        """You return the Euclidean length of the change. Return the largest absolute number in the row."""
        return np.linalg.norm(_change(x, order), axis=-1)

    def squared(x, order):
        """You square the changes. Take their absolute values."""
        return (_change(x, order) ** 2).max(axis=-1)

    def signed(x, order):
        """You take the largest change without absolute values, so a change downwards is lost. Use np.abs before the
        maximum."""
        return _change(x, order).max(axis=-1)

    def absolute_after_the_maximum(x, order):
        """You take the maximum first and the absolute value afterwards. A large change downwards is then lost. Use
        np.abs before the maximum."""
        return np.abs(_change(x, order).max(axis=-1))

    def smallest_change(x, order):
        """You return the smallest change of a row. Return the largest one."""
        return np.abs(_change(x, order)).min(axis=-1)

    def first_column(x, order):
        """You compare only the first column. Take the largest change of all columns."""
        return np.abs(_change(x, order))[:, 0]

    def difference_of_maxima(x, order):
        """You compare the largest mean of each row. Subtract the means first, column by column, and then take the
        largest absolute value."""
        return np.abs(_mean(x[order]).max(axis=-1) - _mean(x).max(axis=-1))

    def rows_moved_with_the_words(x, order):
        """You compare prefix_mean(x[order]) with prefix_mean(x)[order], so each row moves with its word. Rows belong to
        positions: compare with prefix_mean(x) itself."""
        return np.abs(_mean(x[order]) - _mean(x)[order]).max(axis=-1)

    def only_the_means_reordered(x, order):
        """You reorder the means. Reorder the words, x[order], and then compute the means of these."""
        return np.abs(_mean(x)[order] - _mean(x)).max(axis=-1)

    def inverse_order(x, order):
        """You reorder the words the other way round. The word at position order[i] moves to position i, so use
        x[order]."""
        back = np.argsort(order)
        return np.abs(_mean(x[back]) - _mean(x)).max(axis=-1)

    def order_twice(x, order):
        """You reorder the words twice. Apply `order` once, and compare with the means of x itself."""
        return np.abs(_mean(x[order][order]) - _mean(x[order])).max(axis=-1)

    def words_not_means(x, order):
        """You compare the words themselves. Compare their means: call `prefix_mean` for both orders."""
        return np.abs(x[order] - x).max(axis=-1)

    def sums_not_means(x, order):
        """You compare the sums of the words so far. Compare their means: divide row i by i + 1."""
        return np.abs(np.cumsum(x[order] - x, axis=0)).max(axis=-1)

    def share_of_the_mean(x, order):
        """You divide the change by the size of the mean. Return the change itself."""
        return np.abs(_change(x, order)).max(axis=-1) / np.maximum(np.abs(_mean(x)).max(axis=-1), 1e-9)

    def yes_or_no(x, order):
        """You return 1 for rows that change and 0 for the others. Return the size of the change."""
        return np.where(np.abs(_change(x, order)).max(axis=-1) > 1e-9, 1.0, 0.0)

    def largest_so_far(x, order):
        """Your gaps never fall from row to row, because you keep the largest one so far. Each row has its own gap."""
        return np.maximum.accumulate(np.abs(_change(x, order)).max(axis=-1))

    def last_row_missing(x, order):
        """You leave out the last row. Its gap is 0 for every order, but return it too, so that the shape is (n,)."""
        return np.abs(_change(x, order)).max(axis=-1)[:-1]

    def axis_kept(x, order):
        """You return a second axis of length 1. Return the shape (n,)."""
        return np.abs(_change(x, order)).max(axis=-1, keepdims=True)

    def all_columns(x, order):
        """You return the changes of all columns. Keep only the largest one of each row, so that the shape is (n,)."""
        return np.abs(_change(x, order))

    def columns_reordered(x, order):
        """You reorder the columns. The words are the rows of x, so write x[order]."""
        return np.abs(_mean(x[:, order % x.shape[1]]) - _mean(x)).max(axis=-1)

    def no_mask(x, order):
        """You compare the means of all words, which are the same in every order. Row i sees only the words 0 to i."""
        return np.abs(x[order].mean(axis=0) - x.mean(axis=0)).max() * np.ones(len(x))

    def words_moved_in_place(x, order):
        """You reorder the words inside x, which changes the caller's array. x[order] is a new array."""
        before = _mean(x)
        if x.flags.writeable:
            x[:] = x[order]
            return np.abs(_mean(x) - before).max(axis=-1)
        return np.abs(_change(x, order)).max(axis=-1)

    def small_gaps_dropped(x, order):
        """You set gaps below 1 to 0. Only rounding errors are not real gaps, and these need no correction."""
        gap = np.abs(_change(x, order)).max(axis=-1)
        return np.where(gap < 1.0, 0.0, gap)
