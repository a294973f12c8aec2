"""A submission: a learner's file for a kata, whose functions the grader calls.

Suites and diagnosis only use `ask(function, arguments)`, which returns an Answer of plain values. They do not know
whether the code runs in this process, as here, or in another one (grader/isolation.py).
"""
import inspect
import os
from functools import partial
from pathlib import Path

import numpy as np

from grader.answers import Answer, plain, returned
from grader.katas import SOLUTIONS
from grader.limits import Caller, Direct
from grader.loading import LoadError, last_line, load_module, raised_in
from grader.memory import measure


def find_file(kata, source):
    """The file a submission has for a kata: the first of NN_name/name.py, name/name.py, name.py."""
    name = f"{kata.name}.py"
    for candidate in (source / kata.folder.name / name, source / kata.name / name, source / name):
        if os.path.isfile(candidate):        # False also if we may not look there
            return candidate
    return None


class Submission:
    """One file, loaded once, run in this process under a time limit per call."""

    def __init__(self, path, time_limit=10.0, solution=None):
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
            self.fault = Answer("no_file", message="there is no file for this kata")
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
            Path(value.__code__.co_filename).is_relative_to(SOLUTIONS)
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


def normal_text(path):
    """The file's text without differences that editors make on their own."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def is_edited(file, kata):
    """Whether a copy of a kata's stub is not the original any more."""
    return not kata.original.is_file() or normal_text(file) != normal_text(kata.original)
