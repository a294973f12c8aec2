"""`--examples`: run the `>>>` examples of a README on the learner's file, and print differences as doctest does."""
import contextlib
import doctest
import re
import sys

import numpy as np
import pytest

from grader.course.katas import all_katas, shown
from grader.run.own_folder import say
from grader.run.selection import named
from grader.verdict.wrapping import printable

NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?")


class NotReturned(Exception):
    """A function of the learner's file returned no value; the text says why."""


class NotWritten(NotReturned):
    """The function is still a TODO."""


class SameValues(doctest.OutputChecker):
    """Compares what is printed by its numbers: 1, 1.0 and np.float64(1.0) are the same."""

    def check_output(self, want, got, optionflags):
        return super().check_output(plain(want), plain(got), optionflags | doctest.NORMALIZE_WHITESPACE)


class Runner(doctest.DocTestRunner):
    """doctest's runner. It names the README, and counts examples of functions that are not written yet."""

    def __init__(self):
        super().__init__(checker=SameValues(), verbose=False)
        self.unwritten = {}                   # {what is not written yet: examples that need it}
        self.agree = self.skipped = self.done = 0

    def report_start(self, out, test, example):
        """Print nothing before an example."""

    def report_success(self, out, test, example, got):
        self.agree += bool(example.want)
        self.done += 1

    def report_failure(self, out, test, example, got):
        self.write(out, test, example, self._checker.output_difference(example, got, self.optionflags))

    def report_unexpected_exception(self, out, test, example, exc_info):
        kind, error = exc_info[:2]
        if issubclass(kind, NotWritten):
            self.unwritten[str(error)] = self.unwritten.get(str(error), 0) + 1
        elif issubclass(kind, NameError) and self.done < test.examples.index(example):
            self.skipped += 1                 # a name that an example above would have made
        else:
            text = str(error) if issubclass(kind, NotReturned) else f"{kind.__name__}: {error}"
            self.write(out, test, example, f"Raised:\n    {printable(text)}\n")

    def write(self, out, test, example, text):
        """Print an example and its outcome."""
        source = "".join(f"    {line}\n" for line in example.source.splitlines())
        out(f'File "{test.filename}", line {test.lineno + example.lineno + 1}\nFailed example:\n{source}{text}\n')


def main(config, grading):
    """Run the examples of the named katas, or of all; return the exit status."""
    try:
        results = [run(kata, grading) for kata in named(config, "--examples") or all_katas()]
    finally:
        grading.close()
    return pytest.ExitCode.OK if all(results) else pytest.ExitCode.TESTS_FAILED


def run(kata, grading):
    """Run one README's examples and print what differs; whether all agree."""
    test = parsed(kata, functions(kata, grading))
    runner, lines = Runner(), []
    runner.run(test, out=lines.append)
    for text in lines:
        say("", *text.rstrip("\n").split("\n"))
    if runner.unwritten:
        say("", *(f"{text} yet: {needing(count)} it." for text, count in runner.unwritten.items()))
    if runner.skipped:
        say("", f"{needing(runner.skipped)} an earlier example that gave no result.")
    total = sum(bool(example.want) for example in test.examples)       # the others prepare something
    say("", f"{kata.folder.name}: {runner.agree} of {total} examples print what the README says.")
    return runner.agree == total


def needing(count):
    """How many examples need something."""
    return "1 example needs" if count == 1 else f"{count} examples need"


def parsed(kata, scope):
    """The examples of a kata's README as a doctest that runs with the names of `scope`."""
    text = kata.readme.read_text(encoding="utf-8")
    return doctest.DocTestParser().get_doctest(text, scope | {"np": np}, kata.name, shown(kata.readme), 0)


def functions(kata, grading):
    """{name: function} of the file that is graded; a function without a value raises NotReturned."""
    submission = grading.grader(kata)[0]

    def function(name):
        def ask(*args, **kwargs):
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

    return {name: function(name) for name in {task.function for task in kata.tasks.values()}}


def plain(text):
    """A printed result by its values: numbers to nine digits, True as 1, no dtypes, no names of NumPy's scalars."""
    text = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text)
    text = re.sub(r"\b(np\.)?True_?\b", "1", re.sub(r"\b(np\.)?False_?\b", "0", text))
    text = re.sub(r",\s*dtype=[^\s,)]+", "", text)
    text = re.sub(r"\s+(?=[],])", "", re.sub(r"(?<=\[)\s+", "", text))
    return NUMBER.sub(lambda number: f"{float(number[0]) + 0.0:.9g}", text)
