"""What a stretched table has to be: values worked by hand, laws of centres and of pairs, the reference."""
import numpy as np
import pytest

from grader.expect import assert_dtype, assert_refused, assert_same, assert_untouched

# Task 1: what no table can be stretched to

@pytest.mark.task(1)
def test_fewer_rows_than_one_are_refused(kata):
    for new_len in (0, -3):
        assert_refused(kata.interpolate_table, np.ones((12, 8)), new_len, naming="new_len")


@pytest.mark.task(1)
def test_a_table_of_one_row_does_not_vanish_either(kata):
    for new_len in (0, -1):
        assert_refused(kata.interpolate_table, np.ones((1, 8)), new_len=new_len, naming="new_len")


# Task 2: between the rows

@pytest.mark.task(2)
def test_four_rows_become_six_by_hand(kata):
    # read at -1/6, 1/2, 7/6, 11/6, 5/2 and 19/6, of which the first and the last lie beyond the ends
    table = np.array([[0.0, 6.0], [10.0, -6.0], [40.0, 0.0], [100.0, 12.0]])
    wanted = [[0.0, 6.0], [5.0, 0.0], [15.0, -5.0], [35.0, -1.0], [70.0, 6.0], [100.0, 12.0]]
    assert_same(kata.interpolate_table(table, 6), wanted)


@pytest.mark.task(2)
def test_five_rows_become_three_by_hand(kata):
    # read at 1/3, 2 and 11/3; what lies farther off has no part in it
    table = np.array([[0.0, -6.0], [9.0, 3.0], [12.0, 5.0], [30.0, 1.0], [60.0, -2.0]])
    assert_same(kata.interpolate_table(table, 3), [[3.0, -3.0], [12.0, 5.0], [50.0, -1.0]])


@pytest.mark.task(2)
def test_three_rows_become_seven_and_two_by_hand(kata):
    # read at -2/7, 1/7, 4/7, 1, 10/7, 13/7 and 16/7, then at 1/4 and 7/4
    table = np.array([[0.0], [7.0], [21.0]])
    assert_same(kata.interpolate_table(table, 7), [[0.0], [1.0], [4.0], [7.0], [13.0], [19.0], [21.0]])
    assert_same(kata.interpolate_table(table=table, new_len=2), [[1.75], [17.5]])


@pytest.mark.task(2)
def test_one_row_is_read_everywhere_and_from_the_middle(kata):
    # a single new row stands in the middle: on the third of five rows, between the second and third of four
    table = np.array([[1.0, 8.0], [3.0, -4.0], [8.0, 2.0], [9.0, 9.0], [-7.0, 5.0]])
    assert_same(kata.interpolate_table(table, 1), [[8.0, 2.0]])
    assert_same(kata.interpolate_table(table[:4], 1), [[5.5, -1.0]])
    assert_same(kata.interpolate_table(table[:1], 4), [[1.0, 8.0]] * 4)
    assert_same(kata.interpolate_table(table[1:2], 1), [[3.0, -4.0]])


@pytest.mark.task(2)
def test_of_three_times_as_many_rows_the_middle_ones_are_the_old(kata, rng):
    table = rng.normal(size=(13, 6))
    longer = kata.interpolate_table(table, 39)                         # (39, 6)
    assert_same(longer[1::3], table)
    assert_same(longer[:2], table[[0, 0]])
    assert_same(longer[37:], table[[12, 12]])
    assert_same(kata.interpolate_table(np.repeat(table, 3, axis=0), 13), table)
    assert_same(kata.interpolate_table(table, 13), table)


@pytest.mark.task(2)
def test_a_table_turned_round_gives_the_result_turned_round(kata, rng):
    table = rng.normal(size=(13, 6))
    for new_len in (5, 12, 14, 31):
        wanted = kata.interpolate_table(table, new_len)[::-1]
        assert_same(kata.interpolate_table(table[::-1], new_len), wanted)


@pytest.mark.task(2)
def test_even_steps_stay_even_between_the_ends(kata):
    # rows 0, 1, 2, ... hold their own place, so each result is the place it was read at, kept within 0 and 11
    for new_len, first, step in ((18, -1 / 6, 2 / 3), (8, 0.25, 1.5), (16, -0.125, 0.75)):
        places = kata.interpolate_table(np.arange(12.0)[:, None], new_len)[:, 0]        # (new_len,)
        assert_same(places, np.clip(first + step * np.arange(new_len), 0.0, 11.0))


