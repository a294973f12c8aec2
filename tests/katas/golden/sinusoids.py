"""Chapter 2, sinusoids: 50 digits, and the tables of transformers."""
from itertools import pairwise

import mpmath as mp
import numpy as np
import torch
import torch.nn.functional as F
from transformers import MarianConfig
from transformers.models.distilbert import modeling_distilbert as distilbert
from transformers.models.marian import modeling_marian as marian

from golden import EXACT, FAR, FLOAT32, FLOAT64, based
from oracles import floats, mp_cosines, mp_distance, mp_dot, mp_frequencies, mp_table


def positional_formula(golden):
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


def similarity_matrix(golden):
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


def translation_invariance(golden):
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


def shift_matrix(golden):
    def moved(rows, offset, base):
        """Rows of mpf or float moved by turning cosine + i sine, pair by pair."""
        results = []
        for row in rows:
            speeds = mp_frequencies(len(row), base)
            points = [mp.mpc(cosine, sine) * mp.expj(mp.mpf(offset) * speed)
                      for sine, cosine, speed in zip(row[0::2], row[1::2], speeds, strict=True)]
            results.append([part for z in points for part in (z.imag, z.real)])
        return results

    digits = "mpmath, 50 digits"
    for offset, d_model, base in [
        (3, 8, 10000.0), (-7, 6, 10000.0), (2.375, 10, 500.0), (512, 8, 10000.0), (0, 4, 10000.0), (5, 2, 7.0),
        (-0.5, 12, 0.5),
    ]:
        columns = floats(moved(np.eye(d_model).tolist(), offset, base))       # moved unit vectors
        golden.add(f"matrix_{offset:g}_width_{d_model}_base_{base:g}", "shift_matrix",
                   {"offset": offset, "d_model": d_model, **based(base)}, columns.T,
                   f"{digits}, complex numbers")

    for offset, d_model, base in [(1, 8, 10000.0), (-4.25, 6, 100.0)]:
        generator = torch.zeros(d_model, d_model)                # the rate at which sine and cosine change
        for pair, speed in enumerate(floats(mp_frequencies(d_model, base))):
            generator[2 * pair, 2 * pair + 1], generator[2 * pair + 1, 2 * pair] = speed, -speed
        golden.add(f"matrix_{offset:g}_width_{d_model}_matrix_exp", "shift_matrix",
                   {"offset": offset, "d_model": d_model, **based(base)},
                   torch.matrix_exp(offset * generator), "torch.matrix_exp of the generator, float64")

    positions = [4, 0, 31, 31, -6.5, 200]
    for offset, d_model, base in [(9, 8, 10000.0), (-12, 6, 10000.0), (0.75, 10, 300.0)]:
        golden.add(f"rows_{offset:g}_width_{d_model}_base_{base:g}", "shift_encoding",
                   {"encoding": floats(mp_table(positions, d_model, base)), "offset": offset, **based(base)},
                   floats(mp_table([p + offset for p in positions], d_model, base)),
                   f"{digits}: the table at the later positions", {**FLOAT64, "rtol": 1e-9, "atol": 1e-9})
    drawn = golden.numbers(7, 8)
    drawn[3] = 0.0
    for offset in (5, -2.5):
        golden.add(f"drawn_rows_{offset:g}", "shift_encoding", {"encoding": drawn, "offset": offset, "base": 50.0},
                   floats(moved(drawn.tolist(), offset, 50.0)), f"{digits}, complex numbers, from the stored rows")

    table = distilbert.create_sinusoidal_embeddings(30, 12, torch.empty(30, 12)).numpy().astype(np.float32)
    for offset in (7, -7):
        here, there = (table[:-7], table[7:]) if offset > 0 else (table[7:], table[:-7])
        golden.add(f"distilbert_{offset}", "shift_encoding", {"encoding": here, "offset": offset}, there,
                   "transformers DistilBERT create_sinusoidal_embeddings, float32: its own later rows", FLOAT32)


