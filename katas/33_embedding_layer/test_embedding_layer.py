"""Rows worked by hand, what chance may and may not do, and how many numbers there are to train."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_double_precision, assert_same

KINDS = ("sinusoidal", "learned", "hybrid")


def assert_initial(noise):
    """12000 numbers or more, as a learned table has them before training, within six standard errors."""
    z = noise / 0.02
    assert abs(z.mean()) < 0.055, f"The mean of the learned numbers is {noise.mean():.4g}. It should be about 0."
    assert abs(z.std() - 1.0) < 0.039, f"Their standard deviation is {noise.std():.4g}. It should be about 0.02."
    within, beyond = (np.abs(z) < 1.0).mean(), (np.abs(z) > 2.0).mean()
    assert abs(within - 0.6827) < 0.026, f"Within one standard deviation lie {within:.1%} of them, not about 68.3%."
    assert abs(beyond - 0.0455) < 0.0115, f"Beyond two standard deviations lie {beyond:.2%} of them, not about 4.55%."
    for one, other in ((z[1:], z[:-1]), (z[:, 1:], z[:, :-1])):
        assert abs((one * other).mean()) < 0.056, "Neighbouring rows or columns are alike. Draw every number by itself."


def tables(rng, vocab, max_len, d_model):
    """A token table and a position table whose sums are never 0."""
    return rng.uniform(0.5, 2.0, size=(vocab, d_model)), rng.uniform(0.5, 2.0, size=(max_len, d_model))


# Task 1: the sums

@pytest.mark.task(1)
def test_every_sentence_of_a_batch_starts_at_position_zero(kata):
    # token 2 twice, at positions 0 and 2; the fifth position row is not used
    tokens = np.array([[1.0, 2.0, 3.0], [-4.0, 0.5, 6.0], [7.0, 8.0, -9.0]])
    positions = np.array([[0.1, 0.2, 0.3], [10.0, 20.0, 30.0], [0.0, 0.0, 0.0], [-5.0, 5.0, 0.25], [99.0, 99.0, 99.0]])
    assert_same(kata.embedding_layer(np.array([2, 0, 2, 1]), tokens, positions),
                [[7.1, 8.2, -8.7], [11.0, 22.0, 33.0], [7.0, 8.0, -9.0], [-9.0, 5.5, 6.25]])
    assert_same(kata.embedding_layer(np.array([1]), tokens, positions), [[-3.9, 0.7, 6.3]])
    given = {"token_table": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]),
             "position_table": np.array([[100.0, 200.0], [300.0, 400.0], [500.0, 600.0]])}
    ids = np.array([[0, 3, 3], [2, 2, 1]])
    wanted = np.array([[[101.0, 202.0], [307.0, 408.0], [507.0, 608.0]],
                       [[105.0, 206.0], [305.0, 406.0], [503.0, 604.0]]])
    assert_same(kata.embedding_layer(token_ids=ids, **given), wanted)
    ids, wanted = np.stack([ids, ids[::-1]]), np.stack([wanted, wanted[::-1]])
    assert_same(kata.embedding_layer(token_ids=ids, **given), wanted)


@pytest.mark.task(1)
def test_position_rows_past_the_last_word_play_no_part(kata, rng):
    token_table, position_table = tables(rng, 9, 20, 6)
    ids = rng.integers(0, 9, size=(2, 12))
    whole = kata.embedding_layer(ids, token_table, position_table)     # (2, 12, 6)
    assert_same(kata.embedding_layer(ids[:, :7], token_table, position_table), whole[:, :7])
    assert_same(kata.embedding_layer(ids, token_table, position_table[:12]), whole)
    other_rows = np.vstack([position_table[:12], np.full((8, 6), -1e6)])
    assert_same(kata.embedding_layer(ids, token_table, other_rows), whole)


def layers_of_any_shape(rng):
    for shape, vocab, max_len, d_model in (
        ((13,), 21, 17, 6), ((2, 5), 11, 9, 7), ((4, 2, 3), 7, 8, 5), ((2, 1, 3, 5), 6, 7, 4), ((9, 2), 3, 12, 8),
        ((4,), 4, 4, 4), ((4, 4), 4, 4, 4), ((4, 4, 4), 4, 4, 4), ((1,), 1, 1, 1), ((1, 1), 5, 3, 2),
    ):
        ids, rows = rng.integers(0, vocab, size=shape), rng.normal(scale=30.0, size=(vocab + max_len, d_model))
        yield from ((ids, rows[:vocab], rows[vocab:]), (ids.astype(np.uint8), rows[:vocab], rows[vocab:], 0.0, 5))
        yield (ids, *np.split(rows.astype(np.float32), [vocab]))
    yield ids, np.broadcast_to(rows[0], (5, d_model)), rows


test_layers_of_any_shape_agree_with_the_reference = checks.agrees_with_the_reference(
    1, "embedding_layer", layers_of_any_shape)
test_whole_numbers_are_added_as_they_are = checks.takes_whole_numbers(1, "embedding_layer", layers_of_any_shape)
test_tables_may_be_read_only_views = checks.takes_views(1, "embedding_layer", layers_of_any_shape)


# Task 2: dropout

@pytest.mark.task(2)
def test_an_entry_is_dropped_or_divided_by_the_share_that_is_kept(kata, reference, rng):
    ids, real = rng.integers(0, 9, size=(3, 7)), tables(rng, 9, 12, 20)
    whole_numbers = rng.integers(1, 9, size=(9, 20)), rng.integers(1, 9, size=(7, 20))
    for given in (real, [table.astype(np.float32) for table in real], whole_numbers):
        whole = reference.embedding_layer(ids, *given)                 # (3, 7, 20)
        for dropout, seed in ((0.25, 3), (0.6, 0), (0.9, 11)):
            result = kata.embedding_layer(ids, *given, dropout, seed)
            kept = result != 0.0
            assert 0 < kept.sum() < kept.size, "Dropout has to set some entries to 0 and keep others."
            assert_same(result, np.where(kept, whole / (1.0 - dropout), 0.0))


@pytest.mark.task(2)
def test_the_share_that_is_dropped_is_the_dropout(kata, rng):
    given = rng.integers(0, 40, size=(2, 50)), *tables(rng, 40, 60, 90)
    for dropout in (0.3, 0.75):
        dropped = kata.embedding_layer(*given, dropout=dropout, seed=4) == 0.0
        # 0.03 are six standard errors of 9000 entries
        assert abs(dropped.mean() - dropout) < 0.03, f"The share of zeros is {dropped.mean():.3f}, not about {dropout}."
        assert dropped.any(axis=-1).all(), "Some words lose no entry. Each entry is dropped by itself."
        assert not dropped.all(axis=-1).any(), "Some words lose all entries. Each entry is dropped by itself."


@pytest.mark.task(2)
def test_every_entry_is_dropped_by_itself(kata, rng):
    given = rng.integers(0, 40, size=(4, 50)), *tables(rng, 40, 60, 30)
    z, of_another_seed = (                                             # (4, 50, 30) each
        ((kata.embedding_layer(*given, 0.4, seed) != 0.0) - 0.6) / np.sqrt(0.24) for seed in (6, 7))
    for name, one, other in (
        ("Sentences of a batch", z[1:], z[:-1]), ("Neighbouring words", z[:, 1:], z[:, :-1]),
        ("Neighbouring columns", z[..., 1:], z[..., :-1]), ("Two seeds", z, of_another_seed),
    ):
        # 0.09 is six times 1 / sqrt(4500)
        assert abs((one * other).mean()) < 0.09, f"{name} lose the same entries. Draw a number for each entry."


@pytest.mark.task(2)
def test_what_is_dropped_follows_from_the_seed(kata, rng):
    # (2, 10), the same sentence twice
    given = np.tile(rng.integers(0, 9, size=10), (2, 1)), *tables(rng, 9, 12, 30)
    for seed in (0, 1, 20170612):
        result = kata.embedding_layer(*given, 0.5, seed)
        assert_same(kata.embedding_layer(*given, dropout=0.5, seed=seed), result)
        other = kata.embedding_layer(*given, dropout=0.5, seed=seed + 1)
        # half of the entries meet with the same fate by chance; six standard errors of 600 and of 300
        seeds, sentences = (other == 0.0) == (result == 0.0), (result[0] == 0.0) == (result[1] == 0.0)
        assert abs(seeds.mean() - 0.5) < 0.13, f"Seeds {seed} and {seed + 1} drop nearly the same entries."
        assert abs(sentences.mean() - 0.5) < 0.18, "Two equal sentences of a batch lose nearly the same entries."


@pytest.mark.task(2)
def test_without_dropout_every_entry_is_kept_and_without_a_seed_there_is_chance_too(kata, reference, rng):
    given = rng.integers(0, 9, size=(20, 60)), *tables(rng, 9, 64, 10)
    whole = reference.embedding_layer(*given)                          # (20, 60, 10)
    for seed in (None, 0, 5):
        assert_same(kata.embedding_layer(*given, dropout=0.0, seed=seed), whole)
    one, two = kata.embedding_layer(*given, 0.4), kata.embedding_layer(*given, dropout=0.4, seed=None)
    for result in (one, two):
        kept = result != 0.0
        # 0.12 are more than six standard errors, even if an answer draws only once for 600 or more entries
        assert abs(kept.mean() - 0.6) < 0.12, f"Without a seed, {kept.mean():.0%} of the entries stay, not about 60%."
        assert_same(result, np.where(kept, whole / 0.6, 0.0))
    differ = ((one == 0.0) != (two == 0.0)).mean()
    assert abs(differ - 0.48) < 0.13, "Without a seed, two calls drop the same entries. Choose anew in every call."


@pytest.mark.task(2)
def test_a_single_entry_is_sometimes_dropped_and_sometimes_kept(kata):
    one = np.ones((1, 1))
    dropped = [kata.embedding_layer(np.array([0]), one, one, 0.4, seed).item() == 0.0 for seed in range(40)]
    assert 0 < sum(dropped) < 40, "The same happens with each of 40 seeds."              # by chance: 0.6 ** 40 = 1e-9


# Task 3: the tables before training

@pytest.mark.task(3)
def test_sinusoids_of_even_and_odd_widths_by_hand(kata):
    # frequencies 1, 0.1, 0.01, 0.001: sine and cosine of 1, 0.1, ... and of 5, 0.5, ...
    assert_same(kata.build_position_table("sinusoidal", 6, 8)[[0, 1, 5]], [
        [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
        [0.841470984808, 0.540302305868, 0.099833416647, 0.995004165278,
         0.009999833334, 0.999950000417, 0.000999999833, 0.999999500000],
        [-0.958924274663, 0.283662185463, 0.479425538604, 0.877582561890,
         0.049979169271, 0.998750260395, 0.004999979167, 0.999987500026],
    ])
    # width 5: frequencies 1, 0.0251188643151, 0.000630957344480
    assert_same(kata.build_position_table(kind="sinusoidal", max_len=3, d_model=5)[2],
                [0.909297426826, -0.416146836547, 0.050216599387, 0.998738350693, 0.001261914354])
    assert_same(kata.build_position_table("sinusoidal", 3, 1), [[0.0], [0.841470984808], [0.909297426826]])
    assert_same(kata.build_position_table("sinusoidal", 1, 3), [[0.0, 1.0, 0.0]])


@pytest.mark.task(3)
def test_a_learned_table_follows_from_its_seed(kata):
    for seed in (0, 3, 20170612):
        table = kata.build_position_table("learned", 12, 9, seed)
        assert_same(kata.build_position_table("learned", 12, 9, seed=seed), table)
    assert_same(kata.build_position_table("learned", 12, 9), kata.build_position_table("learned", 12, 9, 0))
    for n, d in ((1, 1), (1, 6), (7, 1)):
        assert kata.build_position_table("learned", n, d).shape == (n, d)
    first = kata.build_position_table("learned", 120, 50, 0)           # (120, 50)
    for seed in (1, 2, 42, 77):
        other = kata.build_position_table("learned", 120, 50, seed)
        # 0.08 is six times 1 / sqrt(6000)
        assert abs((first * other).mean() / 0.0004) < 0.08, f"The tables of the seeds 0 and {seed} are alike."


@pytest.mark.task(3)
def test_a_learned_table_is_normal_with_a_spread_of_two_hundredths(kata):
    for max_len, d_model, seed in ((200, 61, 0), (61, 200, 5)):
        table = kata.build_position_table("learned", max_len, d_model, seed)
        assert table.shape == (max_len, d_model)
        assert_initial(table)


@pytest.mark.task(3)
def test_a_hybrid_without_its_sinusoids_is_a_learned_table(kata, reference):
    for max_len, d_model, seed in ((200, 61, 0), (80, 150, 8)):
        hybrid = kata.build_position_table("hybrid", max_len, d_model, seed)
        assert hybrid.shape == (max_len, d_model)
        assert_initial(hybrid - reference.build_position_table("sinusoidal", max_len, d_model))


@pytest.mark.task(3)
def test_a_hybrid_follows_from_its_seed(kata):
    hybrid = kata.build_position_table("hybrid", 60, 21)               # (60, 21)
    assert_same(kata.build_position_table("hybrid", 60, 21, seed=0), hybrid)
    for seed in (1, 9, 42):
        other = kata.build_position_table("hybrid", 60, 21, seed)
        assert_same(kata.build_position_table("hybrid", 60, 21, seed), other)
        # a difference of two learned tables: the root of 2 times 0.02
        spread = (other - hybrid).std()
        assert abs(spread - 0.0283) < 0.0034, f"Hybrids of seeds 0 and {seed} differ by {spread:.3g}, not by 0.0283."


def sinusoids_of_any_size(rng):
    # 10000 ** 510 is more than a float can hold
    for sizes in ((13, 13), (40, 6), (400, 4), (100, 512), *rng.integers(14, 50, size=(3, 2)).tolist()):
        yield from (("sinusoidal", *sizes), ("sinusoidal", *sizes, 0), ("sinusoidal", *sizes, 17))


test_sinusoids_of_any_size_agree_with_the_reference_whatever_the_seed = checks.agrees_with_the_reference(
    3, "build_position_table", sinusoids_of_any_size)


# Task 4: the count

@pytest.mark.task(4)
def test_only_learned_positions_are_trained(kata):
    # 7 tokens and 5 positions of 3 numbers; the sizes of BERT, 30522 tokens and 512 positions of 768 numbers
    for kind, small, bert in (("sinusoidal", 21, 23440896), ("learned", 36, 23834112), ("hybrid", 36, 23834112)):
        assert_same(kata.parameter_count(kind, 7, 5, 3), small)
        assert_same(kata.parameter_count(kind=kind, vocab_size=30522, max_len=512, d_model=768), bert)
        assert_same(kata.parameter_count(kind, 1, 1, 1), 1 + (kind != "sinusoidal"))


def counts_of_any_sizes(rng):
    for sizes in ((13, 13, 13), (12, 9, 8), *rng.integers(2, 40, (3, 3)).tolist()):
        yield from ((kind, *sizes) for kind in KINDS)


test_counts_of_any_sizes_agree_with_the_reference = checks.agrees_with_the_reference(
    4, "parameter_count", counts_of_any_sizes)


# All of them

@pytest.mark.task(1, 2, 3)
def test_tables_and_layers_are_in_double_precision(kata, reference, rng):
    for kind in KINDS:
        assert_double_precision(kata.build_position_table, kind, 12, 8)
    given = rng.integers(0, 9, size=(2, 12)), *tables(rng, 9, 12, 8)
    for dropout in (0.0, 0.5):
        assert_double_precision(kata.embedding_layer, *given, dropout, 1)
    assert_same(kata.embedding_layer(*given), reference.embedding_layer(*given))
