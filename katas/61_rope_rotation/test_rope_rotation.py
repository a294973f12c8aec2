"""What a rotary encoding has to be: signed values worked by hand, laws of rotations, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_keeps_float32, assert_same

# Task 1: how fast each pair turns

@pytest.mark.task(1)
def test_width_eight_turns_by_one_a_tenth_a_hundredth_a_thousandth(kata):
    assert_same(kata.rope_frequencies(8), [1.0, 0.1, 0.01, 0.001])


@pytest.mark.task(1)
def test_the_base_sets_the_slowest_pair(kata):
    assert_same(kata.rope_frequencies(4, base=25.0), [1.0, 0.2])
    assert_same(kata.rope_frequencies(8, 16.0), [1.0, 0.5, 0.25, 0.125])
    assert_same(kata.rope_frequencies(6, base=1000), [1.0, 0.1, 0.01])


@pytest.mark.task(1)
def test_two_columns_have_one_frequency(kata):
    assert_same(kata.rope_frequencies(2), [1.0])
    assert_same(kata.rope_frequencies(2, 7.0), [1.0])


@pytest.mark.task(1)
def test_neighbouring_pairs_differ_by_one_constant_factor(kata):
    speeds = kata.rope_frequencies(22, base=777.0)                     # (11,)
    assert_same(speeds[1:] / speeds[:-1], np.full(10, 777.0 ** (-1 / 11)))


@pytest.mark.task(1)
def test_low_columns_are_the_fast_ones(kata):
    speeds = kata.rope_frequencies(64)                                 # (32,)
    assert speeds.shape == (32,)
    assert speeds[0] == speeds.max()
    assert (np.diff(speeds) < 0.0).all()


@pytest.mark.task(1)
def test_frequencies_of_any_width_and_base_agree_with_the_reference(kata, reference, rng):
    for d_head in (8, 10, *(2 * rng.integers(6, 60, size=4)).tolist()):
        base = float(rng.uniform(20.0, 50000.0))
        assert_same(kata.rope_frequencies(d_head, base), reference.rope_frequencies(d_head, base))


# Task 2: the rotation

@pytest.mark.task(2)
def test_both_axes_of_the_plane_at_position_one_by_hand(kata):
    # (1, 0) turned by 1 radian: cos 1, sin 1; (0, 1): -sin 1, cos 1
    assert_same(
        kata.apply_rope(np.eye(2), np.array([1, 1])),
        [[0.540302305868, 0.841470984808], [-0.841470984808, 0.540302305868]],
    )


@pytest.mark.task(2)
def test_a_quarter_turn_is_counter_clockwise(kata):
    # position pi/2 is a right angle in the pair of frequency 1: (a, b) becomes (-b, a)
    x = np.array([[1.0, 0.0], [3.0, -4.0], [-30.0, 7.0]])              # (3, 2)
    assert_same(kata.apply_rope(x, np.full(3, np.pi / 2)), [[0.0, 1.0], [4.0, 3.0], [-7.0, -30.0]])


@pytest.mark.task(2)
def test_the_second_pair_has_a_frequency_of_its_own(kata):
    # width 4: frequencies 1 and 0.01; position 5: angles 5 and 0.05; twice the first axis, then the second
    assert_same(
        kata.apply_rope(np.array([[2.0, 0.0, 0.0, 1.0]]), np.array([5])),
        [[0.567324370926, -1.917848549326, -0.049979169271, 0.998750260395]],
    )


@pytest.mark.task(2)
def test_four_pairs_at_position_two_by_hand(kata):
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8; position 2: angles 2, 1, 0.5, 0.25
    x = np.array([[3.0, -4.0, 1.0, 2.0, -2.0, 5.0, 6.0, -1.0]])
    assert_same(
        kata.apply_rope(x, np.array([2]), 16.0),
        [[
            2.388749197661, 4.392479626666, -1.142639663748, 1.922075596544,
            -4.152292816802, 3.429061732243, 6.060878489518, 0.515511333816,
        ]],
    )


@pytest.mark.task(2)
def test_every_axis_turns_within_its_own_pair(kata):
    # the eight axes at position 1, angles 1, 1/2, 1/4, 1/8: a block of two columns for every pair
    turns = (
        (0.540302305868, 0.841470984808), (0.877582561890, 0.479425538604),
        (0.968912421711, 0.247403959255), (0.992197667229, 0.124674733385),
    )
    wanted = np.zeros((8, 8))
    for pair, (cosine, sine) in enumerate(turns):
        wanted[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = [[cosine, sine], [-sine, cosine]]
    assert_same(kata.apply_rope(x=np.eye(8), positions=np.ones(8, dtype=int), base=16.0), wanted)


@pytest.mark.task(2)
def test_positions_may_be_negative_fractional_repeated_and_in_any_order(kata):
    # (1, 0) in every row: cosine and sine of the position
    x = np.tile([1.0, 0.0], (6, 1))                                    # (6, 2)
    assert_same(kata.apply_rope(x, np.array([7.0, 0.5, 7.0, -3.0, 0.0, -0.5])), [
        [0.753902254343, 0.656986598719],
        [0.877582561890, 0.479425538604],
        [0.753902254343, 0.656986598719],
        [-0.989992496600, -0.141120008060],
        [1.0, 0.0],
        [0.877582561890, -0.479425538604],
    ])
    assert_same(kata.apply_rope(x[:3], np.array([5, -3, 5])), [
        [0.283662185463, -0.958924274663],
        [-0.989992496600, -0.141120008060],
        [0.283662185463, -0.958924274663],
    ])


@pytest.mark.task(2)
def test_far_positions_are_as_exact_as_near_ones(kata):
    # width 4, position 512: angles 512 and 5.12
    x = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])         # (2, 4)
    assert_same(kata.apply_rope(x, np.array([512, 512])), [
        [-0.996833390848, 0.079518494013, 0.396417208936, -0.918070474669],
        [-0.079518494013, -0.996833390848, 0.918070474669, 0.396417208936],
    ])


@pytest.mark.task(2)
def test_position_zero_leaves_the_vectors_alone(kata):
    x = np.array([[1e6, -2.0, 3.0, 0.5, -1e6, 0.0, 7.0, 8.0], [1.0] * 8])
    assert_same(kata.apply_rope(x, np.zeros(2, dtype=int)), x)


@pytest.mark.task(2)
def test_zero_vectors_stay_zero(kata):
    x = np.zeros((3, 4))
    x[1] = [1.0, 0.0, 0.0, 0.0]
    assert_same(
        kata.apply_rope(x, np.array([4, 1, 9])),
        [[0.0] * 4, [0.540302305868, 0.841470984808, 0.0, 0.0], [0.0] * 4],
    )


@pytest.mark.task(2)
def test_every_pair_keeps_its_length(kata, rng):
    x = rng.normal(size=(2, 12, 10))
    turned = kata.apply_rope(x, rng.integers(-40, 60, size=12), base=300.0)
    assert_same(turned[..., 0::2] ** 2 + turned[..., 1::2] ** 2, x[..., 0::2] ** 2 + x[..., 1::2] ** 2)


@pytest.mark.task(2)
def test_turning_twice_adds_the_positions(kata, rng):
    x, near, far = rng.normal(size=(13, 8)), rng.integers(-20, 20, size=13), rng.uniform(20.0, 40.0, size=13)
    assert_same(kata.apply_rope(kata.apply_rope(x, near), far), kata.apply_rope(x, near + far))
    assert_same(kata.apply_rope(kata.apply_rope(x, far), -far), x)


@pytest.mark.task(2)
def test_a_row_is_turned_by_its_position_wherever_it_stands(kata, rng):
    x, positions, order = rng.normal(size=(14, 8)), rng.integers(0, 50, size=14), rng.permutation(14)
    assert_same(kata.apply_rope(x[order], positions[order]), kata.apply_rope(x, positions)[order])


@pytest.mark.task(2)
def test_batches_and_heads_share_positions_of_one_axis(kata, reference, rng):
    x, positions = rng.normal(size=(2, 3, 5, 8)), np.array([4, 0, 11, -2, 4])
    turned = kata.apply_rope(x, positions)                             # (2, 3, 5, 8)
    assert_same(turned[1, 2], reference.apply_rope(x[1, 2], positions))
    assert_same(turned[0, 1], reference.apply_rope(x[0, 1], positions))


@pytest.mark.task(2)
def test_every_batch_may_have_positions_of_its_own(kata, reference, rng):
    x, positions = rng.normal(size=(2, 3, 5, 8)), rng.integers(-9, 30, size=(2, 1, 5))
    turned = kata.apply_rope(x, positions)                             # (2, 3, 5, 8)
    assert_same(turned[0, 1], reference.apply_rope(x[0, 1], positions[0, 0]))
    assert_same(turned[1, 1], reference.apply_rope(x[1, 1], positions[1, 0]))
    assert_same(kata.apply_rope(x[:, 2], positions[:, 0]), reference.apply_rope(x, positions)[:, 2])


@pytest.mark.task(2)
def test_every_head_may_have_positions_of_its_own(kata, reference, rng):
    x, positions = rng.normal(size=(2, 3, 5, 8)), rng.integers(-9, 30, size=(3, 5))
    wanted = reference.apply_rope(x, np.stack([positions, positions]))
    assert_same(kata.apply_rope(x, positions), wanted)
    assert_same(kata.apply_rope(x, positions[None]), wanted)


@pytest.mark.task(2)
def test_one_position_may_be_that_of_all_rows(kata, reference, rng):
    x = rng.normal(size=(2, 3, 5, 4))
    by_batch = kata.apply_rope(x, np.array([[[7]], [[-3]]]))           # (2, 3, 5, 4)
    assert_same(by_batch[0], reference.apply_rope(x[0], np.full(5, 7)))
    assert_same(by_batch[1], reference.apply_rope(x[1], np.full(5, -3)))
    for shape in ((1,), (1, 1)):
        assert_same(kata.apply_rope(x, np.full(shape, 7)), reference.apply_rope(x, np.full(5, 7)))


@pytest.mark.task(2)
def test_axes_of_equal_size_are_not_confused(kata, reference, rng):
    for x, positions in (
        ((4, 8), (4,)), ((8, 8), (8,)), ((4, 4, 8), (4,)), ((2, 2, 2), (2,)),
        ((4, 4, 8), (4, 4)), ((4, 4, 4, 8), (4,)), ((4, 4, 4, 8), (4, 1, 4)), ((4, 4, 4, 8), (4, 4)),
    ):
        x, positions = rng.normal(size=x), rng.integers(-20, 40, size=positions)
        assert_same(kata.apply_rope(x, positions), reference.apply_rope(x, positions))


@pytest.mark.task(2)
def test_axes_of_size_one_stay(kata, rng):
    turned = kata.apply_rope(np.array([[[[0.0, -2.0]]]]), np.array([1]))
    assert_same(turned, [[[[1.682941969616, -1.080604611736]]]])
    x = rng.normal(size=(2, 1, 1, 8))
    assert_same(kata.apply_rope(x, np.array([0])), x)


@pytest.mark.task(2)
def test_whole_numbers_are_turned_as_real_numbers(kata, reference, rng):
    # (3, 2) at position 0.5, (1, 0) at position -1
    wanted = [[1.673896608463, 3.193441739593], [0.540302305868, -0.841470984808]]
    assert_same(kata.apply_rope(np.array([[3, 2], [1, 0]]), np.array([0.5, -1.0])), wanted)
    x, positions = rng.integers(-5, 6, size=(13, 8)), rng.integers(-9, 30, size=13)
    assert_same(kata.apply_rope(x, positions), reference.apply_rope(x.astype(float), positions))


@pytest.mark.task(2)
def test_views_of_any_memory_order_are_turned(kata, reference, rng):
    wide, positions = rng.normal(size=(3, 24, 16)), rng.integers(0, 40, size=24)[::-2]
    wide.flags.writeable = positions.flags.writeable = False
    for view in (
        wide[:, ::2, ::2],                                             # every other row and column
        wide[:, :12, 7::-1],                                           # columns backwards
        wide.transpose(2, 1, 0)[::2, 1::2, :2],                        # a width that was the first axis
        np.asfortranarray(wide[:, :12, :8]),
        np.broadcast_to(wide[0, 0, :8], (5, 12, 8)),                   # one row, repeated without a copy
    ):
        assert_same(kata.apply_rope(view, positions), reference.apply_rope(view.copy(), positions.copy()))


@pytest.mark.task(2)
def test_apply_rope_keeps_float32(kata, reference, rng):
    x, whole, parts = rng.normal(size=(2, 13, 8)).astype(np.float32), np.arange(13), rng.uniform(-20.0, 20.0, size=13)
    for positions in (whole, parts):
        assert_keeps_float32(kata.apply_rope, x, positions)
        assert_same(kata.apply_rope(x, positions), reference.apply_rope(x, positions))


@pytest.mark.task(2)
def test_every_call_of_the_rotation_starts_afresh(kata, reference, rng):
    x = rng.normal(size=(12, 8))
    near, late = np.arange(12), np.arange(12) + 7
    for vectors, positions, base in (
        (x, near, 10000.0), (x, late, 10000.0), (x, near, 300.0), (x[:, :6], near, 300.0), (-x, near, 300.0),
        (x, near[::-1].copy(), 300.0), (x, near, 10000.0),
    ):
        assert_same(kata.apply_rope(vectors, positions, base), reference.apply_rope(vectors, positions, base))


@pytest.mark.task(2)
def test_vectors_with_any_leading_axes_agree_with_the_reference(kata, reference, rng):
    for leading in ((), (2,), (2, 3), (2, 3, 5)):
        for d_head in (8, 12, 2 * int(rng.integers(7, 20))):
            n, base = int(rng.integers(12, 20)), float(rng.uniform(20.0, 50000.0))
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            for positions in (np.sort(rng.integers(0, 60, size=n)), rng.uniform(-40.0, 40.0, size=(*leading, n))):
                assert_same(kata.apply_rope(x, positions, base=base), reference.apply_rope(x, positions, base))


# Task 3: the scores

@pytest.mark.task(3)
def test_two_queries_and_three_keys_by_hand(kata):
    # (1, 0) at 3 and (0, 2) at 4 against (1, 0) at 1, (0, 1) at 1 and (0, 1) at 8:
    # cos 2, sin 2, sin -5; then -2 sin 3, 2 cos 3, 2 cos -4
    q, k = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert_same(kata.rope_scores(q, k, np.array([3, 4]), np.array([1, 1, 8])), [
        [-0.416146836547, 0.909297426826, 0.958924274663],
        [-0.282240016120, -1.979984993201, -1.307287241727],
    ])


@pytest.mark.task(3)
def test_four_pairs_of_a_query_and_a_key_by_hand(kata):
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


@pytest.mark.task(3)
def test_one_vector_everywhere_makes_equal_scores_along_every_diagonal(kata, rng):
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
def test_batches_and_heads_have_scores_of_their_own(kata, reference, rng):
    q, k = rng.normal(size=(2, 3, 5, 8)), rng.normal(size=(2, 3, 7, 8))
    near, far = rng.integers(-9, 30, size=5), rng.integers(-9, 30, size=7)
    scores = kata.rope_scores(q, k, q_positions=near, k_positions=far)  # (2, 3, 5, 7)
    assert scores.shape == (2, 3, 5, 7)
    assert_same(scores[0, 2], reference.rope_scores(q[0, 2], k[0, 2], near, far))
    assert_same(scores[1, 1], reference.rope_scores(q[1, 1], k[1, 1], near, far))


@pytest.mark.task(3)
def test_one_query_at_a_time_gives_the_rows_of_all(kata, rng):
    q, k = rng.normal(size=(6, 8)), rng.normal(size=(13, 8))
    near, far = np.arange(7, 13), np.arange(13)
    scores = kata.rope_scores(q, k, near, far)                         # (6, 13)
    assert_same(kata.rope_scores(q[5:], k, near[5:], far), scores[5:])
    assert_same(kata.rope_scores(q[2:3], k[:10], near[2:3], far[:10]), scores[2:3, :10])


@pytest.mark.task(3)
def test_one_query_and_one_key_keep_their_axes(kata):
    one = np.array([[[[1.0, 0.0]]]])
    assert_same(kata.rope_scores(one, 2.0 * one, np.array([1]), np.array([0])), [[[[1.080604611736]]]])


@pytest.mark.task(3)
def test_scores_of_coinciding_sizes_agree_with_the_reference(kata, reference, rng):
    for q, k in (
        ((8, 8), (8, 8)), ((4, 4, 8), (4, 4, 8)), ((4, 4, 4, 8), (4, 4, 4, 8)),
        ((2, 9, 8), (2, 4, 8)), ((2, 4, 8), (2, 9, 8)),
    ):
        near, far = rng.integers(-9, 40, size=q[-2]), rng.integers(-9, 40, size=k[-2])
        q, k = rng.normal(size=q), rng.normal(size=k)
        assert_same(kata.rope_scores(q, k, near, far), reference.rope_scores(q, k, near, far))


@pytest.mark.task(3)
def test_scores_of_whole_numbers_are_real_numbers(kata, reference, rng):
    # (1, 0) at 0.5 against (2, 0) and (0, 1) at 0: 2 cos 0.5, sin 0.5
    scores = kata.rope_scores(np.array([[1, 0]]), np.array([[2, 0], [0, 1]]), np.array([0.5]), np.array([0, 0]))
    assert_same(scores, [[1.755165123781, 0.479425538604]])
    q, k = rng.integers(-5, 6, size=(5, 8)), rng.integers(-5, 6, size=(12, 8))
    near, far = np.arange(7, 12), np.arange(12)
    assert_same(kata.rope_scores(q, k, near, far), reference.rope_scores(q.astype(float), k.astype(float), near, far))


@pytest.mark.task(3)
def test_scores_of_float32_vectors_are_right(kata, reference, rng):
    q, k = rng.normal(size=(2, 5, 8)).astype(np.float32), rng.normal(size=(2, 12, 8)).astype(np.float32)
    near, far = np.arange(7, 12), np.arange(12)
    assert_same(kata.rope_scores(q, k, near, far), reference.rope_scores(q, k, near, far))


@pytest.mark.task(3)
def test_scores_read_views_and_read_only_arrays(kata, reference, rng):
    wide = rng.normal(size=(3, 24, 16))
    q, k = wide[:, 3:13:2, ::2], wide[:, 12:0:-1, :8]                  # (3, 5, 8), (3, 12, 8)
    near, far = np.arange(40)[30:20:-2], np.broadcast_to(np.array(4), 12)
    wanted = reference.rope_scores(q.copy(), k.copy(), near.copy(), far.copy())
    wide.flags.writeable = q.flags.writeable = k.flags.writeable = False
    assert_same(kata.rope_scores(q, k, near, far), wanted)
    assert_same(kata.rope_scores(np.asfortranarray(q), np.asfortranarray(k), near, far), wanted)


@pytest.mark.task(3)
def test_every_call_of_the_scores_starts_afresh(kata, reference, rng):
    q, k = rng.normal(size=(12, 8)), rng.normal(size=(12, 8))
    near, far = np.arange(12), np.arange(12) + 7
    for arguments in (
        (q, k, near, near, 10000.0), (q, k, far, near, 10000.0), (q, k, near, far, 10000.0),
        (q, k, near, far, 300.0), (k, q, near, far, 300.0), (q[:5], k, near[:5], far, 300.0),
        (q, k, near, near, 10000.0),
    ):
        assert_same(kata.rope_scores(*arguments), reference.rope_scores(*arguments))


@pytest.mark.task(3)
def test_scores_of_any_size_and_base_agree_with_the_reference(kata, reference, rng):
    for leading in ((), (3,), (2, 3)):
        for d_head in (8, 12, 2 * int(rng.integers(7, 20))):
            n_queries, n_keys = int(rng.integers(4, 9)), int(rng.integers(12, 20))
            base = float(rng.uniform(20.0, 50000.0))
            q, k = rng.normal(size=(*leading, n_queries, d_head)), rng.normal(size=(*leading, n_keys, d_head))
            near, far = rng.integers(-20, 40, size=n_queries), rng.uniform(-20.0, 40.0, size=n_keys)
            assert_same(kata.rope_scores(q, k, near, far, base), reference.rope_scores(q, k, near, far, base))
            near, far = rng.uniform(-20.0, 40.0, size=n_queries), rng.integers(-20, 40, size=n_keys)
            wanted = reference.rope_scores(q, k, near, far, base)
            assert_same(kata.rope_scores(q, k, near, far, base=base), wanted)


# All three

@pytest.mark.task(1, 2, 3)
def test_frequencies_rotation_and_scores_are_in_double_precision(kata, rng):
    x, positions = rng.normal(size=(12, 8)), np.arange(12)
    assert_double_precision(kata.rope_frequencies, 8)
    assert_double_precision(kata.apply_rope, x, positions)
    assert_double_precision(kata.rope_scores, x, x[:5], positions, positions[:5])
