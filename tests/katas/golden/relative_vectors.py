"""Chapter 4, relative vectors: the attention of Wav2Vec2-BERT, VITS and XLNet in transformers."""
from types import SimpleNamespace

import numpy as np
import torch
from transformers import VitsConfig, XLNetConfig
from transformers.models.vits import modeling_vits as vits
from transformers.models.wav2vec2_bert import modeling_wav2vec2_bert as wav2vec2_bert
from transformers.models.xlnet import modeling_xlnet as xlnet

from golden import EXACT
from oracles import future


def wav2vec2_layer(table, scaling):
    """What Wav2Vec2-BERT's function reads of its layer; table (2K + 1, d) has a row for every distance up to K."""
    reach = len(table) // 2
    return SimpleNamespace(left_max_position_embeddings=reach, right_max_position_embeddings=reach, scaling=scaling,
                           distance_embedding=torch.nn.Embedding.from_pretrained(torch.as_tensor(table)))


def relative_distances(golden):
    def vectors(table, n):
        """Table (2K + 1, d) -> (n, n, d): what unit queries, one head for each, find in the score of every pair."""
        d = table.shape[1]
        queries = torch.eye(d)[None, :, None, :].expand(1, d, n, d)
        _, products = wav2vec2_bert._apply_relative_key_position_encoding(wav2vec2_layer(table, 1.0), queries, queries)    # (1, d, n, n)
        return products[0].permute(1, 2, 0).numpy()

    def rows(n, max_distance):
        """Row numbers (n, n): the vectors of a table that holds them."""
        numbers = np.arange(2.0 * max_distance + 1.0)[:, None]
        return vectors(numbers, n)[..., 0].round().astype(np.int64)

    source = "transformers Wav2Vec2-BERT, _apply_relative_key_position_encoding, float64; the last rows of a square"
    for n_queries, n_keys in [(12, None), (1, 9), (5, 13)]:
        n = n_keys or n_queries
        golden.add(f"distances_{n_queries}_of_{n}", "relative_distances", {"n_queries": n_queries, "n_keys": n_keys},
                   rows(n, 20)[n - n_queries:] - 20, source + "; nothing is clipped, less the largest distance", EXACT)
    for n_queries, n_keys, max_distance in [(12, 12, 4), (7, 15, 3), (4, 6, 11), (1, 10, 1), (2, 40, 16)]:
        golden.add(f"index_{n_queries}_of_{n_keys}_to_{max_distance}", "relative_index",
                   {"n_queries": n_queries, "n_keys": n_keys, "max_distance": max_distance},
                   rows(n_keys, max_distance)[n_keys - n_queries:], source, EXACT)
    for n_queries, n_keys, max_distance, d in [(9, None, 3, 4), (3, 11, 4, 5), (4, 5, 8, 3), (1, 7, 1, 2)]:
        n = n_keys or n_queries
        table = golden.numbers(2 * max_distance + 1, d)
        golden.add(f"vectors_{n_queries}_of_{n}_to_{max_distance}", "gather_relative",
                   {"table": table, "n_queries": n_queries, "n_keys": n_keys},
                   vectors(table, n)[n - n_queries:], source)


def shaw_attention(golden):
    # 1. keys only, clipped; a square, of which fewer queries are the last rows

    def clipped_scores(q, k, table):
        """q, k (batch, heads, n, d), table (2K + 1, d) -> (batch, heads, n, n)."""
        q, k, scaling = torch.as_tensor(q), torch.as_tensor(k), q.shape[-1] ** -0.5
        q, bias = wav2vec2_bert._apply_relative_key_position_encoding(wav2vec2_layer(table, scaling), q, k)
        return (q @ k.transpose(-1, -2) * scaling + bias).numpy()

    for n_queries, n_keys, d, reach in [(9, 9, 5, 3), (4, 11, 7, 2), (1, 8, 4, 3), (5, 6, 3, 9)]:
        q, k = (golden.numbers(2, 3, n_keys, d) for _ in "qk")
        table = golden.numbers(2 * reach + 1, d)
        last = slice(n_keys - n_queries, None)
        golden.add(f"scores_{n_queries}_of_{n_keys}_to_{reach}", "shaw_scores",
                   {"q": q[..., last, :], "k": k, "key_table": table}, clipped_scores(q, k, table)[..., last, :],
                   "transformers Wav2Vec2-BERT, _apply_relative_key_position_encoding, float64; the last rows")

    # 2. keys and values; VITS has zeros beyond its window, so the window is wide and its outermost rows repeated

    for case, heads, n_queries, n, d, d_v, reach, causal in [
        ("3_heads_within_the_window", 3, 6, 6, 4, 4, 5, False),
        ("2_heads_clipped", 2, 11, 11, 5, 5, 2, False),
        ("2_heads_clipped_narrow_values", 2, 10, 10, 6, 3, 3, False),
        ("3_heads_clipped_causal", 3, 9, 9, 4, 3, 2, True),
        ("3_heads_last_queries_causal", 3, 4, 10, 4, 2, 3, True),
        ("1_head_one_query", 1, 1, 8, 3, 3, 1, False),
    ]:
        config = VitsConfig(hidden_size=heads * d, num_attention_heads=heads, window_size=n, attention_dropout=0.0)
        layer = vits.VitsAttention(config).eval()
        for linear in (layer.q_proj, layer.k_proj, layer.v_proj):
            linear.weight.copy_(torch.as_tensor(golden.numbers(heads * d, heads * d)))
            linear.bias.zero_()
        layer.out_proj.weight.copy_(torch.eye(heads * d))
        layer.out_proj.bias.zero_()
        tables = golden.numbers(2, 2 * reach + 1, d)
        wide = np.pad(tables, ((0, 0), (n - reach, n - reach), (0, 0)), mode="edge")       # (2, 2n + 1, d)
        layer.emb_rel_k.copy_(torch.as_tensor(wide[:1]))
        layer.emb_rel_v.copy_(torch.as_tensor(wide[1:]))
        x = torch.as_tensor(golden.numbers(1, n, heads * d, size=1.0))
        q, k, v = (linear(x).unflatten(-1, (heads, d)).transpose(1, 2).numpy()             # (1, heads, n, d)
                   for linear in (layer.q_proj, layer.k_proj, layer.v_proj))
        mask = np.tri(n, dtype=bool)
        added = torch.as_tensor(np.where(mask, 0.0, -np.inf)).expand(1, 1, n, n) if causal else None
        out, _ = layer(x, attention_mask=added)
        out = out.unflatten(-1, (heads, d)).transpose(1, 2)                                # (1, heads, n, d)
        golden.add(f"vits_{case}", "shaw_attention",
                   {"q": q[..., n - n_queries:, :], "k": k, "v": v[..., :d_v], "key_table": tables[0],
                    "value_table": tables[1, :, :d_v], "mask": mask[n - n_queries:] if causal else None},
                   out[..., n - n_queries:, :d_v].numpy(),
                   "transformers VitsAttention in float64, its window widened by repeating the outermost rows; "
                   "the last rows, the first columns of the values")


