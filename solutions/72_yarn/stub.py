"""YaRN: a rotary encoding for longer texts. It keeps the fast pairs and slows the slow ones."""
import numpy as np


def correction_range(d_head, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
    """Return the pairs at which the ramp from kept to slowed pairs begins and ends.

    Parameters
    ----------
    d_head : int
        Width of one head, two columns per pair; even.
    train_len : int
        Length of the texts in training (positions).
    beta_fast : float, default 32.0
        A pair that makes at least this many turns in `train_len` positions is fast.
    beta_slow : float, default 1.0
        A pair that makes at most this many turns is slow. Less than `beta_fast`.
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position; above 1.

    Returns
    -------
    low, high : int
        The indices of pairs that would make exactly `beta_fast` and `beta_slow` turns. `low` is rounded down and is
        at least 0. `high` is rounded up and is at most ``d_head - 1``.

    Source: Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models",
    section 3.2. The indices and their rounding are from the released code.
    """
    # TODO 1: compute the pair index for beta_fast and for beta_slow   two numbers
    #         round low down and high up, and apply their limits       two ints
    raise NotImplementedError("correction_range")


def yarn_frequencies(d_head, scale, train_len, beta_fast=32.0, beta_slow=1.0, base=10000.0):
    """Return the frequency of every pair of columns, with the slow pairs slowed for a longer text.

    Parameters
    ----------
    d_head : int
        Width of one head, two columns per pair; even.
    scale : float
        Length of the text divided by the length in training. A scale below 1 makes the slow pairs faster.
    train_len : int
        Length of the texts in training (positions).
    beta_fast, beta_slow : float, default 32.0 and 1.0
        Turns in `train_len` positions, as in `correction_range`.
    base : float, default 10000.0
        As in `correction_range`.

    Returns
    -------
    ndarray of float64, shape (d_head / 2,)
        Radians per position, fastest pair first. Pairs up to `low` of `correction_range` keep the frequency
        ``base ** (-2 * i / d_head)``. For pairs from `high` on, it is divided by `scale`. The pairs in between get a
        mixture: the share of the divided frequency grows linearly with the pair index. If `low` equals `high`, use
        ``low + 0.001`` for `high`.

    Source: Peng et al. 2023, section 3.2. The ramp over the pair index is from the released code.
    """
    # TODO 2: make a ramp from 0 at `low` to 1 at `high`               (d_head / 2,)
    #         mix kept and slowed frequencies with it                  (d_head / 2,)
    raise NotImplementedError("yarn_frequencies")


def yarn_attention_factor(scale):
    """Return a factor for queries and keys. It makes the softmax sharper in a longer text.

    Parameters
    ----------
    scale : float
        Length of the text divided by the length in training.

    Returns
    -------
    float
        ``0.1 * ln(scale) + 1`` for a scale above 1, otherwise 1. It multiplies both queries and keys, so it
        multiplies every score by its square.

    Source: Peng et al. 2023, section "YaRN".
    """
    # TODO 3: compute the factor, 1 up to a scale of 1                 a float
    raise NotImplementedError("yarn_attention_factor")
