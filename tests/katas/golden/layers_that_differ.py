"""Chapter 7, layers that differ: transformers' configurations, masks and whole small models."""
from itertools import product
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn.functional as F
from transformers import Gemma3TextConfig, GptOssConfig, Llama4TextConfig
from transformers.masking_utils import (
    add_offsets_to_mask_function,
    causal_mask_function,
    chunked_causal_mask_function,
    sliding_window_causal_mask_function,
)
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.gemma3.modeling_gemma3 import Gemma3TextModel
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssModel
from transformers.models.llama4.modeling_llama4 import Llama4TextAttention, Llama4TextModel

from golden import EXACT, FLOAT32

MASKS = "transformers masking_utils"
CLOSE = {**FLOAT32, "rtol": 1e-6, "atol": 0}


def mask_of(kind, n_queries, n_keys, size):
    """The mask of one layer, made by the functions of transformers."""
    function = {
        "full": causal_mask_function, "window": sliding_window_causal_mask_function(size),
        "chunk": chunked_causal_mask_function(size, torch.zeros(1, dtype=torch.long)),
    }[kind]
    function = add_offsets_to_mask_function(function, n_keys - n_queries, 0)
    return function(0, 0, torch.arange(n_queries)[:, None], torch.arange(n_keys)).numpy()


def rows_with_an_effect(outputs, inputs, seed=0):
    """Entry [i, j] is True where row i of the outputs (n, d) has a gradient in row j of the inputs (n, d)."""
    weights = torch.randn(outputs.shape[-1], generator=torch.Generator().manual_seed(seed))
    gradients = [torch.autograd.grad(row @ weights.to(row), inputs, retain_graph=True)[0] for row in outputs]
    return np.array([(gradient != 0).any(dim=-1).numpy() for gradient in gradients])


def by_stacked_attention(masks, seed=0):
    """Layers of random attention with a residual: which inputs each output has a gradient in."""
    generator, d = torch.Generator().manual_seed(seed), 8
    with torch.enable_grad():
        x = start = torch.randn(masks.shape[-1], d, generator=generator, requires_grad=True)
        for mask in torch.as_tensor(masks):
            q, k, v = (x @ torch.randn(d, d, generator=generator) / 3 for _ in range(3))
            x = x + F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask)[0]
        return rows_with_an_effect(x, start)


def by_a_whole_model(made, config, n):
    """A small random model of transformers: which tokens' embeddings each row of the last layer has a gradient in."""
    torch.manual_seed(0)
    config._attn_implementation = config._experts_implementation = "eager"
    model = made(config).double().eval()
    with torch.enable_grad():
        embeddings = torch.randn(1, n, config.hidden_size, requires_grad=True)
        outputs = model(inputs_embeds=embeddings, use_cache=False).last_hidden_state[0]
        return rows_with_an_effect(outputs, embeddings)[:, 0]


def scaled_by_llama4(first, n, **options):
    """What Llama 4's attention multiplies the queries of n positions by, in a layer without rotation."""
    config = Llama4TextConfig(
        hidden_size=1, num_attention_heads=1, num_key_value_heads=1, head_dim=1, num_hidden_layers=1,
        no_rope_layers=[0], **options)
    seen = []

    def keep_queries(module, query, *_, **__):
        seen.append(query.flatten())
        return query.transpose(1, 2), None

    ALL_ATTENTION_FUNCTIONS.register("keep_queries", keep_queries)
    config._attn_implementation = "keep_queries"
    layer = Llama4TextAttention(config, 0).float()
    for projection in (layer.q_proj, layer.k_proj, layer.v_proj):
        projection.weight.fill_(1.0)
    cache = SimpleNamespace(get_seq_length=lambda _: first, update=lambda keys, values, _: (keys, values))
    layer(torch.ones(1, n, 1, dtype=torch.float32), None, None, past_key_values=cache)
    return seen[0].numpy()


