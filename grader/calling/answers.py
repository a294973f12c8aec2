"""What a submission answers when it is asked to call a function, in plain values only."""
from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from grader.calling.arguments import Copies, leaves
from grader.calling.loading import own_lines, raised_in, with_text
from grader.calling.source import Source, normal_text, normalised, read_source

if TYPE_CHECKING:
    from grader.calling.recording import Recording

NO_FILE = "there is no file for this kata"
THE_REFERENCE = "this file is the reference solution"


class NotGraded(Exception):
    """The system refuses something that grading needs, so there is no mark; the text says what."""

    NO_MEMORY = "the system has no memory left"


@dataclass
class Answer:
    """The outcome of one call.

    `outcome` is one of: returned, raised, todo, timeout, crashed, missing (no such function),
    broken (the file does not load) and no_file.
    """

    outcome: str
    value: Any = None
    error_types: tuple[str, ...] = ()      # names of the exception's class and its bases, most derived first
    message: str = ""            # the exception's own text, or what is wrong with the file
    line: int | None = None      # the learner's line the exception came from
    caller: int | None = None    # the line of the function that was asked, which led there
    touched: tuple[int | str, ...] = ()      # places or names of arguments that the call has changed
    peak: int | None = None      # bytes the call held at its peak beyond what was there before, if memory is traced
    width: str = ""              # the dtype the value came in; `value` itself is never wider than the arguments
    loading: bool = False        # the file itself took too long
    printed: str = ""            # by the call, where pytest does not capture it

    @property
    def returned(self) -> bool:
        return self.outcome == "returned"

    @property
    def refused(self) -> bool:
        return self.outcome == "raised" and "ValueError" in self.error_types

    def rounded(self, args: tuple, kwargs: dict[str, Any]) -> Answer:
        """This Answer with its `width`, and with a value that is no wider than the arguments of the call.

        Results that are computed from float32 differ between processors, whatever their dtype. So if an argument is
        float32, the value is rounded to float32.
        """
        if self.returned:
            self.width = width(self.value)
            if any(getattr(a, "dtype", None) == np.float32 for a in leaves(*args, kwargs)):
                self.value = as_float32(self.value)
        return self


class Asks(Protocol):
    """Whoever answers questions: a learner's file in this process or in another, the solution, a known mistake."""

    def ask(self, function: str, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Answer:
        """The Answer of one call; the arguments stay as they are."""


class LearnerFile:
    """A learner's file for a kata. Suites and diagnosis only ask it; the code may run in this process or in another."""

    follows_links = False

    def __init__(self, path: Path | None, seconds: float, solution: Path | None, source: Source | None) -> None:
        self.path = path
        self.solution = solution             # if given, the file must not be the same
        self.source = source                 # what was read of the file, once
        self.seconds = seconds               # that a call may take
        self.fault: Answer | None = None     # the Answer to every question if no function can be called
        self.timeouts: Counter[str] = Counter()

    def ask(self, function: str, args: tuple = (), kwargs: dict[str, Any] | None = None) -> Answer:
        """The Answer of one call. A function that has taken too long twice is not called again."""
        if self.timeouts[function] == 2:
            text = f"it took longer than {self.seconds:g} s twice, so it was not called again"
            return Answer("timeout", message=text)
        answer = self.call(function, args, kwargs or {})
        self.timeouts[function] += answer.outcome == "timeout" and self.fault is None
        return answer.rounded(args, kwargs or {})

    def call(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Answer:
        """Call a function of this file; the value of the Answer is not rounded yet."""
        raise NotImplementedError

    def read(self) -> bool:
        """Read the file before it is loaded; if it cannot be graded, set the fault and return False."""
        if self.path is None:
            self.fault = Answer("no_file", message=NO_FILE)
            return False
        self.source = self.source or read_source(self.path, self.follows_links)
        if self.source.refusal:
            raise NotGraded(self.source.refusal)
        if self.source.code is None:
            self.fault = Answer("broken", message=self.source.fault or "")
        elif self.solution is not None and normalised(self.source.code) == normal_text(self.solution):
            self.fault = Answer("reference", message=THE_REFERENCE)
        return self.fault is None

    @property
    def code(self) -> bytes:
        """The code of the file, which has been read."""
        return (self.source and self.source.code) or b""

    def line(self, number: int | None) -> str:
        """'line 12: the text' of a line of this file, or nothing where there is no number."""
        return with_text(self.code, self.path, number) if self.path else ""

    def record(self, function: str, args: tuple, kwargs: dict[str, Any], whole: tuple[str, ...]) -> Recording | None:
        """What a call computes, step by step, see recording.py; None if it cannot be recorded."""
        return None


def answered(function: Callable, args: tuple, kwargs: dict[str, Any], path: Path) -> Answer:
    """The Answer of a call of a function of this file. It gets copies of the arguments."""
    copies = Copies(args, kwargs)
    tracemalloc.reset_peak()                     # without effect if nothing is traced
    before = tracemalloc.get_traced_memory()[0]
    try:
        value = function(*copies.args, **copies.kwargs)
        peak = tracemalloc.get_traced_memory()[1] - before if tracemalloc.is_tracing() else None
        answer = Answer("returned", plain(value), peak=peak)
    except Exception as error:
        answer = failed(error, path)
    answer.touched = copies.touched()
    return answer


def failed(error: BaseException, path: Path) -> Answer:
    """The Answer of a call that ended with this exception."""
    if isinstance(error, NotImplementedError) and raised_in(error, path):
        return Answer("todo")
    try:
        text = str(error)
    except Exception:                            # it is a class of the learner's
        text = ""
    lines = own_lines(error, path)
    return Answer("raised", error_types=tuple(c.__name__ for c in type(error).__mro__), message=text,
                  line=lines[-1], caller=lines[0])


def missing(path: Path | None, function: str, defined: list[str]) -> Answer:
    """The Answer of a file that does not define the function; it says what the file defines instead."""
    name, names = path.name if path else "the file", ", ".join(defined) or "none"
    return Answer("missing", message=f"{name} defines no function `{function}`; it defines {names}")


def as_float32(value: Any) -> Any:
    """The value with its floating arrays and scalars rounded to float32."""
    if isinstance(value, tuple | list):
        return type(value)(map(as_float32, value))
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        with np.errstate(all="ignore"):
            return value.astype(np.float32)
    if isinstance(value, float):                 # np.float64 is one, too
        with np.errstate(all="ignore"):
            return np.float32(value)
    return value


def width(value: Any) -> str:
    """The dtype of a result; integers of any width are alike, and tuples are taken as they come."""
    if isinstance(value, tuple | list):
        return ", ".join(map(width, value))
    if type(value) in (bool, int, float, complex):
        value = np.asarray(value)
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return type(value).__name__
    return "integer" if dtype.kind in "iu" else str(dtype)


@dataclass(frozen=True)
class Foreign:
    """A returned object that is not a number, a text, an array or a tuple of these."""

    type_name: str


def plain(value: Any) -> Any:
    """Copy a result into base-class arrays and plain Python values, which run no code and do not change later."""
    if isinstance(value, np.ndarray):
        return np.array(value, copy=True, subok=False)
    if isinstance(value, np.generic) or value is None or type(value) in (bool, int, float, complex, str):
        return value
    if isinstance(value, tuple | list):
        return (tuple if isinstance(value, tuple) else list)(map(plain, value))
    return Foreign(type(value).__name__)
