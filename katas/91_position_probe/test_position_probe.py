"""What the probes have to be: sums by hand, laws of least squares, positions read from encodings, the reference."""
import itertools

import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import sinusoids


def assert_reads(weights, features, wanted):
    """These weights, the bias last, make the wanted numbers of the features.

    To 3e-6, for where two fits are compared either may be off by a millionth; in float32 to 5e-4.
    """
    __tracebackhide__ = True
    assert weights.shape == (features.shape[1] + 1,)
    tolerance = 5e-4 if np.float32 in (weights.dtype, features.dtype) else 3e-6
    off = np.abs(read(features, weights) - wanted)
    assert (off <= tolerance * np.maximum(1.0, np.abs(wanted))).all()


def read(features, weights):
    """What the weights, the bias last, make of the features."""
    return features @ weights[:-1] + weights[-1]


def relation(rows, matrix):
    """Every row times the matrix times every row."""
    return rows @ matrix @ rows.T


def examples(rng, n, d):
    """Features whose columns have means of their own, and targets that are no linear function of them."""
    return rng.normal(size=(n, d)) + rng.uniform(-2.0, 2.0, size=d), rng.normal(size=n) * 3.0 + 20.0


def in_single(calls):
    """The same calls with float32 arrays."""
    return lambda rng: [tuple(a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in one)
                        for one in calls(rng)]


def features_and_weights(rng):
    return [(rng.normal(size=(n, d)) * 9.0, rng.normal(size=d + 1)) for n, d in ((12, 4), (5, 5), (6, 5), (9, 1))]


def encodings_and_scores(rng):
    for n, d in ((12, 5), (7, 3), (20, 1), (25, 11), (5, 5), (3, 8), (1, 1)):
        encoding = rng.normal(size=(n, d)) + 0.3 + 5.0 * np.eye(n, d)  # its columns lie well apart
        scores = rng.normal(size=(n, n))
        yield from ((encoding, scores, ridge) for ridge in (0.5, 3.0, 90.0))


def score_matrices(rng):
    for n in (3, 12, 12, *rng.integers(5, 40, size=4).tolist()):
        scores = np.array([rng.permutation(n) for _ in range(n)]) * 1.0                # (n, n) no ties
        scores += np.eye(n, k=-1) * n * (rng.random((n, 1)) < 0.5)
        yield from ((scores,), (scores - n,))


# Task 1: reading

@pytest.mark.task(1)
def test_the_last_weight_is_the_bias_and_one_row_and_one_column_keep_their_axis(kata):
    # 1 * 10 + 2 * 100 + 0.5 and so on
    features = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 0.0], [-2.0, 0.25]])
    assert_same(kata.probe_positions(features, np.array([10.0, 100.0, 0.5])), [210.5, -69.5, 0.5, 5.5])
    assert_same(kata.probe_positions(np.eye(3), np.array([4.0, 5.0, 6.0, -1.0])), [3.0, 4.0, 5.0])
    assert_same(kata.probe_positions(np.array([[3.0]]), np.array([-2.0, 1.75])), [-4.25])
    assert_same(kata.probe_positions(np.array([[3.0, -0.5]]), np.array([-2.0, 1.0, 0.25])), [-6.25])
    assert_same(kata.probe_positions(np.array([[3.0], [0.5], [-1.0]]), np.array([-2.0, 0.25])), [-5.75, -0.75, 2.25])


test_rows_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "probe_positions", features_and_weights)
test_numbers_of_any_layout_are_read_as_they_are = checks.takes_views(1, "probe_positions", features_and_weights)
test_numbers_of_single_precision_are_read_as_they_are = checks.agrees_with_the_reference(
    1, "probe_positions", in_single(features_and_weights))
test_whole_numbers_are_read_as_they_are = checks.takes_whole_numbers(
    1, "probe_positions", lambda rng: [(np.rint(f), np.rint(9.0 * w)) for f, w in features_and_weights(rng)])


# Task 2: weights and bias, judged by what they read

