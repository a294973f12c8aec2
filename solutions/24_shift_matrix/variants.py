"""Other right answers to 24_shift_matrix, and when you would want them."""
import math

import numpy as np


def _angles(offset, d_model, base):
    return offset * np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))      # (d_model / 2,)


def _needs_pairs(d_model):
    if d_model % 2 == 1:
        raise ValueError(f"a d_model of {d_model} leaves a sine without its cosine")


class shift_matrix:
    def by_loops(offset, d_model, base=10000.0):
        """Write four numbers for each pair in a loop, as in the formula, with only the module math. Use it to check
        other versions."""
        _needs_pairs(d_model)
        matrix = np.zeros((d_model, d_model))
        for column in range(0, d_model, 2):
            angle = offset / base ** (column / d_model)
            matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)
            matrix[column, column + 1] = math.sin(angle)
            matrix[column + 1, column] = -math.sin(angle)
        return matrix

    def by_steps_through_memory(offset, d_model, base=10000.0):
        """Write the diagonals with slices: in the flat matrix, every (d_model + 1)-th number is on the diagonal. One
        slice sets all cosines, and two more set the sines. You need no index arrays."""
        _needs_pairs(d_model)
        angles = _angles(offset, d_model, base)
        flat = np.zeros(d_model * d_model)
        flat[:: d_model + 1] = np.repeat(np.cos(angles), 2)
        flat[1 :: 2 * (d_model + 1)] = np.sin(angles)
        flat[d_model :: 2 * (d_model + 1)] = -np.sin(angles)
        return flat.reshape(d_model, d_model)


class shift_encoding:
    def pair_by_pair(encoding, offset, base=10000.0):
        """Apply the two angle-addition formulas to all sine and all cosine columns together. This skips the zeros of
        the matrix."""
        angles = _angles(offset, encoding.shape[1], base)                      # (d / 2,)
        moved = np.empty(encoding.shape, np.result_type(encoding, 1.0))
        cosine, sine = np.cos(angles).astype(moved.dtype), np.sin(angles).astype(moved.dtype)
        sines, cosines = encoding[:, 0::2], encoding[:, 1::2]                  # (n, d / 2) each
        moved[:, 0::2] = cosine * sines + sine * cosines
        moved[:, 1::2] = cosine * cosines - sine * sines
        return moved

    def by_complex_numbers(encoding, offset, base=10000.0):
        """Read a pair as the complex number cosine + i sine, and move it with one multiplication by exp(ia). You can
        write rotary encodings in the same way (kata 62), with the parts in the other order."""
        points = encoding[:, 1::2] + 1j * encoding[:, 0::2]                    # (n, d / 2)
        points = points * np.exp(1j * _angles(offset, encoding.shape[1], base))
        return np.stack([points.imag, points.real], axis=-1).reshape(encoding.shape)

    def by_einsum_over_blocks(encoding, offset, base=10000.0):
        """Cut every row into pairs, and multiply each pair by its own block. The whole table needs only four numbers
        per pair, and the zeros of the matrix are never stored."""
        angles = _angles(offset, encoding.shape[1], base)
        cosine, sine = np.cos(angles), np.sin(angles)
        blocks = np.array([[cosine, sine], [-sine, cosine]])                   # (2, 2, d / 2)
        pairs = encoding.reshape(len(encoding), -1, 2)
        return np.einsum("abi,nib->nia", blocks, pairs).reshape(encoding.shape)

    def row_by_row(encoding, offset, base=10000.0):
        """Move one row after the other with `M @ row`, as in the formula, so you need no transpose."""
        angles = _angles(offset, encoding.shape[1], base)
        blocks = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]])
        matrix = np.zeros((encoding.shape[1], encoding.shape[1]))
        for pair in range(len(angles)):
            matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = blocks[:, :, pair]
        return np.array([matrix @ row for row in encoding])
