"""A folder of submissions, graded in one run: the part of it that one process has, however many grade."""
import pickle
from typing import Any

import pytest

from grader.cohort import tables
from grader.cohort.archives import Unpacked
from grader.cohort.collecting import Collected
from grader.cohort.contents import equal_files
from grader.cohort.progress import Live, Progress
from grader.cohort.results import AllResults
from grader.cohort.roster import Roster
from grader.cohort.store import Store
from grader.cohort.submitted import Grader, Grades, Work, name_of, node_of
from grader.cohort.summary import write_summary
from grader.course.katas import all_katas
from grader.isolation.fork_server import protections
from grader.output import files
from grader.verdict.results import RunResult
from grader.verdict.wrapping import printable

NOT_GRADED = pytest.ExitCode.INTERNAL_ERROR           # 3, the status of a run that could not grade or write something


def register(config: pytest.Config, session: Grades) -> None:
    """Add the plugins for --cohort: one controls, and one grades. With pytest-xdist, no process has both."""
    if hasattr(config, "workerinput"):
        work = pickle.loads(config.workerinput["work"])
        session.options.seed = work.seed
    else:
        cohort = Cohort(config, session)
        config.pluginmanager.register(cohort)
        work = cohort.work
        if getattr(config.option, "dist", "no") != "no" and not config.option.collectonly:
            return
    config.pluginmanager.register(Grader(config, session, work), "grader of submissions")


