"""The public code people reach for, with the arguments of our functions as torch tensors.

Each function prepares what a model keeps between calls (tables of cosines, frequencies) and returns the call that is
timed; so the tables cost it nothing, while ours are made anew in every call.
"""
import importlib
from functools import partial
from types import SimpleNamespace

import numpy as np


class Library:
    """A module that is imported when something of it is asked for; ImportError then, if it is not installed."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        found = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, found)                  # the next time, nothing is looked up
        return found


def models(*names):
    """The code of models in transformers."""
    return [Library(f"transformers.models.{name}.modeling_{name}") for name in names]


torch, F, transformers = map(Library, ("torch", "torch.nn.functional", "transformers"))
lucidrains, x_transformers = Library("rotary_embedding_torch"), Library("x_transformers.x_transformers")
bloom, gptj, llama, llama4, t5, wav2vec2_bert, xlnet = models(
    "bloom", "gptj", "llama", "llama4", "t5", "wav2vec2_bert", "xlnet")


def angles_of(positions, d):
    return positions[:, None] * 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def future(n):
    """True where a key comes after its query."""
    return torch.ones(n, n, dtype=torch.bool).triu(1)


def softmax(scores):
    return lambda: scores.softmax(-1)


def eager_attention(x, w_q, w_k, w_v):
    """Written out, as transformers' eager_attention_forward has it."""
    def call():
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        return (q @ k.mT * q.shape[-1] ** -0.5).softmax(-1) @ v
    return call


def sdpa_attention(x, w_q, w_k, w_v):
    return lambda: F.scaled_dot_product_attention(*((x @ w)[None, None] for w in (w_q, w_k, w_v)))[0, 0]


def positional_encoding(max_len, d_model, dtype=None):
    """PyTorch's tutorial on transformers; float32, so half the bytes of ours."""
    def call():
        position = torch.arange(max_len, dtype=dtype).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2, dtype=dtype) * (-np.log(10000.0) / d_model))
        pe = torch.zeros(max_len, d_model, dtype=dtype)
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        return pe
    return call


def positional_encoding_double(max_len, d_model):
    """The same in float64, as ours."""
    return positional_encoding(max_len, d_model, torch.float64)


def build_position_table(kind, max_len, d_model):
    return positional_encoding_double(max_len, d_model)


def dot_similarity(encoding):
    return lambda: encoding @ encoding.T


def cosine_similarity(encoding):
    def call():
        unit = F.normalize(encoding)
        return unit @ unit.T
    return call


def nearest_positions(encoding, position, k):
    return lambda: F.cosine_similarity(encoding, encoding[position], dim=-1).topk(k + 1).indices[1:]


def offset_distances(encoding, offset):
    return lambda: (encoding[offset:] - encoding[: len(encoding) - offset]).norm(dim=1)


def shift_matrix(offset, d):
    def call():
        angles = angles_of(torch.tensor([offset]), d)[0]
        return torch.block_diag(*torch.stack(
            [torch.stack([angles.cos(), angles.sin()], -1), torch.stack([-angles.sin(), angles.cos()], -1)], -2))
    return call


def shift_encoding(encoding, offset):
    matrix = shift_matrix(offset, encoding.shape[1])
    return lambda: encoding @ matrix().T


def embed(token_ids, token_table, encoding):
    n, d = token_ids.shape[-1], token_table.shape[1]
    return lambda: F.embedding(token_ids, token_table) * d**0.5 + encoding[:n]


def embedding_layer(token_ids, token_table, position_table):
    n = token_ids.shape[-1]
    return lambda: F.embedding(token_ids, token_table) + position_table[:n]


def embedding_layer_with_dropout(token_ids, token_table, position_table, dropout, seed):
    n = token_ids.shape[-1]
    return lambda: F.dropout(F.embedding(token_ids, token_table) + position_table[:n], dropout, training=True)


def sum_pool(x):
    return lambda: x.sum(-2)


def init_table(max_len, d_model):
    """float32, so half the bytes of ours."""
    return lambda: torch.empty(max_len, d_model).normal_(0.0, 0.02)


def position_ids(attention_mask):
    """As transformers does when it generates; it puts 1 at padding."""
    return lambda: (attention_mask.long().cumsum(-1) - 1).masked_fill(attention_mask == 0, 0)


def table_gradient(ids, upstream, max_len):
    """What the backward pass of torch.nn.Embedding runs."""
    return lambda: torch.ops.aten.embedding_dense_backward(upstream, ids, max_len, -1, False)


def interpolate_table(table, new_len):
    return lambda: F.interpolate(table.T[None], size=new_len, mode="linear", align_corners=False)[0].T


