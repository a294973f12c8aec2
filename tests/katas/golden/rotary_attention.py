"""Chapter 6, rotary attention: torch's attention around a rotation, whole layers of Llama, and packed texts."""
import numpy as np
import torch
import torch.nn.functional as F
from transformers import DataCollatorWithFlattening, DynamicCache, LlamaConfig, masking_utils as masking
from transformers.models.llama import modeling_llama as llama

from golden import EXACT, FLOAT32, based
from oracles import floats, gptj_rotate, lucidrains, mp_frequencies


def rope_attention(golden):
    def inputs(*leading, n, d_model, n_heads, n_kv_heads, d_head):
        """x and the four weights, as the contract has them: x @ w."""
        shapes = {"w_q": (d_model, n_heads * d_head), "w_k": (d_model, n_kv_heads * d_head),
                  "w_v": (d_model, n_kv_heads * d_head), "w_o": (n_heads * d_head, d_model)}
        weights = {name: golden.numbers(*shape, size=0.75) for name, shape in shapes.items()}
        return {"x": golden.numbers(*leading, n, d_model), **weights}

    # 1. torch's attention with grouped keys around a rotation of another library

    def sdpa(given, n_heads, n_kv_heads, causal, rotate):
        x, w_q, w_k, w_v, w_o = map(torch.as_tensor, given.values())
        x = x if x.ndim == 3 else x[None]                                         # (batch, n, d_model)
        q, k, v = ((x @ w).unflatten(-1, (heads, -1)).transpose(1, 2)             # (batch, heads, n, d_head)
                   for w, heads in ((w_q, n_heads), (w_k, n_kv_heads), (w_v, n_kv_heads)))
        out = F.scaled_dot_product_attention(rotate(q), rotate(k), v, is_causal=causal, enable_gqa=True)
        return (out.transpose(1, 2).flatten(-2) @ w_o).reshape(given["x"].shape)

    def by_gptj(x):
        return gptj_rotate(x, torch.arange(x.shape[-2]).expand(len(x), -1))

    for case, leading, n, d_model, n_heads, n_kv_heads, d_head, causal in [
        ("6_heads_on_2", (2,), 7, 5, 6, 2, 8, True), ("6_heads_on_2_both_ways", (2,), 7, 5, 6, 2, 8, False),
        ("3_heads_on_3", (), 9, 7, 3, 3, 6, True), ("one_position", (), 1, 7, 3, 3, 6, True),
    ]:
        sizes = {"n_heads": n_heads, "n_kv_heads": n_kv_heads, "d_head": d_head}
        given = inputs(*leading, n=n, d_model=d_model, **sizes)
        golden.add(f"sdpa_{case}", "rope_attention",
                   {**given, "n_heads": n_heads, "causal": causal,
                    "n_kv_heads": None if n_kv_heads == n_heads else n_kv_heads},
                   sdpa(given, n_heads, n_kv_heads, causal, by_gptj),
                   "torch scaled_dot_product_attention(enable_gqa=True) around the GPT-J rotation, float64")
    given = inputs(n=11, d_model=6, n_heads=4, n_kv_heads=1, d_head=6)
    golden.add("sdpa_4_heads_on_1_base_500", "rope_attention",
               {**given, "n_heads": 4, "n_kv_heads": 1, "base": 500.0},
               sdpa(given, 4, 1, True, lucidrains(6, 500.0).rotate_queries_or_keys),
               "torch scaled_dot_product_attention(enable_gqa=True) around rotary-embedding-torch, float64")

    # 2. a whole Llama layer: it pairs column i with i + d/2, so q and k weights are permuted on the way in

    def half_rows(w, d_head):
        """The contract's (d_model, heads * d_head) -> weight of an nn.Linear that makes the half layout."""
        return torch.as_tensor(w).T.unflatten(0, (-1, d_head // 2, 2)).transpose(1, 2).flatten(0, 2)

    def interleaved(x):
        """Half layout (..., d_head) -> neighbouring pairs."""
        return x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)

    def llama_layer(given, n_heads, n_kv_heads, d_head, base):
        config = LlamaConfig(
            hidden_size=len(given["w_q"]), num_attention_heads=n_heads, num_key_value_heads=n_kv_heads,
            head_dim=d_head, attention_bias=False,
            rope_parameters={"rope_type": "default", "rope_theta": base})
        config._attn_implementation = "sdpa"                     # its eager softmax would be float32
        layer = llama.LlamaAttention(config, layer_idx=0).eval()
        layer.q_proj.weight.copy_(half_rows(given["w_q"], d_head))
        layer.k_proj.weight.copy_(half_rows(given["w_k"], d_head))
        layer.v_proj.weight.copy_(torch.as_tensor(given["w_v"].T))
        layer.o_proj.weight.copy_(torch.as_tensor(given["w_o"].T))
        return layer

    def tables(positions, d_head, base):
        """Cosines and sines (1, n, d_head) in the half layout; Llama's own are float32."""
        angles = torch.tensor(floats([[p * s for s in mp_frequencies(d_head, base)] for p in positions]))
        angles = torch.cat([angles, angles], dim=-1)[None]
        return angles.cos(), angles.sin()

    for case, n, d_model, n_heads, n_kv_heads, d_head, base, causal in [
        ("6_heads_on_2", 9, 12, 6, 2, 8, 10000.0, True),
        ("4_heads_on_2_both_ways", 7, 8, 4, 2, 6, 500000.0, False),
    ]:
        given = inputs(2, n=n, d_model=d_model, n_heads=n_heads, n_kv_heads=n_kv_heads, d_head=d_head)
        # Without a mask the layer is causal.
        mask = None if causal else torch.ones(1, 1, n, n, dtype=torch.bool)
        out, _ = llama_layer(given, n_heads, n_kv_heads, d_head, base)(
            torch.as_tensor(given["x"]), tables(range(n), d_head, base), mask)
        golden.add(f"llama_{case}", "rope_attention",
                   {**given, "n_heads": n_heads, "n_kv_heads": n_kv_heads, **based(base), "causal": causal},
                   out, "transformers LlamaAttention in float64, q and k weights permuted, mpmath angles")

    given = inputs(2, n=9, d_model=12, n_heads=6, n_kv_heads=3, d_head=8)
    layer = llama_layer(given, 6, 3, 8, 5000.0).float()
    x = torch.as_tensor(given["x"]).float()
    out, _ = layer(x, llama.LlamaRotaryEmbedding(layer.config)(x, torch.arange(9)[None]), None)
    golden.add("llama_6_heads_on_3_float32", "rope_attention",
               {**given, "n_heads": 6, "n_kv_heads": 3, "base": 5000.0}, out,
               "transformers LlamaAttention with its own LlamaRotaryEmbedding, all in float32", FLOAT32)

    # 3. the same layer token by token, with the cache of transformers

    for heads, kv_heads, base, steps in [(6, 2, 10000.0, (0, 1, 6)), (3, 3, 100.0, (0, 4))]:
        given = inputs(n=max(steps) + 1, d_model=6, n_heads=heads, n_kv_heads=kv_heads, d_head=8)
        layer, cache = llama_layer(given, heads, kv_heads, 8, base), DynamicCache()
        weights = {name: w for name, w in given.items() if name != "x"}
        keys = values = np.zeros((0, kv_heads, 8))
        for step, x_new in enumerate(given["x"]):
            out, _ = layer(torch.as_tensor(x_new)[None, None], tables([step], 8, base), None,
                           past_key_values=cache)
            # (1, kv_heads, t, d_head) in the half layout -> (t, kv_heads, d_head), interleaved
            new_keys = interleaved(cache.layers[0].keys)[0].transpose(0, 1).numpy()
            new_values = cache.layers[0].values[0].transpose(0, 1).numpy()
            if step in steps:
                golden.add(f"decode_{heads}_heads_on_{kv_heads}_after_{step}", "decode_step",
                           {"x_new": x_new, "k_cache": keys, "v_cache": values, **weights, "n_heads": heads,
                            "n_kv_heads": None if kv_heads == heads else kv_heads, **based(base)},
                           (out[0, 0], new_keys, new_values),
                           "transformers LlamaAttention with a DynamicCache, float64; its keys interleaved")
            keys, values = new_keys, new_values


def packed_sequences(golden):
    def collated(lengths):
        """position_ids of the row (1, n), as the data collator of transformers makes them."""
        texts = [{"input_ids": [7] * length} for length in lengths.tolist()]
        return DataCollatorWithFlattening()(texts, return_tensors="pt")["position_ids"]

    def by_mask_functions(lengths, window):
        """One call of the mask functions for all places of the row."""
        allowed = (masking.causal_mask_function if window is None
                   else masking.sliding_window_causal_mask_function(window))
        texts = torch.repeat_interleave(torch.as_tensor(lengths))[None]                   # (1, n)
        i = torch.arange(texts.shape[1])
        zero = torch.tensor(0)
        return masking.and_masks(masking.packed_sequence_mask_function(texts), allowed)(zero, zero, i[:, None], i[None])

    def by_position_ids(lengths, window):
        """The mask that a model gets: transformers finds the texts where the positions start again. None: causal."""
        config = LlamaConfig(hidden_size=8, num_attention_heads=1, sliding_window=window, attn_implementation="sdpa")
        positions = collated(lengths)
        make = masking.create_causal_mask if window is None else masking.create_sliding_window_causal_mask
        mask = make(config, torch.zeros(1, positions.shape[1], 8), None, None, position_ids=positions)
        return None if mask is None else mask[0, 0]

    # 1. positions and masks

    rows = [[3, 2], [1, 4, 2], [1, 1, 1, 1], [5, 5, 5], [1, 9, 1, 6, 2, 2], [17, 3, 8, 1, 12]]
    for lengths in map(np.array, rows):
        name = "_".join(map(str, lengths))
        golden.add(f"positions_{name}", "packed_positions", {"lengths": lengths}, collated(lengths)[0].numpy(),
                   "transformers DataCollatorWithFlattening, position_ids", EXACT)
        for window in (None, 1, 2, 4, 8):
            given = {"lengths": lengths} if window is None else {"lengths": lengths, "window": window}
            golden.add(f"functions_{name}_window_{window}", "packed_mask", given,
                       by_mask_functions(lengths, window).numpy(),
                       "transformers packed_sequence_mask_function and (sliding_window_)causal_mask_function", EXACT)
            golden.add(f"position_ids_{name}_window_{window}", "packed_mask", given,
                       by_position_ids(lengths, window).numpy(),
                       "transformers create_(sliding_window_)causal_mask from position_ids", EXACT)

    # 2. attention: torch's, on every text by itself, and on the row at once with the library's mask

    def by_gptj(x):
        return gptj_rotate(x[None], torch.arange(x.shape[1])[None])[0]

    def text_by_text(given, rotate):
        lengths, window = given["lengths"].tolist(), given.get("window")
        texts = zip(*(torch.as_tensor(given[name]).split(lengths, dim=1) for name in "qkv"), strict=True)
        return torch.cat([
            F.scaled_dot_product_attention(rotate(q), rotate(k), v, by_mask_functions(np.array([q.shape[1]]), window))
            for q, k, v in texts], dim=1)

    def in_one_row(given, rotate):
        q, k, v = (torch.as_tensor(given[name]) for name in "qkv")
        lengths = given["lengths"].tolist()
        q, k = (torch.cat([rotate(text) for text in x.split(lengths, dim=1)], dim=1) for x in (q, k))
        mask = by_position_ids(given["lengths"], given.get("window"))
        return F.scaled_dot_product_attention(q, k, v, mask, is_causal=mask is None)

    for case, lengths, n_heads, d, d_v, window, base in [
        ("two_texts", [3, 4], 2, 8, 5, None, 10000.0), ("window_of_3", [6, 2, 7], 3, 4, 6, 3, 10000.0),
        ("window_of_1", [2, 1, 3], 2, 2, 1, 1, 10000.0), ("one_text", [9], 1, 6, 6, None, 10000.0),
        ("tokens", [1, 1, 1], 2, 4, 3, None, 10000.0), ("base_500", [5, 1, 8], 2, 6, 4, None, 500.0),
        ("base_30_window_4", [2, 11, 6], 2, 8, 3, 4, 30.0),
    ]:
        n = sum(lengths)
        given = {"q": golden.numbers(n_heads, n, d), "k": golden.numbers(n_heads, n, d),
                 "v": golden.numbers(n_heads, n, d_v), "lengths": np.array(lengths),
                 **({} if window is None else {"window": window}), **based(base)}
        rotate = by_gptj if base == 10000.0 else lucidrains(d, base).rotate_queries_or_keys
        source = "the GPT-J rotation" if base == 10000.0 else "rotary-embedding-torch"
        golden.add(f"text_by_text_{case}", "packed_attention", given, text_by_text(given, rotate),
                   f"torch scaled_dot_product_attention on every text by itself, around {source}, float64")
        golden.add(f"in_one_row_{case}", "packed_attention", given, in_one_row(given, rotate),
                   f"torch scaled_dot_product_attention with the mask of transformers, around {source}, float64")
