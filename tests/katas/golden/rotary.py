"""Chapter 6, rotary: the rotations and their tables, by 50 digits and by public libraries."""
import mpmath as mp
import numpy as np
import torch
from rotary_embedding_torch import RotaryEmbedding
from transformers import CohereConfig, LlamaConfig
from transformers.models.cohere import modeling_cohere as cohere
from transformers.models.llama import modeling_llama as llama
from transformers.models.llama4 import modeling_llama4 as llama4

from golden import EXACT, FAR, FLOAT32, FLOAT64, based
from oracles import floats, gptj_rotate, lucidrains, mp_frequencies, mp_rope, x_transformers_rotate


def rope_rotation(golden):
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


def llama_rotate(x, positions, base, precise=True):
    """Llama in transformers: columns i and i + d/2; its own tables are float32, so mpmath makes others."""
    x = torch.as_tensor(x)
    if precise:
        speeds = mp_frequencies(x.shape[-1], base)
        rows = np.reshape(positions, -1).tolist()
        angles = torch.tensor(floats([[mp.mpf(p) * s for s in speeds] for p in rows]))
        angles = angles.reshape(*positions.shape, -1)
        cos, sin = (torch.cat([t, t], dim=-1) for t in (angles.cos(), angles.sin()))
    else:
        config = LlamaConfig(head_dim=x.shape[-1], rope_parameters={"rope_type": "default", "rope_theta": base})
        cos, sin = llama.LlamaRotaryEmbedding(config)(x, torch.as_tensor(np.atleast_2d(positions)))
        cos, sin = cos.reshape(*positions.shape, -1), sin.reshape(*positions.shape, -1)
    # its tables are (batch, n, d) and get an axis for the heads; ours broadcast without one
    return llama.apply_rotary_pos_emb(x[None], x[None], cos, sin, unsqueeze_dim=0)[0][0]


def llama4_rotate(x, positions, base):
    """Llama 4 in transformers: interleaved, complex; its axes are (batch, n, heads, d_head), always float32."""
    x = torch.as_tensor(x).float().transpose(1, 2)                          # (batch, n, heads, d_head)
    angles = torch.tensor(floats([[mp.mpf(p) * s for s in mp_frequencies(x.shape[-1], base)]
                                  for p in positions.tolist()]))
    turns = torch.polar(torch.ones_like(angles), angles).to(torch.complex64)[None]
    return llama4.apply_rotary_emb(x, x, turns)[0].transpose(1, 2)


