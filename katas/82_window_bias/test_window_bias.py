"""What Swin's bias has to be: windows worked by hand, laws of offsets in two directions, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import counting

# height and width, which differ but for three of them
WINDOWS = ((2, 5), (5, 2), (3, 3), (1, 6), (6, 1), (4, 7), (7, 3), (1, 1), (7, 7))
FAR = 1.056641667147                                                   # log2(9) / 3, the farthest offset
HALF = 0.773976031629                                                  # log2(5) / 3, half as far


def number_of_rows(height, width):
    """How many different offsets a window has."""
    return (2 * height - 1) * (2 * width - 1)


# Task 1: which row of the table

@pytest.mark.task(1)
def test_two_rows_of_three_patches_by_hand(kata):
    wanted = [
        [7, 6, 5, 2, 1, 0], [8, 7, 6, 3, 2, 1], [9, 8, 7, 4, 3, 2],
        [12, 11, 10, 7, 6, 5], [13, 12, 11, 8, 7, 6], [14, 13, 12, 9, 8, 7],
    ]
    assert_same(kata.window_index(2, 3), wanted)


@pytest.mark.task(1)
def test_three_rows_of_two_patches_by_hand(kata):
    wanted = [
        [7, 6, 4, 3, 1, 0], [8, 7, 5, 4, 2, 1], [10, 9, 7, 6, 4, 3],
        [11, 10, 8, 7, 5, 4], [13, 12, 10, 9, 7, 6], [14, 13, 11, 10, 8, 7],
    ]
    assert_same(kata.window_index(width=2, height=3), wanted)


@pytest.mark.task(1)
def test_one_patch_one_row_one_column_and_a_square(kata):
    assert_same(kata.window_index(1, 1), [[0]])
    # query minus key, plus 2
    wanted = [[2, 1, 0], [3, 2, 1], [4, 3, 2]]
    assert_same(kata.window_index(1, 3), wanted)
    assert_same(kata.window_index(3, 1), wanted)
    # and a square
    assert_same(kata.window_index(2, 2), [[4, 3, 1, 0], [5, 4, 2, 1], [7, 6, 4, 3], [8, 7, 5, 4]])


@pytest.mark.task(1)
def test_each_offset_has_a_row_of_its_own(kata):
    # an offset of (dr, dc) fits (height - |dr|) * (width - |dc|) times into the window
    for height, width in WINDOWS:
        index = np.asarray(kata.window_index(height, width)).astype(int)             # (n, n)
        assert np.shape(index) == (height * width, height * width)
        assert index.min() == 0
        down = height - np.abs(np.arange(1 - height, height))                        # (2 * height - 1,)
        across = width - np.abs(np.arange(1 - width, width))                         # (2 * width - 1,)
        assert_same(np.bincount(index.ravel()), np.outer(down, across).ravel())


@pytest.mark.task(1)
def test_the_way_back_is_the_same_row_counted_from_the_end(kata):
    for height, width in WINDOWS:
        index = np.asarray(kata.window_index(height, width)).astype(int)             # (n, n)
        last = number_of_rows(height, width) - 1
        assert_same(index + index.T, np.full(index.shape, last))
        assert_same(np.diag(index), np.full(height * width, last // 2))


@pytest.mark.task(1)
def test_a_query_below_its_key_reads_a_later_row(kata):
    # patch 0 against all others: it is above and to the left of them; the last patch is below and to the right
    index = np.asarray(kata.window_index(5, 4)).astype(int)            # (20, 20)
    assert (np.diff(index[0]) < 0).all()
    assert_same(index[[0, -1], [-1, 0]], [0, number_of_rows(5, 4) - 1])
    assert_same(index[[4, 1], 0] - index[0, 0], [7, 1])                # one row down skips 2 * 4 - 1 rows


test_windows_of_any_size_agree_with_the_reference = checks.starts_afresh(1, "window_index", lambda rng: [
    *WINDOWS, (16, 16), (8, 24), (24, 8), *map(tuple, rng.integers(2, 13, size=(4, 2)).tolist())])


# Task 2: the numbers

@pytest.mark.task(2)
def test_two_patches_and_three_heads_by_hand(kata):
    # key to the right, the patch itself, key to the left
    table = np.array([[0.5, -1.0, 4.0], [2.0, 3.5, 0.0], [-7.0, 1.0, 8.0]])
    wanted = [[[2.0, 0.5], [-7.0, 2.0]], [[3.5, -1.0], [1.0, 3.5]], [[0.0, 4.0], [8.0, 0.0]]]
    assert_same(kata.window_bias(table, 1, 2), wanted)
    assert_same(kata.window_bias(width=1, height=2, table=table), wanted)


@pytest.mark.task(2)
def test_four_patches_and_two_heads_by_hand(kata):
    table = np.stack([np.arange(9.0), 9.5 - np.arange(9.0)], axis=1)   # (9, 2)
    first = np.array([[4.0, 3.0, 1.0, 0.0], [5.0, 4.0, 2.0, 1.0], [7.0, 6.0, 4.0, 3.0], [8.0, 7.0, 5.0, 4.0]])
    assert_same(kata.window_bias(table, 2, 2), np.stack([first, 9.5 - first]))


@pytest.mark.task(2)
def test_one_patch_has_one_number_per_head(kata):
    assert_same(kata.window_bias(np.array([[2.5, -1.0, 0.0]]), 1, 1), [[[2.5]], [[-1.0]], [[0.0]]])


@pytest.mark.task(2)
def test_every_pair_reads_its_offset_from_the_grid_of_all_offsets(kata):
    for height, width, heads in ((2, 5, 3), (5, 2, 6), (4, 3, 12), (3, 3, 1)):
        table = counting(number_of_rows(height, width), heads)
        bias = kata.window_bias(table, height, width)                  # (H, n, n)
        assert np.shape(bias) == (heads, height * width, height * width)
        grid = table.reshape(2 * height - 1, 2 * width - 1, heads)     # offsets of rows, offsets of columns, heads
        for query in range(height * width):
            row, column = query // width, query % width
            # keys in reading order lie at falling offsets
            seen = grid[row : row + height, column : column + width][::-1, ::-1].reshape(-1, heads)
            assert_same(bias[:, query], seen.T)


@pytest.mark.task(2)
def test_a_table_that_numbers_its_rows_gives_the_index(kata):
    for height, width in WINDOWS:
        table = np.arange(number_of_rows(height, width))[:, None] + 1000.0 * np.arange(3)           # (rows, 3)
        index = np.asarray(kata.window_index(height, width)).astype(float)                          # (n, n)
        assert_same(kata.window_bias(table, height, width), np.stack([index, index + 1000.0, index + 2000.0]))


@pytest.mark.task(2)
def test_the_bias_stays_if_query_and_key_move_together(kata, rng):
    bias = kata.window_bias(rng.normal(size=(number_of_rows(5, 8), 4)), 5, 8).reshape(4, 5, 8, 5, 8)
    assert_same(bias[:, 1:, :, 1:], bias[:, :-1, :, :-1])
    assert_same(bias[:, :, 1:, :, 1:], bias[:, :, :-1, :, :-1])


def tables(rng, *windows):
    """Tables for windows of some height and width, for some number of heads."""
    for height, width, heads in windows:
        yield 3.0 * rng.normal(size=(number_of_rows(height, width), heads)), height, width


def in_turn(rng):
    one, other = rng.normal(size=(2, 15, 6))
    return [(one, 2, 3), (other, 2, 3), (one, 3, 2), (one[:, :5], 2, 3), (one, 1, 8), (one[:9], 2, 2), (one, 8, 1),
            (-one, 2, 3), (one[::-1], 2, 3)]


test_biases_of_any_window_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "window_bias", lambda rng: tables(
        rng, *((*sides, int(rng.integers(2, 9))) for sides in (*WINDOWS, *rng.integers(2, 10, size=(3, 2)).tolist()))))
test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(2, "window_bias", lambda rng: tables(
    rng, (2, 2, 4), (2, 3, 6), (3, 2, 15), (2, 2, 9), (3, 1, 3), (1, 3, 5), (7, 7, 3), (7, 7, 24), (7, 7, 49)))
test_every_bias_starts_afresh = checks.starts_afresh(2, "window_bias", in_turn)
test_tables_may_be_read_only_views = checks.takes_views(2, "window_bias", in_turn)
test_tables_may_be_of_single_precision = checks.agrees_with_the_reference(
    2, "window_bias", lambda rng: [(table.astype(np.float32), *sides) for table, *sides in in_turn(rng)])


# Task 3: coordinates

@pytest.mark.task(3)
def test_nine_patches_across_reach_thirds_by_hand(kata):
    # 8 * offset / 8 is the offset: log2(1 + 1), log2(1 + 3) and log2(1 + 7) are 1, 2 and 3
    across = kata.log_offsets(2, 9)[..., 1]                            # (3, 17)
    assert_same(across[:, [1, 5, 7, 8, 9, 11, 15]], [[-1.0, -2 / 3, -1 / 3, 0.0, 1 / 3, 2 / 3, 1.0]] * 3)
    down = kata.log_offsets(width=2, height=9)[..., 0]                 # (17, 3)
    assert_same(down[[1, 5, 7, 8, 9, 11, 15]].T, [[-1.0, -2 / 3, -1 / 3, 0.0, 1 / 3, 2 / 3, 1.0]] * 3)


@pytest.mark.task(3)
def test_three_rows_of_two_patches_have_five_by_three_offsets(kata):
    # rows: t = -8, -4, 0, 4, 8; columns: t = -8, 0, 8; then the other way round
    five, three = (-FAR, -HALF, 0.0, HALF, FAR), (-FAR, 0.0, FAR)
    assert_same(kata.log_offsets(3, 2), [[[down, across] for across in three] for down in five])
    assert_same(kata.log_offsets(2, 3), [[[down, across] for across in five] for down in three])


@pytest.mark.task(3)
def test_a_neighbour_in_a_window_of_eight_by_hand(kata):
    # 8/7 of 8, so log2(15 / 7) / 3 = 0.3665; in a window of 16 it is log2(23 / 15) / 3 = 0.2056
    assert_same(kata.log_offsets(8, 16)[8, 16], [0.366511891184, 0.205557120149])
    assert_same(kata.log_offsets(16, 8)[14, 6], [-0.205557120149, -0.366511891184])


@pytest.mark.task(3)
def test_the_farthest_offset_is_the_same_in_every_window(kata):
    for height, width in ((2, 2), (2, 7), (7, 2), (16, 8), (8, 8), (12, 24)):
        offsets = kata.log_offsets(height, width)                      # (2 * height - 1, 2 * width - 1, 2)
        assert np.shape(offsets) == (2 * height - 1, 2 * width - 1, 2)
        assert_same(offsets[[0, 0, -1, -1], [0, -1, 0, -1]], [[-FAR, -FAR], [-FAR, FAR], [FAR, -FAR], [FAR, FAR]])
        assert_same(offsets[height - 1, width - 1], [0.0, 0.0])


@pytest.mark.task(3)
def test_opposite_offsets_have_opposite_coordinates(kata):
    for height, width in ((5, 8), (8, 5), (6, 6)):
        offsets = kata.log_offsets(height, width)
        assert_same(offsets[::-1, ::-1], -offsets)
        assert_same(offsets[::-1, :, 1], offsets[..., 1])
        assert_same(offsets[:, ::-1, 0], offsets[..., 0])


@pytest.mark.task(3)
def test_a_turned_window_exchanges_the_coordinates(kata):
    assert_same(kata.log_offsets(4, 9), kata.log_offsets(9, 4).swapaxes(0, 1)[..., ::-1])


@pytest.mark.task(3)
def test_powers_of_two_make_the_steps_even_again(kata):
    # 2 ** (3 * |coordinate|) - 1 is |t|, so it grows by the same step with every patch
    for height, width in ((6, 11), (11, 6)):
        far = 2.0 ** (3.0 * np.abs(kata.log_offsets(height, width))) - 1.0
        rows = 8.0 * np.abs(np.arange(1 - height, height)) / (height - 1)
        columns = 8.0 * np.abs(np.arange(1 - width, width)) / (width - 1)
        assert_same(far[..., 0], np.repeat(rows[:, None], 2 * width - 1, axis=1))
        assert_same(far[..., 1], np.repeat(columns[None], 2 * height - 1, axis=0))


test_coordinates_of_any_window_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "log_offsets", lambda rng: [
        (2, 2), (7, 7), (8, 8), (16, 16), (2, 300), (300, 2), *map(tuple, rng.integers(2, 30, size=(5, 2)).tolist())])
test_every_grid_of_offsets_starts_afresh = checks.starts_afresh(
    3, "log_offsets", [(4, 6), (6, 4), (3, 8), (4, 5), (5, 6)])


# Numbers and coordinates

@pytest.mark.task(3)
def test_a_query_finds_its_own_offset_in_the_list_of_coordinates(kata, reference):
    # Swin V2 makes the table out of this list, one row after the other; here it is its own table
    height, width = 4, 7
    coordinates = kata.log_offsets(height, width).reshape(-1, 2)       # (91, 2)
    down, across = reference.window_bias(coordinates, height, width).reshape(2, 4, 7, 4, 7)
    row, column, key_row, key_column = np.indices((4, 7, 4, 7))
    assert_same(np.sign(down.round(6)), np.sign(row - key_row))
    assert_same(np.sign(across.round(6)), np.sign(column - key_column))


test_bias_and_coordinates_are_in_double_precision = checks.are_in_double_precision(
    (2, 3), window_bias=in_turn, log_offsets=[(5, 8)])
