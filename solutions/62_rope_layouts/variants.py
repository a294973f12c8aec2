"""Other right answers to 62_rope_layouts, and what each is good for."""
import math

import numpy as np


def _dtype(x):
    return np.result_type(x, 1.0)


def _angles(x, positions, base):
    speeds = np.exp(np.arange(0, x.shape[-1], 2) * (-math.log(base) / x.shape[-1]))
    return np.multiply.outer(positions, speeds)                 # (..., n, d_head / 2)


class rotate_half:
    def by_roll(x):
        """Roll the columns by half the width, then negate the first half. Use it with a library that can roll but not
        concatenate."""
        signs = np.where(np.arange(x.shape[-1]) < x.shape[-1] // 2, -1.0, 1.0)
        return np.roll(x, x.shape[-1] // 2, axis=-1) * signs


class apply_rope_half:
    def by_the_two_lines(x, positions, base=10000.0):
        """Write the two lines of a rotation, on the two halves, with one cosine and one sine per pair. It reads like
        the formula. The angles are not repeated, and `rotate_half` is not needed."""
        angles = _angles(x, positions, base)
        (first, second), cosine, sine = np.split(x, 2, axis=-1), np.cos(angles), np.sin(angles)
        turned = np.concatenate([first * cosine - second * sine, first * sine + second * cosine], axis=-1)
        return turned.astype(_dtype(x))

    def by_loops(x, positions, base=10000.0):
        """Turn one row and one pair at a time with math.cos: the formula without any array operation. Use it to check
        other versions."""
        half = x.shape[-1] // 2
        everywhere = np.broadcast_to(positions, x.shape[:-1])
        turned = np.zeros(x.shape, _dtype(x))
        for row in np.ndindex(x.shape[:-1]):
            for i in range(half):
                angle = float(everywhere[row]) * base ** (-2 * i / x.shape[-1])
                across, up = float(x[(*row, i)]), float(x[(*row, i + half)])
                turned[(*row, i)] = across * math.cos(angle) - up * math.sin(angle)
                turned[(*row, i + half)] = across * math.sin(angle) + up * math.cos(angle)
        return turned

    def by_complex_halves(x, positions, base=10000.0):
        """Use the first half as real parts and the second half as imaginary parts, so no column has to move. Two slices
        make the complex numbers, and the two parts of the product are the halves."""
        first, second = np.split(x, 2, axis=-1)
        turned = (first + 1j * second) * np.exp(1j * _angles(x, positions, base))
        return np.concatenate([turned.real, turned.imag], axis=-1).astype(_dtype(x))

    def by_blocks_of_rows(x, positions, base=10000.0):
        """Make the sum of two products for 64 rows at a time, which stay in the processor's cache between the steps.
        The function is longer than the reference."""
        x, half = x.astype(_dtype(x), copy=False), x.shape[-1] // 2
        cosine, sine = (f(_angles(x, positions, base)).astype(x.dtype) for f in (np.cos, np.sin))
        cosine = np.broadcast_to(np.concatenate([cosine, cosine], axis=-1), x.shape)
        sine = np.broadcast_to(np.concatenate([-sine, sine], axis=-1), x.shape)
        turned = np.empty(x.shape, x.dtype)
        for start in range(0, x.shape[-2], 64):
            rows = np.s_[..., start : start + 64, :]
            swapped = np.roll(x[rows], half, axis=-1)
            swapped *= sine[rows]
            turned[rows] = x[rows] * cosine[rows] + swapped
        return turned


class apply_rope_complex:
    def by_a_complex_view(x, positions, base=10000.0):
        """View neighbouring columns as one complex number: they lie in memory like its two parts. No column moves, and
        float32 stays float32."""
        turns = np.exp(1j * _angles(x, positions, base)).astype(np.result_type(x, np.complex64))
        points = np.ascontiguousarray(x, _dtype(x)).view(turns.dtype)
        return (points * turns).view(_dtype(x))


class interleaved_to_half:
    def by_transposed_view(x):
        """See the columns as a (d / 2, 2) table and read it column by column: the reordering is a transpose.
        Only the reshape at the end makes a copy."""
        pairs = x.reshape(*x.shape[:-1], -1, 2)
        return np.swapaxes(pairs, -1, -2).reshape(x.shape)


class half_to_interleaved:
    def by_filling_columns(x):
        """Write the first half to the even columns of an empty array and the second half to the odd ones. Two
        assignments show where every column goes. There is no new axis to think about."""
        half, result = x.shape[-1] // 2, np.empty_like(x)
        result[..., 0::2], result[..., 1::2] = x[..., :half], x[..., half:]
        return result


class permute_projection:
    def by_slices_of_every_head(w, n_heads):
        """Make the heads an axis. In each head, put the even rows first, then the odd rows. It reads like
        `interleaved_to_half`, one axis earlier."""
        heads = w.reshape(n_heads, -1, w.shape[1])              # (n_heads, d_head, d_model)
        return np.concatenate([heads[:, 0::2], heads[:, 1::2]], axis=1).reshape(w.shape)
