"""What LongRoPE has to be: factors and scores worked by hand, one set of frequencies for all, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

SHORT, LONG = np.array([1.0, 1.25, 2.0, 2.5]), np.array([2.0, 4.0, 5.0, 16.0])       # of four pairs
# max_len 16 and train_len 4, so all scores are doubled; short factor 2 and long factor 8 of one pair
ONE_PAIR = 16, 4, np.array([2.0]), np.array([8.0])


# Task 1: a factor for every pair

@pytest.mark.task(1)
def test_the_first_position_too_many_brings_the_long_factors(kata):
    # base 16 and width 8: frequencies 1, 1/2, 1/4, 1/8
    short, long = [1.0, 0.4, 0.125, 0.05], [0.5, 0.125, 0.05, 0.0078125]
    for n in (1, 2, 10, 63, 64):
        assert_same(kata.longrope_frequencies(n, 64, SHORT, LONG, 16.0), short)
    for n in (65, 66, 100, 128, 1000, 10**6):
        assert_same(kata.longrope_frequencies(n, 64, SHORT, LONG, 16.0), long)
    assert_same(kata.longrope_frequencies(1, 1, SHORT, LONG, 16.0), short)
    assert_same(kata.longrope_frequencies(2, 1, SHORT, LONG, 16.0), long)


@pytest.mark.task(1)
def test_the_base_is_ten_thousand_unless_given(kata):
    assert_same(kata.longrope_frequencies(5, 8, SHORT, LONG), [1.0, 0.08, 0.005, 0.0004])
    by_name = kata.longrope_frequencies(n=9, train_len=8, short_factors=SHORT[:3], long_factors=LONG[:3], base=1000)
    assert_same(by_name, [0.5, 0.025, 0.002])


@pytest.mark.task(1)
def test_whole_factors_and_factors_in_any_order(kata):
    # nothing asks the factors to grow, or to be above 1
    whole = np.array([8, 1, 3, 2])
    assert_same(kata.longrope_frequencies(5, 8, whole, LONG, 16), [1 / 8, 1 / 2, 1 / 12, 1 / 16])
    assert_same(kata.longrope_frequencies(9, 8, LONG, whole, 16), [1 / 8, 1 / 2, 1 / 12, 1 / 16])
    less = np.array([4.0, 0.5, 0.25, 1.0])
    assert_same(kata.longrope_frequencies(9, 8, whole, less, 16.0), [0.25, 1.0, 1.0, 0.125])
    assert_same(kata.longrope_frequencies(8, 8, less, whole, 16.0), [0.25, 1.0, 1.0, 0.125])


@pytest.mark.task(1)
def test_one_pair_turns_by_one_over_its_factor(kata):
    one, other = np.array([0.8]), np.array([5.0])
    assert_same(kata.longrope_frequencies(4, 4, one, other), [1.25])
    assert_same(kata.longrope_frequencies(5, 4, one, other, 7.0), [0.2])


@pytest.mark.task(1)
def test_equal_factors_are_position_interpolation(kata):
    ones, periods = np.ones(6), 300.0 ** (np.arange(6) / 6)
    for n in (100, 200):
        assert_same(1.0 / kata.longrope_frequencies(n, 100, ones, ones, 300.0), periods)
        assert_same(1.0 / kata.longrope_frequencies(n, 100, 4 * ones, 4 * ones, 300.0), 4 * periods)


@pytest.mark.task(1)
def test_the_slowest_pair_of_phi_3_5_by_hand(kata):
    # 48 pairs; the last one turns 10000 ** (-94/96) / 2.84 and / 64.84 radians per position
    short, long = np.linspace(1.0, 2.84, 48), np.linspace(1.08, 64.84, 48)
    assert_same(1.0 / kata.longrope_frequencies(4096, 4096, short, long)[[0, 47]], [1.0, 23441.478861612])
    assert_same(1.0 / kata.longrope_frequencies(4097, 4096, short, long)[[0, 47]], [1.08, 535192.073727783])


def lengths_and_factors(rng):
    yield from ((700, 512, SHORT, LONG), (300, 512, SHORT, LONG), (700, 512, LONG, SHORT, 300.0),
                (700, 800, SHORT, LONG, 300.0), (30, 16, SHORT, LONG, 1.5), (30, 16, SHORT, LONG, 1e7))
    for pairs in rng.integers(2, 60, size=6).tolist():
        n, train_len = rng.integers(1, 900, size=2).tolist()
        short, long = rng.uniform(0.5, 3.0, size=pairs), rng.uniform(1.0, 70.0, size=pairs)
        yield n, train_len, short, long, float(rng.uniform(20.0, 50000.0))


@pytest.mark.task(1)
def test_frequencies_for_any_factors_agree_with_the_reference(kata, reference, rng):
    for arguments in lengths_and_factors(rng):
        assert_same(1.0 / kata.longrope_frequencies(*arguments), 1.0 / reference.longrope_frequencies(*arguments))


test_every_call_of_the_frequencies_starts_afresh = checks.starts_afresh(1, "longrope_frequencies", lengths_and_factors)
test_factors_may_be_strided_reversed_and_read_only = checks.takes_views(1, "longrope_frequencies", lengths_and_factors)


# Task 2: the attention factor

@pytest.mark.task(2)
def test_the_factor_of_phi_3_by_hand(kata):
    # 32 times 4096: ln 32 / ln 4096 = 5/12
    assert_same(kata.longrope_attention_factor(131072, 4096), 1.190238071424)
    assert_same(kata.longrope_attention_factor(max_len=131072, train_len=4096), (17 / 12) ** 0.5)
    # stretches that are no whole numbers: ln 1.5 / ln 1000 = 0.058697 and ln (4097/4096) / ln 4096 = 0.0000293481
    assert_same(kata.longrope_attention_factor(1500, 1000), 1.028930068737)
    assert_same(kata.longrope_attention_factor(4097, 4096), 1.000014673954)


@pytest.mark.task(2)
def test_powers_of_the_length_in_training_by_hand(kata):
    # its square, cube and fourth power: 1 + 1, 1 + 2 and 1 + 3
    for train_len in (2, 3, 10, 64):
        assert_same(kata.longrope_attention_factor(train_len**2, train_len), 1.414213562373)
        assert_same(kata.longrope_attention_factor(train_len**3, train_len), 1.732050807569)
        assert_same(kata.longrope_attention_factor(train_len**4, train_len), 2.0)
    # 4 to 8: 1 + 1/2; 16 to 128: 1 + 3/4
    assert_same(kata.longrope_attention_factor(8, 4), 1.5**0.5)
    assert_same(kata.longrope_attention_factor(128, 16), 1.75**0.5)


@pytest.mark.task(2)
def test_models_for_texts_that_are_not_longer_have_factor_one(kata):
    for max_len, train_len in ((4096, 4096), (4095, 4096), (2048, 4096), (1, 4096), (2, 2), (1, 2), (3, 100)):
        assert_same(kata.longrope_attention_factor(max_len, train_len), 1.0)
    assert_same(kata.longrope_attention_factor(4, 2), 1.414213562373)             # unlike a longer one


@pytest.mark.task(2)
def test_the_square_of_the_factor_is_a_ratio_of_logarithms(kata, rng):
    for train_len in rng.integers(2, 9000, size=6).tolist():
        max_len = train_len * int(rng.integers(2, 50)) + int(rng.integers(0, train_len))
        factor = kata.longrope_attention_factor(max_len, train_len)
        assert_same(factor * factor, np.log(max_len) / np.log(train_len))


# Task 3: scores

@pytest.mark.task(3)
def test_one_pair_in_a_short_and_in_a_long_text_by_hand(kata):
    q = k = np.array([[1.0, 0.0]])
    # 2 cos(2 / 2) up to position 3; 2 cos(3 / 8) with a query at 4, as far away, and with a key at 4
    for query, key, wanted in ((3, 1, 1.080604611736), (4, 1, 1.861015243652), (100_003, 100_000, 1.861015243652),
                               (1, 4, 1.861015243652)):
        assert_same(kata.longrope_scores(q, k, np.array([query]), np.array([key]), *ONE_PAIR), [[wanted]])


@pytest.mark.task(3)
def test_a_key_after_the_query_has_a_sign_by_hand(kata):
    # query (1, 0), key (0, 1): the score is -sin of the angle of key minus query, doubled
    q, k = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 1.0]])
    scores = kata.longrope_scores(q, k, np.array([2]), np.array([3, 1]), *ONE_PAIR)
    assert_same(scores, [[-0.958851077208, 0.958851077208]])           # 2 sin(1/2)
    scores = kata.longrope_scores(q, k, np.array([6]), np.array([7, 5]), *ONE_PAIR)
    assert_same(scores, [[-0.249349466770, 0.249349466770]])           # 2 sin(1/8)


@pytest.mark.task(3)
def test_two_pairs_have_factors_of_their_own_by_hand(kata):
    # base 16 and width 4: frequencies 1 and 1/4, divided by 2 and 4, or by 3 and 8; max_len is no longer than train_len
    short, long = np.array([2.0, 4.0]), np.array([3.0, 8.0])
    q, k = np.array([[1.0, 0.0, 2.0, 0.0]]), np.array([[3.0, 0.0, 5.0, 0.0]])
    # 3 cos(8/2) + 10 cos(8/16)
    scores = kata.longrope_scores(q, k, np.array([9]), np.array([1]), 10, 10, short, long, 16.0)
    assert_same(scores, [[6.814894756313]])
    # 3 cos(8/3) + 10 cos(8/32)
    scores = kata.longrope_scores(q, k, np.array([10]), np.array([2]), 10, 10, short, long, base=16)
    assert_same(scores, [[7.021144512467]])
    whole = q.astype(int), k.astype(int)                               # turned vectors have fractions all the same
    assert_same(kata.longrope_scores(*whole, np.array([10]), np.array([2]), 10, 10, short, long, 16), scores)


@pytest.mark.task(3)
def test_positions_may_be_fractions_or_negative_by_hand(kata):
    # as above: 2 cos((3 - 1.5) / 2) and 2 cos((3 + 1.25) / 2), then 2 cos((6 - 2.75) / 8) with a key at 6
    q, k = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    scores = kata.longrope_scores(q, k, np.array([3.0]), np.array([1.5, -1.25]), *ONE_PAIR)
    assert_same(scores, [[1.463377737748, -1.052532669409]])
    assert_same(kata.longrope_scores(q, k[:1], np.array([2.75]), np.array([6]), *ONE_PAIR), [[1.837218311590]])


@pytest.mark.task(3)
def test_a_position_far_below_zero_does_not_make_a_text_long(kata):
    # the largest position is 3, so the short factor applies: 2 cos((3 + 7) / 2), with the query or the key at -7
    q = k = np.array([[1.0, 0.0]])
    assert_same(kata.longrope_scores(q, k, np.array([3]), np.array([-7]), *ONE_PAIR), [[0.567324370926]])
    assert_same(kata.longrope_scores(q, k, np.array([-7]), np.array([3]), *ONE_PAIR), [[0.567324370926]])


@pytest.mark.task(3)
def test_position_zero_leaves_dot_products_multiplied_by_the_squared_factor(kata):
    q, k = np.array([[1, 2, 3, 4]]), np.array([[5, 6, 7, 8], [1, 0, 0, 0]])
    zero = np.array([0])
    scores = kata.longrope_scores(q, k, zero, np.zeros(2, dtype=int), 64, 8, SHORT[:2], LONG[:2])
    assert_same(scores, [[140.0, 2.0]])                                # 2 * 70 and 2 * 1
    assert_same(kata.longrope_scores(q, k, zero, np.zeros(2), 8, 8, SHORT[:2], LONG[:2]), [[70.0, 1.0]])
    assert_same(kata.longrope_scores(q, k, zero, np.zeros(2), 4, 8, SHORT[:2], LONG[:2]), [[70.0, 1.0]])


@pytest.mark.task(3)
def test_one_far_query_or_key_decides_for_all(kata, reference, rng):
    q, k = rng.normal(size=(5, 8)), rng.normal(size=(7, 8))
    near_q, near_k = np.array([4, 0, 9, 3, 7]), np.array([2, 9, 0, 5, 1, 8, 3])
    far_q, far_k = np.array([4, 10, 9, 3, 7]), np.array([2, 9, 0, 5, 60, 8, 3])
    for factors, *positions in ((SHORT, near_q, near_k), (LONG, far_q, near_k), (LONG, near_q, far_k),
                                (LONG, far_q, far_k)):
        scores = kata.longrope_scores(q, k, *positions, 100, 10, SHORT, LONG, 300.0)
        assert_same(scores, reference.longrope_scores(q, k, *positions, 100, 10, SHORT, LONG, 300.0))
        # with the same factors in both places, nothing is left to choose
        assert_same(scores, kata.longrope_scores(q, k, *positions, 100, 10, factors, factors, 300.0))


@pytest.mark.task(3)
def test_a_single_query_is_turned_like_the_others(kata, rng):
    # the last query of a text alone, as when a model writes
    q, k = rng.normal(size=(13, 8)), rng.normal(size=(13, 8))
    positions = np.arange(13)
    for train_len in (5, 12, 13, 40):
        arguments = 64, train_len, SHORT, LONG
        whole = kata.longrope_scores(q, k, positions, positions, *arguments)
        assert np.shape(whole) == (13, 13)
        assert_same(kata.longrope_scores(q[-1:], k, positions[-1:], positions, *arguments), whole[-1:])


@pytest.mark.task(3)
def test_the_longest_text_of_the_model_only_multiplies_the_scores(kata, rng):
    q, k = rng.normal(size=(4, 8)), rng.normal(size=(6, 8))
    for q_positions in (np.array([3, 1, 0, 2]), np.array([3, 1, 90, 2])):
        positions = q_positions, np.array([5, 0, 4, 1, 3, 2])
        plain = kata.longrope_scores(q, k, *positions, 8, 8, SHORT, LONG)
        for max_len, times in ((2, 1), (64, 2), (512, 3), (4096, 4)):
            assert_same(kata.longrope_scores(q, k, *positions, max_len, 8, SHORT, LONG), times * plain)


@pytest.mark.task(3)
def test_only_offsets_count_on_the_same_side_of_the_length_in_training(kata, rng):
    q, k = rng.normal(size=(5, 8)), rng.normal(size=(7, 8))
    queries, keys = np.array([6, 2, 9, 0, 6]), np.array([1, 3, 9, 9, 0, 4, 7])
    short = kata.longrope_scores(q, k, queries, keys, 900, 30, SHORT, LONG)
    assert_same(kata.longrope_scores(q, k, queries + 20, keys + 20, 900, 30, SHORT, LONG), short)
    long = kata.longrope_scores(q, k, queries + 21, keys + 21, 900, 30, SHORT, LONG)
    assert_same(kata.longrope_scores(q, k, queries + 200, keys + 200, 900, 30, SHORT, LONG), long)
    assert abs(long - short).max() > 0.01


def of_any_size(rng):
    for n_q, n_k, pairs, base in ((4, 9, 6, 300.0), (8, 8, 4, 300.0), (1, 12, 24, 1e4), (12, 1, 1, 1e4),
                                 (1, 1, 5, 20.0), (7, 9, 6, 1.5), (7, 9, 6, 1e7)):
        q, k = rng.normal(size=(3, n_q, 2 * pairs)), rng.normal(size=(3, n_k, 2 * pairs))
        positions = rng.integers(0, 100, size=n_q), rng.integers(0, 100, size=n_k)
        n = int(max(p.max() for p in positions)) + 1
        factors = rng.uniform(0.5, 3.0, size=pairs), rng.uniform(1.0, 40.0, size=pairs)
        yield from ((q, k, *positions, 8 * one, one, *factors, base) for one in (n - 1, n, 2 * n, 2))


def batches_and_heads(rng, kind=float):
    for heads in (6, 12):
        q, k = rng.normal(size=(2, heads, 5, 8)).astype(kind), rng.normal(size=(2, heads, 7, 8)).astype(kind)
        for far in (9, 30):
            positions = np.array([6, 2, far, 0, 6]), np.array([1, 3.5, 9, 9, -20.25, 4, 7])
            yield q, k, *positions, 160, 16, SHORT, LONG


def whole(rng):
    for far in (3, 50):
        yield (*(rng.integers(-9, 10, size=(n, 8)).astype(float) for n in (5, 7)), np.array([6.0, 2, far, 0, 6]),
               np.array([1.0, 3, 9, 9, 0, 4, 7]), 400, 20, np.array([1.0, 2, 2, 3]), np.array([2.0, 4, 5, 16]), 300)


test_scores_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(3, "longrope_scores", of_any_size)
test_batches_and_heads_are_scored_on_their_own = checks.agrees_with_the_reference(
    3, "longrope_scores", batches_and_heads)
test_every_call_of_the_scores_starts_afresh = checks.starts_afresh(3, "longrope_scores", of_any_size)
test_views_and_read_only_arrays_give_the_same_scores = checks.takes_views(3, "longrope_scores", batches_and_heads)
test_whole_numbers_give_what_floats_give = checks.takes_whole_numbers(3, "longrope_scores", whole)
test_float32_vectors_give_the_same_scores = checks.agrees_with_the_reference(
    3, "longrope_scores", lambda rng: batches_and_heads(rng, np.float32))


# All of them

test_frequencies_factor_and_scores_are_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3), longrope_frequencies=[(9, 8, SHORT, LONG), (8, 8, SHORT, LONG)], longrope_attention_factor=[(64, 8)],
    longrope_scores=batches_and_heads)
