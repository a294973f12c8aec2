"""Wrong answers to 66_latent_rope; each docstring is what the learner is told."""
import numpy as np


def _turned(x, positions, base, width=None):
    """x (..., n, d) as RoPE turns it; `width`: the divisor of the exponents, if it is not d."""
    d = x.shape[-1]
    angles = positions[:, None] * base ** (-np.arange(0, d, 2) / (width or d))           # (n, d / 2)
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)


def _halves(x, positions, base):
    d = x.shape[-1]
    angles = positions[:, None] * base ** (-np.arange(0, d, 2) / d)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)


def _content(q, latent, w_up):
    return (q @ w_up.swapaxes(-1, -2)) @ latent.T               # (H, n_q, n_k)


def _rotary(q_rope, k_rope, q_positions, k_positions, base):
    return _turned(q_rope, q_positions, base) @ _turned(k_rope, k_positions, base).T     # (H, n_q, n_k)


def _root(q, q_rope):
    return (q.shape[-1] + q_rope.shape[-1]) ** 0.5


def _scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base):
    position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
    return (_content(q, latent, w_up) + position) / _root(q, q_rope)


def _normalised(latent):
    return latent / np.sqrt((latent * latent).mean(axis=-1, keepdims=True) + 1e-6)


def _turned_if_even(x, positions, base):
    even = x.shape[-1] - x.shape[-1] % 2
    turned = x.astype(float)
    turned[..., :even] = _turned(x[..., :even], positions, base)
    return turned


