"""Wrong answers to 84_multimodal_rope; each docstring is what the learner is told."""
import numpy as np


def _counted(length):
    return np.tile(np.arange(length), (3, 1))                                  # (3, length)


def _grid(t, h, w):
    return np.indices((t, h, w)).reshape(3, -1)                                # (3, t * h * w)


def _laid_out(segments, text=_counted, video=_grid, step=None):
    """The positions of all segments. `step` makes the next start from this one, the segment and its positions."""
    start, parts = 0, []
    for t, h, w in segments.tolist():
        part = start + (text(w) if t == 0 else video(t, h, w))
        parts.append(part)
        start = part.max() + 1 if t == 0 or step is None else step(start, t, h, w)
    return np.concatenate(parts, axis=1)


def _dtype(x):
    return np.result_type(x, 1.0)


def _frequencies(d_head, base):
    return base ** (-np.arange(0, d_head, 2) / d_head)                         # (d_head / 2,)


def _kinds(sections):
    return np.repeat([0, 1, 2], sections)                                      # (d_head / 2,)


def _angles(x, positions, sections, base):
    return positions[_kinds(sections)].T * _frequencies(x.shape[-1], base)     # (n, d_head / 2)


def _turned(x, angles):
    (first, second), cos, sin = np.split(x, 2, axis=-1), np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1).astype(_dtype(x))


def _rotated(x, positions, sections, base):
    return _turned(x, _angles(x, positions, sections, base))


