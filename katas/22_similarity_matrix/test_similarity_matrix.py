"""What similarity of positions has to be: values worked by hand, geometry, sinusoids, ties, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import sinusoids


def in_the_plane(degrees, lengths):
    """One row per direction, of the given length."""
    angles = np.radians(degrees)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1) * np.asarray(lengths, dtype=float)[:, None]


def with_cosines(*cosines):
    """Rows of length 1; row 0 has these cosines with the rows after it."""
    return np.array([[1.0, 0.0], *([c, np.sqrt(1.0 - c * c)] for c in cosines)])


def without_ties(rng, n, d):
    """Random rows of many lengths whose cosines all differ by far more than a tie."""
    while True:
        table = rng.normal(size=(n, d)) * rng.uniform(0.2, 5.0, size=(n, 1))
        directions = table / np.sqrt((table**2).sum(axis=1, keepdims=True))
        cosines = np.sort(directions @ directions.T, axis=1)
        if np.diff(cosines, axis=1).min() > 1e-4:
            return table


def tables_of_any_shape(rng):
    for shape in ((12, 8), (12, 8), (8, 12), (9, 9), (1, 5), (17, 2)):
        yield (3.0 * rng.normal(size=shape) + 5.0,)
    yield (2.0 * rng.normal(size=(12, 7)).astype(np.float32),)
    yield (np.array([[300.0, 400.0], [400.0, -300.0], [0.0, 500.0]]),)


# Task 1: dot products

@pytest.mark.task(1)
def test_dot_products_of_two_rows_by_hand(kata):
    # 1 + 4 + 0, 3 - 2 + 0, 9 + 1 + 16
    assert_same(kata.dot_similarity(np.array([[1.0, 2.0, 0.0], [3.0, -1.0, 4.0]])), [[5.0, 1.0], [1.0, 26.0]])
    # a row of zeros
    assert_same(kata.dot_similarity(np.array([[0.0, 0.0], [1.0, 7.0]])), [[0.0, 0.0], [0.0, 50.0]])
    table = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [-1.0, 1.0, 0.5]])
    assert_same(kata.dot_similarity(table), [[5.0, 0.0, 0.0], [0.0, 9.0, 3.0], [0.0, 3.0, 2.25]])
    assert_same(kata.dot_similarity(np.array([[3.0, -4.0, 12.0]])), [[169.0]])
    column = np.array([[2.0], [-0.5], [0.0]])
    assert_same(kata.dot_similarity(column), [[4.0, -1.0, 0.0], [-1.0, 0.25, 0.0], [0.0, 0.0, 0.0]])


@pytest.mark.task(1)
def test_sinusoidal_similarity_is_a_sum_of_cosines_of_the_offset(kata):
    # width 4, frequencies 1 and 0.01: cos 1 + cos 0.01 one position apart, cos 2 + cos 0.02 two apart
    near, far = 1.540252306285, 0.583653170119
    assert_same(kata.dot_similarity(sinusoids(range(3), 4)), [[2.0, near, far], [near, 2.0, near], [far, near, 2.0]])
    positions = np.array([0, 7, 100, 511, 512])
    offsets = positions[:, None] - positions                           # (5, 5)
    wanted = sum(np.cos(offsets * 300.0 ** (-2 * i / 18)) for i in range(9))
    assert_same(kata.dot_similarity(sinusoids(positions, 18, base=300.0)), wanted)


@pytest.mark.task(1)
def test_dot_products_give_the_distances_between_rows(kata, rng):
    table = rng.normal(size=(13, 6))
    similarity = kata.dot_similarity(encoding=table)                   # (13, 13)
    squares = np.diag(similarity)
    distances = np.array([[np.linalg.norm(a - b) for b in table] for a in table])
    assert_same(squares[:, None] + squares - 2 * similarity, distances**2)


test_dot_products_of_any_table_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "dot_similarity", tables_of_any_shape)
test_whole_numbers_have_dot_products_as_well = checks.takes_whole_numbers(1, "dot_similarity", tables_of_any_shape)
test_dot_products_do_not_depend_on_how_the_table_lies_in_memory = checks.takes_views(
    1, "dot_similarity", tables_of_any_shape)


# Task 2: cosines

@pytest.mark.task(2)
def test_cosines_of_rows_by_hand(kata):
    # lengths 5, 5, 10, 2; dot products 24, 0, -8; -14, -6; -12
    table = np.array([[3.0, 0.0, 4.0], [4.0, 0.0, 3.0], [-8.0, 0.0, 6.0], [0.0, 0.0, -2.0]])
    wanted = [[1.0, 0.96, 0.0, -0.8], [0.96, 1.0, -0.28, -0.6], [0.0, -0.28, 1.0, -0.6], [-0.8, -0.6, -0.6, 1.0]]
    assert_same(kata.cosine_similarity(table), wanted)
    table = np.array([[2.0, 3.0, 6.0], [6.0, 2.0, -3.0], [0.0, -4.0, 3.0]])      # lengths 7, 7, 5
    wanted = [[1.0, 0.0, 6 / 35], [0.0, 1.0, -17 / 35], [6 / 35, -17 / 35, 1.0]]
    assert_same(kata.cosine_similarity(table), wanted)
    assert_same(kata.cosine_similarity(np.array([[3.0, -4.0, 1.0]])), [[1.0]])             # they sum to 0
    column = np.array([[2.0], [-0.5], [8.0]])
    assert_same(kata.cosine_similarity(column), [[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, 1.0]])
    # width 4: (cos 1 + cos 0.01) / 2 one position apart
    assert_same(kata.cosine_similarity(sinusoids(range(3), 4))[1], [0.770126153142, 1.0, 0.770126153142])


@pytest.mark.task(2)
def test_rows_have_a_direction_however_short_or_long(kata):
    # right angles and half right angles between rows a millionth, one and a thousand long
    table, half = in_the_plane([30, 120, 75, 210], [1e-6, 1.0, 1e-6, 1e3]), 0.707106781187
    wanted = [[1.0, 0, half, -1], [0, 1, half, 0], [half, half, 1, -half], [-1, 0, -half, 1]]
    assert_same(kata.cosine_similarity(table), wanted)
    # all of length 3; dot products 8, 4 and 0
    table = np.array([[1.0, 2.0, 2.0], [2.0, 1.0, 2.0], [-2.0, 2.0, 1.0]])
    for length in (1e-13, 1e-9, 1e6):
        assert_same(kata.cosine_similarity(length * table), [[1.0, 8 / 9, 4 / 9], [8 / 9, 1.0, 0.0], [4 / 9, 0.0, 1.0]])


@pytest.mark.task(2)
def test_the_cosine_is_that_of_the_angle_between_two_rows(kata, rng):
    degrees = rng.uniform(0.0, 360.0, size=14)
    table = in_the_plane(degrees, rng.uniform(0.3, 6.0, size=14))
    assert_same(kata.cosine_similarity(encoding=table), np.cos(np.radians(degrees[:, None] - degrees)))


@pytest.mark.task(2)
def test_lengths_and_the_order_of_columns_do_not_matter_and_a_turned_row_changes_the_sign(kata, rng):
    table, signs = 0.5 + rng.normal(size=(13, 6)), np.where(np.arange(13) % 3 == 0, -1.0, 1.0)
    lengths, wanted = rng.uniform(0.1, 9.0, size=13), kata.cosine_similarity(table)
    assert_same(kata.cosine_similarity(table[:, rng.permutation(6)]), wanted)
    assert_same(kata.cosine_similarity(table * (lengths * signs)[:, None]), np.multiply(wanted, np.outer(signs, signs)))


test_cosines_of_any_table_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "cosine_similarity", tables_of_any_shape)
test_whole_numbers_have_cosines_as_well = checks.takes_whole_numbers(2, "cosine_similarity", tables_of_any_shape)
test_cosines_do_not_depend_on_how_the_table_lies_in_memory = checks.takes_views(
    2, "cosine_similarity", tables_of_any_shape)


# Task 3: the nearest

@pytest.mark.task(3)
def test_the_smallest_angle_comes_first_however_long_the_row(kata):
    for lengths in ([1, 0.2, 9, 1, 30, 0.5], [1, 0.2, 1e-9, 1, 1e-13, 0.5]):
        table = in_the_plane([0, 200, 10, 300, 45, 100], lengths)
        # from row 0 the others are 160, 10, 60, 45 and 100 degrees away
        assert_same(kata.nearest_positions(table, 0, 5), [2, 4, 3, 5, 1])
        assert_same(kata.nearest_positions(table, position=0, k=2), [2, 4])
        # from row 3, at 300 degrees: 60, 100, 70, 105 and 160 degrees away
        assert_same(kata.nearest_positions(table, 3, 4), [0, 2, 1, 4])
    # width 16: offsets 1 to 7 have the dot products 7.485, 6.368, 5.543, 5.560, 6.137, 6.445 and 5.892
    assert_same(kata.nearest_positions(sinusoids(range(8), 16), 0, 7), [1, 6, 2, 5, 7, 4, 3])


@pytest.mark.task(3)
def test_the_first_and_the_last_position_have_neighbours(kata):
    table, opposite = in_the_plane([0, 15, 40, 75, 120], [2, 1, 3, 1, 2]), np.array([[1.0, 0.0], [-3.0, 0.0]])
    for rows, position, wanted in ((table, 0, [1, 2, 3, 4]), (table, 4, [3, 2, 1, 0]), (opposite, 0, [1]),
                                   (opposite, 1, [0])):
        assert_same(kata.nearest_positions(rows, position, len(wanted)), wanted)


@pytest.mark.task(3)
def test_a_position_is_never_its_own_neighbour_but_a_copy_of_its_row_is(kata):
    # every other row lies more than a right angle away
    table = in_the_plane([95, 265, 0, 180, 110], [1, 2, 3, 1, 2])
    assert_same(kata.nearest_positions(table, 2, 4), [0, 1, 4, 3])
    assert_same(kata.nearest_positions(table, 2, 1), [0])
    table = np.array([[0.0, 1.0], [4.0, 0.0], [2.0, 2.0], [1.0, 0.0], [-1.0, 1.0], [-1.0, 0.0]])
    assert_same(kata.nearest_positions(table, 3, 5), [1, 2, 0, 4, 5])
    assert_same(kata.nearest_positions(table, 1, 1), [3])


@pytest.mark.task(3)
def test_a_smaller_k_starts_the_ranking_and_another_order_keeps_the_neighbours(kata, rng):
    table = without_ties(rng, 13, 5)
    ranking = kata.nearest_positions(table, 6, 12)
    for k in (1, 5, 11):
        assert_same(kata.nearest_positions(table, 6, k), ranking[:k])
    table, order = without_ties(rng, 12, 6), rng.permutation(12)
    moved = np.asarray(kata.nearest_positions(table[order], 4, 7)).astype(int)      # numbers in the new order
    assert_same(order[moved], kata.nearest_positions(table, int(order[4]), 7))


@pytest.mark.task(3)
def test_equal_similarities_go_to_the_lower_index_even_when_the_higher_is_the_closer_position(kata):
    # one column: every cosine is 1 or -1
    table = np.array([[-1.0], [2.0], [-4.0], [-0.5], [8.0], [1.0]])
    assert_same(kata.nearest_positions(table, 3, 5), [0, 2, 1, 4, 5])
    assert_same(kata.nearest_positions(table, 4, 5), [1, 5, 0, 2, 3])
    table = np.array([[0.0, 1], [0, 2], [1, 0], [-1, 0], [0, -3], [2, 0], [4, 0], [0, 1]])
    assert_same(kata.nearest_positions(table, 6, 7), [2, 5, 0, 1, 4, 7, 3])


@pytest.mark.task(3)
def test_a_long_tie_is_in_rising_order_throughout(kata):
    # every third cosine is -1, all others are 1
    table = np.resize([1.0, -2.0, 3.0], (40, 1))
    rising = [p for p in range(40) if p % 3 != 1 and p != 20]
    assert_same(kata.nearest_positions(table, 20, 26), rising)
    assert_same(kata.nearest_positions(table, 20, 8), rising[:8])


@pytest.mark.task(3)
def test_similarities_that_only_rounding_tells_apart_are_a_tie(kata):
    # sines and cosines of 90, 180, 270 and 0 degrees a position, each off zero by its own rounding error:
    # four positions away the row is the same again, at every other offset the four cosines add up to 0
    angles = np.outer(np.arange(13), [np.pi / 2, np.pi, 3 * np.pi / 2, 0.0])
    table = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)   # (13, 8)
    assert_same(kata.nearest_positions(table, 6, 12), [2, 10, 0, 1, 3, 4, 5, 7, 8, 9, 11, 12])
    assert_same(kata.nearest_positions(table, 11, 5), [3, 7, 0, 1, 2])


def nearly_tied():
    """Cosines with row 4: (1 + e, 1, 1, 1) has 0.5 + 0.375e and (4 + e, 0, 3, 0) has 0.8 + 0.072e."""
    return np.array([
        [-1.0 - 3e-14, 1.0, 1.0, 1.0],        # 0:  -0.5 - 1.1e-14
        [1.0 + 3e-14, 1.0, 1.0, 1.0],         # 1:   0.5 + 1.1e-14
        [-1.0 - 1e-13, 1.0, 1.0, 1.0],        # 2:  -0.5 - 3.8e-14
        [5e-14, 0.0, 5.0, 0.0],               # 3:   0.0 + 1.0e-14
        [2.0, 0.0, 0.0, 0.0],                 # 4
        [1.0 + 7e-14, 1.0, 1.0, 1.0],         # 5:   0.5 + 2.6e-14
        [4.0 + 1.5e-13, 0.0, 3.0, 0.0],       # 6:   0.8 + 1.1e-14
        [-1.0 - 6e-14, -1.0, 1.0, 1.0],       # 7:  -0.5 - 2.3e-14
        [2.0 + 2e-13, -2.0, -2.0, 2.0],       # 8:   0.5 + 3.8e-14
        [3.0, 4.0, 0.0, 0.0],                 # 9:   0.6
        [1.5e-13, 0.0, 0.0, 5.0],             # 10:  0.0 + 3.0e-14
        [4.0 + 4e-13, -3.0, 0.0, 0.0],        # 11:  0.8 + 2.9e-14
    ])


@pytest.mark.task(3)
def test_similarities_that_differ_after_the_thirteenth_digit_are_a_tie(kata):
    # settled before the ranking is cut
    for k in (1, 4, 5, 11):
        assert_same(kata.nearest_positions(nearly_tied(), 4, k), [6, 11, 9, 1, 5, 8, 3, 10, 0, 2, 7][:k])


@pytest.mark.task(3)
def test_ties_are_of_the_cosine_not_of_the_angle_and_as_wide_near_zero_as_elsewhere(kata):
    # a turn of 1e-7 costs 5e-15 of the cosine
    assert_same(kata.nearest_positions(np.array([[1.0, 0.0], [1.0, 1e-7], [1.0, 0.0]]), 0, 2), [1, 2])
    # cosines with row 2: -4e-14, 1e-14 and 4e-14 are a tie; 0.008 and 0.01 are none
    table = np.array([[-4e-14, 1.0], [0.008, 1.0], [1.0, 0.0], [1e-14, 1.0], [0.01, 1.0], [4e-14, 1.0]])
    assert_same(kata.nearest_positions(table, 2, 5), [4, 1, 0, 3, 5])


@pytest.mark.task(3)
def test_similarities_a_few_millionths_apart_are_no_tie(kata):
    # cosines with row 5: 0.5, 0.500003 and 0.500006, and 0.999998 against 1
    table = np.array([[1.0, 1.0, 1.0, 1.0], [1.0, 0.002, 0.0, 0.0], [1.0 + 8e-6, 1.0, 1.0, 1.0], [2.0, 0.0, 0.0, 0.0],
                      [1.0 + 16e-6, 1.0, 1.0, 1.0], [4.0, 0.0, 0.0, 0.0]])
    assert_same(kata.nearest_positions(table, 5, 5), [3, 1, 4, 2, 0])
    assert_same(kata.nearest_positions(table, 5, 1), [3])


@pytest.mark.task(3)
def test_near_one_a_few_millionths_are_no_tie_either(kata):
    assert_same(kata.nearest_positions(with_cosines(0.9, 0.900004, 0.900008), 0, 3), [3, 2, 1])


def tables_full_of_ties(rng):
    # signs in 16 columns: every row has length 4, every cosine is a whole number of eighths
    for n in (14, 40):
        table = rng.choice([-1.0, 1.0], size=(n, 16))
        yield from ((table, position, k) for position in (0, n // 2, n - 1) for k in (n - 1, n // 3))


def tables_without_ties(rng):
    for n, d in ((12, 8), (8, 12), (9, 9), (16, 3)):
        table = without_ties(rng, n, d)
        yield from ((table, position, n - 1) for position in (0, n // 2, n - 1))


def rankings_one_after_the_other(rng):
    first, second = without_ties(rng, 13, 6), without_ties(rng, 13, 6)
    yield from ((first, 2, 5), (second, 2, 5), (first, 9, 5), (first, 2, 9))


test_tables_full_of_ties_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "nearest_positions", tables_full_of_ties)
test_rankings_of_any_table_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "nearest_positions", tables_without_ties)
test_whole_numbers_have_rankings_as_well = checks.takes_whole_numbers(3, "nearest_positions", tables_full_of_ties)
test_the_ranking_does_not_depend_on_how_the_table_lies_in_memory = checks.takes_views(
    3, "nearest_positions", tables_without_ties)
test_every_ranking_starts_afresh = checks.starts_afresh(3, "nearest_positions", rankings_one_after_the_other)


# All three

# both positions at one offset are equally alike: left and right of the middle they take turns, left first
test_similarities_are_in_double_precision_and_so_are_the_ties_of_sinusoids = checks.are_in_double_precision(
    (1, 2, 3), dot_similarity=[(sinusoids(range(12), 8),)], cosine_similarity=[(sinusoids(range(12), 8),)],
    nearest_positions=[(sinusoids(range(25), 16), 12, 6), (sinusoids(range(60), 128), 30, 8)])
