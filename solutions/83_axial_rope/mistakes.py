"""Wrong answers to 83_axial_rope; each docstring is what the learner is told."""
import numpy as np


def _dtype(x):
    return np.result_type(x, 1.0)


def _frequencies(width, base):
    return base ** (-np.arange(0, width, 2) / width)                           # (width / 2,)


def _angles(x, rows, columns, base):
    frequencies = _frequencies(x.shape[-1] // 2, base)
    return np.concatenate([np.outer(rows, frequencies), np.outer(columns, frequencies)], axis=-1)


def _weave(even, odd, x):
    return np.stack([even, odd], axis=-1).reshape(x.shape).astype(_dtype(x))


def _turned(x, angles):
    cos, sin, even, odd = np.cos(angles), np.sin(angles), x[..., 0::2], x[..., 1::2]
    return _weave(even * cos - odd * sin, even * sin + odd * cos, x)


def _axial(x, rows, columns, base):
    return _turned(x, _angles(x, rows, columns, base))


def _places(height, width):
    return np.divmod(np.arange(height * width), width)


def _products(queries, keys):
    return queries @ np.swapaxes(keys, -1, -2)


def _scores(q, k, rows, columns, base):
    return _products(_axial(q, rows, columns, base), _axial(k, rows, columns, base))


class axial_rope:
    def rows_and_columns_swapped(x, rows, columns, base=10000.0):
        """You turn the first half by the columns of the patches and the second half by their rows. Use the rows for the
        first half, as EVA-02 does."""
        return _axial(x, columns, rows, base)

    def rows_for_both(x, rows, columns, base=10000.0):
        """You turn both halves by the rows, so patches of one row look alike. Turn the second half by `columns`."""
        return _axial(x, rows, rows, base)

    def columns_for_both(x, rows, columns, base=10000.0):
        """You turn both halves by the columns, so patches of one column look alike. Turn the first half by `rows`."""
        return _axial(x, columns, columns, base)

    def second_half_left_alone(x, rows, columns, base=10000.0):
        """You turn only the first half, so the column of a patch is lost. Turn the second half by `columns`."""
        return _axial(x, rows, np.zeros(len(rows)), base)

    def frequencies_of_the_whole_head(x, rows, columns, base=10000.0):
        """You use the exponent -2i/d_head of a whole head, so all pairs but the first turn too fast. Each half is a
        head of its own, of width d_head/2: use -2i/(d_head/2), or -4i/d_head."""
        quarter = _frequencies(x.shape[-1], base)[: x.shape[-1] // 4]
        return _turned(x, np.concatenate([np.outer(rows, quarter), np.outer(columns, quarter)], axis=-1))

    def frequencies_run_on(x, rows, columns, base=10000.0):
        """You continue the frequencies of the first half in the second half, so rows have all the fast pairs. Start
        again at 1 radian: both halves have the same frequencies."""
        first, second = np.split(_frequencies(x.shape[-1], base), 2)
        return _turned(x, np.concatenate([np.outer(rows, first), np.outer(columns, second)], axis=-1))

    def every_second_frequency(x, rows, columns, base=10000.0):
        """You give the rows the frequencies 0, 2, 4, ... of a whole head and the columns 1, 3, 5, ..., as in Pixtral.
        In this kata, as in EVA-02, both have frequencies 0, 2, 4, ..."""
        whole = _frequencies(x.shape[-1], base)
        return _turned(x, np.concatenate([np.outer(rows, whole[0::2]), np.outer(columns, whole[1::2])], axis=-1))

    def axes_take_turns(x, rows, columns, base=10000.0):
        """You turn the pairs by row, column, row, column, ... in turn. Let all pairs of the first half turn by the rows
        and all pairs of the second half by the columns."""
        by_row, by_column = np.split(_angles(x, rows, columns, base), 2, axis=-1)
        return _turned(x, np.stack([by_row, by_column], axis=-1).reshape(len(rows), -1))

    def halves_of_each_half(x, rows, columns, base=10000.0):
        """You pair column i with column i + d_head/4 of its half. Turn neighbours together: columns 2i and 2i + 1."""
        parts = []
        for half, places in zip(np.split(x, 2, axis=-1), (rows, columns), strict=True):
            first, second = np.split(half, 2, axis=-1)
            points = (first + 1j * second) * np.exp(1j * np.outer(places, _frequencies(half.shape[-1], base)))
            parts += [points.real, points.imag]
        return np.concatenate(parts, axis=-1).astype(_dtype(x))

    def halves_of_the_head(x, rows, columns, base=10000.0):
        """You pair column i with column i + d_head/2, as in the vision encoder of Qwen2-VL. Turn neighbours together:
        columns 2i and 2i + 1."""
        first, second = np.split(x, 2, axis=-1)
        points = (first + 1j * second) * np.exp(1j * _angles(x, rows, columns, base))
        return np.concatenate([points.real, points.imag], axis=-1).astype(_dtype(x))

    def tiled_angles_with_pairs(x, rows, columns, base=10000.0):
        """You lay the angles out in two copies, one after the other, but you pair neighbours. The two columns of a pair
        then turn by different angles. Repeat each angle in place."""
        angles = np.tile(_angles(x, rows, columns, base), 2)
        partners = _weave(-x[..., 1::2], x[..., 0::2], x)
        return (x * np.cos(angles) + partners * np.sin(angles)).astype(_dtype(x))

    def sum_of_row_and_column(x, rows, columns, base=10000.0):
        """You turn every pair by row plus column, so the patches (1, 2) and (2, 1) look alike. Let half of the pairs
        turn by the rows and the others by the columns."""
        return _axial(x, rows + columns, rows + columns, base)

    def whole_head_turned_twice(x, rows, columns, base=10000.0):
        """You turn the whole head by the rows and then by the columns. Two turns of one pair add up, so patches (1, 2)
        and (2, 1) look alike. Turn each half once."""
        return _turned(x, np.outer(rows + columns, _frequencies(x.shape[-1], base)))

    def patches_counted(x, rows, columns, base=10000.0):
        """You turn the patches by 0, 1, 2, ... as if they were words. Use `rows` and `columns`."""
        return _turned(x, np.outer(np.arange(len(rows)), _frequencies(x.shape[-1], base)))

    def reversed_rotation(x, rows, columns, base=10000.0):
        """You turn the vectors clockwise. A positive angle turns (1, 0) into (cos, sin), counter-clockwise."""
        return _turned(x, -_angles(x, rows, columns, base))

    def columns_reversed(x, rows, columns, base=10000.0):
        """You turn the second half clockwise. Turn both halves counter-clockwise."""
        return _axial(x, rows, -columns, base)

    def doubled_twice(x, rows, columns, base=10000.0):
        """You double the exponent twice. A range with a step of 2 already gives 2i, so divide that by d_head/2."""
        frequencies = _frequencies(x.shape[-1] // 2, base) ** 2
        return _turned(x, np.concatenate([np.outer(rows, frequencies), np.outer(columns, frequencies)], axis=-1))

    def counts_from_one(x, rows, columns, base=10000.0):
        """You count the pairs of each half from 1. Count them from 0: the first pair turns by 1 radian per row or
        column."""
        return _turned(x, _angles(x, rows, columns, base) * base ** (-4 / x.shape[-1]))

    def endpoint_included(x, rows, columns, base=10000.0):
        """Your exponents go from 0 to -1 and include both ends. Use steps of -4/d_head, which stop before -1."""
        frequencies = base ** -np.linspace(0.0, 1.0, x.shape[-1] // 4)
        return _turned(x, np.concatenate([np.outer(rows, frequencies), np.outer(columns, frequencies)], axis=-1))

    def base_dropped(x, rows, columns, base=10000.0):
        """Your code ignores the argument `base`, so the angles always have base 10000. Compute the frequencies from
        it."""
        return _axial(x, rows, columns, 10000.0)

    def both_signs_positive(x, rows, columns, base=10000.0):
        """You leave out a minus, so the lengths change. Column 2i becomes x[2i] cos - x[2i + 1] sin."""
        angles = _angles(x, rows, columns, base)
        cos, sin, even, odd = np.cos(angles), np.sin(angles), x[..., 0::2], x[..., 1::2]
        return _weave(even * cos + odd * sin, even * sin + odd * cos, x)

    def sine_and_cosine_swapped(x, rows, columns, base=10000.0):
        """You swap sine and cosine. At row 0 and column 0 the cosines are 1 and the sines 0, so the vector must not
        change."""
        return _turned(x, np.pi / 2 - _angles(x, rows, columns, base))

    def reads_what_it_wrote(x, rows, columns, base=10000.0):
        """You compute the odd columns from even columns that were already overwritten: x[..., 0::2] is a view. Write
        into a new array."""
        angles = _angles(x, rows, columns, base)
        even = x[..., 0::2] * np.cos(angles) - x[..., 1::2] * np.sin(angles)
        return _weave(even, even * np.sin(angles) + x[..., 1::2] * np.cos(angles), x)

    def writes_into_x(x, rows, columns, base=10000.0):
        """The values are right, but you write them into the argument `x`. Return a new array."""
        if x.dtype.kind != "f":
            return _axial(x, rows, columns, base)
        x[...] = _axial(x, rows, columns, base)
        return x

    def left_in_two_halves(x, rows, columns, base=10000.0):
        """You turn the pairs correctly, but return all even columns first and then all odd ones. Put columns 2i and 2i
        + 1 next to each other again."""
        turned = _axial(x, rows, columns, base)
        return np.concatenate([turned[..., 0::2], turned[..., 1::2]], axis=-1)

    def fractions_cut(x, rows, columns, base=10000.0):
        """You cut the rows and columns to whole numbers. In an image of another size they have fractions, so use them
        unchanged."""
        return _axial(x, rows.astype(int), columns.astype(int), base)

    def sign_lost(x, rows, columns, base=10000.0):
        """You treat negative rows and columns as positive ones. They must turn the other way, clockwise."""
        return _axial(x, np.abs(rows), np.abs(columns), base)

    def first_patch_at_zero(x, rows, columns, base=10000.0):
        """You subtract the place of the first patch from all of them. Use the rows and columns unchanged: these may be
        the patches of a part of the image."""
        return _axial(x, rows - rows[0], columns - columns[0], base)

    def starts_at_one(x, rows, columns, base=10000.0):
        """You turn every patch one row and one column too far. Row 0 and column 0 must not change the vector."""
        return _axial(x, rows + 1, columns + 1, base)

    def heads_as_sequence(x, rows, columns, base=10000.0):
        """Your angles run along the wrong axis. The patches are axis -2 of `x`, after any axes for batches and
        heads."""
        if x.ndim < 3:
            return _axial(x, rows, columns, base)
        across, n = np.swapaxes(x, -2, -3), x.shape[-3]
        return np.swapaxes(_axial(across, np.resize(rows, n), np.resize(columns, n), base), -2, -3)

    def places_repeated_for_the_batch(x, rows, columns, base=10000.0):
        """You repeat each row and column instead of the whole lists, so batches and heads get wrong places. Use
        np.tile, or leave the places as they are: the angles (n, d_head/2) fit any leading axes."""
        flat = x.reshape(-1, x.shape[-1])
        times = len(flat) // len(rows)
        return _axial(flat, np.repeat(rows, times), np.repeat(columns, times), base).reshape(x.shape)

    def integers_cut(x, rows, columns, base=10000.0):
        """You cut the result to whole numbers if `x` has whole numbers. Turned vectors have fractions, so return
        float64."""
        return _axial(x, rows, columns, base).astype(x.dtype)

    def widened(x, rows, columns, base=10000.0):
        """You return float64 for a float32 `x`, because the angles are float64. Return float32 for float32, whatever
        the rows and columns are."""
        return _axial(x.astype(np.float64), rows, columns, base)

    def single_precision_inside(x, rows, columns, base=10000.0):
        """You compute the angles in single precision, which keeps seven digits. Use float64 for float64 vectors."""
        return _turned(x, _angles(x, rows, columns, base).astype(np.float32)).astype(_dtype(x))


class axial_scores:
    def scaled(q, k, height, width, base=10000.0):
        """You divide the scores by sqrt(d_head). Leave the scaling to the attention layer and return plain dot
        products."""
        return (_scores(q, k, *_places(height, width), base) / np.sqrt(q.shape[-1])).astype(_dtype(q))

    def numbered_column_by_column(q, k, height, width, base=10000.0):
        """You number the patches column by column. They are numbered row by row: patch p is in row p // width and
        column p % width."""
        columns, rows = np.divmod(np.arange(height * width), height)
        return _scores(q, k, rows, columns, base)

    def divided_by_the_height(q, k, height, width, base=10000.0):
        """You divide the patch number by the height, which is right for square images only. A row has `width` patches,
        so divide by the width."""
        return _scores(q, k, *np.divmod(np.arange(height * width), height), base)

    def rows_and_columns_swapped(q, k, height, width, base=10000.0):
        """You swap rows and columns in the call of `axial_rope`. It takes the rows first."""
        return _scores(q, k, *_places(height, width)[::-1], base)

    def patches_counted(q, k, height, width, base=10000.0):
        """You turn the patches by 0, 1, 2, ... in one direction only, as if they were words. The patch below is then
        `width` steps away. Use rows and columns."""
        angles = np.outer(np.arange(height * width), _frequencies(q.shape[-1], base))
        return _products(_turned(q, angles), _turned(k, angles))

    def only_rows(q, k, height, width, base=10000.0):
        """You use only the rows of the patches, so all patches of a row look alike. Pass the columns, too."""
        rows, _ = _places(height, width)
        return _scores(q, k, rows, np.zeros(len(rows)), base)

    def only_queries_turned(q, k, height, width, base=10000.0):
        """You turn only the queries, so a score ignores the place of the key. Turn the keys too."""
        return _products(_axial(q, *_places(height, width), base), k.astype(_dtype(k)))

    def nothing_turned(q, k, height, width, base=10000.0):
        """You return plain dot products without places. Turn queries and keys first."""
        return _products(q.astype(_dtype(q)), k.astype(_dtype(k)))

    def keys_turned_backwards(q, k, height, width, base=10000.0):
        """You turn the keys clockwise, the queries counter-clockwise, so a score depends on sums of rows and columns.
        Turn both counter-clockwise."""
        rows, columns = _places(height, width)
        return _products(_axial(q, rows, columns, base), _axial(k, -rows, -columns, base))

    def offsets_reversed(q, k, height, width, base=10000.0):
        """Your offsets have the wrong sign: a key above the query scores like a key below it. Turn both
        counter-clockwise."""
        rows, columns = _places(height, width)
        return _scores(q, k, -rows, -columns, base)

    def keys_by_queries(q, k, height, width, base=10000.0):
        """You return one row per key: the result is transposed. Return one row per query."""
        return np.swapaxes(_scores(q, k, *_places(height, width), base), -1, -2)

    def queries_for_keys(q, k, height, width, base=10000.0):
        """You compare the queries with themselves. Turn `k` for the keys."""
        return _scores(q, q, *_places(height, width), base)

    def later_patches_masked(q, k, height, width, base=10000.0):
        """You mask keys after the query. An image has no order of reading, so every patch may see every other: do not
        mask."""
        scores = _scores(q, k, *_places(height, width), base)
        return np.where(np.tri(height * width, dtype=bool), scores, -np.inf)

    def made_unit_length(q, k, height, width, base=10000.0):
        """You scale the vectors to length 1 first, which gives cosines. Take the dot product of the vectors without
        scaling."""
        q, k = (v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-30) for v in (q, k))
        return _scores(q, k, *_places(height, width), base)

    def base_dropped(q, k, height, width, base=10000.0):
        """You do not pass the argument `base` to `axial_rope`, so the angles always have base 10000."""
        return _scores(q, k, *_places(height, width), 10000.0)

    def base_for_queries_only(q, k, height, width, base=10000.0):
        """You always turn the keys with base 10000. Pass `base` for the keys too."""
        places = _places(height, width)
        return _products(_axial(q, *places, base), _axial(k, *places, 10000.0))


class resized_positions:
    def not_resized(height, width, train_height, train_width):
        """You count the rows and columns, but do not resize them. Multiply the rows by train_height / height and the
        columns by train_width / width."""
        return _places(height, width)

    def inverted(height, width, train_height, train_width):
        """Your factors are upside down, so a larger image spans a larger range. Multiply the rows by train_height /
        height and the columns by train_width / width."""
        rows, columns = _places(height, width)
        return rows * height / train_height, columns * width / train_width

    def centres_of_cells(height, width, train_height, train_width):
        """Your positions are centres of cells: (i + 0.5) * train / size - 0.5, as when you stretch a learned table.
        EVA-02 stretches from position 0: i * train / size."""
        rows, columns = _places(height, width)
        return (rows + 0.5) * train_height / height - 0.5, (columns + 0.5) * train_width / width - 0.5

    def half_a_patch_added(height, width, train_height, train_width):
        """You add half a patch to every row and column. The first patch is at row 0 and column 0."""
        rows, columns = _places(height, width)
        return (rows + 0.5) * train_height / height, (columns + 0.5) * train_width / width

    def ends_aligned(height, width, train_height, train_width):
        """You put the last row and column at train - 1, as np.linspace makes them. Steps are train / size, so the last
        row is at (height - 1) * train_height / height."""
        rows, columns = _places(height, width)
        return (rows * ((train_height - 1) / max(height - 1, 1)), columns * ((train_width - 1) / max(width - 1, 1)))

    def scaled_to_one(height, width, train_height, train_width):
        """Your positions run from 0 to 1. Multiply them by the size in training."""
        rows, columns = _places(height, width)
        return rows / height, columns / width

    def scaled_around_the_centre(height, width, train_height, train_width):
        """Your positions run from -1 to 1 around the centre of the image, as in DINOv3. Here they run from 0 to just
        below the size in training."""
        rows, columns = _places(height, width)
        return 2 * (rows + 0.5) / height - 1, 2 * (columns + 0.5) / width - 1

    def one_factor_for_both(height, width, train_height, train_width):
        """You resize the columns by the factor of the rows. Multiply them by train_width / width."""
        rows, columns = _places(height, width)
        return rows * train_height / height, columns * train_height / height

    def longer_side_decides(height, width, train_height, train_width):
        """You use one factor for both sides, to keep the shape of the image. Rows and columns have factors of their
        own: each spans the whole range of the training."""
        rows, columns = _places(height, width)
        factor = max(train_height, train_width) / max(height, width)
        return rows * factor, columns * factor

    def training_sizes_swapped(height, width, train_height, train_width):
        """You swap the sizes of the training. Use train_height for the rows and train_width for the columns."""
        rows, columns = _places(height, width)
        return rows * train_width / height, columns * train_height / width

    def columns_first(height, width, train_height, train_width):
        """You swap the two results. Return the rows first, then the columns."""
        rows, columns = _places(height, width)
        return columns * train_width / width, rows * train_height / height

    def numbered_column_by_column(height, width, train_height, train_width):
        """You number the patches column by column. They are numbered row by row: the first `width` patches are in row
        0."""
        columns, rows = np.divmod(np.arange(height * width), height)
        return rows * train_height / height, columns * train_width / width

    def cut_to_whole_numbers(height, width, train_height, train_width):
        """You cut the positions to whole numbers, so several patches share a place. Keep the fractions."""
        rows, columns = _places(height, width)
        return rows * train_height // height, columns * train_width // width

    def factor_cut_to_a_whole_number(height, width, train_height, train_width):
        """You cut the factors to whole numbers by `//`. Divide with `/`."""
        rows, columns = _places(height, width)
        return rows * (train_height // height), columns * (train_width // width)

    def cut_off_at_the_end(height, width, train_height, train_width):
        """You put all places beyond the image of the training at its edge. Resize the places instead."""
        rows, columns = _places(height, width)
        return np.minimum(rows, train_height - 1), np.minimum(columns, train_width - 1)

    def only_larger_images(height, width, train_height, train_width):
        """You resize only sides that are longer than in training. Stretch shorter ones too: any image spans the range
        of the training."""
        rows, columns = _places(height, width)
        return rows * min(train_height / height, 1.0), columns * min(train_width / width, 1.0)

    def one_per_side(height, width, train_height, train_width):
        """You return one position per row and one per column of patches. Return one row and one column for every patch,
        height * width of each."""
        return np.arange(height) * train_height / height, np.arange(width) * train_width / width

    def left_as_a_grid(height, width, train_height, train_width):
        """You return results of the shape (height, width). Flatten them: one number per patch, row by row."""
        rows, columns = _places(height, width)
        return ((rows * train_height / height).reshape(height, width),
                (columns * train_width / width).reshape(height, width))

    def pairs_of_positions(height, width, train_height, train_width):
        """You return one array with a row and a column for each patch. Return two arrays: all rows, and all columns."""
        rows, columns = _places(height, width)
        return np.stack([rows * train_height / height, columns * train_width / width], axis=-1)