def adding_positions(golden):
    def embedded(ids, table, encoding, scale):
        """torch's own look-up, twice: words by their ids, positions by theirs."""
        ids, table, encoding = map(torch.as_tensor, (ids, table, encoding))
        words = F.embedding(ids, table)
        places = F.embedding(torch.arange(ids.shape[-1]).expand(ids.shape), encoding)
        return words * (table.shape[1] ** 0.5 if scale else 1.0) + places

    for case, shape, vocab, max_len, d, scale in [
        ("one_sequence", (7,), 5, 9, 6, True), ("unscaled", (7,), 5, 9, 6, False), ("one_word", (1,), 3, 1, 5, True),
        ("batch", (3, 5), 11, 8, 4, True), ("two_axes_unscaled", (2, 3, 5), 6, 5, 3, False),
        ("as_many_of_everything", (4, 4), 4, 4, 4, True),
    ]:
        given = {"token_ids": golden.rng.integers(0, vocab, shape), "token_table": golden.numbers(vocab, d),
                 "encoding": golden.numbers(max_len, d)}
        golden.add(f"embed_{case}", "embed", {**given, **({} if scale else {"scale": False})},
                   embedded(*given.values(), scale), "torch.nn.functional.embedding in float64, twice, and a sum")

    table, ids = golden.numbers(9, 12), golden.rng.integers(0, 9, (2, 6))
    config = MarianConfig(
        vocab_size=9, d_model=12, max_position_embeddings=16, encoder_layers=0, decoder_layers=0,
        encoder_attention_heads=1, decoder_attention_heads=1, encoder_ffn_dim=4, decoder_ffn_dim=4,
        scale_embedding=True, pad_token_id=0, decoder_start_token_id=0, dropout=0.0)
    encoder = marian.MarianEncoder(config).eval()                # without layers it returns what would go into them
    encoder.embed_tokens.weight.copy_(torch.as_tensor(table))
    encoding = encoder.embed_positions.create_weight()           # all sines first, which is all one to a sum
    encoder.embed_positions.weight.copy_(encoding)
    golden.add("embed_marian", "embed",
               {"token_ids": ids, "token_table": table, "encoding": encoding.numpy()},
               encoder(torch.as_tensor(ids)).last_hidden_state,
               "transformers MarianEncoder without layers, scale_embedding=True, float64")

    places = floats(mp_table(range(12), 8))
    drawn = golden.numbers(7, 10)
    for case, word, encoding, i, j in [
        ("sinusoids", golden.numbers(8), places, 0, 9), ("sinusoids_neighbours", golden.numbers(8), places, 11, 10),
        ("short_word", golden.numbers(10, size=0.25), drawn, 6, 2), ("no_word", np.zeros(10), drawn, 0, 1),
        ("long_word", golden.numbers(10, size=200.0), drawn, 3, 5), ("one_position", golden.numbers(10), drawn, 4, 4),
    ]:
        here, there = ([mp.mpf(w) + mp.mpf(p) for w, p in zip(word.tolist(), encoding[at].tolist(), strict=True)]
                       for at in (i, j))
        cosine = mp_dot(here, there) / mp.sqrt(mp_dot(here, here) * mp_dot(there, there))
        given = {"word": word, "encoding": encoding, "i": i, "j": j}
        golden.add(f"similarity_{case}", "same_word_similarity", given, np.array(float(cosine)), "mpmath, 50 digits")
        rows = torch.as_tensor(word) + torch.as_tensor(encoding[[i, j]])
        golden.add(f"similarity_{case}_torch", "same_word_similarity", given,
                   F.cosine_similarity(rows[0], rows[1], dim=0), "torch cosine_similarity in float64")

    for case, shape in [("table", (9, 5)), ("batch", (3, 7, 4)), ("two_axes", (2, 3, 5, 4)), ("one_row", (1, 6))]:
        x = golden.numbers(*shape)
        golden.add(f"sum_{case}", "sum_pool", {"x": x}, torch.as_tensor(x).sum(-2), "torch.sum in float64")
