"""Public code of models of text, images and video and of diffusion models, prepared as in public.py.

With it are the calls of torch that code of such models consists of where no library has a function of its own.
"""
import importlib
import importlib.util
import sys
from functools import partial
from types import ModuleType, SimpleNamespace
from unittest.mock import patch

import numpy as np

from tests.benchmarks.public import (
    F,
    Library,
    angles_of,
    future,
    gptj,
    llama,
    models,
    torch,
    transformers,
    x_transformers,
)

diffusers, shap_e = Library("diffusers.models.embeddings"), Library("diffusers.pipelines.shap_e.renderer")
rope_utils, masking = map(Library, ("transformers.modeling_rope_utils", "transformers.masking_utils"))
deepseek, phi3, qwen2_vl, swin, vit_mae = models("deepseek_v3", "phi3", "qwen2_vl", "swin", "vit_mae")


def prefix_mean(x):
    """float32, so half the bytes of ours."""
    counts = torch.arange(1, x.shape[-2] + 1)[:, None]
    return lambda: x.cumsum(-2) / counts


def prefix_mean_sdpa(x):
    """Causal attention whose scores are all 0; float32."""
    zeros = torch.zeros_like(x)[None]
    return lambda: F.scaled_dot_product_attention(zeros, zeros, x[None], is_causal=True)[0]


def timestep_embedding(timesteps, d_model):
    """float32, so half the bytes of ours."""
    return lambda: diffusers.get_timestep_embedding(timesteps, d_model, flip_sin_to_cos=True, downscale_freq_shift=0)


def fourier_features(x, n_frequencies):
    """Shap-E's function, which has the coordinates, then all sines, then all cosines; float32.

    Our order of columns takes another copy.
    """
    n, c = x.shape

    def call():
        waves = shap_e.posenc_nerf(np.pi * x, 0, n_frequencies)[:, c:].reshape(n, 2, n_frequencies, c)
        return waves.permute(0, 3, 2, 1).reshape(n, -1)
    return call


def forgetting_bias(log_gates):
    """x-transformers' bias, from logits of the gates, and the mask that its attention sets."""
    heads, n = log_gates.shape
    layer, later = x_transformers.DataDependentAlibi(heads, heads, bias_init=0.0), future(n)
    layer.to_forget_gates[0].weight.copy_(torch.eye(heads))
    logits = (log_gates - torch.log(-torch.expm1(log_gates))).T[None]       # (1, n, heads)
    return lambda: layer(logits)[0].masked_fill_(later, float("-inf"))


def forgetting_attention(q, k, v, log_gates):
    bias = forgetting_bias(log_gates)
    return lambda: F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=bias()[None])[0]


def gated_positions(scores):
    """The listing in the paper, after the causal mask."""
    later = future(scores.shape[-1])
    return lambda: scores.masked_fill(later, float("-inf")).sigmoid().flip(-1).cumsum(-1).flip(-1)


def position_logits(q, table, positions):
    """The listing in the paper; a library counts the positions in the same function."""
    def call():
        places, products = positions.clamp(max=len(table) - 1), q @ table.T
        above, below = places.ceil().long(), places.floor().long()
        share = places - below
        return products.gather(-1, above) * share + products.gather(-1, below) * (1 - share)
    return call


def contextual_attention(q, k, v, table):
    """CoPE of x-transformers in eager attention."""
    layer, later = x_transformers.CoPE(table.shape[1], len(q), len(table)), future(q.shape[-2])
    layer.pos_emb.copy_(table)

    def call():
        scores = (q @ k.mT * q.shape[-1] ** -0.5).masked_fill_(later, float("-inf"))
        return (scores + layer(q[None], scores[None])[0]).softmax(-1) @ v
    return call


def partial_rope(x, positions, rotary_dim):
    """As GPTJAttention has it: the first columns turned, the others beside them."""
    x = x.transpose(1, 2).contiguous()
    sin, cos = gptj.create_sinusoidal_positions(len(positions), rotary_dim)[None].chunk(2, dim=-1)

    def call():
        turned = gptj.apply_rotary_pos_emb(x[..., :rotary_dim], sin, cos)
        return torch.cat([turned, x[..., rotary_dim:]], dim=-1).transpose(1, 2)
    return call


def truncated_rope(x, positions, share):
    """GPT-J's rotation of the whole head by transformers' proportional frequencies, which are 0 for slow pairs."""
    frequencies, _ = rope_utils.ROPE_INIT_FUNCTIONS["proportional"](transformers.LlamaConfig(
        hidden_size=x.shape[-1], num_attention_heads=1, head_dim=x.shape[-1], rope_parameters={
            "rope_type": "proportional", "rope_theta": 10000.0, "partial_rotary_factor": share}), "cpu")
    x, angles = x.transpose(1, 2).contiguous(), positions[:, None] * frequencies
    sin, cos = angles.sin()[None], angles.cos()[None]
    return lambda: gptj.apply_rotary_pos_emb(x, sin, cos).transpose(1, 2)


