"""A LearnerFile whose code runs in this process."""
from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from grader.calling.answers import THE_REFERENCE, Answer, LearnerFile, answered, failed, missing
from grader.calling.arguments import Copies
from grader.calling.limits import Caller, Limits
from grader.calling.loading import LoadError, load_module
from grader.calling.recording import Recorded, Recording
from grader.calling.source import Source, advice_on_loading


class InProcess(LearnerFile):
    """One file, loaded once, run in this process under a time limit per call."""

    follows_links = True                     # it may be in a folder of one's own

    def __init__(self, path: Path | None, seconds: float = Limits.call, solution: Path | None = None,
                 source: Source | None = None) -> None:
        super().__init__(path, seconds, solution, source)
        self.caller = Caller(seconds)
        self.module: Any = None
        self.recorded: Any = None                # a Recorded, once there is one

    def load(self) -> None:
        """Load the file on the first call; a fault becomes the answer to every question."""
        if self.module is not None or self.fault is not None or not self.read():
            return
        assert self.path is not None
        outcome, result = self.caller.call(load_module, self.path, self.code)
        if outcome == "returned":
            self.module = result
            if self.solution is not None and is_imported(self.solution.parents[1], result):
                self.fault = Answer("reference", message=THE_REFERENCE)
        elif outcome == "timeout":
            text = f"loading the file took longer than {self.seconds:g} s{advice_on_loading(self.path)}"
            self.fault = Answer("timeout", message=text, loading=True)
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
        if self.module is None:
            return None
        if self.recorded is None or self.recorded.recorder.whole != whole:
            outcome, self.recorded = self.caller.call(Recorded.loaded, self.path, self.code, whole)
            if outcome != "returned":
                self.recorded = None
                return None
        copies = Copies(args, kwargs)
        outcome, result = self.caller.call(self.recorded.call, function, copies.args, copies.kwargs)
        return result if outcome == "returned" else None


def is_imported(folder: Path, module: Any) -> bool:
    """Whether a module has functions from files in this folder."""
    return any(Path(value.__code__.co_filename).is_relative_to(folder)
               for value in vars(module).values() if inspect.isfunction(value))