class latent_scores:
    def scaled_by_content_width(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the scores by sqrt(d_c). A query has d_c + d_r columns, so divide by sqrt(d_c + d_r)."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return (_content(q, latent, w_up) + position) / q.shape[-1] ** 0.5

    def scaled_by_rotary_width(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the scores by sqrt(d_r). A query has d_c + d_r columns, so divide by sqrt(d_c + d_r)."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return (_content(q, latent, w_up) + position) / q_rope.shape[-1] ** 0.5

    def scaled_by_latent_width(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the scores by sqrt(r + d_r). The keys of a head have d_c + d_r columns, so divide by sqrt(d_c +
        d_r)."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return (_content(q, latent, w_up) + position) / (latent.shape[-1] + q_rope.shape[-1]) ** 0.5

    def parts_scaled_apart(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide each part by the root of its own width. Add the two parts first, then divide the sum by sqrt(d_c +
        d_r)."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return _content(q, latent, w_up) / q.shape[-1] ** 0.5 + position / q_rope.shape[-1] ** 0.5

    def rotary_part_unscaled(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You scale only the content part. Divide the sum of both parts by sqrt(d_c + d_r)."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return _content(q, latent, w_up) / _root(q, q_rope) + position

    def unscaled(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You do not scale the scores. Divide them by sqrt(d_c + d_r), the root of the width of a whole query."""
        return _content(q, latent, w_up) + _rotary(q_rope, k_rope, q_positions, k_positions, base)

    def not_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You do not turn the rotary columns, so the scores do not depend on positions. Turn those of queries and keys,
        each by their own positions."""
        return (_content(q, latent, w_up) + q_rope @ k_rope.T) / _root(q, q_rope)

    def only_queries_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn only the rotary columns of the queries. Turn those of the keys too."""
        return (_content(q, latent, w_up) + _turned(q_rope, q_positions, base) @ k_rope.T) / _root(q, q_rope)

    def only_keys_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn only the rotary columns of the keys. Turn those of the queries too."""
        return (_content(q, latent, w_up) + q_rope @ _turned(k_rope, k_positions, base).T) / _root(q, q_rope)

    def difference_reversed(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the rotary columns clockwise, so a key one step before the query scores like one after it. Turn them
        counter-clockwise."""
        return _scores(q, q_rope, latent, k_rope, w_up, -q_positions, -k_positions, base)

    def keys_turned_backwards(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the keys clockwise, the queries counter-clockwise, so a score depends on the sum of the positions.
        Turn both counter-clockwise."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions, -k_positions, base)

    def halves_layout(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn column i of the rotary part with column i + d_r/2. Turn neighbouring columns together: 2i and 2i +
        1."""
        position = _halves(q_rope, q_positions, base) @ _halves(k_rope, k_positions, base).T
        return (_content(q, latent, w_up) + position) / _root(q, q_rope)

    def only_keys_left_in_halves(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You leave the turned columns of the keys in two halves, but those of the queries in pairs. Keep one order for
        both: the dot product multiplies column by column."""
        keys = _turned(k_rope, k_positions, base)
        keys = np.concatenate([keys[:, 0::2], keys[:, 1::2]], axis=-1)
        return (_content(q, latent, w_up) + _turned(q_rope, q_positions, base) @ keys.T) / _root(q, q_rope)

    def content_turned_too(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the content columns too. Leave them as they are: only `q_rope` and `k_rope` have positions."""
        keys = _turned_if_even(latent @ w_up, k_positions, base)
        content = _turned_if_even(q, q_positions, base) @ keys.swapaxes(-1, -2)
        return (content + _rotary(q_rope, k_rope, q_positions, k_positions, base)) / _root(q, q_rope)

    def latent_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the latent before keys are made from it. Use it as it is: only `q_rope` and `k_rope` turn."""
        return _scores(q, q_rope, _turned_if_even(latent, k_positions, base), k_rope, w_up, q_positions, k_positions,
                       base)

    def frequencies_of_the_whole_head(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the exponent by d_c + d_r. Divide 2i by d_r: the rotary columns turn as a head of their own
        width."""
        whole = q.shape[-1] + q_rope.shape[-1]
        position = _turned(q_rope, q_positions, base, whole) @ _turned(k_rope, k_positions, base, whole).T
        return (_content(q, latent, w_up) + position) / _root(q, q_rope)

    def rotary_part_left_out(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You leave out the rotary part. Add the dot products of the turned columns before you scale."""
        return _content(q, latent, w_up) / _root(q, q_rope)

    def content_left_out(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You leave out the content part. Add the dot products of `q` with the keys made from the latent."""
        return _rotary(q_rope, k_rope, q_positions, k_positions, base) / _root(q, q_rope)

    def parts_in_another_order(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You put content columns first in the queries and rotary columns first in the keys, so the wrong columns meet.
        Use the same order for both."""
        keys = latent @ w_up
        turned = np.broadcast_to(_turned(k_rope, k_positions, base), (len(w_up), *k_rope.shape))
        queries = np.concatenate([q, _turned(q_rope, q_positions, base)], axis=-1)
        return queries @ np.concatenate([turned, keys], axis=-1).swapaxes(-1, -2) / _root(q, q_rope)

    def first_head_for_all(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You give every head the keys of head 0. Head h has the keys latent @ w_up[h]."""
        return _scores(q, q_rope, latent, k_rope, np.broadcast_to(w_up[:1], w_up.shape), q_positions, k_positions, base)

    def heads_averaged(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You give all heads the mean of their rotary scores. The rotary columns of the keys are shared, but every head
        has rotary columns of its own in `q_rope`."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base).mean(axis=0)
        return (_content(q, latent, w_up) + position) / _root(q, q_rope)

    def latent_normalised_again(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You normalise the latent. It is stored normalised already, so use it as it is."""
        return _scores(q, q_rope, _normalised(latent), k_rope, w_up, q_positions, k_positions, base)

    def positions_swapped(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You swap the positions. Turn the queries by `q_positions` and the keys by `k_positions`."""
        return _scores(q, q_rope, latent, k_rope, w_up, np.resize(k_positions, len(q_positions)),
                       np.resize(q_positions, len(k_positions)), base)

    def rows_counted_instead(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn queries and keys by 0, 1, 2, ... Use their positions: otherwise a query that is decoded alone always
        has position 0."""
        return _scores(q, q_rope, latent, k_rope, w_up, np.arange(q.shape[1]), np.arange(len(latent)), base)

    def queries_put_last(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the queries as if they were the last of the keys. Turn them by `q_positions`."""
        last = np.arange(len(latent) - q.shape[1], len(latent))
        return _scores(q, q_rope, latent, k_rope, w_up, last, k_positions, base)

    def keys_counted_from_zero(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the keys by 0, 1, 2, ... instead of `k_positions`. Use `k_positions`: they may have gaps and
        repeats, and need not start at 0."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions, np.arange(len(latent)), base)

    def first_query_position_for_all(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn all queries by the position of the first one. That is right for a single query only. Turn query i by
        q_positions[i]."""
        return _scores(q, q_rope, latent, k_rope, w_up, np.full(q.shape[1], q_positions[0]), k_positions, base)

    def queries_at_the_last_keys(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You give the queries the positions of the last keys and ignore `q_positions`. A query need not be one of the
        keys: turn it by `q_positions`."""
        last = k_positions[-q.shape[1] :]
        return _scores(q, q_rope, latent, k_rope, w_up, last, k_positions, base)

    def fractions_cut(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You cut the positions to whole numbers. They may have fractions, so use them unchanged."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions.astype(int), k_positions.astype(int), base)

    def base_dropped(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Your code ignores the argument `base`, so the angles always have base 10000. Use it."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, 10000.0)

    def base_for_queries_only(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You always turn the keys with base 10000. Use `base` for the keys too."""
        position = _turned(q_rope, q_positions, base) @ _turned(k_rope, k_positions, 10000.0).T
        return (_content(q, latent, w_up) + position) / _root(q, q_rope)

    def later_keys_masked(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You set keys after the query to -inf. Leave the causal mask out: return a score for every query and key."""
        scores = _scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base)
        return np.where(k_positions > q_positions[:, None], -np.inf, scores)

    def softmax_taken(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You return weights after a softmax. Return the scores themselves."""
        scores = _scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    def integers_cut(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You cut the turned columns to whole numbers if the arguments have whole numbers. They have fractions, so keep
        them as floats."""
        queries = _turned(q_rope, q_positions, base).astype(q_rope.dtype)
        keys = _turned(k_rope, k_positions, base).astype(k_rope.dtype)
        return (_content(q, latent, w_up) + queries @ keys.T) / _root(q, q_rope)


class absorb:
    def first_head_for_all(q, w_up):
        """You use the weights of head 0 for every head. Head h absorbs w_up[h]."""
        return q @ w_up[0].T

    def heads_reversed(q, w_up):
        """The heads of `w_up` are in reverse order. Query head h belongs to w_up[h]."""
        return q @ w_up[::-1].swapaxes(-1, -2)

    def heads_in_one(q, w_up):
        """You return the mean over the heads of `w_up`. Each head absorbs its own weights."""
        return q @ w_up.mean(axis=0).T

    def weights_not_transposed(q, w_up):
        """You multiply the query by w_up[h] itself. The query needs a dot product with each row of w_up[h], so multiply
        by the transpose. The shapes fit both ways only where r equals d_c."""
        return q @ w_up

    def weights_reread(q, w_up):
        """You reshape the weights to (H, d_c, r), which mixes their rows. Swap the last two axes instead."""
        return q @ w_up.reshape(len(w_up), w_up.shape[2], w_up.shape[1])

    def inverse_of_the_weights(q, w_up):
        """You multiply the query by the inverse of the weights. Nothing is undone here: a dot product moves the weights
        to the other side as their transpose."""
        return q @ np.linalg.pinv(w_up)

    def scaled(q, w_up):
        """You divide the queries by sqrt(d_c). Leave the scaling to the scores."""
        return q @ w_up.swapaxes(-1, -2) / q.shape[-1] ** 0.5

    def latent_first(q, w_up):
        """You return the shape (H, r, n_q). Return one row of r numbers per query, (H, n_q, r)."""
        return w_up @ q.swapaxes(-1, -2)

    def heads_behind(q, w_up):
        """You return the shape (n_q, H, r). Keep the heads first, (H, n_q, r)."""
        return (q @ w_up.swapaxes(-1, -2)).swapaxes(0, 1)

    def weights_summed(q, w_up):
        """You sum the weights over a column before they meet the query. Multiply entry by entry of the same column,
        then sum over the d_c columns."""
        return q.sum(axis=-1, keepdims=True) * w_up.sum(axis=-1)[:, None]

    def normalised(q, w_up):
        """You scale the absorbed queries to length 1. Return them as they are, or the scores change."""
        absorbed = q @ w_up.swapaxes(-1, -2)
        return absorbed / np.linalg.norm(absorbed, axis=-1, keepdims=True)

    def negated(q, w_up):
        """Every number has the wrong sign. Multiply the query by the transpose of the weights, without a minus."""
        return -(q @ w_up.swapaxes(-1, -2))


class absorbed_scores:
    def all_keys_made_takes_memory(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Your scores are right, but you make the keys of all heads, (H, n_k, d_c) numbers. The call may use a quarter
        of the memory of these keys. Multiply the absorbed queries by the latent."""
        content = q @ (latent @ w_up).swapaxes(-1, -2)
        return (content + _rotary(q_rope, k_rope, q_positions, k_positions, base)) / _root(q, q_rope)

    def keys_of_one_head_at_a_time_take_memory(q, q_rope, latent, k_rope, w_up, q_positions, k_positions,
                                               base=10000.0):
        """Your scores are right, but you make the keys of one head after the other, (n_k, d_c) numbers each. With two
        heads that is half of all keys, and the call may use a quarter. Multiply the absorbed queries by the latent."""
        content = np.stack([q[h] @ (latent @ w_up[h]).T for h in range(len(w_up))])
        return (content + _rotary(q_rope, k_rope, q_positions, k_positions, base)) / _root(q, q_rope)

    def scaled_by_latent_width(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the scores by sqrt(r + d_r), the root of the width of a cached row. Divide by sqrt(d_c + d_r), as
        before: absorbing changes no score."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return (_content(q, latent, w_up) + position) / (latent.shape[-1] + q_rope.shape[-1]) ** 0.5

    def scaled_by_content_width(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the scores by sqrt(d_c). A query has d_c + d_r columns, so divide by sqrt(d_c + d_r)."""
        position = _rotary(q_rope, k_rope, q_positions, k_positions, base)
        return (_content(q, latent, w_up) + position) / q.shape[-1] ** 0.5

    def unscaled(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You do not scale the scores. Divide them by sqrt(d_c + d_r), as `latent_scores` does."""
        return _content(q, latent, w_up) + _rotary(q_rope, k_rope, q_positions, k_positions, base)

    def not_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You do not turn the rotary columns, so the scores do not depend on positions. Turn those of queries and keys,
        each by their own positions."""
        return (_content(q, latent, w_up) + q_rope @ k_rope.T) / _root(q, q_rope)

    def only_queries_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn only the rotary columns of the queries. `k_rope` comes unturned, so turn it too."""
        return (_content(q, latent, w_up) + _turned(q_rope, q_positions, base) @ k_rope.T) / _root(q, q_rope)

    def latent_turned(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the latent and the absorbed queries too. Leave them as they are: only `q_rope` and `k_rope` have
        positions."""
        content = _turned_if_even(q @ w_up.swapaxes(-1, -2), q_positions, base)
        content = content @ _turned_if_even(latent, k_positions, base).T
        return (content + _rotary(q_rope, k_rope, q_positions, k_positions, base)) / _root(q, q_rope)

    def rotary_part_left_out(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You leave out the rotary part. Only the content part is absorbed; add the dot products of the turned
        columns."""
        return _content(q, latent, w_up) / _root(q, q_rope)

    def content_left_out(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You leave out the content part. Add the dot products of the absorbed queries with the latent."""
        return _rotary(q_rope, k_rope, q_positions, k_positions, base) / _root(q, q_rope)

    def difference_reversed(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the rotary columns clockwise, so a key one step before the query scores like one after it. Turn them
        counter-clockwise."""
        return _scores(q, q_rope, latent, k_rope, w_up, -q_positions, -k_positions, base)

    def halves_layout(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn column i of the rotary part with column i + d_r/2. Turn neighbouring columns together: 2i and 2i +
        1."""
        position = _halves(q_rope, q_positions, base) @ _halves(k_rope, k_positions, base).T
        return (_content(q, latent, w_up) + position) / _root(q, q_rope)

    def frequencies_of_the_latent(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You divide the exponent by r + d_r, the width of the cached row. Divide 2i by d_r."""
        whole = latent.shape[-1] + q_rope.shape[-1]
        position = _turned(q_rope, q_positions, base, whole) @ _turned(k_rope, k_positions, base, whole).T
        return (_content(q, latent, w_up) + position) / _root(q, q_rope)

    def first_head_for_all(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You use the weights of head 0 for every head. Head h absorbs w_up[h]."""
        return _scores(q, q_rope, latent, k_rope, np.broadcast_to(w_up[:1], w_up.shape), q_positions, k_positions, base)

    def latent_normalised_again(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You normalise the latent. It is stored normalised already, so use it as it is."""
        return _scores(q, q_rope, _normalised(latent), k_rope, w_up, q_positions, k_positions, base)

    def base_dropped(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """Your code ignores the argument `base`, so the angles always have base 10000. Use it."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, 10000.0)

    def rows_counted_instead(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn queries and keys by 0, 1, 2, ... Use their positions: otherwise a query that is decoded alone always
        has position 0."""
        return _scores(q, q_rope, latent, k_rope, w_up, np.arange(q.shape[1]), np.arange(len(latent)), base)

    def keys_counted_from_zero(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn the keys by 0, 1, 2, ... instead of `k_positions`. Use `k_positions`: they may have gaps and
        repeats, and need not start at 0."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions, np.arange(len(latent)), base)

    def first_query_position_for_all(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You turn all queries by the position of the first one. That is right for a single query only. Turn query i by
        q_positions[i]."""
        return _scores(q, q_rope, latent, k_rope, w_up, np.full(q.shape[1], q_positions[0]), k_positions, base)

    def queries_at_the_last_keys(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You give the queries the positions of the last keys and ignore `q_positions`. A query need not be one of the
        keys: turn it by `q_positions`."""
        last = k_positions[-q.shape[1] :]
        return _scores(q, q_rope, latent, k_rope, w_up, last, k_positions, base)

    def fractions_cut(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You cut the positions to whole numbers. They may have fractions, so use them unchanged."""
        return _scores(q, q_rope, latent, k_rope, w_up, q_positions.astype(int), k_positions.astype(int), base)

    def later_keys_masked(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base=10000.0):
        """You set keys after the query to -inf. Leave the causal mask out: return a score for every query and key."""
        scores = _scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions, base)
        return np.where(k_positions > q_positions[:, None], -np.inf, scores)


class cached_numbers:
    def keys_only(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You count only keys for "mha", "gqa" and "mqa". Values are cached too, so multiply by 2."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        return n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def values_of_mqa_forgotten(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mqa", you count the shared key and not the shared value. Both are cached, so count 2 * d_head numbers
        for each token."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        return {"mha": 2 * n_heads, "gqa": 2 * (n_kv_heads or 0), "mqa": 1}[kind] * n * d_head

    def latent_twice(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You count "mla" twice, as keys and as values. One latent makes both, so count it once."""
        heads = {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}
        return 2 * n * (d_latent + d_rope if kind == "mla" else heads[kind] * d_head)

    def latent_for_keys_and_for_values(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mla", you count one latent for the keys and one for the values. One latent makes both."""
        if kind == "mla":
            return n * (2 * d_latent + d_rope)
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def rotary_columns_twice(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You count the rotary columns twice. Keys have them and values do not, so count d_rope once."""
        if kind == "mla":
            return n * (d_latent + 2 * d_rope)
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def rotary_columns_forgotten(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mla", you count the latent alone. The rotary columns of the key are cached too: add d_rope."""
        if kind == "mla":
            return n * d_latent
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def rotary_columns_for_every_head(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You count the rotary columns for every head. All heads share them, so count d_rope once."""
        if kind == "mla":
            return n * (d_latent + n_heads * d_rope)
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def latent_for_every_head(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You multiply "mla" by the number of heads. All heads share the latent and the rotary columns."""
        if kind == "mla":
            return n * n_heads * (d_latent + d_rope)
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def head_columns_added(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mla", you add d_head. Keys and values are made from the latent when they are needed, so they take no
        place."""
        if kind == "mla":
            return n * (d_latent + d_rope + d_head)
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def multiplied_widths(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You multiply the widths of the latent and of the rotary columns. They lie side by side: add them."""
        if kind == "mla":
            return n * d_latent * d_rope
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def query_heads_for_gqa(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "gqa", you count all query heads. Only `n_kv_heads` heads have keys and values."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        return 2 * n * (1 if kind == "mqa" else n_heads) * d_head

    def group_size_for_gqa(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "gqa", you count the query heads of a group. Count the groups: there are `n_kv_heads` of them."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        heads = n_heads // n_kv_heads if kind == "gqa" else n_heads if kind == "mha" else 1
        return 2 * n * heads * d_head

    def key_heads_for_mha(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mha", you use `n_kv_heads` if it is given. There, every one of the `n_heads` heads has its own keys."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        heads = n_kv_heads or n_heads
        return 2 * n * (1 if kind == "mqa" else heads) * d_head

    def key_heads_for_mqa(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mqa", you use `n_kv_heads` if it is given. There, all heads share one key and one value, whatever it
        is."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        return 2 * n * (n_heads if kind == "mha" else n_kv_heads or 1) * d_head

    def all_heads_for_mqa(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """For "mqa", you count all heads. They share one key and one value per token."""
        if kind == "mla":
            return n * (d_latent + d_rope)
        return 2 * n * (n_kv_heads if kind == "gqa" else n_heads) * d_head

    def kind_from_the_arguments(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You always count a latent that is given, whatever the kind is. Arguments that a kind does not use are
        ignored."""
        if d_latent is not None and d_rope is not None:
            return n * (d_latent + d_rope)
        return 2 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def bytes_not_numbers(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You return bytes of 16-bit floats. Return how many numbers are cached."""
        if kind == "mla":
            return 2 * n * (d_latent + d_rope)
        return 4 * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def tokens_forgotten(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """You return the cache of a single token. Multiply by `n`."""
        if kind == "mla":
            return d_latent + d_rope
        return 2 * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head

    def pairs_of_tokens(kind, n, n_heads, d_head, n_kv_heads=None, d_latent=None, d_rope=None):
        """The result grows as n * n, like the scores. A cache holds rows for tokens, not for pairs of tokens."""
        if kind == "mla":
            return n * n * (d_latent + d_rope)
        return 2 * n * n * {"mha": n_heads, "gqa": n_kv_heads, "mqa": 1}[kind] * d_head
