"""What distances, rows and vectors have to be: grids worked by hand, laws of distance, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import counting

# Task 1: the distances

@pytest.mark.task(1)
def test_three_queries_of_seven_keys_and_as_many_keys_as_queries_by_hand(kata):
    # the queries stand at 4, 5 and 6
    wanted = [[-4, -3, -2, -1, 0, 1, 2], [-5, -4, -3, -2, -1, 0, 1], [-6, -5, -4, -3, -2, -1, 0]]
    assert_same(kata.relative_distances(3, 7), wanted)
    wanted = [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [-3, -2, -1, 0]]
    assert_same(kata.relative_distances(4), wanted)
    assert_same(kata.relative_distances(4, None), wanted)
    assert_same(kata.relative_distances(n_keys=4, n_queries=4), wanted)


@pytest.mark.task(1)
def test_a_single_query_is_the_last_position_and_hundreds_are_counted_in_full(kata):
    assert_same(kata.relative_distances(1, 6), [[-5, -4, -3, -2, -1, 0]])
    assert_same(kata.relative_distances(1, 1), [[0]])
    assert_same(kata.relative_distances(1), [[0]])
    assert_same(kata.relative_distances(2, 301), [list(range(-299, 2)), list(range(-300, 1))])
    assert_same(kata.relative_distances(301)[0], list(range(301)))


@pytest.mark.task(1)
def test_a_key_further_right_counts_one_more_and_a_query_further_down_one_less(kata):
    for arguments in ((12,), (5, 17)):
        distances = np.asarray(kata.relative_distances(*arguments)).astype(int)           # (n_queries, n_keys)
        assert (np.diff(distances, axis=1) == 1).all()
        assert (np.diff(distances, axis=0) == -1).all()
        assert_same(distances[-1, -1], 0)
    # fewer queries are the last rows of all
    assert_same(kata.relative_distances(4, 15), kata.relative_distances(15)[11:])


def queries_and_keys(rng):
    n_keys = int(rng.integers(20, 40))
    n_queries = int(rng.integers(2, n_keys))
    yield from ((n_queries, n_keys), (n_keys,), (n_queries, n_keys + 1), (n_queries,), (n_queries, n_keys))


test_distances_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "relative_distances", queries_and_keys)


# Task 2: the rows

@pytest.mark.task(2)
def test_rows_of_few_queries_by_hand(kata):
    # the queries stand at 3, 4, 5 and 6, and nothing is farther away than 2
    wanted = [[0, 0, 1, 2, 3, 4, 4], [0, 0, 0, 1, 2, 3, 4], [0, 0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 0, 1, 2]]
    assert_same(kata.relative_index(4, 7, 2), wanted)
    # one step tells before from here and after; without any distance all share one row
    assert_same(kata.relative_index(4, 4, 1), [[1, 2, 2, 2], [0, 1, 2, 2], [0, 0, 1, 2], [0, 0, 0, 1]])
    assert_same(kata.relative_index(3, 5, 0), np.zeros((3, 5)))
    # distances -1, 0, 1 and -2, -1, 0; row 7 is distance 0
    assert_same(kata.relative_index(2, 3, 7), [[6, 7, 8], [5, 6, 7]])
    assert_same(kata.relative_index(n_queries=1, n_keys=1, max_distance=5), [[5]])
    # the queries stand at 5 and 6, and key 0 is 6 before the second, one too far
    assert_same(kata.relative_index(2, 7, 5), [[0, 1, 2, 3, 4, 5, 6], [0, 0, 1, 2, 3, 4, 5]])


@pytest.mark.task(2)
def test_where_nothing_is_clipped_rows_are_distances_moved_up(kata):
    for max_distance in (16, 17, 200):
        distances = np.asarray(kata.relative_distances(6, 17)).astype(int)                # (6, 17)
        assert_same(kata.relative_index(6, 17, max_distance), distances + max_distance)


@pytest.mark.task(2)
def test_equally_far_before_and_after_are_equally_far_from_the_middle(kata):
    index = np.asarray(kata.relative_index(14, 14, 3)).astype(int)     # (14, 14)
    assert_same(index + index.T, np.full((14, 14), 6))
    # every row of the table is used and none beyond
    assert_same(np.unique(kata.relative_index(12, 12, 5)), list(range(11)))
    assert_same(np.unique(kata.relative_index(1, 12, 5)), list(range(6)))


def sizes_and_reaches(rng):
    for sizes in (*(sizes for sizes in queries_and_keys(rng) if len(sizes) == 2), (29, 29), (3, 301)):
        yield from ((*sizes, max_distance) for max_distance in (4, int(rng.integers(5, 30)), 128, 4))


test_rows_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "relative_index", sizes_and_reaches)


# Task 3: the vectors

@pytest.mark.task(3)
def test_vectors_of_three_queries_and_six_keys_by_hand(kata):
    # five rows, so distances from -2 to 2; the queries stand at 3, 4 and 5
    table = np.array([[3.0, -1.0], [4.0, 1.5], [0.0, 5.0], [-9.0, 2.0], [6.0, -0.5]])
    rows = [[0, 0, 1, 2, 3, 4], [0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 1, 2]]
    assert_same(kata.gather_relative(table, 3, 6), table[rows])


@pytest.mark.task(3)
def test_two_words_need_three_rows_of_any_table(kata):
    table = counting(9, 3)                                             # row 4 is 13, 14, 15
    before, here, after = [10.0, 11.0, 12.0], [13.0, 14.0, 15.0], [16.0, 17.0, 18.0]
    assert_same(kata.gather_relative(table, 2), [[here, after], [before, here]])
    assert_same(kata.gather_relative(table, 1, 2), [[before, here]])
    assert_same(kata.gather_relative(table, 1), [[here]])


@pytest.mark.task(3)
def test_a_table_that_numbers_its_rows_gives_the_index(kata):
    for n_queries, n_keys, max_distance in ((12, 12, 3), (5, 14, 4), (3, 4, 6)):
        table = np.arange(2.0 * max_distance + 1.0)[:, None]           # (2 * max_distance + 1, 1)
        vectors = kata.gather_relative(table, n_queries, n_keys)       # (n_queries, n_keys, 1)
        assert_same(vectors[..., 0], np.asarray(kata.relative_index(n_queries, n_keys, max_distance)).astype(float))


def tables_and_sizes(rng):
    for n_rows in (5, 13, 61):
        table = 3.0 * rng.normal(size=(n_rows, int(rng.integers(2, 9))))
        for sizes in queries_and_keys(rng):
            yield from ((table, *sizes), (1.0 - table, *sizes), (table.astype(np.float32), *sizes))
        yield {"n_keys": 21, "n_queries": 17, "table": table}


test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(3, "gather_relative", [
    (counting(size, size) ** 2, *sizes) for size in (3, 7) for sizes in ((size,), (3, size))])
test_vectors_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "gather_relative", tables_and_sizes)
test_a_table_of_whole_numbers_is_read_like_any_other = checks.takes_whole_numbers(
    3, "gather_relative", tables_and_sizes)
test_views_of_any_memory_order_are_read = checks.takes_views(3, "gather_relative", tables_and_sizes)
test_vectors_are_in_double_precision = checks.are_in_double_precision(3, gather_relative=[(counting(7, 3), 5, 9)])
