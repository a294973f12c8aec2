"""Other right answers to 71_position_interpolation, and when you would want them."""
import math

import numpy as np


class interpolated_frequencies:
    def by_squeezed_positions(d_head, scale, base=10000.0):
        """Divide the positions, as the paper does, and take the angles at position 1 / scale. This is useful in code
        that keeps its frequencies and changes the positions."""
        position = 1 / scale
        return np.array([position * base ** (-2 * pair / d_head) for pair in range(d_head // 2)])

    def by_exponential(d_head, scale, base=10000.0):
        """Subtract the logarithm of the scale from the exponent of every pair.
        It shows that interpolation moves all frequencies by the same distance on a logarithmic axis."""
        return np.exp(-np.arange(0, d_head, 2) / d_head * math.log(base) - math.log(scale))


class ntk_base:
    def by_slowest_pair(scale, d_head, base=10000.0):
        """Compute the frequency that the slowest pair should have, then solve for the base.
        You can use it if you do not remember the exponent of the formula."""
        exponent = (d_head - 2) / d_head                                       # of the slowest pair
        wanted = base ** -exponent / scale
        return wanted ** (-1 / exponent)


class dynamic_ntk_base:
    def by_clipped_length(n, train_len, d_head, factor=1.0, base=10000.0):
        """Replace a length below train_len by train_len, as transformers 5.23 does. The stretch of a short text is then
        1, up to rounding."""
        stretch = np.float64(factor) * max(n, train_len) / train_len - (factor - 1)
        return np.power(stretch, d_head / (d_head - 2)) * base

    def by_early_return(n, train_len, d_head, factor=1.0, base=10000.0):
        """Return early for short texts, so the last line can rely on n > train_len.
        A short text gets exactly the base that was passed in, without rounding."""
        if n <= train_len:
            return base
        return base * (factor * n / train_len - factor + 1) ** (1 + 2 / (d_head - 2))
