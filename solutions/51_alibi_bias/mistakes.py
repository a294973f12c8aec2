"""Wrong answers to 51_alibi_bias; each docstring is what the learner is told."""
import numpy as np


def _power(n_heads):
    """The largest power of two up to n_heads."""
    return 2 ** int(np.log2(n_heads))


def _geometric(n_heads):
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)                # (n_heads,)


def _slopes(n_heads):
    power = _power(n_heads)
    return np.concatenate([_geometric(power), _geometric(2 * power)[0::2][: n_heads - power]])


def _ahead(n_queries, n_keys):
    return np.arange(n_keys) - np.arange(n_keys - n_queries, n_keys)[:, None]       # (n_queries, n_keys)


def _biased(n_heads, cost, forbidden):
    """-slope * cost for every head, -inf where forbidden."""
    return np.where(forbidden, -np.inf, _slopes(n_heads)[:, None, None] * -cost)


def _bias(n_heads, n_queries, n_keys, causal):
    ahead = _ahead(n_queries, n_keys)
    return _biased(n_heads, np.abs(ahead), causal & (ahead > 0))


def _scores(q, k):
    return np.einsum("hid,hjd->hij", q, k) / q.shape[2] ** 0.5


def _bias_of(q, k, causal):
    return _bias(len(q), q.shape[1], k.shape[1], causal)


def _softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _attended(scores, v):
    return np.einsum("hij,hjc->hic", _softmax(scores), v)


