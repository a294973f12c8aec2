"""What layers that differ have to be: patterns and masks worked by hand, laws of stacks, the reference."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

LOCAL = ("window", "chunk")


def rows(text):
    """A mask from rows of 1 and 0, as in "100 110 111"."""
    return np.array([[key == "1" for key in row] for row in text.split()])


def band(n, size):
    """True from `size - 1` positions back up to the row itself."""
    return np.tri(n, dtype=bool) & ~np.tri(n, k=-size, dtype=bool)


def some_masks(rng, n_layers, n, share):
    """Masks of any order, of which each row sees one key at least; many rows do not see themselves."""
    masks = rng.random((n_layers, n, n)) < share
    np.put_along_axis(masks, rng.integers(0, n, (n_layers, n, 1)), True, axis=2)
    return masks


# Task 1: which layers are global

@pytest.mark.task(1)
def test_the_last_of_three_layers_is_global_by_hand(kata):
    # layers 0 to 7: 2 and 5 are the last of their three, and the period of layers 6 and 7 is not complete
    assert_same(kata.global_layers(8, 3), rows("00100100")[0])
    assert_same(kata.global_layers(n_layers=9, period=3), rows("001001001")[0])


@pytest.mark.task(1)
def test_every_layer_or_none_may_be_global(kata):
    assert_same(kata.global_layers(4, 1), [True] * 4)
    assert_same(kata.global_layers(1, 1), [True])
    assert_same(kata.global_layers(5, 6), [False] * 5)
    assert_same(kata.global_layers(1, 2), [False])
    assert_same(kata.global_layers(6, 6), rows("000001")[0])


@pytest.mark.task(1)
def test_the_layers_of_three_released_models_by_hand(kata):
    # the default sizes in the library transformers: 26, 48 and 36 layers
    for n_layers, period, wanted in ((26, 6, [5, 11, 17, 23]), (48, 4, range(3, 48, 4)), (36, 2, range(1, 36, 2))):
        layers = np.asarray(kata.global_layers(n_layers, period))
        assert_same(np.flatnonzero(layers), list(wanted))
        assert_same(layers, np.isin(np.arange(n_layers), list(wanted)))


test_layers_of_any_number_and_period_agree_with_the_reference = checks.starts_afresh(1, "global_layers", lambda rng: [
    (31, 5), (30, 5), *((int(rng.integers(2, 70)), int(rng.integers(1, 12))) for _ in range(5))])


# Task 2: which keys a layer sees

@pytest.mark.task(2)
def test_a_full_layer_sees_its_own_key_and_all_before_by_hand(kata):
    assert_same(kata.layer_mask("full", 4), rows("1000 1100 1110 1111"))
    # two queries are the last two of five positions: 3 and 4
    assert_same(kata.layer_mask("full", 2, 5), rows("11110 11111"))
    assert_same(kata.layer_mask("full", 1), [[True]])


@pytest.mark.task(2)
def test_a_window_of_three_by_hand(kata):
    # the query itself, one before and two before
    assert_same(kata.layer_mask("window", 6, size=3), rows("100000 110000 111000 011100 001110 000111"))
    assert_same(kata.layer_mask("window", 2, 6, 3), rows("001110 000111"))
    assert_same(kata.layer_mask(kind="window", n_queries=1, n_keys=6, size=3), rows("000111"))


@pytest.mark.task(2)
def test_chunks_of_three_by_hand(kata):
    # positions 0 1 2, then 3 4 5, then 6; no later key, even in the same chunk
    assert_same(kata.layer_mask("chunk", 7, size=3),
                rows("1000000 1100000 1110000 0001000 0001100 0001110 0000001"))
    # the queries are at 4, 5 and 6: chunks are counted from position 0, not from the first query or the last key
    assert_same(kata.layer_mask("chunk", 3, 7, 3), rows("0001100 0001110 0000001"))
    assert_same(kata.layer_mask(kind="chunk", n_queries=1, n_keys=6, size=4), rows("000011"))


@pytest.mark.task(2)
def test_a_size_has_no_effect_on_a_full_layer(kata):
    for size in (1, 2, 5, 40):
        assert_same(kata.layer_mask("full", 5, None, size), np.tri(5, dtype=bool))
        assert_same(kata.layer_mask("full", 3, 5, size), np.tri(5, dtype=bool)[2:])


@pytest.mark.task(2)
def test_a_size_of_one_leaves_the_own_key_and_a_large_size_leaves_all(kata):
    for kind in LOCAL:
        assert_same(kata.layer_mask(kind, 5, size=1), np.eye(5, dtype=bool))
        assert_same(kata.layer_mask(kind, 2, 5, 1), rows("00010 00001"))
        for size in (9, 10, 300):
            assert_same(kata.layer_mask(kind, 9, size=size), np.tri(9, dtype=bool))
            assert_same(kata.layer_mask(kind, 4, 9, size), np.tri(9, dtype=bool)[5:])
        # one less than the length hides one key from the last query
        assert_same(kata.layer_mask(kind, 9, size=8)[:8], np.tri(9, dtype=bool)[:8])
    assert_same(kata.layer_mask("window", 9, size=8)[8], rows("011111111")[0])
    assert_same(kata.layer_mask("chunk", 9, size=8)[8], rows("000000001")[0])


@pytest.mark.task(2)
def test_how_many_keys_each_query_sees(kata):
    positions = np.arange(20)
    for size in (2, 3, 5, 7):
        counts = {"full": positions + 1, "window": np.minimum(positions + 1, size), "chunk": positions % size + 1}
        for kind, wanted in counts.items():
            mask = np.asarray(kata.layer_mask(kind, 20, 20, size))
            assert_same(mask.sum(axis=1), wanted)
            # they are the nearest ones, up to the query itself
            assert_same(mask, (np.subtract.outer(positions, positions) < wanted[:, None]) & np.tri(20, dtype=bool))


@pytest.mark.task(2)
def test_fewer_queries_are_the_last_rows_of_all(kata):
    for kind, size in (("full", None), ("window", 5), ("chunk", 5), ("window", 12), ("chunk", 12)):
        every = np.asarray(kata.layer_mask(kind, 17, 17, size))
        for n_queries in (1, 2, 6, 16):
            assert_same(kata.layer_mask(kind, n_queries, 17, size), every[-n_queries:])


def kinds_and_sizes(rng):
    for kind in ("full", *LOCAL, *LOCAL):
        n_keys = int(rng.integers(14, 30))
        size = int(rng.integers(2, 10))
        yield kind, n_keys, None, size
        yield kind, int(rng.integers(2, n_keys)), n_keys, size


test_masks_of_any_kind_and_size_agree_with_the_reference = checks.starts_afresh(2, "layer_mask", kinds_and_sizes)


# Task 3: what the stack reaches

@pytest.mark.task(3)
def test_two_windows_of_two_reach_two_back_by_hand(kata):
    window = rows("10000 11000 01100 00110 00011")
    assert_same(kata.reachable(np.stack([window])), window)
    assert_same(kata.reachable(np.stack([window, window])), rows("10000 11000 11100 01110 00111"))
    assert_same(kata.reachable(np.stack([window] * 3)), rows("10000 11000 11100 11110 01111"))


@pytest.mark.task(3)
def test_the_order_of_the_layers_by_hand(kata):
    one, two = rows("100 110 001"), rows("100 010 011")
    # row 1 gathers token 0 in the first layer, row 2 gathers both from row 1 in the second
    assert_same(kata.reachable(np.stack([one, two])), rows("100 110 111"))
    # the other way round, row 2 gathers from row 1 before row 1 has token 0
    assert_same(kata.reachable(np.stack([two, one])), rows("100 110 011"))


@pytest.mark.task(3)
def test_a_row_that_does_not_see_itself_keeps_what_it_has_by_hand(kata):
    # row 1 looks at row 0, row 0 at row 2, row 2 at row 1
    around = rows("001 100 010")
    assert_same(kata.reachable(np.stack([around])), rows("101 110 011"))
    # row 2 looks at row 1, then at row 0 only, and still has token 1
    one, two = rows("100 010 010"), rows("100 010 100")
    assert_same(kata.reachable(np.stack([one, two])), rows("100 010 111"))
    assert_same(kata.reachable(np.stack([two, one, one])), rows("100 010 111"))


@pytest.mark.task(3)
def test_a_layer_reads_what_the_rows_had_before_it(kata):
    # every row looks at the one before it, and the first at itself: one step per layer
    step = rows("10000 10000 01000 00100 00010")
    for n_layers in (1, 2, 3, 4, 5):
        assert_same(kata.reachable(np.stack([step] * n_layers)), band(5, n_layers + 1))
    # and at the one after it
    assert_same(kata.reachable(np.stack([step[::-1, ::-1]] * 2)), band(5, 3).T)


@pytest.mark.task(3)
def test_one_token_and_rows_that_see_only_themselves(kata):
    assert_same(kata.reachable(np.ones((1, 1, 1), dtype=bool)), [[True]])
    assert_same(kata.reachable(np.ones((3, 1, 1), dtype=bool)), [[True]])
    assert_same(kata.reachable(np.stack([np.eye(4, dtype=bool)] * 2)), np.eye(4, dtype=bool))


@pytest.mark.task(3)
def test_each_window_reaches_its_size_less_one_further_back(kata):
    for n_layers, size in ((1, 5), (2, 4), (3, 3), (4, 2), (6, 4), (3, 1), (7, 9)):
        masks = np.stack([band(16, size)] * n_layers)
        assert_same(kata.reachable(masks), band(16, n_layers * (size - 1) + 1))
    # sizes that differ: 1 + 3 + 2 back, in any order
    for sizes in ((2, 4, 3), (4, 3, 2)):
        assert_same(kata.reachable(np.stack([band(16, size) for size in sizes])), band(16, 7))


@pytest.mark.task(3)
def test_a_long_stack_of_windows_reaches_all(kata):
    # 39 layers, one position each; by equal weights, token 0 would have a share of 1 / 4 ** 39 in row 39
    assert_same(kata.reachable(np.stack([band(40, 2)] * 39)), np.tri(40, dtype=bool))


@pytest.mark.task(3)
def test_a_token_that_comes_from_256_rows_arrives(kata):
    # rows 1 to 256 look at row 0, then row 257 looks at these 256 rows, a number that one byte cannot hold
    masks = np.stack([np.eye(258, dtype=bool)] * 2)
    masks[0, 1:257, 0] = True
    masks[1, 257] = (np.arange(258) >= 1) & (np.arange(258) <= 256)
    reached = np.eye(258, dtype=bool)
    reached[1:, 0] = reached[257, 1:] = True
    assert_same(kata.reachable(masks), reached)


@pytest.mark.task(3)
def test_chunks_reach_no_further_however_many_and_one_full_layer_reaches_all(kata):
    full = np.tri(16, dtype=bool)
    chunk = full & (np.arange(16)[:, None] // 4 == np.arange(16) // 4)
    for n_layers in (1, 2, 5):
        assert_same(kata.reachable(np.stack([chunk] * n_layers)), chunk)
    for place in range(4):
        masks = np.stack([chunk] * 4)
        masks[place] = full
        assert_same(kata.reachable(masks), full)


@pytest.mark.task(3)
def test_two_stacks_are_one_stack(kata, rng):
    for n_layers, n in ((2, 13), (5, 12)):
        masks = some_masks(rng, n_layers, n, 0.04)
        below, above = (np.asarray(kata.reachable(part)).astype(float) for part in (masks[:1], masks[1:]))
        assert_same(kata.reachable(masks), above @ below > 0)


def stacks(rng):
    for n_layers, n, share in ((1, 12, 0.1), (2, 14, 0.05), (3, 15, 0.02), (4, 12, 0.0), (7, 16, 0.0), (2, 30, 0.01)):
        masks = some_masks(rng, n_layers, n, share)
        yield (masks,)
        yield (masks & np.tri(n, dtype=bool) | np.eye(n, dtype=bool),)


test_stacks_of_any_masks_agree_with_the_reference = checks.starts_afresh(3, "reachable", stacks)


# Task 4: the factor of the queries

@pytest.mark.task(4)
def test_the_factor_grows_at_the_last_position_of_each_step_by_hand(kata):
    # (position + 1) / 4: 1/4, 1/2, 3/4, 1, ... 7/4, 2; so 0 steps, 1 step from position 3, 2 steps from position 7
    one, two = 1.069314718056, 1.109861228867              # 1 + 0.1 ln 2, 1 + 0.1 ln 3
    assert_same(kata.query_scale(np.arange(9), 4), [1.0, 1.0, 1.0, one, one, one, one, two, two])
    assert_same(kata.query_scale(positions=np.array([11, 2]), floor_scale=4, attn_scale=0.5), [1.693147180560, 1.0])


@pytest.mark.task(4)
def test_the_scales_of_llama_4_unless_given_by_hand(kata):
    # 8192 positions per step: 131072 / 8192 = 16 steps, 1 + 0.1 ln 17
    positions = np.array([0, 8190, 8191, 16382, 16383, 131071])
    wanted = [1.0, 1.0, 1.069314718056, 1.069314718056, 1.109861228867, 1.283321334406]
    assert_same(kata.query_scale(positions), wanted)
    assert_same(kata.query_scale(positions, 8192, 0.1), wanted)
    # twice what is added to 1
    assert_same(kata.query_scale(positions, attn_scale=0.2), 2.0 * np.array(wanted) - 1.0)


@pytest.mark.task(4)
def test_a_step_of_one_position_by_hand(kata):
    # 1 + ln 2, 1 + ln 3, 1 + ln 4
    assert_same(kata.query_scale(np.arange(3), 1, 1.0), [1.693147180560, 2.098612288668, 2.386294361120])
    assert_same(kata.query_scale(np.arange(3), 1, 0.0), [1.0, 1.0, 1.0])


@pytest.mark.task(4)
def test_positions_in_any_order_and_of_any_shape_each_have_their_own_factor(kata):
    one, two = 1.069314718056, 1.109861228867
    assert_same(kata.query_scale(np.array([[7, 0, 3], [3, 7, 7]]), 4), [[two, 1.0, one], [one, two, two]])
    assert_same(kata.query_scale(np.array([[[5]]]), 4), [[[one]]])
    assert_same(kata.query_scale(np.array(7), 4), two)
    assert_same(kata.query_scale(np.array([7]), 4), [two])


@pytest.mark.task(4)
def test_equal_steps_of_the_factor_need_ever_more_positions(kata):
    # ln doubles its argument: 1, 3, 7, 15 ... steps are one, two, three, four ... times ln 2
    doubled = 10 * (2 ** np.arange(1, 8) - 1) - 1          # (7,) the first position of step 1, 3, 7, ...
    assert_same(kata.query_scale(doubled, 10, 0.25), 1.0 + 0.25 * np.log(2.0) * np.arange(1, 8))
    # one position before, the step is not complete
    assert_same(kata.query_scale(doubled - 1, 10, 0.25), 1.0 + 0.25 * np.log(2.0 ** np.arange(1, 8) - 1.0))


test_factors_of_any_positions_agree_with_the_reference = checks.starts_afresh(4, "query_scale", lambda rng: [
    (rng.integers(0, 200_000, (2, 13)),), (rng.integers(0, 500, 13), 16, 0.7), (rng.integers(0, 500, 13), 10),
    {"positions": rng.integers(0, 10_000_000, 12), "attn_scale": float(rng.uniform(0.2, 3.0))}])


# All of them

@pytest.mark.task(1, 2, 3)
def test_a_model_of_windows_reaches_everything_after_its_first_global_layer(kata):
    # four layers of three positions, the last of which is global: 2, 4 and 6 back, then all
    kinds = ["full" if full else "window" for full in kata.global_layers(4, 4)]
    masks = np.stack([kata.layer_mask(kind, 16, size=3) for kind in kinds]).astype(bool)
    for n_layers, back in ((1, 2), (2, 4), (3, 6), (4, 15)):
        assert_same(kata.reachable(masks[:n_layers]), band(16, back + 1))


test_views_of_masks_are_as_good_as_copies = checks.takes_views(
    3, "reachable", lambda rng: [(some_masks(rng, 3, 13, 0.05),)])
test_views_of_positions_are_as_good_as_copies = checks.takes_views(
    4, "query_scale", [(np.arange(24).reshape(3, 8), 4)])
test_factors_are_in_double_precision = checks.are_in_double_precision(4, query_scale=[(np.arange(0, 40000, 999),)])
