"""What attention with rotary positions has to be: values worked by hand, laws, the reference, a cache."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

ROOT_2 = 2.0 ** 0.5
PLACES = np.array([[1.0], [10.0], [100.0], [1000.0]])        # output weights that make columns decimal places


def some_weights(rng, d_model, n_heads, n_kv_heads, d_head):
    """Random w_q, w_k, w_v and w_o that make scores of moderate size."""
    q, kv = n_heads * d_head, n_kv_heads * d_head
    shapes = {"w_q": (d_model, q), "w_k": (d_model, kv), "w_v": (d_model, kv), "w_o": (q, d_model)}
    return {name: 1.3 * rng.normal(size=shape) / shape[0] ** 0.5 for name, shape in shapes.items()}


def some_caches(rng, t, n_kv_heads, d_head):
    """k_cache and v_cache as if t tokens had gone before."""
    return {name: rng.normal(size=(t, n_kv_heads, d_head)) for name in ("k_cache", "v_cache")}


def a_layer(rng, leading, n, n_heads, n_kv_heads, d_head, d_model):
    """What rope_attention is called with; one token is zeros."""
    x = 1.4 * rng.normal(size=(*leading, n, d_model))
    x[..., n // 2, :] = 0.0
    heads = {"n_heads": n_heads} if n_kv_heads == n_heads else {"n_heads": n_heads, "n_kv_heads": n_kv_heads}
    return {"x": x, **some_weights(rng, d_model, n_heads, n_kv_heads, d_head), **heads}


def a_step(rng, t, n_heads, n_kv_heads, d_head, d_model):
    """What decode_step is called with."""
    weights = some_weights(rng, d_model, n_heads, n_kv_heads, d_head)
    return {"x_new": 1.4 * rng.normal(size=d_model), **some_caches(rng, t, n_kv_heads, d_head), **weights,
            "n_heads": n_heads, "n_kv_heads": n_kv_heads}


# Task 1: attention with as many key heads as query heads

@pytest.mark.task(1)
def test_two_tokens_by_hand(kata):
    # queries (1, 0), keys (0, sqrt 2): score of query i and key j is sin(i - j), for i = 1: sin 1 and 0.
    # Token 1 weighs token 0 with 1 / (1 + exp(-sin 1)); the values are (1, 0) and (0, 1).
    x, w_o = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]), np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 3.0]])
    w_q, w_k, w_v = np.zeros((3, 3, 2))
    w_q[0, 0], w_k[0, 1], w_v[1:] = 1.0, ROOT_2, np.eye(2)
    last = [0.698774931931, 0.301225068069, 2.301225068069]
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 1), [[1.0, 0.0, 2.0], last])
    # query 0 may see key 1 now: its scores are 0 and sin(-1), which makes the same two weights
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 1, causal=False), [last, last])


@pytest.mark.task(1)
def test_the_second_pair_by_hand(kata):
    # queries (0, 0, 1, 0), keys (0, 0, 0, 2), width 4: score sin((i - j) w), where w is 0.01, or 0.1 for
    # base 100; the values are the unit vectors, so the output is the weights
    x = np.concatenate([np.ones((3, 1)), np.eye(3)], axis=1)           # (3, 4)
    w_q, w_k, w_v = np.zeros((3, 4, 4))
    w_q[0, 2], w_k[0, 3], w_v[1:, :3] = 1.0, 2.0, np.eye(3)
    first = [1.0, 0.0, 0.0, 0.0]
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(4), 1), [
        first, [0.502499937501, 0.497500062499, 0.0, 0.0], [0.336671887473, 0.333322335088, 0.330005777439, 0.0]])
    last = [0.366876580530, 0.332350317070, 0.300773102400, 0.0]
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(4), 1, base=100.0),
                [first, [0.524937645409, 0.475062354591, 0.0, 0.0], last])
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(4), 1, None, 100, False), [
        [0.366998187207, 0.332129014693, 0.300872798100, 0.0],
        [0.367108309322, 0.332228673904, 0.300663016774, 0.0], last])


@pytest.mark.task(1)
def test_one_token_or_one_repeated_gives_its_own_value(kata, rng):
    # two heads of two; the values are 1 2 3 4 times the token's 3, whatever the queries and keys
    w_q, w_k, w_v = np.array([[[1.0, -2.0, 0.5, 1.0]], [[0.3, 1.0, -1.0, 2.0]], [[1.0, 2.0, 3.0, 4.0]]])
    for causal in (True, False):
        assert_same(kata.rope_attention(np.array([[3.0]]), w_q, w_k, w_v, PLACES, 2, causal=causal), [[12963.0]])
    # every value is the same, so weights that sum to 1 give it back; values are not turned
    x, weights = np.tile(rng.normal(size=10), (13, 1)), some_weights(rng, 10, 3, 3, 8)
    for causal in (True, False):
        out = kata.rope_attention(x, **weights, n_heads=3, causal=causal)
        assert_same(out, x @ weights["w_v"] @ weights["w_o"])


@pytest.mark.task(1)
def test_without_queries_the_output_is_a_mean(kata, rng):
    # all scores 0: the values are 6, 2, 10, -2 in column 0 and 1, 3, -1, 9 in column 1
    x = np.array([[6.0, 1.0, 0.4], [2.0, 3.0, -1.0], [10.0, -1.0, 0.9], [-2.0, 9.0, -0.2]])
    weights = np.zeros((3, 2)), rng.normal(size=(3, 2)), np.eye(3, 2), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]])
    means = [[6.0, 1.0, 5.0], [4.0, 2.0, 2.0], [6.0, 1.0, 5.0], [4.0, 3.0, 1.0]]
    assert_same(kata.rope_attention(x, *weights, 1), means)
    assert_same(kata.rope_attention(x, *weights, 1, causal=False), [means[3]] * 4)


@pytest.mark.task(1)
def test_scores_of_a_million_pick_one_key(kata):
    # one head of two; score of query i and key j: 2e6 * side[j] * cos(i - j) / sqrt 2, side = -1, 1, 1, 0.1
    x = np.array([[1.0, -1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 3.0, -2.0], [1.0, 0.1, 7.0, 5.0]])
    w_q, w_k, w_v = np.zeros((3, 4, 2))
    w_q[0, 0], w_k[1, 0], w_v[2:] = 2000.0, 1000.0, np.eye(2)
    for causal in (True, False):
        # query 0 picks key 0, or key 1 if it may: cos(0 - 1) is positive; 1 and 2 pick themselves, 3 picks 0
        picked = x[[0 if causal else 1, 1, 2, 0], 2:] @ np.eye(2, 4)
        assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(2, 4), 1, causal=causal), picked)


@pytest.mark.task(1)
def test_a_later_key_has_no_weight_however_low_the_score_of_an_earlier_one(kata):
    # one head of two, queries (size, 0), keys (-size, 0): query 0 sees key 0 alone, with the score
    # -size ** 2 / sqrt 2; query 1 prefers it to its own, for cos 1 is below 1
    w_q, w_k, w_v = np.zeros((3, 3, 2))
    w_q[0, 0], w_k[0, 0], w_v[1:] = 1.0, -1.0, np.eye(2)
    for size in (1e5, 1e9):
        x = np.array([[size, 1.0, 0.0], [size, 0.0, 1.0]])
        assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(2, 3), 1), [[1.0, 0.0, 0.0]] * 2)


@pytest.mark.task(1)
def test_long_tokens_attend_beside_short_ones(kata, rng):
    # scores of many thousands, far apart, in rows and sequences that differ by as much
    weights = some_weights(rng, 6, 2, 2, 4) | {"w_q": 3000.0 * np.eye(6, 8), "w_k": np.eye(6, 8)}
    lengths = np.array([[1.0], [0.01], [1.0], [0.02], [1.0], [1.0], [0.05], [1.0]])
    x = rng.integers(1, 10, size=(8, 6)) * rng.choice([-1.0, 1.0], size=(8, 6)) * lengths              # (8, 6)
    x = np.stack([x, 0.01 * x])                                        # (2, 8, 6)
    out = kata.rope_attention(x, **weights, n_heads=2)
    assert np.isfinite(out).all()
    assert_same(out[:, 0], x[:, 0] @ weights["w_v"] @ weights["w_o"])


@pytest.mark.task(1)
def test_later_tokens_change_nothing_before_them(kata, rng):
    x, weights = rng.normal(size=(13, 10)), some_weights(rng, 10, 3, 3, 8)
    whole = kata.rope_attention(x, **weights, n_heads=3)
    assert_same(whole[:5], kata.rope_attention(x[:5], **weights, n_heads=3))
    other = np.vstack([x[:9], -2.0 * x[9:]])
    assert_same(kata.rope_attention(other, **weights, n_heads=3)[:9], whole[:9])


@pytest.mark.task(1)
def test_heads_work_on_their_own_and_are_added_by_the_output_weights(kata, rng):
    x, w = rng.normal(size=(13, 10)), some_weights(rng, 10, 5, 5, 8)
    heads = zip(*(np.split(w[name], 5, axis=1) for name in ("w_q", "w_k", "w_v")), np.split(w["w_o"], 5), strict=True)
    assert_same(kata.rope_attention(x, **w, n_heads=5), sum(kata.rope_attention(x, *head, 1) for head in heads))


@pytest.mark.task(1)
def test_a_sequence_backwards_is_its_mirror_image(kata, rng):
    # turning the other way round is the same as turning the mirror image: the odd columns negated
    x, weights = rng.normal(size=(13, 10)), some_weights(rng, 10, 3, 3, 8)
    forwards = kata.rope_attention(x, **weights, n_heads=3, base=50.0, causal=False)
    mirrored = weights | {name: weights[name] * np.tile([1.0, -1.0], 12) for name in ("w_q", "w_k")}
    assert_same(kata.rope_attention(x[::-1], **mirrored, n_heads=3, base=50.0, causal=False), forwards[::-1])


def layers(rng):
    """Layers of task 1: sizes that coincide and sizes that do not."""
    for causal in (True, False):
        for leading, n, n_heads, d_head, d_model in (
            ((), 13, 6, 8, 10), ((), 6, 6, 6, 6), ((4,), 4, 4, 4, 4), ((), 7, 4, 4, 16), ((2,), 3, 3, 2, 12),
            ((1, 3), 1, 2, 10, 7), ((), 12, 1, 12, 5),
        ):
            layer = a_layer(rng, leading, n, n_heads, n_heads, d_head, d_model)
            yield layer | {"base": float(rng.uniform(20.0, 50000.0)), "causal": causal}


def layers_that_differ_in_one_thing(rng):
    layer = a_layer(rng, (), 13, 4, 4, 6, 10)
    for rows, base, causal, n_heads in (
        (13, 10000.0, True, 4), (13, 80.0, True, 4), (13, 80.0, False, 4), (9, 80.0, True, 4), (9, 80.0, True, 2),
    ):
        yield layer | {"x": layer["x"][:rows], "n_heads": n_heads, "base": base, "causal": causal}


def short_layers(rng, n_kv_heads=6):
    for n, causal in ((1, True), (9, True), (9, False)):
        yield a_layer(rng, (), n, 6, n_kv_heads, 4, 5) | {"causal": causal}


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(1, "rope_attention", layers)
test_every_sequence_of_a_batch_stands_alone = checks.agrees_with_the_reference(
    1, "rope_attention", lambda rng: [a_layer(rng, leading, 5, 3, 3, 4, 10) for leading in ((2,), (2, 3))])
test_every_call_of_attention_starts_afresh = checks.starts_afresh(1, "rope_attention", layers_that_differ_in_one_thing)
test_whole_numbers_give_what_float64_gives = checks.takes_whole_numbers(1, "rope_attention", short_layers)
test_views_and_read_only_arrays_do_as_well = checks.takes_views(1, "rope_attention", short_layers)
test_rope_attention_keeps_float32 = checks.keeps_float32(1, "rope_attention", short_layers)


# Task 2: fewer key heads than query heads

def read_by_six_heads(n_kv_heads):
    """w_v and w_o for tokens of one: value head number h is (h, 0), query head h becomes decimal place h."""
    w_v, w_o = np.zeros((1, 2 * n_kv_heads)), np.zeros((12, 1))
    w_v[0, 0::2], w_o[0::2, 0] = np.arange(1, n_kv_heads + 1), 10.0 ** np.arange(6)
    return w_v, w_o


@pytest.mark.task(2)
def test_neighbouring_query_heads_share_a_key_head_and_a_value_head(kata, rng):
    for n_kv_heads, read in ((1, 111111.0), (2, 222111.0), (3, 332211.0), (6, 654321.0)):
        w_q, w_k = rng.normal(size=(1, 12)), rng.normal(size=(1, 2 * n_kv_heads))
        out = kata.rope_attention(np.array([[1.0]]), w_q, w_k, *read_by_six_heads(n_kv_heads), 6, n_kv_heads)
        assert_same(out, [[read]])
    # four heads of two; the key heads are (0, sqrt 2) and (sqrt 2, 0), every query is (1, 0), so the scores
    # are sin(i - j) for heads 0 and 1, cos(i - j) for heads 2 and 3. The values are (1, 0) for token 0 and 0
    # for token 1, so its output is its weight of token 0 in each head: 1 / (1 + exp(-sin 1)) twice, then
    # 1 / (1 + exp(1 - cos 1)) twice.
    x, w_q = np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([[1.0, 0.0] * 4, [0.0] * 8])
    w_k, w_v = np.array([[0.0, ROOT_2, ROOT_2, 0.0], [0.0] * 4]), np.array([[0.0] * 4, [1.0, 0.0, 1.0, 0.0]])
    w_o = np.zeros((8, 2))
    w_o[0::2, :1], sine, cosine = PLACES, 0.698774931931, 0.387057541665
    out = kata.rope_attention(x, w_q, w_k, w_v, w_o, 4, n_kv_heads=2)
    assert_same(out, [[1111.0, 0.0], [11.0 * sine + 1100.0 * cosine, 0.0]])


@pytest.mark.task(2)
def test_shared_heads_are_whole_heads_written_out(kata, rng):
    for n_kv_heads in (1, 2, 3):
        x, weights, written_out = rng.normal(size=(13, 10)), some_weights(rng, 10, 6, n_kv_heads, 4), {}
        for name in ("w_k", "w_v"):
            heads = np.split(weights[name], n_kv_heads, axis=1)
            written_out[name] = np.concatenate([heads[h * n_kv_heads // 6] for h in range(6)], axis=1)
        shared = kata.rope_attention(x, **weights, n_heads=6, n_kv_heads=n_kv_heads)
        assert_same(shared, kata.rope_attention(x, **(weights | written_out), n_heads=6))


def layers_that_share(rng):
    for causal in (True, False):
        for leading, n, n_heads, n_kv_heads, d_head, d_model in (
            ((), 13, 6, 1, 8, 10), ((), 12, 6, 2, 8, 10), ((), 13, 6, 3, 8, 10), ((), 12, 6, 6, 4, 10),
            ((2,), 5, 8, 2, 4, 9), ((2, 3), 4, 4, 2, 4, 4), ((3,), 3, 12, 3, 2, 3), ((), 2, 4, 2, 2, 2),
        ):
            x, *weights = list(a_layer(rng, leading, n, n_heads, n_kv_heads, d_head, d_model).values())[:5]
            yield x, *weights, n_heads, n_kv_heads, float(rng.uniform(20.0, 50000.0)), causal


test_none_means_as_many_key_heads_as_query_heads = checks.agrees_with_the_reference(
    2, "rope_attention", lambda rng: [a_layer(rng, (), 13, 6, 6, 4, 10) | {"n_kv_heads": n} for n in (None, 6)])
test_shared_heads_of_any_number_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "rope_attention", layers_that_share)
test_rope_attention_with_shared_heads_keeps_float32 = checks.keeps_float32(
    2, "rope_attention", lambda rng: short_layers(rng, n_kv_heads=2))


# Task 3: one more token

@pytest.mark.task(3)
def test_the_first_token_fills_empty_caches(kata):
    # position 0 turns nothing; the only token gets its own value, 1 2 3 4 in two heads
    x_new, w_v, empty = np.array([2.0]), np.array([[0.5, 1.0, 1.5, 2.0]]), np.zeros((0, 2, 2))
    w_q, w_k = np.array([[1.0, -2.0, 0.5, 1.0]]), np.array([[0.5, 1.0, -1.0, 3.0]])
    assert_same(
        kata.decode_step(x_new, empty, empty.copy(), w_q, w_k, w_v, PLACES, 2),
        (np.array([4321.0]), np.array([[[1.0, 2.0], [-2.0, 6.0]]]), np.array([[[1.0, 2.0], [3.0, 4.0]]])),
    )


@pytest.mark.task(3)
def test_the_third_token_by_hand(kata):
    # position 2: query (cos 2, sin 2), so the cached keys (0, sqrt 2) and (sqrt 2, 0) score sin 2 and cos 2;
    # its own key (0, sqrt 2) turns with it: score 0. Weights 0.599343589939, 0.159236541037, 0.241419869024.
    keys, values = [[[0.0, ROOT_2]], [[ROOT_2, 0.0]]], [[[1.0, 0.0]], [[0.0, 1.0]]]
    w_q, w_k, w_v = np.zeros((3, 3, 2))
    w_q[0, 0], w_k[0, 1], w_v[1] = 1.0, ROOT_2, [5.0, -3.0]
    x_new, w_o = np.array([1.0, 1.0, 7.0]), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0]])
    assert_same(kata.decode_step(x_new, np.array(keys), np.array(values), w_q, w_k, w_v, w_o, 1), (
        np.array([1.806442935058, -0.565023066035, 0.676396802989]),
        np.array([*keys, [[-1.285940753248, -0.588520500184]]]),
        np.array([*values, [[5.0, -3.0]]]),
    ))


@pytest.mark.task(3)
def test_the_new_key_is_turned_and_the_new_value_is_not(kata, rng):
    # position 3, base 100: the pairs of width 4 turn by 3 and 0.3 radians
    across = np.array([[1.0, 0.0, 1.0, 0.0]])
    weights = some_weights(rng, 1, 1, 1, 4) | {"w_k": across, "w_v": across.copy()}
    _, keys, values = kata.decode_step(np.array([1.0]), **some_caches(rng, 3, 1, 4), **weights, n_heads=1, base=100.0)
    assert_same(keys[3], [[-0.989992496600, 0.141120008060, 0.955336489126, 0.295520206661]])
    assert_same(values[3], across)


@pytest.mark.task(3)
def test_neighbouring_query_heads_share_a_cached_value_head(kata, rng):
    for n_kv_heads, read in ((1, 111111.0), (2, 222111.0), (3, 332211.0), (6, 654321.0)):
        # no queries, so the output is the mean of two values, which are the same
        w_k, (w_v, w_o) = rng.normal(size=(1, 2 * n_kv_heads)), read_by_six_heads(n_kv_heads)
        caches = rng.normal(size=(1, n_kv_heads, 2)), w_v.reshape(1, n_kv_heads, 2)
        out, _, _ = kata.decode_step(np.array([1.0]), *caches, np.zeros((1, 12)), w_k, w_v, w_o, 6, n_kv_heads)
        assert_same(out, [read])


@pytest.mark.task(3)
def test_a_step_with_scores_of_a_million_picks_one_key_in_each_head(kata):
    for sign, picked in ((1.0, 1.0), (-1.0, -17.0)):
        # position 2, query 1000 (cos 2, sin 2), its own key the opposite: the lowest score of all. The cached
        # keys score 1e6 cos 2 and -1e6 sin 2 over sqrt 2, both below 0: key 0 is best, with signs changed key 1.
        w_q, w_k, w_v = np.array([[1000.0, 0.0]]), np.array([[-1000.0, 0.0]]), np.array([[7.0, 5.0]])
        k_cache = sign * np.array([[[1000.0, 0.0]], [[0.0, -1000.0]]])
        v_cache, w_o = np.array([[[1.0, 0.0]], [[3.0, -2.0]]]), np.array([[1.0], [10.0]])
        out, _, _ = kata.decode_step(np.array([1.0]), k_cache, v_cache, w_q, w_k, w_v, w_o, 1)
        assert_same(out, [picked])
    # position 2; the new key is (-1000, 0) turned, the query of head 0 the opposite, that of head 1 the same. In
    # head 0 the new key scores -1e6 / sqrt 2, the cached ones 0.9 and 1 times 1e6 cos 2 / sqrt 2: key 0 is best.
    # In head 1 all scores have the other sign: the new key is best.
    w_q, w_k, w_v = np.array([[1000.0, 0.0, -1000.0, 0.0]]), np.array([[-1000.0, 0.0]]), np.array([[7.0, 5.0]])
    k_cache, v_cache = np.array([[[900.0, 0.0]], [[1000.0, 0.0]]]), np.array([[[1.0, 3.0]], [[8.0, 9.0]]])
    out, _, _ = kata.decode_step(np.array([1.0]), k_cache, v_cache, w_q, w_k, w_v, PLACES, 2, n_kv_heads=1)
    assert_same(out, [5731.0])
    # scores of 3e6 / sqrt 2 in head 0, of -3e6 / sqrt 2 in head 1
    w_q, w_k = np.array([[1000.0, 0.0, 1000.0, 0.0]]), np.array([[3000.0, 0.0, -3000.0, 0.0]])
    w_v = np.array([[7.0, 5.0, 3.0, 2.0]])
    for heads, wanted in ((1, 57.0), (2, 2357.0)):
        *weights, w_o = (w[:, : 2 * heads] for w in (w_q, w_k, w_v, PLACES.T))
        empty = np.zeros((0, heads, 2))
        assert_same(kata.decode_step(np.array([1.0]), empty, empty.copy(), *weights, w_o.T, heads), (
            np.array([wanted]), weights[1].reshape(1, heads, 2), weights[2].reshape(1, heads, 2)))


@pytest.mark.task(2, 3)
def test_step_by_step_equals_the_whole_sequence(kata, rng):
    for n_kv_heads in (1, 2, 3, 6):
        x, weights = rng.normal(size=(12, 10)), some_weights(rng, 10, 6, n_kv_heads, 4)
        heads = {"n_heads": 6, "n_kv_heads": n_kv_heads, "base": 200.0}
        k_cache = v_cache = np.zeros((0, n_kv_heads, 4))
        rows = []
        for x_new in x:
            out, k_cache, v_cache = kata.decode_step(x_new, k_cache, v_cache, **weights, **heads)
            rows.append(out)
        assert_same(np.stack(rows), kata.rope_attention(x, **weights, **heads))


@pytest.mark.task(3)
def test_the_caches_grow_by_one_row_and_keep_the_others(kata, rng):
    x_new, weights, caches = rng.normal(size=10), some_weights(rng, 10, 6, 2, 8), some_caches(rng, 13, 2, 8)
    out, keys, values = kata.decode_step(x_new, **caches, **weights, n_heads=6, n_kv_heads=2)
    assert np.shape(keys) == np.shape(values) == (14, 2, 8)
    assert_same((keys[:13], values[:13]), (caches["k_cache"], caches["v_cache"]))
    # a cached key holds its position already, so the order of the rows makes no difference to the output
    order = rng.permutation(13)
    mixed = {name: cache[order] for name, cache in caches.items()}
    assert_same(kata.decode_step(x_new, **mixed, **weights, n_heads=6, n_kv_heads=2)[0], out)


def steps(rng):
    for t, n_heads, n_kv_heads, d_head, d_model in (
        (13, 6, 1, 8, 10), (12, 6, 2, 8, 10), (13, 6, 3, 8, 10), (12, 6, 6, 8, 10), (4, 4, 4, 4, 4),
        (1, 8, 2, 2, 16), (2, 4, 2, 2, 2), (0, 4, 2, 6, 5), (0, 4, 2, 4, 16), (300, 2, 1, 8, 3),
    ):
        yield *a_step(rng, t, n_heads, n_kv_heads, d_head, d_model).values(), float(rng.uniform(20.0, 50000.0))


def steps_that_differ_in_one_thing(rng):
    step = a_step(rng, 13, 6, 2, 8, 10)
    for t, base in ((13, 10000.0), (13, 80.0), (4, 80.0), (0, 80.0)):
        yield step | {"k_cache": step["k_cache"][:t], "v_cache": step["v_cache"][:t], "base": base}


def short_steps(rng):
    for t, n_kv_heads in ((0, 2), (7, 2), (7, 6)):
        yield a_step(rng, t, 6, n_kv_heads, 4, 5)


test_steps_from_any_caches_agree_with_the_reference = checks.agrees_with_the_reference(3, "decode_step", steps)
test_every_step_starts_afresh = checks.starts_afresh(3, "decode_step", steps_that_differ_in_one_thing)
test_a_step_of_whole_numbers_gives_what_float64_gives = checks.takes_whole_numbers(3, "decode_step", short_steps)
test_a_step_takes_views_and_read_only_arrays_as_well = checks.takes_views(3, "decode_step", short_steps)
test_decode_step_keeps_float32 = checks.keeps_float32(3, "decode_step", short_steps)


# All

test_attention_and_step_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), rope_attention=lambda rng: short_layers(rng, n_kv_heads=2), decode_step=short_steps)
