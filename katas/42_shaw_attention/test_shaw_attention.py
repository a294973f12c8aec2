"""What attention with relative vectors has to be: values worked by hand, laws of distance, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import in_single


def drawn(rng, leading, n_queries, n_keys, d, d_v, reach):
    """Random queries, keys, values and both tables; scores of about 1."""
    rows = 2 * reach + 1
    shapes = (*leading, n_queries, d), (*leading, n_keys, d), (*leading, n_keys, d_v), (rows, d), (rows, d_v)
    return tuple(rng.normal(size=shape) for shape in shapes)


def without_values(q, k, v, key_table, value_table):
    """The arguments of `shaw_scores` among those of `shaw_attention`."""
    return q, k, key_table


# Task 1: the scores

@pytest.mark.task(1)
def test_three_queries_and_five_keys_by_hand(kata):
    # the queries stand at 2, 3 and 4; sqrt(4) = 2. Query 0 reads column 0 of keys and rows, query 1 twice
    # column 2, query 2 column 0 - column 1 + column 3
    q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0], [2.0, -2.0, 0.0, 2.0]])
    k = np.array([[1.0, 0.0, 3.0, 2.0], [0.0, 5.0, -1.0, 1.0], [4.0, 1.0, 0.0, 0.0], [-2.0, 3.0, 2.0, 6.0],
                  [7.0, -1.0, 1.0, -3.0]])
    key_table = np.array([[10.0, 1.0, -5.0, 0.0], [20.0, 0.0, 6.0, 2.0], [0.0, -3.0, 8.0, 1.0], [-30.0, 2.0, 0.0, 4.0],
                          [5.0, 9.0, -7.0, -6.0]])
    wanted = [[11.0, 20.0, 4.0, -32.0, 12.0], [-4.0, -12.0, 12.0, 20.0, 2.0], [12.0, 5.0, 12.0, 23.0, 9.0]]
    assert_same(kata.shaw_scores(q, k, key_table), wanted)


@pytest.mark.task(1)
def test_both_products_are_divided_by_the_root_of_the_width(kata):
    # q.k + q.a is 5, 2, -4 and 2, 4, 2 and 7, 8, 4, out of 3 + 2, 3 - 1 and so on; divided by sqrt(3)
    q = np.array([[1.0, 2.0, -1.0], [0.0, 1.0, 1.0], [2.0, 0.0, 3.0]])
    k = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [-1.0, 0.0, 2.0]])
    key_table = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [2.0, -1.0, 1.0]])
    wanted = np.array([[5.0, 2.0, -4.0], [2.0, 4.0, 2.0], [7.0, 8.0, 4.0]]) / 1.732050807569
    assert_same(kata.shaw_scores(q, k, key_table), wanted)


@pytest.mark.task(1)
def test_one_position_reads_the_middle_row_and_a_table_of_one_row_serves_every_distance(kata):
    key_table = np.array([[30.0], [-20.0], [10.0], [2.0], [7.0], [50.0], [90.0]])
    assert_same(kata.shaw_scores(np.array([[3.0]]), np.array([[5.0]]), key_table), [[21.0]])
    assert_same(kata.shaw_scores(np.array([[3.0]]), np.array([[5.0], [4.0]]), key_table), [[45.0, 18.0]])
    # width 4, so the products are halved: q . k is 1 on the diagonal, q . row is 3, 5, 7
    scores = kata.shaw_scores(np.eye(3, 4), np.eye(3, 4), np.array([[3.0, 5.0, 7.0, 9.0]]))
    assert_same(scores, [[2.0, 1.5, 1.5], [2.5, 3.0, 2.5], [3.5, 3.5, 4.0]])


@pytest.mark.task(1)
def test_a_row_of_the_table_belongs_to_one_distance_and_the_outermost_to_all_beyond(kata):
    # queries at 4 to 8, rows for -2 to 2, all rows but one 0: what is left is one diagonal or a corner
    corner = {0: np.tri(5, 9, 2), 4: 1.0 - np.tri(5, 9, 5)}
    for row in range(5):
        key_table = np.zeros((5, 4))
        key_table[row] = [6.0, -2.0, 1.0, -3.0]                        # adds up to 2, and sqrt(4) = 2
        scores = kata.shaw_scores(np.ones((5, 4)), np.zeros((9, 4)), key_table)
        assert_same(scores, corner.get(row, np.eye(5, 9, 2 + row)))


@pytest.mark.task(1)
def test_a_vector_added_to_every_key_may_be_added_to_every_row_instead(kata, rng):
    q, k, key_table = without_values(*drawn(rng, (3,), 7, 12, 5, 2, 3))
    vector = rng.normal(size=5)
    assert_same(kata.shaw_scores(q, k + vector, key_table), kata.shaw_scores(q, k, key_table + vector))


@pytest.mark.task(1)
def test_fewer_queries_are_the_last_rows_of_all(kata, rng):
    q, k, key_table = without_values(*drawn(rng, (3,), 12, 12, 5, 2, 3))
    scores = kata.shaw_scores(q, k, key_table)                         # (3, 12, 12)
    assert_same(kata.shaw_scores(q[:, 8:], k, key_table), scores[:, 8:])
    # and what comes first may be forgotten: the distances stay
    assert_same(kata.shaw_scores(q[:, 8:], k[:, 5:], key_table), scores[:, 8:, 5:])


def scores_of_any_size(rng):
    for leading, n_keys in (((), 12), ((3,), 12), ((2, 3), 14), ((3,), int(rng.integers(15, 20)))):
        for reach in (2, 4, 15):
            sizes = int(rng.integers(2, n_keys)), n_keys, int(rng.integers(2, 9))
            q, k, key_table = without_values(*drawn(rng, leading, *sizes, 2, reach))
            for table in (key_table, 2 * key_table, key_table[1:-1] - 3.0):
                yield {"key_table": table, "k": k, "q": q}
    yield without_values(*drawn(rng, (), 3, 140, 4, 2, 15))


def scores_of_equal_sizes(rng):
    return [without_values(*drawn(rng, (size, size), size, size, size, size, size // 2)) for size in (3, 5)]


def some_scores(rng):
    arrays = without_values(*(2.0 * array for array in drawn(rng, (3,), 6, 10, 7, 2, 2)))
    return [arrays, in_single(arrays)]


test_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "shaw_scores", scores_of_any_size)
test_scores_whose_sizes_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(
    1, "shaw_scores", scores_of_equal_sizes)
test_leading_axes_are_sequences_of_their_own = checks.agrees_with_the_reference(1, "shaw_scores", lambda rng: [
    without_values(*drawn(rng, leading, 5, 7, 4, 2, 2)) for leading in ((2, 3), (3,), (2, 1))])
test_whole_numbers_are_scored_as_real_numbers = checks.takes_whole_numbers(1, "shaw_scores", some_scores)
test_scores_of_views_of_any_memory_order_and_of_float32 = checks.takes_views(1, "shaw_scores", some_scores)


# Task 2: the values

@pytest.mark.task(2)
def test_two_queries_and_three_keys_by_hand(kata):
    # query 0 reads column 0 of keys and rows, query 1 column 1, for 2 / sqrt(4) = 1. The exponentials of the
    # scores are 1*2, 2*3, 4/2 and 3*2, 1*2, 1*8, so the weights 0.2, 0.6, 0.2 and 6/16, 2/16, 8/16
    q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
    k = np.log([[1.0, 3.0, 9.0, 2.0], [2.0, 1.0, 5.0, 7.0], [4.0, 1.0, 1.0, 6.0]])
    v = np.array([[10.0, 0.0, 5.0], [20.0, -10.0, 0.0], [0.0, 30.0, 5.0]])
    key_table = np.log([[2.0, 2.0, 4.0, 1.0], [3.0, 8.0, 1.0, 9.0], [0.5, 5.0, 6.0, 1.0]])
    value_table = np.array([[1.0, 2.0, 3.0], [4.0, 0.0, -1.0], [-5.0, 8.0, 2.0]])
    # query 0 gets 0.2 (11, 2, 8) + 0.6 (24, -10, -1) + 0.2 (-5, 38, 7)
    wanted = [[15.6, 2.0, 2.4], [8.75, 14.75, 5.375]]
    assert_same(kata.shaw_attention(q, k, v, key_table, value_table), wanted)


@pytest.mark.task(2)
def test_queries_of_zero_get_the_mean_of_values_and_rows(kata):
    # queries at 2 and 3: rows 0, 0, 1, 2 and 0, 0, 0, 1; the mean value is 4, -1
    v = np.array([[3.0, 0.0], [6.0, 4.0], [0.0, -9.0], [7.0, 1.0]])
    tables = np.ones((3, 5)), np.array([[1.0, 10.0], [4.0, -6.0], [-2.0, 2.0]])
    assert_same(kata.shaw_attention(np.zeros((2, 5)), np.ones((4, 5)), v, *tables), [[5.0, 3.0], [5.75, 5.0]])
    assert_same(kata.shaw_attention(np.zeros((1, 5)), np.ones((1, 5)), v[:1], *tables), [[7.0, -6.0]])


@pytest.mark.task(2)
def test_a_vector_added_to_every_value_may_be_added_to_every_row_instead(kata, rng):
    q, k, v, key_table, value_table = drawn(rng, (3,), 7, 12, 5, 4, 3)
    vector = rng.normal(size=4)
    there = kata.shaw_attention(q, k, v + vector, key_table, value_table)
    assert_same(there, kata.shaw_attention(q, k, v, key_table, value_table + vector))
    assert_same(there, kata.shaw_attention(q, k, v, key_table, value_table) + vector)


@pytest.mark.task(2)
def test_scores_of_a_million_leave_one_key_and_no_row_drowns_another(kata, rng):
    # keys of zero, so the rows decide, with scores from 1e2 to 5e6: the key before is the best of all, for
    # the first word the key after it; with the opposite sign each word takes itself
    marks = np.array([3.0, 5.0, 1.0, 4.0, 2.0])
    key_table, value_table = np.tile(marks[:, None], (1, 4)), rng.integers(-9, 10, size=(5, 3)).astype(float)
    scale = 10.0 ** np.array([[2, 6, 3, 6, 2, 4], [2, 2, 3, 2, 2, 3]])
    q = np.tile(scale[..., None], (1, 1, 4)) / 2                       # (2, 6, 4)
    k, v = np.zeros((2, 6, 4)), np.arange(36.0).reshape(2, 6, 3)
    before = np.concatenate([v[:, 1:2] + value_table[3], v[:, :-1] + value_table[1]], axis=1)
    assert_same(kata.shaw_attention(q, k, v, key_table, value_table), before)
    assert_same(kata.shaw_attention(-q, k, v, key_table, value_table), v + value_table[2])


@pytest.mark.task(2)
def test_outputs_of_leading_axes_and_of_the_last_queries_stand_alone(kata, rng):
    q, k, v, *tables = drawn(rng, (2, 3), 9, 9, 4, 5, 2)
    output = kata.shaw_attention(q, k, v, *tables)                     # (2, 3, 9, 5)
    assert_same(kata.shaw_attention(q[1, 0], k[1, 0], v[1, 0], *tables), output[1, 0])
    assert_same(kata.shaw_attention(q[0, :, 6:], k[0], v[0], *tables), output[0, :, 6:])
    assert_same(kata.shaw_attention(q[:, 1:2, 8:], k[:, 1:2], v[:, 1:2], *tables), output[:, 1:2, 8:])


def attention_of_any_size(rng):
    for leading, size in (((), 13), ((3,), 12), ((2, 3), 12), ((5,), 5)):
        for reach in (2, 14):
            n_queries, d, d_v = (5, 5, 5) if size == 5 else rng.integers(2, 9, size=3).tolist()
            q, k, v, key_table, value_table = drawn(rng, leading, n_queries, size, d, d_v, reach)
            yield q, k, v, key_table, value_table
            yield {"value_table": -value_table, "key_table": 2 * key_table, "v": v, "k": k, "q": q}
    yield drawn(rng, (), 3, 140, 4, 2, 15)


def some_attention(rng):
    arrays = drawn(rng, (3,), 6, 10, 7, 4, 2)
    return [arrays, in_single(arrays)]


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(
    2, "shaw_attention", attention_of_any_size)
test_whole_numbers_are_averaged_as_real_numbers = checks.takes_whole_numbers(2, "shaw_attention", some_attention)
test_attention_to_views_of_any_memory_order_and_to_float32 = checks.takes_views(2, "shaw_attention", some_attention)


# Task 3: the mask

@pytest.mark.task(3)
def test_means_of_what_the_mask_allows_by_hand(kata):
    # row 2 is the mean of (3, 0) + (1, 9), (6, 3) + (1, 9) and (2, 6) + (5, -3)
    v, value_table = np.array([[3.0, 0.0], [6.0, 3.0], [2.0, 6.0]]), np.array([[1.0, 9.0], [5.0, -3.0], [40.0, 70.0]])
    arrays, causal = (np.ones((3, 5)), v, np.ones((3, 5)), value_table), np.tri(3, dtype=bool)
    assert_same(kata.shaw_attention(np.zeros((3, 5)), *arrays, causal), [[8.0, -3.0], [7.5, 4.5], [6.0, 8.0]])
    assert_same(kata.shaw_attention(np.zeros((2, 5)), *arrays, causal[1:]), [[7.5, 4.5], [6.0, 8.0]])
    gap = np.array([[True, False, True]])
    assert_same(kata.shaw_attention(np.zeros((1, 5)), *arrays, mask=gap), [[5.5, 6.0]])


@pytest.mark.task(3)
def test_what_the_mask_hides_leaves_no_trace(kata, rng):
    causal = np.tri(7, 10, 3, dtype=bool)
    for size in (1.0, 1e6):                                            # scores below 0, then far below
        q, k, v, *tables = drawn(rng, (3,), 7, 10, 4, 5, 2)
        q, k = size * (np.abs(q) + 0.5), -size * (np.abs(k) + 0.5)
        wanted = kata.shaw_attention(q, k, v, *tables, causal)
        k, v, key_table, value_table = (array.copy() for array in (k, v, *tables))
        # rows 3 and 4 are for keys after the query, and only the last query sees the last key
        key_table[3:], value_table[3:], k[:, 9], v[:, 9] = 1e10, 300.0, 1e10, 300.0
        assert_same(kata.shaw_attention(q, k, v, key_table, value_table, causal)[:, :6], wanted[:, :6])


@pytest.mark.task(3)
def test_a_word_that_sees_one_word_takes_its_value_and_row_however_low_the_score(kata, rng):
    q, k, v, _, value_table = drawn(rng, (2,), 8, 8, 4, 3, 2)
    tables = np.tile([[1.0], [2.0], [4.0], [3.0], [5.0]], (1, 4)), value_table
    myself, before = np.eye(8, dtype=bool), np.roll(np.eye(8, dtype=bool), -1, axis=1)
    rows = value_table[[4, 1, 1, 1, 1, 1, 1, 1]]                       # the first word sees the last
    high = np.full((2, 8, 4), 1e6)
    rising = high * np.arange(8.0)[:, None]                            # the last key scores far above the others
    for queries, keys in ((q, k), (high, high), (high, -high), (high, rising)):
        assert_same(kata.shaw_attention(queries, keys, v, *tables, myself), v + value_table[2])
        assert_same(kata.shaw_attention(queries, keys, v, *tables, before), np.roll(v, 1, axis=1) + rows)


@pytest.mark.task(3)
def test_a_mask_that_allows_everything_changes_nothing(kata, rng):
    for n_queries, n_keys in ((12, 12), (4, 9), (1, 1)):
        arguments = drawn(rng, (3,), n_queries, n_keys, 5, 4, 3)
        everything = np.ones((n_queries, n_keys), dtype=bool)
        assert_same(kata.shaw_attention(*arguments, everything), kata.shaw_attention(*arguments))


def attention_through_any_mask(rng):
    for leading, n_queries, n_keys in (((), 9, 9), ((2, 3), 6, 11)):
        arguments = drawn(rng, leading, n_queries, n_keys, 5, 4, 3)
        mask = (rng.random((n_keys, n_queries)) < 0.6).T | np.eye(n_queries, n_keys, 1, dtype=bool)
        mask[-1, 0] = True
        for one in (mask, None, np.asfortranarray(~mask | np.eye(n_queries, n_keys, dtype=bool)), mask):
            yield *arguments, one


test_attention_through_any_mask_agrees_with_the_reference = checks.agrees_with_the_reference(
    3, "shaw_attention", attention_through_any_mask)


# All

test_scores_and_outputs_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), shaw_scores=scores_of_equal_sizes, shaw_attention=attention_through_any_mask)
