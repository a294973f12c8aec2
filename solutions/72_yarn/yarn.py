"""YaRN: fast pairs of a rotary encoding are kept, slow ones are slowed, those between get some of both."""
import numpy as np


def correction_range(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
    """Return the first and the last pair of the ramp between pairs that are kept and pairs that are slowed.

    Parameters
    ----------
    d_head : int
        Columns of one head, two per pair; even.
    train_len : int
        Positions of the texts of training.
    beta_fast : float, default 32.0
        A pair with as many whole turns in `train_len` positions, or more, is fast.
    beta_slow : float, default 1.0
        A pair with as many turns, or fewer, is slow; below `beta_fast`.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position; above 1.

    Returns
    -------
    low, high : int
        The pair indices at which exactly `beta_fast` and `beta_slow` turns would be made, `low` rounded down
        and not below 0, `high` rounded up and not above ``d_head - 1``, which is beyond the last pair.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models",
    section 3.2; the indices, and how they are rounded, are from its released code.
    """
    turns = np.array([beta_fast, beta_slow])                                              # (2,)
    fast, slow = d_head / 2 * np.log(train_len / (2 * np.pi * turns)) / np.log(base)      # one index each
    return max(int(np.floor(fast)), 0), min(int(np.ceil(slow)), d_head - 1)


def yarn_frequencies(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
    """Return how fast each pair of columns turns once the slow ones are slowed for a longer text.

    Parameters
    ----------
    d_head : int
        Columns of one head, two per pair; even.
    scale : float
        How many times longer the text is than those of training. Below 1 the slow pairs turn faster.
    train_len : int
        Positions of the texts of training.
    beta_fast, beta_slow : float, default 32.0 and 1.0
        Turns in `train_len` positions from which a pair is fast, and up to which it is slow.
    base : float, default 10000.0
        As in `correction_range`.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position, with `low` and `high` of `correction_range`: ``base ** (-2 * i / d_head)`` up to
        pair `low`; that divided by `scale` from pair `high`; between them a mixture of the two, in which the
        share of the second grows linearly with the pair index. Where `low` equals `high`, `high` counts as
        ``low + 0.001``.

    Source: Peng et al. 2023, section 3.2; the ramp over the pair index is from its released code.
    """
    low, high = correction_range(d_head, train_len, beta_fast, beta_slow, base)
    if low == high:
        high = low + 0.001                                      # the ramp is a step right after pair low
    pairs = np.arange(d_head // 2)                              # (d_head / 2,)
    ramp = np.clip((pairs - low) / (high - low), 0, 1)          # (d_head / 2,)
    kept = base ** (-2 * pairs / d_head)                        # (d_head / 2,)
    return (1 - ramp) * kept + ramp * kept / scale              # (d_head / 2,)


def yarn_attention_factor(scale):
    """Return what queries and keys are multiplied by in a longer text, which makes the softmax sharper.

    Parameters
    ----------
    scale : float
        How many times longer the text is than those of training.

    Returns
    -------
    float
        ``0.1 * ln(scale) + 1`` for a scale above 1, else 1. It multiplies queries and keys both, so every
        score is multiplied by its square.

    Source: Peng et al. 2023, section 3.4.
    """
    return 0.1 * np.log(max(scale, 1)) + 1