@pytest.mark.task(2)
def test_a_table_of_any_layout_is_stretched_and_left_alone(kata, reference, rng):
    wide = rng.normal(size=(26, 18))
    whole = rng.integers(-9, 10, size=(13, 4))
    for table in (wide[::2, ::2], wide[::-2, 5:], np.asfortranarray(wide), whole):
        assert_untouched(kata.interpolate_table, table, 19)
        table.flags.writeable = False
        assert_same(kata.interpolate_table(table, 19), reference.interpolate_table(table, 19))
    assert_same(kata.interpolate_table(np.array([[1], [4], [2]]), 2), [[1.75], [2.5]])


@pytest.mark.task(2)
def test_tables_of_any_length_agree_with_the_reference(kata, reference, rng):
    drawn = rng.integers(3, 60, size=(4, 2)).tolist()
    for old_len, new_len in ((12, 12), (12, 13), (13, 12), (2, 37), (37, 2), *drawn):
        table = rng.normal(scale=3.0, size=(old_len, 7))
        assert_same(kata.interpolate_table(table, new_len), reference.interpolate_table(table, new_len))


# Task 3: what is no grid

@pytest.mark.task(3)
def test_new_sizes_below_one_are_refused(kata):
    for size in (0, -3):
        assert_refused(kata.interpolate_grid, np.ones((12, 5)), 3, 4, size, 7, naming="new_height")
        assert_refused(kata.interpolate_grid, np.ones((12, 5)), 3, 4, 7, size, naming="new_width")


@pytest.mark.task(3)
def test_old_sizes_below_one_are_refused(kata):
    for height, width in ((0, 12), (12, 0), (-3, -4), (-12, -1), (-3, 4), (3, -4)):
        assert_refused(
            kata.interpolate_grid, np.ones((12, 5)), height, width, 6, 7,
            naming=("old_height", "old_width", "table"))


@pytest.mark.task(3)
def test_a_table_of_another_grid_is_refused(kata):
    for rows, height, width in ((13, 3, 4), (11, 3, 4), (12, 4, 4), (12, 3, 5), (12, 12, 12), (1, 3, 4)):
        assert_refused(
            kata.interpolate_grid, np.ones((rows, 5)), height, width, 6, 7,
            naming=("table", "old_height", "old_width"))


@pytest.mark.task(3)
def test_columns_do_not_make_up_for_rows(kata):
    # rows and columns come out even, but there are too many rows for the grid, or too few
    for shape, height, width in (
        ((24, 5), 3, 4), ((12, 6), 3, 8), ((12, 6), 6, 4), ((36, 8), 3, 4), ((12, 12), 9, 16),
        ((12, 5), 1, 1),
    ):
        assert_refused(
            kata.interpolate_grid, np.ones(shape), height, width, 3, 4,
            naming=("table", "old_height", "old_width"))


# Task 4: over a grid

@pytest.mark.task(4)
def test_three_by_two_becomes_two_by_five_by_hand(kata):
    # rows are read at 1/4 and 7/4, columns at -3/10, 1/10, 1/2, 9/10 and 13/10
    #  0  10       4  20
    # 16  50  ->  37  47  ->  the ends, and 1/10, 1/2 and 9/10 between them
    # 44  46
    table = np.array([[0.0], [10.0], [16.0], [50.0], [44.0], [46.0]])
    wanted = [[4.0], [5.6], [12.0], [18.4], [20.0], [37.0], [38.0], [42.0], [46.0], [47.0]]
    assert_same(
        kata.interpolate_grid(table, old_height=3, old_width=2, new_height=2, new_width=5), wanted)


@pytest.mark.task(4)
def test_two_by_three_becomes_three_by_two_by_hand(kata):
    # columns are read at 1/4 and 7/4, rows at -1/6, 1/2 and 7/6
    #  0  4  16        1    13        1    13
    # 40  8 100   ->  32    77   ->  16.5  45
    #                               32    77
    table = np.array([[0.0, 2.0], [4.0, 2.0], [16.0, -6.0], [40.0, 0.0], [8.0, 8.0], [100.0, 4.0]])
    wanted = [[1.0, 2.0], [13.0, -4.0], [16.5, 2.0], [45.0, 0.5], [32.0, 2.0], [77.0, 5.0]]
    assert_same(kata.interpolate_grid(table, 2, 3, 3, 2), wanted)


@pytest.mark.task(4)
def test_a_grid_of_one_row_or_one_column_is_a_line(kata, reference, rng):
    table = rng.normal(size=(12, 5))
    for new_len in (7, 20):
        wanted = reference.interpolate_table(table, new_len)
        assert_same(kata.interpolate_grid(table, 12, 1, new_len, 1), wanted)
        assert_same(kata.interpolate_grid(table, 1, 12, 1, new_len), wanted)
    assert_same(kata.interpolate_grid(table[:1], 1, 1, 2, 3), np.tile(table[0], (6, 1)))
    assert_same(kata.interpolate_grid(table[:6], 2, 3, 1, 1), ((table[1] + table[4]) / 2)[None])


