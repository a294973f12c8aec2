"""What contextual positions have to be: values worked by hand, laws of counting and reading, the reference."""
import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_same

OPEN, CLOSED = 1000.0, -1000.0                   # scores whose gates are 1 and 0


def drawn(rng, leading, n, d, d_v, rows):
    """Random queries, keys, values and a table."""
    return *(rng.normal(size=(*leading, n, width)) for width in (d, d, d_v)), rng.normal(size=(rows, d))


def masked(scores):
    """The scores with -inf for keys after the query."""
    return np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)


# Task 1: the positions

@pytest.mark.task(1)
def test_three_tokens_by_hand(kata):
    # the gates are 3/4 for ln 3, 1/2 for 0 and 1/4 for -ln 3
    s = 1.098612288668
    scores = np.array([[s, -np.inf, -np.inf], [0.0, s, -np.inf], [-s, 0.0, s]])
    assert_same(kata.gated_positions(scores), [[0.75, 0.0, 0.0], [1.25, 0.75, 0.0], [1.5, 1.25, 0.75]])


@pytest.mark.task(1)
def test_one_token_is_as_far_away_as_its_own_gate(kata):
    assert_same(kata.gated_positions(np.array([[0.0]])), [[0.5]])
    assert_same(kata.gated_positions(np.array([[[1.0]], [[-1.0]]])), [[[0.731058578630]], [[0.268941421370]]])


@pytest.mark.task(1)
def test_open_gates_count_every_token_the_own_one_too(kata):
    for n in (7, 90):
        wanted = np.maximum(np.arange(1.0, n + 1)[:, None] - np.arange(n), 0.0)    # (n, n), i - j + 1
        assert_same(kata.gated_positions(np.full((n, n), OPEN)), wanted)
        assert_same(kata.gated_positions(masked(np.full((n, n), OPEN))), wanted)


@pytest.mark.task(1)
def test_scores_of_zero_count_halves(kata):
    wanted = np.maximum(np.arange(1, 13)[:, None] - np.arange(12), 0) / 2          # (12, 12)
    assert_same(kata.gated_positions(np.zeros((3, 12, 12))), np.tile(wanted, (3, 1, 1)))


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
def test_every_query_counts_for_itself(kata, rng):
    scores = masked(rng.normal(size=(9, 9)))
    positions = kata.gated_positions(scores)                           # (9, 9)
    other = scores.copy()
    other[4, :5] += 2.0
    rest = np.arange(9) != 4
    assert_same(kata.gated_positions(other)[rest], positions[rest])


@pytest.mark.task(1)
def test_neighbouring_keys_differ_by_one_gate(kata, rng):
    scores = masked(rng.normal(0.0, 3.0, size=(2, 12, 12)))
    positions = kata.gated_positions(scores)                           # (2, 12, 12)
    past = np.tri(12, dtype=bool)[:, :-1]
    gates = (1.0 / (1.0 + np.exp(-scores)))[:, :, :-1]
    own = np.diagonal(scores, axis1=1, axis2=2)
    assert_same((positions[..., :-1] - positions[..., 1:])[:, past], gates[:, past])
    assert_same(np.diagonal(positions, axis1=1, axis2=2), 1.0 / (1.0 + np.exp(-own)))


@pytest.mark.task(1)
def test_what_stands_above_the_diagonal_does_not_count(kata, rng):
    scores = rng.normal(size=(3, 10, 10))
    wanted = kata.gated_positions(masked(scores))
    for future in (0.0, 1e6, -1e6, rng.normal(size=(3, 10, 10))):
        assert_same(kata.gated_positions(np.where(np.tri(10, dtype=bool), scores, future)), wanted)
    assert_same(wanted[:, ~np.tri(10, dtype=bool)], np.zeros((3, 45)))


@pytest.mark.task(1)
def test_scores_of_a_million_open_and_close_gates(kata):
    scores = np.array([[-1e6, 5.0, -7.0], [1e6, -1e6, 3.0], [-1e6, 1e6, 1e6]])
    assert_same(kata.gated_positions(scores), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 2.0, 1.0]])
    assert_same(kata.gated_positions(masked(-scores)), [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])


@pytest.mark.task(1)
def test_leading_axes_are_texts_and_heads_of_their_own(kata, rng):
    scores = masked(rng.normal(size=(2, 3, 7, 7)))
    positions = kata.gated_positions(scores)                           # (2, 3, 7, 7)
    assert_same(positions[1], kata.gated_positions(scores[1]))
    assert_same(positions[0, 2], kata.gated_positions(scores[0, 2]))
    assert_same(positions[:, :1], kata.gated_positions(scores[:, :1]))


