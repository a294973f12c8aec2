"""What distances, rows and vectors have to be: grids worked by hand, laws of distance, the reference."""
import numpy as np
import pytest

from grader.expect import assert_dtype, assert_refused, assert_same, assert_untouched

SIZES = ("n_queries", "n_keys")                    # where they do not fit each other, blaming either is right


def numbered(n_rows, d):
    """A table none of whose entries is equal to another."""
    return np.arange(1.0, n_rows * d + 1.0).reshape(n_rows, d)


# Task 1: what has no distances

@pytest.mark.task(1)
def test_distances_of_less_than_one_query_are_refused(kata):
    for n_queries in (0, -3):
        assert_refused(kata.relative_distances, n_queries, 7, naming="n_queries")
        assert_refused(kata.relative_distances, n_queries, naming=SIZES, showing=n_queries)


@pytest.mark.task(1)
def test_distances_to_less_than_one_key_are_refused(kata):
    for n_keys in (0, -3):
        assert_refused(kata.relative_distances, 5, n_keys, naming=SIZES)


@pytest.mark.task(1)
def test_more_queries_than_keys_are_refused(kata):
    for n_queries, n_keys in ((8, 7), (19, 5), (2, 1)):
        assert_refused(kata.relative_distances, n_queries, n_keys=n_keys, naming=SIZES)


# Task 2: the distances

@pytest.mark.task(2)
def test_three_queries_at_the_end_of_seven_keys_by_hand(kata):
    # the queries stand at 4, 5 and 6
    wanted = [[-4, -3, -2, -1, 0, 1, 2], [-5, -4, -3, -2, -1, 0, 1], [-6, -5, -4, -3, -2, -1, 0]]
    assert_same(kata.relative_distances(3, 7), wanted)


@pytest.mark.task(2)
def test_as_many_keys_as_queries_unless_given(kata):
    wanted = [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [-3, -2, -1, 0]]
    assert_same(kata.relative_distances(4), wanted)
    assert_same(kata.relative_distances(4, None), wanted)
    assert_same(kata.relative_distances(n_keys=4, n_queries=4), wanted)


@pytest.mark.task(2)
def test_a_single_query_is_the_last_position(kata):
    assert_same(kata.relative_distances(1, 6), [[-5, -4, -3, -2, -1, 0]])
    assert_same(kata.relative_distances(1, 1), [[0]])
    assert_same(kata.relative_distances(1), [[0]])


@pytest.mark.task(2)
def test_distances_of_hundreds_are_counted_in_full(kata):
    assert_same(kata.relative_distances(2, 301), [list(range(-299, 2)), list(range(-300, 1))])
    assert_same(kata.relative_distances(301)[0], list(range(301)))


@pytest.mark.task(2)
def test_a_key_further_right_counts_one_more_and_a_query_further_down_one_less(kata):
    for arguments in ((12,), (5, 17)):
        distances = kata.relative_distances(*arguments)                # (n_queries, n_keys)
        assert_same(distances[:, 1:] - distances[:, :-1], np.ones(distances[:, 1:].shape, dtype=int))
        assert_same(distances[1:] - distances[:-1], -np.ones(distances[1:].shape, dtype=int))
        assert_same(distances[-1, -1], 0)


@pytest.mark.task(2)
def test_fewer_queries_are_the_last_rows_of_all(kata):
    assert_same(kata.relative_distances(4, 15), kata.relative_distances(15)[11:])


@pytest.mark.task(2)
def test_query_and_key_that_change_places_change_the_sign(kata):
    distances = kata.relative_distances(13)                            # (13, 13)
    assert_same(distances.T, -distances)
    assert_same(distances[2, 11], 9)


@pytest.mark.task(2)
def test_distances_of_any_size_agree_with_the_reference(kata, reference, rng):
    n_keys = int(rng.integers(20, 40))
    n_queries = int(rng.integers(2, n_keys))
    for sizes in ((n_queries, n_keys), (n_keys,), (n_queries, n_keys + 1), (n_queries,), (n_queries, n_keys)):
        assert_same(kata.relative_distances(*sizes), reference.relative_distances(*sizes))


# Task 3: what has no rows

@pytest.mark.task(3)
def test_a_largest_distance_of_zero_is_refused(kata):
    for n_queries, n_keys in ((5, 7), (1, 1)):
        assert_refused(kata.relative_index, n_queries, n_keys, 0, naming="max_distance")


