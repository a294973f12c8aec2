"""A question to a worker, with its array arguments in memory that both sides map.

The worker can write into that memory, and the grader can see whether it did.
"""
import ctypes
import pickle

import numpy as np

from grader.calling.answers import Placed
from grader.calling.arguments import extent

ALIGNMENT = 64


class Question:
    """A call as it goes to a worker: `text` is pickled, because the grader wrote it; answers never are."""

    def __init__(self, function, args, kwargs, measured):
        self.blocks = []                  # (argument, start, bytes) of the arrays
        self.size = 0
        args = [self.placed(i, a) for i, a in enumerate(args)]
        kwargs = {name: self.placed(name, a) for name, a in kwargs.items()}
        self.text = pickle.dumps((self.size, function, args, kwargs, measured))

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
        """The bytes of all arrays, with the gaps between them."""
        if len(self.blocks) == 1:
            return self.blocks[0][2]
        content = bytearray(self.size)
        for _, start, block in self.blocks:
            content[start : start + len(block)] = block
        return bytes(content)

    def touched(self, after, reshaped=None):
        """The arguments whose bytes have changed, and those of which the worker says that their form has."""
        told = reshaped if type(reshaped) is list else []
        return tuple(name for name, start, block in self.blocks
                     if name in told or after[start : start + len(block)] != block)
