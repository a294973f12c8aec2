"""What the four obvious codes have to be, by hand and by law, and how the steps between rows show it fail."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: integers

@pytest.mark.task(1)
def test_five_integers_count_from_zero(kata):
    assert_same(kata.integer_positions(5), [[0.0], [1.0], [2.0], [3.0], [4.0]])
    assert_same(kata.integer_positions(n=1), [[0.0]])


@pytest.mark.task(1)
def test_integers_grow_with_the_text(kata):
    for n in (1, 2, 12, 300, 513):
        rows = kata.integer_positions(n)
        assert_same(rows[-1], [n - 1.0])
        assert_same(rows, np.cumsum(np.ones((n, 1)), axis=0) - 1.0)
    assert_same(kata.integer_positions(40)[:13], kata.integer_positions(13))


# Task 2: positions on a scale from 0 to 1

@pytest.mark.task(2)
def test_five_positions_are_quarters_and_seven_are_sixths(kata):
    assert_same(kata.normalised_positions(5), [[0.0], [0.25], [0.5], [0.75], [1.0]])
    sixth, third = 0.166666666667, 0.333333333333
    assert_same(kata.normalised_positions(7), [[0.0], [sixth], [third], [0.5], [2 * third], [5 * sixth], [1.0]])


@pytest.mark.task(2)
def test_one_position_is_zero_and_the_scale_ends_on_one_whatever_the_length(kata):
    assert_same(kata.normalised_positions(1), [[0.0]])
    assert_same(kata.normalised_positions(n=2), [[0.0], [1.0]])
    for n in (3, 4, 6, 12, 29, 50, 64, 300):
        assert_same(kata.normalised_positions(n)[[0, -1]], [[0.0], [1.0]])


@pytest.mark.task(2)
def test_on_the_scale_every_position_has_moved_when_the_text_is_longer(kata):
    # position 3 of 4, of 5, of 7 and of 13; and all positions of every length, multiplied by n - 1
    for n, wanted in ((4, 1.0), (5, 0.75), (7, 0.5), (13, 0.25)):
        assert_same(kata.normalised_positions(n)[3], [wanted])
    for n in (1, 2, 3, 8, 50, 200):
        assert_same(kata.normalised_positions(n) * (n - 1), [[float(p)] for p in range(n)])


# Task 3: one-hot codes

@pytest.mark.task(3)
def test_three_positions_in_five_columns_and_four_in_six(kata):
    assert_same(kata.one_hot_positions(3, 5), [[1.0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]])
    assert_same(kata.one_hot_positions(n=4, max_len=6),
                [[1.0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0]])
    assert_same(kata.one_hot_positions(1, 3), [[1.0, 0.0, 0.0]])


@pytest.mark.task(3)
def test_one_hot_codes_pick_the_rows_of_a_matrix(kata, rng):
    for n, max_len in ((12, 20), (13, 14), (2, 9), (270, 300)):
        matrix = rng.normal(size=(max_len, 6))
        assert_same(kata.one_hot_positions(n, max_len) @ matrix, matrix[:n])


@pytest.mark.task(3)
def test_any_two_one_hot_codes_are_equally_far_apart(kata):
    # the first, tenth and last row: the root of 2 from each other row, near or far
    rows = np.asarray(kata.one_hot_positions(14, 17)).astype(float)    # (14, 17)
    for p in (0, 9, 13):
        distances = np.sqrt(((rows - rows[p]) ** 2).sum(axis=1))       # (14,)
        assert_same(distances, np.where(np.arange(14) == p, 0.0, 1.414213562373))


# Task 4: what has no column of its own

@pytest.mark.task(4)
def test_as_many_columns_as_positions_are_enough(kata):
    assert_same(kata.one_hot_positions(4, 4), [[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    assert_same(kata.one_hot_positions(1, 1), [[1.0]])


@pytest.mark.task(4)
def test_codes_that_fill_their_columns_pick_every_row_of_a_matrix(kata, rng):
    for n in (13, 300):
        matrix = rng.normal(size=(n, 6))
        assert_same(kata.one_hot_positions(n, n) @ matrix, matrix)


test_one_position_more_than_columns_is_refused = checks.refuses(4, "one_hot_positions", [(13, 12), (5, 4), (2, 1)])
test_far_too_few_columns_are_refused = checks.refuses(4, "one_hot_positions", [(9, 2), (300, 7), (41, 20)])


# Task 5: binary codes

@pytest.mark.task(5)
def test_ten_positions_in_four_bits_and_few_positions_by_hand(kata):
    # 5 is 1 + 4 and 6 is 2 + 4
    assert_same(kata.binary_positions(10, 4), [
        [0.0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0],
        [1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1], [1, 0, 0, 1],
    ])
    assert_same(kata.binary_positions(n=1, n_bits=1), [[0.0]])
    assert_same(kata.binary_positions(3, 2), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert_same(kata.binary_positions(2, 6), [[0.0] * 6, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]])


@pytest.mark.task(5)
def test_positions_past_255_have_a_ninth_bit(kata):
    # 255 is eight ones, 256 the ninth bit alone, 299 is 1 + 2 + 8 + 32 + 256
    assert_same(kata.binary_positions(300, 9)[[255, 256, 299]],
                [[1.0, 1, 1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1], [1, 1, 0, 1, 0, 1, 0, 0, 1]])


@pytest.mark.task(5)
def test_bits_are_zeros_and_ones_that_add_up_to_the_position(kata):
    for n, n_bits in ((31, 5), (7, 3), (77, 33), (511, 9)):
        rows = kata.binary_positions(n, n_bits)                        # (n, n_bits)
        assert_same(np.abs(np.asarray(rows) - 0.5), np.full((n, n_bits), 0.5))
        assert_same(rows @ [2.0**b for b in range(n_bits)], np.linspace(0.0, n - 1.0, n))


# Task 6: what the bits cannot count

@pytest.mark.task(6)
def test_the_last_position_that_fits_is_all_ones(kata):
    assert_same(kata.binary_positions(2, 1), [[0.0], [1.0]])
    assert_same(kata.binary_positions(4, 2), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert_same(kata.binary_positions(512, 9)[511], [1.0] * 9)


@pytest.mark.task(6)
def test_as_many_positions_as_the_bits_tell_apart_add_up_to_themselves(kata):
    for n_bits in (3, 5, 9):
        rows = kata.binary_positions(2**n_bits, n_bits)                # (2 ** n_bits, n_bits)
        assert_same(rows @ [2.0**b for b in range(n_bits)], np.arange(2.0**n_bits))


test_one_position_more_than_the_bits_tell_apart_is_refused = checks.refuses(
    6, "binary_positions", [(9, 3), (17, 4), (3, 1), (257, 8)])
test_far_too_few_bits_are_refused = checks.refuses(6, "binary_positions", [(40, 5), (300, 2), (77, 3)])


# Task 7: the steps

@pytest.mark.task(7)
def test_steps_by_hand(kata):
    # differences (2, -3, 6), (-4, 8, 1), (0, 0, 0), (4, 4, -7), (0, 12, -5)
    rows = np.array([[1.0, 2, -3], [3, -1, 3], [-1, 7, 4], [-1, 7, 4], [3, 11, -3], [3, 23, -8]])       # (6, 3)
    assert_same(kata.step_sizes(rows), [7.0, 9.0, 0.0, 9.0, 13.0])
    assert_same(kata.step_sizes(encoding=0.5 * rows[:4, :2]), [1.802775637732, 4.472135955000, 0.0])
    assert_same(kata.step_sizes(np.array([[5.0, 1.0, -1.0, 2.0], [4.0, 0.0, 0.0, 1.0]])), [2.0])
    assert_same(kata.step_sizes(np.array([[3.0], [-1.5]])), [4.5])
    assert_same(kata.step_sizes(np.array([[3.0, 4.0]])), np.zeros(0))


@pytest.mark.task(7)
def test_steps_of_the_four_codes(kata):
    assert_same(kata.step_sizes(np.arange(300.0)[:, None]), [1.0] * 299)
    for n, wanted in ((6, [0.2] * 5), (41, [0.025] * 40)):
        assert_same(kata.step_sizes(np.linspace(0.0, 1.0, n)[:, None]), wanted)
    # the roots of 2, and of how many bits change: 1 2 1 3 1 2 1 4 ...
    two, three = 1.414213562373, 1.732050807569
    assert_same(kata.step_sizes(np.eye(5, 8)), [two] * 4)
    digits = np.array([[float(bit) for bit in f"{p:04b}"] for p in range(9)])       # (9, 4)
    assert_same(kata.step_sizes(digits), [1.0, two, 1.0, three, 1.0, two, 1.0, 2.0])


@pytest.mark.task(7)
def test_steps_of_whole_numbers_are_real_numbers(kata):
    # differences (1, 1), (2, 1), (4, -3)
    rows = np.array([[1, 2], [2, 3], [4, 4], [8, 1]])
    assert_same(kata.step_sizes(rows), [1.414213562373, 2.236067977500, 5.0])


@pytest.mark.task(7)
def test_short_steps_far_from_zero_are_exact(kata):
    rows = np.array([[300.0, 400.0], [300.0003, 400.0004], [300.0003, 400.0]])
    assert_same(kata.step_sizes(rows), [0.0005, 0.0004])


def rows_of_many_kinds(rng):
    rows = rng.normal(size=(26, 22))
    for part in (rows, rows[:15].T, 30.0 * rows[:9, :8], 1000.0 + 0.001 * rows[:9, :8], rows[:13, :1],
                 np.broadcast_to(rows[0], (4, 22)), rng.integers(-9, 10, size=(13, 5))):
        yield (part,)


test_steps_of_any_rows_agree_with_the_reference = checks.agrees_with_the_reference(7, "step_sizes", rows_of_many_kinds)
test_steps_of_any_view_agree_with_the_reference = checks.takes_views(7, "step_sizes", rows_of_many_kinds)


# All that are not whole numbers

test_fractions_and_steps_are_in_double_precision = checks.are_in_double_precision(
    (2, 7), normalised_positions=[(12,)], step_sizes=[(np.arange(60.0).reshape(12, 5) ** 2 / 7,)])
