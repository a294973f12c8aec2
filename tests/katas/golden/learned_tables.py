"""Chapter 3, learned tables: torch's look-ups, gradients and interpolation, and layers of transformers."""
import mpmath as mp
import numpy as np
import torch
import torch.nn.functional as F
from transformers import DistilBertConfig
from transformers.generation.utils import GenerationMixin
from transformers.models.distilbert import modeling_distilbert as distilbert

from golden import EXACT, FLOAT32, FLOAT64
from oracles import floats, mp_table


def learned_table(golden):
    """All but init_table: which numbers it draws is free."""
    table = golden.numbers(13, 6)
    for case, given in [
        ("from_the_start", {"n": 5}), ("with_offset", {"n": 4, "offset": 7}),
        ("the_last_row", {"n": 1, "offset": 12}), ("all", {"n": 13, "offset": 0}),
    ]:
        wanted = F.embedding(torch.arange(given["n"]) + given.get("offset", 0), torch.as_tensor(table))
        golden.add(f"look_up_{case}", "look_up", {"table": table, **given}, wanted,
                   "torch.nn.functional.embedding in float64")

    # One run of real tokens per row, left or right padded; padding gets 0 there too.
    for case, batch, n in [("some", 6, 9), ("one_place", 2, 1), ("more_texts_than_places", 11, 5)]:
        lengths, left = golden.rng.integers(1, n + 1, batch), golden.rng.integers(0, 2, batch)
        starts = left * (n - lengths)
        places = np.arange(n) - starts[:, None]
        mask = ((places >= 0) & (places < lengths[:, None])).astype(np.int64)
        wanted = GenerationMixin._prepare_position_ids_for_generation(
            None, torch.as_tensor(mask), {"attention_mask": torch.as_tensor(mask)})
        golden.add(f"position_ids_{case}", "position_ids", {"attention_mask": mask}, wanted,
                   "transformers GenerationMixin._prepare_position_ids_for_generation", EXACT)

    for case, shape, d, max_len in [
        ("one_text", (9,), 5, 7), ("batch", (3, 8), 4, 12), ("two_leading_axes", (2, 3, 5), 3, 6),
        ("one_id", (1, 1), 1, 1), ("rows_never_read", (2, 4), 6, 31),
    ]:
        ids, upstream = golden.rng.integers(0, max_len, shape), golden.numbers(*shape, d)
        with torch.enable_grad():
            layer = torch.nn.Embedding(max_len, d)
            layer(torch.as_tensor(ids)).backward(torch.as_tensor(upstream))
        given = {"ids": ids, "upstream": upstream, "max_len": max_len}
        golden.add(f"gradient_{case}", "table_gradient", given, layer.weight.grad,
                   "torch.nn.Embedding in float64, its gradient by autograd")


def stretched_table(golden):
    for old_len, new_len, d in [
        (4, 6, 3), (13, 5, 4), (7, 30, 2), (9, 9, 3), (1, 4, 3), (5, 1, 3), (6, 7, 5), (21, 2, 2),
    ]:
        table = golden.numbers(old_len, d)
        columns = torch.as_tensor(table.T.copy())[None]                     # (1, d, old_len)
        wanted = F.interpolate(columns, size=new_len, mode="linear", align_corners=False)[0].T
        given = {"table": table, "new_len": new_len}
        golden.add(f"line_{old_len}_to_{new_len}", "interpolate_table", given, wanted,
                   "torch.nn.functional.interpolate, linear, align_corners=False, float64")

    for old, new, d in [
        ((2, 3), (3, 2), 2), ((4, 7), (6, 5), 3), ((5, 5), (8, 8), 2), ((2, 8), (5, 3), 3),
        ((7, 2), (3, 9), 4), ((1, 6), (2, 4), 3), ((3, 3), (1, 1), 2),
    ]:
        table = golden.numbers(old[0] * old[1], d)
        grid = torch.as_tensor(table).reshape(*old, d).permute(2, 0, 1)[None]       # (1, d, height, width)
        wanted = F.interpolate(grid, size=new, mode="bilinear", align_corners=False)[0]
        sizes = {"old_height": old[0], "old_width": old[1], "new_height": new[0], "new_width": new[1]}
        golden.add(f"grid_{old[0]}x{old[1]}_to_{new[0]}x{new[1]}", "interpolate_grid",
                   {"table": table, **sizes}, wanted.permute(1, 2, 0).reshape(new[0] * new[1], d),
                   "torch.nn.functional.interpolate, bilinear, align_corners=False, float64")

    for n, new_len, alpha in [(4, 16, None), (5, 23, 0.25), (7, 4, 0.7), (3, 9, 0.9), (1, 1, 0.4)]:
        table = golden.numbers(n, 3)
        a, p = mp.mpf(0.4 if alpha is None else alpha), table.tolist()
        u = [[(mp.mpf(x) - a * first) / (1 - a) for x, first in zip(row, p[0], strict=True)] for row in p]
        rows = [[a * x + (1 - a) * y for x, y in zip(slow, fast, strict=True)] for slow in u for fast in u]
        given = {"table": table, "new_len": new_len, **({} if alpha is None else {"alpha": alpha})}
        golden.add(f"pairs_{n}_to_{new_len}", "hierarchical_table", given, floats(rows[:new_len]),
                   "the formula in mpmath, 50 digits")


