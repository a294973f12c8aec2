"""Attention in a text that repeats its words, without and with positions; a word compared with itself."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    rng = np.random.default_rng(5)
    words = np.array([0, 1, 2, 2, 1, 0])                                                    # (6,) a text, then reversed
    token_table = rng.normal(scale=32**-0.5, size=(3, 32))                                  # (3, 32)
    angles = np.outer(np.arange(64), 10000.0 ** (-np.arange(0, 32, 2) / 32))                # (64, 16)
    encoding = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(64, 32)          # (64, 32)
    word = rng.normal(size=32)                                                              # (32,)

    def weights(positions):
        def ask():
            x = kata.embed(words, token_table, positions)                                   # (6, 32)
            powers = np.exp(x @ x.T / np.sqrt(32))                                          # (6, 6)
            return powers / powers.sum(axis=-1, keepdims=True)
        return ask

    def similarity(length):
        return lambda: [kata.same_word_similarity(length * word, encoding, 0, int(j)) for j in range(64)]

    axes = {"x": "key (position)", "y": "query (position)", "colour": "attention weight"}
    return [
        heatmap("Without positions: equal words, equal rows", weights(np.zeros((64, 32))), **axes),
        heatmap("With positions added: six different rows", weights(encoding), **axes),
        Curves("How similar is a word to itself at another position?", {
                   "short word": similarity(0.2), "word as drawn": similarity(1.0), "long word": similarity(3.0),
               }, x="second position (tokens; the first is 0)", y="cosine", over=np.arange(64)),
    ]
