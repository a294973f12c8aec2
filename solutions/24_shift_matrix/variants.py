"""Other right answers to 24_shift_matrix, and when one would want them."""
import math

import numpy as np


def _frequencies(d_model, base):
    if base <= 0:
        raise ValueError(f"base must be above 0, not {base}")
    return np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))      # (d_model / 2,)


def _checked_width(d_model):
    if d_model < 2 or d_model % 2 == 1:
        raise ValueError(f"a d_model of {d_model} has no pairs")


def _checked_rows(encoding):
    if encoding.shape[1] % 2 == 1:
        raise ValueError(f"encoding has a column without a partner: shape {encoding.shape}")


def _real(encoding):
    return encoding if encoding.dtype.kind == "f" else encoding.astype(np.float64)


class shift_matrix:
    def by_loops(offset, d_model, base=10000.0):
        """One pair after the other, four numbers each: the formula letter by letter, with nothing but math.
        Good for checking the others, and hardly slower where the width is small."""
        _checked_width(d_model)
        if base <= 0:
            raise ValueError(f"base must be above 0, not {base}")
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
        _checked_width(d_model)
        angles = offset * _frequencies(d_model, base)
        cosine, sine = np.cos(angles), np.sin(angles)
        pairs = np.arange(d_model // 2)
        blocks = np.zeros((d_model // 2, 2, d_model // 2, 2))
        blocks[pairs, :, pairs, :] = np.array([[cosine, sine], [-sine, cosine]]).transpose(2, 0, 1)
        return blocks.reshape(d_model, d_model)

    def by_three_diagonals(offset, d_model, base=10000.0):
        """Cosines on the diagonal, sines above it, their negatives below, with a 0 between two pairs.
        Shows that the matrix is antisymmetric but for its diagonal."""
        _checked_width(d_model)
        angles = np.repeat(offset * _frequencies(d_model, base), 2)            # (d_model,)
        beside = np.diag((np.sin(angles) * np.tile([1.0, 0.0], d_model // 2))[:-1], k=1)
        return np.diag(np.cos(angles)) + beside - beside.T

    def by_kronecker_products(offset, d_model, base=10000.0):
        """A sum over the pairs: a matrix with a single 1 says where, its Kronecker product with a block what.
        Near to how it is written on paper; wasteful for wide tables."""
        _checked_width(d_model)
        angles = offset * _frequencies(d_model, base)
        one, quarter_turn = np.eye(2), np.array([[0.0, 1.0], [-1.0, 0.0]])
        return np.kron(np.diag(np.cos(angles)), one) + np.kron(np.diag(np.sin(angles)), quarter_turn)

    def by_eigenvectors(offset, d_model, base=10000.0):
        """Moving by 1 has the eigenvalues exp(iw) and exp(-iw); moving by k has their k-th powers.
        The same eigenvectors serve every offset, whole or not. The result is read-only here."""
        _checked_width(d_model)
        speeds = np.repeat(_frequencies(d_model, base), 2) * np.tile([1.0, -1.0], d_model // 2)
        vectors = np.kron(np.eye(d_model // 2), np.array([[1.0, 1.0], [1j, -1j]]) / math.sqrt(2.0))
        matrix = (vectors * np.exp(1j * offset * speeds) @ vectors.conj().T).real
        matrix.flags.writeable = False
        return matrix


class shift_encoding:
    def by_the_matrix(encoding, offset, base=10000.0):
        """One product with the whole matrix, as the paper says it; nearly all of the matrix is zeros.
        Of the order of n * d * d steps where n * d do: 11 times as long as the reference for 4096 columns."""
        _checked_rows(encoding)
        angles = offset * _frequencies(encoding.shape[1], base)
        even = np.arange(0, encoding.shape[1], 2)
        matrix = np.diag(np.repeat(np.cos(angles), 2))                         # (d, d)
        matrix[even, even + 1], matrix[even + 1, even] = np.sin(angles), -np.sin(angles)
        return encoding @ matrix.astype(_real(encoding).dtype).T

    def by_complex_numbers(encoding, offset, base=10000.0):
        """Take a pair as cosine + i sine; moving on is then one multiplication by exp(ia).
        It is what many rotary encodings do, with the parts in the other order."""
        _checked_rows(encoding)
        points = encoding[:, 1::2] + 1j * encoding[:, 0::2]                    # (n, d / 2)
        points = points * np.exp(1j * offset * _frequencies(encoding.shape[1], base))
        moved = np.stack([points.imag, points.real], axis=-1)                  # (n, d / 2, 2)
        return moved.reshape(encoding.shape).astype(_real(encoding).dtype)

    def by_einsum_over_blocks(encoding, offset, base=10000.0):
        """Cut every row into pairs and give each its block, four numbers per pair for the whole table.
        All the structure of the matrix, without its zeros."""
        _checked_rows(encoding)
        angles = offset * _frequencies(encoding.shape[1], base)
        cosine, sine = np.cos(angles), np.sin(angles)
        blocks = np.array([[cosine, sine], [-sine, cosine]])                   # (2, 2, d / 2)
        pairs = _real(encoding).reshape(len(encoding), -1, 2)
        return np.einsum("abi,nib->nia", blocks.astype(pairs.dtype), pairs).reshape(encoding.shape)
