"""Other right answers to 26_timestep_embedding, and when you would want them."""
import itertools
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

    def by_phase(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Take only sines, because a cosine is a sine that is a quarter turn ahead. Half of the columns get the phase
        pi / 2. The result is read-only."""
        half = d_model // 2
        angles = _angles(timesteps, half, max_period, freq_shift)
        phases = np.repeat([0.5 * np.pi, 0.0] if cosine_first else [0.0, 0.5 * np.pi], half)
        table = np.sin(np.concatenate([angles, angles], axis=-1) + phases)
        table = np.pad(table, [(0, 0)] * (table.ndim - 1) + [(0, d_model % 2)])
        table.flags.writeable = False
        return table

    def by_flipping(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Make the table with sines first, then exchange the halves if cosines come first. The library diffusers does
        this, and calls the option flip_sin_to_cos."""
        half = d_model // 2
        angles = _angles(timesteps, half, max_period, freq_shift)
        table = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
        if cosine_first:
            table = np.roll(table, half, axis=-1)
        return np.append(table, np.zeros((*angles.shape[:-1], d_model % 2)), axis=-1)

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

    def by_different_timesteps(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Compute one row for each different timestep, and look the rows up. In training, a batch can contain a
        timestep several times."""
        different, which = np.unique(timesteps, return_inverse=True)
        angles = _angles(different, d_model // 2, max_period, freq_shift)
        waves = (np.cos(angles), np.sin(angles)) if cosine_first else (np.sin(angles), np.cos(angles))
        table = np.hstack([*waves, np.zeros((len(different), d_model % 2))])
        return table[which.reshape(np.shape(timesteps))]

    def by_columns(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
        """Make one column after the other, each for all timesteps, and move the axis of columns to the end. The result
        is a view."""
        timesteps, half = np.asarray(timesteps), d_model // 2
        speeds = np.power(1 / max_period, np.arange(half) / (half - freq_shift))
        waves = (np.cos, np.sin) if cosine_first else (np.sin, np.cos)
        columns = [wave(timesteps * speed) for wave in waves for speed in speeds]
        columns += [np.zeros(timesteps.shape)] * (d_model % 2)
        return np.moveaxis(np.array(columns), 0, -1)


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

    def by_one_coordinate_after_the_other(x, n_frequencies):
        """Make the columns of each coordinate by themselves and join them at the end. You need no reshape, so the order
        of the columns is easy to see."""
        columns = [wave(x[..., i] * (math.pi * 2**k)) for i in range(x.shape[-1]) for k in range(n_frequencies)
                   for wave in (np.sin, np.cos)]
        return np.stack(columns, axis=-1)

    def by_a_matrix(x, n_frequencies):
        """Write the frequencies as a matrix with one column per angle, so that a product makes all angles. With normal
        random numbers in this matrix, you get the Fourier features of Tancik et al. (2020)."""
        matrix = np.kron(np.eye(x.shape[-1]), np.pi * 2.0 ** np.arange(n_frequencies))     # (c, c * L)
        angles = x @ matrix
        return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*x.shape[:-1], -1)

    def by_reducing_first(x, n_frequencies):
        """Take the angles modulo a full turn before you compute sines, in units of pi. This keeps the angles small, and
        doubling a float is exact."""
        turns = np.remainder(np.asarray(x, dtype=float)[..., None] * 2.0 ** np.arange(n_frequencies), 2.0)
        pairs = np.stack([np.sin(np.pi * turns), np.cos(np.pi * turns)], axis=-1)
        return np.reshape(pairs, (*x.shape[:-1], -1))


class same_up_to_order:
    def by_tolerance(first, second):
        """Test all pairs of columns with a tolerance of 1e-9 and take the first match. argmax of booleans is the place
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
        """Cross out the pairs of columns that differ in a row, one row after the other. The table of pairs is all that
        you keep."""
        possible = np.ones((first.shape[1], second.shape[1]), dtype=bool)
        for one, other in zip(first, second, strict=True):
            possible &= np.abs(np.subtract.outer(one, other)) < 1e-9
        return np.nonzero(possible)[1]

    def by_norm(first, second):
        """Take the largest norm of every pair's difference with np.linalg.norm, in plain Python loops over the pairs of
        columns. It compares two columns at a time."""
        d = first.shape[1]
        apart = [np.linalg.norm(first[:, i] - second[:, j], ord=np.inf)
                 for i, j in itertools.product(range(d), repeat=2)]
        return np.reshape(apart, (d, d)).argmin(axis=1)
