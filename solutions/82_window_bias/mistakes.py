"""Wrong answers to 82_window_bias; each docstring is what the learner is told."""
import numpy as np


def _offsets(height, width):
    """Row and column of the query minus those of the key, (n, n) each."""
    rows, columns = np.divmod(np.arange(height * width), width)
    return rows[:, None] - rows, columns[:, None] - columns


def _index(height, width):
    down, across = _offsets(height, width)
    return (down + height - 1) * (2 * width - 1) + (across + width - 1)


def _looked_up(table, index):
    """The numbers, heads first; `clip` keeps a wrong row within the table."""
    return np.moveaxis(table.take(index, axis=0, mode="clip"), -1, 0)


def _stretched(down, across):
    """Logarithms of scaled offsets of rows and columns, in both directions."""
    return _logarithms(np.stack(np.meshgrid(down, across, indexing="ij"), axis=-1))


def _logarithms(t):
    return np.sign(t) * np.log2(1 + np.abs(t)) / 3


def _scaled(size, by=8):
    return by * np.arange(1 - size, size) / (size - 1)


def _both(height, width, by=8):
    """Scaled offsets in both directions, without logarithms."""
    return np.stack(np.meshgrid(_scaled(height, by), _scaled(width, by), indexing="ij"), axis=-1)


