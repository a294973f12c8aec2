"""What a rotation by rows and columns has to be: values worked by hand, laws of the grid, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: half of the head turns by the row, half by the column

@pytest.mark.task(1)
def test_one_pair_and_two_in_each_half_by_hand(kata):
    # width 4 has one pair for the rows and one for the columns, both of frequency 1; row 1, column 2
    x = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]])
    assert_same(kata.axial_rope(x, np.array([1, 1, 1]), np.array([2, 2, 2])), [
        [0.540302305868, 0.841470984808, -0.416146836547, 0.909297426826],
        [-1.682941969616, 1.080604611736, 0.0, 0.0],
        [0.0, 0.0, -1.818594853652, -0.832293673094],
    ])
    # base 16, halves of width 4: frequencies 1 and 1/4; angles 2, 0.5 and -3, -0.75, then -1, -0.25 and 4, 1
    x = np.array([[3.0, -4.0, 1.0, 2.0, -2.0, 5.0, 6.0, -1.0], [1.0, 5.0, 0.0, -1.0, -2.0, 4.0, 3.0, 2.0]])
    assert_same(kata.axial_rope(x, np.array([2, -1]), np.array([-3, 4]), 16.0), [
        [2.388749197661, 4.392479626666, -0.081268515318, 2.234590662385,
         2.685585033500, -4.667722466882, 3.708494453220, -4.821521429014],
        [4.747657229908, 1.860040544533, -0.247403959255, -0.968912421711,
         4.334497222959, -1.100969492839, -0.062035052011, 3.605017566160],
    ])


@pytest.mark.task(1)
def test_both_halves_have_the_same_four_frequencies(kata):
    # width 16: frequencies 1, 0.1, 0.01, 0.001 in each half; row 5, column 7
    assert_same(kata.axial_rope(np.tile([1.0, 0.0], (1, 8)), np.array([5]), np.array([7])), [[
        0.283662185463, -0.958924274663, 0.877582561890, 0.479425538604,
        0.998750260395, 0.049979169271, 0.999987500026, 0.004999979167,
        0.753902254343, 0.656986598719, 0.764842187284, 0.644217687238,
        0.997551000253, 0.069942847338, 0.999975500100, 0.006999942833,
    ]])


@pytest.mark.task(1)
def test_every_axis_turns_within_its_own_pair(kata):
    # the eight axes at row 1 and column 2; base 16: angles 1 and 1/4, then 2 and 1/2
    turns = (
        (0.540302305868, 0.841470984808), (0.968912421711, 0.247403959255),
        (-0.416146836547, 0.909297426826), (0.877582561890, 0.479425538604),
    )
    wanted = np.zeros((8, 8))
    for pair, (cosine, sine) in enumerate(turns):
        wanted[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[cosine, sine], [-sine, cosine]]
    turned = kata.axial_rope(x=np.eye(8, dtype=int), rows=np.ones(8, dtype=int), columns=np.full(8, 2), base=16.0)
    assert_same(turned, wanted)


@pytest.mark.task(1)
def test_places_may_be_negative_fractional_repeated_and_in_any_order(kata):
    # (1, 0) for the row and (0, 1) for the column in every patch
    x = np.tile([1.0, 0.0, 0.0, 1.0], (5, 1))
    rows, columns = np.array([0.5, 7.0, -3.0, 0.0, 7.0]), np.array([-1.5, 0.0, 5.0, -0.5, 2.0])
    assert_same(kata.axial_rope(x, rows, columns), [
        [0.877582561890, 0.479425538604, 0.997494986604, 0.070737201668],
        [0.753902254343, 0.656986598719, 0.0, 1.0],
        [-0.989992496600, -0.141120008060, 0.958924274663, 0.283662185463],
        [1.0, 0.0, 0.479425538604, 0.877582561890],
        [0.753902254343, 0.656986598719, -0.909297426826, -0.416146836547],
    ])


@pytest.mark.task(1)
def test_far_places_are_as_exact_as_near_ones(kata):
    # width 8: frequencies 1 and 0.01; row 512: angles 512 and 5.12; column 300: angles 300 and 3
    assert_same(kata.axial_rope(np.tile([1.0, 0.0], (1, 4)), np.array([512]), np.array([300])), [[
        -0.996833390848, 0.079518494013, 0.396417208936, -0.918070474669,
        -0.022096619279, -0.999755839901, -0.989992496600, 0.141120008060,
    ]])


@pytest.mark.task(1)
def test_the_corner_of_the_image_is_left_alone(kata):
    x = np.array([[1e6, -2.0, 3.0, 0.5, -1e6, 0.0, 7.0, 8.0], [1.0] * 8])
    assert_same(kata.axial_rope(x, np.zeros(2, dtype=int), np.zeros(2, dtype=int)), x)


@pytest.mark.task(1)
def test_a_row_leaves_the_second_half_alone_and_a_column_the_first(kata, rng):
    x, places = rng.normal(size=(3, 13, 12)), rng.uniform(-9.0, 40.0, size=13)
    down, across = kata.axial_rope(x, places, np.zeros(13)), kata.axial_rope(x, np.zeros(13), places)
    assert_same(down[..., 6:], x[..., 6:])
    assert_same(across[..., :6], x[..., :6])
    assert_same(kata.axial_rope(x, places, places), np.concatenate([down[..., :6], across[..., 6:]], axis=-1))


@pytest.mark.task(1)
def test_exchanging_halves_and_places_exchanges_the_result(kata, rng):
    x, rows, columns = rng.normal(size=(2, 13, 16)), rng.integers(-9, 40, size=13), rng.uniform(-9.0, 40.0, size=13)
    turned = kata.axial_rope(x, rows, columns, 500.0)                  # (2, 13, 16)
    assert_same(kata.axial_rope(np.roll(x, 8, axis=-1), columns, rows, 500.0), np.roll(turned, 8, axis=-1))


@pytest.mark.task(1)
def test_turning_twice_adds_rows_and_columns(kata, rng):
    x, (rows, columns) = rng.normal(size=(13, 8)), rng.integers(-20, 20, size=(2, 13))
    near, far = rng.uniform(-20.0, 20.0, size=(2, 13))
    turned = kata.axial_rope(kata.axial_rope(x, rows, columns), near, far)
    assert_same(turned, kata.axial_rope(x, rows + near, columns + far))
    assert_same(kata.axial_rope(turned, -rows - near, -columns - far), x)


def equal_sizes(rng):
    for shape in ((4, 4), (8, 8), (4, 4, 8), (4, 4, 4), (4, 4, 4, 8), (8, 8, 8), (1, 4), (1, 1, 8), (3, 1, 1, 4)):
        yield rng.normal(size=shape), *rng.integers(-20, 40, size=(2, shape[-2]))


def patches(rng):
    for leading in ((), (2,), (2, 3), (2, 3, 5)):
        for d_head in (8, 12, 64, 4 * int(rng.integers(4, 12))):
            n, base = int(rng.integers(12, 20)), float(rng.uniform(20.0, 50000.0))
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            whole, parts = rng.integers(0, 60, size=n), rng.uniform(-40.0, 40.0, size=n)
            yield from ((x, whole, parts, base), (x, parts, whole))
    for base in (1.5, 1e7):
        yield rng.normal(size=(15, 16)), np.arange(15), np.arange(15)[::-1], base


def in_turn(rng):
    x, near, late = rng.normal(size=(12, 8)), np.arange(12) // 4, np.arange(12) % 4 + 7
    return [(x, near, late), (x, late, near), (x, near, late, 300.0), (x[:, :4], near, late, 300.0),
            (-x, near, late, 300.0), (x, near, late[::-1], 300.0)]


def some_places(rng):
    x, whole, parts = rng.normal(size=(2, 13, 8)), np.arange(13), rng.uniform(-20.0, 20.0, size=13)
    return [(x, whole, whole[::-1]), (x, parts, whole), (x, whole, parts), (x, parts, -parts)]


test_patches_with_any_leading_axes_agree_with_the_reference = checks.agrees_with_the_reference(1, "axial_rope", patches)
test_axes_of_equal_size_are_not_confused = checks.agrees_with_the_reference(1, "axial_rope", equal_sizes)
test_every_call_of_the_rotation_starts_afresh = checks.starts_afresh(1, "axial_rope", in_turn)
test_views_of_any_memory_order_are_turned = checks.takes_views(1, "axial_rope", some_places)
test_axial_rope_keeps_float32_whatever_the_places_are = checks.keeps_float32(1, "axial_rope", some_places)
test_whole_numbers_turn_as_real_numbers = checks.takes_whole_numbers(
    1, "axial_rope", lambda rng: [tuple(map(np.rint, (10.0 * x, *places))) for x, *places in some_places(rng)])


# Task 2: the scores in a grid

@pytest.mark.task(2)
def test_equal_vectors_score_by_cosines_and_others_by_sines_of_both_offsets(kata):
    # (1, 0, 1, 0) in every patch of a 2 x 3 image: cos(rows apart) + cos(columns apart)
    equal = np.tile([1.0, 0.0, 1.0, 0.0], (6, 1))
    scores = kata.axial_scores(equal, equal, 2, 3)                     # (6, 6)
    assert_same(scores[0], [2.0, 1.540302305868, 0.583853163453, 1.540302305868, 1.080604611736, 0.124155469321])
    assert_same(scores[4], [1.080604611736, 1.540302305868, 1.080604611736, 1.540302305868, 2.0, 1.540302305868])
    # (1, 0) against (0, 1) is the sine of query minus key; a 3 x 2 image, the query in the middle row, left
    q, down = np.tile([1.0, 0.0, 1.0, 0.0], (6, 1)), np.tile([0.0, 1.0, 0.0, 0.0], (6, 1))
    across = np.tile([0.0, 0.0, 0.0, 1.0], (6, 1))
    scores = kata.axial_scores(q, down, 3, 2)
    assert_same(scores[2], [0.841470984808, 0.841470984808, 0.0, 0.0, -0.841470984808, -0.841470984808])
    assert_same(scores[0, 4:], [-0.909297426826, -0.909297426826])
    assert_same(kata.axial_scores(q, across, 3, 2)[2:4], [[0.0, -0.841470984808] * 3, [0.841470984808, 0.0] * 3])


@pytest.mark.task(2)
def test_a_patch_with_itself_scores_the_plain_dot_product(kata):
    # a single patch has no offset, and neither has the diagonal; not divided by a root of the width
    q = np.array([[1.0, 2.0, 0.0, -1.0, 3.0, 0.0, 0.0, 1.0], [1.0] * 8])
    k = np.array([[2.0, 0.0, 1.0, 1.0, 1.0, -2.0, 0.0, 4.0], [2.0] * 8])
    assert_same(np.diagonal(kata.axial_scores(q, k, 1, 2)), [8.0, 16.0])
    assert_same(np.diagonal(kata.axial_scores(q, k, 2, 1)), [8.0, 16.0])
    assert_same(kata.axial_scores(q[None, None, :1], k[None, None, :1], 1, 1), [[[[8.0]]]])


@pytest.mark.task(2)
def test_patches_of_the_same_offset_score_the_same_a_number_for_rows_and_one_for_columns(kata, rng):
    q, k = np.tile(rng.normal(size=12), (24, 1)), np.tile(rng.normal(size=12), (24, 1))
    scores = kata.axial_scores(q, k, 4, 6, 200.0).reshape(4, 6, 4, 6)
    assert_same(scores[1:, :, 1:], scores[:-1, :, :-1])                # both one row lower
    assert_same(scores[:, 1:, :, 1:], scores[:, :-1, :, :-1])          # both one column to the right
    # the mixed second difference of a sum f(row) + g(column) is 0
    q, k = np.tile(rng.normal(size=16), (35, 1)), np.tile(rng.normal(size=16), (35, 1))
    scores = kata.axial_scores(q, k, 5, 7)[16].reshape(5, 7)           # of the patch (2, 2)
    assert_same(scores[1:, 1:] - scores[:-1, 1:] - scores[1:, :-1] + scores[:-1, :-1], np.zeros((4, 6)))


@pytest.mark.task(2)
def test_turning_the_image_exchanges_rows_and_columns(kata, rng):
    # the transposed image, with exchanged halves, has the same scores in the order of its own patches
    q, k = rng.normal(size=(2, 15, 8)), rng.normal(size=(2, 15, 8))
    order = np.arange(15).reshape(3, 5).T.ravel()
    other = kata.axial_scores(*(np.roll(v, 4, axis=-1)[:, order] for v in (q, k)), 5, 3, 90.0)
    assert_same(other, kata.axial_scores(q, k, 3, 5, 90.0)[:, order][:, :, order])


def images(rng):
    for leading in ((), (3,), (2, 3)):
        for d_head in (8, 12, 4 * int(rng.integers(4, 12))):
            height, width = int(rng.integers(2, 5)), int(rng.integers(5, 8))
            q, k = rng.normal(size=(2, *leading, height * width, d_head))
            base = float(rng.uniform(20.0, 50000.0))
            yield from ((q, k, height, width, base), (q, k, width, height, base))
    yield from ((*rng.normal(size=(2, 15, 16)), 3, 5, base) for base in (1.5, 1e7))


def narrow_and_square_images(rng):
    for height, width, d_head in ((1, 7, 8), (7, 1, 8), (4, 4, 16), (2, 2, 4), (3, 3, 8), (2, 4, 8), (4, 2, 8)):
        yield *rng.normal(size=(2, 2, height * width, d_head)), height, width


def images_in_turn(rng):
    q, k = rng.normal(size=(2, 12, 8))
    return [(q, k, 3, 4), (q, k, 4, 3), (q, k, 3, 4, 300.0), (k, q, 3, 4, 300.0), (q[:6], k[:6], 3, 2, 300.0),
            (q, k, 2, 6), (q, k, 1, 12)]


def an_image(rng, kind=float):
    return [(*rng.normal(scale=4.0, size=(2, 3, 12, 8)).astype(kind), 4, 3)]


test_scores_of_any_size_and_base_agree_with_the_reference = checks.agrees_with_the_reference(2, "axial_scores", images)
test_one_row_one_column_and_square_images_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "axial_scores", narrow_and_square_images)
test_every_call_of_the_scores_starts_afresh = checks.starts_afresh(2, "axial_scores", images_in_turn)
test_scores_read_views_and_read_only_arrays = checks.takes_views(2, "axial_scores", images_in_turn)
test_scores_of_float32_vectors_are_right = checks.agrees_with_the_reference(
    2, "axial_scores", lambda rng: an_image(rng, np.float32))
test_scores_of_whole_numbers_are_real_numbers = checks.takes_whole_numbers(
    2, "axial_scores", lambda rng: [(np.rint(q), np.rint(k), *sides) for q, k, *sides in an_image(rng)])


# Task 3: images of another size

@pytest.mark.task(3)
def test_images_wider_and_higher_than_in_training_and_as_large_by_hand(kata):
    wanted = ([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], [0.0, 0.5, 1.0, 1.5, 0.0, 0.5, 1.0, 1.5])
    assert_same(kata.resized_positions(2, 4, 2, 2), wanted)
    # 3 x 2 patches in the range of 6 x 5: rows in steps of 2, columns in steps of 2.5
    wanted = ([0.0, 0.0, 2.0, 2.0, 4.0, 4.0], [0.0, 2.5, 0.0, 2.5, 0.0, 2.5])
    assert_same(kata.resized_positions(height=3, width=2, train_height=6, train_width=5), wanted)
    # 4 x 2 patches, trained on 3 x 5: rows in steps of 3/4, columns in steps of 5/2
    wanted = ([0.0, 0.0, 0.75, 0.75, 1.5, 1.5, 2.25, 2.25], [0.0, 2.5] * 4)
    assert_same(kata.resized_positions(4, 2, 3, 5), wanted)
    assert_same(kata.resized_positions(2, 3, 2, 3), ([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 1.0, 2.0] * 2))
    assert_same(kata.resized_positions(3, 3, 3, 3), ([0.0] * 3 + [1.0] * 3 + [2.0] * 3, [0.0, 1.0, 2.0] * 3))


@pytest.mark.task(3)
def test_a_single_patch_is_at_the_corner(kata):
    assert_same(kata.resized_positions(1, 1, 16, 16), ([0.0], [0.0]))
    assert_same(kata.resized_positions(1, 4, 8, 1), ([0.0] * 4, [0.0, 0.25, 0.5, 0.75]))
    assert_same(kata.resized_positions(4, 1, 1, 8), ([0.0, 0.25, 0.5, 0.75], [0.0] * 4))


@pytest.mark.task(3)
def test_448_pixels_of_eva_02_stay_within_sixteen(kata):
    # 32 x 32 patches, trained on 16 x 16: half steps up to 15.5; 24 x 24: steps of two thirds up to 15 1/3
    rows, columns = kata.resized_positions(32, 32, 16, 16)
    assert_same(columns[:32], np.arange(0.0, 16.0, 0.5))
    assert_same(rows[::32], np.arange(0.0, 16.0, 0.5))
    rows, columns = kata.resized_positions(24, 24, 16, 16)
    assert_same(np.array([rows[24], columns[1], rows[-1], columns[-1]]), [2 / 3, 2 / 3, 46 / 3, 46 / 3])


test_positions_for_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "resized_positions", lambda rng: [
        (1, 1, 1, 1), (2, 2, 3, 5), (7, 7, 7, 2), (4, 6, 6, 4), *map(tuple, rng.integers(1, 24, size=(6, 4)).tolist())])


@pytest.mark.task(3)
def test_a_resized_image_scores_as_in_training_where_patches_meet(kata, reference, rng):
    # a 4 x 6 image, trained on 2 x 3: every second patch of every second row is where a patch of the training was
    x = rng.normal(size=(6, 8))
    fine = np.repeat(np.repeat(x.reshape(2, 3, 8), 2, axis=0), 2, axis=1).reshape(24, 8)
    rows, columns = kata.resized_positions(4, 6, 2, 3)
    turned = reference.axial_rope(fine, rows, columns).reshape(4, 6, 8)[::2, ::2].reshape(6, 8)
    assert_same(turned @ turned.T, reference.axial_scores(x, x, 2, 3))


# All three

test_rotation_scores_and_positions_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), axial_rope=some_places, axial_scores=an_image, resized_positions=[(5, 7, 3, 4)])
