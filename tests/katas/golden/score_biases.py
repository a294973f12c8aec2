"""Chapter 5, biases on the scores: x-transformers, and BLOOM, MPT and T5 in transformers."""
import mpmath as mp
import numpy as np
import torch
import torch.nn.functional as F
from transformers import BloomConfig, T5Config
from transformers.models.bloom import modeling_bloom as bloom
from transformers.models.mpt import modeling_mpt as mpt
from transformers.models.t5 import modeling_t5 as t5
from x_transformers import x_transformers

from golden import EXACT, FLOAT32, FLOAT64, based
from oracles import floats, future, mp_table


def alibi_bias(golden):
    slopes = x_transformers.AlibiPositionalBias._get_slopes
    for heads in (1, 2, 3, 6, 8, 12, 16, 20):
        golden.add(f"slopes_{heads}_x_transformers", "alibi_slopes", {"n_heads": heads}, slopes(heads),
                   "x-transformers AlibiPositionalBias._get_slopes, float64")
    for heads in (5, 24):
        golden.add(f"slopes_{heads}_bloom", "alibi_slopes", {"n_heads": heads},
                   bloom._get_alibi_slopes(heads, "cpu"), "transformers BLOOM _get_alibi_slopes", FLOAT32)

    def bias(heads, n_queries, n_keys, causal):
        """x-transformers: -slope * |i - j|; it leaves the causal mask to the attention, so it is set here."""
        full = x_transformers.AlibiPositionalBias(heads)(n_queries, n_keys)         # (H, n_q, n_k)
        return full.masked_fill(future(n_queries, n_keys), -torch.inf) if causal else full

    source = "x-transformers AlibiPositionalBias, float64"
    for heads, n_queries, n_keys in [(6, 5, 9), (8, 7, None), (12, 1, 6), (3, 11, 11)]:
        for causal in (True, False):
            size = f"{heads}_heads_{n_queries}_by_{n_keys or n_queries}"
            golden.add(f"bias_{size}_{'causal' if causal else 'both_ways'}", "alibi_bias",
                       {"n_heads": heads, "n_queries": n_queries, "n_keys": n_keys, "causal": causal},
                       bias(heads, n_queries, n_keys or n_queries, causal),
                       source + (", future keys set to -inf" if causal else ""))
    for heads in (7, 16):
        golden.add(f"last_query_{heads}_heads_mpt", "alibi_bias",
                   {"n_heads": heads, "n_queries": 1, "n_keys": 10},
                   mpt.build_mpt_alibi_tensor(heads, 10),
                   "transformers build_mpt_alibi_tensor: the bias as the last position sees it", FLOAT32)

    for heads, n_queries, n_keys, causal in [
        (6, 5, 9, True), (6, 5, 9, False), (4, 8, 8, True), (12, 1, 7, True), (3, 7, 7, False),
    ]:
        q, k = golden.numbers(heads, n_queries, 5), golden.numbers(heads, n_keys, 5)
        v = golden.numbers(heads, n_keys, 3)
        out = F.scaled_dot_product_attention(*(torch.as_tensor(a)[None] for a in (q, k, v)),
                                             attn_mask=bias(heads, n_queries, n_keys, causal)[None])
        golden.add(f"attention_{heads}_heads_{n_queries}_by_{n_keys}_{'causal' if causal else 'both_ways'}",
                   "alibi_attention", {"q": q, "k": k, "v": v, "causal": causal}, out[0],
                   f"torch scaled_dot_product_attention in float64, with the bias of {source}")

    for heads, d_head, n in [(6, 4, 9), (8, 5, 7)]:
        width = heads * d_head
        layer = bloom.BloomAttention(BloomConfig(hidden_size=width, n_head=heads), layer_idx=0).eval()
        layer.query_key_value.weight.copy_(torch.as_tensor(golden.numbers(3 * width, width, size=0.5)))
        layer.query_key_value.bias.zero_()
        layer.dense.weight.copy_(torch.eye(width))                   # so that what comes out are the heads
        layer.dense.bias.zero_()
        x = torch.as_tensor(golden.numbers(1, n, width))
        # BLOOM adds +slope * j, a constant per row away from -slope * (i - j): the causal softmax is equal.
        alibi = bloom.build_alibi_tensor(torch.ones(1, n, dtype=torch.int64), heads, torch.float64)
        mask = torch.zeros(1, 1, n, n).masked_fill(future(n), -torch.inf)
        out, _ = layer(x, residual=torch.zeros_like(x), alibi=alibi, attention_mask=mask)
        q, k, v = (part[0].numpy() for part in layer._reshape(layer.query_key_value(x)))    # (H, n, d_head)
        golden.add(f"attention_{heads}_heads_bloom", "alibi_attention", {"q": q, "k": k, "v": v},
                   out[0].unflatten(-1, (heads, d_head)).transpose(0, 1),
                   "transformers BloomAttention with build_alibi_tensor (+slope * j), softmax in float32",
                   FLOAT32)


