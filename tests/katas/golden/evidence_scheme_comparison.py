"""Chapter 9, scheme comparison: what public models train for positions, and torch's own attention."""
import mpmath as mp
import numpy as np
import torch
from transformers import BloomConfig, GPT2Config, LlamaConfig, T5Config, VitsConfig
from transformers.models.bloom.modeling_bloom import BloomModel
from transformers.models.gpt2.modeling_gpt2 import GPT2Model
from transformers.models.llama.modeling_llama import LlamaModel
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.t5.modeling_t5 import T5Stack
from transformers.models.vits.modeling_vits import VitsEncoder
from x_transformers import x_transformers

from golden import EXACT
from oracles import floats, future, lucidrains, mp_table

FOR_POSITIONS = ("wpe", "emb_rel", "relative_attention_bias", "rotary", "alibi", "weight_of_positions")


def scheme_comparison(golden):
    counted_parameters(golden)
    relative_scores(golden)
    distances(golden)


def counted_parameters(golden):
    def trained(module):
        """How many numbers a model trains in what its library names for positions."""
        return sum(p.numel() for name, p in module.named_parameters()
                   if p.requires_grad and any(part in name for part in FOR_POSITIONS))

    def models(max_len, d_model, n_heads, n_layers, max_distance, num_buckets):
        """Every scheme for which there is a library, with the model as it builds it."""
        d_head = d_model // n_heads
        yield "sinusoidal", "Marian's table", torch.nn.ModuleDict({
            "weight_of_positions": MarianSinusoidalPositionalEmbedding(max_len, d_model)})
        yield "learned", "GPT2Model", GPT2Model(GPT2Config(
            vocab_size=7, n_positions=max_len, n_embd=d_model, n_layer=n_layers, n_head=n_heads))
        yield "shaw", "VitsEncoder, a table for keys and one for values in every layer", VitsEncoder(VitsConfig(
            hidden_size=d_model, num_attention_heads=n_heads, num_hidden_layers=n_layers, window_size=max_distance,
            ffn_dim=5))
        yield "t5", "T5Stack, one table for all layers", T5Stack(T5Config(
            vocab_size=7, d_model=d_model, d_kv=d_head, num_heads=n_heads, num_layers=n_layers, d_ff=5,
            relative_attention_num_buckets=num_buckets))
        yield "alibi", "BloomModel", BloomModel(BloomConfig(
            vocab_size=7, hidden_size=d_model, n_head=n_heads, n_layer=n_layers))
        if d_head % 2 == 0:
            yield "rope", "LlamaModel", LlamaModel(LlamaConfig(
                vocab_size=7, hidden_size=d_model, num_attention_heads=n_heads, num_hidden_layers=n_layers,
                intermediate_size=5, max_position_embeddings=max_len))

    for sizes in [(20, 12, 3, 5, 7, 10), (9, 8, 1, 2, 2, 20), (64, 24, 6, 3, 16, 32), (33, 6, 6, 4, 1, 4)]:
        names = ("max_len", "d_model", "n_heads", "n_layers", "max_distance", "num_buckets")
        given = dict(zip(names, sizes, strict=True))
        if sizes[-2:] == (16, 32):                              # the defaults
            del given["max_distance"], given["num_buckets"]
        for scheme, source, model in models(*sizes):
            golden.add(f"{scheme}_{sizes[0]}_by_{sizes[1]}", "position_parameters", {"scheme": scheme, **given},
                       np.array(trained(model)), f"transformers, trained numbers of {source}", EXACT)