class window_index:
    def key_minus_query(height, width):
        """Your offsets are key minus query, so the rows run in the opposite order. Take row and column of the query
        minus those of the key. If your two axes are swapped, you get the same numbers: put the queries first."""
        return _index(height, width).T

    def rows_times_the_height(height, width):
        """You multiply the row offset by 2 * height - 1. There are 2 * width - 1 column offsets, so skip that many rows
        of the table. In a square window, both are equal."""
        down, across = _offsets(height, width)
        return (down + height - 1) * (2 * height - 1) + (across + width - 1)

    def rows_times_the_width(height, width):
        """You multiply the row offset by `width`, as in a difference of patch numbers. So the end of a row and the
        start of the next one look like neighbours. Multiply by 2 * width - 1, the number of column offsets."""
        down, across = _offsets(height, width)
        return (down + height - 1) * width + (across + width - 1)

    def one_too_few_columns(height, width):
        """You multiply the row offset by 2 * width - 2, so two offsets share a row of the table. There are 2 * width -
        1 column offsets, because 0 is one of them."""
        down, across = _offsets(height, width)
        return (down + height - 1) * (2 * width - 2) + (across + width - 1)

    def one_too_many_columns(height, width):
        """You multiply the row offset by 2 * width, so some rows of the table are never read. There are 2 * width - 1
        column offsets."""
        down, across = _offsets(height, width)
        return (down + height - 1) * 2 * width + (across + width - 1)

    def three_times_the_width(height, width):
        """You multiply the row offset by 3 * width - 1, so some rows of the table are never read. There are 2 * width -
        1 column offsets."""
        down, across = _offsets(height, width)
        return (down + height - 1) * (3 * width - 1) + (across + width - 1)

    def rows_not_multiplied(height, width):
        """You add the two offsets, so one row down and one column to the right look the same. Multiply the row offset
        by 2 * width - 1 first."""
        down, across = _offsets(height, width)
        return (down + height - 1) + (across + width - 1)

    def not_moved_up(height, width):
        """Your index begins below 0. Add height - 1 to the row offset and width - 1 to the column offset: NumPy counts
        negative rows from the end of the table."""
        down, across = _offsets(height, width)
        return down * (2 * width - 1) + across

    def only_rows_moved_up(height, width):
        """You leave the column offset negative for some keys. Add width - 1 to it."""
        return _index(height, width) - (width - 1)

    def moved_after_multiplying(height, width):
        """You add height - 1 after the multiplication. Add it to the row offset first, then multiply by 2 * width -
        1."""
        down, across = _offsets(height, width)
        return down * (2 * width - 1) + height - 1 + (across + width - 1)

    def moved_one_too_far(height, width):
        """You add height and width to the offsets, which is 1 too much. The smallest offsets are -(height - 1) and
        -(width - 1), so add height - 1 and width - 1."""
        down, across = _offsets(height, width)
        return (down + height) * (2 * width - 1) + (across + width)

    def moves_swapped(height, width):
        """You swap height - 1 and width - 1. Add height - 1 to the row offset and width - 1 to the column offset."""
        down, across = _offsets(height, width)
        return (down + width - 1) * (2 * width - 1) + (across + height - 1)

    def columns_first(height, width):
        """You read the table column by column. The row offset is the slow one: multiply it by 2 * width - 1 and add the
        column offset."""
        down, across = _offsets(height, width)
        return (across + width - 1) * (2 * height - 1) + (down + height - 1)

    def numbered_down_the_columns(height, width):
        """You number the patches column by column. Number them row by row: the row of a patch is its number // width,
        the column is the remainder."""
        columns, rows = np.divmod(np.arange(height * width), height)
        down, across = rows[:, None] - rows, columns[:, None] - columns
        return (down + height - 1) * (2 * width - 1) + (across + width - 1)

    def height_and_width_swapped(height, width):
        """You swap height and width. The window has `height` rows of `width` patches each."""
        return _index(width, height)

    def without_signs(height, width):
        """You leave out the signs of the offsets, so left and right look the same. Do not take absolute values."""
        down, across = _offsets(height, width)
        return np.abs(down) * width + np.abs(across)

    def signs_lost_before_moving(height, width):
        """You drop the signs of the offsets before you add height - 1 and width - 1, so left and right look the same.
        Do not take absolute values."""
        down, across = map(np.abs, _offsets(height, width))
        return (down + height - 1) * (2 * width - 1) + (across + width - 1)

    def rows_cycle_too(height, width):
        """You change the row with every patch, like the column. Keep the row the same for `width` patches: it is the
        number of the patch // width."""
        rows, columns = np.tile(np.arange(height), width), np.tile(np.arange(width), height)
        down, across = rows[:, None] - rows, columns[:, None] - columns
        return (down + height - 1) * (2 * width - 1) + (across + width - 1)

    def divided_by_the_height(height, width):
        """You divide the patch number by the height. A row has `width` patches, so divide by the width: the quotient is
        the row, the remainder the column."""
        rows, columns = np.divmod(np.arange(height * width), height)
        down, across = rows[:, None] - rows, columns[:, None] - columns
        return (down + height - 1) * (2 * width - 1) + (across + width - 1)

    def counts_from_one(height, width):
        """Your index is 1 too large. The first offset has index 0: add width - 1 to the column offset, not width, and
        add nothing to the result."""
        return _index(height, width) + 1

    def from_the_end(height, width):
        """You take key minus query for the rows only, so the window is upside down. Take the query minus the key in
        both directions."""
        down, across = _offsets(height, width)
        return (height - 1 - down) * (2 * width - 1) + (across + width - 1)

    def small_integers(height, width):
        """You store the index in 8-bit integers, which overflow above 255. Use the default integer type of NumPy."""
        return _index(height, width).astype(np.uint8)

    def signed_bytes(height, width):
        """You store the index in 8-bit integers with a sign, which overflow above 127. Use the default integer type of
        NumPy."""
        return _index(height, width).astype(np.int8)

    def two_numbers_per_pair(height, width):
        """You return two numbers for each pair. Combine both offsets into one index, with shape (n, n)."""
        down, across = _offsets(height, width)
        return np.stack([down + height - 1, across + width - 1], axis=-1)

    def as_the_window(height, width):
        """You leave queries and keys laid out as the window. List the patches in one axis each, with shape (height *
        width, height * width)."""
        return _index(height, width).reshape(height, width, height, width)

    def in_one_line(height, width):
        """Your index is in one line, as the buffer of the released code. Return shape (n, n): queries, then keys."""
        return _index(height, width).ravel()


