"""A folder of submissions, graded in one run.

The suites are collected once. Then one pytest item for each submission and kata replaces their checks and calls them
one after the other. An item for every check of a thousand submissions would be too many.
"""
import json
import os
import re
from collections import Counter
from dataclasses import astuple
from pathlib import Path

import pytest

from grader.calling.answers import NO_FILE
from grader.cohort.checks import Twins, rows_of
from grader.cohort.store import Store, key_of
from grader.course.katas import KATAS, Kata, kata_of, shown
from grader.course.learner_files import find_file
from grader.course.visible import LONGEST_PATH
from grader.isolation import protections
from grader.isolation.fork_server import fork_server
from grader.output import files
from grader.output.escaping import distinct, visible
from grader.verdict.grading import Grading, check_of
from grader.verdict.messages import about_file
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import Check
from grader.verdict.wrapping import Block, printable


def submissions_in(folder):
    """[(name, path)] of every sub-folder that is a submission: no hidden ones, no links."""
    try:
        found = [p for p in Path(folder).iterdir() if p.is_dir() and not p.is_symlink() and not p.name.startswith(".")]
    except OSError as error:
        raise pytest.UsageError(f"--cohort={visible(folder, LONGEST_PATH)}: {error.strerror}") from None
    found.sort()
    names = distinct([visible(p.name, 120) for p in found], [p.name for p in found], " ({})")
    return list(zip(names, found, strict=True))


class Rejected(Exception):
    """Raised by an item whose submission has not passed every check, for pytest to count."""


class Submitted(pytest.Item):
    """One submission's file for one kata; `checks` are the suite's own pytest items."""

    def __init__(self, *, submission, source, file, checks, options, twins, **kwargs):
        super().__init__(**kwargs)
        self.submission = submission          # its name
        self.source = source                  # its folder
        self.checks = checks
        self.options = options
        self.twins = twins                    # of all katas, of all submissions
        self.kata = kata_of(self.path)
        self.key = key_of(self.kata, file, options, checks)
        self.file = self.kata.name, self.key, file.name
        twins.expect(self.file)
        self.rows = None

    def runtest(self):
        self.rows = self.twins.rows.get(self.file)
        if self.rows is None:
            grading = Grading(self.options, self.source)
            try:
                self.rows = rows_of(grading, self.kata, self.checks)
            finally:
                grading.close()
            self.twins.keep(self.file, self.rows)
        if any(row.outcome != "passed" for row in self.rows):
            raise Rejected

    def repr_failure(self, excinfo):
        """Nothing more: the rows say it, and pytest would read the source of its own functions for every submission."""
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, None, self.name


