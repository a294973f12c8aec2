"""Wrong answers to 55_contextual_positions; each docstring is what the learner is told."""
import numpy as np


def _past(scores):
    """True where the key is not after the query."""
    return np.tri(scores.shape[-1], dtype=bool)                             # (n, n)


def _sigmoid(scores):
    return np.exp(-np.logaddexp(0.0, -scores))


def _gates(scores):
    """The gates of the keys up to the query, 0 after it."""
    return _sigmoid(np.where(_past(scores), scores, -np.inf))


def _back(gates):
    """Sums from the last key back."""
    return np.cumsum(gates[..., ::-1], axis=-1)[..., ::-1]


def _positions(scores):
    return _back(_gates(scores))


def _read(products, positions):
    """Products of queries and rows (..., n, P), read at these positions (..., n, n)."""
    places = np.minimum(positions, products.shape[-1] - 1)
    below = np.minimum(np.floor(places).astype(int), products.shape[-1] - 2)
    share = places - below
    return (1 - share) * np.take_along_axis(products, below, -1) + share * np.take_along_axis(products, below + 1, -1)


def _logits(q, table, positions):
    return _read(q @ table.T, positions)


def _scores(q, k):
    return np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5


def _softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


def _masked(scores, hidden=-np.inf):
    return np.where(_past(scores), scores, hidden)


def _attended(scores, v):
    """Causal attention with these scores."""
    return np.einsum("...ij,...jc->...ic", _softmax(_masked(scores)), v)


def _with_logits(q, k, table):
    scores = _scores(q, k)
    return scores + _logits(q, table, _positions(scores))


