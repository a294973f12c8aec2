"""What adding positions to words has to be: values worked by hand, laws of sums, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_double_precision, assert_same
from grader.course.samples import counting

# five positions of four columns, small enough to add up by hand
PLACES = np.array([
    [0.0, 1.0, 0.0, 1.0],
    [2.0, -1.0, 0.0, 3.0],
    [1.0, 1.0, -1.0, 0.0],
    [-4.0, 2.0, 1.0, -2.0],
    [0.5, 0.0, 0.25, -1.0],
])


WORD = np.array([1.0, 2.0, -2.0, 1.0])


def nearly(similarity):
    """As float32, for a Python float does not say that it was worked out in single precision."""
    return np.float32(similarity)


# Task 1: words and positions in one sum

@pytest.mark.task(1)
def test_the_factor_is_the_root_of_the_width(kata):
    # nine columns: words of 45 numbers counted from 1, three times as much
    words = kata.embed(np.array([3, 0, 4]), counting(5, 9), np.zeros((7, 9)))
    assert_same(words, 3.0 * np.array([np.arange(28, 37), np.arange(1, 10), np.arange(37, 46)]))
    # a single column, two, three; whole numbers, too
    assert_same(kata.embed(np.array([1, 0]), np.array([[5.0], [-7.0]]), np.zeros((3, 1))), [[-7.0], [5.0]])
    assert_same(kata.embed(np.array([2]), np.eye(4, 2, k=-2), np.zeros((6, 2)), True), [[1.414213562373, 0.0]])
    three = kata.embed(np.array([0]), np.array([[1, 0, -2]]), np.zeros((1, 3), dtype=int))
    assert_same(three, [[1.732050807569, 0.0, -3.464101615138]])


@pytest.mark.task(1)
def test_without_scale_the_words_stay_as_they_are_and_positions_are_never_scaled(kata):
    ids, table, nowhere = np.array([2, 0, 2, 1]), counting(3, 5), np.zeros((4, 5))
    wanted = [[11.0, 12, 13, 14, 15], [1.0, 2, 3, 4, 5], [11.0, 12, 13, 14, 15], [6.0, 7, 8, 9, 10]]
    assert_same(kata.embed(ids, table, nowhere, scale=False), wanted)
    assert_same(kata.embed(ids, table, nowhere, False), wanted)
    # words of zeros leave the encoding itself
    for ids in (np.array([3, 1, 1, 0, 2]), np.array([0])):
        assert_same(kata.embed(ids, np.zeros((4, 4)), PLACES), PLACES[: len(ids)])
        assert_same(kata.embed(ids, np.zeros((4, 4)), PLACES, scale=False), PLACES[: len(ids)])


@pytest.mark.task(1)
def test_tokens_of_any_shape_get_a_row_each(kata):
    # word t is the single number t, halved by the test and doubled by the width
    table = np.outer(np.arange(24), [0.5, 0.0, 0.0, -0.5])
    for shape in ((24,), (4, 6), (2, 3, 4), (1, 24), (24, 1), (2, 2, 2, 3)):
        ids = np.arange(24)[::-1].reshape(shape)
        words = kata.embed(token_ids=ids, token_table=table, encoding=np.zeros((24, 4)))
        assert_same(words, np.stack([ids, 0 * ids, 0 * ids, -ids], axis=-1).astype(float))


@pytest.mark.task(1)
def test_three_words_at_three_positions_by_hand(kata):
    # words 1 to 4, 5 to 8 and 9 to 12, doubled, plus the first three positions
    assert_same(kata.embed(np.array([2, 0, 2]), counting(3, 4), PLACES),
                [[18.0, 21.0, 22.0, 25.0], [4.0, 3.0, 6.0, 11.0], [19.0, 21.0, 21.0, 24.0]])
    assert_same(kata.embed(np.array([1, 1]), counting(3, 4), PLACES, scale=False),
                [[5.0, 7.0, 7.0, 9.0], [7.0, 5.0, 7.0, 11.0]])


@pytest.mark.task(1)
def test_every_sequence_of_a_batch_begins_at_position_zero(kata):
    # as many sequences as words, and as columns: word 0 is zeros, word 1 is ones
    table = np.array([[0.0] * 4, [1.0] * 4])
    rows = kata.embed(np.eye(4, dtype=int), table, PLACES)             # (4, 4, 4)
    assert_same(rows, PLACES[:4] + 2.0 * np.eye(4)[:, :, None])
    assert_same(kata.embed(np.zeros((2, 3, 5), dtype=int), table, PLACES), np.tile(PLACES, (2, 3, 1, 1)))


@pytest.mark.task(1)
def test_a_word_said_twice_differs_by_its_positions_and_further_words_change_nothing(kata, rng):
    table, encoding = rng.normal(size=(7, 10)), rng.normal(size=(15, 10))
    rows = kata.embed(np.array([4, 6, 4, 4, 0, 4]), table, encoding)
    for first, second in ((0, 2), (2, 3), (5, 0)):
        assert_same(rows[second] - rows[first], encoding[second] - encoding[first])
    ids, table, encoding = rng.integers(0, 9, size=(2, 12)), rng.normal(size=(9, 8)), rng.normal(size=(40, 8))
    rows = kata.embed(ids, table, encoding)                            # (2, 12, 8)
    assert_same(kata.embed(ids[:, :5], table, encoding), rows[:, :5])
    assert_same(kata.embed(ids, table, encoding[:12]), rows)
    assert_same(kata.embed(ids[1], table, encoding), rows[1])


def words_and_positions(rng):
    for shape, vocab, max_len, d in (((12,), 30, 20, 8), ((2, 13), 9, 13, 11), ((3, 2, 12), 40, 50, 15)):
        ids, table, encoding = rng.integers(0, vocab, shape), rng.normal(size=(vocab, d)), rng.normal(size=(max_len, d))
        for scale in (True, False):
            yield {"token_ids": ids, "token_table": 50.0 * table, "encoding": 50.0 * encoding, "scale": scale}
        yield ids, table.astype(np.float32), encoding.astype(np.float32)


def sums_one_after_the_other(rng):
    ids, table, encoding = rng.integers(0, 5, size=12), rng.normal(size=(5, 8)), rng.normal(size=(14, 8))
    yield from ((ids, table, encoding), (ids, table, -encoding), (ids, -table, encoding), (ids[::-1], table, encoding),
                (ids, table, encoding, False), (ids, table[:, :6], encoding[:, :6]))


test_embeddings_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(1, "embed", words_and_positions)
test_tables_of_whole_numbers_add_up_as_real_ones = checks.takes_whole_numbers(1, "embed", words_and_positions)
test_views_and_read_only_arrays_are_looked_up_alike = checks.takes_views(1, "embed", words_and_positions)
test_every_call_of_embed_starts_afresh = checks.starts_afresh(1, "embed", sums_one_after_the_other)


# Task 2: a word and itself

@pytest.mark.task(2)
def test_four_columns_at_four_positions_by_hand(kata):
    # sums (1, 3, -2, 2), (3, 1, -2, 4), (2, 3, -3, 1) and (-3, 4, -1, -1); squared lengths 18, 30, 23, 27
    similar = (0, 1, 0.774596669241), (0, 2, 0.933799055648), (1, 3, -0.245954929124), (2, 3, 0.321028941562)
    for i, j, wanted in similar:
        assert_same(nearly(kata.same_word_similarity(WORD, PLACES, i, j)), wanted)
        assert_same(nearly(kata.same_word_similarity(word=WORD, encoding=PLACES, i=j, j=i)), wanted)


@pytest.mark.task(2)
def test_a_word_of_zeros_leaves_the_cosine_of_the_positions(kata):
    # products 2, 1 and -3; squared lengths 2, 14, 3 and 25
    for i, j, wanted in ((0, 1, 0.377964473009), (2, 1, 0.154303349962), (2, 3, -0.346410161514)):
        assert_same(nearly(kata.same_word_similarity(np.zeros(4), PLACES, i, j)), wanted)
    opposite = np.array([[3.0, 4.0], [-6.0, -8.0]])
    assert_same(nearly(kata.same_word_similarity(np.zeros(2), opposite, 0, 1)), -1.0)
    # 24 / (5 * 5), however short the rows are
    short = 1e-5 * np.array([[3.0, 4.0], [4.0, 3.0]])
    assert_same(nearly(kata.same_word_similarity(np.zeros(2), short, 0, 1)), 0.96)


@pytest.mark.task(2)
def test_a_longer_word_is_more_like_itself(kata):
    # (3, 4) at (0, 1) and (1, 0): 32 / sqrt(34 * 32); a tenth of it: 0.95 / sqrt(2.05 * 1.85)
    places, word = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([3.0, 4.0])
    assert_same(nearly(kata.same_word_similarity(0.1 * word, places, 0, 1)), 0.487821357665)
    assert_same(nearly(kata.same_word_similarity(word, places, 0, 1)), 0.970142500145)
    assert_same(nearly(kata.same_word_similarity(1e6 * word, places, 0, 1)), 1.0)
    assert_same(nearly(kata.same_word_similarity(-word, places, 1, 1)), 1.0)
    assert_same(nearly(kata.same_word_similarity(np.array([7.0]), np.array([[1.0], [-20.0]]), 1, 0)), -1.0)


@pytest.mark.task(2)
def test_similarities_of_any_word_agree_with_the_reference_however_it_lies_in_memory(kata, reference, rng):
    for d, max_len, size in ((8, 12, 1.0), (13, 20, 0.3), (30, 13, 4.0)):
        wide = rng.normal(size=(2 * max_len, 2 * d))
        word, encoding = size * wide[3, ::2], wide[::2, ::-2]          # (d,), (max_len, d)
        word.flags.writeable = encoding.flags.writeable = False
        whole = (100.0 * word).astype(int), (100.0 * encoding).astype(int)
        for given in ((word, encoding), whole, (word.astype(np.float32), encoding.astype(np.float32))):
            for i, j in ((0, max_len - 1), (7, 3), (3, 8)):
                wanted = reference.same_word_similarity(*given, i, j)
                assert_same(nearly(kata.same_word_similarity(*given, i, j)), wanted)


# Task 3: the sum

@pytest.mark.task(3)
def test_the_rows_of_a_sequence_add_up_by_hand(kata):
    assert_same(kata.sum_pool(PLACES), [-0.5, 3.0, 0.25, 1.0])
    assert_same(kata.sum_pool(PLACES[[3, 3, 0, 3]]), [-12.0, 7.0, 3.0, -5.0])
    # two batches, three sequences, four positions and two columns, counted from 1
    sums = [[[16.0, 20.0], [48.0, 52.0], [80.0, 84.0]], [[112.0, 116.0], [144.0, 148.0], [176.0, 180.0]]]
    assert_same(kata.sum_pool(counting(2, 3, 4, 2)), sums)
    assert_same(kata.sum_pool(x=counting(3, 1, 2)), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


@pytest.mark.task(3)
def test_a_sum_stays_blind_to_order_with_positions_added(kata, rng):
    # words in eighths and a factor of 3: every sum is exact
    ids, table = rng.integers(0, 7, size=12), rng.integers(-40, 41, size=(7, 9)) / 8
    encoding = rng.integers(-40, 41, size=(20, 9)) / 8
    pooled = kata.sum_pool(kata.embed(ids, table, encoding))           # (9,)
    assert_same(kata.sum_pool(kata.embed(ids[::-1], table, encoding)), pooled)
    assert_same(kata.sum_pool(kata.embed(rng.permutation(ids), table, encoding)), pooled)
    # words and positions add up each by themselves
    words = kata.sum_pool(kata.embed(ids, table, np.zeros((20, 9))))
    assert_same(pooled - words, encoding[:12].sum(axis=0))


@pytest.mark.task(3)
def test_attention_before_the_sum_sees_the_order_only_with_positions(kata):
    # each row is query, key and value; word 2 is said last, then first
    def attended(ids, encoding):
        x = kata.embed(np.array(ids), np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, 2.0]]), encoding, scale=False)
        weights = np.exp(x @ x.T / np.sqrt(2.0))
        return kata.sum_pool(weights / weights.sum(axis=1, keepdims=True) @ x)

    places = np.array([[0.0, 1.0], [1.0, 0.5], [1.0, -0.5]])
    assert_same(attended([0, 1, 2], np.zeros((3, 2))), attended([2, 1, 0], np.zeros((3, 2))))
    assert np.abs(attended([0, 1, 2], places) - attended([2, 1, 0], places)).max() > 0.1


def rows_of_any_shape(rng):
    for shape in ((12, 8), (4, 4), (3, 3, 3), (2, 5, 13, 9), (1, 7), (1, 13, 6), (1, 12, 1)):
        x = 50.0 * rng.normal(size=shape)
        yield from ((x,), (x.astype(np.float32),))


test_sums_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(3, "sum_pool", rows_of_any_shape)
test_sums_of_whole_numbers_are_sums_of_real_ones = checks.takes_whole_numbers(3, "sum_pool", rows_of_any_shape)
test_sums_do_not_depend_on_how_the_rows_lie_in_memory = checks.takes_views(3, "sum_pool", rows_of_any_shape)


# All three

@pytest.mark.task(1, 2, 3)
def test_sums_and_similarities_are_in_double_precision(kata, rng):
    assert_double_precision(kata.embed, np.array([[1, 0, 4]]), rng.normal(size=(5, 8)), rng.normal(size=(6, 8)))
    assert_double_precision(kata.sum_pool, rng.normal(size=(2, 12, 8)))
    assert_double_precision(kata.same_word_similarity, WORD, PLACES, 0, 1)
    # a Python float may have been worked out in float32
    assert_same(kata.same_word_similarity(WORD, PLACES, 0, 1), 0.774596669241)
    assert_same(kata.same_word_similarity(WORD, PLACES, 2, 3), 0.321028941562)