class multimodal_positions:
    def tokens_counted(segments):
        """You count all tokens one by one, as in a text. The tokens of an image have the time, the row and the column
        of their place instead."""
        return _counted(sum(max(t, 1) * max(h, 1) * w for t, h, w in segments.tolist()))

    def next_after_all_tokens(segments):
        """You start the segment after an image as if each token of the image used up a position. It starts one past the
        largest position so far."""
        return _laid_out(segments, step=lambda start, t, h, w: start + t * h * w)

    def image_uses_one_position(segments):
        """You start the segment after an image one past the position of its first token. It starts one past the largest
        position so far, which can be a row or a column."""
        return _laid_out(segments, step=lambda start, t, h, w: start + 1)

    def next_after_the_time(segments):
        """You start the segment after a video after its frames, so it shares positions with rows and columns. It starts
        one past the largest of all three."""
        return _laid_out(segments, step=lambda start, t, h, w: start + t)

    def next_after_the_rows(segments):
        """You start the segment after a video after its rows only. If there are more columns than rows, these reach
        farther. It starts one past the largest of all three."""
        return _laid_out(segments, step=lambda start, t, h, w: start + h)

    def next_after_the_columns(segments):
        """You start the segment after a video after its columns only. If there are more rows than columns, these reach
        farther. It starts one past the largest of all three."""
        return _laid_out(segments, step=lambda start, t, h, w: start + w)

    def next_after_the_shorter_side(segments):
        """You start the segment after a video after the smaller of its sides. Start one past the largest position."""
        return _laid_out(segments, step=lambda start, t, h, w: start + min(h, w))

    def next_after_the_sum(segments):
        """You add up the sizes of a video for the next start. Rows, columns and frames begin at the same position, so
        only the largest counts."""
        return _laid_out(segments, step=lambda start, t, h, w: start + t + h + w)

    def one_position_too_far(segments):
        """You leave one position unused after a video. Rows and columns count from 0, so the largest is start + max(h,
        w) - 1, and the next segment starts one past it."""
        return _laid_out(segments, step=lambda start, t, h, w: start + max(h, w) + 1)

    def starts_at_the_largest(segments):
        """You start a segment at the largest position so far, so two tokens share a position. Start one past it."""
        start, parts = 0, []
        for t, h, w in segments.tolist():
            parts.append(start + (_counted(w) if t == 0 else _grid(t, h, w)))
            start = parts[-1].max()
        return np.concatenate(parts, axis=1)

    def text_goes_on_as_if_alone(segments):
        """You count the text on as if there were no images, so it shares positions with them. After an image, start one
        past the largest position so far."""
        return _laid_out(segments, step=lambda start, t, h, w: start)

    def every_segment_from_zero(segments):
        """You start every segment at position 0. Start one past the largest position so far."""
        return np.concatenate([_counted(w) if t == 0 else _grid(t, h, w) for t, h, w in segments.tolist()], axis=1)

    def images_from_zero(segments):
        """You count rows, columns and frames of a video from 0 wherever it stands. Add the start to all three."""
        start, parts = 0, []
        for t, h, w in segments.tolist():
            parts.append(start + _counted(w) if t == 0 else _grid(t, h, w))
            start += w if t == 0 else max(h, w)
        return np.concatenate(parts, axis=1)

    def start_missing_in_time(segments):
        """You add the start to rows and columns, but count the time of a video from 0. Add the start to all three: the
        time of an image is its start, not 0."""
        start, parts = 0, []
        for t, h, w in segments.tolist():
            parts.append(start + _counted(w) if t == 0 else _grid(t, h, w) + [[0], [start], [start]])
            start += w if t == 0 else max(h, w)
        return np.concatenate(parts, axis=1)

    def start_only_in_time(segments):
        """You add the start to the time only, and count rows and columns from 0. Add it to all three."""
        start, parts = 0, []
        for t, h, w in segments.tolist():
            parts.append(start + _counted(w) if t == 0 else _grid(t, h, w) + [[start], [0], [0]])
            start += w if t == 0 else max(h, w)
        return np.concatenate(parts, axis=1)

    def rows_and_columns_swapped(segments):
        """You put the column second and the row third. The order is time, row, column."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, h, w)[[0, 2, 1]])

    def time_last(segments):
        """You order the positions as row, column, time. Put the time first."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, h, w)[[1, 2, 0]])

    def column_by_column(segments):
        """You list the tokens of a frame column by column. They come row by row: the column changes fastest."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, w, h)[[0, 2, 1]])

    def frames_change_fastest(segments):
        """You list the tokens of a video by row, column, frame. All tokens of frame 0 come first, then those of frame
        1."""
        return _laid_out(segments, video=lambda t, h, w: _grid(h, w, t)[[2, 0, 1]])

    def height_and_width_swapped(segments):
        """You read the segment as (t, w, h). It is (t, h, w): rows before columns."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, w, h))

    def frames_without_time(segments):
        """You give all frames of a video the same time, so a model cannot order them. Add the number of the frame."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, h, w) * [[0], [1], [1]])

    def rows_run_on(segments):
        """You continue the rows of the first frame in the second. Rows start again in every frame: divide the number of
        the token within its frame by the width."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, h, w) + [[0], [h], [0]] * _grid(t, h, w)[0],
                         step=lambda start, t, h, w: start + max(t, h, w))

    def rows_run_on_and_count(segments):
        """You continue the rows of the first frame in the second, so the next segment starts too late. Rows start again
        in every frame: divide the number of the token within its frame by the width."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, h, w) + [[0], [h], [0]] * _grid(t, h, w)[0])

    def every_frame_a_segment(segments):
        """You start every frame of a video past the one before, like an image of its own. Rows and columns of all
        frames start at the same position, and only the time goes on by 1."""
        def one_after_the_other(t, h, w):
            return np.concatenate([frame * max(h, w) + _grid(1, h, w) for frame in range(t)], axis=1)
        return _laid_out(segments, video=one_after_the_other)

    def text_in_time_only(segments):
        """You give a text token a position in time only, and row and column 0. All three positions of text are equal,
        so text is turned as in a model for text."""
        return _laid_out(segments, text=lambda length: _counted(length) * [[1], [0], [0]])

    def text_rows_from_zero(segments):
        """You set the row and the column of a text token to 0. All three positions of text are equal."""
        counts = np.maximum(segments[:, :2], 1).prod(axis=1) * segments[:, 2]          # (m,) tokens of each
        positions, texts = _laid_out(segments), np.repeat(segments[:, 0] == 0, counts)
        positions[1:, texts] = 0
        return positions

    def text_as_one_token(segments):
        """You give a text of L tokens only one. Read the length from the third number of its row."""
        return _laid_out(segments, text=lambda length: _counted(1))

    def counts_from_one(segments):
        """Your positions start at 1. The first token has the positions 0, 0, 0."""
        return _laid_out(segments) + 1

    def centred_on_the_image(segments):
        """You count rows and columns from the centre of the image, so some are smaller than the start. Count them from
        the start."""
        return _laid_out(segments, video=lambda t, h, w: _grid(t, h, w) - [[0], [h // 2], [w // 2]],
                         step=lambda start, t, h, w: start + max(h, w))

    def one_row_per_token(segments):
        """You return one row per token. Return three rows, (3, n): all times, all rows, all columns."""
        return _laid_out(segments).T

    def small_integers(segments):
        """You store the positions as 8-bit integers, which overflow above 255. Use the default integer type of
        NumPy."""
        return _laid_out(segments).astype(np.uint8)

    def signed_bytes(segments):
        """You store the positions as 8-bit integers with a sign, which overflow above 127. Use the default integer type
        of NumPy."""
        return _laid_out(segments).astype(np.int8)

    def last_segment_dropped(segments):
        """You leave out the segments after the last image. Add every segment, also the last one."""
        return _laid_out(segments[:-1] if len(segments) > 1 else segments)


class multimodal_rope:
    def neighbours_turned(x, positions, sections, base=1000000.0):
        """You turn columns 2i and 2i + 1 together, as in kata 61. Qwen2-VL has the half layout: turn column i with
        column i + d_head/2."""
        angles, even, odd = _angles(x, positions, sections, base), x[..., 0::2], x[..., 1::2]
        points = (even + 1j * odd) * np.exp(1j * angles)
        return np.stack([points.real, points.imag], axis=-1).reshape(x.shape).astype(_dtype(x))

    def sections_doubled_in_place(x, positions, sections, base=1000000.0):
        """You double the sections and cut them from all columns, so the two columns of a pair turn by different
        positions. The sections count pairs: cut the angles of the pairs, then use each angle for columns i and i +
        d_head/2."""
        kinds = np.repeat([0, 1, 2], 2 * sections)                             # (d_head,)
        angles = positions[kinds].T * np.tile(_frequencies(x.shape[-1], base), 2)
        first, second = np.split(x, 2, axis=-1)
        partners = np.concatenate([-second, first], axis=-1)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def repeated_angles(x, positions, sections, base=1000000.0):
        """You repeat each angle for neighbouring columns, but you pair the columns in halves. This mixes two layouts.
        Use the row of angles for the first half, and again for the second."""
        angles = np.repeat(_angles(x, positions, sections, base), 2, axis=-1)
        first, second = np.split(x, 2, axis=-1)
        partners = np.concatenate([-second, first], axis=-1)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def each_section_a_head(x, positions, sections, base=1000000.0):
        """You give each section frequencies of its own, as if it were a head, so text is not turned as in kata 62.
        Compute the frequencies of the whole head once, and give each section its part."""
        frequencies = np.concatenate([_frequencies(2 * section, base) for section in sections.tolist()])
        return _turned(x, positions[_kinds(sections)].T * frequencies)

    def frequencies_start_again(x, positions, sections, base=1000000.0):
        """You start every section again with the fastest frequency. The frequencies run on: the first section has the
        fastest pairs and the last one the slowest."""
        whole = _frequencies(x.shape[-1], base)
        frequencies = np.concatenate([whole[:section] for section in sections.tolist()])
        return _turned(x, positions[_kinds(sections)].T * frequencies)

    def positions_take_turns(x, positions, sections, base=1000000.0):
        """You turn the pairs by time, row, column, time, row, column, ... in turn, as in Qwen3-VL. Here the first
        section of neighbouring pairs turns by time, the next by row and the last by column."""
        half = x.shape[-1] // 2
        kinds, left = np.zeros(half, dtype=int), sections.copy()
        for pair in range(half):
            kinds[pair] = next(k for k in ((pair + i) % 3 for i in range(3)) if left[k])
            left[kinds[pair]] -= 1
        return _turned(x, positions[kinds].T * _frequencies(x.shape[-1], base))

    def dealt_out_in_threes(x, positions, sections, base=1000000.0):
        """You turn the pairs by time, row, column, time, row, column, ... in turn, and ignore `sections`. Here the
        first sections[0] pairs turn by time, the next sections[1] by row and the rest by column."""
        kinds = np.arange(x.shape[-1] // 2) % 3
        return _turned(x, positions[kinds].T * _frequencies(x.shape[-1], base))

    def sections_halved(x, positions, sections, base=1000000.0):
        """You halve the sections, as if they counted columns. They count pairs: use them as they are."""
        pairs, (first, second) = np.arange(x.shape[-1] // 2), np.cumsum(sections // 2)[:2]
        kinds = (pairs >= first) * 1 + (pairs >= second)
        return _turned(x, positions[kinds].T * _frequencies(x.shape[-1], base))

    def length_taken_for_the_end(x, positions, sections, base=1000000.0):
        """You end the second section at pair sections[1]. That is its length: it ends at sections[0] + sections[1]."""
        pairs = np.arange(x.shape[-1] // 2)
        kinds = np.where(pairs < sections[0], 0, np.where(pairs < sections[1], 1, 2))
        return _turned(x, positions[kinds].T * _frequencies(x.shape[-1], base))

    def equal_sections(x, positions, sections, base=1000000.0):
        """You cut the pairs into three equal parts. Use the sizes in `sections`."""
        half = x.shape[-1] // 2
        return _turned(x, positions[np.arange(half) * 3 // half].T * _frequencies(x.shape[-1], base))

    def sections_reversed(x, positions, sections, base=1000000.0):
        """You turn the first pairs by the column and the last by the time. The order is time, row, column."""
        return _turned(x, positions[_kinds(sections[::-1])[::-1]].T * _frequencies(x.shape[-1], base))

    def sections_rolled(x, positions, sections, base=1000000.0):
        """You turn the first pairs by the row, the next by the column and the last by the time. The time comes
        first."""
        return _turned(x, positions[(_kinds(sections) + 1) % 3].T * _frequencies(x.shape[-1], base))

    def rows_and_columns_swapped(x, positions, sections, base=1000000.0):
        """You turn the second section by the columns and the third by the rows. The rows of `positions` are time, row
        and column."""
        return _rotated(x, positions[[0, 2, 1]], sections, base)

    def time_for_all(x, positions, sections, base=1000000.0):
        """You turn all pairs by the time, so all tokens of an image look alike. Use the three rows of `positions`."""
        return _rotated(x, positions[[0, 0, 0]], sections, base)

    def time_for_the_last(x, positions, sections, base=1000000.0):
        """You turn the last section by the time again. Turn it by the columns, `positions[2]`."""
        return _rotated(x, positions[[0, 1, 0]], sections, base)

    def last_section_left_alone(x, positions, sections, base=1000000.0):
        """You do not turn the last section, so the column of a token is lost. Turn it by `positions[2]`."""
        return _rotated(x, positions * [[1], [1], [0]], sections, base)

    def positions_added_up(x, positions, sections, base=1000000.0):
        """You turn every pair by the sum of the three positions, so the tokens (1, 2) and (2, 1) look alike. Each
        section turns by one of them."""
        return _rotated(x, np.tile(positions.sum(axis=0), (3, 1)), sections, base)

    def mean_of_the_positions(x, positions, sections, base=1000000.0):
        """You turn every pair by the mean of the three positions. Text is right then, but images are not. Each section
        turns by one of them."""
        return _rotated(x, np.tile(positions.mean(axis=0), (3, 1)), sections, base)

    def tokens_counted(x, positions, sections, base=1000000.0):
        """You turn the tokens by 0, 1, 2, ... as in a text. Use `positions`."""
        return _rotated(x, np.tile(np.arange(x.shape[-2]), (3, 1)), sections, base)

    def first_token_at_zero(x, positions, sections, base=1000000.0):
        """You subtract the positions of the first token from all of them. Use the positions unchanged: when decoding, a
        single token may have a position far from 0."""
        return _rotated(x, positions - positions[:, :1], sections, base)

    def starts_at_one(x, positions, sections, base=1000000.0):
        """You turn each token one position too far. Position 0 must not change its vector."""
        return _rotated(x, positions + 1, sections, base)

    def reversed_rotation(x, positions, sections, base=1000000.0):
        """You turn the vectors clockwise. A positive angle turns (1, 0) into (cos, sin), counter-clockwise: column i
        becomes x[i] cos - x[i + d_head/2] sin."""
        return _turned(x, -_angles(x, positions, sections, base))

    def both_signs_positive(x, positions, sections, base=1000000.0):
        """You leave out a minus, so the lengths change. Column i becomes x[i] cos - x[i + d_head/2] sin."""
        angles, (first, second) = _angles(x, positions, sections, base), np.split(x, 2, axis=-1)
        cos, sin = np.cos(angles), np.sin(angles)
        return np.concatenate([first * cos + second * sin, first * sin + second * cos], axis=-1).astype(_dtype(x))

    def sine_and_cosine_swapped(x, positions, sections, base=1000000.0):
        """You swap sine and cosine. At position 0 the cosine is 1 and the sine 0, so the vector must not change."""
        return _turned(x, np.pi / 2 - _angles(x, positions, sections, base))

    def reads_what_it_wrote(x, positions, sections, base=1000000.0):
        """You compute the second half from a first half that was already overwritten. A slice is a view, so compute
        both halves before you write either."""
        angles, (first, second) = _angles(x, positions, sections, base), np.split(x, 2, axis=-1)
        first = first * np.cos(angles) - second * np.sin(angles)
        return np.concatenate([first, first * np.sin(angles) + second * np.cos(angles)], axis=-1).astype(_dtype(x))

    def writes_into_x(x, positions, sections, base=1000000.0):
        """The values are right, but you write them into the argument `x`. Return a new array."""
        if x.dtype.kind != "f":
            return _rotated(x, positions, sections, base)
        x[...] = _rotated(x, positions, sections, base)
        return x

    def doubled_twice(x, positions, sections, base=1000000.0):
        """You double the exponent twice. A range with a step of 2 already gives 2i, so divide that by d_head."""
        return _turned(x, positions[_kinds(sections)].T * _frequencies(x.shape[-1], base) ** 2)

    def missing_two(x, positions, sections, base=1000000.0):
        """You leave out the 2 of 2i/d_head, so all pairs but the first turn too fast. The exponent is -2i/d_head."""
        return _turned(x, positions[_kinds(sections)].T * _frequencies(x.shape[-1], base) ** 0.5)

    def counts_from_one(x, positions, sections, base=1000000.0):
        """You count the pairs from 1. Count them from 0 in the exponent -2i/d_head: the first pair turns by 1 radian
        per position."""
        return _turned(x, _angles(x, positions, sections, base) * base ** (-2 / x.shape[-1]))

    def slowest_first(x, positions, sections, base=1000000.0):
        """Your frequencies are in reverse order, slowest first. Pair 0 is the fastest, and it turns by the time."""
        return _turned(x, positions[_kinds(sections)].T * _frequencies(x.shape[-1], base)[::-1])

    def base_dropped(x, positions, sections, base=1000000.0):
        """Your code ignores the argument `base`, so the angles always have base 1000000. Compute the frequencies from
        it."""
        return _rotated(x, positions, sections, 1000000.0)

    def base_10000(x, positions, sections, base=1000000.0):
        """You use base 10000 in every call. Use the argument `base`, whose default is 1000000."""
        return _rotated(x, positions, sections, 10000.0)

    def default_of_rope(x, positions, sections, base=10000.0):
        """Your default for the base is 10000, as in kata 61. Here it is 1000000, the base of Qwen2-VL."""
        return _rotated(x, positions, sections, base)

    def heads_as_sequence(x, positions, sections, base=1000000.0):
        """Your angles run along the wrong axis. The tokens are axis -2 of `x`, after any axes for batches and heads."""
        if x.ndim < 3:
            return _rotated(x, positions, sections, base)
        across = np.swapaxes(x, -2, -3)
        places = positions[:, np.arange(x.shape[-3]) % positions.shape[1]]
        return np.swapaxes(_rotated(across, places, sections, base), -2, -3)

    def integers_cut(x, positions, sections, base=1000000.0):
        """You cut the result to whole numbers if `x` has whole numbers. Turned vectors have fractions, so return
        float64."""
        return _rotated(x, positions, sections, base).astype(x.dtype)

    def widened(x, positions, sections, base=1000000.0):
        """You return float64 for a float32 `x`, because the angles are float64. Convert the result to float32."""
        return _rotated(x.astype(np.float64), positions, sections, base)

    def single_precision_inside(x, positions, sections, base=1000000.0):
        """You compute the angles in single precision, which keeps seven digits. Use float64 for float64 vectors."""
        return _turned(x, _angles(x, positions, sections, base).astype(np.float32)).astype(_dtype(x))