class gated_positions:
    def counted_from_the_first_key(scores):
        """You sum the gates from the first key to this one, as `np.cumsum` does. Sum from the key to the query, l =
        j..i: the position says how far back the key is. Flip the last axis before the sum and after it."""
        return np.where(_past(scores), np.cumsum(_gates(scores), axis=-1), 0.0)

    def own_token_not_counted(scores):
        """You do not count the query's own token, so each diagonal entry is 0. The sum includes l = i: the own token is
        at position sigmoid(score), not at 0."""
        n = scores.shape[-1]
        return _back(np.where(np.tri(n, n, -1, dtype=bool), _gates(scores), 0.0))

    def key_not_counted(scores):
        """Your sum begins after the key, at l = j + 1. The gate of the key counts too: begin at l = j."""
        return _positions(scores) - _gates(scores)

    def future_counted(scores):
        """You also count tokens after the query. Set their gates to 0, or their scores to -inf, before you sum."""
        return _back(_sigmoid(scores))

    def masked_after_the_sum(scores):
        """You set the entries above the diagonal to 0 after the sum. The other sums then still contain gates of tokens
        after the query. Close these gates before you sum."""
        return np.where(_past(scores), _back(_sigmoid(scores)), 0.0)

    def future_scores_set_to_zero(scores):
        """You set the scores after the query to 0, and the sigmoid of 0 is 1/2. So each of these tokens counts half.
        Set the gates to 0, or the scores to -inf."""
        return _back(_sigmoid(np.where(_past(scores), scores, 0.0)))

    def future_counted_half(scores):
        """Each token after the query counts half: you set its score to 0, and the sigmoid of 0 is 1/2. Zeros above the
        diagonal of the result do not undo that. Set the gates to 0, or the scores to -inf."""
        return np.where(_past(scores), _back(_sigmoid(np.where(_past(scores), scores, 0.0))), 0.0)

    def minus_infinity_times_zero(scores):
        """You multiply the scores by a mask of zeros and ones. -inf times 0 is NaN, and a score of 0 would open the
        gate by half. Choose with `np.where`, or multiply the gates."""
        with np.errstate(invalid="ignore"):
            return _back(_sigmoid(scores * _past(scores)))

    def future_at_minus_infinity(scores):
        """Positions above the diagonal are -inf. They are counts, not scores: the sum has no gates there, so it is
        0."""
        return _masked(_positions(scores))

    def gates_not_summed(scores):
        """You return the gates. Sum them from the key to the query."""
        return _gates(scores)

    def scores_summed(scores):
        """You sum the scores themselves. A gate is between 0 and 1: take the sigmoid of the scores first."""
        return _back(np.where(_past(scores), scores, 0.0))

    def gate_is_open_or_closed(scores):
        """Your gates are 0 or 1. The sigmoid is in between, and only then can gradients train it."""
        return _back(np.where(_past(scores), scores > 0, False).astype(float))

    def softmax_as_gate(scores):
        """You take a softmax for the gates, so all gates of a query add up to 1. Each gate depends on its own score
        only: use the sigmoid."""
        return _back(_softmax(_masked(scores)))

    def softmax_over_all_keys_as_gate(scores):
        """You take a softmax over all keys for the gates, those after the query too. Each gate depends on its own score
        only: use the sigmoid, and give tokens after the query the gate 0."""
        return _back(np.where(_past(scores), _softmax(scores), 0.0))

    def exponential_as_gate(scores):
        """You take exp(score) as a gate, so one token can count as many. The sigmoid is exp(score) / (1 + exp(score)):
        no token counts more than 1."""
        with np.errstate(over="ignore"):
            return _back(np.exp(_masked(scores)))

    def tanh_as_gate(scores):
        """You take (1 + tanh(score)) / 2 as a gate, which is the sigmoid of twice the score. Halve the score inside."""
        return _back(_gates(2.0 * scores))

    def gates_turned_round(scores):
        """Your gates are the sigmoid of minus the score: high scores close them. The sigmoid is 1 / (1 + exp(-score)),
        with a minus inside the exponential."""
        return _back(np.where(_past(scores), _sigmoid(-scores), 0.0))

    def sigmoid_overflows(scores):
        """You compute exp(s) / (1 + exp(s)), and for a large score that is inf / inf, NaN. Use 1 / (1 + exp(-s)), whose
        overflow gives the right 0, or another form that is stable."""
        with np.errstate(all="ignore"):
            powers = np.exp(_masked(scores))
            return _back(powers / (1.0 + powers))

    def every_token_counted(scores):
        """You count all tokens, i - j + 1, whatever the scores are. Each token counts as much as its gate says."""
        places = np.arange(scores.shape[-1])
        return np.broadcast_to(np.maximum(places[:, None] - places + 1.0, 0.0), scores.shape)

    def summed_along_the_queries(scores):
        """You sum along the axis of the queries. Each query counts the keys, along the last axis."""
        return np.cumsum(_gates(scores)[..., ::-1, :], axis=-2)[..., ::-1, :]

    def not_flipped_back(scores):
        """You flip the keys before the sum, but not after it. Flip the last axis of the result, too."""
        return np.cumsum(_gates(scores)[..., ::-1], axis=-1)

    def queries_and_keys_swapped(scores):
        """You have swapped the last two axes. A row is a query, a column is a key."""
        return np.swapaxes(_positions(scores), -1, -2)

    def whole_positions(scores):
        """You round the positions. Leave the fractions: task 2 reads between the rows of the table."""
        return np.rint(_positions(scores))

    def mean_of_the_gates(scores):
        """You take the mean of the gates from the key to the query. Their sum says how far back the key is."""
        places = np.arange(scores.shape[-1])
        return _positions(scores) / np.maximum(places[:, None] - places + 1, 1)

    def gates_cut_to_whole_numbers(scores):
        """Whole scores give whole positions in your code, because you write the gates into an array of integers. Make
        an array of floats."""
        return _back(_gates(scores).astype(np.asarray(scores).dtype))

    def writes_into_the_scores(scores):
        """You write -inf into the array `scores`, which belongs to the caller. Use `np.where`, which makes a new array.
        An array of integers cannot hold -inf at all."""
        scores[..., ~_past(scores)] = -np.inf
        return _back(_sigmoid(scores))

    def narrowed_to_float32(scores):
        """You return float32 positions although the scores are float64. Keep double precision."""
        return _positions(scores).astype(np.float32)


