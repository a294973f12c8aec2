"""Two layouts of rotary pairs, neighbours and halves: both rotations, and how to get from one to the other."""
import numpy as np


def rotate_half(x):
    """Return the second half of the columns, negated, followed by the first half.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        Vectors of even width.

    Returns
    -------
    ndarray, shape of `x`
        Columns ``i`` and ``i + d/2`` are a point ``(a, b)`` in the plane. A quarter turn counter-clockwise makes
        it ``(-b, a)``.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.4.2,
    for the columns of the half layout, as in GPT-NeoX.
    """
    # TODO 1: minus the second half of the columns, then the first half        (..., d)
    raise NotImplementedError("rotate_half")


def apply_rope_half(x, positions, base=10000.0):
    """Turn every pair of columns ``i`` and ``i + d_head/2`` by the angle of its row's position.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys in the half layout, with at least two axes; `d_head` is even.
    positions : ndarray of int or float, shape (n,)
        The position of each row: any sign, any order. Or any shape that broadcasts to ``x.shape[:-1]`` without
        enlarging it, such as (batch, 1, n) for `x` of shape (batch, heads, n, d_head).
    base : float, default 10000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``i`` and ``i + d_head/2`` of `x` are the x and the y coordinate of a point. It is
        turned counter-clockwise by ``position * base ** (-2 * i / d_head)`` radians.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2, in
    the layout of Llama in the transformers library.
    """
    # TODO 2: one angle per row and pair, repeated for all columns             (..., n, d_head)
    #         x and its quarter turn, weighted by cosine and sine              (..., n, d_head)
    raise NotImplementedError("apply_rope_half")


def apply_rope_complex(x, positions, base=10000.0):
    """Turn every pair of neighbouring columns by its row's angle, as one complex number.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys in the interleaved layout, with at least two axes; `d_head` is even.
    positions : ndarray of int or float, shape (n,)
        As in `apply_rope_half`.
    base : float, default 10000.0
        As in `apply_rope_half`.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``2i`` and ``2i + 1`` are the real and imaginary part of
        ``(x[2i] + 1j * x[2i + 1]) * exp(1j * angle)``, with the angle as in `apply_rope_half`.

    Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.1.
    """
    # TODO 3: one complex number per pair, times exp(1j * angle)               (..., n, d_head / 2)
    #         its two parts next to each other                                 (..., n, d_head)
    raise NotImplementedError("apply_rope_complex")


def interleaved_to_half(x):
    """Reorder the last axis: neighbours ``2i`` and ``2i + 1`` go to ``i`` and ``i + d/2``.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        Vectors of even width in the interleaved layout.

    Returns
    -------
    ndarray, shape of `x`
        Columns 0, 2, 4, ..., then columns 1, 3, 5, ...

    Source: transformers, issue 25199.
    """
    # TODO 4: the even columns, then the odd columns                           (..., d)
    raise NotImplementedError("interleaved_to_half")


def half_to_interleaved(x):
    """Reorder the last axis: columns ``i`` and ``i + d/2`` become the neighbours ``2i`` and ``2i + 1``.

    Parameters
    ----------
    x : ndarray, shape (..., d)
        Vectors of even width in the half layout.

    Returns
    -------
    ndarray, shape of `x`
        Columns 0, d/2, 1, d/2 + 1, ... This undoes `interleaved_to_half`.

    Source: transformers, issue 25199.
    """
    # TODO 5: each column of the first half with its partner                   (..., d / 2, 2)
    #         the pairs one after the other                                    (..., d)
    raise NotImplementedError("half_to_interleaved")


def permute_projection(w, n_heads):
    """Reorder the rows of a projection, head by head, so that it makes queries or keys in the half layout.

    Parameters
    ----------
    w : ndarray, shape (n_heads * d_head, d_model)
        Weights whose product ``w @ token`` is a query or key in the interleaved layout. The `d_head` rows of
        head 0 come first, then those of head 1, and so on; `d_head` is even.
    n_heads : int
        The number of heads in `w`; for keys, the number of key heads.

    Returns
    -------
    ndarray, shape of `w`
        Within each head, the rows are in the order of `interleaved_to_half`.

    Source: transformers, issue 25199.
    """
    # TODO 6: the head, the pair and the place in the pair as axes             (n_heads, d_head / 2, 2, d_model)
    #         the place before the pair, then rows again                       (n_heads * d_head, d_model)
    raise NotImplementedError("permute_projection")
