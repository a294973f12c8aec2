"""What three positions per token have to be: sequences laid out by hand, laws of text and images, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_keeps_float32, assert_same

# Task 1: three positions per token

def sequence(*segments):
    """The array (m, 3) of some segments."""
    return np.array(segments)


@pytest.mark.task(1)
def test_the_three_positions_of_text_are_equal_and_count_on(kata):
    assert_same(kata.multimodal_positions(sequence((0, 0, 5))), [[0, 1, 2, 3, 4]] * 3)
    assert_same(kata.multimodal_positions(sequence((0, 0, 1))), [[0]] * 3)


@pytest.mark.task(1)
def test_an_image_has_one_time_and_rows_and_columns(kata):
    assert_same(kata.multimodal_positions(sequence((1, 2, 3))), [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 1, 1],
        [0, 1, 2, 0, 1, 2],
    ])
    assert_same(kata.multimodal_positions(segments=sequence((1, 3, 2))), [
        [0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 2, 2],
        [0, 1, 0, 1, 0, 1],
    ])


@pytest.mark.task(1)
def test_the_frames_of_a_video_come_one_after_the_other(kata):
    assert_same(kata.multimodal_positions(sequence((3, 1, 4))), [
        [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2],
        [0] * 12,
        [0, 1, 2, 3] * 3,
    ])
    assert_same(kata.multimodal_positions(sequence((2, 3, 2))), [
        [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
        [0, 0, 1, 1, 2, 2] * 2,
        [0, 1] * 6,
    ])


@pytest.mark.task(1)
def test_an_image_within_text_starts_where_the_text_ends(kata):
    # two words, an image of 2 x 3 from position 2 to 4, two words from 5 on
    assert_same(kata.multimodal_positions(sequence((0, 0, 2), (1, 2, 3), (0, 0, 2))), [
        [0, 1, 2, 2, 2, 2, 2, 2, 5, 6],
        [0, 1, 2, 2, 2, 3, 3, 3, 5, 6],
        [0, 1, 2, 3, 4, 2, 3, 4, 5, 6],
    ])


@pytest.mark.task(1)
def test_text_after_a_high_image_starts_one_past_its_rows(kata):
    # rows reach 1 + 3, columns only 1 + 1
    assert_same(kata.multimodal_positions(sequence((0, 0, 1), (1, 4, 2), (0, 0, 3))), [
        [0, 1, 1, 1, 1, 1, 1, 1, 1, 5, 6, 7],
        [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7],
        [0, 1, 2, 1, 2, 1, 2, 1, 2, 5, 6, 7],
    ])


@pytest.mark.task(1)
def test_a_video_may_have_as_many_frames_as_its_longer_side(kata):
    # two frames of 1 x 2 and two of 2 x 1: all three reach one past the start
    assert_same(kata.multimodal_positions(sequence((2, 1, 2), (0, 0, 1), (2, 2, 1), (0, 0, 1))), [
        [0, 0, 1, 1, 2, 3, 3, 4, 4, 5],
        [0, 0, 0, 0, 2, 3, 4, 3, 4, 5],
        [0, 1, 0, 1, 2, 3, 3, 3, 3, 5],
    ])


@pytest.mark.task(1)
def test_a_single_token_counts_as_one_position_whatever_it_is(kata):
    assert_same(kata.multimodal_positions(sequence((1, 1, 1))), [[0]] * 3)
    mixed = sequence((1, 1, 1), (0, 0, 1), (1, 1, 1), (1, 1, 1), (0, 0, 1))
    assert_same(kata.multimodal_positions(mixed), [[0, 1, 2, 3, 4]] * 3)


@pytest.mark.task(1)
def test_images_next_to_each_other_do_not_share_positions(kata):
    assert_same(kata.multimodal_positions(sequence((1, 1, 3), (1, 2, 1), (1, 2, 2))), [
        [0, 0, 0, 3, 3, 5, 5, 5, 5],
        [0, 0, 0, 3, 4, 5, 5, 6, 6],
        [0, 1, 2, 3, 3, 5, 6, 5, 6],
    ])


@pytest.mark.task(1)
def test_text_in_pieces_is_text_in_one_piece(kata):
    assert_same(kata.multimodal_positions(sequence((0, 0, 3), (0, 0, 1), (0, 0, 4))), [list(range(8))] * 3)


@pytest.mark.task(1)
def test_the_largest_position_is_far_below_the_number_of_tokens(kata):
    # 224 x 224 pixels in Qwen2-VL: 8 x 8 tokens that use up 8 positions
    positions = kata.multimodal_positions(sequence((0, 0, 4), (1, 8, 8), (0, 0, 4)))
    assert positions.shape == (3, 72)
    assert_same(positions[:, -4:], [[12, 13, 14, 15]] * 3)
    assert_same(positions[:, 67], [4, 11, 11])


@pytest.mark.task(1)
def test_positions_count_on_after_a_long_text(kata):
    positions = kata.multimodal_positions(sequence((0, 0, 300), (1, 2, 2), (0, 0, 40000), (2, 1, 2)))
    assert positions.shape == (3, 40308)
    assert_same(positions[:, 299:305], [[299, 300, 300, 300, 300, 302], [299, 300, 300, 301, 301, 302],
                                        [299, 300, 301, 300, 301, 302]])
    assert_same(positions[:, -5:], [[40301, 40302, 40302, 40303, 40303], [40301, 40302, 40302, 40302, 40302],
                                    [40301, 40302, 40303, 40302, 40303]])


@pytest.mark.task(1)
def test_a_wide_image_has_hundreds_of_columns(kata):
    # columns 2 to 301, so the text goes on at 302
    positions = kata.multimodal_positions(sequence((0, 0, 2), (1, 2, 300), (0, 0, 2)))
    assert positions.shape == (3, 604)
    assert_same(positions[:, 300:304], [[2, 2, 2, 2], [2, 2, 3, 3], [300, 301, 2, 3]])
    assert_same(positions[:, -3:], [[2, 302, 303], [3, 302, 303], [301, 302, 303]])


@pytest.mark.task(1)
def test_a_longer_sequence_begins_with_the_shorter_one(kata, rng):
    segments = sequence((0, 0, 3), (2, 3, 4), (1, 5, 2), (0, 0, 2), (3, 3, 1), (0, 0, 6))
    whole = kata.multimodal_positions(segments)                        # (3, 54)
    for m, n in ((1, 3), (2, 27), (3, 37), (4, 39), (5, 48)):
        assert_same(kata.multimodal_positions(segments[:m]), whole[:, :n])


@pytest.mark.task(1)
def test_what_came_before_only_moves_a_segment(kata):
    after = kata.multimodal_positions(sequence((0, 0, 7), (3, 2, 4), (1, 3, 3)))[:, 7:]
    assert_same(after - 7, kata.multimodal_positions(sequence((3, 2, 4), (1, 3, 3))))


@pytest.mark.task(1)
def test_segments_of_any_form_are_read(kata, reference):
    segments = sequence((0, 0, 2), (2, 3, 4), (0, 0, 3), (1, 4, 2))
    wanted = reference.multimodal_positions(segments)
    wide = np.repeat(np.repeat(segments, 2, axis=0), 2, axis=1)
    for form in (wide[::2, ::2], segments[::-1].copy()[::-1], np.asfortranarray(segments), segments.astype(np.int32)):
        form.flags.writeable = False
        assert_same(kata.multimodal_positions(form), wanted)


@pytest.mark.task(1)
def test_every_call_of_the_positions_starts_afresh(kata, reference):
    for segments in (
        sequence((0, 0, 2), (1, 3, 2)), sequence((0, 0, 2), (1, 2, 3)), sequence((1, 2, 3), (0, 0, 2)),
        sequence((0, 0, 3), (1, 3, 2)), sequence((0, 0, 2), (2, 3, 2)), sequence((1, 1, 1), (0, 0, 2)),
        sequence((0, 0, 2), (1, 3, 2)),
    ):
        assert_same(kata.multimodal_positions(segments), reference.multimodal_positions(segments))


@pytest.mark.task(1)
def test_sequences_of_any_kind_agree_with_the_reference(kata, reference, rng):
    for m in (1, 2, 5, 9, 14):
        segments = []
        for kind in rng.integers(0, 3, size=m).tolist():               # text, image, video
            h, w = rng.integers(1, 7, size=2).tolist()
            t = (0, 1, int(rng.integers(1, max(h, w) + 1)))[kind]
            segments.append((t, h, w) if t else (0, 0, int(rng.integers(1, 12))))
        segments = sequence(*segments)
        assert_same(kata.multimodal_positions(segments), reference.multimodal_positions(segments))


# Task 2: each section of pairs turns by one of the three

@pytest.mark.task(2)
def test_one_pair_for_each_position_by_hand(kata):
    # base 8 and width 6: frequencies 1, 1/2, 1/4; (time, row, column) = (2, 3, 5) and (7, 0, 4)
    x = np.array([[3.0, 1.0, -2.0, -4.0, 2.0, 5.0], [1.0, 0.0, -2.0, 5.0, -1.0, 4.0]])
    positions = np.array([[2, 7], [3, 0], [5, 4]])
    assert_same(kata.multimodal_rope(x, positions, np.array([1, 1, 1]), 8.0), [
        [2.388749197661, -1.924252771540, -5.375567821568, 4.392479626666, 1.138969389939, -0.321357426735],
        [-2.531030739251, 0.0, -4.446488550968, 4.426497870435, -1.0, 0.478267253857],
    ])


@pytest.mark.task(2)
def test_the_sections_say_how_many_pairs_turn_by_each_position(kata):
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8; positions (2, 3, 4); two pairs by row, then two by time
    x, positions = np.array([[3.0, 1.0, -2.0, 6.0, -4.0, 2.0, 5.0, -1.0]]), np.array([[2], [3], [4]])
    assert_same(kata.multimodal_rope(x, positions, np.array([1, 2, 1]), 16.0), [[
        2.388749197661, -1.924252771540, -4.871571537864, 5.744920909946,
        4.392479626666, 1.138969389939, 2.295166824322, 1.998970669735,
    ]])
    assert_same(kata.multimodal_rope(x, positions, np.array([2, 1, 1]), 16.0), [[
        2.388749197661, -1.142639663748, -4.871571537864, 5.744920909946,
        4.392479626666, 1.922075596544, 2.295166824322, 1.998970669735,
    ]])


@pytest.mark.task(2)
def test_every_column_turns_with_the_one_half_a_width_away(kata):
    # the eight axes at (1, 2, 4), base 16, sections 1, 2, 1: angles 1, 2/2, 2/4, 4/8
    turns = ((0.540302305868, 0.841470984808),) * 2 + ((0.877582561890, 0.479425538604),) * 2
    wanted = np.zeros((8, 8))
    for i, (cosine, sine) in enumerate(turns):
        wanted[i, [i, i + 4]] = cosine, sine
        wanted[i + 4, [i, i + 4]] = -sine, cosine
    positions = np.tile([[1], [2], [4]], 8)
    turned = kata.multimodal_rope(x=np.eye(8, dtype=int), positions=positions, sections=np.array([1, 2, 1]), base=16.0)
    assert_same(turned, wanted)


@pytest.mark.task(2)
def test_the_base_is_a_million_unless_given(kata):
    # width 12: frequencies 1, 0.1, ..., 0.00001; one pair at time 5, two at row 7, three at column 300
    x = np.array([[1.0] * 6 + [0.0] * 6])
    turned = kata.multimodal_rope(x, np.array([[5], [7], [300]]), np.array([1, 2, 3]))
    assert_same(turned, [[
        0.283662185463, 0.764842187284, 0.997551000253, 0.955336489126, 0.999550033749, 0.999995500003,
        -0.958924274663, 0.644217687238, 0.069942847338, 0.295520206661, 0.029995500202, 0.002999995500,
    ]])


@pytest.mark.task(2)
def test_far_positions_are_as_exact_as_near_ones(kata):
    # width 6: frequencies 1, 0.01, 0.0001; positions 512, 300 and 400
    x = np.array([[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]])
    assert_same(kata.multimodal_rope(x, np.array([[512], [300], [400]]), np.array([1, 1, 1])), [
        [-0.996833390848, -0.989992496600, 0.999200106661, 0.079518494013, 0.141120008060, 0.039989334187],
    ])


@pytest.mark.task(2)
def test_position_zero_leaves_the_vectors_alone(kata):
    x = np.array([[1e6, -2.0, 3.0, 0.5, -1e6, 0.0, 7.0, 8.0], [1.0] * 8])
    assert_same(kata.multimodal_rope(x, np.zeros((3, 2), dtype=int), np.array([1, 1, 2])), x)


@pytest.mark.task(2)
def test_text_is_turned_alike_however_the_pairs_are_cut(kata, rng):
    # three equal positions: an ordinary rotation in the half layout, as complex numbers
    x, at = rng.normal(size=(2, 13, 12)), rng.integers(0, 200, size=13)
    points = (x[..., :6] + 1j * x[..., 6:]) * np.exp(1j * np.outer(at, 700.0 ** (-np.arange(6) / 6)))
    for sections in ((1, 2, 3), (2, 2, 2), (4, 1, 1), (1, 4, 1)):
        turned = kata.multimodal_rope(x, np.tile(at, (3, 1)), np.array(sections), 700.0)
        assert_same(turned, np.concatenate([points.real, points.imag], axis=-1))


@pytest.mark.task(2)
def test_each_position_turns_its_own_section_and_no_other(kata, rng):
    x, at, sections = rng.normal(size=(13, 16)), rng.integers(1, 200, size=13), np.array([2, 1, 5])
    for kind, pairs in enumerate(([0, 1], [2], [3, 4, 5, 6, 7])):
        positions = np.zeros((3, 13), dtype=int)
        positions[kind] = at
        others = [i for i in range(16) if i % 8 not in pairs]
        turned = kata.multimodal_rope(x, positions, sections, 50.0)    # (13, 16)
        assert_same(turned[:, others], x[:, others])
        everything = kata.multimodal_rope(x, np.tile(at, (3, 1)), sections, 50.0)
        mine = [*pairs, *(pair + 8 for pair in pairs)]
        assert_same(turned[:, mine], everything[:, mine])


@pytest.mark.task(2)
def test_every_pair_keeps_its_length(kata, rng):
    x = rng.normal(size=(2, 12, 10))
    turned = kata.multimodal_rope(x, rng.integers(0, 90, size=(3, 12)), np.array([2, 1, 2]), base=300.0)
    assert_same(turned[..., :5] ** 2 + turned[..., 5:] ** 2, x[..., :5] ** 2 + x[..., 5:] ** 2)


@pytest.mark.task(2)
def test_turning_twice_adds_the_positions(kata, rng):
    x, sections = rng.normal(size=(13, 8)), np.array([1, 2, 1])
    near, far = rng.integers(0, 30, size=(2, 3, 13))
    turned = kata.multimodal_rope(kata.multimodal_rope(x, near, sections), far, sections)
    assert_same(turned, kata.multimodal_rope(x, near + far, sections))


@pytest.mark.task(2)
def test_scores_stay_when_the_whole_sequence_moves(kata, rng):
    q, k, sections = rng.normal(size=(9, 12)), rng.normal(size=(9, 12)), np.array([1, 2, 3])
    positions, moved = rng.integers(0, 20, size=(3, 9)), np.array([[40], [3], [11]])
    scores = [kata.multimodal_rope(q, at, sections) @ kata.multimodal_rope(k, at, sections).T
              for at in (positions, positions + moved)]
    assert_same(scores[1], scores[0])


@pytest.mark.task(2)
def test_batches_and_heads_share_the_positions(kata, reference, rng):
    x, sections = rng.normal(size=(2, 3, 5, 8)), np.array([1, 1, 2])
    positions = np.array([[4, 0, 11, 2, 4], [0, 7, 3, 3, 1], [6, 6, 0, 9, 30]])
    turned = kata.multimodal_rope(x, positions, sections)              # (2, 3, 5, 8)
    assert_same(turned[1, 2], reference.multimodal_rope(x[1, 2], positions, sections))
    assert_same(turned[0, 1], reference.multimodal_rope(x[0, 1], positions, sections))


@pytest.mark.task(2)
def test_axes_of_equal_size_are_not_confused(kata, reference, rng):
    for shape, sections in (
        ((3, 6), (1, 1, 1)), ((1, 6), (1, 1, 1)), ((3, 3, 6), (1, 1, 1)), ((8, 8), (1, 2, 1)), ((4, 4, 8), (2, 1, 1)),
        ((4, 4, 4, 8), (1, 1, 2)), ((6, 12), (2, 2, 2)), ((12, 12), (3, 1, 2)), ((3, 1, 3, 6), (1, 1, 1)),
        ((1, 1, 1, 8), (1, 2, 1)),
    ):
        x, positions, sections = rng.normal(size=shape), rng.integers(0, 60, size=(3, shape[-2])), np.array(sections)
        assert_same(kata.multimodal_rope(x, positions, sections), reference.multimodal_rope(x, positions, sections))


@pytest.mark.task(2)
def test_whole_numbers_turn_as_real_numbers(kata, reference, rng):
    x, positions = rng.integers(-5, 6, size=(13, 8)), rng.integers(0, 50, size=(3, 13))
    for sections in (np.array([2, 1, 1]), np.array([1, 2, 1])):
        wanted = reference.multimodal_rope(x.astype(float), positions, sections)
        assert_same(kata.multimodal_rope(x, positions, sections), wanted)


@pytest.mark.task(2)
def test_views_of_any_memory_order_are_turned(kata, reference, rng):
    wide, places = rng.normal(size=(3, 24, 16)), rng.integers(0, 40, size=(24, 6))
    positions, sections = places[::-2, ::2].T, np.array([9, 1, 9, 1, 9, 2])[1::2]
    wide.flags.writeable = places.flags.writeable = positions.flags.writeable = False
    for view in (
        wide[:, ::2, ::2],                                             # every other token and column
        wide[:, :12, 7::-1],                                           # columns backwards
        np.asfortranarray(wide[:, :12, :8]),
        np.broadcast_to(wide[0, 0, :8], (5, 12, 8)),                   # one vector, repeated without a copy
    ):
        wanted = reference.multimodal_rope(view.copy(), positions.copy(), sections.copy())
        assert_same(kata.multimodal_rope(view, positions, sections), wanted)


@pytest.mark.task(2)
def test_multimodal_rope_keeps_float32(kata, reference, rng):
    x, positions = rng.normal(size=(2, 13, 8)).astype(np.float32), rng.integers(0, 60, size=(3, 13))
    for sections in (np.array([2, 1, 1]), np.array([1, 1, 2])):
        assert_keeps_float32(kata.multimodal_rope, x, positions, sections)
        wanted = reference.multimodal_rope(x, positions, sections)
        assert_same(kata.multimodal_rope(x, positions, sections), wanted)


@pytest.mark.task(2)
def test_every_call_of_the_rotation_starts_afresh(kata, reference, rng):
    x, near, cut = rng.normal(size=(12, 8)), rng.integers(0, 40, size=(3, 12)), np.array([1, 2, 1])
    for vectors, positions, sections, base in (
        (x, near, cut, 1e6), (x, near[::-1].copy(), cut, 1e6), (x, near, cut[[1, 0, 2]], 1e6), (x, near, cut, 300.0),
        (x[:, :6], near, np.array([1, 1, 1]), 300.0), (-x, near, cut, 300.0), (x, near + 5, cut, 300.0),
        (x, near, cut, 1e6),
    ):
        wanted = reference.multimodal_rope(vectors, positions, sections, base)
        assert_same(kata.multimodal_rope(vectors, positions, sections, base), wanted)


@pytest.mark.task(2)
def test_sections_of_qwen2_vl_agree_with_the_reference(kata, reference, rng):
    x, positions, sections = rng.normal(size=(2, 14, 128)), rng.integers(0, 400, size=(3, 14)), np.array([16, 24, 24])
    assert_same(kata.multimodal_rope(x, positions, sections), reference.multimodal_rope(x, positions, sections))


@pytest.mark.task(2)
def test_tokens_with_any_leading_axes_agree_with_the_reference(kata, reference, rng):
    for leading in ((), (2,), (2, 3), (2, 3, 5)):
        for half in (3, 4, 6, int(rng.integers(7, 20))):
            first = int(rng.integers(1, half - 1))
            second = int(rng.integers(1, half - first))
            sections = np.array([first, second, half - first - second])
            n, base = int(rng.integers(12, 20)), float(rng.uniform(20.0, 50000.0))
            x, positions = rng.normal(scale=1.5, size=(*leading, n, 2 * half)), rng.integers(0, 200, size=(3, n))
            wanted = reference.multimodal_rope(x, positions, sections, base)
            assert_same(kata.multimodal_rope(x, positions, sections, base=base), wanted)
    x, positions, sections = rng.normal(size=(15, 16)), rng.integers(0, 40, size=(3, 15)), np.array([3, 3, 2])
    for base in (1.5, 1e7):
        wanted = reference.multimodal_rope(x, positions, sections, base)
        assert_same(kata.multimodal_rope(x, positions, sections, base), wanted)


# Both

@pytest.mark.task(1, 2)
def test_patches_of_an_image_are_turned_by_their_places_after_text(kata, reference):
    # three words and an image of 2 x 2; (1, 0) in each of three pairs, base 8: frequencies 1, 1/2, 1/4
    positions = kata.multimodal_positions(sequence((0, 0, 3), (1, 2, 2)))
    x = np.tile([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], (7, 1))
    angles = np.array([[0, 1, 2, 3, 3, 3, 3], [0, 0.5, 1, 1.5, 1.5, 2, 2], [0, 0.25, 0.5, 0.75, 1, 0.75, 1]]).T
    turned = kata.multimodal_rope(x, positions.astype(int), np.array([1, 1, 1]), 8.0)
    assert_same(turned, np.concatenate([np.cos(angles), np.sin(angles)], axis=1))


@pytest.mark.task(1, 2)
def test_positions_and_rotation_are_in_double_precision(kata, rng):
    x, positions = rng.normal(size=(12, 8)), rng.integers(0, 50, size=(3, 12))
    assert_double_precision(kata.multimodal_positions, sequence((0, 0, 3), (2, 2, 3)))
    assert_double_precision(kata.multimodal_rope, x, positions, np.array([1, 1, 2]))
