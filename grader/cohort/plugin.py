"""A folder of submissions, graded in one run.

The suites are collected once. Then one pytest item for each submission and kata replaces their checks and calls them
one after the other. An item for every check of a thousand submissions would be too many.
"""
import json
import re
from dataclasses import astuple, replace

import pytest

from grader.cohort import by_hand, summary
from grader.cohort.archives import Unpacked
from grader.cohort.checks import Twins, told, without_file
from grader.cohort.collecting import Collected, Submission
from grader.cohort.cores import stay_on_one_core
from grader.cohort.equal_files import equal_files
from grader.cohort.progress import Live, Progress
from grader.cohort.roster import Roster
from grader.cohort.store import Store
from grader.cohort.submitted import Submitted
from grader.course.katas import KATAS, Kata, kata_of, named_in_part
from grader.isolation.fork_server import protections
from grader.output import files
from grader.verdict.grading import check_of
from grader.verdict.results import RunResult, SubmissionResult
from grader.verdict.rows import Check
from grader.verdict.wrapping import printable

NOT_GRADED = pytest.ExitCode.INTERNAL_ERROR           # 3, the status of a run that could not grade or write something


class Cohort:
    """The pytest plugin that --cohort adds.

    With pytest-xdist every process has one: those that grade know the items, the one that controls has the store.
    """

    def __init__(self, config, grading):
        self.config = config
        self.options = grading.options
        self.input = getattr(config, "workerinput", None)
        self.katas = []                       # (kata, its checks)
        self.partial = named_in_part(config.args)          # folders of katas of which only a part is selected
        self.twins = Twins()
        self.without_files = []               # the KataResults of all submissions without files
        self.unwritten = grading.results.unwritten         # lines about files that could not be written
        self.progress = Progress(config)
        self.live = Live(self.write_board) if self.options.refresh and "board" in self.options.outputs else None
        self.lost = {}                        # {why: who, with the kata} of what could not be graded
        self.crashed = set()                  # node ids during which a process of pytest-xdist has ended
        if self.input is not None or not getattr(config.option, "numprocesses", None):
            stay_on_one_core(self.input)      # not the one that controls others: they would inherit its core
        if self.input is not None:
            self.options.seed = self.input["seed"]
            self.submissions, self.unused = [Submission.unpacked(one) for one in self.input["submissions"]], []
            self.order = self.input["order"]
            self.kept = set(map(tuple, self.input["kept"]))
            return
        unpacked = Unpacked()
        config.add_cleanup(unpacked.close)
        collected = Collected(self.options.cohort, unpacked)
        self.submissions, self.unused, self.names = collected.submissions, collected.unused, collected.names
        shown, regrade = {one.name for one in self.submissions}, self.options.regrade
        by_hand.known("overrides", config.option.overrides, [who for who, _ in self.options.overrides], shown)
        by_hand.known("regrade", regrade, [] if regrade is None else [regrade], shown)
        self.roster = Roster(self.options.people, self.submissions)
        self.store = Store(getattr(config, "cache", None), self.options)
        self.options.seed = self.store.seed
        self.kept = self.store.keys(besides=regrade)                   # what earlier runs have left
        for one in self.submissions:
            if one.found.refusal:
                self.lose(one.name, one.found.refusal)
        self.aliases = self.store.named([one.name for one in self.submissions]) if self.options.anonymous else {}
        # Not by the alphabet: a board that fills line by line must not tell the order of the names.
        self.order = sorted(range(len(self.submissions)), key=lambda i: self.aliases.get(self.submissions[i].name, ""))

    def pytest_deselected(self, items):
        """Note the katas of which -k and its like leave only a part."""
        self.partial |= {item.path.parent.name for item in items if kata_of(item.path)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Replace the checks by submissions. Those whose rows are known already are left out, except for --junitxml."""
        suites = {}
        for item in items:
            if kata_of(item.path):
                suites.setdefault(item.parent, []).append(item)
        self.katas = [(kata_of(suite.path), [check_of(c) for c in checks]) for suite, checks in suites.items()]
        everything = getattr(self.config.option, "xmlpath", None) is not None
        items[:] = []
        for number in self.order:
            submission = self.submissions[number]
            for suite, checks in suites.items():
                files = () if submission.found.refusal else submission.found.files
                if everything or kata_of(suite.path).name in files:
                    item = self.item(number, suite, checks)
                    item.known = (submission.name, item.kata.name, item.key) in self.kept
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
            self.lose(f"{name} ({kata})", printable(str(report.longrepr)))
            return
        self.progress.graded(name, kata)
        if self.live:
            self.live.graded()

    def lose(self, who, why):
        """Note who is not graded, and why."""
        lines = self.lost.setdefault(why, [])
        lines += [who] if who not in lines else []

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem, report, sched):
        """pytest-xdist: a process has ended while it graded a file, so another one grades the file, but only once."""
        if crashitem in self.crashed:
            name, kata = self.pair_of(crashitem)
            self.lose(f"{name} ({kata})", "the process that graded it has ended twice")
        else:
            self.crashed.add(crashitem)
            sched.mark_test_pending(crashitem)
            report.outcome = "rerun"          # which is no failure

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """pytest-xdist: tell a worker the seed, the submissions, and what need not be graded again.

        A worker that takes the place of another is told the same, because all of them have to have the same items.
        """
        node.workerinput["seed"] = self.options.seed
        node.workerinput["submissions"] = [submission.packed() for submission in self.submissions]
        node.workerinput["order"] = self.order
        node.workerinput["kept"] = sorted(self.kept)

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
            self.katas = [(Kata(KATAS / folder), [Check(*check) for check in checks]) for folder, checks, _ in katas]
            self.partial = {folder for folder, _, partial in katas if partial}

    def packed_katas(self):
        """The argument of `learn`."""
        return [[kata.folder.name, [astuple(check) for check in checks], kata.folder.name in self.partial]
                for kata, checks in self.katas]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        """Set the exit status, and write the files. A process of pytest-xdist tells only what the checks were."""
        if self.input is not None:
            self.config.workeroutput["katas"] = self.packed_katas()
            return
        if self.katas and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.OK if self.solved() else pytest.ExitCode.TESTS_FAILED
        if (self.lost or self.store.is_full) and session.exitstatus <= pytest.ExitCode.TESTS_FAILED:
            session.exitstatus = NOT_GRADED
        if not self.options.outputs or self.config.option.collectonly:
            return
        if refused := by_hand.too_high(self.options.overrides, self.katas):
            self.unwritten += refused
            session.exitstatus = max(session.exitstatus, NOT_GRADED)
        elif self.katas:
            result = self.result(self.protections)
            if {"report", "gradebook"} & self.options.outputs.keys():
                result.equal_files = equal_files([kata for kata, _ in self.katas], self.submissions)
            self.unwritten += files.write(self.options.outputs, result)
            session.exitstatus = max(session.exitstatus, NOT_GRADED) if self.unwritten else session.exitstatus
        else:
            self.unwritten.append("Nothing was graded, so no file was written.")

    def pytest_terminal_summary(self, terminalreporter):
        """A line for each submission, and the seed and protections of the run."""
        if not self.config.option.collectonly:
            terminalreporter.ensure_newline()
            summary.write(terminalreporter, self)

    @property
    def protections(self):
        """The protections from the submissions' code."""
        return protections() if self.options.isolated else []

    def result(self, protections):
        """The RunResult so far, without equal files."""
        return RunResult(self.options.seed, protections, self.all_results(), self.options.points, self.unused,
                         self.roster.people, refresh=self.options.refresh, by_hand=self.options.overrides)

    def write_board(self):
        """Write the board while the run goes on; what is wrong with it, the end of the run says."""
        list(files.write({"board": self.options.outputs["board"]}, self.result([])))

    def all_results(self):
        """The SubmissionResult of every submission."""
        return AllResults(self)

    def results(self, submission):
        """The KataResults of one submission, from what the store has."""
        nothing = not submission.found.files and not submission.found.refusal
        if nothing and self.without_files:    # thousands of these take no time
            return self.without_files
        results = []
        for kata, checks in self.katas:
            rows = None
            if submission.found.refusal:
                pass
            elif kata.name not in submission.found.files:
                rows = without_file(kata, checks)
            elif not self.progress.is_pending(submission.name, kata.name):
                rows = self.store.rows((submission.name, kata.name))
            rows = rows or [check.row("not_run", check.task(kata)) for check in checks]
            results.append(replace(submission.found.result(kata, rows), partial=kata.folder.name in self.partial))
        if nothing:
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
