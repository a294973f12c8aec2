"""Chapter 7, longer contexts: transformers' rescaled frequencies, and 50 digits."""
import mpmath as mp
import numpy as np
import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import Phi3Config
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.phi3 import modeling_phi3 as phi3

from golden import EXACT, FAR, FLOAT32, based
from oracles import floats, in_double_precision, mp_dot, mp_frequencies, scaled_by_transformers

SLOW = {**FLOAT32, "atol": 0}            # the slowest frequencies are below an atol of 2e-5
CLOSE = {**SLOW, "rtol": 1e-6}


def base_of(frequencies):
    """The base whose slowest pair turns as the last of these: the libraries return float32 frequencies only."""
    d_head = 2 * len(frequencies)
    return np.float32(float(frequencies[-1]) ** (-d_head / (d_head - 2)))


def position_interpolation(golden):
    digits = "mpmath, 50 digits"

    # 1. all pairs alike

    for d_head, scale, base in [(8, 4.0, 10000.0), (2, 3, 10000.0), (10, 2.5, 500.0), (26, 0.3, 10000.0)]:
        golden.add(f"frequencies_{d_head}_scale_{scale:g}_base_{base:g}", "interpolated_frequencies",
                   {"d_head": d_head, "scale": scale, **based(base)},
                   floats([speed / mp.mpf(scale) for speed in mp_frequencies(d_head, base)]), digits)
    for d_head, scale, base in [(8, 2.0, 10000.0), (64, 8.0, 10000.0), (20, 3.5, 500000.0)]:
        golden.add(f"transformers_linear_{d_head}_scale_{scale:g}_base_{base:g}", "interpolated_frequencies",
                   {"d_head": d_head, "scale": scale, **based(base)},
                   scaled_by_transformers("linear", d_head, base, factor=scale)[0],
                   "transformers ROPE_INIT_FUNCTIONS['linear'], float32", SLOW)

    # 2. a larger base

    def mp_base(stretch, d_head, base):
        return float(mp.mpf(base) * stretch ** (mp.mpf(d_head) / (d_head - 2)))

    for d_head, scale, base in [(4, 9.0, 16.0), (8, 8.0, 10000.0), (128, 2.0, 10000.0), (10, 0.4, 500.0)]:
        golden.add(f"base_{d_head}_scale_{scale:g}_base_{base:g}", "ntk_base",
                   {"scale": scale, "d_head": d_head, **based(base)}, mp_base(mp.mpf(scale), d_head, base), digits)
    for d_head, scale, base in [(8, 4.0, 10000.0), (64, 2.0, 10000.0), (6, 3.0, 300.0)]:
        rotary = RotaryEmbedding(d_head, theta=base, theta_rescale_factor=scale)
        golden.add(f"lucidrains_{d_head}_scale_{scale:g}_base_{base:g}", "ntk_base",
                   {"scale": scale, "d_head": d_head, **based(base)}, base_of(rotary.freqs.numpy()),
                   "rotary-embedding-torch theta_rescale_factor, float32, the base of its slowest pair", FLOAT32)

    # 3. a base that follows the length

    for n, train_len, d_head, factor, base in [
        (700, 512, 8, 1.0, 10000.0), (513, 512, 10, 2.0, 500.0), (512, 512, 8, 3.0, 10000.0),
        (40, 512, 64, 4.0, 10000.0), (9000, 2048, 128, 1.5, 500000.0),
    ]:
        stretch = mp.mpf(factor) * n / train_len - (mp.mpf(factor) - 1) if n > train_len else mp.mpf(1)
        golden.add(f"dynamic_{n}_of_{train_len}_factor_{factor:g}", "dynamic_ntk_base",
                   {"n": n, "train_len": train_len, "d_head": d_head, "factor": factor, **based(base)},
                   mp_base(stretch, d_head, base), digits)
    for n, train_len, d_head, factor, base in [
        (700, 512, 8, 1.0, 10000.0), (900, 300, 20, 2.5, 10000.0), (300, 512, 8, 4.0, 10000.0),
        (5000, 2048, 64, 2.0, 500000.0),
    ]:
        golden.add(f"transformers_dynamic_{n}_of_{train_len}_factor_{factor:g}", "dynamic_ntk_base",
                   {"n": n, "train_len": train_len, "d_head": d_head, "factor": factor, **based(base)},
                   base_of(scaled_by_transformers("dynamic", d_head, base, n, train_len, factor=factor)[0]),
                   "transformers ROPE_INIT_FUNCTIONS['dynamic'], float32, the base of its slowest pair", FLOAT32)


