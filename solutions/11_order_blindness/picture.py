"""A word moves through ten positions: its row of the output, without a mask and with a causal mask."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(10, 64))                                                           # (10, 64)
    w_q, w_k, w_v = rng.normal(size=(3, 64, 64)) / 8                                        # (64, 64) each
    causal = np.tri(10, dtype=bool)                                                         # (10, 10)
    places = np.arange(10)

    def moved(place):
        return np.insert(places[1:], place, 0)                                              # (10,) word 0 at `place`

    def attention(words, mask=None):
        return kata.self_attention(words, w_q, w_k, w_v, mask)

    def entry(column, mask):
        return lambda: [attention(x[moved(place)], mask)[place, column] for place in places]

    def rows_of_the_word(mask):
        return {f"column {column}": entry(column, mask) for column in range(4)}

    def gap(mask):
        return lambda: [kata.permutation_gap(x, w_q, w_k, w_v, moved(place), mask) for place in places]

    def last_row(layers):
        def after(words):
            for _ in range(layers):
                words = attention(words, causal)
            return words[-1]

        turned = [np.append(np.roll(places[:9], k), 9) for k in places]                     # the last word stays
        return lambda: [np.abs(after(x[order]) - after(x)).max() for order in turned]

    axes = {"x": "position of the word (index)", "y": "entry of its row", "over": places}
    return [
        Curves("No mask: the same row at every position", rows_of_the_word(None), **axes),
        Curves("Causal mask: the row depends on the position", rows_of_the_word(causal), **axes),
        Curves("Word 0 moves: do the rows move with the words?", {"no mask": gap(None), "causal mask": gap(causal)},
               x="position of word 0 (index)", y="permutation gap", over=places),
        Curves("Earlier words rotate: does the last row change?",
               {"one causal layer": last_row(1), "two causal layers": last_row(2)},
               x="rotation of these words (positions)", y="largest change", over=places),
    ]
