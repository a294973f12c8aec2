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

    Raises
    ------
    ValueError
        If `d_head` is below 1 or odd, or `scale` or `base` is not positive; the message names the argument
        and shows its value.

    Source: Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
    Interpolation", section 2.3.
    """
    _check(d_head, scale, base, at_least=2)
    return base ** (-np.arange(0, d_head, 2) / d_head) / scale       # (d_head / 2,)


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

    Raises
    ------
    ValueError
        If `d_head` is below 4 or odd, or `scale` or `base` is not positive; the message names the argument
        and shows its value.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models",
    section 3.1.
    """
    _check(d_head, scale, base, at_least=4)
    return base * scale ** (d_head / (d_head - 2))


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

    Raises
    ------
    ValueError
        If `n` or `train_len` is below 1, `factor` is below 1, `d_head` is below 4 or odd, or `base` is not
        positive, however long the text is; the message names the argument and shows its value.

    Source: Peng et al. 2023, section 3.3, for a factor of 1; its released code for others.
    """
    for name, value in (("n", n), ("train_len", train_len), ("factor", factor)):
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}")
    stretch = factor * n / train_len - (factor - 1)                  # below 1 within train_len
    return ntk_base(max(stretch, 1.0), d_head, base)


def _check(d_head, scale, base, at_least):
    """Refuse widths that make too few pairs, and a scale or base that no frequency can have."""
    if d_head < at_least or d_head % 2:
        raise ValueError(f"d_head must be even and at least {at_least}, got {d_head}")
    if scale <= 0:
        raise ValueError(f"scale must be positive, got {scale}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
