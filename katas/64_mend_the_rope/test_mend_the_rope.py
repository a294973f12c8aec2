"""What mended tables and a mended rotation have to be: values worked by hand, laws, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# base 16 and width 4: frequencies 1 and 1/4; the rows are positions 0, 1, 2, 3
COS = np.repeat([
    [1.0, 1.0], [0.540302305868, 0.968912421711],
    [-0.416146836547, 0.877582561890], [-0.989992496600, 0.731688868874],
], 2, axis=1)
SIN = np.repeat([
    [0.0, 0.0], [0.841470984808, 0.247403959255],
    [0.909297426826, 0.479425538604], [0.141120008060, 0.681638760023],
], 2, axis=1)

# rows to be turned at positions 0, 1 and 2, and what becomes of them with these tables
ROWS = np.array([[2.0, 1.0, 4.0, -3.0], [3.0, -4.0, 1.0, 2.0], [0.0, 1.0, -2.0, 5.0]])
ROWS_TURNED = np.array([
    [2.0, 1.0, 4.0, -3.0],
    [4.986790856836, 0.363203730951, 0.474104503202, 2.185228802676],
    [-0.909297426826, -0.416146836547, -4.152292816802, 3.429061732243],
])
OTHERS = np.array([[1.0, 1.0, 0.0, -2.0], [-1.0, 6.0, 2.0, 2.0], [5.0, 0.0, 1.0, 3.0]])
OTHERS_TURNED = np.array([
    [1.0, 1.0, 0.0, -2.0],
    [-5.589128214716, 2.400342850401, 1.443016924912, 2.432632761930],
    [-2.080734182736, 4.546487134128, -0.560694053922, 3.112173224275],
])


def tables(max_len, d_head, base=10000.0):
    """Right tables, for task 2 and 3."""
    angles = np.outer(np.arange(max_len), base ** (-np.arange(0, d_head, 2) / d_head))
    return np.repeat(np.cos(angles), 2, axis=1), np.repeat(np.sin(angles), 2, axis=1)


# Task 1: the tables

@pytest.mark.task(1)
def test_row_two_of_width_eight_by_hand(kata):
    # base 16: frequencies 1, 1/2, 1/4, 1/8; position 2: angles 2, 1, 0.5, 0.25
    cos, sin = kata.rotary_tables(3, 8, 16.0)
    assert_same(cos[2], np.repeat([-0.416146836547, 0.540302305868, 0.877582561890, 0.968912421711], 2))
    assert_same(sin[2], np.repeat([0.909297426826, 0.841470984808, 0.479425538604, 0.247403959255], 2))


@pytest.mark.task(1)
def test_four_rows_of_width_four_by_hand(kata):
    assert_same(kata.rotary_tables(4, 4, base=16.0), (COS, SIN))


@pytest.mark.task(1)
def test_the_base_is_ten_thousand_and_far_rows_are_as_exact_as_near_ones(kata):
    # width 4: frequencies 1 and 0.01; position 512: angles 512 and 5.12
    cos, sin = kata.rotary_tables(513, 4)
    assert_same(cos[[0, 1, 512]], np.repeat([
        [1.0, 1.0], [0.540302305868, 0.999950000417], [-0.996833390848, 0.396417208936]], 2, axis=1))
    assert_same(sin[[0, 1, 512]], np.repeat([
        [0.0, 0.0], [0.841470984808, 0.009999833334], [0.079518494013, -0.918070474669]], 2, axis=1))


@pytest.mark.task(1)
def test_one_row_does_not_turn_and_two_columns_turn_by_one_radian(kata):
    assert_same(kata.rotary_tables(1, 6), (np.ones((1, 6)), np.zeros((1, 6))))
    wanted = [[1.0, 1.0], [0.540302305868] * 2], [[0.0, 0.0], [0.841470984808] * 2]
    assert_same(kata.rotary_tables(2, 2, 5.0), wanted)


@pytest.mark.task(1)
def test_neighbouring_columns_are_equal_and_every_pair_keeps_its_length(kata):
    cos, sin = kata.rotary_tables(max_len=14, d_head=10, base=300.0)
    for table in (cos, sin):
        assert_same(table[:, 0::2], table[:, 1::2])
    # (1, 0) becomes the cosine of its first column and the sine of its second, (0, 1) -sine and cosine
    assert_same(cos[:, 0::2] ** 2 + sin[:, 1::2] ** 2, np.ones((14, 5)))
    assert_same(sin[:, 0::2] ** 2 + cos[:, 1::2] ** 2, np.ones((14, 5)))


@pytest.mark.task(1)
def test_with_these_tables_scores_depend_on_the_distance_alone(kata):
    # a query (1, 0) in every pair, and a key (1, 0) or (0, 1): every diagonal of the scores is constant
    cos, sin = kata.rotary_tables(13, 8, 50.0)
    first, second = cos[:, 0::2], sin[:, 1::2]                         # (13, 4) each, the turned query
    for scores in (first @ cos[:, 0::2].T + second @ sin[:, 1::2].T, second @ cos[:, 1::2].T - first @ sin[:, 0::2].T):
        assert_same(scores[1:, 1:], scores[:-1, :-1])


def sizes_and_bases(rng):
    yield from ((12, 8, 10000.0), (20, 8, 10000.0), (12, 8, 300.0), (12, 8, 20), (12, 10, 10000.0))
    for _ in range(3):
        yield int(rng.integers(1, 60)), 2 * int(rng.integers(1, 30)), float(rng.uniform(20.0, 50000.0))


test_tables_of_any_size_and_base_agree_with_the_reference = checks.starts_afresh(1, "rotary_tables", sizes_and_bases)


# Task 2: the axis of the sequence

@pytest.mark.task(2)
def test_three_positions_turn_two_heads_by_the_same_cosines(kata):
    # (1, 0) everywhere: the first column is the cosine of 0, 1, 2
    x = np.tile([1.0, 0.0], (1, 3, 2, 1))                              # (1, 3, 2, 2): batch, n, heads, d_head
    turned = kata.apply_rotary(x, COS[:, :2], SIN[:, :2], seq_axis=1)[..., 0]
    assert_same(turned, [[[1.0] * 2, [0.540302305868] * 2, [-0.416146836547] * 2]])


@pytest.mark.task(2)
def test_the_sequence_may_stand_on_any_axis_but_the_last(kata, rng):
    x = rng.normal(size=(2, 5, 3, 7, 8))
    for axis in range(4):
        wanted = np.swapaxes(kata.apply_rotary(np.swapaxes(x, axis, -2), *tables(11, 8)), axis, -2)
        assert_same(kata.apply_rotary(x, *tables(11, 8), axis), wanted)
        assert_same(kata.apply_rotary(x, *tables(11, 8), seq_axis=axis - 5), wanted)


@pytest.mark.task(2)
def test_all_heads_of_one_position_turn_alike(kata, rng):
    # (batch, n, heads, d_head), the same vectors in every head
    turned = kata.apply_rotary(np.repeat(rng.normal(size=(2, 9, 1, 8)), 5, axis=2), *tables(12, 8), seq_axis=1)
    assert_same(turned, np.repeat(turned[:, :, :1], 5, axis=2))


@pytest.mark.task(2)
def test_position_zero_leaves_every_head_and_batch_alone(kata, rng):
    x = rng.normal(size=(6, 3, 5, 8))
    first = x[..., 0]                                                  # (6, 3, 5) the first column of each
    assert_same(kata.apply_rotary(x, *tables(12, 8), 1)[:, 0, :, 0], first[:, 0])
    assert_same(kata.apply_rotary(x, *tables(12, 8), 0)[0, ..., 0], first[0])
    assert_same(kata.apply_rotary(x, *tables(12, 8))[:, :, 0, 0], first[:, :, 0])


@pytest.mark.task(2)
def test_axes_of_equal_size_are_not_confused(kata, reference, rng):
    # all columns but the first are 0, so the first is the cosine times x, in whichever direction it turns
    for shape in ((4, 4), (4, 4, 4), (4, 4, 4, 4), (8, 8, 8, 4), (1, 1, 4), (1, 8, 1, 4)):
        x = 10.0 * rng.normal(size=shape) * np.array([1.0, 0.0, 0.0, 0.0])
        for axis in range(-len(shape), -1):
            turned, wanted = (f(x, *tables(8, 4), axis) for f in (kata.apply_rotary, reference.apply_rotary))
            assert_same(turned[..., 0], wanted[..., 0])


# Task 3: the turn

@pytest.mark.task(3)
def test_three_positions_by_hand(kata):
    assert_same(kata.apply_rotary(ROWS, COS, SIN), ROWS_TURNED)
    assert_same(kata.apply_rotary(OTHERS[None], COS, SIN, seq_axis=-2), OTHERS_TURNED[None])
    # the same as two heads; whole numbers too
    x = np.stack([ROWS, OTHERS], axis=1)[None]                         # (1, 3, 2, 4): batch, n, heads, d_head
    wanted = np.stack([ROWS_TURNED, OTHERS_TURNED], axis=1)[None]
    assert_same(kata.apply_rotary(x, COS, SIN, 1), wanted)
    assert_same(kata.apply_rotary(x[0].astype(int), cos=COS, sin=SIN, seq_axis=0), wanted[0])


@pytest.mark.task(3)
def test_the_first_axis_turns_towards_the_second(kata):
    # (1, 0) and (0, 1) of either pair at position 1: angles 1 and 1/4
    wanted = np.zeros((4, 4))
    wanted[:2, :2] = [[0.540302305868, 0.841470984808], [-0.841470984808, 0.540302305868]]
    wanted[2:, 2:] = [[0.968912421711, 0.247403959255], [-0.247403959255, 0.968912421711]]
    # n, whatever, d_head
    assert_same(kata.apply_rotary(np.stack([np.zeros((4, 4)), np.eye(4)]), COS, SIN, 0)[1], wanted)


@pytest.mark.task(3)
def test_a_key_one_step_before_scores_by_the_sine_of_its_frequency(kata):
    # a query (1, 0) and keys (0, 1): sin 1 for the key before it, 0 for its own, -sin 1 for the key after it
    q, k = (kata.apply_rotary(np.tile(row, (3, 1)), *tables(3, 2)) for row in ([1, 0], [0, 1]))
    assert_same((q @ k.T)[1], [0.841470984808, 0.0, -0.841470984808])


@pytest.mark.task(3)
def test_a_shorter_sequence_takes_the_first_rows_of_the_tables(kata, reference, rng):
    x, near, far = rng.normal(size=(3, 6, 8)), tables(6, 8), tables(40, 8)
    wanted = reference.apply_rotary(x, *near)
    assert_same(kata.apply_rotary(x, *far), wanted)
    assert_same(kata.apply_rotary(x[:, :1], *far), x[:, :1])
    assert_same(kata.apply_rotary(x[:, :4], *near), wanted[:, :4])


def vectors(rng, dtype=np.float64):
    """Whole numbers."""
    x = rng.integers(-5, 6, size=(5, 12, 3, 8)).astype(dtype)
    return [(x, *tables(13, 8), 1), (x, *tables(13, 8), -2), (x[1, :, 2], *tables(13, 8)), (x[0], *tables(13, 8), 0)]


def vectors_of_any_size(rng):
    for leading in ((), (2,), (2, 3), (2, 3, 5)):
        for d_head in (2, 8, 2 * int(rng.integers(5, 20))):
            n, axis = int(rng.integers(7, 15)), int(rng.integers(-len(leading) - 2, -1))
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            cos, sin = tables(n + 3, d_head, float(rng.uniform(20.0, 50000.0)))
            yield from ((x, cos, sin), (x, cos, sin, axis))


def vectors_that_differ_in_one_thing(rng):
    x, near, far = rng.normal(size=(8, 8, 8)), tables(9, 8), tables(9, 8, 30.0)
    return [(x, *near, 0), (x, *near, 1), (x, *far, 1), (-x, *far, 1), (x[:4], *far, 1)]


test_vectors_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "apply_rotary", vectors_of_any_size)
test_whole_numbers_are_turned_as_real_ones = checks.agrees_with_the_reference(
    3, "apply_rotary", lambda rng: vectors(rng, np.int64))
test_vectors_in_any_form_are_turned = checks.takes_views(3, "apply_rotary", vectors)
test_every_call_starts_afresh = checks.starts_afresh(3, "apply_rotary", vectors_that_differ_in_one_thing)
# the tables are float64, as rotary_tables makes them
test_apply_rotary_keeps_float32 = checks.keeps_float32(3, "apply_rotary", lambda rng: vectors(rng, np.float32))


# All of it

test_tables_and_turned_vectors_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), rotary_tables=[(12, 8)], apply_rotary=vectors)
