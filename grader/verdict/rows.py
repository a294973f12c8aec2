"""A check of a suite, and the row that says what came of it."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from grader.course.katas import Kata, Task
from grader.verdict.wrapping import WIDTH, Block, lines_of

OUTCOMES = {"passed": "passed", "failed": "failed", "todo": "not written yet", "error": "raised an error",
            "timeout": "took too long", "crashed": "crashed", "not_run": "did not run"}
NOT_FAILING = ("passed", "todo", "not_run")


def in_words(outcome: str, failed: str = "failed") -> str:
    """An outcome as people read it."""
    return failed if outcome == "failed" else OUTCOMES[outcome]


@dataclass
class Row:
    """The result of one check, with its message for the learner, in plain types: `vars` of it is JSON."""

    check: str
    outcome: str
    function: str | None = None
    task: int | None = None            # the number of the task to reread
    counted_for: int | None = None     # the number of the task whose score has it
    message: list[Block] = field(default_factory=list)
    mistake: str | None = None         # the name of a known mistake
    mistake_of: str | None = None      # the function that has it; others that call this function show it, too
    pattern: str | None = None         # the name of a relation between the wrong result and the right one
    line: int | None = None            # of the learner's file, where the message says that it goes wrong
    seconds: float = 0.0
    file_fault: str | None = None      # why functions cannot be called: no_file, broken, reference or missing
    printed: str = ""                  # by the learner's code
    fault: str = ""                    # the traceback of an error in the grader

    def text(self, width: int = WIDTH) -> str | None:
        """The message for a terminal of this width, or None."""
        return "\n".join(lines_of(self.message, width)) or None


@dataclass(frozen=True)
class Check:
    """One pytest item of a suite."""

    node: str
    folder: str                        # of the kata
    name: str                          # test name with its parameters
    tasks: tuple[int, ...]             # the numbers of the tasks it is about

    def row(self, outcome: str, task: Task | None, **more: Any) -> Row:
        """The check's row."""
        number, function = (task.number, task.function) if task else (None, None)
        return Row(self.name, outcome, function, number, max(self.tasks, default=None), **more)

    def task(self, kata: Kata, function: str | None = None) -> Task | None:
        """The Task that this check speaks of: the last of its own that is about the function, if one is known."""
        own = [kata.tasks[number] for number in self.tasks if number in kata.tasks]
        about = [task for task in own if task.function == function]
        others = [task for task in kata.tasks.values() if task.function == function]
        return next(iter(about[::-1] or others or own[::-1]), None)


CHECK = pytest.StashKey[Check]()


def check_of(item: pytest.Item) -> Check:
    """The Check that a pytest item is."""
    if CHECK not in item.stash:
        marker = item.get_closest_marker("task")
        item.stash[CHECK] = Check(item.nodeid, item.path.parent.name, item.name, marker.args if marker else ())
    return item.stash[CHECK]
