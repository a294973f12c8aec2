"""What a released language model has to be: numbers worked by hand, laws, the reference, token by token."""
import numpy as np
import pytest

from grader.course import common_checks as checks
from grader.course.expect import assert_same

LN_3 = 1.0986122886681098                                     # sigmoid(ln 3) = 1 / (1 + 1/3) = 3/4
PLACES = 10.0 ** np.arange(6)                                 # output weights that make heads decimal places

# What config.json may say. In WIDE, the heads together are wider than a row; PLAIN has no key that may be missing.
WIDE = {"hidden_size": 10, "num_hidden_layers": 2, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 4,
        "rms_norm_eps": 1e-5, "rope_theta": 500.0, "tie_word_embeddings": False}
PLAIN = {"hidden_size": 12, "num_hidden_layers": 3, "num_attention_heads": 3, "rms_norm_eps": 0.01}
OTHERS = {"model_type": "llama", "vocab_size": 23, "intermediate_size": 14, "rope_scaling": None, "eos_token_id": 1,
          "hidden_act": "silu", "attention_bias": False, "max_position_embeddings": 2048, "torch_dtype": "bfloat16"}


def a_model(rng, config, vocab=23, d_hidden=14, layers=None):
    """Random weights for a config, their names in any order; by default of as many layers as it says."""
    d, n_heads = config["hidden_size"], config["num_attention_heads"]
    d_head = config.get("head_dim") or d // n_heads
    d_q, d_kv = n_heads * d_head, config.get("num_key_value_heads", n_heads) * d_head
    shapes = {"model.embed_tokens": (vocab, d), "lm_head": (vocab, d), "model.norm": (d,)}
    for layer in range(config["num_hidden_layers"]) if layers is None else layers:
        linear = {"self_attn.q_proj": (d_q, d), "self_attn.k_proj": (d_kv, d), "self_attn.v_proj": (d_kv, d),
                  "self_attn.o_proj": (d, d_q), "mlp.gate_proj": (d_hidden, d), "mlp.up_proj": (d_hidden, d),
                  "mlp.down_proj": (d, d_hidden), "input_layernorm": (d,), "post_attention_layernorm": (d,)}
        shapes |= {f"model.layers.{layer}.{name}": shape for name, shape in linear.items()}
    return {f"{name}.weight": 1.3 * rng.normal(size=shapes[name]) / np.prod(shapes[name][1:]) ** 0.5
            for name in rng.permutation(list(shapes)).tolist()}


def part_of(weights, layer, part):
    """The weights of "self_attn" or "mlp" of one layer."""
    return {name: w for name, w in weights.items() if name.startswith(f"model.layers.{layer}.{part}.")}


# Task 1: rms_norm

@pytest.mark.task(1)
def test_two_columns_by_hand(kata):
    # the mean of 1 and 49 is 25, its root 5
    assert_same(kata.rms_norm(np.array([1.0, 7.0]), np.array([10.0, 100.0]), 0.0), [2.0, 140.0])
    # 25 + 11 = 36, its root 6: eps is inside the root
    assert_same(kata.rms_norm(np.array([[-7.0, 1.0]]), np.array([6.0, 12.0]), eps=11.0), [[-7.0, 2.0]])


@pytest.mark.task(1)
def test_eps_is_a_millionth_unless_given(kata):
    # the mean is 1e-6, with eps 2e-6: 0.001 / sqrt(2e-6) = 1 / sqrt 2
    assert_same(kata.rms_norm(np.full((1, 4), 0.001), np.array([1.0, 2.0, 3.0, 0.0])),
                [[0.707106781187, 1.414213562373, 2.121320343560, 0.0]])


@pytest.mark.task(1)
def test_the_mean_of_a_row_is_not_subtracted(kata):
    # all entries 5: the root of the mean square is 5 too
    assert_same(kata.rms_norm(np.full((2, 3), 5.0), np.array([2.0, 3.0, 4.0]), 0.0), [[2.0, 3.0, 4.0]] * 2)
    assert_same(kata.rms_norm(np.zeros((2, 3)), np.ones(3)), np.zeros((2, 3)))


