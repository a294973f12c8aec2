"""The `reference` fixture: the reference solution, or a wrong or unusual version of it, asked as a submission is."""
from __future__ import annotations

import inspect
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.calling.answers import Answer, answered
from grader.calling.forms import bytes_in
from grader.calling.loading import load_module
from grader.calling.memory import is_traced

LARGEST = 2**14                       # bytes of an answer that is remembered, with what was asked
MOST = 2000                           # answers that all References remember together: there is one for each mistake
remembered: dict[tuple, Answer] = {}  # (Reference, what was asked) -> Answer, the oldest first


class Reference:
    """The functions of the reference solution, or of a wrong or unusual version of it."""

    def __init__(self, path: Path, source: str | None = None) -> None:
        self._path = path
        self._module = load_module(path, source)
        self._signatures: dict[str, inspect.Signature] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def _signature(self, function: str) -> inspect.Signature:
        if function not in self._signatures:
            self._signatures[function] = inspect.signature(getattr(self._module, function))
        return self._signatures[function]

    def ask(self, function: str, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Answer:
        """Call the reference as a submission is called, but without limits, because the code is ours.

        It remembers its answers: in a cohort, many submissions fail the same checks.
        """
        kwargs = kwargs or {}
        if is_traced():
            return self.answer(function, args, kwargs)
        key = self, function, frozen(args), frozen(tuple(kwargs.items()))
        if key in remembered:
            return remembered[key]
        answer = self.answer(function, args, kwargs)
        if bytes_in((args, tuple(kwargs.values()), answer.value)) <= LARGEST:
            remembered[key] = answer
            if len(remembered) > MOST:
                del remembered[next(iter(remembered))]
        return answer

    def answer(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Answer:
        """The Answer of a call, which is not remembered."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return answered(getattr(self._module, function), args, kwargs, self._path).rounded(args, kwargs)

    def parameters(self, function: str) -> Any:
        """The names of a function's arguments."""
        return self._signature(function).parameters

    def bind(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Any:
        """{argument name: value} of a call; None if the arguments do not fit."""
        try:
            return dict(self._signature(function).bind(*args, **kwargs).arguments)
        except (TypeError, AttributeError):
            return None


@cache
def reference_of(path: Path) -> Reference:
    """The reference solution at `path`, loaded once."""
    return Reference(path)


def frozen(value: Any) -> Any:
    """Something hashable that is the same for the same value, in the same dtype and order in memory."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.strides, value.flags.writeable, value.tobytes()
    if isinstance(value, (tuple, list)):
        return type(value), *map(frozen, value)
    return type(value), repr(value)
