"""What the loss and the gradients have to be: values worked by hand, central differences, laws, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

HIDDEN = -np.inf
SMALL = ((4, 3, 5, (), True), (3, 5, 2, (2,), True), (4, 4, 4, (), False))           # as `drawn` takes them

# Two queries and keys of width 4. Query 0 sees only key 0; query 1 has the scores ln 3 and 0, so the weights
# 0.75 and 0.25. Its upstream meets the values with 2 and 6.
BY_HAND = {
    "q": np.array([[3.0, 1.0, -2.0, 5.0], [1.0, 0.0, 0.0, 2.0]]),
    "k": np.array([[2.0 * np.log(3.0), 1.0, 4.0, 0.0], [2.0, 5.0, 3.0, -1.0]]),
    "v": np.array([[1.0, 0.0, 2.0], [3.0, -1.0, 0.0]]),
    "bias": np.array([[0.0, HIDDEN], [0.0, 0.0]]),
    "upstream": np.array([[5.0, -2.0, 1.0], [4.0, 6.0, -1.0]]),
}


def slopes(function, array, step):
    """The derivative of a number by every entry of the array: central differences, four points each."""
    slope = np.empty(array.shape)
    for place in np.ndindex(array.shape):
        values = []
        for steps in (-2, -1, 1, 2):
            moved = array.copy()
            moved[place] += steps * step
            values.append(function(moved))
        slope[place] = (8.0 * (values[2] - values[1]) - (values[3] - values[0])) / (12.0 * step)
    return slope


def attended(q, k, v, bias):
    """softmax(q k^T / sqrt(d) + bias) v for scores of moderate size."""
    powers = np.exp(np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5 + bias)
    return np.einsum("...ij,...jv->...iv", powers, v) / powers.sum(axis=-1)[..., None]


def numeric(name, **arrays):
    """The derivative of sum(upstream * attention) by the array of this name."""
    upstream = arrays.pop("upstream")
    return slopes(lambda moved: (upstream * attended(**(arrays | {name: moved}))).sum(), arrays[name], 1e-3)


def drawn(rng, n, d, d_v, leading=(), causal=True):
    """Random arrays that fit each other, later keys hidden if causal."""
    shapes = {"q": (n, d), "k": (n, d), "v": (n, d_v), "bias": (n, n), "upstream": (n, d_v)}
    arrays = {name: 1.3 * rng.normal(size=(*leading, *shape)) for name, shape in shapes.items()}
    if causal:
        arrays["bias"][..., ~np.tri(n, dtype=bool)] = HIDDEN
    return arrays


def of_any_size(rng):
    # (n, d, d_v, leading axes): sizes that coincide and sizes that do not
    for n, d, d_v, leading in (
        (13, 8, 5, ()), (12, 4, 9, (3,)), (6, 6, 6, (6,)), (4, 4, 4, (4, 4)), (2, 1, 1, ()), (5, 1, 7, (2,)),
        (7, 9, 1, (1, 2)), (3, 16, 2, (2, 1, 2)), (40, 3, 8, ()), (2, 3, 2, (5,)), (4, 3, 2, (2, 3)),
    ):
        for causal in (True, False):
            arrays = drawn(rng, n, d, d_v, leading, causal)
            arrays["q"][..., n // 2, :] = 0.0
            yield tuple(arrays.values())


def some_logits(rng, *shape):
    """Random logits of this shape and targets for them, the first and the last word among these."""
    targets = rng.integers(0, shape[-1], size=shape[:-1])
    targets.flat[0], targets.flat[-1] = shape[-1] - 1, 0
    return 2.0 * rng.normal(size=shape), targets


def logits_of_any_shape(rng):
    for shape in ((12, 8), (8, 8), (4, 4, 4), (2, 3, 4, 11), (6, 1, 5), (1, 1, 20), (20, 1), (5, 5, 3), (9,)):
        logits, targets = some_logits(rng, *shape)
        # a number added to all logits of a position changes nothing
        moved = logits + rng.choice([-900.0, 0.0, 900.0], size=(*shape[:-1], 1))
        yield from ((given, targets) for given in (moved, logits, 12.0 * logits))


def whole_logits(rng):
    return [(np.rint(logits), targets) for logits, targets in (some_logits(rng, 6, 8, 10), some_logits(rng, 5))]


def logits_and_targets(rng):
    return [some_logits(rng, *shape) for shape in ((6, 8, 5), (8, 8, 8), (3, 8), (1, 5))]


# Task 1: the loss

@pytest.mark.task(1)
def test_two_positions_and_no_preference_by_hand(kata):
    # probabilities 1/4 1/4 1/2 and 4/8 3/8 1/8: the mean of ln 2 and ln(8/3)
    logits = np.log([[1.0, 1.0, 2.0], [4.0, 3.0, 1.0]])
    assert_same(kata.cross_entropy(logits, np.array([2, 1])), 0.836988216786)
    # the other way round: the mean of ln 4 and ln 8
    assert_same(kata.cross_entropy(logits, np.array([0, 2])), 1.732867951399)
    for vocab, wanted in ((1, 0.0), (2, 0.693147180560), (5, 1.609437912434), (100, 4.605170185988)):
        assert_same(kata.cross_entropy(np.full((3, vocab), -7.5), np.array([0, vocab - 1, 0])), wanted)


@pytest.mark.task(1)
def test_logits_of_a_million_make_a_loss(kata):
    for row, target, wanted in (
        ([0.0, 1e6, -1e6], 1, 0.0), ([0.0, 1e6, -1e6], 0, 1e6), ([0.0, 1e6, -1e6], 2, 2e6),
        ([-1e6, -1e6, -2e6], 1, 0.693147180560), ([1e6, 999999.0, 0.0], 1, 1.313261687518),
        ([800.0, 0.0, 0.0], 2, 800.0), ([-800.0, 0.0, 0.0], 0, 800.693147180560),
    ):
        assert_same(kata.cross_entropy(np.array([row]), np.array([target])), wanted)
    # and do not disturb others a million away: ln(1 + 1/e) and that plus 1
    logits = np.array([[1e6, 999999.0], [0.0, -1.0], [-1e6, -1000001.0]])
    assert_same(kata.cross_entropy(logits, np.array([0, 0, 0])), 0.313261687518)
    assert_same(kata.cross_entropy(logits, np.array([1, 1, 1])), 1.313261687518)


@pytest.mark.task(1)
def test_the_loss_is_the_mean_of_the_losses_of_single_positions(kata, rng):
    logits, targets = some_logits(rng, 2, 3, 7)
    single = [kata.cross_entropy(logits[at], np.array(targets[at])) for at in np.ndindex(2, 3)]
    assert_same(kata.cross_entropy(logits, targets), sum(single) / 6)


test_losses_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "cross_entropy", logits_of_any_shape)
test_a_loss_of_whole_numbers_is_that_of_real_ones = checks.takes_whole_numbers(1, "cross_entropy", whole_logits)
test_a_loss_takes_logits_in_any_layout = checks.takes_views(1, "cross_entropy", logits_and_targets)
test_a_loss_takes_logits_in_single_precision = checks.agrees_with_the_reference(
    1, "cross_entropy", lambda rng: [(one.astype(np.float32), targets) for one, targets in logits_of_any_shape(rng)])


# Task 2: the gradient of the loss

@pytest.mark.task(2)
def test_the_gradient_of_two_positions_by_hand(kata):
    # 1/4 1/4 1/2 less 0 0 1, and 4/8 3/8 1/8 less 0 1 0, halved
    logits = np.log([[1.0, 1.0, 2.0], [4.0, 3.0, 1.0]])
    assert_same(kata.cross_entropy_gradient(logits, np.array([2, 1])), [[0.125, 0.125, -0.25], [0.25, -0.3125, 0.0625]])
    # one position, without a leading axis and with two; one word, which is certain
    assert_same(kata.cross_entropy_gradient(logits[1], np.array(1)), [0.5, -0.625, 0.125])
    assert_same(kata.cross_entropy_gradient(logits[None, :1], np.array([[0]])), [[[-0.75, 0.25, 0.5]]])
    assert_same(kata.cross_entropy_gradient(np.array([[5.0], [-3.0]]), np.array([0, 0])), [[0.0], [0.0]])


@pytest.mark.task(2)
def test_logits_of_a_million_have_a_gradient(kata):
    logits = np.array([[0.0, 1e6, -1e6], [-1e6, -1e6, -2e6], [0.0, 1e6, -1e6], [1e6, 999999.0, 0.0], [-1e6, 0.0, 0.0]])
    slope = 0.146211715726
    assert_same(kata.cross_entropy_gradient(logits, np.array([1, 0, 2, 1, 0])), [
        [0.0, 0.0, 0.0], [-0.1, 0.1, 0.0], [0.0, 0.2, -0.2], [slope, -slope, 0.0], [-0.2, 0.1, 0.1]])


@pytest.mark.task(2)
def test_the_gradient_is_the_slope_of_the_loss_and_cancels_at_each_position(kata, reference, rng):
    for shape in ((2, 5), (2, 2, 3), (4,)):
        logits, targets = some_logits(rng, *shape)
        slope = slopes(lambda moved, targets=targets: reference.cross_entropy(moved, targets), logits, 2.0 ** -9)
        assert_same(kata.cross_entropy_gradient(logits, targets), slope)
    # a number added to all its logits changes nothing; only that of the target is negative
    logits, targets = some_logits(rng, 3, 4, 9)
    gradient = kata.cross_entropy_gradient(logits, targets)            # (3, 4, 9)
    assert_same(gradient.sum(axis=-1), np.zeros((3, 4)))
    assert_same(gradient < 0.0, np.eye(9, dtype=bool)[targets])


test_gradients_of_logits_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "cross_entropy_gradient", logits_of_any_shape)
test_a_gradient_of_whole_numbers_is_that_of_real_ones = checks.takes_whole_numbers(
    2, "cross_entropy_gradient", whole_logits)
test_a_gradient_takes_logits_in_any_layout = checks.takes_views(2, "cross_entropy_gradient", logits_and_targets)
test_cross_entropy_gradient_keeps_float32 = checks.keeps_float32(2, "cross_entropy_gradient", logits_of_any_shape)


# Task 3: the weights once more, and the gradient of the values

@pytest.mark.task(3)
def test_the_gradient_of_two_values_by_hand_with_a_bias_and_without(kata):
    # weights 1, 0 and 0.75, 0.25
    assert_same(kata.attention_gradients(**BY_HAND)[2], [[8.0, 2.5, 0.25], [1.0, 1.5, -0.25]])
    # scores ln 3 and 0 at both queries, then ln 9 for key 1 at query 0: weights 1/4 3/4 and 3/4 1/4
    q, k = np.array([[2.0, 0.0, 0.0, 0.0]] * 2), np.array([[np.log(3.0), 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]])
    v, bias = np.array([[1.0, 2.0], [3.0, 4.0]]), np.log([[1.0, 9.0], [2.0, 2.0]])
    dv = kata.attention_gradients(q, k, v, bias, np.array([[4.0, 0.0], [8.0, -4.0]]))[2]
    assert_same(dv, [[7.0, -3.0], [5.0, -1.0]])


@pytest.mark.task(3)
def test_scores_of_a_million_pick_one_value_unless_it_is_hidden(kata):
    # d is 1: the scores are the products of 1000, -1000 and 0, so queries 0 and 1 pick their own key; query 2
    # has no preference, but for the bias. Hidden keys stay hidden where those in sight have 0 or -1e6.
    q, v = np.array([[1000.0], [-1000.0], [0.0]]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    upstream = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    for bias, wanted in (
        ([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [-1e6, 0.0, 1e6]], upstream),
        ([[HIDDEN, 0.0, 0.0], [0.0, HIDDEN, 0.0], [0.0, HIDDEN, HIDDEN]], [[3.0, 30.0], [0.0, 0.0], [3.0, 30.0]]),
        ([[HIDDEN, 0.0, HIDDEN], [0.0, HIDDEN, HIDDEN], [HIDDEN, 0.0, HIDDEN]], [[2.0, 20.0], [4.0, 40.0], [0.0, 0.0]]),
    ):
        assert_same(kata.attention_gradients(q, q, v, np.array(bias), upstream)[2], wanted)


@pytest.mark.task(3)
def test_the_gradient_of_the_values_is_the_slope_and_all_that_comes_from_upstream(kata, rng):
    # the weights of a query add up to 1
    arrays = drawn(rng, 12, 5, 3, (2,))
    assert_same(kata.attention_gradients(**arrays)[2].sum(axis=-2), arrays["upstream"].sum(axis=-2))
    for sizes in SMALL:
        arrays = drawn(rng, *sizes)
        assert_same(kata.attention_gradients(**arrays)[2], numeric("v", **arrays))


@pytest.mark.task(3)
def test_gradients_of_values_of_any_size_agree_with_the_reference(kata, reference, rng):
    for arrays in of_any_size(rng):
        assert_same(kata.attention_gradients(*arrays)[2], reference.attention_gradients(*arrays)[2])


# Task 4: the gradients of queries and keys

@pytest.mark.task(4)
def test_the_gradients_of_two_queries_and_keys_by_hand(kata):
    # query 1: the derivatives of the weights are 2 and 6, 3 on average, so those of the scores
    # 0.75 * (2 - 3) and 0.25 * (6 - 3); query 0 has no choice
    dq, dk, _ = kata.attention_gradients(**BY_HAND)
    assert_same(dq, [[0.0, 0.0, 0.0, 0.0], [-0.073959216501, 1.5, -0.375, -0.375]])
    assert_same(dk, [[-0.375, 0.0, 0.0, -0.75], [0.375, 0.0, 0.0, 0.75]])


@pytest.mark.task(4)
def test_scores_of_a_million_have_gradients_and_where_there_is_no_choice_none(kata, rng):
    # scores 1e6, 999999 and -1e6, -1000001, so both queries weigh the keys with e/(1 + e) and 1/(1 + e)
    q = np.array([[2e6, 1.0, 0.0, 0.0], [-2e6, 1.0, 0.0, 0.0]])
    k = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, -2.0, 0.0, 0.0]])
    v, upstream = np.array([[2.0], [1.0]]), np.array([[1.0], [-3.0]])
    slope = 0.196611933241482                              # the product of the two weights
    assert_same(kata.attention_gradients(q, k, v, np.zeros((2, 2)), upstream), (
        np.array([[0.0, slope, 0.0, 0.0], [0.0, -3.0 * slope, 0.0, 0.0]]),
        np.array([[4e6 * slope, -slope, 0.0, 0.0], [-4e6 * slope, slope, 0.0, 0.0]]),
        np.array([[-1.462117157260], [-0.537882842740]]),
    ))
    # scores a million apart
    q, v, upstream = np.array([[1000.0], [-1000.0], [0.0]]), rng.normal(size=(3, 2)), rng.normal(size=(3, 2))
    dq, dk, dv = kata.attention_gradients(q, q, v, np.array([[0.0], [0.0], [1.0]]) * [-1e6, 0.0, 1e6], upstream)
    assert_same((dq, dk, dv), (np.zeros((3, 1)), np.zeros((3, 1)), upstream))
    # and one key
    for leading, bias in (((), [[0.0]]), ((), [[-4000.0]]), ((3,), [2.5]), ((2, 3), [[[1.0]], [[-7.0]], [[0.5]]])):
        arrays = drawn(rng, 1, 4, 3, leading) | {"bias": np.array(bias)}
        dq, dk, dv = kata.attention_gradients(**arrays)
        assert_same((dq, dk, dv), (0.0 * arrays["q"], 0.0 * arrays["k"], arrays["upstream"]))


@pytest.mark.task(4)
def test_the_gradients_are_the_slopes_of_attention(kata, rng):
    for sizes in SMALL:
        arrays = drawn(rng, *sizes)
        for name, gradient in zip("qk", kata.attention_gradients(**arrays)[:2], strict=True):
            assert_same(gradient, numeric(name, **arrays))


@pytest.mark.task(4)
def test_a_hidden_key_and_a_query_that_is_not_asked_get_zeros(kata, rng):
    arrays = drawn(rng, 9, 4, 3, (2,))
    arrays["upstream"][:, 5:] = 0.0                        # nothing depends on queries 5 to 8, nor on their keys
    arrays["bias"][..., 3] = HIDDEN                        # and nobody sees key 3,
    wanted = tuple(kata.attention_gradients(**arrays))
    arrays |= {"k": arrays["k"].copy(), "v": arrays["v"].copy()}
    arrays["k"][:, 3], arrays["v"][:, 3] = 2e5 * arrays["k"][:, 3], 50.0       # whatever it is
    assert_same(kata.attention_gradients(**arrays), wanted)
    dq, dk, dv = wanted
    assert_same(dq[:, 5:], np.zeros((2, 4, 4)))
    for gradient in (dk, dv):
        assert_same(gradient[:, [3, 5, 6, 7, 8]], np.zeros((2, 5, gradient.shape[-1])))
        assert (np.abs(gradient[:, [0, 1, 2, 4]]).max(axis=-1) > 0.0).all()


@pytest.mark.task(4)
def test_what_is_common_to_all_keys_leaves_the_choice_alone(kata, rng):
    # a number added to a query's biases, or a vector to all values, moves no weight; so does one added to all
    # keys, so their gradients cancel
    arrays = drawn(rng, 12, 5, 3, (2,))
    dq, dk, dv = kata.attention_gradients(**arrays)
    assert_same(dk.sum(axis=-2), np.zeros((2, 5)))
    moved = arrays | {"bias": arrays["bias"] + 9.0 * rng.normal(size=(12, 1))}
    assert_same(kata.attention_gradients(**moved), (dq, dk, dv))
    moved = arrays | {"v": arrays["v"] + 4.0 * rng.normal(size=3)}
    assert_same(kata.attention_gradients(**moved), (dq, dk, dv))
    # nor does a score change when the queries grow by a factor and the keys shrink by it
    sums = [(arrays[name] * gradient).sum(axis=(-2, -1)) for name, gradient in (("q", dq), ("k", dk))]
    assert_same(sums[0].astype(dq.dtype), sums[1].astype(dk.dtype))


def biases_of_any_shape(rng):
    for shape in ((5,), (1,), (1, 5), (5, 1), (1, 1), (5, 5), (3, 5, 5), (3, 1, 1), (3, 1, 5), (1, 5, 5),
                  (2, 1, 1, 5), (2, 1, 5, 5), (1, 3, 5, 1), (2, 3, 5, 5), (1, 1, 1, 1)):
        arrays = drawn(rng, 5, 4, 3, (2, 3)) | {"bias": rng.normal(size=shape)}
        if shape[-1] > 1:
            arrays["bias"][..., 2] = HIDDEN
        yield arrays
    # and one that hides keys, next to whole numbers
    yield {name: array if name == "bias" else np.rint(array).astype(int) for name, array in arrays.items()} | {
        "bias": np.where(np.tri(5, dtype=bool), 0.5, HIDDEN)}


def whole_arrays(rng):
    yield {name: np.rint(array) for name, array in drawn(rng, 6, 4, 3, (2, 3), causal=False).items()}


def small_ones(rng):
    return [drawn(rng, n, 4, 3, leading) for n, leading in ((6, (2, 3)), (1, ()), (5, ()))]


test_every_head_has_its_part_of_a_bias_of_any_shape = checks.agrees_with_the_reference(
    4, "attention_gradients", biases_of_any_shape)
test_gradients_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    4, "attention_gradients", of_any_size)
test_gradients_of_whole_numbers_are_those_of_real_ones = checks.takes_whole_numbers(
    4, "attention_gradients", whole_arrays)
test_gradients_take_arrays_in_any_layout = checks.takes_views(4, "attention_gradients", small_ones)
test_attention_gradients_keeps_float32 = checks.keeps_float32(4, "attention_gradients", small_ones)


# All

test_loss_and_gradients_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3, 4), cross_entropy=logits_and_targets, cross_entropy_gradient=logits_and_targets,
    attention_gradients=small_ones)
