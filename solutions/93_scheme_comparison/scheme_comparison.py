"""What position schemes are compared by: numbers to train, scores that know only distance, how far heads look."""
import numpy as np


def position_parameters(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
    """Return how many numbers a model has to train for its position scheme.

    Parameters
    ----------
    scheme : str
        "none", "sinusoidal", "learned", "shaw", "t5", "alibi", "sandwich" or "rope".
    max_len : int
        Positions that a learned table has rows for.
    d_model : int
        Width of the model, a multiple of `n_heads`; a head has ``d_model / n_heads`` columns.
    n_heads : int
        Heads of every layer.
    n_layers : int
        Layers that attend.
    max_distance : int, default 16
        Distance up to which Shaw's tables have a row of their own, before and after.
    num_buckets : int, default 32
        Ranges of distances that T5 has a number for, in all directions together.

    Returns
    -------
    int
        "learned": one row per position, as wide as the model, once. "shaw": a table for keys and one for values
        in every layer, each of ``2 * max_distance + 1`` rows as wide as one head, all heads sharing them. "t5":
        one number per bucket and head, shared by all layers. The other schemes have nothing to train.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; Shaw et al. 2018, "Self-attention with
    relative position representations", sections 3.2 and 3.3; Raffel et al. 2020, "Exploring the limits of
    transfer learning with a unified text-to-text transformer", section 2.1.
    """
    d_head = d_model // n_heads
    trained = {
        "learned": max_len * d_model,                               # one table
        "shaw": n_layers * 2 * (2 * max_distance + 1) * d_head,     # keys and values, in every layer
        "t5": num_buckets * n_heads,                                # one table for all layers
    }
    return trained.get(scheme, 0)                                   # the others compute what they need


def is_relative(scores, atol=1e-9):
    """Return whether scores depend on the distance from query to key alone.

    Parameters
    ----------
    scores : ndarray, shape (..., n, n)
        Row i, column j: the score of query i and key j; -inf where the key is masked.
    atol : float, default 1e-9
        How far the scores on one diagonal may lie apart, largest minus smallest; absolute, not relative.

    Returns
    -------
    bool
        True if every diagonal of every matrix is constant within `atol`. A diagonal wholly -inf is constant; one
        that holds -inf and numbers is not, whatever `atol`. Diagonals of different matrices are not compared.

    Source: the property that Shaw et al. 2018, "Self-attention with relative position representations", section
    3.2, build into the scores; a matrix with constant diagonals is called a Toeplitz matrix.
    """
    n = scores.shape[-1]
    diagonals = [np.diagonal(scores, offset, -2, -1) for offset in range(1 - n, n)]     # (..., n - |offset|) each
    # largest minus smallest would be NaN where both are -inf
    return all((d.max(axis=-1) <= d.min(axis=-1) + atol).all() for d in diagonals)      # (...) each, then one answer


def mean_attention_distance(weights):
    """Return how far from a query the keys are that it attends to, on average.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights: row i is what query i gives to every key. Each row adds up to 1.

    Returns
    -------
    float or ndarray, shape (...)
        One number per matrix: the mean over the queries i of ``sum_j weights[i, j] * |i - j|``.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 4.5 and figure 7, where the distance
    is one in the image; Vig and Belinkov 2019, "Analyzing the structure of attention in a transformer language
    model", for text.
    """
    positions = np.arange(weights.shape[-1])                        # (n,)
    distance = np.abs(positions[:, None] - positions)               # (n, n)
    of_queries = (weights * distance).sum(axis=-1)                  # (..., n)
    return of_queries.mean(axis=-1)                                 # (...)
