"""What the mean of the words so far is and what it tells: values worked by hand, laws of order, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import counting

# Task 1: the mean so far

@pytest.mark.task(1)
def test_means_of_four_words_by_hand(kata):
    # sums 4, 6, 3, 8 and 1, 0, 6, 6
    x = np.array([[4.0, 1.0], [2.0, -1.0], [-3.0, 6.0], [5.0, 0.0]])
    assert_same(kata.prefix_mean(x), [[4.0, 1.0], [3.0, 0.0], [1.0, 2.0], [2.0, 1.5]])
    # as many columns as words
    x = np.array([[6.0, 0.0, 12.0], [0.0, 6.0, 12.0], [3.0, 3.0, -12.0]])
    assert_same(kata.prefix_mean(x), [[6.0, 0.0, 12.0], [3.0, 3.0, 12.0], [3.0, 3.0, 4.0]])


@pytest.mark.task(1)
def test_a_first_token_leaves_one_share_per_row_and_words_of_zeros_count_every_time(kata):
    x = np.zeros((6, 3))
    x[0] = 1.0, 60.0, -30.0
    assert_same(kata.prefix_mean(x), [[1.0, 60.0, -30.0], [0.5, 30.0, -15.0], [0.333333333333, 20.0, -10.0],
                                      [0.25, 15.0, -7.5], [0.2, 12.0, -6.0], [0.166666666667, 10.0, -5.0]])
    x = np.array([[6.0], [6.0], [0.0], [0.0], [-2.0]])
    assert_same(kata.prefix_mean(x), [[6.0], [6.0], [4.0], [3.0], [2.0]])


@pytest.mark.task(1)
def test_one_word_is_its_own_mean_and_every_text_of_a_batch_has_its_own(kata):
    assert_same(kata.prefix_mean(np.array([[3.0, -1.5, 0.0]])), [[3.0, -1.5, 0.0]])
    assert_same(kata.prefix_mean(np.array([[-7.0]])), [[-7.0]])
    assert_same(kata.prefix_mean(np.array([[2.0], [4.0]])), [[2.0], [3.0]])
    # sums 1, 4, 9 of the odd numbers, and ten times as much; then the same with a head in between
    x = np.array([[[1.0], [3.0], [5.0]], [[10.0], [30.0], [50.0]]])
    wanted = np.array([[[1.0], [2.0], [3.0]], [[10.0], [20.0], [30.0]]])
    assert_same(kata.prefix_mean(x), wanted)
    assert_same(kata.prefix_mean(x[:, None]), wanted[:, None])
    assert_same(kata.prefix_mean(x[:1]), wanted[:1])


@pytest.mark.task(1)
def test_the_last_row_is_the_mean_of_all_words_and_no_row_knows_what_comes_later(kata, rng):
    for n in (2, 3, 7, 30):
        # 1 + 3 + 5 + ... adds up to a square
        x = np.repeat(np.arange(1.0, 2 * n, 2.0)[:, None], 4, axis=1)  # (n, 4)
        assert_same(kata.prefix_mean(x)[-1], [float(n)] * 4)
    x = rng.normal(size=(2, 14, 5))
    assert_same(kata.prefix_mean(x)[:, :9], kata.prefix_mean(x[:, :9]))


@pytest.mark.task(1)
def test_means_times_their_counts_give_the_words_back(kata, rng):
    x = rng.normal(size=(3, 12, 7))
    means = kata.prefix_mean(x)                                        # (3, 12, 7)
    for i in range(1, 12):
        assert_same((i + 1) * means[:, i] - i * means[:, i - 1], x[:, i])


@pytest.mark.task(1)
def test_means_far_from_zero_and_of_long_texts_are_exact(kata):
    x = np.array([[1e6], [1e6 + 6.0], [1e6 - 3.0]])
    assert_same(kata.prefix_mean(x), [[1e6], [1e6 + 3.0], [1e6 + 1.0]])
    long = kata.prefix_mean(np.arange(4096.0)[:, None])                # (4096, 1) each mean is half of the position
    assert_same(long[[1, 511, 2048, 4095]], [[0.5], [255.5], [1024.0], [2047.5]])


def texts_of_any_shape(rng):
    for shape in ((12, 7), (7, 12), (12, 7), (9, 9), (2, 5, 3), (5, 5, 5), (3, 6, 12, 4), (2, 1, 3), (4, 13, 1)):
        yield (3.0 * rng.normal(size=shape),)
    yield (rng.normal(size=(3, 12, 5)).astype(np.float32),)


test_means_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "prefix_mean", texts_of_any_shape)
test_whole_numbers_have_means_that_are_not_whole = checks.takes_whole_numbers(1, "prefix_mean", texts_of_any_shape)
test_means_do_not_depend_on_how_words_lie_in_memory = checks.takes_views(1, "prefix_mean", texts_of_any_shape)


# Task 2: positions from shares

@pytest.mark.task(2)
def test_exact_shares_give_every_position_of_a_long_text_in_any_order(kata):
    assert_same(kata.positions_from_share(np.array([1.0, 1 / 2, 1 / 3, 1 / 4, 1 / 5])), [0, 1, 2, 3, 4])
    assert_same(kata.positions_from_share(share=np.array([0.01, 0.001])), [99, 999])
    assert_same(kata.positions_from_share(np.array([0.1, 0.5, 0.02, 0.5, 1.0, 0.1])), [9, 1, 49, 1, 0, 9])
    assert_same(kata.positions_from_share(np.array([0.125])), [7])
    assert_same(kata.positions_from_share(np.array([0.25, 0.25])), [3, 3])
    assert_same(kata.positions_from_share(np.array([1e-5, 0.2, 2e-5])), [99999, 4, 49999])
    shares = 1 / np.arange(1.0, 4097.0)
    assert_same(kata.positions_from_share(shares), np.arange(4096))
    assert_same(kata.positions_from_share(shares[:2048].astype(np.float32)), np.arange(2048))
    assert_same(kata.positions_from_share(1 / np.array([65536.0, 131072.0, 1000001.0])), [65535, 131071, 1000000])


@pytest.mark.task(2)
def test_a_share_that_is_not_exact_gives_the_nearest_position(kata):
    # 1 / share - 1 is 0.11, 0.39, 2.85, 3.17, 3.76, 2.33, 8.62, 9.2, 9.55, 99.2, 98.8
    shares = np.array([0.9, 0.72, 0.26, 0.24, 0.21, 0.3, 0.104, 1 / 10.2, 1 / 10.55, 1 / 100.2, 1 / 99.8])
    assert_same(kata.positions_from_share(shares), [0, 0, 3, 3, 4, 2, 9, 9, 10, 99, 99])
    # slightly above one
    assert_same(kata.positions_from_share(np.array([1.0 + 1e-12, 1.05, 1.3])), [0, 0, 0])


@pytest.mark.task(2)
def test_positions_have_the_shape_of_the_shares(kata):
    assert_same(kata.positions_from_share(np.array(0.05)), 19)
    assert_same(kata.positions_from_share(np.float64(0.26)), 3)
    assert_same(kata.positions_from_share(np.array([[1.0, 0.5], [0.2, 0.25], [0.04, 0.1]])), [[0, 1], [4, 3], [24, 9]])
    assert_same(kata.positions_from_share(np.array([[[0.5]], [[0.125]]])), [[[1]], [[7]]])


def shares_of_any_shape(rng):
    for shape in ((40,), (5, 8), (3, 4, 6)):
        # positions up to 700, many of them small, each up to 0.48 off
        positions = rng.integers(0, rng.integers(1, 702, size=shape))
        shares = 1 / (positions + 1.0 + rng.uniform(-0.48, 0.48, size=shape))
        shares.flat[::7] = 1 / 1.4                                     # nearer to 1 / 2 than to 1, but position 0.4
        yield (shares,)


test_positions_from_shares_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "positions_from_share", shares_of_any_shape)
test_positions_from_shares_of_any_layout_agree_with_the_reference = checks.takes_views(
    2, "positions_from_share", shares_of_any_shape)


@pytest.mark.task(1, 2)
def test_the_mean_of_a_mark_in_the_first_token_tells_every_position(kata, rng):
    x = rng.normal(size=(2, 300, 3))
    x[..., 1] = 0.0
    x[:, 0, 1] = 1.0
    share = np.array(kata.prefix_mean(x), dtype=float)[..., 1]         # (2, 300)
    assert_same(kata.positions_from_share(share), [list(range(300))] * 2)


# Task 3: what the mean does not tell

@pytest.mark.task(3)
def test_words_that_change_places_by_hand(kata):
    # 2, 8, 5, 1 has the means 2, 5, 5, 4; with 8 and 5 exchanged they are 2, 3.5, 5, 4
    x = np.array([[2.0], [8.0], [5.0], [1.0]])
    assert_same(kata.prefix_gap(x, np.array([0, 2, 1, 3])), [0.0, 1.5, 0.0, 0.0])
    # 3, 6, 0, 7 has the means 3, 4.5, 3, 4; 6, 0, 7, 3 has 6, 3, 13/3, 4
    x = np.array([[3.0], [6.0], [0.0], [7.0]])
    assert_same(kata.prefix_gap(x, np.array([1, 2, 3, 0])), [3.0, 1.5, 1.333333333333, 0.0])
    # the other way round, 7, 3, 6, 0 has 7, 5, 16/3, 4
    assert_same(kata.prefix_gap(x=x, order=np.array([3, 0, 1, 2])), [4.0, 0.5, 2.333333333333, 0.0])


@pytest.mark.task(3)
def test_the_gap_of_a_row_is_its_largest_change_in_any_column_without_its_sign(kata):
    # changes of row 0: 4, -6, 1; of row 1: 2, -3, 0.5, before all three words are there
    x = np.array([[0.0, 5.0, 1.0], [10.0, 10.0, 10.0], [4.0, -1.0, 2.0]])
    assert_same(kata.prefix_gap(x, np.array([2, 1, 0])), [6.0, 3.0, 0.0])
    for sign in (1.0, -1.0):
        assert_same(kata.prefix_gap(sign * np.array([[1.0, 2.0], [4.0, 9.0]]), np.array([1, 0])), [7.0, 0.0])


@pytest.mark.task(3)
def test_words_left_where_they_are_or_like_each_other_make_no_gap(kata):
    for n, d in ((1, 1), (1, 4), (6, 3), (5, 5)):
        assert_same(kata.prefix_gap(counting(n, d) ** 2, np.arange(n)), [0.0] * n)
    x = np.array([[5.0, 1.0], [2.0, 3.0], [5.0, 1.0], [2.0, 3.0]])
    assert_same(kata.prefix_gap(x, np.array([2, 3, 0, 1])), [0.0, 0.0, 0.0, 0.0])
    assert_same(kata.prefix_gap(x, np.array([1, 2, 3, 0])), [3.0, 0.0, 1.0, 0.0])


@pytest.mark.task(3)
def test_a_swap_changes_only_rows_between_the_two_places_and_no_row_after_them(kata, rng):
    x = rng.normal(size=(12, 5)) + 3.0 * np.arange(12.0)[:, None]      # (12, 5) no two words alike
    for first, second in ((0, 11), (3, 8), (6, 7)):
        order = np.arange(12)
        order[[first, second]] = second, first
        gap = kata.prefix_gap(x, order)                                # (12,)
        assert_same(gap > 1e-4, [first <= i < second for i in range(12)])
        assert_same(gap[:first], [0.0] * first)
        assert_same(gap[second:], [0.0] * (12 - second))
    x = rng.normal(size=(14, 3))
    for reach in (2, 6, 13, 14):
        order = np.concatenate([rng.permutation(reach), np.arange(reach, 14)])
        assert_same(kata.prefix_gap(x, order)[reach - 1 :], [0.0] * (15 - reach))


@pytest.mark.task(3)
def test_large_words_do_not_hide_a_gap_and_a_small_gap_is_not_zero(kata):
    x = np.array([[1e6], [1e6 + 4.0], [1e6 - 2.0]])
    assert_same(kata.prefix_gap(x, np.array([1, 0, 2])), [4.0, 0.0, 0.0])
    assert_same(kata.prefix_gap(np.array([[1e6], [1e6 + 0.25]]), np.array([1, 0])), [0.25, 0.0])
    # 2, 6, 4 has the means 2, 4, 4; 6, 2, 4 has 6, 4, 4
    for size in (1e-3, 1e-5, 1e-7):
        x = size * np.array([[2.0], [6.0], [4.0]])
        assert_same(kata.prefix_gap(x, np.array([1, 0, 2])), [4.0 * size, 0.0, 0.0])


def words_in_other_orders(rng):
    for n, d in ((12, 7), (7, 12), (9, 9), (13, 1), (2, 6)):
        x = 3.0 * rng.normal(size=(n, d))
        yield from ((x, rng.permutation(n)), (x, rng.permutation(n)), (x.astype(np.float32), rng.permutation(n)))


test_gaps_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "prefix_gap", words_in_other_orders)
test_the_gap_of_whole_numbers = checks.takes_whole_numbers(3, "prefix_gap", words_in_other_orders)
test_gaps_do_not_depend_on_how_words_lie_in_memory = checks.takes_views(3, "prefix_gap", words_in_other_orders)
test_every_gap_starts_afresh = checks.starts_afresh(3, "prefix_gap", words_in_other_orders)


# Those that are not whole numbers

test_means_and_gaps_are_in_double_precision = checks.are_in_double_precision(
    (1, 3), prefix_mean=[(counting(12, 5) / 7,)], prefix_gap=[(counting(12, 5) / 7, np.arange(12)[::-1])])
