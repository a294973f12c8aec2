"""What scores from a latent have to be: values worked by hand, laws, the reference, memory, what a cache holds."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_memory_grows, assert_same

# One head, d_c = 2, r = 3, d_r = 2, so the scores are divided by 2. The content keys are latent @ w_up:
# (1, 2, 0) makes (1, 2), (0, 1, 1) makes (3, 1).
BY_HAND = {
    "q": np.array([[[2.0, -1.0]]]),
    "q_rope": np.array([[[4.0, 0.0]]]),
    "latent": np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0]]),
    "k_rope": np.array([[1.0, 0.0], [0.0, 1.0]]),
    "w_up": np.array([[[1.0, 0.0], [0.0, 1.0], [3.0, 0.0]]]),
}
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


# Task 1: scores from keys that are made

@pytest.mark.task(1)
def test_one_query_and_two_keys_by_hand(kata):
    # query at 2, keys at 0 and 1: content 2 - 2 = 0 and 6 - 1 = 5, rotary 4 cos 2 and 4 sin(2 - 1), over 2
    wanted = [[[2.0 * -0.416146836547, 2.5 + 2.0 * 0.841470984808]]]
    assert_same(kata.latent_scores(**BY_HAND, **placed([2], [0, 1])), wanted)
    assert_same(kata.latent_scores(*BY_HAND.values(), np.array([2]), np.array([0, 1])), wanted)


@pytest.mark.task(1)
def test_at_equal_positions_both_parts_are_plain_dot_products(kata):
    # d_c 5 and d_r 4: divided by sqrt 9; content 1 + 2 + 3 + 4 + 5, rotary 1 + 1 + 2 + 2
    q, latent = np.array([[[1.0, 2.0, 3.0, 4.0, 5.0]]]), np.array([[1.0], [-2.0]])
    q_rope, k_rope = np.array([[[1.0, 1.0, 2.0, 2.0]]]), np.array([[1.0] * 4, [0.0] * 4])
    for at in (0, 7, -3):
        scores = kata.latent_scores(q, q_rope, latent, k_rope, np.ones((1, 1, 5)), np.array([at]), np.array([at, at]))
        assert_same(scores, [[[7.0, -10.0]]])


@pytest.mark.task(1)
def test_two_pairs_of_rotary_columns_by_hand(kata):
    # d_c 5 and d_r 4, base 16: frequencies 1 and 1/4; query two after the key, so the angles are 2 and 0.5
    q_rope, k_rope = np.array([[[3.0, 0.0, 6.0, 0.0]]]), np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])
    rest = np.zeros((1, 1, 5)), q_rope, np.zeros((2, 3)), k_rope, np.ones((1, 3, 5))
    wanted = [[[-0.416146836547 + 2.0 * 0.479425538604, 0.909297426826 + 2.0 * 0.877582561890]]]
    assert_same(kata.latent_scores(*rest, np.array([5]), np.array([3, 3]), 16.0), wanted)
    assert_same(kata.latent_scores(*rest, np.array([5]), np.array([3, 3]), base=16), wanted)


@pytest.mark.task(1)
def test_without_a_base_it_is_ten_thousand(kata):
    # frequencies 1 and 0.01; the query is 100 after the key, the second pair turns by 1 radian
    q_rope, k_rope = np.array([[[0.0, 0.0, 3.0, 0.0]]]), np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    rest = np.zeros((1, 1, 5)), q_rope, np.zeros((2, 3)), k_rope, np.ones((1, 3, 5))
    wanted = [[[0.540302305868, 0.841470984808]]]
    assert_same(kata.latent_scores(*rest, np.array([110]), np.array([10, 10])), wanted)


@pytest.mark.task(1)
def test_every_head_has_keys_of_its_own_from_one_latent(kata):
    # one number per latent, one content column: head h multiplies it by 1, 10 and 100; d_c + d_r is 9
    latent, w_up = np.array([[3.0], [6.0]]), np.array([[[1.0]], [[10.0]], [[100.0]]])
    q_rope, k_rope = np.zeros((3, 1, 8)), np.ones((2, 8))
    scores = kata.latent_scores(np.ones((3, 1, 1)), q_rope, latent, k_rope, w_up, np.array([4]), np.array([0, 1]))
    assert_same(scores, [[[1.0, 2.0]], [[10.0, 20.0]], [[100.0, 200.0]]])


@pytest.mark.task(1)
def test_all_heads_share_the_rotary_columns_of_the_keys(kata):
    # head h has the query (9 * (h + 1), 0): its score is (h + 1) * 3 * cos(distance), with d_c + d_r = 9
    q_rope = np.zeros((3, 1, 2))
    q_rope[:, 0, 0] = [9.0, 18.0, 27.0]
    k_rope = np.array([[1.0, 0.0], [1.0, 0.0]])
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
def test_a_token_repeated_makes_equal_scores_along_every_diagonal(kata, rng):
    tokens = some_tokens(rng, 2, 1, 1, 4, 6, 3)
    for name, count in (("q", 5), ("q_rope", 5), ("latent", 13), ("k_rope", 13)):
        tokens[name] = np.repeat(tokens[name], count, axis=-2)
    scores = kata.latent_scores(**tokens, **placed(np.arange(30, 35), np.arange(13)))      # (2, 5, 13)
    assert_same(scores[:, 1:, 1:], scores[:, :-1, :-1])


@pytest.mark.task(1)
def test_scores_are_content_and_cosines_and_sines_of_the_difference(kata, rng):
    tokens = some_tokens(rng, 2, 4, 9, 5, 4, 3)
    near, far = rng.integers(-20, 40, size=4), rng.uniform(-20.0, 40.0, size=9)
    wanted = np.einsum("hqd,kr,hrd->hqk", tokens["q"], tokens["latent"], tokens["w_up"])
    for pair, speed in enumerate((1.0, 0.125)):                        # base 64, d_r 4
        a, b = tokens["q_rope"][..., 2 * pair, None], tokens["q_rope"][..., 2 * pair + 1, None]        # (2, 4, 1)
        c, d = tokens["k_rope"][:, 2 * pair], tokens["k_rope"][:, 2 * pair + 1]                        # (9,)
        angle = speed * np.subtract.outer(near, far)                   # (4, 9)
        wanted = wanted + (a * c + b * d) * np.cos(angle) + (a * d - b * c) * np.sin(angle)
    assert_same(kata.latent_scores(**tokens, **placed(near, far), base=64.0), wanted / 3.0)


@pytest.mark.task(1)
def test_a_huge_latent_row_shows_in_no_other_column(kata, rng):
    tokens, at = some_tokens(rng, 2, 3, 9, 4, 6, 5), placed(np.arange(6, 9), np.arange(9))
    huge = tokens | {"latent": tokens["latent"].copy()}
    huge["latent"][4] *= 1e12
    wanted = kata.latent_scores(**tokens, **at)
    assert_same(np.delete(kata.latent_scores(**huge, **at), 4, axis=2), np.delete(wanted, 4, axis=2))


@pytest.mark.task(1)
def test_the_latent_is_used_as_it_is(kata):
    # a latent of 100 counts ten times as much as one of 10: nothing normalises it; d_c + d_r is 4
    latent = np.array([[10.0, 0.0], [100.0, 0.0]])
    rest = np.full((1, 1, 2), 0.5), np.zeros((1, 1, 2)), latent, np.ones((2, 2)), np.ones((1, 2, 2))
    assert_same(kata.latent_scores(*rest, np.array([1]), np.array([0, 1])), [[[5.0, 50.0]]])


@pytest.mark.task(1)
def test_latent_scores_of_any_size_agree_with_the_reference(kata, reference, rng):
    for sizes in SIZES:
        tokens, base = some_tokens(rng, *sizes), float(rng.uniform(20.0, 50000.0))
        near, far = rng.integers(-20, 40, size=sizes[1]), rng.uniform(-20.0, 40.0, size=sizes[2])
        for at in (placed(near, far), placed(near + 0.5, np.sort(np.rint(far).astype(int)))):
            wanted = reference.latent_scores(**tokens, **at, base=base)
            assert_same(kata.latent_scores(**tokens, **at, base=base), wanted)
        at = placed(near, far)
        assert_same(kata.latent_scores(**tokens, **at), reference.latent_scores(**tokens, **at))
        for base in (1.5, 1e7):
            wanted = reference.latent_scores(**tokens, **at, base=base)
            assert_same(kata.latent_scores(**tokens, **at, base=base), wanted)


# Task 2: queries that meet the latent

@pytest.mark.task(2)
def test_an_absorbed_query_by_hand(kata):
    # row i of w_up times the query: 2 - 0, 0 - 1, 6 - 0
    assert_same(kata.absorb(BY_HAND["q"], BY_HAND["w_up"]), [[[2.0, -1.0, 6.0]]])
    assert_same(kata.absorb(q=np.array([[[3.0]]]), w_up=np.array([[[1.0], [10.0]]])), [[[3.0, 30.0]]])


@pytest.mark.task(2)
def test_every_head_absorbs_its_own_weights(kata):
    # square weights: head 0 has (1, 2; 3, 4), head 1 swaps the columns
    q = np.array([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 5.0], [0.0, 1.0]]])
    w_up = np.array([[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]])
    assert_same(kata.absorb(q, w_up), [[[1.0, 3.0], [2.0, 4.0]], [[5.0, 1.0], [1.0, 0.0]]])


@pytest.mark.task(2)
def test_an_absorbed_query_meets_the_latent_as_the_query_meets_the_key(kata, rng):
    for n_heads, n_q, n_k, d_c, d_r, r in SIZES:
        tokens = some_tokens(rng, n_heads, n_q, n_k, d_c, d_r, r)
        absorbed = kata.absorb(tokens["q"], tokens["w_up"])
        assert np.shape(absorbed) == (n_heads, n_q, r)
        for h in range(n_heads):
            keys = tokens["latent"] @ tokens["w_up"][h]                # (n_k, d_c)
            latent = tokens["latent"].astype(absorbed.dtype)           # float32 results are compared as such
            assert_same(absorbed[h] @ latent.T, tokens["q"][h] @ keys.T)


@pytest.mark.task(2)
def test_twice_the_query_absorbs_to_twice_as_much(kata, rng):
    tokens = some_tokens(rng, 3, 5, 1, 4, 2, 7)
    absorbed = kata.absorb(tokens["q"], tokens["w_up"])
    assert_same(kata.absorb(2.0 * tokens["q"], tokens["w_up"]), 2.0 * absorbed)
    assert_same(kata.absorb(1e6 * tokens["q"], 1e-6 * tokens["w_up"]), absorbed)


@pytest.mark.task(2)
def test_whole_numbers_and_float32_are_absorbed_too(kata, reference, rng):
    q, w_up = rng.integers(-9, 10, size=(3, 5, 4)), rng.integers(-9, 10, size=(3, 6, 4))
    wanted = reference.absorb(q.astype(float), w_up.astype(float))
    assert_same(kata.absorb(q, w_up), wanted)
    assert_same(kata.absorb(q, w_up / 8), wanted / 8)
    assert_same(kata.absorb(q / 8, w_up), wanted / 8)
    assert_same(kata.absorb(q.astype(np.float32), w_up.astype(np.float32)), wanted)


@pytest.mark.task(2)
def test_queries_and_weights_in_any_memory_layout_are_absorbed(kata, reference, rng):
    q, w_up = rng.normal(size=(3, 10, 8))[:, ::2, ::-2], rng.normal(size=(4, 7, 3)).T          # (3, 5, 4), (3, 7, 4)
    wanted = reference.absorb(q.copy(), w_up.copy())
    q.flags.writeable = w_up.flags.writeable = False
    assert_same(kata.absorb(q, w_up), wanted)
    assert_same(kata.absorb(np.asfortranarray(q), np.broadcast_to(w_up[0], (3, 7, 4))),
                reference.absorb(q.copy(), np.stack([w_up[0]] * 3)))


# Task 3: the same scores, and no keys

@pytest.mark.task(3)
def test_absorbed_scores_by_hand(kata):
    wanted = [[[2.0 * -0.416146836547, 2.5 + 2.0 * 0.841470984808]]]
    assert_same(kata.absorbed_scores(**BY_HAND, **placed([2], [0, 1])), wanted)
    assert_same(kata.absorbed_scores(*BY_HAND.values(), np.array([2]), np.array([0, 1])), wanted)


@pytest.mark.task(3)
def test_absorbed_scores_are_divided_by_the_width_of_the_heads(kata):
    # d_c + d_r is 9, whatever the width of the latent; content 1 + 2 + 3 + 4 + 5 times the sum of the latent
    for r in (1, 4, 12):
        q, latent = np.array([[[1.0, 2.0, 3.0, 4.0, 5.0]]]), np.ones((1, r)) / r
        rest = q, np.array([[[3.0, 0.0, 0.0, 0.0]]]), latent, np.array([[1.0, 0.0, 0.0, 0.0]]), np.ones((1, r, 5))
        assert_same(kata.absorbed_scores(*rest, np.array([6]), np.array([6])), [[[6.0]]])


@pytest.mark.task(3)
def test_absorbed_scores_turn_the_rotary_columns(kata):
    # d_c 5 and d_r 4, base 16: frequencies 1 and 1/4; query two after the key, so the angles are 2 and 0.5
    q_rope, k_rope = np.array([[[3.0, 0.0, 6.0, 0.0]]]), np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0]])
    rest = np.zeros((1, 1, 5)), q_rope, np.zeros((2, 3)), k_rope, np.ones((1, 3, 5))
    wanted = [[[-0.416146836547 + 2.0 * 0.479425538604, 0.909297426826 + 2.0 * 0.877582561890]]]
    assert_same(kata.absorbed_scores(*rest, np.array([5]), np.array([3, 3]), 16.0), wanted)
    assert_same(kata.absorbed_scores(*rest, np.array([-7]), np.array([-9, -9]), base=16), wanted)


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
def test_absorbed_scores_of_any_size_agree_with_the_reference(kata, reference, rng):
    for sizes in SIZES:
        tokens, base = some_tokens(rng, *sizes), float(rng.uniform(20.0, 50000.0))
        near, far = rng.integers(-20, 40, size=sizes[1]), rng.uniform(-20.0, 40.0, size=sizes[2])
        for at in (placed(near, far), placed(near + 0.5, np.sort(np.rint(far).astype(int)))):
            wanted = reference.latent_scores(**tokens, **at, base=base)
            assert_same(kata.absorbed_scores(**tokens, **at, base=base), wanted)
        at = placed(near, far)
        assert_same(kata.absorbed_scores(**tokens, **at), reference.latent_scores(**tokens, **at))
        for base in (1.5, 1e7):
            wanted = reference.latent_scores(**tokens, **at, base=base)
            assert_same(kata.absorbed_scores(**tokens, **at, base=base), wanted)


@pytest.mark.task(3)
def test_the_memory_of_one_query_stays_below_a_quarter_of_the_keys(kata, rng):
    # the keys of all heads take 32 MiB in both cases, those of one head 16 and 4
    for n_heads, d_c, d_r in ((2, 256, 8), (8, 64, 4)):
        few, many = (
            (*some_tokens(rng, n_heads, 1, n_k, d_c, d_r, 16).values(), np.array([n_k]), np.arange(n_k))
            for n_k in (64, 8192)
        )
        assert_memory_grows(kata.absorbed_scores, few, many, at_most=8)


# Tasks 1 and 3: what both have to read

@pytest.mark.task(1, 3)
def test_both_scores_of_whole_numbers_are_those_of_real_numbers(kata, reference, rng):
    tokens = {name: rng.integers(-5, 6, size=x.shape) for name, x in some_tokens(rng, 2, 5, 13, 4, 6, 7).items()}
    at = placed(np.arange(8, 13), np.arange(13))
    wanted = reference.latent_scores(**{name: x.astype(float) for name, x in tokens.items()}, **at)
    assert_same(kata.latent_scores(**tokens, **at), wanted)
    assert_same(kata.absorbed_scores(**tokens, **at), wanted)
    at = placed(np.full(5, 0.5), np.arange(13))
    wanted = reference.latent_scores(**{name: x.astype(float) for name, x in tokens.items()}, **at)
    assert_same(kata.latent_scores(**tokens, **at), wanted)
    assert_same(kata.absorbed_scores(**tokens, **at), wanted)


@pytest.mark.task(1, 3)
def test_both_scores_of_small_whole_numbers_by_hand(kata):
    whole = {name: x.astype(int) for name, x in BY_HAND.items()}
    wanted = [[[2.0 * -0.416146836547, 2.5 + 2.0 * 0.841470984808]]]
    assert_same(kata.latent_scores(**whole, **placed([2], [0, 1])), wanted)
    assert_same(kata.absorbed_scores(**whole, **placed([2], [0, 1])), wanted)


@pytest.mark.task(1, 3)
def test_both_scores_of_float32_vectors_are_right(kata, reference, rng):
    tokens = {name: x.astype(np.float32) for name, x in some_tokens(rng, 2, 5, 13, 4, 6, 7).items()}
    for at in (placed(np.arange(8, 13), np.arange(13)), placed(np.full(5, 2.5), np.arange(13) / 2)):
        wanted = reference.latent_scores(**tokens, **at)
        assert_same(kata.latent_scores(**tokens, **at), wanted)
        assert_same(kata.absorbed_scores(**tokens, **at), wanted)


@pytest.mark.task(1, 3)
def test_both_scores_read_views_and_read_only_arrays(kata, reference, rng):
    tokens = some_tokens(rng, 3, 10, 26, 8, 12, 14)
    tokens = {"q": tokens["q"][:, ::2, ::-2], "q_rope": tokens["q_rope"][:, 5:, 6:],
              "latent": np.asfortranarray(tokens["latent"][::2, ::2]), "k_rope": tokens["k_rope"][25:12:-1, ::2],
              "w_up": tokens["w_up"].transpose(0, 2, 1)[:, :7, :4]}
    at = placed(np.arange(40), np.broadcast_to(np.array(4), 13))
    at["q_positions"] = at["q_positions"][30:20:-2]
    wanted = reference.latent_scores(**{n: x.copy() for n, x in tokens.items()}, **{n: x.copy() for n, x in at.items()})
    for array in (*tokens.values(), *at.values()):
        array.flags.writeable = False
    assert_same(kata.latent_scores(**tokens, **at), wanted)
    assert_same(kata.absorbed_scores(**tokens, **at), wanted)


@pytest.mark.task(1, 3)
def test_every_call_of_the_scores_starts_afresh(kata, reference, rng):
    tokens, near, far = some_tokens(rng, 2, 4, 12, 4, 6, 5), np.arange(8, 12), np.arange(12)
    other = tokens | {"w_up": -tokens["w_up"], "k_rope": tokens["k_rope"][::-1].copy()}
    for given, at, base in (
        (tokens, placed(near, far), 10000.0), (tokens, placed(near + 7, far), 10000.0),
        (tokens, placed(near, far + 3), 10000.0), (tokens, placed(near, far), 300.0),
        (other, placed(near, far), 300.0), (tokens, placed(near, far), 10000.0),
    ):
        wanted = reference.latent_scores(**given, **at, base=base)
        assert_same(kata.latent_scores(**given, **at, base=base), wanted)
        assert_same(kata.absorbed_scores(**given, **at, base=base), wanted)


# Task 4: what a cache holds

@pytest.mark.task(4)
def test_numbers_of_every_kind_by_hand(kata):
    # 10 tokens, 6 heads of 4, 3 key heads, a latent of 5 and 2 rotary columns
    for kind, wanted in (("mha", 480), ("gqa", 240), ("mqa", 80), ("mla", 70)):
        assert_same(kata.cached_numbers(kind, 10, 6, 4, 3, 5, 2), wanted)
        assert_same(
            kata.cached_numbers(kind=kind, n=10, n_heads=6, d_head=4, n_kv_heads=3, d_latent=5, d_rope=2), wanted)


@pytest.mark.task(4)
def test_one_token_of_deepseek_v2(kata):
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


@pytest.mark.task(4)
def test_a_cache_grows_by_the_same_for_every_token(kata, rng):
    for kind in ("mha", "gqa", "mqa", "mla"):
        sizes = rng.integers(1, 20, size=5).tolist()
        one = kata.cached_numbers(kind, 1, *sizes)
        for n in (2, 30, 128000):
            assert_same(kata.cached_numbers(kind, n, *sizes), n * one)


@pytest.mark.task(4)
def test_caches_of_any_size_agree_with_the_reference(kata, reference, rng):
    for kind in ("mha", "gqa", "mqa", "mla"):
        for _ in range(3):
            sizes = rng.integers(1, 300, size=6).tolist()
            assert_same(kata.cached_numbers(kind, *sizes), reference.cached_numbers(kind, *sizes))


# Tasks 1 to 3

@pytest.mark.task(1, 2, 3)
def test_scores_and_absorbed_queries_are_in_double_precision(kata, rng):
    tokens, at = some_tokens(rng, 2, 5, 13, 4, 6, 7), placed(np.arange(8, 13), np.arange(13))
    assert_double_precision(kata.latent_scores, **tokens, **at)
    assert_double_precision(kata.absorb, tokens["q"], tokens["w_up"])
    assert_double_precision(kata.absorbed_scores, **tokens, **at)
