"""Chapter 7, configurations: what the library transformers makes of the config.json of released models.

Where their numbers stand, as read in November 2026 ("litgpt" is litgpt/config.py of Lightning-AI/litgpt, which names
the config.json of every entry; the key names are those of transformers, hidden_size for its n_embd and so on):

- Llama 2 7B, Llama 3.1 8B, Llama 3.2 1B, CodeLlama 7B, Mistral 7B, SmolLM2 135M, Phi-2, Qwen3 0.6B, Gemma 7B: litgpt.
  Phi-2's 0.4 also stands in public copies of its config.json, the head_dim of Gemma in configuration_gemma.py of
  transformers 5.23. litgpt's length of Mistral 7B is 4096, with a note that it should be 32768.
- Gemma 3 4B (layers that see the whole text): litgpt, where rope_adjustments has the factor 8 alone, which is "linear".
- Vicuna 7B 16k: earlier versions of litgpt (rope_condense_ratio 4); a public note on position interpolation that
  quotes its config.json has the key "type" and the 4096 positions.
- Qwen2.5 7B: litgpt; the rope_scaling that its makers ask for in long texts: huggingface.co,
  Qwen/Qwen2.5-32B-Instruct, discussion 5. Its config.json is set for 32768 positions (model card of Qwen2.5-Coder).
- DeepSeek-V2 Lite: config.json of deepseek-ai/DeepSeek-Coder-V2-Lite-Base. DeepSeek-V3: a gist of
  vinhnx that explains its config.json, a copy of the config.json of DeepSeek-R1, which is the same model, and
  inference/model.py of deepseek-ai/DeepSeek-V3. Their head_dim here is the qk_rope_head_dim of these files, as
  transformers sets it (configuration_deepseek_v3.py).
- gpt-oss 20b: configuration_gpt_oss.py of transformers 5.23 and gpt_oss/torch/model.py of openai/gpt-oss (150000).
- Ministral 3 8B: configuration_ministral3.py of transformers 5.23.
- StableLM 3B: configuration_stablelm.py of transformers 5.23 (checkpoint stablelm-3b-4e1t).
"""
import numpy as np
import torch
from transformers import LlamaConfig, PhiConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama import modeling_llama as llama
from transformers.models.phi import modeling_phi as phi

from golden import FAR, FLOAT32, FLOAT64
from oracles import in_double_precision

EXACTLY = {**FLOAT64, "atol": 0}            # the slowest frequencies are below an atol of 1e-12
SINGLE = {**FLOAT32, "rtol": 1e-6, "atol": 1e-6}


def sizes(hidden_size, num_attention_heads, max_position_embeddings, **others):
    """The three keys that are always there, and others."""
    return {"hidden_size": hidden_size, "num_attention_heads": num_attention_heads,
            "max_position_embeddings": max_position_embeddings, **others}


