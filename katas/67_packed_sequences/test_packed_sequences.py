"""What several texts in one row have to be: positions and masks by hand, every text as if alone, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

ROOT_2 = 2.0 ** 0.5
ROWS = ([3, 2], [1], [6], [1, 1, 1, 1], [2, 2, 2], [1, 7, 2, 1], [5, 1, 1, 4, 2], [4, 4, 4, 4], [2, 9])


def some_lengths(rng, texts=5):
    """The lengths of random texts, the last one being longer than the others."""
    return np.append(rng.integers(1, 5, size=texts - 1), 6)


def some_vectors(rng, lengths, n_heads=3, d=8, d_v=5):
    """What packed_attention is called with: scores of moderate size, and one token that is zeros."""
    n = int(lengths.sum())
    q, k = 1.4 * rng.normal(size=(2, n_heads, n, d))
    q[:, n // 2], k[:, n // 2] = 0.0, 0.0
    return {"q": q, "k": k, "v": rng.normal(size=(n_heads, n, d_v)), "lengths": lengths}


# Task 1: positions

@pytest.mark.task(1)
def test_a_text_of_three_and_a_text_of_two_count_from_zero(kata):
    assert_same(kata.packed_positions(np.array([3, 2])), [0, 1, 2, 0, 1])


@pytest.mark.task(1)
def test_three_texts_by_hand(kata):
    assert_same(kata.packed_positions(np.array([1, 4, 2])), [0, 0, 1, 2, 3, 0, 1])
    assert_same(kata.packed_positions(np.array([2, 4, 1])), [0, 1, 0, 1, 2, 3, 0])


@pytest.mark.task(1)
def test_one_text_counts_through_and_texts_of_one_token_stay_at_zero(kata):
    assert_same(kata.packed_positions(np.array([5])), [0, 1, 2, 3, 4])
    assert_same(kata.packed_positions(np.array([1])), [0])
    assert_same(kata.packed_positions(np.array([1, 1, 1])), [0, 0, 0])


@pytest.mark.task(1)
def test_texts_of_one_length_repeat_the_same_positions(kata):
    assert_same(kata.packed_positions(np.array([3, 3, 3, 3])), [0, 1, 2] * 4)


@pytest.mark.task(1)
def test_two_rows_joined_have_the_positions_of_both(kata, rng):
    first, second = some_lengths(rng, 4), some_lengths(rng, 7)
    joined = kata.packed_positions(np.concatenate([first, second]))
    assert_same(joined, np.concatenate([kata.packed_positions(first), kata.packed_positions(second)]))


def rows(rng):
    """Rows of few and of many texts."""
    for lengths in ROWS:
        yield (np.array(lengths),)
    for texts in (3, 8, 60):
        yield (rng.integers(1, 12, size=texts),)


def narrow_integers(rng):
    """Lengths in the dtypes that whole numbers come in."""
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        yield (rng.integers(1, 6, size=6).astype(dtype),)


test_positions_of_any_texts_agree_with_the_reference = checks.agrees_with_the_reference(1, "packed_positions", rows)
test_every_row_of_texts_starts_afresh = checks.starts_afresh(
    1, "packed_positions", [(np.array(lengths),) for lengths in ([3, 2], [2, 3], [5], [3, 2, 1])])
test_lengths_of_any_integer_dtype_have_the_same_positions = checks.agrees_with_the_reference(
    1, "packed_positions", narrow_integers)
test_lengths_that_are_a_view_have_the_same_positions = checks.takes_views(1, "packed_positions", rows)


# Task 2: who sees whom

@pytest.mark.task(2)
def test_a_text_of_two_and_a_text_of_one_do_not_see_each_other(kata):
    assert_same(kata.packed_mask(np.array([2, 1])), [[True, False, False], [True, True, False], [False, False, True]])


@pytest.mark.task(2)
def test_two_texts_with_a_window_of_two_by_hand(kata):
    # every token sees itself and the token before it, if this is in its text
    assert_same(kata.packed_mask(np.array([4, 2]), window=2), np.array([
        [1, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [0, 1, 1, 0, 0, 0],
        [0, 0, 1, 1, 0, 0],
        [0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1, 1]], dtype=bool))


@pytest.mark.task(2)
def test_one_text_sees_all_that_came_before(kata):
    assert_same(kata.packed_mask(np.array([4])), np.array([
        [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], dtype=bool))
    assert_same(kata.packed_mask(np.array([1])), [[True]])


@pytest.mark.task(2)
def test_texts_of_one_token_and_a_window_of_one_see_only_themselves(kata):
    for texts in (5, 300):                                     # 300 texts do not fit into numbers of one byte
        assert_same(kata.packed_mask(np.ones(texts, dtype=int)), np.eye(texts, dtype=bool))
    for lengths in ([6], [3, 1, 2]):
        assert_same(kata.packed_mask(np.array(lengths), window=1), np.eye(6, dtype=bool))


@pytest.mark.task(2)
def test_texts_of_one_length_do_not_see_each_other(kata):
    # two texts of two, and the same block three times
    block = np.array([[1, 0], [1, 1]], dtype=bool)
    for texts in (2, 3):
        assert_same(kata.packed_mask(np.full(texts, 2)), np.kron(np.eye(texts, dtype=bool), block))


@pytest.mark.task(2)
def test_a_window_as_long_as_the_longest_text_hides_nothing(kata):
    lengths = np.array([3, 5, 1])
    for window in (5, 6, 9, 1000):
        assert_same(kata.packed_mask(lengths, window), kata.packed_mask(lengths))
    # 6 + 15 + 1 pairs are seen; a window of 4 hides only key 0 of the text of five from its query 4
    assert np.sum(kata.packed_mask(lengths)) == 22
    mask = kata.packed_mask(lengths, 4)
    assert np.sum(mask) == 21
    assert not mask[7, 3]


@pytest.mark.task(1, 2)
def test_every_query_sees_as_many_keys_as_its_position_and_the_window_allow(kata, rng):
    lengths = some_lengths(rng)
    for window in (1, 2, 3, 4, 7):
        seen = np.minimum(kata.packed_positions(lengths) + 1, window)
        assert_same(np.sum(kata.packed_mask(lengths, window), axis=1), seen)


@pytest.mark.task(2)
def test_every_text_has_the_mask_that_it_has_alone_and_nothing_beside_it(kata, rng):
    lengths = some_lengths(rng)
    for window in (None, 3):
        mask = np.array(kata.packed_mask(lengths, window))
        start = 0
        for length in lengths.tolist():
            text = slice(start, start + length)
            assert_same(mask[text, text], kata.packed_mask(np.array([length]), window))
            mask[text, text] = False
            start += length
        assert_same(mask, np.zeros((start, start), dtype=bool))


def rows_and_windows(rng):
    """Windows shorter and longer than texts, and as long."""
    for lengths in ROWS:
        for window in (None, 1, 2, 3, 4, 8, 30):
            yield np.array(lengths), window
    for texts in (6, 15):
        yield rng.integers(1, 9, size=texts), int(rng.integers(2, 9))


test_masks_of_any_texts_and_windows_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "packed_mask", rows_and_windows)
test_every_mask_starts_afresh = checks.starts_afresh(
    2, "packed_mask", [(np.array([3, 2]), 2), (np.array([3, 2]),), (np.array([2, 3]), 2), (np.array([3, 2]), 1)])
test_lengths_of_any_integer_dtype_have_the_same_mask = checks.agrees_with_the_reference(
    2, "packed_mask", narrow_integers)
test_lengths_that_are_a_view_have_the_same_mask = checks.takes_views(2, "packed_mask", rows)


# Task 3: attention

@pytest.mark.task(3)
def test_two_texts_of_two_tokens_by_hand(kata):
    # queries (1, 0), keys (0, sqrt 2): score of positions p and r is sin(p - r), so 0 and sin 1 at position 1.
    # There, the weights are 1 / (1 + exp(-sin 1)) for key 0, the rest for its own key. Position 0 has its own value.
    q, k = np.tile([1.0, 0.0], (1, 4, 1)), np.tile([0.0, ROOT_2], (1, 4, 1))
    v = np.array([[[1.0, 0.0, 2.0], [0.0, 1.0, 2.0], [10.0, 0.0, 5.0], [0.0, 10.0, 5.0]]])
    assert_same(kata.packed_attention(q, k, v, np.array([2, 2])), [[
        [1.0, 0.0, 2.0], [0.698774931931, 0.301225068069, 2.0],
        [10.0, 0.0, 5.0], [6.987749319311, 3.012250680689, 5.0]]])


@pytest.mark.task(3)
def test_a_window_of_two_by_hand(kata):
    # the same queries and keys; the values make the output the weights. In the text of three, key 0 is 2 positions
    # before query 2, so a window of 2 hides it. Without a window, query 2 has the scores sin 2, sin 1 and 0.
    q, k, v = np.tile([1.0, 0.0], (1, 4, 1)), np.tile([0.0, ROOT_2], (1, 4, 1)), np.eye(4)[None]
    first, second = [0.698774931931, 0.301225068069, 0.0, 0.0], [0.0, 0.698774931931, 0.301225068069, 0.0]
    lengths, last = np.array([3, 1]), [0.0, 0.0, 0.0, 1.0]
    assert_same(kata.packed_attention(q, k, v, lengths, 2), [[[1.0, 0.0, 0.0, 0.0], first, second, last]])
    whole = [0.427856951080, 0.399799220064, 0.172343828856, 0.0]
    assert_same(kata.packed_attention(q, k, v, lengths), [[[1.0, 0.0, 0.0, 0.0], first, whole, last]])


@pytest.mark.task(3)
def test_the_second_pair_by_hand(kata):
    # queries (0, 0, 1, 0), keys (0, 0, 0, 2): score sin((p - r) w) with w = 0.01, or 0.1 for base 100
    q, k = np.tile([0.0, 0.0, 1.0, 0.0], (1, 3, 1)), np.tile([0.0, 0.0, 0.0, 2.0], (1, 3, 1))
    v, lengths = np.eye(3)[None], np.array([1, 2])
    for base, weight in ((10000.0, 0.502499937501), (100, 0.524937645409)):
        wanted = [[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, weight, 1.0 - weight]]]
        assert_same(kata.packed_attention(q, k, v, lengths, base=base), wanted)


@pytest.mark.task(3)
def test_a_token_that_sees_only_itself_gets_its_own_value(kata, rng):
    given = some_vectors(rng, np.array([1, 1, 4, 1, 3]))
    out = kata.packed_attention(**given)
    first = [0, 1, 2, 6, 7]                                    # position 0 of each text
    assert_same(out[:, first], given["v"][:, first])
    assert_same(kata.packed_attention(**given, window=1), given["v"])


@pytest.mark.task(3)
def test_without_queries_the_output_is_a_mean_within_the_text(kata, rng):
    # all scores are 0; the values of the two texts are 6, 2, 13 and 8, -4
    q, k, lengths = np.zeros((1, 5, 4)), rng.normal(size=(1, 5, 4)), np.array([3, 2])
    v = np.array([[[6.0], [2.0], [13.0], [8.0], [-4.0]]])
    assert_same(kata.packed_attention(q, k, v, lengths), [[[6.0], [4.0], [7.0], [8.0], [2.0]]])
    assert_same(kata.packed_attention(q, k, v, lengths, 2), [[[6.0], [4.0], [7.5], [8.0], [2.0]]])


@pytest.mark.task(3)
def test_equal_values_in_a_text_come_back_unturned(kata, rng):
    lengths = np.array([3, 5, 1])
    value = rng.normal(size=(2, 3, 4))                         # one per head and text
    given = some_vectors(rng, lengths, n_heads=2, d=4) | {"v": np.repeat(value, lengths, axis=1)}
    assert_same(kata.packed_attention(**given), given["v"])


@pytest.mark.task(3)
def test_every_text_has_the_rows_that_it_has_alone(kata, rng):
    lengths = some_lengths(rng)
    given = some_vectors(rng, lengths)
    for window in (None, 1, 3):
        out = kata.packed_attention(**given, window=window, base=300.0)
        alone, start = [], 0
        for length in lengths.tolist():
            q, k, v = (given[name][:, start : start + length] for name in "qkv")
            alone.append(kata.packed_attention(q, k, v, np.array([length]), window, 300.0))
            start += length
        assert_same(out, np.concatenate(alone, axis=1))


@pytest.mark.task(3)
def test_other_texts_and_later_tokens_change_nothing(kata, rng):
    given = some_vectors(rng, np.array([4, 6, 3]))
    out = kata.packed_attention(**given)
    other = {name: np.array(given[name]) for name in "qkv"}
    for array in other.values():
        array[:, :4], array[:, 8:] = 3.0 - array[:, :4], -5.0 * array[:, 8:]
    assert_same(kata.packed_attention(**(given | other))[:, 4:8], out[:, 4:8])


@pytest.mark.task(3)
def test_heads_work_on_their_own(kata, rng):
    given = some_vectors(rng, np.array([5, 2, 4]), n_heads=4, d=6, d_v=6)
    heads = [kata.packed_attention(*(given[name][h : h + 1] for name in "qkv"), given["lengths"]) for h in range(4)]
    assert_same(kata.packed_attention(**given), np.concatenate(heads))


@pytest.mark.task(3)
def test_scores_of_a_million_pick_one_key_of_the_text_in_each_head(kata):
    # score of positions p and r: 1e6 * side[key] * cos(p - r) / sqrt 2, with the other sign in the second head. The
    # texts are tokens 0 and 1, and tokens 2, 3 and 4. First head: own keys are best, but for token 1, whose own side is
    # negative. Second head: token 1 picks itself. Tokens 3 and 4 score lowest with themselves and highest with key 2.
    side = np.array([[1.0, -1.0, 1.0, 1.0, 2.0], [-1.0, 1.0, -1.0, -1.0, -2.0]])
    q, k = np.tile([1000.0, 0.0], (2, 5, 1)), 1000.0 * np.stack([side, np.zeros((2, 5))], axis=-1)
    out = kata.packed_attention(q, k, np.stack([np.eye(5)] * 2), np.array([2, 3]))
    assert_same(out, np.eye(5)[[[0, 0, 2, 3, 4], [0, 1, 2, 2, 2]]])


@pytest.mark.task(3)
def test_another_text_has_no_weight_however_low_the_visible_scores_are(kata):
    # every score of a query with its own text is -size ** 2 * cos(p - r) / sqrt 2: query 0 of a text sees key 0 alone,
    # query 1 prefers key 0, for cos 1 is below 1
    for size in (1e3, 1e5, 1e9):
        q, k = np.tile([size, 0.0], (1, 4, 1)), np.tile([-size, 0.0], (1, 4, 1))
        assert_same(kata.packed_attention(q, k, np.eye(4)[None], np.array([2, 2])), np.eye(4)[None][:, [0, 0, 2, 2]])


@pytest.mark.task(3)
def test_a_key_outside_the_window_has_no_weight_however_low_the_visible_scores_are(kata):
    # the same scores; with a window of 2, query 2 prefers key 1 to its own
    for size in (1e3, 1e5, 1e9):
        q, k = np.tile([size, 0.0], (1, 3, 1)), np.tile([-size, 0.0], (1, 3, 1))
        assert_same(kata.packed_attention(q, k, np.eye(3)[None], np.array([3]), 1), np.eye(3)[None])
        assert_same(kata.packed_attention(q, k, np.eye(3)[None], np.array([3]), 2), np.eye(3)[None][:, [0, 0, 1]])


@pytest.mark.task(3)
def test_a_text_of_large_keys_does_not_disturb_its_neighbours(kata):
    # the keys of the other text are a million times as large: hidden scores are far above the visible ones
    given = [np.tile([1.0, 0.0], (1, 4, 1)), np.tile([0.0, ROOT_2], (1, 4, 1)), np.eye(4)[None]]
    given[1][:, 2:] *= 1e6
    first = [[1.0, 0.0, 0.0, 0.0], [0.698774931931, 0.301225068069, 0.0, 0.0]]
    assert_same(kata.packed_attention(*given, np.array([2, 2]))[:, :2], [first])
    given[1] = -given[1][:, ::-1]                              # now they are the first text's; scores are -sin(p - r)
    second = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.301225068069, 0.698774931931]]
    assert_same(kata.packed_attention(*given, np.array([2, 2]))[:, 2:], [second])


def vectors(rng):
    """Sizes that coincide and sizes that do not, with and without a window."""
    for lengths, n_heads, d, d_v in (
        ([3, 2], 1, 2, 1), ([4, 4, 4, 4], 4, 4, 4), ([1, 7, 2, 1], 6, 8, 5), ([6], 2, 12, 3), ([1], 3, 2, 7),
        ([1, 1, 1], 3, 6, 3), ([5, 1, 6], 12, 10, 12), ([2, 2], 2, 2, 2),
    ):
        for window in (None, 1, 2, 5, 40):
            given = some_vectors(rng, np.array(lengths), n_heads, d, d_v)
            yield given | {"window": window, "base": float(rng.uniform(20.0, 50000.0))}


def vectors_that_differ_in_one_thing(rng):
    given = some_vectors(rng, np.array([4, 5, 3]))
    for lengths, window, base in (
        ([4, 5, 3], None, 1e4), ([4, 5, 3], 2, 1e4), ([4, 5, 3], 2, 80.0), ([3, 5, 4], 2, 80.0), ([12], None, 1e4),
    ):
        yield given | {"lengths": np.array(lengths), "window": window, "base": base}


def short_texts(rng):
    for lengths, window in (([4, 2, 3], None), ([4, 2, 3], 2), ([1], None)):
        yield some_vectors(rng, np.array(lengths), n_heads=2, d=4, d_v=3) | {"window": window}


def long_text(rng):
    """A text of 400 tokens after a short one, in one narrow head."""
    yield some_vectors(rng, np.array([7, 400]), n_heads=1, d=8, d_v=2) | {"window": 300}


test_attention_over_any_texts_agrees_with_the_reference = checks.agrees_with_the_reference(
    3, "packed_attention", vectors)
test_a_long_text_agrees_with_the_reference = checks.agrees_with_the_reference(3, "packed_attention", long_text)
test_every_call_of_attention_starts_afresh = checks.starts_afresh(
    3, "packed_attention", vectors_that_differ_in_one_thing)
test_whole_numbers_give_what_float64_gives = checks.takes_whole_numbers(3, "packed_attention", short_texts)
test_views_and_read_only_arrays_do_as_well = checks.takes_views(3, "packed_attention", short_texts)
test_packed_attention_keeps_float32 = checks.keeps_float32(3, "packed_attention", short_texts)


# All three

test_positions_mask_and_attention_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), packed_positions=[(np.array([3, 4]),)], packed_mask=[(np.array([3, 4]),)],
    packed_attention=lambda rng: short_texts(rng))
