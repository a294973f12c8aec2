"""A Submission whose code runs in this process."""
from __future__ import annotations

import inspect
from functools import partial
from pathlib import Path
from typing import Any

from grader.calling.answers import NO_FILE, Answer, Submission, missing, plain, returned
from grader.calling.arguments import Copies
from grader.calling.limits import Caller, Direct, Limits
from grader.calling.loading import LoadError, first_line, last_line, load_module, raised_in
from grader.calling.memory import measure
from grader.calling.source import advice_on_loading, normal_text


class InProcess(Submission):
    """One file, loaded once, run in this process under a time limit per call."""

    compared_from = 2**14                    # bytes of a value whose form is compared with the right one, see forms.py

    def __init__(self, path: Path | None, time_limit: float | None = Limits.call, solution: Path | None = None) -> None:
        self.caller = Direct() if time_limit is None else Caller(time_limit)
        super().__init__(path, self.caller.seconds)
        self.solution = solution             # if given, the file must not be the same
        self.module: Any = None

    def load(self) -> None:
        """Load the file on the first call; a fault becomes the answer to every question."""
        if self.module is not None or self.fault is not None:
            return
        if self.path is None:
            self.fault = Answer("no_file", message=NO_FILE)
            return
        outcome, result = self.caller.call(load_module, self.path)
        if outcome == "returned":
            self.module = result
            if self.solution is not None and is_reference(self.path, self.module, self.solution):
                self.fault = Answer("reference", message="this file is the reference solution")
        elif outcome == "timeout":
            text = f"loading the file took longer than {self.seconds:g} s{advice_on_loading(self.path)}"
            self.fault = Answer("timeout", message=text)
        else:
            text = str(result) if isinstance(result, LoadError) else f"{type(result).__name__}: {result}"
            self.fault = Answer("broken", message=text)

    def call(self, function: str, args: tuple, kwargs: dict[str, Any], measured: bool) -> Answer:
        self.load()
        if self.fault is not None:
            return self.fault
        target = getattr(self.module, function, None)
        if not callable(target):
            own = [n for n, v in vars(self.module).items() if inspect.isfunction(v) and not n.startswith("_")]
            return missing(self.path, function, own)
        copies = Copies(args, kwargs)
        call = partial(target, *copies.args, **copies.kwargs)
        outcome, result = self.caller.call(measure, call) if measured else self.caller.call(call)
        peak = None
        if outcome == "returned":
            result, peak = result if measured else (result, None)
        touched = copies.touched()
        if outcome == "returned":
            return returned(plain(result), args, kwargs, touched, peak)
        if outcome == "timeout":
            return Answer("timeout", message=f"it took longer than {self.seconds:g} s", touched=touched)
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


def is_reference(path: Path, module: Any, solution: Path) -> bool:
    """Whether the code of a file comes from solutions/, by path, by text or by import."""
    if path.resolve() == solution.resolve() or normal_text(path) == normal_text(solution):
        return True
    return any(
        Path(value.__code__.co_filename).is_relative_to(solution.parents[1])
        for value in vars(module).values()
        if inspect.isfunction(value)
    )