def embedding_layer(golden):
    """All but learned tables and dropout: which numbers they draw is free."""
    for max_len, d_model in [(1, 4), (40, 16), (21, 12)]:
        table = distilbert.create_sinusoidal_embeddings(max_len, d_model, torch.empty(max_len, d_model))
        golden.add(f"sinusoidal_{max_len}_by_{d_model}", "build_position_table",
                   {"kind": "sinusoidal", "max_len": max_len, "d_model": d_model}, table.numpy().astype(np.float32),
                   "transformers DistilBERT create_sinusoidal_embeddings, interleaved", FLOAT32)
    for max_len, d_model in [(15, 7), (5, 1), (6, 10)]:
        golden.add(f"sinusoidal_{max_len}_by_{d_model}_mpmath", "build_position_table",
                   {"kind": "sinusoidal", "max_len": max_len, "d_model": d_model},
                   floats(mp_table(range(max_len), d_model)), "mpmath, 50 digits")

    for name, shape, vocab, max_len, d_model in [
        ("one_sentence", (7,), 11, 9, 6), ("batch", (3, 5), 8, 5, 4), ("two_leading_axes", (2, 3, 4), 6, 13, 5),
        ("one_word", (1,), 3, 2, 1), ("coinciding_sizes", (4, 4), 4, 4, 4),
    ]:
        ids = golden.rng.integers(0, vocab, shape)
        tokens, positions = golden.numbers(vocab, d_model), golden.numbers(max_len, d_model)
        places = torch.arange(shape[-1]).expand(shape)
        for case, dtype, tolerance in [(name, np.float64, FLOAT64), (f"{name}_float32", np.float32, FLOAT32)]:
            given = {"token_ids": ids, "token_table": tokens.astype(dtype), "position_table": positions.astype(dtype)}
            embedded = (F.embedding(torch.as_tensor(ids), torch.as_tensor(given["token_table"]))
                        + F.embedding(places, torch.as_tensor(given["position_table"])))
            golden.add(f"layer_{case}", "embedding_layer", given, embedded.numpy(),
                       "the sum of two torch.nn.functional.embedding", tolerance)

    for vocab, max_len, d_model in [(30, 12, 8), (7, 5, 4)]:
        for kind, sinusoidal in [("sinusoidal", True), ("learned", False)]:
            config = DistilBertConfig(vocab_size=vocab, max_position_embeddings=max_len, dim=d_model,
                                      sinusoidal_pos_embds=sinusoidal)
            layer = distilbert.Embeddings(config)
            count = layer.word_embeddings.weight.numel()
            positions = layer.position_embeddings.weight
            count += positions.numel() if not sinusoidal else 0       # DistilBERT fixes its sinusoids in place
            golden.add(f"count_{kind}_{vocab}_{max_len}_{d_model}", "parameter_count",
                       {"kind": kind, "vocab_size": vocab, "max_len": max_len, "d_model": d_model}, np.array(count),
                       "the entries of DistilBERT's embeddings", EXACT)
