"""Chapter 9, a whole model: LlamaForCausalLM of the library transformers, with random weights, and its parts."""
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from golden import EXACT, FLOAT64
from oracles import in_double_precision

LOGITS = {**FLOAT64, "atol": 1e-9}
SURE = 0.05                                                   # the two largest logits of a step are farther apart
ROWS = [0, 3, 4, 8]                                           # of logits, where not all are stored


def llama(golden, vocab, d_hidden, **config):
    """A model of the library in float64, its weights as a checkpoint has them, and its config.json."""
    options = {name: value for name, value in config.items() if name != "rope_theta"}
    with in_double_precision():                               # its norms, angles and softmax would be float32
        model = LlamaForCausalLM._from_config(LlamaConfig(
            vocab_size=vocab, intermediate_size=d_hidden, bos_token_id=None, eos_token_id=None, pad_token_id=None,
            rope_parameters={"rope_type": "default", "rope_theta": config.get("rope_theta", 10000.0)}, **options),
            attn_implementation="eager").double().eval()
    for name, weight in model.named_parameters():
        size = 4.0 if name in ("model.embed_tokens.weight", "lm_head.weight") else 0.5
        weight.copy_(torch.as_tensor(golden.numbers(*weight.shape, size=size) + (weight.ndim == 1)))
    weights = {name: weight.detach().numpy() for name, weight in model.named_parameters()}
    return model, weights, config


def forward(model, ids, positions=None):
    """Logits (n, vocab). All tokens are real: without this mask, the library takes positions that start again for
    another text."""
    with in_double_precision():
        given = {} if positions is None else {"position_ids": torch.as_tensor(positions)[None]}
        mask = torch.ones(1, len(ids), dtype=torch.long)
        return model(torch.as_tensor(ids)[None], attention_mask=mask, **given).logits[0]


def generated(model, prompt, n_new):
    """The prompt and the tokens after it, by the library's own greedy search with its own cache; None if unsure."""
    with in_double_precision():
        text = model.generate(torch.as_tensor(prompt)[None], attention_mask=torch.ones(1, len(prompt)).long(),
                              max_new_tokens=n_new, do_sample=False)[0].numpy()
    largest = forward(model, text)[len(prompt) - 1 : -1].sort(dim=-1).values        # (n_new, vocab)
    return text if (largest[:, -1] - largest[:, -2]).min() > SURE else None


def model_in_numpy(golden):
    models = {
        "wide": llama(                                        # 4 heads of 6 columns, but rows of 12
            golden, 26, 14, hidden_size=12, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
            head_dim=6, rms_norm_eps=1e-5, rope_theta=500000.0, tie_word_embeddings=False),
        "tied": llama(                                        # as many key heads as heads, and the usual base
            golden, 22, 15, hidden_size=12, num_hidden_layers=2, num_attention_heads=2, head_dim=None,
            rms_norm_eps=0.01, tie_word_embeddings=True),
        "small": llama(                                       # one layer, one key head for all
            golden, 20, 10, hidden_size=12, num_hidden_layers=1, num_attention_heads=6, num_key_value_heads=1,
            head_dim=4, rms_norm_eps=1e-6, rope_theta=100.0),
    }
    for case, (model, weights, config) in models.items():
        vocab, d = weights["model.embed_tokens.weight"].shape
        given, whole = {"weights": weights, "config": config}, "transformers LlamaForCausalLM, eager, float64 throughout"
        ids = golden.rng.integers(0, vocab, 9)
        golden.add(f"{case}_logits", "logits", {"token_ids": ids, **given}, forward(model, ids)[ROWS], whole, LOGITS,
                   ROWS)
        positions = golden.rng.integers(0, 300, 9)            # gaps, repeats and another order
        positions[4] = positions[1]
        golden.add(f"{case}_positions", "logits", {"token_ids": ids, **given, "positions": positions},
                   forward(model, ids, positions)[ROWS], f"{whole}, position_ids", LOGITS, ROWS)
        text = None
        while text is None:
            text = generated(model, golden.rng.integers(0, vocab, 5), 8)
        golden.add(f"{case}_greedy", "greedy", {"prompt": text[:5], "n_new": 8, **given}, text,
                   f"{whole}, generate(do_sample=False)", EXACT)

        # the parts of the last layer
        number, x, positions = len(model.model.layers) - 1, golden.numbers(7, d), golden.rng.permutation(50)[:7]
        layer, prefix = model.model.layers[number], f"model.layers.{number}."
        weights = {name: weight for name, weight in weights.items() if name.startswith(prefix)}
        with in_double_precision():
            rows = torch.as_tensor(x)[None]                                              # (1, 7, d)
            tables = model.model.rotary_emb(rows, torch.as_tensor(positions)[None])
            attended, _ = layer.self_attn(rows, tables, torch.full((7, 7), -torch.inf).triu(1)[None, None])
            normed = layer.input_layernorm(rows)
        of_layer = {"x": x, "weights": weights, "layer": number}
        golden.add(f"{case}_attention", "attention", {**of_layer, "config": config, "positions": positions},
                   attended[0], "transformers LlamaAttention, eager, float64 throughout")
        golden.add(f"{case}_feed_forward", "feed_forward", of_layer, layer.mlp(rows)[0],
                   "transformers LlamaMLP, float64")
        golden.add(f"{case}_rms_norm", "rms_norm",
                   {"x": x, "weight": weights[f"{prefix}input_layernorm.weight"], "eps": config["rms_norm_eps"]},
                   normed[0], "transformers LlamaRMSNorm, float64 throughout")
