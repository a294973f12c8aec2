"""What is measured: every reference function with a cost worth knowing, and its arguments.

Not here: functions of a few numbers (slopes, frequencies, bases, counts), and those that hand out a view.
"""
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from tests.benchmarks import public, textbook
from tests.benchmarks import public_models as models


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model; `n` is the length of the sequence."""

    n: int
    heads: int = 32
    width: int = 128                 # of a head
    vocab: int = 32000

    @property
    def d_model(self):
        return self.heads * self.width


@dataclass(frozen=True)
class Case:
    kata: str
    function: str
    arguments: object                # sizes -> arguments
    public: dict = field(default_factory=dict)       # {name: function of the same arguments as tensors}
    textbook: object = None
    per_pair: bool = False           # makes numbers for every pair of positions
    vectors_per_pair: bool = False   # or vectors for every pair of positions
    random: bool = False             # results of others cannot agree
    in_any_order: bool = False       # of tied results
    against: int | None = None       # the copy is one of the argument with this number, not of the result
    note: str = ""

    @property
    def name(self):
        return f"{self.function}, {self.note}" if self.note else self.function


@lru_cache(maxsize=2)
def floats(*shape, dtype=np.float32):
    """Random numbers; the same ones for the same shape."""
    return np.random.default_rng(0).standard_normal(shape, dtype=dtype)


def ids(s, *leading):
    return np.random.default_rng(1).integers(0, s.vocab, size=(*leading, s.n))


def table(s, width=None):
    return textbook.positional_encoding(s.n, width or s.d_model)


def heads_of(s, count):
    """Different queries, keys and values (heads, n, width)."""
    return tuple(floats(count, s.heads, s.n, s.width))


def projections(s):
    """Four matrices (d_model, d_model), scaled so that scores stay of moderate size."""
    return tuple(floats(4, s.d_model, s.d_model) / np.float32(s.d_model**0.5))


def rows(s, reach=16):
    """Vectors for distances up to `reach` on either side."""
    return floats(2 * reach + 1, s.width)


def embedding_arguments(s):
    return ids(s), floats(s.vocab, s.d_model), table(s).astype(np.float32)


def one_head(s):
    return floats(s.n, s.d_model), *(floats(3, s.d_model, s.width) / np.float32(s.d_model**0.5))


def transformer_xl(s):
    """As many keys of an earlier segment as there are queries."""
    q, k = heads_of(s, 2)
    return q[:, s.n // 2 :].copy(), k, floats(s.n, s.width), floats(s.width), floats(s.width)


def grid(s):
    side = int(s.n**0.5) // 2
    return floats(side * side, s.d_model), side, side, 2 * side, 2 * side


def rope(s, dtype=np.float32):
    return floats(1, s.heads, s.n, s.width, dtype=dtype), np.arange(s.n)


def rope_view(s):
    """Heads side by side, as a projection leaves them, with the axes exchanged."""
    return floats(1, s.n, s.heads, s.width).swapaxes(1, 2), np.arange(s.n)


def rotary(s):
    return floats(1, s.heads, s.n, s.width), *textbook.rotary_tables(s.n, s.width)


def rope_pair(s):
    q, k = heads_of(s, 2)
    return q[None], k[None], np.arange(s.n), np.arange(s.n)


def decoding(s):
    k, v = floats(2, s.n, s.heads, s.width)
    return floats(s.d_model), k, v, *projections(s), s.heads


def weights(s):
    return textbook._softmax(floats(s.heads, s.n, s.n))


def counted(s):
    """Queries, a table, and positions as if each key counted 0.6; most of them are after the last row."""
    positions = np.float32(0.6) * np.maximum(1 - textbook.relative_distances(s.n), 0).astype(np.float32)
    return floats(s.heads, s.n, s.width), rows(s, 32), np.tile(positions, (s.heads, 1, 1))


def one_query(s):
    """The widths of DeepSeek-V2: for a head of 128 columns, a latent of 512 and 64 rotary columns."""
    rank, d_r = 4 * s.width, s.width // 2
    return (floats(s.heads, 1, s.width), floats(s.heads, 1, d_r), floats(s.n, rank), floats(s.n, d_r),
            floats(s.heads, rank, s.width) / np.float32(rank**0.5), np.array([s.n]), np.arange(s.n))


def longrope(s):
    """A text twice as long as those of the training."""
    factors = (np.linspace(1.0, highest, s.width // 2) for highest in (3.0, 64.0))
    return *rope_pair(s), 32 * s.n, s.n // 2, *factors


def image(s):
    """Rows and columns of an image with n patches."""
    height = 2 ** (int(np.log2(s.n)) // 2)
    return height, s.n // height


def window(s):
    height, width = image(s)
    return floats((2 * height - 1) * (2 * width - 1), s.heads), height, width


def image_in_text(s):
    """About half of the n tokens are an image; Qwen2-VL's sections for a head of 128 columns."""
    side, pairs = int((s.n / 2) ** 0.5), s.width // 2
    text, before = np.tile(np.arange(s.n - side**2), (3, 1)), (s.n - side**2) // 2
    middle = before + np.indices((1, side, side)).reshape(3, -1)
    positions = np.concatenate([text[:, :before], middle, text[:, before:] + side], axis=1)
    return floats(s.heads, s.n, s.width), positions, np.array([pairs - pairs * 3 // 8 * 2, *2 * [pairs * 3 // 8]])


def packed(s):
    """The lengths of eight texts in one row."""
    return s.n // 16 * np.array([4, 1, 3, 2, 2, 1, 1, 2])


def llama3(s):
    """What the configuration of Llama 3.1 says about positions."""
    return {"hidden_size": s.d_model, "num_attention_heads": s.heads, "head_dim": s.width, "rope_theta": 500000.0,
            "max_position_embeddings": 131072, "rope_scaling": {
                "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8192}}


def tables_of_halves(s):
    angles = np.tile(textbook._angles(np.arange(s.n), s.width), 2)
    return floats(1, s.heads, s.n, s.width), np.cos(angles), np.sin(angles)


def windows(s, n_layers=6):
    """Masks of layers that all have a window, as wide as in gpt-oss for a text of 2048 tokens."""
    return np.tile(np.tri(s.n, dtype=bool) & ~np.tri(s.n, k=-s.n // 16, dtype=bool), (n_layers, 1, 1))


@lru_cache(maxsize=1)
def checkpoint(d_model, d_keys, d_hidden, vocab, n_layers):
    """Weights under their names; those of norms are near 1, the others keep rows of moderate size."""
    shapes = {"model.embed_tokens": (vocab, d_model), "model.norm": (d_model,), "lm_head": (vocab, d_model)}
    for layer in range(n_layers):
        shapes |= {f"model.layers.{layer}.{name}": shape for name, shape in {
            "input_layernorm": (d_model,), "post_attention_layernorm": (d_model,),
            "self_attn.q_proj": (d_model, d_model), "self_attn.k_proj": (d_keys, d_model),
            "self_attn.v_proj": (d_keys, d_model), "self_attn.o_proj": (d_model, d_model),
            "mlp.gate_proj": (d_hidden, d_model), "mlp.up_proj": (d_hidden, d_model),
            "mlp.down_proj": (d_model, d_hidden)}.items()}
    rng = np.random.default_rng(2)
    return {f"{name}.weight": rng.standard_normal(shape, dtype=np.float32) / np.float32(shape[-1]**0.5)
            + np.float32(len(shape) == 1) for name, shape in shapes.items()}


def model(s, n_layers=1):
    """Weights and configuration; with 32 heads, a layer has the shapes of Mistral 7B."""
    n_kv_heads, d_hidden = max(1, s.heads // 4), s.d_model * 7 // 2
    return checkpoint(s.d_model, n_kv_heads * s.width, d_hidden, s.vocab, n_layers), {
        "hidden_size": s.d_model, "num_hidden_layers": n_layers, "num_attention_heads": s.heads,
        "num_key_value_heads": n_kv_heads, "head_dim": s.width, "intermediate_size": d_hidden, "vocab_size": s.vocab,
        "rms_norm_eps": 1e-5}


def one_layer(s):
    weights, config = model(s)
    return floats(s.n, s.d_model), weights, 0, config, np.arange(s.n)


CASES = [
    Case("order_blindness", "softmax", lambda s: (floats(s.heads, s.n, s.n),), {"torch": public.softmax},
         textbook._softmax, per_pair=True),
    Case("order_blindness", "self_attention", one_head,
         {"torch eager": public.eager_attention, "torch sdpa": public.sdpa_attention}, textbook.self_attention),
    Case("causal_order", "prefix_mean", lambda s: (floats(s.heads, s.n, s.width),),
         {"torch cumsum, float32": models.prefix_mean, "torch sdpa, float32": models.prefix_mean_sdpa}),
    Case("positional_formula", "positional_encoding", lambda s: (s.n, s.d_model),
         {"PyTorch tutorial, float32": public.positional_encoding,
          "the same in float64": public.positional_encoding_double}, textbook.positional_encoding),
    Case("similarity_matrix", "dot_similarity", lambda s: (table(s),), {"torch": public.dot_similarity}),
    Case("similarity_matrix", "cosine_similarity", lambda s: (table(s),), {"torch": public.cosine_similarity},
         textbook.cosine_similarity),
    Case("similarity_matrix", "nearest_positions", lambda s: (table(s), s.n // 2, 4),
         {"torch": public.nearest_positions}, textbook.nearest_positions, against=0, in_any_order=True),
    Case("translation_invariance", "offset_distances", lambda s: (table(s), s.n // 4),
         {"torch": public.offset_distances}, textbook.offset_distances, against=0),
    Case("translation_invariance", "is_translation_invariant", lambda s: (table(s, s.width),), against=0),
    Case("translation_invariance", "similarity_at_offset", lambda s: (np.arange(s.n), s.d_model), {},
         textbook.similarity_at_offset),
    Case("shift_matrix", "shift_matrix", lambda s: (7, s.n), {"torch block_diag": public.shift_matrix},
         textbook.shift_matrix),
    Case("shift_matrix", "shift_encoding", lambda s: (table(s), 7), {"torch block_diag": public.shift_encoding},
         textbook.shift_encoding),
    Case("adding_positions", "embed", embedding_arguments, {"torch": public.embed}, textbook.embed),
    Case("adding_positions", "sum_pool", lambda s: (floats(s.n, s.d_model),), {"torch": public.sum_pool}, against=0),
    Case("timestep_embedding", "timestep_embedding", lambda s: (np.arange(s.n), s.d_model),
         {"diffusers, float32": models.timestep_embedding}),
    Case("timestep_embedding", "fourier_features", lambda s: (np.tanh(floats(s.n, 3)), 10),
         {"diffusers Shap-E, columns reordered, float32": models.fourier_features}),
    Case("learned_table", "init_table", lambda s: (s.n, s.d_model), {"torch normal_, float32": public.init_table},
         random=True),
    Case("learned_table", "position_ids", lambda s: (np.tri(s.n, dtype=int),), {"transformers": public.position_ids}),
    Case("learned_table", "table_gradient", lambda s: (np.tile(np.arange(s.n), (4, 1)), floats(4, s.n, s.d_model), s.n),
         {"torch Embedding": public.table_gradient}, textbook.table_gradient, against=1),
    Case("stretched_table", "interpolate_table", lambda s: (floats(s.n // 2, s.d_model), s.n),
         {"torch interpolate": public.interpolate_table}, textbook.interpolate_table),
    Case("stretched_table", "interpolate_grid", grid, {"torch interpolate": public.interpolate_grid},
         textbook.interpolate_grid),
    Case("stretched_table", "hierarchical_table", lambda s: (floats(s.n // 4, s.d_model), s.n), {},
         textbook.hierarchical_table),
    Case("embedding_layer", "build_position_table", lambda s: ("sinusoidal", s.n, s.d_model),
         {"PyTorch tutorial, float64": public.build_position_table}, textbook.build_position_table),
    Case("embedding_layer", "embedding_layer", embedding_arguments, {"torch": public.embedding_layer},
         textbook.embedding_layer),
    Case("embedding_layer", "embedding_layer", lambda s: (*embedding_arguments(s), 0.1, 0),
         {"torch": public.embedding_layer_with_dropout}, random=True, note="dropout"),
    Case("relative_distances", "relative_distances", lambda s: (s.n,), {"torch": public.relative_distances},
         textbook.relative_distances),
    Case("relative_distances", "relative_index", lambda s: (s.n, s.n, 16), {"torch": public.relative_index},
         textbook.relative_index),
    Case("relative_distances", "gather_relative", lambda s: (rows(s), s.n), {"torch": public.gather_relative},
         textbook.gather_relative, vectors_per_pair=True),
    Case("shaw_attention", "shaw_scores", lambda s: (*heads_of(s, 2), rows(s)),
         {"transformers Wav2Vec2-BERT": public.shaw_scores}, textbook.shaw_scores, per_pair=True,
         vectors_per_pair=True),
    Case("shaw_attention", "shaw_attention",
         lambda s: (*heads_of(s, 3), rows(s), rows(s) / 2, np.tri(s.n, dtype=bool)),
         {"transformers, torch": public.shaw_attention}, textbook.shaw_attention, per_pair=True,
         vectors_per_pair=True),
    Case("skewing", "skew", lambda s: (floats(s.heads, s.n, s.n),), {"transformers XLNet": public.skew},
         textbook.skew, per_pair=True),
    Case("skewing", "relative_logits", lambda s: (*heads_of(s, 1), floats(s.n, s.width)),
         {"transformers XLNet": public.relative_logits}, textbook.relative_logits, per_pair=True),
    Case("transformer_xl", "transformer_xl_scores", transformer_xl,
         {"transformers XLNet": public.transformer_xl_scores}, textbook.transformer_xl_scores, per_pair=True),
    Case("alibi_bias", "alibi_bias", lambda s: (s.heads, s.n), {"x-transformers, float32": public.alibi_bias},
         textbook.alibi_bias, per_pair=True),
    Case("alibi_bias", "alibi_attention", lambda s: heads_of(s, 3), {"transformers BLOOM": public.alibi_attention},
         textbook.alibi_attention, per_pair=True),
    Case("t5_buckets", "relative_position_bucket", lambda s: (textbook.relative_distances(s.n),),
         {"transformers T5": public.relative_position_bucket}, textbook.relative_position_bucket),
    Case("t5_buckets", "t5_bias", lambda s: (floats(32, s.heads), s.n), {"transformers T5": public.t5_bias},
         textbook.t5_bias, per_pair=True),
    Case("sandwich_bias", "sandwich_bias", lambda s: (s.heads, s.n), {}, textbook.sandwich_bias, per_pair=True),
    Case("forgetting_gate", "forgetting_bias", lambda s: (-np.abs(floats(s.heads, s.n)) / 8,),
         {"x-transformers": models.forgetting_bias}, per_pair=True),
    Case("forgetting_gate", "forgetting_attention", lambda s: (*heads_of(s, 3), -np.abs(floats(s.heads, s.n)) / 8),
         {"x-transformers, torch sdpa": models.forgetting_attention}, per_pair=True),
    Case("contextual_positions", "gated_positions", lambda s: (floats(s.heads, s.n, s.n),),
         {"torch, the paper's listing": models.gated_positions}, per_pair=True),
    Case("contextual_positions", "position_logits", counted,
         {"torch, the paper's listing": models.position_logits}, per_pair=True),
    Case("contextual_positions", "contextual_attention",
         lambda s: (*heads_of(s, 3), rows(s, 32) / np.float32(s.width**0.5)),
         {"x-transformers, torch": models.contextual_attention}, per_pair=True),
    Case("rope_rotation", "apply_rope", rope,
         {"transformers GPT-J": public.gptj_rope, "rotary-embedding-torch": public.lucidrains_rope,
          "x-transformers": public.x_transformers_rope}, textbook.apply_rope),
    Case("rope_rotation", "apply_rope", rope_view, {"transformers GPT-J": public.gptj_rope}, textbook.apply_rope,
         note="axes exchanged"),
    Case("rope_rotation", "apply_rope", lambda s: rope(s, np.float64), {"transformers GPT-J": public.gptj_rope},
         textbook.apply_rope, note="float64"),
    Case("rope_rotation", "rope_scores", rope_pair, {"transformers GPT-J": public.rope_scores}, textbook.rope_scores,
         per_pair=True),
    Case("rope_layouts", "rotate_half", lambda s: rope(s)[:1], {"transformers Llama": public.rotate_half}),
    Case("rope_layouts", "apply_rope_half", rope, {"transformers Llama": public.llama_rope}, textbook.apply_rope_half),
    Case("rope_layouts", "apply_rope_complex", rope, {"transformers Llama 4": public.llama4_rope},
         textbook.apply_rope_complex),
    Case("rope_layouts", "interleaved_to_half", lambda s: rope(s)[:1], {"torch": public.interleaved_to_half},
         textbook.interleaved_to_half),
    Case("rope_layouts", "half_to_interleaved", lambda s: rope(s)[:1], {"torch": public.half_to_interleaved},
         textbook.half_to_interleaved),
    Case("rope_layouts", "permute_projection", lambda s: (floats(max(s.n, 2 * s.heads), s.d_model), s.heads),
         {"transformers, Llama's weights": public.permute_projection}, textbook.permute_projection),
    Case("rope_attention", "rope_attention", lambda s: (floats(s.n, s.d_model), *projections(s), s.heads),
         {"transformers GPT-J, eager": public.rope_attention, "the same with sdpa": public.rope_attention_sdpa},
         textbook.rope_attention, per_pair=True),
    Case("rope_attention", "decode_step", decoding, {"transformers GPT-J, eager": public.decode_step},
         textbook.decode_step, against=1),
    Case("mend_the_rope", "rotary_tables", lambda s: (s.n, s.width),
         {"transformers GPT-J, float32": public.rotary_tables}, textbook.rotary_tables),
    Case("mend_the_rope", "apply_rotary", rotary, {"transformers GPT-J": public.apply_rotary}, textbook.apply_rotary),
    Case("partial_rope", "partial_rope", lambda s: (*rope(s), s.width // 4),
         {"transformers GPT-J": models.partial_rope}),
    Case("partial_rope", "truncated_rope", lambda s: (*rope(s), 0.25), {"transformers GPT-J": models.truncated_rope}),
    Case("latent_rope", "latent_scores", one_query,
         {"transformers DeepSeek-V3, float32": models.latent_scores}, against=4, note="one query"),
    Case("latent_rope", "absorbed_scores", one_query,
         {"torch, DeepSeek-V3's release, float32": models.absorbed_scores,
          "transformers, which makes keys, float32": models.latent_scores}, against=4, note="one query"),
    Case("packed_sequences", "packed_mask", lambda s: (packed(s),), {"transformers": models.packed_mask},
         textbook.packed_mask, note="8 texts"),
    Case("packed_sequences", "packed_attention", lambda s: (*heads_of(s, 3), packed(s)),
         {"torch sdpa, text by text": models.packed_attention_text_by_text,
          "torch sdpa, transformers' mask": models.packed_attention}, textbook.packed_attention, per_pair=True,
         note="8 texts"),
    Case("longrope", "longrope_scores", longrope, {"transformers Phi-3, float32": models.longrope_scores},
         per_pair=True),
    Case("rope_from_config", "rope_tables", lambda s: (llama3(s), np.arange(s.n)),
         {"transformers Llama, float32": models.rope_tables}),
    Case("rope_from_config", "apply_tables", tables_of_halves, {"transformers Llama": public.apply_tables}),
    Case("layers_differ", "layer_mask", lambda s: ("window", s.n, None, s.n // 16),
         {"transformers": models.layer_mask}, textbook.layer_mask, note="window"),
    Case("layers_differ", "layer_mask", lambda s: ("chunk", s.n, None, s.n // 4), {"transformers": models.layer_mask},
         note="chunk"),
    Case("layers_differ", "reachable", lambda s: (windows(s),), {"torch, float32": models.reachable},
         note="6 layers"),
    Case("grid_encoding", "grid_encoding", lambda s: (*image(s), s.d_model),
         {"transformers ViT-MAE": models.grid_encoding}),
    Case("grid_encoding", "similarity_map", lambda s: (floats(s.n, s.d_model), 1, 1, *image(s)),
         {"torch": models.similarity_map}, against=0),
    Case("window_bias", "window_index", image, {"transformers Swin": models.window_index}),
    Case("window_bias", "window_bias", window, {"transformers Swin": models.window_bias}, per_pair=True),
    Case("axial_rope", "axial_rope", lambda s: (floats(s.heads, s.n, s.width), *np.divmod(np.arange(s.n), image(s)[1])),
         {"timm": models.axial_rope}),
    Case("axial_rope", "axial_scores", lambda s: (*heads_of(s, 2), *image(s)), {"timm": models.axial_scores},
         per_pair=True),
    Case("multimodal_rope", "multimodal_rope", image_in_text, {"transformers Qwen2-VL": models.multimodal_rope}),
    Case("scheme_comparison", "is_relative", lambda s: (textbook.sandwich_bias(s.heads, s.n),), {},
         textbook.is_relative, per_pair=True, against=0),
    Case("scheme_comparison", "mean_attention_distance", lambda s: (weights(s),), {},
         textbook.mean_attention_distance, per_pair=True, against=0),
    Case("model_in_numpy", "rms_norm", lambda s: (floats(s.n, s.d_model), floats(s.d_model)),
         {"transformers Llama": models.rms_norm}),
    Case("model_in_numpy", "attention", one_layer,
         {"transformers Llama, eager": models.attention, "the same with sdpa": models.attention_sdpa},
         textbook.attention, per_pair=True),
    Case("model_in_numpy", "feed_forward", lambda s: one_layer(s)[:3], {"transformers Llama": models.feed_forward},
         textbook.feed_forward),
    Case("model_in_numpy", "logits", lambda s: (ids(s), *model(replace(s, heads=max(1, s.heads // 4)), 2)),
         {"transformers Llama, sdpa": models.logits}, per_pair=True, note="2 layers, a quarter of the heads"),
]