def interpolate_grid(table, old_height, old_width, new_height, new_width):
    """As transformers' ViT does it."""
    def call():
        grid = table.reshape(1, old_height, old_width, -1).permute(0, 3, 1, 2)
        grid = F.interpolate(grid, size=(new_height, new_width), mode="bilinear", align_corners=False)
        return grid.permute(0, 2, 3, 1).reshape(new_height * new_width, -1)
    return call


def relative_distances(n_queries):
    return lambda: torch.arange(n_queries)[None, :] - torch.arange(n_queries)[:, None]


def relative_index(n_queries, n_keys, max_distance):
    distances = relative_distances(n_queries)
    return lambda: distances().clamp(-max_distance, max_distance) + max_distance


def gather_relative(table, n_queries):
    index = relative_index(n_queries, n_queries, len(table) // 2)
    return lambda: F.embedding(index(), table)


def shaw_scores(q, k, key_table):
    """The keys' half of Wav2Vec2-BERT's attention."""
    reach, scaling = len(key_table) // 2, q.shape[-1] ** -0.5
    module = SimpleNamespace(left_max_position_embeddings=reach, right_max_position_embeddings=reach, scaling=scaling,
                             distance_embedding=torch.nn.Embedding.from_pretrained(key_table))
    q, k = q[None], k[None]

    def call():
        _, bias = wav2vec2_bert._apply_relative_key_position_encoding(module, q, k)
        return (q @ k.mT * scaling + bias)[0]
    return call


def shaw_attention(q, k, v, key_table, value_table, mask):
    """The keys as in `shaw_scores`; the values as fairseq and OpenNMT have them, a vector for every pair."""
    scores = shaw_scores(q, k, key_table)
    index = relative_index(q.shape[-2], k.shape[-2], len(value_table) // 2)

    def call():
        weights = scores().masked_fill(~mask, float("-inf")).softmax(-1)        # (heads, n, n)
        relative = weights.transpose(0, 1) @ value_table[index()]               # (n, heads, d)
        return weights @ v + relative.transpose(0, 1)
    return call


def skew(products):
    """XLNet's relative shift, with the lower triangle kept."""
    def call():
        padded = F.pad(products, (1, 0))
        return xlnet.XLNetRelativeAttention.rel_shift_bnij(padded[None], klen=products.shape[-1])[0].tril()
    return call


def relative_logits(q, table):
    return lambda: skew(q @ table.T)()


def transformer_xl_scores(q, k, r, u, v):
    """XLNet's rel_attn_core up to the softmax."""
    n_queries, n_keys, d = q.shape[-2], k.shape[-2], q.shape[-1]
    later = torch.ones(n_queries, n_keys, dtype=torch.bool).triu(1 + n_keys - n_queries)
    far_first = torch.cat([r.new_zeros(1, d), r.flip(0)])

    def call():
        content = torch.einsum("hid,hjd->hij", q + u, k)
        position = torch.einsum("hid,md->him", q + v, far_first)
        position = xlnet.XLNetRelativeAttention.rel_shift_bnij(position[None], klen=n_keys)[0]
        return ((content + position) * d**-0.5).masked_fill(later, float("-inf"))
    return call


def alibi_bias(n_heads, n_queries):
    """x-transformers' bias, float32, and the mask that its attention sets; half the bytes of ours."""
    later = future(n_queries)
    # it keeps the bias of the last size: a new one is made as the first call makes it
    return lambda: x_transformers.AlibiPositionalBias(n_heads)(n_queries, n_queries).masked_fill(later, float("-inf"))


def alibi_attention(q, k, v):
    """BLOOM's attention: slope * key position on the scores, a causal mask, softmax."""
    n = q.shape[1]
    alibi = bloom.build_alibi_tensor(torch.ones(1, n, dtype=torch.int64), len(q), q.dtype)
    mask = torch.zeros(n, n).masked_fill(future(n), torch.finfo(q.dtype).min)

    def call():
        scores = alibi.baddbmm(batch1=q, batch2=k.mT, beta=1.0, alpha=q.shape[-1] ** -0.5)
        return torch.bmm((scores + mask).softmax(-1, dtype=torch.float32), v)
    return call


def relative_position_bucket(relative_position):
    return lambda: t5.T5Attention._relative_position_bucket(relative_position)


def t5_bias(table, n_queries):
    heads = table.shape[1]
    config = transformers.T5Config(d_model=heads, d_kv=1, num_heads=heads)
    layer = t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    layer.relative_attention_bias.weight.copy_(table)
    return lambda: layer.compute_bias(n_queries, n_queries)[0]


def gptj_rope(x, positions):
    """GPT-J has (batch, n, heads, d_head)."""
    x = x.transpose(1, 2).contiguous()
    sin, cos = gptj.create_sinusoidal_positions(len(positions), x.shape[-1])[None].chunk(2, dim=-1)
    return lambda: gptj.apply_rotary_pos_emb(x, sin, cos).transpose(1, 2)


def lucidrains_rope(x, positions):
    """It keeps the angles of earlier calls, too."""
    rotary = lucidrains.RotaryEmbedding(x.shape[-1])
    return lambda: rotary.rotate_queries_or_keys(x)


def x_transformers_rope(x, positions):
    angles, scale = x_transformers.RotaryEmbedding(x.shape[-1])(positions)
    return lambda: x_transformers.apply_rotary_pos_emb(x, angles, scale)


def llama4_rope(x, positions):
    """Complex numbers; it turns queries and keys in one call, so half of it counts: keys of one head."""
    x = x.transpose(1, 2).contiguous()
    angles = angles_of(positions, x.shape[-1])
    turns, few = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)[None], x[:, :, :1].contiguous()
    return lambda: llama4.apply_rotary_emb(x, few, turns)[0].transpose(1, 2)


def llama_rope(x, positions):
    angles = angles_of(positions, x.shape[-1]).repeat(1, 2)
    return apply_tables(x, angles.cos(), angles.sin())


def apply_tables(x, cos, sin):
    """Llama's function turns queries and keys in one call, so the keys are of one head."""
    cos, sin, few = cos[None].to(x.dtype), sin[None].to(x.dtype), x[:, :1].contiguous()
    return lambda: llama.apply_rotary_pos_emb(x, few, cos, sin)[0]


def rope_scores(q, k, q_positions, k_positions):
    queries, keys = gptj_rope(q, q_positions), gptj_rope(k, k_positions)
    return lambda: queries() @ keys().mT


def rotate_half(x):
    return lambda: llama.rotate_half(x)


def interleaved_to_half(x):
    return lambda: torch.cat([x[..., 0::2], x[..., 1::2]], -1)


def half_to_interleaved(x):
    return lambda: x.unflatten(-1, (2, -1)).transpose(-1, -2).reshape(x.shape)


def permute_projection(w, n_heads):
    """transformers' script that converts Llama's weights."""
    rows, columns = w.shape
    return lambda: w.view(n_heads, rows // n_heads // 2, 2, columns).transpose(1, 2).reshape(rows, columns)


def rotary_tables(max_len, d_head):
    """GPT-J's function, float32: half the bytes of ours; it does not repeat the columns either."""
    def call():
        sin, cos = gptj.create_sinusoidal_positions(max_len, d_head).chunk(2, dim=-1)
        return torch.repeat_interleave(cos, 2, -1), torch.repeat_interleave(sin, 2, -1)
    return call


def apply_rotary(x, cos, sin):
    return gptj_rope(x, torch.arange(x.shape[-2]))


def rope_attention(x, w_q, w_k, w_v, w_o, n_heads, fused=False):
    """GPT-J's rotation in eager attention as transformers writes it."""
    n, d_head = len(x), w_q.shape[1] // n_heads
    sin, cos = gptj.create_sinusoidal_positions(n, d_head)[None].chunk(2, dim=-1)
    mask = torch.zeros(n, n).masked_fill(future(n), torch.finfo(x.dtype).min)

    def call():
        q, k, v = ((x @ w).view(1, n, n_heads, d_head) for w in (w_q, w_k, w_v))
        q, k = (gptj.apply_rotary_pos_emb(t, sin, cos).transpose(1, 2) for t in (q, k))
        if fused:
            out = F.scaled_dot_product_attention(q, k, v.transpose(1, 2), is_causal=True)
        else:
            out = (q @ k.mT * d_head**-0.5 + mask).softmax(-1, dtype=torch.float32) @ v.transpose(1, 2)
        return out.transpose(1, 2).reshape(n, -1) @ w_o
    return call


# torch's fused attention skips the future and keeps no scores
rope_attention_sdpa = partial(rope_attention, fused=True)


def decode_step(x_new, k_cache, v_cache, w_q, w_k, w_v, w_o, n_heads):
    """Eager attention over caches that grow by concatenation, as transformers' DynamicCache does."""
    t, _, d_head = k_cache.shape
    sin, cos = gptj.create_sinusoidal_positions(t + 1, d_head)[None, t:].chunk(2, dim=-1)

    def call():
        q, k, v = ((x_new @ w).view(1, 1, -1, d_head) for w in (w_q, w_k, w_v))
        q, k = (gptj.apply_rotary_pos_emb(part, sin, cos) for part in (q, k))
        keys, values = torch.cat([k_cache, k[0]]), torch.cat([v_cache, v[0]])
        weights = (q.transpose(1, 2) @ keys.permute(1, 2, 0) * d_head**-0.5).softmax(-1)     # (1, heads, 1, t + 1)
        return (weights @ values.transpose(0, 1)).reshape(-1) @ w_o, keys, values
    return call