@pytest.mark.task(2)
def test_one_column_and_two_by_hand_and_the_ridge_left_out(kata):
    # around the means, 1 and 4: -1, 0, 1 and -3, -1, 4; the products sum to 7, the squares to 2
    features, targets = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 3.0, 8.0])
    assert_reads(kata.fit_linear_probe(features, targets, 3.0), features, [2.6, 4.0, 5.4])
    assert_reads(kata.fit_linear_probe(features, targets, ridge=0.8), features, [1.5, 4.0, 6.5])
    assert_reads(kata.fit_linear_probe(features, targets, 5), features, [3.0, 4.0, 5.0])
    # of whole numbers, too, the fraction of a ridge counts
    features, targets = features.astype(int), targets.astype(int)
    assert_reads(kata.fit_linear_probe(features, targets, 0.8), features, [1.5, 4.0, 6.5])
    # around the means, 10 and -3: 1, 1, -1, -1 and 2, -2, 2, -2; the products
    # sum to 13 and 25, the squares to 4 and 16, so with a ridge of 9 both weights are 1; the mean target is 2
    features = np.array([[11.0, -1.0], [11.0, -5.0], [9.0, -1.0], [9.0, -5.0]])
    weights = kata.fit_linear_probe(features, np.array([6.0, 4.5, 4.25, -6.75]), ridge=9.0)
    assert_reads(weights, features, [5.0, 1.0, 3.0, -1.0])
    assert_reads(weights, np.array([[10.0, -3.0], [0.0, 0.0]]), [2.0, -5.0])
    # around the means: -0.001, 0, 0.001 and 0, -3, 3; the squares sum to two millionths, so the weight is 1000
    features = np.array([[0.0], [0.001], [0.002]])
    assert_reads(kata.fit_linear_probe(features, np.array([3.0, 0.0, 6.0])), features, [2.0, 3.0, 4.0])


@pytest.mark.task(2)
def test_one_row_or_columns_that_never_change_leave_the_mean(kata):
    assert_reads(kata.fit_linear_probe(np.array([[2.0]]), np.array([3.0]), 0.5), np.array([[2.0], [-9.0]]), [3.0] * 2)
    one = np.array([[2.0, -1.0, 5.0]])
    assert_reads(kata.fit_linear_probe(one, np.array([-40.0]), 1.0), np.concatenate([one, 2.0 * one]), [-40.0] * 2)
    still = np.full((4, 2), 3.0)
    assert_reads(kata.fit_linear_probe(still, np.array([1.0, 2.0, 4.0, 9.0]), 1.0), still, [4.0] * 4)
    # a column that never changes beside one that does, as in the line through three points
    beside = np.array([[5.0, 0.0], [5.0, 1.0], [5.0, 2.0]])
    assert_reads(kata.fit_linear_probe(beside, np.array([1.0, 3.0, 8.0]), 3.0), beside, [2.6, 4.0, 5.4])


@pytest.mark.task(2)
def test_a_tiny_ridge_finds_a_plane_that_is_there(kata, rng):
    # a plane through 0 at the mean: what is read is small where the features are not
    for d, mean in ((1, 0.0), (4, 3.0), (7, -5.0)):
        around, plane = rng.normal(size=(40, d)), rng.normal(size=d) * 2.0
        elsewhere = rng.normal(size=(20, d))
        weights = kata.fit_linear_probe(around + mean, around @ plane, 1e-8)
        assert_reads(weights, elsewhere + mean, elsewhere @ plane)


@pytest.mark.task(2)
def test_what_is_left_over_balances_the_ridge(kata, rng):
    # where the sum is least its slopes are 0: what is left over sums to 0, and to ridge * weight with each column
    for ridge in (1e-6, 0.3, 20.0, 1e3, 1e5):
        features, targets = examples(rng, 20, 4)
        weights = kata.fit_linear_probe(features, targets, ridge)
        left_over = targets - read(features, weights)
        assert abs(left_over.sum()) < 0.01                             # of targets that sum to some hundreds
        slopes = (features - features.mean(axis=0)).T @ left_over
        assert (np.abs(slopes - ridge * weights[:-1]) < 0.01 * np.maximum(1.0, np.abs(slopes))).all()


