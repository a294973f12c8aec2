"""Chapter 9, the lab of kata 94: small random checkpoints as the library transformers saves them, and its tokens.

tests/katas/golden/model_lab/ gets a folder for each checkpoint. tokens.npz has what generate(do_sample=False) makes of
the saved files, read back in float32. A seed is used only if the two largest logits are never close, and if the model
does not repeat itself at once.
"""
import shutil

import numpy as np
import torch
from golden import EXACT, FOLDER
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM

CHECKPOINTS = FOLDER / "model_lab"
NEW, GAP = 12, 0.01
SIZES = {"vocab_size": 96, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4,
         "max_position_embeddings": 128, "initializer_range": 0.3, "bos_token_id": None, "eos_token_id": None}
MODELS = {                                       # name -> sizes, dtype, bytes of a file
    "float32": ({"hidden_size": 24}, torch.float32, None),
    "bfloat16": ({"num_key_value_heads": 2, "tie_word_embeddings": True}, torch.bfloat16, None),
    "float16": ({"num_key_value_heads": 1, "head_dim": 10, "rope_theta": 500.0}, torch.float16, None),
    "sharded": ({"num_key_value_heads": 2, "rms_norm_eps": 1e-3}, torch.bfloat16, "12KB"),
    "text": ({"vocab_size": 280, "hidden_size": 16, "tie_word_embeddings": True}, torch.bfloat16, None)}
TEXTS = ["Once upon a time there was a café.", "Once upon a time there was a naïve 猫.", "Once more: a time, a time"]


def save(name, sizes, dtype, size, seed):
    torch.manual_seed(seed)
    theta = {"rope_parameters": {"rope_type": "default", "rope_theta": sizes.get("rope_theta", 10000.0)}}
    config = LlamaConfig(**{**SIZES, **{key: value for key, value in sizes.items() if key != "rope_theta"}, **theta})
    shutil.rmtree(CHECKPOINTS / name, ignore_errors=True)
    more = {} if size is None else {"max_shard_size": size}
    LlamaForCausalLM(config).to(dtype).save_pretrained(CHECKPOINTS / name, **more)


def generated(name, prompt, **options):
    """The tokens, and by how much the largest logit is larger than the next one, at least."""
    model = LlamaForCausalLM.from_pretrained(CHECKPOINTS / name, dtype=torch.float32).eval()
    found = model.generate(torch.as_tensor(prompt)[None], max_new_tokens=NEW, do_sample=False, output_logits=True,
                           return_dict_in_generate=True, **options)
    two = torch.stack(found.logits).topk(2).values
    return found.sequences[0].numpy(), float((two[..., 0] - two[..., 1]).min())


def model_lab(golden):
    torch.set_default_dtype(torch.float32)
    for name, (sizes, dtype, size) in MODELS.items():
        vocab = {**SIZES, **sizes}["vocab_size"]
        prompts = [golden.rng.integers(0, vocab, n) for n in (1, 7)]
        for seed in range(1000):
            save(name, sizes, dtype, size, seed)
            found = [generated(name, prompt) for prompt in prompts]
            if all(gap > GAP and len(np.unique(tokens[-NEW:])) > NEW - 3 for tokens, gap in found):
                break
        for prompt, (tokens, _) in zip(prompts, found, strict=True):
            golden.add(f"{name}_{len(prompt)}", name, {"prompt": prompt}, tokens,
                       f"LlamaForCausalLM.generate, seed {seed}", EXACT)
        ends = [int(tokens[-5]), 3]
        tokens, _ = generated(name, prompt, eos_token_id=ends)
        golden.add(f"{name}_ends", name, {"prompt": prompt, "eos_token_id": ends}, tokens,
                   f"LlamaForCausalLM.generate, seed {seed}", EXACT)

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer, tokenizer.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer.train_from_iterator(TEXTS, trainers.BpeTrainer(
        vocab_size=280, special_tokens=["<end>"], initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False))
    tokenizer.save(str(CHECKPOINTS / "text" / "tokenizer.json"))
    for text in ("Once upon a time", "a 猫"):
        prompt = np.array(tokenizer.encode(text).ids)
        tokens, gap = generated("text", prompt)
        assert gap > GAP, (text, gap)
        golden.add(f"text {text}", "text", {"text": text, "decoded": tokenizer.decode(tokens.tolist())}, tokens,
                   "LlamaForCausalLM.generate, Tokenizer.decode", EXACT)
