"""Frequencies of YaRN beside those of training and of interpolation, its ramp, and its factor on q and k."""
import numpy as np

from grader.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    exponents = -np.arange(0, 64, 2) / 64                                                   # (32,)
    kept = 10000.0 ** exponents                                                             # (32,)
    ntk = (10000.0 * 4.0 ** (64 / 62)) ** exponents                                         # (32,) as in kata 71
    scales = np.arange(0.5, 32.5, 0.5)                                                      # (64,)

    def slowed(train_len):
        return lambda: kept / kata.yarn_frequencies(64, 4.0, train_len)

    return [
        Curves("Frequencies for texts 4 times as long as 4096 tokens", {
                   "of training": kept, "interpolated": kept / 4, "NTK base": ntk,
                   "YaRN": lambda: kata.yarn_frequencies(64, 4.0, 4096),
               }, x="pair of columns (index)", y="frequency\n(radians per position)", over=np.arange(32), log="y"),
        Curves("How many times slower each pair turns", {
                   "of training": np.ones(32), "interpolated": np.full(32, 4.0), "NTK base": kept / ntk,
                   "YaRN": slowed(4096),
               }, x="pair of columns (index)", y="slower by\n(factor)", over=np.arange(32)),
        Curves("The ramp for three training lengths", {f"length {n}": slowed(n) for n in (512, 4096, 32768)},
               x="pair of columns (index)", y="slower by\n(factor)", over=np.arange(32)),
        Curves("What queries and keys are multiplied by", {
                   "YaRN": lambda: [kata.yarn_attention_factor(float(scale)) for scale in scales],
               }, x="scale (times the training length)", y="factor (no unit)", over=scales),
    ]
