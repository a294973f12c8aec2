"""The slowest pair in a long text, how much slower every pair turns, and the base for each length of text."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    exponents = -np.arange(0, 64, 2) / 64                                                   # (32,)
    kept = 10000.0 ** exponents                                                             # (32,)
    positions = 512 * np.arange(33)                                                         # (33,)
    lengths = positions[1:]                                                                 # (32,)

    def interpolated():
        return kata.interpolated_frequencies(64, 4.0)

    def bases(factor):
        return lambda: [kata.dynamic_ntk_base(int(n), 4096, 64, factor) / 1e3 for n in lengths]

    return [
        Curves("The slowest pair: training ends at 4096", {
                   "as trained": positions * kept[-1],
                   "interpolated": lambda: positions * interpolated()[-1],
                   "largest in training": np.full(33, 4096 * kept[-1]),
               }, x="position (tokens)", y="angle (radians)", over=positions),
        Curves("How many times slower each pair turns", {
                   "as trained": np.ones(32), "interpolated": lambda: kept / interpolated(),
                   "NTK-aware base": lambda: kept / kata.ntk_base(4.0, 64) ** exponents,
               }, x="pair of columns (index)", y="slower by (factor)", over=np.arange(32)),
        Curves("Dynamic NTK: the base for each length of text",
               {f"factor {factor:g}": bases(factor) for factor in (1.0, 2.0)},
               x="length of the text (tokens)", y="base\n(thousands)", over=lengths),
    ]