class Cohort:
    """The pytest plugin that --cohort adds.

    With pytest-xdist every process has one: those that grade know the items, the one that controls has the store.
    """

    def __init__(self, config, grading):
        self.config = config
        self.options = grading.options
        self.submissions = submissions_in(self.options.cohort)
        self.katas = []                       # (kata, its checks)
        self.twins = Twins()
        self.empty = {}                       # folder -> whether it has no file for any kata
        self.without_files = []               # the KataResults of all submissions without files
        self.unwritten = []                   # lines about files that could not be written
        self.waiting = Counter()              # submission -> files of it that are still to be graded
        self.input = getattr(config, "workerinput", None)
        if self.input is not None or not getattr(config.option, "numprocesses", None):
            stay_on_one_core(self.input)      # not the one that controls others: they would inherit its core
        if self.input is None:
            self.store = Store(getattr(config, "cache", None), self.options)
            self.options.seed = self.store.seed
            if getattr(config.option, "numprocesses", None):
                config.option.dist = "loadgroup"      # all of a submission to one process, one after the other
        else:
            self.options.seed = self.input["seed"]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Replace the checks by submissions, without those whose rows are known already."""
        suites = {}
        for item in items:
            if kata_of(item.path):
                suites.setdefault(item.parent, []).append(item)
        self.katas = [(kata_of(suite.path), [check_of(c) for c in checks]) for suite, checks in suites.items()]
        known = self.store.keys() if self.input is None else {tuple(k) for k in self.input["keys"]}
        made = [
            self.item(number, suite, checks, file)
            for number, (_, path) in enumerate(self.submissions)
            for suite, checks in suites.items()
            if (file := find_file(kata_of(suite.path), path)) is not None
        ]
        items[:] = [item for item in made if (item.submission, item.kata.name, item.key) not in known]
        self.expect(item.submission for item in items)

    def item(self, number, suite, checks, file):
        name, path = self.submissions[number]
        plain = re.sub(r"[^\w.-]+", "_", name)[:60]             # pytest's names are not for every character
        item = Submitted.from_parent(
            suite, name=f"[{number:04d}-{plain}]", submission=name, source=path, file=file, checks=checks,
            options=self.options, twins=self.twins)
        if self.config.pluginmanager.has_plugin("xdist"):
            item.add_marker(pytest.mark.xdist_group(f"{number:04d}"))
        return item

    def expect(self, submissions):
        """Count the files that are to be graded, by submission."""
        self.waiting = Counter(submissions)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        result = yield
        if call.when == "call":
            lost = [Block(printable(str(call.excinfo.value)))] if call.excinfo else []
            checks = map(check_of, item.checks)
            rows = item.rows or [check.row("crashed", check.task(item.kata), message=lost) for check in checks]
            item.rows = None                  # they go into a file, because memory is too small for all of them
            result.submitted = [item.submission, item.kata.name, item.key, json.dumps([row.packed() for row in rows])]
            failed = [row.check for row in rows if row.outcome != "passed"]
            told = f"{len(failed)} of {len(rows)} checks do not pass. The first is {failed[0]}." if failed else None
            result.longrepr, result.sections = told, []           # what --junitxml and -v show
        return result

    def pytest_report_teststatus(self, report):
        return (report.outcome, "", "") if hasattr(report, "submitted") else None

    def pytest_runtest_logreport(self, report):
        """Put the rows of a submission into a file: a thousand submissions have too many to keep in memory."""
        if self.input is None and hasattr(report, "submitted"):
            name, kata, key, rows = report.submitted
            del report.submitted
            self.store.add((name, kata), key, rows)
            self.waiting[name] -= 1
            if self.waiting[name] == 0:
                done = sum(count == 0 for count in self.waiting.values())
                terminal = self.config.pluginmanager.get_plugin("terminalreporter")
                terminal.write_line(f"  {done} of {len(self.waiting)} graded: {name}")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """pytest-xdist: tell a worker the seed, and what need not be graded again."""
        node.workerinput["seed"] = self.options.seed
        node.workerinput["keys"] = sorted(self.store.keys())

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids):
        """pytest-xdist: learn what is to be graded."""
        numbers = (int(re.search(r"::\[(\d+)", one)[1]) for one in ids)
        self.expect(self.submissions[number][0] for number in numbers)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """pytest-xdist: learn from a worker what the checks were."""
        for folder, checks in getattr(node, "workeroutput", {}).get("katas", ()):
            self.katas = [entry for entry in self.katas if entry[0].folder.name != folder]
            self.katas.append((Kata(KATAS / folder), [Check(*check) for check in checks]))

    def pytest_sessionfinish(self, session):
        """Set the exit status, and write the files. A process of pytest-xdist tells only what the checks were."""
        if self.input is not None:
            self.config.workeroutput["katas"] = [
                [kata.folder.name, [astuple(check) for check in checks]] for kata, checks in self.katas]
            return
        if self.katas and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.OK if self.solved() else pytest.ExitCode.TESTS_FAILED
        if self.options.outputs and not self.config.option.collectonly:
            result = RunResult(self.options.seed, self.protections, Submissions(self))
            self.unwritten = list(files.write(self.options.outputs, result))

    def pytest_terminal_summary(self, terminalreporter):
        """A line for each submission, and the seed and protections of the run."""
        if self.config.option.collectonly:
            return
        write = terminalreporter.write_line
        terminalreporter.ensure_newline()
        count = len(self.submissions)
        write(f"Cohort: {count} submission{'' if count == 1 else 's'}, seed {self.options.seed}", bold=True)
        write("")
        for one in Submissions(self):
            write(f"  {f'{one.passed}/{one.total}':<10} {one.solved:>2} of {len(one.katas)} solved   {one.name}")
        write("")
        if text := protections.missing(self.protections):
            write(text, yellow=True)
        for text in (*self.store.notes, *self.unwritten):
            write(text, red=True)

    @property
    def protections(self):
        """The protections from the submissions' code."""
        return fork_server().protections if self.options.isolated else []

    def results(self, name, path):
        """The KataResults of one submission, from what the store has."""
        if self.is_empty(path):               # thousands of these take no time
            self.without_files = self.without_files or [
                KataResult(kata, None, without_file(kata, checks)) for kata, checks in self.katas]
            return self.without_files
        found = []
        for kata, checks in self.katas:
            file = find_file(kata, path)
            rows = without_file(kata, checks) if file is None else self.store.rows((name, kata.name))
            found.append(KataResult(kata, file, rows or [c.row("not_run", c.task(kata)) for c in checks]))
        return found

    def is_empty(self, path):
        """Whether a submission has no file for any kata."""
        if path not in self.empty:
            self.empty[path] = all(find_file(kata, path) is None for kata, _ in self.katas)
        return self.empty[path]

    def solved(self):
        """Whether every submission has passed every check."""
        return all(one.passed == one.total > 0 for one in Submissions(self)) and bool(self.submissions)


def without_file(kata, checks):
    """The rows of a kata for which a submission has no file; no suite needs to run for them."""
    message = about_file(shown(kata.folder), NO_FILE)
    return [check.row("todo", check.task(kata), message=message, file_fault="no_file") for check in checks]


def stay_on_one_core(workerinput):
    """Keep this process and its workers on one core, each process of pytest-xdist on another.

    They never work at the same time, so this costs nothing, and waking another core takes longer than an answer.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        number = int(re.sub(r"\D", "", (workerinput or {}).get("workerid", "")) or 0)
        os.sched_setaffinity(0, {cores[number % len(cores)]})


class Submissions:
    """The results of all submissions, read from the store whenever they are gone through, one by one."""

    def __init__(self, cohort):
        self.cohort = cohort

    def __len__(self):
        return len(self.cohort.submissions)

    def __iter__(self):
        for name, path in self.cohort.submissions:
            yield SubmissionResult(name, str(path), self.cohort.results(name, path))
