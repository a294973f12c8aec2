"""What a table for the patches of an image has to be: grids worked by hand, laws of rows and columns, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import sinusoids

# height and width, which differ but for three of them
GRIDS = ((2, 5), (5, 2), (3, 3), (1, 7), (7, 1), (6, 12), (12, 6), (1, 1), (14, 14))


# Task 1: where each patch is

@pytest.mark.task(1)
def test_two_rows_of_three_patches_and_other_grids_by_hand(kata):
    assert_same(kata.grid_positions(2, 3), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])
    assert_same(kata.grid_positions(width=2, height=3), [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]])
    assert_same(kata.grid_positions(1, 1), [[0, 0]])
    assert_same(kata.grid_positions(2, 2), [[0, 0], [0, 1], [1, 0], [1, 1]])
    assert_same(kata.grid_positions(1, 4), [[0, 0], [0, 1], [0, 2], [0, 3]])
    assert_same(kata.grid_positions(4, 1), [[0, 0], [1, 0], [2, 0], [3, 0]])


@pytest.mark.task(1)
def test_the_number_of_a_patch_counts_the_whole_rows_above_it(kata):
    for height, width in GRIDS:
        positions = np.asarray(kata.grid_positions(height, width)).astype(int)       # (height * width, 2)
        assert_same(positions[:, 0] * width + positions[:, 1], np.arange(height * width))
        assert_same(positions.max(axis=0), [height - 1, width - 1])


test_grids_of_any_size_agree_with_the_reference = checks.starts_afresh(
    1, "grid_positions", lambda rng: [
        *GRIDS, (300, 2), (2, 300), *map(tuple, rng.integers(2, 40, size=(5, 2)).tolist())])


# Task 2: the table

@pytest.mark.task(2)
def test_one_frequency_and_two_by_hand(kata):
    # one frequency, 1: patches (0, 2), (1, 0) and (1, 2) of a grid of 2 x 3
    table = kata.grid_encoding(2, 3, 4)
    assert np.shape(table) == (6, 4)
    assert_same(table[2], [0.0, 1.0, 0.909297426826, -0.416146836547])
    assert_same(table[3], [0.841470984808, 0.540302305868, 0.0, 1.0])
    assert_same(table[5], [0.841470984808, 0.540302305868, 0.909297426826, -0.416146836547])
    # frequencies 1 and 0.1: sines of 2 and 0.2, their cosines, sines of 3 and 0.3, their cosines
    wanted = [
        0.909297426826, 0.198669330795, -0.416146836547, 0.980066577841,
        0.141120008060, 0.295520206661, -0.989992496600, 0.955336489126,
    ]
    assert_same(kata.grid_encoding(3, 4, 8, base=100.0)[11], wanted)
    assert_same(kata.grid_encoding(width=5, height=4, d_model=8, base=100)[13], wanted)


@pytest.mark.task(2)
def test_the_default_base_is_ten_thousand(kata):
    # frequencies 1, 0.1, 0.01 and 0.001; patch (1, 0) of a column
    assert_same(kata.grid_encoding(2, 1, 16)[1], [
        0.841470984808, 0.099833416647, 0.009999833334, 0.000999999833,
        0.540302305868, 0.995004165278, 0.999950000417, 0.999999500000,
        0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0,
    ])


@pytest.mark.task(2)
def test_the_first_patch_is_zeros_and_ones_in_quarters(kata):
    for height, width in GRIDS:
        assert_same(kata.grid_encoding(height, width, 12)[0], [0.0] * 3 + [1.0] * 3 + [0.0] * 3 + [1.0] * 3)


@pytest.mark.task(2)
def test_the_first_half_tells_the_row_and_the_second_the_column(kata):
    for height, width in ((5, 7), (7, 5), (6, 6)):
        image = kata.grid_encoding(height, width, 20).reshape(height, width, 20)
        rows, columns = image[..., :10], image[..., 10:]               # (height, width, 10) each
        assert_same(rows, np.repeat(rows[:, :1], width, axis=1))
        assert_same(columns, np.repeat(columns[:1], height, axis=0))
        side = min(height, width)
        assert_same(rows[:side, 0], columns[0, :side])


@pytest.mark.task(2)
def test_a_line_of_patches_has_the_sinusoids_of_a_text_of_half_the_width(kata):
    for base in (10000.0, 50.0):
        line = sinusoids(np.arange(15), 12, base)                      # (15, 12), sines on even columns
        wanted = np.concatenate([line[:, 0::2], line[:, 1::2]], axis=1)
        still = np.concatenate([np.zeros((15, 6)), np.ones((15, 6))], axis=1)
        assert_same(kata.grid_encoding(15, 1, 24, base), np.concatenate([wanted, still], axis=1))
        assert_same(kata.grid_encoding(1, 15, 24, base), np.concatenate([still, wanted], axis=1))


@pytest.mark.task(2)
def test_a_turned_image_has_the_halves_exchanged(kata):
    upright = kata.grid_encoding(9, 4, 16, base=300.0).reshape(9, 4, 16)
    turned = kata.grid_encoding(4, 9, 16, base=300.0).reshape(4, 9, 16)
    assert_same(turned.swapaxes(0, 1), np.roll(upright, 8, axis=2))


@pytest.mark.task(2)
def test_a_larger_image_begins_with_the_smaller_one(kata):
    larger = kata.grid_encoding(9, 11, 16).reshape(9, 11, 16)
    assert_same(kata.grid_encoding(5, 8, 16), larger[:5, :8].reshape(40, 16))


@pytest.mark.task(2)
def test_no_two_patches_share_a_row_of_the_table(kata):
    table = kata.grid_encoding(8, 13, 16)                              # (104, 16)
    apart = np.abs(table[:, None] - table).max(axis=2) + np.eye(104)
    assert apart.min() > 0.01


@pytest.mark.task(2)
def test_far_patches_are_as_exact_as_near_ones(kata):
    # column 2049, frequencies 1 and 0.01: sines of 2049 and 20.49, their cosines
    wanted = [0.0, 0.0, 1.0, 1.0, 0.630028460151, 0.997575575617, 0.776572043921, -0.069591457328]
    assert_same(kata.grid_encoding(1, 2050, 8)[2049], wanted)


def sizes_and_bases(rng):
    for height, width in (*GRIDS, *rng.integers(2, 20, size=(3, 2)).tolist()):
        yield height, width, 4 * int(rng.integers(1, 12)), float(rng.uniform(20.0, 50000.0))
    yield from ((6, 9, 20, 1.5), (6, 9, 20, 1e7), (513, 1, 16), (2, 513, 16), (14, 14, 768))


test_tables_of_any_size_and_base_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "grid_encoding", sizes_and_bases)
test_every_table_starts_afresh = checks.starts_afresh(
    2, "grid_encoding", [(4, 6, 8), (6, 4, 8), (3, 8, 8), (4, 6, 12), (4, 6, 8, 300.0), (4, 5, 8)])


# Task 3: the map

@pytest.mark.task(3)
def test_maps_of_six_patches_of_one_and_of_one_column_by_hand(kata):
    encoding = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 3.0], [1.0, -1.0], [4.0, 2.0], [0.5, 1.0]])
    assert_same(kata.similarity_map(encoding, 1, 1, 2, 3), [[4.0, 10.0, 6.0], [2.0, 20.0, 4.0]])
    assert_same(kata.similarity_map(encoding, 0, 2, 2, 3), [[0.0, 3.0, 9.0], [-3.0, 6.0, 3.0]])
    # the same table for a grid of 3 x 2, where patch (2, 0) has number 4 and patch (0, 1) number 1
    assert_same(kata.similarity_map(encoding, 2, 0, 3, 2), [[4.0, 10.0], [6.0, 2.0], [20.0, 4.0]])
    assert_same(
        kata.similarity_map(encoding, width=2, height=3, column=1, row=0), [[2.0, 5.0], [3.0, 1.0], [10.0, 2.0]])
    assert_same(kata.similarity_map(np.array([[3.0, -4.0]]), 0, 0, 1, 1), [[25.0]])
    encoding = np.array([[1.5], [-2.0], [0.0], [4.0]])
    assert_same(kata.similarity_map(encoding, 0, 1, 1, 4), [[-3.0, 4.0, 0.0, -8.0]])
    assert_same(kata.similarity_map(encoding, 3, 0, 4, 1), [[6.0], [-8.0], [0.0], [16.0]])
    assert_same(kata.similarity_map(encoding, 1, 0, 2, 2), [[0.0, 0.0], [0.0, 0.0]])


@pytest.mark.task(3)
def test_two_patches_are_equally_similar_both_ways(kata, rng):
    encoding = rng.normal(size=(15, 8))
    for height, width in ((3, 5), (5, 3)):
        maps = np.stack([kata.similarity_map(encoding, row, column, height, width)
                         for row in range(height) for column in range(width)]).reshape(15, 15)
        assert_same(maps, maps.T)
        assert_same(np.diag(maps), np.square(encoding).sum(axis=1))


@pytest.mark.task(3)
def test_each_direction_adds_its_own_similarity(kata, reference):
    # sinusoids: a sum of cosines over the rows apart, and one over the columns apart; itself has half of d_model
    encoding, frequencies = reference.grid_encoding(6, 9, 20), 10000.0 ** (-np.arange(5) / 5)
    for y, x in ((0, 0), (2, 7), (5, 3)):
        rows_apart = np.cos(np.outer(np.arange(6) - y, frequencies)).sum(axis=1)                # (6,)
        columns_apart = np.cos(np.outer(np.arange(9) - x, frequencies)).sum(axis=1)             # (9,)
        found = kata.similarity_map(encoding, y, x, 6, 9)
        assert_same(found, rows_apart[:, None] + columns_apart)
        assert_same(found[y, x], 10.0)


def maps(rng):
    for height, width in (*GRIDS, *rng.integers(2, 20, size=(3, 2)).tolist()):
        lengths = rng.uniform(0.1, 6.0, size=(height * width, 1))      # a patch need not be most similar to itself
        encoding = lengths * rng.normal(size=(height * width, int(rng.integers(2, 30))))
        for row, column in ((height - 1, 0), (0, width - 1), (int(rng.integers(height)), int(rng.integers(width)))):
            yield encoding, row, column, height, width


def equal_sizes(rng):
    for height, width, d in ((3, 3, 9), (4, 4, 4), (2, 6, 12), (12, 1, 12), (1, 12, 1)):
        yield rng.normal(size=(height * width, d)), int(rng.integers(height)), int(rng.integers(width)), height, width


def in_turn(rng):
    one, other = 4.0 * rng.normal(size=(2, 12, 8))
    return [(one, 1, 2, 3, 4), (other, 1, 2, 3, 4), (one, 2, 1, 3, 4), (one, 1, 2, 4, 3), (one, 1, 1, 3, 4),
            (-one, 1, 2, 3, 4), (one[:, :5], 1, 2, 3, 4), (one[::-1], 1, 4, 2, 6)]


test_maps_of_any_grid_agree_with_the_reference = checks.agrees_with_the_reference(3, "similarity_map", maps)
test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(3, "similarity_map", equal_sizes)
test_every_map_starts_afresh = checks.starts_afresh(3, "similarity_map", in_turn)
test_tables_may_be_read_only_views = checks.takes_views(3, "similarity_map", in_turn)
test_tables_may_be_of_single_precision = checks.agrees_with_the_reference(
    3, "similarity_map", lambda rng: [(table.astype(np.float32), *rest) for table, *rest in in_turn(rng)])
test_whole_numbers_give_the_products_of_floats = checks.takes_whole_numbers(
    3, "similarity_map", lambda rng: [(np.rint(table), *rest) for table, *rest in in_turn(rng)])


# Tables and maps

test_table_and_map_are_in_double_precision = checks.are_in_double_precision(
    (2, 3), grid_encoding=[(5, 7, 16)], similarity_map=in_turn)
