"""Make the golden vectors: inputs, and what independent public implementations make of them.

Run it as

    python tests/golden/make_golden.py

in an environment with

    pip install torch==2.13.0 numpy==2.4.6
    pip install transformers==5.23.0 x-transformers==2.31.10 rotary-embedding-torch==0.9.1 mpmath==1.3.0

It writes tests/golden/<kata id>.npz and prints what it wrote. It is never needed to run the tests, and it
never imports the project's own solutions. The same packages on the same machine give the same bytes again;
on another machine last bits may differ.

A file holds arrays, and in "meta" a JSON text: the versions, the seed, and for each case the function, the
arguments (plain ones, and the names of the arrays), the names of the expected arrays, the tolerance and the
source in words. Where the oracle computes in float32 only, "precision" says so and the tolerance is wider.
"""
import json
import platform
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import mpmath as mp
import numpy as np
import torch
import torch.nn.functional as F
from rotary_embedding_torch import RotaryEmbedding
from transformers import BloomConfig, DynamicCache, LlamaConfig
from transformers.models.bloom import modeling_bloom as bloom
from transformers.models.distilbert import modeling_distilbert as distilbert
from transformers.models.gptj import modeling_gptj as gptj
from transformers.models.llama import modeling_llama as llama
from transformers.models.marian import modeling_marian as marian
from transformers.models.mpt import modeling_mpt as mpt
from x_transformers import x_transformers

FOLDER = Path(__file__).resolve().parent
SEED = 20170612
PACKAGES = ["torch", "transformers", "x-transformers", "rotary-embedding-torch", "mpmath", "numpy"]

FLOAT64 = {"precision": "float64", "rtol": 1e-9, "atol": 1e-12}
FAR = {"precision": "float64", "rtol": 1e-9, "atol": 1e-9}        # angles of 1e5 leave 1e-11 to rounding
FLOAT32 = {"precision": "float32", "rtol": 2e-5, "atol": 2e-5}
EXACT = {"precision": "exact", "rtol": 0, "atol": 0}              # integers and booleans

mp.mp.dps = 50
torch.set_grad_enabled(False)
torch.set_num_threads(1)                       # the order of a sum, and so its last bits, stay the same
# GPT-J's tables, x-transformers' slopes and every nn.Linear follow the default: with it they are float64.
torch.set_default_dtype(torch.float64)


class Golden:
    """The cases of one kata, with random numbers of its own; equal arrays are stored once."""

    def __init__(self, kata):
        self.kata = kata
        self.rng = np.random.default_rng([SEED, *kata.encode()])
        self.arrays = {}
        self.names = {}                                      # what an array holds -> the name it has
        self.cases = []

    def numbers(self, *shape, size=2.0):
        """Random multiples of size / 256: exact in float32 too, and small when compressed."""
        return self.rng.integers(-256, 257, shape) * (size / 256)

    def store(self, name, array):
        """Keep the array; return its name, which is another's if that one holds the same."""
        array = np.asarray(array, order="C")
        name = self.names.setdefault((array.dtype.str, array.shape, array.tobytes()), name)
        self.arrays[name] = array
        return name

    def add(self, case, function, arguments, expected, source, tolerance=FLOAT64, rows=None):
        """One call of the contract and what the oracle says to it; `rows`: the only ones that are stored."""
        arrays = {n: self.store(f"{case}/{n}", a) for n, a in arguments.items() if isinstance(a, np.ndarray)}
        results = expected if isinstance(expected, tuple) else (expected,)
        self.cases.append({
            "case": case, "function": function, "source": source, **tolerance,
            "arguments": {n: a for n, a in arguments.items() if n not in arrays}, "arrays": arrays,
            "expected": [self.store(f"{case}/expected_{i}", result) for i, result in enumerate(results)],
            "rows": rows})

    def write(self):
        meta = {
            "kata": self.kata, "seed": SEED,
            "versions": {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}},
            "cases": self.cases}
        path = FOLDER / f"{self.kata}.npz"
        np.savez_compressed(path, meta=np.array(json.dumps(meta)), **self.arrays)
        print(f"{path.name}: {len(self.cases)} cases, {path.stat().st_size / 1000:.1f} kB")