@pytest.mark.task(1)
def test_a_shorter_text_has_the_first_rows_and_columns(kata, rng):
    scores = rng.normal(size=(3, 12, 12))
    assert_same(kata.gated_positions(scores[:, :5, :5]), kata.gated_positions(scores)[:, :5, :5])
    assert_same(kata.gated_positions(scores[:, 5:, 5:]), kata.gated_positions(scores)[:, 5:, 5:])


@pytest.mark.task(1)
def test_positions_from_whole_numbers_and_from_views_of_float32(kata, reference, rng):
    whole = rng.integers(-4, 5, size=(3, 9, 9))
    assert_same(kata.gated_positions(whole), reference.gated_positions(1.0 * whole))
    scores = rng.normal(0.0, 2.0, size=(3, 16, 24))
    views = scores[:, ::2, ::3], np.asfortranarray(scores)[..., 1::2, 12:4:-1], scores[:, :16, :16].swapaxes(1, 2)
    for view in (*views, views[0].astype(np.float32)):
        view.flags.writeable = False
        assert_same(kata.gated_positions(view), reference.gated_positions(view.copy()))


@pytest.mark.task(1)
def test_positions_of_any_shape_agree_with_the_reference(kata, reference, rng):
    for shape in ((12, 12), (1, 13, 13), (6, 6, 6), (2, 6, 15, 15), (3, 1, 1), (2, 2, 2, 2)):
        for size in (1.0, 20.0):
            scores = rng.normal(0.0, size, size=shape)
            for given in (scores, masked(scores), -scores):
                assert_same(kata.gated_positions(given), reference.gated_positions(given))


# Task 2: the table, read between its rows

@pytest.mark.task(2)
def test_two_queries_and_three_rows_by_hand(kata):
    # query 0 makes 2, 6 and 12 of the rows, query 1 makes 6, 11 and -6
    q = np.array([[1.0, 2.0], [3.0, -1.0]])
    table = np.array([[2.0, 0.0], [4.0, 1.0], [0.0, 6.0]])
    positions = np.array([[0.0, 0.5], [1.25, 3.0]])
    assert_same(kata.position_logits(q, table, positions), [[2.0, 4.0], [6.75, -6.0]])


@pytest.mark.task(2)
def test_whole_positions_read_the_rows(kata, rng):
    q, table = rng.normal(size=(6, 5)), rng.normal(size=(6, 5))
    for positions in (np.tile(np.arange(6.0), (6, 1)), np.tile(np.arange(6), (6, 1))):
        assert_same(kata.position_logits(q, table, positions), q @ table.T)


@pytest.mark.task(2)
def test_whole_numbers_are_read_between_the_rows(kata):
    # the products of the rows are 1, 4 and -2
    q, table = np.array([[1], [1]]), np.array([[1], [4], [-2]])
    positions = np.array([[0.25, 1.5], [0.9, 1.75]])
    assert_same(kata.position_logits(q, table, positions), [[1.75, 1.0], [3.7, -0.5]])
    assert_same(kata.position_logits(q, table, np.array([[0, 2], [7, 1]])), [[1.0, -2.0], [-2.0, 4.0]])


@pytest.mark.task(2)
def test_two_rows_are_a_table(kata):
    q, table = np.array([[2.0], [1.0], [-1.0]]), np.array([[3.0], [5.0]])
    positions = np.array([[0.0, 0.5, 1.0], [0.25, 2.0, 0.75], [9.0, 1.5, 0.1]])
    assert_same(kata.position_logits(q, table, positions), [[6.0, 8.0, 10.0], [3.5, 5.0, 4.5], [-5.0, -5.0, -3.2]])


@pytest.mark.task(2)
def test_after_the_last_row_the_last_row_goes_on(kata, rng):
    q, table = rng.normal(size=(2, 5, 4)), rng.normal(size=(7, 4))
    last = np.repeat((q @ table[-1])[..., None], 5, axis=-1)           # (2, 5, 5)
    for position in (6.0, 6.25, 7.0, 8.5, 512.0):
        assert_same(kata.position_logits(q, table, np.full((2, 5, 5), position)), last)


@pytest.mark.task(2)
def test_an_even_rise_of_the_table_is_the_position_itself(kata, rng):
    # row p is p times a vector, so the logit is position times q . vector
    q, vector = rng.normal(size=(3, 8, 5)), rng.normal(size=5)
    positions = rng.uniform(0.0, 11.0, size=(3, 8, 8))
    wanted = positions * (q @ vector)[..., None]
    assert_same(kata.position_logits(q, np.arange(12.0)[:, None] * vector, positions), wanted)


