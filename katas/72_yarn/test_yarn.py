"""What YaRN has to be: ranges and frequencies worked by hand, laws of the ramp, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# (d_head, train_len, beta_fast, beta_slow, base): both ends on the ramp, one cut off, both cut off
RANGES = (
    (64, 8192, 32.0, 1.0, 500000.0), (64, 8192, 16.0, 2.0, 500000.0), (20, 700, 12.0, 0.25, 100.0),
    (48, 300, 32.0, 1.0, 500.0), (96, 4096, 64.0, 4.0, 10000.0), (64, 12, 32.0, 1.0, 10000.0),
    (8, 512, 32.0, 1.0, 10.0), (12, 2, 32.0, 1.0, 10000.0), (8, 12000, 32.0, 1.0, 10.0),
)


# Task 1: where the ramp begins and ends

@pytest.mark.task(1)
def test_the_ranges_of_llama_by_hand(kata):
    # 64 ln(4096 / (2 pi 32)) / ln 10000 = 20.94 and 64 ln(4096 / (2 pi)) / ln 10000 = 45.03
    assert_same(kata.correction_range(128, 4096), (20, 46))
    # with 2048 positions 16.13 and 40.21
    assert_same(kata.correction_range(128, 2048), (16, 41))


@pytest.mark.task(1)
def test_pairs_that_halve_their_turns_by_hand(kata):
    # base 256 and width 16: pair i makes 1024 / (2 pi 2**i) turns, that is
    # 163, 81.5, 40.7, 20.4, 10.2, 5.1, 2.5 and 1.3; a ninth pair would make 0.6
    assert_same(kata.correction_range(16, 1024, base=256.0), (2, 8))
    assert_same(kata.correction_range(16, 1024, 10.0, 3.0, 256.0), (4, 6))
    assert_same(kata.correction_range(d_head=16, train_len=1024, beta_fast=90, beta_slow=2, base=256), (0, 7))


@pytest.mark.task(1)
def test_fast_is_32_turns_and_slow_is_one_unless_given(kata):
    # wide heads tell one turn more or less: 76.48 and 461.8; 31 or 33 turns would be at 80.0 and 73.1
    assert_same(kata.correction_range(512, 400, base=10.0), (76, 462))


@pytest.mark.task(1)
def test_one_pair_has_a_range(kata):
    # ln(512 / (2 pi 32)) / ln 10000 = 0.10 and ln(512 / (2 pi)) / ln 10000 = 0.48
    assert_same(kata.correction_range(2, 512), (0, 1))


@pytest.mark.task(1)
def test_low_is_never_below_the_first_pair(kata):
    # -0.30 and 1.20; -9.79 and 2.25; -2.30 and -0.80; -1.70 and -0.20
    assert_same(kata.correction_range(8, 100), (0, 2))
    assert_same(kata.correction_range(64, 12), (0, 3))
    assert_same(kata.correction_range(8, 1), (0, 0))
    assert_same(kata.correction_range(8, 4), (0, 0))


@pytest.mark.task(1)
def test_high_is_never_above_the_last_column(kata):
    # width 8 has the pairs 0 to 3 and the columns 0 to 7: 1.62 and 7.64; 5.51 and 11.53; 7.10 and 13.12;
    # -10.61 and 9.39
    assert_same(kata.correction_range(8, 512, base=10.0), (1, 7))
    assert_same(kata.correction_range(8, 4800, base=10.0), (5, 7))
    assert_same(kata.correction_range(8, 12000, base=10.0), (7, 7))
    assert_same(kata.correction_range(8, 32, base=2.0), (0, 7))


@pytest.mark.task(1)
def test_the_range_holds_the_indices_that_make_so_many_turns(kata, rng):
    # the other way round: indices first, then the turns that a pair there would make
    for _ in range(12):
        d_head, base = 2 * int(rng.integers(6, 40)), float(rng.uniform(20.0, 50000.0))
        low, high = np.sort(rng.choice(d_head - 1, size=2, replace=False)).tolist()
        fractions = rng.uniform(0.05, 0.95, size=2)
        turns = 512 / (2 * np.pi) * base ** (-2 * (np.array([low, high]) + fractions) / d_head)
        assert_same(kata.correction_range(d_head, 512, *turns.tolist(), base), (low, high + 1))


@pytest.mark.task(1)
def test_texts_and_turns_three_times_as_many_have_the_same_range(kata):
    for d_head, train_len, beta_fast, beta_slow, base in RANGES:
        once = tuple(kata.correction_range(d_head, train_len, beta_fast, beta_slow, base))
        assert_same(kata.correction_range(d_head, 3 * train_len, 3 * beta_fast, 3 * beta_slow, base), once)


# Task 2: kept, mixed, slowed

@pytest.mark.task(2)
def test_eight_pairs_on_a_ramp_from_two_to_eight_by_hand(kata):
    # 1, 1/2, 1/4, ...; the ramp is 0, 0, 0, 1/6, 2/6, 3/6, 4/6, 5/6: of the last five remain 6/7, ..., 2/7
    wanted = [1.0, 1 / 2, 1 / 4, 6 / 56, 5 / 112, 4 / 224, 3 / 448, 2 / 896]
    assert_same(kata.yarn_frequencies(16, 7.0, 1024, base=256.0), wanted)


@pytest.mark.task(2)
def test_four_pairs_with_other_turns_by_hand(kata):
    # 10.2, 5.1, 2.5 and 1.3 turns, so low is 0 and high 3; 1, 3/4, 1/2 and 1/4 remain of 1, 1/2, 1/4 and 1/8
    assert_same(kata.yarn_frequencies(8, 4.0, 64, 8.0, 2.0, 16.0), [1.0, 3 / 8, 1 / 8, 1 / 32])
    by_name = kata.yarn_frequencies(d_head=8, scale=4, train_len=64, beta_fast=8, beta_slow=2, base=16)
    assert_same(by_name, [1.0, 3 / 8, 1 / 8, 1 / 32])


@pytest.mark.task(2)
def test_the_frequencies_of_llama_by_hand(kata):
    # the ramp runs from 16 to 41: at 20, 30 and 40 it is 4/25, 14/25 and 24/25
    speeds = kata.yarn_frequencies(128, 8.0, 2048)                     # (64,)
    assert_same(speeds[[0, 8, 16]], [1.0, 0.316227766017, 0.1])
    assert_same(speeds[[20, 30, 40]], [0.048361353966, 0.006800959304, 0.000505964426])
    assert_same(1.0 / speeds[[48, 56]], [8000.0, 25298.221281347])
    wide = kata.yarn_frequencies(512, 8.0, 400, 32, 1, 10.0)           # (256,), low 76 and high 462
    assert_same(kata.yarn_frequencies(512, 8.0, 400, base=10.0), wide)


@pytest.mark.task(2)
def test_low_equal_to_high_leaves_no_ramp(kata):
    # both are 0: pair 0 is kept, all others are slowed; both are 7: all four pairs are kept
    assert_same(kata.yarn_frequencies(8, 4.0, 4), [1.0, 0.025, 0.0025, 0.00025])
    assert_same(kata.yarn_frequencies(8, 4.0, 12000, base=10.0), 10.0 ** (-np.arange(4) / 4))


@pytest.mark.task(2)
def test_pairs_up_to_low_are_kept_and_pairs_from_high_are_slowed(kata):
    # low 9 and high 18; low 0 and high 3; low 5, beyond the last pair
    speeds = kata.yarn_frequencies(64, 3.0, 8192, base=500000.0)       # (32,)
    assert_same(speeds[:10], 500000.0 ** (-np.arange(10) / 32))
    assert_same(1.0 / speeds[18:], 3.0 * 500000.0 ** (np.arange(18, 32) / 32))
    assert_same(1.0 / kata.yarn_frequencies(64, 3.0, 12)[3:], 3.0 * 10000.0 ** (np.arange(3, 32) / 32))
    assert_same(kata.yarn_frequencies(8, 3.0, 4800, base=10.0), 10.0 ** (-np.arange(4) / 4))


@pytest.mark.task(2)
def test_what_remains_of_a_speed_falls_by_equal_steps_along_the_ramp(kata):
    # low 9 and high 18: from 1 to 1/8 in nine steps, level before and after
    slowed = kata.yarn_frequencies(64, 8.0, 8192, base=500000.0)       # (32,)
    remains = slowed / kata.yarn_frequencies(64, 1.0, 8192, base=500000.0)
    assert_same(np.diff(remains), np.repeat([0.0, -7 / 72, 0.0], [9, 9, 13]))


@pytest.mark.task(2)
def test_a_scale_of_one_changes_nothing_and_a_smaller_one_speeds_up(kata):
    assert_same(kata.yarn_frequencies(8, 1.0, 512), [1.0, 0.1, 0.01, 0.001])
    # the example with other turns, slowed by 1/2: 1, 4/3, 5/3 and 2 times as fast
    assert_same(kata.yarn_frequencies(8, 0.5, 64, 8.0, 2.0, 16.0), [1.0, 4 / 6, 5 / 12, 2 / 8])


@pytest.mark.task(2)
def test_one_pair_is_kept(kata):
    # low 0 and high 1
    assert_same(kata.yarn_frequencies(2, 8.0, 512), [1.0])
    assert_same(kata.yarn_frequencies(2, 8.0, 512, 4.0, 0.5, 300.0), [1.0])


@pytest.mark.task(2)
def test_frequencies_of_any_range_and_scale_agree_with_the_reference(kata, reference, rng):
    for d_head, train_len, *others in (*RANGES, RANGES[0]):
        for scale in (float(rng.uniform(0.2, 1.0)), float(rng.uniform(1.0, 40.0))):
            wanted = reference.yarn_frequencies(d_head, scale, train_len, *others)
            assert_same(1.0 / kata.yarn_frequencies(d_head, scale, train_len, *others), 1.0 / wanted)


# Task 3: the factor

@pytest.mark.task(3)
def test_factors_for_longer_texts_by_hand(kata):
    assert_same(kata.yarn_attention_factor(10.0), 1.230258509299)      # 0.1 * 2.302585092994 + 1
    assert_same(kata.yarn_attention_factor(32.0), 1.346573590280)      # 0.5 ln 2 + 1
    assert_same(kata.yarn_attention_factor(scale=4), 1.138629436112)
    assert_same(kata.yarn_attention_factor(1.5), 1.040546510811)


@pytest.mark.task(3)
def test_texts_that_are_not_longer_have_factor_one(kata):
    for scale in (1.0, 1, 0.9, 0.5, 0.1, 0.01, 1e-6):
        assert_same(kata.yarn_attention_factor(scale), 1.0)
    for scale, wanted in ((1.001, 1.000099950033), (1.1, 1.009531017980), (2.0, 1.069314718056)):
        assert_same(kata.yarn_attention_factor(scale), wanted)         # unlike longer ones


@pytest.mark.task(3)
def test_every_tenfold_adds_as_much_to_the_factor(kata):
    factors = np.array([kata.yarn_attention_factor(scale) for scale in (3.0, 30.0, 300.0, 3000.0)])
    assert_same(np.diff(factors), [0.230258509299, 0.230258509299, 0.230258509299])


# Frequencies and factor

test_frequencies_and_factor_are_in_double_precision = checks.are_in_double_precision(
    (2, 3), yarn_frequencies=[(20, 4.0, 512)], yarn_attention_factor=[(4.0,)])
