"""Copies of arguments, so that a call cannot change what the grader has, and the grader sees what it changed.

The copies are made in the process that calls. To get there, an array travels as a Layout.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np


class Layout(NamedTuple):
    """An array as bytes and how they lie in memory: what is needed to make it again, with the same flags."""

    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...]
    first: int                   # where its first entry is
    writeable: bool
    memory: bytes

    @classmethod
    def of(cls, array: np.ndarray) -> Layout:
        """The Layout of an array; entries between its own, as in a view, belong to it."""
        if array.flags.c_contiguous:
            first, memory = 0, array.tobytes()
        else:
            low = high = address = array.ctypes.data
            for size, stride in zip(array.shape, array.strides, strict=True):
                low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
            first, memory = address - low, ctypes.string_at(low, high + array.itemsize - low)
        return cls(array.shape, array.dtype.str, array.strides, first, array.flags.writeable, memory)

    def array(self) -> np.ndarray:
        """A new array that code treats like the one it was made of."""
        array = np.ndarray(self.shape, self.dtype, bytearray(self.memory), self.first, self.strides)
        if not self.writeable:
            array.flags.writeable = False
        return array

    def differs(self, array: np.ndarray) -> bool:
        """Whether an array that was made of this has another form now, or any bit of it is not what it was."""
        if array.shape != self.shape or array.dtype.str != self.dtype:
            return True
        if array.flags.c_contiguous:
            return array.tobytes() != self.memory
        return array.tobytes() != self.array().tobytes()


class Copies:
    """Copies of the arguments of one call, which may be Layouts already."""

    def __init__(self, args: tuple, kwargs: dict[str, Any]) -> None:
        arguments: list[tuple[int | str, Any]] = [*enumerate(args), *kwargs.items()]
        self.before = {place: laid_out(value) for place, value in arguments}
        self.after = {place: made_again(value) for place, value in self.before.items()}
        self.args = tuple(self.after[place] for place in range(len(args)))
        self.kwargs = {name: self.after[name] for name in kwargs}

    def touched(self) -> tuple[int | str, ...]:
        """The places or names of the arrays and dicts that the call has changed."""
        return tuple(place for place, value in self.before.items() if is_changed(value, self.after[place]))


def laid_out(value: Any) -> Any:
    """The Layout of an array, a dict of those of its arrays, or anything else as it is."""
    return in_each(value, lambda leaf: Layout.of(leaf) if isinstance(leaf, np.ndarray) else leaf)


def made_again(value: Any) -> Any:
    """A new argument from what `laid_out` returns."""
    return in_each(value, lambda leaf: leaf.array() if type(leaf) is Layout else leaf)


def is_changed(before: Any, after: Any) -> bool:
    """Whether an argument that was made of `before` is another one now; numbers and texts change in dicts only."""
    if type(before) is Layout:
        return not isinstance(after, np.ndarray) or before.differs(after)
    if isinstance(before, dict):
        return type(after) is not dict or before.keys() != after.keys() or any(
            is_changed(value, after[key]) for key, value in before.items())
    return after is not before and (type(after) is not type(before) or bool(after != before))


def in_each(value: Any, change: Callable[[Any], Any]) -> Any:
    """What `change` makes of a value; a new dict of what it makes of each value in it, at any depth."""
    return {key: in_each(part, change) for key, part in value.items()} if isinstance(value, dict) else change(value)


def leaves(*values: Any) -> Iterator[Any]:
    """The values; in place of a dict, those in it, at any depth."""
    for value in values:
        if isinstance(value, dict):
            yield from leaves(*value.values())
        else:
            yield value
