"""What the scores of Transformer-XL have to be: sums by hand, laws of distance and memory, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_same

FUTURE = -np.inf


def drawn(rng, n_queries, n_keys, d, leading=()):
    """Random q, k, r, u and v that fit each other."""
    shapes = {"q": (*leading, n_queries, d), "k": (*leading, n_keys, d), "r": (n_keys, d), "u": d, "v": d}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


# Task 1: as many queries as keys

@pytest.mark.task(1)
def test_three_positions_by_hand(kata):
    # content 2; 7, 7; 1, 6, 11 and distance 4; 6, 2; -2, -1, 3, added and halved, for d is 4
    q = np.array([[1.0, 0.0, 2.0, -1.0], [0.0, 3.0, 1.0, 0.0], [2.0, -1.0, 0.0, 1.0]])
    k = np.array([[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, -1.0, 2.0], [3.0, 0.0, 1.0, 1.0]])
    r = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 1.0], [1.0, 1.0, -1.0, 3.0]])
    u, v = np.array([1.0, 0.0, -1.0, 2.0]), np.array([0.0, 1.0, 1.0, -2.0])
    assert_same(kata.transformer_xl_scores(q, k, r, u, v), [
        [3.0, FUTURE, FUTURE],
        [6.5, 4.5, FUTURE],
        [-0.5, 2.5, 7.0],
    ])


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
    one = {name: np.array(value) for name, value in (("q", [[2.0]]), ("k", [[5.0]]), ("r", [[3.0]]))}
    assert_same(kata.transformer_xl_scores(**one, u=np.array([1.0]), v=np.array([-4.0])), [[9.0]])
    row = np.array([[[1.0, 2.0, 2.0]]])
    assert_same(kata.transformer_xl_scores(row, row, row[0], np.zeros(3), np.zeros(3)), [[[10.392304845413]]])


@pytest.mark.task(1)
def test_whole_numbers_are_multiplied_as_real_numbers(kata, reference, rng):
    # (100 + 100) * 1 + (100 + 50) * 2; then (120 + 100) * 1 + (120 + 50) * 1 and 220 * 2 + 170 * 2; d is 1
    q, k, r = np.array([[100], [120]]), np.array([[1], [2]]), np.array([[2], [1]])
    u, v = np.array([100]), np.array([50])
    assert_same(kata.transformer_xl_scores(q, k, r, u, v), [[500.0, FUTURE], [390.0, 780.0]])
    whole = {name: rng.integers(-5, 6, size=array.shape) for name, array in drawn(rng, 8, 8, 5).items()}
    wanted = reference.transformer_xl_scores(**{name: array.astype(float) for name, array in whole.items()})
    assert_same(kata.transformer_xl_scores(**whole), wanted)


@pytest.mark.task(1)
def test_keys_after_the_query_are_minus_infinity(kata, rng):
    for leading in ((), (2, 3)):
        arrays = drawn(rng, 12, 12, 5, leading)
        scores = kata.transformer_xl_scores(**arrays)
        assert_same(np.isneginf(scores), np.broadcast_to(~np.tri(12, dtype=bool), scores.shape))
        assert (np.abs(scores[..., np.tri(12, dtype=bool)]) < 1e3).all()


@pytest.mark.task(1)
def test_no_later_key_however_large_changes_what_comes_before(kata, rng):
    arrays = drawn(rng, 9, 9, 5)
    wanted = kata.transformer_xl_scores(**arrays)
    for size in (1e9, -1e12):
        later = arrays["k"].copy()
        later[5:] *= size
        scores = kata.transformer_xl_scores(**(arrays | {"k": later}))
        assert_same(scores[:, :5], wanted[:, :5])
        assert_same(scores[:5], wanted[:5])


@pytest.mark.task(1)
def test_equal_queries_and_keys_score_by_their_distance_alone(kata, rng):
    arrays = drawn(rng, 12, 12, 6)
    arrays["q"], arrays["k"] = np.tile(arrays["q"][0], (12, 1)), np.tile(arrays["k"][0], (12, 1))
    scores = kata.transformer_xl_scores(**arrays)                      # (12, 12)
    assert_same(scores[1:, 1:], scores[:-1, :-1])
    assert np.ptp(scores[-1]) > 0.1


@pytest.mark.task(1)
def test_one_vector_for_a_distance_shows_on_one_diagonal(kata, rng):
    arrays = drawn(rng, 9, 9, 5)
    scores = kata.transformer_xl_scores(**arrays)                      # (9, 9)
    for back in (0, 1, 4, 8):
        moved = arrays["r"].copy()
        moved[back] += 2.0
        change = 2.0 * (arrays["q"] + arrays["v"]).sum(axis=1)[back:] / 5.0 ** 0.5
        wanted = np.where(np.tri(9, dtype=bool), scores + np.diag(change, -back), FUTURE)
        assert_same(kata.transformer_xl_scores(**(arrays | {"r": moved})), wanted)


@pytest.mark.task(1)
def test_a_bias_common_to_all_queries_may_stand_in_either_place(kata, rng):
    # what is added to both biases can as well be added to the queries
    arrays, common = drawn(rng, 8, 8, 5), rng.normal(size=5)
    moved = arrays | {"u": arrays["u"] + common, "v": arrays["v"] + common}
    assert_same(
        kata.transformer_xl_scores(**moved),
        kata.transformer_xl_scores(**(arrays | {"q": arrays["q"] + common})),
    )


@pytest.mark.task(1)
def test_any_memory_layout_is_read(kata, reference, rng):
    arrays = drawn(rng, 7, 7, 4, (2, 3))
    wanted = reference.transformer_xl_scores(**arrays)
    every_second = {name: np.repeat(array, 2, axis=-1)[..., ::2] for name, array in arrays.items()}
    assert_same(kata.transformer_xl_scores(**every_second), wanted)
    backwards = {name: np.flip(np.flip(array).copy()) for name, array in arrays.items()}
    assert_same(kata.transformer_xl_scores(**backwards), wanted)
    locked = {name: np.asfortranarray(array) for name, array in arrays.items()}
    for array in locked.values():
        array.flags.writeable = False
    assert_same(kata.transformer_xl_scores(**locked), wanted)


@pytest.mark.task(1)
def test_single_precision_in_gives_the_same_to_fewer_digits(kata, reference, rng):
    arrays = {name: array.astype(np.float32) for name, array in drawn(rng, 8, 8, 5, (3,)).items()}
    assert_same(kata.transformer_xl_scores(**arrays), reference.transformer_xl_scores(**arrays))


@pytest.mark.task(1)
def test_square_scores_of_any_size_agree_with_the_reference(kata, reference, rng):
    for n, d, leading in ((6, 6, ()), (4, 4, (4, 4)), (3, 7, (3,)), *((n, 5, (2, 3)) for n in rng.integers(8, 20, 2))):
        arrays = drawn(rng, n, n, d, leading)
        assert_same(kata.transformer_xl_scores(**arrays), reference.transformer_xl_scores(**arrays))


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
def test_the_last_queries_alone_have_the_last_rows(kata, rng):
    arrays = drawn(rng, 13, 13, 5)
    scores = kata.transformer_xl_scores(**arrays)                      # (13, 13)
    for n_queries in (1, 2, 5, 12):
        last = arrays | {"q": arrays["q"][13 - n_queries:]}
        assert_same(kata.transformer_xl_scores(**last), scores[13 - n_queries:])


@pytest.mark.task(2)
def test_a_forgotten_key_takes_nothing_from_the_others(kata, rng):
    # without the first two keys, and the two farthest distances, the other scores stay
    arrays = drawn(rng, 5, 12, 4)
    shorter = arrays | {"k": arrays["k"][2:], "r": arrays["r"][:-2]}
    assert_same(kata.transformer_xl_scores(**shorter), kata.transformer_xl_scores(**arrays)[:, 2:])


@pytest.mark.task(2)
def test_segment_by_segment_gives_the_rows_of_the_whole(kata, rng):
    arrays = drawn(rng, 12, 12, 4, (3,))
    whole = kata.transformer_xl_scores(**arrays)                       # (3, 12, 12)
    for start in (0, 4, 8):
        end = start + 4
        scores = kata.transformer_xl_scores(
            arrays["q"][:, start:end], arrays["k"][:, :end], arrays["r"][:end], arrays["u"], arrays["v"])
        assert_same(scores, whole[:, start:end, :end])


@pytest.mark.task(2)
def test_batches_and_heads_share_the_distances_and_the_biases(kata, rng):
    arrays = drawn(rng, 5, 7, 4, (2, 3))
    scores = kata.transformer_xl_scores(**arrays)
    assert scores.shape == (2, 3, 5, 7)
    for batch in range(2):
        for head in range(3):
            one = arrays | {"q": arrays["q"][batch, head], "k": arrays["k"][batch, head]}
            assert_same(scores[batch, head], kata.transformer_xl_scores(**one))


@pytest.mark.task(2)
def test_sizes_that_coincide_do_not_mix_the_axes(kata, reference, rng):
    for n_queries, n_keys, d, leading in (
        (5, 7, 7, (5,)), (5, 7, 5, (7,)), (3, 4, 3, (4, 3)), (1, 5, 1, (1,)), (2, 4, 2, (4, 2)),
    ):
        arrays = drawn(rng, n_queries, n_keys, d, leading)
        assert_same(kata.transformer_xl_scores(**arrays), reference.transformer_xl_scores(**arrays))


@pytest.mark.task(2)
def test_every_call_starts_afresh(kata, reference, rng):
    first, second = drawn(rng, 5, 9, 4), drawn(rng, 5, 9, 4)
    for name in first:
        mixed = first | {name: second[name]}
        for arrays in (first, mixed):
            assert_same(kata.transformer_xl_scores(**arrays), reference.transformer_xl_scores(**arrays))


@pytest.mark.task(2)
def test_scores_of_any_size_agree_with_the_reference(kata, reference, rng):
    for leading in ((), (3,), (2, 5)):
        for _ in range(3):
            n_keys, d = (int(n) for n in rng.integers((12, 2), (22, 17)))
            arrays = drawn(rng, int(rng.integers(1, n_keys + 1)), n_keys, d, leading)
            wanted = reference.transformer_xl_scores(**arrays)
            assert_same(kata.transformer_xl_scores(*arrays.values()), wanted)


# Both

@pytest.mark.task(1, 2)
def test_scores_are_in_double_precision(kata, rng):
    assert_double_precision(kata.transformer_xl_scores, **drawn(rng, 7, 7, 4))
    assert_double_precision(kata.transformer_xl_scores, **drawn(rng, 5, 7, 4, (2, 3)))