def latent_scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions):
    """DeepSeek-V3's layer makes keys from the latent; float32. The rotary columns in its cache are turned already."""
    d_c, d_r, rotate = q.shape[-1], q_rope.shape[-1], deepseek.apply_rotary_pos_emb_interleave
    layer = SimpleNamespace(qk_nope_head_dim=d_c, qk_rope_head_dim=d_r, v_head_dim=0,      # and makes no values here
                            kv_b_proj=partial(F.linear, weight=w_up.mT.flatten(0, 1).contiguous()))
    (cos, sin), key_tables = ((torch.cat([t, t], -1)[None].float() for t in (angles.cos(), angles.sin()))
                              for angles in (angles_of(q_positions, d_r), angles_of(k_positions, d_r)))
    turned, latent = rotate(k_rope[None, None], k_rope[None, None], *key_tables)[1], latent[None, None]

    def call():
        keys, _ = deepseek.DeepseekV3Attention.expand_kv(layer, latent, turned)
        columns, _ = rotate(q_rope[None], q_rope[None, :1], cos, sin)
        return (torch.cat([q[None], columns], dim=-1) @ keys.mT * (d_c + d_r) ** -0.5)[0]
    return call


def absorbed_scores(q, q_rope, latent, k_rope, w_up, q_positions, k_positions):
    """As the program released with DeepSeek-V3; float32. The rotary columns in its cache are turned already."""
    def turned(x, turns):                                       # (..., n, d_r) by (n, d_r / 2)
        return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2))) * turns).flatten(-2)

    query_turns, key_turns = (torch.polar(torch.ones_like(angles), angles).to(torch.complex64) for angles in (
        angles_of(q_positions, q_rope.shape[-1]), angles_of(k_positions, k_rope.shape[-1])))
    scale = (q.shape[-1] + q_rope.shape[-1]) ** -0.5
    weights, pe_cache = w_up.mT.contiguous(), turned(k_rope, key_turns)

    def call():
        absorbed = torch.einsum("hsd,hdc->hsc", q, weights)
        return (torch.einsum("hsc,tc->hst", absorbed, latent)
                + torch.einsum("hsr,tr->hst", turned(q_rope, query_turns), pe_cache)) * scale
    return call


def packed_positions(lengths):
    return torch.cat([torch.arange(length) for length in lengths.tolist()])


def packed_mask(lengths):
    """transformers finds the texts in the positions, which come with the tokens."""
    positions = packed_positions(lengths)[None]
    config = transformers.LlamaConfig(attn_implementation="sdpa")
    embeds = torch.empty(*positions.shape, 1)                   # read for its shape and type
    return lambda: masking.create_causal_mask(
        config, embeds, attention_mask=None, past_key_values=None, position_ids=positions)[0, 0]


def _packed_rotation(q, k, lengths):
    """GPT-J's rotation of queries and keys by the packed positions."""
    sin, cos = gptj.create_sinusoidal_positions(len(q[0]), q.shape[-1])[packed_positions(lengths)][None].chunk(2, -1)
    q, k = (x[None].transpose(1, 2).contiguous() for x in (q, k))           # (1, n, heads, d)
    return lambda: (gptj.apply_rotary_pos_emb(x, sin, cos).transpose(1, 2) for x in (q, k))


def packed_attention(q, k, v, lengths):
    """One call for all texts; the mask is made once for all layers of a model."""
    rotated, mask, v = _packed_rotation(q, k, lengths), packed_mask(lengths)(), v[None]
    return lambda: F.scaled_dot_product_attention(*rotated(), v, attn_mask=mask)[0]


def packed_attention_text_by_text(q, k, v, lengths):
    """A call without a mask for each text, as code without a kernel for several texts does it."""
    rotated, lengths, v = _packed_rotation(q, k, lengths), lengths.tolist(), v[None]

    def call():
        texts = zip(*(x.split(lengths, dim=-2) for x in (*rotated(), v)), strict=True)
        return torch.cat([F.scaled_dot_product_attention(*text, is_causal=True) for text in texts], dim=-2)[0]
    return call


def longrope_scores(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors):
    """Phi-3's rotation, for which weights are kept so that its pairs are halves of the columns; float32."""
    rotary = phi3.Phi3RotaryEmbedding(transformers.Phi3Config(
        hidden_size=q.shape[-1], num_attention_heads=1, max_position_embeddings=max_len,
        original_max_position_embeddings=train_len, rope_parameters={
            "rope_type": "longrope", "rope_theta": 10000.0, "short_factor": short_factors.tolist(),
            "long_factor": long_factors.tolist(), "original_max_position_embeddings": train_len}))
    q, k = (torch.cat([x[..., 0::2], x[..., 1::2]], dim=-1) for x in (q, k))
    cos, sin = rotary(q, q_positions[None])

    def call():
        queries, keys = phi3.apply_rotary_pos_emb(q, k, cos, sin)
        return queries @ keys.mT
    return call


def rope_tables(config, positions):
    """float32, so half the bytes of ours."""
    scaling = {**config["rope_scaling"], "rope_theta": config["rope_theta"]}
    rotary = llama.LlamaRotaryEmbedding(transformers.LlamaConfig(
        **{name: value for name, value in config.items() if not name.startswith("rope")}, rope_parameters=scaling))
    x, positions = torch.empty(0), positions[None]              # x is read for its type
    return lambda: tuple(table[0] for table in rotary(x, positions))


