"""A submission: a learner's file for a kata, whose functions the grader calls.

Suites and diagnosis only use `ask(function, arguments)`, which returns an Answer of plain values. They do not know
whether the code runs in this process, as here, or in another one (grader/isolation/isolated.py).
"""
import inspect
from functools import partial
from pathlib import Path

import numpy as np

from grader.calling.answers import NO_FILE, Answer, plain, returned
from grader.calling.limits import Caller, Direct, Limits
from grader.calling.loading import LoadError, first_line, last_line, load_module, raised_in
from grader.calling.memory import measure
from grader.calling.source import normal_text


class InProcess:
    """One file, loaded once, run in this process under a time limit per call."""

    compared_from = 2**14                    # bytes of a value whose form is compared with the right one, see forms.py

    def __init__(self, path, time_limit=Limits.call, solution=None):
        self.path = path
        self.caller = Direct() if time_limit is None else Caller(time_limit)
        self.solution = solution             # if given, the file must not be the same
        self.module = None
        self.fault = None                    # the Answer to every question when there is no module

    def load(self):
        """Load the file on the first call; a fault becomes the answer to every question."""
        if self.module is not None or self.fault is not None:
            return
        if self.path is None:
            self.fault = Answer("no_file", message=NO_FILE)
            return
        outcome, result = self.caller.call(load_module, self.path)
        if outcome == "returned":
            self.module = result
            if self.solution is not None and self.is_reference():
                self.fault = Answer("reference", message="this file is the reference solution")
        elif outcome == "timeout":
            self.fault = Answer("timeout", message=f"loading the file took longer than {self.caller.seconds:g} s")
        else:
            text = str(result) if isinstance(result, LoadError) else f"{type(result).__name__}: {result}"
            self.fault = Answer("broken", message=text)

    def is_reference(self):
        """Whether the code under grading comes from solutions/, by path, by text or by import."""
        own, reference = Path(self.path), self.solution
        if own.resolve() == reference.resolve() or normal_text(own) == normal_text(reference):
            return True
        return any(
            Path(value.__code__.co_filename).is_relative_to(reference.parents[1])
            for value in vars(self.module).values()
            if inspect.isfunction(value)
        )

    def ask(self, function, args=(), kwargs=None, measured=False):
        """Call `function` of this file with the given arguments and return its Answer, with its peak of memory."""
        self.load()
        if self.fault is not None:
            return self.fault
        kwargs = kwargs or {}
        target = getattr(self.module, function, None)
        if not callable(target):
            return Answer("missing", message=self.missing(function))
        arrays = [(name, a, a.copy()) for name, a in [*enumerate(args), *kwargs.items()] if isinstance(a, np.ndarray)]
        call = partial(target, *args, **kwargs)
        outcome, result = self.caller.call(measure, call) if measured else self.caller.call(call)
        peak = None
        if outcome == "returned":
            result, peak = result if measured else (result, None)
            result = plain(result)               # a copy: the result may be an argument that is put back now
        touched = tuple(name for name, array, before in arrays if restore(array, before))
        if outcome == "returned":
            return returned(result, args, kwargs, touched, peak)
        if outcome == "timeout":
            return Answer("timeout", message=f"it took longer than {self.caller.seconds:g} s", touched=touched)
        if isinstance(result, NotImplementedError) and raised_in(result, self.path):
            return Answer("todo")
        return Answer(
            "raised",
            error_types=tuple(c.__name__ for c in type(result).__mro__),
            message=str(result),
            line=last_line(result, self.path),
            caller=first_line(result, self.path),
            touched=touched,
        )

    def take_printed(self):
        """Nothing, because pytest captures what is printed in this process."""
        return ""

    def end(self):
        """Do nothing: there is no other process to end."""

    def missing(self, function):
        """Say what the file defines instead of the function that was asked for."""
        own = [n for n, v in vars(self.module).items() if inspect.isfunction(v) and not n.startswith("_")]
        return f"{Path(self.path).name} defines no function `{function}`; it defines {', '.join(own) or 'none'}"


def restore(array, before):
    """Put `before` back into `array` if a call has changed it, and say whether it had."""
    if array.shape == before.shape and array.tobytes() == before.tobytes():
        return False
    if array.shape == before.shape:
        array[...] = before
    return True
