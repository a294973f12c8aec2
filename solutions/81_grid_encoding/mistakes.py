"""Wrong answers to 81_grid_encoding; each docstring is what the learner is told."""
import numpy as np


def _positions(height, width):
    return np.indices((height, width)).reshape(2, -1).T                    # (height * width, 2)


# The solution fails for a `d_model` that is no multiple of 4. The grader then does not ask learners for such a table,
# which has another shape in each of their functions.

def _frequencies(d_model, base):
    return base ** (-np.arange(d_model // 4) / (d_model // 4))             # (d_model / 4,)


def _half(numbers, frequencies):
    angles = np.outer(numbers, frequencies)                                # (n, d_model / 4)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)        # (n, d_model / 2)


def _table(positions, frequencies):
    return np.concatenate([_half(numbers, frequencies) for numbers in positions.T], axis=1)


def _right(height, width, d_model, base):
    return _table(_positions(height, width), _frequencies(d_model, base))


def _angles(height, width, d_model, base):
    """Angles of the rows and of the columns of all patches."""
    return [np.outer(numbers, _frequencies(d_model, base)) for numbers in _positions(height, width).T]


def _map(encoding, row, column, height, width):
    return (encoding @ encoding[row * width + column]).reshape(height, width)


class grid_positions:
    def column_first(height, width):
        """You swap the two numbers of each patch. Return its row first, then its column. np.meshgrid(range(width),
        range(height)) gives the columns first."""
        return _positions(height, width)[:, ::-1]

    def numbered_down_the_columns(height, width):
        """You number the patches column by column, from top to bottom. Number them row by row, from left to right: the
        second patch is (0, 1)."""
        return _positions(width, height)[:, ::-1]

    def divided_by_the_height(height, width):
        """You divide the patch number by the height, or swap height and width. The grid has `height` rows of `width`
        patches, so divide by the width: the quotient is the row, the remainder the column."""
        return np.stack(np.divmod(np.arange(height * width), height), axis=1)

    def counts_from_one(height, width):
        """You count rows and columns from 1. Count them from 0: the first patch is (0, 0)."""
        return _positions(height, width) + 1

    def rows_cycle_too(height, width):
        """You change the row with every patch, like the column. Keep the row the same for `width` patches: repeat each
        row number, and tile the column numbers."""
        return np.stack([np.tile(np.arange(height), width), np.tile(np.arange(width), height)], axis=1)

    def columns_repeated_too(height, width):
        """You repeat each column number like the row numbers. Let the columns run from 0 to width - 1 in every row:
        repeat the row numbers, but tile the column numbers."""
        return np.stack([np.repeat(np.arange(height), width), np.repeat(np.arange(width), height)], axis=1)

    def back_and_forth(height, width):
        """You number every second row from right to left. Number each row from left to right."""
        rows, columns = _positions(height, width).T
        return np.stack([rows, np.where(rows % 2 == 1, width - 1 - columns, columns)], axis=1)

    def scaled_to_one(height, width):
        """You scale rows and columns to 0..1, so neighbours are closer in a large image. Return the whole numbers."""
        return _positions(height, width) / np.maximum([height - 1, width - 1], 1)

    def from_the_middle(height, width):
        """You count rows and columns from the middle of the image. Count them from the first patch, (0, 0)."""
        return _positions(height, width) - np.array([height // 2, width // 2])

    def from_the_bottom(height, width):
        """You count the rows from the bottom, as in a plot. Count them from the top: patch 0 is in row 0."""
        return _positions(height, width) * [-1, 1] + [height - 1, 0]

    def square_assumed(height, width):
        """You take the root of the number of patches as the length of a row. A row has `width` patches, in any grid."""
        return np.stack(np.divmod(np.arange(height * width), int((height * width) ** 0.5)), axis=1)

    def small_integers(height, width):
        """You store rows and columns as 8-bit integers, which overflow in a large grid. Use the default integer type of
        NumPy."""
        return _positions(height, width).astype(np.uint8)

    def signed_bytes(height, width):
        """You store rows and columns as 8-bit integers with a sign, which overflow above 127. Use the default integer
        type of NumPy."""
        return _positions(height, width).astype(np.int8)

    def transposed(height, width):
        """You put the two coordinates on the first axis. Return one row per patch, with shape (height * width, 2)."""
        return _positions(height, width).T

    def as_the_image(height, width):
        """You leave the patches laid out as the image. List them in one axis, with shape (height * width, 2)."""
        return _positions(height, width).reshape(height, width, 2)


class grid_encoding:
    def halves_exchanged(height, width, d_model, base=10000.0):
        """You exchange the halves: your first half is for the column, as in the released code of MAE. Put the row's
        sines and cosines first, then the column's."""
        return np.roll(_right(height, width, d_model, base), d_model // 2, axis=1)

    def sines_and_cosines_alternate(height, width, d_model, base=10000.0):
        """You alternate sines and cosines within each half, as in kata 21. Put all sines of a half before its cosines,
        a quarter of the columns each."""
        waves = [np.stack([np.sin(a), np.cos(a)], axis=-1) for a in _angles(height, width, d_model, base)]
        return np.concatenate(waves, axis=1).reshape(height * width, d_model)

    def sines_of_both_first(height, width, d_model, base=10000.0):
        """You put the sines of row and column first, then the cosines of both. Put the quarters in the order sines of
        the row, cosines of the row, sines of the column, cosines of the column."""
        down, across = _angles(height, width, d_model, base)
        return np.concatenate([np.sin(down), np.sin(across), np.cos(down), np.cos(across)], axis=1)

    def cosines_first(height, width, d_model, base=10000.0):
        """You begin each half with its cosines. Put the sines first: the row of patch 0 begins with zeros."""
        down, across = _angles(height, width, d_model, base)
        return np.concatenate([np.cos(down), np.sin(down), np.cos(across), np.sin(across)], axis=1)

    def rows_and_columns_alternate(height, width, d_model, base=10000.0):
        """You alternate table columns for the row and for the column of the patch. Put all numbers of the row into the
        first half of the table."""
        halves = np.split(_right(height, width, d_model, base), 2, axis=1)
        return np.stack(halves, axis=-1).reshape(height * width, d_model)

    def exponent_of_the_whole_width(height, width, d_model, base=10000.0):
        """Your exponent is 2i / d_model, as in kata 21. Row and column have half of the columns each, so use i /
        (d_model / 4). Otherwise the slow half of the frequencies is missing."""
        return _table(_positions(height, width), _frequencies(d_model, base) ** 0.5)

    def exponent_over_all_columns(height, width, d_model, base=10000.0):
        """Your exponent is i / d_model, so all frequencies are fast. Divide i by the number of frequencies, which is
        d_model / 4."""
        return _table(_positions(height, width), _frequencies(d_model, base) ** 0.25)

    def exponent_doubled(height, width, d_model, base=10000.0):
        """Your exponent is twice as large as it should be. Use i / (d_model / 4), without another factor 2."""
        return _table(_positions(height, width), _frequencies(d_model, base) ** 2)

    def endpoint_included(height, width, d_model, base=10000.0):
        """You divide i by d_model / 4 - 1, as SimpleViT does, so the slowest frequency is exactly 1 / base. Divide by
        d_model / 4."""
        return _table(_positions(height, width), base ** (-np.arange(d_model // 4) / max(d_model // 4 - 1, 1)))

    def base_fixed(height, width, d_model, base=10000.0):
        """You use base 10000 in every call. Use the argument `base`."""
        return _right(height, width, d_model, 10000.0)

    def power_not_divided(height, width, d_model, base=10000.0):
        """You leave out the minus sign of the exponent, so the frequencies grow. Use base ** (-i / (d_model / 4))."""
        return _table(_positions(height, width), 1 / _frequencies(d_model, base))

    def exponent_cut(height, width, d_model, base=10000.0):
        """You cut the exponent to 0 with `//`, so all frequencies are 1. Divide with `/`."""
        return _table(_positions(height, width), np.ones(d_model // 4))

    def frequencies_rising(height, width, d_model, base=10000.0):
        """You put the slowest frequency into the first column of each quarter. Put the fastest one first: frequency i
        is base ** (-i / (d_model / 4))."""
        return _table(_positions(height, width), _frequencies(d_model, base)[::-1])

    def one_line_of_patches(height, width, d_model, base=10000.0):
        """You make both halves from the patch number, as if the patches were words of a text. Use the row of the patch
        in the first half and its column in the second."""
        return _table(np.arange(height * width)[:, None].repeat(2, axis=1), _frequencies(d_model, base))

    def row_twice(height, width, d_model, base=10000.0):
        """You make both halves from the row, so all patches of a row look alike. Use the column of the patch in the
        second half."""
        return _table(_positions(height, width)[:, [0, 0]], _frequencies(d_model, base))

    def column_twice(height, width, d_model, base=10000.0):
        """You make both halves from the column, so all patches of a column look alike. Use the row of the patch in the
        first half."""
        return _table(_positions(height, width)[:, [1, 1]], _frequencies(d_model, base))

    def numbered_down_the_columns(height, width, d_model, base=10000.0):
        """Your table lists the patches column by column. List them row by row: patch 1 is beside patch 0. With
        np.meshgrid, indexing="ij" needs the rows as its first argument."""
        return _table(_positions(width, height)[:, ::-1], _frequencies(d_model, base))

    def rows_cycle_too(height, width, d_model, base=10000.0):
        """You change the row with every patch, like the column. Keep the row the same for `width` patches: repeat each
        row number, and tile the column numbers."""
        rows, columns = np.tile(np.arange(height), width), np.tile(np.arange(width), height)
        return _table(np.stack([rows, columns], axis=1), _frequencies(d_model, base))

    def columns_repeated_too(height, width, d_model, base=10000.0):
        """You repeat each column number like the row numbers. Let the columns run from 0 to width - 1 in every row:
        repeat the row numbers, but tile the column numbers."""
        rows, columns = np.repeat(np.arange(height), width), np.repeat(np.arange(width), height)
        return _table(np.stack([rows, columns], axis=1), _frequencies(d_model, base))

    def height_and_width_swapped(height, width, d_model, base=10000.0):
        """You swap height and width. The image has `height` rows of `width` patches each."""
        return _right(width, height, d_model, base)

    def square_assumed(height, width, d_model, base=10000.0):
        """You make the grid a square, with the root of the number of patches as its side. Use `height` and `width`: an
        image of 8 x 32 patches is not one of 16 x 16."""
        positions = np.stack(np.divmod(np.arange(height * width), int((height * width) ** 0.5)), axis=1)
        return _table(positions, _frequencies(d_model, base))

    def added_instead_of_joined(height, width, d_model, base=10000.0):
        """You add a table of the rows and a table of the columns, so patches (2, 3) and (3, 2) look alike. Give each
        direction half of the columns and join the halves."""
        slow = base ** (-np.arange(d_model // 2) / (d_model // 2))
        return sum(_half(numbers, slow) for numbers in _positions(height, width).T)

    def starts_at_one(height, width, d_model, base=10000.0):
        """You count rows and columns from 1. Count from 0: every angle of patch 0 is 0."""
        return _table(_positions(height, width) + 1, _frequencies(d_model, base))

    def from_the_middle(height, width, d_model, base=10000.0):
        """You count rows and columns from the patch in the middle of the image. Count them from the first patch: every
        angle of patch 0 is 0."""
        return _table(_positions(height, width) - [height // 2, width // 2], _frequencies(d_model, base))

    def from_the_centre(height, width, d_model, base=10000.0):
        """You count rows and columns from the centre of the image, so some end in one half. Count them from the first
        patch: every angle of patch 0 is 0."""
        return _table(_positions(height, width) - [(height - 1) / 2, (width - 1) / 2], _frequencies(d_model, base))

    def scaled_to_one(height, width, d_model, base=10000.0):
        """You scale rows and columns to 0..1, so the table of a small image is not part of the table of a larger one.
        Use the whole numbers 0, 1, 2, ..."""
        positions = _positions(height, width) / np.maximum([height - 1, width - 1], 1)
        return _table(positions, _frequencies(d_model, base))

    def stretched_to_sixteen(height, width, d_model, base=10000.0):
        """You multiply rows and columns by 16 / height and 16 / width, as some image generators do with a base size of
        16. Use the whole numbers 0, 1, 2, ..."""
        positions = _positions(height, width) * np.array([16 / height, 16 / width])
        return _table(positions, _frequencies(d_model, base))

    def degrees(height, width, d_model, base=10000.0):
        """You convert the angles from degrees to radians. Position times frequency is already in radians, so leave out
        the conversion."""
        return _table(_positions(height, width), np.radians(_frequencies(d_model, base)))

    def only_sines(height, width, d_model, base=10000.0):
        """You make the second and the fourth quarter sines too. Put cosines there."""
        down, across = _angles(height, width, d_model, base)
        return np.concatenate([np.sin(down), np.sin(down), np.sin(across), np.sin(across)], axis=1)

    def half_precision_angles(height, width, d_model, base=10000.0):
        """You compute the angles in half precision (float16), which is too coarse for them. Use float64."""
        return _table(_positions(height, width).astype(np.float16), _frequencies(d_model, base).astype(np.float16))

    def class_token_first(height, width, d_model, base=10000.0):
        """You put a row of zeros for a class token in front. Return one row per patch and no other."""
        return np.pad(_right(height, width, d_model, base), ((1, 0), (0, 0)))

    def as_the_image(height, width, d_model, base=10000.0):
        """You leave the patches laid out as the image. List them in one axis, with shape (height * width, d_model)."""
        return _right(height, width, d_model, base).reshape(height, width, d_model)

    def transposed(height, width, d_model, base=10000.0):
        """You swap rows and columns of the table. Return one row per patch, with shape (height * width, d_model)."""
        return _right(height, width, d_model, base).T


class similarity_map:
    def rows_times_the_height(encoding, row, column, height, width):
        """You look up patch row * height + column. A row of the grid has `width` patches, so the number of the patch is
        row * width + column."""
        return (encoding @ encoding[row * height + column]).reshape(height, width)

    def row_and_column_swapped(encoding, row, column, height, width):
        """You swap row and column of the patch. Look up row * width + column."""
        return (encoding @ encoding[column * width + row]).reshape(height, width)

    def image_indexed_by_the_column(encoding, row, column, height, width):
        """You swap row and column where you index the image. It has shape (height, width, d), so the row comes first:
        [row, column]."""
        image = encoding.reshape(height, width, -1)
        return image @ image[column, row]

    def swapped_and_wrapped(encoding, row, column, height, width):
        """You swap row and column of the patch, and a remainder hides that some numbers are too large. Look up row *
        width + column, without a remainder."""
        return (encoding @ encoding[(column * width + row) % len(encoding)]).reshape(height, width)

    def counted_down_the_columns(encoding, row, column, height, width):
        """You look up patch column * height + row, as if the patches were numbered column by column. They are numbered
        row by row: row * width + column."""
        return (encoding @ encoding[column * height + row]).reshape(height, width)

    def laid_down_by_columns(encoding, row, column, height, width):
        """You lay the products out column by column. Lay them out row by row, as the patches are numbered:
        reshape(height, width)."""
        return (encoding @ encoding[row * width + column]).reshape(width, height).T

    def turned_on_its_side(encoding, row, column, height, width):
        """You swap the rows and columns of the map. Return shape (height, width)."""
        return _map(encoding, row, column, height, width).T

    def shape_swapped(encoding, row, column, height, width):
        """You cut the map into rows of the wrong length. Use reshape(height, width): `height` rows of `width` patches
        each."""
        return (encoding @ encoding[row * width + column]).reshape(width, height)

    def upside_down(encoding, row, column, height, width):
        """Your map is upside down. Row 0 of the image is the first row of the array."""
        return _map(encoding, row, column, height, width)[::-1]

    def left_in_a_line(encoding, row, column, height, width):
        """Your products are right, but in one line. Lay them out as the image, with shape (height, width)."""
        return encoding @ encoding[row * width + column]

    def cosines(encoding, row, column, height, width):
        """You return cosines, because you divide the products by the norms of both rows. Return the dot products
        themselves."""
        unit = encoding / np.maximum(np.linalg.norm(encoding, axis=1, keepdims=True), 1e-12)
        return _map(unit, row, column, height, width)

    def one_norm_divided(encoding, row, column, height, width):
        """You divide the products by the norm of the patch itself. Return the dot products without a division."""
        norm = np.linalg.norm(encoding[row * width + column])
        return _map(encoding, row, column, height, width) / max(norm, 1e-12)

    def divided_by_itself(encoding, row, column, height, width):
        """You scale the map so that the patch itself has 1. Return the dot products without a division."""
        found = _map(encoding, row, column, height, width)
        return found / max(found[row, column], 1e-12)

    def divided_by_the_root(encoding, row, column, height, width):
        """You divide the products by the root of the width of the table, as scores are. Return the dot products
        themselves."""
        return _map(encoding, row, column, height, width) / np.sqrt(encoding.shape[1])

    def mean_instead_of_sum(encoding, row, column, height, width):
        """You divide the products by the number of columns of the table. A dot product is the sum of the products, not
        their mean."""
        return _map(encoding, row, column, height, width) / encoding.shape[1]

    def centred_first(encoding, row, column, height, width):
        """You subtract the mean row from the table first. Take the dot products of the rows as they are."""
        return _map(encoding - encoding.mean(axis=0), row, column, height, width)

    def distances(encoding, row, column, height, width):
        """You return distances between rows. Return dot products, which are largest for similar patches."""
        apart = encoding - encoding[row * width + column]
        return np.sqrt(np.square(apart).sum(axis=1)).reshape(height, width)

    def weights(encoding, row, column, height, width):
        """You apply a softmax to the products. Return the dot products themselves."""
        found = _map(encoding, row, column, height, width)
        powers = np.exp(found - found.max())
        return powers / powers.sum()

    def without_sign(encoding, row, column, height, width):
        """You leave out the signs, so opposite rows look similar. Do not take the absolute value."""
        return np.abs(_map(encoding, row, column, height, width))

    def always_the_first_patch(encoding, row, column, height, width):
        """You always return the map of the first patch. Use the arguments `row` and `column`."""
        return _map(encoding, 0, 0, height, width)

    def row_plus_column(encoding, row, column, height, width):
        """You look up patch row + column. Multiply the row by the width first: row * width + column."""
        return (encoding @ encoding[row + column]).reshape(height, width)

    def column_ignored(encoding, row, column, height, width):
        """You return the map of the first patch of the row. Add the column: row * width + column."""
        return _map(encoding, row, 0, height, width)

    def place_counted_from_one(encoding, row, column, height, width):
        """You treat `row` and `column` as if they were counted from 1. They count from 0, so subtract nothing."""
        return _map(encoding, row - 1, column - 1, height, width)

    def cut_to_integers(encoding, row, column, height, width):
        """You cut the products to whole numbers. Keep the fractions: do not store them in an integer array."""
        return _map(encoding, row, column, height, width).astype(int)

    def writes_into_the_table(encoding, row, column, height, width):
        """You write the products into the table itself, for example with `encoding *= ...`. Write them into a new
        array."""
        found = _map(encoding, row, column, height, width)
        if encoding.flags.writeable:
            encoding *= encoding[row * width + column].copy()
        return found