class position_logits:
    def nearest_row(q, table, positions):
        """You round to the nearest row. Read between two rows: a position of 2.25 takes three quarters of row 2 and one
        quarter of row 3."""
        places = np.minimum(np.floor(positions + 0.5), len(table) - 1).astype(int)
        return np.take_along_axis(q @ table.T, places, axis=-1)

    def rounded_to_the_even_row(q, table, positions):
        """You round to the nearest row, and halves to an even one, as `np.rint` and `np.round` do. Read between two
        rows: a position of 2.25 takes three quarters of row 2 and one quarter of row 3."""
        places = np.rint(np.minimum(positions, len(table) - 1)).astype(int)
        return np.take_along_axis(q @ table.T, places, axis=-1)

    def row_below(q, table, positions):
        """You cut the position to a whole number and take that row only. Add the share of the row above."""
        return np.take_along_axis(q @ table.T, np.minimum(positions, len(table) - 1).astype(int), axis=-1)

    def row_above(q, table, positions):
        """You round the position up and take that row only. Add the share of the row below."""
        return np.take_along_axis(q @ table.T, np.ceil(np.minimum(positions, len(table) - 1)).astype(int), axis=-1)

    def shares_swapped(q, table, positions):
        """You swap the shares. The fraction of the position is the share of the row above: 2.25 takes one quarter of
        row 3."""
        places = np.minimum(positions, len(table) - 1)
        below = np.floor(places)
        return _logits(q, table, np.where(places == below, places, 2.0 * below + 1.0 - places))

    def mean_of_both_rows(q, table, positions):
        """You take the mean of the rows below and above. Weight them by the fraction of the position."""
        places = np.minimum(positions, len(table) - 1)
        return (_logits(q, table, np.floor(places)) + _logits(q, table, np.ceil(places))) / 2.0

    def past_the_end(q, table, positions):
        """You read rows that the table does not have. Clamp the positions to P - 1, the number of the last row, and
        never read the row after it."""
        products, below = q @ table.T, np.floor(positions).astype(int)
        share = positions - below
        low, high = (np.take_along_axis(products, row, axis=-1) for row in (below, below + 1))
        return (1 - share) * low + share * high

    def starts_again_at_the_end(q, table, positions):
        """After the last row you begin with the first one again, as with `%` or `mode="wrap"`. A far key must look like
        the last row: clamp the positions to P - 1."""
        return _logits(q, table, np.where(positions > len(table) - 1, positions % len(table), positions))

    def last_row_joined_to_the_first(q, table, positions):
        """After the last row you read between it and row 0, and then start again: you take the numbers of both rows
        modulo P. A far key must look like the last row: clamp the positions to P - 1."""
        products, below = q @ table.T, np.floor(positions).astype(int)
        low, high = (np.take_along_axis(products, row % len(table), axis=-1) for row in (below, below + 1))
        return low + (positions - below) * (high - low)

    def starts_again_at_the_last_row(q, table, positions):
        """You take the positions modulo P - 1, so row 0 replaces the last row, and far keys start again. A far key must
        look like the last row: clamp with `np.minimum`, not with `%`."""
        return _logits(q, table, positions % (len(table) - 1.0))

    def line_goes_on_after_the_end(q, table, positions):
        """After the last row you continue the line through the last two rows. Clamp the positions to P - 1 before you
        compute the fraction."""
        products = q @ table.T
        beyond = np.maximum(positions - (len(table) - 1), 0.0)
        return _read(products, positions) + beyond * (products[..., -1:] - products[..., -2:-1])

    def clamped_one_too_early(q, table, positions):
        """You clamp the positions to P - 2, so nothing reads the last row. The rows have the numbers 0 to P - 1."""
        return _logits(q, table, np.minimum(positions, len(table) - 2))

    def table_cut_to_the_text(q, table, positions):
        """You keep only the first n rows of the table, as for a table with one row per token. A text of n tokens
        counts up to n and needs row n: use the whole table."""
        return _logits(q, table[: max(q.shape[-2], 2)], positions)

    def nothing_after_the_end(q, table, positions):
        """Positions after the last row get 0. They get the last row: clamp them to P - 1."""
        return np.where(positions > len(table) - 1, 0.0, _logits(q, table, positions))

    def fades_after_the_end(q, table, positions):
        """After the last row the logits fade to 0, for example because row m has the weight max(0, 1 - |p - m|). Clamp
        the positions to P - 1 before you compute the weights."""
        last = len(table) - 1
        return _logits(q, table, positions) * np.maximum(1.0 - np.maximum(positions - last, 0.0), 0.0)

    def counted_from_one(q, table, positions):
        """You read row p - 1 at position p. Row 0 is for position 0, which occurs if all gates are closed."""
        return _logits(q, table, np.maximum(positions - 1.0, 0.0))

    def table_from_the_other_end(q, table, positions):
        """Your table runs the wrong way: you read its last row at position 0. Row p is for position p."""
        return _logits(q, table[::-1], positions)

    def table_stretched(q, table, positions):
        """You stretch the positions over the whole table. A position is the number of a row, whatever the largest
        position is."""
        return _logits(q, table, positions * (len(table) - 1) / max(np.max(positions), 1e-9))

    def future_masked(q, table, positions):
        """You set the entries above the diagonal to -inf. Nothing is masked here: task 3 masks the sum with the
        scores."""
        return _masked(_logits(q, table, positions))

    def future_left_zero(q, table, positions):
        """You set the entries above the diagonal to 0. Nothing is masked here: read the table for all positions."""
        return _masked(_logits(q, table, positions), 0.0)

    def future_positions_set_to_zero(q, table, positions):
        """You set the positions above the diagonal to 0, so you read row 0 there. Nothing is masked here: read the
        table at all positions."""
        return _logits(q, table, np.where(_past(positions), positions, 0.0))

    def divided_by_the_root_of_the_width(q, table, positions):
        """You divide the logits by sqrt(d). The listing of the paper divides only the products of queries and keys. Its
        release divides both, unless it is run with `--cope-nodiv`."""
        return _logits(q, table, positions) / q.shape[-1] ** 0.5

    def vector_of_the_key(q, table, positions):
        """You multiply the table with row j of `q` where row i belongs. The query decides the logit of a position:
        entry [i, j] needs query i."""
        return np.swapaxes(_logits(q, table, np.swapaxes(positions, -1, -2)), -1, -2)

    def positions_transposed(q, table, positions):
        """You read the positions of column i for query i. Row i of the positions belongs to query i."""
        return _logits(q, table, np.swapaxes(positions, -1, -2))

    def without_the_query(q, table, positions):
        """You sum the entries of a row of the table. Multiply them with the query: each query can prefer other
        positions."""
        return _logits(np.ones_like(q), table, positions)

    def smooth_step(q, table, positions):
        """You read between two rows along a curve. Use a straight line: the share of the row above is the fraction of
        the position."""
        places = np.minimum(positions, len(table) - 1)
        share = places - np.floor(places)
        return _logits(q, table, np.floor(places) + share * share * (3.0 - 2.0 * share))

    def query_of_the_first_head(q, table, positions):
        """You use the queries of the first text or head for all leading axes. Each text and each head has its own
        queries."""
        return _logits(np.broadcast_to(q[(0,) * (q.ndim - 2)], q.shape), table, positions)

    def cut_to_whole_numbers(q, table, positions):
        """Whole queries and rows give whole logits in your code, because you write them into an array of integers. Make
        an array of floats."""
        return _logits(q, table, positions).astype(q.dtype)

    def clamped_in_place(q, table, positions):
        """You clamp the array `positions` itself, which belongs to the caller. `np.minimum(positions, ...)` without
        `out=` makes a new array."""
        np.minimum(positions, len(table) - 1, out=positions)
        return _logits(q, table, positions)

    def narrowed_to_float32(q, table, positions):
        """You return float32 logits although the queries are float64. Keep double precision."""
        return _logits(q, table, positions).astype(np.float32)


