"""Other right answers to 13_causal_order, and when you would want them."""
import math

import numpy as np


def _mean(x):
    return np.cumsum(x, axis=-2) / np.arange(1, x.shape[-2] + 1)[:, None]


class prefix_mean:
    def by_attention(x):
        """Write the scores, all 0, hide the later words with -inf and take the softmax. This is what a layer of a model
        does. You need n * n weights."""
        n = x.shape[-2]
        scores = np.where(np.tri(n, dtype=bool), 0.0, -np.inf)               # (n, n)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True) @ x

    def by_weights(x):
        """Divide each row of a triangle of ones by its sum, and multiply by the words. You see the weights
        `1 / (i + 1)`."""
        weights = np.tri(x.shape[-2])                                        # (n, n)
        return (weights / weights.sum(axis=-1, keepdims=True)) @ x

    def in_one_array(x):
        """Divide the sums in place, so that you make one new array instead of two. This saves memory on long texts."""
        means = np.cumsum(x, axis=-2, dtype=np.result_type(x, 1.0))
        means /= np.arange(1, x.shape[-2] + 1, dtype=means.dtype)[:, None]
        return means

    def row_by_row(x):
        """Average a slice for every row. This is the definition. It adds up the first words again and again, so the
        number of additions grows with the square of the length."""
        return np.stack([x[..., : i + 1, :].mean(axis=-2) for i in range(x.shape[-2])], axis=-2)

    def by_running_totals(x):
        """Keep a sum and a number of words, and add one word at a time. You need no cumsum, and the loop is easy
        to translate to other languages."""
        total, rows = 0.0, []
        for count, word in enumerate(np.moveaxis(x, -2, 0), 1):
            total = total + word
            rows.append(total / count)
        return np.moveaxis(np.array(rows), 0, -2)

    def by_einsum(x):
        """einsum has a letter for each axis: i for the row, j for the word that it sees. The weights are a triangle,
        divided by the counts."""
        n = x.shape[-2]
        return np.einsum("ij,...jd->...id", np.tri(n) / np.arange(1, n + 1)[:, None], x)


class positions_from_share:
    def by_the_other_words(share):
        """Divide the share of all other words, 1 - share, by the share of the first token. The quotient is the number
        of other words, which is the position."""
        return np.rint((1 - share) / share).astype(int)

    def by_floor(share):
        """Add a half and round down, which is the same as rounding to the nearest whole number if there are no ties.
        The half and the -1 make -0.5."""
        return np.floor(1 / share - 0.5).astype(int)

    def one_by_one(share):
        """Use Python's round for one share after the other. You need no array function, and each step is easy to
        follow."""
        share = np.asarray(share)
        found = np.empty(share.shape, dtype=int)
        for place in np.ndindex(share.shape):
            found[place] = round(1 / float(share[place])) - 1
        return found


class prefix_gap:
    def by_changes_of_words(x, order):
        """A mean is linear, so the change of the means is the mean of the changes. You compute one table of means
        instead of two."""
        return np.abs(_mean(x[order] - x)).max(axis=-1)

    def by_highest_and_lowest(x, order):
        """The largest absolute value is the larger of the maximum and the negative minimum. You need no array of
        absolute values."""
        change = _mean(x[order]) - _mean(x)
        return np.maximum(change.max(axis=1), -change.min(axis=1))

    def by_loops(x, order):
        """Go through rows and columns and keep the largest change. Each step is visible, and math.fsum rounds
        only once."""
        gap = np.zeros(len(x))
        for i in range(len(x)):
            for column in range(x.shape[1]):
                before = math.fsum(x[: i + 1, column]) / (i + 1)
                after = math.fsum(x[order[: i + 1], column]) / (i + 1)
                gap[i] = max(gap[i], abs(after - before))
        return gap