@pytest.mark.task(1)
def test_every_row_has_its_own_root(kata, rng):
    x, weight = rng.normal(size=(3, 5, 8)), rng.normal(size=8)
    sizes = np.array([1.0, 1e6, 1e-3, 30.0, 1.0])[:, None]
    assert_same(kata.rms_norm(x * sizes, weight, 0.0), kata.rms_norm(x, weight, 0.0))
    assert_same(kata.rms_norm(x, weight)[1, 4], kata.rms_norm(x[1, 4], weight))


def rows(rng):
    for *shape, eps in ((13, 8, 1e-6), (8, 8, 0.3), (2, 3, 5, 1e-5), (1, 1, 2.0), (6, 0.1), (4, 4, 4, 1e-6)):
        yield rng.normal(size=shape), rng.normal(size=shape[-1]), eps


test_rows_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(1, "rms_norm", rows)
test_the_norm_starts_afresh = checks.starts_afresh(
    1, "rms_norm", lambda rng: [(x, w, eps) for x, w, _ in [*rows(rng)][:2] for eps in (1e-6, 0.5)])
test_the_norm_takes_whole_numbers = checks.takes_whole_numbers(
    1, "rms_norm", lambda rng: [(7 * rng.normal(size=(5, 8)), 3 * rng.normal(size=8))])
test_the_norm_takes_views_and_read_only_arrays = checks.takes_views(1, "rms_norm", rows)
test_rms_norm_keeps_float32 = checks.keeps_float32(1, "rms_norm", rows)


# Task 2: attention

def one_head(d_head, query, key):
    """Weights for rows of 4 columns, of which column 0 is 1: queries, keys, and columns 1 to 3 as the value."""
    w_q, w_k = np.zeros((2, d_head, 4))
    w_q[:, 0], w_k[:, 0] = query, key
    return projections(w_q, w_k, np.eye(d_head, 4, k=1), np.eye(4, d_head))


def projections(*of_q_k_v_o):
    """The weights of attention in layer 0."""
    return {f"model.layers.0.self_attn.{name}_proj.weight": w for name, w in zip("qkvo", of_q_k_v_o, strict=True)}


@pytest.mark.task(2)
def test_two_tokens_by_hand(kata):
    # queries (1, 0), keys (0, sqrt 2): score of query i and key j is sin(i - j), for i = 1: sin 1 and 0.
    # Token 1 weighs token 0 with 1 / (1 + exp(-sin 1)); the values are (1, 0) and (0, 1).
    x = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
    config = {"hidden_size": 4, "num_attention_heads": 1, "head_dim": 2}
    assert_same(kata.attention(x, one_head(2, [1.0, 0.0], [0.0, 2.0 ** 0.5]), 0, config, np.arange(2)),
                [[1.0, 0.0, 0.0, 0.0], [0.698774931931, 0.301225068069, 0.0, 0.0]])


@pytest.mark.task(2)
def test_column_1_is_paired_with_column_3(kata):
    # queries (0, 1, 0, 0), keys (0, 0, 0, 2): only pair 1 has entries, columns 1 and 3. It turns rope_theta ** -0.5
    # per position: 0.5 for 4, 0.01 for 10000. The score of query i and key j is 2 sin((p_i - p_j) * 0.5) / 2.
    x = np.concatenate([np.ones((3, 1)), np.eye(3)], axis=1)                     # (3, 4)
    weights, config = one_head(4, [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]), {"hidden_size": 4, "rope_theta": 4.0}
    config["num_attention_heads"] = 1
    # exp(sin 0.5) = 1.615146, exp(sin 1) = 2.319777, both beside exp(0) = 1
    assert_same(kata.attention(x, weights, 0, config, np.arange(3)), [
        [1.0, 0.0, 0.0, 0.0], [0.617612214903, 0.382387785097, 0.0, 0.0],
        [0.470073548820, 0.327289049249, 0.202637401931, 0.0]])
    del config["rope_theta"]
    assert_same(kata.attention(x, weights, 0, config, np.arange(3))[1], [0.502499937501, 0.497500062499, 0.0, 0.0])
    # without queries, the output is the mean of the values so far
    assert_same(kata.attention(x, one_head(4, 0.0, 1.0), 0, config, np.arange(3)), [
        [1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3, 0.0]])


