"""A folder of submissions, graded in one run.

The suites are collected once. Then one pytest item for each submission and kata replaces their checks and calls them
one after the other. An item for every check of a thousand submissions would be too many.
"""
import json
import re
from dataclasses import astuple

import pytest

from grader.cohort import summary
from grader.cohort.archives import Unpacked
from grader.cohort.checks import Twins, rows_of, told, without_file
from grader.cohort.collecting import Collected, Submission
from grader.cohort.cores import stay_on_one_core
from grader.cohort.equal_files import equal_files
from grader.cohort.progress import Live, Progress
from grader.cohort.roster import Roster
from grader.cohort.store import Store, key_of
from grader.course.katas import KATAS, Kata, kata_of
from grader.isolation.fork_server import fork_server
from grader.output import files
from grader.verdict.grading import Grading, check_of
from grader.verdict.results import RunResult, SubmissionResult
from grader.verdict.rows import Check
from grader.verdict.wrapping import printable


class Rejected(Exception):
    """Raised by an item whose submission has not passed every check, for pytest to count."""


class Submitted(pytest.Item):
    """One submission's file for one kata; `checks` are the suite's own pytest items."""

    def __init__(self, *, submission, checks, options, twins, **kwargs):
        super().__init__(**kwargs)
        self.submission = submission
        self.checks = checks
        self.options = options
        self.twins = twins                    # of all katas, of all submissions
        self.kata = kata_of(self.path)
        self.key = key_of(self.kata, submission.found.files.get(self.kata.name), options, checks)
        twins.expect(self.key)
        self.known = False                    # an earlier run has kept the rows
        self.rows = None

    def runtest(self):
        if self.known:
            return
        self.rows = self.twins.rows.get(self.key)
        if self.rows is None and self.kata.name not in self.submission.found.files:
            self.rows = without_file(self.kata, map(check_of, self.checks))
        if self.rows is None:
            grading = Grading(self.options, self.submission.found)
            try:
                self.rows = rows_of(grading, self.kata, self.checks)
            finally:
                grading.close()
            self.twins.keep(self.key, self.rows)
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
        self.input = getattr(config, "workerinput", None)
        self.katas = []                       # (kata, its checks)
        self.twins = Twins()
        self.without_files = []               # the KataResults of all submissions without files
        self.unwritten = []                   # lines about files that could not be written
        self.progress = Progress(config)
        self.live = Live(self.write_board) if self.options.refresh and "board" in self.options.outputs else None
        self.lost = []                        # lines about what could not be graded
        if self.input is not None or not getattr(config.option, "numprocesses", None):
            stay_on_one_core(self.input)      # not the one that controls others: they would inherit its core
        if self.input is not None:
            self.options.seed = self.input["seed"]
            self.submissions, self.unused = [Submission.unpacked(one) for one in self.input["submissions"]], []
            self.order = self.input["order"]
            return
        unpacked = Unpacked()
        config.add_cleanup(unpacked.close)
        collected = Collected(self.options.cohort, unpacked)
        self.submissions, self.unused, self.names = collected.submissions, collected.unused, collected.names
        self.roster = Roster(self.options.people, self.submissions)
        self.store = Store(getattr(config, "cache", None), self.options)
        self.options.seed = self.store.seed
        self.aliases = self.store.named([one.name for one in self.submissions]) if self.options.anonymous else {}
        # Not by the alphabet: a board that fills line by line must not tell the order of the names.
        self.order = sorted(range(len(self.submissions)), key=lambda i: self.aliases.get(self.submissions[i].name, ""))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Replace the checks by submissions. Those whose rows are known already are left out, except for --junitxml."""
        suites = {}
        for item in items:
            if kata_of(item.path):
                suites.setdefault(item.parent, []).append(item)
        self.katas = [(kata_of(suite.path), [check_of(c) for c in checks]) for suite, checks in suites.items()]
        known = self.store.keys() if self.input is None else {tuple(k) for k in self.input["keys"]}
        everything = getattr(self.config.option, "xmlpath", None) is not None
        items[:] = []
        for number in self.order:
            submission = self.submissions[number]
            for suite, checks in suites.items():
                if everything or kata_of(suite.path).name in submission.found.files:
                    item = self.item(number, suite, checks)
                    item.known = (submission.name, item.kata.name, item.key) in known
                    items += [item] if everything or not item.known else []
        self.progress.expect((item.submission.name, item.kata.name) for item in items)

    def item(self, number, suite, checks):
        """The item of one submission and kata."""
        submission = self.submissions[number]
        plain = re.sub(r"[^\w.-]+", "_", submission.name)[:60]           # pytest's names are not for every character
        item = Submitted.from_parent(
            suite, name=f"[{number:04d}-{plain}]", submission=submission, checks=checks, options=self.options,
            twins=self.twins)
        return item

    def pair_of(self, node):
        """(name of the submission, name of the kata) of the item with this node id."""
        suite, number = re.search(r"(\w+)\.py::\[(\d+)", node).groups()
        return self.submissions[int(number)].name, suite.removeprefix("test_")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        """Give the report its rows; without rows, nothing was graded."""
        result = yield
        if call.when == "call":
            rows, item.rows = item.rows, None     # they go into a file, because memory is too small for all of them
            packed = rows and json.dumps([row.packed() for row in rows])
            result.submitted = [item.submission.name, item.kata.name, item.key, packed, item.known]
            result.katas = self.packed_katas()
            result.longrepr = told(rows) if rows else result.longrepr
            result.sections = []
        return result

    def pytest_report_teststatus(self, report):
        return (report.outcome, "", "") if hasattr(report, "katas") else None

    def pytest_runtest_logstart(self, nodeid):
        if self.input is None:
            self.progress.started(nodeid, *self.pair_of(nodeid))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report):
        """Put the rows of a submission into a file: a thousand submissions have too many to keep in memory."""
        if self.input is not None:
            return
        if report.when != "setup":            # a process of pytest-xdist that was lost reports something else
            self.progress.running.pop(report.nodeid, None)
        if not hasattr(report, "submitted"):
            return
        name, kata, key, rows, known = report.submitted
        del report.submitted
        self.learn(report.katas)
        report.katas = None                   # pytest keeps the report
        if known:
            rows = self.store.rows((name, kata))
            report.longrepr = told(rows)
            report.outcome = "failed" if report.longrepr else "passed"
        elif rows:
            self.store.add((name, kata), key, rows)
        else:
            self.lost.append(f"{name}, {kata}: {printable(str(report.longrepr))}")
            return
        self.progress.graded(name, kata)
        if self.live:
            self.live.graded()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """pytest-xdist: tell a worker the seed, the submissions, and what need not be graded again."""
        node.workerinput["seed"] = self.options.seed
        node.workerinput["submissions"] = [submission.packed() for submission in self.submissions]
        node.workerinput["order"] = self.order
        node.workerinput["keys"] = sorted(self.store.keys())

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids):
        """pytest-xdist: learn what is to be graded."""
        self.progress.expect(map(self.pair_of, ids))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """pytest-xdist: learn from a worker what the checks were."""
        self.learn(getattr(node, "workeroutput", {}).get("katas", ()))

    def learn(self, katas):
        """Take the katas and their checks from a process that has collected them."""
        if not self.katas:
            self.katas = [(Kata(KATAS / folder), [Check(*check) for check in checks]) for folder, checks in katas]

    def packed_katas(self):
        """The argument of `learn`."""
        return [[kata.folder.name, [astuple(check) for check in checks]] for kata, checks in self.katas]

    def pytest_sessionfinish(self, session):
        """Set the exit status, and write the files. A process of pytest-xdist tells only what the checks were."""
        if self.input is not None:
            self.config.workeroutput["katas"] = self.packed_katas()
            return
        if self.katas and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.OK if self.solved() else pytest.ExitCode.TESTS_FAILED
        if not self.options.outputs or self.config.option.collectonly:
            return
        if self.katas:
            result = self.result(self.protections)
            if {"report", "gradebook"} & self.options.outputs.keys():
                result.equal_files = equal_files([kata for kata, _ in self.katas], self.submissions)
            self.unwritten = list(files.write(self.options.outputs, result))
        else:
            self.unwritten = ["Nothing was graded, so no file was written."]

    def pytest_terminal_summary(self, terminalreporter):
        """A line for each submission, and the seed and protections of the run."""
        if not self.config.option.collectonly:
            terminalreporter.ensure_newline()
            summary.write(terminalreporter, self)

    @property
    def protections(self):
        """The protections from the submissions' code."""
        return fork_server().protections if self.options.isolated else []

    def result(self, protections):
        """The RunResult so far, without equal files."""
        return RunResult(self.options.seed, protections, self.all_results(), self.options.points, self.unused,
                         self.roster.people, refresh=self.options.refresh)

    def write_board(self):
        """Write the board while the run goes on; what is wrong with it, the end of the run says."""
        list(files.write({"board": self.options.outputs["board"]}, self.result([])))

    def all_results(self):
        """The SubmissionResult of every submission."""
        return AllResults(self)

    def results(self, submission):
        """The KataResults of one submission, from what the store has."""
        if not submission.found.files and self.without_files:         # thousands of these take no time
            return self.without_files
        results = []
        for kata, checks in self.katas:
            rows = None
            if kata.name not in submission.found.files:
                rows = without_file(kata, checks)
            elif not self.progress.is_pending(submission.name, kata.name):
                rows = self.store.rows((submission.name, kata.name))
            rows = rows or [check.row("not_run", check.task(kata)) for check in checks]
            results.append(submission.found.result(kata, rows))
        if not submission.found.files:
            self.without_files = results
        return results

    def solved(self):
        """Whether every submission has passed every check."""
        return all(one.graded and one.passed == one.total for one in self.all_results()) and bool(self.submissions)


class AllResults:
    """The results of all submissions, read from the store whenever they are gone through, one by one."""

    def __init__(self, cohort):
        self.cohort = cohort

    def __iter__(self):
        for one in self.cohort.submissions:
            yield SubmissionResult(one.name, str(one.found.source), self.cohort.results(one), one.found.unused, one.id,
                                   self.cohort.aliases.get(one.name, ""))
