"""The mean of the words so far, which rows another order changes, and positions read from rounded shares."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    mark = np.eye(512, 1)                                                    # (512, 1) 1 in the first token
    words = np.random.default_rng(3).normal(size=(32, 16)) / 4                # (32, 16)
    places = np.arange(32)
    swapped, reversed_16 = places.copy(), places.copy()
    swapped[[4, 12]] = 12, 4
    reversed_16[:16] = reversed_16[15::-1]

    def in_bfloat16(numbers):
        fraction, power = np.frexp(numbers)
        return np.ldexp(np.rint(fraction * 256), power - 8)                  # 8 significant bits

    def mean(rows, column):
        return lambda: kata.prefix_mean(rows)[:, column]                     # (n,)

    def read_back(rounded):
        return lambda: kata.positions_from_share(rounded(mean(mark, 0)()[480:]))       # (32,)

    def gap(order):
        return lambda: kata.prefix_gap(words, order)                         # (32,)

    return [
        Curves("Only the mark shows the position", {
                   "the mark": mean(mark[:32], 0),
                   "column 1": mean(words, 1), "column 5": mean(words, 5),
               }, x="position (tokens)", y="mean so far", over=places),
        Curves("Rows that another order changes", {
                   "4 and 12 swapped": gap(swapped), "first 16 reversed": gap(reversed_16),
                   "all 32 reversed": gap(places[::-1]),
               }, x="position of the row (tokens)", y="largest change", over=places),
        Curves("Positions read back, share exact or rounded", {
                   "exact": read_back(np.asarray), "bfloat16": read_back(in_bfloat16),
               }, x="position (tokens)", y="read back\n(tokens)", over=np.arange(480, 512)),
    ]
