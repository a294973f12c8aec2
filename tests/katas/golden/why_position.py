"""Chapter 1, why position: torch's own attention, sums, ranges and codes."""
import numpy as np
import torch
import torch.nn.functional as F

from golden import EXACT, FLOAT32


def order_blindness(golden):
    def softmax(case, scores):
        golden.add(case, "softmax", {"scores": scores}, torch.softmax(torch.as_tensor(scores), -1),
                   "torch.softmax in float64")

    scores = golden.numbers(2, 3, 7, size=6.0)
    softmax("softmax_three_axes", scores)
    softmax("softmax_entries_of_a_million", scores + 1e6)
    softmax("softmax_entries_a_million_apart", scores * 5e5)
    softmax("softmax_last_axis_of_one", golden.numbers(4, 1))
    softmax("softmax_causal", np.where(np.tri(7, dtype=bool), golden.numbers(7, 7), -np.inf))

    def attention(x, w_q, w_k, w_v, mask=None):
        q, k, v = (torch.as_tensor(x) @ torch.as_tensor(w) for w in (w_q, w_k, w_v))    # (n, d_head)
        mask = None if mask is None else torch.as_tensor(mask)
        return F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=mask)[0]

    def inputs(n, d, d_head, mask=None):
        weights = {name: golden.numbers(d, d_head, size=1.0) for name in ("w_q", "w_k", "w_v")}
        return {"x": golden.numbers(n, d), **weights, **({} if mask is None else {"mask": mask})}

    some = golden.rng.random((7, 7)) < 0.4
    some[np.arange(7), golden.rng.integers(0, 7, 7)] = True         # every row attends to something
    causal = np.tri(7, dtype=bool)
    sdpa = "torch scaled_dot_product_attention in float64"
    for case, given in [
        ("no_mask", inputs(7, 5, 3)), ("causal", inputs(7, 5, 3, causal)),
        ("any_mask", inputs(7, 3, 5, some)), ("one_position", inputs(1, 4, 3)),
    ]:
        golden.add(f"attention_{case}", "self_attention", given, attention(**given), sdpa)
    for case, given in [
        ("no_mask", inputs(7, 5, 3)), ("causal", inputs(7, 5, 3, causal)),
        ("any_mask", inputs(7, 3, 5, some)),
    ]:
        order = golden.rng.permutation(7)
        moved = attention(**{**given, "x": given["x"][order]})
        gap = (moved - attention(**given)[torch.as_tensor(order)]).abs().max()
        golden.add(f"gap_{case}", "permutation_gap", {**given, "order": order}, gap,
                   f"{sdpa}, both ways round")

    x = golden.numbers(9, 5)
    golden.add("bag_of_words", "bag_of_words", {"x": x}, torch.as_tensor(x).sum(0), "torch.sum in float64")


def naive_positions(golden):
    for n in (1, 2, 12, 300):
        golden.add(f"integers_{n}", "integer_positions", {"n": n},
                   torch.arange(n, dtype=torch.float64)[:, None].numpy(), "torch.arange")
    for n in (1, 2, 7, 50):
        golden.add(f"normalised_{n}", "normalised_positions", {"n": n},
                   torch.linspace(0, 1, n, dtype=torch.float64)[:, None].numpy(), "torch.linspace, both ends in")
    for n, max_len in [(1, 1), (5, 9), (12, 12)]:
        golden.add(f"one_hot_{n}_of_{max_len}", "one_hot_positions", {"n": n, "max_len": max_len},
                   F.one_hot(torch.arange(n), max_len).numpy().astype(np.float64), "torch.nn.functional.one_hot")
    for n, n_bits in [(1, 1), (8, 3), (20, 9), (300, 9)]:
        bits = torch.bitwise_right_shift(torch.arange(n)[:, None], torch.arange(n_bits)).bitwise_and(1)
        golden.add(f"binary_{n}_in_{n_bits}_bits", "binary_positions", {"n": n, "n_bits": n_bits},
                   bits.numpy().astype(np.float64), "torch.bitwise_right_shift and bitwise_and")
    for name, rows in [
        ("wide", golden.numbers(9, 5)), ("tall", golden.numbers(13, 2)), ("one_row", golden.numbers(1, 4)),
        ("column", golden.numbers(6, 1)), ("far", golden.numbers(7, 3) + 300.0),
    ]:
        steps = torch.linalg.vector_norm(torch.diff(torch.as_tensor(rows), dim=0), dim=1)
        golden.add(f"steps_{name}", "step_sizes", {"encoding": rows}, steps.numpy(), "torch.linalg.vector_norm")
    rows = golden.numbers(8, 6).astype(np.float32)
    steps = torch.linalg.vector_norm(torch.diff(torch.as_tensor(rows), dim=0), dim=1)
    golden.add("steps_float32", "step_sizes", {"encoding": rows}, steps.numpy(), "torch.linalg.vector_norm", FLOAT32)


def causal_order(golden):
    sdpa = "torch scaled_dot_product_attention in float64, causal, all scores 0"

    def means(x):
        x = torch.as_tensor(x)
        return F.scaled_dot_product_attention(torch.zeros_like(x), torch.zeros_like(x), x, is_causal=True)

    for case, shape in [
        ("one_text", (9, 5)), ("square", (6, 6)), ("batch", (3, 7, 4)), ("batch_and_heads", (2, 3, 8, 5)),
        ("one_word", (2, 1, 3)), ("long", (300, 2)),
    ]:
        x = golden.numbers(*shape)
        golden.add(f"mean_{case}", "prefix_mean", {"x": x}, means(x), sdpa)

    for case, n in [("short", 12), ("long", 512)]:
        x = torch.zeros(n, 1)
        x[0] = 1.0
        shares = means(x)[:, 0].numpy()
        golden.add(f"positions_{case}", "positions_from_share", {"share": shares}, torch.arange(n).numpy(),
                   f"the positions that these shares come from: {sdpa}", EXACT)
    drawn = golden.rng.permutation(512)[:60].reshape(3, 20)
    golden.add("positions_in_another_order", "positions_from_share", {"share": shares[drawn]}, drawn,
               f"the positions that these shares come from: {sdpa}", EXACT)

    for case, n, d, reach in [("any_order", 9, 5, 9), ("square", 7, 7, 7), ("first_words", 12, 3, 5), ("one", 1, 4, 1)]:
        x = golden.numbers(n, d)
        order = np.concatenate([golden.rng.permutation(reach), np.arange(reach, n)])
        gap = (means(x[order]) - means(x)).abs().amax(1)
        golden.add(f"gap_{case}", "prefix_gap", {"x": x, "order": order}, gap, f"{sdpa}, for both orders")
