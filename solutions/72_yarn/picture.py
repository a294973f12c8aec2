"""The turns of every pair in training, how much YaRN slows it, the ramp for other lengths, and the factor."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn. The numbers are those of DeepSeek-V3."""
    exponents = -np.arange(0, 64, 2) / 64                                                   # (32,)
    kept = 10000.0 ** exponents                                                             # (32,)
    ntk = (10000.0 * 40.0 ** (64 / 62)) ** exponents                                        # (32,) as in kata 71
    scales = np.arange(0.5, 40.5, 0.5)                                                      # (80,)

    def slowed(train_len):
        return lambda: kept / kata.yarn_frequencies(64, 40.0, train_len)

    return [
        Curves("Turns each pair makes in 4096 positions", {
                   "turns": lambda: 4096 * kata.yarn_frequencies(64, 1.0, 4096) / (2 * np.pi),
                   "32 turns": np.full(32, 32.0), "1 turn": np.ones(32),
               }, x="pair of columns (index)", y="turns (number)", over=np.arange(32), log="y"),
        Curves("How many times slower each pair turns", {
                   "YaRN": slowed(4096), "interpolated": np.full(32, 40.0), "NTK-aware base": kept / ntk,
               }, x="pair of columns (index)", y="slower by (factor)", over=np.arange(32), log="y"),
        Curves("The ramp for three training lengths", {f"length {n}": slowed(n) for n in (512, 4096, 32768)},
               x="pair of columns (index)", y="slower by (factor)", over=np.arange(32), log="y"),
        Curves("What queries and keys are multiplied by", {
                   "YaRN": lambda: [kata.yarn_attention_factor(float(scale)) for scale in scales],
               }, x="scale (times the training length)", y="factor", over=scales),
    ]
