"""What moving along the sinusoidal table has to be: values worked by hand, laws of turning, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# speeds of the pairs, fastest first
OF_WIDTH_8 = (1.0, 0.1, 0.01, 0.001)           # base 10000
OF_WIDTH_8_BASE_16 = (1.0, 0.5, 0.25, 0.125)
OF_WIDTH_6_BASE_1000 = (1.0, 0.1, 0.01)


def standing_at(positions, speeds):
    """One row per position: sine and cosine of every pair, side by side."""
    return np.array([[wave(p * speed) for speed in speeds for wave in (np.sin, np.cos)] for p in positions])


# Task 1: the matrix

@pytest.mark.task(1)
def test_four_pairs_move_two_positions_by_hand(kata):
    # base 16 and width 8: angles 2, 1, 0.5, 0.25
    wanted = np.zeros((8, 8))
    wanted[0:2, 0:2] = [[-0.416146836547, 0.909297426826], [-0.909297426826, -0.416146836547]]
    wanted[2:4, 2:4] = [[0.540302305868, 0.841470984808], [-0.841470984808, 0.540302305868]]
    wanted[4:6, 4:6] = [[0.877582561890, 0.479425538604], [-0.479425538604, 0.877582561890]]
    wanted[6:8, 6:8] = [[0.968912421711, 0.247403959255], [-0.247403959255, 0.968912421711]]
    assert_same(kata.shift_matrix(2, 8, 16.0), wanted)


@pytest.mark.task(1)
def test_the_base_is_ten_thousand_unless_given_and_of_no_account_to_two_columns(kata):
    # width 4: frequencies 1 and 0.01; offset 5: angles 5 and 0.05
    wanted = np.zeros((4, 4))
    wanted[0:2, 0:2] = [[0.283662185463, -0.958924274663], [0.958924274663, 0.283662185463]]
    wanted[2:4, 2:4] = [[0.998750260395, 0.049979169271], [-0.049979169271, 0.998750260395]]
    assert_same(kata.shift_matrix(5, 4), wanted)
    wanted = [[0.540302305868, -0.841470984808], [0.841470984808, 0.540302305868]]
    for base in (10000.0, 7.0):
        assert_same(kata.shift_matrix(np.pi / 2, 2, base), [[0.0, 1.0], [-1.0, 0.0]])
        assert_same(kata.shift_matrix(-1, 2, base), wanted)


@pytest.mark.task(1)
def test_a_negative_offset_that_is_not_whole_moves_back(kata):
    # width 6 and base 1000: frequencies 1, 0.1, 0.01; angles -1.5, -0.15, -0.015
    wanted = np.zeros((6, 6))
    wanted[0:2, 0:2] = [[0.070737201668, -0.997494986604], [0.997494986604, 0.070737201668]]
    wanted[2:4, 2:4] = [[0.988771077936, -0.149438132474], [0.149438132474, 0.988771077936]]
    wanted[4:6, 4:6] = [[0.999887502109, -0.014999437506], [0.014999437506, 0.999887502109]]
    assert_same(kata.shift_matrix(offset=-1.5, d_model=6, base=1000), wanted)


@pytest.mark.task(1)
def test_far_offsets_and_the_last_pair_of_a_wide_matrix_are_exact(kata):
    # width 4, base 10000: angles 512 and 5.12
    wanted = np.zeros((4, 4))
    wanted[0:2, 0:2] = [[-0.996833390848, 0.079518494013], [-0.079518494013, -0.996833390848]]
    wanted[2:4, 2:4] = [[0.396417208936, -0.918070474669], [0.918070474669, 0.396417208936]]
    assert_same(kata.shift_matrix(512, 4), wanted)
    assert_same(kata.shift_matrix(-512, 4), wanted.T)
    # 10000 ** 510 is more than a float can hold, 10000 ** (-510 / 512) is 0.0001
    angle = 300.0 * 10000.0 ** (-510 / 512)
    last = kata.shift_matrix(300.0, 512)[-2:, -2:]
    assert_same(last, [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


@pytest.mark.task(1)
def test_one_matrix_moves_every_row_of_the_table(kata):
    positions = np.array([0.0, 1.0, 2.0, 13.0, 250.0, -7.0, 3.75])
    for offset in (1, 6, -4, 0.5, 200):
        matrix = kata.shift_matrix(offset, 8)
        here, there = (standing_at(positions + step, OF_WIDTH_8) for step in (0, offset))      # (7, 8) each
        assert_same(here.astype(matrix.dtype) @ matrix.T, there)


@pytest.mark.task(1)
def test_two_moves_make_one_by_the_sum_and_the_transpose_moves_back(kata):
    for near, far in ((3, 8), (5, -9), (0.25, -1.5), (-40, -2)):
        product = kata.shift_matrix(near, 10, 300.0) @ kata.shift_matrix(far, 10, 300.0)
        assert_same(product, kata.shift_matrix(near + far, 10, 300.0))
    for offset in (1, 7, 2.5):
        matrix = kata.shift_matrix(offset, 12)
        assert_same(matrix.T, kata.shift_matrix(-offset, 12))
        assert_same(matrix.T @ matrix, np.eye(12))
    for offset, d_model in ((0, 2), (0, 10), (0.0, 8)):
        assert_same(kata.shift_matrix(offset, d_model), np.eye(d_model))


def offsets_widths_and_bases(rng):
    widths = 8, 14, *(2 * rng.integers(6, 20, size=3)).tolist()
    for d_model, base in (*((d, float(rng.uniform(20.0, 50000.0))) for d in widths), (256, 10000.0), (180, 1e6)):
        yield from ((offset, d_model, base) for offset in (int(rng.integers(1, 90)), float(rng.uniform(-60.0, 60.0))))


test_matrices_of_any_width_offset_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "shift_matrix", offsets_widths_and_bases)
test_every_call_of_the_matrix_starts_afresh = checks.starts_afresh(
    1, "shift_matrix", [(3, 8, 1e4), (3, 8, 300.0), (4, 8, 1e4), (3, 10, 1e4), (-3, 8, 1e4), (3.5, 8, 1e4)])


# Task 2: what has no blocks

test_an_odd_width_is_refused = checks.refuses(
    2, "shift_matrix", [(offset, d_model, *base) for offset, d_model in ((-2.5, 7), (3, 5), (0, 9))
                        for base in ((), (50.0,))])
test_one_column_is_half_a_pair_and_refused = checks.refuses(
    2, "shift_matrix", [{"offset": 0, "d_model": 1}, {"offset": 3, "d_model": 1}])


# Task 3: rows that move

@pytest.mark.task(3)
def test_three_rows_move_two_positions_by_hand(kata):
    # base 16 and width 8: angles 2, 1, 0.5, 0.25; the second row is position 0
    rows = np.array([[3.0, -4.0, 1.0, 2.0, -2.0, 5.0, 6.0, -1.0], [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
                     [1.0, 0.0, 0.0, -2.0, 0.5, 0.0, -3.0, 0.0]])
    assert_same(kata.shift_encoding(rows, 2, 16.0), [
        [-4.885630216944, -1.063304934288, 2.223244275484, 0.239133626928,
         0.641962569240, 5.346763886660, 5.566070571009, -2.453336177238],
        [0.909297426826, -0.416146836547, 0.841470984808, 0.540302305868,
         0.479425538604, 0.877582561890, 0.247403959255, 0.968912421711],
        [-0.416146836547, -0.909297426826, -1.682941969616, -1.080604611736,
         0.438791280945, -0.239712769302, -2.906737265132, 0.742211877764],
    ])


@pytest.mark.task(3)
def test_rows_move_from_wherever_they_stand(kata):
    # width 4 and base 100: frequencies 1 and 0.1; positions 4 and 2.5 move by 3 and by -1.5, then by -5.5
    four = [-0.756802495308, -0.653643620864, 0.389418342309, 0.921060994003]
    seven = [0.656986598719, 0.753902254343, 0.644217687238, 0.764842187284]
    two_and_a_half = [0.598472144104, -0.801143615547, 0.247403959255, 0.968912421711]
    minus_three = [-0.141120008060, -0.989992496600, -0.295520206661, 0.955336489126]
    rows = np.array([four, minus_three, four])                         # (3, 4)
    assert_same(kata.shift_encoding(rows[::2], 3, base=100.0), [seven, seven])
    assert_same(kata.shift_encoding(rows, -1.5, base=100.0)[0], two_and_a_half)
    assert_same(kata.shift_encoding(np.array([two_and_a_half]), -5.5, base=100.0), [minus_three])


@pytest.mark.task(3)
def test_positions_may_have_gaps_and_repeats_and_come_in_any_order_with_any_base(kata):
    positions = np.array([9.0, 2.0, 2.0, 30.0, -4.5, 0.0, 31.0, 5.0, 9.0, 100.0, 1.0, 7.0])
    for base, speeds in ((10000.0, OF_WIDTH_8), (1000.0, OF_WIDTH_6_BASE_1000), (16.0, OF_WIDTH_8_BASE_16)):
        for offset in (4, 1, -3, 2.75, 47):
            here, there = (standing_at(positions + step, speeds) for step in (0, offset))
            assert_same(kata.shift_encoding(encoding=here, offset=offset, base=base), there)


@pytest.mark.task(3)
def test_there_and_back_again_keeps_every_row_and_the_length_of_every_pair(kata, rng):
    rows = rng.normal(size=(12, 8))
    assert_same(kata.shift_encoding(kata.shift_encoding(rows, 6.5), -6.5), rows)
    assert_same(kata.shift_encoding(kata.shift_encoding(rows, 9), -4), kata.shift_encoding(rows, 5))
    assert_same(kata.shift_encoding(rows, 0), rows)
    rows = rng.normal(size=(13, 10)) * np.linspace(0.0, 20.0, 13)[:, None]             # the first is zeros
    moved = kata.shift_encoding(rows, 17, base=300.0)
    assert_same(moved[0], np.zeros(10))
    assert_same(moved[:, 0::2] ** 2 + moved[:, 1::2] ** 2, rows[:, 0::2] ** 2 + rows[:, 1::2] ** 2)
    assert_same(kata.shift_encoding(-5.0 * rows, 17, base=300.0), -5.0 * moved)


@pytest.mark.task(3)
def test_row_r_of_the_identity_becomes_column_r_of_the_matrix(kata):
    # whole numbers, as many rows as columns; width 4 and base 10000: angles 3 and 0.03
    assert_same(kata.shift_encoding(np.eye(4, dtype=int), 3), [
        [-0.989992496600, -0.141120008060, 0.0, 0.0], [0.141120008060, -0.989992496600, 0.0, 0.0],
        [0.0, 0.0, 0.999550033749, -0.029995500202], [0.0, 0.0, 0.029995500202, 0.999550033749],
    ])


@pytest.mark.task(3)
def test_one_row_is_still_a_table_and_the_last_pair_of_wide_rows_still_moves(kata):
    assert_same(kata.shift_encoding(np.array([[3.0, -4.0]]), np.pi / 2), [[-4.0, -3.0]])
    # width 4: angles 512 and 5.12
    moved = kata.shift_encoding(np.array([[3.0, -4.0, 2.0, 7.0]]), 512)
    assert_same(moved, [[-3.308574148596, 3.748778081354, -5.633658904813, 4.611061411890]])
    # the rows of positions 0 and 70 in the last two of 512 columns
    speed, rows = 10000.0 ** (-510 / 512), np.zeros((2, 512))
    rows[:, -2:] = standing_at([0.0, 70.0], [speed])
    assert_same(kata.shift_encoding(rows, 300.0)[:, -2:], standing_at([300.0, 370.0], [speed]))


def tables_of_any_size(rng):
    for n, d_model in ((12, 8), (8, 12), (10, 10), (19, 2 * int(rng.integers(7, 16)))):
        rows, base = 1.5 * rng.normal(size=(n, d_model)), float(rng.uniform(20.0, 50000.0))
        for offset in (int(rng.integers(1, 50)), float(rng.uniform(-40.0, 0.0))):
            yield from ((rows, offset, base), (rows.astype(np.float32), offset))


def moves_one_after_the_other(rng):
    rows = rng.normal(size=(12, 8))
    yield from ((rows, 3, 1e4), (rows, 3, 300.0), (rows, -3, 300.0), (rows[:, :6], -3, 300.0), (-rows, 3, 1e4),
                (rows[::-1], 3, 1e4))


test_tables_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "shift_encoding", tables_of_any_size)
test_whole_numbers_move_as_real_ones = checks.takes_whole_numbers(3, "shift_encoding", tables_of_any_size)
test_views_and_read_only_rows_move_alike = checks.takes_views(3, "shift_encoding", tables_of_any_size)
test_every_call_of_the_move_starts_afresh = checks.starts_afresh(3, "shift_encoding", moves_one_after_the_other)


# All three

test_matrix_and_moved_rows_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), shift_matrix=[(3, 8)], shift_encoding=[(standing_at(range(12), OF_WIDTH_8), 3)])