@pytest.mark.task(2)
def test_moving_the_targets_moves_what_is_read_and_moving_the_features_does_not(kata, rng):
    features, targets = examples(rng, 16, 5)
    moved = features + np.array([5.0, -2.0, 0.0, 8.0, 1.0])
    for ridge in (1e-4, 10.0, 1e6, 1e12):
        before = read(features, kata.fit_linear_probe(features, targets, ridge))
        assert_reads(kata.fit_linear_probe(moved, targets, ridge), moved, before)
        for far in (-300.0, 4000.0):
            assert_reads(kata.fit_linear_probe(features, targets + far, ridge), features, before + far)
    # so large a ridge leaves the mean
    assert_reads(kata.fit_linear_probe(features, targets, 1e12), features, np.full(16, targets.mean()))


@pytest.mark.task(2)
def test_the_ridge_is_held_against_the_sum_of_all_squares(kata, rng):
    # with every row twice it has to double, with features ten times as large to be a hundred times as large
    features, targets = examples(rng, 14, 4)
    for ridge in (0.5, 30.0):
        before = read(features, kata.fit_linear_probe(features, targets, ridge))
        twice = kata.fit_linear_probe(np.tile(features, (2, 1)), np.tile(targets, 2), 2 * ridge)
        assert_reads(twice, features, before)
        assert_reads(kata.fit_linear_probe(10.0 * features, targets, 100 * ridge), 10.0 * features, before)
    # the longer a column, the less its weight costs
    short = kata.fit_linear_probe(0.001 * features, targets, 30.0)
    assert np.ptp(read(0.001 * features, short)) < 0.5 * np.ptp(before)


@pytest.mark.task(2)
def test_sinusoids_tell_positions_that_were_not_fitted_and_random_rows_do_not(kata, rng):
    # fitted to the even positions, the odd ones are read right when rounded
    for n, d, base in ((64, 8, 10000.0), (48, 12, 1000.0)):
        table, positions = sinusoids(range(n), d, base), np.arange(float(n))
        weights = kata.fit_linear_probe(table[::2], positions[::2], 0.001)
        assert_same(np.rint(read(table, weights)), positions)
    # 32 random rows of 80 columns: any targets can be met there, and nothing is learnt for other rows
    table, positions = rng.normal(size=(64, 80)), np.arange(64.0)
    weights = kata.fit_linear_probe(table[::2], positions[::2], 0.1)
    off = np.abs(read(table, weights) - positions)
    assert off[::2].max() < 1.0
    assert off[1::2].mean() > 5.0


@pytest.mark.task(2)
def test_probes_of_any_kind_size_and_ridge_agree_with_the_reference(kata, reference, rng):
    many = [examples(rng, n, d) for n, d in ((12, 5), (30, 1), (25, 11), (15, 2))]
    few = [examples(rng, n, d) for n, d in ((5, 5), (4, 12), (7, 6), (2, 3))]
    whole = rng.integers(-4, 5, size=(15, 3)), rng.integers(0, 90, size=15)
    single = [a.astype(np.float32) for a in many[0]]
    views = [[checks.locked(change(a)) for a in many[0]] for change in (checks.spread, np.asfortranarray, np.flip)]
    for given, ridge in (*itertools.product(many, (1e-5, 1e-2, 3.0, 700.0, 1e7)),
                         *itertools.product((*few, whole, (whole[0] * 0.5, np.arange(15)), single, *views), (2.5,))):
        wanted = read(given[0], reference.fit_linear_probe(*given, ridge))
        assert_reads(kata.fit_linear_probe(*given, ridge=ridge), given[0], wanted)


# Task 3: the matrix