@pytest.mark.task(2)
def test_equal_rows_make_the_position_irrelevant(kata, rng):
    q, row = rng.normal(size=(4, 6, 3)), rng.normal(size=3)
    positions = rng.uniform(0.0, 20.0, size=(4, 6, 6))
    wanted = np.repeat((q @ row)[..., None], 6, axis=-1)
    assert_same(kata.position_logits(q, np.tile(row, (9, 1)), positions), wanted)


@pytest.mark.task(2)
def test_nothing_is_masked(kata):
    # every entry is read, also above the diagonal, where the positions of task 1 are 0
    q, table = np.ones((4, 1)), np.array([[7.0], [1.0], [3.0]])
    assert_same(kata.position_logits(q, table, np.zeros((4, 4))), np.full((4, 4), 7.0))
    positions = np.array([[0.0, 1.0, 2.0, 0.5]] * 4)
    assert_same(kata.position_logits(q, table, positions), [[7.0, 1.0, 3.0, 4.0]] * 4)


@pytest.mark.task(2)
def test_a_row_of_positions_belongs_to_one_query(kata):
    # query 0 makes 1 and 3 of the two rows, query 1 makes 10 and 30
    q, table = np.array([[1.0, 0.0], [10.0, 0.0]]), np.array([[1.0, 5.0], [3.0, -8.0]])
    assert_same(kata.position_logits(q, table, np.array([[0.0, 1.0], [0.5, 0.25]])), [[1.0, 3.0], [20.0, 15.0]])


@pytest.mark.task(2)
def test_logits_of_leading_axes_stand_alone(kata, rng):
    q, table, positions = rng.normal(size=(2, 3, 6, 4)), rng.normal(size=(5, 4)), rng.uniform(0, 7, size=(2, 3, 6, 6))
    logits = kata.position_logits(q, table, positions)                 # (2, 3, 6, 6)
    assert_same(kata.position_logits(q[1], table, positions[1]), logits[1])
    assert_same(kata.position_logits(q[0, 2], table, positions[0, 2]), logits[0, 2])
    assert_same(kata.position_logits(q[:, :1], table, positions[:, :1]), logits[:, :1])


@pytest.mark.task(2)
def test_logits_of_views_of_any_memory_order_and_of_float32(kata, reference, rng):
    q, table, positions = rng.normal(size=(3, 12, 8)), rng.normal(size=(18, 8)), rng.uniform(0, 9, size=(12, 3, 12))
    views = q[:, ::2, ::2], np.asfortranarray(table)[::-2, ::2], positions.swapaxes(0, 1)[:, ::2, ::-2]
    for arrays in (views, [view.astype(np.float32) for view in views]):
        for array in arrays:
            array.flags.writeable = False
        assert_same(kata.position_logits(*arrays), reference.position_logits(*(array.copy() for array in arrays)))


@pytest.mark.task(2)
def test_logits_of_any_size_agree_with_the_reference(kata, reference, rng):
    sizes = ((), 12, 4, 5), ((6,), 6, 6, 6), ((2, 3), 7, 5, 13), ((1,), 1, 1, 2), ((4,), 4, 64, 513)
    for leading, n, d, rows in sizes:
        q, table = rng.normal(size=(*leading, n, d)), rng.normal(size=(rows, d))
        positions = rng.uniform(0.0, 1.2 * rows, size=(*leading, n, n))
        for places in (positions, np.floor(positions), 0.1 * positions, 1e6 * positions, positions):
            assert_same(kata.position_logits(q, table, places), reference.position_logits(q, table, places))
        logits = kata.position_logits(positions=positions, table=-table, q=q)
        assert_same(logits, -reference.position_logits(q, table, positions))


# Task 3: attention

@pytest.mark.task(3)
def test_equal_scores_and_a_rising_table_by_hand(kata):
    # scores 0, so positions 1/2, 1, 3/2 back from the query; the table makes them 4 to that power: 2, 4, 8
    q, k, table = np.ones((3, 1)), np.zeros((3, 1)), 1.386294361120 * np.arange(3.0)[:, None]
    wanted = [[1.0, 0.0, 0.0], [2 / 3, 1 / 3, 0.0], [4 / 7, 2 / 7, 1 / 7]]
    assert_same(kata.contextual_attention(q, k, np.eye(3), table), wanted)