def t5_buckets(golden):
    bucket = t5.T5Attention._relative_position_bucket

    def edges_between_distances(n, max_distance):
        """Whether rounding, float32 in transformers, decides no bucket of the n in a direction."""
        m = n // 2
        steps = [(n - m) * mp.log(mp.mpf(t) / m) / mp.log(mp.mpf(max_distance) / m) for t in range(m + 1, max_distance)]
        return all(abs(step - mp.nint(step)) > 1e-3 for step in steps)

    # 32 to 128 both ways has edges on 16, 32 and 64: logarithms of powers of two, whose quotients come out whole.
    sizes = [
        (True, 32, 128), (True, 32, 100), (True, 20, 77), (True, 10, 40), (True, 6, 23), (True, 4, 9), (True, 32, 9),
        (False, 32, 128), (False, 20, 77), (False, 11, 47), (False, 7, 40), (False, 3, 10), (False, 2, 10)]
    everywhere = np.arange(-301, 302).reshape(3, 201)
    for bidirectional, num_buckets, max_distance in sizes:
        n_buckets = num_buckets // 2 if bidirectional else num_buckets
        assert (n_buckets, max_distance) == (16, 128) or edges_between_distances(n_buckets, max_distance)
        given = {"bidirectional": bidirectional, "num_buckets": num_buckets, "max_distance": max_distance}
        case = f"{num_buckets}_to_{max_distance}_{'both_ways' if bidirectional else 'one_way'}"
        golden.add(f"bucket_{case}", "relative_position_bucket", {"relative_position": everywhere, **given},
                   bucket(torch.as_tensor(everywhere), **given), "transformers T5Attention._relative_position_bucket",
                   EXACT)
        heads, n_queries, n_keys = 3, 4, 41
        config = T5Config(d_model=heads * 2, d_kv=2, num_heads=heads, relative_attention_num_buckets=num_buckets,
                          relative_attention_max_distance=max_distance, is_decoder=not bidirectional)
        layer = t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
        table = golden.numbers(num_buckets, heads)
        layer.relative_attention_bias.weight.copy_(torch.as_tensor(table))
        bias = layer.compute_bias(n_queries, n_keys, past_seen_tokens=n_keys - n_queries)[0]      # (H, n_q, n_k)
        golden.add(f"bias_{case}", "t5_bias",
                   {"table": table, "n_queries": n_queries, "n_keys": n_keys, "bidirectional": bidirectional,
                    "max_distance": max_distance}, bias,
                   "transformers T5Attention.compute_bias, queries at the last positions")
    for heads, n in [(6, 13), (1, 1)]:
        table = golden.numbers(12, heads)
        layer = x_transformers.RelativePositionBias(1.0, causal=False, num_buckets=12, max_distance=128, heads=heads)
        layer.relative_attention_bias.weight.copy_(torch.as_tensor(table))
        golden.add(f"bias_x_transformers_{heads}_heads_{n}", "t5_bias", {"table": table, "n_queries": n},
                   layer(n, n), "x-transformers RelativePositionBias, causal=False, scale 1")


def sandwich_bias(golden):
    # The released code wants CUDA and counts pairs from 1; the bias is the Gram matrix of sinusoids all the same.
    def bias(n_heads, n_queries, n_keys, d_bar, base):
        """Rows of the table against each other, less d_bar / 2, over the ratios 8h / H of the paper."""
        rows = mp_table(range(n_keys), d_bar, base)
        products = [[mp.fsum(a * b for a, b in zip(q, k, strict=True)) - mp.mpf(d_bar) / 2 for k in rows]
                    for q in rows[n_keys - n_queries:]]
        return floats([[[p / (mp.mpf(8 * h) / n_heads) for p in row] for row in products]
                       for h in range(1, n_heads + 1)])

    for n_heads, n_queries, n_keys, d_bar, base in [
        (8, 6, 6, 8, 10000.0), (6, 5, 9, 10, 10000.0), (12, 1, 7, 22, 777.0), (3, 4, 30, 16, 500.0),
        (1, 3, 3, 2, 10000.0), (5, 1, 1, 4, 10000.0), (2, 3, 5, 6, 0.5), (4, 2, 40, 128, 10000.0),
    ]:
        given = {"n_heads": n_heads, "n_queries": n_queries, "n_keys": n_keys,
                 **({} if d_bar == 128 else {"d_bar": d_bar}), **based(base)}
        golden.add(f"bias_{n_heads}_heads_{n_queries}_by_{n_keys}_width_{d_bar}_base_{base:g}", "sandwich_bias",
                   given, bias(n_heads, n_queries, n_keys, d_bar, base),
                   "mpmath, 50 digits: products of sinusoidal rows", {**FLOAT64, "atol": 1e-11})
