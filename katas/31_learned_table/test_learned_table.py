"""What a learned table has to be: statistics of its start, values worked by hand, laws, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same


def numbered(n, d):
    """A table whose entries tell their place: row r holds r * 100, r * 100 + 1, ..."""
    return np.arange(n)[:, None] * 100.0 + np.arange(d)


# Task 1: a table before training; any generator is right, so only statistics are asked

@pytest.mark.task(1)
def test_entries_scatter_by_a_fiftieth_around_zero(kata):
    table = kata.init_table(125, 160)                                  # (125, 160)
    assert table.shape == (125, 160)
    # the mean of 20000 draws scatters by 0.02 / sqrt(20000) = 0.00014
    assert abs(table.mean()) < 0.0008, f"The mean is {table.mean():.4g}. It should be about 0."
    assert 0.0194 < table.std() < 0.0206, f"The standard deviation is {table.std():.4g}. It should be about 0.02."


@pytest.mark.task(1)
def test_the_scatter_is_the_standard_deviation_asked_for(kata):
    for std, seed in ((3.0, 0), (0.25, 3), (1.0, 11)):
        table = kata.init_table(160, 125, std, seed)                   # (160, 125)
        assert table.shape == (160, 125)
        assert abs(table.mean()) < 0.04 * std, f"The mean is {table.mean():.4g}. It should be about 0."
        assert 0.97 * std < table.std() < 1.03 * std, f"The standard deviation is {table.std():.4g}, not {std}."


@pytest.mark.task(1)
def test_the_draws_are_normal(kata):
    # 68.3 of 100 lie within one standard deviation, 4.55 beyond two, 0.27 beyond three; half are positive
    table = kata.init_table(max_len=125, d_model=160, std=0.5, seed=7)         # (125, 160)
    for bound, low, high, percent in ((1, 0.297, 0.337, 31.7), (2, 0.036, 0.055, 4.55), (3, 0.0007, 0.0055, 0.27)):
        share = (np.abs(table) > 0.5 * bound).mean()
        assert low < share < high, f"{share:.2%} of the draws are farther from 0 than {bound} * std, not {percent}%."
    assert 0.47 < (table > 0.0).mean() < 0.53, "About half of the entries should be positive."


@pytest.mark.task(1)
def test_no_row_and_no_column_is_like_another(kata):
    table = kata.init_table(125, 160, seed=2)                          # (125, 160)
    for axis in (0, 1):
        assert (np.abs(table.std(axis=axis) / 0.02 - 1) < 0.5).all(), "Some rows or columns scatter more than others."
    for alike in (np.corrcoef(table), np.corrcoef(table.T)):
        assert (np.abs(alike - np.eye(len(alike))) < 0.6).all(), "Some rows or columns are alike. Draw every entry."


@pytest.mark.task(1)
def test_a_seed_gives_its_table_again(kata):
    asked = [(shape, seed) for shape in ((12, 9), (9, 12), (1, 9), (1, 1)) for seed in (0, 1, 2024)]
    tables = [kata.init_table(*shape, 0.5, seed) for shape, seed in asked]
    for (shape, seed), table in zip(asked, tables, strict=True):
        assert table.shape == shape
        assert np.isfinite(table).all()
        assert_same(kata.init_table(*shape, std=0.5, seed=seed), table)
    assert (np.abs(tables[0] - tables[1]) > 0.01).sum() > 50, "The seeds 0 and 1 give nearly the same table."
    assert_same(kata.init_table(13, 8), kata.init_table(13, 8, 0.02, 0))


@pytest.mark.task(1)
def test_another_seed_gives_another_table(kata):
    tables = [np.ravel(kata.init_table(12, 125, 1.0, seed)) for seed in (0, 1, 2, 42, 1000, 65537)]
    assert (np.abs(np.corrcoef(tables) - np.eye(6)) < 0.3).all(), "The tables of two seeds are alike."


@pytest.mark.task(1)
def test_a_table_of_one_entry_is_a_draw_too(kata):
    draws = np.array([kata.init_table(1, 1, 1.0, seed)[0, 0] for seed in range(40)])
    # six standard errors of 40 draws
    assert 0.33 < draws.std() < 1.67, f"40 tables of one entry scatter by {draws.std():.3g}, not by about 1."


# Task 2: rows of a table

@pytest.mark.task(2)
def test_three_rows_from_offset_two_and_the_first_rows_by_hand(kata):
    table = np.array([[1.0, -2.0], [4.0, 8.0], [0.5, 3.0], [7.0, -1.0], [0.0, 6.0], [9.0, 5.0], [2.0, 2.5]])
    assert_same(kata.look_up(table, 3, 2), [[0.5, 3.0], [7.0, -1.0], [0.0, 6.0]])
    assert_same(kata.look_up(numbered(12, 3), 2), [[0.0, 1.0, 2.0], [100.0, 101.0, 102.0]])
    assert_same(kata.look_up(table=numbered(12, 3), n=1), [[0.0, 1.0, 2.0]])
    assert_same(kata.look_up(numbered(12, 8), 11, 0), numbered(11, 8))


def rows_of_a_table(rng):
    yield from ((numbered(15, 9), n, offset) for n, offset in ((5, 0), (1, 5), (2, 6), (6, 8)))
    wide = rng.normal(size=(26, 18))
    yield from ((wide, 4, 7), (wide.T, 4, 7), (wide.astype(np.float32), 4, 7), (wide.T, 3))


test_pieces_laid_end_to_end_are_neighbouring_rows = checks.agrees_with_the_reference(2, "look_up", rows_of_a_table)
test_whole_numbers_are_read_as_they_are = checks.takes_whole_numbers(2, "look_up", rows_of_a_table)
test_a_table_of_any_layout_is_read = checks.takes_views(2, "look_up", rows_of_a_table)


# Task 3: where the table ends

@pytest.mark.task(3)
def test_the_last_row_can_be_reached_and_a_whole_table_be_read(kata):
    assert_same(kata.look_up(numbered(12, 8), 1, offset=11), 1100.0 + np.arange(8.0)[None])
    assert_same(kata.look_up(numbered(5000, 8), 2, offset=4998), numbered(5000, 8)[4998:])
    assert_same(kata.look_up(numbered(12, 12), 6, offset=6), numbered(12, 12)[[6, 7, 8, 9, 10, 11]])
    for n in (12, 13, 700):
        assert_same(kata.look_up(numbered(n, 8), n), numbered(n, 8))
    assert_same(kata.look_up(np.array([[7.0]]), 1, 0), [[7.0]])


test_more_rows_than_the_table_has_are_refused = checks.refuses(
    3, "look_up", [(numbered(n, d), *rows) for n, d, *rows in ((12, 8, 17), (12, 8, 13), (12, 20, 13), (1, 8, 2, 0))])
test_an_offset_behind_the_last_row_is_refused = checks.refuses(
    3, "look_up", [(numbered(n, d), *rows)
                   for n, d, *rows in ((12, 8, 2, 40), (12, 8, 1, 12), (12, 20, 1, 12), (1, 8, 1, 1))])
test_rows_that_begin_in_the_table_and_end_behind_it_are_refused = checks.refuses(
    3, "look_up", [(numbered(12, d), *rows) for d, *rows in ((8, 12, 7), (8, 8, 5), (8, 12, 1), (20, 2, 11))])


# Task 4: positions in a padded batch

@pytest.mark.task(4)
def test_padding_on_either_side_by_hand(kata):
    mask = np.array([[1, 1, 1, 1, 1], [0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 0]])
    wanted = [[0, 1, 2, 3, 4], [0, 0, 0, 1, 2], [0, 1, 2, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    assert_same(kata.position_ids(mask), wanted)
    assert_same(kata.position_ids(np.ones((3, 12), dtype=int)), np.tile(np.arange(12), (3, 1)))
    assert_same(kata.position_ids(np.array([[1], [1]])), [[0], [0]])
    assert_same(kata.position_ids(np.array([[1]])), [[0]])


@pytest.mark.task(4)
def test_one_text_has_the_same_positions_wherever_its_padding_is(kata):
    mask, wanted = np.zeros((2, 2, 14), dtype=int)                     # (2, 14) each
    mask[0, 5:] = mask[1, :9] = 1                                      # nine tokens, left and right padded
    wanted[0, 5:] = wanted[1, :9] = np.arange(9)
    assert_same(kata.position_ids(attention_mask=mask), wanted)


def masks_of_any_size(rng):
    for batch, n in ((12, 12), (3, 160), (1, 9), *rng.integers(2, 40, size=(4, 2)).tolist()):
        lengths, left = rng.integers(1, n + 1, size=batch), rng.integers(0, 2, size=batch)
        starts = left * (n - lengths)                                  # (batch,)
        column = np.arange(n)
        yield (((column >= starts[:, None]) & (column < (starts + lengths)[:, None])).astype(int),)


test_masks_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(4, "position_ids", masks_of_any_size)
test_masks_of_any_layout_are_read = checks.takes_views(4, "position_ids", masks_of_any_size)


# Task 5: the gradient

@pytest.mark.task(5)
def test_rows_used_twice_get_both_gradients_of_a_batch_or_a_single_text(kata):
    # row 2 was read at places 0, 2 and 3 of the first text and at 1 of the second, rows 1 and 5 nowhere
    ids = np.array([[2, 0, 2, 2], [0, 2, 3, 4]])
    upstream = np.array([
        [[1.0, -2.0, 0.5], [3.0, 0.0, 1.0], [10.0, 4.0, -1.0], [100.0, 8.0, 2.0]],
        [[7.0, -1.0, 6.0], [1000.0, 16.0, 4.0], [-5.0, 9.0, 0.25], [11.0, 12.0, 13.0]],
    ])
    assert_same(kata.table_gradient(ids, upstream, 6), [[10.0, -1.0, 7.0], [0.0, 0.0, 0.0], [1111.0, 26.0, 5.5],
                                                        [-5.0, 9.0, 0.25], [11.0, 12.0, 13.0], [0.0, 0.0, 0.0]])
    wanted = [[0.0, 0.0], [5.5, -3.0], [0.0, 0.0], [2.0, 8.0], [0.0, 0.0]]
    given = np.array([1, 3, 1]), np.array([[0.5, -7.0], [2.0, 8.0], [5.0, 4.0]])
    assert_same(kata.table_gradient(*given, max_len=5), wanted)
    assert_same(kata.table_gradient(np.array([0]), np.array([[3.5]]), 1), [[3.5]])
    given = np.array([[[1]]]), np.array([[[[3.0, 4.0]]]])
    assert_same(kata.table_gradient(*given, 2), [[0.0, 0.0], [3.0, 4.0]])


@pytest.mark.task(5)
def test_positions_in_order_sum_over_the_batch_and_reading_is_the_transpose(kata, rng):
    # every text reads rows 0 to 11: row p gets what place p of all texts got, the rows behind nothing
    upstream = rng.normal(size=(3, 12, 5))
    gradient = kata.table_gradient(np.tile(np.arange(12), (3, 1)), upstream, 16)       # (16, 5)
    assert_same(gradient[:12], upstream[0] + upstream[1] + upstream[2])
    assert_same(gradient[12:], np.zeros((4, 5)))
    # the loss sum(upstream * table[ids]) is sum(gradient * table) for every table; quarters add up exactly
    ids, upstream = rng.integers(0, 15, size=(3, 9)), rng.integers(-16, 17, size=(3, 9, 8)) / 4
    gradient = kata.table_gradient(ids, upstream, 15)
    for _ in range(3):
        table = rng.integers(-16, 17, size=(15, 8)) / 4
        assert_same((gradient * table).sum(), (upstream * table[ids]).sum())


def gradients_of_any_shape(rng):
    drawn = [((*leading, *rng.integers(5, 20, size=1)), *rng.integers(5, 20, size=2).tolist()) for leading in (
        (), (2,), (2, 3), (2, 1, 4))]
    alike = [((8,), 8, 8), ((8, 8), 8, 8), ((4, 4), 9, 4), ((5, 1), 5, 5), ((1, 5), 1, 5), ((6, 6, 6), 6, 7)]
    for shape, d, max_len in (*drawn, *alike, ((40,), 8, 5)):
        ids, upstream = rng.integers(0, max_len, size=shape), 30.0 * rng.normal(size=(*shape, d))
        yield from ((ids, upstream, max_len), (ids, upstream.astype(np.float32), max_len + 4))


test_gradients_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    5, "table_gradient", gradients_of_any_shape)
test_gradients_of_whole_numbers_are_those_of_real_numbers = checks.takes_whole_numbers(
    5, "table_gradient", gradients_of_any_shape)
test_gradients_of_any_layout_are_added_up = checks.takes_views(5, "table_gradient", gradients_of_any_shape)


# All that are not counts

test_tables_and_gradients_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 5), init_table=[(12, 8)], look_up=[(numbered(12, 8), 5, 2)],
    table_gradient=[(np.arange(12), numbered(12, 8), 13)])