@pytest.mark.task(3)
def test_a_negative_largest_distance_is_refused(kata):
    for n_queries, n_keys in ((5, 7), (1, 1)):
        assert_refused(kata.relative_index, n_queries, n_keys, max_distance=-3, naming="max_distance")


@pytest.mark.task(3)
def test_rows_for_sizes_that_make_no_distances_are_refused(kata):
    for size in (0, -3):
        assert_refused(kata.relative_index, size, 7, 4, naming="n_queries")
        assert_refused(kata.relative_index, 5, size, 4, naming=SIZES)
    for n_queries, n_keys in ((8, 7), (19, 5)):
        assert_refused(kata.relative_index, n_queries, n_keys, 4, naming=SIZES)


# Task 4: the rows

@pytest.mark.task(4)
def test_rows_of_four_queries_and_seven_keys_by_hand(kata):
    # the queries stand at 3, 4, 5 and 6, and nothing is farther away than 2
    wanted = [[0, 0, 1, 2, 3, 4, 4], [0, 0, 0, 1, 2, 3, 4], [0, 0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 0, 1, 2]]
    assert_same(kata.relative_index(4, 7, 2), wanted)


@pytest.mark.task(4)
def test_one_step_tells_before_from_here_and_after(kata):
    wanted = [[1, 2, 2, 2], [0, 1, 2, 2], [0, 0, 1, 2], [0, 0, 0, 1]]
    assert_same(kata.relative_index(4, 4, 1), wanted)


@pytest.mark.task(4)
def test_a_short_sequence_uses_the_middle_of_a_long_table(kata):
    # distances -1, 0, 1 and -2, -1, 0; row 7 is distance 0
    assert_same(kata.relative_index(2, 3, 7), [[6, 7, 8], [5, 6, 7]])
    assert_same(kata.relative_index(n_queries=1, n_keys=1, max_distance=5), [[5]])


@pytest.mark.task(4)
def test_where_nothing_is_clipped_rows_are_distances_moved_up(kata):
    for max_distance in (16, 17, 200):
        distances = kata.relative_distances(6, 17)                     # (6, 17)
        assert_same(kata.relative_index(6, 17, max_distance), distances + max_distance)


@pytest.mark.task(4)
def test_equally_far_before_and_after_are_equally_far_from_the_middle(kata):
    index = kata.relative_index(14, 14, 3)                             # (14, 14)
    assert_same(index + index.T, np.full((14, 14), 6))
    assert_same(index[0, -1], 6)


@pytest.mark.task(4)
def test_every_row_of_the_table_is_used_and_none_beyond(kata):
    assert_same(np.unique(kata.relative_index(12, 12, 5)), list(range(11)))
    assert_same(np.unique(kata.relative_index(1, 12, 5)), list(range(6)))


@pytest.mark.task(4)
def test_rows_of_any_size_agree_with_the_reference(kata, reference, rng):
    n_keys = int(rng.integers(20, 40))
    n_queries = int(rng.integers(2, n_keys))
    for sizes in ((n_queries, n_keys), (n_keys, n_keys), (n_queries, n_keys + 1), (3, 301)):
        for max_distance in (4, int(rng.integers(5, n_keys)), 128, 4):
            wanted = reference.relative_index(*sizes, max_distance)
            assert_same(kata.relative_index(*sizes, max_distance=max_distance), wanted)


# Task 5: what is no table

@pytest.mark.task(5)
def test_a_table_of_two_rows_is_refused(kata):
    for sizes in ((5, 7), (3,), (1, 1)):
        assert_refused(kata.gather_relative, np.ones((2, 3)), *sizes, naming="table")


@pytest.mark.task(5)
def test_a_table_of_an_even_number_of_rows_is_refused(kata):
    for n_rows in (4, 6, 14):
        assert_refused(kata.gather_relative, np.ones((n_rows, 3)), 5, 7, naming="table")
        assert_refused(kata.gather_relative, np.ones((n_rows, 5)), n_queries=6, naming="table")


@pytest.mark.task(5)
def test_a_table_of_one_row_is_refused(kata):
    for d in (3, 4):
        assert_refused(kata.gather_relative, np.ones((1, d)), 5, 7, naming="table")
        assert_refused(kata.gather_relative, np.ones((1, d)), n_queries=5, naming="table")


