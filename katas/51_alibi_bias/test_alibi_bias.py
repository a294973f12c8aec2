"""What ALiBi has to be: values worked by hand, laws of distance and of the softmax, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

FUTURE = -np.inf
EIGHT = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]         # the slopes of eight heads
# every second one of sixteen
BETWEEN = [0.707106781187, 0.353553390593, 0.176776695297, 0.088388347648,
           0.044194173824, 0.022097086912, 0.011048543456, 0.005524271728]


def drawn(rng, n_heads, n_queries, n_keys, d, d_v):
    """Random queries, keys and values."""
    shapes = (n_heads, n_queries, d), (n_heads, n_keys, d), (n_heads, n_keys, d_v)
    return tuple(rng.normal(size=shape) for shape in shapes)


def unit_rows(n_heads, n_keys):
    """Values whose weighted sum is the weights themselves."""
    return np.tile(np.eye(n_keys), (n_heads, 1, 1))


# Task 1: slopes of a power of two

@pytest.mark.task(1)
def test_powers_of_two_by_hand(kata):
    assert_same(kata.alibi_slopes(1), [1 / 256])
    assert_same(kata.alibi_slopes(2), [1 / 16, 1 / 256])
    assert_same(kata.alibi_slopes(4), [1 / 4, 1 / 16, 1 / 64, 1 / 256])
    assert_same(kata.alibi_slopes(8), EIGHT)
    slopes = kata.alibi_slopes(16)                                     # (16,)
    assert_same(slopes[0::2], BETWEEN)
    assert_same(slopes[1::2], EIGHT)


@pytest.mark.task(1)
def test_the_first_slope_is_also_the_ratio(kata):
    for n_heads in (2, 32, 64):
        slopes = kata.alibi_slopes(n_heads)                            # (n_heads,)
        assert_same(slopes[1:] / slopes[:-1], np.full(n_heads - 1, 2.0 ** (-8 / n_heads)))
        assert_same(slopes[0], 2.0 ** (-8 / n_heads))


# Task 2: slopes of other counts

@pytest.mark.task(2)
def test_other_counts_by_hand(kata):
    assert_same(kata.alibi_slopes(3), [1 / 16, 1 / 256, 1 / 4])
    for n_heads in (5, 6, 7):
        assert_same(kata.alibi_slopes(n_heads), [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8, 1 / 32][:n_heads])
    assert_same(kata.alibi_slopes(12), EIGHT + BETWEEN[:4])


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


test_slopes_of_any_count_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "alibi_slopes", lambda rng: [(n,) for n in (10, 15, 20, 48, 112, *rng.integers(9, 200, size=5).tolist())])


# Task 3: the bias

@pytest.mark.task(3)
def test_every_head_has_its_own_slope(kata):
    assert_same(kata.alibi_bias(8, 3)[0], [[0.0, FUTURE, FUTURE], [-0.5, 0.0, FUTURE], [-1.0, -0.5, 0.0]])
    assert_same(kata.alibi_bias(3, 2), [[[0.0, FUTURE], [-slope, 0.0]] for slope in (1 / 16, 1 / 256, 1 / 4)])


@pytest.mark.task(3)
def test_fewer_queries_stand_at_the_end_and_a_single_one_sees_every_key(kata):
    # queries at positions 2 and 3
    wanted = [[[-2 * slope, -slope, 0.0, FUTURE], [-3 * slope, -2 * slope, -slope, 0.0]]
              for slope in (1 / 16, 1 / 256, 1 / 4)]
    assert_same(kata.alibi_bias(3, 2, 4), wanted)
    wanted = [[[-3 * s, -2 * s, -s, 0.0]] for s in (1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8)]
    assert_same(kata.alibi_bias(6, 1, 4), wanted)
    assert_same(kata.alibi_bias(6, 1, 4, causal=False), wanted)


@pytest.mark.task(3)
def test_without_causal_a_key_ahead_costs_as_much_as_one_behind(kata):
    wanted = [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    assert_same(kata.alibi_bias(8, 3, causal=False)[0], wanted)
    # one head, slope 1/256, queries at positions 2, 3 and 4
    distance = np.array([[[2, 1, 0, 1, 2], [3, 2, 1, 0, 1], [4, 3, 2, 1, 0]]])
    assert_same(kata.alibi_bias(1, 3, 5, causal=False), -distance / 256)
    bias = kata.alibi_bias(3, 12, causal=False)                        # (3, 12, 12)
    assert_same(bias, np.swapaxes(bias, 1, 2))
    past = np.tril(np.ones((12, 12), dtype=bool))
    assert_same(bias[:, past], kata.alibi_bias(3, 12)[:, past])


@pytest.mark.task(3)
def test_one_position_costs_nothing(kata):
    assert_same(kata.alibi_bias(6, 1), np.zeros((6, 1, 1)))
    assert_same(kata.alibi_bias(1, 1, 1, False), np.zeros((1, 1, 1)))


@pytest.mark.task(3)
def test_minus_infinity_is_for_the_future_and_nothing_else(kata):
    # query i stands at i + 5
    future = np.arange(13) > np.arange(5, 13)[:, None]                 # (8, 13)
    assert_same(np.isneginf(kata.alibi_bias(3, 8, 13)), np.tile(future, (3, 1, 1)))
    assert_same(np.isneginf(kata.alibi_bias(3, 8, 13, causal=False)), np.zeros((3, 8, 13), dtype=bool))


@pytest.mark.task(3)
def test_each_step_costs_the_slope_however_far(kata):
    for causal in (True, False):
        last_row = kata.alibi_bias(4, 1, 512, causal)[:, 0]            # (4, 512)
        assert_same(np.diff(last_row), np.repeat([[1 / 4], [1 / 16], [1 / 64], [1 / 256]], 511, axis=1))
    assert_same(kata.alibi_bias(1, 300, causal=False)[0, 0], -np.arange(300) / 256)


@pytest.mark.task(3)
def test_the_bias_depends_on_the_distance_alone(kata):
    for causal in (True, False):
        bias = kata.alibi_bias(5, 12, 14, causal)                      # (5, 12, 14)
        assert_same(bias[:, 1:, 1:], bias[:, :-1, :-1])
        # so fewer queries are the last rows of all
        assert_same(kata.alibi_bias(6, 4, 15, causal), kata.alibi_bias(6, 15, causal=causal)[:, 11:])


def heads_queries_and_keys(rng):
    for causal in (True, False):
        for n_heads in (3, 8, 12, *rng.integers(1, 30, size=3).tolist()):
            n_keys = int(rng.integers(12, 40))
            yield n_heads, int(rng.integers(1, n_keys + 1)), n_keys, causal


test_as_many_heads_as_positions_do_not_mix_the_axes = checks.agrees_with_the_reference(
    3, "alibi_bias", [one for n in (6, 12) for one in ((n, n), (n, n, None, False), (n, 5, n), (n, n, 17))])
test_there_are_as_many_keys_as_queries_unless_given = checks.agrees_with_the_reference(3, "alibi_bias", [
    (6, 12), (6, 12, None), {"n_heads": 6, "n_queries": 12, "causal": False},
    {"n_heads": 6, "n_queries": 12, "n_keys": 13, "causal": False}])
test_every_bias_starts_afresh = checks.starts_afresh(3, "alibi_bias", [
    (8, 12, 12, True), (8, 12, 14, True), (8, 12, 12, False), (6, 12, 12, True), (8, 11, 12, True)])
test_biases_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "alibi_bias", heads_queries_and_keys)


# Task 4: attention

@pytest.mark.task(4)
def test_equal_scores_fade_with_the_distance_without_causal_on_both_sides(kata):
    # no query prefers a key, so the weights are those of the bias: exp(-m t) for t = 3, 2, 1, 0, divided by their sum
    wanted = [[[0.227072843233, 0.241717783393, 0.257307241043, 0.273902132330]],            # m = 1/16
              [[0.248537069174, 0.249509815760, 0.250486369567, 0.251466745499]],            # m = 1/256
              [[0.165296176671, 0.212244492127, 0.272527322443, 0.349932008759]]]            # m = 1/4
    q, k, v = np.zeros((3, 1, 5)), np.ones((3, 4, 5)), unit_rows(3, 4)
    assert_same(kata.alibi_attention(q, k, v), wanted)
    assert_same(kata.alibi_attention(q, k, v, causal=False), wanted)
    # slope 1/2 and equal scores: 1, exp(-1/2), exp(-1) divided by their sum, and exp(-1/2), 1, exp(-1/2)
    wanted = [
        [0.506480391056, 0.307195885719, 0.186323723226],
        [0.274068619061, 0.451862761878, 0.274068619061],
        [0.186323723226, 0.307195885719, 0.506480391056],
    ]
    output = kata.alibi_attention(np.zeros((8, 3, 2)), np.ones((8, 3, 2)), unit_rows(8, 3), causal=False)
    assert_same(output[0], wanted)


@pytest.mark.task(4)
def test_the_key_before_gets_one_over_one_plus_e_to_the_slope(kata):
    # the second of two positions: weights 1 / (1 + exp(m)) and 1 / (1 + exp(-m)), m = 1/2, 1/4, ..., 1/256
    own = [0.622459331202, 0.562176500886, 0.531209373374, 0.515619915723,
           0.507811864279, 0.503906170529, 0.501953115065, 0.500976561258]
    output = kata.alibi_attention(np.zeros((8, 2, 4)), np.ones((8, 2, 4)), np.tile([[0.0], [1.0]], (8, 1, 1)))
    assert_same(output, [[[0.0], [weight]] for weight in own])


@pytest.mark.task(4)
def test_scores_are_scaled_and_the_bias_is_not(kata):
    # q.k is 3 and 1, halved by sqrt(4): 1.5 - m and 0.5; the weights are 1 / (1 + exp(m - 1)) and the rest
    q = np.tile([[2.0, 0.0, 1.0, -1.0]], (2, 1, 1))                    # (2, 1, 4)
    k = np.tile([[2.0, 5.0, 0.0, 1.0], [0.0, -3.0, 2.0, 1.0]], (2, 1, 1))
    v = np.tile([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]], (2, 1, 1))        # (2, 2, 3)
    wanted = [[[0.718594392571, 0.281405607429, 1.155783177713]], [[0.730289870428, 0.269710129572, 1.190869611285]]]
    assert_same(kata.alibi_attention(q, k, v), wanted)
    # whole numbers are weighed by fractions
    q, k, v = q.astype(int), k.astype(int), v.astype(int) * np.array([1, 20, 1])
    assert_same(kata.alibi_attention(q, k, v), wanted * np.array([1.0, 20.0, 1.0]))


@pytest.mark.task(4)
def test_equal_values_come_out_as_they_are(kata, rng):
    q, k, _ = drawn(rng, 6, 12, 15, 4, 3)
    row = np.array([2.0, -1.0, 0.5])
    for causal in (True, False):
        assert_same(kata.alibi_attention(q, k, np.tile(row, (6, 15, 1)), causal), np.tile(row, (6, 12, 1)))
    for n_heads, d, d_v in ((1, 1, 1), (6, 3, 2), (1, 4, 7)):          # the value of one position, too
        q, k, v = drawn(rng, n_heads, 1, 1, d, d_v)
        assert_same(kata.alibi_attention(q, k, v), v)


@pytest.mark.task(4)
def test_what_comes_later_changes_nothing_before_and_the_last_queries_have_the_last_rows(kata, rng):
    q, k, v = drawn(rng, 3, 12, 12, 4, 5)
    later_k, later_v = k.copy(), v.copy()
    later_k[:, 7:] += 3.0
    later_v[:, 7:] -= 2.0
    assert_same(kata.alibi_attention(q, later_k, later_v)[:, :7], kata.alibi_attention(q, k, v)[:, :7])
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
def test_scores_of_a_million_leave_one_key_and_no_row_or_head_drowns_another(kata):
    # the score of key j is its mark times 2e6 or more, so each query takes the highest mark it sees
    size = np.array([1e3, 3e4, 1e3, 2e3, 1e3, 5e3])[:, None, None]     # each head has its own
    q, v = np.full((6, 12, 4), 1e3), np.arange(6 * 12 * 3.0).reshape(6, 12, 3)
    for sign in (1.0, -1.0):
        marks = sign * np.array([3.0, 1.0, 4.0, 9.0, 2.0, 6.0, 5.0, 8.0, 7.0, 12.0, 11.0, 10.0])
        k = np.tile(marks[:, None], (6, 1, 4)) * size
        best = [np.argmax(marks[: i + 1]) for i in range(12)]
        assert_same(kata.alibi_attention(q, k, v), v[:, best])
        assert_same(kata.alibi_attention(q, k, v, causal=False), v[:, best[-1:] * 12])
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
def test_no_score_lifts_a_masked_key_over_those_in_sight_however_low_these_are(kata, rng):
    q, k, v = drawn(rng, 3, 12, 12, 4, 5)
    q = np.abs(q) + 1.0
    high = k.copy()
    high[:, -1] = 1e13
    output = kata.alibi_attention(q, high, v)                          # (3, 12, 5)
    assert_same(output[:, :-1], kata.alibi_attention(q, k, v)[:, :-1])
    assert_same(output[:, -1], v[:, -1])
    # scores of -2e7, -4e7, ... in head 0, far lower in the others: the first key is the best of all, by far
    size = np.array([1e7, 1e10, 1e13])[:, None, None]
    q, k = np.ones((3, 12, 4)), np.tile(-np.arange(1.0, 13.0)[:, None], (3, 1, 4)) * size
    v = np.arange(3 * 12 * 2.0).reshape(3, 12, 2)
    assert_same(kata.alibi_attention(q, k, v), v[:, [0] * 12])
    # now the last one is, so each query takes its own
    assert_same(kata.alibi_attention(q, k[:, ::-1], v), v)
    # and the first query takes its own, of keys that are all alike
    for score in (-1e6, -1e10, -1e13):
        assert_same(kata.alibi_attention(q[..., :1], np.full((3, 12, 1), score), v)[:, 0], v[:, 0])


def of_any_size(rng):
    for causal in (True, False):
        for n_heads in (1, 3, 6, 8, 12, int(rng.integers(13, 20))):
            n_keys, d, d_v = (int(n) for n in rng.integers((12, 1, 1), (25, 12, 12)))
            q, k, v = drawn(rng, n_heads, int(rng.integers(1, n_keys + 1)), n_keys, d, d_v)
            yield {"q": q, "k": k, "v": v, "causal": causal}


def either_way(rng, sizes=(6, 9, 13, 4, 5), dtype=np.float64):
    for causal in (True, False):
        yield *(array.astype(dtype) for array in drawn(rng, *sizes)), causal


def that_differ_in_one_thing(rng):
    first, second, third = drawn(rng, 6, 12, 12, 4, 3), drawn(rng, 6, 12, 12, 4, 3), drawn(rng, 5, 12, 12, 4, 3)
    return [first, second, third, (*first, False)]


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(
    4, "alibi_attention", of_any_size)
test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(
    4, "alibi_attention", lambda rng: either_way(rng, sizes=[6] * 5))
test_single_precision_in_gives_the_same_to_fewer_digits = checks.agrees_with_the_reference(
    4, "alibi_attention", lambda rng: either_way(rng, dtype=np.float32))
test_every_attention_starts_afresh = checks.starts_afresh(4, "alibi_attention", that_differ_in_one_thing)
test_whole_numbers_count_as_real_numbers = checks.takes_whole_numbers(4, "alibi_attention", either_way)
test_any_memory_layout_is_read = checks.takes_views(4, "alibi_attention", either_way)


# All three

test_slopes_bias_and_attention_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3, 4), alibi_slopes=[(8,), (12,)], alibi_bias=[(6, 9, 13), (6, 9, 13, False)], alibi_attention=either_way)
