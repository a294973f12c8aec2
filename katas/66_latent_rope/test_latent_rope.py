"""What scores from a latent have to be: values worked by hand, laws, the reference, memory, what a cache holds."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_memory_grows, assert_same

# One head, d_c = 2, r = 3, d_r = 2, so the scores are divided by 2. The content keys are latent @ w_up:
# (1, 2, 0) makes (1, 2), (0, 1, 1) makes (3, 1). With the query at 2 and keys at 0 and 1, content is 2 - 2 = 0 and
# 6 - 1 = 5, rotary 4 cos 2 and 4 sin(2 - 1), all over 2.
BY_HAND = {
    "q": np.array([[[2.0, -1.0]]]),
    "q_rope": np.array([[[4.0, 0.0]]]),
    "latent": np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]]),
    "k_rope": np.array([[1.0, 0.0], [0.0, 1.0]]),
    "w_up": np.array([[[1.0, 0.0], [0.0, 1.0], [3.0, 0.0]]]),
}
SCORES = [[[2.0 * -0.416146836547, 2.5 + 2.0 * 0.841470984808]]]
# d_c 5 and d_r 4, so they are divided by 3. With base 16 the frequencies are 1 and 1/4; with the query two after both
# keys, the angles are 2 and 0.5.
TWO_PAIRS = (np.zeros((1, 1, 5)), np.array([[[3.0, 0.0, 6.0, 0.0]]]), np.zeros((2, 3)),
             np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]]), np.ones((1, 3, 5)))
TWO_PAIRS_SCORES = [[[-0.416146836547 + 2.0 * 0.479425538604, 0.909297426826 + 2.0 * 0.877582561890]]]
KINDS = ("mha", "gqa", "mqa", "mla")
SIZES = (                # heads, queries, keys, d_c, d_r, r: sizes that coincide and sizes that do not
    (2, 5, 13, 8, 4, 3), (6, 3, 12, 4, 10, 7), (12, 1, 12, 3, 2, 5), (1, 1, 1, 1, 2, 1), (4, 4, 4, 4, 4, 4),
    (3, 7, 3, 6, 6, 9), (2, 2, 6, 2, 2, 2), (5, 4, 9, 1, 8, 2), (1, 12, 12, 7, 2, 6),
)


def some_tokens(rng, n_heads, n_q, n_k, d_c, d_r, r):
    """Random arguments but for the positions."""
    shapes = {"q": (n_heads, n_q, d_c), "q_rope": (n_heads, n_q, d_r), "latent": (n_k, r), "k_rope": (n_k, d_r),
              "w_up": (n_heads, r, d_c)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def placed(q_positions, k_positions):
    return {"q_positions": np.array(q_positions), "k_positions": np.array(k_positions)}


def of_any_size(rng):
    for sizes in SIZES:
        tokens, base = some_tokens(rng, *sizes), float(rng.uniform(20.0, 50000.0))
        near, far = rng.integers(-20, 40, size=sizes[1]), rng.uniform(-20.0, 40.0, size=sizes[2])
        yield tokens | placed(near + 0.5, np.sort(np.rint(far).astype(int))) | {"base": base}
        yield tokens | placed(near, far)
        yield from (tokens | placed(near, far) | {"base": one} for one in (base, 1.5, 1e7))


def real(rng):
    tokens = some_tokens(rng, 2, 5, 13, 4, 6, 7)
    yield from (tokens | placed(near, np.arange(13)) for near in (np.arange(8, 13), np.full(5, 0.5)))


def single(rng):
    yield from ({name: x.astype(np.float32) if x.ndim > 1 else x for name, x in one.items()} for one in real(rng))


def whole(rng):
    for one in real(rng):
        yield {name: rng.integers(-5, 6, size=x.shape).astype(float) for name, x in one.items()}


def in_turn(rng):
    """Calls that differ in one argument from the call before."""
    tokens, near, far = some_tokens(rng, 2, 4, 12, 4, 6, 5), np.arange(8, 12), np.arange(12)
    other = tokens | {"w_up": -tokens["w_up"], "k_rope": tokens["k_rope"][::-1].copy()}
    yield from (tokens | placed(near + i, far + j) for i, j in ((0, 0), (7, 0), (0, 3)))
    yield from (given | placed(near, far) | {"base": 300.0} for given in (tokens, other))


def queries_and_weights(calls):
    """Calls of `absorb` with arguments of other calls."""
    return lambda rng: [(one["q"], one["w_up"]) for one in calls(rng)]


# Task 1: scores from keys that are made

@pytest.mark.task(1)
def test_one_query_and_two_keys_by_hand(kata):
    assert_same(kata.latent_scores(**BY_HAND, **placed([2], [0, 1])), SCORES)
    assert_same(kata.latent_scores(*BY_HAND.values(), np.array([2]), np.array([0, 1])), SCORES)


@pytest.mark.task(1)
def test_at_equal_positions_both_parts_are_plain_dot_products(kata):
    # d_c 5 and d_r 4: divided by sqrt 9; content 1 + 2 + 3 + 4 + 5, rotary 1 + 1 + 2 + 2
    q, latent = np.array([[[1.0, 2.0, 3.0, 4.0, 5.0]]]), np.array([[1.0], [-2.0]])
    q_rope, k_rope = np.array([[[1.0, 1.0, 2.0, 2.0]]]), np.array([[1.0] * 4, [0.0] * 4])
    for at in (0, 7, -3):
        scores = kata.latent_scores(q, q_rope, latent, k_rope, np.ones((1, 1, 5)), np.array([at]), np.array([at, at]))
        assert_same(scores, [[[7.0, -10.0]]])


@pytest.mark.task(1)
def test_two_pairs_of_rotary_columns_by_hand_with_a_base_and_without(kata):
    assert_same(kata.latent_scores(*TWO_PAIRS, np.array([5]), np.array([3, 3]), 16.0), TWO_PAIRS_SCORES)
    assert_same(kata.latent_scores(*TWO_PAIRS, np.array([5]), np.array([3, 3]), base=16), TWO_PAIRS_SCORES)
    # frequencies 1 and 0.01; the query is 100 after the key, the second pair turns by 1 radian
    q_rope, k_rope = np.array([[[0.0, 0.0, 3.0, 0.0]]]), np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    rest = np.zeros((1, 1, 5)), q_rope, np.zeros((2, 3)), k_rope, np.ones((1, 3, 5))
    wanted = [[[0.540302305868, 0.841470984808]]]
    assert_same(kata.latent_scores(*rest, np.array([110]), np.array([10, 10])), wanted)


@pytest.mark.task(1)
def test_every_head_has_keys_of_its_own_and_shares_their_rotary_columns(kata):
    # one number per latent, one content column: head h multiplies it by 1, 10 and 100; d_c + d_r is 9
    latent, w_up = np.array([[3.0], [6.0]]), np.array([[[1.0]], [[10.0]], [[100.0]]])
    q_rope, k_rope = np.zeros((3, 1, 8)), np.ones((2, 8))
    scores = kata.latent_scores(np.ones((3, 1, 1)), q_rope, latent, k_rope, w_up, np.array([4]), np.array([0, 1]))
    assert_same(scores, [[[1.0, 2.0]], [[10.0, 20.0]], [[100.0, 200.0]]])
    # head h has the query (9 * (h + 1), 0): its score is (h + 1) * 3 * cos(distance), with d_c + d_r = 9
    q_rope, k_rope = np.array([[[9.0, 0.0]], [[18.0, 0.0]], [[27.0, 0.0]]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    rest = np.zeros((3, 1, 7)), q_rope, np.ones((2, 2)), k_rope, np.ones((3, 2, 7))
    scores = kata.latent_scores(*rest, np.array([3]), np.array([1, 3]))
    assert_same(scores, [[[-1.248440509640, 3.0]], [[-2.496881019279, 6.0]], [[-3.745321528919, 9.0]]])


@pytest.mark.task(1)
def test_a_key_after_the_query_has_a_score_too(kata):
    # sin -1 and sin 1: one step to the right is not one step to the left, and neither is masked
    k_rope = np.array([[0.0, 1.0], [0.0, 1.0]])
    rest = np.zeros((1, 1, 2)), np.array([[[2.0, 0.0]]]), np.zeros((2, 3)), k_rope, np.ones((1, 3, 2))
    assert_same(kata.latent_scores(*rest, np.array([5]), np.array([6, 4])), [[[-0.841470984808, 0.841470984808]]])


@pytest.mark.task(1)
def test_scores_stay_when_queries_and_keys_move_together(kata, rng):
    tokens = some_tokens(rng, 3, 5, 13, 4, 6, 7)
    near, far = np.array([3, 0, 17, 3, -4]), rng.integers(-10, 30, size=13)
    for offset in (1, 400, -9, 0.75):
        moved = kata.latent_scores(**tokens, **placed(near + offset, far + offset))
        assert_same(moved, kata.latent_scores(**tokens, **placed(near, far)))


@pytest.mark.task(1)
def test_without_rotary_columns_in_the_query_no_position_counts(kata, rng):
    tokens = some_tokens(rng, 3, 5, 13, 4, 6, 7) | {"q_rope": np.zeros((3, 5, 6))}
    keys = np.stack([tokens["latent"] @ w for w in tokens["w_up"]])    # (3, 13, 4)
    wanted = np.stack([q @ k.T for q, k in zip(tokens["q"], keys, strict=True)]) / 10.0**0.5
    for positions in (placed(np.arange(8, 13), np.arange(13)), placed(np.zeros(5), np.full(13, 90.5))):
        assert_same(kata.latent_scores(**tokens, **positions), wanted)


@pytest.mark.task(1)
def test_the_latent_is_used_as_it_is_and_shows_in_its_own_column(kata, rng):
    # a latent of 100 counts ten times as much as one of 10: nothing normalises it; d_c + d_r is 4
    latent = np.array([[10.0, 0.0], [100.0, 0.0]])
    rest = np.full((1, 1, 2), 0.5), np.zeros((1, 1, 2)), latent, np.ones((2, 2)), np.ones((1, 2, 2))
    assert_same(kata.latent_scores(*rest, np.array([1]), np.array([0, 1])), [[[5.0, 50.0]]])
    tokens, at = some_tokens(rng, 2, 3, 9, 4, 6, 5), placed(np.arange(6, 9), np.arange(9))
    huge = tokens | {"latent": tokens["latent"].copy()}
    huge["latent"][4] *= 1e12
    wanted = kata.latent_scores(**tokens, **at)
    assert_same(np.delete(kata.latent_scores(**huge, **at), 4, axis=2), np.delete(wanted, 4, axis=2))


test_latent_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "latent_scores", of_any_size)
test_latent_scores_of_float32_vectors_are_right = checks.agrees_with_the_reference(1, "latent_scores", single)
test_every_call_of_the_latent_scores_starts_afresh = checks.starts_afresh(1, "latent_scores", in_turn)
test_latent_scores_read_views_and_read_only_arrays = checks.takes_views(1, "latent_scores", real)
test_latent_scores_of_whole_numbers_are_those_of_real_numbers = checks.takes_whole_numbers(1, "latent_scores", whole)


# Task 2: queries that meet the latent

@pytest.mark.task(2)
def test_an_absorbed_query_by_hand_and_one_of_each_head(kata):
    # row i of w_up times the query: 2 - 0, 0 - 1, 6 - 0
    assert_same(kata.absorb(BY_HAND["q"], BY_HAND["w_up"]), [[[2.0, -1.0, 6.0]]])
    assert_same(kata.absorb(q=np.array([[[3.0]]]), w_up=np.array([[[1.0], [10.0]]])), [[[3.0, 30.0]]])
    # square weights: head 0 has (1, 2; 3, 4), head 1 swaps the columns
    q = np.array([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 5.0], [0.0, 1.0]]])
    w_up = np.array([[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]])
    assert_same(kata.absorb(q, w_up), [[[1.0, 3.0], [2.0, 4.0]], [[5.0, 1.0], [1.0, 0.0]]])


@pytest.mark.task(2)
def test_an_absorbed_query_meets_the_latent_as_the_query_meets_the_key(kata, rng):
    for sizes in SIZES:
        tokens = some_tokens(rng, *sizes)
        absorbed = kata.absorb(tokens["q"], tokens["w_up"])
        assert np.shape(absorbed) == (*sizes[:2], sizes[-1])
        keys = tokens["latent"] @ tokens["w_up"]                       # (H, n_k, d_c)
        latent = tokens["latent"].astype(absorbed.dtype)               # float32 results are compared as such
        assert_same(absorbed @ latent.T, tokens["q"] @ keys.swapaxes(1, 2))


test_whole_numbers_are_absorbed_too = checks.takes_whole_numbers(2, "absorb", queries_and_weights(whole))
test_float32_is_absorbed_too = checks.agrees_with_the_reference(2, "absorb", queries_and_weights(single))
test_queries_and_weights_in_any_memory_layout_are_absorbed = checks.takes_views(
    2, "absorb", queries_and_weights(of_any_size))


# Task 3: the same scores, and no keys

@pytest.mark.task(3)
def test_absorbed_scores_by_hand(kata):
    assert_same(kata.absorbed_scores(**BY_HAND, **placed([2], [0, 1])), SCORES)
    assert_same(kata.absorbed_scores(*BY_HAND.values(), np.array([2]), np.array([0, 1])), SCORES)
    assert_same(kata.absorbed_scores(*TWO_PAIRS, np.array([5]), np.array([3, 3]), 16.0), TWO_PAIRS_SCORES)
    assert_same(kata.absorbed_scores(*TWO_PAIRS, np.array([-7]), np.array([-9, -9]), base=16), TWO_PAIRS_SCORES)


@pytest.mark.task(3)
def test_absorbed_scores_are_divided_by_the_width_of_the_heads(kata):
    # d_c + d_r is 9, whatever the width of the latent; content 1 + 2 + 3 + 4 + 5 times the sum of the latent
    for r in (1, 4, 12):
        q, latent = np.array([[[1.0, 2.0, 3.0, 4.0, 5.0]]]), np.ones((1, r)) / r
        rest = q, np.array([[[3.0, 0.0, 0.0, 0.0]]]), latent, np.array([[1.0, 0.0, 0.0, 0.0]]), np.ones((1, r, 5))
        assert_same(kata.absorbed_scores(*rest, np.array([6]), np.array([6])), [[[6.0]]])


@pytest.mark.task(1, 3)
def test_absorbed_scores_are_the_latent_scores(kata, rng):
    for sizes in SIZES:
        tokens, at = some_tokens(rng, *sizes), placed(rng.integers(-20, 40, size=sizes[1]), np.arange(sizes[2]))
        wanted = kata.latent_scores(**tokens, **at, base=900.0)
        assert_same(kata.absorbed_scores(**tokens, **at, base=900.0), wanted)


@pytest.mark.task(3)
def test_one_query_at_a_time_gives_the_rows_of_all(kata, rng):
    tokens, near = some_tokens(rng, 3, 5, 13, 4, 6, 7), np.array([8, 9, 30, 9, 12])
    whole = kata.absorbed_scores(**tokens, **placed(near, np.arange(13)))
    for i in (0, 2, 4):
        one = tokens | {name: tokens[name][:, i : i + 1] for name in ("q", "q_rope")}
        assert_same(kata.absorbed_scores(**one, **placed(near[i : i + 1], np.arange(13))), whole[:, i : i + 1])


@pytest.mark.task(3)
def test_the_memory_of_one_query_stays_below_a_quarter_of_the_keys(kata, rng):
    # the keys of all heads take 32 MiB in both cases, those of one head 16 and 4
    for n_heads, d_c, d_r in ((2, 256, 8), (8, 64, 4)):
        few, many = ((*some_tokens(rng, n_heads, 1, n_k, d_c, d_r, 16).values(), np.array([n_k]), np.arange(n_k))
                     for n_k in (64, 8192))
        assert_memory_grows(kata.absorbed_scores, few, many, at_most=8)


test_absorbed_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "absorbed_scores", of_any_size)
test_absorbed_scores_of_float32_vectors_are_right = checks.agrees_with_the_reference(3, "absorbed_scores", single)
test_every_call_of_the_absorbed_scores_starts_afresh = checks.starts_afresh(3, "absorbed_scores", in_turn)
test_absorbed_scores_read_views_and_read_only_arrays = checks.takes_views(3, "absorbed_scores", real)
test_absorbed_scores_of_whole_numbers_are_those_of_real_numbers = checks.takes_whole_numbers(
    3, "absorbed_scores", whole)


# Task 4: what a cache holds

@pytest.mark.task(4)
def test_numbers_of_every_kind_by_hand_and_one_token_of_deepseek_v2(kata):
    # 10 tokens, 6 heads of 4, 3 key heads, a latent of 5 and 2 rotary columns
    for kind, wanted in (("mha", 480), ("gqa", 240), ("mqa", 80), ("mla", 70)):
        assert_same(kata.cached_numbers(kind, 10, 6, 4, 3, 5, 2), wanted)
        assert_same(
            kata.cached_numbers(kind=kind, n=10, n_heads=6, d_head=4, n_kv_heads=3, d_latent=5, d_rope=2), wanted)
    assert_same(kata.cached_numbers("mha", 1, 128, 128), 32768)
    assert_same(kata.cached_numbers("gqa", 1, 128, 128, n_kv_heads=8), 2048)
    assert_same(kata.cached_numbers("mqa", 1, 128, 128), 256)
    assert_same(kata.cached_numbers("mla", 1, 128, 128, d_latent=512, d_rope=64), 576)


@pytest.mark.task(4)
def test_arguments_that_a_kind_does_not_use_change_nothing(kata):
    for n_kv_heads, d_latent, d_rope in ((None, None, None), (2, None, None), (3, 7, 4), (12, 50, 6)):
        assert_same(kata.cached_numbers("mha", 9, 12, 5, n_kv_heads, d_latent, d_rope), 1080)
        assert_same(kata.cached_numbers("mqa", 9, 12, 5, n_kv_heads, d_latent, d_rope), 90)
        assert_same(kata.cached_numbers("gqa", 9, 12, 5, 4, d_latent, d_rope), 360)
        for n_heads, d_head in ((12, 5), (1, 64)):
            assert_same(kata.cached_numbers("mla", 9, n_heads, d_head, n_kv_heads, 7, 2), 81)


@pytest.mark.task(4)
def test_shared_heads_lie_between_one_and_all(kata):
    for n_heads in (1, 2, 6, 12):
        assert_same(kata.cached_numbers("gqa", 7, n_heads, 5, n_kv_heads=n_heads), 70 * n_heads)
        assert_same(kata.cached_numbers("gqa", 7, n_heads, 5, n_kv_heads=1), 70)
    assert_same(kata.cached_numbers("mla", 1, 1, 1, d_latent=1, d_rope=2), 3)


test_caches_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    4, "cached_numbers", lambda rng: [(kind, *rng.integers(1, 300, size=6).tolist()) for kind in KINDS * 3])


# Tasks 1 to 3

test_scores_and_absorbed_queries_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), latent_scores=real, absorb=queries_and_weights(real), absorbed_scores=real)
