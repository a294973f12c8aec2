"""The sums of the layer, the entries after dropout, and how many numbers each kind of layer trains."""
import numpy as np

from grader.course.panels import Curves, heatmap

KINDS = ("sinusoidal", "learned", "hybrid")


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    words = np.random.default_rng(1).normal(scale=0.5, size=(4, 16))                        # (4, 16)
    ids = np.repeat([0, 1, 2, 3], 8)                                                        # (32,)
    shares = np.arange(10) / 10.0                                                           # (10,)
    lengths = 512 * np.arange(1, 17)                                                        # (16,)

    def tokens():
        return kata.embedding_layer(ids, words, np.zeros((32, 16)))                         # (32, 16)

    def sums():
        return kata.embedding_layer(ids, words, kata.build_position_table("sinusoidal", 32, 16))     # (32, 16)

    def extreme(pick):
        ones, zeros = np.ones((1, 64)), np.zeros((64, 64))
        return lambda: [pick(kata.embedding_layer(0 * np.arange(64), ones, zeros, share, 0)) for share in shares]

    def by_length(kind):
        return lambda: [kata.parameter_count(kind, 30522, int(n), 768) / 1e6 for n in lengths]

    axes = {"x": "column (index)", "y": "position (tokens)", "colour": "entry"}
    return [
        heatmap("Token rows: four words, each eight times", tokens, **axes),
        heatmap("Token rows plus sinusoidal position rows", sums, **axes),
        Curves("Entries that were 1, after dropout", {"kept": extreme(np.max), "dropped": extreme(np.min)},
               x="dropout (probability)", y="entry", over=shares),
        Curves("Trained numbers: 30522 words, width 768", {kind: by_length(kind) for kind in KINDS},
               x="longest sequence (tokens)", y="trained numbers\n(millions)", over=lengths),
    ]
