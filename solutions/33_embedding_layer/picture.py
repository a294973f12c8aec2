"""How many numbers each kind of embedding layer trains."""
import numpy as np

from grader.panels import Curves

KINDS = ("sinusoidal", "learned", "hybrid")


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    lengths = 512 * np.arange(1, 17)                                                        # (16,)
    widths = 64 * np.arange(1, 17)                                                          # (16,)

    def by_length(kind):
        return lambda: [kata.parameter_count(kind, 30_000, int(n), 512) / 1e6 for n in lengths]

    def by_width(kind):
        return lambda: [kata.parameter_count(kind, 30_000, 2048, int(d)) / 1e6 for d in widths]

    return [
        Curves("Parameters by length: 30 000 tokens, width 512", {kind: by_length(kind) for kind in KINDS},
               x="longest sequence (tokens)", y="trained numbers\n(millions)", over=lengths),
        Curves("Parameters by width: 30 000 tokens, 2048 positions", {kind: by_width(kind) for kind in KINDS},
               x="width of the model (columns)", y="trained numbers\n(millions)", over=widths),
    ]
