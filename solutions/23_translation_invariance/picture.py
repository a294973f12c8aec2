"""Distances of rows a fixed number of positions apart: flat in a sinusoidal table, not in a random one."""
import numpy as np

from grader.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.outer(np.arange(64), 10000.0 ** (-np.arange(0, 32, 2) / 32))                # (64, 16)
    sinusoidal = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 32)        # (64, 32)
    chance = np.random.default_rng(0).normal(scale=0.7, size=(64, 32))                      # (64, 32)
    starts, offsets = np.arange(48), np.arange(48)

    def along(table, offset):
        return lambda: kata.offset_distances(table, offset)[:48]                            # (48,)

    def mean(table):
        return lambda: [kata.offset_distances(table, int(offset)).mean() for offset in offsets]

    def closed(width):
        return lambda: kata.similarity_at_offset(np.arange(-64, 65), width) / (width / 2)   # (129,)

    return [
        Curves("Sinusoidal rows: the same distance wherever they stand",
               {f"offset {k}": along(sinusoidal, k) for k in (1, 4, 16)},
               x="position of the first row (tokens)", y="distance (no unit)", over=starts),
        Curves("Random rows: another distance everywhere",
               {f"offset {k}": along(chance, k) for k in (1, 4, 16)},
               x="position of the first row (tokens)", y="distance (no unit)", over=starts),
        Curves("Mean distance by offset", {"sinusoidal": mean(sinusoidal), "random": mean(chance)},
               x="offset (positions)", y="distance (no unit)", over=offsets),
        Curves("Similarity by offset, in closed form", {f"width {d}": closed(d) for d in (32, 128)},
               x="offset (positions)", y="share of the largest\n(no unit)", over=np.arange(-64, 65)),
    ]
