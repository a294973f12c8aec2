"""What slower pairs and a larger base have to be: values worked by hand, laws, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: all pairs slowed alike

@pytest.mark.task(1)
def test_four_pairs_five_times_slower_by_hand(kata):
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8
    assert_same(kata.interpolated_frequencies(8, 5.0, 16.0), [0.2, 0.1, 0.05, 0.025])


@pytest.mark.task(1)
def test_the_base_is_ten_thousand_unless_given(kata):
    assert_same(kata.interpolated_frequencies(8, 4.0), [0.25, 0.025, 0.0025, 0.00025])
    assert_same(kata.interpolated_frequencies(d_head=6, scale=2.0, base=1000.0), [0.5, 0.05, 0.005])
    assert_same(kata.interpolated_frequencies(4, 3, base=81), [1 / 3, 1 / 27])


@pytest.mark.task(1)
def test_two_columns_turn_by_one_over_the_scale(kata):
    assert_same(kata.interpolated_frequencies(2, 8.0), [0.125])
    assert_same(kata.interpolated_frequencies(2, 0.8, 7.0), [1.25])


@pytest.mark.task(1)
def test_a_scale_of_one_changes_nothing_and_a_smaller_one_speeds_up(kata):
    assert_same(kata.interpolated_frequencies(8, 1.0), [1.0, 0.1, 0.01, 0.001])
    assert_same(kata.interpolated_frequencies(8, 0.5, 16.0), [2.0, 1.0, 0.5, 0.25])
    assert_same(kata.interpolated_frequencies(4, 0.04, 25.0), [25.0, 5.0])
    assert_same(kata.interpolated_frequencies(4, 0.001), [1000.0, 10.0])


@pytest.mark.task(1)
def test_each_pair_needs_scale_times_as_many_positions_for_a_radian(kata):
    unscaled = 500.0 ** (np.arange(9) / 9)                 # (9,) positions for a radian in training
    for scale in (1.5, 4.0, 20.0):
        assert_same(1.0 / kata.interpolated_frequencies(18, scale, 500.0), scale * unscaled)


def widths_scales_and_bases(rng):
    yield from ((12, 2.5), (12, 2.5, 300.0), (12, 7.0, 300.0), (14, 7.0, 300.0))
    for d_head in (2 * rng.integers(2, 60, size=4)).tolist():
        yield d_head, float(rng.uniform(0.2, 30.0)), float(rng.uniform(20.0, 50000.0))


@pytest.mark.task(1)
def test_frequencies_of_any_width_scale_and_base_agree_with_the_reference(kata, reference, rng):
    for one in widths_scales_and_bases(rng):
        assert_same(1.0 / kata.interpolated_frequencies(*one), 1.0 / reference.interpolated_frequencies(*one))


test_every_call_of_the_frequencies_starts_afresh = checks.starts_afresh(
    1, "interpolated_frequencies", widths_scales_and_bases)


# Task 2: the slowest pair slowed by the scale

@pytest.mark.task(2)
def test_two_pairs_take_the_square_of_the_scale(kata):
    # width 4: the exponent is 4/2
    assert_same(kata.ntk_base(9.0, 4, 16.0), 1296.0)
    assert_same(kata.ntk_base(3.0, 4), 90000.0)


@pytest.mark.task(2)
def test_more_pairs_take_a_smaller_power_by_hand(kata):
    # width 8: 8 ** (8/6) = 16; width 6: 4 ** (6/4) = 8; width 10: 16 ** (10/8) = 32
    assert_same(kata.ntk_base(8.0, 8), 160000.0)
    assert_same(kata.ntk_base(scale=4.0, d_head=6, base=1000.0), 8000.0)
    assert_same(kata.ntk_base(16, 10, base=5), 160.0)
    assert_same(kata.ntk_base(8.0, 8, base=1.25), 20.0)
    # powers that are no whole numbers
    assert_same(kata.ntk_base(2.0, 128), 20221.2616897379)             # 10000 * 2 ** (64/63)
    assert_same(kata.ntk_base(2.5, 10, 500.0), 1571.791787103669)      # 500 * 2.5 ** (5/4)


@pytest.mark.task(2)
def test_a_scale_of_one_leaves_the_base_and_a_smaller_one_lowers_it(kata):
    assert_same(kata.ntk_base(1.0, 12, 300.0), 300.0)
    assert_same(kata.ntk_base(0.25, 6, 1000.0), 125.0)


@pytest.mark.task(2)
def test_each_pair_is_slowed_as_much_more_than_the_one_before(kata):
    # from 1 at the first pair to the scale at the last, whatever the base of training
    for d_head, base in ((4, 10000.0), (10, 10000.0), (8, 1.5), (16, 80.0)):
        bases = np.array([kata.ntk_base(scale, d_head, base) for scale in (0.5, 3.0, 16.0)])
        last = d_head // 2 - 1
        for pair in range(last + 1):
            slowed = (bases / base) ** (2 * pair / d_head)             # (3,)
            assert_same(slowed, np.array([0.5, 3.0, 16.0]) ** (pair / last))


test_bases_for_any_scale_and_width_agree_with_the_reference = checks.starts_afresh(
    2, "ntk_base", lambda rng: [(scale, d_head, *base) for d_head, scale, *base in widths_scales_and_bases(rng)])


# Task 3: stretched only when it is too long

@pytest.mark.task(3)
def test_two_long_texts_by_hand(kata):
    # 500 of 200 positions with factor 10: 10 * 2.5 - 9 = 16, and 16 ** (6/4) = 64
    assert_same(kata.dynamic_ntk_base(500, 200, 6, 10.0, 1000.0), 64000.0)
    # half as many again with factor 6: 6 * 1.5 - 5 = 4, and 4 ** (4/2) = 16
    assert_same(kata.dynamic_ntk_base(n=300, train_len=200, d_head=4, factor=6, base=5), 80.0)
    # and 4 ** (6/4) = 8
    assert_same(kata.dynamic_ntk_base(300, 200, 6, 6.0, 1.25), 10.0)


@pytest.mark.task(3)
def test_factor_one_and_base_ten_thousand_unless_given(kata):
    # eight times too long: 8 ** (8/6) = 16
    assert_same(kata.dynamic_ntk_base(4096, 512, 8), 160000.0)
    assert_same(kata.dynamic_ntk_base(4096, 512, 8, base=100.0), 1600.0)
    assert_same(kata.dynamic_ntk_base(20, 5, 6, factor=5.0), 640000.0)


@pytest.mark.task(3)
def test_up_to_the_length_of_training_the_base_stays(kata):
    for n in (1, 2, 20, 300, 511, 512):
        for factor in (1.0, 2.5, 7):
            assert_same(kata.dynamic_ntk_base(n, 512, 8, factor), 10000.0)
            assert_same(kata.dynamic_ntk_base(n, 512, 10, factor, 300.0), 300.0)
    assert_same(kata.dynamic_ntk_base(1, 1, 4, 3.0, 25.0), 25.0)


@pytest.mark.task(3)
def test_the_first_position_too_many_counts(kata):
    # 10000 * (513/512) ** (4/3); with factor 2, 500 * (2 * 700/512 - 1) ** (5/4)
    assert_same(kata.dynamic_ntk_base(513, 512, 8), 10026.0501400953934)
    assert_same(kata.dynamic_ntk_base(700, 512, 10, 2.0, 500.0), 995.173402518915)
    assert_same(kata.dynamic_ntk_base(2, 1, 4, 1.0, 25.0), 100.0)


@pytest.mark.task(3)
def test_the_slowest_pair_turns_no_further_than_in_training(kata):
    # at factor 1 its angle at position n is the one that it had at train_len
    lengths = np.array([64, 65, 80, 100, 200, 640])
    bases = np.array([kata.dynamic_ntk_base(n, 64, 10, base=300.0) for n in lengths.tolist()])
    assert_same(bases ** (8 / 10), 300.0 ** (8 / 10) * lengths / 64)


@pytest.mark.task(3)
def test_every_further_length_of_training_adds_the_factor_to_the_stretch(kata):
    for d_head, factor in ((4, 1.0), (8, 3.0), (12, 2.5)):
        bases = np.array([kata.dynamic_ntk_base(n, 50, d_head, factor, 300.0) for n in (50, 100, 150, 300)])
        stretches = (bases / 300.0) ** ((d_head - 2) / d_head)         # (4,) at 1, 2, 3 and 6 lengths
        assert_same(np.diff(stretches), np.array([1.0, 1.0, 3.0]) * factor)


def lengths_widths_and_factors(rng):
    yield from ((700, 512, 8), (700, 512, 8, 2.0), (900, 512, 8, 2.0, 300.0), (900, 400, 10, 2.0, 300.0))
    for d_head in (2 * rng.integers(2, 60, size=6)).tolist():
        n, train_len = rng.integers(1, 900, size=2).tolist()
        yield n, train_len, d_head, float(rng.uniform(1.0, 9.0)), float(rng.uniform(20.0, 50000.0))


test_bases_for_texts_of_any_length_agree_with_the_reference = checks.starts_afresh(
    3, "dynamic_ntk_base", lengths_widths_and_factors)


# All of them

test_frequencies_and_bases_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), interpolated_frequencies=[(8, 4.0)], ntk_base=[(4.0, 8)],
    dynamic_ntk_base=[(700, 512, 8), (300, 512, 8)])
