"""How much Phi-3.5 mini slows every pair, what one token more does to the scores, and the attention factor."""
import numpy as np

from grader.course.panels import Curves

# config.json of Phi-3.5-mini-instruct, to two decimals
SHORT = np.array([
    1.0, 1.02, 1.03, 1.03, 1.05, 1.05, 1.05, 1.05, 1.05, 1.07, 1.1, 1.11, 1.16, 1.16, 1.17, 1.29,
    1.34, 1.68, 1.79, 1.82, 1.85, 1.88, 1.91, 1.94, 1.99, 2.02, 2.02, 2.02, 2.02, 2.02, 2.02, 2.03,
    2.03, 2.03, 2.03, 2.03, 2.03, 2.03, 2.03, 2.03, 2.08, 2.09, 2.19, 2.22, 2.59, 2.73, 2.75, 2.84,
])
LONG = np.array([
    1.08, 1.11, 1.14, 1.34, 1.59, 1.6, 1.62, 2.62, 3.23, 3.23, 4.79, 7.4, 7.7, 9.09, 12.2, 17.67,
    24.46, 28.57, 30.42, 30.84, 32.59, 32.93, 42.32, 44.96, 50.34, 50.45, 57.55, 57.93, 58.21, 60.14, 62.61, 62.62,
    62.71, 63.14, 63.14, 63.77, 63.93, 63.96, 63.97, 64.03, 64.07, 64.08, 64.12, 64.41, 64.48, 64.51, 64.53, 64.84,
])


def panels(kata):
    """What the functions of this kata make, to be drawn. The numbers are those of Phi-3.5 mini."""
    kept = 10000.0 ** (-np.arange(0, 96, 2) / 96)                                           # (48,)
    offsets = np.arange(-400, 1, 4)                                                         # (101,)
    equal = np.full((101, 96), 96**-0.5)                                                    # (101, 96) of length 1
    lengths = 2 ** np.arange(11, 18)                                                        # (7,)

    def slowed(n):
        return lambda: kept / kata.longrope_frequencies(n, 4096, SHORT, LONG)

    def scores(position):
        query = np.array([position])
        return lambda: kata.longrope_scores(
            equal[:1], equal, query, position + offsets, 131072, 4096, SHORT, LONG)[0]

    return [
        Curves("How many times slower each pair turns", {
                   "4096 tokens": slowed(4096), "4097 tokens": slowed(4097), "interpolated": np.full(48, 32.0),
               }, x="pair of columns (index)", y="slower by (factor)", over=np.arange(48), log="y"),
        Curves("One token more changes the scores", {
                   "query at 4095": scores(4095), "query at 4096": scores(4096),
               }, x="key minus query (positions)", y="score", over=offsets),
        Curves("What queries and keys are multiplied by", {
                   "LongRoPE": lambda: [kata.longrope_attention_factor(int(n), 4096) for n in lengths],
                   "YaRN": 0.1 * np.log(np.maximum(lengths / 4096, 1)) + 1,
               }, x="longest text (positions)", y="factor", over=lengths, log="x"),
    ]
