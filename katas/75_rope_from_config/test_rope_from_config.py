"""What a configuration has to give: frequencies, factors and tables worked by hand, what missing keys mean, laws."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same


def config(width, theta=None, scaling=None, **others):
    """Four heads of this width, trained on 64 positions."""
    given = {"rope_theta": theta, "rope_scaling": scaling}
    return {"hidden_size": 4 * width, "num_attention_heads": 4, "max_position_embeddings": 64,
            **{key: value for key, value in given.items() if value is not None}, **others}


def linear(factor):
    return {"rope_type": "linear", "factor": factor}


def llama3(factor, train_len, low=1.0, high=4.0, **others):
    return {"rope_type": "llama3", "factor": factor, "low_freq_factor": low, "high_freq_factor": high,
            "original_max_position_embeddings": train_len, **others}


def yarn(factor, train_len=None, **others):
    length = {} if train_len is None else {"original_max_position_embeddings": train_len}
    return {"rope_type": "yarn", "factor": factor, **length, **others}


def old(scaling):
    """The same, as older files have it."""
    return {"type" if key == "rope_type" else key: value for key, value in scaling.items()}


RELEASED = (                             # Llama 3.1 8B, Llama 3.2 1B, Qwen2.5 7B, DeepSeek-V2 Lite, gpt-oss 20b, Phi-2
    config(128, 500000.0, llama3(8.0, 8192), max_position_embeddings=131072),
    config(64, 500000.0, llama3(32.0, 8192), max_position_embeddings=131072, head_dim=64),
    config(128, 1000000.0, old(yarn(4.0, 32768))),
    config(128, 10000, yarn(40, 4096, beta_fast=32, beta_slow=1, mscale=0.707, mscale_all_dim=0.707), head_dim=64),
    config(45, 150000, yarn(32.0, 4096, beta_fast=32.0, beta_slow=1.0, truncate=False), head_dim=64),
    config(80, 10000.0, partial_rotary_factor=0.4),
)


def drawn(rng, *types):
    """Configurations of these types, with a width and a base that the seed chooses, and some fractions of columns."""
    for rope_type in types:
        for share in (1.0, 0.5, 0.75):
            width, train_len = 8 * int(rng.integers(2, 12)), int(rng.integers(700, 4000))
            factor = float(rng.uniform(1.5, 30.0))
            scaling = {"default": None, "linear": linear(factor), "llama3": llama3(factor, train_len, 0.5, 9.0),
                       "yarn": yarn(factor, train_len, beta_fast=20, beta_slow=2, truncate=share > 0.6)}[rope_type]
            yield config(width, float(rng.uniform(1000.0, 50000.0)), scaling, partial_rotary_factor=share)


def assert_periods(kata, reference, configs):
    """The reciprocals are right too, so that the slowest pairs count as much as the fast ones."""
    __tracebackhide__ = True
    for one in configs:
        assert_same(1.0 / kata.inverse_frequencies(one), 1.0 / reference.inverse_frequencies(one))


# Task 1: the rotary width, the base, and one factor for all pairs

@pytest.mark.task(1)
def test_a_head_of_eight_columns_by_hand_with_a_base_and_without(kata):
    # 32 columns in 4 heads: 8 columns, 4 pairs; 10000 ** (-2i/8) and 16 ** (-2i/8)
    assert_same(kata.inverse_frequencies(config(8)), [1.0, 0.1, 0.01, 0.001])
    assert_same(kata.inverse_frequencies(config(8, 16.0)), [1.0, 1 / 2, 1 / 4, 1 / 8])
    assert_same(kata.inverse_frequencies(config(8, 16)), [1.0, 1 / 2, 1 / 4, 1 / 8])


@pytest.mark.task(1)
def test_the_width_of_a_head_is_head_dim_if_there_is_one(kata):
    assert_same(kata.inverse_frequencies(config(8, 16.0, head_dim=4)), [1.0, 1 / 4])
    assert_same(kata.inverse_frequencies(config(2, 16.0, head_dim=8)), [1.0, 1 / 2, 1 / 4, 1 / 8])
    assert_same(kata.inverse_frequencies(config(8, 16.0, head_dim=None)), [1.0, 1 / 2, 1 / 4, 1 / 8])
    # 35 // 4 = 8, and 0.6 of 8 are 4.8
    assert_same(kata.inverse_frequencies(config(8, 16.0, hidden_size=35)), [1.0, 1 / 2, 1 / 4, 1 / 8])
    assert_same(kata.inverse_frequencies(config(8, 16.0, hidden_size=35, partial_rotary_factor=0.6)), [1.0, 1 / 4])


@pytest.mark.task(1)
def test_a_fraction_of_the_columns_turns_as_a_head_of_that_width(kata):
    # half of 8 columns: 16 ** (-2i/4); 0.48 of 10 columns are 4.8, so 4; 0.56 of 48 are 26.88, so 26
    assert_same(kata.inverse_frequencies(config(8, 16.0, partial_rotary_factor=0.5)), [1.0, 1 / 4])
    assert_same(kata.inverse_frequencies(config(10, 16.0, partial_rotary_factor=0.48)), [1.0, 1 / 4])
    assert_same(kata.inverse_frequencies(config(48, 2.0**13, partial_rotary_factor=0.56)), 0.5 ** np.arange(13))
    assert_same(kata.inverse_frequencies(config(6, 64.0, head_dim=12, partial_rotary_factor=0.5)), [1.0, 1 / 4, 1 / 16])
    assert_same(kata.inverse_frequencies(config(8, 7.0, partial_rotary_factor=0.25)), [1.0])
    assert_same(kata.inverse_frequencies(config(8, 16.0, partial_rotary_factor=1)), [1.0, 1 / 2, 1 / 4, 1 / 8])


@pytest.mark.task(1)
def test_no_scaling_is_a_missing_key_or_none_or_the_default_type(kata):
    for scaling in ({}, {"rope_scaling": None}, {"rope_scaling": {"rope_type": "default"}},
                    {"rope_scaling": {"type": "default"}}):
        for head_dim in ({}, {"head_dim": None}):
            assert_same(kata.inverse_frequencies(config(8, 16.0, **scaling, **head_dim)), [1.0, 1 / 2, 1 / 4, 1 / 8])


@pytest.mark.task(1)
def test_linear_scaling_divides_every_frequency_by_hand(kata):
    wanted = [1 / 4, 1 / 8, 1 / 16, 1 / 32]
    for scaling in (linear(4.0), linear(4), {"type": "linear", "factor": 4.0}):
        assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), wanted)
    assert_same(kata.inverse_frequencies(config(8, scaling=linear(2.5))), [0.4, 0.04, 0.004, 0.0004])
    assert_same(kata.inverse_frequencies(config(8, 16.0, linear(3.0), partial_rotary_factor=0.5)), [1 / 3, 1 / 12])


@pytest.mark.task(1)
def test_other_keys_change_nothing(kata):
    others = {"model_type": "llama", "vocab_size": 32000, "num_key_value_heads": 2, "factor": 9.0, "rms_norm_eps": 1e-5}
    wanted = [1.0, 1 / 2, 1 / 4, 1 / 8]
    assert_same(kata.inverse_frequencies(config(8, 16.0, **others)), wanted)
    assert_same(kata.inverse_frequencies(config(8, 16.0, {"rope_type": "default", "factor": 4.0})), wanted)
    scaling = llama3(2.0, 32) | {"rope_type": "linear", "beta_fast": 8.0, "attention_factor": 3.0}
    assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), [1 / 2, 1 / 4, 1 / 8, 1 / 16])


@pytest.mark.task(1)
def test_slow_pairs_are_as_exact_as_fast_ones(kata, reference, rng):
    # from 1 to 6 million positions per radian, and 8 times as many
    assert_same(1.0 / kata.inverse_frequencies(config(64, 1e7)), 1e7 ** (np.arange(32) / 32))
    assert_same(1.0 / kata.inverse_frequencies(config(64, 1e7, linear(8.0))), 8.0 * 1e7 ** (np.arange(32) / 32))
    assert_periods(kata, reference, drawn(rng, "default", "linear"))


test_plain_and_linear_frequencies_of_any_configuration_start_afresh = checks.starts_afresh(
    1, "inverse_frequencies", lambda rng: [(one,) for one in drawn(rng, "default", "linear")])


# Task 2: a share for every pair

@pytest.mark.task(2)
def test_llama3_keeps_blends_and_divides_by_hand(kata):
    # 5.09, 2.55, 1.27 and 0.64 turns in 32 positions: shares 1, 0.515493, 0.091080 and 0
    wanted = [1.0, 0.288028200548, 0.051173716804, 0.015625]
    assert_same(kata.inverse_frequencies(config(8, 16.0, llama3(8.0, 32))), wanted)
    others = {"beta_fast": 8.0, "truncate": False, "mscale": 0.7, "attention_factor": 2.0}
    assert_same(kata.inverse_frequencies(config(2, 16, llama3(8, 32, 1, 4, **others), head_dim=8)), wanted)
    # 32, 16, 8 and 4 turns of pi: from 2 to 18 of these, the shares are 1, 7/8, 3/8 and 1/8
    scaling = llama3(4.0, 64, 2 / np.pi, 18 / np.pi)
    remains = np.array([1.0, 29 / 32, 17 / 32, 11 / 32])               # s + (1 - s) / 4
    assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), remains * [1.0, 1 / 2, 1 / 4, 1 / 8])
    # half of the columns: 32 and 8 turns of pi
    half = config(8, 16.0, old(scaling), partial_rotary_factor=0.5)
    assert_same(kata.inverse_frequencies(half), [1.0, 17 / 32 / 4])


@pytest.mark.task(2)
def test_the_base_is_10000_for_llama3_and_yarn_too_unless_given(kata):
    # 10**6 positions: at least 159 turns, so all pairs are kept
    assert_same(1.0 / kata.inverse_frequencies(config(8, scaling=llama3(8.0, 10**6))), [1.0, 10.0, 100.0, 1000.0])
    # one position: all are divided
    assert_same(1.0 / kata.inverse_frequencies(config(8, scaling=llama3(8.0, 1))), [8.0, 80.0, 800.0, 8000.0])
    # 10 ** -i: 32 and 1 turns in 1500 positions at 0.87 and 2.38, so from 0 to 3: what remains is 1, 3/4, 1/2, 1/4
    for head_dim in ({}, {"head_dim": None}):
        given = config(8, scaling=yarn(4.0, 1500), **head_dim)
        assert_same(1.0 / kata.inverse_frequencies(given), [1.0, 40 / 3, 200.0, 4000.0])


@pytest.mark.task(2)
def test_llama_3_1_keeps_29_pairs_and_divides_29(kata):
    # pair 31 of 500000 ** (-2i/128): 2.263453 turns in 8192 positions, share 0.421151
    speeds = kata.inverse_frequencies(RELEASED[0])                     # (64,)
    assert_same(1.0 / speeds[:29], 500000.0 ** (np.arange(29) / 64))
    assert_same(1.0 / speeds[35:], 8.0 * 500000.0 ** (np.arange(35, 64) / 64))
    assert_same(speeds[[0, 16, 31]], [1.0, 0.037606030931, 0.000856751413])


@pytest.mark.task(2)
def test_yarn_by_hand_with_rounded_ends_of_the_ramp_and_without(kata):
    # 2 ** -i radians: pair i makes 64 / (2 pi) / 2 ** i turns, so the ramp begins at 0.5 and ends at 2.5
    betas = {"beta_fast": 32 / np.pi / 2**0.5, "beta_slow": 32 / np.pi / 2**2.5}
    # rounded to pairs 0 and 3: the ramp is 0, 1/3, 2/3, 1, and what remains is 1, 3/4, 1/2, 1/4
    for truncate in ({}, {"truncate": True}):
        scaling = yarn(4.0, 64, **betas, **truncate)
        assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), [1.0, 0.375, 0.125, 0.03125])
    # as they are: 0, 1/4, 3/4, 1, and what remains is 1, 13/16, 7/16, 1/4
    scaling = yarn(4.0, 64, **betas, truncate=False)
    assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), [1.0, 13 / 32, 7 / 64, 1 / 32])
    scaling |= {"attention_factor": 3.0, "mscale": 0.7, "mscale_all_dim": 1.0, "low_freq_factor": 2.0}
    assert_same(kata.inverse_frequencies(config(3, 16, old(scaling), head_dim=8)), [1.0, 13 / 32, 7 / 64, 1 / 32])


@pytest.mark.task(2)
def test_missing_keys_of_yarn_by_hand(kata):
    # 2 ** -i radians: 651.9 / 2 ** i turns in 4096 positions, so 32 and 1 turns at 4.35 and 9.35: ramp from 4 to 10;
    # 16 turns at 5.35, 2 turns at 8.35, half a turn at 10.35; max_position_embeddings counts only if the length of
    # training is missing
    for scaling, length, begin, end in (
        (yarn(4.0, 4096), 131072, 4, 10), (yarn(4.0, 4096), 64, 4, 10), (yarn(4.0), 4096, 4, 10),
        (yarn(4.0, 4096, beta_slow=2), 131072, 4, 9), (yarn(4.0, 4096, beta_fast=16.0), 131072, 5, 10),
        (yarn(4.0, 4096, beta_slow=0.5), 131072, 4, 11),
    ):
        share = np.minimum((end - np.arange(8)) / (end - begin), 1.0)  # (8,) 1 down to 3/6, 2/5 or 3/5
        given = config(16, 256.0, scaling, max_position_embeddings=length)
        assert_same(kata.inverse_frequencies(given), (share + (1 - share) / 4) * 0.5 ** np.arange(8))


@pytest.mark.task(2)
def test_the_ramp_of_yarn_stays_between_pair_0_and_the_last_column_by_hand(kata):
    # 10 ** (-i/4): 32 and 1 turns in 600 positions at 1.90 and 7.92, so from 1 to 7, the last of 8 columns
    remains = np.array([1.0, 1.0, 5 / 6 + 1 / 24, 4 / 6 + 1 / 12])     # ramp 0, 0, 1/6, 2/6 and factor 4
    assert_same(kata.inverse_frequencies(config(8, 10.0, yarn(4.0, 600))), remains * 10.0 ** (-np.arange(4) / 4))
    # not rounded, the ramp begins at 1.899286, and 7 is still its end
    remains = 1.0 - 3 / 4 * np.array([0.0, 0.0, 0.019745152850, 0.215796122280])
    scaling = yarn(4.0, 600, truncate=False)
    assert_same(kata.inverse_frequencies(config(8, 10.0, scaling)), remains * 10.0 ** (-np.arange(4) / 4))
    # 2 ** -i: 32 turns in 24 positions before pair 0, one turn at 1.933
    assert_same(kata.inverse_frequencies(config(8, 16.0, yarn(4.0, 24))), [1.0, 5 / 16, 1 / 16, 1 / 32])
    scaling = yarn(4.0, 24, truncate=False)
    assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), [1.0, 0.306047829134, 1 / 16, 1 / 32])


@pytest.mark.task(2)
def test_a_factor_of_one_changes_nothing(kata):
    for scaling in (llama3(1.0, 32), yarn(1.0, 64), yarn(1, 64, truncate=False)):
        assert_same(kata.inverse_frequencies(config(8, 16.0, scaling)), [1.0, 1 / 2, 1 / 4, 1 / 8])


@pytest.mark.task(2)
def test_the_slow_pairs_of_any_configuration_agree_with_the_reference(kata, reference, rng):
    assert_periods(kata, reference, [
        *RELEASED, *drawn(rng, "llama3", "yarn"), config(16, None, llama3(8.0, 900)), config(16, None, yarn(8.0, 900))])


test_all_types_start_afresh = checks.starts_afresh(2, "inverse_frequencies", lambda rng: [
    (one,) for one in (*RELEASED, *drawn(rng, "yarn", "llama3", "default", "yarn"))])


# Task 3: what cosines and sines are multiplied by

@pytest.mark.task(3)
def test_the_factor_is_one_but_for_yarn(kata):
    for scaling in (None, {"rope_type": "default"}, {"type": "default"}, linear(4.0), llama3(8.0, 32),
                    {"type": "linear", "factor": 4.0, "attention_factor": 2.0},
                    llama3(8.0, 32, attention_factor=2.0, mscale=2.0, mscale_all_dim=1.0)):
        assert_same(kata.attention_factor(config(8, 16.0, scaling)), 1.0)
    assert_same(kata.attention_factor(config(8, rope_scaling=None)), 1.0)
    assert_same(kata.attention_factor(config(8, 16.0, linear(4.0), attention_factor=2.0)), 1.0)


@pytest.mark.task(3)
def test_the_factor_of_yarn_by_hand(kata):
    # ln 10 = 2.302585, ln 40 = 3.688879, ln 1.5 = 0.405465
    for factor, wanted in ((10.0, 1.230258509299), (40, 1.368887945411), (1.5, 1.040546510811)):
        for scaling in (yarn(factor, 64), yarn(factor), {"type": "yarn", "factor": factor},
                        yarn(factor, 4096, beta_fast=16, truncate=False)):
            assert_same(kata.attention_factor(config(8, 16.0, scaling, max_position_embeddings=8192)), wanted)


@pytest.mark.task(3)
def test_a_given_factor_counts_whatever_else_is_given(kata):
    others = {"mscale": 0.707, "mscale_all_dim": 1.0}
    for given in (1.25, 0.8, 2, 0.0):
        assert_same(kata.attention_factor(config(8, 16.0, yarn(40.0, attention_factor=given))), given)
        assert_same(kata.attention_factor(config(8, 16.0, yarn(40.0, attention_factor=given, **others))), given)
        assert_same(kata.attention_factor(config(8, 16.0, yarn(0.5, attention_factor=given))), given)
    assert_same(kata.attention_factor(config(8, 16.0, yarn(10.0, attention_factor=None))), 1.230258509299)
    scaling = yarn(40.0, attention_factor=None, **others)
    assert_same(kata.attention_factor(config(8, 16.0, scaling)), 0.921042355316)


@pytest.mark.task(3)
def test_two_mscales_are_divided_by_hand_and_one_alone_is_ignored(kata):
    # with ln 40: m(0.707) = 1.260803777, m(1) = 1.368887945, m(2) = 1.737775891
    for mscale, all_dim, wanted in ((0.707, 1.0, 0.921042355316), (2, 1, 1.269480015985), (1.0, 0.707, 1.085726399256)):
        scaling = yarn(40, 4096, mscale=mscale, mscale_all_dim=all_dim)
        assert_same(kata.attention_factor(config(8, 16.0, scaling)), wanted)
    for alone in ({"mscale": 0.707}, {"mscale_all_dim": 0.707}, {"mscale": 0.707, "mscale_all_dim": 0},
                  {"mscale": 0.0, "mscale_all_dim": 0.707}, {"mscale": 0, "mscale_all_dim": 0}):
        assert_same(kata.attention_factor(config(8, 16.0, yarn(40, 4096, **alone))), 1.368887945411)


@pytest.mark.task(3)
def test_equal_mscales_and_a_factor_of_at_most_one_leave_everything_as_it_is(kata):
    for mscale in (0.707, 1.0, 3):
        assert_same(kata.attention_factor(config(8, 16.0, yarn(40, mscale=mscale, mscale_all_dim=mscale))), 1.0)
    for factor in (1.0, 1, 0.5):
        assert_same(kata.attention_factor(config(8, 16.0, yarn(factor))), 1.0)
        assert_same(kata.attention_factor(config(8, 16.0, yarn(factor, mscale=2.0, mscale_all_dim=0.5))), 1.0)


def with_factors(rng):
    """Configurations of all types, then of "yarn" with keys that are missing, None, 0, or numbers from the seed."""
    yield from (*RELEASED, *drawn(rng, "yarn", "llama3", "linear"))
    yield config(8, 16.0, linear(2.0) | {"attention_factor": 0.7})
    for factor in (0.4, float(rng.uniform(1.5, 60.0))):
        for given in ({}, {"attention_factor": None}, {"attention_factor": 0.0}, {"attention_factor": 0.9}):
            for mscale, all_dim in (*rng.uniform(0.3, 3.0, size=(2, 2)).tolist(), (0.0, 2.0), (2.0, 0)):
                yield config(8, 16.0, yarn(factor, **given, mscale=mscale, mscale_all_dim=all_dim))


test_factors_of_any_configuration_agree_with_the_reference = checks.starts_afresh(
    3, "attention_factor", lambda rng: [(one,) for one in with_factors(rng)])


# Task 4: cosines and sines

@pytest.mark.task(4)
def test_two_pairs_at_position_two_by_hand(kata):
    # 16 ** (-2i/4): 1 and 1/4 radians per position, so 2 and 0.5 at position 2
    cos, sin = kata.rope_tables(config(4, 16.0), np.array([0, 2]))
    assert_same(cos, [[1.0, 1.0, 1.0, 1.0], [-0.416146836547, 0.877582561890] * 2])
    assert_same(sin, [[0.0, 0.0, 0.0, 0.0], [0.909297426826, 0.479425538604] * 2])
    # half of the columns: one pair, 1 radian
    cos, sin = kata.rope_tables(config(4, 16.0, partial_rotary_factor=0.5), np.array([2]))
    assert_same((cos, sin), ([[-0.416146836547] * 2], [[0.909297426826] * 2]))
    # divided by 4: position 8 is position 2
    cos, sin = kata.rope_tables(config(4, 16.0, linear(4.0)), np.array([8]))
    assert_same((cos, sin), ([[-0.416146836547, 0.877582561890] * 2], [[0.909297426826, 0.479425538604] * 2]))


@pytest.mark.task(4)
def test_both_tables_are_multiplied_by_the_attention_factor(kata):
    cos, sin = kata.rope_tables(config(4, 16.0, yarn(1.0, attention_factor=3.0)), np.array([0, 2]))
    assert_same(cos, [[3.0] * 4, [-1.248440509641, 2.632747685671] * 2])
    assert_same(sin, [[0.0] * 4, [2.727892280477, 1.438276615813] * 2])
    # 0.1 ln 40 + 1, and the squares of both sum to its square
    cos, sin = kata.rope_tables(config(8, 16.0, yarn(40, 64)), np.arange(12))
    assert_same(cos[0], [1.368887945411] * 8)
    assert_same(cos**2 + sin**2, np.full((12, 8), 1.368887945411**2))


@pytest.mark.task(4)
def test_every_text_of_a_batch_has_its_own_positions(kata, rng):
    one = config(12, 300.0, linear(2.0))
    for shape in ((5,), (1,), (3, 5), (1, 5), (12, 12), (2, 3, 4), (4, 1)):
        positions = rng.integers(0, 500, size=shape)
        cos, sin = kata.rope_tables(one, positions)
        alone = [kata.rope_tables(one, np.array([position])) for position in positions.ravel().tolist()]
        assert_same(cos, np.reshape([c for c, _ in alone], (*shape, 12)))
        assert_same(sin, np.reshape([s for _, s in alone], (*shape, 12)))


def at_positions(rng):
    """Configurations with positions that repeat and are in no order."""
    for one in (*RELEASED, *drawn(rng, "default", "linear", "llama3", "yarn")):
        yield one, rng.integers(0, 600, size=4)
    yield RELEASED[0], np.array([[7, 7, 0], [599, 64, 1]])


test_tables_of_any_configuration_agree_with_the_reference = checks.starts_afresh(4, "rope_tables", at_positions)
test_positions_of_any_memory_order_are_taken = checks.takes_views(4, "rope_tables", lambda rng: [
    (config(8, 16.0, yarn(4.0)), rng.integers(0, 90, size=shape)) for shape in ((7,), (3, 5))])


# Task 5: the first columns turn

@pytest.mark.task(5)
def test_two_columns_and_four_columns_by_hand(kata):
    # the pair (1, 3): 0.6 - 2.4 and 1.8 + 0.8; 5 and 7 do not turn
    cos, sin = np.array([[0.6, 0.6]]), np.array([[0.8, 0.8]])
    assert_same(kata.apply_tables(np.array([[1.0, 3.0]]), cos, sin), [[-1.8, 2.6]])
    assert_same(kata.apply_tables(np.array([[1.0, 3.0, 5.0, 7.0]]), cos, sin), [[-1.8, 2.6, 5.0, 7.0]])
    assert_same(kata.apply_tables(np.array([[1.0, 3.0, 5.0]]), 2 * cos, 2 * sin), [[-3.6, 5.2, 5.0]])
    # the pairs (1, 3) and (2, 4): the second is 1.92 - 1.12 and 3.84 + 0.56
    cos, sin = np.array([[0.6, 0.96, 0.6, 0.96]]), np.array([[0.8, 0.28, 0.8, 0.28]])
    assert_same(kata.apply_tables(np.array([[1.0, 2.0, 3.0, 4.0]]), cos, sin), [[-1.8, 0.8, 2.6, 4.4]])
    assert_same(kata.apply_tables(np.array([[1.0, 2.0, 3.0, 4.0, 5.0]]), cos, sin), [[-1.8, 0.8, 2.6, 4.4, 5.0]])


@pytest.mark.task(5)
def test_every_row_turns_by_its_own_tables_by_hand(kata):
    cos, sin = np.array([[0.6, 0.6], [1.0, 1.0], [0.0, 0.0]]), np.array([[0.8, 0.8], [0.0, 0.0], [1.0, 1.0]])
    x = np.array([[1.0, 0.0, 9.0], [1.0, 0.0, 9.0], [1.0, 0.0, 9.0]])
    assert_same(kata.apply_tables(x, cos, sin), [[0.6, 0.8, 9.0], [1.0, 0.0, 9.0], [0.0, 1.0, 9.0]])
    # the same for two heads, and for two texts with tables of their own
    assert_same(kata.apply_tables(np.array([x, 2 * x]), cos, sin), [
        [[0.6, 0.8, 9.0], [1.0, 0.0, 9.0], [0.0, 1.0, 9.0]], [[1.2, 1.6, 18.0], [2.0, 0.0, 18.0], [0.0, 2.0, 18.0]]])
    own = kata.apply_tables(np.array([x, x]), np.array([cos, cos[::-1]]), np.array([sin, sin[::-1]]))
    assert_same(own[1], [[0.0, 1.0, 9.0], [1.0, 0.0, 9.0], [0.6, 0.8, 9.0]])


@pytest.mark.task(5)
def test_whole_numbers_are_not_cut(kata):
    x = np.array([[1, 3, 5], [-2, 4, 7]])
    wanted = [[-1.8, 2.6, 5.0], [-4.4, 0.8, 7.0]]
    assert_same(kata.apply_tables(x, np.full((2, 2), 0.6), np.full((2, 2), 0.8)), wanted)


def turned_with(rng, *shapes):
    """Vectors with tables of the solution's form: some shapes of x, of the tables' leading axes and n, and widths."""
    for leading, own, r in shapes:
        one = config(r, float(rng.uniform(20.0, 5000.0)))
        speeds = one["rope_theta"] ** (-np.arange(0, r, 2) / r)                        # (r / 2,)
        angles = np.tile(rng.integers(0, 60, size=own)[..., None] * speeds, 2)         # (..., n, r)
        yield rng.normal(size=leading), 1.3 * np.cos(angles), 1.3 * np.sin(angles)


def of_all_kinds(rng):
    """One head and many, texts that share tables or have their own, sizes that coincide and that do not."""
    return turned_with(
        rng, ((12, 8), (12,), 8), ((12, 11), (12,), 6), ((1, 2), (1,), 2), ((3, 12, 10), (12,), 10),
        ((2, 3, 5, 8), (5,), 4), ((2, 3, 5, 8), (2, 1, 5), 6), ((2, 3, 5, 8), (3, 5), 8), ((2, 3, 5, 9), (2, 3, 5), 4),
        ((2, 3, 5, 8), (1, 1, 5), 8), ((8, 8), (8,), 8), ((4, 4, 4, 4), (4,), 4), ((4, 4, 4, 8), (4, 1, 4), 4),
        ((4, 4, 8), (4, 4), 4), ((2, 2, 2, 2), (2,), 2))


test_heads_and_texts_share_tables_or_have_their_own = checks.starts_afresh(5, "apply_tables", of_all_kinds)
test_views_are_turned = checks.takes_views(5, "apply_tables", of_all_kinds)
test_apply_tables_keeps_float32_whatever_the_tables = checks.keeps_float32(5, "apply_tables", lambda rng: [
    (x.astype(np.float32), cos, sin) for x, cos, sin in of_all_kinds(rng)])


@pytest.mark.task(5)
def test_the_rest_of_a_head_is_copied_even_if_it_is_huge(kata, rng):
    (x, cos, sin), = turned_with(rng, ((3, 12, 10), (12,), 6))
    x[..., 6:] = 1e12 * rng.normal(size=(3, 12, 4))
    result = kata.apply_tables(x, cos, sin)
    assert_same(result[..., 6:], x[..., 6:])
    assert_same(result[..., :6], kata.apply_tables(x[..., :6].copy(), cos, sin))


# All of them

@pytest.mark.task(4, 5)
def test_scores_depend_on_the_distance_and_grow_by_the_square_of_the_factor(kata, rng):
    q, k = rng.normal(size=(2, 1, 8))
    for scaling, grown in ((linear(2.0), 1.0), (yarn(2.0, 64, attention_factor=1.5), 2.25)):
        one = config(8, 100.0, scaling)
        wanted = None
        for p in (0, 5, 300):
            queries = kata.apply_tables(q, *kata.rope_tables(one, np.array([p + 7])))
            keys = kata.apply_tables(k, *kata.rope_tables(one, np.array([p])))
            score = np.sum(np.asarray(queries) * keys)
            wanted = score if wanted is None else wanted
            assert_same(score, wanted)
        same = kata.apply_tables(q, *kata.rope_tables(one, np.array([31])))
        assert_same(np.sum(np.asarray(same) ** 2), grown * np.sum(q**2))


test_frequencies_and_tables_are_in_double_precision = checks.are_in_double_precision(
    (1, 4), inverse_frequencies=[(config(8),)], rope_tables=[(config(8), np.arange(12))])
