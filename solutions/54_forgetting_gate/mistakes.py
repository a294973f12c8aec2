"""Wrong answers to 54_forgetting_gate; each docstring is what the learner is told."""
import numpy as np


def _log_sigmoid(logits):
    return -np.logaddexp(0.0, -logits)


def _past(log_gates):
    """True where the key is not after the query."""
    return np.tri(np.shape(log_gates)[-1], dtype=bool)                      # (n, n)


def _lost(log_gates):
    """Differences of running sums: right below the diagonal, not masked."""
    sums = np.cumsum(log_gates, axis=-1)
    return sums[..., :, None] - sums[..., None, :]                          # (..., n, n)


def _masked(bias, log_gates):
    return np.where(_past(log_gates), bias, -np.inf)


def _bias(log_gates):
    return _masked(_lost(log_gates), log_gates)


def _scores(q, k):
    return np.einsum("hid,hjd->hij", q, k) / q.shape[2] ** 0.5


def _softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _attended(scores, v):
    return np.einsum("hij,hjc->hic", _softmax(scores), v)


class log_forget_gates:
    def overflows_for_closed_gates(logits):
        """You compute exp(-x) or 1 / (1 + exp(-x)) for a very negative x. exp overflows, and the result is -inf instead
        of about x. Take exp of -|x|, which cannot overflow, and put min(x, 0) in front of the logarithm."""
        with np.errstate(all="ignore"):
            return -np.log1p(np.exp(-logits))

    def a_small_number_added(logits):
        """You add a small number to the sigmoid, or raise it to one, before the logarithm. So no result can be below
        about -28. Work with min(x, 0) and exp(-|x|): they need no such number."""
        with np.errstate(all="ignore"):
            return np.log(1 / (1 + np.exp(-logits)) + 1e-12)

    def logits_clipped(logits):
        """You clip the logits before you use them. exp no longer overflows, but a gate with logit -1000 must have the
        logarithm -1000. Use exp(-|x|) instead of clipping."""
        return _log_sigmoid(np.clip(logits, -30.0, 30.0))

    def logits_clipped_far_out(logits):
        """You clip the logits at -500, so stronger gates all get -500. exp no longer overflows, but a gate with logit
        -1000 must have the logarithm -1000. Use exp(-|x|) instead of clipping."""
        return _log_sigmoid(np.clip(logits, -500.0, 500.0))

    def sign_of_the_logit(logits):
        """You reverse the sign of the logits: a large logit closes your gate. log(sigmoid(x)) is -log(1 + exp(-x)),
        minus the softplus of -x, not of x."""
        return _log_sigmoid(-logits)

    def minus_forgotten(logits):
        """Your results are positive. A gate is below 1, so its logarithm is negative: the minus is missing."""
        return -_log_sigmoid(logits)

    def gate_not_its_logarithm(logits):
        """You return the gates themselves, between 0 and 1. Return their logarithms: later, sums of logarithms replace
        products of gates."""
        return np.exp(_log_sigmoid(logits))

    def logarithm_to_base_two(logits):
        """Your logarithm has base 2. The softmax uses powers of e, so use the natural logarithm, `np.log`."""
        return _log_sigmoid(logits) / np.log(2.0)

    def logarithm_to_base_ten(logits):
        """Your logarithm has base 10. The softmax uses powers of e, so use the natural logarithm, `np.log`."""
        return _log_sigmoid(logits) / np.log(10.0)

    def only_the_smaller_of_logit_and_zero(logits):
        """You return min(x, 0). That is right far from 0 only. Subtract log(1 + exp(-|x|))."""
        return np.minimum(logits, 0.0)

    def sign_of_the_correction(logits):
        """You add log(1 + exp(-|x|)) to min(x, 0). Subtract it: at logit 0, the result is -log(2)."""
        return np.minimum(logits, 0.0) + np.log1p(np.exp(-np.abs(logits)))

    def absolute_value_everywhere(logits):
        """You use -log(1 + exp(-|x|)) for all logits, which is right for positive ones only. For negative ones, x is
        missing: add min(x, 0)."""
        return -np.log1p(np.exp(-np.abs(logits)))

    def absolute_value_missing(logits):
        """You subtract log(1 + exp(-x)) from min(x, 0), so a negative logit counts twice. Inside the exponential, it
        must be -|x|."""
        with np.errstate(all="ignore"):
            return np.minimum(logits, 0.0) - np.logaddexp(0.0, -logits)

    def larger_of_logit_and_zero(logits):
        """You use max(x, 0) where min(x, 0) belongs, so open gates get a positive logarithm."""
        return np.maximum(logits, 0.0) - np.log1p(np.exp(-np.abs(logits)))

    def logarithm_of_the_tanh(logits):
        """Your gate is (1 + tanh(x)) / 2, which is the sigmoid of 2x. The sigmoid is (1 + tanh(x / 2)) / 2."""
        return _log_sigmoid(2.0 * logits)

    def softmax_over_the_tokens(logits):
        """You take a softmax over the last axis, so the gates of all tokens add up to 1. Each gate depends on its own
        logit only: use the sigmoid."""
        shifted = logits - np.max(logits, axis=-1, keepdims=True) if np.ndim(logits) else logits - logits
        return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True) if np.ndim(logits) else 1.0)

    def cut_to_whole_numbers(logits):
        """Whole logits give whole results in your code, for example because you write into a copy of the argument. Make
        a new array of floats."""
        return _log_sigmoid(logits).astype(np.asarray(logits).dtype)

    def writes_into_the_logits(logits):
        """You change the array `logits`, which belongs to the caller. `logits *= -1` writes into it; `-logits` makes a
        new array."""
        logits *= -1
        return -np.logaddexp(0.0, logits)

    def narrowed_to_float32(logits):
        """You return float32 gates although the logits are float64. Keep double precision: errors add up in the sums
        over many tokens."""
        return np.asarray(_log_sigmoid(logits), dtype=np.float32)


