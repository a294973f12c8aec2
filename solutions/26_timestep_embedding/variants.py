"""Other right answers to 26_timestep_embedding, and when you would want them."""
import math

import numpy as np


def _angles(timesteps, half, max_period, freq_shift):
    powers = np.arange(half) * (-math.log(max_period) / (half - freq_shift))
    return np.asarray(timesteps)[..., None] * np.exp(powers)             # (..., half)


class timestep_embedding:
    def by_filling_one_array(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Write cosines and sines directly into the result. Without concatenate, there is no second copy."""
        half = d_model // 2
        angles = _angles(timesteps, half, max_period, freq_shift)
        table = np.zeros((*angles.shape[:-1], d_model))
        cosines, sines = (0, half) if cosine_first else (half, 0)
        np.cos(angles, out=table[..., cosines : cosines + half])
        np.sin(angles, out=table[..., sines : sines + half])
        return table

    def by_complex_exponential(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """One complex exponential has the cosine as its real part and the sine as its imaginary part. Rotary encodings
        use the same numbers."""
        waves = np.exp(1j * _angles(timesteps, d_model // 2, max_period, freq_shift))
        parts = [waves.real, waves.imag, np.zeros((*waves.shape[:-1], d_model % 2))]
        return np.concatenate(parts if cosine_first else [parts[1], parts[0], parts[2]], axis=-1)

    def by_loops(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Compute one number after the other, with math.cos and math.sin. Use it to check a version with arrays."""
        timesteps, half = np.asarray(timesteps), d_model // 2
        table = np.zeros((*timesteps.shape, d_model))
        for place in np.ndindex(timesteps.shape):
            for i in range(half):
                angle = float(timesteps[place]) / max_period ** (i / (half - freq_shift))
                pair = (math.cos(angle), math.sin(angle)) if cosine_first else (math.sin(angle), math.cos(angle))
                table[(*place, i)], table[(*place, half + i)] = pair
        return table


class fourier_features:
    def by_slices(x, n_frequencies):
        """Write the sines into the even columns and the cosines into the odd ones. You make no stack."""
        angles = (x[..., None] * (np.pi * 2.0 ** np.arange(n_frequencies))).reshape(*x.shape[:-1], -1)
        table = np.empty((*angles.shape[:-1], 2 * angles.shape[-1]), dtype=angles.dtype)
        np.sin(angles, out=table[..., 0::2])
        np.cos(angles, out=table[..., 1::2])
        return table

    def by_doubling_angles(x, n_frequencies):
        """Compute sine and cosine of pi x, and then double the angle with sin 2a = 2 sin a cos a and cos 2a = 1 - 2 sin
        a sin a. You need few sines. Rounding errors grow with each doubling."""
        sine, cosine, columns = np.sin(np.pi * x), np.cos(np.pi * x), []
        for _ in range(n_frequencies):
            columns += [sine, cosine]
            sine, cosine = 2 * sine * cosine, 1 - 2 * sine * sine
        return np.stack(columns, axis=-1).reshape(*x.shape[:-1], -1)

    def by_complex_exponential(x, n_frequencies):
        """One complex exponential contains both waves. If you turn it to i exp(-ia), its real part is the sine, and a
        view as floats is already interleaved."""
        x = np.asarray(x, dtype=float)
        waves = 1j * np.exp(-1j * np.pi * x[..., None] * 2.0 ** np.arange(n_frequencies))     # sin + i cos
        return np.ascontiguousarray(waves).view(float).reshape(*x.shape[:-1], -1)

    def by_a_matrix(x, n_frequencies):
        """Write the frequencies as a matrix with one column per angle, so that a product makes all angles. With normal
        random numbers in this matrix, you get the Fourier features of Tancik et al. (2020)."""
        matrix = np.kron(np.eye(x.shape[-1]), np.pi * 2.0 ** np.arange(n_frequencies))     # (c, c * L)
        angles = x @ matrix
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*x.shape[:-1], -1)


class same_up_to_order:
    def by_tolerance(first, second):
        """Test all pairs of columns with a tolerance of 1e-9 and take the first match. argmax of booleans is the index
        of the first True."""
        equal = np.isclose(first[:, :, None], second[:, None, :], rtol=0.0, atol=1e-9).all(axis=0)
        return equal.argmax(axis=1)

    def by_distances(first, second):
        """Look for the column with the smallest squared distance. You need no absolute values, and einsum makes no
        second array of that size."""
        apart = first.T[:, None, :] - second.T[None, :, :]                   # (d, d, n)
        return np.einsum("ijn,ijn->ij", apart, apart).argmin(axis=1)

    def by_loops(first, second):
        """Compare two columns at a time and stop at the first match. It needs memory for two columns only."""
        found = np.empty(first.shape[1])
        for j in range(first.shape[1]):
            for candidate in range(second.shape[1]):
                if (np.abs(first[:, j] - second[:, candidate]) < 1e-9).all():
                    found[j] = candidate
                    break
        return found

    def column_by_column(first, second):
        """Compare one column of the first table with the whole second table. It needs (n, d) numbers at a time instead
        of (n, d, d), so it is good for wide tables."""
        return np.array([np.abs(second - column[:, None]).max(axis=0).argmin() for column in first.T])

    def row_by_row(first, second):
        """Cross out the pairs of columns that differ in a row, one row after the other. You keep only the table
        of pairs."""
        possible = np.ones((first.shape[1], second.shape[1]), dtype=bool)
        for one, other in zip(first, second, strict=True):
            possible &= np.abs(np.subtract.outer(one, other)) < 1e-9
        return np.nonzero(possible)[1]
