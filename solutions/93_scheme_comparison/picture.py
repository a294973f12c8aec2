"""Trained numbers, how far ALiBi's heads look, and which scores are relative."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    lengths, slopes, atols = 2 ** np.arange(7, 14), 0.5 ** np.arange(1, 9), 10.0 ** np.arange(-10, 2.5, 0.5)
    angles = np.outer(np.arange(16), 100.0 ** (-np.arange(4) / 4))                          # (16, 4)
    table = np.hstack([np.sin(angles), np.cos(angles)])                                     # (16, 8)
    rng = np.random.default_rng(0)
    between = rng.normal(size=(8, 8))                                                       # (8, 8)
    q, k = rng.normal(size=(2, 3, 4)) + 1j * rng.normal(size=(2, 3, 4))                     # (3, 4) each, of 3 words
    turns = np.exp(1j * angles)                                                             # (16, 4)

    def rotary(words, dtype=complex):
        turned = [(rows[words] * turns).astype(dtype) for rows in (q, k)]                   # (16, 4) each
        return (turned[0] @ turned[1].conj().T).real.astype(float)                          # (16, 16)

    runs = np.repeat([0, 1, 2], (6, 5, 5))                                                  # (16,)
    masked = np.where(np.tri(16, dtype=bool) & (np.arange(16) >= 2), rotary(runs), -np.inf)

    def trained(scheme):
        return lambda: [kata.position_parameters(scheme, int(n), 768, 12, 12) for n in lengths]

    def verdicts(scores):
        return lambda: [kata.is_relative(scores, atol=float(atol)) for atol in atols]

    def windows():
        return [[kata.is_relative(masked[i : i + 2, j : j + 2]) for j in range(15)] for i in range(15)]

    def distances(n):
        back = np.subtract.outer(np.arange(n), np.arange(n))                                # (n, n)
        weights = np.exp(-np.multiply.outer(slopes, np.abs(back))) * (back >= 0)            # (8, n, n)
        return lambda: kata.mean_attention_distance(weights / weights.sum(axis=-1, keepdims=True))

    one_word = np.zeros(16, dtype=int)
    return [
        Curves("Only the learned table grows with the text",
               {scheme: trained(scheme) for scheme in ("learned", "shaw", "t5")},
               x="longest text (tokens)", y="trained numbers (count)", over=lengths, log="xy"),
        Curves("ALiBi: flat slopes look far back", {
                   **{f"{n} tokens": distances(n) for n in (64, 512)}, "no limit": 1.0 / np.expm1(slopes),
               }, x="slope of the head (logits per token)", y="mean distance (tokens)", over=slopes, log="xy"),
        Curves("Relative or not, by the tolerance", {
                   "rotary": verdicts(rotary(one_word)),
                   "rotary, float32": verdicts(rotary(one_word, np.complex64)),
                   "sinusoids": verdicts(table @ table.T),
                   "through a matrix": verdicts(table @ between @ table.T),
               }, x="largest difference allowed, atol (logits)", y="verdict\n(1 relative, 0 not)", over=atols, log="x"),
        heatmap("Rotary scores are relative within one word", windows,
                x="first key of two (position)", y="first query of two\n(position)",
                colour="verdict\n(1 relative, 0 not)"),
    ]