class forgetting_bias:
    def key_gate_counted(log_gates):
        """You also count the gate of the key: your sum begins at l = j. A gate forgets what was before its token, so
        begin at l = j + 1. The diagonal is then 0."""
        return _masked(_lost(log_gates) + log_gates[..., None, :], log_gates)

    def query_gate_left_out(log_gates):
        """Your sum runs over l = j..i - 1, one place too early: it has the key's gate and not the query's. Sum over l =
        j + 1..i. A running sum that begins with 0 shifts the gates in this way."""
        return _masked(_lost(log_gates) + log_gates[..., None, :] - log_gates[..., :, None], log_gates)

    def both_ends_left_out(log_gates):
        """You sum only the gates between key and query, l = j + 1..i - 1. The query's own gate counts too, if the key
        is before it: sum up to l = i."""
        earlier = _lost(log_gates) - log_gates[..., :, None]
        return _masked(np.where(np.eye(log_gates.shape[-1], dtype=bool), 0.0, earlier), log_gates)

    def rewards_distance(log_gates):
        """The sign is wrong: far keys gain. Subtract the running sum of the key from that of the query, not the other
        way round."""
        return _masked(-_lost(log_gates), log_gates)

    def future_left_open(log_gates):
        """Keys after the query have a positive bias, so they gain. The difference of running sums is positive there.
        Set all entries with j > i to -inf."""
        return _lost(log_gates)

    def future_left_zero(log_gates):
        """Keys after the query have a bias of 0, as `np.tril` makes it, so the softmax still gives them weight. They
        need -inf."""
        return np.where(_past(log_gates), _lost(log_gates), 0.0)

    def future_only_large(log_gates):
        """Keys after the query get a large negative number, and a high score can outweigh it. Use -inf, which no score
        can outweigh."""
        return np.where(_past(log_gates), _lost(log_gates), -1e9)

    def infinity_times_zero(log_gates):
        """You multiply a mask of zeros and ones by -inf, and 0 times infinity is NaN. Choose with `np.where`
        instead."""
        with np.errstate(invalid="ignore"):
            return _lost(log_gates) + ~_past(log_gates) * -np.inf

    def past_forbidden(log_gates):
        """Your mask is on the wrong side: it forbids the keys before the query. Forbid the keys after it, j > i."""
        return np.where(_past(log_gates).T, _lost(log_gates), -np.inf)

    def own_key_forbidden(log_gates):
        """Your mask forbids the query's own key too. Only keys after the query should be -inf. The first query would
        have nothing to attend to."""
        n = log_gates.shape[-1]
        return np.where(np.tri(n, n, -1, dtype=bool), _lost(log_gates), -np.inf)

    def both_directions(log_gates):
        """Keys after the query lose as much as keys before it. The gate only looks back: set entries with j > i to
        -inf."""
        return -np.abs(_lost(log_gates))

    def queries_and_keys_swapped(log_gates):
        """You have swapped the last two axes. A row is a query, a column is a key."""
        return np.swapaxes(_bias(log_gates), -1, -2)

    def summed_along_the_first_axis(log_gates):
        """Your running sum is along the first axis, which may be the heads. Sum along the tokens, the last axis."""
        sums = np.cumsum(log_gates, axis=0)
        return _masked(sums[..., :, None] - sums[..., None, :], log_gates)

    def product_of_the_gates(log_gates):
        """You return products of gates, between 0 and 1. Products multiply the weights. To add to the scores, you need
        their logarithm, the sum of the log gates."""
        return np.where(_past(log_gates), np.exp(np.where(_past(log_gates), _lost(log_gates), 0.0)), -np.inf)

    def logarithm_of_a_running_product(log_gates):
        """You multiply the gates and take the logarithm afterwards. After a closed gate, or after many tokens, the
        product is 0 and its logarithm -inf. Sum the log gates instead."""
        with np.errstate(all="ignore"):
            sums = np.log(np.cumprod(np.exp(log_gates), axis=-1))
            return _masked(sums[..., :, None] - sums[..., None, :], log_gates)

    def gates_instead_of_logarithms(log_gates):
        """You sum the gates instead of their logarithms. The argument already has logarithms: do not call `np.exp`."""
        return _bias(np.exp(log_gates))

    def sigmoid_taken_again(log_gates):
        """You take the log sigmoid of the argument. It already contains logarithms of gates: sum them as they are."""
        return _bias(_log_sigmoid(log_gates))

    def only_the_gate_of_the_query(log_gates):
        """Every key before the query loses the same, the query's own gate. Further keys lose more: add up the gates of
        all tokens from the one after the key to the query."""
        own = np.broadcast_to(log_gates[..., :, None], (*log_gates.shape, log_gates.shape[-1]))
        return _masked(np.where(np.eye(log_gates.shape[-1], dtype=bool), 0.0, own), log_gates)

    def only_the_gate_after_the_key(log_gates):
        """A key loses only the gate of the token after it, however far away the query is. Add up the gates of all
        tokens from there to the query."""
        after = np.concatenate([log_gates[..., 1:], log_gates[..., :1]], axis=-1)[..., None, :]
        own = np.broadcast_to(after, (*log_gates.shape, log_gates.shape[-1]))
        return _masked(np.where(np.eye(log_gates.shape[-1], dtype=bool), 0.0, own), log_gates)

    def gate_times_distance(log_gates):
        """You multiply the query's gate by the distance, as ALiBi does with its slope. Here every token in between has
        its own gate: sum them."""
        places = np.arange(log_gates.shape[-1])
        return _masked(log_gates[..., :, None] * (places[:, None] - places), log_gates)

    def one_slope_for_the_text(log_gates):
        """You use the mean of all log gates as a slope, so the same distance always costs the same. Sum the gates
        between key and query instead."""
        places = np.arange(log_gates.shape[-1])
        return _masked(np.mean(log_gates, axis=-1)[..., None, None] * (places[:, None] - places), log_gates)

    def mean_of_the_gates(log_gates):
        """You divide the sums by the distance, so a far key loses no more than a near one. Leave the sums as they
        are."""
        places = np.arange(log_gates.shape[-1])
        return _masked(_lost(log_gates) / np.maximum(places[:, None] - places, 1), log_gates)

    def first_gate_counted(log_gates):
        """You return the running sum up to the query for every key, so the whole row has one number, which a softmax
        ignores. Subtract the running sum of the key."""
        sums = np.cumsum(log_gates, axis=-1)[..., :, None]
        return _masked(np.broadcast_to(sums, (*log_gates.shape, log_gates.shape[-1])), log_gates)

    def sum_of_the_query_left_out(log_gates):
        """You return minus the running sum up to the key. Add the running sum up to the query: only the gates after the
        key count, and the diagonal is 0. A softmax would not notice, but this bias is wanted as it is."""
        sums = np.broadcast_to(np.cumsum(log_gates, axis=-1)[..., None, :], (*log_gates.shape, log_gates.shape[-1]))
        return _masked(-sums, log_gates)

    def every_text_with_every_other(log_gates):
        """You subtract every running sum from every other, also those of other heads and texts, as `np.subtract.outer`
        does. Index with [..., :, None] and [..., None, :] instead."""
        sums = np.cumsum(log_gates, axis=-1)
        if sums.ndim == 1:
            return _bias(log_gates)
        return np.subtract.outer(sums, sums)

    def summed_in_place(log_gates):
        """Your running sum is written into `log_gates`, which belongs to the caller. Leave out `out=`, and use
        `np.cumsum`, which makes a new array."""
        sums = np.cumsum(log_gates, axis=-1, out=log_gates)
        return _masked(sums[..., :, None] - sums[..., None, :], log_gates)

    def narrowed_to_float32(log_gates):
        """You return a float32 bias although the gates are float64. Keep double precision: the running sums of a long
        text need the digits."""
        return _bias(log_gates).astype(np.float32)


