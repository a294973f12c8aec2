"""What a submission answers when it is asked to call a function, in plain values only."""
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass
class Answer:
    """The outcome of one call.

    `outcome` is one of: returned, raised, todo, timeout, crashed, missing (no such function),
    broken (the file does not load) and no_file.
    """

    outcome: str
    value: object = None
    error_types: tuple = ()      # names of the exception's class and its bases, most derived first
    message: str = ""            # the exception's own text, or what is wrong with the file
    line: int | None = None      # the learner's line the exception came from
    touched: tuple = ()          # names of array arguments the call has changed
    peak: int | None = None      # bytes the call held at its peak beyond what was there before, where that was measured

    @property
    def returned(self):
        return self.outcome == "returned"

    @property
    def refused(self):
        return self.outcome == "raised" and "ValueError" in self.error_types


@dataclass(frozen=True)
class Foreign:
    """Stands for a returned object that is neither a number, a text, an array nor a tuple of these."""

    type_name: str


class Placed(NamedTuple):
    """Stands for an array argument that lies in shared memory."""

    shape: tuple
    strides: tuple
    dtype: str
    offset: int
    writeable: bool


def plain(value):
    """Copy a result into base-class arrays and plain Python values, so that it cannot lie or change later."""
    if isinstance(value, np.ndarray):
        return np.array(value, copy=True, subok=False)
    if isinstance(value, np.generic):
        return value
    if value is None or type(value) in (bool, int, float, complex, str):
        return value
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    return Foreign(type(value).__name__)