@pytest.mark.task(4)
def test_the_same_grid_is_the_same_table(kata, rng):
    table = rng.normal(size=(12, 5))
    for height, width in ((3, 4), (4, 3), (12, 1), (2, 6)):
        assert_same(kata.interpolate_grid(table, height, width, height, width), table)
    assert_same(kata.interpolate_grid(table[:9], 1, 9, 1, 9), table[:9])


@pytest.mark.task(4)
def test_of_a_grid_three_times_as_fine_the_middle_patches_are_the_old(kata, rng):
    table = rng.normal(size=(20, 3))
    fine = kata.interpolate_grid(table, 4, 5, 12, 15).reshape(12, 15, 3)
    assert_same(fine[1::3, 1::3].reshape(20, 3), table)
    assert_same(kata.interpolate_grid(table, 4, 5, 12, 5).reshape(12, 5, 3)[1::3].reshape(20, 3), table)
    assert_same(kata.interpolate_grid(table, 4, 5, 4, 15).reshape(4, 15, 3)[:, 1::3].reshape(20, 3), table)


@pytest.mark.task(4)
def test_height_and_width_are_stretched_apart_from_each_other(kata):
    # a patch of 10 * y + x shows the places it was read at: rows at 1/2, 5/2; columns at -1/6, 1/2, ..., 19/6
    table = (10.0 * np.arange(4)[:, None] + np.arange(4.0)).reshape(16, 1)
    columns = np.array([0.0, 0.5, 7 / 6, 11 / 6, 2.5, 3.0])
    wanted = np.concatenate([5.0 + columns, 25.0 + columns])
    assert_same(kata.interpolate_grid(table, 4, 4, 2, 6)[:, 0], wanted)
    wanted = 10.0 * np.repeat(columns, 2) + np.tile([0.5, 2.5], 6)
    assert_same(kata.interpolate_grid(table, 4, 4, 6, 2)[:, 0], wanted)


@pytest.mark.task(4)
def test_a_grid_laid_on_its_side_gives_the_result_on_its_side(kata, rng):
    grid = rng.normal(size=(4, 7, 3))
    upright = kata.interpolate_grid(grid.reshape(28, 3), 4, 7, 6, 5).reshape(6, 5, 3)
    sideways = kata.interpolate_grid(grid.swapaxes(0, 1).reshape(28, 3), 7, 4, 5, 6).reshape(5, 6, 3)
    assert_same(sideways.swapaxes(0, 1), upright)
    for turned in (np.s_[::-1, :], np.s_[:, ::-1]):
        result = kata.interpolate_grid(grid[turned].reshape(28, 3), 4, 7, 6, 5)        # (30, 3)
        assert_same(result.reshape(6, 5, 3), upright[turned])


@pytest.mark.task(4)
def test_a_grid_of_any_layout_is_stretched_and_left_alone(kata, reference, rng):
    wide = rng.normal(size=(24, 18))
    whole = rng.integers(-9, 10, size=(12, 4))
    for table in (wide[::2, ::2], wide[::-2, 5:], np.asfortranarray(wide[:12]), whole):
        assert_untouched(kata.interpolate_grid, table, 3, 4, 5, 2)
        table.flags.writeable = False
        assert_same(kata.interpolate_grid(table, 3, 4, 5, 2), reference.interpolate_grid(table, 3, 4, 5, 2))


@pytest.mark.task(4)
def test_grids_of_any_size_agree_with_the_reference(kata, reference, rng):
    # 16 and 36 patches need not be a square
    given = (4, 4, 4, 6), (4, 4, 6, 4), (2, 8, 8, 2), (9, 4, 6, 6), (12, 3, 5, 7), (5, 5, 9, 9)
    for sizes in (*given, *rng.integers(2, 12, size=(4, 4)).tolist()):
        table = rng.normal(scale=3.0, size=(sizes[0] * sizes[1], 6))
        assert_same(kata.interpolate_grid(table, *sizes), reference.interpolate_grid(table, *sizes))


# Task 5: what pairs cannot make

@pytest.mark.task(5)
def test_lengths_below_one_and_above_the_square_are_refused(kata):
    for new_len in (0, -3):
        assert_refused(kata.hierarchical_table, np.ones((5, 8)), new_len, naming="new_len")
    for n, new_len in ((3, 10), (3, 11), (2, 50), (12, 145)):
        assert_refused(kata.hierarchical_table, np.ones((n, 8)), new_len, naming=("new_len", "table"))


@pytest.mark.task(5)
def test_shares_of_nothing_of_all_and_beyond_are_refused(kata):
    for alpha in (0.0, 1.0, -0.25, 1.75):
        assert_refused(kata.hierarchical_table, np.ones((5, 8)), 23, alpha, naming="alpha")