class forgetting_attention:
    def bias_scaled_too(q, k, v, log_gates):
        """You divide the bias by sqrt(d) together with the scores. Scale the scores first, then add the bias."""
        return _attended(_scores(q, k) + _bias(log_gates) / q.shape[2] ** 0.5, v)

    def scores_not_scaled(q, k, v, log_gates):
        """You do not divide the scores by sqrt(d). Divide them by the root of the width of `q`, its last axis, before
        you add the bias."""
        return _attended(_scores(q, k) * q.shape[2] ** 0.5 + _bias(log_gates), v)

    def divided_by_the_width(q, k, v, log_gates):
        """You divide the scores by d. Divide them by its square root."""
        return _attended(_scores(q, k) / q.shape[2] ** 0.5 + _bias(log_gates), v)

    def scaled_by_the_values_width(q, k, v, log_gates):
        """You scale the scores by the width of the values. Take d from the queries or the keys."""
        return _attended(_scores(q, k) * (q.shape[2] / v.shape[2]) ** 0.5 + _bias(log_gates), v)

    def gates_left_out(q, k, v, log_gates):
        """Your attention is causal, but it forgets nothing. Add `forgetting_bias(log_gates)` to the scores."""
        return _attended(_masked(_scores(q, k), log_gates), v)

    def bias_subtracted(q, k, v, log_gates):
        """You subtract the bias, so tokens that should be forgotten gain. Add it: its numbers are already negative."""
        return _attended(_masked(_scores(q, k) - _lost(log_gates), log_gates), v)

    def scores_multiplied(q, k, v, log_gates):
        """You multiply the scores by the gates. A negative score would gain by that. Add the logarithms of the gates to
        the scores."""
        kept = np.exp(np.where(_past(log_gates), _lost(log_gates), 0.0))
        return _attended(_masked(_scores(q, k) * kept, log_gates), v)

    def forgotten_after_the_softmax(q, k, v, log_gates):
        """You multiply the weights by the gates after the softmax, so they no longer add up to 1. Add the bias to the
        scores before the softmax."""
        weights = _softmax(_masked(_scores(q, k), log_gates)) * np.exp(_bias(log_gates))
        return np.einsum("hij,hjc->hic", weights, v)

    def values_fade_instead(q, k, v, log_gates):
        """You multiply each value by its own gate. A gate fades what was before its token, not the token itself. Add
        the bias to the scores."""
        return _attended(_masked(_scores(q, k), log_gates), v * np.exp(log_gates)[..., None])

    def log_gate_of_the_key_added(q, k, v, log_gates):
        """You add the key's own log gate to its scores, without any sum. Add `forgetting_bias(log_gates)`, which sums
        the gates after the key, up to the query."""
        return _attended(_masked(_scores(q, k) + log_gates[:, None, :], log_gates), v)

    def sigmoid_taken_again(q, k, v, log_gates):
        """You take the log sigmoid of the argument. `log_gates` already are logarithms of gates: pass them on as they
        are."""
        return _attended(_scores(q, k) + _bias(_log_sigmoid(log_gates)), v)

    def gates_of_the_first_head(q, k, v, log_gates):
        """You use the first head's gates for every head. Each head has its own gates: keep the first axis of the
        bias."""
        return _attended(_scores(q, k) + _bias(log_gates)[:1], v)

    def never_causal(q, k, v, log_gates):
        """A query sees the keys after it, and they even gain. The bias has -inf for them: do not replace it."""
        return _attended(_scores(q, k) + _lost(log_gates), v)

    def masked_with_zero(q, k, v, log_gates):
        """You set the scores of future keys to 0, and the softmax still gives them weight. They need -inf."""
        return _attended(np.where(_past(log_gates), _scores(q, k) + _lost(log_gates), 0.0), v)

    def masked_after_the_softmax(q, k, v, log_gates):
        """You remove the future after the softmax, so the weights no longer add up to 1. The bias must have its -inf
        when you add it, before the softmax."""
        weights = _softmax(_scores(q, k) + _lost(log_gates)) * _past(log_gates)
        return np.einsum("hij,hjc->hic", weights, v)

    def masked_with_a_large_number(q, k, v, log_gates):
        """You mask the future with a large negative number in place of the score. If the score of a visible key is
        lower still, the future wins. Use -inf."""
        return _attended(np.where(_past(log_gates), _scores(q, k) + _lost(log_gates), -1e4), v)

    def softmax_overflows(q, k, v, log_gates):
        """Your exponential overflows for large scores. Subtract the highest score of each row first."""
        with np.errstate(all="ignore"):
            weights = np.exp(_scores(q, k) + _bias(log_gates))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_of_all(q, k, v, log_gates):
        """You subtract the highest score of all rows. If a row lies far below it, every exponential in that row is 0.
        Subtract the highest score of each row."""
        scores = _scores(q, k) + _bias(log_gates)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_with_the_future(q, k, v, log_gates):
        """You take the highest score before you add the bias. If it belongs to a future key, every exponential in the
        row may be 0. Add the bias first."""
        scores = _scores(q, k)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True) + _bias(log_gates))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_before_the_bias(q, k, v, log_gates):
        """You take the highest score before you add the bias. If a closed gate hides its key, every exponential in the
        row may be 0. Add the bias first."""
        scores = _masked(_scores(q, k), log_gates)
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True) + _bias(log_gates))
            return np.einsum("hij,hjc->hic", weights / weights.sum(axis=-1, keepdims=True), v)

    def weights_not_divided(q, k, v, log_gates):
        """The weights of a query do not add up to 1. Divide them by their sum over the keys."""
        scores = _scores(q, k) + _bias(log_gates)
        return np.einsum("hij,hjc->hic", np.exp(scores - scores.max(axis=-1, keepdims=True)), v)

    def softmax_over_queries(q, k, v, log_gates):
        """Your softmax runs over the queries. Run it over the keys, the last axis: the weights of one query must add up
        to 1."""
        return np.einsum("hij,hjc->hic", _softmax(_scores(q, k) + _bias(log_gates), axis=1), v)

    def softmax_over_heads(q, k, v, log_gates):
        """Your softmax runs over the heads. Run it over the keys, the last axis: the weights of one query must add up
        to 1."""
        with np.errstate(all="ignore"):
            return np.einsum("hij,hjc->hic", _softmax(_scores(q, k) + _bias(log_gates), axis=0), v)

    def queries_and_keys_swapped(q, k, v, log_gates):
        """You multiply k by q, so the rows of your scores are keys. Rows must be queries, as in the bias: q @
        k.swapaxes(-1, -2)."""
        return _attended(_scores(k, q) + _bias(log_gates), v)

    def heads_side_by_side(q, k, v, log_gates):
        """You join the heads into one row per token. Keep them apart: (H, n, d_v)."""
        return _attended(_scores(q, k) + _bias(log_gates), v).swapaxes(0, 1).reshape(q.shape[1], -1)

    def cut_to_whole_numbers(q, k, v, log_gates):
        """Your output is cut to whole numbers because the input was integers. Weights are fractions, so let NumPy
        choose the dtype."""
        return _attended(_scores(q, k) + _bias(log_gates), v).astype(q.dtype)

    def scales_q_in_place(q, k, v, log_gates):
        """You write the scaled values into `q`, which belongs to the caller. `q /= ...` changes that array; `q / ...`
        makes a new one."""
        q /= q.shape[2] ** 0.5
        return _attended(np.einsum("hid,hjd->hij", q, k) + _bias(log_gates), v)

    def narrowed_to_float32(q, k, v, log_gates):
        """The output is float32 although the input is float64. Keep double precision."""
        return _attended(_scores(q, k) + _bias(log_gates), v).astype(np.float32)