def based(base):
    """The argument `base`, left out where it is the default: so defaults meet the oracle too."""
    return {} if base == 10000.0 else {"base": base}


# 50 digits: floats go in exactly, only the final result is rounded to float64

def mp_frequencies(d_model, base=10000.0):
    return [mp.mpf(base) ** (-mp.mpf(2 * i) / d_model) for i in range((d_model + 1) // 2)]


def mp_table(positions, d_model, base=10000.0):
    """Sinusoids as rows of mpf, column by column as the paper numbers them."""
    speeds = mp_frequencies(d_model, base)
    waves = (mp.sin, mp.cos)
    return [[waves[c % 2](mp.mpf(p) * speeds[c // 2]) for c in range(d_model)] for p in positions]


def mp_rope(x, positions, base=10000.0):
    """Rotate rows (n, d_head) as complex numbers: pair i is x[2i] + 1j * x[2i + 1]."""
    speeds = mp_frequencies(x.shape[-1], base)
    rows = []
    for row, position in zip(x.tolist(), positions.tolist(), strict=True):
        pairs = [mp.mpc(a, b) * mp.expj(mp.mpf(position) * speed)
                 for a, b, speed in zip(row[0::2], row[1::2], speeds, strict=True)]
        rows.append([part for z in pairs for part in (z.real, z.imag)])
    return rows


def floats(rows):
    """Nested lists of mpf as float64."""
    return np.array([floats(r) if isinstance(r, list) else float(r) for r in rows])


def mp_dot(a, b):
    return mp.fsum(mp.mpf(s) * mp.mpf(t) for s, t in zip(a, b, strict=True))


def mp_distance(a, b):
    return mp.sqrt(mp.fsum((mp.mpf(s) - mp.mpf(t)) ** 2 for s, t in zip(a, b, strict=True)))


def mp_cosines(encoding):
    rows = encoding.tolist()
    norms = [mp.sqrt(mp_dot(r, r)) for r in rows]
    return [[mp_dot(r, s) / (m * n) for s, n in zip(rows, norms, strict=True)]
            for r, m in zip(rows, norms, strict=True)]


# The rotations of public libraries, for (..., n, d_head)

def gptj_rotate(x, positions):
    """GPT-J: interleaved, base 10000; its axes are (batch, n, heads, d_head), its positions (batch, n)."""
    x, positions = torch.as_tensor(x), torch.as_tensor(positions)
    table = gptj.create_sinusoidal_positions(int(positions.max()) + 1, x.shape[-1])
    sin, cos = table[positions].chunk(2, dim=-1)                            # (batch, n, d_head/2)
    return gptj.apply_rotary_pos_emb(x.transpose(1, 2), sin, cos).transpose(1, 2)


def lucidrains(d_head, base):
    """rotary-embedding-torch in float64: its own frequencies are float32, so it is given those of mpmath."""
    return RotaryEmbedding(d_head, custom_freqs=torch.tensor(floats(mp_frequencies(d_head, base))))


def x_transformers_rotate(x, positions, base):
    """x-transformers: interleaved pairs, any positions, angles in float32."""
    angles, scale = x_transformers.RotaryEmbedding(x.shape[-1], base=base)(torch.as_tensor(positions))
    return x_transformers.apply_rotary_pos_emb(torch.as_tensor(x), angles, scale)


# The katas

def order_blindness():
    golden = Golden("order_blindness")

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
    golden.write()


def positional_formula():
    golden = Golden("positional_formula")
    digits = "mpmath, 50 digits"
    for d_model, base in [(8, 10000.0), (7, 10000.0), (1, 10000.0), (13, 500.0), (10, 2.5), (6, 0.5)]:
        golden.add(f"frequencies_{d_model}_base_{base:g}", "frequencies", {"d_model": d_model, **based(base)},
                   floats(mp_frequencies(d_model, base)), digits)
    for max_len, d_model, base in [(12, 8, 10000.0), (15, 7, 10000.0), (5, 1, 10000.0), (9, 12, 100.0)]:
        golden.add(f"table_{max_len}_by_{d_model}_base_{base:g}", "positional_encoding",
                   {"max_len": max_len, "d_model": d_model, **based(base)},
                   floats(mp_table(range(max_len), d_model, base)), digits)
    rows = [0, 1, 511, 512, 2048, 4097, 65535, 100_000]
    for d_model in (6, 9):
        golden.add(f"far_positions_{d_model}", "positional_encoding",
                   {"max_len": 100_001, "d_model": d_model},
                   floats(mp_table(rows, d_model)), digits, FAR, rows)

    for max_len, d_model in [(40, 16), (21, 12)]:
        table = distilbert.create_sinusoidal_embeddings(max_len, d_model, torch.empty(max_len, d_model))
        golden.add(f"distilbert_{max_len}_by_{d_model}", "positional_encoding",
                   {"max_len": max_len, "d_model": d_model}, table.numpy().astype(np.float32),
                   "transformers DistilBERT create_sinusoidal_embeddings, interleaved", FLOAT32)
    for max_len, d_model in [(40, 16), (21, 11)]:
        halves = marian.MarianSinusoidalPositionalEmbedding(max_len, d_model).create_weight()
        table = torch.empty_like(halves)
        # Marian has all sines, then all cosines; the contract has them side by side.
        table[:, 0::2], table[:, 1::2] = halves.split([(d_model + 1) // 2, d_model // 2], dim=1)
        golden.add(f"marian_{max_len}_by_{d_model}", "positional_encoding",
                   {"max_len": max_len, "d_model": d_model}, table.numpy().astype(np.float32),
                   "transformers MarianSinusoidalPositionalEmbedding, its halves interleaved here", FLOAT32)
    golden.write()


def similarity_matrix():
    golden = Golden("similarity_matrix")
    encodings = {
        "sinusoids": floats(mp_table(range(13), 8)),
        "sinusoids_odd_width": floats(mp_table(range(12), 7, 100.0)),
        "random_rows": golden.numbers(9, 5),
        "rows_far_from_unit_length": golden.numbers(6, 4) * 10.0 ** np.arange(-3, 3)[:, None],
    }
    for case, encoding in encodings.items():
        rows = encoding.tolist()
        source = "mpmath, 50 digits, from the stored rows"
        golden.add(f"dot_{case}", "dot_similarity", {"encoding": encoding},
                   floats([[mp_dot(r, s) for s in rows] for r in rows]), source)
        golden.add(f"cosine_{case}", "cosine_similarity", {"encoding": encoding},
                   floats(mp_cosines(encoding)), source)

    def nearest(encoding, position, k):
        """Nearest first; similarities here are clearly tied or clearly not, so rounding decides nothing."""
        cosines = dict(enumerate(mp_cosines(encoding)[position]))
        del cosines[position]
        ordered = sorted(cosines.values())
        gaps = [b - a for a, b in pairwise(ordered)]
        assert all(gap < 1e-13 or gap > 1e-5 for gap in gaps)
        groups = []                                       # indices of equal similarity, nearest group first
        for index in sorted(cosines, key=cosines.get, reverse=True):
            if groups and cosines[groups[-1][0]] - cosines[index] < 1e-9:
                groups[-1].append(index)
            else:
                groups.append([index])
        return np.array([index for group in groups for index in sorted(group)][:k])

    repeated = golden.numbers(5, 6)[[0, 1, 2, 0, 3, 1, 4, 0]]
    for case, encoding, position, k in [
        ("ties_on_both_sides", encodings["sinusoids"], 6, 12), ("half_a_tie", encodings["sinusoids"], 6, 3),
        ("first_row", encodings["sinusoids"], 0, 5),
        ("last_row", encodings["sinusoids"], 12, 3), ("odd_width", encodings["sinusoids_odd_width"], 5, 11),
        ("random_rows", encodings["random_rows"], 4, 8), ("one", encodings["random_rows"], 8, 1),
        ("repeated_rows", repeated, 3, 7),
    ]:
        golden.add(f"nearest_{case}", "nearest_positions",
                   {"encoding": encoding, "position": position, "k": k}, nearest(encoding, position, k),
                   "mpmath, 50 digits; equal ones go to the lower index", EXACT)
    golden.write()


def translation_invariance():
    golden = Golden("translation_invariance")
    digits = "mpmath, 50 digits"
    even = floats(mp_table(range(14), 8))
    odd = floats(mp_table(range(12), 7, 10.0))                   # its lone last sine is not invariant
    other = floats(mp_table(range(11), 10, 50.0))
    drawn = golden.numbers(10, 5)

    def distances(encoding, offset):
        rows = encoding.tolist()
        return [mp_distance(a, b) for a, b in zip(rows, rows[offset:], strict=False)]

    for case, encoding, offset in [
        ("sinusoids_by_3", even, 3), ("sinusoids_by_0", even, 0), ("sinusoids_by_most", even, 13),
        ("odd_width_by_2", odd, 2), ("base_50_by_5", other, 5), ("random_rows_by_4", drawn, 4),
    ]:
        golden.add(f"distances_{case}", "offset_distances", {"encoding": encoding, "offset": offset},
                   floats(distances(encoding, offset)), f"{digits}, from the stored rows")

    def invariant(encoding, atol):
        spread = max(max(d) - min(d) for d in (distances(encoding, k) for k in range(len(encoding))))
        assert spread < atol / 1.4 or spread > atol * 1.4        # far from where rounding would decide
        return spread <= atol

    noisy = even + golden.numbers(14, 8, size=1e-5)
    one_row_off = even.copy()
    one_row_off[-1, 0] += 0.01                                   # seen from the last row only
    uneven = np.array([[0.0], [1.0], [3.0]])                     # distances 1 and 2: spread 1, deviation 0.5
    zigzag = np.array([[0.0], [1.0], [0.0], [1.0], [2.0]])       # neighbours agree, next but one do not
    line = np.arange(9.0)[:, None] * np.array([[3.0, -1.0, 0.5]])
    for case, encoding, atol in [
        ("sinusoids", even, 1e-9), ("base_50", other, 1e-9), ("odd_width", odd, 1e-9),
        ("random_rows", drawn, 1e-9), ("noise", noisy, 1e-9), ("noise_within_atol", noisy, 1e-3),
        ("last_row_off", one_row_off, 1e-9), ("straight_line", line, 1e-9), ("one_row", drawn[:1], 1e-9),
        ("zigzag", zigzag, 1e-9), ("spread_1_atol_0.7", uneven, 0.7), ("spread_1_atol_1.5", uneven, 1.5),
    ]:
        given = {"encoding": encoding} if atol == 1e-9 else {"encoding": encoding, "atol": atol}
        golden.add(f"invariant_{case}", "is_translation_invariant", given,
                   invariant(encoding, atol), f"{digits}: the largest spread at any offset", EXACT)

    for case, offsets, d_model, base in [
        ("0_to_20", np.arange(21), 16, 10000.0),
        ("both_signs_2d", np.arange(-6, 6).reshape(3, 4), 8, 10000.0),
        ("base_500", np.array([5, -40, 0, 5, 111]), 10, 500.0), ("d_2", np.arange(4), 2, 10000.0),
        ("far", np.array([512, 4096, 100_000]), 12, 10000.0),
    ]:
        speeds = mp_frequencies(d_model, base)
        sums = [mp.fsum(mp.cos(speed * offset) for speed in speeds) for offset in offsets.ravel().tolist()]
        golden.add(f"closed_form_{case}", "similarity_at_offset",
                   {"offsets": offsets, "d_model": d_model, **based(base)},
                   floats(sums).reshape(offsets.shape), digits, FAR if case == "far" else FLOAT64)
    for case, d_model, base in [("8", 8, 10000.0), ("10_base_50", 10, 50.0)]:
        middle, *rows = mp_table([37, *range(30, 45)], d_model, base)
        golden.add(f"closed_form_is_the_dot_product_{case}", "similarity_at_offset",
                   {"offsets": np.arange(30, 45) - 37, "d_model": d_model, **based(base)},
                   floats([mp_dot(middle, row) for row in rows]), f"{digits}: dot products with row 37")
    golden.write()


def alibi_bias():
    golden = Golden("alibi_bias")
    slopes = x_transformers.AlibiPositionalBias._get_slopes
    for heads in (1, 2, 3, 6, 8, 12, 16, 20):
        golden.add(f"slopes_{heads}_x_transformers", "alibi_slopes", {"n_heads": heads}, slopes(heads),
                   "x-transformers AlibiPositionalBias._get_slopes, float64")
    for heads in (5, 24):
        golden.add(f"slopes_{heads}_bloom", "alibi_slopes", {"n_heads": heads},
                   bloom._get_alibi_slopes(heads, "cpu"), "transformers BLOOM _get_alibi_slopes", FLOAT32)

    def future(n_queries, n_keys):
        """True where a key comes after its query; the queries are the last ones."""
        return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries + 1)

    def bias(heads, n_queries, n_keys, causal):
        """x-transformers: -slope * |i - j|; it leaves the causal mask to the attention, so it is set here."""
        full = x_transformers.AlibiPositionalBias(heads)(n_queries, n_keys)         # (H, n_q, n_k)
        return full.masked_fill(future(n_queries, n_keys), -torch.inf) if causal else full

    source = "x-transformers AlibiPositionalBias, float64"
    for heads, n_queries, n_keys in [(6, 5, 9), (8, 7, None), (12, 1, 6), (3, 11, 11)]:
        for causal in (True, False):
            size = f"{heads}_heads_{n_queries}_by_{n_keys or n_queries}"
            golden.add(f"bias_{size}_{'causal' if causal else 'both_ways'}", "alibi_bias",
                       {"n_heads": heads, "n_queries": n_queries, "n_keys": n_keys, "causal": causal},
                       bias(heads, n_queries, n_keys or n_queries, causal),
                       source + (", future keys set to -inf" if causal else ""))
    for heads in (7, 16):
        golden.add(f"last_query_{heads}_heads_mpt", "alibi_bias",
                   {"n_heads": heads, "n_queries": 1, "n_keys": 10},
                   mpt.build_mpt_alibi_tensor(heads, 10),
                   "transformers build_mpt_alibi_tensor: the bias as the last position sees it", FLOAT32)

    for heads, n_queries, n_keys, causal in [
        (6, 5, 9, True), (6, 5, 9, False), (4, 8, 8, True), (12, 1, 7, True), (3, 7, 7, False),
    ]:
        q, k = golden.numbers(heads, n_queries, 5), golden.numbers(heads, n_keys, 5)
        v = golden.numbers(heads, n_keys, 3)
        out = F.scaled_dot_product_attention(*(torch.as_tensor(a)[None] for a in (q, k, v)),
                                             attn_mask=bias(heads, n_queries, n_keys, causal)[None])
        golden.add(f"attention_{heads}_heads_{n_queries}_by_{n_keys}_{'causal' if causal else 'both_ways'}",
                   "alibi_attention", {"q": q, "k": k, "v": v, "causal": causal}, out[0],
                   f"torch scaled_dot_product_attention in float64, with the bias of {source}")

    for heads, d_head, n in [(6, 4, 9), (8, 5, 7)]:
        width = heads * d_head
        layer = bloom.BloomAttention(BloomConfig(hidden_size=width, n_head=heads), layer_idx=0).eval()
        layer.query_key_value.weight.copy_(torch.as_tensor(golden.numbers(3 * width, width, size=0.5)))
        layer.query_key_value.bias.zero_()
        layer.dense.weight.copy_(torch.eye(width))                   # so that what comes out are the heads
        layer.dense.bias.zero_()
        x = torch.as_tensor(golden.numbers(1, n, width))
        # BLOOM adds +slope * j, a constant per row away from -slope * (i - j): the causal softmax is equal.
        alibi = bloom.build_alibi_tensor(torch.ones(1, n, dtype=torch.int64), heads, torch.float64)
        mask = torch.zeros(1, 1, n, n).masked_fill(future(n, n), -torch.inf)
        out, _ = layer(x, residual=torch.zeros_like(x), alibi=alibi, attention_mask=mask)
        q, k, v = (part[0].numpy() for part in layer._reshape(layer.query_key_value(x)))    # (H, n, d_head)
        golden.add(f"attention_{heads}_heads_bloom", "alibi_attention", {"q": q, "k": k, "v": v},
                   out[0].unflatten(-1, (heads, d_head)).transpose(0, 1),
                   "transformers BloomAttention with build_alibi_tensor (+slope * j), softmax in float32",
                   FLOAT32)
    golden.write()


def rope_rotation():
    golden = Golden("rope_rotation")
    for d_head, base in [(8, 10000.0), (2, 10000.0), (10, 500000.0), (6, 2.5)]:
        golden.add(f"frequencies_{d_head}_base_{base:g}", "rope_frequencies",
                   {"d_head": d_head, **based(base)},
                   floats(mp_frequencies(d_head, base)), "mpmath, 50 digits")
    config = LlamaConfig(head_dim=12, rope_parameters={"rope_type": "default", "rope_theta": 500000.0})
    golden.add("frequencies_12_llama", "rope_frequencies", {"d_head": 12, "base": 500000.0},
               llama.LlamaRotaryEmbedding(config).inv_freq, "transformers LlamaRotaryEmbedding.inv_freq",
               {**FLOAT32, "atol": 0})

    for case, positions, d_head, base, tolerance in [
        ("arange", np.arange(9), 8, 10000.0, FLOAT64),
        ("negative_gaps_repeats", np.array([-7, 4, 4, 90, 0]), 6, 100.0, FLOAT64),
        ("fractional", np.array([0.5, -2.25, 11.0, 3.125]), 10, 10000.0, FLOAT64),
        ("far", np.array([4096, 65535, 100_000]), 8, 500000.0, FAR),
    ]:
        x = golden.numbers(len(positions), d_head)
        golden.add(f"rotation_{case}_mpmath", "apply_rope", {"x": x, "positions": positions, **based(base)},
                   floats(mp_rope(x, positions, base)), "mpmath, 50 digits, complex numbers", tolerance)

    x = golden.numbers(2, 3, 7, 8)
    for case, positions in [
        ("every_batch_the_same", np.array([[0, 1, 2, 9, 9, 40, 5]])),
        ("every_batch_its_own", np.array([[0, 1, 2, 3, 4, 5, 6], [30, 2, 2, 511, 0, 1, 7]])),
    ]:
        # GPT-J wants (batch, n); in the contract they broadcast to (batch, heads, n), or are (n,).
        ours = positions[:, None, :] if len(positions) > 1 else positions[0]
        golden.add(f"rotation_{case}_gptj", "apply_rope", {"x": x, "positions": ours},
                   gptj_rotate(x, np.broadcast_to(positions, (2, 7)).copy()),
                   "transformers GPT-J create_sinusoidal_positions and apply_rotary_pos_emb, float64")

    x = golden.numbers(3, 6, 10)
    for base, offset in [(10000.0, 0), (500.0, 17)]:
        golden.add(f"rotation_offset_{offset}_base_{base:g}_lucidrains", "apply_rope",
                   {"x": x, "positions": np.arange(offset, offset + 6), **based(base)},
                   lucidrains(10, base).rotate_queries_or_keys(torch.as_tensor(x), offset=offset),
                   "rotary-embedding-torch rotate_queries_or_keys, float64 with mpmath's frequencies")
    golden.add("rotation_offset_5_float32_lucidrains", "apply_rope",
               {"x": x, "positions": np.arange(5, 11), "base": 700.0},
               RotaryEmbedding(10, theta=700.0).rotate_queries_or_keys(torch.as_tensor(x), offset=5).float(),
               "rotary-embedding-torch rotate_queries_or_keys(offset=), its own float32 frequencies", FLOAT32)
    x = golden.numbers(1, 2, 5, 6)
    positions = np.array([3.5, -4.0, 0.0, 19.25, 19.25])
    golden.add("rotation_x_transformers", "apply_rope", {"x": x, "positions": positions, "base": 2000.0},
               x_transformers_rotate(x, positions, 2000.0).float(),
               "x-transformers RotaryEmbedding and apply_rotary_pos_emb, angles in float32", FLOAT32)

    def scores(case, q, k, q_positions, k_positions, base, rotated_q, rotated_k, source):
        golden.add(case, "rope_scores",
                   {"q": q, "k": k, "q_positions": q_positions, "k_positions": k_positions, **based(base)},
                   rotated_q @ rotated_k.mT, source)

    q, k = golden.numbers(2, 3, 4, 8), golden.numbers(2, 3, 9, 8)
    scores("scores_last_queries_lucidrains", q, k, np.arange(5, 9), np.arange(9), 300.0,
           *lucidrains(8, 300.0).rotate_queries_with_cached_keys(torch.as_tensor(q), torch.as_tensor(k)),
           "rotary-embedding-torch rotate_queries_with_cached_keys, float64 with mpmath's frequencies")
    at, keys_at = np.array([6, 0, 33, 2]), np.array([1, 1, 8, 0, 64, 5, 7, 3, 2])
    scores("scores_scattered_positions_gptj", q, k, at, keys_at, 10000.0,
           gptj_rotate(q, np.stack([at] * 2)), gptj_rotate(k, np.stack([keys_at] * 2)),
           "transformers GPT-J rotation in float64, then torch matmul")
    golden.write()


def rope_attention():
    golden = Golden("rope_attention")

    def inputs(*leading, n, d_model, n_heads, n_kv_heads, d_head):
        """x and the four weights, as the contract has them: x @ w."""
        shapes = {"w_q": (d_model, n_heads * d_head), "w_k": (d_model, n_kv_heads * d_head),
                  "w_v": (d_model, n_kv_heads * d_head), "w_o": (n_heads * d_head, d_model)}
        weights = {name: golden.numbers(*shape, size=0.75) for name, shape in shapes.items()}
        return {"x": golden.numbers(*leading, n, d_model), **weights}

    # 1. torch's attention with grouped keys around a rotation of another library

    def sdpa(given, n_heads, n_kv_heads, causal, rotate):
        x, w_q, w_k, w_v, w_o = map(torch.as_tensor, given.values())
        x = x if x.ndim == 3 else x[None]                                         # (batch, n, d_model)
        q, k, v = ((x @ w).unflatten(-1, (heads, -1)).transpose(1, 2)             # (batch, heads, n, d_head)
                   for w, heads in ((w_q, n_heads), (w_k, n_kv_heads), (w_v, n_kv_heads)))
        out = F.scaled_dot_product_attention(rotate(q), rotate(k), v, is_causal=causal, enable_gqa=True)
        return (out.transpose(1, 2).flatten(-2) @ w_o).reshape(given["x"].shape)

    def by_gptj(x):
        return gptj_rotate(x, torch.arange(x.shape[-2]).expand(len(x), -1))

    for case, leading, n, d_model, n_heads, n_kv_heads, d_head, causal in [
        ("6_heads_on_2", (2,), 7, 5, 6, 2, 8, True), ("6_heads_on_2_both_ways", (2,), 7, 5, 6, 2, 8, False),
        ("3_heads_on_3", (), 9, 7, 3, 3, 6, True), ("one_position", (), 1, 7, 3, 3, 6, True),
    ]:
        sizes = {"n_heads": n_heads, "n_kv_heads": n_kv_heads, "d_head": d_head}
        given = inputs(*leading, n=n, d_model=d_model, **sizes)
        golden.add(f"sdpa_{case}", "rope_attention",
                   {**given, "n_heads": n_heads, "causal": causal,
                    "n_kv_heads": None if n_kv_heads == n_heads else n_kv_heads},
                   sdpa(given, n_heads, n_kv_heads, causal, by_gptj),
                   "torch scaled_dot_product_attention(enable_gqa=True) around the GPT-J rotation, float64")
    given = inputs(n=11, d_model=6, n_heads=4, n_kv_heads=1, d_head=6)
    golden.add("sdpa_4_heads_on_1_base_500", "rope_attention",
               {**given, "n_heads": 4, "n_kv_heads": 1, "base": 500.0},
               sdpa(given, 4, 1, True, lucidrains(6, 500.0).rotate_queries_or_keys),
               "torch scaled_dot_product_attention(enable_gqa=True) around rotary-embedding-torch, float64")

    # 2. a whole Llama layer: it pairs column i with i + d/2, so q and k weights are permuted on the way in

    def half_rows(w, d_head):
        """The contract's (d_model, heads * d_head) -> weight of an nn.Linear that makes the half layout."""
        return torch.as_tensor(w).T.unflatten(0, (-1, d_head // 2, 2)).transpose(1, 2).flatten(0, 2)

    def interleaved(x):
        """Half layout (..., d_head) -> neighbouring pairs."""
        return x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)

    def llama_layer(given, n_heads, n_kv_heads, d_head, base):
        config = LlamaConfig(
            hidden_size=len(given["w_q"]), num_attention_heads=n_heads, num_key_value_heads=n_kv_heads,
            head_dim=d_head, attention_bias=False,
            rope_parameters={"rope_type": "default", "rope_theta": base})
        config._attn_implementation = "sdpa"                     # its eager softmax would be float32
        layer = llama.LlamaAttention(config, layer_idx=0).eval()
        layer.q_proj.weight.copy_(half_rows(given["w_q"], d_head))
        layer.k_proj.weight.copy_(half_rows(given["w_k"], d_head))
        layer.v_proj.weight.copy_(torch.as_tensor(given["w_v"].T))
        layer.o_proj.weight.copy_(torch.as_tensor(given["w_o"].T))
        return layer

    def tables(positions, d_head, base):
        """Cosines and sines (1, n, d_head) in the half layout; Llama's own are float32."""
        angles = torch.tensor(floats([[p * s for s in mp_frequencies(d_head, base)] for p in positions]))
        angles = torch.cat([angles, angles], dim=-1)[None]
        return angles.cos(), angles.sin()

    for case, n, d_model, n_heads, n_kv_heads, d_head, base, causal in [
        ("6_heads_on_2", 9, 12, 6, 2, 8, 10000.0, True),
        ("4_heads_on_2_both_ways", 7, 8, 4, 2, 6, 500000.0, False),
    ]:
        given = inputs(2, n=n, d_model=d_model, n_heads=n_heads, n_kv_heads=n_kv_heads, d_head=d_head)
        # Without a mask the layer is causal.
        mask = None if causal else torch.ones(1, 1, n, n, dtype=torch.bool)
        out, _ = llama_layer(given, n_heads, n_kv_heads, d_head, base)(
            torch.as_tensor(given["x"]), tables(range(n), d_head, base), mask)
        golden.add(f"llama_{case}", "rope_attention",
                   {**given, "n_heads": n_heads, "n_kv_heads": n_kv_heads, **based(base), "causal": causal},
                   out, "transformers LlamaAttention in float64, q and k weights permuted, mpmath angles")

    given = inputs(2, n=9, d_model=12, n_heads=6, n_kv_heads=3, d_head=8)
    layer = llama_layer(given, 6, 3, 8, 5000.0).float()
    x = torch.as_tensor(given["x"]).float()
    out, _ = layer(x, llama.LlamaRotaryEmbedding(layer.config)(x, torch.arange(9)[None]), None)
    golden.add("llama_6_heads_on_3_float32", "rope_attention",
               {**given, "n_heads": 6, "n_kv_heads": 3, "base": 5000.0}, out,
               "transformers LlamaAttention with its own LlamaRotaryEmbedding, all in float32", FLOAT32)

    # 3. the same layer token by token, with the cache of transformers

    for heads, kv_heads, base, steps in [(6, 2, 10000.0, (0, 1, 6)), (3, 3, 100.0, (0, 4))]:
        given = inputs(n=max(steps) + 1, d_model=6, n_heads=heads, n_kv_heads=kv_heads, d_head=8)
        layer, cache = llama_layer(given, heads, kv_heads, 8, base), DynamicCache()
        weights = {name: w for name, w in given.items() if name != "x"}
        keys = values = np.zeros((0, kv_heads, 8))
        for step, x_new in enumerate(given["x"]):
            out, _ = layer(torch.as_tensor(x_new)[None, None], tables([step], 8, base), None,
                           past_key_values=cache)
            # (1, kv_heads, t, d_head) in the half layout -> (t, kv_heads, d_head), interleaved
            new_keys = interleaved(cache.layers[0].keys)[0].transpose(0, 1).numpy()
            new_values = cache.layers[0].values[0].transpose(0, 1).numpy()
            if step in steps:
                golden.add(f"decode_{heads}_heads_on_{kv_heads}_after_{step}", "decode_step",
                           {"x_new": x_new, "k_cache": keys, "v_cache": values, **weights, "n_heads": heads,
                            "n_kv_heads": None if kv_heads == heads else kv_heads, **based(base)},
                           (out[0, 0], new_keys, new_values),
                           "transformers LlamaAttention with a DynamicCache, float64; its keys interleaved")
            keys, values = new_keys, new_values
    golden.write()


if __name__ == "__main__":
    for make in (order_blindness, positional_formula, similarity_matrix, translation_invariance, alibi_bias,
                 rope_rotation, rope_attention):
        make()
