"""Two layouts of rotary pairs, neighbours and halves: both rotations, and the way from one to the other."""
import numpy as np


def rotate_half(x):
    """Return the second half of the columns, negated, followed by the first half.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        Vectors of even width. Integers count as float64.

    Returns
    -------
    ndarray, shape of `x`, floating dtype of `x`
        Columns ``i`` and ``i + d/2``, taken as a point in the plane, turned by a quarter turn
        counter-clockwise: ``(a, b)`` becomes ``(-b, a)``.

    Raises
    ------
    ValueError
        If the last axis of `x` is odd; the message names the argument and shows its shape.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2,
    with its neighbours pulled apart as GPT-NeoX has them.
    """
    _check_width(x)
    first, second = np.split(_floating(x), 2, axis=-1)          # (..., d / 2) each
    return np.concatenate([-second, first], axis=-1)


def apply_rope_half(x, positions, base=10000.0):
    """Turn columns i and i + d_head/2, pair by pair, by the angle of their row's position.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys in the half layout, two axes or more; `d_head` is even. Integers count as float64.
    positions : ndarray of int or float, shape (n,)
        The position of each row, of any sign, in any order. Any shape that broadcasts to ``x.shape[:-1]``
        without enlarging it will do, such as (batch, 1, n) for `x` of shape (batch, heads, n, d_head).
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray, shape of `x`, floating dtype of `x`
        Columns ``i`` and ``i + d_head/2`` of `x`, taken as a point in the plane (``i`` across, the other up)
        and turned counter-clockwise by position times frequency ``i``.

    Raises
    ------
    ValueError
        If `x` has fewer than two axes or an odd last one, if `positions` does not fit `x`, or if `base` is
        not positive; the message names the argument and shows its value, for an array its shape.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2, in
    the layout of Llama in the transformers library.
    """
    _check(x, positions, base)
    x = _floating(x)
    angles = _angles(x, positions, base)                        # (..., n, d_head / 2)
    cosine, sine = (np.tile(f(angles).astype(x.dtype), 2) for f in (np.cos, np.sin))      # (..., n, d_head)
    turned = rotate_half(x)
    turned *= sine
    turned += x * cosine
    return turned


def apply_rope_complex(x, positions, base=10000.0):
    """Turn neighbouring columns by the angle of their row's position, each pair as one complex number.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys in the interleaved layout, as in `apply_rope_half` otherwise.
    positions : ndarray of int or float, shape (n,)
        As in `apply_rope_half`.
    base : float, default 10000.0
        As in `apply_rope_half`.

    Returns
    -------
    ndarray, shape of `x`, floating dtype of `x`
        Columns ``2i`` and ``2i + 1``: real and imaginary part of
        ``(x[2i] + 1j * x[2i + 1]) * exp(1j * angle)``, where the angle is position times frequency ``i``.

    Raises
    ------
    ValueError
        As `apply_rope_half`.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.1.
    """
    _check(x, positions, base)
    x = _floating(x)
    turns = np.exp(1j * _angles(x, positions, base))            # (..., n, d_head / 2)
    turns = turns.astype(np.result_type(x, np.complex64))       # no more precision than x has
    pairs = np.ascontiguousarray(x, turns.real.dtype)
    return (pairs.view(turns.dtype) * turns).view(pairs.dtype).astype(x.dtype, copy=False)


def interleaved_to_half(x):
    """Reorder the last axis: neighbours ``2i`` and ``2i + 1`` go to ``i`` and ``i + d/2``.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        Vectors of even width in the interleaved layout.

    Returns
    -------
    ndarray, shape and dtype of `x`
        Columns 0, 2, 4, ..., then columns 1, 3, 5, ...

    Raises
    ------
    ValueError
        If the last axis of `x` is odd; the message names the argument and shows its shape.

    Source: transformers, issue 25199.
    """
    _check_width(x)
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


def half_to_interleaved(x):
    """Reorder the last axis: columns ``i`` and ``i + d/2`` become the neighbours ``2i`` and ``2i + 1``.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        Vectors of even width in the half layout.

    Returns
    -------
    ndarray, shape and dtype of `x`
        Columns 0, d/2, 1, d/2 + 1, ...: what `interleaved_to_half` puts back in halves.

    Raises
    ------
    ValueError
        If the last axis of `x` is odd; the message names the argument and shows its shape.

    Source: transformers, issue 25199.
    """
    _check_width(x)
    first, second = np.split(x, 2, axis=-1)                     # (..., d / 2) each
    return np.stack([first, second], axis=-1).reshape(x.shape)


def permute_projection(w, n_heads):
    """Reorder the rows of a projection, head by head, so that what it makes is in the half layout.

    Parameters
    ----------
    w : ndarray, shape (n_heads * d_head, d_model)
        Rows that make queries or keys in the interleaved layout, as ``w @ token``: the `d_head` rows of head
        0, then those of head 1, and so on; `d_head` is even.
    n_heads : int
        Heads that `w` makes; for keys, the number of key heads.

    Returns
    -------
    ndarray, shape and dtype of `w`
        Within each head, the rows in the order that `interleaved_to_half` gives columns.

    Raises
    ------
    ValueError
        If `n_heads` is below 1, or the rows of `w` do not make that many heads of one even width; the message
        names the argument and shows its value, for an array its shape.

    Source: transformers, issue 25199.
    """
    if n_heads < 1:
        raise ValueError(f"n_heads must be at least 1, got {n_heads}")
    if len(w) % (2 * n_heads):
        raise ValueError(f"w must have rows for {n_heads} heads of one even width, got shape {w.shape}")
    pairs = w.reshape(n_heads, -1, 2, w.shape[1])               # (n_heads, d_head / 2, 2, d_model)
    return pairs.swapaxes(1, 2).reshape(w.shape)


def _check_width(x):
    """Refuse vectors with a column that has no partner."""
    if x.shape[-1] % 2:
        raise ValueError(f"x must have an even last axis, got shape {x.shape}")


def _check(x, positions, base):
    """Refuse what cannot be turned."""
    if x.ndim < 2:
        raise ValueError(f"x must have two axes or more, got shape {x.shape}")
    _check_width(x)
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    try:
        np.broadcast_to(positions, x.shape[:-1])                # refuses what would enlarge, too
    except ValueError:
        raise ValueError(f"positions of shape {positions.shape} does not fit x of shape {x.shape}") from None


def _floating(x):
    """Whole numbers as float64."""
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _angles(x, positions, base):
    """One angle per row and pair, (..., n, d_head / 2)."""
    d_head = x.shape[-1]
    return positions[..., None] * base ** (-np.arange(0, d_head, 2) / d_head)
