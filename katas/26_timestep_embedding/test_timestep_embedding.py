"""What sinusoids of timesteps and coordinates have to be: values worked by hand, laws of waves, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import counting, sinusoids


def with_order(first, order):
    """A table whose column order[j] is column j of `first`."""
    second = np.empty_like(first)
    second[:, order] = first
    return second


def assert_found(kata, first, *orders, noise=0.0):
    for order in orders:
        assert_same(kata.same_up_to_order(first, with_order(first, order) + noise), order)


# Task 1: cosines, then sines

@pytest.mark.task(1)
def test_two_and_three_frequencies_by_hand(kata):
    # frequencies 1 and 0.1: cos 5, cos 0.5, sin 5, sin 0.5, then the same of 2.5 and 0.25
    assert_same(kata.timestep_embedding(np.array([5.0]), 4, max_period=100.0),
                [[0.283662185463, 0.877582561890, -0.958924274663, 0.479425538604]])
    assert_same(kata.timestep_embedding(np.array([2.5]), 4, 100.0),
                [[-0.801143615547, 0.968912421711, 0.598472144104, 0.247403959255]])
    # 1000 ** (-i / 3) is 1, 0.1, 0.01: angles 2, 0.2, 0.02 and -3, -0.3, -0.03
    assert_same(kata.timestep_embedding(np.array([2.0, -3.0]), 6, 1000),
                [[-0.416146836547, 0.980066577841, 0.999800006667, 0.909297426826, 0.198669330795, 0.019998666693],
                 [-0.989992496600, 0.955336489126, 0.999550033749, -0.141120008060, -0.295520206661, -0.029995500202]])


@pytest.mark.task(1)
def test_the_period_is_ten_thousand_unless_given_and_of_no_account_to_timestep_zero(kata):
    # frequencies 1 and 0.01
    wanted = [[0.540302305868, 0.999950000417, 0.841470984808, 0.009999833334]]
    assert_same(kata.timestep_embedding(np.array([1.0]), 4), wanted)
    assert_same(kata.timestep_embedding(timesteps=np.array([1.0]), d_model=4, max_period=10000.0), wanted)
    assert_same(kata.timestep_embedding(np.array([0, 0]), 8), [[1.0] * 4 + [0.0] * 4] * 2)
    assert_same(kata.timestep_embedding(np.array([0.0]), 7, max_period=50.0), [[1.0] * 3 + [0.0] * 4])


@pytest.mark.task(1)
def test_an_odd_width_ends_on_zeros(kata):
    # frequencies 1 and 0.1, as for width 4
    assert_same(kata.timestep_embedding(np.array([5.0, 0.0]), 5, max_period=100.0), [
        [0.283662185463, 0.877582561890, -0.958924274663, 0.479425538604, 0.0], [1.0, 1.0, 0.0, 0.0, 0.0],
    ])
    wider = kata.timestep_embedding(np.arange(12), 13)
    assert_same(wider[:, -1], [0.0] * 12)
    assert_same(wider[:, :-1], kata.timestep_embedding(np.arange(12), 12))


@pytest.mark.task(1)
def test_a_single_timestep_is_a_row_and_timesteps_of_any_shape_get_a_new_last_axis(kata):
    # 10000 ** 0 and 10000 ** (-1/2): angles 7 and 0.07
    wanted = [0.753902254343, 0.997551000253, 0.656986598719, 0.069942847338]
    for timestep in (np.array(7), np.array(7.0), np.float64(7.0), np.int64(7)):
        assert_same(kata.timestep_embedding(timestep, 4), wanted)
        assert_same(kata.timestep_embedding(timestep, 5), [*wanted, 0.0])
    for shape in ((1,), (2, 3), (4, 4), (1, 1), (2, 1, 3), (4, 1)):
        timesteps = 37.0 * counting(*shape) - 100.0
        for d_model in (4, 5):
            rows = [kata.timestep_embedding(np.array([t]), d_model)[0] for t in timesteps.ravel().tolist()]
            assert_same(kata.timestep_embedding(timesteps, d_model), np.array(rows).reshape(*shape, d_model))


@pytest.mark.task(1)
def test_timesteps_below_one_and_far_ones_are_exact(kata):
    # frequencies 1 and 0.1: angles 0.5 and 0.05, then 0.001 and 0.0001; by themselves and among others
    wanted = [[0.877582561890, 0.998750260395, 0.479425538604, 0.049979169271],
              [0.999999500000, 0.999999995000, 0.000999999833, 0.000100000000]]
    assert_same(kata.timestep_embedding(np.array([0.5, 0.001]), 4, 100.0), wanted)
    assert_same(kata.timestep_embedding(np.array([0.0, 0.5, 0.001, 1.0, 40.0]), 4, 100.0)[1:3], wanted)
    # angles 100000 and 1000
    wanted = [-0.999360807438, 0.562379076291, 0.035748797972, 0.826879540532]
    assert_same(kata.timestep_embedding(np.array([3, 100_000]), 4)[1], wanted)
    assert_same(kata.timestep_embedding(np.array([100_000.0]), 4)[0], wanted)


@pytest.mark.task(1)
def test_cosine_and_sine_of_a_frequency_are_half_a_row_apart(kata, rng):
    timesteps = rng.uniform(-1000.0, 1000.0, size=9)
    rows = kata.timestep_embedding(timesteps, 14, max_period=300.0)    # (9, 14)
    assert_same(rows[:, :7] ** 2 + rows[:, 7:] ** 2, np.ones((9, 7)))
    assert_same(rows[:, [0, 7]], np.stack([np.cos(timesteps), np.sin(timesteps)], axis=1))
    # a negative timestep mirrors the sines
    assert_same(kata.timestep_embedding(-timesteps, 14, max_period=300.0), rows * np.repeat([1.0, -1.0], 7))


@pytest.mark.task(1)
def test_rows_are_those_of_the_first_transformer_and_add_as_angles_do(kata):
    table = sinusoids(np.arange(40), 10)                               # (40, 10) sine and cosine side by side
    assert_same(kata.timestep_embedding(np.arange(40), 10), np.concatenate([table[:, 1::2], table[:, 0::2]], axis=1))
    # cos((s + t) w) = cos(sw) cos(tw) - sin(sw) sin(tw), whatever the frequency w
    rows = kata.timestep_embedding(np.array([23, 310, 333]), 16)       # (3, 16)
    cosine, sine = rows[:, :8], rows[:, 8:]                            # (3, 8) each
    assert_same(cosine[0] * cosine[1] - sine[0] * sine[1], cosine[2])


def timesteps_of_many_sizes(rng):
    for shape, d_model in (((12,), 8), ((8,), 12), ((3, 5), 11), ((6,), 6), ((2, 3, 4), 30), ((13,), 256)):
        yield rng.uniform(-1000.0, 1000.0, size=shape), d_model, float(rng.uniform(20.0, 50000.0))
    yield from ((np.array([999.0, 0.0, 17.0, -250.0, 17.0, 500.0]), d_model) for d_model in (8, 9))


test_tables_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "timestep_embedding", timesteps_of_many_sizes)
test_whole_numbers_give_what_real_numbers_give = checks.takes_whole_numbers(
    1, "timestep_embedding", timesteps_of_many_sizes)
test_timesteps_of_any_layout_give_the_same_table = checks.takes_views(1, "timestep_embedding", timesteps_of_many_sizes)
test_every_table_starts_afresh = checks.starts_afresh(1, "timestep_embedding", [
    (np.arange(first, first + 60.0, 5.0), d_model, period)
    for first, d_model, period in ((0.0, 8, 1e4), (0.0, 8, 90.0), (3.0, 8, 1e4), (0.0, 9, 1e4))])


# Task 2: other programs

@pytest.mark.task(2)
def test_the_release_of_ddpm_by_hand(kata):
    # four frequencies, the last of them 1 / 1000: 1, 0.1, 0.01, 0.001
    ddpm = {"max_period": 1000.0, "cosine_first": False, "freq_shift": 1.0}
    assert_same(kata.timestep_embedding(np.array([1]), 8, **ddpm),
                [[0.841470984808, 0.099833416647, 0.009999833334, 0.000999999833,
                  0.540302305868, 0.995004165278, 0.999950000417, 0.999999500000]])
    # DiT and DDPM, frequencies 0.1 and 10000 ** (-1/3): the angles of column 1 are 10 and 4.64158883361
    for shift, wanted in ((0.0, [-0.839071529076, -0.544021110889]), (1.0, [-0.070741012075, -0.997494716382])):
        assert_same(kata.timestep_embedding(np.array(100), 8, freq_shift=shift)[[1, 5]], wanted)


@pytest.mark.task(2)
def test_the_order_exchanges_the_halves_and_nothing_else(kata, rng):
    # frequencies 1 and 0.1: sin 5, sin 0.5, cos 5, cos 0.5
    wanted = [-0.958924274663, 0.479425538604, 0.283662185463, 0.877582561890]
    assert_same(kata.timestep_embedding(np.array(5), 4, 100.0, False), wanted)
    assert_same(kata.timestep_embedding(np.array(5), 5, 100.0, cosine_first=False), [*wanted, 0.0])
    timesteps = rng.uniform(-500.0, 1000.0, size=(3, 4))
    for d_model, shift in ((10, 0.0), (11, 0.0), (11, 1.0), (10, 2.5)):
        cosines, sines = (kata.timestep_embedding(timesteps, d_model, cosine_first=first, freq_shift=shift)
                          for first in (True, False))
        assert_same(sines[..., :10], np.roll(cosines[..., :10], 5, axis=-1))
        assert_same(sines[..., 10:], np.zeros((3, 4, d_model - 10)))


@pytest.mark.task(2)
def test_shifts_of_one_of_fractions_and_of_more_by_hand(kata):
    # frequencies 1 and 1 / 2: angles 1 and 0.5, then 4 and 2; with 1 and 1 / 4 the angles would be 1 and 0.25
    for period, wanted in ((2.0, 0.479425538604), (4.0, 0.247403959255)):
        assert_same(kata.timestep_embedding(np.array([1.0]), 4, period, freq_shift=1)[0, 3], wanted)
    for d_model in (4, 6, 9, 14):
        last = kata.timestep_embedding(np.array([500.0]), d_model, 1000.0, freq_shift=1.0)[0, 2 * (d_model // 2) - 1]
        assert_same(last, 0.479425538604)
    # 8 ** (-1 / 1.5) = 1 / 4: angles 1 and 0.25, and 4 and 1
    assert_same(kata.timestep_embedding(np.array([1.0, 4.0]), 4, max_period=8.0, freq_shift=0.5), [
        [0.540302305868, 0.968912421711, 0.841470984808, 0.247403959255],
        [-0.653643620864, 0.540302305868, -0.756802495308, 0.841470984808],
    ])
    # 8 ** (-i / 1.5) is 1, 1 / 4, 1 / 16: angles 2, 0.5, 0.125
    assert_same(kata.timestep_embedding(np.array(2), 6, max_period=8.0, freq_shift=1.5),
                [-0.416146836547, 0.877582561890, 0.992197667229, 0.909297426826, 0.479425538604, 0.124674733385])
    # half is 4, so 100 ** (-i / 2) is 1, 0.1, 0.01, 0.001
    assert_same(kata.timestep_embedding(np.array(1), 8, 100, True, 2),
                [0.540302305868, 0.995004165278, 0.999950000417, 0.999999500000,
                 0.841470984808, 0.099833416647, 0.009999833334, 0.000999999833])


def options_of_any_kind(rng):
    for shape, d_model in (((12,), 8), ((3, 5), 11), ((), 12), ((6,), 6), ((7,), 128)):
        timesteps = rng.uniform(-1000.0, 1000.0, size=shape)
        for first in (True, False):
            yield timesteps, d_model, float(rng.uniform(20.0, 50000.0)), first, float(rng.uniform(0.2, 2.8))
    yield from ((np.arange(40), 12, period) for period in (1.5, 1e7))


test_options_of_any_kind_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "timestep_embedding", options_of_any_kind)
test_every_option_counts_for_one_call = checks.starts_afresh(2, "timestep_embedding", [
    {"timesteps": np.arange(0, 900, 77), "d_model": 10, **options}
    for options in ({}, {"freq_shift": 1.0}, {"cosine_first": False}, {}, {"cosine_first": False, "freq_shift": 1.0})])


# Task 3: coordinates

@pytest.mark.task(3)
def test_one_and_two_coordinates_by_hand_as_far_as_the_tenth_frequency(kata):
    # 0.3 pi, 0.6 pi, 1.2 pi, 2.4 pi
    wanted = [0.809016994375, 0.587785252292, 0.951056516295, -0.309016994375]
    assert_same(kata.fourier_features(np.array([0.3]), 4), [*wanted, -wanted[1], -wanted[0], wanted[2], -wanted[3]])
    # half a turn per unit
    x, half = np.array([[0.0], [0.5], [1.0], [-0.5], [1.5], [0.25]]), 0.707106781187
    wanted = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [-1.0, 0.0], [half, half]]
    assert_same(kata.fourier_features(x, 1), wanted)
    # angles pi / 2, pi; pi / 6, pi / 3; -pi, -2 pi
    assert_same(kata.fourier_features(x=np.array([[1 / 2, 1 / 6, -1.0]]), n_frequencies=2),
                [[1.0, 0.0, 0.0, -1.0, 0.5, 0.866025403784, 0.866025403784, 0.5, 0.0, -1.0, 0.0, 1.0]])
    # 0.7 * 512 = 358.4, and 0.4 pi remains; the first angle is 0.7 pi
    assert_same(kata.fourier_features(np.array([0.7]), 10)[-2:], [0.951056516295, 0.309016994375])
    assert_same(kata.fourier_features(np.array([[0.7, -0.7]]), 10)[0, [0, 18, 20, 38]],
                [0.809016994375, 0.951056516295, -0.809016994375, -0.951056516295])


@pytest.mark.task(3)
def test_each_angle_is_twice_the_one_before_so_signs_of_the_sines_are_binary_digits(kata, rng):
    # sin 2a = 2 sin a cos a, cos 2a = cos a cos a - sin a sin a
    table = kata.fourier_features(rng.uniform(-1.0, 1.0, size=(7, 1)), 9)                  # (7, 18)
    sine, cosine = table[:, 0::2], table[:, 1::2]                                          # (7, 9) each
    assert_same(2 * sine[:, :-1] * cosine[:, :-1], sine[:, 1:])
    assert_same(cosine[:, :-1] ** 2 - sine[:, :-1] ** 2, cosine[:, 1:])
    # n / 64 + 1 / 128 has the digits of n after the point, and its sine is never 0
    x = (np.arange(64.0)[:, None] + 0.5) / 64                                              # (64, 1)
    negative = np.asarray(kata.fourier_features(x, 7))[:, 2::2] < 0                        # (64, 6)
    assert_same(negative, [[digit == "1" for digit in f"{n:06b}"] for n in range(64)])


@pytest.mark.task(3)
def test_coordinates_do_not_mix_and_repeat_every_two_units(kata, rng):
    x = rng.uniform(-1.0, 1.0, size=(6, 3))
    features = kata.fourier_features(x, 5)                                                 # (6, 30)
    alone = [kata.fourier_features(x[:, [i]], 5) for i in range(3)]                        # (6, 10) each
    assert_same(features, np.concatenate(alone, axis=1))
    assert_same(kata.fourier_features(x + 2.0, 5), features)


@pytest.mark.task(3)
def test_points_of_any_shape_keep_their_axes(kata):
    for shape, n_frequencies in (((3,), 2), ((1,), 3), ((4, 3), 2), ((2, 5, 3), 4), ((3, 3, 3), 3), ((2, 1, 2, 1), 1)):
        x = counting(*shape) / 97.0 - 0.4
        rows = [kata.fourier_features(point, n_frequencies) for point in x.reshape(-1, shape[-1])]
        wanted = np.array(rows).reshape(*shape[:-1], 2 * n_frequencies * shape[-1])
        assert_same(kata.fourier_features(x, n_frequencies), wanted)


@pytest.mark.task(3)
def test_whole_coordinates_have_no_sine_and_the_origin_is_zeros_and_ones(kata):
    assert_same(kata.fourier_features(np.array([[1, 0], [2, -3]]), 2),
                [[0.0, -1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0]])
    for c, n_frequencies in ((1, 1), (3, 4), (2, 10)):
        assert_same(kata.fourier_features(np.zeros((2, c)), n_frequencies), [[0.0, 1.0] * (c * n_frequencies)] * 2)


def points_of_many_sizes(rng):
    for shape, n_frequencies in (((12, 3), 10), ((12, 3), 4), ((5, 2), 9), ((4, 4), 4), ((2, 3, 5), 6), ((7, 1), 10)):
        yield rng.uniform(-1.0, 1.0, size=shape), n_frequencies
    single = rng.uniform(-1.0, 1.0, size=(9, 3)).astype(np.float32)
    yield from ((single, n_frequencies) for n_frequencies in (6, 1))


test_features_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "fourier_features", points_of_many_sizes)
test_points_of_any_layout_give_the_same_features = checks.takes_views(3, "fourier_features", points_of_many_sizes)


# Task 4: the same columns in another order

@pytest.mark.task(4)
def test_three_columns_by_hand_and_a_table_that_keeps_its_order(kata, rng):
    # column 0 of the first table is column 1 of the second, column 1 is column 2, column 2 is column 0
    first, second = np.array([[1.0, 2.0, 3.0], [5.0, 6.0, 7.0]]), np.array([[3.0, 1.0, 2.0], [7.0, 5.0, 6.0]])
    assert_same(kata.same_up_to_order(first, second), [1, 2, 0])
    assert_same(kata.same_up_to_order(first=second, second=first), [2, 0, 1])
    for n, d in ((1, 1), (5, 1), (1, 6), (7, 7), (12, 4)):
        assert_found(kata, rng.normal(size=(n, d)), np.arange(d))


@pytest.mark.task(4)
def test_columns_that_agree_in_some_rows_are_told_apart_by_the_others(kata):
    # the first and the last row are all alike, and so are the sums; weighted with 1, 2, 3, 4, 5, the sums are alike too
    first = np.array([[1.0, 1, 1, 1], [4, 5, 3, 6], [8, 6, 10, 4], [1, 2, 0, 3], [2, 2, 2, 2]])
    late = np.zeros((60, 4))                                           # all alike but for one row
    late[50] = 1.0, 2.0, 3.0, 4.0
    for table in (first, late):
        assert_found(kata, table, [1, 2, 3, 0], [2, 0, 3, 1], [3, 2, 0, 1], [0, 2, 3, 1])


@pytest.mark.task(4)
def test_the_same_numbers_in_other_rows_with_other_signs_or_factors_are_different(kata):
    first = np.array([[1.0, 2.0, 3.0, 3.0], [2.0, 3.0, 1.0, 2.0], [3.0, 1.0, 2.0, 1.0]])
    assert_found(kata, first, [2, 0, 3, 1], [3, 2, 0, 1])
    first = np.array([[1.0, -1.0, 2.0, -2.0, 0.0, 0.5], [3.0, -3.0, 6.0, -6.0, 0.0, 1.5]])
    assert_found(kata, first, [1, 2, 3, 4, 5, 0], [4, 5, 0, 2, 1, 3])


@pytest.mark.task(4)
def test_waves_and_their_negatives_are_different(kata, rng):
    # the numbers of a sine and of its negative are the same, in reverse order
    angles = np.arange(-6, 7)[:, None] * [1.0, 0.3, 0.01]                                  # (13, 3)
    first = np.concatenate([np.sin(angles), np.cos(angles), -np.sin(angles)], axis=1)      # (13, 9)
    assert_found(kata, first, np.roll(np.arange(9), 4), rng.permutation(9))


@pytest.mark.task(4)
def test_rounding_errors_make_no_difference(kata, rng):
    first = rng.normal(size=(9, 12))
    first[[0, -1]] = 1.0                                               # where only rounding errors tell columns apart
    noise = rng.uniform(-1e-12, 1e-12, size=(9, 12))
    assert_found(kata, first, np.roll(np.arange(12), 5), rng.permutation(12), noise=noise)
    # however many decimals you round to, these go up in one table and down in the other
    halves = np.outer(0.5 * 10.0 ** -np.arange(10), np.arange(1.0, 6.0, 2.0))              # (10, 3)
    assert_same(kata.same_up_to_order(halves - 1e-11, halves[:, [2, 0, 1]] + 1e-11), [1, 2, 0])


@pytest.mark.task(4)
def test_small_differences_are_differences(kata):
    # neighbours differ by a millionth, in one row only, where the numbers are small or not
    for size in (0.0, 1e-5, 1.0):
        first = np.full((4, 5), size)
        first[2] += 1e-6 * np.arange(5.0)
        assert_found(kata, first, [1, 2, 3, 4, 0], [3, 0, 4, 2, 1])


@pytest.mark.task(4)
def test_slow_waves_that_hardly_differ_are_told_apart(kata, reference, rng):
    # the slowest cosines are 1 to six digits, the slowest sines 0 to three
    first = reference.timestep_embedding(np.array([*range(12), 0]), 40)                    # (13, 40)
    noise = rng.uniform(-1e-12, 1e-12, size=(13, 40))
    assert_found(kata, first, np.roll(np.arange(40), 7), rng.permutation(40), noise=noise)


@pytest.mark.task(4)
def test_the_result_turns_the_second_table_into_the_first_even_that_of_dit(kata, rng):
    # sine of pair i at half + i, its cosine at i; the release makes its frequencies with a logarithm
    angles = np.arange(60)[:, None] * np.exp(-np.log(10000.0) * np.arange(8) / 8)          # (60, 8)
    dit = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)                         # (60, 16)
    order = [column for i in range(8) for column in (8 + i, i)]
    assert_same(kata.same_up_to_order(sinusoids(np.arange(60), 16), dit), order)
    for n, d in ((12, 8), (5, 13), (9, 9), (1, 12)):
        first = rng.normal(size=(n, d))
        second = first[:, rng.permutation(d)]
        assert_same(second[:, np.asarray(kata.same_up_to_order(first, second)).astype(int)], first)


def tables_in_two_orders(rng):
    for n, d in ((12, 8), (7, 11), (10, 10)):
        first = rng.permuted(counting(n, d))
        yield first, with_order(first, rng.permutation(d))


test_tables_of_any_layout_agree_with_the_reference = checks.takes_views(4, "same_up_to_order", tables_in_two_orders)
test_whole_numbers_are_found_too = checks.takes_whole_numbers(4, "same_up_to_order", tables_in_two_orders)


# Those that are not whole numbers

test_timesteps_and_coordinates_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), timestep_embedding=[(np.arange(12.0) / 7, 8), (np.arange(12), 9, 1e4, False, 1.0)],
    # 0.7 * 32768 = 22937.6, and 1.6 pi remains: in float32 it would be 0.001 off
    fourier_features=[(np.arange(36.0).reshape(12, 3) / 37, 4), (np.array([0.7]), 16)])
