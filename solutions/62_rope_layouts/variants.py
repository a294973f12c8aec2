"""Other right answers to 62_rope_layouts, and when one would want them."""
import math

import numpy as np


def _check_width(x):
    if x.shape[-1] % 2:
        raise ValueError(f"x has a column without a partner: shape {x.shape}")


def _check(x, positions, base):
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x needs rows of even width, got shape {x.shape}")
    if base <= 0:
        raise ValueError(f"base is out of range: {base}")
    try:
        fits = np.broadcast_shapes(positions.shape, x.shape[:-1]) == x.shape[:-1]
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"positions must fit the shape {x.shape[:-1]}, got {positions.shape}")


def _check_heads(w, n_heads):
    if n_heads < 1:
        raise ValueError(f"n_heads is out of range: {n_heads}")
    if w.shape[0] % n_heads or w.shape[0] // n_heads % 2:
        raise ValueError(f"n_heads = {n_heads} makes no heads of even width of {w.shape[0]} rows")


def _dtype(x):
    return x.dtype if np.issubdtype(x.dtype, np.floating) else np.dtype(np.float64)


def _angles(x, positions, base):
    speeds = np.exp(np.arange(0, x.shape[-1], 2) * (-math.log(base) / x.shape[-1]))
    return np.multiply.outer(positions, speeds)                 # (..., n, d_head / 2)


class rotate_half:
    def by_roll(x):
        """Roll the columns by half the width, then give the first half its minus.
        For a library that has a roll but no concatenation; one more pass over the array."""
        _check_width(x)
        signs = np.where(np.arange(x.shape[-1]) < x.shape[-1] // 2, -1.0, 1.0)
        return (np.roll(x, x.shape[-1] // 2, axis=-1) * signs).astype(_dtype(x))


class apply_rope_half:
    def by_loops(x, positions, base=10000.0):
        """One row and one pair at a time with math.cos: the formula letter by letter, to check others by.
        Some hundred times slower than NumPy on an array of any size."""
        _check(x, positions, base)
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
        """The first half holds the real parts, the second the imaginary ones: no column has to move.
        Two slices make the complex numbers, two parts of the product make the halves."""
        _check(x, positions, base)
        first, second = np.split(x, 2, axis=-1)
        turned = (first + 1j * second) * np.exp(1j * _angles(x, positions, base))
        return np.concatenate([turned.real, turned.imag], axis=-1).astype(_dtype(x))

    def by_blocks_of_rows(x, positions, base=10000.0):
        """The reference's products on 64 rows at a time, which stay in the cache between one step and the next.
        3.5 copies of a (1, 32, 2048, 128) array where the reference takes 5; a longer function."""
        _check(x, positions, base)
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

    def with_halves_as_an_axis(x, positions, base=10000.0):
        """A view of shape (..., 2, d_head / 2) makes the halves an axis; reversing that axis swaps partners.
        The result is written into a Fortran-ordered array and given back read-only."""
        _check(x, positions, base)
        halves = x.reshape(*x.shape[:-1], 2, -1)
        angles = _angles(x, positions, base)[..., None, :]
        signs = np.array([[-1.0], [1.0]])
        turned = halves * np.cos(angles) + halves[..., ::-1, :] * signs * np.sin(angles)
        result = np.asfortranarray(turned.reshape(x.shape).astype(_dtype(x)))
        result.flags.writeable = False
        return result


class apply_rope_complex:
    def by_putting_pairs_together(x, positions, base=10000.0):
        """Even columns plus i times odd ones, and the parts of the product stacked side by side again.
        It says what happens where a view only reinterprets; 5 to 7 times as long as the reference."""
        _check(x, positions, base)
        turned = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * _angles(x, positions, base))
        return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape).astype(_dtype(x))


class interleaved_to_half:
    def by_transposed_view(x):
        """Columns as a (d / 2, 2) table, read column by column: the reordering is a transpose.
        Reshaping it back makes the one copy."""
        _check_width(x)
        pairs = x.reshape(*x.shape[:-1], -1, 2)
        return np.swapaxes(pairs, -1, -2).reshape(x.shape)


class half_to_interleaved:
    def by_index(x):
        """The inverse of a permutation is its argsort, so the order of the other direction is enough.
        Indexing with it serves rows of weights as well as columns of vectors."""
        _check_width(x)
        order = np.r_[0 : x.shape[-1] : 2, 1 : x.shape[-1] : 2]
        return x[..., np.argsort(order)]


class permute_projection:
    def by_index(w, n_heads):
        """One array of row numbers, made once, reorders weights, biases and whatever else has those rows.
        It can be kept, and its argsort leads back."""
        _check_heads(w, n_heads)
        d_head = len(w) // n_heads
        within = np.r_[0:d_head:2, 1:d_head:2]
        return w[(np.arange(0, len(w), d_head)[:, None] + within).ravel()]
