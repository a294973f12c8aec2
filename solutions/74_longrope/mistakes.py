"""Wrong answers to 74_longrope; each docstring is what the learner is told."""
import numpy as np


def _kept(pairs, base):
    return base ** (-np.arange(pairs) / pairs)                  # (d_head / 2,)


def _speeds(n, train_len, short_factors, long_factors, base):
    return _kept(len(short_factors), base) / (long_factors if n > train_len else short_factors)


def _factor(max_len, train_len):
    return np.sqrt(1 + np.log(max(max_len / train_len, 1.0)) / np.log(train_len))


def _length(*positions):
    return max(p.max() for p in positions) + 1


def _turned(x, positions, speeds):
    """Interleaved; the angles may have a row of frequencies for each position."""
    angles = positions[:, None] * speeds
    cos, sin, even, odd = np.cos(angles), np.sin(angles), x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


def _products(queries, keys):
    return queries @ np.swapaxes(keys, -1, -2)


def _scores(q, k, q_positions, k_positions, speeds, factor):
    return factor**2 * _products(_turned(q, q_positions, speeds), _turned(k, k_positions, speeds))


class longrope_frequencies:
    def factors_exchanged(n, train_len, short_factors, long_factors, base=10000.0):
        """You exchange short and long factors. Texts of more than `train_len` positions get the long factors."""
        return _speeds(n, train_len, long_factors, short_factors, base)

    def long_at_the_length_of_training(n, train_len, short_factors, long_factors, base=10000.0):
        """You give a text of exactly `train_len` positions the long factors. Use them only if n is greater than
        `train_len`."""
        return _speeds(n + 1, train_len, short_factors, long_factors, base)

    def long_one_too_late(n, train_len, short_factors, long_factors, base=10000.0):
        """You still give a text of train_len + 1 positions the short factors. It is longer than in training, so it
        needs the long ones."""
        return _speeds(n - 1, train_len, short_factors, long_factors, base)

    def always_long(n, train_len, short_factors, long_factors, base=10000.0):
        """You give every text the long factors. Up to `train_len` positions, divide by the short ones."""
        return _kept(len(long_factors), base) / long_factors

    def always_short(n, train_len, short_factors, long_factors, base=10000.0):
        """You give every text the short factors. Beyond `train_len` positions, divide by the long ones."""
        return _kept(len(short_factors), base) / short_factors

    def short_texts_unscaled(n, train_len, short_factors, long_factors, base=10000.0):
        """You give short texts the frequencies of training. Divide these by the short factors, which need not be 1."""
        return _speeds(n, train_len, np.ones(len(short_factors)), long_factors, base)

    def long_after_short(n, train_len, short_factors, long_factors, base=10000.0):
        """In a long text, you divide the frequencies by both factors. Divide by the long ones only."""
        return _speeds(n, train_len, short_factors, short_factors * long_factors, base)

    def mixed_by_length(n, train_len, short_factors, long_factors, base=10000.0):
        """You give long texts factors between the short and the long ones, which grow with n. The long factors are the
        same for every n above `train_len`."""
        share = 1 - min(train_len / n, 1.0)
        return _kept(len(short_factors), base) / ((1 - share) * short_factors + share * long_factors)

    def stretched_too(n, train_len, short_factors, long_factors, base=10000.0):
        """In a long text, you divide the frequencies by n / train_len, too. The long factors alone slow the pairs."""
        return _speeds(n, train_len, short_factors, long_factors * max(n / train_len, 1.0), base)

    def multiplied_by_the_factors(n, train_len, short_factors, long_factors, base=10000.0):
        """You multiply the frequencies by the factors, so the pairs get faster. Divide by the factors."""
        return _speeds(n, train_len, 1 / short_factors, 1 / long_factors, base)

    def factors_in_the_base(n, train_len, short_factors, long_factors, base=10000.0):
        """Your factors are under the power, (factor * base) ** (-2i / d_head). Compute the power of the base first,
        then divide it by the factors."""
        factors = long_factors if n > train_len else short_factors
        return _kept(len(factors), base * factors)

    def one_factor_for_all(n, train_len, short_factors, long_factors, base=10000.0):
        """You divide every pair by the same factor, the mean. Divide every pair by the factor with its own index."""
        return _speeds(n, train_len, np.full(len(short_factors), np.mean(short_factors)),
                       np.full(len(long_factors), np.mean(long_factors)), base)

    def factors_reversed(n, train_len, short_factors, long_factors, base=10000.0):
        """Your factors are in reverse order. The first factor belongs to pair 0, the fastest."""
        return _speeds(n, train_len, short_factors[::-1], long_factors[::-1], base)

    def factors_sorted(n, train_len, short_factors, long_factors, base=10000.0):
        """You sort the factors. Use them in their order: factor i belongs to pair i."""
        return _speeds(n, train_len, np.sort(short_factors), np.sort(long_factors), base)

    def factors_below_one_raised(n, train_len, short_factors, long_factors, base=10000.0):
        """You replace factors below 1 by 1. Divide by every factor as it is: a pair may also get faster."""
        return _speeds(n, train_len, np.maximum(short_factors, 1), np.maximum(long_factors, 1), base)

    def base_fixed(n, train_len, short_factors, long_factors, base=10000.0):
        """You use base 10000 in every call. Use the argument `base`."""
        return _speeds(n, train_len, short_factors, long_factors, 10000.0)

    def half_the_width(n, train_len, short_factors, long_factors, base=10000.0):
        """You use the number of factors as `d_head`, so the pairs get slower too quickly. There is one factor per pair:
        `d_head` is twice as large."""
        return _speeds(n, train_len, short_factors, long_factors, base**2)

    def missing_two(n, train_len, short_factors, long_factors, base=10000.0):
        """You leave out the 2 in the exponent 2i / d_head, so the pairs get slower too slowly."""
        return _speeds(n, train_len, short_factors, long_factors, base**0.5)

    def power_not_divided(n, train_len, short_factors, long_factors, base=10000.0):
        """You leave out the minus sign of the exponent, so the numbers grow from pair to pair. Use base ** (-2i /
        d_head), divided by the factor."""
        return _speeds(n, train_len, short_factors, long_factors, 1 / base)

    def wavelengths_returned(n, train_len, short_factors, long_factors, base=10000.0):
        """You return 1 divided by the frequencies. Return radians per position: the power of the base, divided by the
        factor."""
        return 1 / _speeds(n, train_len, short_factors, long_factors, base)

    def one_per_column(n, train_len, short_factors, long_factors, base=10000.0):
        """You return every frequency twice, once per column. Return one per pair, d_head / 2 numbers."""
        return np.repeat(_speeds(n, train_len, short_factors, long_factors, base), 2)


