"""Chapter 9, the lab of kata 92: the gradients of its whole model, by torch autograd."""
import torch

from golden import FLOAT64, Golden
from torch_lab import SHAW_REACH, T5_BUCKETS, Model

SCHEMES = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "sandwich", "forgetting", "cope",
           "rope", "partial-rope", "truncated-rope")
SIZES = {"vocab": 7, "width": 8, "heads": 2, "layers": 2, "hidden": 8, "train_length": 20}


def sizes_of(scheme):
    """Heads of width 4 have two pairs, of which both kinds of partial rotary turn the same one; 8 tells them apart."""
    return SIZES | {"width": 16} if scheme in ("partial-rope", "truncated-rope") else SIZES


def weights_of(golden, scheme):
    """{name: array} of all that is trained, in the shapes of the lab."""
    vocab, d, n = SIZES["vocab"], sizes_of(scheme)["width"], SIZES["train_length"]
    d_head, numbers = d // SIZES["heads"], golden.numbers
    found = {"tokens": numbers(vocab, d), "final_gain": 1 + numbers(d, size=0.5), "unembed": numbers(d, vocab)}
    for layer in range(SIZES["layers"]):
        found |= {
            f"{layer}.attention_gain": 1 + numbers(d, size=0.5), f"{layer}.qkv": numbers(d, 3 * d, size=1.0),
            f"{layer}.merge": numbers(d, d, size=1.0), f"{layer}.mlp_gain": 1 + numbers(d, size=0.5),
            f"{layer}.widen": numbers(d, SIZES["hidden"], size=1.0),
            f"{layer}.narrow": numbers(SIZES["hidden"], d, size=1.0)}
        if scheme == "shaw":
            found |= {f"{layer}.{kind}": numbers(2 * SHAW_REACH + 1, d_head) for kind in ("for_keys", "for_values")}
        if scheme == "forgetting":
            found |= {f"{layer}.gates": numbers(d, SIZES["heads"]), f"{layer}.gate_bias": numbers(SIZES["heads"])}
        if scheme == "cope":
            found[f"{layer}.counted"] = numbers(n // 2 + 1, d_head)
    if scheme == "learned":
        found["positions"] = numbers(n, d)
    if scheme == "t5":
        found["buckets"] = numbers(T5_BUCKETS, SIZES["heads"])
    return found


def lab():
    for scheme in SCHEMES:
        golden = Golden(f"lab/{scheme}")
        weights = weights_of(golden, scheme)
        tokens, targets = golden.rng.integers(0, SIZES["vocab"], (2, 2, SIZES["train_length"]))
        params = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
        model = Model(scheme, params, SIZES["heads"], SIZES["layers"], SIZES["train_length"])
        with torch.enable_grad():
            loss = model.loss(torch.as_tensor(tokens), torch.as_tensor(targets))
            loss.backward()
        expected = (loss.detach(), *(value.grad for value in params.values()))
        given = {**sizes_of(scheme), "tokens_read": tokens, "targets": targets, **weights}
        golden.add("gradients", "gradients", given, expected, "the same model in torch, float64, autograd", FLOAT64)
        golden.write()
