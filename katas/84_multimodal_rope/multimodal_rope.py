"""Text, images and video in one sequence: three positions per token, and a rotation that reads all three."""
import numpy as np


def multimodal_positions(segments):
    """Return the three positions of every token: time, row and column.

    Parameters
    ----------
    segments : ndarray of int, shape (m, 3)
        What the sequence consists of, in order. A row ``(0, 0, L)`` is `L` tokens of text. A row ``(t, h, w)`` with
        ``t > 0`` is a video of `t` frames with `h` rows and `w` columns of tokens; an image has one frame. Sizes are
        at least 1, and `t` is at most ``max(h, w)``.

    Returns
    -------
    ndarray of int, shape (3, n)
        One column per token. Positions start at 0. The three positions of a text token are equal, and each token is
        one position after the token before it. The tokens of a video are in order of frame, row and column, and have
        the positions ``start + frame``, ``start + row`` and ``start + column``. The next segment starts at the largest
        position so far plus 1.

    Source: Wang et al. 2024, "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any Resolution".
    """
    # TODO 1: frame, row and column of each token of a segment, or a count for text        (3, tokens)
    #         all segments side by side, each moved to its start                           (3, n)
    raise NotImplementedError("multimodal_positions")


def multimodal_rope(x, positions, sections, base=1000000.0):
    """Turn some pairs of columns by the time of their token, some by its row and the others by its column.

    Parameters
    ----------
    x : ndarray, shape (..., n, d_head)
        Queries or keys in the half layout, with at least two axes; `d_head` is even.
    positions : ndarray of int, shape (3, n)
        Time, row and column of each token, not negative.
    sections : ndarray of int, shape (3,)
        How many pairs turn by time, by row and by column: at least 1 each, ``d_head / 2`` in all.
    base : float, default 1000000.0
        Pair ``i`` turns ``base ** (-2 * i / d_head)`` radians per position.

    Returns
    -------
    ndarray, shape of `x`, float32 for float32
        Columns ``i`` and ``i + d_head/2`` of `x` are a point in the plane; ``i`` is horizontal. It is turned
        counter-clockwise by ``position * base ** (-2 * i / d_head)`` radians. The position is ``positions[0]`` for
        the first ``sections[0]`` pairs, ``positions[1]`` for the next ``sections[1]`` and ``positions[2]`` for the
        rest.

    Source: Wang et al. 2024, "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any Resolution".
    """
    # TODO 2: which of the three positions each pair turns by                      (d_head / 2,)
    #         one angle per token and pair                                         (n, d_head / 2)
    #         columns i and i + d_head/2, turned by it                             (..., n, d_head)
    raise NotImplementedError("multimodal_rope")
