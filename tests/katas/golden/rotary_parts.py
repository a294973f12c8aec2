"""Chapter 6, rotary for a part of each head: GPT-J, proportional frequencies, and the latent keys of DeepSeek."""
import numpy as np
import torch
from transformers import DeepseekV3Config, GPTJConfig
from transformers.models.deepseek_v3 import modeling_deepseek_v3 as deepseek
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama

from golden import FLOAT32, FLOAT64, based
from oracles import floats, mp_frequencies, mp_rope, scaled_by_transformers

SLOW = {**FLOAT32, "rtol": 1e-6, "atol": 0}


def proportional(d_head, share, base):
    """Frequencies of transformers' proportional rope, float32."""
    frequencies, factor = scaled_by_transformers("proportional", d_head, base, partial_rotary_factor=share)
    assert factor == 1.0
    return frequencies.astype(np.float32)


def gptj_heads(x, positions, rotary_dim):
    """The queries of a GPT-J layer that reads x (batch, heads, n, d_head) as its hidden states: float64 tables."""
    batch, heads, n, d_head = x.shape
    config = GPTJConfig(n_embd=heads * d_head, n_head=heads, rotary_dim=rotary_dim, n_positions=2048)
    layer = gptj.GPTJAttention(config, layer_idx=0).double()
    for projection in (layer.q_proj, layer.k_proj, layer.v_proj):
        projection.weight.copy_(torch.eye(heads * d_head))
    layer.embed_positions = gptj.create_sinusoidal_positions(2048, rotary_dim)
    assert layer.embed_positions.dtype == torch.float64
    seen = {}
    layer._attn = lambda query, key, value, mask: (seen.update(query=query) or value, None)
    hidden = torch.as_tensor(x).transpose(1, 2).reshape(batch, n, heads * d_head)
    layer(hidden, position_ids=torch.as_tensor(np.broadcast_to(positions, (batch, n)).copy()))
    return seen["query"]                                         # (batch, heads, n, d_head)


