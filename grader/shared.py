"""Array arguments in memory that a worker maps. It can write to them, and we can see whether it did."""
import ctypes

import numpy as np

from grader.answers import Placed

ALIGNMENT = 64


class Memory:
    """Arrays laid out one after the other, for a worker to map and for us to look at afterwards."""

    def __init__(self):
        self.blocks = []                  # (argument, start, bytes)
        self.size = 0

    def placed(self, name, value):
        """An argument as the worker is told of it: an array by its place, anything else as it is."""
        if not isinstance(value, np.ndarray) or value.size == 0:
            return value
        if value.flags.c_contiguous:
            first, block = 0, value.tobytes()
        else:
            low, high = extent(value)
            first = value.ctypes.data - low
            block = ctypes.string_at(low, high - low)
        start = -(-self.size // ALIGNMENT) * ALIGNMENT
        self.blocks.append((name, start, block))
        self.size = start + len(block)
        return Placed(value.shape, value.strides, value.dtype.str, start + first, value.flags.writeable)

    def content(self):
        """All blocks, with the gaps between them."""
        if len(self.blocks) == 1:
            return self.blocks[0][2]
        content = bytearray(self.size)
        for _, start, block in self.blocks:
            content[start : start + len(block)] = block
        return bytes(content)

    def touched(self, after):
        """The arguments whose bytes have changed."""
        return tuple(name for name, start, block in self.blocks if after[start : start + len(block)] != block)


def extent(array):
    """The first address of an array's entries and the one after the last."""
    low = high = array.ctypes.data
    for size, stride in zip(array.shape, array.strides, strict=True):
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    return low, high + array.itemsize
