"""Numbers counted by hand, scores that know only distance and scores that know more, distances of attention."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import sinusoids

COMPUTED = ("none", "sinusoidal", "alibi", "sandwich", "rope")
TRAINED = ("learned", "shaw", "t5")
FUTURE = -np.inf
MODEL = {"max_len": 20, "d_model": 12, "n_heads": 3, "n_layers": 5, "max_distance": 7, "num_buckets": 10}


def by_distance(line):
    """The (n, n) scores whose entry i, j is number j - i + n - 1 of the 2n - 1 in `line`."""
    positions = np.arange((len(line) + 1) // 2)
    return np.asarray(line)[positions - positions[:, None] + len(positions) - 1]


def with_entry(scores, index, value):
    """A copy with another number in one place."""
    scores = scores.copy()
    scores[index] = value
    return scores


def assert_relative(kata, wanted, *several, **atol):
    """Each of several scores is relative, or each is not."""
    __tracebackhide__ = True
    for scores in several:
        assert_same(kata.is_relative(scores, **atol), wanted)


def assert_room(kata, too_little, enough, *several):
    """Scores are relative with the one `atol` and not with the other."""
    __tracebackhide__ = True
    assert_relative(kata, False, *several, atol=too_little)
    assert_relative(kata, True, *several, atol=enough)


def attention(rng, *shape):
    """Random weights whose rows add up to 1."""
    weights = rng.exponential(size=shape)
    return weights / weights.sum(axis=-1, keepdims=True)


# Task 1: what is trained

@pytest.mark.task(1)
def test_schemes_that_compute_what_they_need_train_nothing(kata):
    for scheme in COMPUTED:
        assert_same(kata.position_parameters(scheme, **MODEL), 0)
        assert_same(kata.position_parameters(scheme, 512, 768, 12, 12), 0)
    assert_same(kata.position_parameters("learned", **MODEL), 240)     # unlike a table


@pytest.mark.task(1)
def test_a_learned_table_has_a_row_for_every_position_and_stands_once(kata):
    # 20 rows of 12; the 1024 rows of 768 that GPT-2 trains; one of everything
    assert_same(kata.position_parameters("learned", **MODEL), 240)
    assert_same(kata.position_parameters("learned", 1024, 768, 12, 12), 786432)
    assert_same(kata.position_parameters("learned", 1, 1, 1, 1), 1)


@pytest.mark.task(1)
def test_tables_of_distances_and_numbers_per_bucket_by_hand(kata):
    # 5 layers, 2 tables, distances -7 to 7, heads 12 / 3 = 4 wide: 5 * 2 * 15 * 4
    assert_same(kata.position_parameters("shaw", **MODEL), 600)
    assert_same(kata.position_parameters("shaw", 1, 1, 1, 1, max_distance=1), 6)      # distances -1, 0, 1; one column
    # unless said, 16 positions to either side: in six layers of the base model of 2017, with heads of 64 columns
    assert_same(kata.position_parameters(scheme="shaw", max_len=512, d_model=512, n_heads=8, n_layers=6), 25344)
    assert_same(kata.position_parameters("shaw", 50, 8, 1, 2, 2), 160)                # one wide head: 2 * 2 * 5 * 8
    # 10 buckets, 3 heads, once for all 5 layers; T5 has 32 unless said and, in its small model, 8 heads and 6 layers
    assert_same(kata.position_parameters("t5", **MODEL), 30)
    assert_same(kata.position_parameters("t5", 512, 512, 8, 6), 256)
    assert_same(kata.position_parameters("t5", 50, 8, 1, 2, 16, 20), 20)


def schemes_and_sizes(rng):
    for max_len, heads, d_head, layers, reach in ((4, 4, 4, 4, 4), *rng.integers(2, 14, size=(4, 5)).tolist()):
        yield from ((one, max_len, heads * d_head, heads, layers, reach, 3 * reach + 2) for one in COMPUTED + TRAINED)


test_counts_for_any_sizes_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "position_parameters", schemes_and_sizes)


# Task 2: diagonals of numbers

@pytest.mark.task(2)
def test_three_positions_two_and_one_by_hand(kata):
    scores = np.array([[2.0, 7.0, -1.0], [5.0, 2.0, 7.0], [0.5, 5.0, 2.0]])
    assert_relative(kata, True, scores, -scores)
    assert_same(kata.is_relative(scores=scores.T), True)
    assert_relative(kata, False, with_entry(scores, (1, 1), 3.0), scores[::-1])
    for one in (0.0, -3.5, 1e30):
        assert_relative(kata, True, np.array([[one]]), np.full((2, 3, 1, 1), one))
    assert_relative(kata, True, np.array([[1.0, 5.0], [-7.0, 1.0]]), np.arange(3.0)[:, None, None])
    assert_relative(kata, False, np.array([[1.0, 5.0], [-7.0, 2.0]]))


@pytest.mark.task(2)
def test_scores_of_a_distance_are_relative_and_those_of_a_place_are_not(kata, rng):
    for n in (1, 3, 8, 13, 30):
        line = rng.normal(size=2 * n - 1)
        assert_relative(kata, True, by_distance(line), by_distance(1e30 * line))
    assert_relative(kata, True, by_distance(-np.abs(np.arange(-11.0, 12.0))), np.full((9, 9), -2.5))
    row, column = np.mgrid[:6, :6].astype(float)
    # by key, by query, by their sum, by the larger; by key is what BLOOM adds for ALiBi's bias
    assert_relative(kata, False, column, row, row + column, np.maximum(row, column), row * column, -column / 8)
    assert_relative(kata, True, row - column)


@pytest.mark.task(2)
def test_one_entry_out_of_line_is_found_wherever_it_is(kata):
    scores = by_distance([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, -6.0, 8.0])     # (5, 5)
    for place in np.ndindex(5, 5):
        alone = place in ((0, 4), (4, 0))                    # the two corners have a diagonal to themselves
        moved = [with_entry(scores, place, scores[place] + change) for change in (0.5, -0.5)]
        assert_relative(kata, alone, *moved)


@pytest.mark.task(2)
def test_every_matrix_has_scores_of_its_own_and_one_entry_of_one_is_enough_to_say_no(kata, rng):
    for leading in ((2,), (3,), (7,), (2, 4), (1, 2, 3)):
        scores = np.stack([by_distance(rng.normal(size=13)) for _ in range(np.prod(leading))]).reshape(*leading, 7, 7)
        assert_relative(kata, True, scores)
        for head in np.ndindex(*leading):
            assert_relative(kata, False, *(with_entry(scores, (*head, *place), 40.0) for place in ((6, 2), (3, 5))))


@pytest.mark.task(2)
def test_atol_is_the_room_from_the_smallest_to_the_largest_wherever_they_stand(kata, rng):
    # the main diagonal holds 1, 2.5 and 1
    scores = np.array([[1.0, 7.0, -1.0], [5.0, 2.5, 7.0], [0.5, 5.0, 1.0]])
    for too_little in (0.8, 0.1, 1e-9):
        assert_room(kata, too_little, 20.0, scores, -scores)
    assert_same(kata.is_relative(scores, 20.0), True)
    assert_same(kata.is_relative(scores), False)
    assert_room(kata, 1.0, 300.0, np.diag(0.1 * np.arange(300.0)))              # small steps from 0 to 29.9
    for high in (0, 5, 17, 39):
        assert_room(kata, 0.1, 20.0, *(0.7 * np.diag(np.eye(40)[high] - np.eye(40)[low]) for low in (1, 16, 30, 38)))
    scores = by_distance(4000.0 + rng.normal(size=599))                         # (300, 300)
    for place in ((2, 5), (280, 10), (144, 144)):
        assert_room(kata, 0.002, 0.5, with_entry(scores, place, scores[place] + 0.03))


@pytest.mark.task(2)
def test_one_score_out_of_line_counts_however_long_its_diagonal_is(kata):
    for offset in (-1, 0, 1):
        scores = with_entry(np.zeros((300, 300)), (150, 150 + offset), 1.0)
        assert_room(kata, 0.09, 20.0, scores, -scores)


@pytest.mark.task(2)
def test_atol_neither_grows_nor_shrinks_with_the_scores_and_covers_rounding(kata):
    assert_room(kata, 0.004, 1.0, np.array([[10000.0, 3.0], [5.0, 10000.05]]))
    assert_room(kata, 4e-5, 0.01, np.array([[0.001, 3.0], [5.0, 0.0015]]))
    for middle in (0.0, 0.5, -2.5, 1.0, 2000.0):
        assert_room(kata, 0.001, 1.0, np.array([[middle - 0.02, 3.0], [5.0, middle + 0.02]]))
    for change, wanted in ((5e-11, True), (-5e-11, True), (2e-8, False), (-2e-8, False)):
        assert_relative(kata, wanted, np.array([[0.0, 3.0], [5.0, change]]))
    assert_relative(kata, False, np.array([[0.0, 3.0], [5.0, 5e-11]]), atol=1e-12)


@pytest.mark.task(2)
def test_products_of_sinusoids_are_relative_until_something_comes_between(kata, rng):
    table, word, between = sinusoids(np.arange(14), 10), rng.normal(size=10), rng.normal(size=(10, 10))
    assert_relative(kata, True, table @ table.T, atol=1e-3)
    assert_relative(kata, False, table @ between @ table.T, (word + table) @ (word + table).T, atol=1e-3)


@pytest.mark.task(2)
def test_rotary_scores_of_one_word_are_relative_and_those_of_a_text_are_not(kata, rng):
    turns = np.exp(1j * np.outer(np.arange(12), [1.0, 0.1, 0.01]))              # (12, 3) one number per pair
    q, k = rng.normal(size=(2, 12, 3)) + 1j * rng.normal(size=(2, 12, 3))
    text = ((q * turns) @ (k * turns).conj().T).real                            # (12, 12)
    one_word = ((q[0] * turns) @ (k[0] * turns).conj().T).real
    assert_relative(kata, True, np.stack([one_word, one_word.T]), atol=1e-3)
    assert_relative(kata, False, text, np.stack([text, one_word]), np.stack([one_word, text]), atol=1e-3)


def squares_of_the_distance(rng):
    whole = by_distance(np.arange(23.0) ** 2)                                   # (12, 12)
    fault = with_entry(whole, (2, 3), whole[2, 3] + 1.0)
    yield from ((whole,), (whole[::-1, ::-1],), (fault,), (fault, 0.05), (np.stack([whole, fault]), 20.5))
    yield from ((whole[::2, :6],), (np.broadcast_to(1.0, (3, 5, 5)),))


test_scores_that_are_whole_numbers_get_the_answer_of_real_numbers = checks.takes_whole_numbers(
    2, "is_relative", squares_of_the_distance)
test_scores_may_be_views_and_read_only = checks.takes_views(2, "is_relative", squares_of_the_distance)


# Task 3: masked keys

@pytest.mark.task(3)
def test_a_diagonal_that_is_masked_from_end_to_end_is_constant(kata, rng):
    # ALiBi's slope of 1, future keys masked, by hand
    scores = np.array([[0.0, FUTURE, FUTURE], [-1.0, 0.0, FUTURE], [-2.0, -1.0, 0.0]])
    assert_relative(kata, True, scores, scores.T, np.stack([scores, scores / 4, scores.T]))
    back = by_distance(np.arange(-8, 9))                                        # (9, 9)
    for kept in (back <= 0, np.abs(back) < 3, back % 2 == 0):
        assert_relative(kata, True, np.where(kept, by_distance(rng.normal(size=17)), FUTURE))
        assert_relative(kata, False, np.where(kept, rng.normal(size=(9, 9)), FUTURE))


@pytest.mark.task(3)
def test_masked_keys_do_not_hide_the_scores_of_others(kata):
    scores = by_distance(np.arange(9.0) ** 2)                                   # (5, 5)
    for apart in (-2, 0, 1):
        one, another, masked = [(i, i + apart) for i in range(5) if 0 <= i + apart < 5][:3]
        moved = with_entry(with_entry(scores, one, 40.0), masked, FUTURE)
        both = with_entry(moved, another, -40.0)
        assert_relative(kata, False, moved, both, np.stack([moved, scores]), np.stack([scores, moved]))
    # nor that later queries score higher
    assert_room(kata, 1.0, 300.0, np.where(np.tri(300, dtype=bool), 0.1 * np.arange(300.0)[:, None], FUTURE))


@pytest.mark.task(3)
def test_a_diagonal_of_masked_keys_and_numbers_is_not_constant(kata):
    # a masked key is neither a score of zero nor a very low one
    for value in (1.5, 0.0, -1e30):
        causal = np.where(np.tri(6, dtype=bool), value, FUTURE)
        assert_relative(kata, True, causal)
        for i, j in ((3, 3), (4, 2), (5, 1), (2, 3), (0, 1), (4, 5)):
            mixed = with_entry(causal, (i, j), value if j > i else FUTURE)
            assert_relative(kata, False, mixed)
            assert_relative(kata, False, mixed, atol=1e30)


@pytest.mark.task(3)
def test_keys_masked_by_their_place_are_not_relative(kata):
    # the last two keys are padding; the first key is; two texts in one row that do not see each other
    padding, first, blocks = np.zeros((3, 7, 7))
    padding[:, 5:] = first[:, 0] = blocks[:3, 3:] = blocks[3:, :3] = FUTURE
    assert_relative(kata, False, padding, first, blocks, padding + by_distance(np.arange(-6.0, 7.0)))


@pytest.mark.task(3)
def test_every_head_has_a_window_of_its_own(kata):
    back = np.subtract.outer(np.arange(5), np.arange(5))                        # (5, 5)
    windows = [np.where((back >= 0) & (back < width), -back, FUTURE) for width in (2, 5, 3)]
    for scores in ([windows[0], windows[1]], windows, [windows[:2], windows[1:]], [windows[1], -abs(back)]):
        assert_relative(kata, True, np.array(scores))
        assert_relative(kata, False, np.where(np.arange(25).reshape(5, 5) == 11, FUTURE, scores))


# Task 4: how far attention looks

@pytest.mark.task(4)
def test_three_queries_by_hand(kata):
    # 0; 0.5 * 1; 0.2 * 2 + 0.3 * 1: 1.2 over three queries
    weights = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    assert_same(kata.mean_attention_distance(weights), 0.4)
    # 0.25 * 1 + 0.5 * 2; 0.5 * 1 + 0.25 * 1; 0.75 * 2: keys after the query count as well
    weights = np.array([[0.25, 0.25, 0.5], [0.5, 0.25, 0.25], [0.75, 0.0, 0.25]])
    assert_same(kata.mean_attention_distance(weights=weights), 3.5 / 3)


@pytest.mark.task(4)
def test_one_key_even_attention_and_even_causal_attention_by_hand(kata):
    for n in (2, 9, 300):
        own, itself = np.arange(n), np.eye(n)
        for target, wanted in (
            (own, 0.0), (np.maximum(own - 1, 0), (n - 1) / n), (np.minimum(own + 1, n - 1), (n - 1) / n),
            (0 * own, (n - 1) / 2), (0 * own + n - 1, (n - 1) / 2), ((own + 1) % n, 2 * (n - 1) / n),
        ):
            assert_same(kata.mean_attention_distance(itself[target]), wanted)
    assert_same(kata.mean_attention_distance(np.array([[1.0]])), 0.0)
    assert_same(kata.mean_attention_distance(np.ones((3, 2, 1, 1))), np.zeros((3, 2)))
    for n in (2, 7, 40):
        assert_same(kata.mean_attention_distance(np.full((n, n), 1.0 / n)), (n * n - 1) / (3 * n))
        assert_same(kata.mean_attention_distance(np.tri(n) / np.arange(1, n + 1)[:, None]), (n - 1) / 4)


@pytest.mark.task(4)
def test_every_matrix_has_a_distance_of_its_own(kata):
    own, first, even = np.eye(3), np.eye(3)[[0, 0, 0]], np.full((3, 3), 1 / 3)  # 0; 1; 8/9
    assert_same(kata.mean_attention_distance(np.array([own, first])), [0.0, 1.0])
    assert_same(kata.mean_attention_distance(np.array([first, own, even])), [1.0, 0.0, 8 / 9])
    four = np.array([[[own, first]], [[even, own]], [[first, first]]])          # (3, 1, 2, 3, 3)
    assert_same(kata.mean_attention_distance(four), [[[0.0, 1.0]], [[8 / 9, 0.0]], [[1.0, 1.0]]])
    assert_same(kata.mean_attention_distance(first[None]), [1.0])


@pytest.mark.task(4)
def test_a_mixture_of_two_attentions_looks_as_far_as_their_mixture(kata, rng):
    near, far = attention(rng, 2, 11, 11), np.eye(11)[[10] * 5 + [0] * 6]
    share = np.array([0.3, 0.9])
    wanted = share * kata.mean_attention_distance(near) + (1 - share) * kata.mean_attention_distance(far)
    mixed = share[:, None, None] * near + (1 - share[:, None, None]) * far
    assert_same(kata.mean_attention_distance(mixed), wanted)
    assert_same(kata.mean_attention_distance(mixed[:, ::-1, ::-1]), wanted)     # read backwards: as far


def attentions(rng, dtype=float):
    for shape in ((12, 12), (5, 7, 7), (7, 7, 7), (2, 3, 13, 13), (4, 4, 4, 4), (1, 2, 1, 8, 8), (2, 6, 1, 1)):
        for sharp in (1.0, 30.0):
            weights = attention(rng, *shape) ** sharp
            yield ((weights / weights.sum(axis=-1, keepdims=True)).astype(dtype),)


test_distances_of_any_attention_agree_with_the_reference = checks.agrees_with_the_reference(
    4, "mean_attention_distance", attentions)
test_distances_of_float32_weights_are_right = checks.agrees_with_the_reference(
    4, "mean_attention_distance", lambda rng: attentions(rng, np.float32))
test_whole_numbers_are_weights_too = checks.takes_whole_numbers(
    4, "mean_attention_distance", [(np.eye(5)[[[0, 0, 0, 0, 1], [4, 3, 2, 1, 0]]],), (np.eye(5)[[0, 0, 0, 0, 1]],)])
test_weights_may_be_views_and_read_only = checks.takes_views(4, "mean_attention_distance", attentions)
test_distances_are_in_double_precision = checks.are_in_double_precision(
    4, mean_attention_distance=lambda rng: [(attention(rng, 3, 8, 8),), (attention(rng, 9, 9),)])
