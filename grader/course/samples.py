"""Inputs that more than one suite asks with."""
from collections.abc import Iterable
from typing import Any

import numpy as np


def counting(*shape: int) -> np.ndarray:
    """1, 2, 3, ... in this shape, so that no entry is like another."""
    return np.arange(1.0, np.prod(shape) + 1.0).reshape(shape)


def sinusoids(positions: Any, d_model: int, base: float = 10000.0) -> np.ndarray:
    """The sinusoidal rows of these positions, which may be any numbers: sines on even columns, cosines on odd."""
    columns = np.arange(d_model)
    angles = np.outer(positions, base ** (-2 * (columns // 2) / d_model))       # (n, d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))


def in_single(arrays: Iterable[np.ndarray]) -> tuple[np.ndarray, ...]:
    """The arrays in float32."""
    return tuple(array.astype(np.float32) for array in arrays)
