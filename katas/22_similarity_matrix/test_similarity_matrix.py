"""What similarity of positions has to be: values worked by hand, geometry, sinusoids, ties, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_same
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


def layouts(table):
    """The same rows as arrays that lie in memory in other ways, and one that cannot be written to."""
    strided = np.full((2 * len(table), 3 * table.shape[1]), 99.0)
    strided[::2, 1::3] = table
    read_only = table.copy()
    read_only.flags.writeable = False
    return np.asfortranarray(table), strided[::2, 1::3], table[::-1, ::-1].copy()[::-1, ::-1], read_only


# Task 1: dot products

@pytest.mark.task(1)
def test_dot_products_of_two_rows_by_hand(kata):
    # 1 + 4 + 0, 3 - 2 + 0, 9 + 1 + 16
    assert_same(kata.dot_similarity(np.array([[1.0, 2.0, 0.0], [3.0, -1.0, 4.0]])), [[5.0, 1.0], [1.0, 26.0]])


@pytest.mark.task(1)
def test_as_many_columns_as_rows_still_compares_rows(kata):
    table = np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [-1.0, 1.0, 0.5]])
    assert_same(kata.dot_similarity(table), [[5.0, 0.0, 0.0], [0.0, 9.0, 3.0], [0.0, 3.0, 2.25]])


@pytest.mark.task(1)
def test_one_row_and_one_column_have_dot_products_too(kata):
    assert_same(kata.dot_similarity(np.array([[3.0, -4.0, 12.0]])), [[169.0]])
    column = np.array([[2.0], [-0.5], [0.0]])
    assert_same(kata.dot_similarity(column), [[4.0, -1.0, 0.0], [-1.0, 0.25, 0.0], [0.0, 0.0, 0.0]])


@pytest.mark.task(1)
def test_a_row_of_zeros_has_dot_products_of_zero(kata):
    assert_same(kata.dot_similarity(np.array([[0.0, 0.0], [1.0, 7.0]])), [[0.0, 0.0], [0.0, 50.0]])


@pytest.mark.task(1)
def test_neighbours_in_a_sinusoidal_table_by_hand(kata):
    # width 4, frequencies 1 and 0.01: cos 1 + cos 0.01 one position apart, cos 2 + cos 0.02 two apart
    near, far = 1.540252306285, 0.583653170119
    assert_same(
        kata.dot_similarity(sinusoids(range(3), 4)), [[2.0, near, far], [near, 2.0, near], [far, near, 2.0]])


@pytest.mark.task(1)
def test_sinusoidal_similarity_is_a_sum_of_cosines_of_the_offset(kata):
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


@pytest.mark.task(1)
def test_two_tables_side_by_side_add_their_dot_products(kata, rng):
    left, right = rng.normal(size=(12, 5)), rng.normal(size=(12, 9))
    assert_same(
        kata.dot_similarity(np.concatenate([left, right], axis=1)),
        np.add(kata.dot_similarity(left), kata.dot_similarity(right)),
    )


@pytest.mark.task(1)
def test_whole_numbers_and_single_precision_have_dot_products_as_well(kata, reference, rng):
    table = np.array([[300, 400], [400, -300], [0, 500]])
    wanted = [[250000.0, 0.0, 200000.0], [0.0, 250000.0, -150000.0], [200000.0, -150000.0, 250000.0]]
    assert_same(kata.dot_similarity(table), wanted)
    single = rng.normal(size=(12, 7)).astype(np.float32)
    assert_same(kata.dot_similarity(single), reference.dot_similarity(single))


@pytest.mark.task(1)
def test_dot_products_do_not_depend_on_how_the_table_lies_in_memory(kata, reference, rng):
    table = rng.normal(size=(12, 7))
    for same in layouts(table):
        assert_same(kata.dot_similarity(same), reference.dot_similarity(table))


@pytest.mark.task(1)
def test_dot_products_of_any_table_agree_with_the_reference(kata, reference, rng):
    for shape in ((12, 8), (12, 8), (8, 12), (9, 9), (1, 5), (17, 1)):
        table = 3.0 * rng.normal(size=shape) + 0.5
        assert_same(kata.dot_similarity(table), reference.dot_similarity(table))


# Task 2: cosines

@pytest.mark.task(2)
def test_cosines_of_four_rows_by_hand(kata):
    # lengths 5, 5, 10, 2; dot products 24, 0, -8; -14, -6; -12
    table = np.array([[3.0, 0.0, 4.0], [4.0, 0.0, 3.0], [-8.0, 0.0, 6.0], [0.0, 0.0, -2.0]])
    assert_same(
        kata.cosine_similarity(table),
        [[1.0, 0.96, 0.0, -0.8], [0.96, 1.0, -0.28, -0.6], [0.0, -0.28, 1.0, -0.6], [-0.8, -0.6, -0.6, 1.0]],
    )


@pytest.mark.task(2)
def test_as_many_columns_as_rows_still_normalises_rows(kata):
    table = np.array([[2.0, 3.0, 6.0], [6.0, 2.0, -3.0], [0.0, -4.0, 3.0]])      # lengths 7, 7, 5
    assert_same(
        kata.cosine_similarity(table), [[1.0, 0.0, 6 / 35], [0.0, 1.0, -17 / 35], [6 / 35, -17 / 35, 1.0]])


@pytest.mark.task(2)
def test_one_row_is_like_itself_and_one_column_knows_only_signs(kata):
    assert_same(kata.cosine_similarity(np.array([[3.0, -4.0, 1.0]])), [[1.0]])             # they sum to 0
    column = np.array([[2.0], [-0.5], [8.0]])
    assert_same(kata.cosine_similarity(column), [[1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, 1.0]])


@pytest.mark.task(2)
def test_sinusoidal_rows_have_the_length_root_of_half_the_width(kata):
    # width 4: (cos 1 + cos 0.01) / 2 one position apart
    similarity = kata.cosine_similarity(sinusoids(range(3), 4))
    assert_same(similarity[1], [0.770126153142, 1.0, 0.770126153142])


@pytest.mark.task(2)
def test_rows_of_very_different_lengths_have_their_cosines(kata):
    # right angles and half right angles between rows a millionth, one and a thousand long
    table = in_the_plane([30, 120, 75, 210], [1e-6, 1.0, 1e-6, 1e3])
    half = 0.707106781187
    wanted = [[1, 0, half, -1], [0, 1, half, 0], [half, half, 1, -half], [-1, 0, -half, 1]]
    assert_same(kata.cosine_similarity(table), np.array(wanted, dtype=float))


@pytest.mark.task(2)
def test_short_rows_and_long_rows_have_a_direction(kata):
    # all of length 3; dot products 8, 4 and 0
    table = np.array([[1.0, 2.0, 2.0], [2.0, 1.0, 2.0], [-2.0, 2.0, 1.0]])
    wanted = [[1.0, 8 / 9, 4 / 9], [8 / 9, 1.0, 0.0], [4 / 9, 0.0, 1.0]]
    for length in (1e-13, 1e-9, 1e6):
        assert_same(kata.cosine_similarity(length * table), wanted)


@pytest.mark.task(2)
def test_the_cosine_is_that_of_the_angle_between_two_rows(kata, rng):
    degrees = rng.uniform(0.0, 360.0, size=14)
    table = in_the_plane(degrees, rng.uniform(0.3, 6.0, size=14))
    assert_same(kata.cosine_similarity(encoding=table), np.cos(np.radians(degrees[:, None] - degrees)))


@pytest.mark.task(2)
def test_lengths_do_not_matter_and_a_turned_row_changes_the_sign(kata, rng):
    table = rng.normal(size=(13, 6))
    lengths = rng.uniform(0.1, 9.0, size=13)
    signs = np.where(np.arange(13) % 3 == 0, -1.0, 1.0)
    assert_same(
        kata.cosine_similarity(table * (lengths * signs)[:, None]),
        np.multiply(kata.cosine_similarity(table), np.outer(signs, signs)),
    )


@pytest.mark.task(2)
def test_the_order_of_columns_does_not_matter(kata, rng):
    table = 0.5 + rng.normal(size=(12, 9))
    assert_same(kata.cosine_similarity(table[:, rng.permutation(9)]), kata.cosine_similarity(table))


@pytest.mark.task(2)
def test_whole_numbers_and_single_precision_have_cosines_as_well(kata, reference, rng):
    table = np.array([[300, 400], [400, -300], [0, 500]])
    wanted = [[1.0, 0.0, 0.8], [0.0, 1.0, -0.6], [0.8, -0.6, 1.0]]
    assert_same(kata.cosine_similarity(table), wanted)
    single = 2.0 * rng.normal(size=(12, 7)).astype(np.float32)
    assert_same(kata.cosine_similarity(single), reference.cosine_similarity(single))


@pytest.mark.task(2)
def test_cosines_do_not_depend_on_how_the_table_lies_in_memory(kata, reference, rng):
    table = 2.0 * rng.normal(size=(12, 7))
    for same in layouts(table):
        assert_same(kata.cosine_similarity(same), reference.cosine_similarity(table))


@pytest.mark.task(2)
def test_cosines_of_any_table_agree_with_the_reference(kata, reference, rng):
    for shape in ((12, 8), (12, 8), (8, 12), (9, 9), (1, 5), (17, 2)):
        table = 3.0 * rng.normal(size=shape) + 0.5
        assert_same(kata.cosine_similarity(table), reference.cosine_similarity(table))


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


@pytest.mark.task(3)
def test_the_most_alike_sinusoidal_rows_are_not_always_the_closest(kata):
    # width 16: offsets 1 to 7 have the dot products 7.485, 6.368, 5.543, 5.560, 6.137, 6.445 and 5.892
    assert_same(kata.nearest_positions(sinusoids(range(8), 16), 0, 7), [1, 6, 2, 5, 7, 4, 3])


@pytest.mark.task(3)
def test_the_first_and_the_last_position_have_neighbours(kata):
    table = in_the_plane([0, 15, 40, 75, 120], [2, 1, 3, 1, 2])
    assert_same(kata.nearest_positions(table, 0, 4), [1, 2, 3, 4])
    assert_same(kata.nearest_positions(table, 4, 4), [3, 2, 1, 0])


@pytest.mark.task(3)
def test_of_two_positions_each_is_the_neighbour_of_the_other(kata):
    opposite = np.array([[1.0, 0.0], [-3.0, 0.0]])
    assert_same(kata.nearest_positions(opposite, 0, 1), [1])
    assert_same(kata.nearest_positions(opposite, 1, 1), [0])


@pytest.mark.task(3)
def test_a_position_is_never_its_own_neighbour(kata):
    # every other row lies more than a right angle away
    table = in_the_plane([95, 265, 0, 180, 110], [1, 2, 3, 1, 2])
    assert_same(kata.nearest_positions(table, 2, 4), [0, 1, 4, 3])
    assert_same(kata.nearest_positions(table, 2, 1), [0])


@pytest.mark.task(3)
def test_a_copy_of_the_row_is_its_nearest_neighbour(kata):
    table = np.array([[0.0, 1.0], [4.0, 0.0], [2.0, 2.0], [1.0, 0.0], [-1.0, 1.0], [-1.0, 0.0]])
    assert_same(kata.nearest_positions(table, 3, 5), [1, 2, 0, 4, 5])
    assert_same(kata.nearest_positions(table, 1, 1), [3])


@pytest.mark.task(3)
def test_a_smaller_k_gives_the_start_of_the_ranking(kata, rng):
    table = without_ties(rng, 13, 5)
    ranking = kata.nearest_positions(table, 6, 12)
    for k in (1, 5, 11):
        assert_same(kata.nearest_positions(table, 6, k), ranking[:k])


@pytest.mark.task(3)
def test_positions_in_another_order_have_the_same_neighbours(kata, rng):
    table, order = without_ties(rng, 12, 6), rng.permutation(12)
    moved = np.asarray(kata.nearest_positions(table[order], 4, 7)).astype(int)      # numbers in the new order
    assert_same(order[moved], kata.nearest_positions(table, int(order[4]), 7))


@pytest.mark.task(3)
def test_equal_similarities_go_to_the_lower_index(kata):
    # one column: every cosine is 1 or -1
    table = np.array([[-1.0], [2.0], [-4.0], [-0.5], [8.0], [1.0]])
    assert_same(kata.nearest_positions(table, 3, 5), [0, 2, 1, 4, 5])
    assert_same(kata.nearest_positions(table, 4, 5), [1, 5, 0, 2, 3])


@pytest.mark.task(3)
def test_a_long_tie_is_in_rising_order_throughout(kata):
    # every third cosine is -1, all others are 1
    table = np.resize([1.0, -2.0, 3.0], (40, 1))
    rising = [p for p in range(40) if p % 3 != 1 and p != 20]
    assert_same(kata.nearest_positions(table, 20, 26), rising)
    assert_same(kata.nearest_positions(table, 20, 8), rising[:8])


@pytest.mark.task(3)
def test_the_lower_index_wins_even_when_the_higher_is_the_closer_position(kata):
    table = np.array([
        [0.0, 1.0], [0.0, 2.0], [1.0, 0.0], [-1.0, 0.0], [0.0, -3.0], [2.0, 0.0], [4.0, 0.0], [0.0, 1.0],
    ])
    assert_same(kata.nearest_positions(table, 6, 7), [2, 5, 0, 1, 4, 7, 3])


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
    assert_same(kata.nearest_positions(nearly_tied(), 4, 11), [6, 11, 9, 1, 5, 8, 3, 10, 0, 2, 7])


@pytest.mark.task(3)
def test_ties_are_settled_before_the_ranking_is_cut(kata):
    for k in (1, 4, 5):
        assert_same(kata.nearest_positions(nearly_tied(), 4, k), [6, 11, 9, 1, 5][:k])


@pytest.mark.task(3)
def test_ties_are_of_the_cosine_and_not_of_the_angle(kata):
    # a turn of 1e-7 costs 5e-15 of the cosine
    assert_same(kata.nearest_positions(np.array([[1.0, 0.0], [1.0, 1e-7], [1.0, 0.0]]), 0, 2), [1, 2])


@pytest.mark.task(3)
def test_near_zero_a_tie_is_as_wide_as_elsewhere(kata):
    # cosines with row 2: -4e-14, 1e-14 and 4e-14 are a tie; 0.008 and 0.01 are none
    table = np.array([[-4e-14, 1.0], [0.008, 1.0], [1.0, 0.0], [1e-14, 1.0], [0.01, 1.0], [4e-14, 1.0]])
    assert_same(kata.nearest_positions(table, 2, 5), [4, 1, 0, 3, 5])


@pytest.mark.task(3)
def test_similarities_a_few_millionths_apart_are_no_tie(kata):
    # cosines with row 5: 0.5, 0.500003 and 0.500006, and 0.999998 against 1
    table = np.array([
        [1.0, 1.0, 1.0, 1.0], [1.0, 0.002, 0.0, 0.0], [1.0 + 8e-6, 1.0, 1.0, 1.0], [2.0, 0.0, 0.0, 0.0],
        [1.0 + 16e-6, 1.0, 1.0, 1.0], [4.0, 0.0, 0.0, 0.0],
    ])
    assert_same(kata.nearest_positions(table, 5, 5), [3, 1, 4, 2, 0])
    assert_same(kata.nearest_positions(table, 5, 1), [3])


@pytest.mark.task(3)
def test_near_one_a_few_millionths_are_no_tie_either(kata):
    assert_same(kata.nearest_positions(with_cosines(0.9, 0.900004, 0.900008), 0, 3), [3, 2, 1])


@pytest.mark.task(3)
def test_the_ranking_does_not_depend_on_how_the_table_lies_in_memory(kata, reference, rng):
    table = without_ties(rng, 13, 7)
    for same in layouts(table):
        assert_same(kata.nearest_positions(same, 5, 8), reference.nearest_positions(table, 5, 8))


@pytest.mark.task(3)
def test_every_ranking_starts_afresh(kata, reference, rng):
    first, second = without_ties(rng, 13, 6), without_ties(rng, 13, 6)
    for table, position, k in ((first, 2, 5), (second, 2, 5), (first, 9, 5), (first, 2, 9), (first, 2, 5)):
        wanted = reference.nearest_positions(table, position, k)
        assert_same(kata.nearest_positions(table, position, k), wanted)


@pytest.mark.task(3)
def test_tables_full_of_ties_agree_with_the_reference(kata, reference, rng):
    # signs in 16 columns: every row has length 4, every cosine is a whole number of eighths
    for n in (14, 40):
        table = rng.choice([-1.0, 1.0], size=(n, 16))
        for position in (0, n // 2, n - 1):
            for k in (n - 1, n // 3):
                wanted = reference.nearest_positions(table, position, k)
                assert_same(kata.nearest_positions(table, position, k), wanted)


@pytest.mark.task(3)
def test_rankings_of_any_table_agree_with_the_reference(kata, reference, rng):
    for n, d in ((12, 8), (8, 12), (9, 9), (16, 3)):
        table = without_ties(rng, n, d)
        for position in (0, n // 2, n - 1):
            wanted = reference.nearest_positions(table, position, n - 1)
            assert_same(kata.nearest_positions(table, position, n - 1), wanted)


# All three

@pytest.mark.task(1, 2, 3)
def test_similarities_are_in_double_precision_and_so_are_the_ties_of_sinusoids(kata, rng):
    table = 2.0 * rng.normal(size=(12, 8))
    assert_double_precision(kata.dot_similarity, table)
    assert_double_precision(kata.cosine_similarity, table)
    # both positions at one offset are equally alike: left and right of the middle they take turns, left first
    assert_same(kata.nearest_positions(sinusoids(range(25), 16), 12, 6), [11, 13, 6, 18, 10, 14])
    assert_same(kata.nearest_positions(sinusoids(range(60), 128), 30, 8), [29, 31, 28, 32, 27, 33, 26, 34])