@pytest.mark.task(3)
def test_scores_are_scaled_before_the_gates_and_the_logits_are_not(kata):
    # q.k is 2 ln 3 and 0, so the scores are ln 3 and 0, the gates 3/4 and 1/2, the positions 5/4 and 1/2. The
    # table ends at 1 and makes ln 4 and half of it: the weights are in the ratio 3 * 4 : 1 * 2
    q, k = np.ones((2, 4)), np.array([[0.549306144334] * 4, [0.0] * 4])
    table = np.array([[0.0] * 4, [1.386294361120, 0.0, 0.0, 0.0]])
    assert_same(kata.contextual_attention(q, k, np.array([[7.0, 0.0, 14.0], [0.0, 7.0, -7.0]]), table),
                [[7.0, 0.0, 14.0], [6.0, 1.0, 11.0]])


@pytest.mark.task(3)
def test_a_table_of_zeros_leaves_the_mean_of_equal_scores(kata):
    v = np.array([[3.0, 0.0], [6.0, 3.0], [0.0, 6.0], [-1.0, 3.0]])
    wanted = [[3.0, 0.0], [4.5, 1.5], [3.0, 3.0], [2.0, 3.0]]
    assert_same(kata.contextual_attention(np.zeros((4, 5)), np.ones((4, 5)), v, np.zeros((3, 5))), wanted)
    assert_same(kata.contextual_attention(np.zeros((4, 5)), np.ones((4, 5)), v, np.ones((3, 5))), wanted)


@pytest.mark.task(3)
def test_whole_numbers_are_weighed_by_fractions(kata):
    # scores 0, positions 1 and 1/2, which the table makes 2 and 1: the weights are 1 / (1 + 1/e) and 1 / (1 + e)
    q, k, v = np.array([[1], [1]]), np.array([[0], [0]]), np.array([[1, 10, 2], [0, 20, -1]])
    wanted = [[1.0, 10.0, 2.0], [0.731058578630, 12.689414213700, 1.193175735890]]
    assert_same(kata.contextual_attention(q, k, v, np.array([[0], [2], [5]])), wanted)


@pytest.mark.task(3)
def test_one_token_hands_its_value_on(kata, rng):
    for leading, d, d_v in (((), 1, 1), ((6,), 3, 2), ((1, 2), 4, 7)):
        q, k, v, table = drawn(rng, leading, 1, d, d_v, 4)
        assert_same(kata.contextual_attention(q, k, v, table), v)


@pytest.mark.task(3)
def test_equal_values_come_out_as_they_are(kata, rng):
    q, k, _, table = drawn(rng, (6,), 12, 4, 3, 5)
    row = np.tile(np.array([2.0, -1.0, 0.5]), (6, 12, 1))
    assert_same(kata.contextual_attention(q, k, row, table), row)


@pytest.mark.task(3)
def test_what_comes_later_changes_nothing_before(kata, rng):
    q, k, v, table = drawn(rng, (3,), 12, 4, 5, 6)
    later_k, later_v = k.copy(), v.copy()
    later_k[:, 7:] += 3.0
    later_v[:, 7:] -= 2.0
    output = kata.contextual_attention(q, later_k, later_v, table)
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
def test_a_text_of_two_tokens_reads_row_two(kata):
    # scores of 50 open all gates: the first token is at position 2 of the last query, whose logits are ln 3 and 0
    q, k, v = np.ones((2, 1)), np.full((2, 1), 50.0), np.array([[4.0], [8.0]])
    table = np.array([[0.0], [0.0], [1.098612288668], [0.0]])
    assert_same(kata.contextual_attention(q, k, v, table), [[4.0], [5.0]])


@pytest.mark.task(3)
def test_a_text_of_ninety_tokens_counts_all_of_them(kata):
    # all gates are open, and each position back doubles the weight: 2 ** i of 2 ** (i + 1) - 1 for the first token
    q, k, v, table = np.ones((90, 1)), np.full((90, 1), 50.0), np.zeros((90, 1)), np.log(2.0) * np.arange(99.0)[:, None]
    v[0] = 1.0
    weights = 2.0 ** np.arange(90) / (2.0 ** np.arange(1, 91) - 1.0)
    assert_same(kata.contextual_attention(q, k, v, table), weights[:, None])


@pytest.mark.task(3)
def test_texts_and_heads_attend_alone(kata, rng):
    q, k, v, table = drawn(rng, (2, 3), 9, 4, 5, 6)
    output = kata.contextual_attention(q, k, v, table)                 # (2, 3, 9, 5)
    assert_same(kata.contextual_attention(q[1], k[1], v[1], table), output[1])
    assert_same(kata.contextual_attention(q[0, 2], k[0, 2], v[0, 2], table), output[0, 2])
    assert_same(kata.contextual_attention(q[:, :1], k[:, :1], v[:, :1], table), output[:, :1])