def meta_to_transformers(w, n_heads):
    """What convert_llama_weights_to_hf.py of transformers does to the weights of queries and keys."""
    w = torch.as_tensor(w)
    rows, columns = w.shape
    return w.view(n_heads, rows // n_heads // 2, 2, columns).transpose(1, 2).reshape(rows, columns)


def rope_layouts(golden):
    for case, shape in [("vector", (6,)), ("heads", (2, 3, 4, 10))]:
        x = golden.numbers(*shape)
        golden.add(f"rotate_half_{case}", "rotate_half", {"x": x}, llama.rotate_half(torch.as_tensor(x)),
                   "transformers Llama rotate_half", EXACT)

    for case, shape, positions, base in [
        ("arange", (9, 8), np.arange(9), 10000.0),
        ("negative_fractional", (2, 5, 6), np.array([-7.5, 4.0, 4.0, 90.25, 0.0]), 100.0),
        ("own_positions", (2, 3, 4, 10), np.array([[[0, 1, 2, 3]], [[30, 2, 2, 511]]]), 500000.0),
    ]:
        x = golden.numbers(*shape)
        golden.add(f"half_{case}_llama", "apply_rope_half", {"x": x, "positions": positions, **based(base)},
                   llama_rotate(x, positions, base),
                   "transformers Llama apply_rotary_pos_emb, float64 with mpmath's tables")
    x, positions = golden.numbers(3, 6, 12), np.array([0, 5, 6, 7, 40, 200])
    golden.add("half_llama_float32", "apply_rope_half", {"x": x, "positions": positions},
               llama_rotate(torch.as_tensor(x).float(), positions, 10000.0, precise=False),
               "transformers LlamaRotaryEmbedding and apply_rotary_pos_emb, all in float32", FLOAT32)

    x, positions = golden.numbers(2, 3, 5, 8), np.array([3, -4, 0, 19, 19])
    golden.add("complex_mpmath", "apply_rope_complex", {"x": x[0, 0], "positions": positions, "base": 50.0},
               floats(mp_rope(x[0, 0], positions, 50.0)), "mpmath, 50 digits, complex numbers")
    golden.add("complex_llama4", "apply_rope_complex", {"x": x, "positions": positions, "base": 50.0},
               llama4_rotate(x, positions, 50.0), "transformers Llama 4 apply_rotary_emb, complex64", FLOAT32)
    at = np.array([0, 3, 90, 2, 511])
    golden.add("complex_gptj", "apply_rope_complex", {"x": x, "positions": at},
               gptj_rotate(x, np.stack([at, at])),
               "transformers GPT-J create_sinusoidal_positions and apply_rotary_pos_emb, float64")

    # the reorderings: Meta's permutation of rows, here on columns, there and (by an inverse in torch) back
    x = golden.numbers(2, 4, 10)
    halves = meta_to_transformers(x.reshape(8, 10).T.copy(), 1).T.reshape(2, 4, 10)
    golden.add("interleaved_to_half", "interleaved_to_half", {"x": x}, halves,
               "the permutation of convert_llama_weights_to_hf.py, one head", EXACT)
    golden.add("half_to_interleaved", "half_to_interleaved", {"x": halves.numpy()}, x,
               "the permutation of convert_llama_weights_to_hf.py, one head, read backwards", EXACT)
    for n_heads, d_head, d_model in [(3, 8, 5), (1, 6, 4), (4, 2, 3), (2, 10, 7)]:
        w = golden.numbers(n_heads * d_head, d_model)
        golden.add(f"permute_{n_heads}_heads_of_{d_head}", "permute_projection", {"w": w, "n_heads": n_heads},
                   meta_to_transformers(w, n_heads), "the permutation of convert_llama_weights_to_hf.py", EXACT)


def mp_rotary_tables(max_len, d_head, base):
    """Cosines and sines of every position, each frequency on two neighbouring columns."""
    speeds = [s for s in mp_frequencies(d_head, base) for _ in range(2)]
    angles = [[mp.mpf(p) * s for s in speeds] for p in range(max_len)]
    return floats([[mp.cos(a) for a in row] for row in angles]), floats([[mp.sin(a) for a in row] for row in angles])


def mend_the_rope(golden):
    for max_len, d_head, base in [(7, 8, 10000.0), (1, 6, 10000.0), (13, 2, 50.0), (5, 10, 500000.0)]:
        golden.add(f"tables_{max_len}_by_{d_head}_base_{base:g}", "rotary_tables",
                   {"max_len": max_len, "d_head": d_head, **based(base)},
                   mp_rotary_tables(max_len, d_head, base), "mpmath, 50 digits")
    config = CohereConfig(hidden_size=24, num_attention_heads=2,
                          rope_parameters={"rope_type": "default", "rope_theta": 300.0})
    cos, sin = cohere.CohereRotaryEmbedding(config)(torch.zeros(1, dtype=torch.float32), torch.arange(9)[None])
    golden.add("tables_9_by_12_cohere", "rotary_tables", {"max_len": 9, "d_head": 12, "base": 300.0},
               (cos[0], sin[0]), "transformers CohereRotaryEmbedding, float32", FLOAT32)

    # (batch, n, heads, d_head): what GPT-J and Cohere rotate before they swap heads and words
    x, positions = golden.numbers(2, 7, 3, 8), np.arange(7)
    cos, sin = mp_rotary_tables(7, 8, 10000.0)
    golden.add("words_before_heads_gptj", "apply_rotary", {"x": x, "cos": cos, "sin": sin, "seq_axis": 1},
               gptj_rotate(x.swapaxes(1, 2), np.stack([positions] * 2)).transpose(1, 2),
               "transformers GPT-J create_sinusoidal_positions and apply_rotary_pos_emb, float64")
    cos, sin = mp_rotary_tables(10, 8, 700.0)
    turned = cohere.apply_rotary_pos_emb(
        torch.as_tensor(x), torch.as_tensor(x), torch.as_tensor(cos[:7])[None], torch.as_tensor(sin[:7])[None],
        unsqueeze_dim=2)[0]
    golden.add("words_before_heads_cohere", "apply_rotary", {"x": x, "cos": cos, "sin": sin, "seq_axis": -3},
               turned, "transformers Cohere apply_rotary_pos_emb, float32 inside", FLOAT32)

    # the sequence on other axes
    for case, shape, axis, base in [
        ("heads_before_words", (2, 3, 6, 10), -2, 10000.0), ("words_first", (6, 2, 4), 0, 40.0),
        ("words_second", (3, 5, 2, 2, 6), 1, 500.0), ("words_alone", (9, 8), -2, 10000.0),
    ]:
        x, d_head = golden.numbers(*shape), shape[-1]
        cos, sin = mp_rotary_tables(shape[axis] + 3, d_head, base)
        # its freqs stand next to the columns, so the sequence is moved there and back by torch
        moved = torch.as_tensor(x).movedim(axis, -2)
        golden.add(f"{case}_lucidrains", "apply_rotary",
                   {"x": x, "cos": cos, "sin": sin, **({} if axis == -2 else {"seq_axis": axis})},
                   lucidrains(d_head, base).rotate_queries_or_keys(moved).movedim(-2, axis),
                   "rotary-embedding-torch rotate_queries_or_keys, float64 with mpmath's frequencies")