LLAMA3 = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 8192}
DEEPSEEK = {"type": "yarn", "factor": 40, "beta_fast": 32, "beta_slow": 1, "original_max_position_embeddings": 4096}
RELEASED = {
    "llama_2_7b": sizes(4096, 32, 4096, rope_scaling=None),
    "llama_3_1_8b": sizes(4096, 32, 131072, rope_theta=500000.0, rope_scaling={**LLAMA3, "factor": 8.0}),
    "llama_3_2_1b": sizes(2048, 32, 131072, head_dim=64, rope_theta=500000.0, rope_scaling={**LLAMA3, "factor": 32.0}),
    "codellama_7b": sizes(4096, 32, 16384, rope_theta=1000000, rope_scaling=None),
    "mistral_7b": sizes(4096, 32, 32768, rope_theta=10000.0),
    "smollm2_135m": sizes(576, 9, 8192, rope_theta=100000, rope_scaling=None),
    "phi_2": sizes(2560, 32, 2048, partial_rotary_factor=0.4, rope_theta=10000.0, rope_scaling=None),
    "stablelm_3b": sizes(2560, 32, 4096, partial_rotary_factor=0.25, rope_theta=10000),
    "qwen3_0_6b": sizes(1024, 16, 40960, head_dim=128, rope_theta=1000000, rope_scaling=None),
    "gemma_7b": sizes(3072, 16, 8192, head_dim=256, rope_theta=10000.0, rope_scaling=None),
    "gemma_3_4b": sizes(2560, 8, 131072, head_dim=256, rope_theta=1000000.0,
                        rope_scaling={"rope_type": "linear", "factor": 8.0}),
    "vicuna_7b_16k": sizes(4096, 32, 4096, rope_scaling={"type": "linear", "factor": 4.0}),
    "qwen2_5_7b": sizes(3584, 28, 32768, rope_theta=1000000.0, rope_scaling={
        "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}),
    "deepseek_v2_lite": sizes(2048, 16, 163840, head_dim=64, rope_theta=10000,
                              rope_scaling={**DEEPSEEK, "mscale": 0.707, "mscale_all_dim": 0.707}),
    "deepseek_v3": sizes(7168, 128, 163840, head_dim=64, rope_theta=10000,
                         rope_scaling={**DEEPSEEK, "mscale": 1.0, "mscale_all_dim": 1.0}),
    "gpt_oss_20b": sizes(2880, 64, 131072, head_dim=64, rope_theta=150000, rope_scaling={
        "rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
        "original_max_position_embeddings": 4096}),
    "ministral_3_8b": sizes(4096, 32, 262144, head_dim=128, rope_theta=1000000.0, rope_scaling={
        "type": "yarn", "factor": 16.0, "beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0,
        "original_max_position_embeddings": 16384}),
}
# Made up: combinations of keys that no model above has
MADE_UP = {
    "only_the_sizes": sizes(48, 4, 512),
    "head_dim_none": sizes(60, 5, 512, head_dim=None, rope_theta=300.0, rope_scaling={"rope_type": "default"}),
    "linear_partial": sizes(96, 2, 512, partial_rotary_factor=0.56, rope_scaling={"rope_type": "linear", "factor": 3}),
    "llama3_partial": sizes(256, 4, 9000, partial_rotary_factor=0.5, rope_theta=500.0, rope_scaling={
        "type": "llama3", "factor": 2.0, "low_freq_factor": 0.5, "high_freq_factor": 20.0,
        "original_max_position_embeddings": 300}),
    "yarn_partial": sizes(512, 4, 8192, partial_rotary_factor=0.75, rope_theta=1000.0, rope_scaling={
        "rope_type": "yarn", "factor": 5.0, "beta_fast": 16, "beta_slow": 2,
        "original_max_position_embeddings": 1024}),
    "yarn_without_original": sizes(256, 2, 2048, rope_scaling={"type": "yarn", "factor": 6.0}),
    "yarn_not_truncated": sizes(64, 2, 2048, head_dim=48, rope_scaling={
        "rope_type": "yarn", "factor": 6.0, "truncate": False, "original_max_position_embeddings": 700}),
    "yarn_factor_below_1": sizes(128, 2, 2048, rope_scaling={"rope_type": "yarn", "factor": 0.5}),
    "two_mscales": sizes(128, 2, 4096, rope_scaling={**DEEPSEEK, "mscale": 0.707, "mscale_all_dim": 1.0}),
    "mscale_alone": sizes(128, 2, 4096, rope_scaling={**DEEPSEEK, "mscale": 0.707}),
    "mscale_all_dim_0": sizes(128, 2, 4096, rope_scaling={**DEEPSEEK, "mscale": 0.707, "mscale_all_dim": 0}),
    "mscale_0": sizes(128, 2, 4096, rope_scaling={**DEEPSEEK, "mscale": 0, "mscale_all_dim": 0.707}),
    "factor_given": sizes(128, 2, 4096, rope_scaling={
        **DEEPSEEK, "attention_factor": 1.25, "mscale": 0.707, "mscale_all_dim": 1.0}),
    "factor_none": sizes(128, 2, 4096, rope_scaling={**DEEPSEEK, "attention_factor": None}),
    "factor_0": sizes(128, 2, 4096, rope_scaling={**DEEPSEEK, "attention_factor": 0.0}),
}


def rotary_of(config):
    """The rotary embedding of Phi for a part of the columns, and of Llama for all; as dtype says."""
    partial = "partial_rotary_factor" in config
    given = {name: dict(value) if isinstance(value, dict) else value for name, value in config.items()}
    made = (PhiConfig if partial else LlamaConfig)(**given)
    return (phi.PhiRotaryEmbedding if partial else llama.LlamaRotaryEmbedding)(made), made


def rope_from_config(golden):
    doubled = "in double precision"

    # 1. and 2. frequencies and attention factors

    for name, config in (RELEASED | MADE_UP).items():
        with in_double_precision():
            rotary, made = rotary_of(config)
            rope_type = made.rope_parameters["rope_type"]
            if rope_type == "default":
                frequencies, factor = rotary.inv_freq, rotary.attention_scaling
                source = f"transformers {type(rotary).__name__}, {doubled}"
            else:
                frequencies, factor = ROPE_INIT_FUNCTIONS[rope_type](made, "cpu")
                source = f"transformers ROPE_INIT_FUNCTIONS['{rope_type}'], {doubled}"
        assert frequencies.dtype == torch.float64
        golden.add(f"frequencies_{name}", "inverse_frequencies", {"config": config}, frequencies.numpy(), source,
                   EXACTLY)
        golden.add(f"factor_{name}", "attention_factor", {"config": config}, float(factor), source)

    # 3. tables: transformers makes float32; its own code in double precision speaks for far positions

    for name, positions in [
        ("llama_3_2_1b", np.array([7, 8191, 100000])), ("smollm2_135m", np.array([[3, 4], [0, 1000]])),
        ("phi_2", np.array([2047, 31])), ("deepseek_v2_lite", np.array([1, 4096])),
        ("gpt_oss_20b", np.array([[[5, 70000]]])), ("two_mscales", np.array([0, 2, 3])),
        ("linear_partial", np.array([[9], [1]])), ("yarn_partial", np.array([5000, 2])),
    ]:
        config = (RELEASED | MADE_UP)[name]
        given = {"config": config, "positions": positions}
        ids = torch.as_tensor(positions)
        with in_double_precision():
            cos, sin = rotary_of(config)[0](torch.zeros(1, dtype=torch.float64), ids)
        assert cos.dtype == torch.float64
        golden.add(f"tables_{name}", "rope_tables", given, (cos.numpy(), sin.numpy()),
                   f"transformers rotary embedding, {doubled}", FAR)
        if positions.max() < 8:                # the angles of far positions are not as exact in float32
            rotary = rotary_of(config)[0]
            rotary.inv_freq = rotary.inv_freq.float()
            cos, sin = rotary(torch.zeros(1, dtype=torch.float32), ids)
            assert cos.dtype == torch.float32
            golden.add(f"tables_{name}_float32", "rope_tables", given, (cos.double().numpy(), sin.double().numpy()),
                       "transformers rotary embedding, float32", SINGLE)

    # 4. vectors turned by them; the columns after the first r are those of x, as in PhiAttention

    for name, shape, positions in [
        ("llama_3_2_1b", (1, 2, 3, 64), np.array([[7, 8191, 100000]])),
        ("smollm2_135m", (2, 1, 2, 64), np.array([[3, 4], [0, 1000]])),
        ("phi_2", (1, 2, 2, 80), np.array([[2047, 31]])),
        ("linear_partial", (2, 3, 2, 48), np.array([[1, 9], [600, 2]])),
        ("two_mscales", (1, 1, 3, 64), np.array([[0, 2, 3]])),
    ]:
        x = golden.numbers(*shape)
        with in_double_precision():
            tables = rotary_of((RELEASED | MADE_UP)[name])[0](torch.zeros(1, dtype=torch.float64),
                                                             torch.as_tensor(positions))
        r = tables[0].shape[-1]
        q = torch.as_tensor(x)
        functions = phi if r < shape[-1] else llama
        turned, _ = functions.apply_rotary_pos_emb(q[..., :r], q[..., :r], *tables)
        cos, sin = (table.numpy()[:, None] if len(positions) > 1 else table.numpy()[0] for table in tables)
        golden.add(f"applied_{name}", "apply_tables", {"x": x, "cos": cos, "sin": sin},
                   torch.cat([turned, q[..., r:]], dim=-1).numpy(),
                   f"transformers {functions.__name__.split('.')[-1]}.apply_rotary_pos_emb, {doubled}", FAR)
