"""What pytest runs for a cohort: an item for one submission's file for one kata, in each process that grades.

The suites are collected once. Then these items replace their checks and call them one after the other. An item for
every check of a thousand submissions would be too many.
"""
from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Protocol

import pytest

from grader.calling.answers import NotGraded
from grader.cohort.collecting import Submission
from grader.cohort.finding import Found
from grader.cohort.results import without_file
from grader.cohort.store import key_of
from grader.course.katas import Kata, kata_of, kata_with_suite, named_in_part
from grader.verdict.rows import Row, check_of


@dataclass
class Work:
    """What is to be graded. Every process gets the same, because all of them must have the same items."""

    seed: int
    submissions: dict[str, Submission]              # by the names of their items, in the order of grading
    kept: dict[tuple[str, str], str]                # (submission, kata) -> the key of rows that need no grading


class Grades(Protocol):
    """Who grades, see grader/run/session.py."""

    options: Any
    unwritten: list[str]                            # lines about files that could not be written

    def rows_of(self, found: Found, kata: Kata, checks: Sequence[pytest.Function]) -> list[Row]:
        """Run the checks of a kata on one submission; one row for each, in order."""


def name_of(number: int, submission: Submission) -> str:
    """The name of a submission's items: pytest's names are not for every character."""
    plain = re.sub(r"[^\w.-]+", "_", submission.name)[:60]
    return f"[{number:04d}-{plain}]"


def node_of(kata: Kata, name: str) -> str:
    """The node id of the item with this name, in all processes."""
    return f"katas/{kata.folder.name}/{kata.suite.name}::{name}"


class Rejected(Exception):
    """Raised by an item whose submission has not passed every check, for pytest to count."""


class Submitted(pytest.Item):
    """One submission's file for one kata; `checks` are the suite's own pytest items."""

    def __init__(self, *, submission: Submission, checks: list[pytest.Function], grader: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.submission = submission
        self.checks = checks
        self.grader = grader
        self.kata = kata_with_suite(self.path)
        entry, options = submission.found.files.get(self.kata.name), grader.session.options
        self.key = key_of(self.kata, entry, options, map(check_of, checks))
        self.known = grader.work.kept.get((submission.name, self.kata.name)) == self.key
        self.rows: list[Row] | None = None

    def runtest(self) -> None:
        if self.known:
            return
        if self.submission.found.refusal:
            raise NotGraded(self.submission.found.refusal)
        self.rows = self.grader.twins.get(self.key) or self.graded()
        if any(row.outcome != "passed" for row in self.rows):
            raise Rejected

    def graded(self) -> list[Row]:
        """The rows, from a run of the suite."""
        if self.kata.name not in self.submission.found.files:
            return without_file(self.kata, map(check_of, self.checks))
        rows = self.grader.session.rows_of(self.submission.found, self.kata, self.checks)
        if self.grader.count[self.key] > 1 and are_lasting(rows):
            self.grader.twins[self.key] = rows
        return rows

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """Nothing more: the rows say it, and pytest would read the source of its own functions for every submission."""
        return str(excinfo.value) or excinfo.typename

    def reportinfo(self) -> tuple[Any, None, str]:
        return self.path, None, self.name


def are_lasting(rows: Iterable[Row]) -> bool:
    """Whether rows do not depend on the moment of grading."""
    return not any(row.outcome in ("timeout", "crashed") or row.file_fault for row in rows)


class Grader:
    """The plugin of each process that grades."""

    def __init__(self, config: pytest.Config, session: Grades, work: Work) -> None:
        self.config = config
        self.session = session
        self.work = work
        self.partial = named_in_part(config.args)          # folders of katas of which only a part is selected
        self.selected: list[tuple] = []                    # what the checks are, in plain types
        self.is_told = False                               # the process that controls knows that
        self.count: Counter[str] = Counter()               # key of a file -> submissions that have it
        self.twins: dict[str, list[Row]] = {}              # key of a file that several have -> its rows
        stay_on_one_core(getattr(config, "workerinput", {}).get("workerid", ""))

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Note the katas of which -k and its like leave only a part."""
        self.partial |= {item.path.parent.name for item in items if kata_of(item.path)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Replace the checks by submissions. Those whose rows are known already are left out, except for --junitxml."""
        suites: dict = {}
        for item in items:
            if kata_of(item.path):
                suites.setdefault(item.parent, []).append(item)
        for suite, checks in suites.items():
            folder = suite.path.parent.name
            self.selected.append((folder, [astuple(check_of(one)) for one in checks], folder in self.partial))
        everything = getattr(self.config.option, "xmlpath", None) is not None
        items[:] = []
        for name, submission in self.work.submissions.items():
            files = () if submission.found.refusal else submission.found.files
            for suite, checks in suites.items():
                kata = kata_with_suite(suite.path)
                if everything or kata.name in files:
                    item = Submitted.from_parent(suite, name=name, nodeid=node_of(kata, name), submission=submission,
                                                 checks=checks, grader=self)
                    items += [item] if everything or not item.known else []
        self.count.update(item.key for item in items if isinstance(item, Submitted))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Submitted, call: pytest.CallInfo) -> Generator[None, Any, Any]:
        """Give the report its rows; without rows, nothing was graded."""
        result = yield
        if call.when == "call":
            rows, item.rows = item.rows, None     # they go into a file, because memory is too small for all of them
            result.submitted = [item.key, rows and json.dumps([vars(row) for row in rows]), item.known]
            result.selected, self.is_told = None if self.is_told else self.selected, True
            result.sections = []
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """pytest-xdist: tell what the checks were, even if all rows are known."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["selected"] = self.selected


def stay_on_one_core(worker: str) -> None:
    """Keep this process and its workers on one core, each process of pytest-xdist on another.

    They never work at the same time, so this costs nothing, and waking another core takes longer than an answer.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(re.sub(r"\D", "", worker) or 0) % len(cores)]})
