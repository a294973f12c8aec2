"""Attention in a sentence that repeats its words, without positions and with them added."""
import numpy as np

from grader.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    rng = np.random.default_rng(5)
    words = np.array([0, 1, 2, 0, 3, 4, 0, 1, 2, 0, 3, 4])                                  # (12,) five words, repeated
    token_table = rng.normal(scale=0.2, size=(5, 32))                                       # (5, 32)
    angles = np.outer(np.arange(64), 10000.0 ** (-np.arange(0, 32, 2) / 32))                # (64, 16)
    encoding = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 32)          # (64, 32)
    word = rng.normal(size=32)                                                              # (32,)

    def weights(positions):
        def ask():
            x = kata.embed(words, token_table, positions)                                   # (12, 32)
            powers = np.exp(x @ x.T / np.sqrt(32))                                          # (12, 12)
            return powers / powers.sum(axis=-1, keepdims=True)
        return ask

    def similarity(length):
        return lambda: [kata.same_word_similarity(length * word, encoding, 0, int(j)) for j in range(64)]

    axes = {"x": "key (place in the sentence)", "y": "query\n(place in the sentence)",
            "colour": "attention weight\n(share of 1)"}
    return [
        heatmap("Attention without positions: a repeated word, the same row", weights(np.zeros((64, 32))), **axes),
        heatmap("Attention with positions added: every row is its own", weights(encoding), **axes),
        Curves("How alike is a word to itself, further on?", {
                   "short word": similarity(0.2), "word as it is": similarity(1.0), "long word": similarity(3.0),
               }, x="second place (tokens; the first is 0)", y="cosine (no unit)", over=np.arange(64)),
    ]
