"""What skewing has to be: tables moved by hand, laws of diagonals, the reference, how memory grows."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_memory_grows, assert_same

# Row i, column m is 10 * (i + 1) + (m + 1), so every number says where it comes from.
FOUR_BY_FOUR = np.array([
    [11.0, 12.0, 13.0, 14.0],
    [21.0, 22.0, 23.0, 24.0],
    [31.0, 32.0, 33.0, 34.0],
    [41.0, 42.0, 43.0, 44.0],
])
FOUR_BY_FOUR_SKEWED = [
    [14.0, 0.0, 0.0, 0.0],
    [23.0, 24.0, 0.0, 0.0],
    [32.0, 33.0, 34.0, 0.0],
    [41.0, 42.0, 43.0, 44.0],
]


# Task 1: every product moved to its key

@pytest.mark.task(1)
def test_four_positions_by_hand(kata):
    assert_same(kata.skew(FOUR_BY_FOUR), FOUR_BY_FOUR_SKEWED)


@pytest.mark.task(1)
def test_five_positions_by_hand(kata):
    products = np.array([
        [0.5, 7.0, -1.0, 2.0, 3.0], [6.0, -2.0, 0.0, 1.5, -4.0], [9.0, 8.0, 0.25, 0.0, 1.0],
        [4.0, -3.0, 5.0, 2.5, 12.0], [-6.0, 10.0, -0.5, 11.0, 0.75],
    ])
    assert_same(kata.skew(products=products), [
        [3.0, 0.0, 0.0, 0.0, 0.0], [1.5, -4.0, 0.0, 0.0, 0.0], [0.25, 0.0, 1.0, 0.0, 0.0],
        [-3.0, 5.0, 2.5, 12.0, 0.0], [-6.0, 10.0, -0.5, 11.0, 0.75],
    ])


@pytest.mark.task(1)
def test_one_and_two_positions_by_hand(kata):
    assert_same(kata.skew(np.array([[5.0]])), [[5.0]])
    assert_same(kata.skew(np.array([[[5.0]], [[-2.0]], [[0.0]]])), [[[5.0]], [[-2.0]], [[0.0]]])
    assert_same(kata.skew(np.array([[1.0, 2.0], [3.0, 4.0]])), [[2.0, 0.0], [3.0, 4.0]])


@pytest.mark.task(1)
def test_every_column_becomes_a_diagonal(kata, rng):
    for n in (3, 8, 13):
        products = rng.normal(size=(n, n))
        skewed = kata.skew(products)                                   # (n, n)
        for m in range(n):
            assert_same(np.diagonal(skewed, m - (n - 1)), products[n - 1 - m:, m])


@pytest.mark.task(1)
def test_keys_after_the_query_have_zero(kata, rng):
    for shape in ((12, 12), (2, 3, 7, 7)):
        skewed = kata.skew(rng.uniform(1.0, 2.0, size=shape))
        assert_same(np.triu(skewed, 1), np.zeros(shape))
        assert (skewed[..., np.tri(shape[-1], dtype=bool)] >= 1.0).all()


@pytest.mark.task(1)
def test_products_beyond_the_first_key_are_not_used_however_large(kata, rng):
    # row i has keys at distances 0 to i only: its first n - 1 - i products belong to no key
    products = rng.normal(size=(2, 9, 9))
    unused = ~np.tri(9, dtype=bool)[:, ::-1]                           # (9, 9)
    wanted = kata.skew(np.where(unused, 0.0, products))
    for size in (1e9, -1e9, 1e30):
        assert_same(kata.skew(np.where(unused, size, products)), wanted)


@pytest.mark.task(1)
def test_every_batch_and_head_is_skewed_by_itself(kata, reference, rng):
    skewed = np.array(FOUR_BY_FOUR_SKEWED)
    assert_same(kata.skew(np.stack([FOUR_BY_FOUR, -FOUR_BY_FOUR, FOUR_BY_FOUR / 8.0])), [skewed, -skewed, skewed / 8.0])
    products = rng.normal(size=(2, 3, 7, 7))
    wanted = [[reference.skew(products[batch, head]) for head in range(3)] for batch in range(2)]
    assert_same(kata.skew(products), wanted)


def products_of_any_size(rng):
    coinciding = ((5, 5, 5), (4, 4, 4, 4), (1, 6, 6), (6, 1, 6, 6), (2, 1, 3, 4, 4))
    drawn = ((*leading, n, n) for leading in ((), (3,), (2, 5)) for n in (12, 17, 12, int(rng.integers(2, 30))))
    return [(rng.normal(size=shape),) for shape in (*coinciding, *drawn)]


def some_products(rng):
    products = rng.normal(0.0, 5.0, size=(3, 7, 7))
    return [(products,), (products.astype(np.float32),), (FOUR_BY_FOUR,)]


test_products_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(1, "skew", products_of_any_size)
test_whole_numbers_are_moved_too = checks.takes_whole_numbers(1, "skew", some_products)
test_products_in_any_memory_layout_and_in_float32_are_moved = checks.takes_views(1, "skew", some_products)


# Task 2: the logits

@pytest.mark.task(2)
def test_logits_of_four_positions_by_hand(kata):
    # the last query meets all four distances: 2 - 6, 1 + 1, -6 - 1, 1 - 2 + 2
    q = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0], [3.0, 2.0, 0.0], [1.0, -2.0, 1.0]])
    table = np.array([[2.0, 3.0, 0.0], [1.0, 0.0, 1.0], [0.0, 3.0, -1.0], [1.0, 1.0, 2.0]])
    wanted = [[5.0, 0.0, 0.0, 0.0], [4.0, -1.0, 0.0, 0.0], [3.0, 6.0, 5.0, 0.0], [-4.0, 2.0, -7.0, 1.0]]
    assert_same(kata.relative_logits(q, table), wanted)


@pytest.mark.task(2)
def test_unit_vectors_in_the_table_pick_columns_of_the_query(kata):
    assert_same(kata.relative_logits(FOUR_BY_FOUR, np.eye(4)), FOUR_BY_FOUR_SKEWED)
    wanted = [[41.0, 0.0, 0.0, 0.0], [32.0, 42.0, 0.0, 0.0], [23.0, 33.0, 43.0, 0.0], [14.0, 24.0, 34.0, 44.0]]
    assert_same(kata.relative_logits(q=np.eye(4), table=FOUR_BY_FOUR), wanted)


@pytest.mark.task(2)
def test_dot_products_are_not_scaled(kata):
    # 16 columns: 2 * 3 added up 16 times
    wanted = [[96.0, 0.0, 0.0], [96.0, 96.0, 0.0], [96.0, 96.0, 96.0]]
    assert_same(kata.relative_logits(np.full((3, 16), 2.0), np.full((3, 16), 3.0)), wanted)


@pytest.mark.task(2)
def test_one_position_and_one_column(kata):
    assert_same(kata.relative_logits(np.array([[2.0, -3.0]]), np.array([[0.5, 4.0]])), [[-11.0]])
    assert_same(kata.relative_logits(np.array([[[2.0]], [[7.0]]]), np.array([[3.0]])), [[[6.0]], [[21.0]]])
    logits = kata.relative_logits(np.array([[2.0], [3.0], [5.0]]), np.array([[7.0], [11.0], [-13.0]]))
    assert_same(logits, [[-26.0, 0.0, 0.0], [33.0, -39.0, 0.0], [35.0, 55.0, -65.0]])


@pytest.mark.task(2)
def test_one_row_of_the_table_fills_one_diagonal(kata, rng):
    q = rng.normal(size=(9, 5))
    for back in (0, 1, 4, 8):
        table = np.zeros((9, 5))
        table[8 - back] = 1.0
        assert_same(kata.relative_logits(q, table), np.diag(q.sum(axis=1)[back:], -back))


@pytest.mark.task(2)
def test_a_query_fills_its_own_row(kata, rng):
    table = rng.normal(size=(9, 5))
    for i in (0, 3, 8):
        q, wanted = np.zeros((9, 5)), np.zeros((9, 9))
        q[i], wanted[i, : i + 1] = 1.0, table.sum(axis=1)[8 - i:]
        assert_same(kata.relative_logits(q, table), wanted)


@pytest.mark.task(2)
def test_a_huge_query_shows_in_no_other_row(kata, rng):
    q, table, size = rng.normal(size=(9, 5)), rng.normal(size=(9, 5)), np.ones((9, 1))
    size[4] = 1e20
    logits, wanted = kata.relative_logits(size * q, table), kata.relative_logits(q, table)
    assert_same(np.delete(logits, 4, axis=0), np.delete(wanted, 4, axis=0))
    assert_same(logits[4, 5:], np.zeros(4))


@pytest.mark.task(2)
def test_all_batches_and_heads_share_the_table(kata, reference, rng):
    q, table = rng.normal(size=(2, 3, 7, 5)), rng.normal(size=(7, 5))
    wanted = [[reference.relative_logits(q[batch, head], table) for head in range(3)] for batch in range(2)]
    assert_same(kata.relative_logits(q, table), wanted)


def vectors_of_any_size(rng):
    coinciding = ((6, 6), (5, 5, 5), (4, 4, 4, 4), (7, 7, 3), (3, 7, 3), (1, 6, 1))
    sizes = ((12, 8), (12, 8), (17, 3), tuple(rng.integers(2, 25, size=2)))
    for shape in (*coinciding, *((*leading, n, d) for leading in ((), (3,), (2, 5)) for n, d in sizes)):
        yield 3.0 * rng.normal(size=shape), rng.normal(size=shape[-2:])


def some_vectors(rng, dtype=np.float64):
    return [(3.0 * rng.normal(size=(3, 8, 5)).astype(dtype), 3.0 * rng.normal(size=(8, 5)).astype(dtype))]


test_logits_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "relative_logits", vectors_of_any_size)
test_single_precision_in_gives_the_same_to_fewer_digits = checks.agrees_with_the_reference(
    2, "relative_logits", lambda rng: some_vectors(rng, np.float32))
test_whole_numbers_are_multiplied_too = checks.takes_whole_numbers(2, "relative_logits", some_vectors)
test_queries_and_tables_in_any_memory_layout_are_read = checks.takes_views(2, "relative_logits", some_vectors)


@pytest.mark.task(2)
def test_twice_the_length_takes_four_times_the_memory_however_wide(kata, rng):
    # n * n takes 0.5 MiB, n * n * n of one byte each 16.8, n * n * d 40.2, and half of that the vectors of keys so far
    small, large = (tuple(rng.normal(size=(2, *shape))) for shape in ((130, 9), (260, 78)))
    assert_memory_grows(kata.relative_logits, small, large, at_most=4)


# Both

test_skew_and_logits_are_in_double_precision = checks.are_in_double_precision(
    (1, 2), skew=[(FOUR_BY_FOUR,)], relative_logits=some_vectors)
