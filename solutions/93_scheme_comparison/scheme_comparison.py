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

    Raises
    ------
    ValueError
        If any size is below 1, whatever the scheme, if `d_model` is no multiple of `n_heads`, or if `scheme` is
        unknown; the message names the argument and shows its value, and for `scheme` lists the eight.

    Source: Vaswani et al. 2017, "Attention is all you need", section 3.5; Shaw et al. 2018, "Self-attention with
    relative position representations", sections 3.2 and 3.3; Raffel et al. 2020, "Exploring the limits of
    transfer learning with a unified text-to-text transformer", section 2.1.
    """
    sizes = {"max_len": max_len, "d_model": d_model, "n_heads": n_heads, "n_layers": n_layers,
             "max_distance": max_distance, "num_buckets": num_buckets}
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
    if d_model % n_heads:
        raise ValueError(f"d_model must be a multiple of n_heads, got d_model={d_model} and n_heads={n_heads}")
    counts = dict.fromkeys(("none", "sinusoidal", "learned", "shaw", "t5", "alibi", "sandwich", "rope"), 0)
    counts["learned"] = max_len * d_model
    counts["shaw"] = n_layers * 2 * (2 * max_distance + 1) * (d_model // n_heads)
    counts["t5"] = num_buckets * n_heads
    if scheme not in counts:
        raise ValueError(f"scheme must be one of {', '.join(counts)}, got {scheme!r}")
    return counts[scheme]


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

    Raises
    ------
    ValueError
        If the last two axes of `scores` differ in size; the message names the argument and shows its shape.

    Source: the property that Shaw et al. 2018, "Self-attention with relative position representations", section
    3.2, build into the scores; a matrix with constant diagonals is called a Toeplitz matrix.
    """
    _check_square("scores", scores)
    *leading, n = scores.shape[:-1]
    smallest = np.full((*leading, 2 * n - 1), np.inf)                  # one per diagonal
    largest = -smallest
    for i in range(n):
        diagonals = np.s_[..., n - 1 - i : 2 * n - 1 - i]               # those that row i crosses, left to right
        np.minimum(smallest[diagonals], scores[..., i, :], out=smallest[diagonals])
        np.maximum(largest[diagonals], scores[..., i, :], out=largest[diagonals])
    return bool((largest <= smallest + atol).all())                     # -inf minus -inf would be NaN


def mean_attention_distance(weights):
    """Return how far from a query the keys are that it attends to, on average.

    Parameters
    ----------
    weights : ndarray, shape (..., n, n)
        Attention weights: row i is what query i gives to every key. Rows add up to 1, which is not checked.
        Integers count as float64.

    Returns
    -------
    float or ndarray, shape (...), floating dtype of `weights`
        One number per matrix: the mean over the queries i of ``sum_j weights[i, j] * |i - j|``.

    Raises
    ------
    ValueError
        If the last two axes of `weights` differ in size; the message names the argument and shows its shape.

    Source: Dosovitskiy et al. 2021, "An image is worth 16x16 words", section 4.5 and figure 7, where the distance
    is one in the image; Vig and Belinkov 2019, "Analyzing the structure of attention in a transformer language
    model", for text.
    """
    _check_square("weights", weights)
    n = weights.shape[-1]
    dtype = weights.dtype if weights.dtype.kind == "f" else np.float64
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(dtype)     # (n, n)
    return np.tensordot(weights, distance, axes=2) / n


def _check_square(name, array):
    """Refuse an array whose last two axes are not queries and as many keys."""
    if array.shape[-2:-1] != array.shape[-1:]:
        raise ValueError(f"{name} must have as many queries as keys, got shape {array.shape}")
