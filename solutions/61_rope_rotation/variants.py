"""Other right answers to 61_rope_rotation, and what each is good for."""
import math

import numpy as np


def _dtype(x):
    return x.dtype if np.issubdtype(x.dtype, np.floating) else np.dtype(np.float64)


def _speeds(d_head, base):
    return base ** (-np.arange(0, d_head, 2) / d_head)          # (d_head / 2,)


def _complex(x):
    return x[..., 0::2] + 1j * x[..., 1::2]                     # (..., n, d_head / 2)


def _angles(x, positions, base):
    return np.multiply.outer(positions, _speeds(x.shape[-1], base))      # (..., n, d_head / 2)


def _turned(x, positions, base):
    angles = positions[..., None] * _speeds(x.shape[-1], base)                    # (..., n, d_head / 2)
    if _dtype(x).itemsize < 8:                                        # near 0, float32 will do for the sines, too
        angles = (angles - 2 * np.pi * np.rint(angles / (2 * np.pi))).astype(np.float32)
    turns = np.empty(angles.shape, np.result_type(_dtype(x), np.complex64))       # complex numbers of length 1
    turns.real, turns.imag = np.cos(angles), np.sin(angles)
    points = np.ascontiguousarray(x, turns.real.dtype).view(turns.dtype)          # (..., n, d_head / 2)
    return (points * turns).view(turns.real.dtype)


class rope_frequencies:
    def by_exponential(d_head, base=10000.0):
        """Compute exp of a multiple of -log(base): one logarithm for all pairs, and no power. The reference uses the
        power, as the formula does. The two agree up to rounding."""
        return np.exp(np.arange(0, d_head, 2) * (-math.log(base) / d_head))


class apply_rope:
    def by_loops(x, positions, base=10000.0):
        """Turn one row and one pair at a time with math.cos: the formula without any array operation. Use it to check
        other versions."""
        d_head = x.shape[-1]
        everywhere = np.broadcast_to(positions, x.shape[:-1])
        turned = np.zeros(x.shape, _dtype(x))
        for row in np.ndindex(x.shape[:-1]):
            for pair in range(d_head // 2):
                angle = float(everywhere[row]) / base ** (2 * pair / d_head)
                even, odd = float(x[(*row, 2 * pair)]), float(x[(*row, 2 * pair + 1)])
                turned[(*row, 2 * pair)] = even * math.cos(angle) - odd * math.sin(angle)
                turned[(*row, 2 * pair + 1)] = even * math.sin(angle) + odd * math.cos(angle)
        return turned

    def by_stacking(x, positions, base=10000.0):
        """Stack the two new columns on a new last axis and flatten it: the reshape interleaves them.
        Nothing is written into an existing array, which suits JAX."""
        angles = _angles(x, positions, base)
        cos, sin, even, odd = np.cos(angles), np.sin(angles), x[..., 0::2], x[..., 1::2]
        turned = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
        return turned.reshape(x.shape).astype(_dtype(x))

    def without_whole_turns(x, positions, base=10000.0):
        """Treat a pair as one complex number and subtract whole turns from its angle, so float32 vectors need only
        float32 sines. For a float32 array of shape (32, 2048, 128), the peak memory is a third of the reference's."""
        return _turned(x, positions, base)

    def by_complex_multiplication(x, positions, base=10000.0):
        """Treat a pair as one complex number and turn it with one multiplication by exp(i angle), as Meta's code for
        Llama does. The sines are float64 even for float32 vectors."""
        turns = np.exp(1j * _angles(x, positions, base)).astype(np.result_type(_dtype(x), np.complex64))
        points = np.ascontiguousarray(x, turns.real.dtype).view(turns.dtype)
        return (points * turns).view(turns.real.dtype).astype(_dtype(x), copy=False)

    def by_small_matrices(x, positions, base=10000.0):
        """Apply one 2 x 2 rotation matrix per row and pair with einsum: the two-dimensional case of the paper. It
        stores every sine and cosine twice."""
        angles = _angles(x, positions, base)
        cos, sin = np.cos(angles), np.sin(angles)
        matrices = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], -2)
        pairs = x.reshape(*x.shape[:-1], -1, 2)
        return np.einsum("...ij,...j->...i", matrices, pairs).reshape(x.shape).astype(_dtype(x))

    def by_whole_matrices(x, positions, base=10000.0):
        """Make one (d_head, d_head) rotation per row, with blocks along its diagonal, as in section 3.2.2 of the paper.
        Most entries of each matrix are 0, so use it to understand the paper, and for small widths."""
        angles = _angles(x, positions, base)
        even = np.arange(0, x.shape[-1], 2)
        matrices = np.zeros((*angles.shape[:-1], x.shape[-1], x.shape[-1]))
        matrices[..., even, even] = matrices[..., even + 1, even + 1] = np.cos(angles)
        matrices[..., even + 1, even] = np.sin(angles)
        matrices[..., even, even + 1] = -np.sin(angles)
        return (matrices @ x[..., None])[..., 0].astype(_dtype(x))


class rope_scores:
    def without_whole_turns(q, k, q_positions, k_positions, base=10000.0):
        """Turn queries and keys as complex numbers, by angles without whole turns, then multiply the matrices. Float32
        vectors need only float32 sines."""
        return _turned(q, q_positions, base) @ np.swapaxes(_turned(k, k_positions, base), -1, -2)

    def by_complex_product(q, k, q_positions, k_positions, base=10000.0):
        """Take the real part of a rotated query times the conjugate of a rotated key, summed over the pairs. The
        conjugate subtracts the key's angle, so only the difference of the positions is left."""
        queries = _complex(q) * np.exp(1j * _angles(q, q_positions, base))
        keys = _complex(k) * np.exp(1j * _angles(k, k_positions, base))
        return np.einsum("...ic,...jc->...ij", queries, keys.conj()).real.astype(_dtype(q))

    def by_difference(q, k, q_positions, k_positions, base=10000.0):
        """Rotate nothing: add dot products times cosines of the differences, and cross products times sines. It shows
        that only differences of positions matter. It needs an array of n_q * n_k * d_head / 2 numbers."""
        apart = q_positions[..., :, None] - k_positions[..., None, :]             # (..., n_q, n_k)
        angles = _angles(q, apart, base)                              # (..., n_q, n_k, d_head / 2)
        products = _complex(q).conj()[..., :, None, :] * _complex(k)[..., None, :, :]
        terms = products.real * np.cos(angles) + products.imag * np.sin(angles)
        return terms.sum(axis=-1).astype(_dtype(q))
