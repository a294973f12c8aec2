"""The `kata` fixture: an object whose attributes are the functions of the file under grading.

`kata.positional_encoding(4, 8)` asks the submission, records the call for the diagnosis, and returns the plain value.
If there is no value, it raises an exception that says why.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader.calling.answers import Answer, Asks
from grader.calling.arguments import in_each
from grader.calling.forms import remembered, same_form
from grader.calling.reference import Reference


class NoValue(Exception):
    """The call returned no value; `answer` says why."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.outcome)
        self.answer = answer


class Wrong(AssertionError):
    """A result that is not what the check wants."""


class AnotherForm(Wrong):
    """A result whose shape is not that of the right one."""


class ArgumentChanged(Wrong):
    """A call that wrote into an array it was given, and then returned or refused."""


@dataclass
class Call:
    """One question to a submission and its answer."""

    function: str
    args: tuple
    kwargs: dict[str, Any]
    answer: Answer


class Asked:
    """The functions of one submission as attributes; `calls_of` gives the record."""

    def __init__(self, submission: Asks, reference: Reference) -> None:
        self._submission = submission
        self._reference = reference
        self._calls: list[Call] = []

    def __getattr__(self, function: str) -> AskedFunction:
        if function.startswith("_"):
            raise AttributeError(function)
        return AskedFunction(function, self._submission, self._reference, self._calls)


@dataclass
class AskedFunction:
    """One function of a submission: calling it asks, records and returns the plain value."""

    name: str
    submission: Asks
    reference: Reference
    calls: list[Call]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.ask(args, kwargs).value

    def ask(self, args: tuple, kwargs: dict[str, Any]) -> Answer:
        """The answer to one call, which has come back with a value."""
        answer, fits = self.submission.ask(self.name, args, kwargs), True
        if answer.returned:
            wanted = self.reference.ask(self.name, args, kwargs)
            fits = not wanted.returned or same_form(answer.value, wanted.value)
            answer = remembered(answer, wanted)
        args, kwargs = tuple(map(with_own_dicts, args)), with_own_dicts(kwargs)
        self.calls.append(Call(self.name, args, kwargs, answer))
        if answer.touched and (answer.returned or answer.refused):
            raise ArgumentChanged("the call changed its arguments")
        if not answer.returned:
            raise NoValue(answer)
        if not fits:
            raise AnotherForm("the result has another shape than the right one")
        return answer


def with_own_dicts(value: Any) -> Any:
    """The value; if it is a dict, a copy, because a suite may change it for its next call."""
    return in_each(value, lambda leaf: leaf)


def calls_of(asked: Asked) -> list[Call]:
    """The calls that a check has made through its `kata` fixture, in order."""
    return asked._calls
