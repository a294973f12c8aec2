"""Wrong answers to 63_rope_attention; each docstring is what the learner is told."""
import numpy as np


def _angles(positions, base, width):
    return np.multiply.outer(positions, base ** (-np.arange(0, width, 2) / width))


def _as(x, turned):
    """Turned columns in the dtype of x; of whole numbers in float64."""
    return turned.astype(np.result_type(x, 1.0))


def _pairs_turned(x, angles):
    cos, sin = np.cos(angles), np.sin(angles)
    even, odd = x[..., 0::2], x[..., 1::2]
    return _as(x, np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape))


def _turned(x, positions, base):
    return _pairs_turned(x, _angles(positions, base, x.shape[-1]))


def _left(x, positions, base):
    return x


def _clockwise(x, positions, base):
    return _pairs_turned(x, -_angles(positions, base, x.shape[-1]))


def _base_fixed(x, positions, base):
    return _turned(x, positions, 10000.0)


def _halves(x, positions, base):
    angles = _angles(positions, base, x.shape[-1])
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(x, 2, axis=-1)
    return _as(x, np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1))


def _missing_two(x, positions, base):
    width = x.shape[-1]
    return _pairs_turned(x, np.multiply.outer(positions, base ** (-np.arange(width // 2) / width)))


def _angles_in_halves(x, positions, base):
    angles = _angles(positions, base, x.shape[-1])
    angles = np.concatenate([angles, angles], axis=-1)
    partner = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return _as(x, x * np.cos(angles) + partner * np.sin(angles))


def _overwritten(x, positions, base):
    angles, x = _angles(positions, base, x.shape[-1]), _as(x, x)
    even, odd = x[..., 0::2], x[..., 1::2]
    x[..., 0::2] = even * np.cos(angles) - odd * np.sin(angles)
    x[..., 1::2] = even * np.sin(angles) + odd * np.cos(angles)
    return x


def _widened(x, positions, base):
    return _turned(x.astype(np.float64), positions, base)


def _cut(x, positions, base):
    return _turned(x, positions, base).astype(x.dtype)


def _along_heads(x, positions, base):
    return _turned(x.swapaxes(-2, -3), np.arange(x.shape[-3]), base).swapaxes(-2, -3)


def _softmax(scores, mask, axis=-1, stable=True):
    scores = np.where(mask, scores, -np.inf)
    if stable:
        scores = scores - scores.max(axis=axis, keepdims=True, initial=-np.inf)
    weights = np.exp(scores)
    return weights / weights.sum(axis=axis, keepdims=True)


def _unstable(scores, mask):
    return _softmax(scores, mask, stable=False)


def _repeated(x, group):
    return np.repeat(x, group, axis=-3)


def _tiled(x, group):
    return np.concatenate([x] * group, axis=-3)


def _split(x, d_head):
    return x.reshape(*x.shape[:-1], -1, d_head).swapaxes(-2, -3)


def _merged(x):
    return x.swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)


def _attend(q, k, v, mask, divisor=None, weigh=_softmax, share=_repeated, share_v=None):
    group = q.shape[-3] // k.shape[-3]
    divisor = q.shape[-1] ** 0.5 if divisor is None else divisor
    scores = q @ share(k, group).swapaxes(-1, -2) / divisor     # (..., n_heads, n_queries, n_keys)
    return weigh(scores, mask) @ (share_v or share)(v, group)


def _attention(x, weights, n_heads, base, causal, *, turn=_turned, turn_k=None, turn_v=_left, turn_wide=_left,
               mask=None, split=_split, merge=_merged, output=True, **attend):
    """The solution, with a switch for a mistake at every step."""
    w_q, w_k, w_v, w_o = weights
    n, d_head = x.shape[-2], w_q.shape[1] // n_heads
    positions = np.arange(n)
    q = turn(split(turn_wide(x @ w_q, positions, base), d_head), positions, base)
    k = (turn_k or turn)(split(turn_wide(x @ w_k, positions, base), d_head), positions, base)
    v = turn_v(split(x @ w_v, d_head), positions, base)
    if mask is None:
        mask = np.tri(n, dtype=bool) if causal else np.ones((n, n), dtype=bool)
    result = merge(_attend(q, k, v, mask, **attend))
    return result @ w_o if output else result


def _step(x_new, caches, weights, base, *, position=None, turn=_turned, turn_k=None, turn_v=_left, turn_wide=_left,
          split=None, join=None, again=None, cached=None, output=True, **attend):
    """One decoding step of the solution, with a switch for a mistake in every part."""
    w_q, w_k, w_v, w_o = weights
    t, _, d_head = caches[0].shape
    p = t if position is None else position(t)
    split = split or (lambda row: row.reshape(-1, d_head))
    q = turn(split(turn_wide(x_new @ w_q, p, base)), p, base)                  # (n_heads, d_head)
    k = (turn_k or turn)(split(turn_wide(x_new @ w_k, p, base)), p, base)      # (n_kv_heads, d_head)
    v = turn_v(split(x_new @ w_v), p, base)
    join = join or (lambda cache, row: np.concatenate([cache, row[None]]))
    keys, values = join(caches[0], k), join(caches[1], v)       # (t + 1, n_kv_heads, d_head)
    seen = again(keys) if again else keys
    result = _attend(q[:, None], seen.swapaxes(0, 1), values.swapaxes(0, 1), True, **attend).reshape(-1)
    keys, values = cached(keys, values) if cached else (keys, values)
    return result @ w_o if output else result, keys, values


class rope_attention:
    def values_turned(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You turn the values too. Turn only queries and keys: scores need the positions, but a value must not depend
        on its position."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn_v=_turned)

    def nothing_turned(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You turn nothing, so the scores do not depend on positions. Turn every query and every key."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_left)

    def keys_left_unturned(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You turn only the queries. Turn the keys by their own positions too, so that scores depend on the offset
        alone."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn_k=_left)

    def clockwise(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You turn the pairs clockwise. Turn them counter-clockwise: (a, b) becomes (a cos - b sin, a sin + b cos)."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_clockwise)

    def halves_layout(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You pair columns i and i + d_head/2. Turn neighbouring columns together: 2i and 2i + 1."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_halves)

    def angles_in_halves(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Your angles are in the order for halves, but you turn neighbouring columns together, so the two columns of a
        pair turn by different angles. Repeat each angle in place, with np.repeat."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_angles_in_halves)

    def overwritten_while_turning(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You compute the odd columns from even columns that were already overwritten. A slice is a view, so compute
        both before you write either, or write into a new array."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_overwritten)

    def missing_two(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You leave out the 2 of 2i/d_head. Pair i turns base ** (-2i/d_head) radians per position."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_missing_two)

    def base_fixed(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You fix the base at 10000 in the code. Use the argument `base`."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_base_fixed)

    def turned_before_split(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You turn the row before it is split into heads, so each head gets different frequencies. Split first: every
        head has all the frequencies, fastest first."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_left, turn_wide=_turned)

    def turned_by_head_number(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Your angles run along the heads instead of the positions. When you turn, the positions must be on axis -2, or
        the angles need an extra axis."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_along_heads)

    def not_scaled(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You do not scale the scores. Divide them by sqrt(d_head) before the softmax."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, divisor=1.0)

    def scaled_by_d_model(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You divide the scores by sqrt(d_model). Each score sums d_head products, so divide by sqrt(d_head)."""
        divisor = w_q.shape[0] ** 0.5
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, divisor=divisor)

    def scaled_by_all_heads(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You divide the scores by the square root of the width of w_q, which includes all heads. Divide by
        sqrt(d_head)."""
        divisor = w_q.shape[1] ** 0.5
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, divisor=divisor)

    def root_forgotten(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You divide the scores by d_head itself. Divide by its square root."""
        divisor = w_q.shape[1] / n_heads
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, divisor=divisor)

    def mask_upside_down(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Your mask is upside down. Causal means that query i sees keys 0 to i: keep the lower triangle."""
        mask = np.tri(x.shape[-2], dtype=bool).T if causal else None
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, mask=mask)

    def never_causal(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You let every query see every key. If `causal` is True, set the scores of later keys to -inf."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, False)

    def always_causal(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You always hide later keys. If `causal` is False, every query sees every key: leave the mask out."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, True)

    def own_position_hidden(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You hide a query's own key, and query 0 sees none. Keep the diagonal of the mask visible."""
        mask = np.tri(x.shape[-2], k=-1, dtype=bool) if causal else None
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, mask=mask)

    def one_ahead_seen(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Your mask is one diagonal too wide: query i sees key i + 1, which comes after it. Hide that key too."""
        mask = np.tri(x.shape[-2], k=1, dtype=bool) if causal else None
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, mask=mask)

    def hidden_scores_zero(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You set the scores of hidden keys to 0. Since exp(0) is 1, these keys get weight. Set the scores to -inf."""
        def weigh(scores, mask):
            return _softmax(np.where(mask, scores, 0.0), True)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=weigh)

    def hidden_scores_not_low_enough(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You set the scores of hidden keys to a large negative number, such as -10000 or -1e9. A visible key may score
        even lower, and then hidden keys get weight. Set the scores to -inf."""
        def weigh(scores, mask):
            return _softmax(np.where(mask, scores, -1e4), True)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=weigh)

    def hidden_after_softmax(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You set the weights of hidden keys to 0 after the softmax, so the other weights do not sum to 1. Set the
        scores to -inf before the softmax."""
        def weigh(scores, mask):
            return np.where(mask, _softmax(scores, True), 0.0)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=weigh)

    def softmax_over_queries(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You take the softmax over the queries. Take it over the keys, so that each query's weights sum to 1."""
        def weigh(scores, mask):
            return _softmax(scores, mask, axis=-2)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=weigh)

    def softmax_overflows(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """Your exp of a large score is infinite, and your exp of very low scores is 0 for the whole row. Subtract each
        row's largest score first: this changes no weight."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=_unstable)

    def one_maximum_for_all(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You subtract the same maximum from all rows. In a row of much lower scores, every exp is 0. Subtract each
        row's own maximum over the keys it sees."""
        def weigh(scores, mask):
            return _softmax(scores - scores.max(), mask, stable=False)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=weigh)

    def maximum_of_hidden_keys(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You take the maximum before later keys are hidden. If a hidden key scores far above the visible ones, every
        exp is 0. Set hidden scores to -inf first, then subtract the row's maximum."""
        def weigh(scores, mask):
            return _softmax(scores - scores.max(axis=-1, keepdims=True), mask, stable=False)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, weigh=weigh)

    def kv_heads_tiled(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You tile the key and value heads: 0, 1, 0, 1. Neighbouring query heads share a head, so repeat each one in
        place: 0, 0, 1, 1."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, share=_tiled)

    def first_kv_head_for_all(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You let every query head read key and value head 0. Query head h reads head h // (n_heads // n_kv_heads)."""
        def share(k, group):
            return np.repeat(k[..., :1, :, :], group * k.shape[-3], axis=-3)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, share=share)

    def heads_split_without_transpose(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0,
                                      causal=True):
        """You reshape directly to (heads, n, d_head), which mixes positions and heads. Reshape to (n, heads, d_head),
        then swap the axes."""
        def split(x, d_head):
            return x.reshape(*x.shape[:-2], -1, x.shape[-2], d_head)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, split=split)

    def heads_dealt_out(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You give each head columns that are not neighbours. Head h must get columns h * d_head to (h + 1) * d_head -
        1: reshape to (n, heads, d_head), not (n, d_head, heads)."""
        def split(x, d_head):
            return np.moveaxis(x.reshape(*x.shape[:-1], d_head, -1), -1, -3)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, split=split)

    def heads_merged_without_transpose(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0,
                                       causal=True):
        """You merge the heads by a reshape alone, which mixes positions. Swap the axes to (n, heads, d_head) first."""
        def merge(x):
            return x.reshape(*x.shape[:-3], x.shape[-2], -1)
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, merge=merge)

    def output_weights_forgotten(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You leave out the output weights and return the results of the heads next to each other. Multiply them by
        w_o."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, output=False)

    def whole_numbers_cut(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You write turned queries and keys into an array of whole numbers, which cuts off their fractions. Make that
        array float64."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_cut)

    def cast_to_the_dtype_of_x(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You convert the result to the dtype of x. This keeps float32, but if x has whole numbers it cuts off the
        fractions. Convert to np.result_type(x, 1.0)."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal).astype(x.dtype)

    def widened(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0, causal=True):
        """You return float64 for float32 arguments, because cosines and sines of positions are float64. Convert them to
        the dtype of the vectors that they turn. A NumPy float such as np.sqrt(d_head) can also cause this."""
        return _attention(x, (w_q, w_k, w_v, w_o), n_heads, base, causal, turn=_widened)


class decode_step:
    def position_lost(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You turn the new token as if it were at position 0. It comes after t cached tokens, so its position is t."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, position=lambda t: 0)

    def counts_from_one(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You turn the new token as if it were at position t + 1. Its position is t: count the rows of the cache before
        you append the new one."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, position=lambda t: t + 1)

    def position_is_the_number_of_heads(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                        base=10000.0):
        """You use the number of heads in the cache as the position of the new token. It is the number of cached tokens,
        the first axis of `k_cache`."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, position=lambda t: k_cache.shape[1])

    def position_of_the_last_row(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                 base=10000.0):
        """You turn the new token by t - 1, the position of the last cached row. Its position is the next one, t."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, position=lambda t: t - 1)

    def query_left_unturned(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                            base=10000.0):
        """You turn the new key, but not the new query. Turn both by position t."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_left, turn_k=_turned)

    def unturned_key_appended(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                              base=10000.0):
        """You put the new key into the cache unturned. The cache contains turned keys, so turn it by position t
        first."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn_k=_left)

    def unturned_key_cached(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """The output is right, but you do not turn the new row of the returned key cache. The next step does not know
        its position, so put the turned key into the cache."""
        caches, weights = (k_cache, v_cache), (w_q, w_k, w_v, w_o)
        left = _step(x_new, caches, weights, base, turn_k=_left)[1]
        return _step(x_new, caches, weights, base, cached=lambda keys, values: (left, values))

    def cache_turned_again(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                           base=10000.0):
        """You turn the whole cache again, but its keys were turned when they were added. Turn only the new key."""
        def join(cache, row):
            t = len(cache)
            rows = np.concatenate([cache, row[None]])
            if cache is not k_cache:
                return rows
            again = _turned(rows.swapaxes(0, 1), np.arange(t + 1), base).swapaxes(0, 1)
            return np.concatenate([again[:t], rows[t:]])
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, join=join)

    def scores_from_keys_turned_again(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                      base=10000.0):
        """The cache you return is right, but you turn the keys a second time for the scores. Use the cached keys
        unchanged."""
        def again(keys):
            return _turned(keys.swapaxes(0, 1), np.arange(len(keys)), base).swapaxes(0, 1)
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, again=again)

    def new_value_turned(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You turn the new value too. Turn only the query and the key."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn_v=_turned)

    def step_clockwise(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You turn the pairs clockwise. Turn them counter-clockwise: (a, b) becomes (a cos - b sin, a sin + b cos)."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_clockwise)

    def step_in_halves(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You pair columns i and i + d_head/2. Turn neighbouring columns together: 2i and 2i + 1."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_halves)

    def overwritten_in_the_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                base=10000.0):
        """You compute the odd columns from even columns that were already overwritten. A slice is a view, so compute
        both before you write either, or write into a new array."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_overwritten)

    def two_missing_in_the_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                base=10000.0):
        """You leave out the 2 of 2i/d_head. Pair i turns base ** (-2i/d_head) radians per position."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_missing_two)

    def base_fixed_in_the_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                               base=10000.0):
        """You fix the base at 10000 in the code. Use the argument `base`."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_base_fixed)

    def step_turned_before_split(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                 base=10000.0):
        """You turn the row before it is split into heads, so each head gets different frequencies. Split first: every
        head has all the frequencies, fastest first."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_left, turn_wide=_turned)

    def step_not_scaled(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You do not scale the scores. Divide them by sqrt(d_head) before the softmax."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, divisor=1.0)

    def step_scaled_by_d_model(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                               base=10000.0):
        """You divide the scores by sqrt(d_model). Each score sums d_head products, so divide by sqrt(d_head)."""
        divisor = w_q.shape[0] ** 0.5
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, divisor=divisor)

    def keys_cached_scaled(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                           base=10000.0):
        """You divide the keys in the cache by sqrt(d_head), so the next step scales them twice. Divide the scores
        instead."""
        def cached(keys, values):
            return keys / keys.shape[-1] ** 0.5, values
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, cached=cached)

    def softmax_over_heads(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                           base=10000.0):
        """You take the softmax over the heads. Take it over the t + 1 keys, so that each head's weights sum to 1."""
        def weigh(scores, mask):
            return _softmax(scores, mask, axis=0)
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, weigh=weigh)

    def step_overflows(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """Your exp of a large score is infinite, and your exp of very low scores is 0 for the whole row. Subtract each
        row's largest score first: this changes no weight."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, weigh=_unstable)

    def one_maximum_for_all_heads(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                  base=10000.0):
        """You subtract the same maximum from all heads. In a head of much lower scores, every exp is 0. Subtract each
        head's own maximum."""
        def weigh(scores, mask):
            return _softmax(scores - scores.max(), True, stable=False)
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, weigh=weigh)

    def cached_values_tiled(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You repeat the keys in place, but you tile the values: 0, 1, 0, 1. Repeat each value head in place too: 0, 0,
        1, 1."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, share_v=_tiled)

    def new_token_not_seen(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                           base=10000.0):
        """You let the query see only the old rows. A token attends to itself too, so append its key and value first."""
        def weigh(scores, mask):
            weights = np.zeros_like(scores)
            weights[..., :-1] = _softmax(scores[..., :-1], True)
            return weights
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, weigh=weigh)

    def mask_of_the_first_query(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You use a causal mask with one row, which lets the query see only key 0. All cached tokens are earlier, so
        the query sees every row. Leave the mask out."""
        def weigh(scores, mask):
            return _softmax(scores, np.tri(1, scores.shape[-1], dtype=bool))
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, weigh=weigh)

    def cached_heads_tiled(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                           base=10000.0):
        """You tile the key and value heads: 0, 1, 0, 1. Neighbouring query heads share a head, so repeat each one in
        place: 0, 0, 1, 1."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, share=_tiled)

    def new_heads_dealt_out(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                            base=10000.0):
        """You give each head columns that are not neighbours. Head h must get columns h * d_head to (h + 1) * d_head -
        1: reshape to (heads, d_head), not (d_head, heads)."""
        def split(row):
            return row.reshape(w_q.shape[1] // n_heads, -1).T
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, split=split)

    def step_without_output_weights(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                    base=10000.0):
        """You leave out the output weights and return the results of the heads next to each other. Multiply them by
        w_o."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, output=False)

    def new_row_first(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You put the new rows first in the caches. Append them at the end: row p belongs to position p."""
        def join(cache, row):
            return np.concatenate([row[None], cache])
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, join=join)

    def caches_not_grown(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You return the caches without the new rows. Return them with the new key and value as their last rows."""
        def cached(keys, values):
            return keys[:-1], values[:-1]
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, cached=cached)

    def oldest_row_dropped(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                           base=10000.0):
        """You drop the oldest row when the new one is added. Keep every row: each cache grows by one row."""
        def join(cache, row):
            return np.concatenate([cache[1:], row[None]])
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, join=join)

    def caches_hold_repeated_heads(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                   base=10000.0):
        """You return the caches with one head per query head. Store only the n_kv_heads heads, and repeat them when you
        attend."""
        def cached(keys, values):
            group = n_heads // keys.shape[1]
            return np.repeat(keys, group, axis=1), np.repeat(values, group, axis=1)
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, cached=cached)

    def heads_before_rows(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                          base=10000.0):
        """You return the caches with the heads first. Return the axes in the order rows, heads, d_head."""
        def cached(keys, values):
            return keys.swapaxes(0, 1), values.swapaxes(0, 1)
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, cached=cached)

    def cache_of_whole_numbers_cut(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None,
                                   base=10000.0):
        """You write the new key into an array of whole numbers, which cuts off its fractions. Turned keys have
        fractions even if the caches have whole numbers: use np.concatenate, which finds the dtype."""
        def join(cache, row):
            rows = np.empty((len(cache) + 1, *row.shape), dtype=cache.dtype)
            rows[:-1], rows[-1] = cache, row
            return rows
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, join=join)

    def step_widened(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads=None, base=10000.0):
        """You return float64 for float32 arguments, because cosines and sines of positions are float64. Convert them to
        the dtype of the vectors that they turn. A NumPy float such as np.sqrt(d_head) can also cause this."""
        return _step(x_new, (k_cache, v_cache), (w_q, w_k, w_v, w_o), base, turn=_widened)