def layer_mask(kind, n_queries, n_keys, size):
    rule = masking.sliding_window_causal_mask_function(size) if kind == "window" else (
        masking.chunked_causal_mask_function(size, torch.zeros(1, dtype=torch.int64)))
    return lambda: masking.sdpa_mask(1, n_queries, n_queries, mask_function=rule, allow_is_causal_skip=False)[0, 0]


def reachable(masks):
    """torch has no product of booleans."""
    def call():
        gathered = torch.eye(masks.shape[-1])
        for mask in masks:
            gathered = (gathered + mask.float() @ gathered).clamp_(max=1)
        return gathered > 0
    return call


def grid_encoding(height, width, d_model):
    """ViT-MAE's function, in float64 as ours."""
    return lambda: vit_mae.build_2d_sinusoidal_position_embedding(height, width, d_model, dtype=torch.float64)


def similarity_map(encoding, row, column, height, width):
    return lambda: (encoding @ encoding[row * width + column]).view(height, width)


def window_index(height, width):
    window = SimpleNamespace(window_size=(height, width))
    return lambda: swin.SwinRelativePositionBias._create_relative_position_index(window)


def window_bias(table, height, width):
    """Swin's layer, which keeps the index."""
    layer = swin.SwinRelativePositionBias(table.shape[1], (height, width))
    layer.relative_position_bias_table.copy_(table)
    return lambda: layer()[0]


def _timm_rotary():
    """timm.layers.pos_embed_sincos without the rest of timm, which needs torchvision."""
    found = importlib.util.find_spec("timm")                    # finds it, does not import it
    if found is None:
        raise ImportError("timm")
    packages = {name: ModuleType(name) for name in ("timm", "timm.layers")}
    for name, package in packages.items():
        package.__path__ = [found.submodule_search_locations[0] + name.removeprefix("timm").replace(".", "/")]
    with patch.dict(sys.modules, packages):
        return importlib.import_module("timm.layers.pos_embed_sincos")


def axial_rope(x, rows, columns):
    """EVA-02's rotation of a whole image, whose patches it counts row by row."""
    rotary, sides = _timm_rotary(), [int(places.max()) + 1 for places in (rows, columns)]
    table = rotary.RotaryEmbeddingCat(x.shape[-1], in_pixels=False).get_embed(sides)
    return lambda: rotary.apply_rot_embed_cat(x, table)


def axial_scores(q, k, height, width):
    places = torch.arange(height), torch.arange(width)
    queries, keys = axial_rope(q, *places), axial_rope(k, *places)
    return lambda: queries() @ keys().mT


def multimodal_rope(x, positions, sections):
    """Qwen2-VL's function turns queries and keys in one call, so the keys are of one head."""
    rotary = qwen2_vl.Qwen2VLRotaryEmbedding(transformers.Qwen2VLTextConfig(
        hidden_size=x.shape[-1], num_attention_heads=1, rope_parameters={
            "rope_type": "default", "rope_theta": 1000000.0, "mrope_section": sections.tolist()}))
    cos, sin = rotary(x, positions[:, None])
    few = x[None, :1].contiguous()
    return lambda: qwen2_vl.apply_rotary_pos_emb(x[None], few, cos, sin)[0][0]


def rms_norm(x, weight):
    norm = llama.LlamaRMSNorm(len(weight))
    norm.weight.copy_(weight)
    return lambda: norm(x)


def _part(kind, weights, prefix, config, *others):
    """A module of Llama with the weights under a prefix; it takes the arrays themselves."""
    with torch.device("meta"):                                  # so no others are made first
        module = kind(transformers.LlamaConfig(**config), *others)
    module.load_state_dict({name.removeprefix(prefix): weight for name, weight in weights.items()
                            if name.startswith(prefix)}, assign=True)
    return module


def attention(x, weights, layer, config, positions, kind="eager"):
    module = _part(llama.LlamaAttention, weights, f"model.layers.{layer}.self_attn.",
                   {**config, "attn_implementation": kind}, layer)
    angles = angles_of(positions, module.head_dim).repeat(1, 2)[None]
    tables, later = (angles.cos().to(x.dtype), angles.sin().to(x.dtype)), future(len(x))
    mask = torch.zeros(later.shape).masked_fill(later, torch.finfo(x.dtype).min)[None, None]
    return lambda: module(x[None], tables, mask if kind == "eager" else None)[0][0]


attention_sdpa = partial(attention, kind="sdpa")


def feed_forward(x, weights, layer):
    prefix = f"model.layers.{layer}.mlp."
    d_hidden, d_model = weights[f"{prefix}gate_proj.weight"].shape
    module = _part(llama.LlamaMLP, weights, prefix, {"hidden_size": d_model, "intermediate_size": d_hidden})
    return lambda: module(x)


def logits(token_ids, weights, config):
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**config)).eval()
    model.load_state_dict(weights, assign=True)
    return lambda: model(token_ids[None], use_cache=False).logits[0]