@pytest.mark.task(2)
def test_a_row_sees_the_rows_before_it_whatever_their_positions_are(kata):
    # the example above: row 1 stands before row 0 by 2 positions, so its scores are sin(-1) and 0
    x = np.concatenate([np.ones((3, 1)), np.eye(3)], axis=1)                     # (3, 4)
    weights = one_head(4, [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0])
    config = {"hidden_size": 4, "num_attention_heads": 1, "head_dim": None, "rope_theta": 4}
    out = kata.attention(x, weights, 0, config, np.array([7, 5, 7]))
    # row 2 has the position of row 0: 0, sin 1 and 0
    assert_same(out, [[1.0, 0.0, 0.0, 0.0], [0.301225068069, 0.698774931931, 0.0, 0.0],
                      [0.231493440651, 0.537013118697, 0.231493440651, 0.0]])


@pytest.mark.task(2)
def test_neighbouring_query_heads_share_a_key_head(kata, rng):
    # value head number h is (h, 0), and w_o makes the result of query head h the decimal place h
    for n_kv_heads, read in ((1, 111111.0), (2, 222111.0), (3, 332211.0), (6, 654321.0)):
        w_v, w_o = np.zeros((2 * n_kv_heads, 1)), np.zeros((1, 12))
        w_v[0::2, 0], w_o[0, 0::2] = np.arange(1, n_kv_heads + 1), PLACES
        w_q, w_k = rng.normal(size=(12, 1)), rng.normal(size=(2 * n_kv_heads, 1))
        weights = projections(w_q, w_k, w_v, w_o)
        config = {"hidden_size": 1, "num_attention_heads": 6, "num_key_value_heads": n_kv_heads, "head_dim": 2}
        assert_same(kata.attention(np.ones((5, 1)), weights, 0, config, np.arange(5)), [[read]] * 5)


@pytest.mark.task(2)
def test_later_rows_have_no_weight_however_low_the_scores_of_earlier_ones_are(kata):
    # queries (size, 0), keys (-size, 0): row 0 sees itself alone, with the score -size ** 2 / sqrt 2; row 1 prefers
    # row 0 to itself, for cos 1 is below 1
    config = {"hidden_size": 4, "num_attention_heads": 1, "head_dim": 2}
    weights = one_head(2, [1.0, 0.0], [-1.0, 0.0])
    for size in (1e5, 1e9):
        x = np.array([[size, 1.0, 0.0, 0.0], [size, 0.0, 1.0, 0.0]])
        assert_same(kata.attention(x, weights, 0, config, np.arange(2)), [[1.0, 0.0, 0.0, 0.0]] * 2)


@pytest.mark.task(2)
def test_long_rows_attend_beside_short_ones(kata, rng):
    # scores of many thousands, far apart, in rows that differ by as much
    weights = part_of(a_model(rng, PLAIN, layers=[0]), 0, "self_attn")
    x = rng.integers(1, 10, size=(8, 12)) * rng.choice([-1.0, 1.0], size=(8, 12))
    x = x * np.array([[300.0], [0.1], [300.0], [0.2], [300.0], [300.0], [0.3], [300.0]])
    values = x @ weights["model.layers.0.self_attn.v_proj.weight"].T
    out = kata.attention(x, weights, 0, PLAIN, np.arange(8))
    assert np.isfinite(out).all()
    assert_same(out[0], values[0] @ weights["model.layers.0.self_attn.o_proj.weight"].T)


@pytest.mark.task(2)
def test_only_differences_of_positions_count(kata, rng):
    weights, x = a_model(rng, WIDE, layers=[3]), rng.normal(size=(9, 10))
    positions = np.array([4, 4, 30, 2, 0, 57, 58, 1, 4])
    out = kata.attention(x, weights, 3, WIDE, positions)
    assert_same(kata.attention(x, weights, 3, WIDE, positions + 100), out)
    assert_same(kata.attention(x[:4], weights, 3, WIDE, positions[:4]), out[:4])
    # without values that differ, there is nothing to tell rows apart by
    same = kata.attention(np.tile(x[0], (9, 1)), weights, 3, WIDE, positions)
    assert_same(same, np.tile(same[0], (9, 1)))