class alibi_slopes:
    def one_sequence_for_every_count(n_heads):
        """You use one geometric sequence for every head count, but it is right for powers of two only. Six heads take
        the slopes of 4 heads, then the 1st and the 3rd slope of 8 heads."""
        return _geometric(n_heads)

    def counts_from_zero(n_heads):
        """You count the heads from 0, so the first slope is 1. Count h from 1 to H. If H is a power of two, the last
        slope is then 1/256."""
        return _slopes(n_heads) * 2.0 ** (8 / _power(n_heads))

    def both_sequences_count_from_zero(n_heads):
        """You count the heads from 0, so the first slope is 1. Count h from 1, also in the sequence of twice the power
        of two."""
        power = _power(n_heads)
        slopes = 2.0 ** (-8 * np.arange(power) / power)
        twice = 2.0 ** (-8 * np.arange(2 * power) / (2 * power))
        return np.concatenate([slopes, twice[0::2][: n_heads - power]])

    def eight_heads_assumed(n_heads):
        """Your slopes halve from head to head for every count, which is right for 8 heads only. Use the exponents
        -8h/H."""
        return 0.5 ** np.arange(1, n_heads + 1)

    def halves_after_the_first(n_heads):
        """Your first slope, 2 ** (-8/H), is right, but each further slope is half the one before. Multiply by the first
        slope instead of 1/2."""

        def halving(n):
            return 2.0 ** (-8 / n) * 0.5 ** np.arange(n)

        power = _power(n_heads)
        return np.concatenate([halving(power), halving(2 * power)[0::2][: n_heads - power]])

    def whole_number_exponent(n_heads):
        """You round 8/H down to a whole number, for example with `//`. Divide with `/`: exponents need not be whole
        numbers."""

        def stepping(n):
            return 2.0 ** (-np.arange(1, n + 1) * (8 // n))

        power = _power(n_heads)
        return np.concatenate([stepping(power), stepping(2 * power)[0::2][: n_heads - power]])

    def missing_minus(n_heads):
        """Your slopes are above 1, because the exponent lacks its minus. All slopes must lie between 0 and 1."""
        return 1 / _slopes(n_heads)

    def base_e(n_heads):
        """You raise e to the exponents, but the slopes are powers of 2. Use `2.0 **` instead of `np.exp`."""
        return np.exp(np.log2(_slopes(n_heads)))

    def evenly_spaced(n_heads):
        """Your slopes fall in even steps, but only the exponents do that. Each slope is the one before it times a
        constant factor."""
        return np.linspace(2.0 ** (-8 / n_heads), 2.0**-8, n_heads)

    def flattest_first(n_heads):
        """Your slopes are in reverse order. If H is a power of two, head 1 has the steepest slope and the last head
        1/256."""
        return _slopes(n_heads)[::-1]

    def next_slopes_in_a_row(n_heads):
        """You take the missing slopes one after another from those of twice the power of two, so some slopes occur
        twice. Take every other one: the 1st, 3rd, 5th, ..."""
        power = _power(n_heads)
        return np.concatenate([_geometric(power), _geometric(2 * power)[: n_heads - power]])

    def second_of_every_two(n_heads):
        """You take the 2nd, 4th, ... slope of twice the power of two, but the first heads already have those. Take the
        1st, 3rd, ..."""
        power = _power(n_heads)
        return np.concatenate([_geometric(power), _geometric(2 * power)[1::2][: n_heads - power]])

    def new_slopes_first(n_heads):
        """You put the slopes of twice the power of two first. Put them after the slopes of the power itself."""
        return np.roll(_slopes(n_heads), n_heads - _power(n_heads))

    def sorted_slopes(n_heads):
        """You sort the slopes. Leave the additional ones at the end, unsorted, as the released code does."""
        return np.sort(_slopes(n_heads))[::-1]

    def rounded_up(n_heads):
        """You use the first slopes of the next larger power of two. Take all slopes of the next smaller one, then every
        other slope of twice that."""
        power = _power(n_heads)
        return _geometric(n_heads) if power == n_heads else _geometric(2 * power)[:n_heads]


class alibi_bias:
    def rewards_distance(n_heads, n_queries, n_keys=None, causal=True):
        """Your sign is wrong: far keys gain. The bias is minus the slope times the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, -np.abs(ahead), causal & (ahead > 0))

    def future_rewarded(n_heads, n_queries, n_keys=None, causal=True):
        """Without `causal`, keys after the query gain, and the farthest gain most. Take the absolute value of the
        distance."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, -ahead, causal & (ahead > 0))

    def future_free(n_heads, n_queries, n_keys=None, causal=True):
        """Without `causal`, keys after the query have a bias of 0. They need the same bias as keys equally far before
        it: take the absolute value of the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.maximum(-ahead, 0), causal & (ahead > 0))

    def queries_come_first(n_heads, n_queries, n_keys=None, causal=True):
        """In your code, query i is at position i. If there are fewer queries than keys, the queries are the last
        positions: query i is at position i + n_keys - n_queries."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = np.arange(n_keys) - np.arange(n_queries)[:, None]
        return _biased(n_heads, np.abs(ahead), causal & (ahead > 0))

    def mask_comes_first(n_heads, n_queries, n_keys=None, causal=True):
        """Your distances are right, but your mask assumes that query i is at position i. Shift the mask by n_keys -
        n_queries; `np.triu` takes such an offset."""
        n_keys = n_queries if n_keys is None else n_keys
        forbidden = np.triu(np.ones((n_queries, n_keys), dtype=bool), 1)
        return _biased(n_heads, np.abs(_ahead(n_queries, n_keys)), causal & forbidden)

    def past_forbidden(n_heads, n_queries, n_keys=None, causal=True):
        """Your mask is on the wrong side: it forbids the keys before the query. Forbid the keys after it."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.abs(ahead), causal & (ahead < 0))

    def own_key_forbidden(n_heads, n_queries, n_keys=None, causal=True):
        """Your mask forbids the query's own position too. Only keys after the query should be -inf."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.abs(ahead), causal & (ahead >= 0))

    def future_left_zero(n_heads, n_queries, n_keys=None, causal=True):
        """Keys after the query have a bias of 0, so the softmax still gives them weight. They need -inf."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        bias = _bias(n_heads, n_queries, n_keys, False)
        return np.where(ahead > 0, 0.0, bias) if causal else bias

    def future_only_large(n_heads, n_queries, n_keys=None, causal=True):
        """Keys after the query get a large negative number, and a high score can outweigh it. Use -inf, which no score
        can outweigh."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.maximum(_bias(n_heads, n_queries, n_keys, causal), -1e9)

    def infinity_times_zero(n_heads, n_queries, n_keys=None, causal=True):
        """You multiply a mask of zeros and ones by -inf, and 0 times infinity is NaN. Choose with `np.where`
        instead."""
        n_keys = n_queries if n_keys is None else n_keys
        bias = _bias(n_heads, n_queries, n_keys, False)
        with np.errstate(invalid="ignore"):
            return bias + (_ahead(n_queries, n_keys) > 0) * -np.inf if causal else bias

    def causal_left_out(n_heads, n_queries, n_keys=None, causal=True):
        """You forbid no key although `causal` is True. Your code ignores the argument or inverts it."""
        n_keys = n_queries if n_keys is None else n_keys
        return _bias(n_heads, n_queries, n_keys, False)

    def always_causal(n_heads, n_queries, n_keys=None, causal=True):
        """You forbid keys after the query although `causal` is False. Your code ignores the argument or inverts it."""
        n_keys = n_queries if n_keys is None else n_keys
        return _bias(n_heads, n_queries, n_keys, True)

    def key_position_times_slope(n_heads, n_queries, n_keys=None, causal=True):
        """You return the slope times the key's position, as BLOOM's code does. With a causal mask the attention weights
        are the same, but the task asks for minus the slope times the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        if not causal:
            return _bias(n_heads, n_queries, n_keys, False)
        return _biased(n_heads, -np.arange(n_keys), _ahead(n_queries, n_keys) > 0)

    def counts_from_one(n_heads, n_queries, n_keys=None, causal=True):
        """Your distances start at 1. A query is 0 positions away from its own key, so the bias there is 0."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.abs(ahead) + 1, causal & (ahead > 0))

    def positions_added(n_heads, n_queries, n_keys=None, causal=True):
        """You add the positions of query and key. Subtract them to get the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, 2 * np.arange(n_keys) - ahead, causal & (ahead > 0))

    def logarithm_of_distance(n_heads, n_queries, n_keys=None, causal=True):
        """Your bias grows with the logarithm of the distance. In ALiBi it is proportional to the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.log1p(np.abs(ahead)), causal & (ahead > 0))

    def one_slope_for_all(n_heads, n_queries, n_keys=None, causal=True):
        """You give all heads the slope of the first one. Give each head its own slope."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.repeat(_bias(n_heads, n_queries, n_keys, causal)[:1], n_heads, axis=0)

    def naive_slopes(n_heads, n_queries, n_keys=None, causal=True):
        """Your slopes are 2 ** (-8h/H) for every head count. Take them from `alibi_slopes`, which has another rule if
        H is not a power of two."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        bias = _geometric(n_heads)[:, None, None] * -np.abs(ahead)
        return np.where(causal & (ahead > 0), -np.inf, bias)

    def slopes_along_the_keys(n_heads, n_queries, n_keys=None, causal=True):
        """Your slopes lie along the axis of the keys. Put them on a separate first axis: index them with [:, None,
        None]."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        bias = -np.abs(ahead) * _slopes(n_heads)                            # fails unless n_heads == n_keys
        return np.where(causal & (ahead > 0), -np.inf, np.broadcast_to(bias, (n_heads, n_queries, n_keys)))

    def heads_last(n_heads, n_queries, n_keys=None, causal=True):
        """You put the heads on the last axis. Put them first: (n_heads, n_queries, n_keys)."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.moveaxis(_bias(n_heads, n_queries, n_keys, causal), 0, -1)

    def queries_and_keys_swapped(n_heads, n_queries, n_keys=None, causal=True):
        """You have swapped the last two axes. A row is a query, a column is a key."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.swapaxes(_bias(n_heads, n_queries, n_keys, causal), 1, 2)

    def n_keys_ignored(n_heads, n_queries, n_keys=None, causal=True):
        """Your bias does not depend on the number of keys. Give it one column per key: use `n_keys`, and pass it on."""
        return _bias(n_heads, n_queries, n_queries, causal)


class alibi_attention:
    def bias_scaled_too(q, k, v, causal=True):
        """You divide the bias by sqrt(d) together with the scores. Scale the scores first, then add the bias."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal) / q.shape[2] ** 0.5, v)

    def scores_not_scaled(q, k, v, causal=True):
        """You do not divide the scores by sqrt(d), or you take the root of another axis. Divide them by the root of the
        width of `q`, its last axis, before you add the bias."""
        return _attended(_scores(q, k) * q.shape[2] ** 0.5 + _bias_of(q, k, causal), v)

    def number_of_keys_not_handed_on(q, k, v, causal=True):
        """You call `alibi_bias` without the number of keys, so it takes as many as there are queries. Pass n_keys."""
        return _attended(_scores(q, k) + _bias(len(q), q.shape[1], q.shape[1], causal), v)

    def divided_by_the_width(q, k, v, causal=True):
        """You divide the scores by d. Divide them by its square root."""
        return _attended(_scores(q, k) / q.shape[2] ** 0.5 + _bias_of(q, k, causal), v)

    def scaled_by_the_values_width(q, k, v, causal=True):
        """You scale the scores by the width of the values. Take d from the queries or the keys."""
        scores = _scores(q, k) * (q.shape[2] / v.shape[2]) ** 0.5
        return _attended(scores + _bias_of(q, k, causal), v)

    def bias_left_out(q, k, v, causal=True):
        """You leave out the bias: the scores get the mask at most. Add the whole result of `alibi_bias` to them."""
        bias = _bias_of(q, k, causal)
        return _attended(_scores(q, k) + np.where(np.isneginf(bias), bias, np.zeros_like(bias)), v)

    def bias_subtracted(q, k, v, causal=True):
        """You subtract the bias. It already contains the minus sign, so add it."""
        bias = _bias_of(q, k, causal)
        return _attended(_scores(q, k) + np.where(np.isneginf(bias), bias, -bias), v)

    def bias_of_one_head(q, k, v, causal=True):
        """You give every head the bias of the first head. Add the bias of each head to its own scores."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal)[:1], v)

    def fades_after_the_softmax(q, k, v, causal=True):
        """You lower the weights for distance after the softmax, so they no longer sum to 1. Add the bias to the scores
        before the softmax."""
        weights = _softmax(_scores(q, k)) * np.exp(_bias_of(q, k, causal))
        return np.einsum("hij,hjc->hic", weights, v)

    def masked_after_the_softmax(q, k, v, causal=True):
        """You remove the future after the softmax, so the weights no longer sum to 1. Set the scores of future keys
        to -inf before the softmax."""
        weights = _softmax(_scores(q, k) + _bias_of(q, k, False))
        return np.einsum("hij,hjc->hic", weights * ~np.isneginf(_bias_of(q, k, causal)), v)

    def masked_with_zero(q, k, v, causal=True):
        """You set the scores of future keys to 0, and the softmax still gives them weight. They need -inf."""
        scores = _scores(q, k) + _bias_of(q, k, False)
        return _attended(np.where(np.isneginf(_bias_of(q, k, causal)), 0.0, scores), v)

    def masked_scores_replaced_by_a_number(q, k, v, causal=True):
        """You set the scores of future keys to a large negative number. If the score of a visible key is lower still,
        the future keys win. Use -inf."""
        scores = _scores(q, k) + _bias_of(q, k, causal)
        return _attended(np.where(np.isneginf(scores), -1e9, scores), v)

    def masked_with_a_large_number(q, k, v, causal=True):
        """You mask the future with a large negative number, which a high score can outweigh. Use -inf."""
        return _attended(_scores(q, k) + np.maximum(_bias_of(q, k, causal), -1e9), v)

    def bias_of_the_first_queries(q, k, v, causal=True):
        """You use the first rows of the square bias. If there are fewer queries than keys, the queries are the last
        positions, so use the last rows."""
        return _attended(_scores(q, k) + _bias_of(k, k, causal)[:, : q.shape[1]], v)

    def causal_not_handed_on(q, k, v, causal=True):
        """You mask the future even with `causal=False`. Pass `causal` on to `alibi_bias`, and add no other mask."""
        return _attended(_scores(q, k) + _bias_of(q, k, True), v)

    def never_causal(q, k, v, causal=True):
        """You mask no key. If `causal` is True, a query must not see the keys after it."""
        return _attended(_scores(q, k) + _bias_of(q, k, False), v)

    def softmax_overflows(q, k, v, causal=True):
        """Your exponential overflows for large scores. Subtract the highest score of each row first."""
        with np.errstate(all="ignore"):
            weights = np.exp(_scores(q, k) + _bias_of(q, k, causal))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_of_all(q, k, v, causal=True):
        """You subtract the highest score of all rows. If a row lies far below it, every exponential in that row is 0.
        Subtract the highest score of each row."""
        scores = _scores(q, k) + _bias_of(q, k, causal)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_of_the_head(q, k, v, causal=True):
        """You subtract the highest score of each head. If a row lies far below it, every exponential in that row is 0.
        Subtract the highest score of each row."""
        scores = _scores(q, k) + _bias_of(q, k, causal)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_with_the_future(q, k, v, causal=True):
        """You take the highest score before you add the mask. If it belongs to a future key, every exponential in the
        row may be 0. Add the bias first."""
        scores = _scores(q, k)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True) + _bias_of(q, k, causal))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def softmax_over_queries(q, k, v, causal=True):
        """Your softmax runs over the queries. Run it over the keys, the last axis: the weights of one query must sum to
        1."""
        weights = _softmax(_scores(q, k) + _bias_of(q, k, causal), axis=1)
        return np.einsum("hij,hjc->hic", weights, v)

    def softmax_over_heads(q, k, v, causal=True):
        """Your softmax runs over the heads. Run it over the keys, the last axis: the weights of one query must sum to
        1."""
        with np.errstate(all="ignore"):
            return np.einsum("hij,hjc->hic", _softmax(_scores(q, k) + _bias_of(q, k, causal), axis=0), v)

    def heads_side_by_side(q, k, v, causal=True):
        """You join the heads into one row per query. Keep them apart: (H, n_queries, d_v)."""
        output = _attended(_scores(q, k) + _bias_of(q, k, causal), v)
        return output.swapaxes(0, 1).reshape(q.shape[1], -1)

    def rounded_to_integers(q, k, v, causal=True):
        """Your output is truncated to whole numbers because the input was integers. Weights are fractions, so let NumPy
        choose the dtype."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal), v).astype(q.dtype)

    def narrowed_to_float32(q, k, v, causal=True):
        """You return float32 although the input is float64. Keep double precision."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal), v).astype(np.float32)

    def scales_q_in_place(q, k, v, causal=True):
        """You write the scaled values into `q`, which belongs to the caller. `q /= ...` changes that array; `q / ...`
        makes a new one."""
        q /= q.shape[2] ** 0.5
        return _attended(np.einsum("hid,hjd->hij", q, k) + _bias_of(q, k, causal), v)
