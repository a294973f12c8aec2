"""Chapter 9, train short, test long: torch's cross-entropy and attention, and what torch.autograd makes of them."""
import numpy as np
import torch
import torch.nn.functional as F

from golden import FLOAT32


def train_short_test_long(golden):
    # 1. the loss and its gradient

    def loss(case, logits, targets):
        z = torch.as_tensor(logits).clone().requires_grad_()
        with torch.enable_grad():
            value = F.cross_entropy(z.reshape(-1, z.shape[-1]), torch.as_tensor(targets).reshape(-1))
        (gradient,) = torch.autograd.grad(value, z)
        given = {"logits": logits, "targets": targets}
        tolerance = {} if logits.dtype == np.float64 else {"tolerance": FLOAT32}
        source = f"torch.nn.functional.cross_entropy in {logits.dtype}"
        golden.add(f"loss_{case}", "cross_entropy", given, value.detach().numpy(), source, **tolerance)
        golden.add(f"loss_gradient_{case}", "cross_entropy_gradient", given, gradient.numpy(),
                   f"torch.autograd of {source}", **tolerance)

    def words(vocab, *positions):
        return golden.rng.integers(0, vocab, positions)

    logits, targets = golden.numbers(3, 4, 7, size=5.0), words(7, 3, 4)
    loss("two_leading_axes", logits, targets)
    loss("three_leading_axes", golden.numbers(2, 3, 2, 5, size=5.0), words(5, 2, 3, 2))
    loss("no_leading_axis", golden.numbers(7, size=5.0), words(7))
    loss("one_word", golden.numbers(6, 1), words(1, 6))
    loss("a_million", golden.numbers(12, 6, size=1e6), words(6, 12))
    far = 1e6 * golden.rng.choice([-1.0, 1.0], (12, 1))
    loss("around_a_million", golden.numbers(12, 6, size=5.0) + far, words(6, 12))
    loss("float32", logits.astype(np.float32), targets)

    # 2. attention backwards

    def attention(case, given):
        q, k, v, bias, upstream = map(torch.as_tensor, given.values())
        leaves = [x.clone().requires_grad_() for x in (q, k, v)]
        with torch.enable_grad():
            out = F.scaled_dot_product_attention(*leaves, attn_mask=bias)
        tolerance = {} if q.dtype == torch.float64 else {"tolerance": FLOAT32}
        golden.add(f"attention_{case}", "attention_gradients", given,
                   tuple(g.numpy() for g in torch.autograd.grad(out, leaves, upstream)),
                   f"torch.autograd of scaled_dot_product_attention with a bias, {given['q'].dtype}", **tolerance)

    def inputs(*leading, n, d, d_v, bias=None, causal=True, size=2.0):
        """q, k, v, bias and upstream; bias is the shape of one, (n, n) unless given."""
        added = golden.numbers(*(bias or (n, n)))
        if causal:
            added = np.where(np.tri(n, dtype=bool), added, -np.inf)
        return {"q": golden.numbers(*leading, n, d, size=size), "k": golden.numbers(*leading, n, d, size=size),
                "v": golden.numbers(*leading, n, d_v), "bias": added, "upstream": golden.numbers(*leading, n, d_v)}

    heads = inputs(2, 3, n=5, d=4, d_v=2, bias=(3, 5, 5))
    attention("a_bias_per_head", heads)
    attention("causal", inputs(1, 2, n=7, d=6, d_v=2))
    attention("both_ways", inputs(1, 2, n=6, d=3, d_v=4, causal=False))
    attention("a_bias_per_key", inputs(2, 2, n=5, d=3, d_v=4, bias=(2, 1, 1, 5), causal=False))
    attention("sizes_alike", inputs(3, 3, n=3, d=3, d_v=3))
    attention("one_position", inputs(2, 1, n=1, d=4, d_v=3))
    attention("scores_of_many_thousands", inputs(1, 2, n=8, d=4, d_v=3, size=200.0))
    attention("no_leading_axis", inputs(n=8, d=5, d_v=3))
    some = inputs(1, 3, n=8, d=5, d_v=4, causal=False)
    hidden = golden.rng.random((3, 8, 8)) < 0.5
    hidden[:, np.arange(8), golden.rng.integers(0, 7, 8)] = False       # every query sees some key,
    hidden[..., 7] = True                                               # and key 7 is seen by none
    attention("hidden_here_and_there", some | {"bias": np.where(hidden, -np.inf, some["bias"])})
    attention("float32", {name: array.astype(np.float32) for name, array in heads.items()})
