"""Chapter 5, what the text itself decides: gates that forget and gates that count, from torch and x-transformers."""
import mpmath as mp
import numpy as np
import torch
import torch.nn.functional as F
from x_transformers import x_transformers

from golden import FLOAT64
from oracles import floats, future

EVERY_DIGIT = {**FLOAT64, "atol": 0}                                # numbers as small as 1e-304 too


def forgetting_gate(golden):
    for shape, size in [((7,), 2.0), ((3, 5), 20.0), ((2, 3, 4), 600.0), ((1, 1), 8.0)]:
        logits = golden.numbers(*shape, size=size)
        golden.add(f"gates_{'x'.join(map(str, shape))}_up_to_{size:g}", "log_forget_gates", {"logits": logits},
                   F.logsigmoid(torch.as_tensor(logits)), "torch logsigmoid in float64", EVERY_DIGIT)
    extreme = np.array([-10000.0, -800.0, -745.5, -37.0, -1e-9, 0.0, 1e-9, 16.5, 37.0, 40.0, 300.0, 699.5, 700.0])
    exact = floats([-mp.log1p(mp.exp(-mp.mpf(x))) for x in extreme.tolist()])
    golden.add("gates_far_from_zero", "log_forget_gates", {"logits": extreme}, exact, "mpmath, 50 digits", EVERY_DIGIT)

    def bias(logits):
        """x-transformers' bias for logits (heads, n); it leaves the causal mask to the attention, so it is set here."""
        layer = x_transformers.DataDependentAlibi(len(logits), len(logits), bias_init=0.0)
        layer.to_forget_gates[0].weight.copy_(torch.eye(len(logits)))      # so that what goes in are the logits
        return layer(torch.as_tensor(logits).T[None])[0].masked_fill(future(logits.shape[1]), -torch.inf)

    source = "x-transformers DataDependentAlibi in float64, future keys set to -inf"
    for heads, n in [(1, 1), (6, 9), (12, 12), (3, 20)]:
        logits = golden.numbers(heads, n, size=8.0)
        log_gates = F.logsigmoid(torch.as_tensor(logits)).numpy()
        golden.add(f"bias_{heads}_heads_{n}", "forgetting_bias", {"log_gates": log_gates}, bias(logits), source)
    gates = golden.numbers(2, 3, 5) - 2.0
    sums = [[[[mp.fsum(row[j + 1 : i + 1]) if j <= i else -mp.inf for j in range(5)] for i in range(5)] for row in text]
            for text in gates.tolist()]
    golden.add("bias_two_texts", "forgetting_bias", {"log_gates": gates}, floats(sums), "mpmath: sums of the gates")

    for heads, n, d, d_v in [(6, 9, 5, 3), (4, 4, 4, 4), (12, 7, 8, 2), (1, 1, 3, 5)]:
        q, k, v = (golden.numbers(heads, n, width) for width in (d, d, d_v))
        logits = golden.numbers(heads, n, size=4.0)
        out = F.scaled_dot_product_attention(*(torch.as_tensor(a)[None] for a in (q, k, v)), attn_mask=bias(logits))
        log_gates = F.logsigmoid(torch.as_tensor(logits)).numpy()
        golden.add(f"attention_{heads}_heads_{n}_width_{d}", "forgetting_attention",
                   {"q": q, "k": k, "v": v, "log_gates": log_gates}, out[0],
                   f"torch scaled_dot_product_attention in float64, with the bias of {source}")


def contextual_positions(golden):
    def counted(scores):
        """The positions as in the listing of the paper: gates, summed from the last key back."""
        return torch.sigmoid(scores).flip(-1).cumsum(-1).flip(-1)

    def cope(q, table, scores):
        """x-transformers' CoPE for one batch (heads, n, d); its table runs as ours, and nothing is divided."""
        layer = x_transformers.CoPE(table.shape[1], len(q), len(table))
        layer.pos_emb.copy_(torch.as_tensor(table))
        return layer(torch.as_tensor(q)[None], scores[None])[0]

    for shape, size in [((1, 1), 2.0), ((6, 6), 4.0), ((3, 9, 9), 30.0), ((2, 3, 5, 5), 900.0)]:
        scores = golden.numbers(*shape, size=size)
        masked = torch.as_tensor(scores).masked_fill(future(shape[-1]), -torch.inf)
        given = masked.numpy() if len(shape) == 3 else scores          # what stands above the diagonal does not matter
        golden.add(f"positions_{'x'.join(map(str, shape))}_up_to_{size:g}", "gated_positions", {"scores": given},
                   counted(masked), "torch in float64, after the listing in the paper")
    scores = golden.numbers(7, 7, size=6.0)
    sums = [[mp.fsum(1 / (1 + mp.exp(-mp.mpf(s))) for s in row[j : i + 1]) for j in range(7)]
            for i, row in enumerate(scores.tolist())]
    golden.add("positions_50_digits", "gated_positions", {"scores": scores}, floats(sums), "mpmath, 50 digits")

    for heads, n, d, rows in [(6, 9, 5, 4), (12, 7, 8, 20), (1, 1, 3, 2), (4, 4, 4, 4), (2, 12, 6, 2)]:
        q, table = golden.numbers(heads, n, d), golden.numbers(rows, d)
        scores = torch.as_tensor(golden.numbers(heads, n, n, size=6.0)).masked_fill(future(n), -torch.inf)
        golden.add(f"logits_{heads}_heads_{n}_of_{rows}_rows", "position_logits",
                   {"q": q, "table": table, "positions": counted(scores).numpy()}, cope(q, table, scores),
                   "x-transformers CoPE in float64")

    for heads, n, d, d_v, rows in [(6, 9, 5, 3, 4), (4, 4, 4, 4, 4), (12, 7, 8, 2, 30), (1, 1, 3, 5, 2)]:
        q, k, v = (golden.numbers(heads, n, width) for width in (d, d, d_v))
        table = golden.numbers(rows, d)
        scores = torch.as_tensor(q) @ torch.as_tensor(k).mT / d**0.5
        scores = scores.masked_fill(future(n), -torch.inf)
        weights = torch.softmax(scores + cope(q, table, scores), dim=-1)
        golden.add(f"attention_{heads}_heads_{n}_of_{rows}_rows", "contextual_attention",
                   {"q": q, "k": k, "v": v, "table": table}, weights @ torch.as_tensor(v),
                   "torch in float64, after the listing in the paper, with x-transformers CoPE")
