"""What the Sandwich bias has to be: values worked by hand, laws of distance and of heads, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# cos t + cos t/2 + cos t/4 + cos t/8 - 4 for t = 0..6: width 8 and base 16
FOUR_PAIRS = [
    0.0, -0.621005043301, -2.029349547078, -3.257058804147, -3.651905589652, -3.391195948183, -3.227396139409,
]
# the 64 pairs of width 128 and base 10000 at some distances, less 64
BY_DEFAULT = {
    1: -1.906316194232, 2: -6.618139447176, 3: -11.813771592807, 4: -15.413969535328, 8: -18.279485933012,
    16: -24.298346120638, 64: -33.479940991897, 256: -43.475167308613, 511: -50.468633531950,
}


def mirrored(cost, n):
    """The costs of distances 0, 1, 2, ... for n positions against each other."""
    return np.array([[cost[abs(i - j)] for j in range(n)] for i in range(n)])


# Task 1: what a distance costs; the first of eight heads has the factor 1

@pytest.mark.task(1)
def test_four_pairs_by_hand(kata):
    assert_same(kata.sandwich_bias(8, 7, d_bar=8, base=16.0)[0], mirrored(FOUR_PAIRS, 7))
    # fewer queries stand at the end, at 4, 5 and 6; keys after them cost as much as keys before
    assert_same(kata.sandwich_bias(8, 3, 7, d_bar=8, base=16.0)[0], mirrored(FOUR_PAIRS, 7)[4:])


@pytest.mark.task(1)
def test_the_default_width_and_base_by_hand(kata):
    last_row = kata.sandwich_bias(8, 1, 512)[0, 0]                     # (512,), distance 511 first
    assert_same(last_row[[511 - t for t in BY_DEFAULT]], list(BY_DEFAULT.values()))


@pytest.mark.task(1)
def test_one_two_and_three_pairs_by_hand(kata):
    # cos t - 1, whatever the base
    wanted = [-1.653643620864, -1.989992496600, -1.416146836547, -0.459697694132, 0.0]
    assert_same(kata.sandwich_bias(8, 1, 5, 2)[0, 0], wanted)
    assert_same(kata.sandwich_bias(8, 1, 5, 2, 3.0)[0, 0], wanted)
    # cos t + cos 0.01t - 2, then cos t + cos 0.1t + cos 0.01t - 3
    wanted = [-0.717587554142, -1.654443514203, -1.990442462851, -1.416346829881, -0.459747693715, 0.0]
    assert_same(kata.sandwich_bias(8, 1, 6, 4)[0, 0], wanted)
    wanted = [-0.840004992251, -1.733382520200, -2.035105973726, -1.436280252039, -0.464743528437, 0.0]
    assert_same(kata.sandwich_bias(8, 1, 6, 6, 1000)[0, 0], wanted)


@pytest.mark.task(1)
def test_twice_the_default_width_by_hand(kata):
    # the 128 pairs of width 256 at distances 3, 2, 1 and 0, less 128
    wanted = [-22.624694996592, -12.495410222512, -3.567659015238, 0.0]
    for base in (10000.0, 10000):
        assert_same(kata.sandwich_bias(8, 1, 4, 256, base)[0, 0], wanted)


@pytest.mark.task(1)
def test_a_position_costs_itself_nothing(kata):
    for n_heads, d_bar, base in ((6, 128, 10000.0), (12, 22, 777.0), (1, 4, 50.0)):
        bias = kata.sandwich_bias(n_heads, 15, d_bar=d_bar, base=base)     # (n_heads, 15, 15)
        assert_same(bias[:, np.arange(15), np.arange(15)], np.zeros((n_heads, 15)))
        assert_same(kata.sandwich_bias(n_heads, 1, None, d_bar, base), np.zeros((n_heads, 1, 1)))


@pytest.mark.task(1)
def test_nothing_gains_and_nothing_loses_more_than_the_width(kata):
    bias = kata.sandwich_bias(8, 1, 400, d_bar=16, base=300.0)[0, 0]   # (400,)
    assert (bias < 5e-4).all()
    assert (bias > -16.0).all()
    assert bias.min() < -12.0


@pytest.mark.task(1)
def test_the_bias_depends_on_the_distance_alone(kata):
    bias = kata.sandwich_bias(5, 12, 17, 10, 300.0)                    # (5, 12, 17)
    assert bias.shape == (5, 12, 17)
    assert_same(bias[:, 1:, 1:], bias[:, :-1, :-1])
    # query and key may change places
    bias = kata.sandwich_bias(6, 13, d_bar=10)                         # (6, 13, 13)
    assert_same(bias, np.swapaxes(bias, 1, 2))


@pytest.mark.task(1)
def test_fewer_queries_are_the_last_rows_of_all(kata):
    rows = kata.sandwich_bias(6, 15, None, 12)[:, 11:]                 # (6, 4, 15)
    assert_same(kata.sandwich_bias(6, 4, 15, 12), rows)
    assert_same(kata.sandwich_bias(6, 1, 15, 12), rows[:, 3:])


@pytest.mark.task(1)
def test_the_cost_is_half_the_squared_distance_of_sinusoidal_rows(kata):
    angles = np.outer(np.arange(14), 500.0 ** (-np.arange(9) / 9))     # (14, 9), of width 18
    rows = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)    # (14, 18)
    apart = rows[:, None] - rows                                       # (14, 14, 18)
    assert_same(kata.sandwich_bias(8, 14, d_bar=18, base=500.0)[0], -(apart**2).sum(axis=2) / 2)


@pytest.mark.task(1)
def test_twice_the_pairs_add_the_costs_of_a_slower_set(kata):
    # base 256: speeds 1, 1/4, 1/16, 1/64, which are the 1 and 1/4 of width 4 and base 16, and those over 16
    wide = kata.sandwich_bias(8, 1, 161, 8, 256.0)[0, 0, ::-1]         # (161,) distance 0 first
    half = kata.sandwich_bias(8, 1, 161, 4, 16.0)[0, 0, ::-1]
    assert_same(wide[::16], half[::16] + half[:11])


@pytest.mark.task(1)
def test_costs_of_any_width_and_base_agree_with_the_reference(kata, reference, rng):
    for d_bar in (6, *(2 * rng.integers(4, 40, size=4)).tolist()):
        n_keys, base = int(rng.integers(12, 40)), float(rng.uniform(20.0, 50000.0))
        arguments = 8, int(rng.integers(2, n_keys)), n_keys, d_bar, base
        assert_same(kata.sandwich_bias(*arguments)[0], reference.sandwich_bias(*arguments)[0])


# Task 2: the heads

@pytest.mark.task(2)
def test_one_and_three_heads_by_hand(kata):
    # factors 3/8, 3/16 and 3/24
    cost = mirrored(FOUR_PAIRS, 4)
    assert_same(kata.sandwich_bias(3, 4, d_bar=8, base=16.0), np.array([0.375 * cost, 0.1875 * cost, 0.125 * cost]))
    # a single head has an eighth
    assert_same(kata.sandwich_bias(1, 1, 4, 8, 16.0), cost[None, 3:] / 8)


@pytest.mark.task(2)
def test_six_heads_of_the_default_width_by_hand(kata):
    # factors 6/8, 6/16, 6/24, 6/32, 6/40 and 6/48; distances 2 and 1
    first = np.array([[-4.963604585382, -1.429737145674, 0.0]])
    assert_same(kata.sandwich_bias(6, 1, 3), np.array([first, first / 2, first / 3, first / 4, first / 5, first / 6]))


@pytest.mark.task(2)
def test_head_h_has_the_hth_part_of_the_first(kata):
    for n_heads in (5, 12):
        bias = kata.sandwich_bias(n_heads, 3, 14, d_bar=10)            # (n_heads, 3, 14)
        assert bias.shape == (n_heads, 3, 14)
        for h in range(1, n_heads):
            assert_same(bias[h] * (h + 1.0), bias[0])


@pytest.mark.task(2)
def test_the_last_head_is_the_same_however_many_there_are(kata):
    for n_heads in (1, 2, 3, 8, 12, 25):
        last = kata.sandwich_bias(n_heads, 7, d_bar=8, base=16.0)[-1]
        assert_same(last, mirrored(FOUR_PAIRS, 7) / 8)


def of_any_size(rng):
    for n_heads in (3, 8, 12, *rng.integers(1, 20, size=5).tolist()):
        n_keys, d_bar = int(rng.integers(12, 40)), 2 * int(rng.integers(4, 40))
        yield n_heads, int(rng.integers(1, n_keys + 1)), n_keys, d_bar, float(rng.uniform(20.0, 50000.0))


test_biases_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(2, "sandwich_bias", of_any_size)
test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(2, "sandwich_bias", [
    (6, 6, 6, 6), (12, 12, 12, 12), (5, 5, 9, 10), (9, 5, 9, 18), (4, 7, 7, 14)])
test_arguments_may_be_left_out_or_named = checks.agrees_with_the_reference(2, "sandwich_bias", [
    (6, 12, None), (6, 12, 12), (6, 12), {"base": 300.0, "d_bar": 10, "n_keys": 14, "n_queries": 12, "n_heads": 6}])
test_every_call_starts_afresh = checks.starts_afresh(2, "sandwich_bias", [
    (6, 12, 14, 10, 300.0), (5, 12, 14, 10, 300.0), (6, 11, 14, 10, 300.0), (6, 12, 15, 10, 300.0),
    (6, 12, 14, 12, 300.0), (6, 12, 14, 10, 500.0)])


# Both

test_the_bias_is_in_double_precision = checks.are_in_double_precision(
    (1, 2), sandwich_bias=[(6, 9, 13), {"n_heads": 8, "n_queries": 12, "d_bar": 8, "base": 16}])
