"""What attention without positions has to be: values worked by hand, laws of order, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_double_precision, assert_same

ZERO, ONE = np.zeros((1, 1)), np.ones((1, 1))      # weights for words of one number
FIRST_ONLY = np.array([[True, False], [True, False]])      # everybody looks at place 0 alone
SIZES = (12, 7, 5), (12, 7, 5), (5, 8, 13), (9, 3, 9), (6, 6, 6), (4, 1, 2), (8, 4, 1)


def drawn(rng, n, d, d_head):
    """Words and weights whose scores are about 1: the softmax is neither flat nor all on one key."""
    x = rng.normal(size=(n, d))
    w_q, w_k, w_v = rng.normal(size=(3, d, d_head)) / np.sqrt(d)
    return x, w_q, w_k, w_v


def drawn_mask(rng, n):
    """Every word sees the one three places on, and any other by chance, itself included."""
    return (rng.random((n, n)) < 0.4) | np.roll(np.eye(n, dtype=bool), 3, axis=1)


def in_single_precision(arrays):
    return [a.astype(np.float32) for a in arrays]


def assert_gap(gap, wanted):
    """A Python float does not show that it was worked out in float32: the last check asks that, no other."""
    assert_same(np.float32(gap) if isinstance(gap, float) else gap, wanted)


# Task 1: the bag

@pytest.mark.task(1)
def test_a_bag_by_hand_and_shuffled(kata, rng):
    # the second word comes twice and counts twice
    assert_same(kata.bag_of_words(np.array([[1.0, 0.5], [-4.0, 2.0], [-4.0, 2.0], [0.0, 0.0]])), [-7.0, 4.5])
    assert_same(kata.bag_of_words(np.array([[1.0, 2.0], [30.0, 40.0]])), [31.0, 42.0])
    assert_same(kata.bag_of_words(np.array([[3.0, -1.0, 0.25]])), [3.0, -1.0, 0.25])
    assert_same(kata.bag_of_words(np.array([[-6.0]])), [-6.0])
    x = rng.normal(size=(12, 5))
    assert_same(kata.bag_of_words(x[rng.permutation(12)]), kata.bag_of_words(x))


@pytest.mark.task(1)
def test_a_bag_of_attention_forgets_the_order_but_not_a_mask(kata, reference, rng):
    x, *weights = drawn(rng, 12, 7, 5)
    order, causal = np.roll(np.arange(12), 5), np.tri(12, dtype=bool)
    for mask in (None, causal):
        one = kata.bag_of_words(reference.self_attention(x, *weights, mask))               # (5,)
        other = kata.bag_of_words(reference.self_attention(x[order], *weights, mask))      # (5,)
        assert bool(np.abs(one - other).max() < 1e-3) == (mask is None)


def bags_of_any_size(rng):
    for n, d in ((12, 7), (12, 7), (7, 12), (9, 9), (2, 3), (13, 1)):
        x = 4.0 * rng.normal(size=(n, d))
        yield from ({"x": x}, (x.astype(np.float32),))


test_bags_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(1, "bag_of_words", bags_of_any_size)
test_whole_numbers_fit_in_a_bag = checks.takes_whole_numbers(1, "bag_of_words", bags_of_any_size)
test_a_bag_takes_any_layout = checks.takes_views(1, "bag_of_words", bags_of_any_size)


# Task 2: softmax

@pytest.mark.task(2)
def test_equal_scores_single_scores_and_logarithms_by_hand(kata):
    assert_same(kata.softmax(np.array([7.0, 7.0, 7.0, 7.0])), [0.25, 0.25, 0.25, 0.25])
    assert_same(kata.softmax(np.array([0, 0, 0, 0, 0])), [0.2, 0.2, 0.2, 0.2, 0.2])
    assert_same(kata.softmax(np.array([-5.0])), [1.0])
    assert_same(kata.softmax(np.array([[3.0], [-8.0], [0.0]])), [[1.0], [1.0], [1.0]])
    assert_same(kata.softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625])
    assert_same(kata.softmax(np.log([0.5, 0.25, 0.25])), [0.5, 0.25, 0.25])


@pytest.mark.task(2)
def test_each_row_along_the_last_axis_adds_up_by_itself(kata):
    assert_same(kata.softmax(np.log([[1.0, 3.0], [4.0, 1.0]])), [[0.25, 0.75], [0.8, 0.2]])
    # the powers are 1, 3, 4, 2 and so on, out of 10 or 8 in a row
    powers = np.array([[[1.0, 3, 4, 2], [1, 1, 1, 5]], [[6, 2, 1, 1], [1, 2, 3, 2]]])      # (2, 2, 4)
    assert_same(kata.softmax(np.log(powers)), powers / [[10.0], [8.0]])


@pytest.mark.task(2)
def test_a_number_added_to_a_row_changes_nothing_and_drowns_no_other_row(kata, rng):
    scores = np.array([[1000.0], [-1000.0]]) + np.log([1.0, 3.0])      # (2, 2)
    assert_same(kata.softmax(scores), [[0.25, 0.75], [0.25, 0.75]])
    assert_same(kata.softmax(scores[1:]), [[0.25, 0.75]])
    scores = rng.normal(size=(4, 7))
    assert_same(kata.softmax(scores + np.array([[30.0], [-3.0], [0.5], [-60.0]])), kata.softmax(scores))


@pytest.mark.task(2)
def test_scores_of_a_million_do_no_harm_and_minus_infinity_gets_no_weight(kata):
    scores = np.array([[1e6, 1e6 - 2000.0, 0.0], [-1e6 - 2000.0, -1e6, -1e6 - 500.0], [0.0, -1e6, -900.0]])
    assert_same(kata.softmax(scores), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    scores = np.array([[-np.inf, 0.0, np.log(3.0)], [2.0, -np.inf, -np.inf], [-np.inf, -1e6, -np.inf]])
    assert_same(kata.softmax(scores), [[0.0, 0.25, 0.75], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def scores_of_any_shape(rng):
    for shape in ((13,), (5, 9), (5, 9), (9, 5), (1, 6), (4, 4, 4), (2, 3, 8), (3, 1, 2, 5)):
        yield {"scores": 3.0 * rng.normal(size=shape)}
    yield (rng.normal(size=(6, 10)).astype(np.float32),)


test_softmax_of_any_shape_agrees_with_the_reference = checks.agrees_with_the_reference(
    2, "softmax", scores_of_any_shape)
test_whole_numbers_are_scores_as_well = checks.takes_whole_numbers(2, "softmax", scores_of_any_shape)
test_softmax_reads_any_layout = checks.takes_views(2, "softmax", scores_of_any_shape)


# Task 3: attention to everything

@pytest.mark.task(3)
def test_two_words_by_hand(kata):
    # queries and keys give the scores 0, ln 3 and ln 4, 0 once they are divided by sqrt(4) = 2,
    # so the weights are 1/4, 3/4 and 4/5, 1/5
    w_q = np.array([[0.0, 2 * np.log(3.0), 5.0, -7.0], [2 * np.log(4.0), 0.0, 1.0, 1.0]])
    w_k = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    w_v = np.array([[8.0, 0.0, 4.0, 20.0], [0.0, 40.0, 4.0, -20.0]])
    wanted = [[2.0, 30.0, 4.0, -10.0], [6.4, 8.0, 4.0, 12.0]]
    assert_same(kata.self_attention(np.eye(2), w_q, w_k, w_v), wanted)


@pytest.mark.task(3)
def test_scores_are_divided_by_the_root_of_the_width_of_the_head(kata):
    # words 1 and 2, width 3: the scores are sqrt(3) times 1, 2 and 2, 4, so the second word gets the weights
    # 1 / (1 + exp(-sqrt(3))) and 1 / (1 + exp(-2 sqrt(3)))
    x, w, w_v = np.array([[1.0], [2.0]]), np.ones((1, 3)), np.array([[1.0, 0.0, -1.0]])
    wanted = [[1.849674553090, 0.0, -1.849674553090], [1.969648909671, 0.0, -1.969648909671]]
    assert_same(kata.self_attention(x, w, w, w_v), wanted)


@pytest.mark.task(3)
def test_one_word_sees_itself_queries_of_zero_the_mean_and_a_far_higher_score_takes_all(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 1, 5, 3)
    assert_same(kata.self_attention(x, w_q, w_k, w_v), x @ w_v)
    assert_same(kata.self_attention(np.array([[-4.0]]), ONE, ONE, 3 * ONE), [[-12.0]])
    # one word comes twice and counts twice, a word of zeros counts too: the mean word is 4, 1
    x = np.array([[3.0, 1.0], [6.0, -1.0], [0.0, 0.0], [5.0, 6.0], [6.0, -1.0]])
    w_k, w_v = np.array([[5.0, 1.0, 2.0], [0.0, 4.0, 1.0]]), np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    assert_same(kata.self_attention(x, np.zeros((2, 3)), w_k, w_v), [[4.0, 1.0, 7.0]] * 5)
    # scores of a million: word 1000 looks at itself, so does word -1000, word 0 has no preference
    x = np.array([[1000.0], [-1000.0], [0.0]])
    assert_same(kata.self_attention(x, ONE, ONE, ONE), [[1000.0], [-1000.0], [0.0]])


def words_of_whole_numbers(rng):
    x = np.array([[1.0, 0, 2, -1], [0, 3, 1, 1], [2, 2, 0, 0], [1, 0, 2, -1], [0, 0, 0, 0]])
    w_q, w_k = np.array([[1.0, 0], [0, 1], [-1, 1], [0, 1]]), np.array([[0.0, 1], [1, 1], [1, 0], [0, -1]])
    yield x, w_q, w_k, np.array([[3.0, 1], [0, 2], [1, 1], [5, 0]])


test_words_and_weights_may_be_whole_numbers = checks.takes_whole_numbers(3, "self_attention", words_of_whole_numbers)


@pytest.mark.task(3)
def test_words_in_another_order_give_the_same_rows_in_that_order(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 12, 7, 5)
    order = rng.permutation(12)
    assert_same(kata.self_attention(x[order], w_q, w_k, w_v), kata.self_attention(x, w_q, w_k, w_v)[order])


def words_of_any_size(rng):
    for words in (drawn(rng, *sizes) for sizes in SIZES):
        yield from (dict(zip(("x", "w_q", "w_k", "w_v"), words, strict=True)), (*words, None))
        yield tuple(in_single_precision(words))


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(
    3, "self_attention", words_of_any_size)
test_attention_reads_any_layout = checks.takes_views(3, "self_attention", words_of_any_size)


# Task 4: attention through a mask

@pytest.mark.task(4)
def test_three_words_through_a_causal_mask_by_hand(kata):
    # no query prefers a key: 3, then (3 + 6) / 2, then (3 + 6 + 0) / 3
    x, causal = np.array([[3.0], [6.0], [0.0]]), np.tri(3, dtype=bool)
    assert_same(kata.self_attention(x, ZERO, ONE, ONE, causal), [[3.0], [4.5], [3.0]])
    assert_same(kata.self_attention(x, ZERO, ONE, ONE, causal.T), [[3.0], [3.0], [0.0]])
    # row 1: (e^2 * 1 + e^4 * 2) / (e^2 + e^4); row 2: (e^-1 * 1 + e^-2 * 2 - e) / (e^-1 + e^-2 + e)
    x, wanted = np.array([[1.0], [2.0], [-1.0]]), [[1.0], [1.880797077978], [-0.645579402829]]
    assert_same(kata.self_attention(x, ONE, ONE, ONE, mask=causal), wanted)


@pytest.mark.task(4)
def test_a_hidden_score_of_a_million_leaves_no_trace(kata):
    # word 0 would look at itself, with a score of 1000 * 1000; it may not, so it looks at 2 rather than at 1
    x = np.array([[1000.0], [1.0], [2.0]])
    mask = np.array([[False, True, True], [True, True, True], [True, True, True]])
    assert_same(kata.self_attention(x, ONE, ONE, ONE, mask), [[2.0], [1000.0], [1000.0]])


@pytest.mark.task(4)
def test_a_visible_score_of_minus_a_million_beats_a_hidden_one(kata):
    # word 0 may only look at word 1, with the score size * -size, and word 2 at word 0, with -2 * size
    mask = np.array([[False, True, False], [True, True, True], [True, False, False]])
    for size in (1e3, 1e6):
        x = np.array([[size], [-size], [-2.0]])
        assert_same(kata.self_attention(x, ONE, ONE, ONE, mask), [[-size], [-size], [size]])


@pytest.mark.task(4)
def test_a_hidden_word_has_no_weight_however_low_the_visible_score(kata):
    # word 0 may only look at word 1, whose score is size * -size; word 1 looks at itself
    for size in (1e5, 1e9):
        rows = kata.self_attention(np.array([[size], [-size]]), ONE, ONE, ONE, np.array([[False, True], [True, True]]))
        assert_same(rows, [[-size], [-size]])


@pytest.mark.task(4)
def test_a_word_that_sees_one_word_takes_its_value(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 7, 5, 3)
    myself, next_one = np.eye(7, dtype=bool), np.roll(np.eye(7, dtype=bool), 1, axis=1)
    assert_same(kata.self_attention(x, w_q, w_k, w_v, myself), x @ w_v)
    assert_same(kata.self_attention(x, w_q, w_k, w_v, next_one), np.roll(x @ w_v, -1, axis=0))
    assert_same(kata.self_attention(300 * x, w_q, w_k, w_v, next_one), np.roll(300 * x @ w_v, -1, axis=0))


@pytest.mark.task(4)
def test_a_causal_row_does_not_know_what_comes_later(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 10, 6, 4)
    longer = kata.self_attention(x, w_q, w_k, w_v, np.tri(10, dtype=bool))
    assert_same(longer[:7], kata.self_attention(x[:7], w_q, w_k, w_v, np.tri(7, dtype=bool)))


def words_and_masks(rng):
    for sizes in SIZES[1:5]:
        words, n = drawn(rng, *sizes), sizes[0]
        # what everybody may see, any words, the words so far, none or all
        yield from ((*words, mask) for mask in (None, drawn_mask(rng, n), np.tri(n, dtype=bool), np.ones((n, n), bool)))


test_attention_through_any_mask_agrees_with_the_reference = checks.agrees_with_the_reference(
    4, "self_attention", words_and_masks)
test_masks_of_any_layout_are_read = checks.takes_views(4, "self_attention", words_and_masks)
test_every_mask_counts_for_one_call = checks.starts_afresh(4, "self_attention", words_and_masks)


# Task 5: the gap

@pytest.mark.task(5)
def test_the_gap_is_the_largest_difference_in_any_row_and_column_and_has_no_sign(kata):
    # first 4 stands at place 0, then 1, and the other way round
    for x in (np.array([[4.0], [1.0]]), np.array([[1.0], [4.0]])):
        assert_gap(kata.permutation_gap(x, ZERO, ZERO, ONE, np.array([1, 0]), FIRST_ONLY), 3.0)
    # first (1, 20) and then (4, 0) stands at place 0: differences 3 and -20; then 1e6 and 1e6 + 3
    x, zero, one, swapped = np.array([[1.0, 20.0], [4.0, 0.0]]), np.zeros((2, 2)), np.eye(2), np.array([1, 0])
    assert_gap(kata.permutation_gap(x, zero, zero, one, swapped, FIRST_ONLY), 20.0)
    assert_gap(kata.permutation_gap(x / 40.0, zero, zero, one, swapped, FIRST_ONLY), 0.5)
    assert_gap(kata.permutation_gap(np.array([[1e6], [1e6 + 3.0]]), ZERO, ZERO, ONE, swapped, FIRST_ONLY), 3.0)


@pytest.mark.task(5)
def test_three_words_said_backwards_or_moved_round_by_hand(kata):
    # forwards the means so far are 3, 4.5, 3; backwards, from 0, 6, 3, they are 0, 3, 3;
    # the first in reverse is 3, 4.5, 3 again, so the differences are -3, -1.5, 0
    x, backwards, causal = np.array([[3.0], [6.0], [0.0]]), np.array([2, 1, 0]), np.tri(3, dtype=bool)
    assert_gap(kata.permutation_gap(x, ZERO, ONE, ONE, backwards, causal), 3.0)
    assert_gap(kata.permutation_gap(x, ZERO, ONE, -ONE, backwards, mask=causal), 3.0)
    # the order 1, 2, 0 turns the means 3, 4.5, 3 into 4.5, 3, 3;
    # 6, 0, 3 has the means so far 6, 3, 3, so the differences are 1.5, 0, 0
    assert_gap(kata.permutation_gap(x, ZERO, ONE, ONE, np.array([1, 2, 0]), causal), 1.5)


@pytest.mark.task(5)
def test_the_gap_of_whole_numbers(kata, reference):
    x, order = np.array([[1, 0], [0, 2], [2, 1], [3, 0]]), np.array([2, 0, 3, 1])
    weights = np.array([[1, 0], [0, 1]]), np.array([[0, 1], [1, 1]]), np.array([[2, 1], [-1, 1]])
    mask = np.eye(4, dtype=bool) | np.roll(np.eye(4, dtype=bool), 1, axis=1)
    wanted = reference.permutation_gap(x.astype(float), *(w.astype(float) for w in weights), order, mask)
    assert_gap(kata.permutation_gap(x, *weights, order, mask), wanted)


@pytest.mark.task(5)
def test_without_a_mask_no_order_makes_a_gap_and_words_left_in_place_never_do(kata, rng):
    words, ordered = drawn(rng, 12, 7, 5), np.arange(12)
    for order in (ordered, ordered[::-1], np.roll(ordered, 5), rng.permutation(12)):
        # every word sees all, or all but itself, in whatever order they stand
        assert_gap(kata.permutation_gap(*words, order), 0.0)
        assert_gap(kata.permutation_gap(*words, order, ~np.eye(12, dtype=bool)), 0.0)
    for mask in (np.tri(12, dtype=bool), drawn_mask(rng, 12)):
        assert_gap(kata.permutation_gap(*words, ordered, mask), 0.0)
    assert_gap(kata.permutation_gap(5 * ONE, ONE, ONE, ONE, np.array([0]), np.array([[True]])), 0.0)


@pytest.mark.task(5)
def test_every_gap_starts_afresh(kata, reference, rng):
    words, causal = drawn(rng, 7, 5, 3), np.tri(7, dtype=bool)
    order, other = np.array([3, 5, 0, 1, 6, 4, 2]), np.array([1, 0, 2, 6, 3, 5, 4])
    some = drawn_mask(rng, 7)
    for now, mask in ((order, causal), (other, causal), (order, None), (order, some), (order, causal)):
        assert_gap(kata.permutation_gap(*words, now, mask), reference.permutation_gap(*words, now, mask))


@pytest.mark.task(5)
def test_gaps_through_any_mask_agree_with_the_reference(kata, reference, rng):
    for sizes in SIZES[1:5]:
        words, n = drawn(rng, *sizes), sizes[0]
        for mask in (drawn_mask(rng, n), np.tri(n, dtype=bool), np.tri(n, dtype=bool).T):
            order = rng.permutation(n)
            order.flags.writeable = False
            for given in (words, in_single_precision(words)):
                named = dict(zip(("x", "w_q", "w_k", "w_v"), given, strict=True), order=order, mask=mask)
                assert_gap(kata.permutation_gap(**named), reference.permutation_gap(**named))


# All of them

@pytest.mark.task(1, 2, 3, 4, 5)
def test_weights_attention_gap_and_bag_are_in_double_precision(kata, reference, rng):
    x, *weights = drawn(rng, 12, 6, 4)
    order, causal = rng.permutation(12), np.tri(12, dtype=bool)
    for function in (kata.softmax, kata.bag_of_words):
        assert_double_precision(function, x)
    for mask in (None, causal):
        assert_double_precision(kata.self_attention, x, *weights, mask)
        assert_double_precision(kata.permutation_gap, x, *weights, order, mask)
        wanted = reference.permutation_gap(x, *weights, order, mask)   # worked out in float32, off by about 1e-7
        assert_same(kata.permutation_gap(x, *weights, order, mask), wanted)