class window_bias:
    def heads_last(table, height, width):
        """Your heads are on the last axis, where `table[index]` leaves them. Move them to the front: (H, n, n)."""
        return table[_index(height, width)]

    def reshaped_to_heads_first(table, height, width):
        """You bring the heads to the front with `reshape`. It keeps the order of the numbers in memory, so it mixes
        heads and patches. Move the axis instead, with `np.moveaxis`."""
        return table[_index(height, width)].reshape(table.shape[1], height * width, height * width)

    def queries_and_keys_swapped(table, height, width):
        """You swap queries and keys, and so left and right. The offset is query minus key, and the order of the axes is
        heads, queries, keys. `.T` reverses all three axes."""
        return table[_index(height, width)].T

    def table_misread(table, height, width):
        """You read the table as if it had one row per head. It has one row per offset and one column per head: look up
        rows, then move the heads to the front."""
        return table.reshape(table.shape[1], -1)[:, _index(height, width)]

    def columns_of_offsets_first(table, height, width):
        """You read the table column by column of the grid of offsets. The row offset is the slow one: its factor is 2 *
        width - 1."""
        down, across = _offsets(height, width)
        return _looked_up(table, (across + width - 1) * (2 * height - 1) + (down + height - 1))

    def rows_times_the_height(table, height, width):
        """You multiply the row offset by 2 * height - 1. Multiply it by 2 * width - 1, the number of column offsets. In
        a square window, both are equal."""
        down, across = _offsets(height, width)
        return _looked_up(table, (down + height - 1) * (2 * height - 1) + (across + width - 1))

    def height_and_width_swapped(table, height, width):
        """You swap height and width. The window has `height` rows of `width` patches each."""
        return _looked_up(table, _index(width, height))

    def not_moved_up(table, height, width):
        """Your index begins below 0, and NumPy counts negative rows from the end. Every offset still has a row of its
        own, but not the one it was trained with. Add height - 1 and width - 1 to the offsets."""
        down, across = _offsets(height, width)
        return np.moveaxis(table[down * (2 * width - 1) + across], -1, 0)

    def without_signs(table, height, width):
        """You leave out the signs of the offsets, so left and right read the same number. Do not take absolute
        values."""
        down, across = map(np.abs, _offsets(height, width))
        return _looked_up(table, (down + height - 1) * (2 * width - 1) + (across + width - 1))

    def one_line_of_patches(table, height, width):
        """You read the table with the difference of the patch numbers, as in a text. Use the offsets of rows and
        columns."""
        patches = np.arange(height * width)
        return _looked_up(table, patches[:, None] - patches + len(table) // 2)

    def square_assumed(table, height, width):
        """You compute the sides of the window from the number of rows of the table, as if it were a square. Use
        `height` and `width`."""
        side = (int(len(table) ** 0.5) + 1) // 2
        rows, columns = np.divmod(np.arange(height * width), side)
        down, across = rows[:, None] - rows, columns[:, None] - columns
        return _looked_up(table, (down + side - 1) * (2 * side - 1) + (across + side - 1))

    def numbered_down_the_columns(table, height, width):
        """You number the patches column by column. Number them row by row: the row of a patch is its number // width,
        the column is the remainder."""
        columns, rows = np.divmod(np.arange(height * width), height)
        down, across = rows[:, None] - rows, columns[:, None] - columns
        return _looked_up(table, (down + height - 1) * (2 * width - 1) + (across + width - 1))

    def first_head_only(table, height, width):
        """You give every head the numbers of the first one. Each head has a column of its own in the table."""
        return _looked_up(table[:, :1].repeat(table.shape[1], axis=1), _index(height, width))

    def heads_averaged(table, height, width):
        """You give every head the mean of all heads. Each head has a column of its own in the table."""
        return _looked_up(table.mean(axis=1, keepdims=True).repeat(table.shape[1], axis=1), _index(height, width))

    def heads_reversed(table, height, width):
        """Your heads are in the opposite order. Head h reads column h of the table."""
        return _looked_up(table, _index(height, width))[::-1]

    def squashed_as_in_swin_v2(table, height, width):
        """Your numbers go through 16 * sigmoid, as in Swin V2. Here they are the numbers of the table themselves."""
        return 16 / (1 + np.exp(-_looked_up(table, _index(height, width))))

    def later_patches_masked(table, height, width):
        """You set keys after the query to -inf. A window has no order to hide: every patch attends to all others, and
        this function masks nothing."""
        n = height * width
        return np.where(np.tri(n, dtype=bool), _looked_up(table, _index(height, width)), -np.inf)

    def a_softmax_too_early(table, height, width):
        """You apply the softmax to the bias. It is applied to the sum of scores and bias, which is not part of this
        kata. Return the numbers of the table."""
        numbers = _looked_up(table, _index(height, width))
        powers = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def cut_to_integers(table, height, width):
        """You cut the numbers to whole numbers. Keep the fractions: do not store the result in an integer array."""
        return _looked_up(table, _index(height, width)).astype(int)

    def half_precision(table, height, width):
        """You round the numbers to half precision (float16). Keep the precision of the table."""
        return _looked_up(table, _index(height, width)).astype(np.float16).astype(table.dtype)

    def a_batch_axis_in_front(table, height, width):
        """You return an extra axis of length 1 in front, as in the released code. Return shape (H, n, n)."""
        return _looked_up(table, _index(height, width))[None]

    def as_the_window(table, height, width):
        """You leave queries and keys laid out as the window. List the patches in one axis each, with shape (H, n,
        n)."""
        return _looked_up(table, _index(height, width)).reshape(-1, height, width, height, width)


class log_offsets:
    def without_logarithm(height, width):
        """You scale the offsets, but leave out the logarithm. Return sign(t) * log2(1 + |t|) / 3."""
        return _both(height, width)

    def evenly_scaled(height, width):
        """Your steps between neighbours are all equal. Take the logarithm: sign(t) * log2(1 + |t|) / 3."""
        return _both(height, width, 1)

    def natural_logarithm(height, width):
        """You take the natural logarithm. Take log2, or divide by the natural logarithm of 8 instead of by 3."""
        t = _both(height, width)
        return np.sign(t) * np.log1p(np.abs(t)) / 3

    def as_in_the_paper(height, width):
        """You use the paper's formula, sign(x) * log(1 + |x|) of the bare offset x. The released models scale the
        offset first: t = 8 * x / (size - 1), then sign(t) * log2(1 + |t|) / 3."""
        x = np.stack(np.meshgrid(np.arange(1 - height, height), np.arange(1 - width, width), indexing="ij"), axis=-1)
        return np.sign(x) * np.log1p(np.abs(x))

    def not_divided_by_three(height, width):
        """You leave out the division by 3, which is log2(8)."""
        return 3 * _logarithms(_both(height, width))

    def divided_by_the_largest(height, width):
        """You divide by log2(9), so the farthest coordinate is exactly 1. The released code divides by log2(8) = 3, and
        the farthest is a little more than 1."""
        return _logarithms(_both(height, width)) * 3 / np.log2(9)

    def scaled_to_seven(height, width):
        """You scale the offsets to -7..7, so the farthest coordinate is exactly 1. Scale them to -8..8: the released
        code does, and the farthest coordinate is a little more than 1."""
        return _logarithms(_both(height, width, 7))

    def divided_by_eight(height, width):
        """You divide the logarithm by 8. Divide it by log2(8) = 3."""
        return _logarithms(_both(height, width)) * 3 / 8

    def eight_forgotten(height, width):
        """You scale the offsets to -1..1. Multiply them by 8 before you take the logarithm."""
        return _logarithms(_both(height, width, 1))

    def eight_outside(height, width):
        """You multiply by 8 after the logarithm. Multiply the scaled offsets by 8 before you take the logarithm."""
        return 8 * _logarithms(_both(height, width, 1))

    def divided_by_the_size(height, width):
        """You divide the offsets by the size of the window. The farthest offset is size - 1, so divide by that."""
        return _stretched(8 * np.arange(1 - height, height) / height, 8 * np.arange(1 - width, width) / width)

    def divided_by_the_number_of_offsets(height, width):
        """You divide the offsets by 2 * size - 1, the number of offsets. Divide by size - 1, the farthest offset."""
        return _stretched(8 * np.arange(1 - height, height) / (2 * height - 1),
                          8 * np.arange(1 - width, width) / (2 * width - 1))

    def bare_offsets(height, width):
        """You do not divide the offsets by size - 1, so the farthest coordinate depends on the window. Divide first."""
        return _stretched(8 * np.arange(1 - height, height), 8 * np.arange(1 - width, width))

    def always_a_window_of_eight(height, width):
        """You divide by 7 in every window, the value for windows of 8. Divide by height - 1 and width - 1."""
        return _stretched(8 * np.arange(1 - height, height) / 7, 8 * np.arange(1 - width, width) / 7)

    def both_by_the_height(height, width):
        """You divide both directions by height - 1. Divide the column offsets by width - 1."""
        return _stretched(_scaled(height), 8 * np.arange(1 - width, width) / (height - 1))

    def both_by_the_longer_side(height, width):
        """You divide both directions by the longer side. Divide each by its own size minus 1."""
        longer = max(height, width) - 1
        return _stretched(8 * np.arange(1 - height, height) / longer, 8 * np.arange(1 - width, width) / longer)

    def sides_swapped(height, width):
        """You swap the divisors. Divide the row offsets by height - 1 and the column offsets by width - 1."""
        return _stretched(8 * np.arange(1 - height, height) / (width - 1),
                          8 * np.arange(1 - width, width) / (height - 1))

    def without_sign(height, width):
        """You leave out the signs, so left and right have the same coordinates. Multiply by sign(t)."""
        return np.abs(_logarithms(_both(height, width)))

    def query_and_key_swapped(height, width):
        """Your offsets run from the largest to the smallest. Start with -(size - 1), the offset that `window_index`
        counts as 0."""
        return -_logarithms(_both(height, width))

    def column_first(height, width):
        """You swap the two coordinates. Put the row coordinate first, then the column coordinate."""
        return _logarithms(_both(height, width))[..., ::-1]

    def rows_along_the_second_axis(height, width):
        """You swap the first two axes: the row offsets belong on the first one. np.meshgrid does this without
        indexing="ij"."""
        return _logarithms(_both(height, width)).swapaxes(0, 1)

    def coordinates_in_front(height, width):
        """You put the axis of the two coordinates first. Put it last: (2 * height - 1, 2 * width - 1, 2)."""
        return np.moveaxis(_logarithms(_both(height, width)), -1, 0)

    def one_row_per_offset(height, width):
        """Your offsets are in one line. Return shape (2 * height - 1, 2 * width - 1, 2)."""
        return _logarithms(_both(height, width)).reshape(-1, 2)

    def a_batch_axis_in_front(height, width):
        """You return an extra axis of length 1 in front, as in the released code. Return shape (2 * height - 1, 2 *
        width - 1, 2)."""
        return _logarithms(_both(height, width))[None]

    def only_to_the_right_and_down(height, width):
        """You leave out the negative offsets. The offsets go from -(size - 1) to size - 1 in both directions."""
        return _logarithms(_both(height, width))[height - 1 :, width - 1 :]

    def whole_offsets(height, width):
        """You cut the scaled offsets to whole numbers, because `//` drops the fraction. Divide with `/`."""
        return _stretched(8 * np.arange(1 - height, height) // (height - 1),
                          8 * np.arange(1 - width, width) // (width - 1))

    def distance_for_both(height, width):
        """You compute both coordinates from the distance of the two patches. Treat rows and columns separately."""
        t = _both(height, width)
        distance = np.sqrt(np.square(t).sum(axis=-1, keepdims=True))
        return np.sign(t) * np.log2(1 + distance) / 3

    def sign_within_the_logarithm(height, width):
        """You take the logarithm of 1 + t, which does not exist for t below -1. Take it of 1 + |t| and multiply by
        sign(t)."""
        t = _both(height, width)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.log2(1 + t) / 3

    def one_forgotten(height, width):
        """You leave out the 1 in the logarithm. Take log2(1 + |t|), which is 0 for t = 0."""
        t = _both(height, width)
        return np.sign(t) * np.log2(np.where(t == 0, 1, np.abs(t))) / 3
