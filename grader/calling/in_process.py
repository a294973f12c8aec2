"""A LearnerFile whose code runs in this process."""
from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from grader.calling.answers import NO_FILE, Answer, LearnerFile, NotGraded, answered, failed, missing
from grader.calling.arguments import Copies
from grader.calling.limits import Caller, Direct, Limits
from grader.calling.loading import LoadError, load_module
from grader.calling.recording import Recorded, Recording
from grader.calling.source import Source, advice_on_loading, normal_text, normalised


class InProcess(LearnerFile):
    """One file, loaded once, run in this process under a time limit per call."""

    def __init__(self, path: Path | None, time_limit: float | None = Limits.call, solution: Path | None = None,
                 source: Source | None = None) -> None:
        self.caller = Direct() if time_limit is None else Caller(time_limit)
        super().__init__(path, self.caller.seconds, source)
        self.solution = solution             # if given, the file must not be the same
        self.module: Any = None
        self.recorded: Any = None                # a Recorded, once there is one

    def load(self) -> None:
        """Load the file on the first call; a fault becomes the answer to every question."""
        if self.module is not None or self.fault is not None:
            return
        if self.path is None:
            self.fault = Answer("no_file", message=NO_FILE)
            return
        source = self.source or Source()
        if source.refusal:
            raise NotGraded(source.refusal)
        if source.fault:
            self.fault = Answer("broken", message=source.fault)
            return
        outcome, result = self.caller.call(load_module, self.path, source.code)
        if outcome == "returned":
            self.module = result
            if self.solution is not None and is_reference(self.path, self.module, self.solution, source.code):
                self.fault = Answer("reference", message="this file is the reference solution")
        elif outcome == "timeout":
            text = f"loading the file took longer than {self.seconds:g} s{advice_on_loading(self.path)}"
            self.fault = Answer("timeout", message=text, loading=True)
        elif isinstance(result, OSError):    # what the file itself raises is a LoadError
            raise NotGraded(f"the file cannot be read: {result.strerror}")
        else:
            text = str(result) if isinstance(result, LoadError) else f"{type(result).__name__}: {result}"
            self.fault = Answer("broken", message=text)

    def call(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Answer:
        self.load()
        if self.fault is not None or self.path is None:
            return self.fault or Answer("no_file")
        target = getattr(self.module, function, None)
        if not callable(target):
            own = [n for n, v in vars(self.module).items() if inspect.isfunction(v) and not n.startswith("_")]
            return missing(self.path, function, own)
        outcome, result = self.caller.call(answered, target, args, kwargs, self.path)
        if outcome == "timeout":
            return Answer("timeout", message=f"it took longer than {self.seconds:g} s")
        return result if outcome == "returned" else failed(result, self.path)

    def record(self, function: str, args: tuple, kwargs: dict[str, Any], whole: tuple[str, ...]) -> Recording | None:
        """From a module of its own."""
        if self.module is None or self.path is None:
            return None
        if self.recorded is None or self.recorded.recorder.whole != whole:
            outcome, self.recorded = self.caller.call(Recorded.loaded, self.path, self.code, whole)
            if outcome != "returned":
                self.recorded = None
                return None
        copies = Copies(args, kwargs)
        outcome, result = self.caller.call(self.recorded.call, function, tuple(copies.args), copies.kwargs)
        return result if outcome == "returned" else None


def is_reference(path: Path, module: Any, solution: Path, code: bytes | None) -> bool:
    """Whether the code of a file comes from solutions/, by path, by text or by import."""
    text = normal_text(path) if code is None else normalised(code)
    if path.resolve() == solution.resolve() or text == normal_text(solution):
        return True
    return any(
        Path(value.__code__.co_filename).is_relative_to(solution.parents[1])
        for value in vars(module).values()
        if inspect.isfunction(value)
    )
