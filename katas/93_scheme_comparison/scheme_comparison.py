"""Three columns of a comparison: trained numbers, scores that depend on distance alone, attention distance."""
import numpy as np


def position_parameters(scheme, max_len, d_model, n_heads, n_layers, max_distance=16, num_buckets=32):
    """Return how many numbers a model trains for its position scheme.

    Parameters
    ----------
    scheme : str
        "none", "sinusoidal", "learned", "shaw", "t5", "alibi", "sandwich" or "rope".
    max_len : int
        Positions in a learned table.
    d_model : int
        Width of the model, a multiple of `n_heads`. A head has ``d_model / n_heads`` columns.
    n_heads : int
        Heads per layer.
    n_layers : int
        Attention layers.
    max_distance : int, default 16
        Largest distance with its own row in Shaw's tables, on either side of the query.
    num_buckets : int, default 32
        Buckets (ranges of distances) in T5, for keys before and after the query together.

    Returns
    -------
    int
        "learned": one row per position, as wide as the model, once. "shaw": a table for keys and one for values
        in every layer, each with ``2 * max_distance + 1`` rows as wide as one head. All heads of a layer share
        them. "t5": one number per bucket and head, shared by all layers. The other schemes train nothing.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; Shaw et al. 2018, "Self-attention with
    relative position representations", sections 3.2 and 3.3; Raffel et al. 2020, "Exploring the limits of
    transfer learning with a unified text-to-text transformer", section 2.1.
    """
    # TODO 1: the number of entries in all trained arrays; 0 for schemes that train nothing
    raise NotImplementedError("position_parameters")


def is_relative(scores, atol=1e-9):
    """Return whether scores depend on the distance from query to key alone.

    Parameters
    ----------
    scores : ndarray, shape (..., n, n)
        The score of query i and key j in row i, column j; -inf where the key is masked.
    atol : float, default 1e-9
        The most by which the largest and smallest score of one diagonal may differ.

    Returns
    -------
    bool
        True if every diagonal of every matrix is constant within `atol`. A diagonal that is all -inf is constant. A
        diagonal with -inf and numbers is not, for any `atol`. Diagonals of different matrices are not compared.

    Source: Shaw et al. 2018, "Self-attention with relative position representations", section 3.2, for scores
    with this property. A matrix with constant diagonals is called a Toeplitz matrix.
    """
    # TODO 2: whether largest minus smallest is at most atol on all diagonals of all matrices   (..., n - |offset|)
    # TODO 3: count a diagonal that is all -inf as constant, and one with -inf and numbers as not constant
    raise NotImplementedError("is_relative")


def mean_attention_distance(weights):
    """Return the average distance from a query to the keys that it attends to.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights. Row i contains the weights that query i gives to the keys; they add up to 1.

    Returns
    -------
    float or ndarray, shape (...)
        One number per matrix: the mean over the queries i of ``sum_j weights[i, j] * |i - j|``.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 4.5 and figure 7, for distances
    in images; Vig and Belinkov 2019, "Analyzing the structure of attention in a transformer language
    model", for text.
    """
    # TODO 4: the mean distance of each query                  (..., n)
    #         the mean of these over the queries               (...)
    raise NotImplementedError("mean_attention_distance")