def yarn(golden):
    """Transformers has float32 frequencies, and no range of its own to look at: 50 digits speak for both."""
    def mp_range(d_head, train_len, beta_fast, beta_slow, base):
        """The two indices to 50 digits, rounded; none of the cases has one near a whole number."""
        fast, slow = (mp.mpf(d_head) / 2 * mp.log(train_len / (2 * mp.pi * mp.mpf(beta)), mp.mpf(base))
                      for beta in (beta_fast, beta_slow))
        assert all(abs(index - mp.nint(index)) > 1e-3 for index in (fast, slow))
        return max(int(mp.floor(fast)), 0), min(int(mp.ceil(slow)), d_head - 1)

    def mp_yarn(d_head, scale, low, high, base):
        rows = []
        for pair, speed in enumerate(mp_frequencies(d_head, base)):
            share = mp.mpf(pair > low) if low == high else min(max(mp.mpf(pair - low) / (high - low), 0), 1)
            rows.append(speed * (1 - share + share / mp.mpf(scale)))
        return floats(rows)

    def turns(beta_fast, beta_slow):
        """The betas, left out where they are the defaults."""
        return {} if (beta_fast, beta_slow) == (32.0, 1.0) else {"beta_fast": beta_fast, "beta_slow": beta_slow}

    # (d_head, train_len, beta_fast, beta_slow, base, scale)
    cases = [
        (128, 4096, 32.0, 1.0, 10000.0, 16.0), (128, 2048, 32.0, 1.0, 10000.0, 8.0),
        (64, 8192, 32.0, 1.0, 500000.0, 2.5), (64, 8192, 16.0, 2.0, 500000.0, 4.0), (20, 700, 12.0, 0.25, 100.0, 3.0),
        (8, 100, 32.0, 1.0, 10000.0, 4.0), (64, 12, 32.0, 1.0, 10000.0, 0.5), (8, 512, 32.0, 1.0, 10.0, 7.0),
        (8, 4, 32.0, 1.0, 10000.0, 4.0), (8, 12000, 32.0, 1.0, 10.0, 4.0), (2, 512, 32.0, 1.0, 10000.0, 4.0),
    ]
    for d_head, train_len, beta_fast, beta_slow, base, scale in cases:
        low, high = mp_range(d_head, train_len, beta_fast, beta_slow, base)
        name = f"{d_head}_in_{train_len}_from_{beta_fast:g}_to_{beta_slow:g}_base_{base:g}"
        given = {"d_head": d_head, "train_len": train_len, **turns(beta_fast, beta_slow), **based(base)}
        golden.add(f"range_{name}", "correction_range", given, (low, high), "mpmath, 50 digits", EXACT)
        golden.add(f"frequencies_{name}", "yarn_frequencies", {**given, "scale": scale},
                   mp_yarn(d_head, scale, low, high, base), "mpmath, 50 digits")

    for d_head, train_len, beta_fast, beta_slow, base, scale in cases:
        frequencies, factor = scaled_by_transformers(
            "yarn", d_head, base, train_len=train_len, factor=scale, beta_fast=beta_fast, beta_slow=beta_slow,
            original_max_position_embeddings=train_len)
        source = "transformers ROPE_INIT_FUNCTIONS['yarn']"
        name = f"{d_head}_in_{train_len}_from_{beta_fast:g}_to_{beta_slow:g}_scale_{scale:g}"
        given = {"d_head": d_head, "scale": scale, "train_len": train_len, **turns(beta_fast, beta_slow),
                 **based(base)}
        golden.add(f"transformers_frequencies_{name}", "yarn_frequencies", given, frequencies,
                   f"{source}, float32", SLOW)
        if f"factor_{scale:g}" not in {case["case"] for case in golden.cases}:
            golden.add(f"factor_{scale:g}", "yarn_attention_factor", {"scale": scale}, float(factor), source)


