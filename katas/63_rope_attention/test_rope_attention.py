"""What attention with rotary positions has to be: values worked by hand, laws, the reference, a cache."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_keeps_float32, assert_same

ROOT_2 = 2.0 ** 0.5


def some_weights(rng, d_model, n_heads, n_kv_heads, d_head):
    """Random w_q, w_k, w_v and w_o that make scores of moderate size."""
    shapes = {
        "w_q": (d_model, n_heads * d_head),
        "w_k": (d_model, n_kv_heads * d_head),
        "w_v": (d_model, n_kv_heads * d_head),
        "w_o": (n_heads * d_head, d_model),
    }
    return {name: 1.3 * rng.normal(size=shape) / shape[0] ** 0.5 for name, shape in shapes.items()}


def some_caches(rng, t, n_kv_heads, d_head):
    """k_cache and v_cache as if t tokens had gone before."""
    return {name: rng.normal(size=(t, n_kv_heads, d_head)) for name in ("k_cache", "v_cache")}


def in_single_precision(arrays):
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def step_by_step(kata, x, base, weights, heads):
    """The outputs of decode_step for every row of x in turn, from empty caches."""
    k_cache = v_cache = np.zeros((0, heads["n_kv_heads"], weights["w_q"].shape[1] // heads["n_heads"]), x.dtype)
    rows = []
    for x_new in x:
        out, k_cache, v_cache = kata.decode_step(x_new, k_cache, v_cache, **weights, **heads, base=base)
        rows.append(out)
    return np.stack(rows)


# Task 1: attention with as many key heads as query heads

@pytest.mark.task(1)
def test_two_tokens_by_hand(kata):
    # queries (1, 0), keys (0, sqrt 2): score of query i and key j is sin(i - j), for i = 1: sin 1 and 0.
    # Token 1 weighs token 0 with 1 / (1 + exp(-sin 1)); the values are (1, 0) and (0, 1).
    x = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    w_q = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    w_k = np.array([[0.0, ROOT_2], [0.0, 0.0], [0.0, 0.0]])
    w_v = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    w_o = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 3.0]])
    last = [0.698774931931, 0.301225068069, 2.301225068069]
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 1), [[1.0, 0.0, 2.0], last])
    # query 0 may see key 1 now: its scores are 0 and sin(-1), which makes the same two weights
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 1, causal=False), [last, last])


@pytest.mark.task(1)
def test_the_second_pair_by_hand(kata):
    # queries (0, 0, 1, 0), keys (0, 0, 0, 2), width 4: score sin((i - j) w), where w is 0.01, or 0.1 for
    # base 100; the values are the unit vectors, so the output is the weights
    x = np.concatenate([np.ones((3, 1)), np.eye(3)], axis=1)           # (3, 4)
    w_q, w_k, w_v = np.zeros((4, 4)), np.zeros((4, 4)), np.zeros((4, 4))
    w_q[0, 2], w_k[0, 3] = 1.0, 2.0
    w_v[1:, :3] = np.eye(3)
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(4), 1), [
        [1.0, 0.0, 0.0, 0.0],
        [0.502499937501, 0.497500062499, 0.0, 0.0],
        [0.336671887473, 0.333322335088, 0.330005777439, 0.0],
    ])
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(4), 1, base=100.0), [
        [1.0, 0.0, 0.0, 0.0],
        [0.524937645409, 0.475062354591, 0.0, 0.0],
        [0.366876580530, 0.332350317070, 0.300773102400, 0.0],
    ])
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, np.eye(4), 1, None, 100, False), [
        [0.366998187207, 0.332129014693, 0.300872798100, 0.0],
        [0.367108309322, 0.332228673904, 0.300663016774, 0.0],
        [0.366876580530, 0.332350317070, 0.300773102400, 0.0],
    ])


@pytest.mark.task(1)
def test_one_token_attends_to_itself(kata):
    for causal in (True, False):
        # two heads of two; the values are 1 2 3 4 times the token's 3, whatever the queries and keys
        x, w_v = np.array([[3.0]]), np.array([[1.0, 2.0, 3.0, 4.0]])
        w_q, w_k = np.array([[1.0, -2.0, 0.5, 1.0]]), np.array([[0.3, 1.0, -1.0, 2.0]])
        w_o = np.array([[1.0], [10.0], [100.0], [1000.0]])
        assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 2, causal=causal), [[12963.0]])


@pytest.mark.task(1)
def test_without_queries_the_output_is_a_mean(kata, rng):
    # all scores 0: the values are 6, 2, 10, -2 in column 0 and 1, 3, -1, 9 in column 1
    x = np.array([[6.0, 1.0, 0.4], [2.0, 3.0, -1.0], [10.0, -1.0, 0.9], [-2.0, 9.0, -0.2]])
    w_q, w_k, w_v = np.zeros((3, 2)), rng.normal(size=(3, 2)), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    w_o = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]])
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 1), [
        [6.0, 1.0, 5.0], [4.0, 2.0, 2.0], [6.0, 1.0, 5.0], [4.0, 3.0, 1.0],
    ])
    assert_same(kata.rope_attention(x, w_q, w_k, w_v, w_o, 1, causal=False), [[4.0, 3.0, 1.0]] * 4)


@pytest.mark.task(1)
def test_scores_of_a_million_pick_one_key(kata):
    for causal in (True, False):
        # one head of two; score of query i and key j: 2e6 * side[j] * cos(i - j) / sqrt 2, side = -1, 1, 1, 0.1
        x = np.array([[1.0, -1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 3.0, -2.0], [1.0, 0.1, 7.0, 5.0]])
        w_q, w_k, w_v, w_o = np.zeros((4, 2)), np.zeros((4, 2)), np.zeros((4, 2)), np.zeros((2, 4))
        w_q[0, 0], w_k[1, 0] = 2000.0, 1000.0
        w_v[2:], w_o[:, :2] = np.eye(2), np.eye(2)
        # query 0 picks key 0, or key 1 if it may: cos(0 - 1) is positive; 1 and 2 pick themselves, 3 picks 0
        picked = [[1.0, 0.0] if causal else [0.0, 1.0], [0.0, 1.0], [3.0, -2.0], [1.0, 0.0]]
        assert_same(
            kata.rope_attention(x, w_q, w_k, w_v, w_o, 1, causal=causal),
            [[*row, 0.0, 0.0] for row in picked],
        )


@pytest.mark.task(1)
def test_a_later_key_has_no_weight_however_low_the_score_of_an_earlier_one(kata):
    # one head of two, queries (size, 0), keys (-size, 0): query 0 sees key 0 alone, with the score
    # -size ** 2 / sqrt 2; query 1 prefers it to its own, for cos 1 is below 1
    w_q, w_k, w_v = np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2))
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
def test_one_token_repeated_gives_one_row_repeated(kata, rng):
    for causal in (True, False):
        # every value is the same, so weights that sum to 1 give it back; values are not turned
        x, weights = np.tile(rng.normal(size=10), (13, 1)), some_weights(rng, 10, 3, 3, 8)
        wanted = x @ weights["w_v"] @ weights["w_o"]
        assert_same(kata.rope_attention(x, **weights, n_heads=3, causal=causal), wanted)


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
    heads = [slice(8 * h, 8 * h + 8) for h in range(5)]
    alone = [
        kata.rope_attention(x, w["w_q"][:, h], w["w_k"][:, h], w["w_v"][:, h], w["w_o"][h], 1) for h in heads
    ]
    assert_same(kata.rope_attention(x, **w, n_heads=5), sum(alone))


@pytest.mark.task(1)
def test_a_sequence_backwards_is_its_mirror_image(kata, rng):
    # turning the other way round is the same as turning the mirror image: the odd columns negated
    x, weights = rng.normal(size=(13, 10)), some_weights(rng, 10, 3, 3, 8)
    forwards = kata.rope_attention(x, **weights, n_heads=3, base=50.0, causal=False)
    mirror = np.tile([1.0, -1.0], 12)                                  # (24,)
    weights |= {"w_q": weights["w_q"] * mirror, "w_k": weights["w_k"] * mirror}
    assert_same(kata.rope_attention(x[::-1], **weights, n_heads=3, base=50.0, causal=False), forwards[::-1])


@pytest.mark.task(1)
def test_every_sequence_of_a_batch_stands_alone(kata, reference, rng):
    for leading in ((2,), (2, 3)):
        x, weights = rng.normal(size=(*leading, 5, 10)), some_weights(rng, 10, 3, 3, 4)
        whole = kata.rope_attention(x, **weights, n_heads=3, base=300.0)
        assert_same(whole, reference.rope_attention(x, **weights, n_heads=3, base=300.0))
        for place in np.ndindex(leading):
            assert_same(whole[place], kata.rope_attention(x[place], **weights, n_heads=3, base=300.0))


@pytest.mark.task(1)
def test_whole_numbers_give_what_float64_gives(kata, reference, rng):
    x = rng.integers(-2, 3, size=(9, 5))
    weights = {n: rng.integers(-1, 2, size=w.shape) for n, w in some_weights(rng, 5, 3, 3, 4).items()}
    for size in (1, 0.7):                                              # 0.7: only x is whole numbers
        sized = {name: size * w for name, w in weights.items()}
        real = {name: w.astype(np.float64) for name, w in sized.items()}
        wanted = reference.rope_attention(x.astype(np.float64), **real, n_heads=3)
        assert_same(kata.rope_attention(x, **sized, n_heads=3), wanted)


@pytest.mark.task(1)
def test_views_and_read_only_arrays_do_as_well(kata, reference, rng):
    x = np.asfortranarray(rng.normal(size=(26, 10)))[::2]              # (13, 10), rows apart
    x.flags.writeable = False
    weights = some_weights(rng, 10, 3, 3, 8)
    views = {name: np.repeat(w, 2, axis=1)[:, ::2] for name, w in weights.items()}
    views["w_k"] = np.asfortranarray(weights["w_k"])
    assert_same(
        kata.rope_attention(x, **views, n_heads=3),
        reference.rope_attention(x.copy(), **weights, n_heads=3),
    )


@pytest.mark.task(1)
def test_every_call_of_attention_starts_afresh(kata, reference, rng):
    x, weights = rng.normal(size=(13, 10)), some_weights(rng, 10, 4, 4, 6)
    for rows, base, causal, n_heads in (
        (13, 10000.0, True, 4), (13, 80.0, True, 4), (13, 80.0, False, 4), (9, 80.0, True, 4),
        (9, 80.0, True, 2), (13, 10000.0, True, 4),
    ):
        assert_same(
            kata.rope_attention(x[:rows], **weights, n_heads=n_heads, base=base, causal=causal),
            reference.rope_attention(x[:rows], **weights, n_heads=n_heads, base=base, causal=causal),
        )


@pytest.mark.task(1)
def test_attention_of_any_size_agrees_with_the_reference(kata, reference, rng):
    for causal in (True, False):
        # (leading axes, n, heads, width of a head, d_model): sizes that coincide and sizes that do not
        for leading, n, n_heads, d_head, d_model in (
            ((), 13, 6, 8, 10), ((), 6, 6, 6, 6), ((4,), 4, 4, 4, 4), ((), 7, 4, 4, 16), ((2,), 3, 3, 2, 12),
            ((1, 3), 1, 2, 10, 7), ((), 12, 1, 12, 5),
        ):
            x = 1.4 * rng.normal(size=(*leading, n, d_model))
            x[..., n // 2, :] = 0.0
            weights = some_weights(rng, d_model, n_heads, n_heads, d_head)
            base = float(rng.uniform(20.0, 50000.0))
            assert_same(
                kata.rope_attention(x, **weights, n_heads=n_heads, base=base, causal=causal),
                reference.rope_attention(x, **weights, n_heads=n_heads, base=base, causal=causal),
            )


@pytest.mark.task(1)
def test_rope_attention_keeps_float32(kata, reference, rng):
    for n, causal in ((1, True), (9, True), (9, False)):
        arrays = in_single_precision({"x": rng.normal(size=(n, 5))} | some_weights(rng, 5, 6, 6, 4))
        given = arrays | {"n_heads": 6, "causal": causal}
        assert_keeps_float32(kata.rope_attention, **given)
        assert_same(kata.rope_attention(**given), reference.rope_attention(**given))


# Task 2: fewer key heads than query heads

@pytest.mark.task(2)
def test_neighbouring_query_heads_share_a_value_head(kata, rng):
    for n_kv_heads, read in ((1, 111111.0), (2, 222111.0), (3, 332211.0), (6, 654321.0)):
        # one token; value head number h is (h, 0), and the output weights make query head h decimal place h
        w_q, w_k = rng.normal(size=(1, 12)), rng.normal(size=(1, 2 * n_kv_heads))
        w_v, w_o = np.zeros((1, 2 * n_kv_heads)), np.zeros((12, 1))
        w_v[0, 0::2] = np.arange(1, n_kv_heads + 1)
        w_o[0::2, 0] = 10.0 ** np.arange(6)
        assert_same(kata.rope_attention(np.array([[1.0]]), w_q, w_k, w_v, w_o, 6, n_kv_heads), [[read]])


@pytest.mark.task(2)
def test_neighbouring_query_heads_share_a_key_head(kata):
    # four heads of two; the key heads are (0, sqrt 2) and (sqrt 2, 0), every query is (1, 0), so the scores
    # are sin(i - j) for heads 0 and 1, cos(i - j) for heads 2 and 3. The values are (1, 0) for token 0 and 0
    # for token 1, so its output is its weight of token 0 in each head: 1 / (1 + exp(-sin 1)) twice, then
    # 1 / (1 + exp(1 - cos 1)) twice.
    x = np.array([[1.0, 1.0], [1.0, 0.0]])
    w_q = np.array([[1.0, 0.0] * 4, [0.0] * 8])
    w_k = np.array([[0.0, ROOT_2, ROOT_2, 0.0], [0.0] * 4])
    w_v = np.array([[0.0] * 4, [1.0, 0.0, 1.0, 0.0]])
    w_o = np.zeros((8, 2))
    w_o[[0, 2, 4, 6], 0] = [1.0, 10.0, 100.0, 1000.0]
    sine, cosine = 0.698774931931, 0.387057541665
    assert_same(
        kata.rope_attention(x, w_q, w_k, w_v, w_o, 4, n_kv_heads=2),
        [[1111.0, 0.0], [11.0 * sine + 1100.0 * cosine, 0.0]],
    )


@pytest.mark.task(2)
def test_shared_heads_are_whole_heads_written_out(kata, rng):
    for n_kv_heads in (1, 2, 3):
        x, weights = rng.normal(size=(13, 10)), some_weights(rng, 10, 6, n_kv_heads, 4)
        written_out = dict(weights)
        for name in ("w_k", "w_v"):
            heads = np.split(weights[name], n_kv_heads, axis=1)
            written_out[name] = np.concatenate([heads[h * n_kv_heads // 6] for h in range(6)], axis=1)
        assert_same(
            kata.rope_attention(x, **weights, n_heads=6, n_kv_heads=n_kv_heads),
            kata.rope_attention(x, **written_out, n_heads=6),
        )


@pytest.mark.task(2)
def test_none_means_as_many_key_heads_as_query_heads(kata, rng):
    x, weights = rng.normal(size=(13, 10)), some_weights(rng, 10, 6, 6, 4)
    whole = kata.rope_attention(x, **weights, n_heads=6, n_kv_heads=6)
    assert_same(kata.rope_attention(x, **weights, n_heads=6, n_kv_heads=None), whole)
    assert_same(kata.rope_attention(x, **weights, n_heads=6), whole)


@pytest.mark.task(2)
def test_shared_heads_of_any_number_agree_with_the_reference(kata, reference, rng):
    for causal in (True, False):
        # (leading axes, n, query heads, key heads, width of a head, d_model)
        for leading, n, n_heads, n_kv_heads, d_head, d_model in (
            ((), 13, 6, 1, 8, 10), ((), 12, 6, 2, 8, 10), ((), 13, 6, 3, 8, 10), ((), 12, 6, 6, 4, 10),
            ((2,), 5, 8, 2, 4, 9), ((2, 3), 4, 4, 2, 4, 4), ((3,), 3, 12, 3, 2, 3), ((), 2, 4, 2, 2, 2),
        ):
            x, base = 1.4 * rng.normal(size=(*leading, n, d_model)), float(rng.uniform(20.0, 50000.0))
            w_q, w_k, w_v, w_o = some_weights(rng, d_model, n_heads, n_kv_heads, d_head).values()
            assert_same(
                kata.rope_attention(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base, causal),
                reference.rope_attention(x, w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base, causal),
            )


@pytest.mark.task(2)
def test_rope_attention_with_shared_heads_keeps_float32(kata, reference, rng):
    for n, causal in ((1, True), (9, True), (9, False)):
        arrays = in_single_precision({"x": rng.normal(size=(n, 5))} | some_weights(rng, 5, 6, 2, 4))
        given = arrays | {"n_heads": 6, "n_kv_heads": 2, "causal": causal}
        assert_keeps_float32(kata.rope_attention, **given)
        assert_same(kata.rope_attention(**given), reference.rope_attention(**given))


# Task 3: one more token

@pytest.mark.task(3)
def test_the_first_token_fills_empty_caches(kata):
    # position 0 turns nothing; the only token gets its own value, 1 2 3 4 in two heads
    x_new, w_v = np.array([2.0]), np.array([[0.5, 1.0, 1.5, 2.0]])
    w_q, w_k = np.array([[1.0, -2.0, 0.5, 1.0]]), np.array([[0.5, 1.0, -1.0, 3.0]])
    w_o = np.array([[1.0], [10.0], [100.0], [1000.0]])
    empty = np.zeros((0, 2, 2))
    assert_same(
        kata.decode_step(x_new, empty, empty.copy(), w_q, w_k, w_v, w_o, 2),
        (np.array([4321.0]), np.array([[[1.0, 2.0], [-2.0, 6.0]]]), np.array([[[1.0, 2.0], [3.0, 4.0]]])),
    )


@pytest.mark.task(3)
def test_the_third_token_by_hand(kata):
    # position 2: query (cos 2, sin 2), so the cached keys (0, sqrt 2) and (sqrt 2, 0) score sin 2 and cos 2;
    # its own key (0, sqrt 2) turns with it: score 0. Weights 0.599343589939, 0.159236541037, 0.241419869024.
    k_cache, v_cache = np.array([[[0.0, ROOT_2]], [[ROOT_2, 0.0]]]), np.array([[[1.0, 0.0]], [[0.0, 1.0]]])
    w_q, w_k, w_v = np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2))
    w_q[0, 0], w_k[0, 1], w_v[1] = 1.0, ROOT_2, [5.0, -3.0]
    w_o = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0]])
    assert_same(
        kata.decode_step(np.array([1.0, 1.0, 7.0]), k_cache, v_cache, w_q, w_k, w_v, w_o, 1),
        (
            np.array([1.806442935058, -0.565023066035, 0.676396802989]),
            np.array([[[0.0, ROOT_2]], [[ROOT_2, 0.0]], [[-1.285940753248, -0.588520500184]]]),
            np.array([[[1.0, 0.0]], [[0.0, 1.0]], [[5.0, -3.0]]]),
        ),
    )


@pytest.mark.task(3)
def test_the_new_key_is_turned_and_the_new_value_is_not(kata, rng):
    # position 3, base 100: the pairs of width 4 turn by 3 and 0.3 radians
    weights = some_weights(rng, 1, 1, 1, 4)
    weights |= {"w_k": np.array([[1.0, 0.0, 1.0, 0.0]]), "w_v": np.array([[1.0, 0.0, 1.0, 0.0]])}
    caches = some_caches(rng, 3, 1, 4)
    _, keys, values = kata.decode_step(np.array([1.0]), **caches, **weights, n_heads=1, base=100.0)
    assert_same(keys[3], [[-0.989992496600, 0.141120008060, 0.955336489126, 0.295520206661]])
    assert_same(values[3], [[1.0, 0.0, 1.0, 0.0]])


@pytest.mark.task(3)
def test_neighbouring_query_heads_share_a_cached_value_head(kata, rng):
    for n_kv_heads, read in ((1, 111111.0), (2, 222111.0), (3, 332211.0), (6, 654321.0)):
        # no queries, so the output is the mean of two values: value head number h is (h, 0) in both
        w_q, w_k, w_o = np.zeros((1, 12)), rng.normal(size=(1, 2 * n_kv_heads)), np.zeros((12, 1))
        w_v = np.zeros((1, 2 * n_kv_heads))
        w_v[0, 0::2] = np.arange(1, n_kv_heads + 1)
        w_o[0::2, 0] = 10.0 ** np.arange(6)
        k_cache, v_cache = rng.normal(size=(1, n_kv_heads, 2)), w_v.reshape(1, n_kv_heads, 2)
        out, _, _ = kata.decode_step(np.array([1.0]), k_cache, v_cache, w_q, w_k, w_v, w_o, 6, n_kv_heads)
        assert_same(out, [read])


@pytest.mark.task(3)
def test_a_step_with_scores_of_a_million_picks_one_key(kata):
    for sign, picked in ((1.0, 1.0), (-1.0, -17.0)):
        # position 2, query 1000 (cos 2, sin 2), its own key the opposite: the lowest score of all. The cached
        # keys score 1e6 cos 2 and -1e6 sin 2 over sqrt 2, both below 0: key 0 is best, with signs changed key 1.
        w_q, w_k, w_v = np.array([[1000.0, 0.0]]), np.array([[-1000.0, 0.0]]), np.array([[7.0, 5.0]])
        k_cache = sign * np.array([[[1000.0, 0.0]], [[0.0, -1000.0]]])
        v_cache, w_o = np.array([[[1.0, 0.0]], [[3.0, -2.0]]]), np.array([[1.0], [10.0]])
        out, _, _ = kata.decode_step(np.array([1.0]), k_cache, v_cache, w_q, w_k, w_v, w_o, 1)
        assert_same(out, [picked])


@pytest.mark.task(3)
def test_heads_whose_scores_lie_far_apart_pick_a_key_each(kata):
    # position 2; the new key is (-1000, 0) turned, the query of head 0 the opposite, that of head 1 the same. In
    # head 0 the new key scores -1e6 / sqrt 2, the cached ones 0.9 and 1 times 1e6 cos 2 / sqrt 2: key 0 is best.
    # In head 1 all scores have the other sign: the new key is best.
    w_q, w_k, w_v = np.array([[1000.0, 0.0, -1000.0, 0.0]]), np.array([[-1000.0, 0.0]]), np.array([[7.0, 5.0]])
    k_cache, v_cache = np.array([[[900.0, 0.0]], [[1000.0, 0.0]]]), np.array([[[1.0, 3.0]], [[8.0, 9.0]]])
    w_o = np.array([[1.0], [10.0], [100.0], [1000.0]])
    out, _, _ = kata.decode_step(np.array([1.0]), k_cache, v_cache, w_q, w_k, w_v, w_o, 2, n_kv_heads=1)
    assert_same(out, [5731.0])


@pytest.mark.task(3)
def test_the_first_token_attends_to_itself_whatever_its_score(kata):
    # scores of 3e6 / sqrt 2 in head 0, of -3e6 / sqrt 2 in head 1
    w_q, w_k = np.array([[1000.0, 0.0, 1000.0, 0.0]]), np.array([[3000.0, 0.0, -3000.0, 0.0]])
    w_v, w_o = np.array([[7.0, 5.0, 3.0, 2.0]]), np.array([[1.0], [10.0], [100.0], [1000.0]])
    for heads, wanted in ((1, 57.0), (2, 2357.0)):
        empty, columns = np.zeros((0, heads, 2)), slice(2 * heads)
        weights = w_q[:, columns], w_k[:, columns], w_v[:, columns], w_o[columns]
        out, k_cache, v_cache = kata.decode_step(np.array([1.0]), empty, empty.copy(), *weights, heads)
        assert_same(out, [wanted])
        assert_same(k_cache, w_k[:, columns].reshape(1, heads, 2))
        assert_same(v_cache, w_v[:, columns].reshape(1, heads, 2))


@pytest.mark.task(2, 3)
def test_step_by_step_equals_the_whole_sequence(kata, rng):
    for n_kv_heads in (1, 2, 3, 6):
        x, weights = rng.normal(size=(12, 10)), some_weights(rng, 10, 6, n_kv_heads, 4)
        heads = {"n_heads": 6, "n_kv_heads": n_kv_heads}
        whole = kata.rope_attention(x, **weights, **heads, base=200.0)
        assert_same(step_by_step(kata, x, 200.0, weights, heads), whole)


@pytest.mark.task(2, 3)
def test_steps_of_whole_numbers_equal_the_whole_sequence(kata, rng):
    x, heads = rng.integers(-2, 3, size=(7, 4)), {"n_heads": 2, "n_kv_heads": 1}
    weights = {n: rng.integers(-1, 2, size=w.shape) for n, w in some_weights(rng, 4, 2, 1, 6).items()}
    whole = kata.rope_attention(x, **weights, **heads, base=200.0)
    assert_same(step_by_step(kata, x, 200.0, weights, heads), whole)


@pytest.mark.task(3)
def test_the_caches_grow_by_one_row_and_keep_the_others(kata, rng):
    weights, caches = some_weights(rng, 10, 6, 2, 8), some_caches(rng, 13, 2, 8)
    _, keys, values = kata.decode_step(rng.normal(size=10), **caches, **weights, n_heads=6, n_kv_heads=2)
    assert np.shape(keys) == np.shape(values) == (14, 2, 8)
    assert_same(keys[:13], caches["k_cache"])
    assert_same(values[:13], caches["v_cache"])


@pytest.mark.task(3)
def test_the_order_of_the_cached_rows_makes_no_difference_to_the_output(kata, rng):
    # a cached key holds its position already
    x_new, weights, caches = rng.normal(size=10), some_weights(rng, 10, 6, 2, 8), some_caches(rng, 13, 2, 8)
    out, _, _ = kata.decode_step(x_new, **caches, **weights, n_heads=6, n_kv_heads=2)
    order = rng.permutation(13)
    mixed = {name: cache[order] for name, cache in caches.items()}
    again, _, _ = kata.decode_step(x_new, **mixed, **weights, n_heads=6, n_kv_heads=2)
    assert_same(again, out)


@pytest.mark.task(3)
def test_a_step_of_whole_numbers_gives_what_float64_gives(kata, reference, rng):
    arrays = {"x_new": rng.integers(-2, 3, size=5)}
    arrays |= {n: rng.integers(-2, 3, size=c.shape) for n, c in some_caches(rng, 9, 3, 4).items()}
    arrays |= {n: rng.integers(-1, 2, size=w.shape) for n, w in some_weights(rng, 5, 3, 3, 4).items()}
    for whole in (list(arrays), ["x_new"], ["k_cache", "v_cache"]):
        given = {name: a if name in whole else 0.7 * a for name, a in arrays.items()}
        real = {name: a.astype(np.float64) for name, a in given.items()}
        assert_same(kata.decode_step(**given, n_heads=3), reference.decode_step(**real, n_heads=3))


@pytest.mark.task(3)
def test_a_step_takes_views_and_read_only_arrays_as_well(kata, reference, rng):
    weights, caches = some_weights(rng, 10, 6, 2, 8), some_caches(rng, 26, 2, 8)
    views = {name: np.asfortranarray(cache)[::2] for name, cache in caches.items()}
    x_new = rng.normal(size=30)[::3]                                   # (10,)
    for array in (x_new, *views.values()):
        array.flags.writeable = False
    plain = {name: view.copy() for name, view in views.items()}
    assert_same(
        kata.decode_step(x_new, **views, **weights, n_heads=6, n_kv_heads=2),
        reference.decode_step(x_new.copy(), **plain, **weights, n_heads=6, n_kv_heads=2),
    )


@pytest.mark.task(3)
def test_every_step_starts_afresh(kata, reference, rng):
    x_new, weights, caches = rng.normal(size=10), some_weights(rng, 10, 6, 2, 8), some_caches(rng, 13, 2, 8)
    for t, base in ((13, 10000.0), (13, 80.0), (4, 80.0), (0, 80.0), (13, 10000.0)):
        short = {name: cache[:t] for name, cache in caches.items()}
        assert_same(
            kata.decode_step(x_new, **short, **weights, n_heads=6, n_kv_heads=2, base=base),
            reference.decode_step(x_new, **short, **weights, n_heads=6, n_kv_heads=2, base=base),
        )


@pytest.mark.task(3)
def test_steps_from_any_caches_agree_with_the_reference(kata, reference, rng):
    # (rows in the caches, query heads, key heads, width of a head, d_model)
    for t, n_heads, n_kv_heads, d_head, d_model in (
        (13, 6, 1, 8, 10), (12, 6, 2, 8, 10), (13, 6, 3, 8, 10), (12, 6, 6, 8, 10), (4, 4, 4, 4, 4),
        (1, 8, 2, 2, 16), (2, 4, 2, 2, 2), (0, 4, 2, 6, 5), (0, 4, 2, 4, 16), (300, 2, 1, 8, 3),
    ):
        x_new, base = 1.4 * rng.normal(size=d_model), float(rng.uniform(20.0, 50000.0))
        k_cache, v_cache = some_caches(rng, t, n_kv_heads, d_head).values()
        w_q, w_k, w_v, w_o = some_weights(rng, d_model, n_heads, n_kv_heads, d_head).values()
        assert_same(
            kata.decode_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base),
            reference.decode_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads, n_kv_heads, base),
        )


@pytest.mark.task(3)
def test_decode_step_keeps_float32(kata, reference, rng):
    for t, n_kv_heads in ((0, 2), (7, 2), (7, 6)):
        arrays = {"x_new": rng.normal(size=5)} | some_caches(rng, t, n_kv_heads, 4)
        arrays = in_single_precision(arrays | some_weights(rng, 5, 6, n_kv_heads, 4))
        heads = {"n_heads": 6, "n_kv_heads": n_kv_heads}
        assert_keeps_float32(kata.decode_step, **arrays, **heads)
        assert_same(kata.decode_step(**arrays, **heads), reference.decode_step(**arrays, **heads))


# All

@pytest.mark.task(1, 2, 3)
def test_attention_and_step_are_in_double_precision(kata, rng):
    x, weights, heads = rng.normal(size=(9, 5)), some_weights(rng, 5, 6, 2, 4), {"n_heads": 6, "n_kv_heads": 2}
    assert_double_precision(kata.rope_attention, x, **weights, **heads)
    assert_double_precision(kata.decode_step, x[0], **some_caches(rng, 7, 2, 4), **weights, **heads)
