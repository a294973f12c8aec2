"""What the two layouts have to be: signed values worked by hand, laws that join them, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: the quarter turn

@pytest.mark.task(1)
def test_the_second_half_comes_first_and_negated(kata):
    x = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [-3.0, 0.5, 0.0, 9.0, 2.0, -4.0, 1.5, -6.0]])
    wanted = [[-5.0, -6.0, -7.0, -8.0, 1.0, 2.0, 3.0, 4.0], [-2.0, 4.0, -1.5, 6.0, -3.0, 0.5, 0.0, 9.0]]
    assert_same(kata.rotate_half(x), wanted)
    assert_same(kata.rotate_half(x[1]), wanted[1])
    assert_same(kata.rotate_half(x=x[None, 1:, :6]), [[[-9.0, -2.0, 4.0, -3.0, 0.5, 0.0]]])


@pytest.mark.task(1)
def test_halves_of_whole_numbers_are_whole_numbers(kata):
    assert_same(kata.rotate_half(np.array([[1, -2, 3, 4]])), [[-3.0, -4.0, 1.0, -2.0]])


@pytest.mark.task(1)
def test_two_quarter_turns_are_a_half_turn(kata, rng):
    for shape in ((14,), (12, 8), (1, 1, 2)):
        x = rng.normal(size=shape)
        assert_same(kata.rotate_half(kata.rotate_half(x)), -x)


def arrays(rng):
    for shape in ((6, 6), (4, 4, 4), (2, 4, 6, 8), (3, 5, 10)):
        yield (rng.normal(size=shape),)


test_only_the_last_axis_has_halves = checks.agrees_with_the_reference(1, "rotate_half", arrays)
test_halves_of_views_are_read = checks.takes_views(1, "rotate_half", arrays)


# Tasks 2 and 3 ask the same of either rotation

def rows_of_any_size_and_base(rng):
    drawn = 2, 3, int(rng.integers(14, 20)), 2 * int(rng.integers(7, 20))
    for shape in ((1, 2), (4, 4, 8), (2, 2, 2, 6), (12, 8), (2, 13, 12), (150, 10), drawn):
        x, base = rng.normal(scale=1.5, size=shape), float(rng.uniform(20.0, 50000.0))
        for positions in (rng.integers(-9, 60, size=shape[-2]), rng.uniform(-40.0, 40.0, size=shape[:-1])):
            yield from ({"x": x, "positions": positions, "base": one} for one in (base, 1.5, 1e7))


def rows_of_every_batch_and_head(rng):
    """Positions for all rows, for those of a batch or head, and axes that coincide."""
    x, positions = rng.normal(size=(2, 3, 5, 8)), rng.integers(-9, 30, size=(2, 3, 5))
    yield from ((x, at) for at in (positions, positions[:, :1], positions[1], positions[1, 2]))
    for shape, size in (((4, 4, 8), 4), ((4, 4, 4, 8), 4), ((8, 8), 8), ((2, 2, 2), 2), ((3, 1, 8), 1)):
        yield rng.normal(size=shape), rng.integers(-9, 30, size=size)


def rows_that_share_a_position(rng):
    """One position for all rows of a batch, or for all there are."""
    x = rng.normal(size=(2, 3, 5, 4))
    return [(x, np.array([[[7]], [[-3]]])), (x, np.array([7])), (x, np.array([[7]]))]


def twelve_rows(rng, dtype=np.float64):
    """Whole numbers at positions of either kind."""
    x = rng.integers(-9, 10, size=(3, 12, 8)).astype(dtype)
    return [(x, rng.integers(-9, 40, size=12)), (x, rng.uniform(-40.0, 40.0, size=(3, 12)))]


def whole_numbers(rng):
    return twelve_rows(rng, dtype=np.int64)


def single_precision(rng):
    return twelve_rows(rng, dtype=np.float32)


def rows_that_differ_in_one_thing(rng):
    x, near = rng.normal(size=(12, 8)), np.arange(12)
    return [(x, near), (x, near + 7), (x, near, 300.0), (x[:, :6], near, 300.0), (-x, near, 300.0),
            (x, near[::-1].copy(), 300.0), (x, near, 300.0), (x.reshape(2, 6, 8), near.reshape(2, 6), 300.0)]


# Task 2: halves turned

@pytest.mark.task(2)
def test_four_pairs_of_halves_at_two_and_minus_three_by_hand(kata):
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8; position 2: angles 2, 1, 0.5, 0.25;
    # pairs (3, -4), (1, 2), (-2, 5), (6, -1), and (1, 5), (0, -1), (-2, 4), (3, 2) at -3
    x = np.array([[3.0, 1.0, -2.0, 6.0, -4.0, 2.0, 5.0, -1.0], [1.0, 0.0, -2.0, 3.0, 5.0, -1.0, 4.0, 2.0]])
    assert_same(kata.apply_rope_half(x, np.array([2, -3]), 16.0), [[
        2.388749197661, -1.142639663748, -4.152292816802, 6.060878489518,
        4.392479626666, 1.922075596544, 3.429061732243, 0.515511333816,
    ], [
        -0.284392456301, -0.997494986604, 1.263177302346, 3.524067923909,
        -5.091082491062, -0.070737201668, 4.290032995542, 0.762197656566,
    ]])


@pytest.mark.task(2)
def test_every_column_turns_with_the_one_half_a_width_away(kata):
    # the eight axes at position 1, angles 1, 1/2, 1/4, 1/8
    cosines = np.diag([0.540302305868, 0.877582561890, 0.968912421711, 0.992197667229])
    sines = np.diag([0.841470984808, 0.479425538604, 0.247403959255, 0.124674733385])
    turned = kata.apply_rope_half(x=np.eye(8, dtype=int), positions=np.ones(8, dtype=int), base=16.0)
    assert_same(turned, np.block([[cosines, sines], [-sines, cosines]]))


@pytest.mark.task(2)
def test_halves_turn_at_positions_of_any_sign_and_order(kata):
    # width 4: frequencies 1 and 0.01; the pairs are columns 0, 2 and columns 1, 3
    x = np.array([[1.0, 0.0, 0.0, 1.0]] * 5 + [[1.0, 1.0, 0.0, 0.0]])
    seven = [0.753902254343, -0.069942847338, 0.656986598719, 0.997551000253]
    assert_same(kata.apply_rope_half(x, np.array([7.0, -0.5, 7.0, -3.0, 0.0, 512.0])), [
        seven, [0.877582561890, 0.004999979167, -0.479425538604, 0.999987500026], seven,
        [-0.989992496600, 0.029995500202, -0.141120008060, 0.999550033749],
        [1.0, 0.0, 0.0, 1.0], [-0.996833390848, 0.396417208936, 0.079518494013, -0.918070474669]])
    # angles 100000 and 1000, then 5 and 0.05
    assert_same(kata.apply_rope_half(x[:2], np.array([100_000, 5])), [
        [-0.999360807438, -0.826879540532, 0.035748797972, 0.562379076291],
        [0.283662185463, -0.049979169271, -0.958924274663, 0.998750260395]])


test_halves_of_any_size_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "apply_rope_half", rows_of_any_size_and_base)
test_halves_of_every_batch_and_head_turn_at_their_own_positions = checks.agrees_with_the_reference(
    2, "apply_rope_half", rows_of_every_batch_and_head)
test_halves_of_all_rows_may_turn_at_one_position = checks.agrees_with_the_reference(
    2, "apply_rope_half", rows_that_share_a_position)
test_halves_of_whole_numbers_turn_as_floats_do = checks.agrees_with_the_reference(2, "apply_rope_half", whole_numbers)
test_halves_are_read_in_any_form = checks.takes_views(2, "apply_rope_half", twelve_rows)
test_every_call_for_halves_starts_afresh = checks.starts_afresh(2, "apply_rope_half", rows_that_differ_in_one_thing)
test_apply_rope_half_keeps_float32 = checks.keeps_float32(2, "apply_rope_half", single_precision)


# Task 3: neighbours turned as complex numbers

@pytest.mark.task(3)
def test_four_complex_numbers_at_three_and_minus_six_by_hand(kata):
    # base 81 and width 8: frequencies 1, 1/3, 1/9, 1/27; angles 3, 1, 1/3, 1/9 and -6, -2, -2/3, -2/9
    x = np.array([[2.0, -1.0, 0.0, 4.0, 5.0, 3.0, -6.0, 1.0], [4.0, 2.0, 1.0, -3.0, 0.0, 5.0, 2.0, 6.0]])
    assert_same(kata.apply_rope_complex(x, np.array([3, -6]), 81.0), [[
        -1.838864985141, 1.272232512720, -3.365883939232, 2.161209223473,
        3.743200641185, 4.470844322925, -6.073883679743, 0.328537737479,
    ], [
        3.281850150204, 3.038002566096, -3.144039117024, 0.339143082816,
        3.091849015349, 3.929436303885, 3.273206631516, 5.411665025424,
    ]])


@pytest.mark.task(3)
def test_complex_pairs_turn_at_positions_of_any_sign_and_order(kata):
    # width 4: frequencies 1 and 0.01
    x = np.array([[1.0, 0.0, 0.0, 1.0]] * 5 + [[1.0, 0.0, 1.0, 0.0]])
    seven = [0.753902254343, 0.656986598719, -0.069942847338, 0.997551000253]
    assert_same(kata.apply_rope_complex(x, np.array([7.0, -0.5, 7.0, -3.0, 0.0, 512.0])), [
        seven, [0.877582561890, -0.479425538604, 0.004999979167, 0.999987500026], seven,
        [-0.989992496600, -0.141120008060, 0.029995500202, 0.999550033749],
        [1.0, 0.0, 0.0, 1.0], [-0.996833390848, 0.079518494013, 0.396417208936, -0.918070474669]])
    # angles 100000 and 1000
    assert_same(kata.apply_rope_complex(x[:1], np.array([100_000])), [
        [-0.999360807438, 0.035748797972, -0.826879540532, 0.562379076291]])
    assert_same(kata.apply_rope_complex(x=np.array([[3, 2], [1, -2]]), positions=np.array([0.5, -1.5])), [
        [1.673896608463, 3.193441739593], [-1.924252771540, -1.138969389939]])


@pytest.mark.task(3)
def test_reordering_before_or_after_the_turn_is_the_same(kata, rng):
    x, positions = rng.normal(size=(3, 13, 10)), rng.uniform(-30.0, 30.0, size=13)
    even_then_odd = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
    turned = kata.apply_rope_complex(x, positions, 77.0)                # (3, 13, 10)
    assert_same(turned[..., even_then_odd], kata.apply_rope_half(x[..., even_then_odd], positions, 77.0))


test_complex_pairs_of_any_size_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "apply_rope_complex", rows_of_any_size_and_base)
test_complex_pairs_of_every_batch_and_head_turn_at_their_own_positions = checks.agrees_with_the_reference(
    3, "apply_rope_complex", rows_of_every_batch_and_head)
test_complex_pairs_of_all_rows_may_turn_at_one_position = checks.agrees_with_the_reference(
    3, "apply_rope_complex", rows_that_share_a_position)
test_complex_pairs_of_whole_numbers_turn_as_floats_do = checks.agrees_with_the_reference(
    3, "apply_rope_complex", whole_numbers)
test_complex_pairs_are_read_in_any_form = checks.takes_views(3, "apply_rope_complex", twelve_rows)
test_every_call_for_complex_pairs_starts_afresh = checks.starts_afresh(
    3, "apply_rope_complex", rows_that_differ_in_one_thing)
test_apply_rope_complex_keeps_float32 = checks.keeps_float32(3, "apply_rope_complex", single_precision)


# Task 4: from neighbours to halves

@pytest.mark.task(4)
def test_even_columns_come_before_odd_ones(kata):
    assert_same(kata.interleaved_to_half(np.arange(8.0)), [0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0])
    assert_same(kata.interleaved_to_half(np.array([[3, 1, 4, 1, 5, 9]])), [[3.0, 4.0, 5.0, 1.0, 1.0, 9.0]])
    assert_same(kata.interleaved_to_half(np.arange(128.0)), [*range(0, 128, 2), *range(1, 128, 2)])


@pytest.mark.task(4)
def test_only_the_last_axis_is_reordered_to_halves(kata, rng):
    x = rng.normal(size=(6, 6, 6))
    assert_same(kata.interleaved_to_half(x), x[:, :, [0, 2, 4, 1, 3, 5]])
    assert_same(kata.interleaved_to_half(x[:1, ::2, 5:3:-1]), x[:1, ::2, 5:3:-1])


test_views_are_reordered_to_halves = checks.takes_views(4, "interleaved_to_half", arrays)


# Task 5: from halves to neighbours

@pytest.mark.task(5)
def test_every_column_is_followed_by_the_one_half_a_width_away(kata):
    assert_same(kata.half_to_interleaved(np.arange(8.0)), [0.0, 4.0, 1.0, 5.0, 2.0, 6.0, 3.0, 7.0])
    assert_same(kata.half_to_interleaved(np.array([[3, 1, 4, 1, 5, 9]])), [[3.0, 1.0, 1.0, 5.0, 4.0, 9.0]])
    assert_same(kata.half_to_interleaved(np.arange(128.0)), [column for i in range(64) for column in (i, i + 64)])


@pytest.mark.task(5)
def test_only_the_last_axis_is_reordered_to_neighbours(kata, rng):
    x = rng.normal(size=(6, 6, 6))
    assert_same(kata.half_to_interleaved(x), x[:, :, [0, 3, 1, 4, 2, 5]])
    assert_same(kata.half_to_interleaved(x[:1, ::2, 5:3:-1]), x[:1, ::2, 5:3:-1])


@pytest.mark.task(5)
def test_each_direction_undoes_the_other(kata, rng):
    for shape in ((2,), (10,), (12, 8), (2, 3, 5, 14), (1, 1, 4)):
        x = rng.normal(size=shape)
        assert_same(kata.half_to_interleaved(kata.interleaved_to_half(x)), x)
        assert_same(kata.interleaved_to_half(kata.half_to_interleaved(x)), x)


test_views_are_reordered_to_neighbours = checks.takes_views(5, "half_to_interleaved", arrays)


# Task 6: weights for the other layout

@pytest.mark.task(6)
def test_two_heads_of_six_rows_by_hand(kata):
    w = 10.0 * np.arange(12.0)[:, None] + np.array([1.0, 2.0, 3.0])    # (12, 3)
    wanted = w[[0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]]
    assert_same(kata.permute_projection(w, 2), wanted)
    assert_same(kata.permute_projection(w=w[6:].astype(int), n_heads=1), wanted[6:])


@pytest.mark.task(6)
def test_heads_of_two_rows_stay_as_they_are(kata, rng):
    w = rng.normal(size=(12, 5))
    assert_same(kata.permute_projection(w, n_heads=6), w)


@pytest.mark.task(6)
def test_permuted_weights_make_the_half_layout(kata, rng):
    for n_heads, d_head, d_model in ((3, 8, 5), (1, 6, 1), (8, 8, 8), (6, 10, 12)):
        w, tokens = rng.normal(size=(n_heads * d_head, d_model)), rng.normal(size=(7, d_model))
        made = (tokens @ kata.permute_projection(w, n_heads).T).reshape(7, n_heads, d_head)
        assert_same(made, kata.interleaved_to_half((tokens @ w.T).reshape(7, n_heads, d_head)))


@pytest.mark.task(6)
def test_scores_are_the_same_in_either_layout(kata, rng):
    # three heads of eight columns, tokens of width 5, n = 12
    weights, tokens, positions = rng.normal(size=(2, 24, 5)), rng.normal(size=(12, 5)), np.arange(12) * 3 - 7
    scores = []
    for rotation, made in ((kata.apply_rope_complex, weights),
                           (kata.apply_rope_half, [kata.permute_projection(w, 3) for w in weights])):
        q, k = (rotation((tokens @ w.T).reshape(12, 3, 8).swapaxes(0, 1), positions, 500.0) for w in made)
        scores.append(q @ k.swapaxes(-1, -2))                          # (3, 12, 12)
    assert_same(scores[1], scores[0])


def projections(rng):
    for n_heads, d_head, d_model in ((4, 6, 7), (5, 12, 3), (6, 6, 6), (2, 16, 32), (3, 2, 1), (2, 64, 3), (32, 8, 3)):
        yield rng.normal(size=(n_heads * d_head, d_model)), n_heads


test_weights_of_any_size_start_afresh_and_agree_with_the_reference = checks.starts_afresh(
    6, "permute_projection", projections)
test_weights_are_read_in_any_form = checks.takes_views(6, "permute_projection", projections)


# All

test_turned_and_reordered_vectors_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3, 4, 5, 6), rotate_half=arrays, apply_rope_half=twelve_rows, apply_rope_complex=twelve_rows,
    interleaved_to_half=arrays, half_to_interleaved=arrays, permute_projection=projections)
