"""What several chapters ask: formulas to 50 digits, and the rotations of public libraries."""
from contextlib import contextmanager
from unittest.mock import patch

import mpmath as mp
import numpy as np
import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gptj import modeling_gptj as gptj
from x_transformers import x_transformers

mp.mp.dps = 50


@contextmanager
def in_double_precision():
    """Public code that asks for float32 gets float64."""
    with patch.object(torch, "float32", torch.float64), patch.object(torch, "float", torch.float64), \
            patch.object(torch.Tensor, "float", torch.Tensor.double):
        yield


def future(n_queries, n_keys=None):
    """True where a key comes after its query; the queries are the last ones."""
    n_keys = n_keys or n_queries
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries + 1)


def scaled_by_transformers(rope_type, d_head, base, n=None, train_len=512, **options):
    """Frequencies and attention factor that the transformers library makes, float32."""
    config = LlamaConfig(
        hidden_size=d_head, num_attention_heads=1, head_dim=d_head, max_position_embeddings=train_len,
        rope_parameters={"rope_type": rope_type, "rope_theta": base, **options})
    frequencies, factor = ROPE_INIT_FUNCTIONS[rope_type](config, "cpu", seq_len=n)
    return frequencies.numpy(), factor


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
