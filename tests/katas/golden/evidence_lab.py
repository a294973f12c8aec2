"""Chapter 9, the lab of kata 92: its model again, in eager torch, and the gradients by autograd.

Nothing is taken from the project: the schemes are written out here as their papers have them. The parameters have the
lab's names and shapes, so that weights can be handed over.
"""
import math

import torch
import torch.nn.functional as F

from golden import FLOAT64

SHAW_REACH, T5_BUCKETS = 16, 16
SCHEMES = ("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "sandwich", "forgetting", "cope",
           "rope", "partial-rope", "truncated-rope")
SIZES = {"vocab": 7, "width": 8, "heads": 2, "layers": 2, "hidden": 8, "train_length": 20}


def rms_norm(x, gain):
    return F.rms_norm(x, (x.shape[-1],), gain, eps=1e-5)


def sinusoids(n, d, like):
    angles = torch.arange(n, dtype=torch.float64)[:, None] / 10000 ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1).to(like)


def distances(n):
    """Key minus query, (n, n)."""
    return torch.arange(n)[None, :] - torch.arange(n)[:, None]


def alibi(n, heads):
    slopes = torch.tensor([2 ** (-8 * (h + 1) / heads) for h in range(heads)], dtype=torch.float64)
    return slopes[:, None, None] * distances(n)


def sandwich(n, heads, d_bar=128):
    speeds = 10000 ** (-2 * torch.arange(d_bar // 2, dtype=torch.float64) / d_bar)
    products = torch.cos(distances(n)[..., None] * speeds).sum(-1) - d_bar / 2
    return torch.stack([products * heads / (8 * h) for h in range(1, heads + 1)])


def t5_buckets(n, max_distance):
    """As transformers' T5 has them for a decoder."""
    back = (-distances(n)).clamp(min=0)
    exact = T5_BUCKETS // 2
    far = exact + (torch.log(back.double() / exact) / math.log(max_distance / exact) * (T5_BUCKETS - exact)).clamp(
        max=T5_BUCKETS).nan_to_num(neginf=0).long()
    return torch.where(back < exact, back, far.clamp(max=T5_BUCKETS - 1))


def turn(x, angles):
    """Interleaved pairs as complex numbers."""
    z = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(z * angles).flatten(-2)


def forgetting(gates):
    """Log gates (b, h, n) -> (b, h, n, n): the sum of those after the key, up to the query."""
    n = gates.shape[-1]
    after = torch.arange(n)[None, :, None] < torch.arange(n)[None, None, :]                # (1, key, gate)
    upto = torch.arange(n)[:, None, None] >= torch.arange(n)[None, None, :]                # (query, 1, gate)
    return torch.einsum("bhl,ijl->bhij", gates, (after & upto).to(gates))


def cope(q, scores, table):
    """The listing of Golovneva et al. 2024; scores (b, h, n, n) are -inf for later keys, table is (P, d_head)."""
    last = len(table) - 1
    pos = scores.sigmoid().flip(-1).cumsum(-1).flip(-1).clamp(max=last)
    ceil, floor = pos.ceil().long(), pos.floor().long()
    products = q @ table.T
    share = pos - floor
    return products.gather(-1, ceil) * share + products.gather(-1, floor) * (1 - share)


class Model:
    """`params` are tensors by name."""

    def __init__(self, scheme, params, heads, layers, train_length):
        self.scheme, self.params, self.heads, self.layers = scheme, params, heads, layers
        self.train_length = train_length

    def prepare(self, n, like, d_head):
        """What depends on the length only."""
        mask = torch.zeros(n, n).masked_fill(distances(n) > 0, -math.inf).to(like)
        columns = d_head // 2 if self.scheme == "partial-rope" else d_head
        speeds = 10000 ** (-torch.arange(0, columns, 2, dtype=torch.float64) / columns)
        if self.scheme == "partial-rope":
            speeds = F.pad(speeds, (0, (d_head - columns) // 2))
        if self.scheme == "truncated-rope":
            speeds[d_head // 4 :] = 0
        angles = torch.outer(torch.arange(n, dtype=torch.float64), speeds)
        bias = {"alibi": alibi, "sandwich": sandwich}.get(self.scheme, lambda n, h: torch.zeros(n, n))(n, self.heads)
        return {
            "bias": bias.to(like) + mask,
            "rows": sinusoids(n, like.shape[-1], like),
            "angles": torch.polar(torch.ones_like(angles), angles).to(
                torch.complex128 if like.dtype == torch.float64 else torch.complex64),
            "buckets": t5_buckets(n, max(T5_BUCKETS // 2 + 1, self.train_length // 2)),
            "index": distances(n).clamp(-SHAW_REACH, SHAW_REACH) + SHAW_REACH}

    def logits(self, tokens):
        p, (b, n), h = self.params, tokens.shape, self.heads
        x = p["tokens"][tokens]
        d_head = x.shape[-1] // h
        known = self.prepare(n, x.detach(), d_head)
        if self.scheme == "sinusoidal":
            x = x + known["rows"]
        if self.scheme == "learned":
            x = x + p["positions"][:n]
        for layer in range(self.layers):
            of = {name.split(".")[-1]: value for name, value in p.items() if name.startswith(f"{layer}.")}
            normed = rms_norm(x, of["attention_gain"])
            qkv = normed @ of["qkv"]
            q, k, v = qkv.view(b, n, 3, h, d_head).permute(2, 0, 3, 1, 4)
            if self.scheme.endswith("rope"):
                q, k = turn(q, known["angles"]), turn(k, known["angles"])
            scores = q @ k.transpose(-1, -2)
            if self.scheme == "shaw":
                scores = scores + torch.einsum("bhid,ijd->bhij", q, of["for_keys"][known["index"]])
            scores = scores / math.sqrt(d_head) + known["bias"]
            if self.scheme == "t5":
                scores = scores + p["buckets"][known["buckets"]].permute(2, 0, 1)
            if self.scheme == "forgetting":
                logits = F.linear(normed, of["gates"].T, of["gate_bias"])
                scores = scores + forgetting(F.logsigmoid(logits).transpose(1, 2))
            if self.scheme == "cope":
                scores = scores + cope(q, scores, of["counted"])
            weights = scores.softmax(-1)
            found = weights @ v
            if self.scheme == "shaw":
                found = found + torch.einsum("bhij,ijd->bhid", weights, of["for_values"][known["index"]])
            x = x + found.transpose(1, 2).reshape(b, n, -1) @ of["merge"]
            x = x + torch.relu(rms_norm(x, of["mlp_gain"]) @ of["widen"]) @ of["narrow"]
        return rms_norm(x, p["final_gain"]) @ p["unembed"]

    def loss(self, tokens, targets):
        return F.cross_entropy(self.logits(tokens).flatten(0, 1), targets.flatten())


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


def lab(golden):
    scheme = golden.kata.removeprefix("lab/")
    weights = weights_of(golden, scheme)
    tokens, targets = golden.rng.integers(0, SIZES["vocab"], (2, 2, SIZES["train_length"]))
    params = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
    with torch.enable_grad():
        loss = Model(scheme, params, SIZES["heads"], SIZES["layers"], SIZES["train_length"]).loss(
            torch.as_tensor(tokens), torch.as_tensor(targets))
        loss.backward()
    expected = (loss.detach(), *(value.grad for value in params.values()))
    given = {**sizes_of(scheme), "tokens_read": tokens, "targets": targets, **weights}
    golden.add("gradients", "gradients", given, expected, "the same model in torch, float64, autograd", FLOAT64)
