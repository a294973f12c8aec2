"""Other right answers to 23_translation_invariance, and when you would want them."""
import math

import numpy as np


def _even(d_model):
    if d_model % 2 == 1:
        raise ValueError(f"an odd width has a sine without its cosine: {d_model}")


class offset_distances:
    def by_loops(encoding, offset):
        """Use two loops and math.sqrt. This is the definition, term by term. Use it to check a vectorised version."""
        distances = np.zeros(len(encoding) - offset)
        for p in range(len(distances)):
            total = 0.0
            for column in range(encoding.shape[1]):
                total += (float(encoding[p + offset, column]) - float(encoding[p, column])) ** 2
            distances[p] = math.sqrt(total)
        return distances

    def by_einsum(encoding, offset):
        """einsum squares and sums in one pass, without an array of the squares.
        This saves memory for wide tables."""
        steps = encoding[offset:] - encoding[: len(encoding) - offset]         # (n - offset, d)
        return np.sqrt(np.einsum("pd,pd->p", steps, steps))


class is_translation_invariant:
    def by_einsum(encoding, atol=1e-9):
        """Loop over the offsets and compute the norm with einsum, which needs no array of the squares. Stop at the
        first offset that fails."""
        for offset in range(len(encoding)):
            steps = encoding[offset:] - encoding[: len(encoding) - offset]     # (n - offset, d)
            if np.ptp(np.sqrt(np.einsum("pd,pd->p", steps, steps))) > atol:
                return False
        return True

    def by_allclose(encoding, atol=1e-9):
        """Compare every distance with the first one at its offset. Two distances can then differ by up to 2 * atol.
        rtol=0 makes the tolerance absolute; without it, np.allclose also allows 1e-5 of the value."""
        for offset in range(len(encoding)):
            distances = np.linalg.norm(encoding[offset:] - encoding[: len(encoding) - offset], axis=1)
            if not np.allclose(distances, distances[0], rtol=0.0, atol=atol):
                return False
        return True

    def by_distance_matrix(encoding, atol=1e-9):
        """Compute the matrix of all distances. Each diagonal belongs to one offset, and it must be constant.
        This needs memory for n * n * d numbers, so use it only for short tables."""
        distances = np.linalg.norm(encoding[:, None] - encoding, axis=-1)      # (n, n)
        return all(np.ptp(distances.diagonal(k)) <= atol for k in range(len(encoding)))

    def by_early_exit(encoding, atol=1e-9):
        """Use loops and math.dist, and stop as soon as two distances differ too much. If the answer is False, you may
        need only a few distances."""
        rows = encoding.tolist()
        for offset in range(1, len(rows)):
            smallest, largest = math.inf, -math.inf
            for p in range(len(rows) - offset):
                distance = math.dist(rows[p], rows[p + offset])
                smallest, largest = min(smallest, distance), max(largest, distance)
                if largest - smallest > atol:
                    return False
        return True


class similarity_at_offset:
    def by_outer_product(offsets, d_model, base=10000.0):
        """np.multiply.outer multiplies every offset by every frequency and appends the new axis.
        It also takes a plain Python number as an offset."""
        _even(d_model)
        frequencies = base ** (-np.arange(0, d_model, 2) / d_model)            # (d_model / 2,)
        return np.cos(np.multiply.outer(offsets, frequencies)).sum(axis=-1)

    def by_loops(offsets, d_model, base=10000.0):
        """Call math.cos for every offset and pair. This is the formula, term by term. Use it to check other
        versions."""
        _even(d_model)
        offsets = np.asarray(offsets)
        total = np.zeros(offsets.shape)
        for index in np.ndindex(offsets.shape):
            for pair in range(d_model // 2):
                total[index] += math.cos(float(offsets[index]) / base ** (2 * pair / d_model))
        return total

    def by_rows_of_the_table(offsets, d_model, base=10000.0):
        """Make the rows at these offsets and multiply them by row 0. Its entries 0, 1, 0, 1, ... select the cosines.
        This computes sines that you do not need, but it shows where the formula comes from."""
        _even(d_model)
        columns = np.arange(d_model)
        angles = np.asarray(offsets)[..., None] * base ** (-2 * (columns // 2) / d_model)    # (..., d_model)
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)) @ (columns % 2)

    def by_complex_numbers(offsets, d_model, base=10000.0):
        """Treat a pair of columns as a complex number of length 1. The real part of the sum is the similarity.
        You drop the imaginary part, whose sign changes with the sign of the offset."""
        _even(d_model)
        frequencies = np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))
        return np.exp(1j * np.asarray(offsets)[..., np.newaxis] * frequencies).sum(axis=-1).real
