"""What the sinusoidal table has to be: values worked by hand, laws that hold for every width, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: how fast each pair turns

@pytest.mark.task(1)
def test_width_eight_turns_by_one_a_tenth_a_hundredth_a_thousandth(kata):
    assert_same(kata.frequencies(8), [1.0, 0.1, 0.01, 0.001])


@pytest.mark.task(1)
def test_the_base_sets_the_slowest_pair(kata):
    assert_same(kata.frequencies(4, base=100.0), [1.0, 0.1])
    assert_same(kata.frequencies(6, base=1000), [1.0, 0.1, 0.01])


@pytest.mark.task(1)
def test_an_odd_width_rounds_the_number_of_pairs_up(kata):
    assert_same(kata.frequencies(5, base=32.0), [1.0, 0.25, 0.0625])


@pytest.mark.task(1)
def test_one_column_and_two_columns_have_one_frequency(kata):
    assert_same(kata.frequencies(1), [1.0])
    assert_same(kata.frequencies(2), [1.0])


@pytest.mark.task(1)
def test_neighbouring_pairs_differ_by_one_constant_factor(kata):
    speeds = kata.frequencies(22, base=777.0)                          # (11,)
    assert_same(speeds[1:] / speeds[:-1], np.full(10, 777.0 ** (-1 / 11)))


@pytest.mark.task(1)
def test_low_columns_are_the_fast_ones(kata):
    speeds = kata.frequencies(64)                                      # (32,)
    assert speeds.shape == (32,)
    assert speeds[0] == speeds.max()
    assert (np.diff(speeds) < 0.0).all()


def widths_and_bases(rng):
    for d_model in (8, 9, 13, *rng.integers(14, 90, size=4).tolist()):
        yield d_model, float(rng.uniform(20.0, 50000.0))


test_frequencies_of_any_width_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "frequencies", widths_and_bases)


# Task 2: the table

@pytest.mark.task(2)
def test_position_zero_is_zeros_and_ones(kata):
    assert_same(kata.positional_encoding(5, 8)[0], [0.0, 1.0] * 4)


@pytest.mark.task(2)
def test_position_one_of_width_four_by_hand(kata):
    # frequencies 1 and 0.01: sin 1, cos 1, sin 0.01, cos 0.01
    assert_same(kata.positional_encoding(3, 4)[1], [0.841470984808, 0.540302305868, 0.009999833334, 0.999950000417])


@pytest.mark.task(2)
def test_the_sine_of_five_is_negative(kata):
    # position 5 in the fastest pair: sin 5, cos 5
    assert_same(kata.positional_encoding(6, 12)[5, :2], [-0.958924274663, 0.283662185463])


@pytest.mark.task(2)
def test_an_odd_width_ends_on_a_sine(kata):
    # base 32 and width 5: frequencies 1, 1/4, 1/16; position 2: angles 2, 0.5, 0.125
    assert_same(
        kata.positional_encoding(3, 5, base=32.0)[2],
        [0.909297426826, -0.416146836547, 0.479425538604, 0.877582561890, 0.124674733385],
    )


@pytest.mark.task(2)
def test_one_column_is_the_sine_of_the_position(kata):
    assert_same(kata.positional_encoding(3, 1), [[0.0], [0.841470984808], [0.909297426826]])


@pytest.mark.task(2)
def test_one_row_is_position_zero(kata):
    assert_same(kata.positional_encoding(1, 7), [[0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])


@pytest.mark.task(2)
def test_sine_and_cosine_of_a_pair_lie_on_the_unit_circle(kata):
    table = kata.positional_encoding(40, 18, base=500.0)               # (40, 18)
    assert_same(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, np.ones((40, 9)))


@pytest.mark.task(2)
def test_rows_follow_the_addition_theorem(kata):
    # sin((p + q) w) = sin(pw) cos(qw) + cos(pw) sin(qw), whatever the frequency w
    table = kata.positional_encoding(60, 14)                           # (60, 14)
    sine, cosine = table[:, 0::2], table[:, 1::2]                      # (60, 7) each
    p, q = 23, 31
    assert_same(sine[p] * cosine[q] + cosine[p] * sine[q], sine[p + q])


@pytest.mark.task(2)
def test_a_longer_table_begins_with_the_shorter_one(kata):
    longer = kata.positional_encoding(50, 10)
    assert np.shape(longer) == (50, 10)
    assert_same(longer[:12], kata.positional_encoding(12, 10))


@pytest.mark.task(2)
def test_far_positions_are_as_exact_as_near_ones(kata, reference):
    assert_same(kata.positional_encoding(513, 16)[480:], reference.positional_encoding(513, 16)[480:])
    # position 2049 of width 4: angles 2049 and 20.49
    wanted = [0.630028460151, 0.776572043921, 0.997575575617, -0.069591457328]
    assert_same(kata.positional_encoding(2050, 4)[2049], wanted)


def lengths_widths_and_bases(rng):
    for d_model in (8, 11, *rng.integers(12, 70, size=3).tolist()):
        yield int(rng.integers(12, 90)), d_model, float(rng.uniform(20.0, 50000.0))


test_tables_of_any_size_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "positional_encoding", lengths_widths_and_bases)
test_every_table_starts_afresh = checks.starts_afresh(
    2, "positional_encoding", [(12, 8, 1e4), (12, 8, 300.0), (20, 8, 1e4), (12, 9, 1e4)])


# Both

test_frequencies_and_table_are_in_double_precision = checks.are_in_double_precision(
    (1, 2), frequencies=[(8,)], positional_encoding=[(12, 8)])
