"""Other right answers to 71_position_interpolation, and when one would want them."""
import math

import numpy as np


class interpolated_frequencies:
    def by_squeezed_positions(d_head, scale, base=10000.0):
        """The paper scales positions, not frequencies: here are the angles of position 1, put at 1 / scale.
        Code that keeps its frequencies and divides the positions is in this form."""
        position = 1 / scale
        return np.array([position * base ** (-2 * pair / d_head) for pair in range(d_head // 2)])

    def by_exponential(d_head, scale, base=10000.0):
        """In the exponent the scale is one more logarithm, added to that of every pair.
        It shows that slowing all pairs alike shifts the whole row on a logarithmic axis."""
        return np.exp(-np.arange(0, d_head, 2) / d_head * math.log(base) - math.log(scale))

    def by_geometric_sequence(d_head, scale, base=10000.0):
        """np.geomspace from the fastest speed to the one that would follow the slowest, which is left out.
        Only the first term knows of the scale: the ratio of neighbours stays as in training."""
        return np.geomspace(1 / scale, 1 / base / scale, d_head // 2, endpoint=False)


class ntk_base:
    def by_slowest_pair(scale, d_head, base=10000.0):
        """Say what the slowest pair shall turn by, then solve for the base that makes it do so.
        The exponent of the formula need not be remembered."""
        exponent = (d_head - 2) / d_head                                       # of the slowest pair
        wanted = base ** -exponent / scale
        return wanted ** (-1 / exponent)

    def by_logarithms(scale, d_head, base=10000.0):
        """The exponent counted in pairs: among `pairs` of them the last is `pairs - 1` steps from the first.
        With logarithms the power is a product, as it is in code that keeps log(base)."""
        pairs = d_head // 2
        return math.exp(math.log(base) + pairs / (pairs - 1) * math.log(scale))


class dynamic_ntk_base:
    def by_surplus(n, train_len, d_head, factor=1.0, base=10000.0):
        """1 plus the factor times what is too long, in lengths of training: the same stretch in another form.
        One sees that it begins at 1; a surplus is never below 0, so short texts need no case of their own."""
        surplus = max(n - train_len, 0) / train_len
        return base * (1 + factor * surplus) ** (d_head / (d_head - 2))

    def by_clipped_length(n, train_len, d_head, factor=1.0, base=10000.0):
        """A text shorter than train_len is treated as one of that length, as the transformers library does.
        The formula then gives 1 by itself, up to rounding."""
        stretch = np.float64(factor) * max(n, train_len) / train_len - (factor - 1)
        return np.power(stretch, d_head / (d_head - 2)) * base

    def by_early_return(n, train_len, d_head, factor=1.0, base=10000.0):
        """Short texts are answered first, so the rest may take n > train_len for granted.
        The base of a short text comes back as it was given, without a rounding."""
        if n <= train_len:
            return base
        return base * (factor * n / train_len - factor + 1) ** (1 + 2 / (d_head - 2))