def partial_rope(golden):
    # 1. the first columns of every head

    for case, shape, rotary_dim, positions in [
        ("4_of_10", (2, 3, 7, 10), 4, np.array([[0, 1, 2, 9, 9, 40, 5]])),
        ("6_of_8_every_batch_its_own", (2, 1, 5, 8), 6, np.array([[0, 1, 2, 3, 4], [700, 2, 2, 31, 1]])),
        ("8_of_8", (1, 2, 4, 8), 8, np.array([[3, 1, 4, 1]])),
        ("2_of_9", (1, 2, 6, 9), 2, np.array([[11, 0, 3, 2, 500, 5]])),
        ("64_of_256", (1, 1, 3, 256), 64, np.array([[1, 17, 1900]])),
    ]:
        x = golden.numbers(*shape)
        ours = positions[:, None, :] if len(positions) > 1 else positions[0]
        golden.add(f"partial_{case}_gptj", "partial_rope", {"x": x, "positions": ours, "rotary_dim": rotary_dim},
                   gptj_heads(x, positions, rotary_dim), "transformers GPTJAttention with rotary_dim, float64 tables")
    for case, d_head, rotary_dim, positions, base in [
        ("negative_and_fractional", 11, 6, np.array([-3.5, 0.25, 70.0, -12.0]), 500.0),
        ("base_500000", 12, 10, np.array([300, -300, 7]), 500000.0),
    ]:
        x = golden.numbers(len(positions), d_head)
        turned = np.concatenate([floats(mp_rope(x[:, :rotary_dim], positions, base)), x[:, rotary_dim:]], axis=1)
        golden.add(f"partial_{case}_mpmath", "partial_rope",
                   {"x": x, "positions": positions, "rotary_dim": rotary_dim, **based(base)}, turned,
                   "mpmath, 50 digits, complex numbers")

    # 2. the frequencies of all pairs, the slow ones 0

    for d_head, share, base in [
        (8, 0.5, 10000.0), (16, 0.375, 500.0), (10, 0.5, 10000.0), (14, 0.875, 300.0), (6, 0.125, 10000.0),
        (12, 1.0, 10000.0), (512, 0.25, 1000000.0),
    ]:
        golden.add(f"frequencies_{d_head}_share_{share:g}_base_{base:g}", "truncated_frequencies",
                   {"d_head": d_head, "share": share, **based(base)}, proportional(d_head, share, base),
                   "transformers ROPE_INIT_FUNCTIONS['proportional'], float32", SLOW)
    for d_head, share, base in [(24, 0.625, 10000.0), (10, 0.75, 70.0)]:
        speeds = floats(mp_frequencies(d_head, base))
        golden.add(f"frequencies_{d_head}_share_{share:g}_mpmath", "truncated_frequencies",
                   {"d_head": d_head, "share": share, **based(base)},
                   np.where(proportional(d_head, share, base) > 0, speeds, 0.0),
                   "mpmath, 50 digits, and which pairs transformers' proportional rope turns")

    # 3. vectors turned by them: transformers pairs halves, so its columns are put in pairs again

    for case, shape, share, positions, base in [
        ("half", (2, 3, 6, 8), 0.5, np.array([0, 1, 5, 5, 60, 2]), 10000.0),
        ("an_eighth", (2, 1, 4, 16), 0.125, np.array([3, 0, 90, 7]), 1000000.0),
        ("seven_eighths", (1, 2, 3, 10), 0.875, np.array([12, 1, 4]), 300.0),
    ]:
        x, width = golden.numbers(*shape), shape[-1]
        halves = torch.as_tensor(x).unflatten(-1, (width // 2, 2)).mT.flatten(-2)
        kept = proportional(width, share, base) > 0
        angles = torch.as_tensor(np.outer(positions, np.where(kept, floats(mp_frequencies(width, base)), 0.0)))
        angles = torch.cat([angles, angles], dim=-1)[None]
        turned, _ = llama.apply_rotary_pos_emb(halves, halves, angles.cos(), angles.sin())
        golden.add(f"truncated_{case}", "truncated_rope",
                   {"x": x, "positions": positions, "share": share, **based(base)},
                   turned.unflatten(-1, (2, width // 2)).mT.flatten(-2),
                   "transformers Llama apply_rotary_pos_emb in float64, with the pairs of proportional rope")


def latent_rope(golden):
    def scores(hidden, heads, d_c, d_r, rank, positions, base):
        """What a DeepSeek-V3 layer makes of hidden states (n, d), and the arguments of the contract for it."""
        config = DeepseekV3Config(
            hidden_size=hidden.shape[1], num_attention_heads=heads, num_key_value_heads=heads, q_lora_rank=None,
            kv_lora_rank=rank, qk_nope_head_dim=d_c, qk_rope_head_dim=d_r, v_head_dim=3, rope_interleave=True,
            rope_parameters={"rope_type": "default", "rope_theta": base})
        config._attn_implementation = "eager"
        layer = deepseek.DeepseekV3Attention(config, layer_idx=0).double().eval()
        for weight in layer.parameters():
            weight.copy_(torch.as_tensor(golden.numbers(*weight.shape)))
        assert layer.scaling == (d_c + d_r) ** -0.5              # no mscale

        # float64 tables as its rotary embedding lays them out, and the arguments before and after them
        angles = torch.as_tensor(np.outer(positions, floats(mp_frequencies(d_r, base))))
        angles = torch.cat([angles, angles], dim=-1)[None]
        seen = {}
        given, turn = deepseek.eager_attention_forward, deepseek.apply_rotary_pos_emb_interleave

        def attention(module, query, key, value, mask, scaling, **options):
            seen["scores"] = query @ key.mT * scaling
            return given(module, query, key, value, mask, scaling=scaling, **options)

        def rotation(q, k, cos, sin):
            seen.update(q_rope=q[0], k_rope=k[0, 0])
            return turn(q, k, cos, sin)

        deepseek.eager_attention_forward, deepseek.apply_rotary_pos_emb_interleave = attention, rotation
        try:
            layer(torch.as_tensor(hidden)[None], (angles.cos(), angles.sin()), None)
        finally:
            deepseek.eager_attention_forward, deepseek.apply_rotary_pos_emb_interleave = given, turn
        x = torch.as_tensor(hidden)
        queries = layer.q_proj(x).view(len(x), heads, d_c + d_r).transpose(0, 1)
        latent = layer.kv_a_layernorm(layer.kv_a_proj_with_mqa(x)[:, :rank])
        w_up = layer.kv_b_proj.weight.view(heads, d_c + 3, rank)[:, :d_c].mT
        arguments = {"q": queries[..., :d_c], "q_rope": seen["q_rope"], "latent": latent, "k_rope": seen["k_rope"],
                     "w_up": w_up}
        return {name: np.ascontiguousarray(a.numpy()) for name, a in arguments.items()}, seen["scores"][0]

    for case, n, heads, d_c, d_r, rank, positions, base, last in [
        ("all_tokens", 7, 3, 4, 6, 5, np.arange(7), 10000.0, 7),
        ("one_query", 9, 2, 6, 4, 8, np.arange(9), 10000.0, 1),
        ("scattered", 6, 4, 3, 2, 2, np.array([4, 0, 90, 7, 7, 31]), 500000.0, 6),
        ("last_three_of_twelve", 12, 6, 5, 8, 4, np.arange(100, 112), 300.0, 3),
    ]:
        given, wanted = scores(golden.numbers(n, 11, size=1.0), heads, d_c, d_r, rank, positions, base)
        queries = {name: given[name][:, -last:] for name in ("q", "q_rope")}
        arguments = {**given, **queries, "q_positions": positions[-last:], "k_positions": positions, **based(base)}
        for function in ("latent_scores", "absorbed_scores"):
            golden.add(f"{function}_{case}_deepseek_v3", function, arguments, wanted[:, -last:],
                       "transformers DeepseekV3Attention, query times key times its scaling, float64 tables", FLOAT64)
        golden.add(f"absorb_{case}", "absorb", {"q": queries["q"], "w_up": given["w_up"]},
                   torch.einsum("hqc,hrc->hqr", torch.as_tensor(queries["q"]), torch.as_tensor(given["w_up"])),
                   "torch einsum in float64 of the weights of a DeepseekV3Attention")
