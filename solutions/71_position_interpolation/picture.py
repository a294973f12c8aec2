"""Frequencies when all pairs are slowed alike and when the base grows, and the base that follows the text."""
import numpy as np

from grader.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    exponents = -np.arange(0, 64, 2) / 64                                                   # (32,)
    kept = 10000.0 ** exponents                                                             # (32,)
    lengths = 512 * np.arange(1, 33)                                                        # (32,)

    def slowed(frequencies):
        return lambda: kept / frequencies()

    def interpolated():
        return kata.interpolated_frequencies(64, 4.0)

    def ntk():
        return kata.ntk_base(4.0, 64) ** exponents

    def bases(factor):
        return lambda: [kata.dynamic_ntk_base(int(n), 4096, 64, factor) / 1e3 for n in lengths]

    return [
        Curves("Frequencies for texts 4 times as long",
               {"of training": kept, "interpolated": interpolated, "NTK base": ntk},
               x="pair of columns (index)", y="frequency\n(radians per position)", over=np.arange(32), log="y"),
        Curves("How many times slower each pair turns",
               {"of training": np.ones(32), "interpolated": slowed(interpolated), "NTK base": slowed(ntk)},
               x="pair of columns (index)", y="slower by\n(factor)", over=np.arange(32)),
        Curves("Dynamic NTK: the base over the text, training length 4096",
               {f"factor {factor:g}": bases(factor) for factor in (1.0, 2.0)},
               x="length of the text (tokens)", y="base\n(thousands)", over=lengths),
    ]
