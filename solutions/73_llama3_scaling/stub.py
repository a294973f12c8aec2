"""The rotary frequencies of Llama 3.1: fast pairs kept, slow pairs divided, a blend between them."""
import numpy as np


def wavelengths(d_head, base=10000.0):
    """Return how many positions each pair of columns needs for a full turn.

    Parameters
    ----------
    d_head : int
        Width of one head, two columns per pair; even.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position; above 1.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Positions per full turn, fastest pair first: ``2 * pi`` divided by the frequency.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2,
    for the frequencies.
    """
    # TODO 1: positions per full turn of each pair                          (d_head / 2,)
    raise NotImplementedError("wavelengths")


def llama3_frequencies(d_head, factor, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
    """Return the frequency of every pair of columns, with the slow pairs slowed for longer texts.

    Parameters
    ----------
    d_head : int
        Width of one head, two columns per pair; even.
    factor : float
        How many times slower the slow pairs become; at least 1.
    train_len : int
        Length of the texts in training, before the extension (positions).
    low_freq_factor : float, default 1.0
        A pair that makes fewer full turns than this in `train_len` positions is slow.
    high_freq_factor : float, default 4.0
        A pair that makes more full turns than this is fast. Greater than `low_freq_factor`.
    base : float, default 500000.0
        As in `wavelengths`. The default is the base of Llama 3.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position, fastest pair first. A pair keeps its frequency if its wavelength is below
        ``train_len / high_freq_factor``. If it is above ``train_len / low_freq_factor``, the frequency is divided by
        `factor`. Between them it is ``(1 - s) * frequency / factor + s * frequency`` with
        ``s = (train_len / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor)``.

    Source: the released code of Llama 3.1, function ``apply_scaling``.
    """
    # TODO 2: the share s of each pair, from 0 if slow to 1 if fast          (d_head / 2,)
    #         divided and kept frequencies, mixed                            (d_head / 2,)
    raise NotImplementedError("llama3_frequencies")


def pairs_by_fate(d_head, train_len, low_freq_factor=1.0, high_freq_factor=4.0, base=500000.0):
    """Count the pairs that are kept, blended and divided.

    Parameters
    ----------
    d_head : int
        Width of one head, two columns per pair; even.
    train_len : int
        Length of the texts in training (positions).
    low_freq_factor, high_freq_factor : float, default 1.0 and 4.0
        As in `llama3_frequencies`.
    base : float, default 500000.0
        As in `llama3_frequencies`.

    Returns
    -------
    ndarray of int, shape (3,)
        How many pairs keep their frequency, how many get a blend, how many are divided. The sum is ``d_head / 2``.

    Source: the released code of Llama 3.1, function ``apply_scaling``.
    """
    # TODO 3: how many are kept, blended, divided                            (3,)
    raise NotImplementedError("pairs_by_fate")
