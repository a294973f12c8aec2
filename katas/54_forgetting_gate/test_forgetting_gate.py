"""What the forget gate has to be: values worked by hand, laws of sums and of the softmax, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

FUTURE = -np.inf
FEW_DIGITS = ("A result near 0 needs nine right digits of its own. Do not clip the logits. In the computer, 1 + y is 1 "
              "for a y below 1e-16, but log1p(y) keeps the digits of y.")


def right_digits(actual, wanted):
    """Whether every entry is right relative to itself, however small it is; float32 cannot hold numbers below 1e-37."""
    single = actual.dtype == np.float32
    return (np.abs(actual - wanted) <= (5e-4 if single else 1e-9) * np.abs(wanted) + (1e-37 if single else 0.0)).all()


def assert_same_rows(actual, wanted):
    """Each row is judged relative to its largest finite entry, or 1: a difference of running sums is not as exact."""
    size = np.where(np.isfinite(wanted), np.abs(wanted), 0.0).max(axis=-1, keepdims=True)       # (..., n, 1)
    assert np.shape(actual) == np.shape(wanted)
    assert_same(actual / np.maximum(size, 1.0), wanted / np.maximum(size, 1.0))


def gates(rng, *shape, dtype=np.float64):
    """Random logarithms of gates."""
    return -rng.exponential(size=shape).astype(dtype)


def drawn(rng, n_heads, n, d, d_v, dtype=np.float64):
    """Random queries, keys, values and log gates."""
    q, k, v = (rng.normal(size=(n_heads, n, width)).astype(dtype) for width in (d, d, d_v))
    return q, k, v, gates(rng, n_heads, n, dtype=dtype)


# Task 1: the gates

@pytest.mark.task(1)
def test_whole_logits_and_gates_of_three_quarters_and_one_quarter_by_hand(kata):
    # a logit of 0 keeps half; sigmoid(ln 3) = 3 / (3 + 1) and sigmoid(-ln 3) = 1 / (1 + 3)
    logits = np.array([0.0, 1.098612288668, -1.098612288668])
    assert_same(kata.log_forget_gates(logits), [-0.693147180560, -0.287682072452, -1.386294361120])
    wanted = [-2.126928011043, -1.313261687518, -0.693147180560, -0.313261687518, -0.126928011043]
    assert_same(kata.log_forget_gates(np.array([-2, -1, 0, 1, 2])), wanted)


@pytest.mark.task(1)
def test_a_closed_gate_is_about_as_low_as_its_logit(kata):
    # exp(-40) is 4e-18, far below the last digit
    logits = np.array([[-40.0, -700.0, -800.0], [-1000.0, -5000.0, -10000.0]])
    assert_same(kata.log_forget_gates(logits), logits)


@pytest.mark.task(1)
def test_a_gate_that_is_almost_open_is_right_relative_to_itself(kata, reference, rng):
    # log(sigmoid(x)) is nearly -exp(-x): -5e-5, -1e-7, -2e-9, -4e-18, -5e-131 and -1e-304
    wanted = np.array([-4.5398899216864647e-5, -1.1253516838717682e-7, -2.0611536203143807e-9,
                       -4.2483542552915890e-18, -5.1482002224120138e-131, -9.8596765437597709e-305])
    found = kata.log_forget_gates(np.array([10.0, 16.0, 20.0, 40.0, 300.0, 700.0]))
    assert found.shape == (6,)
    assert right_digits(found, wanted), FEW_DIGITS
    for logits in (rng.uniform(-30.0, 80.0, size=(3, 40)), rng.uniform(80.0, 700.0, size=40)):
        found = kata.log_forget_gates(logits)
        assert found.shape == logits.shape
        assert right_digits(found, reference.log_forget_gates(logits)), FEW_DIGITS


@pytest.mark.task(1)
def test_a_logit_and_its_opposite_keep_and_forget(kata, rng):
    # sigmoid(x) + sigmoid(-x) = 1: what one keeps, the other forgets
    logits = rng.normal(0.0, 3.0, size=(4, 9))
    assert_same(np.exp(kata.log_forget_gates(logits)) + np.exp(kata.log_forget_gates(-logits)), np.ones((4, 9)))
    # sigmoid(x) / sigmoid(-x) = exp(x)
    logits = rng.uniform(-600.0, 600.0, size=(5, 7))
    assert_same(kata.log_forget_gates(logits) - kata.log_forget_gates(-logits), logits)


def logits_of_any_shape(rng):
    for shape in ((1,), (12,), (6, 12), (2, 6, 15), (1, 1), (4, 4), (2, 3, 5), ()):
        for low, high in ((-1.0, 1.0), (-8.0, 8.0), (-200.0, 700.0), (-10000.0, -800.0)):
            yield (np.asarray(rng.uniform(low, high, size=shape)),)


def some_logits(rng):
    logits = rng.normal(0.0, 4.0, size=(3, 8, 4))
    return [(logits,), (logits.astype(np.float32),)]


test_gates_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "log_forget_gates", logits_of_any_shape)
test_gates_of_whole_numbers = checks.takes_whole_numbers(1, "log_forget_gates", some_logits)
test_gates_of_views_and_of_float32 = checks.takes_views(1, "log_forget_gates", some_logits)


# Task 2: the bias

@pytest.mark.task(2)
def test_four_tokens_by_hand(kata):
    assert_same(kata.forgetting_bias(np.array([-1.0, -2.0, -3.0, -4.0])), [
        [0.0, FUTURE, FUTURE, FUTURE], [-2.0, 0.0, FUTURE, FUTURE], [-5.0, -3.0, 0.0, FUTURE], [-9.0, -7.0, -4.0, 0.0]])


@pytest.mark.task(2)
def test_a_token_never_forgets_itself_and_the_one_before_it_by_its_own_gate(kata, rng):
    assert_same(kata.forgetting_bias(np.array([-2.5])), [[0.0]])
    log_gates = gates(rng, 3, 13)
    bias = kata.forgetting_bias(log_gates)                             # (3, 13, 13)
    assert_same(np.diagonal(bias, axis1=1, axis2=2), np.zeros((3, 13)))
    assert_same(np.diagonal(bias, -1, 1, 2), log_gates[:, 1:])


@pytest.mark.task(2)
def test_a_gate_matters_only_to_queries_from_its_token_on_and_keys_before_it(kata):
    # the first gate has nothing to forget
    for place in (0, 1, 4, 6):
        log_gates, wanted = -0.5 * (np.arange(7) == place), np.where(np.tri(7, dtype=bool), 0.0, FUTURE)
        wanted[place:, :place] = -0.5
        assert_same(kata.forgetting_bias(log_gates), wanted)


@pytest.mark.task(2)
def test_open_gates_leave_the_causal_mask_and_constant_ones_are_alibi(kata):
    for n in (1, 6, 12):
        assert_same(kata.forgetting_bias(np.zeros(n)), np.where(np.tri(n, dtype=bool), 0.0, FUTURE))
    # the slopes of heads 1, 2 and 8 of 8
    distance, slopes = np.arange(14)[:, None] - np.arange(14), np.array([1 / 2, 1 / 4, 1 / 256])
    wanted = np.where(distance < 0, FUTURE, -slopes[:, None, None] * np.abs(distance))
    assert_same(kata.forgetting_bias(np.repeat(-slopes[:, None], 14, axis=1)), wanted)


@pytest.mark.task(2)
def test_what_is_lost_on_the_way_adds_up(kata, rng):
    bias = kata.forgetting_bias(gates(rng, 3, 15))                     # (3, 15, 15)
    for i, stop, j in ((14, 8, 1), (9, 5, 0), (12, 11, 3)):
        assert_same(bias[:, i, stop] + bias[:, stop, j], bias[:, i, j])


@pytest.mark.task(2)
def test_a_closed_gate_hides_what_was_before_and_nothing_after(kata):
    # -10000 is as good as -inf in a softmax, and the sums of later gates stay what they are
    wanted = np.array([
        [0.0, FUTURE, FUTURE, FUTURE, FUTURE], [-0.5, 0.0, FUTURE, FUTURE, FUTURE],
        [-10000.5, -10000.0, 0.0, FUTURE, FUTURE], [-10000.75, -10000.25, -0.25, 0.0, FUTURE],
        [-10001.75, -10001.25, -1.25, -1.0, 0.0],
    ])
    log_gates = np.array([[first, -0.5, -10000.0, -0.25, -1.0] for first in (-2.0, 0.0)])
    assert_same_rows(kata.forgetting_bias(log_gates), np.stack([wanted, wanted]))


@pytest.mark.task(2)
def test_minus_infinity_is_for_the_future_and_nothing_else(kata, rng):
    log_gates = gates(rng, 2, 3, 9)
    for one in (log_gates, log_gates - 30.0, 0.0 * log_gates):
        future = np.isneginf(kata.forgetting_bias(one))                # (2, 3, 9, 9)
        assert_same(future, np.broadcast_to(~np.tri(9, dtype=bool), (2, 3, 9, 9)))


@pytest.mark.task(2)
def test_a_shorter_text_has_the_first_rows_and_columns(kata, rng):
    log_gates = gates(rng, 3, 15)
    bias = kata.forgetting_bias(log_gates)                             # (3, 15, 15)
    assert_same(kata.forgetting_bias(log_gates[:, :6]), bias[:, :6, :6])
    # and what comes first may be cut off: only the gates between matter
    assert_same(kata.forgetting_bias(log_gates[:, 6:]), bias[:, 6:, 6:])


def gates_of_any_shape(rng):
    for shape in ((12,), (1, 13), (6, 6), (12, 12), (2, 6, 15), (3, 1), (2, 3, 2, 5)):
        log_gates = 2.0 * gates(rng, *shape)
        yield from ((log_gates,), (np.round(4.0 * log_gates) / 4.0,), (log_gates,))


test_biases_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "forgetting_bias", gates_of_any_shape)
test_leading_axes_are_texts_and_heads_of_their_own = checks.agrees_with_the_reference(
    2, "forgetting_bias", lambda rng: [(gates(rng, *leading, 7),) for leading in ((2, 3), (3,), (), (2, 1))])
test_biases_of_views_of_any_memory_order_and_of_float32 = checks.takes_views(
    2, "forgetting_bias", lambda rng: [(gates(rng, 4, 6, 12, dtype=dtype),) for dtype in (np.float64, np.float32)])


# Task 3: attention

@pytest.mark.task(3)
def test_equal_scores_leave_the_products_of_the_gates(kata):
    # head 1: every gate 1/2, so 1/4, 1/2, 1 in the last row; head 2: gates 1/3, then 1/2, so 1/6, 1/2, 1
    log_gates = np.log([[1 / 2, 1 / 2, 1 / 2], [1 / 5, 1 / 3, 1 / 2]])
    wanted = [[[1.0, 0.0, 0.0], [1 / 3, 2 / 3, 0.0], [1 / 7, 2 / 7, 4 / 7]],
              [[1.0, 0.0, 0.0], [1 / 4, 3 / 4, 0.0], [1 / 10, 3 / 10, 6 / 10]]]
    unit_rows = np.tile(np.eye(3), (2, 1, 1))                          # the output shows the weights
    assert_same(kata.forgetting_attention(np.zeros((2, 3, 4)), np.ones((2, 3, 4)), unit_rows, log_gates), wanted)


@pytest.mark.task(3)
def test_scores_are_scaled_and_the_bias_is_not(kata):
    # q.k is 3 and 1, halved by sqrt(4): 1.5 - 1 and 0.5 are equal, so both values count half
    q, k = np.array([[[5, 1, 0, 2], [2, 0, 1, -1]]]), np.array([[[2, 5, 0, 1], [0, -3, 2, 1]]])
    v = np.array([[[8.0, 0.0, 2.0], [0.0, 4.0, -1.0]]])                # (1, 2, 3)
    wanted = [[[8.0, 0.0, 2.0], [4.0, 2.0, 0.5]]]
    assert_same(kata.forgetting_attention(1.0 * q, 1.0 * k, v, np.array([[-3.0, -1.0]])), wanted)
    # whole numbers, weighed by fractions: -0.5 and 0.5, so the weights are 1 / (1 + e) and 1 / (1 + 1/e)
    output = kata.forgetting_attention(q, k, np.array([[[1, 10, 2], [0, 20, -1]]]), np.array([[0.0, -2.0]]))
    assert_same(output, [[[1.0, 10.0, 2.0], [0.268941421370, 17.310585786300, -0.193175735890]]])


@pytest.mark.task(3)
def test_equal_values_come_out_as_they_are(kata, rng):
    q, k, _, log_gates = drawn(rng, 6, 12, 4, 3)
    row = np.tile(np.array([2.0, -1.0, 0.5]), (6, 12, 1))
    assert_same(kata.forgetting_attention(q, k, row, log_gates), row)
    for n_heads, d, d_v in ((1, 1, 1), (6, 3, 2), (1, 4, 7)):          # and so does the value of one token
        q, k, v, log_gates = drawn(rng, n_heads, 1, d, d_v)
        assert_same(kata.forgetting_attention(q, k, v, log_gates), v)


@pytest.mark.task(3)
def test_what_comes_later_changes_nothing_before_and_no_head_another(kata, rng):
    q, k, v, log_gates = drawn(rng, 3, 12, 4, 5)
    later = 1.0 * (np.arange(12) >= 7)
    output = kata.forgetting_attention(q, k + 3.0 * later[:, None], v - 2.0 * later[:, None], log_gates - later)
    assert_same(output[:, :7], kata.forgetting_attention(q, k, v, log_gates)[:, :7])
    arrays = drawn(rng, 6, 12, 4, 3)
    output = kata.forgetting_attention(*arrays)                        # (6, 12, 3)
    for head in (0, 3, 5):
        assert_same(output[head, None], kata.forgetting_attention(*(array[head, None] for array in arrays)))


@pytest.mark.task(3)
def test_a_closed_gate_hides_what_was_before_however_high_it_scores(kata, rng):
    q, k, v, log_gates = drawn(rng, 3, 12, 4, 5)
    q[:, :, 0], k[:, 2, 0], log_gates[:, 5] = 2.0, 2000.0, -10000.0    # token 2 scores about 2000
    output = kata.forgetting_attention(q, k, v, log_gates)             # (3, 12, 5)
    assert_same(output[:, 5:], kata.forgetting_attention(q[:, 5:], k[:, 5:], v[:, 5:], log_gates[:, 5:]))
    assert_same(output[:, 5], v[:, 5])
    # the scores are 2000 and 0, the bias of the first key is -10000
    q, k, v = np.ones((1, 2, 4)), np.array([[[1000.0] * 4, [0.0] * 4]]), np.array([[[3.0], [5.0]]])
    assert_same(kata.forgetting_attention(q, k, v, np.array([[0.0, -10000.0]])), v)


@pytest.mark.task(3)
def test_open_gates_forget_nothing(kata):
    # all scores equal and every gate 1: the mean of the values so far
    v = np.tile(np.array([[3.0, 0.0], [6.0, 3.0], [0.0, 6.0], [-1.0, 3.0]]), (2, 1, 1))
    output = kata.forgetting_attention(np.zeros((2, 4, 3)), np.ones((2, 4, 3)), v, np.zeros((2, 4)))
    assert_same(output, np.tile([[3.0, 0.0], [4.5, 1.5], [3.0, 3.0], [2.0, 3.0]], (2, 1, 1)))


@pytest.mark.task(3)
def test_scores_of_a_million_leave_one_key_and_later_ones_win_nothing(kata, rng):
    # each query of size s scores s / 2 * (3, 5, 1, 4, 2): the best key so far is 0, then 1 for the rest
    q = np.tile(10.0 ** np.array([2.0, 6.0, 3.0, 6.0, 2.0])[:, None], (2, 1, 4)) / 4.0
    k = np.tile(np.array([3.0, 5.0, 1.0, 4.0, 2.0])[:, None], (2, 1, 4))
    v = rng.normal(size=(2, 5, 3))
    log_gates = np.array([[-0.1, -0.2, 0.0, -0.1, -0.3], [-0.5, -0.1, -0.2, 0.0, -0.1]])
    assert_same(kata.forgetting_attention(q, k, v, log_gates), v[:, [0, 1, 1, 1, 1]])
    # reversed, the lowest mark wins, and all scores are below 0
    assert_same(kata.forgetting_attention(-q, k, v, log_gates), v[:, [0, 0, 2, 2, 2]])
    # each key scores about 5000 above the one before it; reversed, below it, and all are below -20000
    _, k, v, log_gates = drawn(rng, 2, 6, 4, 3)
    q = np.full((2, 6, 4), 100.0)
    rising = k + 100.0 + 25.0 * np.arange(6.0)[:, None]
    assert_same(kata.forgetting_attention(q, rising, v, log_gates), v)
    assert_same(kata.forgetting_attention(-q, rising, v, log_gates), np.repeat(v[:, :1], 6, axis=1))


def texts_of_any_size(rng):
    for n_heads, n in ((6, 12), (12, 6), (1, 15), (3, int(rng.integers(12, 30)))):
        q, k, v, log_gates = drawn(rng, n_heads, n, *rng.integers(2, 9, size=2).tolist())
        yield from ((q, k, v, log_gates), {"log_gates": 0.1 * log_gates, "v": v, "k": 2.0 * k, "q": q})


def some_texts(rng):
    return [drawn(rng, 4, 7, 5, 3, dtype) for dtype in (np.float64, np.float32)]


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(
    3, "forgetting_attention", texts_of_any_size)
test_attention_whose_sizes_coincide_does_not_mix_the_axes = checks.agrees_with_the_reference(
    3, "forgetting_attention", lambda rng: [drawn(rng, size, size, size, size) for size in (2, 5)])
test_arrays_of_whole_numbers_give_what_real_numbers_give = checks.takes_whole_numbers(
    3, "forgetting_attention", some_texts)
test_attention_of_views_of_any_memory_order_and_of_float32 = checks.takes_views(3, "forgetting_attention", some_texts)


# All

test_gates_biases_and_outputs_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), log_forget_gates=lambda rng: some_logits(rng)[:1], forgetting_bias=lambda rng: [(gates(rng, 3, 9),)],
    forgetting_attention=lambda rng: some_texts(rng)[:1])
