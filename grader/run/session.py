"""What the grading of one learner's files shares: which file is graded, what suites work with, and how an outcome
becomes a row.
"""
from __future__ import annotations

import contextlib
import time
import traceback
import zlib
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from grader.calling.answers import LearnerFile, NotGraded
from grader.calling.in_process import InProcess
from grader.calling.kata_fixture import Asked, Call, NoValue, calls_of
from grader.calling.limits import Limits
from grader.calling.memory import bounded, is_short
from grader.calling.reference import Reference
from grader.cohort.finding import Found
from grader.course.katas import Kata, shown
from grader.course.learner_files import has_work, own_file
from grader.course.visible import LONGEST_PATH, visible
from grader.verdict.diagnosis import Diagnostician, Failure, Finding, quiet
from grader.verdict.messages import about_file, message
from grader.verdict.results import KataResult
from grader.verdict.rows import Check, Row, check_of
from grader.verdict.wrapping import said

if TYPE_CHECKING:
    from grader.isolation.isolated import IsolatedFile
    from grader.run.options import Options

ABOUT_THE_FILE = ("no_file", "broken", "reference", "missing")
OUTCOME = {"raised": "error", "missing": "error", "broken": "error", "no_file": "todo", "reference": "failed"}


class Session:
    """The grading of one learner's files, as the options want it."""

    def __init__(self, options: Options, found: Found | None = None) -> None:
        self.options = options
        self.found = found                    # the files of somebody else, see grader/cohort/finding.py
        self.unwritten: list[str] = []        # lines about files that could not be written
        self._graders: dict[Kata, Diagnostician] = {}
        self._current: Kata | None = None     # the kata whose checks run
        self._failures: dict[Kata, list[tuple[str, Row, Failure]]] = defaultdict(list)
        self._isolated: list[IsolatedFile] = []     # submissions that have processes

    def file(self, kata: Kata) -> Path | None:
        """The file that is graded for a kata, or None."""
        if self.found is not None:
            return self.found.files[kata.name].path if kata.name in self.found.files else None
        if self.options.solutions:
            return kata.solution
        if self.options.work is not None:
            return own_file(kata, self.options.work)
        return kata.stub if kata.stub.is_file() else None

    def file_name(self, kata: Kata) -> str:
        """Where the file for a kata is, for a message; in a submission of somebody else, relative to that."""
        if self.found is not None and kata.name in self.found.files:
            return visible(self.found.files[kata.name].name, LONGEST_PATH)
        return shown(self.file(kata) or kata.folder)

    def result(self, kata: Kata, rows: list[Row]) -> KataResult:
        """The result of a kata, from its rows."""
        if self.found is not None:
            return self.found.result(kata, rows)
        file = self.file(kata)
        some = len({row.outcome == "passed" for row in rows}) == 2        # no stub passes all checks
        maybe = some or any(row.file_fault == "missing" for row in rows)
        return KataResult(kata, file, rows, untouched=file is not None and maybe and not has_work(file, kata))

    def grader(self, kata: Kata) -> Diagnostician:
        """Who asks the file of a kata, made when first needed; the process of another kata ends."""
        if self.found is not None and self.found.refusal:
            raise NotGraded(self.found.refusal)
        if self._current != kata:
            self.end_processes()
            self._current = kata
        if kata not in self._graders:
            self._graders[kata] = Diagnostician(kata, self.opened(kata))
        return self._graders[kata]

    def opened(self, kata: Kata) -> LearnerFile:
        """The file of a kata, to be asked in this process or in one of its own."""
        limits, solution = self.options.limits, None if self.options.solutions else kata.solution
        source = self.found.files[kata.name].source if self.found and kata.name in self.found.files else None
        if not self.options.isolated:
            ours = self.options.solutions and limits.call == Limits.call           # the default
            return InProcess(self.file(kata), float("inf") if ours else limits.call, solution, source)
        from grader.isolation.isolated import IsolatedFile  # here, because most runs do not need it
        isolated = IsolatedFile(self.file(kata), limits, solution, source)
        self._isolated.append(isolated)
        return isolated

    def end_processes(self) -> None:
        """End the processes of this submission, because nobody watches them while they are not asked."""
        for submission in self._isolated:
            submission.end()

    def close(self) -> None:
        """End the processes of this submission, and forget its answers."""
        self.end_processes()
        self._graders.clear()
        self._failures.clear()

    # What suites work with

    def asked(self, kata: Kata) -> Asked:
        """A fresh `kata` fixture."""
        return Asked(self.grader(kata).submission, self.reference(kata))

    def reference(self, kata: Kata) -> Reference:
        """The `reference` fixture."""
        return self.grader(kata).reference

    def rng(self, check: str) -> np.random.Generator:
        """Random numbers that depend on the seed and on the check's name, and on nothing else."""
        return np.random.default_rng([self.options.seed or 0, zlib.crc32(check.encode())])

    def bounded(self) -> AbstractContextManager:
        """A limit on the memory of this process meanwhile, if the code of others decides what it needs."""
        return bounded() if self.options.isolated else contextlib.nullcontext()

    # From an outcome to a row

    def row(self, kata: Kata, check: Check, asked: Asked | None, error: BaseException | None, seconds: float) -> Row:
        """The row of a check that has run, from its `kata` fixture and what it raised, if anything.

        What a failure means is said at the end, by `rows_in_words`.
        """
        if isinstance(error, MemoryError) and is_short():
            error = NotGraded(NotGraded.NO_MEMORY)
        if isinstance(error, NotGraded):
            return check.row("not_run", check.task(kata), message=[said(str(error))], seconds=seconds)
        calls = calls_of(asked) if asked is not None else []
        if error is None:
            self.grader(kata).namer.remember(calls)
            return check.row("passed", check.task(kata), seconds=seconds)
        answer = error.answer if isinstance(error, NoValue) else None
        row = check.row("failed", check.task(kata), seconds=seconds, printed="".join(c.answer.printed for c in calls))
        if answer is not None:
            row.outcome = OUTCOME.get(answer.outcome, answer.outcome)
            if answer.outcome in ABOUT_THE_FILE:
                row.message, row.file_fault = about_file(self.file_name(kata), answer.message), answer.outcome
                return row
            if answer.outcome == "todo":
                row.message = [said(f"{calls[-1].function} is not written yet", "", "")]
                return row
            row.file_fault = "broken" if answer.loading else None
        self._failures[kata].append((check.node, row, self.failure(row, kata, check, calls, error)))
        return row

    def failure(self, row: Row, kata: Kata, check: Check, calls: list[Call], error: BaseException) -> Failure:
        """What is known about the failure of a check; its row is about the function that went wrong."""
        try:
            with quiet(), self.bounded():
                failure = self.grader(kata).diagnose(calls, error)
        except Exception:                     # a fault of the grader, not of the learner: the run goes on
            failure = Failure(calls[-1] if calls else None, None, "claim", str(error))
            row.fault = traceback.format_exc()
        if failure.call:
            task = check.task(kata, failure.call.function)
            row.function, row.task = failure.call.function, task.number if task else None
        return failure

    def rows_in_words(self) -> dict[str, Row]:
        """{node: row} of the checks that failed, with what the failures mean, now that all of them are known."""
        return {node: self.in_words(kata, row, finding)
                for kata in list(self._failures) for node, row, finding in self.explained(kata, in_full=True)}

    def words_so_far(self, kata: Kata, row: Row) -> str:
        """The message of a failure, also in its row, for who reads it before the end: later failures may change it."""
        if not row.message:
            findings = self.explained(kata, in_full=False)
            self.in_words(kata, row, next(finding for _, one, finding in findings if one is row))
        return row.text() or ""

    def explained(self, kata: Kata, in_full: bool) -> list[tuple[str, Row, Finding]]:
        """(node, row, finding) of the failures of a kata so far."""
        nodes, rows, failures = zip(*self._failures[kata], strict=True)
        try:
            with quiet(), self.bounded():
                findings = self.grader(kata).findings(failures, in_full)
        except Exception:                     # a fault of the grader, not of the learner: nothing is named
            findings = [Finding(failure) for failure in failures]
            for row in rows:
                row.fault = row.fault or traceback.format_exc()
        return list(zip(nodes, rows, findings, strict=True))

    def in_words(self, kata: Kata, row: Row, finding: Finding) -> Row:
        """The row of a failure with what it means."""
        grader, task = self.grader(kata), kata.tasks.get(row.task or 0)
        readme = f"{shown(kata.folder)}/README.md"
        row.message = message(finding, grader.reference, grader.submission, task, readme)
        row.mistake, row.mistake_of, row.pattern = finding.mistake, finding.mistake_of, finding.pattern
        row.line = finding.line
        return row

    def failure_in(self, kata: Kata, row: Row) -> Failure | None:
        """What the failed check of a row has found out, if it ran in this process."""
        return next((failure for _, one, failure in self._failures[kata] if one is row), None)

    # A whole kata, without pytest

    def rows_of(self, found: Found, kata: Kata, checks: Sequence[pytest.Function]) -> list[Row]:
        """Run the checks of a kata on a submission of a cohort; one row for each, in order, whatever its code does."""
        session = Session(self.options, found)
        try:
            return session.rows(kata, checks)
        finally:
            session.close()

    def rows(self, kata: Kata, checks: Sequence[pytest.Function]) -> list[Row]:
        """Run the checks of a kata, one after the other; one row for each."""
        rows = {}
        for item in checks:
            asked, start = self.asked(kata), time.perf_counter()
            error = self.error_of(item, kata, asked)
            rows[item.nodeid] = self.row(kata, check_of(item), asked, error, time.perf_counter() - start)
        return list((rows | self.rows_in_words()).values())

    def error_of(self, item: pytest.Function, kata: Kata, asked: Asked) -> Exception | None:
        """Run a check; what it raised, or None."""
        fixtures = {"kata": lambda: asked, "reference": lambda: self.reference(kata),
                    "rng": lambda: self.rng(item.name)}
        arguments = {name: make() for name, make in fixtures.items() if name in item.fixturenames}
        arguments |= getattr(getattr(item, "callspec", None), "params", {})
        try:
            with self.bounded():
                item.obj(**arguments)
        except NotGraded:
            raise
        except Exception as error:
            if isinstance(error, MemoryError) and is_short():
                raise NotGraded(NotGraded.NO_MEMORY) from None
            return error
        return None
