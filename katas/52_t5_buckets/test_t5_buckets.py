"""What T5's buckets have to be: edges worked by hand, laws of direction and distance, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

# first and last distance of the eight far buckets a direction, of 32 in all: the edges are 8 * 16 ** (k / 8),
# 8, 11.3, 16, 22.6, 32, 45.3, 64 and 90.5; 16, 32 and 64 themselves are left to rounding
BEGIN, END = np.array([8, 12, 17, 23, 33, 46, 65, 91]), np.array([11, 15, 22, 31, 45, 63, 90, 10**6])
# the same of the sixteen far ones in one direction, whose edges are 16 * 8 ** (k / 16)
ALONE = np.array([16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113])
# bidirectional, num_buckets, max_distance: here no distance beyond m is on an edge, and rounding leaves m on its own
SIZES = (
    (True, 32, 100), (True, 16, 77), (True, 10, 40), (True, 6, 23), (True, 26, 150), (True, 30, 90), (True, 4, 9),
    (True, 32, 20), (False, 32, 128), (False, 32, 120), (False, 16, 77), (False, 13, 47), (False, 9, 40),
    (False, 15, 70), (False, 27, 60), (False, 2, 10), (False, 32, 20),
)


def numbered(num_buckets, n_heads):
    """A table whose entries tell their bucket and, in steps of 100, their head."""
    return np.arange(num_buckets)[:, None] + 100.0 * np.arange(n_heads)


# Task 1: direction, and a bucket for every near distance

@pytest.mark.task(1)
def test_near_keys_by_hand(kata):
    wanted = [7, 6, 5, 4, 3, 2, 1, 0, 17, 18, 19, 20, 21, 22, 23]
    assert_same(kata.relative_position_bucket(np.arange(-7, 8)), wanted)
    # in one direction: sixteen near buckets, and bucket 0 for whatever is not before the query
    positions = np.array([-15, -14, -9, -8, -7, -2, -1, 0, 1, 2, 7, 8, 20, 300])
    wanted = [15, 14, 9, 8, 7, 2, 1, 0, 0, 0, 0, 0, 0, 0]
    assert_same(kata.relative_position_bucket(positions, bidirectional=False), wanted)


@pytest.mark.task(1)
def test_the_number_of_buckets_sets_where_the_upper_half_begins(kata):
    near = np.array([-2, -1, 0, 1, 2])
    assert_same(kata.relative_position_bucket(near, num_buckets=12), [2, 1, 0, 7, 8])
    assert_same(kata.relative_position_bucket(near, True, 64), [2, 1, 0, 33, 34])
    assert_same(kata.relative_position_bucket(near, False, 7), [2, 1, 0, 0, 0])


@pytest.mark.task(1)
def test_buckets_keep_the_shape_of_the_positions(kata):
    wanted = np.array([[[0, 17], [18, 0], [3, 3]], [[21, 1], [0, 22], [6, 23]]])
    positions = np.array([[[0, 1], [2, 0], [-3, -3]], [[5, -1], [0, 6], [-6, 7]]])
    assert_same(kata.relative_position_bucket(positions), wanted)
    assert_same(kata.relative_position_bucket(positions[1:, :1, :1]), [[[21]]])


# Task 2: far keys

@pytest.mark.task(2)
def test_far_keys_by_hand(kata):
    for ends in (BEGIN, END):
        assert_same(kata.relative_position_bucket(-ends), [8, 9, 10, 11, 12, 13, 14, 15])
        assert_same(kata.relative_position_bucket(ends), [24, 25, 26, 27, 28, 29, 30, 31])
    assert_same(kata.relative_position_bucket(-ALONE, bidirectional=False), np.arange(16, 32))
    assert_same(kata.relative_position_bucket(1 - ALONE, bidirectional=False), np.arange(15, 31))


@pytest.mark.task(2)
def test_all_from_the_last_edge_on_share_the_last_bucket(kata):
    far = np.array([10**6, 91, 126, 127, 128, 129, 130, 181, 256, 1000, 65540])
    assert_same(kata.relative_position_bucket(-far), np.full(11, 15))
    assert_same(kata.relative_position_bucket(far), np.full(11, 31))
    assert_same(kata.relative_position_bucket(-far[2:], False), np.full(9, 31))


@pytest.mark.task(2)
def test_max_distance_moves_the_far_edges_by_hand(kata):
    # 8 * 12.5 ** (k / 8): 8, 10.97, 15.04, 20.6, 28.3, 38.8, 53.2 and 72.9
    begin = np.array([8, 11, 16, 21, 29, 39, 54, 73])
    assert_same(kata.relative_position_bucket(-begin, max_distance=100), [8, 9, 10, 11, 12, 13, 14, 15])
    assert_same(kata.relative_position_bucket(begin[1:] - 1, max_distance=100), [24, 25, 26, 27, 28, 29, 30])
    # 8 * 125 ** (k / 8): 8, 14.6, 26.7, 48.9, 89.4, 163.5, 299.07 and 546.9
    begin = np.array([8, 15, 27, 49, 90, 164, 300, 547])
    assert_same(kata.relative_position_bucket(begin, True, 32, 1000), [24, 25, 26, 27, 28, 29, 30, 31])
    # all edges but the first lie between 8 and 9
    assert_same(kata.relative_position_bucket(np.array([-7, -8, -9, 9]), max_distance=9), [7, 8, 15, 31])
    # one direction, 16 * 1.25 ** (k / 16): edge 4 is 16.9, edge 8 is 17.9, edge 12 is 18.9 and edge 15 is 19.7
    near = np.array([-15, -16, -17, -18, -19, -20, -40])
    assert_same(kata.relative_position_bucket(near, False, 32, 20), [15, 16, 20, 24, 28, 31, 31])


@pytest.mark.task(2)
def test_an_odd_half_has_one_far_bucket_more(kata):
    # five a direction, two of them near: edges 2, 5.4, 14.7
    far = np.array([2, 5, 6, 14, 15, 40])
    assert_same(kata.relative_position_bucket(-far, num_buckets=10, max_distance=40), [2, 2, 3, 3, 4, 4])
    assert_same(kata.relative_position_bucket(far, num_buckets=10, max_distance=40), [7, 7, 8, 8, 9, 9])
    # nine, four of them near: edges 4, 6.3, 10.05, 15.9, 25.2
    far = np.array([3, 4, 6, 7, 10, 11, 15, 16, 25, 26, 41])
    assert_same(kata.relative_position_bucket(-far, False, 9, 40), [3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8])


@pytest.mark.task(2)
def test_five_hundred_buckets_by_hand(kata):
    # 256 a direction, 128 of them near; the last begins at 128 * 7.8125 ** (127 / 128) = 984.1
    positions, wanted = np.array([1, 127, 128, 984, 985, 2000]), np.array([1, 127, 128, 254, 255, 255])
    assert_same(kata.relative_position_bucket(-positions, True, 512, 1000), wanted)
    assert_same(kata.relative_position_bucket(positions, True, 512, 1000), wanted + 256)


@pytest.mark.task(2)
def test_the_smallest_numbers_of_buckets_by_hand(kata):
    positions = np.array([-30, -9, -4, -3, -1, 0, 1, 3, 4, 30])
    assert_same(kata.relative_position_bucket(positions, True, 4, 9), [1, 1, 1, 1, 1, 0, 3, 3, 3, 3])
    assert_same(kata.relative_position_bucket(positions, False, 2, 10), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    assert_same(kata.relative_position_bucket(positions, False, 3, 10), [2, 2, 2, 1, 1, 0, 0, 0, 0, 0])
    assert_same(kata.relative_position_bucket(positions, True, 6, 10), [2, 2, 2, 1, 1, 0, 4, 4, 5, 5])


@pytest.mark.task(2)
def test_only_the_first_of_the_upper_half_stays_empty(kata):
    for bidirectional, num_buckets, max_distance in SIZES:
        if max_distance > 2 * num_buckets:                             # every far bucket has a distance
            positions = np.arange(-2 * max_distance, 2 * max_distance)
            buckets = kata.relative_position_bucket(positions, bidirectional, num_buckets, max_distance)
            wanted = np.delete(np.arange(num_buckets), [num_buckets // 2] if bidirectional else [])
            assert_same(np.unique(buckets), wanted)


@pytest.mark.task(2)
def test_the_upper_half_mirrors_the_lower_one(kata):
    distances = np.arange(1, 301)
    for sizes in SIZES[:8]:
        before, after = (np.asarray(kata.relative_position_bucket(positions, *sizes)).astype(int)
                         for positions in (-distances, distances))
        assert_same(after, before + sizes[1] // 2)
        assert (np.diff(before) >= 0).all()


@pytest.mark.task(2)
def test_one_direction_is_the_lower_half_of_twice_as_many(kata):
    positions = np.arange(-300, 1)
    for num_buckets, max_distance in ((16, 100), (13, 150), (8, 77), (5, 40), (3, 23), (2, 9)):
        wanted = kata.relative_position_bucket(positions, True, 2 * num_buckets, max_distance)
        assert_same(kata.relative_position_bucket(positions, False, num_buckets, max_distance), wanted)


def all_distances(rng):
    positions = np.arange(-300, 301)
    for bidirectional, num_buckets, max_distance in SIZES:
        yield {"relative_position": rng.permutation(positions)[1:].reshape(5, 12, 10), "bidirectional": bidirectional,
               "num_buckets": num_buckets, "max_distance": max_distance}
    yield (rng.permutation(positions[~np.isin(np.abs(positions), [16, 32, 64])]),)     # rounding decides those


def some_distances(rng):
    positions = rng.integers(-300, 301, size=(12, 10))
    return [(positions, True, 16, 77), (positions.astype(np.int32), True, 16, 77)]


FAR = np.arange(-200, 201)
test_all_distances_up_to_300_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "relative_position_bucket", all_distances)
test_positions_of_any_layout_are_read = checks.takes_views(2, "relative_position_bucket", some_distances)
test_every_call_starts_afresh = checks.starts_afresh(2, "relative_position_bucket", [
    (FAR, True, 32, 120), (FAR, False, 32, 120), (FAR, True, 16, 120), (FAR, True, 32, 150), (-FAR, True, 32, 120)])


# Task 3: the bias

@pytest.mark.task(3)
def test_two_queries_and_nine_keys_by_hand(kata):
    # eight buckets, four a direction: 0, 1, 2 to 6 (2 * sqrt(10) = 6.3), more; queries at positions 7 and 8
    buckets = np.array([[3, 2, 2, 2, 2, 2, 1, 0, 5], [3, 3, 2, 2, 2, 2, 2, 1, 0]])
    assert_same(kata.t5_bias(numbered(8, 3), 2, 9, max_distance=20), np.stack([buckets, buckets + 100, buckets + 200]))
    # in one direction, far buckets begin at 4, 5.98, 8.9, 13.4; the last key is after the first query: not masked
    buckets = np.array([[5, 5, 4, 4, 3, 2, 1, 0, 0], [5, 5, 5, 4, 4, 3, 2, 1, 0]])
    assert_same(kata.t5_bias(numbered(8, 3), 2, 9, False, 20), np.stack([buckets, buckets + 100, buckets + 200]))


@pytest.mark.task(3)
def test_keys_on_both_sides_of_every_query_by_hand(kata):
    # six buckets, three a direction: 0, 1 to 6 (sqrt(40) = 6.3), more; as many keys as queries unless given
    table = np.array([[5.0, -1.0], [0.25, 3.0], [-8.0, 2.5], [99.0, 99.0], [7.0, 0.5], [-0.5, 6.0]])
    bias = kata.t5_bias(table, 9, max_distance=40)                     # (2, 9, 9)
    assert_same(bias[0, 0], [5.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, -0.5, -0.5])
    assert_same(bias[0, 1], [0.25, 5.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, -0.5])
    assert_same(bias[1, 8], [2.5, 2.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, -1.0])


@pytest.mark.task(3)
def test_the_bias_depends_on_key_minus_query_alone(kata, rng):
    for bidirectional in (True, False):
        bias = kata.t5_bias(rng.normal(size=(8, 5)), 13, 17, bidirectional, 23)        # (5, 13, 17)
        assert bias.shape == (5, 13, 17)
        assert_same(bias[:, 1:, 1:], bias[:, :-1, :-1])
        # so fewer queries are the last rows of all
        table = rng.normal(size=(16, 6))
        rows = kata.t5_bias(table, 15, None, bidirectional, 30)[:, 11:]                # (6, 4, 15)
        assert_same(kata.t5_bias(table, 4, 15, bidirectional, max_distance=30), rows)
        assert_same(kata.t5_bias(table, 1, 15, bidirectional, max_distance=30), rows[:, 3:])


def of_any_size(rng):
    for bidirectional, rows, max_distance in SIZES:
        yield rng.normal(scale=3.0, size=(rows, 5)), 3, 110, bidirectional, max_distance
    for bidirectional in (True, False):                                # keys far beyond the default
        yield rng.normal(size=(32, 3)), 3, 700, bidirectional, 1000
    for bidirectional, rows in ((True, 28), (False, 32)):              # and with the default max_distance
        yield {"table": rng.normal(size=(rows, 3)), "n_queries": 5, "n_keys": 140, "bidirectional": bidirectional}


def of_equal_sizes(rng):
    for rows, n_heads, n_queries, n_keys in ((16, 16, 16, 16), (4, 4, 4, 9), (8, 9, 5, 9), (10, 1, 1, 1)):
        yield from ((rng.normal(size=(rows, n_heads)), n_queries, n_keys, either, 23) for either in (True, False))


def either_way(rng, dtype=np.float64):
    return [(rng.normal(scale=5.0, size=(16, 3)).astype(dtype), 5, 14, either, 30) for either in (True, False)]


def that_differ_in_one_thing(rng):
    first, second = rng.normal(size=(2, 16, 6))
    return [(first, 9, 15, True, 30), (second, 9, 15, True, 30), (first, 9, 15, False, 30), (first, 9, 15, True, 23),
            (first, 8, 15, True, 30), (first, 9, 14, True, 30), (first[:8], 9, 15, True, 30)]


test_biases_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(3, "t5_bias", of_any_size)
test_sizes_that_coincide_do_not_mix_the_axes = checks.agrees_with_the_reference(3, "t5_bias", of_equal_sizes)
test_every_bias_starts_afresh = checks.starts_afresh(3, "t5_bias", that_differ_in_one_thing)
test_whole_numbers_are_looked_up_as_they_are = checks.takes_whole_numbers(3, "t5_bias", either_way)
test_tables_of_any_layout_and_of_float32_are_read = checks.takes_views(
    3, "t5_bias", lambda rng: [*either_way(rng), *either_way(rng, np.float32)])
test_the_bias_is_in_double_precision = checks.are_in_double_precision(3, t5_bias=either_way)
