"""Other right answers to 65_partial_rope, and what each is good for."""
import math

import numpy as np


def _dtype(x):
    return x.dtype if np.issubdtype(x.dtype, np.floating) else np.dtype(np.float64)


def _speeds(width, base):
    return base ** (-np.arange(0, width, 2) / width)            # (width / 2,)


def _fast(d_head, share, base):
    return _speeds(d_head, base)[: int(share * d_head // 2)]    # the kept frequencies alone


def _copied(x, positions, speeds):
    """A copy of x whose first columns are turned as complex numbers, by angles without whole turns."""
    result = np.array(x, _dtype(x), order="C")                                    # (..., n, d_head)
    if len(speeds):
        angles = positions[..., None] * speeds                                    # (..., n, pairs)
        if _dtype(x).itemsize < 8:                                    # near 0, float32 will do for the sines, too
            angles = (angles - 2 * np.pi * np.rint(angles / (2 * np.pi))).astype(np.float32)
        cos, sin = np.cos(angles), np.sin(angles)
        even, odd = x[..., : 2 * len(speeds) : 2], x[..., 1 : 2 * len(speeds) : 2]
        result[..., : 2 * len(speeds) : 2] = even * cos - odd * sin
        result[..., 1 : 2 * len(speeds) : 2] = even * sin + odd * cos
    return result


class partial_rope:
    def in_a_copy(x, positions, rotary_dim, base=10000.0):
        """Copy the vectors, then write into the part of the copy that turns. Float32 vectors need only float32 sines.
        The columns that stay are copied once."""
        return _copied(x, positions, _speeds(rotary_dim, base))

    def by_zero_frequencies(x, positions, rotary_dim, base=10000.0):
        """Give the pairs behind the part frequency 0 and turn the whole head. An odd column at the end stays. It shows
        partial rotary as a rotation of every pair, some of them by an angle of 0."""
        pairs = x.shape[-1] // 2
        speeds = np.zeros(pairs)
        speeds[: rotary_dim // 2] = _speeds(rotary_dim, base)
        angles = positions[..., None] * speeds                                    # (..., n, pairs)
        turned = np.array(x, dtype=_dtype(x))
        turned[..., 0 : 2 * pairs : 2] = x[..., 0 : 2 * pairs : 2] * np.cos(angles) - x[..., 1::2] * np.sin(angles)
        turned[..., 1::2] = x[..., 0 : 2 * pairs : 2] * np.sin(angles) + x[..., 1::2] * np.cos(angles)
        return turned

    def by_complex_multiplication(x, positions, rotary_dim, base=10000.0):
        """Treat a pair as one complex number, and turn it with one multiplication. Append the other columns again. It
        is short, and signs cannot be confused."""
        points = x[..., 0:rotary_dim:2] + 1j * x[..., 1:rotary_dim:2]             # (..., n, rotary_dim / 2)
        points = points * np.exp(1j * positions[..., None] * _speeds(rotary_dim, base))
        part = np.stack([points.real, points.imag], axis=-1).reshape(*x.shape[:-1], rotary_dim)
        return np.concatenate([part.astype(_dtype(x)), x[..., rotary_dim:]], axis=-1)

    def by_loops(x, positions, rotary_dim, base=10000.0):
        """Turn one row and one pair at a time with math.cos: the formula without any array operation. Use it to check
        other versions."""
        everywhere = np.broadcast_to(positions, x.shape[:-1])
        turned = x.astype(_dtype(x))
        for row in np.ndindex(x.shape[:-1]):
            for first in range(0, rotary_dim, 2):
                angle = float(everywhere[row]) / base ** (first / rotary_dim)
                even, odd = float(x[(*row, first)]), float(x[(*row, first + 1)])
                turned[(*row, first)] = even * math.cos(angle) - odd * math.sin(angle)
                turned[(*row, first + 1)] = even * math.sin(angle) + odd * math.cos(angle)
        return turned


class truncated_frequencies:
    def by_filling_zeros(d_head, share, base=10000.0):
        """Start with zeros and write the frequencies of the kept pairs into the front. It computes only the frequencies
        that it needs."""
        speeds = np.zeros(d_head // 2)
        kept = math.floor(share * d_head / 2)
        speeds[:kept] = 1.0 / base ** (2 * np.arange(kept) / d_head)
        return speeds

    def by_a_mask(d_head, share, base=10000.0):
        """Multiply all frequencies by 1 or 0. The comparison counts pairs from 1, so nothing needs to be rounded. It is
        one expression without a branch."""
        pairs = np.arange(d_head // 2)
        return np.exp(-2 * pairs / d_head * math.log(base)) * (pairs + 1 <= share * d_head / 2)

    def by_padding(d_head, share, base=10000.0):
        """Compute the kept frequencies as a list, then append zeros up to d_head / 2.
        The list shows the index of the formula."""
        kept = int(share * d_head // 2)
        return np.array([base ** (-2 * i / d_head) for i in range(kept)] + [0.0] * (d_head // 2 - kept))


class truncated_rope:
    def in_a_copy(x, positions, share, base=10000.0):
        """Copy the vectors, then turn only the fast pairs in the copy. The slow pairs need no sines at all."""
        return _copied(x, positions, _fast(x.shape[-1], share, base))

    def by_complex_multiplication(x, positions, share, base=10000.0):
        """Treat a pair as one complex number. Slow pairs are multiplied by exp(0), which is 1. It is short, and it
        treats every pair alike."""
        speeds = np.zeros(x.shape[-1] // 2)
        speeds[: int(share * x.shape[-1] / 2)] = _fast(x.shape[-1], share, base)
        points = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * positions[..., None] * speeds)
        return np.stack([points.real, points.imag], axis=-1).reshape(x.shape).astype(_dtype(x))

    def by_a_wider_base(x, positions, share, base=10000.0):
        """Turn the kept columns by a partial rotation of their width, with the base base ** (width / d_head). It shows
        how the two ways of this kata are related, and lets one function serve both."""
        width = 2 * int(share * x.shape[-1] / 2)
        if not width:
            return x.copy()
        return _copied(x, positions, _speeds(width, base ** (width / x.shape[-1])))
