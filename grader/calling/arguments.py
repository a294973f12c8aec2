"""Copies of arguments, so that a call cannot change what the grader has, and the grader sees what it changed."""
import ctypes
from typing import Any

import numpy as np


class Copies:
    """Copies of the arguments of one call."""

    def __init__(self, args: tuple, kwargs: dict[str, Any]) -> None:
        self.before: dict[int | str, Any] = dict(enumerate(args)) | dict(kwargs)
        self.after = {name: copied(value) for name, value in self.before.items()}
        self.args = [self.after[place] for place in range(len(args))]
        self.kwargs = {name: self.after[name] for name in kwargs}

    def touched(self) -> tuple[int | str, ...]:
        """The places or names of the arrays that the call has changed."""
        return tuple(name for name, value in self.before.items()
                     if isinstance(value, np.ndarray) and differ(value, self.after[name]))


def copied(value: Any) -> Any:
    """An array's copy with the same strides and flags, which code treats like the original; anything else as it is."""
    if not isinstance(value, np.ndarray):
        return value
    if value.flags.c_contiguous:
        copy = value.copy()
    else:
        low, high = extent(value)
        memory = bytearray(ctypes.string_at(low, high - low))
        copy = np.ndarray(value.shape, value.dtype, memory, value.ctypes.data - low, value.strides)
    copy.flags.writeable = value.flags.writeable
    return copy


def differ(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether an array has another form, or any bit of it is not what it was."""
    return form(before) != form(after) or before.tobytes() != after.tobytes()


def form(array: np.ndarray) -> tuple:
    """What code can change of an array without writing to it."""
    return array.shape, array.dtype


def extent(array: np.ndarray) -> tuple[int, int]:
    """The first address of an array's entries and the one after the last."""
    low = high = array.ctypes.data
    for size, stride in zip(array.shape, array.strides, strict=True):
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    return low, high + array.itemsize
