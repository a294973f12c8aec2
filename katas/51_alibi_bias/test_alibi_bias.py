"""What ALiBi has to be: values worked by hand, laws of distance and of the softmax, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_same

FUTURE = -np.inf
# exp(-1/4 t) for t = 0..3, divided by their sum, and the like: weights of a query whose scores are all equal
FADING_BY_A_SIXTEENTH = [0.227072843233, 0.241717783393, 0.257307241043, 0.273902132330]
FADING_BY_A_256TH = [0.248537069174, 0.249509815760, 0.250486369567, 0.251466745499]
FADING_BY_A_QUARTER = [0.165296176671, 0.212244492127, 0.272527322443, 0.349932008759]


def drawn(rng, n_heads, n_queries, n_keys, d, d_v):
    """Random queries, keys and values."""
    return (
        rng.normal(size=(n_heads, n_queries, d)),
        rng.normal(size=(n_heads, n_keys, d)),
        rng.normal(size=(n_heads, n_keys, d_v)),
    )


def unit_rows(n_heads, n_keys):
    """Values whose weighted sum is the weights themselves."""
    return np.tile(np.eye(n_keys), (n_heads, 1, 1))


# Task 1: slopes of a power of two

@pytest.mark.task(1)
def test_eight_heads_halve_from_a_half(kata):
    assert_same(kata.alibi_slopes(8), [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256])


@pytest.mark.task(1)
def test_one_two_and_four_heads_by_hand(kata):
    assert_same(kata.alibi_slopes(1), [1 / 256])
    assert_same(kata.alibi_slopes(2), [1 / 16, 1 / 256])
    assert_same(kata.alibi_slopes(4), [1 / 4, 1 / 16, 1 / 64, 1 / 256])


@pytest.mark.task(1)
def test_sixteen_heads_put_a_slope_between_every_two_of_eight(kata):
    between = [
        0.707106781187, 0.353553390593, 0.176776695297, 0.088388347648,
        0.044194173824, 0.022097086912, 0.011048543456, 0.005524271728,
    ]
    slopes = kata.alibi_slopes(16)                                     # (16,)
    assert_same(slopes[0::2], between)
    assert_same(slopes[1::2], [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256])


@pytest.mark.task(1)
def test_the_first_slope_is_also_the_ratio(kata):
    for n_heads in (2, 32, 64):
        slopes = kata.alibi_slopes(n_heads)                            # (n_heads,)
        assert_same(slopes[1:] / slopes[:-1], np.full(n_heads - 1, 2.0 ** (-8 / n_heads)))
        assert_same(slopes[0], 2.0 ** (-8 / n_heads))


# Task 2: slopes of other counts

@pytest.mark.task(2)
def test_six_heads_are_those_of_four_and_two_of_eight(kata):
    assert_same(kata.alibi_slopes(6), [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8])


@pytest.mark.task(2)
def test_three_five_and_seven_heads_by_hand(kata):
    assert_same(kata.alibi_slopes(3), [1 / 16, 1 / 256, 1 / 4])
    assert_same(kata.alibi_slopes(5), [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2])
    assert_same(kata.alibi_slopes(7), [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8, 1 / 32])


@pytest.mark.task(2)
def test_twelve_heads_are_those_of_eight_and_four_of_sixteen(kata):
    slopes = kata.alibi_slopes(12)                                     # (12,)
    assert_same(slopes[:8], [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256])
    assert_same(slopes[8:], [0.707106781187, 0.353553390593, 0.176776695297, 0.088388347648])


@pytest.mark.task(2)
def test_a_further_head_leaves_the_slopes_of_the_others(kata):
    slopes = kata.alibi_slopes(31)                                     # (31,)
    for n_heads in (16, 17, 24, 30):
        assert_same(kata.alibi_slopes(n_heads), slopes[:n_heads])


@pytest.mark.task(2)
def test_no_two_heads_share_a_slope(kata):
    for n_heads in (6, 11, 12, 25):
        slopes = np.sort(kata.alibi_slopes(n_heads))                   # (n_heads,)
        assert slopes.shape == (n_heads,)
        assert (slopes[1:] > 1.02 * slopes[:-1]).all()
        assert_same(slopes[0], 1 / 256)


@pytest.mark.task(2)
def test_slopes_of_any_count_agree_with_the_reference(kata, reference, rng):
    for n_heads in (10, 15, 20, 48, 112, *rng.integers(9, 200, size=5).tolist()):
        assert_same(kata.alibi_slopes(n_heads), reference.alibi_slopes(n_heads))


# Task 3: the bias

@pytest.mark.task(3)
def test_the_first_of_eight_heads_by_hand(kata):
    wanted = [[0.0, FUTURE, FUTURE], [-0.5, 0.0, FUTURE], [-1.0, -0.5, 0.0]]
    assert_same(kata.alibi_bias(8, 3)[0], wanted)


@pytest.mark.task(3)
def test_every_head_has_its_own_slope(kata):
    # slopes 1/16, 1/256 and 1/4
    wanted = [[[0.0, FUTURE], [-1 / 16, 0.0]], [[0.0, FUTURE], [-1 / 256, 0.0]], [[0.0, FUTURE], [-1 / 4, 0.0]]]
    assert_same(kata.alibi_bias(3, 2), wanted)


@pytest.mark.task(3)
def test_fewer_queries_stand_at_the_end(kata):
    # slopes 1/16, 1/256 and 1/4, queries at positions 2 and 3
    wanted = [
        [[-2 / 16, -1 / 16, 0.0, FUTURE], [-3 / 16, -2 / 16, -1 / 16, 0.0]],
        [[-2 / 256, -1 / 256, 0.0, FUTURE], [-3 / 256, -2 / 256, -1 / 256, 0.0]],
        [[-2 / 4, -1 / 4, 0.0, FUTURE], [-3 / 4, -2 / 4, -1 / 4, 0.0]],
    ]
    assert_same(kata.alibi_bias(3, 2, 4), wanted)


@pytest.mark.task(3)
def test_a_single_query_sees_every_key(kata):
    # the slopes are those of test_six_heads_are_those_of_four_and_two_of_eight
    wanted = [[[-3 * s, -2 * s, -s, 0.0]] for s in (1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8)]
    assert_same(kata.alibi_bias(6, 1, 4), wanted)
    assert_same(kata.alibi_bias(6, 1, 4, causal=False), wanted)


@pytest.mark.task(3)
def test_without_causal_a_key_ahead_costs_as_much_as_one_behind(kata):
    wanted = [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    assert_same(kata.alibi_bias(8, 3, causal=False)[0], wanted)


@pytest.mark.task(3)
def test_fewer_queries_without_causal_by_hand(kata):
    # one head, slope 1/256, queries at positions 2, 3 and 4
    wanted = [[
        [-2 / 256, -1 / 256, 0.0, -1 / 256, -2 / 256],
        [-3 / 256, -2 / 256, -1 / 256, 0.0, -1 / 256],
        [-4 / 256, -3 / 256, -2 / 256, -1 / 256, 0.0],
    ]]
    assert_same(kata.alibi_bias(1, 3, 5, causal=False), wanted)


@pytest.mark.task(3)
def test_one_position_costs_nothing(kata):
    assert_same(kata.alibi_bias(6, 1), np.zeros((6, 1, 1)))
    assert_same(kata.alibi_bias(1, 1, 1, False), np.zeros((1, 1, 1)))


@pytest.mark.task(3)
def test_minus_infinity_is_for_the_future_and_nothing_else(kata):
    bias = kata.alibi_bias(3, 8, 13)                                   # (3, 8, 13), query i stands at i + 5
    wanted = np.zeros((3, 8, 13), dtype=bool)
    for i in range(8):
        wanted[:, i, i + 6:] = True
    assert_same(np.isneginf(bias), wanted)
    assert_same(np.isneginf(kata.alibi_bias(3, 8, 13, causal=False)), np.zeros((3, 8, 13), dtype=bool))


@pytest.mark.task(3)
def test_each_step_costs_the_slope_however_far(kata):
    for causal in (True, False):
        last_row = kata.alibi_bias(4, 1, 512, causal)[:, 0]            # (4, 512)
        assert_same(np.diff(last_row), np.repeat([[1 / 4], [1 / 16], [1 / 64], [1 / 256]], 511, axis=1))
    assert_same(kata.alibi_bias(1, 300, causal=False)[0, 0], -np.arange(300) / 256)


@pytest.mark.task(3)
def test_fewer_queries_are_the_last_rows_of_all(kata):
    for causal in (True, False):
        assert_same(kata.alibi_bias(6, 4, 15, causal), kata.alibi_bias(6, 15, causal=causal)[:, 11:])


@pytest.mark.task(3)
def test_the_bias_depends_on_the_distance_alone(kata):
    for causal in (True, False):
        bias = kata.alibi_bias(5, 12, 14, causal)                      # (5, 12, 14)
        assert_same(bias[:, 1:, 1:], bias[:, :-1, :-1])


@pytest.mark.task(3)
def test_without_causal_query_and_key_may_change_places(kata):
    bias = kata.alibi_bias(3, 12, causal=False)                        # (3, 12, 12)
    assert_same(bias, np.swapaxes(bias, 1, 2))
    past = np.tril(np.ones((12, 12), dtype=bool))
    assert_same(bias[:, past], kata.alibi_bias(3, 12)[:, past])


@pytest.mark.task(3)
def test_as_many_heads_as_positions_do_not_mix_the_axes(kata, reference):
    for size in (6, 12):
        assert_same(kata.alibi_bias(size, size), reference.alibi_bias(size, size))
        assert_same(kata.alibi_bias(size, size, causal=False), reference.alibi_bias(size, size, causal=False))
        assert_same(kata.alibi_bias(size, 5, size), reference.alibi_bias(size, 5, size))
        assert_same(kata.alibi_bias(size, size, 17), reference.alibi_bias(size, size, 17))


@pytest.mark.task(3)
def test_there_are_as_many_keys_as_queries_unless_given(kata, reference):
    assert_same(kata.alibi_bias(6, 12), reference.alibi_bias(6, 12, 12, True))
    assert_same(kata.alibi_bias(6, 12, None), reference.alibi_bias(6, 12, 12, True))
    assert_same(kata.alibi_bias(6, 12, causal=False), reference.alibi_bias(6, 12, 12, False))
    by_name = kata.alibi_bias(n_heads=6, n_queries=12, n_keys=13, causal=False)
    assert_same(by_name, reference.alibi_bias(6, 12, 13, False))


@pytest.mark.task(3)
def test_every_bias_starts_afresh(kata, reference):
    first = (8, 12, 12, True)
    others = (8, 12, 14, True), (8, 12, 12, False), (6, 12, 12, True), (8, 11, 12, True)
    for arguments in (first, *others, first):
        assert_same(kata.alibi_bias(*arguments), reference.alibi_bias(*arguments))


@pytest.mark.task(3)
def test_biases_of_any_size_agree_with_the_reference(kata, reference, rng):
    for causal in (True, False):
        for n_heads in (3, 8, 12, *rng.integers(1, 30, size=3).tolist()):
            n_keys = int(rng.integers(12, 40))
            n_queries = int(rng.integers(1, n_keys + 1))
            wanted = reference.alibi_bias(n_heads, n_queries, n_keys, causal)
            assert_same(kata.alibi_bias(n_heads, n_queries, n_keys, causal), wanted)


# Task 4: attention

@pytest.mark.task(4)
def test_equal_scores_fade_with_the_distance(kata):
    # no query prefers a key, so the weights are those of the bias; slopes 1/16, 1/256, 1/4
    wanted = [[FADING_BY_A_SIXTEENTH], [FADING_BY_A_256TH], [FADING_BY_A_QUARTER]]
    q, k, v = np.zeros((3, 1, 5)), np.ones((3, 4, 5)), unit_rows(3, 4)
    assert_same(kata.alibi_attention(q, k, v), wanted)
    assert_same(kata.alibi_attention(q, k, v, causal=False), wanted)


@pytest.mark.task(4)
def test_the_key_before_gets_one_over_one_plus_e_to_the_slope(kata):
    # the second of two positions: weights 1 / (1 + exp(m)) and 1 / (1 + exp(-m)), m = 1/2, 1/4, ..., 1/256
    own = [
        0.622459331202, 0.562176500886, 0.531209373374, 0.515619915723,
        0.507811864279, 0.503906170529, 0.501953115065, 0.500976561258,
    ]
    output = kata.alibi_attention(np.zeros((8, 2, 4)), np.ones((8, 2, 4)), np.tile([[0.0], [1.0]], (8, 1, 1)))
    assert_same(output, [[[0.0], [weight]] for weight in own])


@pytest.mark.task(4)
def test_scores_are_scaled_and_the_bias_is_not(kata):
    # q.k is 3 and 1, halved by sqrt(4): 1.5 - m and 0.5; the weights are 1 / (1 + exp(m - 1)) and the rest
    q = np.tile([[2.0, 0.0, 1.0, -1.0]], (2, 1, 1))                    # (2, 1, 4)
    k = np.tile([[2.0, 5.0, 0.0, 1.0], [0.0, -3.0, 2.0, 1.0]], (2, 1, 1))
    v = np.tile([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], (2, 1, 1))        # (2, 2, 3)
    wanted = [
        [[0.718594392571, 0.281405607429, 1.155783177713]],
        [[0.730289870428, 0.269710129572, 1.190869611285]],
    ]
    assert_same(kata.alibi_attention(q, k, v), wanted)


@pytest.mark.task(4)
def test_without_causal_weights_fall_on_both_sides(kata):
    # slope 1/2 and equal scores: 1, exp(-1/2), exp(-1) divided by their sum, and exp(-1/2), 1, exp(-1/2)
    wanted = [
        [0.506480391056, 0.307195885719, 0.186323723226],
        [0.274068619061, 0.451862761878, 0.274068619061],
        [0.186323723226, 0.307195885719, 0.506480391056],
    ]
    output = kata.alibi_attention(np.zeros((8, 3, 2)), np.ones((8, 3, 2)), unit_rows(8, 3), causal=False)
    assert_same(output[0], wanted)


@pytest.mark.task(4)
def test_whole_numbers_are_weighed_by_fractions(kata):
    # q.k is 3 and 1 as above; slopes 1/16 and 1/256
    q = np.tile([[2, 0, 1, -1]], (2, 1, 1))                            # (2, 1, 4)
    k = np.tile([[2, 5, 0, 1], [0, -3, 2, 1]], (2, 1, 1))
    v = np.tile([[1, 10, 2], [0, 20, -1]], (2, 1, 1))                  # (2, 2, 3)
    wanted = [
        [[0.718594392571, 12.814056074291, 1.155783177713]],
        [[0.730289870428, 12.697101295717, 1.190869611285]],
    ]
    assert_same(kata.alibi_attention(q, k, v), wanted)


@pytest.mark.task(4)
def test_one_position_hands_its_value_on(kata, rng):
    for n_heads, d, d_v in ((1, 1, 1), (6, 3, 2), (1, 4, 7)):
        q, k, v = drawn(rng, n_heads, 1, 1, d, d_v)
        assert_same(kata.alibi_attention(q, k, v), v)


@pytest.mark.task(4)
def test_equal_values_come_out_as_they_are(kata, rng):
    q, k, _ = drawn(rng, 6, 12, 15, 4, 3)
    row = np.array([2.0, -1.0, 0.5])
    for causal in (True, False):
        assert_same(kata.alibi_attention(q, k, np.tile(row, (6, 15, 1)), causal), np.tile(row, (6, 12, 1)))


@pytest.mark.task(4)
def test_what_comes_later_changes_nothing_before(kata, rng):
    q, k, v = drawn(rng, 3, 12, 12, 4, 5)
    later_k, later_v = k.copy(), v.copy()
    later_k[:, 7:] += 3.0
    later_v[:, 7:] -= 2.0
    assert_same(kata.alibi_attention(q, later_k, later_v)[:, :7], kata.alibi_attention(q, k, v)[:, :7])


@pytest.mark.task(4)
def test_the_last_queries_alone_give_the_last_rows(kata, rng):
    for causal in (True, False):
        q, k, v = drawn(rng, 6, 15, 15, 4, 3)
        assert_same(kata.alibi_attention(q[:, 11:], k, v, causal), kata.alibi_attention(q, k, v, causal)[:, 11:])


@pytest.mark.task(4)
def test_without_causal_a_reversed_sequence_gives_a_reversed_output(kata, rng):
    q, k, v = drawn(rng, 5, 12, 12, 3, 4)
    turned = kata.alibi_attention(q[:, ::-1], k[:, ::-1], v[:, ::-1], causal=False)
    assert_same(turned[:, ::-1], kata.alibi_attention(q, k, v, causal=False))


@pytest.mark.task(4)
def test_the_slope_times_the_key_position_does_as_well(kata, rng):
    # as BLOOM has it: the row of query i differs by slope * i throughout, which a softmax does not see
    q, k, v = drawn(rng, 3, 12, 12, 4, 5)
    scores = np.einsum("hid,hjd->hij", q, k) / 2
    weights = np.exp(scores + np.array([1 / 16, 1 / 256, 1 / 4])[:, None, None] * np.arange(12.0))
    weights = np.tril(weights)                                         # (3, 12, 12)
    wanted = np.einsum("hij,hjc->hic", weights, v) / weights.sum(axis=2)[..., None]
    assert_same(kata.alibi_attention(q, k, v), wanted)


@pytest.mark.task(4)
def test_scores_of_a_million_leave_one_key(kata):
    for sign in (1.0, -1.0):
        for causal in (True, False):
            # the score of key j is its mark times 2e6 or more, so each query takes the highest mark it sees
            marks = np.array([3.0, 1.0, 4.0, 9.0, 2.0, 6.0, 5.0, 8.0, 7.0, 12.0, 11.0, 10.0]) * sign
            size = np.array([1e3, 3e4, 1e3, 2e3, 1e3, 5e3])[:, None, None]    # each head has its own
            q, k = np.full((6, 12, 4), 1e3), np.tile(marks[:, None], (6, 1, 4)) * size
            v = np.arange(6 * 12 * 3.0).reshape(6, 12, 3)
            best = [int(np.argmax(marks[: i + 1] if causal else marks)) for i in range(12)]
            assert_same(kata.alibi_attention(q, k, v, causal), v[:, best])


@pytest.mark.task(4)
def test_no_row_and_no_head_drowns_another(kata):
    # every query has a scale of its own, in every head: scores from 100 to 1e6, a hundred or more apart
    marks = np.array([1.0, 5.0, 2.0, 8.0, 3.0, 9.0, 4.0, 12.0])
    scale = 10.0 ** np.array([[2, 4, 3, 6, 5, 2, 4, 3], [6, 2, 5, 3, 2, 4, 6, 2], [2, 2, 2, 2, 2, 2, 2, 2]])
    q = np.tile(scale[..., None], (1, 1, 4)) / 2                       # (3, 8, 4)
    k = np.tile(marks[:, None], (3, 1, 4))
    v = np.arange(3 * 8 * 2.0).reshape(3, 8, 2)
    assert_same(kata.alibi_attention(q, k, v), v[:, [0, 1, 1, 3, 3, 5, 5, 7]])
    assert_same(kata.alibi_attention(-q, k, v), v[:, [0] * 8])
    assert_same(kata.alibi_attention(q, k, v, causal=False), v[:, [7] * 8])


@pytest.mark.task(4)
def test_no_score_lifts_a_future_key_over_the_mask(kata, rng):
    q, k, v = drawn(rng, 3, 12, 12, 4, 5)
    q = np.abs(q) + 1.0
    high = k.copy()
    high[:, -1] = 1e13
    output = kata.alibi_attention(q, high, v)                          # (3, 12, 5)
    assert_same(output[:, :-1], kata.alibi_attention(q, k, v)[:, :-1])
    assert_same(output[:, -1], v[:, -1])


@pytest.mark.task(4)
def test_no_score_is_so_low_that_a_masked_key_beats_it(kata):
    # scores of -2e7, -4e7, ... in head 0, far lower in the others: the first key is the best of all, by far
    size = np.array([1e7, 1e10, 1e13])[:, None, None]
    q, k = np.ones((3, 12, 4)), np.tile(-np.arange(1.0, 13.0)[:, None], (3, 1, 4)) * size
    v = np.arange(3 * 12 * 2.0).reshape(3, 12, 2)
    assert_same(kata.alibi_attention(q, k, v), v[:, [0] * 12])
    # now the last one is, so each query takes its own
    assert_same(kata.alibi_attention(q, k[:, ::-1], v), v)


@pytest.mark.task(4)
def test_the_first_query_takes_its_own_key_however_low_the_score(kata):
    for score in (-1e6, -1e10, -1e13):
        q, k = np.full((2, 3, 1), 1.0), np.full((2, 3, 1), score)
        v = np.array([[[1.0], [5.0], [7.0]], [[2.0], [4.0], [9.0]]])
        assert_same(kata.alibi_attention(q, k, v)[:, 0], v[:, 0])


@pytest.mark.task(4)
def test_whole_numbers_count_as_real_numbers(kata, reference, rng):
    q, k, v = (rng.integers(-2, 3, size=s) for s in ((6, 9, 4), (6, 13, 4), (6, 13, 5)))
    for causal in (True, False):
        wanted = reference.alibi_attention(q.astype(float), k.astype(float), v.astype(float), causal)
        assert_same(kata.alibi_attention(q, k, v, causal), wanted)


@pytest.mark.task(4)
def test_any_memory_layout_is_read(kata, reference, rng):
    q, k, v = drawn(rng, 6, 9, 13, 4, 5)
    wanted = reference.alibi_attention(q, k, v)
    # heads next to the width, as a projection leaves them
    views = [np.ascontiguousarray(a.swapaxes(0, 1)).swapaxes(0, 1) for a in (q, k, v)]
    assert_same(kata.alibi_attention(*views), wanted)
    locked = [np.asfortranarray(a) for a in (q, k, v)]
    for array in locked:
        array.flags.writeable = False
    assert_same(kata.alibi_attention(*locked), wanted)


@pytest.mark.task(4)
def test_sizes_that_coincide_do_not_mix_the_axes(kata, reference, rng):
    q, k, v = drawn(rng, 6, 6, 6, 6, 6)
    for causal in (True, False):
        assert_same(kata.alibi_attention(q, k, v, causal), reference.alibi_attention(q, k, v, causal))


@pytest.mark.task(4)
def test_every_attention_starts_afresh(kata, reference, rng):
    first, second, third = drawn(rng, 6, 12, 12, 4, 3), drawn(rng, 6, 12, 12, 4, 3), drawn(rng, 5, 12, 12, 4, 3)
    for arrays, causal in ((first, True), (second, True), (third, True), (first, False), (first, True)):
        assert_same(kata.alibi_attention(*arrays, causal), reference.alibi_attention(*arrays, causal))


@pytest.mark.task(4)
def test_single_precision_in_gives_the_same_to_fewer_digits(kata, reference, rng):
    for causal in (True, False):
        arrays = [a.astype(np.float32) for a in drawn(rng, 6, 9, 13, 4, 5)]
        assert_same(kata.alibi_attention(*arrays, causal), reference.alibi_attention(*arrays, causal))


@pytest.mark.task(4)
def test_attention_of_any_size_agrees_with_the_reference(kata, reference, rng):
    for causal in (True, False):
        for n_heads in (1, 3, 6, 8, 12, int(rng.integers(13, 20))):
            n_keys, d, d_v = (int(n) for n in rng.integers((12, 1, 1), (25, 12, 12)))
            q, k, v = drawn(rng, n_heads, int(rng.integers(1, n_keys + 1)), n_keys, d, d_v)
            wanted = reference.alibi_attention(q, k, v, causal)
            assert_same(kata.alibi_attention(q=q, k=k, v=v, causal=causal), wanted)


# All three

@pytest.mark.task(1, 2, 3, 4)
def test_slopes_bias_and_attention_are_in_double_precision(kata, rng):
    assert_double_precision(kata.alibi_slopes, 8)
    assert_double_precision(kata.alibi_slopes, 12)
    assert_double_precision(kata.alibi_bias, 6, 9, 13)
    assert_double_precision(kata.alibi_bias, 6, 9, 13, causal=False)
    for causal in (True, False):
        assert_double_precision(kata.alibi_attention, *drawn(rng, 6, 9, 13, 4, 5), causal=causal)
