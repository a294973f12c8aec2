"""What distances, rows and vectors have to be: grids worked by hand, laws of distance, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_same


def numbered(n_rows, d):
    """A table none of whose entries is equal to another."""
    return np.arange(1.0, n_rows * d + 1.0).reshape(n_rows, d)


# Task 1: the distances

@pytest.mark.task(1)
def test_three_queries_at_the_end_of_seven_keys_by_hand(kata):
    # the queries stand at 4, 5 and 6
    wanted = [[-4, -3, -2, -1, 0, 1, 2], [-5, -4, -3, -2, -1, 0, 1], [-6, -5, -4, -3, -2, -1, 0]]
    assert_same(kata.relative_distances(3, 7), wanted)


@pytest.mark.task(1)
def test_as_many_keys_as_queries_unless_given(kata):
    wanted = [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [-3, -2, -1, 0]]
    assert_same(kata.relative_distances(4), wanted)
    assert_same(kata.relative_distances(4, None), wanted)
    assert_same(kata.relative_distances(n_keys=4, n_queries=4), wanted)


@pytest.mark.task(1)
def test_a_single_query_is_the_last_position(kata):
    assert_same(kata.relative_distances(1, 6), [[-5, -4, -3, -2, -1, 0]])
    assert_same(kata.relative_distances(1, 1), [[0]])
    assert_same(kata.relative_distances(1), [[0]])


@pytest.mark.task(1)
def test_distances_of_hundreds_are_counted_in_full(kata):
    assert_same(kata.relative_distances(2, 301), [list(range(-299, 2)), list(range(-300, 1))])
    assert_same(kata.relative_distances(301)[0], list(range(301)))


@pytest.mark.task(1)
def test_a_key_further_right_counts_one_more_and_a_query_further_down_one_less(kata):
    for arguments in ((12,), (5, 17)):
        distances = np.asarray(kata.relative_distances(*arguments)).astype(int)           # (n_queries, n_keys)
        assert_same(distances[:, 1:] - distances[:, :-1], np.ones(distances[:, 1:].shape, dtype=int))
        assert_same(distances[1:] - distances[:-1], -np.ones(distances[1:].shape, dtype=int))
        assert_same(distances[-1, -1], 0)


@pytest.mark.task(1)
def test_fewer_queries_are_the_last_rows_of_all(kata):
    assert_same(kata.relative_distances(4, 15), kata.relative_distances(15)[11:])


@pytest.mark.task(1)
def test_distances_of_any_size_agree_with_the_reference(kata, reference, rng):
    n_keys = int(rng.integers(20, 40))
    n_queries = int(rng.integers(2, n_keys))
    for sizes in ((n_queries, n_keys), (n_keys,), (n_queries, n_keys + 1), (n_queries,), (n_queries, n_keys)):
        assert_same(kata.relative_distances(*sizes), reference.relative_distances(*sizes))


# Task 2: the rows

@pytest.mark.task(2)
def test_rows_of_four_queries_and_seven_keys_by_hand(kata):
    # the queries stand at 3, 4, 5 and 6, and nothing is farther away than 2
    wanted = [[0, 0, 1, 2, 3, 4, 4], [0, 0, 0, 1, 2, 3, 4], [0, 0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 0, 1, 2]]
    assert_same(kata.relative_index(4, 7, 2), wanted)


@pytest.mark.task(2)
def test_one_step_tells_before_from_here_and_after(kata):
    wanted = [[1, 2, 2, 2], [0, 1, 2, 2], [0, 0, 1, 2], [0, 0, 0, 1]]
    assert_same(kata.relative_index(4, 4, 1), wanted)


@pytest.mark.task(2)
def test_without_any_distance_all_share_one_row(kata):
    assert_same(kata.relative_index(3, 5, 0), np.zeros((3, 5)))


@pytest.mark.task(2)
def test_a_short_sequence_uses_the_middle_of_a_long_table(kata):
    # distances -1, 0, 1 and -2, -1, 0; row 7 is distance 0
    assert_same(kata.relative_index(2, 3, 7), [[6, 7, 8], [5, 6, 7]])
    assert_same(kata.relative_index(n_queries=1, n_keys=1, max_distance=5), [[5]])


@pytest.mark.task(2)
def test_one_key_too_far_shares_the_row_of_the_last_that_is_not(kata):
    # the queries stand at 5 and 6, and key 0 is 6 before the second
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
    assert_same(index[0, -1], 6)


@pytest.mark.task(2)
def test_every_row_of_the_table_is_used_and_none_beyond(kata):
    assert_same(np.unique(kata.relative_index(12, 12, 5)), list(range(11)))
    assert_same(np.unique(kata.relative_index(1, 12, 5)), list(range(6)))


@pytest.mark.task(2)
def test_rows_of_any_size_agree_with_the_reference(kata, reference, rng):
    n_keys = int(rng.integers(20, 40))
    n_queries = int(rng.integers(2, n_keys))
    for sizes in ((n_queries, n_keys), (n_keys, n_keys), (n_queries, n_keys + 1), (3, 301)):
        for max_distance in (4, int(rng.integers(5, n_keys)), 128, 4):
            wanted = reference.relative_index(*sizes, max_distance)
            assert_same(kata.relative_index(*sizes, max_distance=max_distance), wanted)


# Task 3: the vectors

@pytest.mark.task(3)
def test_vectors_of_three_queries_and_six_keys_by_hand(kata):
    # five rows, so distances from -2 to 2; the queries stand at 3, 4 and 5
    table = np.array([[3.0, -1.0], [4.0, 1.5], [0.0, 5.0], [-9.0, 2.0], [6.0, -0.5]])
    far, before, here, after, far_after = table.tolist()
    wanted = [
        [far, far, before, here, after, far_after],
        [far, far, far, before, here, after],
        [far, far, far, far, before, here],
    ]
    assert_same(kata.gather_relative(table, 3, 6), wanted)


@pytest.mark.task(3)
def test_two_words_need_three_rows_of_any_table(kata):
    table = numbered(9, 3)                                             # row 4 is 13, 14, 15
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


@pytest.mark.task(3)
def test_sizes_that_coincide_do_not_mix_the_axes(kata, reference):
    for size in (3, 7):
        table = numbered(size, size) ** 2
        assert_same(kata.gather_relative(table, size), reference.gather_relative(table, size))
        assert_same(kata.gather_relative(table, 3, size), reference.gather_relative(table, 3, size))


@pytest.mark.task(3)
def test_a_table_of_whole_numbers_is_read_like_any_other(kata, reference, rng):
    table = rng.integers(-50, 51, size=(9, 4))
    assert_same(kata.gather_relative(table, 6, 8), reference.gather_relative(1.0 * table, 6, 8))


@pytest.mark.task(3)
def test_views_of_any_memory_order_and_float32_are_read(kata, reference, rng):
    table = rng.normal(size=(14, 10))
    views = [table[::2, 1::3], table.T[:9], table[::-1][:5], np.asfortranarray(table[:7])]
    for view in (*views, table[:7].astype(np.float32)):
        view.flags.writeable = False
        assert_same(kata.gather_relative(view, 6, 8), reference.gather_relative(view.copy(), 6, 8))


@pytest.mark.task(3)
def test_vectors_of_any_size_agree_with_the_reference(kata, reference, rng):
    n_keys = int(rng.integers(15, 25))
    n_queries = int(rng.integers(2, n_keys))
    for n_rows in (5, 13, 61):
        table = 3.0 * rng.normal(size=(n_rows, int(rng.integers(2, 9))))
        for sizes in ((n_queries, n_keys), (n_keys,), (n_queries, n_keys + 1)):
            for one in (table, 1.0 - table):
                assert_same(kata.gather_relative(one, *sizes), reference.gather_relative(one, *sizes))
    wanted = reference.gather_relative(table, n_queries, n_keys)
    assert_same(kata.gather_relative(n_keys=n_keys, n_queries=n_queries, table=table), wanted)


@pytest.mark.task(3)
def test_vectors_are_in_double_precision(kata, rng):
    assert_double_precision(kata.gather_relative, rng.normal(size=(7, 3)), 5, 9)
