"""What attention without positions has to be: values worked by hand, laws of order, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_same

ZERO, ONE = np.zeros((1, 1)), np.ones((1, 1))      # weights for words of one number


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


def assert_a_gap_without_symmetry(kata, reference, words):
    """A causal mask makes a gap where the words are turned round, so a function that always returns 0 is wrong."""
    n = len(words[0])
    given = *words, np.arange(n)[::-1], np.tri(n, dtype=bool)
    assert_gap(kata.permutation_gap(*given), reference.permutation_gap(*given))


# Task 1: softmax

@pytest.mark.task(1)
def test_equal_scores_get_equal_weights(kata):
    assert_same(kata.softmax(np.array([7.0, 7.0, 7.0, 7.0])), [0.25, 0.25, 0.25, 0.25])
    assert_same(kata.softmax(np.array([0, 0, 0, 0, 0])), [0.2, 0.2, 0.2, 0.2, 0.2])


@pytest.mark.task(1)
def test_logarithms_of_one_two_five_become_eighths(kata):
    assert_same(kata.softmax(np.log([1.0, 2.0, 5.0])), [0.125, 0.25, 0.625])
    assert_same(kata.softmax(np.log([0.5, 0.25, 0.25])), [0.5, 0.25, 0.25])


@pytest.mark.task(1)
def test_a_single_score_gets_all_the_weight(kata):
    assert_same(kata.softmax(np.array([-5.0])), [1.0])
    assert_same(kata.softmax(np.array([[3.0], [-8.0], [0.0]])), [[1.0], [1.0], [1.0]])


@pytest.mark.task(1)
def test_each_row_of_a_square_adds_up_by_itself(kata):
    scores = np.log([[1.0, 3.0], [4.0, 1.0]])
    assert_same(kata.softmax(scores), [[0.25, 0.75], [0.8, 0.2]])


@pytest.mark.task(1)
def test_three_axes_are_rows_along_the_last(kata):
    # the powers are 1, 3, 4, 2 and so on, out of 10 or 8 in a row
    powers = np.array([[[1.0, 3, 4, 2], [1, 1, 1, 5]], [[6, 2, 1, 1], [1, 2, 3, 2]]])      # (2, 2, 4)
    assert_same(kata.softmax(np.log(powers)), powers / [[10.0], [8.0]])


@pytest.mark.task(1)
def test_scores_of_a_million_do_no_harm(kata):
    scores = np.array([[1e6, 1e6 - 2000.0, 0.0], [-1e6 - 2000.0, -1e6, -1e6 - 500.0], [0.0, -1e6, -900.0]])
    assert_same(kata.softmax(scores), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


@pytest.mark.task(1)
def test_a_high_row_does_not_drown_a_low_one(kata):
    scores = np.array([[1000.0], [-1000.0]]) + np.log([1.0, 3.0])      # (2, 2)
    assert_same(kata.softmax(scores), [[0.25, 0.75], [0.25, 0.75]])
    assert_same(kata.softmax(scores[1:]), [[0.25, 0.75]])


@pytest.mark.task(1)
def test_minus_infinity_gets_no_weight(kata):
    scores = np.array([[-np.inf, 0.0, np.log(3.0)], [2.0, -np.inf, -np.inf], [-np.inf, -1e6, -np.inf]])
    assert_same(kata.softmax(scores), [[0.0, 0.25, 0.75], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


@pytest.mark.task(1)
def test_whole_numbers_are_scores_as_well(kata):
    # e / (e + e^2 + e^3) and so on
    assert_same(kata.softmax(np.array([1, 2, 3])), [0.090030573170, 0.244728471055, 0.665240955775])
    assert_same(kata.softmax(np.array([[4, 4], [-2, -2]])), [[0.5, 0.5], [0.5, 0.5]])


@pytest.mark.task(1)
def test_a_number_added_to_a_row_changes_nothing(kata, rng):
    scores = rng.normal(size=(4, 7))
    assert_same(kata.softmax(scores + np.array([[30.0], [-3.0], [0.5], [-60.0]])), kata.softmax(scores))


@pytest.mark.task(1)
def test_softmax_reads_any_layout_and_single_precision(kata, reference, rng):
    scores = rng.normal(size=(6, 10))
    scores.flags.writeable = False
    for view in (scores, scores[:, ::3], scores[::-1, ::-1], scores.T, *in_single_precision([scores])):
        assert_same(kata.softmax(view), reference.softmax(view.copy()))


@pytest.mark.task(1)
def test_softmax_of_any_shape_agrees_with_the_reference(kata, reference, rng):
    for shape in ((13,), (5, 9), (5, 9), (9, 5), (1, 6), (4, 4, 4), (2, 3, 8), (3, 1, 2, 5)):
        scores = 3.0 * rng.normal(size=shape)
        assert_same(kata.softmax(scores=scores), reference.softmax(scores))


# Task 2: attention to everything

@pytest.mark.task(2)
def test_two_words_by_hand(kata):
    # queries and keys give the scores 0, ln 3 and ln 4, 0 once they are divided by sqrt(4) = 2,
    # so the weights are 1/4, 3/4 and 4/5, 1/5
    w_q = np.array([[0.0, 2 * np.log(3.0), 5.0, -7.0], [2 * np.log(4.0), 0.0, 1.0, 1.0]])
    w_k = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    w_v = np.array([[8.0, 0.0, 4.0, 20.0], [0.0, 40.0, 4.0, -20.0]])
    assert_same(
        kata.self_attention(np.eye(2), w_q, w_k, w_v), [[2.0, 30.0, 4.0, -10.0], [6.4, 8.0, 4.0, 12.0]]
    )


@pytest.mark.task(2)
def test_scores_are_divided_by_the_root_of_the_width_of_the_head(kata):
    # words 1 and 2, width 3: the scores are sqrt(3) times 1, 2 and 2, 4, so the second word gets the weights
    # 1 / (1 + exp(-sqrt(3))) and 1 / (1 + exp(-2 sqrt(3)))
    w = np.ones((1, 3))
    assert_same(
        kata.self_attention(np.array([[1.0], [2.0]]), w, w, np.array([[1.0, 0.0, -1.0]])),
        [[1.849674553090, 0.0, -1.849674553090], [1.969648909671, 0.0, -1.969648909671]],
    )


@pytest.mark.task(2)
def test_one_word_attends_to_itself(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 1, 5, 3)
    assert_same(kata.self_attention(x, w_q, w_k, w_v), x @ w_v)
    assert_same(kata.self_attention(np.array([[-4.0]]), ONE, ONE, 3 * ONE), [[-12.0]])


@pytest.mark.task(2)
def test_queries_of_zero_give_everybody_the_mean(kata):
    # one word comes twice and counts twice, a word of zeros counts too: the mean word is 4, 1
    x = np.array([[3.0, 1.0], [6.0, -1.0], [0.0, 0.0], [5.0, 6.0], [6.0, -1.0]])
    w_k, w_v = np.array([[5.0, 1.0, 2.0], [0.0, 4.0, 1.0]]), np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]])
    assert_same(kata.self_attention(x, np.zeros((2, 3)), w_k, w_v), [[4.0, 1.0, 7.0]] * 5)


@pytest.mark.task(2)
def test_a_score_far_above_the_others_takes_all(kata):
    # scores of a million: word 1000 looks at itself, so does word -1000, word 0 has no preference
    x = np.array([[1000.0], [-1000.0], [0.0]])
    assert_same(kata.self_attention(x, ONE, ONE, ONE), [[1000.0], [-1000.0], [0.0]])


@pytest.mark.task(2)
def test_words_and_weights_may_be_whole_numbers(kata, reference):
    x = np.array([[1, 0, 2, -1], [0, 3, 1, 1], [2, 2, 0, 0], [1, 0, 2, -1], [0, 0, 0, 0]])
    w_q, w_k = np.array([[1, 0], [0, 1], [-1, 1], [0, 1]]), np.array([[0, 1], [1, 1], [1, 0], [0, -1]])
    w_v = np.array([[3, 1], [0, 2], [1, 1], [5, 0]])
    wanted = reference.self_attention(*(a.astype(float) for a in (x, w_q, w_k, w_v)))
    assert_same(kata.self_attention(x, w_q, w_k, w_v), wanted)


@pytest.mark.task(2)
def test_words_in_another_order_give_the_same_rows_in_that_order(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 12, 7, 5)
    order = rng.permutation(12)
    assert_same(kata.self_attention(x[order], w_q, w_k, w_v), kata.self_attention(x, w_q, w_k, w_v)[order])


@pytest.mark.task(2)
def test_attention_reads_any_layout_and_single_precision(kata, reference, rng):
    x = rng.normal(size=(18, 10))[::2, ::-2]                           # (9, 5)
    w_q, w_k = rng.normal(size=(4, 5)).T / 2, rng.normal(size=(10, 4))[::2] / 2
    w_v = np.asfortranarray(rng.normal(size=(5, 4)))
    x.flags.writeable = w_k.flags.writeable = False
    for words in ((x, w_q, w_k, w_v), in_single_precision((x, w_q, w_k, w_v))):
        assert_same(kata.self_attention(*words), reference.self_attention(*(a.copy() for a in words)))


@pytest.mark.task(2)
def test_attention_of_any_size_agrees_with_the_reference(kata, reference, rng):
    for sizes in ((12, 7, 5), (12, 7, 5), (5, 8, 13), (9, 3, 9), (6, 6, 6), (4, 1, 2), (8, 4, 1)):
        x, w_q, w_k, w_v = drawn(rng, *sizes)
        wanted = reference.self_attention(x, w_q, w_k, w_v)
        assert_same(kata.self_attention(w_v=w_v, w_k=w_k, w_q=w_q, x=x), wanted)
        assert_same(kata.self_attention(x, w_q, w_k, w_v, None), wanted)


# Task 3: attention through a mask

@pytest.mark.task(3)
def test_the_mean_of_what_has_been_said_so_far(kata):
    # no query prefers a key: 3, then (3 + 6) / 2, then (3 + 6 + 0) / 3
    x, causal = np.array([[3.0], [6.0], [0.0]]), np.tri(3, dtype=bool)
    assert_same(kata.self_attention(x, ZERO, ONE, ONE, causal), [[3.0], [4.5], [3.0]])
    assert_same(kata.self_attention(x, ZERO, ONE, ONE, causal.T), [[3.0], [3.0], [0.0]])


@pytest.mark.task(3)
def test_three_words_through_a_causal_mask_by_hand(kata):
    # row 1: (e^2 * 1 + e^4 * 2) / (e^2 + e^4); row 2: (e^-1 * 1 + e^-2 * 2 - e) / (e^-1 + e^-2 + e)
    x = np.array([[1.0], [2.0], [-1.0]])
    assert_same(
        kata.self_attention(x, ONE, ONE, ONE, mask=np.tri(3, dtype=bool)),
        [[1.0], [1.880797077978], [-0.645579402829]],
    )


@pytest.mark.task(3)
def test_a_hidden_score_of_a_million_leaves_no_trace(kata):
    # word 0 would look at itself, with a score of 1000 * 1000; it may not, so it looks at 2 rather than at 1
    x = np.array([[1000.0], [1.0], [2.0]])
    mask = np.array([[False, True, True], [True, True, True], [True, True, True]])
    assert_same(kata.self_attention(x, ONE, ONE, ONE, mask), [[2.0], [1000.0], [1000.0]])


@pytest.mark.task(3)
def test_a_visible_score_of_minus_a_million_beats_a_hidden_one(kata):
    # word 0 may only look at word 1, with the score size * -size, and word 2 at word 0, with -2 * size
    mask = np.array([[False, True, False], [True, True, True], [True, False, False]])
    for size in (1e3, 1e6):
        x = np.array([[size], [-size], [-2.0]])
        assert_same(kata.self_attention(x, ONE, ONE, ONE, mask), [[-size], [-size], [size]])


@pytest.mark.task(3)
def test_a_hidden_word_has_no_weight_however_low_the_visible_score(kata):
    # word 0 may only look at word 1, whose score is size * -size; word 1 looks at itself
    mask = np.array([[False, True], [True, True]])
    for size in (1e5, 1e9):
        x = np.array([[size], [-size]])
        assert_same(kata.self_attention(x, ONE, ONE, ONE, mask), [[-size], [-size]])


@pytest.mark.task(3)
def test_a_word_that_sees_one_word_takes_its_value(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 7, 5, 3)
    myself, next_one = np.eye(7, dtype=bool), np.roll(np.eye(7, dtype=bool), 1, axis=1)
    assert_same(kata.self_attention(x, w_q, w_k, w_v, myself), x @ w_v)
    assert_same(kata.self_attention(x, w_q, w_k, w_v, next_one), np.roll(x @ w_v, -1, axis=0))
    assert_same(kata.self_attention(300 * x, w_q, w_k, w_v, next_one), np.roll(300 * x @ w_v, -1, axis=0))


@pytest.mark.task(3)
def test_a_mask_that_allows_everything_changes_nothing(kata, reference, rng):
    x, w_q, w_k, w_v = drawn(rng, 8, 5, 3)
    wanted = reference.self_attention(x, w_q, w_k, w_v)
    assert_same(kata.self_attention(x, w_q, w_k, w_v, np.ones((8, 8), dtype=bool)), wanted)
    assert_same(kata.self_attention(ONE, ONE, ONE, 5 * ONE, np.array([[True]])), [[5.0]])


@pytest.mark.task(3)
def test_a_causal_row_does_not_know_what_comes_later(kata, rng):
    x, w_q, w_k, w_v = drawn(rng, 10, 6, 4)
    longer = kata.self_attention(x, w_q, w_k, w_v, np.tri(10, dtype=bool))
    assert_same(longer[:7], kata.self_attention(x[:7], w_q, w_k, w_v, np.tri(7, dtype=bool)))


@pytest.mark.task(3)
def test_every_mask_counts_for_one_call(kata, reference, rng):
    words = drawn(rng, 7, 5, 3)
    for mask in (None, np.tri(7, dtype=bool), drawn_mask(rng, 7), None):
        assert_same(kata.self_attention(*words, mask), reference.self_attention(*words, mask))


@pytest.mark.task(3)
def test_attention_through_any_mask_agrees_with_the_reference(kata, reference, rng):
    for sizes in ((12, 7, 5), (5, 8, 13), (9, 3, 9), (6, 6, 6)):
        n, words = sizes[0], drawn(rng, *sizes)
        view = drawn_mask(rng, n).T
        view.flags.writeable = False
        for mask in (drawn_mask(rng, n), view, np.tri(n, dtype=bool)):
            assert_same(kata.self_attention(*words, mask=mask), reference.self_attention(*words, mask=mask))


# Task 4: the gap

@pytest.mark.task(4)
def test_a_gap_has_no_sign(kata):
    # everybody looks at place 0 alone: first 4 stands there, then 1, and the other way round
    mask = np.array([[True, False], [True, False]])
    for x in (np.array([[4.0], [1.0]]), np.array([[1.0], [4.0]])):
        assert_gap(kata.permutation_gap(x, ZERO, ZERO, ONE, np.array([1, 0]), mask), 3.0)


@pytest.mark.task(4)
def test_three_words_said_backwards_by_hand(kata):
    # forwards the means so far are 3, 4.5, 3; backwards, from 0, 6, 3, they are 0, 3, 3;
    # the first in reverse is 3, 4.5, 3 again, so the differences are -3, -1.5, 0
    x, backwards, causal = np.array([[3.0], [6.0], [0.0]]), np.array([2, 1, 0]), np.tri(3, dtype=bool)
    assert_gap(kata.permutation_gap(x, ZERO, ONE, ONE, backwards, causal), 3.0)
    assert_gap(kata.permutation_gap(x, ZERO, ONE, -ONE, backwards, mask=causal), 3.0)


@pytest.mark.task(4)
def test_three_words_moved_round_by_hand(kata):
    # 3, 6, 0 has the means so far 3, 4.5, 3, which the order 1, 2, 0 turns into 4.5, 3, 3;
    # 6, 0, 3 has the means so far 6, 3, 3, so the differences are 1.5, 0, 0
    x, causal = np.array([[3.0], [6.0], [0.0]]), np.tri(3, dtype=bool)
    assert_gap(kata.permutation_gap(x, ZERO, ONE, ONE, np.array([1, 2, 0]), causal), 1.5)


@pytest.mark.task(4)
def test_the_gap_is_the_largest_difference_in_any_row_and_column(kata):
    # everybody looks at place 0 alone, where first (1, 20) and then (4, 0) stands: differences 3 and -20
    x, mask = np.array([[1.0, 20.0], [4.0, 0.0]]), np.array([[True, False], [True, False]])
    zero, one = np.zeros((2, 2)), np.eye(2)
    assert_gap(kata.permutation_gap(x, zero, zero, one, np.array([1, 0]), mask), 20.0)
    assert_gap(kata.permutation_gap(x / 40.0, zero, zero, one, np.array([1, 0]), mask), 0.5)


@pytest.mark.task(4)
def test_large_values_do_not_hide_a_gap(kata):
    # everybody looks at place 0 alone, where first 1e6 and then 1e6 + 3 stands
    x, mask = np.array([[1e6], [1e6 + 3.0]]), np.array([[True, False], [True, False]])
    assert_gap(kata.permutation_gap(x, ZERO, ZERO, ONE, np.array([1, 0]), mask), 3.0)


@pytest.mark.task(4)
def test_the_gap_of_whole_numbers(kata, reference):
    x, order = np.array([[1, 0], [0, 2], [2, 1], [3, 0]]), np.array([2, 0, 3, 1])
    weights = np.array([[1, 0], [0, 1]]), np.array([[0, 1], [1, 1]]), np.array([[2, 1], [-1, 1]])
    mask = np.eye(4, dtype=bool) | np.roll(np.eye(4, dtype=bool), 1, axis=1)
    wanted = reference.permutation_gap(x.astype(float), *(w.astype(float) for w in weights), order, mask)
    assert_gap(kata.permutation_gap(x, *weights, order, mask), wanted)


@pytest.mark.task(4)
def test_without_a_mask_no_order_makes_a_gap(kata, reference, rng):
    words = drawn(rng, 12, 7, 5)
    for order in (np.arange(12), np.arange(12)[::-1], np.roll(np.arange(12), 5), rng.permutation(12)):
        assert_gap(kata.permutation_gap(*words, order), 0.0)
    assert_a_gap_without_symmetry(kata, reference, words)


@pytest.mark.task(4)
def test_words_left_where_they_are_make_no_gap(kata, reference, rng):
    words = drawn(rng, 9, 6, 4)
    for mask in (np.tri(9, dtype=bool), drawn_mask(rng, 9)):
        assert_gap(kata.permutation_gap(*words, np.arange(9), mask), 0.0)
    assert_gap(kata.permutation_gap(5 * ONE, ONE, ONE, ONE, np.array([0]), np.array([[True]])), 0.0)
    assert_a_gap_without_symmetry(kata, reference, words)


@pytest.mark.task(4)
def test_a_mask_that_looks_the_same_from_every_place_makes_no_gap(kata, reference, rng):
    # every word sees all but itself, in whatever order they stand
    words = drawn(rng, 8, 6, 4)
    assert_gap(kata.permutation_gap(*words, rng.permutation(8), ~np.eye(8, dtype=bool)), 0.0)
    assert_a_gap_without_symmetry(kata, reference, words)


@pytest.mark.task(4)
def test_every_gap_starts_afresh(kata, reference, rng):
    words, causal = drawn(rng, 7, 5, 3), np.tri(7, dtype=bool)
    order, other = np.array([3, 5, 0, 1, 6, 4, 2]), np.array([1, 0, 2, 6, 3, 5, 4])
    some = drawn_mask(rng, 7)
    for now, mask in ((order, causal), (other, causal), (order, None), (order, some), (order, causal)):
        assert_gap(kata.permutation_gap(*words, now, mask), reference.permutation_gap(*words, now, mask))


@pytest.mark.task(4)
def test_gaps_through_any_mask_agree_with_the_reference(kata, reference, rng):
    for sizes in ((12, 7, 5), (5, 8, 13), (9, 3, 9), (6, 6, 6)):
        n = sizes[0]
        words = drawn(rng, *sizes)
        for mask in (drawn_mask(rng, n), np.tri(n, dtype=bool), np.tri(n, dtype=bool).T):
            order = rng.permutation(n)
            order.flags.writeable = False
            for x, w_q, w_k, w_v in (words, in_single_precision(words)):
                gap = kata.permutation_gap(x=x, w_q=w_q, w_k=w_k, w_v=w_v, order=order, mask=mask)
                assert_gap(gap, reference.permutation_gap(x, w_q, w_k, w_v, order, mask))


# Task 5: the bag

@pytest.mark.task(5)
def test_a_bag_by_hand(kata):
    # the second word comes twice and counts twice
    assert_same(kata.bag_of_words(np.array([[1.0, 0.5], [-4.0, 2.0], [-4.0, 2.0], [0.0, 0.0]])), [-7.0, 4.5])
    assert_same(kata.bag_of_words(np.array([[1.0, 2.0], [30.0, 40.0]])), [31.0, 42.0])


@pytest.mark.task(5)
def test_a_bag_of_one_word_is_the_word(kata):
    assert_same(kata.bag_of_words(np.array([[3.0, -1.0, 0.25]])), [3.0, -1.0, 0.25])
    assert_same(kata.bag_of_words(np.array([[-6.0]])), [-6.0])


@pytest.mark.task(5)
def test_whole_numbers_fit_in_a_bag(kata):
    assert_same(kata.bag_of_words(x=np.array([[4, 0, 1], [1, 0, -2], [4, 0, 1]])), [9.0, 0.0, 0.0])


@pytest.mark.task(5)
def test_a_shuffled_bag_is_the_same_bag(kata, rng):
    x = rng.normal(size=(12, 5))
    assert_same(kata.bag_of_words(x[rng.permutation(12)]), kata.bag_of_words(x))


@pytest.mark.task(5)
def test_a_bag_of_attention_forgets_the_order_but_not_a_mask(kata, reference, rng):
    x, *weights = drawn(rng, 12, 7, 5)
    order, causal = np.roll(np.arange(12), 5), np.tri(12, dtype=bool)
    for mask in (None, causal):
        one = kata.bag_of_words(reference.self_attention(x, *weights, mask))               # (5,)
        other = kata.bag_of_words(reference.self_attention(x[order], *weights, mask))      # (5,)
        assert bool(np.abs(one - other).max() < 1e-3) == (mask is None)


@pytest.mark.task(5)
def test_a_bag_takes_any_layout_and_single_precision(kata, rng):
    x = rng.normal(size=(6, 10))
    x.flags.writeable = False
    for view in (x[:, ::3], x[::-2], x.T, *in_single_precision([x])):
        assert_same(kata.bag_of_words(view), [sum(column) for column in view.T.tolist()])


@pytest.mark.task(5)
def test_bags_of_any_size_agree_with_the_reference(kata, reference, rng):
    for n, d in ((12, 7), (12, 7), (7, 12), (9, 9), (2, 3), (13, 1)):
        x = 4.0 * rng.normal(size=(n, d))
        assert_same(kata.bag_of_words(x), reference.bag_of_words(x))


# All of them

@pytest.mark.task(1, 2, 3, 4, 5)
def test_weights_attention_gap_and_bag_are_in_double_precision(kata, reference, rng):
    x, *weights = drawn(rng, 12, 6, 4)
    order, causal = rng.permutation(12), np.tri(12, dtype=bool)
    assert_double_precision(kata.softmax, x)
    assert_double_precision(kata.self_attention, x, *weights)
    assert_double_precision(kata.self_attention, x, *weights, causal)
    assert_double_precision(kata.permutation_gap, x, *weights, order, causal)
    assert_double_precision(kata.bag_of_words, x)
    for mask in (None, causal):                                        # worked out in float32, off by about 1e-7
        wanted = reference.permutation_gap(x, *weights, order, mask)
        assert_same(kata.permutation_gap(x, *weights, order, mask), wanted)
