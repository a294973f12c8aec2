"""What a rotary encoding has to be: signed values worked by hand, laws of rotations, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: how fast each pair turns

@pytest.mark.task(1)
def test_width_eight_turns_by_one_a_tenth_a_hundredth_a_thousandth(kata):
    assert_same(kata.rope_frequencies(8), [1.0, 0.1, 0.01, 0.001])


@pytest.mark.task(1)
def test_the_base_sets_the_slowest_pair(kata):
    assert_same(kata.rope_frequencies(4, base=25.0), [1.0, 0.2])
    assert_same(kata.rope_frequencies(8, 16.0), [1.0, 0.5, 0.25, 0.125])
    assert_same(kata.rope_frequencies(6, base=1000), [1.0, 0.1, 0.01])
    # two columns have one frequency
    assert_same(kata.rope_frequencies(2), [1.0])
    assert_same(kata.rope_frequencies(2, 7.0), [1.0])


@pytest.mark.task(1)
def test_neighbouring_pairs_differ_by_one_constant_factor(kata):
    speeds = kata.rope_frequencies(22, base=777.0)                     # (11,)
    assert_same(speeds[1:] / speeds[:-1], np.full(10, 777.0 ** (-1 / 11)))
    # so low columns are the fast ones
    speeds = kata.rope_frequencies(64)                                 # (32,)
    assert speeds.shape == (32,)
    assert speeds[0] == speeds.max()
    assert (np.diff(speeds) < 0.0).all()


def widths_and_bases(rng):
    for d_head in (8, 10, *(2 * rng.integers(6, 60, size=4)).tolist()):
        yield d_head, float(rng.uniform(20.0, 50000.0))


test_frequencies_of_any_width_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "rope_frequencies", widths_and_bases)


# Task 2: the rotation

@pytest.mark.task(2)
def test_axes_of_the_plane_and_a_quarter_turn_by_hand(kata):
    # (1, 0) turned by 1 radian: cos 1, sin 1; (0, 1): -sin 1, cos 1
    turned = kata.apply_rope(np.eye(2), np.array([1, 1]))
    assert_same(turned, [[0.540302305868, 0.841470984808], [-0.841470984808, 0.540302305868]])
    # position pi/2 is a right angle in the pair of frequency 1: (a, b) becomes (-b, a)
    x = np.array([[1.0, 0.0], [3.0, -4.0], [-30.0, 7.0]])              # (3, 2)
    assert_same(kata.apply_rope(x, np.full(3, np.pi / 2)), [[0.0, 1.0], [4.0, 3.0], [-7.0, -30.0]])


@pytest.mark.task(2)
def test_two_pairs_and_four_by_hand(kata):
    # width 4: frequencies 1 and 0.01; position 5: angles 5 and 0.05; twice the first axis, then the second
    turned = kata.apply_rope(np.array([[2.0, 0.0, 0.0, 1.0]]), np.array([5]))
    assert_same(turned, [[0.567324370926, -1.917848549326, -0.049979169271, 0.998750260395]])
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8; position 2: angles 2, 1, 0.5, 0.25
    x = np.array([[3.0, -4.0, 1.0, 2.0, -2.0, 5.0, 6.0, -1.0]])
    assert_same(kata.apply_rope(x, np.array([2]), 16.0), [[
        2.388749197661, 4.392479626666, -1.142639663748, 1.922075596544,
        -4.152292816802, 3.429061732243, 6.060878489518, 0.515511333816]])


@pytest.mark.task(2)
def test_every_axis_turns_within_its_own_pair(kata):
    # the eight axes at position 1, angles 1, 1/2, 1/4, 1/8: a block of two columns for every pair
    cosines = 0.540302305868, 0.877582561890, 0.968912421711, 0.992197667229
    sines = 0.841470984808, 0.479425538604, 0.247403959255, 0.124674733385
    wanted = np.zeros((8, 8))
    for pair, (cosine, sine) in enumerate(zip(cosines, sines, strict=True)):
        wanted[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[cosine, sine], [-sine, cosine]]
    assert_same(kata.apply_rope(x=np.eye(8), positions=np.ones(8, dtype=int), base=16.0), wanted)


@pytest.mark.task(2)
def test_positions_may_be_negative_fractional_repeated_and_in_any_order(kata):
    # (1, 0) in every row: cosine and sine of the position
    x = np.tile([1.0, 0.0], (6, 1))                                    # (6, 2)
    seven, half = [0.753902254343, 0.656986598719], [0.877582561890, 0.479425538604]
    minus_three, five = [-0.989992496600, -0.141120008060], [0.283662185463, -0.958924274663]
    turned = kata.apply_rope(x, np.array([7.0, 0.5, 7.0, -3.0, 0.0, -0.5]))
    assert_same(turned, [seven, half, seven, minus_three, [1.0, 0.0], [half[0], -half[1]]])
    assert_same(kata.apply_rope(x[:3], np.array([5, -3, 5])), [five, minus_three, five])


@pytest.mark.task(2)
def test_far_positions_are_as_exact_as_near_ones(kata):
    # width 4, position 512: angles 512 and 5.12
    x = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])         # (2, 4)
    assert_same(kata.apply_rope(x, np.array([512, 512])), [
        [-0.996833390848, 0.079518494013, 0.396417208936, -0.918070474669],
        [-0.079518494013, -0.996833390848, 0.918070474669, 0.396417208936],
    ])


@pytest.mark.task(2)
def test_position_zero_and_zero_vectors_change_nothing(kata):
    x = np.array([[1e6, -2.0, 3.0, 0.5, -1e6, 0.0, 7.0, 8.0], [1.0] * 8])
    assert_same(kata.apply_rope(x, np.zeros(2, dtype=int)), x)
    x = np.array([[0.0] * 4, [1.0, 0.0, 0.0, 0.0], [0.0] * 4])
    turned = kata.apply_rope(x, np.array([4, 1, 9]))
    assert_same(turned, [[0.0] * 4, [0.540302305868, 0.841470984808, 0.0, 0.0], [0.0] * 4])


@pytest.mark.task(2)
def test_every_pair_keeps_its_length_and_turning_twice_adds_the_positions(kata, rng):
    x = rng.normal(size=(2, 12, 10))
    turned = kata.apply_rope(x, rng.integers(-40, 60, size=12), base=300.0)
    assert_same(turned[..., 0::2] ** 2 + turned[..., 1::2] ** 2, x[..., 0::2] ** 2 + x[..., 1::2] ** 2)
    x, near, far = rng.normal(size=(13, 8)), rng.integers(-20, 20, size=13), rng.uniform(20.0, 40.0, size=13)
    assert_same(kata.apply_rope(kata.apply_rope(x, near), far), kata.apply_rope(x, near + far))
    assert_same(kata.apply_rope(kata.apply_rope(x, far), -far), x)


@pytest.mark.task(2)
def test_a_row_is_turned_by_its_position_wherever_it_stands(kata, rng):
    x, positions, order = rng.normal(size=(14, 8)), rng.integers(0, 50, size=14), rng.permutation(14)
    assert_same(kata.apply_rope(x[order], positions[order]), kata.apply_rope(x, positions)[order])


@pytest.mark.task(2)
def test_axes_of_size_one_stay(kata):
    turned = kata.apply_rope(np.array([[[[0.0, -2.0]]]]), np.array([1]))
    assert_same(turned, [[[[1.682941969616, -1.080604611736]]]])


@pytest.mark.task(2)
def test_batches_and_heads_share_positions_or_have_their_own(kata, reference, rng):
    x, shared = rng.normal(size=(2, 3, 5, 8)), np.array([4, 0, 11, -2, 4])
    by_batch, by_head = rng.integers(-9, 30, size=(2, 1, 5)), rng.integers(-9, 30, size=(3, 5))
    one_each = np.array([[[7]], [[-3]]])                               # for all rows of a batch
    for positions in (shared, by_batch, by_head, by_head[None], one_each, np.full(1, 7), np.full((1, 1), 7)):
        turned, at = kata.apply_rope(x, positions), np.broadcast_to(positions, (2, 3, 5))
        for place in ((0, 1), (1, 1), (1, 2)):
            assert_same(turned[place], reference.apply_rope(x[place], at[place].copy()))
    assert_same(kata.apply_rope(x[:, 2], by_batch[:, 0]), reference.apply_rope(x, by_batch)[:, 2])


def rows(rng):
    """Vectors with any leading axes, at whole positions in order, and at positions of their own."""
    for leading in ((), (2,), (2, 3), (2, 3, 5)):
        for d_head in (8, 12, 2 * int(rng.integers(7, 20))):
            n, base = int(rng.integers(12, 20)), float(rng.uniform(20.0, 50000.0))
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            for positions in (np.sort(rng.integers(0, 60, size=n)), rng.uniform(-40.0, 40.0, size=(*leading, n))):
                yield {"x": x, "positions": positions, "base": base}


def rows_of_equal_sizes(rng):
    for shape, positions in (
        ((4, 8), (4,)), ((8, 8), (8,)), ((4, 4, 8), (4,)), ((2, 2, 2), (2,)), ((2, 1, 1, 8), (1,)),
        ((4, 4, 8), (4, 4)), ((4, 4, 4, 8), (4,)), ((4, 4, 4, 8), (4, 1, 4)), ((4, 4, 4, 8), (4, 4)),
    ):
        yield rng.normal(size=shape), rng.integers(-20, 40, size=positions)


def thirteen_rows(rng, dtype=np.float64):
    """At whole positions and at others."""
    x = rng.integers(-5, 6, size=(2, 13, 8)).astype(dtype)
    return [(x, rng.integers(-9, 30, size=13)), (x, rng.uniform(-20.0, 20.0, size=13))]


def rows_that_differ_in_one_thing(rng):
    x, near = rng.normal(size=(12, 8)), np.arange(12)
    return [(x, near), (x, near + 7), (x, near, 300.0), (x[:, :6], near, 300.0), (-x, near, 300.0),
            (x, near[::-1].copy(), 300.0)]


test_vectors_with_any_leading_axes_agree_with_the_reference = checks.agrees_with_the_reference(2, "apply_rope", rows)
test_axes_of_equal_size_are_not_confused = checks.agrees_with_the_reference(2, "apply_rope", rows_of_equal_sizes)
test_every_call_of_the_rotation_starts_afresh = checks.starts_afresh(2, "apply_rope", rows_that_differ_in_one_thing)
test_whole_numbers_are_turned_as_real_numbers = checks.agrees_with_the_reference(
    2, "apply_rope", lambda rng: thirteen_rows(rng, np.int64))
test_views_of_any_memory_order_are_turned = checks.takes_views(2, "apply_rope", thirteen_rows)
test_apply_rope_keeps_float32 = checks.keeps_float32(2, "apply_rope", lambda rng: thirteen_rows(rng, np.float32))


# Task 3: the scores

@pytest.mark.task(3)
def test_queries_and_keys_of_one_pair_and_of_four_by_hand(kata):
    # (1, 0) at 3 and (0, 2) at 4 against (1, 0) at 1, (0, 1) at 1 and (0, 1) at 8:
    # cos 2, sin 2, sin -5; then -2 sin 3, 2 cos 3, 2 cos -4
    q, k = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert_same(kata.rope_scores(q, k, np.array([3, 4]), np.array([1, 1, 8])), [
        [-0.416146836547, 0.909297426826, 0.958924274663],
        [-0.282240016120, -1.979984993201, -1.307287241727],
    ])
    # base 16, query two positions after the key: sin 2 + 2 sin 1 + 3 sin 0.5 + 4 sin 0.25, and with cosines
    q = np.array([[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])
    k = np.array([[0.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0], [1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 4.0, 0.0]])
    scores = kata.rope_scores(q, k, np.array([9]), np.array([7, 7]), 16.0)
    assert_same(scores, [[5.020131849272, 7.172855147703]])


@pytest.mark.task(3)
def test_a_key_after_the_query_has_a_score_too(kata):
    # sin -1 and sin 1: one step to the right is not one step to the left, and neither is masked
    q, k = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 1.0]])
    assert_same(kata.rope_scores(q, k, np.array([5]), np.array([6, 4])), [[-0.841470984808, 0.841470984808]])


@pytest.mark.task(3)
def test_at_equal_positions_the_score_is_the_plain_dot_product(kata):
    # products of the rows themselves, not divided by a root of the width
    q = np.array([[1.0, 2.0, 0.0, -1.0, 3.0, 0.0, 0.0, 1.0], [1.0] * 8])
    k = np.array([[2.0, 0.0, 1.0, 1.0, 1.0, -2.0, 0.0, 4.0], [1.0] * 8, [0.0] * 8])
    scores = kata.rope_scores(q, k, np.array([7, 7]), np.array([7, 7, 7]))
    assert_same(scores, [[8.0, 6.0, 0.0], [7.0, 8.0, 0.0]])


@pytest.mark.task(3)
def test_scores_stay_when_queries_and_keys_move_together(kata, rng):
    for offset in (1, 480, -9, 0.75):
        q, k = rng.normal(size=(5, 8)), rng.normal(size=(12, 8))
        near, far = np.array([3, 0, 17, 3, -4]), rng.integers(-10, 30, size=12)
        assert_same(kata.rope_scores(q, k, near + offset, far + offset), kata.rope_scores(q, k, near, far))
    q, k = np.tile(rng.normal(size=8), (5, 1)), np.tile(rng.normal(size=8), (12, 1))
    scores = kata.rope_scores(q, k, np.arange(30, 35), np.arange(12))  # (5, 12)
    assert_same(scores[1:, 1:], scores[:-1, :-1])


@pytest.mark.task(3)
def test_scores_are_cosines_and_sines_of_the_difference(kata, rng):
    # pair by pair: dot product times the cosine of the angle between them, cross product times its sine
    q, k = rng.normal(size=(5, 8)), rng.normal(size=(12, 8))
    q_positions, k_positions = rng.integers(-20, 40, size=5), rng.integers(-20, 40, size=12)
    wanted = np.zeros((5, 12))
    for pair, speed in enumerate((1.0, 0.5, 0.25, 0.125)):
        a, b = q[:, 2 * pair], q[:, 2 * pair + 1]                      # (5,) each
        c, d = k[:, 2 * pair], k[:, 2 * pair + 1]                      # (12,) each
        angle = speed * np.subtract.outer(q_positions, k_positions)    # (5, 12)
        dot, cross = np.outer(a, c) + np.outer(b, d), np.outer(a, d) - np.outer(b, c)
        wanted += dot * np.cos(angle) + cross * np.sin(angle)
    assert_same(kata.rope_scores(q, k, q_positions, k_positions, base=16.0), wanted)


@pytest.mark.task(3)
def test_one_query_at_a_time_gives_the_rows_of_all(kata, rng):
    q, k, near, far = rng.normal(size=(6, 8)), rng.normal(size=(13, 8)), np.arange(7, 13), np.arange(13)
    scores = kata.rope_scores(q, k, near, far)                         # (6, 13)
    assert_same(kata.rope_scores(q[5:], k, near[5:], far), scores[5:])
    assert_same(kata.rope_scores(q[2:3], k[:10], near[2:3], far[:10]), scores[2:3, :10])
    # one query and one key keep their axes
    one = np.array([[[[1.0, 0.0]]]])
    assert_same(kata.rope_scores(one, 2.0 * one, np.array([1]), np.array([0])), [[[[1.080604611736]]]])


def queries_and_keys(rng, leading=(2,), n_queries=5, n_keys=12, d_head=8, dtype=np.float64):
    """Queries and keys of whole numbers; positions that are fractions for either, or for none."""
    q, k = (rng.integers(-5, 6, size=(*leading, n, d_head)).astype(dtype) for n in (n_queries, n_keys))
    near, far = rng.integers(-20, 40, size=n_queries), rng.integers(-20, 40, size=n_keys)
    return [(q, k, near, far), (q, k, near, far + rng.uniform(size=n_keys)), (q, k, near - 0.3, far)]


def of_any_size(rng):
    for leading in ((), (3,), (2, 3)):
        for d_head in (8, 12, 2 * int(rng.integers(7, 20))):
            base = float(rng.uniform(20.0, 50000.0))
            for arrays in queries_and_keys(rng, leading, int(rng.integers(4, 9)), int(rng.integers(12, 20)), d_head):
                yield *arrays, base
                yield dict(zip(("q", "k", "q_positions", "k_positions"), arrays, strict=True))


def of_equal_sizes(rng):
    for leading, n_queries, n_keys in (((), 8, 8), ((4,), 4, 4), ((4, 4), 4, 4), ((2,), 9, 4), ((2,), 4, 9)):
        yield from queries_and_keys(rng, leading, n_queries, n_keys)


def that_differ_in_one_thing(rng):
    q, k, near, far = rng.normal(size=(12, 8)), rng.normal(size=(12, 8)), np.arange(12), np.arange(12) + 7
    return [(q, k, near, near), (q, k, far, near), (q, k, near, far), (q, k, near, far, 300.0),
            (k, q, near, far, 300.0), (q[:5], k, near[:5], far, 300.0)]


test_scores_of_any_size_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "rope_scores", of_any_size)
test_scores_of_coinciding_sizes_agree_with_the_reference = checks.agrees_with_the_reference(
    3, "rope_scores", of_equal_sizes)
test_every_call_of_the_scores_starts_afresh = checks.starts_afresh(3, "rope_scores", that_differ_in_one_thing)
test_scores_of_whole_numbers_are_real_numbers = checks.agrees_with_the_reference(
    3, "rope_scores", lambda rng: queries_and_keys(rng, dtype=np.int64))
test_scores_of_float32_vectors_are_right = checks.agrees_with_the_reference(
    3, "rope_scores", lambda rng: queries_and_keys(rng, dtype=np.float32))
test_scores_read_views_and_read_only_arrays = checks.takes_views(3, "rope_scores", queries_and_keys)


# All three

test_frequencies_rotation_and_scores_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), rope_frequencies=[(8,)], apply_rope=thirteen_rows, rope_scores=queries_and_keys)
