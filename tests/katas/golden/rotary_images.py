"""Chapter 8, rotary positions of images and video: timm for rows and columns, transformers for three positions.

timm's layers need torchvision at import, so the two files with the rotation are loaded without the rest of timm.
"""
import importlib.util
import sys
import types
from importlib.metadata import version

import numpy as np
import torch
from transformers import Qwen2VLConfig, Qwen2VLTextConfig
from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2_vl

from golden import EXACT, FLOAT32, based
from oracles import floats, lucidrains, mp_frequencies

TIMM = f"timm {version('timm')}"
SMALL = {**FLOAT32, "rtol": 1e-6, "atol": 1e-6}          # float32, but angles and vectors are small


def timm_rotary():
    """The module timm.layers.pos_embed_sincos, with its neighbours but without timm/__init__.py."""
    where = importlib.util.find_spec("timm").submodule_search_locations[0]      # finds it, does not import it
    for name in ("timm", "timm.layers"):
        package = types.ModuleType(name)
        package.__path__ = [where + name.removeprefix("timm").replace(".", "/")]
        sys.modules.setdefault(name, package)
    return importlib.import_module("timm.layers.pos_embed_sincos")


def timm_tables(rotary, d_head, base, shape, train=None, precise=True):
    """EVA-02's sines and cosines; its own frequencies are float32, so mpmath makes others."""
    maker = rotary.RotaryEmbeddingCat(d_head, temperature=base, in_pixels=False, ref_feat_shape=train)
    if not precise:
        return maker.get_embed(shape)
    bands = torch.tensor(floats(mp_frequencies(d_head // 2, base)))
    sin, cos = rotary.build_rotary_pos_embed(shape, bands=bands, in_pixels=False, ref_feat_shape=train,
                                             dtype=torch.float64)
    return torch.cat([sin, cos], dim=-1)


def axial_rope(golden):
    rotary = timm_rotary()

    # whole images: timm counts the patches itself, row by row, so only the contract is given rows and columns
    for case, shape, leading, d_head, base in [
        ("image_3_by_4", (3, 4), (2,), 8, 10000.0), ("image_5_by_2_base_300", (5, 2), (), 12, 300.0),
        ("image_1_by_6", (1, 6), (2, 3), 4, 10000.0), ("image_4_by_4_base_50", (4, 4), (1, 2), 16, 50.0),
    ]:
        x = golden.numbers(*leading, shape[0] * shape[1], d_head)
        rows, columns = np.repeat(np.arange(shape[0]), shape[1]), np.tile(np.arange(shape[1]), shape[0])
        golden.add(case, "axial_rope", {"x": x, "rows": rows, "columns": columns, **based(base)},
                   rotary.apply_rot_embed_cat(torch.as_tensor(x), timm_tables(rotary, d_head, base, shape)),
                   f"{TIMM}, build_rotary_pos_embed and apply_rot_embed_cat, float64 with mpmath's frequencies")
    x = golden.numbers(12, 64)
    rows, columns = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    golden.add("image_3_by_4_float32", "axial_rope", {"x": x, "rows": rows, "columns": columns},
               rotary.apply_rot_embed_cat(torch.as_tensor(x), timm_tables(rotary, 64, 10000.0, (3, 4), precise=False)),
               f"{TIMM}, RotaryEmbeddingCat and apply_rot_embed_cat, its own float32 tables", SMALL)

    # any places: each half by a library for one kind of position
    x = golden.numbers(2, 5, 12)
    rows, columns = np.array([-7.5, 4.0, 4.0, 90.25, 0.0]), np.array([3, 0, -2, 40, 3])
    halves = [lucidrains(6, 700.0)(torch.as_tensor(places, dtype=torch.float64)) for places in (rows, columns)]
    turned = [torch.view_as_real(torch.view_as_complex(torch.as_tensor(half).contiguous().view(2, 5, 3, 2))
                                 * torch.polar(torch.ones(5, 3), angles[:, 0::2])).flatten(-2)
              for half, angles in zip(np.split(x, 2, axis=-1), halves, strict=True)]
    golden.add("scattered_places", "axial_rope", {"x": x, "rows": rows, "columns": columns, "base": 700.0},
               torch.cat(turned, dim=-1), "rotary-embedding-torch's angles of either half, complex numbers of torch")

    for case, shape, leading, d_head, base in [
        ("scores_3_by_4", (3, 4), (2,), 8, 10000.0), ("scores_5_by_2_base_300", (5, 2), (2, 3), 12, 300.0),
        ("scores_2_by_2_base_50", (2, 2), (), 4, 50.0),
    ]:
        q, k = golden.numbers(2, *leading, shape[0] * shape[1], d_head)
        table = timm_tables(rotary, d_head, base, shape)
        turned = [rotary.apply_rot_embed_cat(torch.as_tensor(v), table) for v in (q, k)]
        golden.add(case, "axial_scores", {"q": q, "k": k, "height": shape[0], "width": shape[1], **based(base)},
                   turned[0] @ turned[1].mT, f"{TIMM}, apply_rot_embed_cat in float64, then torch matmul")

    for case, shape, train in [
        ("as_trained", (3, 4), (3, 4)), ("larger", (8, 6), (4, 4)), ("smaller", (2, 3), (5, 7)),
        ("longer_and_narrower", (7, 3), (5, 6)), ("eva_02_at_448_pixels", (32, 32), (16, 16)),
    ]:
        grid = rotary._build_grid(shape, ref_feat_shape=train).flatten(0, 1)    # (height * width, 2)
        sides = dict(zip(("height", "width", "train_height", "train_width"), (*shape, *train), strict=True))
        golden.add(f"resized_{case}", "resized_positions", sides, (grid[:, 0], grid[:, 1]),
                   f"{TIMM}, _build_grid with ref_feat_shape, float32", SMALL)

    # the whole of it: EVA-02's tables for a larger image against places that the contract stretches
    x = golden.numbers(1, 24, 16)
    places = np.indices((4, 6)).reshape(2, -1) * np.array([[2 / 4], [2 / 6]])
    golden.add("resized_image", "axial_rope", {"x": x, "rows": places[0], "columns": places[1]},
               rotary.apply_rot_embed_cat(torch.as_tensor(x),
                                          timm_tables(rotary, 16, 10000.0, (4, 6), (2, 2), precise=False)),
               f"{TIMM}, RotaryEmbeddingCat with ref_feat_shape, float32 tables", SMALL)


def qwen2_vl_positions(segments, merge=2):
    """get_rope_index of Qwen2-VL, which reads its sizes in patches; its model is not needed, only its configuration."""
    kinds, images, videos = [], [], []
    for t, h, w in segments:
        kind = 0 if t == 0 else 1 if t == 1 else 2
        kinds += [kind] * (w if t == 0 else t * h * w)
        if kind:
            (images if kind == 1 else videos).append((t, h * merge, w * merge))
    model = types.SimpleNamespace(config=Qwen2VLConfig(vision_config={"spatial_merge_size": merge}))
    model.get_vision_position_ids = types.MethodType(qwen2_vl.Qwen2VLModel.get_vision_position_ids, model)
    kinds = torch.tensor([kinds])
    positions, _ = qwen2_vl.Qwen2VLModel.get_rope_index(
        model, torch.zeros_like(kinds), kinds, *(torch.tensor(grids) if grids else None for grids in (images, videos)))
    return positions[:, 0]


def qwen2_vl_rotate(x, positions, sections, base, precise=True):
    """Qwen2-VL's rotation; its own frequencies are float32, so mpmath makes others."""
    d_head = x.shape[-1]
    config = Qwen2VLTextConfig(hidden_size=d_head, num_attention_heads=1, rope_parameters={
        "rope_type": "default", "rope_theta": base, "mrope_section": sections.tolist()})
    rotary = qwen2_vl.Qwen2VLRotaryEmbedding(config)
    x, places = torch.as_tensor(x), torch.as_tensor(positions)[:, None]         # (3, 1, n)
    if precise:
        angles = places[..., None] * torch.tensor(floats(mp_frequencies(d_head, base)))     # (3, 1, n, d_head / 2)
        cos, sin = (rotary.recomposition_frequencies(table) for table in (angles.cos(), angles.sin()))
    else:
        cos, sin = rotary(x.float(), places)
    return qwen2_vl.apply_rotary_pos_emb(x[None], x[None], cos, sin)[0][0]


def multimodal_rope(golden):
    # neighbours are never two images or two videos: Qwen2-VL has a token of text between them
    for case, *segments in [
        ("text", (0, 0, 7)), ("image", (1, 3, 5)), ("video", (4, 2, 5)),
        ("image_in_text", (0, 0, 4), (1, 8, 8), (0, 0, 6)), ("high_image", (0, 0, 1), (1, 6, 2), (0, 0, 3)),
        ("as_many_frames_as_columns", (4, 2, 4), (0, 0, 2), (3, 3, 1), (0, 0, 2)),
        ("image_next_to_video", (1, 2, 3), (3, 4, 2), (1, 5, 1), (0, 0, 1)),
        ("long", (0, 0, 9), (1, 4, 3), (0, 0, 1), (1, 1, 1), (0, 0, 5), (2, 3, 6), (0, 0, 2), (5, 5, 5), (0, 0, 8)),
    ]:
        golden.add(f"positions_{case}", "multimodal_positions", {"segments": np.array(segments)},
                   qwen2_vl_positions(segments), "transformers Qwen2VLModel.get_rope_index", EXACT)

    for case, leading, d_head, sections, base in [
        ("one_each", (2,), 6, (1, 1, 1), 1000000.0), ("uneven", (2, 3), 12, (1, 2, 3), 1000000.0),
        ("other_base", (), 16, (4, 3, 1), 300.0),
    ]:
        x, positions = golden.numbers(*leading, 7, d_head), golden.rng.integers(0, 400, (3, 7))
        sections, given = np.array(sections), {} if base == 1000000.0 else {"base": base}
        tokens = torch.as_tensor(x).reshape(-1, 7, d_head)                      # leading axes are heads there
        golden.add(f"rotation_{case}", "multimodal_rope",
                   {"x": x, "positions": positions, "sections": sections, **given},
                   qwen2_vl_rotate(tokens, positions, sections, base).reshape(x.shape),
                   "transformers Qwen2-VL recomposition_frequencies and apply_rotary_pos_emb, float64 with mpmath's "
                   "frequencies")
    x, sections = golden.numbers(1, 8, 128), np.array([16, 24, 24])
    positions = qwen2_vl_positions([(0, 0, 3), (1, 2, 2), (0, 0, 1)]).numpy()
    golden.add("rotation_of_qwen2_vl_float32", "multimodal_rope",
               {"x": x, "positions": positions, "sections": sections},
               qwen2_vl_rotate(x, positions, sections, 1000000.0, precise=False),
               "transformers Qwen2VLRotaryEmbedding and apply_rotary_pos_emb, its own float32 tables", SMALL)
