"""The wavelength of every pair, how much two Llama models slow it, and how many pairs meet each fate."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn. The numbers are those of Llama 3.1 8B and Llama 3.2 3B."""
    kept = 500000.0 ** (-np.arange(0, 128, 2) / 128)                                        # (64,)
    lengths = 2 ** np.arange(10, 21)                                                        # (11,)

    def slowed(factor):
        return lambda: kept / kata.llama3_frequencies(128, factor, 8192)

    def counted(fate):
        return lambda: [kata.pairs_by_fate(128, int(n))[fate] for n in lengths]

    return [
        Curves("Positions each pair needs for a full turn", {
                   "wavelength": lambda: kata.wavelengths(128, 500000.0),
                   "8192 / 4": np.full(64, 2048.0), "8192 / 1": np.full(64, 8192.0),
               }, x="pair of columns (index)", y="wavelength (positions)", over=np.arange(64), log="y"),
        Curves("How many times slower each pair turns", {
                   "Llama 3.1 8B": slowed(8.0), "Llama 3.2 3B": slowed(32.0),
               }, x="pair of columns (index)", y="slower by (factor)", over=np.arange(64), log="y"),
        Curves("Pairs by fate for each length of training", {
                   "kept": counted(0), "blended": counted(1), "divided": counted(2),
               }, x="length in training (positions)", y="pairs (number)", over=lengths, log="x"),
    ]
