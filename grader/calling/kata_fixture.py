"""The `kata` fixture: an object whose attributes are the functions of the file under grading.

`kata.positional_encoding(4, 8)` asks the submission, keeps a record of the question for the diagnosis, and returns the
plain value or raises what stands in the answer's place.
"""
from dataclasses import dataclass

import numpy as np

from grader.calling.answers import Answer


class NoValue(Exception):
    """The call returned no value; `answer` says why."""

    def __init__(self, answer):
        super().__init__(answer.outcome)
        self.answer = answer


class Wrong(AssertionError):
    """A result that is not what the check wants."""


class ArgumentChanged(Wrong):
    """A call that wrote into an array it was given, and then returned or refused."""


@dataclass
class Call:
    """One question to a submission and its answer; arguments are kept as they were before the call."""

    function: str
    args: tuple
    kwargs: dict
    answer: Answer


class Asked:
    """The functions of one submission as attributes; `calls_of` gives the record."""

    def __init__(self, submission, reference):
        self._submission = submission
        self._reference = reference
        self._calls = []

    def __getattr__(self, function):
        if function.startswith("_"):
            raise AttributeError(function)
        return AskedFunction(function, self._submission, self._reference, self._calls)


class AskedFunction:
    """One function of a submission: calling it asks, records and returns the plain value."""

    def __init__(self, name, submission, reference, calls):
        self.name = name
        self.submission = submission
        self.reference = reference
        self.calls = calls

    def __call__(self, *args, **kwargs):
        return self.ask(args, kwargs).value

    def peak_memory(self, *args, **kwargs):
        """Call the function and return the bytes that it held at its peak."""
        return self.ask(args, kwargs, measured=True).peak

    def ask(self, args, kwargs, measured=False):
        """The answer to one call, which has come back with a value."""
        kept = tuple(copied(a) for a in args), {n: copied(a) for n, a in kwargs.items()}
        answer = self.submission.ask(self.name, args, kwargs, measured)
        self.calls.append(Call(self.name, *kept, answer))
        if answer.touched and (answer.returned or answer.refused):
            raise ArgumentChanged("the call changed its arguments")
        if not answer.returned:
            raise NoValue(answer)
        return answer


def calls_of(asked):
    """The calls that a check has made through its `kata` fixture, in order."""
    return asked._calls


def copied(value):
    """An array's own copy, in the same order in memory; anything else as it is."""
    return value.copy(order="K") if isinstance(value, np.ndarray) else value