@pytest.mark.task(3)
def test_columns_at_right_angles_and_columns_that_lean_by_hand(kata):
    # P^T P is diag(4, 4), so A is P^T / 5; P^T Y P is [[16, 0], [2, 14]], divided by 25
    encoding = np.array([[1.0, 1.0], [1.0, -1.0], [1.0, 1.0], [1.0, -1.0]])
    scores = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 3.0, 0.0, 0.0], [5.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 4.0]])
    assert_same(kata.fit_bilinear_probe(encoding, scores, 1.0), [[0.64, 0.0], [0.08, 0.56]])
    # P^T P is diag(4, 1): the rows of A are (0.4, 0, 0) and (0, 0.5, 0), and the third position has no say
    encoding = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    scores = np.array([[25.0, 10.0, 7.0], [30.0, 8.0, 7.0], [7.0, 7.0, 7.0]])
    assert_same(kata.fit_bilinear_probe(encoding, scores, ridge=1), [[4.0, 2.0], [6.0, 2.0]])
    # A is the identity divided by 2.5
    whole = np.eye(2, dtype=int), np.array([[25, 50], [-75, 2]])
    assert_same(kata.fit_bilinear_probe(*whole, 1.5), [[4.0, 8.0], [-12.0, 0.32]])
    # P^T P + I is [[6, 1], [1, 2]], A is [[4, 1], [-2, 5]] / 11, A Y is [[13, 14], [-1, 26]] / 11
    encoding, scores = np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([[3.0, 2.0], [1.0, 6.0]])
    assert_same(kata.fit_bilinear_probe(encoding, scores, 1.0), [[6 / 11, 4 / 11], [2 / 11, 12 / 11]])