def layers_differ(golden):
    # 1. the layers that see everything, in the defaults and in other sizes

    for case, config, period in [
        ("gemma3", Gemma3TextConfig(), 6), ("llama4", Llama4TextConfig(), 4), ("gpt_oss", GptOssConfig(), 2),
        ("gemma3_62_layers", Gemma3TextConfig(num_hidden_layers=62), 6),
        ("gemma3_5_layers", Gemma3TextConfig(num_hidden_layers=5), 6),
        ("gemma3_pattern_1", Gemma3TextConfig(num_hidden_layers=4, sliding_window_pattern=1), 1),
        ("llama4_interval_3", Llama4TextConfig(num_hidden_layers=10, no_rope_layer_interval=3), 3),
        ("gpt_oss_1_layer", GptOssConfig(num_hidden_layers=1), 2),
    ]:
        golden.add(case, "global_layers", {"n_layers": config.num_hidden_layers, "period": period},
                   np.array([kind == "full_attention" for kind in config.layer_types]),
                   f"transformers {type(config).__name__}: layer_types", EXACT)
        if hasattr(config, "no_rope_layers"):
            golden.add(f"{case}_without_rotation", "global_layers",
                       {"n_layers": config.num_hidden_layers, "period": period},
                       np.array([not rotates for rotates in config.no_rope_layers]),
                       f"transformers {type(config).__name__}: no_rope_layers", EXACT)

    # 2. masks: all kinds, fewer queries than keys, sizes of 1, that divide the length or not, beyond it

    for kind, (n_queries, n_keys), size in product(
            ("full", "window", "chunk"), [(12, 12), (5, 12), (1, 13), (1, 1), (9, 10)], (1, 3, 4, 12, 40)):
        given = {"kind": kind, "n_queries": n_queries, "n_keys": None if n_queries == n_keys else n_keys,
                 **({} if kind == "full" else {"size": size})}
        if kind != "full" or size == 1:
            golden.add(f"{kind}_{n_queries}_of_{n_keys}_size_{size}", "layer_mask", given,
                       mask_of(kind, n_queries, n_keys, size), MASKS, EXACT)

    # 3. what a stack reaches: gradients

    for case, kinds, n, size in [
        ("windows", ["window"] * 3, 14, 4), ("chunks", ["chunk"] * 3, 14, 4),
        ("windows_and_full", ["window", "full", "window"], 13, 3), ("chunk_then_window", ["chunk", "window"], 13, 5),
        ("window_then_chunk", ["window", "chunk"], 13, 5), ("one_layer", ["window"], 9, 3),
    ]:
        masks = np.stack([mask_of(kind, n, n, size) for kind in kinds])
        golden.add(f"stack_{case}", "reachable", {"masks": masks}, by_stacked_attention(masks),
                   "gradients of torch scaled_dot_product_attention with a residual, layer after layer, float64", EXACT)
    for layers, n, share in [(1, 12, 0.1), (2, 13, 0.12), (3, 15, 0.05), (5, 12, 0.01)]:
        masks = golden.rng.random((layers, n, n)) < share
        masks[:, np.arange(n), golden.rng.integers(0, n, n)] = True          # one key at least, any one
        golden.add(f"stack_of_{layers}_without_order", "reachable", {"masks": masks}, by_stacked_attention(masks),
                   "gradients of torch scaled_dot_product_attention with a residual, layer after layer, float64", EXACT)

    small = {"hidden_size": 16, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 8, "vocab_size": 7,
             "intermediate_size": 16, "pad_token_id": None}
    for case, made, config, kinds, n in [
        ("gemma3", Gemma3TextModel, Gemma3TextConfig(
            **small, num_hidden_layers=6, sliding_window=3, query_pre_attn_scalar=8), ["window"] * 5 + ["full"], 19),
        ("gemma3_5_layers", Gemma3TextModel, Gemma3TextConfig(
            **small, num_hidden_layers=5, sliding_window=3, query_pre_attn_scalar=8), ["window"] * 5, 19),
        ("gpt_oss_1_layer", GptOssModel, GptOssConfig(
            **small, num_hidden_layers=1, sliding_window=4, num_local_experts=2, num_experts_per_tok=1),
            ["window"], 11),
        ("llama4_3_layers", Llama4TextModel, Llama4TextConfig(
            **small, num_hidden_layers=3, attention_chunk_size=4, num_local_experts=2, moe_layers=[],
            intermediate_size_mlp=16), ["chunk"] * 3, 14),
        ("llama4_5_layers", Llama4TextModel, Llama4TextConfig(
            **small, num_hidden_layers=5, attention_chunk_size=4, num_local_experts=2, moe_layers=[],
            intermediate_size_mlp=16), ["chunk"] * 3 + ["full", "chunk"], 14),
    ]:
        size = getattr(config, "attention_chunk_size", None) or config.sliding_window
        masks = np.stack([mask_of(kind, n, n, size) for kind in kinds])
        golden.add(f"model_{case}", "reachable", {"masks": masks}, by_a_whole_model(made, config, n),
                   f"gradients of a small random {made.__name__} of transformers", EXACT)

    # 4. the factor of the queries, float32

    source = "transformers Llama4TextAttention: queries of ones, float32"
    for first, n, options in [
        (0, 6, {"floor_scale": 2}), (0, 9, {"floor_scale": 1, "attn_scale": 0.5}), (8188, 8, {}), (16380, 8, {}),
        (130000, 3, {}), (5, 14, {"floor_scale": 4, "attn_scale": 0.3}), (10_485_750, 4, {}),
    ]:
        name = "_".join(map(str, (first, n, *options.values())))
        golden.add(f"scale_{name}", "query_scale", {"positions": np.arange(first, first + n), **options},
                   scaled_by_llama4(first, n, **options), source, CLOSE)
