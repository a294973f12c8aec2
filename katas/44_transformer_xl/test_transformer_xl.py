"""What the scores of Transformer-XL have to be: sums by hand, laws of distance and memory, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

FUTURE = -np.inf


def drawn(rng, n_queries, n_keys, d, leading=(), dtype=np.float64):
    """Random q, k, r, u and v that fit each other."""
    shapes = {"q": (*leading, n_queries, d), "k": (*leading, n_keys, d), "r": (n_keys, d), "u": d, "v": d}
    return {name: (2.0 * rng.normal(size=shape)).astype(dtype) for name, shape in shapes.items()}


# Task 1: as many queries as keys

@pytest.mark.task(1)
def test_three_positions_by_hand(kata):
    # content 2; 7, 7; 1, 6, 11 and distance 4; 6, 2; -2, -1, 3, added and halved, for d is 4
    q = np.array([[1.0, 0.0, 2.0, -1.0], [0.0, 3.0, 1.0, 0.0], [2.0, -1.0, 0.0, 1.0]])
    k = np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, -1.0, 2.0], [3.0, 0.0, 1.0, 1.0]])
    r = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0], [1.0, 1.0, -1.0, 3.0]])
    u, v = np.array([1.0, 0.0, -1.0, 2.0]), np.array([0.0, 1.0, 1.0, -2.0])
    wanted = [[3.0, FUTURE, FUTURE], [6.5, 4.5, FUTURE], [-0.5, 2.5, 7.0]]
    assert_same(kata.transformer_xl_scores(q, k, r, u, v), wanted)


@pytest.mark.task(1)
def test_without_vectors_for_distances_the_content_is_left(kata):
    # q + u is (4, 2, 0, 4), (2, -2, 4, 0), (2, 2, 2, 2); the unit vectors in k pick its columns, halved
    q = np.array([[3.0, 0.0, 1.0, 2.0], [1.0, -4.0, 5.0, -2.0], [1.0, 0.0, 3.0, 0.0]])
    u, v = np.array([1.0, 2.0, -1.0, 2.0]), np.array([50.0, 60.0, 70.0, 80.0])
    scores = kata.transformer_xl_scores(q, np.eye(4)[:3], np.zeros((3, 4)), u, v)
    assert_same(scores, [[2.0, FUTURE, FUTURE], [1.0, -1.0, FUTURE], [1.0, 1.0, 1.0]])


@pytest.mark.task(1)
def test_without_keys_the_distance_is_left(kata):
    # q + v is (4, 2, 0), (2, -2, 8), (6, 0, -4), halved; row m of r picks column m, that of the own key is 0
    q = np.array([[3.0, 0.0, 1.0, 7.0], [1.0, -4.0, 9.0, 7.0], [5.0, -2.0, -3.0, 7.0]])
    u, v = np.array([50.0, 60.0, 70.0, 80.0]), np.array([1.0, 2.0, -1.0, 9.0])
    scores = kata.transformer_xl_scores(q, np.zeros((3, 4)), np.eye(4)[:3], u, v)
    assert_same(scores, [[2.0, FUTURE, FUTURE], [-1.0, 1.0, FUTURE], [-2.0, 0.0, 3.0]])


@pytest.mark.task(1)
def test_queries_of_zeros_leave_the_biases(kata):
    # u . k is 3, 5, 7 and v . r is 40, 10, 20 for 0, 1 and 2 back; d is 1
    k, r = np.array([[3.0], [5.0], [7.0]]), np.array([[4.0], [1.0], [2.0]])
    scores = kata.transformer_xl_scores(np.zeros((3, 1)), k, r, np.array([1.0]), np.array([10.0]))
    assert_same(scores, [[43.0, FUTURE, FUTURE], [13.0, 45.0, FUTURE], [23.0, 15.0, 47.0]])


@pytest.mark.task(1)
def test_one_position(kata):
    # (2 + 1) * 5 + (2 - 4) * 3; then (1, 2, 2) with itself both times, 18 / sqrt(3)
    q, k, r = np.array([[[2.0]], [[5.0]], [[3.0]]])
    assert_same(kata.transformer_xl_scores(q=q, k=k, r=r, u=np.array([1.0]), v=np.array([-4.0])), [[9.0]])
    row = np.array([[[1.0, 2.0, 2.0]]])
    assert_same(kata.transformer_xl_scores(row, row, row[0], np.zeros(3), np.zeros(3)), [[[10.392304845413]]])


@pytest.mark.task(1)
def test_keys_after_the_query_are_minus_infinity(kata, rng):
    for leading in ((), (2, 3)):
        arrays = drawn(rng, 12, 12, 5, leading)
        scores = kata.transformer_xl_scores(**arrays)
        assert_same(np.isneginf(scores), np.broadcast_to(~np.tri(12, dtype=bool), scores.shape))
        assert (np.abs(scores[..., np.tri(12, dtype=bool)]) < 1e3).all()


@pytest.mark.task(1)
def test_no_later_key_however_large_changes_what_comes_before(kata, rng):
    arrays, large = drawn(rng, 9, 9, 5), np.ones((9, 1))
    wanted = kata.transformer_xl_scores(**arrays)
    for large[5:] in (1e9, -1e12):
        scores = kata.transformer_xl_scores(**(arrays | {"k": arrays["k"] * large}))
        assert_same(scores[:, :5], wanted[:, :5])
        assert_same(scores[:5], wanted[:5])


@pytest.mark.task(1)
def test_equal_queries_and_keys_score_by_their_distance_alone(kata, rng):
    arrays = drawn(rng, 12, 12, 6)
    arrays |= {name: np.tile(arrays[name][0], (12, 1)) for name in ("q", "k")}
    scores = kata.transformer_xl_scores(**arrays)                      # (12, 12)
    assert_same(scores[1:, 1:], scores[:-1, :-1])
    assert np.ptp(scores[-1]) > 0.1


@pytest.mark.task(1)
def test_one_vector_for_a_distance_shows_on_one_diagonal(kata, rng):
    arrays = drawn(rng, 9, 9, 5)
    scores = kata.transformer_xl_scores(**arrays)                      # (9, 9)
    for back in (0, 1, 4, 8):
        moved = arrays | {"r": arrays["r"] + 2.0 * (np.arange(9) == back)[:, None]}
        change = np.diag(2.0 * (arrays["q"] + arrays["v"]).sum(axis=1)[back:] / 5.0 ** 0.5, -back)
        assert_same(kata.transformer_xl_scores(**moved), np.where(np.tri(9, dtype=bool), scores + change, FUTURE))


@pytest.mark.task(1)
def test_a_bias_common_to_all_queries_may_stand_in_either_place(kata, rng):
    # what is added to both biases can as well be added to the queries
    arrays, common = drawn(rng, 8, 8, 5), rng.normal(size=5)
    in_biases, in_queries = (arrays | {name: arrays[name] + common for name in names} for names in ("uv", "q"))
    assert_same(kata.transformer_xl_scores(**in_biases), kata.transformer_xl_scores(**in_queries))


def square(rng, dtype=np.float64):
    return [drawn(rng, 7, 7, 4, (2, 3), dtype)]


def square_of_any_size(rng):
    for n, d, leading in ((6, 6, ()), (4, 4, (4, 4)), (3, 7, (3,)), *((n, 5, (2, 3)) for n in rng.integers(8, 20, 2))):
        yield drawn(rng, n, n, d, leading)


test_square_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "transformer_xl_scores", square_of_any_size)
test_single_precision_in_gives_the_same_to_fewer_digits = checks.agrees_with_the_reference(
    1, "transformer_xl_scores", lambda rng: square(rng, np.float32))
test_whole_numbers_are_multiplied_as_real_numbers = checks.takes_whole_numbers(1, "transformer_xl_scores", square)
test_any_memory_layout_is_read = checks.takes_views(1, "transformer_xl_scores", square)


# Task 2: memory

@pytest.mark.task(2)
def test_two_queries_after_a_memory_of_three_by_hand(kata):
    # content 6, 0, -4, -12 and 12, 5, 7, -14, 25; distance 0, -2, 1, -2 and 6, -4, 10, 4, 6; d is 3
    q = np.array([[1.0, -2.0, 0.0], [3.0, 1.0, 2.0]])
    k = np.array([[2.0, 0.0, 1.0], [1.0, 1.0, 0.0], [-1.0, 3.0, 2.0], [0.0, 2.0, -4.0], [5.0, 1.0, 1.0]])
    r = np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0], [2.0, 2.0, 1.0], [-3.0, 0.0, 1.0], [4.0, 1.0, -2.0]])
    u, v = np.array([1.0, 0.0, 2.0]), np.array([-1.0, 1.0, 0.0])
    assert_same(kata.transformer_xl_scores(q, k, r, u, v), [
        [3.464101615138, -1.154700538379, -1.732050807569, -8.082903768655, FUTURE],
        [10.392304845413, 0.577350269190, 9.814954576224, -5.773502691896, 17.897858344878],
    ])


@pytest.mark.task(2)
def test_a_single_query_sees_every_key_and_the_farthest_first(kata):
    # q + v picks the first column of r, q + u adds up those of k; d is 4
    r = np.arange(20.0).reshape(5, 4) ** 2                             # first column 0, 16, 64, 144, 256
    q, u, v = np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([0.0, 1.0, 1.0, 1.0]), np.zeros(4)
    k = np.repeat([[0.5], [1.0], [1.5], [2.0], [2.5]], 4, axis=1)
    assert_same(kata.transformer_xl_scores(q, k, r, u, v), [[129.0, 74.0, 35.0, 12.0, 5.0]])


@pytest.mark.task(2)
def test_segment_by_segment_gives_the_rows_of_the_whole(kata, rng):
    arrays = drawn(rng, 12, 12, 4, (3,))
    whole = kata.transformer_xl_scores(**arrays)                       # (3, 12, 12)
    q, k, r, *biases = arrays.values()
    for start, end in ((0, 4), (4, 8), (8, 12), (11, 12), (10, 12), (0, 12)):
        scores = kata.transformer_xl_scores(q[:, start:end], k[:, :end], r[:end], *biases)
        assert_same(scores, whole[:, start:end, :end])


@pytest.mark.task(2)
def test_a_forgotten_key_takes_nothing_from_the_others(kata, rng):
    # without the first two keys, and the two farthest distances, the other scores stay
    arrays = drawn(rng, 5, 12, 4)
    shorter = arrays | {"k": arrays["k"][2:], "r": arrays["r"][:-2]}
    assert_same(kata.transformer_xl_scores(**shorter), kata.transformer_xl_scores(**arrays)[:, 2:])


@pytest.mark.task(2)
def test_batches_and_heads_share_the_distances_and_the_biases(kata, reference, rng):
    arrays = drawn(rng, 5, 7, 4, (2, 3))
    scores = kata.transformer_xl_scores(**arrays)                      # (2, 3, 5, 7)
    assert scores.shape == (2, 3, 5, 7)
    for place in np.ndindex(2, 3):
        one = arrays | {"q": arrays["q"][place], "k": arrays["k"][place]}
        assert_same(scores[place], reference.transformer_xl_scores(**one))


def of_equal_sizes(rng):
    for n_queries, n_keys, d, leading in (
        (5, 7, 7, (5,)), (5, 7, 5, (7,)), (3, 4, 3, (4, 3)), (1, 5, 1, (1,)), (2, 4, 2, (4, 2)),
    ):
        yield drawn(rng, n_queries, n_keys, d, leading)


def that_differ_in_one_thing(rng):
    first, second = drawn(rng, 5, 9, 4), drawn(rng, 5, 9, 4)
    return [first, *(one for name in first for one in (first | {name: second[name]}, first))]


def of_any_size(rng):
    for leading in ((), (3,), (2, 5)):
        for _ in range(3):
            n_keys, d = (int(n) for n in rng.integers((12, 2), (22, 17)))
            yield tuple(drawn(rng, int(rng.integers(1, n_keys + 1)), n_keys, d, leading).values())


test_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "transformer_xl_scores", of_any_size)
test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(
    2, "transformer_xl_scores", of_equal_sizes)
test_every_call_starts_afresh = checks.starts_afresh(2, "transformer_xl_scores", that_differ_in_one_thing)


# Both

test_scores_are_in_double_precision = checks.are_in_double_precision(
    (1, 2), transformer_xl_scores=lambda rng: [drawn(rng, 7, 7, 4), drawn(rng, 5, 7, 4, (2, 3))])