class contextual_attention:
    def gates_from_unscaled_scores(q, k, v, table):
        """Your gates come from q k^T before it is divided by sqrt(d). Divide first: gates and weights use the same
        scores."""
        scores = _scores(q, k)
        return _attended(scores + _logits(q, table, _positions(scores * q.shape[-1] ** 0.5)), v)

    def scores_not_scaled(q, k, v, table):
        """You do not divide the scores by sqrt(d), neither for the gates nor for the weights. Divide them by the root
        of the width of `q`, its last axis."""
        scores = _scores(q, k) * q.shape[-1] ** 0.5
        return _attended(scores + _logits(q, table, _positions(scores)), v)

    def divided_by_the_width(q, k, v, table):
        """You divide the scores by d. Divide them by its square root."""
        scores = _scores(q, k) / q.shape[-1] ** 0.5
        return _attended(scores + _logits(q, table, _positions(scores)), v)

    def logits_divided_too(q, k, v, table):
        """You divide the position logits by sqrt(d) as well, or multiply the table with scaled queries. The release
        does so unless it is told not to; the listing of the paper does not. Scale the scores only."""
        scores = _scores(q, k)
        return _attended(scores + _logits(q, table, _positions(scores)) / q.shape[-1] ** 0.5, v)

    def added_to_the_future(q, k, v, table):
        """You add a large negative number to the scores of later keys. If the scores of all keys so far are lower, the
        query sees the future. Set the later scores to -inf."""
        scores = _with_logits(q, k, table)
        return np.einsum("...ij,...jc->...ic", _softmax(scores + np.where(_past(scores), 0.0, -1e4)), v)

    def positions_left_out(q, k, v, table):
        """Your attention is causal, but no position enters it. Add the position logits to the scores."""
        return _attended(_scores(q, k), v)

    def only_position_logits(q, k, v, table):
        """Your weights come from the position logits alone. Add the scores: the content of a key counts, too."""
        return _attended(_logits(q, table, _positions(_scores(q, k))), v)

    def position_logits_multiplied(q, k, v, table):
        """You multiply the scores by the position logits. Add them."""
        scores = _scores(q, k)
        return _attended(scores * _logits(q, table, _positions(scores)), v)

    def position_logits_subtracted(q, k, v, table):
        """You subtract the position logits. Add them: a large logit attracts."""
        scores = _scores(q, k)
        return _attended(scores - _logits(q, table, _positions(scores)), v)

    def every_token_counted(q, k, v, table):
        """Your positions count every token. Let the scores decide: call `gated_positions` with them."""
        scores, places = _scores(q, k), np.arange(q.shape[-2])
        counts = np.broadcast_to(np.maximum(places[:, None] - places + 1.0, 0.0), scores.shape)
        return _attended(scores + _logits(q, table, counts), v)

    def gates_from_the_weights(q, k, v, table):
        """You compute gates from the softmax of the scores. Pass the scores themselves to `gated_positions`, which
        takes the sigmoid."""
        scores = _scores(q, k)
        return _attended(scores + _logits(q, table, _positions(_softmax(_masked(scores)))), v)

    def sigmoid_taken_twice(q, k, v, table):
        """You take the sigmoid before you call `gated_positions`, which takes it again. Pass the scores."""
        scores = _scores(q, k)
        return _attended(scores + _logits(q, table, _positions(_sigmoid(scores))), v)

    def keys_read_the_table(q, k, v, table):
        """You multiply the table with the keys. The query decides the logit of a position: pass `q`."""
        scores = _scores(q, k)
        return _attended(scores + _logits(k, table, _positions(scores)), v)

    def never_causal(q, k, v, table):
        """A query attends to keys after it. Set their scores to -inf before the softmax: the positions of 0 do not hide
        them."""
        return np.einsum("...ij,...jc->...ic", _softmax(_with_logits(q, k, table)), v)

    def masked_with_zero(q, k, v, table):
        """You set the scores of future keys to 0, and the softmax still gives them weight. They need -inf."""
        weights = _softmax(_masked(_with_logits(q, k, table), 0.0))
        return np.einsum("...ij,...jc->...ic", weights, v)

    def masked_with_a_large_number(q, k, v, table):
        """You mask the future with a large negative number in place of the score. If the score of a visible key is
        lower still, the future wins. Use -inf."""
        return np.einsum("...ij,...jc->...ic", _softmax(_masked(_with_logits(q, k, table), -1e4)), v)

    def masked_after_the_softmax(q, k, v, table):
        """You remove the future after the softmax, so the weights no longer add up to 1. Set the scores of future keys
        to -inf before the softmax."""
        weights = _masked(_softmax(_with_logits(q, k, table)), 0.0)
        return np.einsum("...ij,...jc->...ic", weights, v)

    def softmax_overflows(q, k, v, table):
        """Your exponential overflows for large scores. Subtract the highest score of each row first."""
        with np.errstate(all="ignore"):
            weights = np.exp(_masked(_with_logits(q, k, table)))
            return np.einsum("...ij,...jc->...ic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_of_all(q, k, v, table):
        """You subtract the highest score of all rows. If a row lies far below it, every exponential in that row is 0.
        Subtract the highest score of each row."""
        scores = _masked(_with_logits(q, k, table))
        with np.errstate(all="ignore"):
            weights = np.exp(scores - scores.max())
            return np.einsum("...ij,...jc->...ic", weights / weights.sum(axis=-1, keepdims=True), v)

    def highest_score_with_the_future(q, k, v, table):
        """You take the highest score before you mask the future. If it belongs to a future key, every exponential in
        the row may be 0. Mask first."""
        scores = _with_logits(q, k, table)
        with np.errstate(all="ignore"):
            weights = np.exp(_masked(scores - scores.max(axis=-1, keepdims=True)))
            return np.einsum("...ij,...jc->...ic", weights / weights.sum(axis=-1, keepdims=True), v)

    def weights_not_divided(q, k, v, table):
        """The weights of a query do not add up to 1. Divide them by their sum over the keys."""
        scores = _masked(_with_logits(q, k, table))
        return np.einsum("...ij,...jc->...ic", np.exp(scores - scores.max(axis=-1, keepdims=True)), v)

    def softmax_over_queries(q, k, v, table):
        """Your softmax runs over the queries. Run it over the keys, the last axis: the weights of one query must add up
        to 1."""
        weights = _softmax(_masked(_with_logits(q, k, table)), axis=-2)
        return np.einsum("...ij,...jc->...ic", weights, v)

    def queries_and_keys_swapped(q, k, v, table):
        """You multiply k by q, so the rows of your scores are keys. Rows must be queries: q @ k.swapaxes(-1, -2)."""
        scores = _scores(k, q)
        return _attended(scores + _logits(q, table, _positions(scores)), v)

    def all_axes_transposed(q, k, v, table):
        """You write k.T, which reverses all axes, also those of texts and heads. Swap only the last two: k.swapaxes(-1,
        -2)."""
        scores = q @ k.T / q.shape[-1] ** 0.5
        return _attended(scores + _logits(q, table, _positions(scores)), v)

    def cut_to_whole_numbers(q, k, v, table):
        """Your output is cut to whole numbers because the input was integers. Weights are fractions, so let NumPy
        choose the dtype."""
        return _attended(_with_logits(q, k, table), v).astype(q.dtype)

    def scales_q_in_place(q, k, v, table):
        """You write the scaled values into `q`, which belongs to the caller, and then read the table with them. `q /=
        ...` changes that array; `q / ...` makes a new one."""
        q /= q.shape[-1] ** 0.5
        scores = np.einsum("...id,...jd->...ij", q, k)
        return _attended(scores + _logits(q, table, _positions(scores)), v)

    def narrowed_to_float32(q, k, v, table):
        """You return a float32 output although the input is float64. Keep double precision."""
        return _attended(_with_logits(q, k, table), v).astype(np.float32)
