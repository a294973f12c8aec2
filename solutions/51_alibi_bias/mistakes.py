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
        """This is one geometric sequence for every count. It is right for powers of two only: 6 heads take
        the slopes of 4, then the 1st and the 3rd of 8."""
        return _geometric(n_heads)

    def counts_from_zero(n_heads):
        """The heads are counted from 0, so the first slope is 1; h runs from 1 to H and the last slope is
        1/256."""
        return _slopes(n_heads) * 2.0 ** (8 / _power(n_heads))

    def eight_heads_assumed(n_heads):
        """The slopes halve from head to head whatever the count; that is so for 8 heads only: the exponent is
        8h/H."""
        return 0.5 ** np.arange(1, n_heads + 1)

    def halves_after_the_first(n_heads):
        """The first slope, 2 ** (-8/H), is right, but the ratio is fixed at 1/2; the first slope is the ratio
        too."""

        def halving(n):
            return 2.0 ** (-8 / n) * 0.5 ** np.arange(n)

        power = _power(n_heads)
        return np.concatenate([halving(power), halving(2 * power)[0::2][: n_heads - power]])

    def whole_number_exponent(n_heads):
        """The exponent was cut to a whole number: `//` rounds 8/H; divide with `/`."""

        def stepping(n):
            return 2.0 ** (-np.arange(1, n + 1) * (8 // n))

        power = _power(n_heads)
        return np.concatenate([stepping(power), stepping(2 * power)[0::2][: n_heads - power]])

    def missing_minus(n_heads):
        """The minus of the exponent is missing: slopes lie between 0 and 1, the first being the largest of a
        power of two."""
        return 1 / _slopes(n_heads)

    def base_e(n_heads):
        """The base is e here: the slopes are powers of 2, so use `2.0 **` instead of `np.exp`."""
        return np.exp(np.log2(_slopes(n_heads)))

    def evenly_spaced(n_heads):
        """The slopes go down in even steps; their exponents do, so each slope is the one before times a
        constant."""
        return np.linspace(2.0 ** (-8 / n_heads), 2.0**-8, n_heads)

    def flattest_first(n_heads):
        """The slopes come flattest first; head 1 is the steepest of a power of two."""
        return _slopes(n_heads)[::-1]

    def next_slopes_in_a_row(n_heads):
        """The missing slopes are the first of twice the power of two, one after the other; take every other
        one, or some slopes occur twice."""
        power = _power(n_heads)
        return np.concatenate([_geometric(power), _geometric(2 * power)[: n_heads - power]])

    def second_of_every_two(n_heads):
        """The missing slopes are the 2nd, 4th, ... of twice the power of two, which the heads before have
        already; take the 1st, 3rd, ..."""
        power = _power(n_heads)
        return np.concatenate([_geometric(power), _geometric(2 * power)[1::2][: n_heads - power]])

    def new_slopes_first(n_heads):
        """The slopes from twice the power of two come first; they belong behind those of the power itself."""
        return np.roll(_slopes(n_heads), n_heads - _power(n_heads))

    def sorted_slopes(n_heads):
        """The slopes are sorted; the released code leaves the additional ones at the end."""
        return np.sort(_slopes(n_heads))[::-1]

    def rounded_up(n_heads):
        """These are the first slopes of the next larger power of two; take all of the next smaller one, then
        every other slope of twice that."""
        power = _power(n_heads)
        return _geometric(n_heads) if power == n_heads else _geometric(2 * power)[:n_heads]


class alibi_bias:
    def rewards_distance(n_heads, n_queries, n_keys=None, causal=True):
        """The sign is the other way round: far keys gain. The bias is -slope times the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, -np.abs(ahead), causal & (ahead > 0))

    def future_rewarded(n_heads, n_queries, n_keys=None, causal=True):
        """Without `causal` keys after the query gain, the more the further ahead: the distance needs its
        absolute value."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, -ahead, causal & (ahead > 0))

    def future_free(n_heads, n_queries, n_keys=None, causal=True):
        """Without `causal` keys after the query cost nothing; they cost as much as keys equally far before
        it."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.maximum(-ahead, 0), causal & (ahead > 0))

    def queries_come_first(n_heads, n_queries, n_keys=None, causal=True):
        """Query i is taken to stand at position i; when there are fewer queries than keys, they are the last
        ones: i + n_keys - n_queries."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = np.arange(n_keys) - np.arange(n_queries)[:, None]
        return _biased(n_heads, np.abs(ahead), causal & (ahead > 0))

    def mask_comes_first(n_heads, n_queries, n_keys=None, causal=True):
        """The distances are right, but the mask takes query i to stand at position i: `np.triu` needs its
        offset n_keys - n_queries as well."""
        n_keys = n_queries if n_keys is None else n_keys
        forbidden = np.triu(np.ones((n_queries, n_keys), dtype=bool), 1)
        return _biased(n_heads, np.abs(_ahead(n_queries, n_keys)), causal & forbidden)

    def past_forbidden(n_heads, n_queries, n_keys=None, causal=True):
        """The mask is on the wrong side: it forbids the keys before the query instead of those after it."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.abs(ahead), causal & (ahead < 0))

    def own_key_forbidden(n_heads, n_queries, n_keys=None, causal=True):
        """The mask forbids the query's own position too; only keys after the query are -inf."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.abs(ahead), causal & (ahead >= 0))

    def future_left_zero(n_heads, n_queries, n_keys=None, causal=True):
        """Keys after the query have a bias of 0, so a softmax still sees them: they need -inf."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        bias = _bias(n_heads, n_queries, n_keys, False)
        return np.where(ahead > 0, 0.0, bias) if causal else bias

    def future_only_large(n_heads, n_queries, n_keys=None, causal=True):
        """Keys after the query have a large negative number; a high score can outdo it, -inf cannot be
        outdone."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.maximum(_bias(n_heads, n_queries, n_keys, causal), -1e9)

    def infinity_times_zero(n_heads, n_queries, n_keys=None, causal=True):
        """The mask of zeros and ones is multiplied by -inf, and 0 times infinity is NaN: choose with
        `np.where`."""
        n_keys = n_queries if n_keys is None else n_keys
        bias = _bias(n_heads, n_queries, n_keys, False)
        with np.errstate(invalid="ignore"):
            return bias + (_ahead(n_queries, n_keys) > 0) * -np.inf if causal else bias

    def causal_left_out(n_heads, n_queries, n_keys=None, causal=True):
        """No key is forbidden although `causal` is True: the argument is left out, or turned round."""
        n_keys = n_queries if n_keys is None else n_keys
        return _bias(n_heads, n_queries, n_keys, False)

    def always_causal(n_heads, n_queries, n_keys=None, causal=True):
        """Keys after the query are forbidden although `causal` is False: the argument is left out, or turned
        round."""
        n_keys = n_queries if n_keys is None else n_keys
        return _bias(n_heads, n_queries, n_keys, True)

    def key_position_times_slope(n_heads, n_queries, n_keys=None, causal=True):
        """This is slope times the key's position, as BLOOM's code has it. After a causal softmax it comes to
        the same, but the bias asked for is -slope times the distance."""
        n_keys = n_queries if n_keys is None else n_keys
        if not causal:
            return _bias(n_heads, n_queries, n_keys, False)
        return _biased(n_heads, -np.arange(n_keys), _ahead(n_queries, n_keys) > 0)

    def counts_from_one(n_heads, n_queries, n_keys=None, causal=True):
        """The distances are counted from 1: a query's own key is 0 positions away and costs nothing."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.abs(ahead) + 1, causal & (ahead > 0))

    def positions_added(n_heads, n_queries, n_keys=None, causal=True):
        """The positions of query and key are added; their distance is the difference."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, 2 * np.arange(n_keys) - ahead, causal & (ahead > 0))

    def logarithm_of_distance(n_heads, n_queries, n_keys=None, causal=True):
        """The bias goes with the logarithm of the distance; in ALiBi it is linear."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        return _biased(n_heads, np.log1p(np.abs(ahead)), causal & (ahead > 0))

    def one_slope_for_all(n_heads, n_queries, n_keys=None, causal=True):
        """All heads have the slope of the first; each head has its own."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.repeat(_bias(n_heads, n_queries, n_keys, causal)[:1], n_heads, axis=0)

    def naive_slopes(n_heads, n_queries, n_keys=None, causal=True):
        """The slopes are 2 ** (-8h/H) for every count of heads; take them from `alibi_slopes`, which has
        another rule where H is no power of two."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        bias = _geometric(n_heads)[:, None, None] * -np.abs(ahead)
        return np.where(causal & (ahead > 0), -np.inf, bias)

    def slopes_along_the_keys(n_heads, n_queries, n_keys=None, causal=True):
        """The slopes lie along the keys instead of along an axis of their own: index them with [:, None,
        None]."""
        n_keys = n_queries if n_keys is None else n_keys
        ahead = _ahead(n_queries, n_keys)
        bias = -np.abs(ahead) * _slopes(n_heads)                            # fails unless n_heads == n_keys
        return np.where(causal & (ahead > 0), -np.inf, np.broadcast_to(bias, (n_heads, n_queries, n_keys)))

    def heads_last(n_heads, n_queries, n_keys=None, causal=True):
        """The heads are the last axis; they are the first: (n_heads, n_queries, n_keys)."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.moveaxis(_bias(n_heads, n_queries, n_keys, causal), 0, -1)

    def queries_and_keys_swapped(n_heads, n_queries, n_keys=None, causal=True):
        """The last two axes are swapped: a row is a query, a column a key."""
        n_keys = n_queries if n_keys is None else n_keys
        return np.swapaxes(_bias(n_heads, n_queries, n_keys, causal), 1, 2)

    def n_keys_ignored(n_heads, n_queries, n_keys=None, causal=True):
        """The argument `n_keys` is not used: the bias has as many columns as there are keys."""
        return _bias(n_heads, n_queries, n_queries, causal)


class alibi_attention:
    def bias_scaled_too(q, k, v, causal=True):
        """The bias is divided by sqrt(d) with the scores; it is added after the scaling."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal) / q.shape[2] ** 0.5, v)

    def scores_not_scaled(q, k, v, causal=True):
        """The scores are not divided by sqrt(d)."""
        return _attended(_scores(q, k) * q.shape[2] ** 0.5 + _bias_of(q, k, causal), v)

    def divided_by_the_width(q, k, v, causal=True):
        """The scores are divided by d; divide by its square root."""
        return _attended(_scores(q, k) / q.shape[2] ** 0.5 + _bias_of(q, k, causal), v)

    def scaled_by_the_values_width(q, k, v, causal=True):
        """The scores are scaled by the width of the values; d is the width of queries and keys."""
        scores = _scores(q, k) * (q.shape[2] / v.shape[2]) ** 0.5
        return _attended(scores + _bias_of(q, k, causal), v)

    def bias_left_out(q, k, v, causal=True):
        """The mask is there, the penalty for distance is not: add the whole of `alibi_bias` to the scores."""
        bias = _bias_of(q, k, causal)
        return _attended(_scores(q, k) + np.where(np.isneginf(bias), bias, np.zeros_like(bias)), v)

    def bias_subtracted(q, k, v, causal=True):
        """The bias is subtracted; its minus is in it already, so add it."""
        bias = _bias_of(q, k, causal)
        return _attended(_scores(q, k) + np.where(np.isneginf(bias), bias, -bias), v)

    def bias_of_one_head(q, k, v, causal=True):
        """Every head gets the bias of the first; each has a slope of its own."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal)[:1], v)

    def fades_after_the_softmax(q, k, v, causal=True):
        """The weights fade with the distance after the softmax, so they no longer add up to 1: add the bias
        to the scores before it."""
        weights = _softmax(_scores(q, k)) * np.exp(_bias_of(q, k, causal))
        return np.einsum("hij,hjc->hic", weights, v)

    def masked_after_the_softmax(q, k, v, causal=True):
        """The future is cut out after the softmax, so the weights no longer add up to 1: mask the scores,
        with -inf."""
        weights = _softmax(_scores(q, k) + _bias_of(q, k, False))
        return np.einsum("hij,hjc->hic", weights * ~np.isneginf(_bias_of(q, k, causal)), v)

    def masked_with_zero(q, k, v, causal=True):
        """The scores of future keys are set to 0, which a softmax still sees; they need -inf."""
        scores = _scores(q, k) + _bias_of(q, k, False)
        return _attended(np.where(np.isneginf(_bias_of(q, k, causal)), 0.0, scores), v)

    def masked_scores_replaced_by_a_number(q, k, v, causal=True):
        """The scores of future keys are replaced by a large negative number, and a key that may be seen loses
        to them if its score is lower still; take -inf."""
        scores = _scores(q, k) + _bias_of(q, k, causal)
        return _attended(np.where(np.isneginf(scores), -1e9, scores), v)

    def masked_with_a_large_number(q, k, v, causal=True):
        """The future is masked with a large negative number, which a high score can outdo; take -inf."""
        return _attended(_scores(q, k) + np.maximum(_bias_of(q, k, causal), -1e9), v)

    def bias_of_the_first_queries(q, k, v, causal=True):
        """With fewer queries than keys these are the first rows of the square bias; the queries are the last
        positions, so it is the last rows."""
        return _attended(_scores(q, k) + _bias_of(k, k, causal)[:, : q.shape[1]], v)

    def causal_not_handed_on(q, k, v, causal=True):
        """The argument `causal` is not handed on to `alibi_bias`, so the future is masked even with
        `causal=False`."""
        return _attended(_scores(q, k) + _bias_of(q, k, True), v)

    def never_causal(q, k, v, causal=True):
        """No key is masked: with `causal` a query sees no key after itself."""
        return _attended(_scores(q, k) + _bias_of(q, k, False), v)

    def softmax_overflows(q, k, v, causal=True):
        """The exponential overflows for large scores: subtract the highest score of each row first."""
        with np.errstate(all="ignore"):
            weights = np.exp(_scores(q, k) + _bias_of(q, k, causal))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_of_all(q, k, v, causal=True):
        """The highest score of all rows is subtracted, so in a row far below it every exponential is 0: take
        the highest of each row."""
        scores = _scores(q, k) + _bias_of(q, k, causal)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_of_the_head(q, k, v, causal=True):
        """The highest score of each head is subtracted, so in a row far below it every exponential is 0: take
        the highest of each row."""
        scores = _scores(q, k) + _bias_of(q, k, causal)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_with_the_future(q, k, v, causal=True):
        """The highest score is taken before the mask is on; if it belongs to a future key, all that is left
        may be 0. Add the bias first."""
        scores = _scores(q, k)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True) + _bias_of(q, k, causal))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def softmax_over_queries(q, k, v, causal=True):
        """The softmax runs over the queries; for each query the weights of its keys add up to 1, so it is the
        last axis."""
        weights = _softmax(_scores(q, k) + _bias_of(q, k, causal), axis=1)
        return np.einsum("hij,hjc->hic", weights, v)

    def softmax_over_heads(q, k, v, causal=True):
        """The softmax runs over the heads; for each query the weights of its keys add up to 1, so it is the
        last axis."""
        with np.errstate(all="ignore"):
            return np.einsum("hij,hjc->hic", _softmax(_scores(q, k) + _bias_of(q, k, causal), axis=0), v)

    def heads_side_by_side(q, k, v, causal=True):
        """The heads are joined into one row per query; keep them apart: (H, n_queries, d_v)."""
        output = _attended(_scores(q, k) + _bias_of(q, k, causal), v)
        return output.swapaxes(0, 1).reshape(q.shape[1], -1)

    def rounded_to_integers(q, k, v, causal=True):
        """The output is cut to whole numbers, as the input was; weights are fractions, so let NumPy choose the
        dtype of the output."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal), v).astype(q.dtype)

    def narrowed_to_float32(q, k, v, causal=True):
        """The output is float32 although float64 came in; leave the numbers in double precision."""
        return _attended(_scores(q, k) + _bias_of(q, k, causal), v).astype(np.float32)

    def scales_q_in_place(q, k, v, causal=True):
        """The scaling is written into `q` itself: `q /= ...` changes the caller's array, `q / ...` makes a
        new one."""
        q /= q.shape[2] ** 0.5
        return _attended(np.einsum("hid,hjd->hij", q, k) + _bias_of(q, k, causal), v)