class Cohort:
    """The plugin of the process that controls: it has the store, and writes the files."""

    def __init__(self, config: pytest.Config, session: Grades) -> None:
        self.config = config
        self.options = session.options
        self.unwritten = session.unwritten                 # lines about files that could not be written
        self.progress = Progress(config)
        self.live = Live(self.write_board) if self.options.refresh else None
        self.lost: dict[str, list[str]] = {}  # {why: who, with the kata} of what could not be graded
        self.crashed: set[str] = set()        # node ids during which a process of pytest-xdist has ended
        self.pairs: dict[str, tuple[str, str]] = {}        # node id -> (name of the submission, name of the kata)
        unpacked = Unpacked()
        config.add_cleanup(unpacked.close)
        collected = Collected(self.options.cohort, unpacked)
        self.submissions, self.unused, self.names = collected.submissions, collected.unused, collected.names
        names, regrade = [one.name for one in self.submissions], self.options.regrade
        tables.known("overrides", config.option.overrides, [who for who, _ in self.options.overrides], names)
        tables.known("regrade", regrade, [] if regrade is None else [regrade], names)
        self.roster = Roster(self.options.people, self.submissions)
        self.store = Store(getattr(config, "cache", None), self.options)
        self.options.seed = self.store.seed
        for one in self.submissions:
            if one.found.refusal:
                self.lose(one.name, one.found.refusal)
        aliases = self.store.named(names) if self.options.anonymous else {}
        self.results = AllResults(self.submissions, self.store, self.progress, aliases)
        # Not by the alphabet: a board that fills line by line must not tell the order of the names.
        order = sorted(enumerate(self.submissions), key=lambda pair: aliases.get(pair[1].name, ""))
        kept = {pair: key for pair, key in self.store.keys().items() if pair[0] != regrade}
        self.work = Work(self.store.seed, {name_of(*pair): pair[1] for pair in order}, kept)

    def lose(self, who: str, why: str) -> None:
        """Note who is not graded, and why."""
        lines = self.lost.setdefault(why, [])
        lines += [who] if who not in lines else []

    # What is to be graded

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """pytest-xdist: tell a process what is to be graded, also one that takes the place of another."""
        node.workerinput["work"] = pickle.dumps(self.work)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.pytest_xdist_node_collection_finished([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Learn what is to be graded, from the process that has collected it."""
        pairs = {node_of(kata, name): (one.name, kata.name)
                 for name, one in self.work.submissions.items() for kata in all_katas()}
        self.pairs = {node: pairs[node] for node in ids}
        self.progress.expect(self.pairs.values())

    # What comes of it

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.progress.started(nodeid, *self.pairs[nodeid])

    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        return (report.outcome, "", "") if hasattr(report, "selected") else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Put the rows of a submission into the store: a thousand submissions have too many to keep in memory."""
        if report.when != "setup":            # a process of pytest-xdist that was lost reports something else
            self.progress.running.pop(report.nodeid, None)
        if not hasattr(report, "submitted"):
            return
        key, rows, is_known = report.submitted
        self.results.select(report.selected or ())
        report.submitted = report.selected = None             # pytest keeps the report
        pair = self.pairs[report.nodeid]
        if rows:
            self.store.add(pair, key, rows)
        elif not is_known:
            self.lose("{} ({})".format(*pair), printable(str(report.longrepr)))
            return
        checks = self.store.value(pair)
        failed = [one["check"] for one in checks if one["outcome"] != "passed"]
        report.outcome, report.longrepr = "passed", None
        if failed:
            report.outcome = "failed"
            report.longrepr = f"{len(failed)} of {len(checks)} checks do not pass. The first is {failed[0]}."
        self.progress.graded(*pair)
        if self.live:
            self.live.graded()

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any, sched: Any) -> None:
        """pytest-xdist: a process has ended while it graded a file, so another one grades the file, but only once."""
        if crashitem in self.crashed:
            self.lose("{} ({})".format(*self.pairs[crashitem]), "the process that graded it has ended twice")
        else:
            self.crashed.add(crashitem)
            sched.mark_test_pending(crashitem)
            report.outcome = "rerun"          # which is no failure

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """pytest-xdist: learn from a process what the checks were."""
        self.results.select(getattr(node, "workeroutput", {}).get("selected", ()))

    # The end

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the exit status, and write the files."""
        grader = self.config.pluginmanager.get_plugin("grader of submissions")
        self.results.select(grader.selected if grader else ())
        status = session.exitstatus
        if self.results.katas and status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            solved = all(one.graded and one.passed == one.total for one in self.results) and self.submissions
            status = pytest.ExitCode.OK if solved else pytest.ExitCode.TESTS_FAILED
        if (self.lost or self.store.is_full) and status <= pytest.ExitCode.TESTS_FAILED:
            status = NOT_GRADED
        if self.options.outputs and not self.config.option.collectonly:
            self.write_files()
            status = max(status, NOT_GRADED) if self.unwritten and self.results.katas else status
        session.exitstatus = status

    def write_files(self) -> None:
        """Write the chosen files, or say why not."""
        katas = [(kata, checks) for kata, checks, *_ in self.results.katas]
        if refused := tables.too_high(self.options.overrides, katas):
            self.unwritten += refused
        elif katas:
            result = self.result(self.protections)
            if any(files.OUTPUTS[name].equal_files for name in self.options.outputs):
                result.equal_files = equal_files([kata for kata, _ in katas],
                                                 {one.name: one.found.files for one in self.submissions})
            self.unwritten += files.write(self.options.outputs, result)
        else:
            self.unwritten.append("Nothing was graded, so no file was written.")

    def write_board(self) -> None:
        """Write the board while the run goes on; what is wrong with it, the end of the run says."""
        files.write({files.LIVE: self.options.outputs[files.LIVE]}, self.result([]))

    def result(self, protections: list[str]) -> RunResult:
        """The RunResult so far, without equal files."""
        return RunResult(self.options.seed, protections, self.results, self.options.points, self.unused,
                         self.roster.people, refresh=self.options.refresh, by_hand=self.options.overrides)

    @property
    def protections(self) -> list[str]:
        """The protections from the submissions' code."""
        return protections() if self.options.isolated else []

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """A line for each submission, and the seed and protections of the run."""
        if not self.config.option.collectonly:
            terminalreporter.ensure_newline()
            write_summary(terminalreporter, self)