def skewing(golden):
    def shifted(products):
        """XLNet's relative shift. Its columns are distances n, n - 1, ..., 0: one more in front than keys.
        Above the diagonal it leaves numbers of other rows; the contract has 0 there."""
        x = torch.as_tensor(products)
        x = x.reshape(-1, 1, *x.shape[-2:])                                       # (batch, 1, n, n)
        farther = torch.as_tensor(golden.numbers(*x.shape[:-1], 1))
        moved = xlnet.XLNetRelativeAttention.rel_shift_bnij(torch.cat([farther, x], -1), klen=x.shape[-1])
        return moved.tril().reshape(products.shape)

    source = "transformers XLNetRelativeAttention.rel_shift_bnij in float64, 0 above the diagonal"
    for case, shape in [
        ("13_positions", (13, 13)), ("batch_and_heads", (2, 3, 7, 7)), ("one_position", (4, 1, 1)),
        ("as_many_heads_as_positions", (5, 5, 5)),
    ]:
        products = golden.numbers(*shape)
        golden.add(f"skew_{case}", "skew", {"products": products}, shifted(products), source)

    for case, shape in [
        ("13_positions", (13, 4)), ("batch_and_heads", (2, 3, 7, 5)), ("one_position", (4, 1, 6)),
        ("one_column", (9, 1)), ("as_wide_as_long", (3, 8, 8)),
    ]:
        q, table = golden.numbers(*shape), golden.numbers(*shape[-2:])
        products = torch.einsum("...id,md->...im", torch.as_tensor(q), torch.as_tensor(table))
        golden.add(f"logits_{case}", "relative_logits", {"q": q, "table": table}, shifted(products.numpy()),
                   f"torch.einsum, then {source}")


def transformer_xl(golden):
    def xlnet_scores(q, k, r, u, v):
        """XLNet's relative attention, its heads the leading axes of q and k; its own mask is -1e30."""
        *leading, n_queries, d = q.shape
        n_keys, later = k.shape[-2], future(q.shape[-2], k.shape[-2])
        q, k = (torch.as_tensor(a).reshape(-1, a.shape[-2], d).transpose(0, 1)[:, None] for a in (q, k))
        heads = q.shape[2]                                      # now (n, batch of 1, heads, d)
        core = xlnet.XLNetRelativeAttention(XLNetConfig(d_model=heads * d, n_head=heads, dropout=0.0)).eval()
        core.r_w_bias.copy_(torch.as_tensor(u).expand(heads, d))
        core.r_r_bias.copy_(torch.as_tensor(v).expand(heads, d))
        # Its distances are n_keys, ..., 1, 0: farthest first, and one more than there are keys.
        farther = torch.as_tensor(golden.numbers(1, d))
        r = torch.cat([farther, torch.as_tensor(r).flip(0)])[:, None, None].expand(-1, 1, heads, -1)
        content = torch.einsum("ibnd,jbnd->bnij", q + core.r_w_bias, k)
        distance = core.rel_shift_bnij(torch.einsum("ibnd,jbnd->bnij", q + core.r_r_bias, r), klen=n_keys)
        scores = ((content + distance) * core.scale).masked_fill(later, -torch.inf)
        # The layer itself gives weights only: they have to be the softmax of these scores.
        mask = later[:, :, None, None].to(torch.float64)
        _, weights = core.rel_attn_core(q, k, k, r, attn_mask=mask, output_attentions=True)
        torch.testing.assert_close(weights.permute(2, 3, 0, 1), torch.softmax(scores, -1))
        return scores[0].reshape(*leading, n_queries, n_keys)

    for case, leading, n_queries, n_keys, d in [
        ("square", (), 9, 9, 5), ("memory_of_7", (), 6, 13, 4), ("batch_and_heads", (2, 3), 5, 7, 4),
        ("single_query", (3,), 1, 8, 6), ("one_position", (), 1, 1, 3), ("one_column", (2,), 4, 6, 1),
        ("sizes_coincide", (4,), 4, 4, 4),
    ]:
        given = {"q": golden.numbers(*leading, n_queries, d), "k": golden.numbers(*leading, n_keys, d),
                 "r": golden.numbers(n_keys, d), "u": golden.numbers(d), "v": golden.numbers(d)}
        golden.add(f"scores_{case}", "transformer_xl_scores", given, xlnet_scores(**given),
                   "transformers XLNetRelativeAttention: biases, rel_shift_bnij and scale in float64")
