"""The `reference` fixture: the reference solution, or a wrong or unusual version of it, asked as a submission is."""
from __future__ import annotations

import inspect
import tracemalloc
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from grader.calling.answers import Answer, answered
from grader.calling.forms import bytes_in
from grader.calling.loading import load_module

LARGEST_KEPT = 2**14                  # bytes of an answer that is remembered, with what was asked
MOST_KEPT = 2000                      # answers that all References remember together: there is one for each mistake
kept: dict[tuple, Answer] = {}        # (Reference, what was asked) -> Answer, the oldest first


class Reference:
    """The functions of the reference solution, or of a wrong or unusual version of it."""

    def __init__(self, path: Path, source: str | None = None) -> None:
        self._path = path
        self._module = load_module(path, source)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def _signature(self, function: str) -> inspect.Signature:
        return inspect.signature(getattr(self._module, function))

    def ask(self, function: str, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Answer:
        """Call the reference as a submission is called, but without limits, because the code is ours.

        It remembers its answers: in a cohort, many submissions fail the same checks.
        """
        kwargs = kwargs or {}
        if tracemalloc.is_tracing():
            return self.answer(function, args, kwargs)
        key = self, function, frozen(args), frozen(tuple(kwargs.items()))
        if key in kept:
            return kept[key]
        answer = self.answer(function, args, kwargs)
        if bytes_in((args, tuple(kwargs.values()), answer.value)) <= LARGEST_KEPT:
            kept[key] = answer
            if len(kept) > MOST_KEPT:
                del kept[next(iter(kept))]
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


reference_of = cache(Reference)       # the reference solution at a path, loaded once


def frozen(value: Any) -> Any:
    """Something hashable that is the same for the same value, in the same dtype and order in memory."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.strides, value.flags.writeable, value.tobytes()
    if isinstance(value, (tuple, list)):
        return type(value), *map(frozen, value)
    if isinstance(value, dict):
        return dict, *((key, frozen(part)) for key, part in value.items())
    return type(value), repr(value)
