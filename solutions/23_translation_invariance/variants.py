"""Other right answers to 23_translation_invariance, and when one would want them."""
import math

import numpy as np


def _even(d_model):
    if d_model % 2 == 1:
        raise ValueError(f"an odd width has a sine without its cosine: {d_model}")


class offset_distances:
    def by_loops(encoding, offset):
        """Two loops and math.sqrt: the definition letter by letter, good for checking a vectorised version.
        Some hundred times slower than NumPy on a table of any size."""
        distances = np.zeros(len(encoding) - offset)
        for p in range(len(distances)):
            total = 0.0
            for column in range(encoding.shape[1]):
                total += (float(encoding[p + offset, column]) - float(encoding[p, column])) ** 2
            distances[p] = math.sqrt(total)
        return distances

    def by_einsum(encoding, offset):
        """einsum squares and sums in one pass, without an array of the squares.
        Worth having for wide tables; the root is all that is left to do."""
        steps = encoding[offset:] - encoding[: len(encoding) - offset]         # (n - offset, d)
        return np.sqrt(np.einsum("pd,pd->p", steps, steps))

    def by_take(encoding, offset):
        """Index arrays say which two rows meet, so the same lines serve any set of pairs of rows.
        They copy the rows, where slices only look at them."""
        first = np.arange(len(encoding) - offset)
        steps = encoding.take(first + offset, axis=0) - encoding.take(first, axis=0)
        return np.sqrt((steps * steps).sum(axis=-1))

    def by_columns(encoding, offset):
        """np.hypot takes the columns one by one and never squares a large number on its own.
        It stays right where a square would overflow; the result is read-only here."""
        columns = encoding.T                                                   # (d, n)
        steps = columns[:, offset:] - columns[:, : len(encoding) - offset]     # (d, n - offset)
        distances = np.hypot.reduce(steps, axis=0, initial=0.0)
        distances.flags.writeable = False
        return distances


class is_translation_invariant:
    def by_einsum(encoding, atol=1e-9):
        """The loop of the formula with the norm taken apart: einsum squares and sums in one pass, without an
        array of the squares. Faster than np.linalg.norm, and it stops at the first offset that fails."""
        for offset in range(len(encoding)):
            steps = encoding[offset:] - encoding[: len(encoding) - offset]     # (n - offset, d)
            if np.ptp(np.sqrt(np.einsum("pd,pd->p", steps, steps))) > atol:
                return False
        return True

    def by_allclose(encoding, atol=1e-9):
        """Every distance against the first at its offset, so atol leaves up to twice the room.
        rtol=0 makes the tolerance absolute; without it, np.allclose also allows 1e-5 of the value."""
        for offset in range(len(encoding)):
            distances = np.linalg.norm(encoding[offset:] - encoding[: len(encoding) - offset], axis=1)
            if not np.allclose(distances, distances[0], rtol=0.0, atol=atol):
                return False
        return True

    def by_distance_matrix(encoding, atol=1e-9):
        """All distances at once: an offset is then a diagonal, which an invariant table makes constant.
        Takes n * n * d numbers of memory, so for short tables only."""
        distances = np.linalg.norm(encoding[:, None] - encoding, axis=-1)      # (n, n)
        return all(np.ptp(distances.diagonal(k)) <= atol for k in range(len(encoding)))

    def by_extremes_per_offset(encoding, atol=1e-9):
        """Each row meets all earlier ones, and only the smallest and largest distance per offset are kept.
        For rows that come one after the other: a new row is held against those before it."""
        n = len(encoding)
        smallest, largest = np.full(n, np.inf), np.zeros(n)
        for p in range(n):
            distances = np.sqrt(((encoding[p::-1] - encoding[p]) ** 2).sum(axis=1))    # (p + 1,): 0 .. p back
            smallest[: p + 1] = np.minimum(smallest[: p + 1], distances)
            largest[: p + 1] = np.maximum(largest[: p + 1], distances)
        return np.all(largest - smallest <= atol)

    def by_early_exit(encoding, atol=1e-9):
        """Loops that stop at the first two distances too far apart, and math.dist for the distance.
        Quick to say no; slow to say yes."""
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
        """np.multiply.outer lets every offset meet every frequency and appends the new axis by itself.
        It also takes a plain Python number for an offset."""
        _even(d_model)
        frequencies = base ** (-np.arange(0, d_model, 2) / d_model)            # (d_model / 2,)
        return np.cos(np.multiply.outer(offsets, frequencies)).sum(axis=-1)

    def by_loops(offsets, d_model, base=10000.0):
        """math.cos for every offset and pair: the formula letter by letter, good for checking the others.
        Some hundred times slower than NumPy on many offsets."""
        _even(d_model)
        offsets = np.asarray(offsets)
        total = np.zeros(offsets.shape)
        for index in np.ndindex(offsets.shape):
            for pair in range(d_model // 2):
                total[index] += math.cos(float(offsets[index]) / base ** (2 * pair / d_model))
        return total

    def by_running_sum(offsets, d_model, base=10000.0):
        """One frequency at a time is added to the total, so nothing larger than the offsets is ever held.
        Worth having for a large matrix of offsets."""
        _even(d_model)
        total = 0.0
        for pair in range(d_model // 2):
            total = total + np.cos(np.asarray(offsets) * base ** (-2 * pair / d_model))
        return total

    def by_rows_of_the_table(offsets, d_model, base=10000.0):
        """Make the rows of the offsets and multiply them with row 0: 0, 1, 0, 1, ... picks out the cosines.
        Twice the work of the closed form, and it says where that comes from."""
        _even(d_model)
        columns = np.arange(d_model)
        angles = np.asarray(offsets)[..., None] * base ** (-2 * (columns // 2) / d_model)    # (..., d_model)
        return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)) @ (columns % 2)

    def by_complex_numbers(offsets, d_model, base=10000.0):
        """A pair of columns is a complex number of length 1; the real part of the sum is the similarity.
        The imaginary part, which tells left from right, is thrown away."""
        _even(d_model)
        frequencies = np.exp(np.arange(0, d_model, 2) * (-math.log(base) / d_model))
        return np.exp(1j * np.asarray(offsets)[..., np.newaxis] * frequencies).sum(axis=-1).real

    def by_chords(offsets, d_model, base=10000.0):
        """cos a = 1 - 2 sin(a/2)^2: half the width less half the squared distance of the two rows.
        What is taken away keeps all its digits, however small the offset."""
        _even(d_model)
        frequencies = base ** (-2.0 * np.arange(d_model // 2) / d_model)
        half = np.multiply.outer(np.asarray(offsets), frequencies / 2)         # (..., d_model / 2)
        return d_model / 2 - 2 * (np.sin(half) ** 2).sum(axis=-1)

    def by_one_matrix_product(offsets, d_model, base=10000.0):
        """Flatten the offsets, sum the cosines with a vector of ones, put the shape back.
        For libraries whose functions take matrices only."""
        _even(d_model)
        frequencies = base ** (-np.arange(0, d_model, 2) / d_model)
        cosines = np.cos(np.outer(np.ravel(offsets), frequencies))             # (size, d_model / 2)
        return (cosines @ np.ones(d_model // 2)).reshape(np.shape(offsets))
