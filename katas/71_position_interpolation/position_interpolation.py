"""Rotary encodings for texts longer than in training: slow all pairs, or raise the base."""
import numpy as np


def interpolated_frequencies(d_head, scale, base=10000.0):
    """Return the frequency of every pair of columns, all slowed by the same factor.

    Parameters
    ----------
    d_head : int
        Width of one head, two columns per pair; even.
    scale : float
        Length of the text divided by the length in training. A scale below 1 makes the pairs faster.
    base : float, default 10000.0
        In training, pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position, fastest pair first: ``base ** (-2 * i / d_head) / scale``.

    Source: Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation", section 2.3.
    """
    # TODO 1: compute the frequency of every pair and divide it by the scale      (d_head / 2,)
    raise NotImplementedError("interpolated_frequencies")


def ntk_base(scale, d_head, base=10000.0):
    """Return the base that slows the slowest pair by `scale` and leaves the fastest pair alone.

    Parameters
    ----------
    scale : float
        Length of the text divided by the length in training. A scale below 1 makes the base smaller.
    d_head : int
        Width of one head; even and at least 4.
    base : float, default 10000.0
        The base in training.

    Returns
    -------
    float
        ``base * scale ** (d_head / (d_head - 2))``.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models",
    section 3.1, on "NTK-aware" interpolation.
    """
    # TODO 2: multiply the base by a power of the scale                           a float
    raise NotImplementedError("ntk_base")


def dynamic_ntk_base(n, train_len, d_head, factor=1.0, base=10000.0):
    """Return the base for a text of `n` positions. It grows once the text is longer than in training.

    Parameters
    ----------
    n : int
        Length of the text so far (positions).
    train_len : int
        Length of the texts in training (positions).
    d_head : int
        Width of one head, as in `ntk_base`.
    factor : float, default 1.0
        How much the stretch grows with each further `train_len` positions; at least 1.
    base : float, default 10000.0
        The base in training.

    Returns
    -------
    float
        `base` up to `train_len` positions. For longer texts, `ntk_base` of the stretch
        ``factor * n / train_len - (factor - 1)``.

    Source: Peng et al. 2023, section "Dynamic Scaling", for a factor of 1; their released code for others.
    """
    # TODO 3: compute the stretch, at least 1                                     a float
    #         return the base for that stretch                                    a float
    raise NotImplementedError("dynamic_ntk_base")
