"""What contextual positions have to be: values worked by hand, laws of counting and reading, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same
from grader.course.samples import in_single

OPEN, CLOSED = 1000.0, -1000.0                   # scores whose gates are 1 and 0


def drawn(rng, leading, n, d, d_v, rows):
    """Random queries, keys, values and a table."""
    return *(rng.normal(size=(*leading, n, width)) for width in (d, d, d_v)), rng.normal(size=(rows, d))


def masked(scores):
    """The scores with -inf for keys after the query."""
    return np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)


# Task 1: the positions

@pytest.mark.task(1)
def test_three_tokens_and_one_by_hand(kata):
    # the gates are 3/4 for ln 3, 1/2 for 0 and 1/4 for -ln 3
    s = 1.098612288668
    scores = np.array([[s, -np.inf, -np.inf], [0.0, s, -np.inf], [-s, 0.0, s]])
    assert_same(kata.gated_positions(scores), [[0.75, 0.0, 0.0], [1.25, 0.75, 0.0], [1.5, 1.25, 0.75]])
    assert_same(kata.gated_positions(np.array([[0.0]])), [[0.5]])
    assert_same(kata.gated_positions(np.array([[[1.0]], [[-1.0]]])), [[[0.731058578630]], [[0.268941421370]]])


@pytest.mark.task(1)
def test_open_gates_count_every_token_the_own_one_too(kata):
    for n in (7, 90):
        wanted = np.maximum(np.arange(1.0, n + 1)[:, None] - np.arange(n), 0.0)    # (n, n), i - j + 1
        assert_same(kata.gated_positions(np.full((n, n), OPEN)), wanted)
        assert_same(kata.gated_positions(masked(np.full((n, n), OPEN))), wanted)
        # scores of 0 count halves
        assert_same(kata.gated_positions(np.zeros((3, n, n))), np.tile(wanted / 2, (3, 1, 1)))


@pytest.mark.task(1)
def test_a_query_that_counts_full_stops_counts_sentences(kata):
    # tokens 2, 3 and 6 are full stops: the last query finds 3 of them from the first token on
    scores = np.full((8, 8), CLOSED)
    scores[:, [2, 3, 6]] = OPEN
    wanted = np.array([
        [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0], [2, 2, 2, 1, 0, 0, 0, 0],
        [2, 2, 2, 1, 0, 0, 0, 0], [2, 2, 2, 1, 0, 0, 0, 0], [3, 3, 3, 2, 1, 1, 1, 0], [3, 3, 3, 2, 1, 1, 1, 0],
    ], dtype=float)
    assert_same(kata.gated_positions(scores), wanted)


@pytest.mark.task(1)
def test_every_query_counts_its_own_gates(kata, rng):
    scores = masked(rng.normal(size=(9, 9)))
    other = scores + 2.0 * (np.arange(9) == 4)[:, None]                # query 4 scores higher
    rest = np.arange(9) != 4
    assert_same(kata.gated_positions(other)[rest], kata.gated_positions(scores)[rest])
    scores = masked(rng.normal(0.0, 3.0, size=(2, 12, 12)))
    positions, gates = kata.gated_positions(scores), 1.0 / (1.0 + np.exp(-scores))       # (2, 12, 12) each
    past = np.tri(12, dtype=bool)[:, :-1]
    assert_same((positions[..., :-1] - positions[..., 1:])[:, past], gates[..., :-1][:, past])
    assert_same(np.diagonal(positions, axis1=1, axis2=2), np.diagonal(gates, axis1=1, axis2=2))


@pytest.mark.task(1)
def test_what_stands_above_the_diagonal_does_not_count(kata, rng):
    scores, past = rng.normal(size=(3, 10, 10)), np.tri(10, dtype=bool)
    wanted = kata.gated_positions(masked(scores))
    for future in (0.0, 1e6, -1e6, rng.normal(size=(3, 10, 10))):
        assert_same(kata.gated_positions(np.where(past, scores, future)), wanted)
    assert_same(wanted[:, ~past], np.zeros((3, 45)))


@pytest.mark.task(1)
def test_scores_of_a_million_open_and_close_gates(kata):
    scores = np.array([[-1e6, 5.0, -7.0], [1e6, -1e6, 3.0], [-1e6, 1e6, 1e6]])
    assert_same(kata.gated_positions(scores), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 2.0, 1.0]])
    assert_same(kata.gated_positions(masked(-scores)), [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


@pytest.mark.task(1)
def test_a_shorter_text_has_the_first_rows_and_columns(kata, rng):
    scores = rng.normal(size=(3, 12, 12))
    assert_same(kata.gated_positions(scores[:, :5, :5]), kata.gated_positions(scores)[:, :5, :5])
    assert_same(kata.gated_positions(scores[:, 5:, 5:]), kata.gated_positions(scores)[:, 5:, 5:])


def scores_of_any_shape(rng):
    for shape in ((12, 12), (1, 13, 13), (6, 6, 6), (2, 6, 15, 15), (3, 1, 1), (2, 2, 2, 2)):
        for size in (1.0, 20.0):
            scores = rng.normal(0.0, size, size=shape)
            yield from ((scores,), (masked(scores),), (-scores,))


def some_scores(rng):
    scores = rng.normal(0.0, 2.0, size=(3, 9, 9))
    return [(scores,), in_single([scores])]


test_positions_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "gated_positions", scores_of_any_shape)
test_leading_axes_are_texts_and_heads_of_their_own = checks.agrees_with_the_reference(
    1, "gated_positions", lambda rng: [(masked(rng.normal(size=(*leading, 7, 7))),) for leading in ((2, 3), (3,), ())])
test_positions_from_whole_numbers = checks.takes_whole_numbers(1, "gated_positions", some_scores)
test_positions_from_views_and_from_float32 = checks.takes_views(1, "gated_positions", some_scores)


# Task 2: the table, read between its rows

@pytest.mark.task(2)
def test_two_queries_and_tables_of_three_rows_and_two_by_hand(kata):
    # query 0 makes 2, 6 and 12 of the rows, query 1 makes 6, 11 and -6
    q, table = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[2.0, 0.0], [4.0, 1.0], [0.0, 6.0]])
    assert_same(kata.position_logits(q, table, np.array([[0.0, 0.5], [1.25, 3.0]])), [[2.0, 4.0], [6.75, -6.0]])
    # each row of positions belongs to one query: query 0 makes 1 and 3 of two rows, query 1 makes 10 and 30
    q, table = np.array([[1.0, 0.0], [10.0, 0.0]]), np.array([[1.0, 5.0], [3.0, -8.0]])
    assert_same(kata.position_logits(q, table, np.array([[0.0, 1.0], [0.5, 0.25]])), [[1.0, 3.0], [20.0, 15.0]])
    # the products of the rows are 1, 4 and -2
    q, table, positions = np.array([[1], [1]]), np.array([[1], [4], [-2]]), np.array([[0.25, 1.5], [0.9, 1.75]])
    assert_same(kata.position_logits(q, table, positions), [[1.75, 1.0], [3.7, -0.5]])
    assert_same(kata.position_logits(q, table, np.array([[0, 2], [7, 1]])), [[1.0, -2.0], [-2.0, 4.0]])
    q, table = np.array([[2.0], [1.0], [-1.0]]), np.array([[3.0], [5.0]])
    positions = np.array([[0.0, 0.5, 1.0], [0.25, 2.0, 0.75], [9.0, 1.5, 0.1]])
    assert_same(kata.position_logits(q, table, positions), [[6.0, 8.0, 10.0], [3.5, 5.0, 4.5], [-5.0, -5.0, -3.2]])


@pytest.mark.task(2)
def test_whole_positions_read_the_rows(kata, rng):
    q, table = rng.normal(size=(6, 5)), rng.normal(size=(6, 5))
    for positions in (np.tile(np.arange(6.0), (6, 1)), np.tile(np.arange(6), (6, 1))):
        assert_same(kata.position_logits(q, table, positions), q @ table.T)


@pytest.mark.task(2)
def test_after_the_last_row_the_last_row_goes_on(kata, rng):
    q, table = rng.normal(size=(2, 5, 4)), rng.normal(size=(7, 4))
    last = np.repeat((q @ table[-1])[..., None], 5, axis=-1)           # (2, 5, 5)
    for position in (6.0, 6.25, 7.0, 8.5, 512.0):
        assert_same(kata.position_logits(q, table, np.full((2, 5, 5), position)), last)


@pytest.mark.task(2)
def test_an_even_rise_of_the_table_is_the_position_itself(kata, rng):
    # row p is p times a vector, so the logit is position times q . vector
    q, vector, positions = rng.normal(size=(3, 8, 5)), rng.normal(size=5), rng.uniform(0.0, 11.0, size=(3, 8, 8))
    products = (q @ vector)[..., None]
    assert_same(kata.position_logits(q, np.arange(12.0)[:, None] * vector, positions), positions * products)
    # if all rows are the vector, positions make no difference, after the last row neither
    assert_same(kata.position_logits(q, np.tile(vector, (9, 1)), 2.0 * positions), np.tile(products, 8))


@pytest.mark.task(2)
def test_nothing_is_masked(kata):
    # every entry is read, also above the diagonal, where the positions of task 1 are 0
    q, table, positions = np.ones((4, 1)), np.array([[7.0], [1.0], [3.0]]), np.array([[0.0, 1.0, 2.0, 0.5]] * 4)
    assert_same(kata.position_logits(q, table, 0.0 * positions), np.full((4, 4), 7.0))
    assert_same(kata.position_logits(q, table, positions), [[7.0, 1.0, 3.0, 4.0]] * 4)


def reads_of_any_size(rng):
    sizes = ((), 12, 4, 5), ((6,), 6, 6, 6), ((2, 3), 7, 5, 13), ((1,), 1, 1, 2), ((4,), 4, 64, 513)
    for leading, n, d, rows in sizes:
        q, table = rng.normal(size=(*leading, n, d)), rng.normal(size=(rows, d))
        positions = rng.uniform(0.0, 1.2 * rows, size=(*leading, n, n))
        for places in (positions, np.floor(positions), 0.1 * positions, 1e6 * positions, positions):
            yield q, table, places
        yield {"positions": positions, "table": -table, "q": q}


def some_reads(rng):
    arrays = rng.normal(size=(3, 6, 4)), rng.normal(size=(9, 4)), rng.uniform(0, 11, size=(3, 6, 6))
    return [arrays, in_single(arrays)]


test_logits_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(
    2, "position_logits", reads_of_any_size)
test_logits_of_views_of_any_memory_order_and_of_float32 = checks.takes_views(2, "position_logits", some_reads)


# Task 3: attention

@pytest.mark.task(3)
def test_equal_scores_and_scaled_ones_by_hand(kata):
    # scores 0, so positions 1/2, 1, 3/2 back from the query; the table makes them 4 to that power: 2, 4, 8
    out = kata.contextual_attention(np.ones((3, 1)), np.zeros((3, 1)), np.eye(3), np.log(4.0) * np.arange(3.0)[:, None])
    assert_same(out, [[1.0, 0.0, 0.0], [2 / 3, 1 / 3, 0.0], [4 / 7, 2 / 7, 1 / 7]])
    # q.k is 2 ln 3 and 0, so the scores are ln 3 and 0, the gates 3/4 and 1/2, the positions 5/4 and 1/2. The
    # table ends at 1 and makes ln 4 and half of it: the weights are in the ratio 3 * 4 : 1 * 2
    q, k = np.ones((2, 4)), np.array([[0.549306144334] * 4, [0.0] * 4])
    table = np.array([[0.0] * 4, [1.386294361120, 0.0, 0.0, 0.0]])
    assert_same(kata.contextual_attention(q, k, np.array([[7.0, 0.0, 14.0], [0.0, 7.0, -7.0]]), table),
                [[7.0, 0.0, 14.0], [6.0, 1.0, 11.0]])


@pytest.mark.task(3)
def test_a_table_of_zeros_leaves_the_mean_and_whole_numbers_are_weighed_by_fractions(kata):
    v, wanted = [[3.0, 0.0], [6.0, 3.0], [0.0, 6.0], [-1.0, 3.0]], [[3.0, 0.0], [4.5, 1.5], [3.0, 3.0], [2.0, 3.0]]
    for table in (np.zeros((3, 5)), np.ones((3, 5))):
        assert_same(kata.contextual_attention(np.zeros((4, 5)), np.ones((4, 5)), np.array(v), table), wanted)
    # scores 0, positions 1 and 1/2, which the table makes 2 and 1: the weights are 1 / (1 + 1/e) and 1 / (1 + e)
    q, k, v = np.array([[1], [1]]), np.array([[0], [0]]), np.array([[1, 10, 2], [0, 20, -1]])
    wanted = [[1.0, 10.0, 2.0], [0.731058578630, 12.689414213700, 1.193175735890]]
    assert_same(kata.contextual_attention(q, k, v, np.array([[0], [2], [5]])), wanted)


@pytest.mark.task(3)
def test_equal_values_come_out_as_they_are(kata, rng):
    q, k, _, table = drawn(rng, (6,), 12, 4, 3, 5)
    row = np.tile(np.array([2.0, -1.0, 0.5]), (6, 12, 1))
    assert_same(kata.contextual_attention(q, k, row, table), row)
    for leading, d, d_v in (((), 1, 1), ((6,), 3, 2), ((1, 2), 4, 7)):         # and so does the value of one token
        q, k, v, table = drawn(rng, leading, 1, d, d_v, 4)
        assert_same(kata.contextual_attention(q, k, v, table), v)


@pytest.mark.task(3)
def test_what_comes_later_changes_nothing_before(kata, rng):
    q, k, v, table = drawn(rng, (3,), 12, 4, 5, 6)
    later = 1.0 * (np.arange(12) >= 7)[:, None]
    output = kata.contextual_attention(q, k + 3.0 * later, v - 2.0 * later, table)
    assert_same(output[:, :7], kata.contextual_attention(q, k, v, table)[:, :7])
    assert_same(output[:, :7], kata.contextual_attention(q[:, :7], k[:, :7], v[:, :7], table))


@pytest.mark.task(3)
def test_a_vector_added_to_every_row_of_the_table_changes_nothing(kata, rng):
    # all logits of a query rise by q . vector, which a softmax ignores
    q, k, v, table = drawn(rng, (2,), 12, 4, 3, 5)
    output = kata.contextual_attention(q, k, v, table)
    assert_same(kata.contextual_attention(q, k, v, table + np.array([0.5, -1.0, 2.0, 1.0])), output)


@pytest.mark.task(3)
def test_a_row_of_the_table_finds_a_sentence(kata):
    # every query asks for row 2; tokens 1, 3 and 6 are full stops. For the last query, tokens 2 and 3 are at
    # position 2, and of these the full stop has the higher score
    stops = np.isin(np.arange(8), [1, 3, 6])
    q, k = np.ones((8, 2)), np.where(stops, 20.0, -20.0)[:, None] * np.array([1.0, 0.0])
    table = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 300.0], [0.0, 0.0]])
    output = kata.contextual_attention(q, k, np.arange(8.0)[:, None], table)
    # a query that has seen fewer than two full stops takes the last one, and the first token takes itself
    assert_same(output, [[0.0], [1.0], [1.0], [1.0], [1.0], [1.0], [3.0], [3.0]])


@pytest.mark.task(3)
def test_the_table_is_read_to_the_end_however_long_the_text(kata):
    # scores of 50 open all gates: the first token is at position 2 of the last query, whose logits are ln 3 and 0
    q, k, v, table = np.ones((2, 1)), np.full((2, 1), 50.0), np.array([[4.0], [8.0]]), np.log([[1.0], [1], [3], [1]])
    assert_same(kata.contextual_attention(q, k, v, table), [[4.0], [5.0]])
    # each position back doubles the weight: 2 ** i of 2 ** (i + 1) - 1 for the first of ninety tokens
    q, k, v, table = np.ones((90, 1)), np.full((90, 1), 50.0), np.eye(90, 1), np.log(2.0) * np.arange(99.0)[:, None]
    assert_same(kata.contextual_attention(q, k, v, table)[:, 0], 2.0 ** np.arange(90) / (2.0 ** np.arange(1, 91) - 1.0))


@pytest.mark.task(3)
def test_scores_of_a_million_leave_one_key_and_no_row_drowns_another(kata, rng):
    # a query of size s scores s / 2 * (3, 5, 1, 4, 2): the best key so far is 0, then 1 for the rest
    q = np.tile(10.0 ** np.array([2.0, 6.0, 3.0, 6.0, 2.0])[:, None], (2, 1, 4)) / 4.0
    k = np.tile(np.array([3.0, 5.0, 1.0, 4.0, 2.0])[:, None], (2, 1, 4))
    v, table = rng.normal(size=(2, 5, 3)), np.tile([[0.0], [0.0], [1e-7], [0.0]], (1, 4))
    assert_same(kata.contextual_attention(q, k, v, table), v[:, [0, 1, 1, 1, 1]])
    # reversed, the lowest mark wins, and all scores are below 0, however far
    for size in (1.0, 1e5):
        assert_same(kata.contextual_attention(-size * q, k, v, table), v[:, [0, 0, 2, 2, 2]])


@pytest.mark.task(3)
def test_keys_after_the_query_win_nothing_however_high_they_score(kata, rng):
    # each key scores about 5000 above the one before it; reversed, below it, and all are below -20000
    _, k, v, table = drawn(rng, (2,), 6, 4, 3, 5)
    q = np.full((2, 6, 4), 100.0)
    rising = k + 100.0 + 25.0 * np.arange(6.0)[:, None]
    assert_same(kata.contextual_attention(q, rising, v, 0.1 * table), v)
    assert_same(kata.contextual_attention(-q, rising, v, 0.1 * table), np.repeat(v[:, :1], 6, axis=1))


def of_any_size(rng):
    for leading, n, rows in (((6,), 12, 4), ((12,), 6, 20), ((), 15, 2), ((2, 3), int(rng.integers(12, 20)), 9)):
        q, k, v, table = drawn(rng, leading, n, *rng.integers(2, 9, size=2).tolist(), rows)
        yield from ((q, k, v, table), (q, k, v, 3.0 * table), (q, k, v, table))
        yield np.abs(q) + 1.0, 9.0 * np.abs(k) + 9.0, v, table         # almost all gates are open
        yield {"table": -table, "v": v, "k": 2.0 * k, "q": q}


def some_texts(rng):
    arrays = drawn(rng, (4,), 7, 5, 3, 6)
    return [arrays, in_single(arrays), drawn(rng, (), 7, 5, 3, 6)]


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(
    3, "contextual_attention", of_any_size)
test_attention_whose_sizes_coincide_does_not_mix_the_axes = checks.agrees_with_the_reference(
    3, "contextual_attention", lambda rng: [drawn(rng, (size, size), size, size, size, size) for size in (2, 5)])
test_arrays_of_whole_numbers_give_what_real_numbers_give = checks.takes_whole_numbers(
    3, "contextual_attention", some_texts)
test_attention_of_views_of_any_memory_order_and_of_float32 = checks.takes_views(3, "contextual_attention", some_texts)


# All

test_positions_logits_and_outputs_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), gated_positions=lambda rng: [(rng.normal(size=(3, 9, 9)),)],
    position_logits=lambda rng: some_reads(rng)[:1], contextual_attention=lambda rng: [drawn(rng, (3,), 9, 4, 5, 6)])
