"""Distances between rows at a fixed offset: constant with sines and cosines, not constant with sines alone."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    angles = np.outer(np.arange(64), 10000.0 ** (-np.arange(0, 32, 2) / 32))                # (64, 16)
    sines, cosines = np.sin(angles), np.cos(angles)
    both, starts, offsets = np.hstack([sines, cosines]), np.arange(48), np.arange(48)

    def along(table, offset):
        return lambda: kata.offset_distances(table, offset)[:48]                            # (48,)

    def mean(table):
        return lambda: [kata.offset_distances(table, int(offset)).mean() for offset in offsets]

    def closed(width):
        return lambda: kata.similarity_at_offset(np.arange(-64, 65), width) / (width / 2)   # (129,)

    axes = {"x": "position of the first row (tokens)", "y": "distance", "over": starts}
    return [
        Curves("Sines and cosines: the distance is constant",
               {f"offset {k}": along(both, k) for k in (1, 4, 16)}, **axes),
        Curves("Sines alone: the distance varies",
               {f"offset {k}": along(sines, k) for k in (1, 4, 16)}, **axes),
        Curves("Mean distance by offset", {"sines and cosines": mean(both), "sines alone": mean(sines)},
               x="offset (positions)", y="distance", over=offsets),
        Curves("Similarity by offset, in closed form", {f"width {d}": closed(d) for d in (32, 512)},
               x="offset (positions)", y="part of the largest", over=np.arange(-64, 65)),
    ]
