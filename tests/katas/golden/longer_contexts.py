"""Chapter 7, longer contexts: transformers' rescaled frequencies, and 50 digits."""
import mpmath as mp
import numpy as np
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

from golden import EXACT, FLOAT32, Golden, based
from oracles import floats, mp_frequencies

SLOW = {**FLOAT32, "atol": 0}            # the slowest frequencies are below an atol of 2e-5
CLOSE = {**SLOW, "rtol": 1e-6}


def scaled_by_transformers(rope_type, d_head, base, n=None, train_len=512, **options):
    """Frequencies that the transformers library makes, float32."""
    config = LlamaConfig(
        hidden_size=d_head, num_attention_heads=1, head_dim=d_head, max_position_embeddings=train_len,
        rope_parameters={"rope_type": rope_type, "rope_theta": base, **options})
    frequencies, _ = ROPE_INIT_FUNCTIONS[rope_type](config, "cpu", seq_len=n)
    return frequencies.numpy()


def base_of(frequencies):
    """The base whose slowest pair turns as the last of these: the libraries return float32 frequencies only."""
    d_head = 2 * len(frequencies)
    return np.float32(float(frequencies[-1]) ** (-d_head / (d_head - 2)))


def position_interpolation():
    golden = Golden("position_interpolation")
    digits = "mpmath, 50 digits"

    # 1. all pairs alike

    for d_head, scale, base in [(8, 4.0, 10000.0), (2, 3, 10000.0), (10, 2.5, 500.0), (26, 0.3, 10000.0)]:
        golden.add(f"frequencies_{d_head}_scale_{scale:g}_base_{base:g}", "interpolated_frequencies",
                   {"d_head": d_head, "scale": scale, **based(base)},
                   floats([speed / mp.mpf(scale) for speed in mp_frequencies(d_head, base)]), digits)
    for d_head, scale, base in [(8, 2.0, 10000.0), (64, 8.0, 10000.0), (20, 3.5, 500000.0)]:
        golden.add(f"transformers_linear_{d_head}_scale_{scale:g}_base_{base:g}", "interpolated_frequencies",
                   {"d_head": d_head, "scale": scale, **based(base)},
                   scaled_by_transformers("linear", d_head, base, factor=scale),
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
                   base_of(scaled_by_transformers("dynamic", d_head, base, n, train_len, factor=factor)),
                   "transformers ROPE_INIT_FUNCTIONS['dynamic'], float32, the base of its slowest pair", FLOAT32)
    golden.write()


def yarn():
    """Transformers has float32 frequencies, and no range of its own to look at: 50 digits speak for both."""
    golden = Golden("yarn")

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
        config = LlamaConfig(
            hidden_size=d_head, num_attention_heads=1, head_dim=d_head, max_position_embeddings=train_len,
            rope_parameters={
                "rope_type": "yarn", "rope_theta": base, "factor": scale, "beta_fast": beta_fast,
                "beta_slow": beta_slow, "original_max_position_embeddings": train_len})
        frequencies, factor = ROPE_INIT_FUNCTIONS["yarn"](config, "cpu")
        source = "transformers ROPE_INIT_FUNCTIONS['yarn']"
        name = f"{d_head}_in_{train_len}_from_{beta_fast:g}_to_{beta_slow:g}_scale_{scale:g}"
        given = {"d_head": d_head, "scale": scale, "train_len": train_len, **turns(beta_fast, beta_slow),
                 **based(base)}
        golden.add(f"transformers_frequencies_{name}", "yarn_frequencies", given, frequencies.numpy(),
                   f"{source}, float32", SLOW)
        if f"factor_{scale:g}" not in {case["case"] for case in golden.cases}:
            golden.add(f"factor_{scale:g}", "yarn_attention_factor", {"scale": scale}, float(factor), source)
    golden.write()


def llama3_scaling():
    """Transformers has float32 frequencies; it is counted how many of them it has kept and divided."""
    golden = Golden("llama3_scaling")
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
        new = scaled_by_transformers(
            "llama3", d_head, base, factor=factor, low_freq_factor=low, high_freq_factor=high,
            original_max_position_embeddings=train_len, train_len=16 * train_len)
        golden.add(f"transformers_frequencies_{name}", "llama3_frequencies", {**given, "factor": factor}, new,
                   f"{source}, float32", CLOSE)
        # kept and divided frequencies are exact in float32, too
        old = scaled_by_transformers("linear", d_head, base, factor=1.0)
        ends = np.sum(new == old), np.sum(new == old / np.float32(factor))
        golden.add(f"fates_{name}", "pairs_by_fate", given, np.array([ends[0], d_head // 2 - sum(ends), ends[1]]),
                   f"{source}, float32: frequencies that are kept, neither, divided", EXACT)
    golden.write()