class longrope_attention_factor:
    def root_forgotten(max_len, train_len):
        """You leave out the square root and return the factor of the scores. The factor for queries and keys is the
        root of it."""
        return _factor(max_len, train_len) ** 2

    def one_forgotten(max_len, train_len):
        """You leave out the 1 under the square root. Use sqrt(1 + ln(s) / ln(train_len))."""
        return np.sqrt(_factor(max_len, train_len) ** 2 - 1) if max_len > train_len else 1.0

    def one_outside_the_root(max_len, train_len):
        """You add the 1 outside the square root. Add it before you take the root: sqrt(1 + ln(s) / ln(train_len))."""
        return 1 + np.sqrt(_factor(max_len, train_len) ** 2 - 1)

    def below_one(max_len, train_len):
        """If `max_len` is below `train_len`, your factor is below 1. Return 1 in that case."""
        return np.sqrt(max(1 + np.log(max_len / train_len) / np.log(train_len), 0.0))

    def factor_of_yarn(max_len, train_len):
        """You return YaRN's factor, 0.1 * ln(s) + 1. Use sqrt(1 + ln(s) / ln(train_len))."""
        return 0.1 * np.log(max(max_len / train_len, 1.0)) + 1

    def divided_by_the_longer_logarithm(max_len, train_len):
        """You divide ln(s) by ln(max_len). Divide it by ln(train_len)."""
        s = max(max_len / train_len, 1.0)
        return np.sqrt(1 + np.log(s) / np.log(max(max_len, 2)))

    def not_divided(max_len, train_len):
        """You do not divide ln(s) by ln(train_len). Divide it before you add 1."""
        return np.sqrt(1 + np.log(max(max_len / train_len, 1.0)))

    def logarithm_of_the_length(max_len, train_len):
        """You use the logarithm of `max_len` itself. Use the logarithm of s = max_len / train_len."""
        return np.sqrt(1 + np.log(max_len) / np.log(train_len)) if max_len > train_len else 1.0

    def logarithm_of_the_quotient(max_len, train_len):
        """You take the logarithm of a quotient, s / train_len. Divide one logarithm by the other: ln(s) /
        ln(train_len)."""
        s = max_len / train_len
        return np.sqrt(abs(1 + np.log(s / train_len))) if s > 1 else 1.0

    def logarithm_of_one_more(max_len, train_len):
        """You take the logarithm of 1 + s. Take the logarithm of s first, then add the 1."""
        s = max_len / train_len
        return np.sqrt(np.log(1 + s) / np.log(train_len)) if s > 1 else 1.0

    def whole_division(max_len, train_len):
        """You cut s to a whole number. Divide with `/`, not with `//`."""
        return np.sqrt(1 + np.log(max(max_len // train_len, 1)) / np.log(train_len))

    def stretch_itself(max_len, train_len):
        """Your factor uses s itself. Use its logarithm: the factor grows slowly with the length."""
        return np.sqrt(1 + (max_len / train_len) / np.log(train_len)) if max_len > train_len else 1.0

    def inverted(max_len, train_len):
        """You return 1 divided by the factor, which makes the softmax flatter. Return the factor itself."""
        return 1 / _factor(max_len, train_len)

    def always_one(max_len, train_len):
        """Your factor is 1 in every call. It is greater than 1 if `max_len` is greater than `train_len`."""
        return 1.0


class longrope_scores:
    def factor_once(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You multiply the scores by the factor once. It multiplies both queries and keys, so the scores are multiplied
        by its square."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len) ** 0.5)

    def factor_missing(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You leave out the attention factor. Multiply both queries and keys by it."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, 1.0)

    def squares_multiplied(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You multiply queries and keys by the square of the factor. Multiply each of them by the factor itself."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len) ** 2)

    def factor_in_long_texts_only(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You give short texts no attention factor. It depends on `max_len` and `train_len` only, so use it in every
        text."""
        n = _length(q_positions, k_positions)
        factor = _factor(max_len, train_len) if n > train_len else 1.0
        return _scores(q, k, q_positions, k_positions, _speeds(n, train_len, short_factors, long_factors, base), factor)

    def factor_of_the_text(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You compute the attention factor for the length of this text. Compute it for `max_len`, so it is the same in
        every text."""
        n = _length(q_positions, k_positions)
        speeds = _speeds(n, train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(n, train_len))

    def factor_on_the_angles(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You multiply the angles by the attention factor. Multiply the turned queries and keys by it."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, _factor(max_len, train_len) * speeds, 1.0)

    def chosen_by_max_len(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You choose between the short and the long factors by `max_len`. Choose by the length of this text: the
        largest position plus 1."""
        speeds = _speeds(max_len, train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def keys_counted(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You use the number of keys as the length of the text. Use the largest position plus 1: keys may be missing,
        and queries may come after them."""
        speeds = _speeds(k.shape[-2], train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def length_from_queries(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You take the length of the text from the queries only. A key may have a larger position, so look at both."""
        speeds = _speeds(_length(q_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def length_from_keys(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You take the length of the text from the keys only. A query may have a larger position, so look at both."""
        speeds = _speeds(_length(k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def last_position_taken(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You take the length from the last position of each array. Take the largest one: the positions may be in any
        order."""
        n = max(q_positions[-1], k_positions[-1]) + 1
        speeds = _speeds(n, train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def one_not_added(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You use the largest position as the length. Positions count from 0, so the length is 1 more."""
        speeds = _speeds(_length(q_positions, k_positions) - 1, train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def span_as_length(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You count the length from the smallest position. Count it from 0: the largest position plus 1."""
        n = _length(q_positions, k_positions) - min(q_positions.min(), k_positions.min())
        speeds = _speeds(n, train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def lengths_added(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You add the lengths of queries and keys. Take the larger one: they are positions in the same text."""
        n = _length(q_positions) + _length(k_positions)
        speeds = _speeds(n, train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def a_set_for_each_side(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You choose the frequencies of queries and keys separately. Both need the same set, or a score no longer
        depends on the offset. Choose it for the largest position of all."""
        factor = _factor(max_len, train_len)
        queries, keys = (
            factor * _turned(x, p, _speeds(_length(p), train_len, short_factors, long_factors, base))
            for x, p in ((q, q_positions), (k, k_positions)))
        return _products(queries, keys)

    def a_set_for_each_position(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You give early positions the short factors and late ones the long factors in the same text. Choose one set
        for all queries and keys."""
        factor = _factor(max_len, train_len)
        queries, keys = (
            factor * _turned(x, p, np.array([_speeds(one + 1, train_len, short_factors, long_factors, base)
                                             for one in p]))
            for x, p in ((q, q_positions), (k, k_positions)))
        return _products(queries, keys)

    def factors_exchanged(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You exchange short and long factors. Texts of more than `train_len` positions get the long factors."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, long_factors, short_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def lengths_exchanged(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You exchange `max_len` and `train_len` in the attention factor. Pass them in the order of its definition."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(train_len, max(max_len, 2)))

    def scaled(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You divide the scores by sqrt(d_head). Leave this to the attention layer."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        scores = _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))
        return scores / np.sqrt(q.shape[-1])

    def halves_paired(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You pair column i with column i + d_head / 2, as in Phi-3's code. In this kata, columns 2i and 2i + 1 are a
        pair."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        order = np.arange(q.shape[-1]).reshape(2, -1).T.ravel()
        return _scores(q[..., order], k[..., order], q_positions, k_positions, speeds, _factor(max_len, train_len))

    def keys_turned_backwards(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You turn the keys clockwise, the queries counter-clockwise, so a score depends on the sum of the positions.
        Turn both counter-clockwise."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, -k_positions, speeds, _factor(max_len, train_len))

    def both_turned_backwards(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You turn queries and keys clockwise, so a key before the query scores like a key after it. Turn both
        counter-clockwise: even * cos - odd * sin, even * sin + odd * cos."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, -q_positions, -k_positions, speeds, _factor(max_len, train_len))

    def only_queries_turned(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You turn only the queries, so a score ignores the key's position. Turn the keys, too."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions, 0 * k_positions, speeds, _factor(max_len, train_len))

    def nothing_turned(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You return dot products without positions. Turn queries and keys by their positions first."""
        return _factor(max_len, train_len) ** 2 * _products(q, k)

    def rows_counted_instead(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You turn queries and keys by 0, 1, 2, ... Use their positions, which may have gaps and any order."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        rows = np.arange(q.shape[-2]), np.arange(k.shape[-2])
        return _scores(q, k, *rows, speeds, _factor(max_len, train_len))

    def positions_cut(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """Positions are cut to whole numbers, for example to look up the rows of a table. Multiply the positions
        themselves by the frequencies: they may have fractions."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(q, k, q_positions.astype(int), k_positions.astype(int), speeds, _factor(max_len, train_len))

    def base_dropped(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You do not pass the argument `base` to `longrope_frequencies`, so the base is always 10000."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, 10000.0)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def factors_unused(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You turn queries and keys with the frequencies of training. Divide these by the short or the long factors."""
        speeds = _kept(q.shape[-1] // 2, base)
        return _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))

    def transposed(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You swap rows and columns. Each row belongs to a query, each column to a key."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        return _scores(k, q, k_positions, q_positions, speeds, _factor(max_len, train_len))

    def all_axes_reversed(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """`.T` reverses all axes, including batches and heads. Swap only the last two, with np.swapaxes."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        queries, keys = _turned(q, q_positions, speeds), _turned(k, k_positions, speeds)
        return _factor(max_len, train_len) ** 2 * (queries @ keys.T)

    def later_keys_masked(
            q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You set keys after the query to -inf. Leave the causal mask out: return a score for every query and key."""
        speeds = _speeds(_length(q_positions, k_positions), train_len, short_factors, long_factors, base)
        scores = _scores(q, k, q_positions, k_positions, speeds, _factor(max_len, train_len))
        return np.where(k_positions > q_positions[:, None], -np.inf, scores)

    def integers_cut(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors, base=10000.0):
        """You cut whole-number queries and keys to whole numbers after you turn them. Turned vectors have fractions, so
        store them as floats: np.empty_like keeps the integer type."""
        n = _length(q_positions, k_positions)
        speeds, factor = _speeds(n, train_len, short_factors, long_factors, base), _factor(max_len, train_len)
        queries, keys = _turned(q, q_positions, speeds).astype(q.dtype), _turned(k, k_positions, speeds).astype(k.dtype)
        return _products(factor * queries, factor * keys)
