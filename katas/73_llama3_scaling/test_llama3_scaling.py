"""What Llama 3.1's frequencies have to be: wavelengths and shares worked by hand, laws of the blend, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# (d_head, train_len, low_freq_factor, high_freq_factor, base): pairs of all three fates, of two, of one
SETTINGS = (
    (128, 8192, 1.0, 4.0, 500000.0), (64, 8192, 1.0, 4.0, 500000.0), (96, 4096, 0.5, 20.0, 10000.0),
    (20, 700, 3.0, 12.0, 100.0), (48, 300, 0.2, 0.7, 500.0), (12, 5000, 1.0, 2.0, 10.0), (10, 3, 1.0, 4.0, 10000.0),
    (2, 16, 1.0, 4.0, 10000.0), (16, 90, 0.5, 6.0, 1.5), (20, 4096, 1.0, 4.0, 1e7),
)


# Task 1: positions per full turn

@pytest.mark.task(1)
def test_four_wavelengths_by_hand_with_a_base_and_without(kata):
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8, so 2 pi, 4 pi, 8 pi and 16 pi positions
    assert_same(kata.wavelengths(8, 16.0), [6.283185307180, 12.566370614359, 25.132741228718, 50.265482457437])
    assert_same(kata.wavelengths(8), [6.283185307180, 62.83185307180, 628.3185307180, 6283.185307180])
    assert_same(kata.wavelengths(d_head=6, base=1000), [6.283185307180, 62.83185307180, 628.3185307180])


@pytest.mark.task(1)
def test_wavelengths_begin_at_two_pi_and_grow_by_one_constant_factor(kata):
    for d_head, base in ((2, 10000.0), (2, 7.0), (10, 1.5), (64, 500000.0)):
        assert_same(np.asarray(kata.wavelengths(d_head, base))[:1], [2 * np.pi])
    waves = kata.wavelengths(22, 777.0)                                # (11,)
    assert_same(waves[1:] / waves[:-1], np.full(10, 777.0 ** (1 / 11)))


test_wavelengths_of_any_width_and_base_agree_with_the_reference = checks.starts_afresh(1, "wavelengths", lambda rng: [
    (12,), (12, 300.0), (14, 300.0), *((2 * int(rng.integers(2, 60)), rng.uniform(20.0, 50000.0)) for _ in range(4))])


# Task 2: kept, blended, divided

@pytest.mark.task(2)
def test_kept_blended_and_divided_pairs_and_shares_of_eighths_by_hand(kata):
    # 5.09, 2.55, 1.27 and 0.64 turns: shares 1, 0.515493, 0.091080 and 0 of frequencies 1, 1/2, 1/4 and 1/8
    wanted = [1.0, 0.288028200548, 0.051173716804, 0.015625]
    assert_same(kata.llama3_frequencies(8, 8.0, 32, base=16.0), wanted)
    assert_same(kata.llama3_frequencies(8, 8.0, 32, 1.0, 4.0, 16.0), wanted)
    # 32, 16, 8 and 4 turns of pi: from 2 to 18 of these the shares are 1, 7/8, 3/8 and 1/8
    low, high = 2 / np.pi, 18 / np.pi
    remains = np.array([1.0, 29 / 32, 17 / 32, 11 / 32])               # s + (1 - s) / 4
    assert_same(kata.llama3_frequencies(8, 4.0, 64, low, high, 16.0), remains * [1.0, 1 / 2, 1 / 4, 1 / 8])
    by_name = kata.llama3_frequencies(
        d_head=8, factor=4, train_len=64, low_freq_factor=low, high_freq_factor=high, base=16)
    assert_same(by_name, remains * [1.0, 1 / 2, 1 / 4, 1 / 8])


@pytest.mark.task(2)
def test_the_frequencies_of_llama_by_hand_and_its_base_unless_given(kata):
    # pair 31 of Llama 3.1: 500000 ** (-62/128), wavelength 3619.25, 2.263453 turns, share 0.421151
    speeds = kata.llama3_frequencies(128, 8.0, 8192)                   # (64,)
    assert_same(speeds[[0, 16, 31]], [1.0, 0.037606030931, 0.000856751413])
    assert_same(1.0 / speeds[[28, 35, 48]], [311.386210957, 10464.397011700, 150424.123723456])
    # the same pair with factor 32: 1/32 instead of 1/8 of the other part
    assert_same(1.0 / kata.llama3_frequencies(128, 32.0, 8192)[[31, 48]], [1311.404545221, 601696.494893823])
    # so long that all pairs are kept
    assert_same(1.0 / kata.llama3_frequencies(6, 8.0, 10**9), 500000.0 ** (np.arange(3) / 3))
    assert_same(1.0 / kata.llama3_frequencies(6, 8.0, 10**9, base=10000.0), 10000.0 ** (np.arange(3) / 3))


@pytest.mark.task(2)
def test_fast_pairs_are_kept_and_slow_pairs_divided(kata):
    # 29 pairs make more than 4 turns, 29 less than one
    for factor in (8.0, 32.0, 1.5):
        speeds = kata.llama3_frequencies(128, factor, 8192)            # (64,)
        assert_same(1.0 / speeds[:29], 500000.0 ** (np.arange(29) / 64))
        assert_same(1.0 / speeds[35:], factor * 500000.0 ** (np.arange(35, 64) / 64))


@pytest.mark.task(2)
def test_all_pairs_may_be_kept_or_divided(kata):
    # at least 1000 turns; at most 3 / (2 pi) of a turn
    assert_same(kata.llama3_frequencies(8, 5.0, 10**8), 500000.0 ** (-np.arange(4) / 4))
    assert_same(1.0 / kata.llama3_frequencies(8, 5.0, 3, base=16.0), [5.0, 10.0, 20.0, 40.0])
    assert_same(kata.llama3_frequencies(2, 8.0, 3), [0.125])
    assert_same(kata.llama3_frequencies(2, 8.0, 30), [1.0])
    # 15.9 and 0.16 turns, nothing between 1 and 4
    assert_same(kata.llama3_frequencies(4, 5.0, 100), [1.0, 500000.0**-0.5 / 5])


@pytest.mark.task(2)
def test_what_remains_of_a_speed_grows_evenly_with_the_turns(kata):
    # from 1/6 at half a turn to 1 at 20 turns
    setting = 4096, 0.5, 20.0, 10000.0
    turns = 4096 / (2 * np.pi) * 10000.0 ** (-np.arange(48) / 48)      # (48,) 652 to 0.08
    remains = kata.llama3_frequencies(96, 6.0, *setting) / kata.llama3_frequencies(96, 1.0, *setting)
    between = (turns > 0.5) & (turns < 20.0)                           # 19 pairs
    assert_same(np.diff(remains[between]), np.diff(turns[between]) * 5 / 6 / 19.5)
    assert_same(remains[turns > 20.0], np.ones(19))
    assert_same(remains[turns < 0.5], np.full(10, 1 / 6))


@pytest.mark.task(2)
def test_a_pair_between_a_threshold_and_the_whole_number_below_it_by_hand(kata, reference):
    # pair 1 needs 8.4 positions for a turn, and 35 / 4 = 8.75, so it is kept
    base = (8.4 / (2 * np.pi)) ** 2
    assert_same(kata.llama3_frequencies(4, 8.0, 35, base=base), [1.0, 0.747998250855])
    # 43.4 positions, and 35 / 0.8 = 43.75, so it is blended: share 0.002016
    base = (43.4 / (2 * np.pi)) ** 2
    assert_same(kata.llama3_frequencies(4, 8.0, 35, 0.8, 4.0, base), [1.0, 0.018352129301])
    for wave, low, high in ((8.6, 1.0, 4.0), (8.8, 1.0, 4.0), (43.7, 0.8, 4.0), (43.8, 0.8, 4.0), (69.9, 0.5, 3.0)):
        setting = 4, 50.0, 35, low, high, (wave / (2 * np.pi)) ** 2
        assert_same(1.0 / kata.llama3_frequencies(*setting), 1.0 / reference.llama3_frequencies(*setting))


@pytest.mark.task(2)
def test_nothing_jumps_at_the_thresholds(kata):
    # pair 1 of base 16 makes 64 / pi turns in 256 positions; a threshold just above, just below
    turns = 64 / np.pi
    for near in (turns - 1e-3, turns + 1e-3):
        as_high = kata.llama3_frequencies(8, 3.0, 256, 1.0, near, 16.0)
        as_low = kata.llama3_frequencies(8, 3.0, 256, near, 30.0, 16.0)
        assert abs(as_high[1] - 1 / 2) < 1e-4
        assert abs(as_low[1] - 1 / 6) < 1e-4


@pytest.mark.task(2)
def test_a_factor_of_one_changes_nothing(kata):
    assert_same(kata.llama3_frequencies(8, 1.0, 32, base=16.0), [1.0, 1 / 2, 1 / 4, 1 / 8])
    assert_same(1.0 / kata.llama3_frequencies(64, 1, 8192), 500000.0 ** (np.arange(32) / 32))


@pytest.mark.task(2)
def test_frequencies_of_any_setting_agree_with_the_reference(kata, reference, rng):
    for d_head, train_len, *others in (*SETTINGS, SETTINGS[0]):
        for factor in (float(rng.uniform(1.0, 3.0)), float(rng.uniform(3.0, 40.0))):
            wanted = reference.llama3_frequencies(d_head, factor, train_len, *others)
            assert_same(1.0 / kata.llama3_frequencies(d_head, factor, train_len, *others), 1.0 / wanted)


# Task 3: how many of each

@pytest.mark.task(3)
def test_the_counts_of_llama_by_hand(kata):
    # pairs 28 and 29 make 4.19 and 3.41 turns, pairs 34 and 35 make 1.22 and 0.997
    assert_same(kata.pairs_by_fate(128, 8192), [29, 6, 29])
    # half as many pairs: 14 and 15 make 4.19 and 2.78 turns, 17 and 18 make 1.22 and 0.81
    assert_same(kata.pairs_by_fate(64, 8192), [15, 3, 14])
    # 2 pi * 500000 ** (126/128) = 2559195.5
    assert_same(kata.pairs_by_fate(128, 2559192), [57, 6, 1])
    assert_same(kata.pairs_by_fate(128, 2559199), [57, 7, 0])


@pytest.mark.task(3)
def test_pairs_that_halve_their_turns_by_hand_with_thresholds_and_without(kata):
    # base 256 and width 16: 163, 81.5, 40.7, 20.4, 10.2, 5.1, 2.5 and 1.3 turns in 1024 positions
    assert_same(kata.pairs_by_fate(16, 1024, base=256.0), [6, 2, 0])
    assert_same(kata.pairs_by_fate(16, 1024, 3.0, 90.0, 256.0), [1, 5, 2])
    by_name = kata.pairs_by_fate(d_head=16, train_len=1024, low_freq_factor=15, high_freq_factor=30, base=256)
    assert_same(by_name, [3, 1, 4])
    assert_same(kata.pairs_by_fate(128, 8192, base=10000.0), [41, 9, 14])
    assert_same(kata.pairs_by_fate(128, 8192, 0.25), [29, 13, 22])
    assert_same(kata.pairs_by_fate(128, 8192, high_freq_factor=32.0), [19, 16, 29])
    assert_same(kata.pairs_by_fate(128, 8192, 1.0, 4.0, 500000.0), [29, 6, 29])


@pytest.mark.task(3)
def test_neither_wavelengths_nor_thresholds_are_rounded(kata):
    # wavelengths 6.28, 12.57, 25.13 and 50.27; thresholds 6.75 and 27, 6.25 and 25, 6.375 and 25.5, 25.2 and 252
    assert_same(kata.pairs_by_fate(8, 27, base=16.0), [1, 2, 1])
    assert_same(kata.pairs_by_fate(8, 25, base=16.0), [0, 2, 2])
    assert_same(kata.pairs_by_fate(8, 51, 2.0, 8.0, 16.0), [1, 2, 1])
    assert_same(kata.pairs_by_fate(8, 252, 1.0, 10.0, 16.0), [3, 1, 0])


@pytest.mark.task(3)
def test_a_fate_may_have_no_pairs(kata):
    # one pair: 1 / (2 pi), 2.5 and 4.9 turns
    for train_len, counts in ((1, [0, 0, 1]), (16, [0, 1, 0]), (31, [1, 0, 0])):
        assert_same(kata.pairs_by_fate(2, train_len), counts)
    assert_same(kata.pairs_by_fate(8, 10**8), [4, 0, 0])
    assert_same(kata.pairs_by_fate(8, 3), [0, 0, 4])
    assert_same(kata.pairs_by_fate(4, 100), [1, 0, 1])
    # 5.1, 2.5, 1.3 and 0.6 turns
    assert_same(kata.pairs_by_fate(8, 32, 0.5, 6.0, 16.0), [0, 4, 0])


@pytest.mark.task(3)
def test_counts_tell_where_the_thresholds_lie_among_the_pairs(kata, rng):
    # the other way round: indices first, then the turns that a pair there would make
    for _ in range(12):
        d_head, base = 2 * int(rng.integers(6, 60)), float(rng.uniform(20.0, 50000.0))
        first, last = np.sort(rng.choice(d_head // 2, size=2, replace=False)).tolist()
        fractions = rng.uniform(0.05, 0.95, size=2)
        high, low = 512 / (2 * np.pi) * base ** (-2 * (np.array([first, last]) + fractions) / d_head)
        counts = [first + 1, last - first, d_head // 2 - last - 1]
        assert_same(kata.pairs_by_fate(d_head, 512, float(low), float(high), base), counts)


@pytest.mark.task(3)
def test_positions_and_turns_three_times_as_many_have_the_same_counts(kata, reference):
    for d_head, train_len, low, high, base in SETTINGS:
        wanted = reference.pairs_by_fate(d_head, train_len, low, high, base)
        assert_same(kata.pairs_by_fate(d_head, train_len, low, high, base), wanted)
        assert_same(kata.pairs_by_fate(d_head, 3 * train_len, 3 * low, 3 * high, base), wanted)


# All of them

@pytest.mark.task(2, 3)
def test_as_many_pairs_are_kept_and_divided_as_are_counted(kata):
    for d_head, train_len, *others in SETTINGS:
        kept, _, divided = np.asarray(kata.pairs_by_fate(d_head, train_len, *others)).tolist()
        slower = kata.llama3_frequencies(d_head, 1.0, train_len, *others) / kata.llama3_frequencies(
            d_head, 8.0, train_len, *others)                           # (d_head / 2,)
        assert (np.sum(slower < 1.0 + 1e-4), np.sum(slower > 8.0 - 1e-3)) == (kept, divided)


test_wavelengths_and_frequencies_are_in_double_precision = checks.are_in_double_precision(
    (1, 2), wavelengths=[(8,)], llama3_frequencies=[(20, 8.0, 8192)])
