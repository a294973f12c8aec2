"""What rotary positions for a part of a head have to be: values worked by hand, what stays, laws, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_keeps_float32, assert_same

# Task 1: the first columns turn

@pytest.mark.task(1)
def test_four_of_seven_columns_turn_by_hand(kata):
    # base 16, rotary_dim 4: frequencies 1 and 1/4; position 2: angles 2 and 0.5
    x = np.array([[1.0, 0.0, 0.0, 2.0, 3.0, -4.0, 5.0]])
    wanted = [[-0.416146836547, 0.909297426826, -0.958851077208, 1.755165123781, 3.0, -4.0, 5.0]]
    assert_same(kata.partial_rope(x, np.array([2]), 4, 16.0), wanted)
    assert_same(kata.partial_rope(x=x, positions=np.array([2]), rotary_dim=4, base=16), wanted)


@pytest.mark.task(1)
def test_six_of_eight_columns_turn_by_hand(kata):
    # base 1000, rotary_dim 6: frequencies 1, 0.1, 0.01; position -10: angles -10, -1, -0.1
    x = np.array([[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])
    assert_same(kata.partial_rope(x, np.array([-10]), 6, 1000.0), [[
        -0.839071529076, 0.544021110889, 0.540302305868, -0.841470984808, 0.995004165278, -0.099833416647, 1.0, 0.0,
    ]])


@pytest.mark.task(1)
def test_without_a_base_it_is_ten_thousand(kata):
    # rotary_dim 4: frequencies 1 and 0.01; position 5: angles 5 and 0.05
    x = np.array([[0.0, 1.0, 1.0, 0.0, 9.0, 8.0]])
    wanted = [[0.958924274663, 0.283662185463, 0.998750260395, 0.049979169271, 9.0, 8.0]]
    assert_same(kata.partial_rope(x, np.array([5]), 4), wanted)
    assert_same(kata.partial_rope(x, np.array([5]), 4, 10000.0), wanted)


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
def test_columns_behind_the_part_stay_at_every_position(kata, rng):
    for d_head, rotary_dim in ((8, 2), (9, 4), (12, 10), (13, 6)):
        x, positions = rng.normal(size=(2, 12, d_head)), rng.integers(-40, 60, size=12)
        turned = kata.partial_rope(x, positions, rotary_dim)
        assert turned.shape == x.shape
        assert_same(turned[..., rotary_dim:], x[..., rotary_dim:])


@pytest.mark.task(1)
def test_the_part_turns_as_a_head_of_its_own_width(kata, reference, rng):
    # whatever stands behind it, and however many columns that is
    x, positions = rng.normal(size=(12, 20)), rng.integers(-40, 60, size=12)
    alone = reference.partial_rope(x[:, :6].copy(), positions, 6)
    for d_head in (6, 7, 8, 12, 20):
        assert_same(kata.partial_rope(x[:, :d_head].copy(), positions, 6)[:, :6], alone)


@pytest.mark.task(1)
def test_a_part_that_is_the_whole_head_leaves_nothing_unturned(kata, reference, rng):
    # both ways of this kata are then the rotation of kata 61
    for d_head in (2, 8, 10):
        x, positions = rng.normal(size=(3, 12, d_head)), rng.integers(1, 60, size=12)
        assert_same(kata.partial_rope(x, positions, d_head, 70.0), reference.truncated_rope(x, positions, 1.0, 70.0))


@pytest.mark.task(1)
def test_large_columns_behind_the_part_change_nothing_in_it(kata, rng):
    x, positions = rng.normal(size=(9, 10)), rng.integers(0, 60, size=9)
    huge = x.copy()
    huge[:, 6:] = 1e12
    turned = kata.partial_rope(huge, positions, 6)
    assert_same(turned[:, :6], kata.partial_rope(x, positions, 6)[:, :6])
    assert_same(turned[:, 6:], huge[:, 6:])


@pytest.mark.task(1)
def test_position_zero_and_zero_vectors_change_nothing(kata):
    x = np.array([[1e6, -2.0, 3.0, 0.5, -1e6, 0.0, 7.0], [0.0] * 7])
    assert_same(kata.partial_rope(x, np.array([0, 9]), 4), x)


@pytest.mark.task(1)
def test_turning_twice_adds_the_positions(kata, rng):
    x, near, far = rng.normal(size=(13, 9)), rng.integers(-20, 20, size=13), rng.uniform(20.0, 40.0, size=13)
    assert_same(kata.partial_rope(kata.partial_rope(x, near, 6), far, 6), kata.partial_rope(x, near + far, 6))


@pytest.mark.task(1)
def test_the_score_of_the_part_depends_on_the_offset_and_the_rest_adds_a_constant(kata, rng):
    q, k = rng.normal(size=(1, 10)), rng.normal(size=(1, 10))
    constant = (q[0, 4:] * k[0, 4:]).sum()
    for offset in (0, 3, -7):
        scores = [
            (kata.partial_rope(q, np.array([p]), 4, 50.0) * kata.partial_rope(k, np.array([p + offset]), 4, 50.0)).sum()
            for p in (0, 11, 200)
        ]
        pairs = 0.0
        for pair, speed in ((0, 1.0), (1, 50.0**-0.5)):
            a, b, c, d = *q[0, 2 * pair : 2 * pair + 2], *k[0, 2 * pair : 2 * pair + 2]
            pairs += (a * c + b * d) * np.cos(speed * offset) + (b * c - a * d) * np.sin(speed * offset)
        assert_same(np.array(scores), np.full(3, constant + pairs))


@pytest.mark.task(1)
def test_positions_may_be_negative_fractional_repeated_and_in_any_order(kata):
    # (1, 0) in every row: cosine and sine of the position, and a third column
    x = np.tile([1.0, 0.0, 4.0], (6, 1))                               # (6, 3)
    assert_same(kata.partial_rope(x, np.array([7.0, 0.5, 7.0, -3.0, 0.0, -0.5]), 2), [
        [0.753902254343, 0.656986598719, 4.0],
        [0.877582561890, 0.479425538604, 4.0],
        [0.753902254343, 0.656986598719, 4.0],
        [-0.989992496600, -0.141120008060, 4.0],
        [1.0, 0.0, 4.0],
        [0.877582561890, -0.479425538604, 4.0],
    ])


@pytest.mark.task(1)
def test_batches_and_heads_share_positions_or_have_their_own(kata, reference, rng):
    x = rng.normal(size=(2, 3, 5, 9))
    for shape in ((5,), (3, 5), (2, 1, 5), (2, 3, 5), (1,), (1, 1), (2, 1, 1)):
        positions = rng.integers(-9, 30, size=shape)
        turned = kata.partial_rope(x, positions, 4)                    # (2, 3, 5, 9)
        assert turned.shape == x.shape
        own = np.broadcast_to(positions, x.shape[:-1])                 # (2, 3, 5)
        for place in ((0, 1), (1, 2)):
            assert_same(turned[place], reference.partial_rope(x[place].copy(), own[place].copy(), 4))


@pytest.mark.task(1)
def test_sizes_that_coincide_are_not_confused(kata, reference, rng):
    for x, positions, rotary_dim in (
        ((4, 4), (4,), 4), ((4, 8), (4,), 4), ((8, 8), (8,), 4), ((4, 4, 8), (4,), 4), ((4, 4, 8), (4, 4), 4),
        ((2, 2, 2), (2,), 2), ((4, 4, 4, 8), (4, 1, 4), 6), ((4, 4, 4, 8), (4, 4), 6), ((4, 4, 4, 4), (4,), 2),
        ((1, 1, 1, 3), (1,), 2), ((2, 1, 6), (1,), 4),
    ):
        x, positions = rng.normal(size=x), rng.integers(-20, 40, size=positions)
        assert_same(kata.partial_rope(x, positions, rotary_dim), reference.partial_rope(x, positions, rotary_dim))


@pytest.mark.task(1)
def test_whole_numbers_are_turned_as_real_numbers(kata):
    # (3, 2) at position 0.5 and (1, 0) at position -1
    x = np.array([[3, 2, 7], [1, 0, -5]])
    wanted = [[1.673896608463, 3.193441739593, 7.0], [0.540302305868, -0.841470984808, -5.0]]
    assert_same(kata.partial_rope(x, np.array([0.5, -1.0]), 2), wanted)


@pytest.mark.task(1)
def test_views_of_any_memory_order_are_turned(kata, reference, rng):
    wide, positions = rng.normal(size=(3, 24, 16)), rng.integers(0, 40, size=24)[::-2]
    wide.flags.writeable = positions.flags.writeable = False
    for view in (
        wide[:, ::2, ::2], wide[:, :12, 8::-1], wide.transpose(2, 1, 0)[::2, 1::2, :3].repeat(3, axis=-1)[..., ::2],
        np.asfortranarray(wide[:, :12, :7]), np.broadcast_to(wide[0, 0, :9], (5, 12, 9)),
    ):
        wanted = reference.partial_rope(view.copy(), positions.copy(), 4)
        assert_same(kata.partial_rope(view, positions, 4), wanted)


@pytest.mark.task(1)
def test_every_call_of_the_partial_rotation_starts_afresh(kata, reference, rng):
    x, near = rng.normal(size=(12, 9)), np.arange(12)
    for vectors, positions, rotary_dim, base in (
        (x, near, 6, 10000.0), (x, near, 4, 10000.0), (x, near + 7, 4, 10000.0), (x, near, 4, 300.0),
        (x[:, :8], near, 4, 300.0), (-x, near, 4, 300.0), (x, near[::-1].copy(), 8, 300.0), (x, near, 6, 10000.0),
    ):
        wanted = reference.partial_rope(vectors, positions, rotary_dim, base)
        assert_same(kata.partial_rope(vectors, positions, rotary_dim, base), wanted)


@pytest.mark.task(1)
def test_parts_of_any_width_agree_with_the_reference(kata, reference, rng):
    for leading in ((), (2,), (2, 6), (2, 3, 5)):
        for d_head in (8, 11, int(rng.integers(13, 40))):
            n, base = int(rng.integers(12, 20)), float(rng.uniform(20.0, 50000.0))
            rotary_dim = 2 * int(rng.integers(2, d_head // 2))
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            for positions in (np.sort(rng.integers(0, 60, size=n)), rng.uniform(-40.0, 40.0, size=(*leading, n))):
                wanted = reference.partial_rope(x, positions, rotary_dim, base)
                assert_same(kata.partial_rope(x, positions, rotary_dim, base=base), wanted)
    x = rng.normal(size=(14, 12))
    for base in (1.5, 1e7):
        assert_same(kata.partial_rope(x, np.arange(14), 8, base), reference.partial_rope(x, np.arange(14), 8, base))


# Task 2: the slow pairs get frequency 0

@pytest.mark.task(2)
def test_half_of_four_pairs_keeps_its_frequency(kata):
    assert_same(kata.truncated_frequencies(8, 0.5), [1.0, 0.1, 0.0, 0.0])
    assert_same(kata.truncated_frequencies(8, 0.5, 16.0), [1.0, 0.5, 0.0, 0.0])
    assert_same(kata.truncated_frequencies(d_head=8, share=0.5, base=16), [1.0, 0.5, 0.0, 0.0])


@pytest.mark.task(2)
def test_every_eighth_adds_one_of_eight_pairs(kata):
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
def test_a_frequency_does_not_depend_on_the_share_that_keeps_it(kata):
    # width 20, base 1000: the frequencies of kata 21, whichever pairs stand still
    whole = 1000.0 ** (-np.arange(10) / 10)
    for share, kept in ((0.125, 1), (0.25, 2), (0.5, 5), (0.75, 7), (0.875, 8), (1.0, 10)):
        speeds = kata.truncated_frequencies(20, share, 1000.0)
        assert np.shape(speeds) == (10,)
        assert_same(speeds[:kept], whole[:kept])
        assert_same(speeds[kept:], np.zeros(10 - kept))


@pytest.mark.task(2)
def test_a_quarter_of_a_head_of_gemma_4(kata):
    # 512 columns, base 1e6: 64 of 256 pairs; pair 63 turns 10 ** (-6 * 63 / 256) radians per position
    speeds = kata.truncated_frequencies(512, 0.25, 1e6)
    assert np.shape(speeds) == (256,)
    assert_same(speeds[[0, 1, 63, 64, 255]], [1.0, 0.947463525655, 0.033376246942, 0.0, 0.0])


@pytest.mark.task(2)
def test_frequencies_of_any_width_share_and_base_agree_with_the_reference(kata, reference, rng):
    for d_head in (8, 10, 12, 18, *(2 * rng.integers(4, 60, size=4)).tolist()):
        share, base = int(rng.integers(1, 8)) / 8, float(rng.uniform(20.0, 50000.0))
        wanted = reference.truncated_frequencies(d_head, share, base)
        assert_same(kata.truncated_frequencies(d_head, share, base), wanted)
        wanted = reference.truncated_frequencies(d_head, 0.5)
        assert_same(kata.truncated_frequencies(d_head, 0.5), wanted)


# Task 3: the fast pairs turn

@pytest.mark.task(3)
def test_the_fast_half_of_four_pairs_turns_by_hand(kata):
    # base 16, width 8: frequencies 1, 1/2, 0, 0; position 2: angles 2, 1, 0, 0
    x = np.array([[3.0, -4.0, 1.0, 2.0, -2.0, 5.0, 6.0, -1.0]])
    wanted = [[2.388749197661, 4.392479626666, -1.142639663748, 1.922075596544, -2.0, 5.0, 6.0, -1.0]]
    assert_same(kata.truncated_rope(x, np.array([2]), 0.5, 16.0), wanted)
    assert_same(kata.truncated_rope(x=x, positions=np.array([2]), share=0.5, base=16), wanted)


@pytest.mark.task(3)
def test_three_quarters_of_four_pairs_turn_by_hand(kata):
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
def test_slow_pairs_stay_however_far_the_position(kata, rng):
    for d_head, share, turning in ((8, 0.25, 2), (10, 0.5, 4), (12, 0.875, 10), (16, 0.375, 6)):
        x, positions = rng.normal(size=(2, 12, d_head)), rng.integers(100, 500, size=12)
        turned = kata.truncated_rope(x, positions, share)
        assert turned.shape == x.shape
        assert_same(turned[..., turning:], x[..., turning:])


@pytest.mark.task(3)
def test_every_pair_keeps_its_length(kata, rng):
    x = rng.normal(size=(2, 12, 14))
    turned = kata.truncated_rope(x, rng.integers(-40, 60, size=12), 0.5, base=300.0)
    assert_same(turned[..., 0::2] ** 2 + turned[..., 1::2] ** 2, x[..., 0::2] ** 2 + x[..., 1::2] ** 2)


@pytest.mark.task(3)
def test_a_pair_turns_alike_at_every_share_that_turns_it(kata, rng):
    x, positions = rng.normal(size=(12, 16)), rng.integers(-40, 60, size=12)
    whole = kata.truncated_rope(x, positions, 1.0, 90.0)               # (12, 16)
    for eighths in range(1, 8):
        turned = kata.truncated_rope(x, positions, eighths / 8, 90.0)
        assert_same(turned[:, : 2 * eighths], whole[:, : 2 * eighths])
        assert_same(turned[:, 2 * eighths :], x[:, 2 * eighths :])


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
        [0.877582561890, 0.479425538604, 3.0, 4.0],
        [-0.989992496600, -0.141120008060, 3.0, 4.0],
        [0.877582561890, 0.479425538604, 3.0, 4.0],
        [1.0, 0.0, 3.0, 4.0],
        [0.877582561890, -0.479425538604, 3.0, 4.0],
    ])


@pytest.mark.task(3)
def test_truncated_rotations_broadcast_their_positions(kata, reference, rng):
    x = rng.normal(size=(2, 3, 5, 8))
    for shape in ((5,), (3, 5), (2, 1, 5), (2, 3, 5), (1,), (1, 1), (2, 1, 1)):
        positions = rng.integers(-9, 30, size=shape)
        turned = kata.truncated_rope(x, positions, 0.75)               # (2, 3, 5, 8)
        assert turned.shape == x.shape
        own = np.broadcast_to(positions, x.shape[:-1])                 # (2, 3, 5)
        for place in ((0, 1), (1, 2)):
            assert_same(turned[place], reference.truncated_rope(x[place].copy(), own[place].copy(), 0.75))


@pytest.mark.task(3)
def test_truncated_rotations_do_not_confuse_sizes_that_coincide(kata, reference, rng):
    for x, positions in (
        ((4, 4), (4,)), ((8, 8), (8,)), ((4, 4, 8), (4,)), ((4, 4, 8), (4, 4)), ((2, 2, 2), (2,)),
        ((4, 4, 4, 8), (4, 1, 4)), ((4, 4, 4, 8), (4, 4)), ((4, 4, 4, 4), (4,)), ((1, 1, 1, 4), (1,)),
        ((2, 1, 6), (1,)),
    ):
        x, positions = rng.normal(size=x), rng.integers(-20, 40, size=positions)
        assert_same(kata.truncated_rope(x, positions, 0.75), reference.truncated_rope(x, positions, 0.75))


@pytest.mark.task(3)
def test_truncated_rotations_of_whole_numbers_are_real_numbers(kata):
    # (3, 2) at position 0.5 and (1, 0) at position -1
    x = np.array([[3, 2, 7, 1], [1, 0, -5, 2]])
    wanted = [[1.673896608463, 3.193441739593, 7.0, 1.0], [0.540302305868, -0.841470984808, -5.0, 2.0]]
    assert_same(kata.truncated_rope(x, np.array([0.5, -1.0]), 0.5), wanted)


@pytest.mark.task(3)
def test_truncated_rotations_read_views_of_any_memory_order(kata, reference, rng):
    wide, positions = rng.normal(size=(3, 24, 16)), rng.integers(0, 40, size=24)[::-2]
    wide.flags.writeable = positions.flags.writeable = False
    for view in (
        wide[:, ::2, ::2], wide[:, :12, 7::-1], wide[:, :12].transpose(2, 1, 0)[..., :2],
        np.asfortranarray(wide[:, :12, :6]), np.broadcast_to(wide[0, 0, :8], (5, 12, 8)),
    ):
        wanted = reference.truncated_rope(view.copy(), positions.copy(), 0.75)
        assert_same(kata.truncated_rope(view, positions, 0.75), wanted)


@pytest.mark.task(3)
def test_every_call_of_the_truncated_rotation_starts_afresh(kata, reference, rng):
    x, near = rng.normal(size=(12, 8)), np.arange(12)
    for vectors, positions, share, base in (
        (x, near, 0.5, 10000.0), (x, near, 0.75, 10000.0), (x, near + 7, 0.75, 10000.0), (x, near, 0.75, 300.0),
        (x[:, :6], near, 0.75, 300.0), (-x, near, 0.75, 300.0), (x, near[::-1].copy(), 1.0, 300.0),
        (x, near, 0.5, 10000.0),
    ):
        wanted = reference.truncated_rope(vectors, positions, share, base)
        assert_same(kata.truncated_rope(vectors, positions, share, base), wanted)


@pytest.mark.task(3)
def test_truncated_rotations_of_any_size_agree_with_the_reference(kata, reference, rng):
    for leading in ((), (2,), (2, 6), (2, 3, 5)):
        for d_head in (8, 10, 2 * int(rng.integers(6, 20))):
            n, base = int(rng.integers(12, 20)), float(rng.uniform(20.0, 50000.0))
            share = int(rng.integers(2, 8)) / 8
            x = rng.normal(scale=1.5, size=(*leading, n, d_head))
            for positions in (np.sort(rng.integers(0, 60, size=n)), rng.uniform(-40.0, 40.0, size=(*leading, n))):
                wanted = reference.truncated_rope(x, positions, share, base)
                assert_same(kata.truncated_rope(x, positions, share, base=base), wanted)
    x = rng.normal(size=(14, 12))
    for base in (1.5, 1e7):
        wanted = reference.truncated_rope(x, np.arange(14), 0.75, base)
        assert_same(kata.truncated_rope(x, np.arange(14), 0.75, base), wanted)
        wanted = reference.truncated_frequencies(12, 0.75, base)
        assert_same(kata.truncated_frequencies(12, 0.75, base), wanted)


# All three

@pytest.mark.task(1, 3)
def test_whole_numbers_give_what_float64_gives(kata, reference, rng):
    x, positions = rng.integers(-5, 6, size=(2, 13, 10)), rng.integers(-9, 30, size=13)
    assert_same(kata.partial_rope(x, positions, 6), reference.partial_rope(x.astype(float), positions, 6))
    assert_same(kata.truncated_rope(x, positions, 0.5), reference.truncated_rope(x.astype(float), positions, 0.5))


@pytest.mark.task(1)
def test_partial_rope_keeps_float32(kata, rng):
    x = rng.normal(size=(2, 13, 9)).astype(np.float32)
    for positions in (np.arange(13), rng.uniform(-20.0, 20.0, size=13)):
        for rotary_dim in (4, 8, 2):
            assert_keeps_float32(kata.partial_rope, x, positions, rotary_dim)


@pytest.mark.task(3)
def test_truncated_rope_keeps_float32(kata, rng):
    x = rng.normal(size=(2, 13, 8)).astype(np.float32)
    for positions in (np.arange(13), rng.uniform(-20.0, 20.0, size=13)):
        for share in (0.5, 1.0, 0.0):
            assert_keeps_float32(kata.truncated_rope, x, positions, share)


@pytest.mark.task(1, 3)
def test_float32_vectors_are_turned_right(kata, reference, rng):
    x, positions = rng.normal(size=(3, 13, 8)).astype(np.float32), rng.integers(-20, 40, size=13)
    assert_same(kata.partial_rope(x, positions, 4), reference.partial_rope(x, positions, 4))
    assert_same(kata.truncated_rope(x, positions, 0.75), reference.truncated_rope(x, positions, 0.75))


@pytest.mark.task(1, 2, 3)
def test_rotations_and_frequencies_are_in_double_precision(kata, rng):
    x, positions = rng.normal(size=(12, 8)), np.arange(12)
    assert_double_precision(kata.partial_rope, x, positions, 4)
    assert_double_precision(kata.truncated_frequencies, 8, 0.5)
    assert_double_precision(kata.truncated_rope, x, positions, 0.5)