@pytest.mark.task(3)
def test_one_column_by_hand_with_its_mean_and_the_ridge_left_out(kata):
    # P^T P is a thousandth, and so is the ridge that is not given: A is (15, 5), and A Y is (30, 50)
    encoding, scores = np.array([[0.03], [0.01]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert_same(kata.fit_bilinear_probe(encoding, scores), [[700.0]])
    assert_same(kata.fit_bilinear_probe(np.array([[2.0]]), np.array([[9.0]]), 2.0), [[1.0]])
    # no mean is taken off a column of ones: P^T P is 2, and 1 / (2 + 3) from both sides of the sum 10
    assert_same(kata.fit_bilinear_probe(np.ones((2, 1)), scores, 3.0), [[0.4]])


@pytest.mark.task(3)
def test_a_tiny_ridge_finds_the_matrix_behind_the_scores(kata, rng):
    for n, d in ((20, 5), (12, 8), (9, 1)):
        encoding, matrix = np.linalg.qr(rng.normal(size=(n, d)))[0] * 3.0, rng.normal(size=(d, d))
        encoding[:, 0] *= 2.0
        assert_same(kata.fit_bilinear_probe(encoding, relation(encoding, matrix), 1e-10), matrix)


@pytest.mark.task(3)
def test_longer_rows_need_a_larger_ridge_and_a_smaller_matrix(kata, rng):
    encoding, scores = rng.normal(size=(14, 5)), rng.normal(size=(14, 14))
    wanted = kata.fit_bilinear_probe(encoding, scores, 2.0)
    assert_same(kata.fit_bilinear_probe(4.0 * encoding, scores, 32.0), wanted / 16.0)
    # all positions twice: the squares double, so the ridge has to
    twice = np.tile(encoding, (2, 1)), np.tile(scores, (2, 2))
    assert_same(kata.fit_bilinear_probe(*twice, 4.0), wanted)


@pytest.mark.task(3)
def test_a_relation_learnt_from_sinusoids_holds_at_any_positions(kata):
    # what the row one back is like: fitted to positions 0 to 79, it finds it among 900 to 939
    here, one_back = (sinusoids(np.arange(80) - back, 8, 20.0) for back in (0, 1))
    matrix = kata.fit_bilinear_probe(here, one_back @ here.T, 1e-6)    # (8, 8)
    far, before_far = (sinusoids(np.arange(900, 940) - back, 8, 20.0) for back in (0, 1))
    scores = relation(far, matrix)                                     # (40, 40)
    assert (np.abs(scores - before_far @ far.T) < 1e-3).all()
    assert_same(scores[1:].argmax(axis=1), np.arange(39))


test_matrices_of_any_size_and_ridge_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "fit_bilinear_probe", encodings_and_scores)
test_matrices_of_arrays_in_any_layout_are_the_same = checks.takes_views(3, "fit_bilinear_probe", encodings_and_scores)
test_matrices_of_single_precision_are_right = checks.agrees_with_the_reference(
    3, "fit_bilinear_probe", in_single(encodings_and_scores))
test_whole_scores_of_whole_rows_make_real_numbers = checks.takes_whole_numbers(3, "fit_bilinear_probe", lambda rng: [
    (np.rint(3.0 * rows), np.rint(9.0 * scores), ridge) for rows, scores, ridge in encodings_and_scores(rng)])


# Task 4: the previous token

@pytest.mark.task(4)
def test_two_queries_of_three_by_hand_and_one_that_is_merely_high(kata):
    # query 1 has key 0 alone; query 2 prefers key 1; query 3 prefers key 0, and its own key does not count
    scores = [[9.0, 9.5, 9.6, 9.7], [5.0, 4.0, 9.2, 9.3], [1.0, 2.0, 9.4, 9.8], [3.0, 1.0, 2.0, 9.9]]
    assert_same(kata.previous_token_accuracy(np.array(scores)), 2 / 3)
    # of negative scores the highest is the one nearest to 0
    assert_same(kata.previous_token_accuracy(np.array(scores) - 100.0), 2 / 3)
    assert_same(kata.previous_token_accuracy(-np.array(scores)), 1 / 3)
    # of two positions the first is always found
    for two in ([[1.0, 2.0], [3.0, 4.0]], [[0.0, -1.0], [-5.0, 7.0]], [[4.0, 3.0], [-1e9, 1.0]]):
        assert_same(kata.previous_token_accuracy(np.array(two)), 1.0)
    # key i - 1 is far above its neighbours, but key 0 a little higher still
    scores = np.where(np.eye(9, k=-1, dtype=bool), 5.0, -5.0)
    scores[2:, 0] = 5.1
    assert_same(kata.previous_token_accuracy(scores), 1 / 8)
    # or it is hardly above any, and above all
    assert_same(kata.previous_token_accuracy(np.eye(9, k=-1) * 0.01), 1.0)


@pytest.mark.task(4)
def test_a_penalty_on_distance_prefers_the_previous_token_and_a_reward_the_first(kata):
    for n in (2, 3, 13):
        apart = np.subtract.outer(np.arange(n), np.arange(n)) * 0.25   # (n, n) query minus key
        assert_same(kata.previous_token_accuracy(-apart), 1.0)
        assert_same(kata.previous_token_accuracy(scores=apart - 50.0), 1.0 / (n - 1))


@pytest.mark.task(4)
def test_neither_later_keys_nor_the_level_of_a_query_count(kata, rng):
    scores = np.array([rng.permutation(14) * 1.0 for _ in range(14)])
    hits = [row[:i].tolist().index(max(row[:i])) == i - 1 for i, row in enumerate(scores) if i]
    levels = rng.permutation(14)[:, None] * 7000.0 - 40000.0           # some far above 0, some far below
    for later in (-np.inf, 0.0, 1e9, -1e9):
        for level in (0.0, -20.0, levels, 1e6 - levels):
            for size in (1.0, 1e12):
                given = np.where(np.tri(14, k=-1, dtype=bool), size * (scores + level), later)
                assert_same(kata.previous_token_accuracy(given), sum(hits) / 13)


@pytest.mark.task(4)
def test_an_induction_head_is_no_previous_token_head(kata):
    # A B C D A B C D: where a token has been before, the key after it is best, three back; else the one before
    scores = np.eye(8, k=-1) + 2.0 * np.eye(8, k=-3) * (np.arange(8) >= 4)[:, None]
    assert_same(kata.previous_token_accuracy(scores), 3 / 7)
    # sinusoids moved on by one or two positions
    here, one_back, two_back = (sinusoids(np.arange(30) - back, 16) for back in (0, 1, 2))
    assert_same(kata.previous_token_accuracy(one_back @ here.T), 1.0)
    assert_same(kata.previous_token_accuracy(two_back @ here.T), 1 / 29)


test_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    4, "previous_token_accuracy", score_matrices)
test_scores_of_single_precision_are_right = checks.agrees_with_the_reference(
    4, "previous_token_accuracy", in_single(score_matrices))
test_scores_of_any_layout_are_read = checks.takes_views(4, "previous_token_accuracy", score_matrices)
test_scores_may_be_whole_numbers = checks.takes_whole_numbers(4, "previous_token_accuracy", score_matrices)


# All four

test_probes_and_their_readings_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3, 4), probe_positions=features_and_weights, fit_linear_probe=lambda rng: [examples(rng, 12, 4)],
    fit_bilinear_probe=encodings_and_scores, previous_token_accuracy=score_matrices)
