"""Rotary positions beyond the length of training: slower pairs, or a larger base that slows them."""
import numpy as np


def interpolated_frequencies(d_head, scale, base=10000.0):
    """Return how fast each pair of columns turns when all of them are slowed alike.

    Parameters
    ----------
    d_head : int
        Columns of one head, two per frequency; even.
    scale : float
        How many times longer the text is than those of training. Below 1 the pairs turn faster.
    base : float, default 10000.0
        Without scaling, pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position, fastest pair first: ``base ** (-2 * i / d_head) / scale``.

    Source: Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation", section 2.3.
    """
    # TODO 1: the frequency of every pair, divided by the scale        (d_head / 2,)
    raise NotImplementedError("interpolated_frequencies")


def ntk_base(scale, d_head, base=10000.0):
    """Return the base with which the slowest pair turns `scale` times slower and the fastest as before.

    Parameters
    ----------
    scale : float
        How many times longer the text is than those of training. Below 1 the base becomes smaller.
    d_head : int
        Columns of one head; even, and at least 4, for one pair cannot be fastest and slowest.
    base : float, default 10000.0
        The base of training.

    Returns
    -------
    float
        ``base * scale ** (d_head / (d_head - 2))``.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models",
    section 3.1.
    """
    # TODO 2: the base times a power of the scale                      a float
    raise NotImplementedError("ntk_base")


def dynamic_ntk_base(n, train_len, d_head, factor=1.0, base=10000.0):
    """Return the base for a text of `n` positions: that of training until the text is longer.

    Parameters
    ----------
    n : int
        Positions of the text so far.
    train_len : int
        Positions of the texts of training.
    d_head : int
        Columns of one head, as in `ntk_base`.
    factor : float, default 1.0
        By how much the stretch grows with every further `train_len` positions; at least 1.
    base : float, default 10000.0
        The base of training.

    Returns
    -------
    float
        `base` up to `train_len` positions; beyond, `ntk_base` of the stretch
        ``factor * n / train_len - (factor - 1)``.

    Source: Peng et al. 2023, section 3.3, for a factor of 1; its released code for others.
    """
    # TODO 3: the stretch, never below 1                               a float
    #         the base for that stretch                                a float
    raise NotImplementedError("dynamic_ntk_base")
