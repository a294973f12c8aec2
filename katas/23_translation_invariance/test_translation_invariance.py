"""Distances worked by hand, tables that are invariant and tables that are not, the closed form."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import sinusoids


def square_corners(n):
    """Whole numbers: a pair that turns by a quarter per row, one by a half, and a column that climbs."""
    quarter = np.array([[0, 3], [3, 0], [0, -3], [-3, 0]])
    half = np.array([[2, 1], [-2, -1]])
    p = np.arange(n)
    return np.hstack([quarter[p % 4], half[p % 2], 5 * p[:, None]])             # (n, 5)


def one_pair_alike(n, first, second):
    """Rows that are all equally far from each other, but for one pair of rows that are the same."""
    rows = np.eye(n)
    rows[second] = rows[first]
    return rows


def assert_verdict(kata, wanted, *tables, **atol):
    for table in tables:
        assert_same(kata.is_translation_invariant(table, **atol), wanted)


# Task 1: the distances at one offset

@pytest.mark.task(1)
def test_four_rows_by_hand(kata):
    # steps (3, 4), (0, 12), (15, 8); two steps together (3, 16), (15, 20); all three (18, 24)
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 16.0], [18.0, 24.0]])
    assert_same(kata.offset_distances(rows, 1), [5.0, 12.0, 17.0])
    assert_same(kata.offset_distances(rows, 2), [16.278820596100, 25.0])
    assert_same(kata.offset_distances(rows, 3), [30.0])


@pytest.mark.task(1)
def test_offset_zero_gives_a_zero_per_row_and_the_largest_offset_one_distance(kata):
    assert_same(kata.offset_distances(square_corners(6).astype(float), 0), [0.0] * 6)
    assert_same(kata.offset_distances(np.array([[4.0, -1.0, 3.0]]), 0), [0.0])
    rows = np.array([[1.0, 2.0, 2.0], [9.0, 9.0, 9.0], [7.0, 7.0, 7.0], [3.0, 8.0, -1.0]])
    assert_same(kata.offset_distances(encoding=rows, offset=3), [7.0])
    assert_same(kata.offset_distances(rows[:2], 1), [np.sqrt(162.0)])


@pytest.mark.task(1)
def test_one_column_equal_rows_rows_of_zeros_and_whole_numbers_by_hand(kata):
    column = np.array([[2.0], [-1.0], [7.0], [7.0], [3.0]])
    assert_same(kata.offset_distances(column, 1), [3.0, 8.0, 0.0, 4.0])
    rows = np.array([[6.0, 8.0], [0.0, 0.0], [0.0, 0.0], [6.0, 8.0], [6.0, 8.0]])
    assert_same(kata.offset_distances(rows, 1), [10.0, 0.0, 10.0, 0.0])
    assert_same(kata.offset_distances(rows, 3), [0.0, 10.0])
    rows = np.array([[1, 2], [2, 3], [4, 4], [0, 1]])
    assert_same(kata.offset_distances(rows, 1), [1.414213562373, 2.236067977500, 5.0])


@pytest.mark.task(1)
def test_sinusoidal_rows_are_chords_of_circles_near_and_far(kata):
    # one pair: three radians on a unit circle are 2 sin 1.5 apart
    assert_same(kata.offset_distances(sinusoids(np.arange(8), 2), 3), [1.994989973208] * 5)
    # frequencies 1 and 0.01: the root of (2 sin 1)^2 + (2 sin 0.01)^2
    assert_same(kata.offset_distances(sinusoids(np.arange(7), 4), 2), [1.683060800970] * 5)
    # frequencies 1, 0.1, 0.01, 0.001: the root of the sum of (2 sin(w/2))^2
    for positions in (np.arange(6), np.arange(100000, 100006)):
        assert_same(kata.offset_distances(sinusoids(positions, 8), 1), [0.964099609415] * 5)


@pytest.mark.task(1)
def test_rows_far_from_the_origin_keep_their_small_distances(kata):
    # steps (0, 3) and (64, -48), from numbers that single precision has as well
    rows = np.array([[1e9, 0.0], [1e9, 3.0], [1e9 + 64.0, -45.0]])
    assert_same(kata.offset_distances(rows, 1), [3.0, 80.0])


@pytest.mark.task(1)
def test_distances_stay_when_the_table_moves_grow_with_it_and_turn_round_with_it(kata, rng):
    rows = rng.normal(size=(14, 9))
    for offset in (1, 5):
        distances = kata.offset_distances(rows, offset)
        assert_same(kata.offset_distances(rows + rng.normal(size=9), offset), distances)
        assert_same(kata.offset_distances(-40.0 * rows, offset), 40.0 * distances)
        assert_same(kata.offset_distances(rows[::-1].copy(), offset), distances[::-1])


def tables_and_offsets(rng):
    for n, d in ((12, 9), (9, 14), (11, 11), (16, 1)):
        rows = 3.0 * rng.normal(size=(n, d))
        yield from ((rows, offset) for offset in range(1, n))
        yield from ((rows[:7], 2), (rows.astype(np.float32), 3))


test_distances_at_every_offset_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "offset_distances", tables_and_offsets)
test_views_and_read_only_tables_give_the_same_distances = checks.takes_views(1, "offset_distances", tables_and_offsets)


# Task 2: which tables are invariant

@pytest.mark.task(2)
def test_one_hot_equal_and_evenly_spaced_rows_are_invariant(kata):
    assert_verdict(kata, True, np.eye(9), np.full((8, 3), 0.5), np.tile([[1.0], [3.0]], (4, 1)))
    assert_verdict(kata, True, np.outer(np.arange(2, 14), [3.0, -4.0, 0.5]))
    # rows that turn and climb; three rows with the steps (3, 4) and (5, 0)
    assert_verdict(kata, True, square_corners(15).astype(float), np.array([[0.0, 0.0], [3.0, 4.0], [8.0, 4.0]]))


@pytest.mark.task(2)
def test_whole_numbers_are_invariant_or_not_as_well(kata):
    assert_verdict(kata, True, square_corners(18))
    bits = np.arange(8)[:, None] // np.array([1, 2, 4]) % 2                     # (8, 3)
    # steps (1, 2) and (2, 2): the distances 2.24 and 2.83 differ behind the point only
    assert_verdict(kata, False, bits, np.array([[0, 0], [1, 2], [3, 4]]))


@pytest.mark.task(2)
def test_sinusoidal_rows_are_invariant_wherever_they_begin_and_however_the_table_is_moved(kata, rng):
    for positions in (np.arange(40), np.arange(300, 330), np.arange(-7.5, 25.0), np.arange(0, 60, 4)):
        assert_verdict(kata, True, sinusoids(positions, 16), sinusoids(positions, 16, 300.0), atol=1e-4)
    rows = sinusoids(np.arange(25), 8)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    assert_verdict(kata, True, rows + rng.normal(size=8), rows @ turn, 20.0 * rows, rows[::-1].copy(), atol=1e-3)


@pytest.mark.task(2)
def test_one_row_and_two_rows_have_nothing_to_compare(kata, rng):
    assert_verdict(kata, True, np.array([[5.0, -2.0, 1.0]]), np.array([[5.0, -2.0, 1.0], [0.5, 40.0, 3.0]]))
    table = rng.normal(size=(12, 8))
    assert_verdict(kata, False, table)
    assert_verdict(kata, True, table[7:8])


@pytest.mark.task(2)
def test_one_pair_of_rows_out_of_line_is_found_wherever_it_is(kata):
    for offset in (1, 2, 3, 4, 5):
        assert_verdict(kata, False, *(one_pair_alike(7, first, first + offset) for first in range(7 - offset)))
    # one of the two distances at offset 10 is 0; at every smaller offset all are alike
    assert_verdict(kata, False, one_pair_alike(12, 0, 10), one_pair_alike(12, 1, 11))
    # the largest offset has one distance, which may be any
    assert_verdict(kata, True, one_pair_alike(7, 0, 6), one_pair_alike(12, 0, 11))


@pytest.mark.task(2)
def test_neither_equal_steps_nor_equal_angles_nor_sines_alone_are_enough(kata):
    assert_verdict(kata, False, np.array([[0.0], [1.0], [3.0], [7.0]]), np.array([[0.0], [1.0], [3.0]]))
    assert_verdict(kata, False, np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0]]))
    assert_verdict(kata, False, np.diag([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert_verdict(kata, False, sinusoids(np.arange(20), 8) * np.linspace(1.0, 2.0, 20)[:, None], atol=1e-4)
    # width 3 and base 8: the last column is a sine of frequency 1/4 with no cosine beside it
    sines, odd = sinusoids(np.arange(24), 12)[:, 0::2], sinusoids(np.arange(24), 3, base=8.0)
    assert_verdict(kata, False, sines, odd, atol=1e-3)


@pytest.mark.task(2)
def test_random_shuffled_and_unevenly_spaced_rows_are_not_invariant(kata, rng):
    random, rows = rng.normal(size=(14, 9)), sinusoids(np.arange(20), 10)
    assert_verdict(kata, False, random, rows[rng.permutation(20)], np.delete(rows, 13, axis=0), atol=1e-3)
    assert_verdict(kata, False, 1e-7 * random)


@pytest.mark.task(2)
def test_atol_is_the_room_that_the_distances_have(kata):
    # one step of 1 and one of 2; half of atol lies between the steps 7 and 8, atol itself between 14.5 and 15.5
    rows = np.array([[0.0], [1.0], [3.0]])
    assert_same(kata.is_translation_invariant(rows, 15.0), True)
    assert_verdict(kata, True, rows, np.array([[0.0], [7.0], [15.0]]), np.array([[0.0], [14.5], [30.0]]), atol=15.0)
    assert_verdict(kata, False, rows, atol=0.08)


@pytest.mark.task(2)
def test_atol_is_held_against_distances_however_large_or_wide_and_not_their_squares(kata):
    # steps 1 and 2 in one of 400 columns, and in all of them: 20 and 40
    rows = np.array([[0.0], [1.0], [3.0]])
    assert_verdict(kata, False, rows * np.eye(400)[7], atol=0.08)
    assert_verdict(kata, False, rows * np.ones(400), atol=1.2)
    small = np.array([[0.0], [0.001], [0.0025]])             # steps 0.001 and 0.0015
    assert_verdict(kata, True, small, atol=0.01)
    assert_verdict(kata, False, small, atol=3e-5)
    large = np.array([[0.0], [1000.0], [2000.01]])           # steps 1000 and 1000.01
    assert_verdict(kata, False, large, atol=5e-4)
    assert_verdict(kata, True, large, atol=0.2)
    larger = 10000.0 * square_corners(15)
    larger[6, 0] += 0.05
    assert_verdict(kata, False, larger, atol=1e-3)
    # steps 0.01 and 0.02, squares 0.0001 and 0.0004; steps 100 and 100.02, squares 4 apart
    assert_verdict(kata, False, np.array([[0.0], [0.01], [0.03]]), atol=0.0008)
    assert_verdict(kata, True, np.array([[0.0], [100.0], [200.02]]), atol=0.3)


@pytest.mark.task(2)
def test_steps_that_grow_little_by_little_are_not_equal(kata):
    # at offset k neighbouring distances differ by 0.02 k, the first and the last by 0.02 k (59 - k)
    positions = np.arange(60.0)
    growing = (positions + 0.01 * positions ** 2)[:, None]
    assert_verdict(kata, False, growing, atol=1.3)
    assert_verdict(kata, True, growing, atol=200.0)


@pytest.mark.task(2)
def test_steps_that_shrink_little_by_little_are_not_equal(kata):
    # as before, but by 0.008 k and 0.008 k (59 - k)
    positions = np.arange(60.0)
    assert_verdict(kata, False, np.outer(positions - 0.004 * positions ** 2, [0.6, -0.8]), atol=0.6)


@pytest.mark.task(2)
def test_one_row_out_of_line_is_not_averaged_away(kata):
    # rows k apart have distance k, but for the two that are k + 0.3 and k - 0.3 from row 70
    rows = np.arange(140.0)[:, None]
    rows[70] += 0.3
    assert_verdict(kata, False, rows, atol=0.053)
    assert_verdict(kata, True, rows, atol=10.0)


@pytest.mark.task(2)
def test_one_row_that_turns_too_far_is_not_averaged_away(kata):
    positions = np.arange(120.0)
    positions[60] += 0.3
    assert_verdict(kata, False, sinusoids(positions / 50, 2), atol=0.001)


@pytest.mark.task(2)
def test_the_default_atol_is_a_billionth(kata):
    rows = np.array([[0.0], [1.0], [3.0]])
    assert_verdict(kata, False, rows, 2e-8 * rows)
    assert_verdict(kata, True, 2e-11 * rows)
    assert_verdict(kata, False, 2e-11 * rows, atol=1e-12)


@pytest.mark.task(2)
def test_the_answer_belongs_to_the_table_and_the_atol_of_the_call(kata):
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 9.0], [10.0, 9.0]])          # steps 5, 5, 7
    for atol, wanted in ((1e-9, False), (30.0, True), (1e-9, False)):
        assert_same(kata.is_translation_invariant(rows, atol), wanted)
    assert_verdict(kata, True, rows[:3], np.array([*rows[:3], [6.0, 13.0]]))    # steps 5, 5, 5


test_views_and_read_only_tables_get_the_same_answer = checks.takes_views(
    2, "is_translation_invariant", [(square_corners(24)[::2].astype(float),), (square_corners(24).T.astype(float),)])


# Task 3: the closed form

@pytest.mark.task(3)
def test_widths_four_six_and_eight_by_hand(kata):
    # frequencies 1, 0.1, 0.01 and 0.001
    wanted = [4.0, 3.535255971563, 2.563717747961, 1.964889526278]
    assert_same(kata.similarity_at_offset(np.arange(4), 8), wanted)
    assert_same(kata.similarity_at_offset(np.array([[0.0, 1.0], [2.0, 3.0]]), 8), np.reshape(wanted, (2, 2)))
    # frequencies 1, 0.1 and 0.01
    assert_same(kata.similarity_at_offset(np.array([0, 3]), 6, base=1000), [3.0, 0.964894026274])
    assert_same(kata.similarity_at_offset(np.array([3.0]), 6, 1000.0), [0.964894026274])
    # frequencies 1 and 0.01; 1 and 0.1, with offsets of any sign that need not be whole
    assert_same(kata.similarity_at_offset(np.array([5, -5]), 4), [1.282412445858, 1.282412445858])
    assert_same(kata.similarity_at_offset(np.array([1]), 4, base=100.0), [1.535306471146])
    wanted = [1.078324186709, 1.876332822285, 1.078324186709]
    assert_same(kata.similarity_at_offset(np.array([-7.5, 0.5, 7.5]), 4, base=100.0), wanted)


@pytest.mark.task(3)
def test_width_two_is_the_cosine_of_the_offset_and_a_row_with_itself_counts_its_pairs(kata):
    assert_same(kata.similarity_at_offset(np.zeros(5), 64), [32.0] * 5)
    assert_same(kata.similarity_at_offset(np.array([0]), 14, base=50.0), [7.0])
    assert_same(kata.similarity_at_offset(np.array([0, 1, -1]), 2), [1.0, 0.540302305868, 0.540302305868])
    assert_same(kata.similarity_at_offset(np.array([2.5, np.pi]), 2, base=7.0), [-0.801143615547, -1.0])
    assert_same(kata.similarity_at_offset(np.array(1), 2), 0.540302305868)
    assert_same(kata.similarity_at_offset(np.float64(-2.5), 2), -0.801143615547)


@pytest.mark.task(3)
def test_similarity_falls_and_rises_again_and_is_exact_far_away(kata):
    # width 16 falls as far as offset 3 and is higher at 4; width 128 falls as far as 11 and is higher at 12
    assert_same(kata.similarity_at_offset(np.array([3, 4]), 16), [5.543101061305, 5.559676804443])
    assert_same(kata.similarity_at_offset(np.array([11, 12]), 128), [42.344323217695, 42.381386296894])
    wanted = [1.242361502414, 0.865556768460, 0.865556768460]
    assert_same(kata.similarity_at_offset(np.array([500, 512, -512]), 8), wanted)
    assert_same(kata.similarity_at_offset(np.array([511.5]), 8), [1.060815585411])


@pytest.mark.task(3)
def test_an_array_of_offsets_gives_its_own_shape(kata):
    for shape in ((1,), (4,), (7,), (4, 4), (2, 4), (1, 1), (5, 1, 3), (2, 3, 2, 4)):
        offsets = np.arange(np.prod(shape)).reshape(shape) - 3.5
        wanted = sinusoids(offsets.ravel(), 8) @ sinusoids([0.0], 8)[0]
        assert_same(kata.similarity_at_offset(offsets, 8), wanted.reshape(shape))


@pytest.mark.task(3)
def test_it_is_the_dot_product_of_two_rows_of_the_table(kata):
    for d_model, base in ((8, 10000.0), (18, 10000.0), (12, 500.0)):
        rows = sinusoids(np.arange(30), d_model, base)
        apart = np.arange(30)[:, None] - np.arange(30)                          # (30, 30)
        assert_same(kata.similarity_at_offset(apart, d_model, base), rows @ rows.T)


@pytest.mark.task(3)
def test_twice_the_width_adds_the_frequencies_halfway_between(kata):
    offsets = np.linspace(-20.0, 40.0, 13)
    for d_model, base in ((6, 10000.0), (8, 81.0)):
        own = kata.similarity_at_offset(offsets, d_model, base)
        halfway = kata.similarity_at_offset(offsets * base ** (-1 / d_model), d_model, base)
        assert_same(kata.similarity_at_offset(offsets, 2 * d_model, base), own + halfway)


def offsets_widths_and_bases(rng):
    for d_model in (8, 10, *(2 * rng.integers(6, 35, size=4)).tolist()):
        base, offsets = float(rng.uniform(20.0, 50000.0)), rng.uniform(-60.0, 60.0, size=(5, 3))
        yield from ((offsets, d_model, base), (offsets.round().astype(int), d_model, base))
    # 10000 ** 511 is more than a float or an integer can hold
    yield from ((np.array([7, 500]), 512, base) for base in (10000.0, 10000))


test_numbers_for_one_offset_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "similarity_at_offset", [(one, 10) for one in (np.array(6), np.array(3.25), np.int64(-2), np.float64(3.25))])
test_views_and_read_only_offsets_give_the_same_similarities = checks.takes_views(
    3, "similarity_at_offset", offsets_widths_and_bases)
test_every_call_starts_afresh = checks.starts_afresh(3, "similarity_at_offset", [
    (np.arange(start, start + 12), *sizes) for sizes in ((8, 1e4), (8, 300.0), (12, 1e4)) for start in (-3, -2)])
test_similarities_of_any_width_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "similarity_at_offset", offsets_widths_and_bases)


# Task 4: a sine without its cosine

test_an_odd_width_is_refused = checks.refuses(
    4, "similarity_at_offset", [(np.arange(12), 1), (np.arange(12), 7), (np.arange(12), 129)])
test_an_odd_width_is_refused_whatever_the_base_and_the_shape = checks.refuses(
    4, "similarity_at_offset", [(np.array([[1.5, 2.0]]), 9, 50.0), (np.array(3), 15, 300.0)])


# All three functions

test_distances_verdicts_and_similarities_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), offset_distances=[(sinusoids(np.arange(64), 16), 3)],
    similarity_at_offset=[(np.arange(12), 8), (np.array(3.5), 8)],
    # steps 1e6 and 1e6 + 1e-4: atol is no share of them, however small
    is_translation_invariant=[(sinusoids(np.arange(64), 16),), (np.array([[0.0], [1e6], [2e6 + 1e-4]]), 1e-6)])
