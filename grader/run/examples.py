"""`--examples`: run the `>>>` examples of a README on the learner's file, and print differences as doctest does."""
import contextlib
import doctest
import re
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.calling.answers import LearnerFile
from grader.course.katas import Kata, all_katas, shown
from grader.run.own_folder import print_lines
from grader.run.selection import katas_in
from grader.run.session import Session
from grader.verdict.wrapping import printable

NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?")


class NotReturned(Exception):
    """A function of the learner's file returned no value; the text says why."""


class NotWritten(NotReturned):
    """The function is still a TODO."""


class SameValues(doctest.OutputChecker):
    """Compares what is printed by its numbers: 1, 1.0 and np.float64(1.0) are the same."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(by_values(want), by_values(got), optionflags | doctest.NORMALIZE_WHITESPACE)


class Runner(doctest.DocTestRunner):
    """doctest's runner. It names the README, and counts examples of functions that are not written yet."""

    def __init__(self) -> None:
        super().__init__(checker=SameValues(), verbose=False)
        self.unwritten: Counter[str] = Counter()     # {what is not written yet: examples that need it}
        self.agree = self.skipped = self.done = 0

    def report_start(self, out: Any, test: Any, example: Any) -> None:
        """Print nothing before an example."""

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.agree += bool(example.want)
        self.done += 1

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.write(out, test, example, SameValues().output_difference(example, got, self.optionflags))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        error = exc_info[1]
        if isinstance(error, NotWritten):
            self.unwritten[str(error)] += 1
        elif isinstance(error, NameError) and self.done < test.examples.index(example):
            self.skipped += 1                 # a name that an example above would have made
        else:
            text = str(error) if isinstance(error, NotReturned) else f"{type(error).__name__}: {error}"
            self.write(out, test, example, f"Raised:\n    {printable(text)}\n")

    def write(self, out: Callable[[str], object], test: Any, example: Any, text: str) -> None:
        """Print an example and its outcome."""
        source = "".join(f"    {line}\n" for line in example.source.splitlines())
        out(f'File "{test.filename}", line {test.lineno + example.lineno + 1}\nFailed example:\n{source}{text}\n')


def main(config: pytest.Config, session: Session) -> int:
    """Run the examples of the named katas, or of all; return the exit status."""
    try:
        katas = katas_in(config, "--examples") or all_katas()
        results = [agree_with_readme(kata, session.grader(kata).submission) for kata in katas]
    finally:
        session.close()
    return pytest.ExitCode.OK if all(results) else pytest.ExitCode.TESTS_FAILED


def agree_with_readme(kata: Kata, submission: LearnerFile) -> bool:
    """Run one README's examples and print what differs; whether all agree."""
    text = kata.readme.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(
        text, functions_of(kata, submission) | {"np": np}, kata.name, shown(kata.readme), 0)
    runner, lines = Runner(), list[str]()
    runner.run(test, out=lines.append)
    for text in lines:
        print_lines("", *text.rstrip("\n").split("\n"))
    if runner.unwritten:
        print_lines("", *(f"{text} yet: {needing(count)} it." for text, count in runner.unwritten.items()))
    if runner.skipped:
        print_lines("", f"{needing(runner.skipped)} an earlier example that gave no result.")
    total = sum(bool(example.want) for example in test.examples)       # the others prepare something
    print_lines("", f"{kata.folder.name}: {runner.agree} of {total} examples print what the README says.")
    return runner.agree == total


def needing(count: int) -> str:
    """How many examples need something."""
    return "1 example needs" if count == 1 else f"{count} examples need"


def functions_of(kata: Kata, submission: LearnerFile) -> dict[str, Any]:
    """{name: function} of the file that is graded; a function without a value raises NotReturned."""
    def function(name: str) -> Callable[..., Any]:
        def ask(*args: Any, **kwargs: Any) -> Any:
            with contextlib.redirect_stdout(sys.__stdout__):       # what the file prints is not a result
                answer = submission.ask(name, args, kwargs)
            if answer.returned and answer.value is None:
                raise NotReturned(f"`{name}` returned None. Did you forget the `return`?")
            if answer.returned:
                return answer.value
            if answer.outcome == "todo":
                raise NotWritten(f"`{name}` is not written")
            line = submission.line(answer.line)
            kind = f"{answer.error_types[0]}: " if answer.error_types else ""
            raise NotReturned(f"{kind}{answer.message}" + (f" ({line})" if line else ""))
        return ask

    return {task.function: function(task.function) for task in kata.tasks.values() if task.function}


def by_values(text: str) -> str:
    """A printed result by its values: numbers to nine digits, True as 1, no dtypes, no names of NumPy's scalars."""
    text = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text)
    text = re.sub(r"\b(np\.)?True_?\b", "1", re.sub(r"\b(np\.)?False_?\b", "0", text))
    text = re.sub(r",\s*dtype=[^\s,)]+", "", text)
    text = re.sub(r"\s+(?=[],])", "", re.sub(r"(?<=\[)\s+", "", text))
    return NUMBER.sub(lambda number: f"{float(number[0]) + 0.0:.9g}", text)
