"""What three positions per token have to be: sequences laid out by hand, laws of text and images, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# Task 1: three positions per token

def sequence(*segments):
    """The array (m, 3) of some segments."""
    return np.array(segments)


@pytest.mark.task(1)
def test_the_three_positions_of_text_are_equal_and_count_on(kata):
    assert_same(kata.multimodal_positions(sequence((0, 0, 5))), [[0, 1, 2, 3, 4]] * 3)
    assert_same(kata.multimodal_positions(sequence((0, 0, 1))), [[0]] * 3)
    # in pieces as in one piece
    assert_same(kata.multimodal_positions(sequence((0, 0, 3), (0, 0, 1), (0, 0, 4))), [list(range(8))] * 3)


@pytest.mark.task(1)
def test_an_image_has_one_time_and_a_video_one_for_each_frame(kata):
    assert_same(kata.multimodal_positions(sequence((1, 2, 3))), [[0] * 6, [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]])
    wanted = [[0] * 6, [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]]
    assert_same(kata.multimodal_positions(segments=sequence((1, 3, 2))), wanted)
    wanted = [[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2], [0] * 12, [0, 1, 2, 3] * 3]
    assert_same(kata.multimodal_positions(sequence((3, 1, 4))), wanted)
    wanted = [[0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2] * 2, [0, 1] * 6]
    assert_same(kata.multimodal_positions(sequence((2, 3, 2))), wanted)


@pytest.mark.task(1)
def test_text_after_an_image_starts_one_past_its_largest_position(kata):
    # two words, an image of 2 x 3 from position 2 to 4, two words from 5 on
    assert_same(kata.multimodal_positions(sequence((0, 0, 2), (1, 2, 3), (0, 0, 2))), [
        [0, 1, 2, 2, 2, 2, 2, 2, 5, 6],
        [0, 1, 2, 2, 2, 3, 3, 3, 5, 6],
        [0, 1, 2, 3, 4, 2, 3, 4, 5, 6],
    ])
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
def test_segments_next_to_each_other_do_not_share_positions(kata):
    assert_same(kata.multimodal_positions(sequence((1, 1, 3), (1, 2, 1), (1, 2, 2))), [
        [0, 0, 0, 3, 3, 5, 5, 5, 5],
        [0, 0, 0, 3, 4, 5, 5, 6, 6],
        [0, 1, 2, 3, 3, 5, 6, 5, 6],
    ])
    assert_same(kata.multimodal_positions(sequence((1, 1, 1))), [[0]] * 3)
    mixed = sequence((1, 1, 1), (0, 0, 1), (1, 1, 1), (1, 1, 1), (0, 0, 1))
    assert_same(kata.multimodal_positions(mixed), [[0, 1, 2, 3, 4]] * 3)


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
def test_what_came_before_only_moves_a_segment(kata):
    after = kata.multimodal_positions(sequence((0, 0, 7), (3, 2, 4), (1, 3, 3)))[:, 7:]
    assert_same(after - 7, kata.multimodal_positions(sequence((3, 2, 4), (1, 3, 3))))


def sequences(rng):
    yield (sequence((0, 0, 2), (1, 2, 300), (0, 0, 2), (1, 300, 2), (0, 0, 2)),)
    for m in (1, 2, 5, 9, 14):
        segments = []
        for kind in rng.integers(0, 3, size=m).tolist():               # text, image, video
            h, w = rng.integers(1, 7, size=2).tolist()
            t = (0, 1, int(rng.integers(1, max(h, w) + 1)))[kind]
            segments.append((t, h, w) if t else (0, 0, int(rng.integers(1, 12))))
        yield (sequence(*segments),)
        yield (sequence(*segments).astype(np.int32),)


test_sequences_of_any_kind_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "multimodal_positions", sequences)
test_segments_of_any_form_are_read = checks.takes_views(1, "multimodal_positions", sequences)
test_every_call_of_the_positions_starts_afresh = checks.starts_afresh(1, "multimodal_positions", [
    (sequence(*segments),) for segments in (
        [(0, 0, 2), (1, 3, 2)], [(0, 0, 2), (1, 2, 3)], [(1, 2, 3), (0, 0, 2)], [(0, 0, 3), (1, 3, 2)],
        [(0, 0, 2), (2, 3, 2)], [(1, 1, 1), (0, 0, 2)])])


# Task 2: each section of pairs turns by one of the three

@pytest.mark.task(2)
def test_the_sections_say_how_many_pairs_turn_by_each_position_by_hand(kata):
    # base 8 and width 6: frequencies 1, 1/2, 1/4; (time, row, column) = (2, 3, 5) and (7, 0, 4)
    x = np.array([[3.0, 1.0, -2.0, -4.0, 2.0, 5.0], [1.0, 0.0, -2.0, 5.0, -1.0, 4.0]])
    positions = np.array([[2, 7], [3, 0], [5, 4]])
    assert_same(kata.multimodal_rope(x, positions, np.array([1, 1, 1]), 8.0), [
        [2.388749197661, -1.924252771540, -5.375567821568, 4.392479626666, 1.138969389939, -0.321357426735],
        [-2.531030739251, 0.0, -4.446488550968, 4.426497870435, -1.0, 0.478267253857],
    ])
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8; positions (2, 3, 4); two pairs by row, then two by time
    x, positions = np.array([[3.0, 1.0, -2.0, 6.0, -4.0, 2.0, 5.0, -1.0]]), np.array([[2], [3], [4]])
    for sections, second, sixth in (([1, 2, 1], -1.924252771540, 1.138969389939),
                                    ([2, 1, 1], -1.142639663748, 1.922075596544)):
        assert_same(kata.multimodal_rope(x, positions, np.array(sections), 16.0), [[
            2.388749197661, second, -4.871571537864, 5.744920909946,
            4.392479626666, sixth, 2.295166824322, 1.998970669735,
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
def test_turning_twice_adds_the_positions_and_scores_stay_when_all_move(kata, rng):
    x, sections = rng.normal(size=(13, 8)), np.array([1, 2, 1])
    near, far = rng.integers(0, 30, size=(2, 3, 13))
    turned = kata.multimodal_rope(kata.multimodal_rope(x, near, sections), far, sections)
    assert_same(turned, kata.multimodal_rope(x, near + far, sections))
    q, k, sections = rng.normal(size=(9, 12)), rng.normal(size=(9, 12)), np.array([1, 2, 3])
    positions, moved = rng.integers(0, 20, size=(3, 9)), np.array([[40], [3], [11]])
    scores = [kata.multimodal_rope(q, at, sections) @ kata.multimodal_rope(k, at, sections).T
              for at in (positions, positions + moved)]
    assert_same(scores[1], scores[0])


def equal_sizes(rng):
    for shape, sections in (
        ((3, 6), (1, 1, 1)), ((1, 6), (1, 1, 1)), ((3, 3, 6), (1, 1, 1)), ((8, 8), (1, 2, 1)), ((4, 4, 8), (2, 1, 1)),
        ((4, 4, 4, 8), (1, 1, 2)), ((6, 12), (2, 2, 2)), ((12, 12), (3, 1, 2)), ((3, 1, 3, 6), (1, 1, 1)),
        ((1, 1, 1, 8), (1, 2, 1)),
    ):
        yield rng.normal(size=shape), rng.integers(0, 60, size=(3, shape[-2])), np.array(sections)


def tokens(rng):
    for leading in ((), (2,), (2, 3), (2, 3, 5)):
        for half in (3, 4, 6, int(rng.integers(7, 20))):
            first, second = np.sort(rng.choice(np.arange(1, half), size=2, replace=False)).tolist()
            sections, n = np.array([first, second - first, half - second]), int(rng.integers(12, 20))
            x, positions = rng.normal(scale=1.5, size=(*leading, n, 2 * half)), rng.integers(0, 200, size=(3, n))
            yield x, positions, sections, float(rng.uniform(20.0, 50000.0))
    for base in (1.5, 1e7):
        yield rng.normal(size=(15, 16)), rng.integers(0, 40, size=(3, 15)), np.array([3, 3, 2]), base
    # as in Qwen2-VL
    yield rng.normal(size=(2, 14, 128)), rng.integers(0, 400, size=(3, 14)), np.array([16, 24, 24])


def in_turn(rng):
    x, near, cut = rng.normal(size=(12, 8)), rng.integers(0, 40, size=(3, 12)), np.array([1, 2, 1])
    return [(x, near, cut), (x, near[::-1], cut), (x, near, cut[[1, 0, 2]]), (x, near, cut, 300.0),
            (x[:, :6], near, np.array([1, 1, 1]), 300.0), (-x, near, cut, 300.0), (x, near + 5, cut, 300.0)]


def some_tokens(rng):
    for sections in ([2, 1, 1], [1, 2, 1], [1, 1, 2]):
        yield 4.0 * rng.normal(size=(2, 13, 8)), rng.integers(0, 50, size=(3, 13)), np.array(sections)


test_tokens_with_any_leading_axes_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "multimodal_rope", tokens)
test_axes_of_equal_size_are_not_confused = checks.agrees_with_the_reference(2, "multimodal_rope", equal_sizes)
test_every_call_of_the_rotation_starts_afresh = checks.starts_afresh(2, "multimodal_rope", in_turn)
test_views_of_any_memory_order_are_turned = checks.takes_views(2, "multimodal_rope", some_tokens)
test_multimodal_rope_keeps_float32 = checks.keeps_float32(2, "multimodal_rope", some_tokens)
test_whole_numbers_turn_as_real_numbers = checks.takes_whole_numbers(
    2, "multimodal_rope", lambda rng: [(np.rint(x), *rest) for x, *rest in some_tokens(rng)])


# Both

@pytest.mark.task(1, 2)
def test_patches_of_an_image_are_turned_by_their_places_after_text(kata, reference):
    # three words and an image of 2 x 2; (1, 0) in each of three pairs, base 8: frequencies 1, 1/2, 1/4
    positions = kata.multimodal_positions(sequence((0, 0, 3), (1, 2, 2)))
    x = np.tile([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], (7, 1))
    angles = np.array([[0, 1, 2, 3, 3, 3, 3], [0, 0.5, 1, 1.5, 1.5, 2, 2], [0, 0.25, 0.5, 0.75, 1, 0.75, 1]]).T
    turned = kata.multimodal_rope(x, positions.astype(int), np.array([1, 1, 1]), 8.0)
    assert_same(turned, np.concatenate([np.cos(angles), np.sin(angles)], axis=1))


test_positions_and_rotation_are_in_double_precision = checks.are_in_double_precision(
    (1, 2), multimodal_positions=[(sequence((0, 0, 3), (2, 2, 3)),)], multimodal_rope=some_tokens)
