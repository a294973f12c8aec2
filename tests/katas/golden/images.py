"""Chapter 8, images: the sinusoids of ViT-MAE, the biases of Swin and the coordinates of Swin V2 in transformers."""
import numpy as np
import torch
from transformers import Swinv2Config
from transformers.models.swin import modeling_swin as swin
from transformers.models.swinv2 import modeling_swinv2 as swinv2
from transformers.models.vit_mae import modeling_vit_mae as vit_mae

from golden import EXACT, based

FLOAT32 = {"precision": "float32", "rtol": 1e-6, "atol": 1e-6}


def grid_encoding(golden):
    for height, width in [(3, 5), (5, 3), (4, 4), (1, 6), (6, 1), (1, 1), (7, 12)]:
        golden.add(f"positions_{height}_by_{width}", "grid_positions", {"height": height, "width": width},
                   torch.cartesian_prod(torch.arange(height), torch.arange(width)), "torch.cartesian_prod", EXACT)

    # This function has the rows first. The tables that MAE released have the columns first, and so do its checkpoints.
    table = vit_mae.build_2d_sinusoidal_position_embedding
    source = "transformers ViT-MAE build_2d_sinusoidal_position_embedding"
    for height, width, d_model, base in [
        (3, 5, 16, 10000.0), (5, 3, 16, 10000.0), (4, 4, 8, 777.0), (1, 9, 12, 10000.0), (9, 1, 12, 10000.0),
        (1, 1, 4, 10000.0), (6, 2, 4, 50.0), (2, 7, 36, 20000.0),
    ]:
        golden.add(f"table_{height}_by_{width}_width_{d_model}_base_{base:g}", "grid_encoding",
                   {"height": height, "width": width, "d_model": d_model, **based(base)},
                   table(height, width, d_model, base, dtype=torch.float64), f"{source}, float64")
    for height, width, d_model, rows in [(14, 14, 768, [0, 1, 14, 100, 195]), (9, 21, 64, [20, 21, 188])]:
        golden.add(f"model_{height}_by_{width}_width_{d_model}", "grid_encoding",
                   {"height": height, "width": width, "d_model": d_model}, table(height, width, d_model)[rows],
                   f"{source}, rounded to float32", FLOAT32, rows)

    for height, width, d, row, column in [
        (3, 5, 6, 1, 3), (5, 3, 6, 4, 0), (4, 4, 16, 2, 1), (1, 8, 3, 0, 7), (8, 1, 3, 6, 0), (1, 1, 5, 0, 0),
    ]:
        encoding = golden.numbers(height * width, d)
        # a convolution whose one filter, of one pixel, is the row of the patch
        image = torch.as_tensor(encoding).T.reshape(1, d, height, width)
        wanted = torch.nn.functional.conv2d(image, image[:, :, row : row + 1, column : column + 1])[0, 0]
        golden.add(f"map_{height}_by_{width}_around_{row}_{column}", "similarity_map",
                   {"encoding": encoding, "row": row, "column": column, "height": height, "width": width}, wanted,
                   "torch.nn.functional.conv2d in float64, one filter of one pixel")


def window_bias(golden):
    windows = [(2, 3), (3, 2), (4, 4), (1, 5), (5, 1), (1, 1), (7, 7), (3, 8)]

    def swin_v2(height, width):
        """The attention layer of Swin V2 whose window has these sizes."""
        config = Swinv2Config(embed_dim=6, num_heads=(3,), depths=(1,))
        return swinv2.Swinv2SelfAttention(config, dim=6, num_heads=3, window_size=(height, width))

    for height, width in windows:
        index = swin.SwinRelativePositionBias(1, (height, width)).relative_position_index
        golden.add(f"index_{height}_by_{width}", "window_index", {"height": height, "width": width},
                   index.reshape(height * width, height * width),
                   "transformers SwinRelativePositionBias, its relative_position_index", EXACT)
    for height, width in [(2, 6), (6, 2), (5, 5)]:
        _, index = swin_v2(height, width).create_coords_table_and_index()
        golden.add(f"index_{height}_by_{width}_swin_v2", "window_index", {"height": height, "width": width}, index,
                   "transformers Swin V2 create_coords_table_and_index", EXACT)

    for (height, width), heads in zip(windows, (3, 6, 12, 5, 2, 4, 3, 2), strict=True):
        table = golden.numbers((2 * height - 1) * (2 * width - 1), heads)
        layer = swin.SwinRelativePositionBias(heads, (height, width))
        layer.relative_position_bias_table.copy_(torch.as_tensor(table))
        golden.add(f"bias_{height}_by_{width}_{heads}_heads", "window_bias",
                   {"table": table, "height": height, "width": width}, layer()[0],
                   "transformers SwinRelativePositionBias in float64")

    # The offsets are float32 there until the logarithm has been taken.
    for height, width in [(2, 3), (3, 2), (2, 2), (8, 8), (16, 16), (5, 12), (12, 5), (7, 24)]:
        coordinates, _ = swin_v2(height, width).create_coords_table_and_index()
        golden.add(f"offsets_{height}_by_{width}", "log_offsets", {"height": height, "width": width},
                   coordinates[0].numpy().astype(np.float32),
                   "transformers Swin V2 create_coords_table_and_index, computed in float32",
                   FLOAT32)
