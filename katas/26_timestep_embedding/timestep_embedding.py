"""Sinusoids outside of text: the timesteps of diffusion models, the coordinates of NeRF, and the order of columns."""
import numpy as np


def timestep_embedding(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
    """Return one row of cosines and sines per timestep, all cosines in one half and all sines in the other.

    Parameters
    ----------
    timesteps : ndarray of int or float, shape (...)
        Numbers of any sign, in any order. A single number is an array of shape ().
    d_model : int
        Number of columns, at least 4. If it is odd, the last one contains zeros.
    max_period : float, default 10000.0
        With ``half = d_model // 2``, frequency ``i`` is ``max_period ** (-i / (half - freq_shift))`` radians per
        timestep, for i = 0..half - 1.
    cosine_first : bool, default True
        Whether the cosines come before the sines. If False, the sines come first.
    freq_shift : float, default 0.0
        A number below ``half``. If it is 1, the last frequency is exactly ``1 / max_period``.

    Returns
    -------
    ndarray of float64, shape (..., d_model)
        Columns 0 to ``half - 1`` and columns ``half`` to ``2 * half - 1`` are the cosines and the sines of
        ``timestep * frequency``, or the other way round.

    Source: the programs released with Peebles and Xie 2023, "Scalable diffusion models with transformers" (DiT), and
    with Ho et al. 2020, "Denoising diffusion probabilistic models" (DDPM).
    """
    # TODO 1: one frequency per column of a half                       (half,)
    #         an angle for every timestep and frequency                (..., half)
    #         all cosines, all sines, and zeros if the width is odd    (..., d_model)
    # TODO 2: the sines first, if the caller asks for it, and frequencies that follow the shift
    raise NotImplementedError("timestep_embedding")


def fourier_features(x, n_frequencies):
    """Return sines and cosines of every coordinate, each frequency twice as high as the one before.

    Parameters
    ----------
    x : ndarray, shape (..., c)
        Points with ``c`` coordinates, usually from -1 to 1.
    n_frequencies : int
        Number of frequencies, ``L``. They are ``2**0 * pi`` to ``2**(L - 1) * pi`` radians per unit.

    Returns
    -------
    ndarray, shape (..., 2 * n_frequencies * c)
        First the ``2 * n_frequencies`` columns of coordinate 0, then all of coordinate 1, and so on. The columns of
        a coordinate are the sine and the cosine of the first frequency, of the second, and so on.

    Source: Mildenhall et al. 2020, "NeRF: representing scenes as neural radiance fields for view synthesis",
    section 5.1.
    """
    # TODO 3: an angle for every coordinate and frequency              (..., c, n_frequencies)
    #         sine and cosine of each angle, side by side              (..., 2 * n_frequencies * c)
    raise NotImplementedError("fourier_features")


def same_up_to_order(first, second):
    """Return where each column of one table is in another table that has the same columns in another order.

    Parameters
    ----------
    first, second : ndarray, shape (n, d)
        Two tables. Every column of `first` has exactly one column of `second` whose numbers are the same in every row,
        within 1e-9. The numbers of any other column differ by more in at least one row.

    Returns
    -------
    ndarray of int, shape (d,)
        Entry ``j`` is the column of `second` that equals column ``j`` of `first`, so ``second[:, result]`` equals
        `first`.

    Source: the layouts of Vaswani et al. 2017, "Attention is all you need", section 3.5, and of the released DDPM and
    DiT; the comparison belongs to this kata.
    """
    # TODO 4: the largest difference of every two columns              (d, d)
    #         the nearest column of `second` for each of `first`       (d,)
    raise NotImplementedError("same_up_to_order")