@pytest.mark.task(5)
def test_one_row_is_too_few_for_one_word_as_well(kata):
    for sizes in ((1,), (1, 1), (1, 6)):
        assert_refused(kata.gather_relative, np.ones((1, 4)), *sizes, naming="table")


@pytest.mark.task(5)
def test_vectors_for_sizes_below_one_are_refused(kata):
    for size in (0, -3):
        assert_refused(kata.gather_relative, numbered(11, 4), size, 7, naming="n_queries")
        assert_refused(kata.gather_relative, numbered(11, 4), size, naming=SIZES, showing=size)
        assert_refused(kata.gather_relative, numbered(11, 4), 5, size, naming=SIZES)


@pytest.mark.task(5)
def test_vectors_for_more_queries_than_keys_are_refused(kata):
    for n_queries, n_keys in ((8, 7), (19, 5)):
        assert_refused(kata.gather_relative, numbered(11, 4), n_queries, n_keys, naming=SIZES)


# Task 6: the vectors

@pytest.mark.task(6)
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


@pytest.mark.task(6)
def test_two_words_need_three_rows_of_any_table(kata):
    table = numbered(9, 3)                                             # row 4 is 13, 14, 15
    before, here, after = [10.0, 11.0, 12.0], [13.0, 14.0, 15.0], [16.0, 17.0, 18.0]
    assert_same(kata.gather_relative(table, 2), [[here, after], [before, here]])
    assert_same(kata.gather_relative(table, 1, 2), [[before, here]])
    assert_same(kata.gather_relative(table, 1), [[here]])


@pytest.mark.task(6)
def test_a_table_that_numbers_its_rows_gives_the_index(kata):
    for n_queries, n_keys, max_distance in ((12, 12, 3), (5, 14, 4), (3, 4, 6)):
        table = np.arange(2.0 * max_distance + 1.0)[:, None]           # (2 * max_distance + 1, 1)
        vectors = kata.gather_relative(table, n_queries, n_keys)       # (n_queries, n_keys, 1)
        assert_same(vectors, 1.0 * kata.relative_index(n_queries, n_keys, max_distance)[..., None])


@pytest.mark.task(6)
def test_sizes_that_coincide_do_not_mix_the_axes(kata, reference):
    for size in (3, 7):
        table = numbered(size, size) ** 2
        assert_same(kata.gather_relative(table, size), reference.gather_relative(table, size))
        assert_same(kata.gather_relative(table, 3, size), reference.gather_relative(table, 3, size))


@pytest.mark.task(6)
def test_any_table_in_memory_is_read_and_none_is_changed(kata, reference, rng):
    table = rng.integers(-50, 51, size=(14, 10))
    views = [table[::2, 1::3], table.T[:9], table[::-1][:5], np.asfortranarray(table[:7])]
    for view in (*views, *(v / 8.0 for v in views)):
        view.flags.writeable = False
        assert_same(kata.gather_relative(view, 6, 8), reference.gather_relative(1.0 * view, 6, 8))
        assert_untouched(kata.gather_relative, view.copy(), 6, 8)


@pytest.mark.task(6)
def test_vectors_of_any_size_agree_with_the_reference(kata, reference, rng):
    n_keys = int(rng.integers(15, 25))
    n_queries = int(rng.integers(2, n_keys))
    for n_rows in (5, 5, 13, 61):
        table = 3.0 * rng.normal(size=(n_rows, int(rng.integers(2, 9))))
        for sizes in ((n_queries, n_keys), (n_keys,), (n_queries, n_keys + 1)):
            assert_same(kata.gather_relative(table, *sizes), reference.gather_relative(table, *sizes))
    wanted = reference.gather_relative(table, n_queries, n_keys)
    assert_same(kata.gather_relative(n_keys=n_keys, n_queries=n_queries, table=table), wanted)


@pytest.mark.task(6)
def test_vectors_keep_the_dtype_of_the_table(kata, reference, rng):
    table = rng.normal(size=(7, 3))
    assert_dtype(kata.gather_relative(table, 5, 9), np.float64)
    assert_dtype(kata.gather_relative(table.astype(np.float32), 5, 9), np.float32)
    wanted = reference.gather_relative(table.astype(np.float32), 5, 9)
    assert_same(kata.gather_relative(table.astype(np.float32), 5, 9), wanted)