def relative_scores(golden):
    def spread(scores):
        """Largest minus smallest on any diagonal, by torch, -inf counting as a number that no score reaches."""
        filled = torch.as_tensor(scores).masked_fill(torch.isneginf(torch.as_tensor(scores)), -1e300)
        n = filled.shape[-1]
        lines = [torch.diagonal(filled, k, -2, -1) for k in range(1 - n, n)]
        return float(max((line.amax(-1) - line.amin(-1)).max() for line in lines))

    def add(case, scores, wanted, source):
        """What torch finds has to be what the scheme's paper says; nothing may be near the edge."""
        scores = np.asarray(scores, dtype=np.float64)
        off = spread(scores)
        assert off < 1e-12 if wanted else off > 1e-3, (case, off)
        golden.add(case, "is_relative", {"scores": scores}, np.array(wanted), source, EXACT)

    n = 9
    alibi = x_transformers.AlibiPositionalBias(6)(n, n)                                     # (6, n, n)
    add("alibi_masked", alibi.masked_fill(future(n), -torch.inf), True, "x-transformers AlibiPositionalBias, causal mask")
    add("alibi_padded", alibi.masked_fill(torch.arange(n) > 6, -torch.inf), False,
        "x-transformers AlibiPositionalBias, the last two keys masked")
    add("alibi_shortcut", torch.as_tensor([0.5, 0.25])[:, None, None] * torch.arange(n).expand(n, n).double(), False,
        "slope * j, as transformers build_alibi_tensor has it for every query")
    t5 = x_transformers.RelativePositionBias(1.0, causal=False, num_buckets=12, max_distance=128, heads=3)
    t5.relative_attention_bias.weight.copy_(torch.as_tensor(golden.numbers(12, 3)))
    add("t5", t5(n, n), True, "x-transformers RelativePositionBias, three heads")

    rotate = lucidrains(8, 10000.0).rotate_queries_or_keys
    q, k = (torch.as_tensor(golden.numbers(n, 8)) for _ in range(2))
    for case, queries, keys, wanted in [
        ("one_word", q[:1].expand(n, 8), k[:1].expand(n, 8), True), ("text", q, k, False)]:
        scores = rotate(queries[None, None])[0, 0] @ rotate(keys[None, None])[0, 0].T
        add(f"rotary_{case}", scores, wanted, f"rotary-embedding-torch, scores of {case.replace('_', ' ')}")

    table = floats(mp_table(range(n), 6))
    for case, between, wanted in [("themselves", np.eye(6), True), ("others", golden.numbers(6, 6), False)]:
        exact = [[mp.fsum(mp.mpf(a) * mp.mpf(m) * mp.mpf(b) for a, row in zip(q, between.tolist(), strict=True)
                          for m, b in zip(row, k, strict=True)) for k in table.tolist()] for q in table.tolist()]
        add(f"sinusoids_by_{case}", floats(exact), wanted, "mpmath, products of sinusoidal rows, a matrix between")


def distances(golden):
    def add(case, weights, source):
        """Distances by 50-digit sums, pair by pair."""
        n = weights.shape[-1]
        means = [mp.fsum(mp.mpf(matrix[i][j]) * abs(i - j) for i in range(n) for j in range(n)) / n
                 for matrix in weights.reshape(-1, n, n).tolist()]
        golden.add(case, "mean_attention_distance", {"weights": weights},
                   floats(means).reshape(weights.shape[:-2]), source)

    layer = torch.nn.MultiheadAttention(12, 3, batch_first=True)
    layer.in_proj_weight.copy_(torch.as_tensor(golden.numbers(36, 12)))
    for n in (1, 6, 11):
        x = torch.as_tensor(golden.numbers(2, n, 12))
        for case, mask in [("causal", future(n)), ("both_ways", None)]:
            weights = layer(x, x, x, attn_mask=mask, average_attn_weights=False)[1].numpy()          # (2, 3, n, n)
            add(f"torch_{n}_{case}", weights, "weights of torch.nn.MultiheadAttention, sums by mpmath")
    bias = x_transformers.AlibiPositionalBias(4)(24, 24)
    add("alibi_24", torch.softmax(bias, -1).numpy(), "softmax of x-transformers AlibiPositionalBias, sums by mpmath")
    add("one_matrix", torch.softmax(torch.as_tensor(golden.numbers(7, 7)), -1).numpy(), "torch.softmax, sums by mpmath")
