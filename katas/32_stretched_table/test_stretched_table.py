"""What a stretched table has to be: values worked by hand, laws of centres and of pairs, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: between the rows

@pytest.mark.task(1)
def test_four_rows_become_six_and_five_become_three_by_hand(kata):
    # read at -1/6, 1/2, 7/6, 11/6, 5/2 and 19/6, of which the first and the last lie beyond the ends
    table = np.array([[0.0, 6.0], [10.0, -6.0], [40.0, 0.0], [100.0, 12.0]])
    wanted = [[0.0, 6.0], [5.0, 0.0], [15.0, -5.0], [35.0, -1.0], [70.0, 6.0], [100.0, 12.0]]
    assert_same(kata.interpolate_table(table, 6), wanted)
    # read at 1/3, 2 and 11/3; what lies farther off has no part in it
    table = np.array([[0.0, -6.0], [9.0, 3.0], [12.0, 5.0], [30.0, 1.0], [60.0, -2.0]])
    assert_same(kata.interpolate_table(table, 3), [[3.0, -3.0], [12.0, 5.0], [50.0, -1.0]])


@pytest.mark.task(1)
def test_three_rows_become_seven_two_or_one_by_hand(kata):
    # read at -2/7, 1/7, 4/7, 1, 10/7, 13/7 and 16/7, then at 1/4 and 7/4
    table = np.array([[0.0], [7.0], [21.0]])
    assert_same(kata.interpolate_table(table, 7), [[0.0], [1.0], [4.0], [7.0], [13.0], [19.0], [21.0]])
    assert_same(kata.interpolate_table(table=table, new_len=2), [[1.75], [17.5]])
    # a single new row stands in the middle: on the third of five rows, between the second and third of four
    table = np.array([[1.0, 8.0], [3.0, -4.0], [8.0, 2.0], [9.0, 9.0], [-7.0, 5.0]])
    assert_same(kata.interpolate_table(table, 1), [[8.0, 2.0]])
    assert_same(kata.interpolate_table(table[:4], 1), [[5.5, -1.0]])
    assert_same(kata.interpolate_table(table[:1], 4), [[1.0, 8.0]] * 4)
    assert_same(kata.interpolate_table(table[1:2], 1), [[3.0, -4.0]])


@pytest.mark.task(1)
def test_of_three_times_as_many_rows_the_middle_ones_are_the_old(kata, rng):
    table = rng.normal(size=(13, 6))
    longer = kata.interpolate_table(table, 39)                         # (39, 6)
    assert_same(longer[1::3], table)
    assert_same(longer[[0, 1, 37, 38]], table[[0, 0, 12, 12]])
    for one in (np.repeat(table, 3, axis=0), table):
        assert_same(kata.interpolate_table(one, 13), table)


@pytest.mark.task(1)
def test_a_table_turned_round_gives_the_result_turned_round_and_even_steps_stay_even(kata, rng):
    table = rng.normal(size=(13, 6))
    for new_len in (5, 12, 14, 31):
        assert_same(kata.interpolate_table(table[::-1], new_len), kata.interpolate_table(table, new_len)[::-1])
    # rows 0, 1, 2, ... hold their own place, so each result is the place it was read at, kept within 0 and 11
    for new_len, first, step in ((18, -1 / 6, 2 / 3), (8, 0.25, 1.5), (16, -0.125, 0.75)):
        places = kata.interpolate_table(np.arange(12.0)[:, None], new_len)[:, 0]        # (new_len,)
        assert_same(places, np.clip(first + step * np.arange(new_len), 0.0, 11.0))


def tables_and_lengths(rng):
    drawn = rng.integers(3, 60, size=(4, 2)).tolist()
    for old_len, new_len in ((12, 12), (12, 13), (13, 12), (2, 37), (37, 2), (13, 19), *drawn):
        table = rng.normal(scale=3.0, size=(old_len, 7))
        yield from ((table, new_len), (table.astype(np.float32), new_len))


test_tables_of_any_length_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "interpolate_table", tables_and_lengths)
test_whole_numbers_have_fractions_between_them = checks.takes_whole_numbers(1, "interpolate_table", tables_and_lengths)
test_tables_may_be_read_only_views = checks.takes_views(1, "interpolate_table", tables_and_lengths)


# Task 2: over a grid

@pytest.mark.task(2)
def test_three_by_two_becomes_two_by_five_and_two_by_three_becomes_three_by_two_by_hand(kata):
    # rows are read at 1/4 and 7/4, columns at -3/10, 1/10, 1/2, 9/10 and 13/10
    #  0  10       4  20
    # 16  50  ->  37  47  ->  the ends, and 1/10, 1/2 and 9/10 between them
    # 44  46
    table = np.array([[0.0], [10.0], [16.0], [50.0], [44.0], [46.0]])
    wanted = [[4.0], [5.6], [12.0], [18.4], [20.0], [37.0], [38.0], [42.0], [46.0], [47.0]]
    assert_same(kata.interpolate_grid(table, old_height=3, old_width=2, new_height=2, new_width=5), wanted)
    # columns are read at 1/4 and 7/4, rows at -1/6, 1/2 and 7/6
    #  0  4  16        1    13        1    13
    # 40  8 100   ->  32    77   ->  16.5  45
    #                               32    77
    table = np.array([[0.0, 2.0], [4.0, 2.0], [16.0, -6.0], [40.0, 0.0], [8.0, 8.0], [100.0, 4.0]])
    wanted = [[1.0, 2.0], [13.0, -4.0], [16.5, 2.0], [45.0, 0.5], [32.0, 2.0], [77.0, 5.0]]
    assert_same(kata.interpolate_grid(table, 2, 3, 3, 2), wanted)


@pytest.mark.task(2)
def test_height_and_width_are_stretched_apart_from_each_other(kata):
    # a patch of 10 * y + x shows the places it was read at: rows at 1/2, 5/2; columns at -1/6, 1/2, ..., 19/6
    table = (10.0 * np.arange(4)[:, None] + np.arange(4.0)).reshape(16, 1)
    columns = np.array([0.0, 0.5, 7 / 6, 11 / 6, 2.5, 3.0])
    assert_same(kata.interpolate_grid(table, 4, 4, 2, 6)[:, 0], np.concatenate([5.0 + columns, 25.0 + columns]))
    wanted = 10.0 * np.repeat(columns, 2) + np.tile([0.5, 2.5], 6)
    assert_same(kata.interpolate_grid(table, 4, 4, 6, 2)[:, 0], wanted)


@pytest.mark.task(2)
def test_the_same_grid_is_the_same_table_and_one_row_or_column_a_line(kata, reference, rng):
    table = rng.normal(size=(12, 5))
    for height, width in ((3, 4), (4, 3), (12, 1), (2, 6)):
        assert_same(kata.interpolate_grid(table, height, width, height, width), table)
    assert_same(kata.interpolate_grid(table[:9], 1, 9, 1, 9), table[:9])
    table = rng.normal(size=(12, 5))
    for new_len in (7, 20):
        wanted = reference.interpolate_table(table, new_len)
        assert_same(kata.interpolate_grid(table, 12, 1, new_len, 1), wanted)
        assert_same(kata.interpolate_grid(table, 1, 12, 1, new_len), wanted)
    assert_same(kata.interpolate_grid(table[:1], 1, 1, 2, 3), np.tile(table[0], (6, 1)))
    assert_same(kata.interpolate_grid(table[:6], 2, 3, 1, 1), ((table[1] + table[4]) / 2)[None])


@pytest.mark.task(2)
def test_of_a_grid_three_times_as_fine_the_middle_patches_are_the_old(kata, rng):
    table = rng.normal(size=(20, 3))
    fine = kata.interpolate_grid(table, 4, 5, 12, 15).reshape(12, 15, 3)
    assert_same(fine[1::3, 1::3].reshape(20, 3), table)
    assert_same(kata.interpolate_grid(table, 4, 5, 12, 5).reshape(12, 5, 3)[1::3].reshape(20, 3), table)
    assert_same(kata.interpolate_grid(table, 4, 5, 4, 15).reshape(4, 15, 3)[:, 1::3].reshape(20, 3), table)


@pytest.mark.task(2)
def test_a_grid_laid_on_its_side_gives_the_result_on_its_side(kata, rng):
    grid = rng.normal(size=(4, 7, 3))
    upright = kata.interpolate_grid(grid.reshape(28, 3), 4, 7, 6, 5).reshape(6, 5, 3)
    sideways = kata.interpolate_grid(grid.swapaxes(0, 1).reshape(28, 3), 7, 4, 5, 6).reshape(5, 6, 3)
    assert_same(sideways.swapaxes(0, 1), upright)
    for turned in (np.s_[::-1, :], np.s_[:, ::-1]):
        result = kata.interpolate_grid(grid[turned].reshape(28, 3), 4, 7, 6, 5)        # (30, 3)
        assert_same(result.reshape(6, 5, 3), upright[turned])


def grids_and_sizes(rng):
    # 16 and 36 patches need not be a square
    given = (4, 4, 4, 6), (4, 4, 6, 4), (2, 8, 8, 2), (9, 4, 6, 6), (12, 3, 5, 7), (5, 5, 9, 9)
    for sizes in (*given, *rng.integers(2, 12, size=(4, 4)).tolist()):
        table = rng.normal(scale=3.0, size=(sizes[0] * sizes[1], 6))
        yield from ((table, *sizes), (table.astype(np.float32), *sizes))


test_grids_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "interpolate_grid", grids_and_sizes)
test_a_grid_of_whole_numbers_has_fractions_between_them = checks.takes_whole_numbers(
    2, "interpolate_grid", grids_and_sizes)
test_grids_may_be_read_only_views = checks.takes_views(2, "interpolate_grid", grids_and_sizes)


# Task 3: pairs of rows

@pytest.mark.task(3)
def test_three_rows_become_nine_and_four_eleven_by_hand(kata):
    # a quarter: u is (4, 0), (8, 4), (16, -8), and row 3 i + j is u[i] / 4 + 3 u[j] / 4
    table = np.array([[4.0, 0.0], [7.0, 3.0], [13.0, -6.0]])
    wanted = [[4.0, 0.0], [7.0, 3.0], [13.0, -6.0], [5.0, 1.0], [8.0, 4.0], [14.0, -5.0],
              [7.0, -2.0], [10.0, 1.0], [16.0, -8.0]]
    assert_same(kata.hierarchical_table(table, 9, 0.25), wanted)
    assert_same(kata.hierarchical_table(table, 5, alpha=0.25), wanted[:5])
    # u is 5, 10, -10, 20, and row 4 i + j is 0.4 u[i] + 0.6 u[j]
    table = np.array([[5.0], [8.0], [-4.0], [14.0]])
    wanted = [[5.0], [8.0], [-4.0], [14.0], [7.0], [10.0], [-2.0], [16.0], [-1.0], [2.0], [-10.0]]
    assert_same(kata.hierarchical_table(table, 11), wanted)
    assert_same(kata.hierarchical_table(table=table, new_len=11, alpha=0.4), wanted)


@pytest.mark.task(3)
def test_the_table_itself_comes_first(kata, rng):
    table = rng.normal(size=(12, 7))
    for alpha in (0.1, 0.4, 0.75):
        assert_same(kata.hierarchical_table(table, 140, alpha)[:12], table)
        assert_same(kata.hierarchical_table(table, 5, alpha), table[:5])
    assert_same(kata.hierarchical_table(table[:1], 1), table[:1])
    assert_same(kata.hierarchical_table(table, 12), table)


@pytest.mark.task(3)
def test_every_block_repeats_the_steps_of_the_first(kata, rng):
    # rows i * n + j and i * n differ by (1 - alpha) (u[j] - u[0]), which is table[j] - table[0]
    table = rng.normal(size=(6, 9))
    blocks = kata.hierarchical_table(table, 36, 0.3).reshape(6, 6, 9)
    assert_same(blocks - blocks[:, :1], np.tile(table - table[0], (6, 1, 1)))
    # and from block to block it goes on by alpha / (1 - alpha) of that
    assert_same(blocks - blocks[:1], np.repeat((table - table[0])[:, None] * 3 / 7, 6, axis=1))


def tables_and_shares(rng):
    for n, d in ((6, 6), (4, 16), (9, 3), *rng.integers(2, 14, size=(3, 2)).tolist()):
        table = rng.normal(scale=3.0, size=(n, d))
        for alpha in (0.15, 0.35, 0.6, 0.85):
            yield table, int(rng.integers(n, n * n + 1)), alpha
        yield table.astype(np.float32), n * n


test_longer_tables_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "hierarchical_table", tables_and_shares)
test_pairs_of_whole_numbers_have_fractions = checks.takes_whole_numbers(3, "hierarchical_table", tables_and_shares)
test_pairs_may_come_from_read_only_views = checks.takes_views(3, "hierarchical_table", tables_and_shares)


# All of them

test_lines_grids_and_pairs_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), interpolate_table=[(np.eye(12), 7)], interpolate_grid=[(np.eye(12), 3, 4, 5, 5)],
    hierarchical_table=[(np.eye(12), 30)])