@pytest.mark.task(3)
def test_scores_of_a_million_leave_one_key_and_no_row_drowns_another(kata, rng):
    # a query of size s scores s / 2 * (3, 5, 1, 4, 2): the best key so far is 0, then 1 for the rest
    q = np.tile(10.0 ** np.array([2.0, 6.0, 3.0, 6.0, 2.0])[:, None], (2, 1, 4)) / 4.0
    k = np.tile(np.array([3.0, 5.0, 1.0, 4.0, 2.0])[:, None], (2, 1, 4))
    v, table = rng.normal(size=(2, 5, 3)), np.tile([[0.0], [0.0], [1e-7], [0.0]], (1, 4))
    assert_same(kata.contextual_attention(q, k, v, table), v[:, [0, 1, 1, 1, 1]])
    # reversed, the lowest mark wins, and all scores are below 0
    assert_same(kata.contextual_attention(-q, k, v, table), v[:, [0, 0, 2, 2, 2]])


@pytest.mark.task(3)
def test_keys_after_the_query_win_nothing_however_high_they_score(kata, rng):
    # each key scores about 5000 above the one before it; reversed, below it, and all are below -20000
    _, k, v, table = drawn(rng, (2,), 6, 4, 3, 5)
    q = np.full((2, 6, 4), 100.0)
    rising = k + 100.0 + 25.0 * np.arange(6.0)[:, None]
    assert_same(kata.contextual_attention(q, rising, v, 0.1 * table), v)
    assert_same(kata.contextual_attention(-q, rising, v, 0.1 * table), np.repeat(v[:, :1], 6, axis=1))


@pytest.mark.task(3)
def test_arrays_of_whole_numbers_give_what_real_numbers_give(kata, reference, rng):
    for leading in ((), (4,)):
        q, k, v, table = (rng.integers(-3, 4, size=shape) for shape in (
            (*leading, 7, 5), (*leading, 7, 5), (*leading, 7, 3), (6, 5)))
        wanted = reference.contextual_attention(1.0 * q, 1.0 * k, 1.0 * v, 1.0 * table)
        assert_same(kata.contextual_attention(q, k, v, table), wanted)


@pytest.mark.task(3)
def test_attention_of_views_of_any_memory_order_and_of_float32(kata, reference, rng):
    q, k, v = rng.normal(size=(3, 12, 8)), rng.normal(size=(12, 3, 8)), rng.normal(size=(3, 12, 6))
    table = rng.normal(size=(8, 10))
    views = q[:, :, ::2], k.swapaxes(0, 1)[:, :, ::-2], np.asfortranarray(v)[..., 1::2], table.T[:, ::2]
    for arrays in (views, [view.astype(np.float32) for view in views]):
        for array in arrays:
            array.flags.writeable = False
        wanted = reference.contextual_attention(*(array.copy() for array in arrays))
        assert_same(kata.contextual_attention(*arrays), wanted)


@pytest.mark.task(3)
def test_attention_whose_sizes_coincide_does_not_mix_the_axes(kata, reference, rng):
    for size in (2, 5):
        arrays = drawn(rng, (size, size), size, size, size, size)
        assert_same(kata.contextual_attention(*arrays), reference.contextual_attention(*arrays))


@pytest.mark.task(3)
def test_attention_of_any_size_agrees_with_the_reference(kata, reference, rng):
    for leading, n, rows in (((6,), 12, 4), ((12,), 6, 20), ((), 15, 2), ((2, 3), int(rng.integers(12, 20)), 9)):
        d, d_v = rng.integers(2, 9, size=2).tolist()
        q, k, v, table = drawn(rng, leading, n, d, d_v, rows)
        for one in (table, 3.0 * table, table):
            assert_same(kata.contextual_attention(q, k, v, one), reference.contextual_attention(q, k, v, one))
        high = np.abs(q) + 1.0, 9.0 * np.abs(k) + 9.0          # almost all gates are open
        assert_same(kata.contextual_attention(*high, v, table), reference.contextual_attention(*high, v, table))
        output = kata.contextual_attention(table=-table, v=v, k=2.0 * k, q=q)
        assert_same(output, reference.contextual_attention(q, 2.0 * k, v, -table))


# All

@pytest.mark.task(1, 2, 3)
def test_positions_logits_and_outputs_are_in_double_precision(kata, rng):
    q, k, v, table = drawn(rng, (3,), 9, 4, 5, 6)
    scores = rng.normal(size=(3, 9, 9))
    assert_double_precision(kata.gated_positions, scores)
    assert_double_precision(kata.position_logits, q, table, np.abs(3.0 * scores))
    assert_double_precision(kata.contextual_attention, q, k, v, table)
