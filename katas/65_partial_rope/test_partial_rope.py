"""What rotary positions for a part of a head have to be: values worked by hand, what stays, laws, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same


def shared(rng, part):
    """Positions that batches and heads share or have for themselves; then a row that stands for all others."""
    for shape in ((5,), (3, 5), (2, 1, 5), (2, 3, 5), (1,), (1, 1), (2, 1, 1)):
        yield rng.normal(size=(2, 3, 5, 8)), rng.integers(-9, 30, size=shape), part(8)
    yield np.broadcast_to(rng.normal(size=8), (5, 12, 8)), np.arange(12), part(8)


def coinciding(rng, part):
    """Axes of equal lengths; `part` says what turns of a width."""
    for x, positions in (
        ((4, 4), 4), ((4, 8), 4), ((8, 8), 8), ((4, 4, 8), 4), ((4, 4, 8), (4, 4)), ((2, 2, 2), 2),
        ((4, 4, 4, 8), (4, 1, 4)), ((4, 4, 4, 8), (4, 4)), ((4, 4, 4, 4), 4), ((1, 1, 1, 4), 1), ((2, 1, 6), 1),
    ):
        yield rng.normal(size=x), rng.integers(-20, 40, size=positions), part(x[-1])


def of_any_size(rng, part, odd=0):
    """Vectors of even or odd width at whole and fractional positions, with any base."""
    for leading in ((), (2,), (2, 6), (2, 3, 5)):
        for d_head in (8, 10 + odd, 2 * int(rng.integers(6, 20)) + odd):
            n, turning, base = int(rng.integers(12, 20)), part(d_head), float(rng.uniform(20.0, 50000.0))
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            yield x, np.sort(rng.integers(0, 60, size=n)), turning, base
            yield x, rng.uniform(-40.0, 40.0, size=(*leading, n)), turning, base
    for base in (1.5, 1e7):
        yield rng.normal(size=(14, 12)), np.arange(14), part(12), base


def in_turn(rng, one, other, whole):
    """Calls that differ in one argument from the call before."""
    x, near = rng.normal(size=(12, 8)), np.arange(12)
    return [(x, near, one, 1e4), (x, near, other, 1e4), (x, near + 7, other, 1e4), (x, near, other, 300.0),
            (x[:, :6], near, other, 300.0), (-x, near, other, 300.0), (x, near[::-1], whole, 300.0)]


def whole(rng, *parts):
    """Vectors of whole numbers at whole positions."""
    for part in parts:
        yield rng.integers(-5, 6, size=(2, 13, 10)).astype(float), rng.integers(-9, 30, size=13).astype(float), part


def real(rng, *parts):
    """Vectors at whole and at fractional positions."""
    for part in parts:
        for positions in (np.arange(13), rng.uniform(-20.0, 20.0, size=13)):
            yield rng.normal(size=(2, 13, 8)), positions, part


# Task 1: the first columns turn

@pytest.mark.task(1)
def test_parts_of_a_head_turn_by_hand_with_a_base_and_without(kata):
    # base 16, rotary_dim 4: frequencies 1 and 1/4; position 2: angles 2 and 0.5
    x = np.array([[1.0, 0.0, 0.0, 2.0, 3.0, -4.0, 5.0]])
    wanted = [[-0.416146836547, 0.909297426826, -0.958851077208, 1.755165123781, 3.0, -4.0, 5.0]]
    assert_same(kata.partial_rope(x, np.array([2]), 4, 16.0), wanted)
    assert_same(kata.partial_rope(x=x, positions=np.array([2]), rotary_dim=4, base=16), wanted)
    # base 1000, rotary_dim 6: frequencies 1, 0.1, 0.01; position -10: angles -10, -1, -0.1
    x = np.array([[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])
    assert_same(kata.partial_rope(x, np.array([-10]), 6, 1000.0), [[
        -0.839071529076, 0.544021110889, 0.540302305868, -0.841470984808, 0.995004165278, -0.099833416647, 1.0, 0.0,
    ]])
    # rotary_dim 4: frequencies 1 and 0.01; position 5: angles 5 and 0.05
    x = np.array([[0.0, 1.0, 1.0, 0.0, 9.0, 8.0]])
    wanted = [[0.958924274663, 0.283662185463, 0.998750260395, 0.049979169271, 9.0, 8.0]]
    assert_same(kata.partial_rope(x, np.array([5]), 4), wanted)


@pytest.mark.task(1)
def test_two_columns_turn_by_one_radian_per_position(kata):
    for base in (3.0, 10000.0):
        x = np.array([[2.0, 0.0, 7.0], [0.0, 1.0, -7.0], [1.0, 1.0, 0.5]])             # (3, 3)
        assert_same(kata.partial_rope(x, np.array([1, 1, 0]), 2, base), [
            [1.080604611736, 1.682941969616, 7.0], [-0.841470984808, 0.540302305868, -7.0], [1.0, 1.0, 0.5],
        ])


@pytest.mark.task(1)
def test_every_axis_of_the_part_turns_within_its_own_pair(kata):
    # rotary_dim 4, base 16, position 1: angles 1 and 1/4; the other three axes stay
    wanted = np.eye(7)
    for pair, (cosine, sine) in enumerate([(0.540302305868, 0.841470984808), (0.968912421711, 0.247403959255)]):
        wanted[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[cosine, sine], [-sine, cosine]]
    assert_same(kata.partial_rope(np.eye(7), np.ones(7, dtype=int), 4, 16.0), wanted)


@pytest.mark.task(1)
def test_the_part_turns_as_a_head_of_its_own_width(kata, reference, rng):
    # whatever stands behind it, and however many columns that is
    x, positions = rng.normal(size=(12, 20)), rng.integers(-40, 60, size=12)
    alone = reference.partial_rope(x[:, :6].copy(), positions, 6)
    for d_head in (6, 7, 8, 12, 20):
        assert_same(kata.partial_rope(x[:, :d_head].copy(), positions, 6)[:, :6], alone)


@pytest.mark.task(1)
def test_large_columns_behind_the_part_position_zero_and_zero_vectors_change_nothing(kata, rng):
    for d_head, rotary_dim in ((8, 2), (9, 4), (12, 10), (13, 6)):
        x, positions = rng.normal(size=(2, 12, d_head)), rng.integers(-40, 60, size=12)
        huge = np.concatenate([x[..., :rotary_dim], np.full((2, 12, d_head - rotary_dim), 1e12)], axis=-1)
        turned = kata.partial_rope(huge, positions, rotary_dim)
        assert_same(turned[..., :rotary_dim], kata.partial_rope(x, positions, rotary_dim)[..., :rotary_dim])
        assert_same(turned[..., rotary_dim:], huge[..., rotary_dim:])
    x = np.array([[1e6, -2.0, 3.0, 0.5, -1e6, 0.0, 7.0], [0.0] * 7])
    assert_same(kata.partial_rope(x, np.array([0, 9]), 4), x)


@pytest.mark.task(1)
def test_turning_twice_adds_the_positions(kata, rng):
    x, near, far = rng.normal(size=(13, 9)), rng.integers(-20, 20, size=13), rng.uniform(20.0, 40.0, size=13)
    assert_same(kata.partial_rope(kata.partial_rope(x, near, 6), far, 6), kata.partial_rope(x, near + far, 6))


@pytest.mark.task(1)
def test_the_score_of_the_part_depends_on_the_offset_and_the_rest_adds_a_constant(kata, rng):
    q, k = rng.normal(size=(2, 1, 10))
    (a, c), (b, d) = (q[0, :4:2], k[0, :4:2]), (q[0, 1:4:2], k[0, 1:4:2])          # (2,) each, by pair
    for offset in (0, 3, -7):
        angles = offset * np.array([1.0, 50.0**-0.5])
        wanted = q[0, 4:] @ k[0, 4:] + (a * c + b * d) @ np.cos(angles) + (b * c - a * d) @ np.sin(angles)
        for p in (0, 11, 200):
            near, far = np.array([p]), np.array([p + offset])
            assert_same((kata.partial_rope(q, near, 4, 50.0) * kata.partial_rope(k, far, 4, 50.0)).sum(), wanted)


@pytest.mark.task(1)
def test_positions_and_vectors_may_be_of_any_kind(kata):
    # (1, 0) in every row: cosine and sine of the position, and a third column
    x = np.tile([1.0, 0.0, 4.0], (6, 1))                               # (6, 3)
    assert_same(kata.partial_rope(x, np.array([7.0, 0.5, 7.0, -3.0, 0.0, -0.5]), 2), [
        [0.753902254343, 0.656986598719, 4.0], [0.877582561890, 0.479425538604, 4.0],
        [0.753902254343, 0.656986598719, 4.0], [-0.989992496600, -0.141120008060, 4.0],
        [1.0, 0.0, 4.0], [0.877582561890, -0.479425538604, 4.0],
    ])
    # (3, 2) at position 0.5 and (1, 0) at position -1
    x = np.array([[3, 2, 7], [1, 0, -5]])
    wanted = [[1.673896608463, 3.193441739593, 7.0], [0.540302305868, -0.841470984808, -5.0]]
    assert_same(kata.partial_rope(x, np.array([0.5, -1.0]), 2), wanted)


def even_part(rng):
    """A function that draws the number of columns that turn."""
    return lambda d_head: 2 * int(rng.integers(1, d_head // 2 + 1))


test_batches_and_heads_share_positions_or_have_their_own = checks.agrees_with_the_reference(
    1, "partial_rope", lambda rng: shared(rng, even_part(rng)))
test_sizes_that_coincide_are_not_confused = checks.agrees_with_the_reference(
    1, "partial_rope", lambda rng: coinciding(rng, even_part(rng)))
test_parts_of_any_width_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "partial_rope", lambda rng: of_any_size(rng, even_part(rng), odd=1))
test_every_call_of_the_partial_rotation_starts_afresh = checks.starts_afresh(
    1, "partial_rope", lambda rng: in_turn(rng, 6, 4, 8))
test_views_of_any_memory_order_are_turned = checks.takes_views(1, "partial_rope", lambda rng: real(rng, 4, 6))
test_partial_rope_of_whole_numbers_gives_what_float64_gives = checks.takes_whole_numbers(
    1, "partial_rope", lambda rng: whole(rng, 6, 10))
test_partial_rope_keeps_float32 = checks.keeps_float32(1, "partial_rope", lambda rng: real(rng, 4, 8, 2))


# Task 2: the slow pairs get frequency 0

@pytest.mark.task(2)
def test_half_of_four_pairs_and_every_eighth_of_eight_by_hand(kata):
    assert_same(kata.truncated_frequencies(8, 0.5), [1.0, 0.1, 0.0, 0.0])
    assert_same(kata.truncated_frequencies(8, 0.5, 16.0), [1.0, 0.5, 0.0, 0.0])
    assert_same(kata.truncated_frequencies(d_head=8, share=0.5, base=16), [1.0, 0.5, 0.0, 0.0])
    # width 16, base 256: frequencies 1, 1/2, 1/4, ..., 1/128
    whole = 0.5 ** np.arange(8)
    for eighths in range(9):
        wanted = np.concatenate([whole[:eighths], np.zeros(8 - eighths)])
        assert_same(kata.truncated_frequencies(16, eighths / 8, 256.0), wanted)


@pytest.mark.task(2)
def test_the_number_of_pairs_is_rounded_down(kata):
    # 4.375, 2.5, 2.625, 1.75 and 0.875 pairs
    assert_same(kata.truncated_frequencies(10, 0.875, 32.0), [1.0, 0.5, 0.25, 0.125, 0.0])
    assert_same(kata.truncated_frequencies(10, 0.5, 32.0), [1.0, 0.5, 0.0, 0.0, 0.0])
    assert_same(kata.truncated_frequencies(6, 0.875, 1000.0), [1.0, 0.1, 0.0])
    assert_same(kata.truncated_frequencies(14, 0.25, 128.0), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert_same(kata.truncated_frequencies(14, 0.125, 128.0), np.zeros(7))


@pytest.mark.task(2)
def test_share_one_keeps_all_and_share_zero_none(kata):
    for one, zero in ((1.0, 0.0), (1, 0)):
        assert_same(kata.truncated_frequencies(8, one), [1.0, 0.1, 0.01, 0.001])
        assert_same(kata.truncated_frequencies(8, zero), [0.0, 0.0, 0.0, 0.0])
        assert_same(kata.truncated_frequencies(2, one, 7.0), [1.0])
        assert_same(kata.truncated_frequencies(2, zero), [0.0])
    assert_same(kata.truncated_frequencies(2, 0.875), [0.0])


@pytest.mark.task(2)
def test_a_quarter_of_a_head_of_gemma_4(kata):
    # 512 columns, base 1e6: 64 of 256 pairs; pair 63 turns 10 ** (-6 * 63 / 256) radians per position
    speeds = kata.truncated_frequencies(512, 0.25, 1e6)
    assert np.shape(speeds) == (256,)
    assert_same(speeds[[0, 1, 63, 64, 255]], [1.0, 0.947463525655, 0.033376246942, 0.0, 0.0])


def widths_shares_and_bases(rng):
    for d_head in (8, 10, 12, 18, *(2 * rng.integers(4, 60, size=4)).tolist()):
        yield d_head, int(rng.integers(1, 8)) / 8, float(rng.uniform(20.0, 50000.0))
        yield d_head, 0.5
    yield from ((12, 0.75, 1.5), (12, 0.75, 1e7))


test_frequencies_of_any_width_share_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "truncated_frequencies", widths_shares_and_bases)


# Task 3: the fast pairs turn

@pytest.mark.task(3)
def test_half_and_three_quarters_of_four_pairs_turn_by_hand(kata):
    # base 16, width 8: frequencies 1, 1/2, 0, 0; position 2: angles 2, 1, 0, 0
    x = np.array([[3.0, -4.0, 1.0, 2.0, -2.0, 5.0, 6.0, -1.0]])
    wanted = [[2.388749197661, 4.392479626666, -1.142639663748, 1.922075596544, -2.0, 5.0, 6.0, -1.0]]
    assert_same(kata.truncated_rope(x, np.array([2]), 0.5, 16.0), wanted)
    assert_same(kata.truncated_rope(x=x, positions=np.array([2]), share=0.5, base=16), wanted)
    # base 10000, width 8: frequencies 1, 0.1, 0.01, 0; position -10: angles -10, -1, -0.1, 0
    x = np.array([[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])
    wanted = [[
        -0.839071529076, 0.544021110889, 0.540302305868, -0.841470984808, 0.995004165278, -0.099833416647, 1.0, 0.0,
    ]]
    assert_same(kata.truncated_rope(x, np.array([-10]), 0.75), wanted)


@pytest.mark.task(3)
def test_every_axis_of_the_fast_pairs_turns_within_its_own_pair(kata):
    # width 10, base 32, share 1/2: 2 of 5 pairs; position 1: angles 1 and 1/2, then 0
    wanted = np.eye(10)
    for pair, (cosine, sine) in enumerate([(0.540302305868, 0.841470984808), (0.877582561890, 0.479425538604)]):
        wanted[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[cosine, sine], [-sine, cosine]]
    assert_same(kata.truncated_rope(np.eye(10), np.ones(10, dtype=int), 0.5, 32.0), wanted)


@pytest.mark.task(3)
def test_share_zero_turns_nothing_and_share_one_every_pair(kata, reference, rng):
    for d_head in (2, 8, 10):
        x, positions = rng.normal(size=(3, 12, d_head)), rng.integers(1, 60, size=12)
        for one, zero in ((1.0, 0.0), (1, 0)):
            assert_same(kata.truncated_rope(x, positions, zero), x)
            assert_same(kata.truncated_rope(x, positions, one), reference.partial_rope(x, positions, d_head))


@pytest.mark.task(3)
def test_a_pair_turns_alike_at_every_share_that_turns_it_and_stays_at_the_others(kata, rng):
    x, positions = rng.normal(size=(12, 16)), rng.integers(-40, 500, size=12)
    whole = kata.truncated_rope(x, positions, 1.0, 90.0)               # (12, 16)
    for eighths in range(1, 8):
        turned = kata.truncated_rope(x, positions, eighths / 8, 90.0)
        assert_same(turned, np.concatenate([whole[:, : 2 * eighths], x[:, 2 * eighths :]], axis=1))


@pytest.mark.task(3)
def test_scores_depend_on_the_offset_alone(kata, rng):
    q, k = np.tile(rng.normal(size=12), (5, 1)), np.tile(rng.normal(size=12), (13, 1))
    near, far = np.arange(30, 35), np.arange(13)
    scores = kata.truncated_rope(q, near, 0.5) @ kata.truncated_rope(k, far, 0.5).T    # (5, 13)
    assert_same(scores[1:, 1:], scores[:-1, :-1])
    assert_same(kata.truncated_rope(q, near + 400, 0.5) @ kata.truncated_rope(k, far + 400, 0.5).T, scores)


@pytest.mark.task(3)
def test_truncated_rotations_take_negative_fractional_and_repeated_positions(kata):
    # base 16, width 4, share 1/2: (1, 0) turns by the position, the second pair stays
    x = np.tile([1.0, 0.0, 3.0, 4.0], (5, 1))                          # (5, 4)
    assert_same(kata.truncated_rope(x, np.array([0.5, -3.0, 0.5, 0.0, -0.5]), 0.5, 16.0), [
        [0.877582561890, 0.479425538604, 3.0, 4.0], [-0.989992496600, -0.141120008060, 3.0, 4.0],
        [0.877582561890, 0.479425538604, 3.0, 4.0], [1.0, 0.0, 3.0, 4.0], [0.877582561890, -0.479425538604, 3.0, 4.0],
    ])


test_truncated_rotations_broadcast_their_positions = checks.agrees_with_the_reference(
    3, "truncated_rope", lambda rng: shared(rng, lambda d_head: 0.75))
test_truncated_rotations_do_not_confuse_sizes_that_coincide = checks.agrees_with_the_reference(
    3, "truncated_rope", lambda rng: coinciding(rng, lambda d_head: 0.75))
test_truncated_rotations_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "truncated_rope", lambda rng: of_any_size(rng, lambda d_head: int(rng.integers(2, 8)) / 8))
test_every_call_of_the_truncated_rotation_starts_afresh = checks.starts_afresh(
    3, "truncated_rope", lambda rng: in_turn(rng, 0.5, 0.75, 1.0))
test_truncated_rotations_read_views_of_any_memory_order = checks.takes_views(
    3, "truncated_rope", lambda rng: real(rng, 0.75, 1.0))
test_truncated_rope_of_whole_numbers_gives_what_float64_gives = checks.takes_whole_numbers(
    3, "truncated_rope", lambda rng: whole(rng, 0.5, 1.0))
test_truncated_rope_keeps_float32 = checks.keeps_float32(3, "truncated_rope", lambda rng: real(rng, 0.5, 1.0, 0.0))


# All three

test_rotations_and_frequencies_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), partial_rope=lambda rng: real(rng, 4), truncated_frequencies=[(8, 0.5)],
    truncated_rope=lambda rng: real(rng, 0.5))