@pytest.mark.task(5)
def test_a_share_of_one_half_is_refused(kata):
    for new_len in (3, 5, 23):
        assert_refused(kata.hierarchical_table, np.ones((5, 8)), new_len, alpha=0.5, naming="alpha")


@pytest.mark.task(5)
def test_a_single_row_is_held_to_the_same(kata):
    for new_len in (0, -1):
        assert_refused(kata.hierarchical_table, np.ones((1, 8)), new_len, naming="new_len")
    assert_refused(kata.hierarchical_table, np.ones((1, 8)), 2, naming=("new_len", "table"))
    for alpha in (-0.75, 0.0, 0.5, 1.0, 2.25):
        assert_refused(kata.hierarchical_table, np.ones((1, 8)), 1, alpha, naming="alpha")


# Task 6: pairs of rows

@pytest.mark.task(6)
def test_three_rows_become_nine_by_hand(kata):
    # a quarter: u is (4, 0), (8, 4), (16, -8), and row 3 i + j is u[i] / 4 + 3 u[j] / 4
    table = np.array([[4.0, 0.0], [7.0, 3.0], [13.0, -6.0]])
    wanted = [
        [4.0, 0.0], [7.0, 3.0], [13.0, -6.0], [5.0, 1.0], [8.0, 4.0], [14.0, -5.0],
        [7.0, -2.0], [10.0, 1.0], [16.0, -8.0],
    ]
    assert_same(kata.hierarchical_table(table, 9, 0.25), wanted)
    assert_same(kata.hierarchical_table(table, 5, alpha=0.25), wanted[:5])


@pytest.mark.task(6)
def test_the_share_is_four_tenths_unless_given(kata):
    # u is 5, 10, -10, 20, and row 4 i + j is 0.4 u[i] + 0.6 u[j]
    table = np.array([[5.0], [8.0], [-4.0], [14.0]])
    wanted = [[5.0], [8.0], [-4.0], [14.0], [7.0], [10.0], [-2.0], [16.0], [-1.0], [2.0], [-10.0]]
    assert_same(kata.hierarchical_table(table, 11), wanted)
    assert_same(kata.hierarchical_table(table=table, new_len=11, alpha=0.4), wanted)


@pytest.mark.task(6)
def test_the_table_itself_comes_first(kata, rng):
    table = rng.normal(size=(12, 7))
    for alpha in (0.1, 0.4, 0.75):
        assert_same(kata.hierarchical_table(table, 140, alpha)[:12], table)
        assert_same(kata.hierarchical_table(table, 5, alpha), table[:5])
    assert_same(kata.hierarchical_table(table[:1], 1), table[:1])
    assert_same(kata.hierarchical_table(table, 12), table)


@pytest.mark.task(6)
def test_every_block_repeats_the_steps_of_the_first(kata, rng):
    # rows i * n + j and i * n differ by (1 - alpha) (u[j] - u[0]), which is table[j] - table[0]
    table = rng.normal(size=(6, 9))
    blocks = kata.hierarchical_table(table, 36, 0.3).reshape(6, 6, 9)
    assert_same(blocks - blocks[:, :1], np.tile(table - table[0], (6, 1, 1)))
    # and from block to block it goes on by alpha / (1 - alpha) of that
    assert_same(blocks - blocks[:1], np.repeat((table - table[0])[:, None] * 3 / 7, 6, axis=1))


@pytest.mark.task(6)
def test_longer_tables_of_any_size_agree_with_the_reference(kata, reference, rng):
    for n, d in ((6, 6), (4, 16), (9, 3), *rng.integers(2, 14, size=(3, 2)).tolist()):
        wide = rng.normal(scale=3.0, size=(d, 2 * n))
        for table in (wide[:, :n].T, wide.T[::2].copy(), rng.integers(-9, 10, size=(n, d))):
            new_len, alpha = int(rng.integers(n, n * n + 1)), float(rng.choice([0.15, 0.35, 0.6, 0.85]))
            assert_untouched(kata.hierarchical_table, table, new_len, alpha)
            table.flags.writeable = False
            wanted = reference.hierarchical_table(table, new_len, alpha)
            assert_same(kata.hierarchical_table(table, new_len, alpha), wanted)


@pytest.mark.task(6)
def test_dtypes_are_those_of_the_table(kata, rng):
    for table in (rng.normal(size=(12, 8)), rng.normal(size=(12, 8)).astype(np.float32)):
        assert_dtype(kata.interpolate_table(table, 7), table.dtype)
        assert_dtype(kata.interpolate_grid(table, 3, 4, 5, 5), table.dtype)
        assert_dtype(kata.hierarchical_table(table, 30), table.dtype)