def llama3_scaling(golden):
    """Transformers has float32 frequencies; it is counted how many of them it has kept and divided."""
    source = "transformers ROPE_INIT_FUNCTIONS['llama3']"

    def mp_waves(d_head, base):
        return [2 * mp.pi / speed for speed in mp_frequencies(d_head, base)]

    def mp_llama3(d_head, factor, train_len, low, high, base):
        """The three cases as the release writes them, pair by pair."""
        rows = []
        for wave in mp_waves(d_head, base):
            speed = 2 * mp.pi / wave
            share = (train_len / wave - mp.mpf(low)) / (mp.mpf(high) - mp.mpf(low))
            if wave < train_len / mp.mpf(high):
                rows.append(speed)
            elif wave > train_len / mp.mpf(low):
                rows.append(speed / mp.mpf(factor))
            else:
                rows.append((1 - share) * speed / mp.mpf(factor) + share * speed)
        return floats(rows)

    for d_head, base in [(8, 10000.0), (2, 10000.0), (128, 500000.0), (26, 1.5), (96, 300.0)]:
        golden.add(f"wavelengths_{d_head}_base_{base:g}", "wavelengths", {"d_head": d_head, **based(base)},
                   floats(mp_waves(d_head, base)), "mpmath, 50 digits")

    # (d_head, factor, train_len, low_freq_factor, high_freq_factor, base): Llama 3.1, Llama 3.2 3B and 1B, others
    for d_head, factor, train_len, low, high, base in [
        (128, 8.0, 8192, 1.0, 4.0, 500000.0), (128, 32.0, 8192, 1.0, 4.0, 500000.0),
        (64, 32.0, 8192, 1.0, 4.0, 500000.0), (96, 6.0, 4096, 0.5, 20.0, 10000.0), (20, 1.5, 700, 3.0, 12.0, 100.0),
        (48, 2.0, 300, 0.25, 0.75, 500.0), (12, 4.0, 5000, 1.0, 2.0, 10.0), (10, 8.0, 3, 1.0, 4.0, 10000.0),
        (2, 8.0, 16, 1.0, 4.0, 500000.0),
    ]:
        name = f"{d_head}_in_{train_len}_from_{low:g}_to_{high:g}_factor_{factor:g}_base_{base:g}"
        given = {
            "d_head": d_head, "train_len": train_len,
            **({} if (low, high) == (1.0, 4.0) else {"low_freq_factor": low, "high_freq_factor": high}),
            **({} if base == 500000.0 else {"base": base})}
        golden.add(f"frequencies_{name}", "llama3_frequencies", {**given, "factor": factor},
                   mp_llama3(d_head, factor, train_len, low, high, base), "mpmath, 50 digits")
        new, _ = scaled_by_transformers(
            "llama3", d_head, base, factor=factor, low_freq_factor=low, high_freq_factor=high,
            original_max_position_embeddings=train_len, train_len=16 * train_len)
        golden.add(f"transformers_frequencies_{name}", "llama3_frequencies", {**given, "factor": factor}, new,
                   f"{source}, float32", CLOSE)
        # kept and divided frequencies are exact in float32, too
        old, _ = scaled_by_transformers("linear", d_head, base, factor=1.0)
        ends = np.sum(new == old), np.sum(new == old / np.float32(factor))
        golden.add(f"fates_{name}", "pairs_by_fate", given, np.array([ends[0], d_head // 2 - sum(ends), ends[1]]),
                   f"{source}, float32: frequencies that are kept, neither, divided", EXACT)


def phi3_config(d_head, base, max_len, train_len, short, long):
    """Phi-3's configuration, with one head and these lengths and factors."""
    return Phi3Config(
        hidden_size=d_head, num_attention_heads=1, max_position_embeddings=max_len,
        original_max_position_embeddings=train_len, rope_parameters={
            "rope_type": "longrope", "rope_theta": base, "short_factor": short.tolist(), "long_factor": long.tolist(),
            "original_max_position_embeddings": train_len})


def longrope(golden):
    """Phi-3's rotary embedding computes angles in float32 and pairs halves: its scores are asked near position 0."""
    source = "transformers ROPE_INIT_FUNCTIONS['longrope'] with Phi-3's configuration"

    def mp_longrope(n, train_len, short, long, base):
        factors = (long if n > train_len else short).tolist()
        speeds = mp_frequencies(2 * len(factors), base)
        return [speed / mp.mpf(factor) for speed, factor in zip(speeds, factors, strict=True)]

    def mp_factor(max_len, train_len):
        stretch = mp.mpf(max_len) / train_len
        return mp.sqrt(1 + mp.log(stretch) / mp.log(train_len)) if stretch > 1 else mp.mpf(1)

    def factors_of(pairs, largest):
        """Multiples of 1/64, in no order: exact in float32, too."""
        return golden.rng.integers(40, int(64 * largest), pairs) / 64

    # 1. a factor for every pair; 48 pairs and 4096 positions are those of Phi-3 mini

    for pairs, n, train_len, base in [
        (48, 4096, 4096, 10000.0), (48, 4097, 4096, 10000.0), (48, 131072, 4096, 10000.0), (4, 20, 64, 10000.0),
        (13, 700, 512, 500.0), (1, 3, 2, 10000.0), (32, 512, 513, 500000.0),
    ]:
        short, long = factors_of(pairs, 3.0), factors_of(pairs, 65.0)
        given = {"n": n, "train_len": train_len, "short_factors": short, "long_factors": long, **based(base)}
        name = f"{pairs}_pairs_{n}_of_{train_len}_base_{base:g}"
        golden.add(f"frequencies_{name}", "longrope_frequencies", given,
                   floats(mp_longrope(n, train_len, short, long, base)), "mpmath, 50 digits")
        speeds, _ = ROPE_INIT_FUNCTIONS["longrope"](
            phi3_config(2 * pairs, base, 32 * train_len, train_len, short, long), "cpu", seq_len=n)
        golden.add(f"transformers_frequencies_{name}", "longrope_frequencies", given, speeds.numpy(),
                   f"{source}, float32", CLOSE)

    # 2. the attention factor

    one = np.ones(2)
    for max_len, train_len in [(131072, 4096), (8192, 4096), (5000, 4096), (4096, 4096), (2048, 4096), (9, 2), (2, 3)]:
        given = {"max_len": max_len, "train_len": train_len}
        golden.add(f"factor_{max_len}_of_{train_len}", "longrope_attention_factor", given,
                   float(mp_factor(max_len, train_len)), "mpmath, 50 digits")
        _, factor = ROPE_INIT_FUNCTIONS["longrope"](phi3_config(4, 1e4, max_len, train_len, one, one), "cpu")
        golden.add(f"transformers_factor_{max_len}_of_{train_len}", "longrope_attention_factor", given, float(factor),
                   source)

    # 3. scores: the longest text, and whether the longest position is that of a query or of a key

    def mp_scores(q, k, q_positions, k_positions, speeds, factor):
        """Pairs as complex numbers, one score at a time."""
        def turned(x, positions):
            for row, position in zip(x.tolist(), positions.tolist(), strict=True):
                points = [mp.mpc(a, b) * mp.expj(position * speed)
                          for a, b, speed in zip(row[0::2], row[1::2], speeds, strict=True)]
                yield [factor * part for z in points for part in (z.real, z.imag)]

        keys = list(turned(k, k_positions))
        return [[mp_dot(query, key) for key in keys] for query in turned(q, q_positions)]

    def halves(x):
        return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)

    def phi3_scores(q, k, q_positions, k_positions, config):
        """Phi-3's rotation; all positions go in at once, because the longest decides."""
        positions = torch.as_tensor(np.concatenate([q_positions, k_positions]))[None]
        q, k = (torch.as_tensor(halves(x))[None, None] for x in (q, k))
        with in_double_precision():
            cos, sin = phi3.Phi3RotaryEmbedding(config)(q, positions)            # (1, n_queries + n_keys, d_head)
        n_queries = len(q_positions)
        queries, _ = phi3.apply_rotary_pos_emb(q, q, cos[:, :n_queries], sin[:, :n_queries])
        _, keys = phi3.apply_rotary_pos_emb(k, k, cos[:, n_queries:], sin[:, n_queries:])
        return (queries @ keys.swapaxes(-1, -2))[0, 0].numpy()

    for place, far_query, far_key, d_head, max_len, train_len, base in [
        ("short", 15, 13, 8, 512, 16, 10000.0), ("query", 16, 13, 8, 512, 16, 10000.0),
        ("key", 3, 16, 12, 20, 16, 10000.0), ("both", 29, 30, 96, 64, 8, 10000.0), ("no_longer", 9, 2, 6, 4, 10, 300.0),
    ]:
        q_positions, k_positions = np.array([2, far_query, 0]), np.array([1, 2, far_key, 0, 2])
        q, k = golden.numbers(3, d_head), golden.numbers(5, d_head)
        short, long = factors_of(d_head // 2, 3.0), factors_of(d_head // 2, 65.0)
        n = max(*q_positions, *k_positions) + 1
        given = {
            "q": q, "k": k, "q_positions": q_positions, "k_positions": k_positions, "max_len": max_len,
            "train_len": train_len, "short_factors": short, "long_factors": long, **based(base)}
        exact = mp_scores(q, k, q_positions, k_positions, mp_longrope(n, train_len, short, long, base),
                          mp_factor(max_len, train_len))
        golden.add(f"scores_{place}", "longrope_scores", given, floats(exact), "mpmath, 50 digits", FAR)
        config = phi3_config(d_head, base, max_len, train_len, short, long)
        golden.add(f"phi3_scores_{place}", "longrope_scores", given,
                   phi3_scores(q, k, q_positions, k_positions, config),
                   "transformers Phi3RotaryEmbedding and apply_rotary_pos_emb in double precision, columns in halves",
                   FAR)
