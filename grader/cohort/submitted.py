"""What pytest runs for a cohort: an item for one submission's file for one kata, in each process that grades.

The suites are collected once. Then these items replace their checks and call them one after the other. An item for
every check of a thousand submissions would be too many.
"""
import json
import os
import re
from collections import Counter
from dataclasses import astuple, dataclass

import pytest

from grader.calling.answers import NotGraded
from grader.cohort.checks import rows_of, without_file
from grader.cohort.collecting import Submission
from grader.cohort.store import key_of
from grader.course.katas import Kata, kata_of, named_in_part
from grader.verdict.grading import Grading, check_of


@dataclass
class Work:
    """What is to be graded. Every process gets the same, because all of them must have the same items."""

    seed: int
    submissions: dict[str, Submission]              # by the names of their items, in the order of grading
    kept: dict[tuple[str, str], str]                # (submission, kata) -> the key of rows that need no grading


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

    def __init__(self, *, submission, checks, grader, **kwargs):
        super().__init__(**kwargs)
        self.submission = submission
        self.checks = checks
        self.grader = grader
        self.kata = kata_of(self.path)
        self.key = key_of(self.kata, submission.found.files.get(self.kata.name), grader.options, map(check_of, checks))
        self.known = grader.work.kept.get((submission.name, self.kata.name)) == self.key
        self.rows = None

    def runtest(self):
        if self.known:
            return
        if self.submission.found.refusal:
            raise NotGraded(self.submission.found.refusal)
        self.rows = self.grader.twins.get(self.key) or self.graded()
        if any(row.outcome != "passed" for row in self.rows):
            raise Rejected

    def graded(self):
        """The rows, from a run of the suite."""
        if self.kata.name not in self.submission.found.files:
            return without_file(self.kata, map(check_of, self.checks))
        grading = Grading(self.grader.options, self.submission.found)
        try:
            rows = rows_of(grading, self.kata, self.checks)
        finally:
            grading.close()
        if self.grader.count[self.key] > 1 and are_lasting(rows):
            self.grader.twins[self.key] = rows
        return rows

    def repr_failure(self, excinfo, style=None):
        """Nothing more: the rows say it, and pytest would read the source of its own functions for every submission."""
        return str(excinfo.value) or excinfo.typename

    def reportinfo(self):
        return self.path, None, self.name


def are_lasting(rows):
    """Whether rows do not depend on the moment of grading."""
    return not any(row.outcome in ("timeout", "crashed") or row.file_fault for row in rows)


class Grader:
    """The plugin of each process that grades."""

    def __init__(self, config, options, work):
        self.config = config
        self.options = options
        self.work = work
        self.partial = named_in_part(config.args)          # folders of katas of which only a part is selected
        self.selected = []                                 # what the checks are, in plain types
        self.is_told = False                               # the process that controls knows that
        self.count: Counter[str] = Counter()                      # key of a file -> submissions that have it
        self.twins = {}                                    # key of a file that several have -> its rows
        stay_on_one_core(getattr(config, "workerinput", {}).get("workerid", ""))

    def pytest_deselected(self, items):
        """Note the katas of which -k and its like leave only a part."""
        self.partial |= {item.path.parent.name for item in items if kata_of(item.path)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Replace the checks by submissions. Those whose rows are known already are left out, except for --junitxml."""
        suites: dict = {}
        for item in items:
            if kata_of(item.path):
                suites.setdefault(item.parent, []).append(item)
        for suite, checks in suites.items():
            folder = suite.path.parent.name
            self.selected.append([folder, [astuple(check_of(one)) for one in checks], folder in self.partial])
        everything = getattr(self.config.option, "xmlpath", None) is not None
        items[:] = []
        for name, submission in self.work.submissions.items():
            files = () if submission.found.refusal else submission.found.files
            for suite, checks in suites.items():
                kata = kata_of(suite.path)
                if everything or kata.name in files:
                    item = Submitted.from_parent(suite, name=name, nodeid=node_of(kata, name), submission=submission,
                                                 checks=checks, grader=self)
                    items += [item] if everything or not item.known else []
        self.count.update(item.key for item in items)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        """Give the report its rows; without rows, nothing was graded."""
        result = yield
        if call.when == "call":
            rows, item.rows = item.rows, None     # they go into a file, because memory is too small for all of them
            result.submitted = [item.key, rows and json.dumps([row.packed() for row in rows]), item.known]
            result.selected, self.is_told = None if self.is_told else self.selected, True
            result.sections = []
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        """pytest-xdist: tell what the checks were, even if all rows are known."""
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["selected"] = self.selected


def stay_on_one_core(worker):
    """Keep this process and its workers on one core, each process of pytest-xdist on another.

    They never work at the same time, so this costs nothing, and waking another core takes longer than an answer.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(re.sub(r"\D", "", worker) or 0) % len(cores)]})
