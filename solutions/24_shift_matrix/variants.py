"""Other right answers to 24_shift_matrix, and when one would want them."""
import math

import numpy as np


def _angles(offset, d_model, base):
    return offset * np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))      # (d_model / 2,)


def _needs_pairs(d_model):
    if d_model % 2 == 1:
        raise ValueError(f"a d_model of {d_model} leaves a sine without its cosine")


class shift_matrix:
    def by_loops(offset, d_model, base=10000.0):
        """One pair after the other, four numbers each: the formula letter by letter, with nothing but math.
        Good for checking the others, and hardly slower where the width is small."""
        _needs_pairs(d_model)
        matrix = np.zeros((d_model, d_model))
        for column in range(0, d_model, 2):
            angle = offset / base ** (column / d_model)
            matrix[column, column] = matrix[column + 1, column + 1] = math.cos(angle)
            matrix[column, column + 1] = math.sin(angle)
            matrix[column + 1, column] = -math.sin(angle)
        return matrix

    def by_four_axes(offset, d_model, base=10000.0):
        """A matrix of blocks has four axes: pair and place in it, twice. Equal pairs meet in a block.
        No index of a column has to be worked out."""
        _needs_pairs(d_model)
        angles = _angles(offset, d_model, base)
        cosine, sine = np.cos(angles), np.sin(angles)
        pairs = np.arange(d_model // 2)
        blocks = np.zeros((d_model // 2, 2, d_model // 2, 2))
        blocks[pairs, :, pairs, :] = np.array([[cosine, sine], [-sine, cosine]]).transpose(2, 0, 1)
        return blocks.reshape(d_model, d_model)

    def by_three_diagonals(offset, d_model, base=10000.0):
        """Cosines on the diagonal, sines above it, their negatives below, with a 0 between two pairs.
        Shows that the matrix is antisymmetric but for its diagonal."""
        _needs_pairs(d_model)
        angles = np.repeat(_angles(offset, d_model, base), 2)                  # (d_model,)
        beside = np.diag((np.sin(angles) * np.tile([1.0, 0.0], d_model // 2))[:-1], k=1)
        return np.diag(np.cos(angles)) + beside - beside.T

    def by_steps_through_memory(offset, d_model, base=10000.0):
        """In the flat matrix a diagonal is every (d_model + 1)-th number: all cosines in one slice, and every second
        number beside them the sines. No arrays of indices are made."""
        _needs_pairs(d_model)
        angles = _angles(offset, d_model, base)
        flat = np.zeros(d_model * d_model)
        flat[:: d_model + 1] = np.repeat(np.cos(angles), 2)
        flat[1 :: 2 * (d_model + 1)] = np.sin(angles)
        flat[d_model :: 2 * (d_model + 1)] = -np.sin(angles)
        return flat.reshape(d_model, d_model)

    def by_kronecker_products(offset, d_model, base=10000.0):
        """A sum over the pairs: a matrix with a single 1 says where, its Kronecker product with a block what.
        Near to how it is written on paper; wasteful for wide tables."""
        _needs_pairs(d_model)
        angles = _angles(offset, d_model, base)
        one, quarter_turn = np.eye(2), np.array([[0.0, 1.0], [-1.0, 0.0]])
        return np.kron(np.diag(np.cos(angles)), one) + np.kron(np.diag(np.sin(angles)), quarter_turn)

    def by_eigenvectors(offset, d_model, base=10000.0):
        """Moving by 1 has the eigenvalues exp(iw) and exp(-iw); moving by k has their k-th powers.
        The same eigenvectors serve every offset, whole or not. The result is read-only here."""
        _needs_pairs(d_model)
        angles = np.repeat(_angles(offset, d_model, base), 2) * np.tile([1.0, -1.0], d_model // 2)
        vectors = np.kron(np.eye(d_model // 2), np.array([[1.0, 1.0], [1j, -1j]]) / math.sqrt(2.0))
        matrix = (vectors * np.exp(1j * angles) @ vectors.conj().T).real
        matrix.flags.writeable = False
        return matrix


class shift_encoding:
    def pair_by_pair(encoding, offset, base=10000.0):
        """The two addition theorems, on all sine and all cosine columns at once: the matrix without its zeros.
        For 2048 rows of 4096 columns some thirty times as fast as the product with the matrix."""
        angles = _angles(offset, encoding.shape[1], base)                      # (d / 2,)
        moved = np.empty(encoding.shape, np.result_type(encoding, 1.0))
        cosine, sine = np.cos(angles).astype(moved.dtype), np.sin(angles).astype(moved.dtype)
        sines, cosines = encoding[:, 0::2], encoding[:, 1::2]                  # (n, d / 2) each
        moved[:, 0::2] = cosine * sines + sine * cosines
        moved[:, 1::2] = cosine * cosines - sine * sines
        return moved

    def by_complex_numbers(encoding, offset, base=10000.0):
        """Take a pair as cosine + i sine; moving on is then one multiplication by exp(ia).
        It is what many rotary encodings do, with the parts in the other order."""
        points = encoding[:, 1::2] + 1j * encoding[:, 0::2]                    # (n, d / 2)
        points = points * np.exp(1j * _angles(offset, encoding.shape[1], base))
        return np.stack([points.imag, points.real], axis=-1).reshape(encoding.shape)

    def by_einsum_over_blocks(encoding, offset, base=10000.0):
        """Cut every row into pairs and give each its block, four numbers per pair for the whole table.
        All the structure of the matrix, without its zeros."""
        angles = _angles(offset, encoding.shape[1], base)
        cosine, sine = np.cos(angles), np.sin(angles)
        blocks = np.array([[cosine, sine], [-sine, cosine]])                   # (2, 2, d / 2)
        pairs = encoding.reshape(len(encoding), -1, 2)
        return np.einsum("abi,nib->nia", blocks, pairs).reshape(encoding.shape)

    def row_by_row(encoding, offset, base=10000.0):
        """One row after the other, with `M @ row` as in the formula: no transpose to think about.
        A loop over rows is slower than one product of matrices; it is good for reading."""
        angles = _angles(offset, encoding.shape[1], base)
        blocks = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]])
        matrix = np.zeros((encoding.shape[1], encoding.shape[1]))
        for pair in range(len(angles)):
            matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = blocks[:, :, pair]
        return np.array([matrix @ row for row in encoding])