def layers(rng):
    """Attention layers: sizes that coincide and sizes that do not, keys that are missing, layers 1 and 11."""
    for n, config in (
        (13, WIDE), (12, PLAIN), (7, WIDE | {"num_key_value_heads": 3}), (1, WIDE),
        (6, WIDE | {"head_dim": None, "hidden_size": 36, "num_key_value_heads": 6}),
        (4, {"hidden_size": 16, "num_attention_heads": 4, "num_key_value_heads": 2, "rope_theta": 70}),
        (4, {"hidden_size": 4, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": None}),
        (9, {"hidden_size": 6, "num_attention_heads": 2, "head_dim": 8, **OTHERS}),
    ):
        weights = a_model(rng, config | {"num_hidden_layers": 0}, layers=[1, 11])
        for layer, positions in ((11, np.arange(n)), (1, rng.integers(0, 400, size=n))):
            yield rng.normal(size=(n, config["hidden_size"])), weights, layer, config, positions


def layers_that_differ_in_one_thing(rng):
    weights, x, places = a_model(rng, WIDE), rng.normal(size=(9, 10)), rng.permutation(40)[:9]
    for layer, config, positions in (
        (0, WIDE, np.arange(9)), (1, WIDE, np.arange(9)), (1, WIDE | {"rope_theta": 80.0}, np.arange(9)),
        (1, WIDE, places), (1, {key: value for key, value in WIDE.items() if key != "rope_theta"}, places),
    ):
        yield x, weights, layer, config, positions
    yield x[:5], weights, 1, WIDE, places[:5]
    yield x, a_model(rng, WIDE), 1, WIDE, places


def short_layers(rng):
    for n, config in ((1, WIDE), (7, WIDE), (5, PLAIN)):
        weights = part_of(a_model(rng, config, layers=[2]), 2, "self_attn")
        yield rng.normal(size=(n, config["hidden_size"])), weights, 2, config, np.arange(3, 3 + n)


test_attention_of_any_size_agrees_with_the_reference = checks.agrees_with_the_reference(2, "attention", layers)
test_every_call_of_attention_starts_afresh = checks.starts_afresh(2, "attention", layers_that_differ_in_one_thing)
test_attention_takes_whole_numbers = checks.takes_whole_numbers(2, "attention", short_layers)
test_attention_takes_views_and_read_only_arrays = checks.takes_views(2, "attention", short_layers)
test_attention_keeps_float32 = checks.keeps_float32(2, "attention", short_layers)


# Task 3: feed_forward

def network(gate, up, down, layer=0):
    """The weights of a feed-forward network."""
    return {f"model.layers.{layer}.mlp.{name}_proj.weight": np.array(w, float)
            for name, w in (("down", down), ("up", up), ("gate", gate))}


@pytest.mark.task(3)
def test_three_gates_by_hand(kata):
    # z = ln 3, 0 and -ln 3, whose silu is 3/4 ln 3, 0 and -1/4 ln 3; times 4, 5 and 8: 3 ln 3, 0 and -2 ln 3
    weights = network([[LN_3, 0.0], [0.0, 7.0], [-LN_3, 0.0]], [[4.0, 0.0], [5.0, 0.0], [8.0, 0.0]],
                      [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    assert_same(kata.feed_forward(np.array([[1.0, 0.0]]), weights, 0), [[3 * LN_3, -2 * LN_3]])


@pytest.mark.task(3)
def test_gates_of_a_thousand_neither_overflow_nor_leak(kata):
    # silu(1000) = 1000, silu(-1000) = 0; the rows are multiplied by up = 2
    weights = network([[1.0, 0.0]], [[0.0, 2.0]], [[1.0], [3.0]])
    for dtype in (np.float64, np.float32):
        x = np.array([[1000.0, 1.0], [-1000.0, 1.0], [0.0, 1.0], [-100.0, 1.0]], dtype)
        single = {name: w.astype(dtype) for name, w in weights.items()}
        assert_same(kata.feed_forward(x, single, 0), [[2000.0, 6000.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])


@pytest.mark.task(3)
def test_rows_stand_alone_and_up_only_scales(kata, rng):
    x, weights = rng.normal(size=(7, 10)), a_model(rng, WIDE, layers=[4])
    out = kata.feed_forward(x, weights, 4)
    assert_same(kata.feed_forward(x[2:3], weights, 4), out[2:3])
    up = "model.layers.4.mlp.up_proj.weight"
    assert_same(kata.feed_forward(x, weights | {up: -3.0 * weights[up]}, 4), -3.0 * out)


def networks(rng):
    """Networks: sizes that coincide and sizes that do not, layers 1 and 11; in row 0, one gate is 900 or -900."""
    for n, d, d_hidden in ((13, 10, 14), (6, 6, 6), (12, 14, 5), (1, 3, 8), (8, 1, 1)):
        weights = a_model(rng, PLAIN | {"hidden_size": d, "head_dim": 2}, d_hidden=d_hidden, layers=[1, 11])
        for layer in (11, 1):
            x = 2.0 * rng.normal(size=(n, d))
            x[0] *= 900.0 / np.abs(weights[f"model.layers.{layer}.mlp.gate_proj.weight"] @ x[0]).max()
            yield x, weights, layer


def short_networks(rng):
    for n, d in ((1, 5), (6, 4)):
        gate, up, down = 1.5 * rng.normal(size=(3, 7, d))
        yield rng.normal(size=(n, d)), network(gate, up, down.T, 2), 2


test_networks_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(3, "feed_forward", networks)
test_every_call_of_the_network_starts_afresh = checks.starts_afresh(3, "feed_forward", networks)
test_the_network_takes_whole_numbers = checks.takes_whole_numbers(3, "feed_forward", short_networks)
test_the_network_takes_views_and_read_only_arrays = checks.takes_views(3, "feed_forward", short_networks)
test_feed_forward_keeps_float32 = checks.keeps_float32(3, "feed_forward", short_networks)


# Task 4: logits

def small_model(attention_adds=(0.0, 0.0), network_adds=(0.0, 0.0)):
    """A model of one layer and 2 columns. With eps = 11, norms with weights of 6 leave (1, 7), (5, 5) and (7, 1) as
    they are, for their mean square is 25. Where column 0 is 1, attention adds its numbers; where it is 5, the network
    adds its own: gate ln 3, silu 3/4 ln 3, up 4 / (3 ln 3)."""
    o_proj = np.array([attention_adds, [0.0, 0.0]]).T
    tables = {"model.embed_tokens": np.array([[7.0, 1.0], [1.0, 7.0]]),
              "lm_head": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]), "model.norm": np.array([12.0, 60.0]),
              "model.layers.0.input_layernorm": np.full(2, 6.0),
              "model.layers.0.post_attention_layernorm": np.full(2, 6.0)}
    weights = {f"{name}.weight": w for name, w in tables.items()}
    weights |= projections(np.eye(2), np.eye(2), np.eye(2), o_proj)
    weights |= network([[LN_3 / 5, 0.0]], [[0.0, 4.0 / (15.0 * LN_3)]], np.array([network_adds]).T)
    return weights, {"hidden_size": 2, "num_hidden_layers": 1, "num_attention_heads": 1, "rms_norm_eps": 11.0}


@pytest.mark.task(4)
def test_a_layer_that_adds_nothing_by_hand(kata):
    # rows (1, 7) and (7, 1), divided by 6, times (12, 60): (2, 70) and (14, 10)
    weights, config = small_model()
    assert_same(kata.logits(np.array([1, 0]), weights, config), [[2.0, 70.0, -68.0], [14.0, 10.0, 4.0]])
    # tied: with (7, 1) and (1, 7) in place of lm_head
    tied = config | {"tie_word_embeddings": True}
    assert_same(kata.logits(np.array([1, 0]), weights, tied), [[84.0, 492.0], [108.0, 84.0]])
    del weights["lm_head.weight"]
    assert_same(kata.logits(np.array([1, 0]), weights, tied), [[84.0, 492.0], [108.0, 84.0]])


@pytest.mark.task(4)
def test_attention_and_network_are_added_to_the_row_by_hand(kata):
    # (1, 7) + (4, -2) = (5, 5); (5, 5) + (2, -4) = (7, 1); divided by 6, times (12, 60): (14, 10)
    weights, config = small_model(attention_adds=(4.0, -2.0), network_adds=(2.0, -4.0))
    assert_same(kata.logits(np.array([1]), weights, config), [[14.0, 10.0, 4.0]])


@pytest.mark.task(4)
def test_later_tokens_change_nothing_before_them(kata, rng):
    weights, ids = a_model(rng, WIDE), np.array([3, 22, 0, 3, 3, 17, 9])
    whole = kata.logits(ids, weights, WIDE)
    assert_same(kata.logits(ids[:3], weights, WIDE), whole[:3])
    assert_same(kata.logits(np.append(ids[:5], [1, 1]), weights, WIDE)[:5], whole[:5])


@pytest.mark.task(4)
def test_positions_count_from_0_unless_given(kata, rng):
    weights, ids = a_model(rng, PLAIN), rng.integers(0, 23, size=8)
    whole = kata.logits(ids, weights, PLAIN)
    assert_same(kata.logits(ids, weights, PLAIN, np.arange(8)), whole)
    assert_same(kata.logits(ids, weights, PLAIN, positions=np.arange(90, 98)), whole)


def models(rng):
    """Whole models: tied and not, keys that are missing, sizes that coincide and sizes that do not."""
    for n, vocab, config in (
        (12, 23, WIDE), (9, 23, PLAIN), (8, 31, WIDE | {"tie_word_embeddings": True, "rms_norm_eps": 0.3}),
        (7, 10, WIDE | OTHERS | {"rms_norm_eps": 0.2}), (1, 23, PLAIN | {"tie_word_embeddings": True}),
        (12, 12, PLAIN | {"num_hidden_layers": 1, "head_dim": None, "num_key_value_heads": 1}),
        (5, 23, {"hidden_size": 6, "num_hidden_layers": 4, "num_attention_heads": 2, "head_dim": 8,
                 "rms_norm_eps": 1e-6, "rope_theta": 1000}),
        (3, 6, {"hidden_size": 4, "num_hidden_layers": 12, "num_attention_heads": 2, "rms_norm_eps": 1e-5}),
    ):
        model = {"weights": a_model(rng, config, vocab), "config": config}
        yield {"token_ids": rng.integers(0, vocab, size=n), **model}
        yield {"token_ids": rng.integers(0, vocab, size=n), **model, "positions": rng.integers(0, 400, size=n)}


def models_that_differ_in_one_thing(rng):
    weights, ids = a_model(rng, WIDE), rng.integers(0, 23, size=9)
    for other in ({}, {"tie_word_embeddings": True}, {"rms_norm_eps": 0.5}, {"rope_theta": 9.0}):
        yield ids, weights, WIDE | other
    yield ids[:4], weights, WIDE
    yield ids, weights, WIDE, rng.integers(0, 50, size=9)
    yield ids, a_model(rng, WIDE), WIDE


def short_models(rng):
    for n, config in ((1, WIDE), (6, PLAIN | {"num_hidden_layers": 1, "tie_word_embeddings": True})):
        yield rng.integers(0, 9, size=n), a_model(rng, config, vocab=9, d_hidden=5), config


test_models_of_any_size_agree_with_the_reference = checks.agrees_with_the_reference(4, "logits", models)
test_every_call_of_a_model_starts_afresh = checks.starts_afresh(4, "logits", models_that_differ_in_one_thing)
test_a_model_takes_whole_numbers = checks.takes_whole_numbers(4, "logits", short_models)
test_a_model_takes_views_and_read_only_arrays = checks.takes_views(4, "logits", short_models)
test_a_model_keeps_float32 = checks.keeps_float32(4, "logits", short_models)


# Task 5: greedy

def counting_model(vocab, steps):
    """A model of zeros whose layers add nothing: after token t, its last product prefers (t + steps) % vocab."""
    config = {"hidden_size": vocab, "num_hidden_layers": 1, "num_attention_heads": 1, "head_dim": 2,
              "rms_norm_eps": 1e-6}
    weights = {name: np.zeros_like(w) for name, w in a_model(np.random.default_rng(0), config, vocab, 2).items()}
    weights["model.embed_tokens.weight"], weights["model.norm.weight"] = np.eye(vocab), np.ones(vocab)
    return weights | {"lm_head.weight": np.roll(np.eye(vocab), steps, axis=0)}, config


@pytest.mark.task(5)
def test_a_model_that_counts(kata):
    # the row of token t has its only 1 in column t, and that column of lm_head has its only 1 in row t + 1 (mod 5)
    weights, config = counting_model(5, 1)
    assert_same(kata.greedy(np.array([3]), 4, weights, config), [3, 4, 0, 1, 2])
    assert_same(kata.greedy(np.array([1, 1, 4, 2]), 1, weights, config), [1, 1, 4, 2, 3])
    assert_same(kata.greedy(np.array([0, 0, 2]), 7, *counting_model(7, 3)), [0, 0, 2, 5, 1, 4, 0, 3, 6, 2])
    # eos_token_id, 1 here, is a key like others that the task does not name
    assert_same(kata.greedy(np.array([3]), 4, weights, config | OTHERS), [3, 4, 0, 1, 2])


@pytest.mark.task(5)
def test_no_new_tokens_leave_the_prompt(kata):
    assert_same(kata.greedy(np.array([2, 0, 2]), 0, *counting_model(5, 1)), [2, 0, 2])


def repeating_model(vocab, period):
    """A row is a 1 and a one-hot code of the word. Queries and keys come from the 1, and a query is turned back in
    advance, by `period - 1` positions: it meets the key of as many tokens before, whose word is added 9 times."""
    back = (period - 1) * 100.0 ** (-np.arange(8) / 8)                           # (8,) radians
    w_q, w_k, w_v = np.zeros((3, 16, vocab + 1))
    w_q[:, 0], w_k[:8, 0] = 40.0 * np.concatenate([np.cos(back), -np.sin(back)]), 4.0
    w_v[:vocab, 1:] = np.eye(vocab)
    weights = projections(w_q, w_k, w_v, 9.0 * w_v.T) | network(*np.zeros((2, 3, vocab + 1)), np.zeros((vocab + 1, 3)))
    weights |= {f"model.{name}.weight": np.ones(vocab + 1) for name in (
        "norm", "layers.0.input_layernorm", "layers.0.post_attention_layernorm")}
    weights["model.embed_tokens.weight"] = np.concatenate([np.ones((vocab, 1)), np.eye(vocab)], axis=1)
    weights["lm_head.weight"] = np.eye(vocab, vocab + 1, k=1)
    return weights, {"hidden_size": vocab + 1, "num_hidden_layers": 1, "num_attention_heads": 1, "head_dim": 16,
                     "rms_norm_eps": 1e-5, "rope_theta": 100.0}


@pytest.mark.task(5)
def test_a_model_that_repeats_its_prompt(kata):
    assert_same(kata.greedy(np.array([3, 1, 4]), 7, *repeating_model(6, 3)), [3, 1, 4, 3, 1, 4, 3, 1, 4, 3])
    prompt = [3, 1, 11, 0, 5, 9, 2, 6, 8, 7, 4, 10]
    weights, config = repeating_model(12, 12)
    assert_same(kata.greedy(np.array(prompt), 14, weights, config), prompt + prompt + [3, 1])
    # no token is cut off, whatever keys say that the task does not name
    config["max_position_embeddings"] = 8
    assert_same(kata.greedy(np.array(prompt), 14, weights, config), prompt + prompt + [3, 1])


def a_sure_model(reference, rng, config, n, n_new):
    """A model and a prompt for which the two largest logits of every step are far apart."""
    while True:
        weights, prompt = a_model(rng, config), rng.integers(0, 23, size=n)
        text = reference.greedy(prompt, n_new, weights, config)
        largest = np.sort(reference.logits(text, weights, config)[n - 1 : -1], axis=-1)      # (n_new, vocab)
        if np.all(largest[:, -1] - largest[:, -2] > 0.1):
            return {"prompt": prompt, "n_new": n_new, "weights": weights, "config": config}, text


CHOSEN = [(7, 4, WIDE), (1, 5, PLAIN), (12, 3, WIDE | {"tie_word_embeddings": True}), (4, 1, PLAIN | OTHERS)]


@pytest.mark.task(5)
def test_models_go_on_like_the_reference(kata, reference, rng):
    for n, n_new, config in CHOSEN:
        given, text = a_sure_model(reference, rng, config, n, n_new)
        assert_same(kata.greedy(**given), text)
        # a part of the text goes on with the others
        assert_same(kata.greedy(**given | {"prompt": text[: n + 1], "n_new": n_new - 1}), text)


@pytest.mark.task(5)
def test_a_model_in_float32_goes_on_with_the_same_tokens(kata, reference, rng):
    given, text = a_sure_model(reference, rng, WIDE, 6, 4)
    single = {name: w.astype(np.float32) for name, w in given["weights"].items()}
    assert_same(kata.greedy(**given | {"weights": single}), text)


# All

test_the_whole_model_is_in_double_precision = checks.are_in_double_precision(
    (1, 2, 3, 4), rms_norm=lambda rng: [*rows(rng)][:2], attention=short_layers, feed_forward=short_networks,
    logits=short_models)
