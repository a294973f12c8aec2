"""The results of one learner's run: from pytest's reports to rows, then to the scoreboard and the files."""
from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

from grader.cohort.finding import LOST
from grader.course.katas import Kata, all_katas, command_name, kata_of, named_in_part
from grader.course.terminal import terminal_width
from grader.course.visible import LONGEST_PATH, visible
from grader.isolation import protections
from grader.output import files
from grader.run.portability import not_portable
from grader.run.scoreboard import scoreboard
from grader.run.session import Session
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import Check, Row, check_of
from grader.verdict.wrapping import paragraph, said


class EarlyMessage:
    """The message of a failed check, put into words only if somebody reads it before the end of the run.

    Editors and --junitxml do. So does a process of pytest-xdist, to send it: it may be lost before its own end.
    """

    def __init__(self, session: Session, kata: Kata, row: Row) -> None:
        self.session = session
        self.kata = kata
        self.row = row

    def __str__(self) -> str:
        return self.session.words_so_far(self.kata, self.row)

    def toterminal(self, terminal: Any) -> None:
        """What pytest asks of whatever stands for a failure."""
        terminal.line(str(self))


class OneRun:
    """The pytest plugin of every run that is not a cohort's."""

    def __init__(self, config: pytest.Config, session: Session) -> None:
        self.config = config
        self.session = session
        self.options = session.options
        self.checks: dict[str, Check] = {}    # those that are selected, by node, in order
        self.partial: set[str] = set()        # folders of katas of which only a part was selected
        self.rows: dict[str, Row] = {}        # by node
        self.results: list[KataResult] = []   # from the rows, at the end
        self.crashed: set[str] = set()        # node ids during which a process of pytest-xdist has ended

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.partial |= {item.path.parent.name for item in items if kata_of(item.path)}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        config = self.config
        self.checks = {item.nodeid: check_of(item) for item in session.items if kata_of(item.path)}
        if config.getoption("lf", False) and config.cache.get("cache/lastfailed", {}):
            self.partial |= {check.folder for check in self.checks.values()}
        else:
            self.partial |= named_in_part(config.args)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        with self.session.bounded():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Generator[None, Any, Any]:
        """Give the report of a check its row; with pytest-xdist it travels to the controlling process."""
        result = yield
        kata = kata_of(item.path)
        if isinstance(item, pytest.Function) and kata and (call.when == "call" or call.excinfo):
            error = None if call.excinfo is None else call.excinfo.value
            asked: Any = item.funcargs.get("kata")
            row = self.session.row(kata, check_of(item), asked, error, call.duration)
            if result.failed:
                result.longrepr = EarlyMessage(self.session, kata, row)
                row.printed = result.capstdout + row.printed
            result.row = vars(row)
        return result

    def pytest_report_teststatus(self, report: Any, config: pytest.Config) -> tuple[str, str, str] | None:
        """Sort the reports by outcome in pytest's own statistics, without a letter on the terminal."""
        row = getattr(report, "row", None)
        if row is None:
            return None
        return row["outcome"], "", row["outcome"].upper() if config.option.verbose > 0 else ""

    # Processes of pytest-xdist

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Give a process the files of --submission as they were read, so that all grade the same bytes."""
        if self.session.found is not None:
            node.workerinput["found"] = self.session.found.packed()

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any, sched: Any) -> None:
        """A process has ended during a check, so another one runs the check, but only once."""
        if crashitem not in self.crashed:
            self.crashed.add(crashitem)
            sched.mark_test_pending(crashitem)
            report.outcome = "rerun"          # which is no failure

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Learn from a process what was selected, and its rows in their last words."""
        checks, partial, rows = getattr(node, "workeroutput", {}).get("katas", ((), (), {}))
        self.checks |= {check[0]: Check(*check) for check in checks}
        self.partial.update(partial)
        self.rows |= {name: Row(**columns) for name, columns in rows.items()}

    # The end

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Put the rows together. Each process of a run comes here before the summary is printed."""
        config = self.config
        self.session.end_processes()
        self.rows |= self.session.rows_in_words()
        if hasattr(config, "workeroutput"):
            rows = {node: vars(row) for node, row in self.rows.items()}
            config.workeroutput["katas"] = [astuple(c) for c in self.checks.values()], sorted(self.partial), rows
            return
        terminal = config.pluginmanager.get_plugin("terminalreporter")
        reports = [r for reports in terminal.stats.values() for r in reports if hasattr(r, "row")] if terminal else []
        self.rows = {report.nodeid: Row(**report.row) for report in reports} | self.rows
        for node in self.crashed & self.checks.keys() - self.rows.keys():
            why = [said("the process that graded it has ended twice")]
            self.rows[node] = self.checks[node].row("not_run", None, message=why)
        for report in reports:
            report.longrepr = self.rows[report.nodeid].text()         # what -v shows
        self.results = list(self.in_order())
        if self.options.outputs and not config.option.collectonly:
            result = RunResult(self.options.seed or 0, self.protections, [self.submission()], self.options.points,
                               refresh=self.options.refresh)
            self.session.unwritten += files.write(self.options.outputs, result)
        if self.session.unwritten or any(row.outcome == "not_run" for row in self.rows.values()):
            session.exitstatus = max(session.exitstatus, pytest.ExitCode.INTERNAL_ERROR)

    def in_order(self) -> Iterator[KataResult]:
        """A KataResult for each kata with a selected check, in the order of the katas."""
        for kata in all_katas():
            checks = [check for check in self.checks.values() if check.folder == kata.folder.name]
            if checks:
                rows = [self.rows.get(check.node) or check.row("not_run", check.task(kata)) for check in checks]
                yield replace(self.session.result(kata, rows), partial=kata.folder.name in self.partial)

    def submission(self) -> SubmissionResult:
        """The results of the one submission."""
        source = self.options.submission or self.options.work
        ours = "solutions" if self.options.solutions else "katas"
        name = visible(source.resolve().name) if source else ours
        unused = self.session.found.unused if self.session.found else ()
        return SubmissionResult(name, str(source or ours), self.results, unused)

    @property
    def protections(self) -> list[str]:
        """The protections from the graded code."""
        if not self.options.isolated:
            return []
        from grader.isolation import fork_server  # here, because most runs do not need it
        return fork_server.protections()

    def picture_of(self, kata: Kata, row: Row) -> Path | None:
        """The file with a picture of a wrong result: only for one's own code, in this process."""
        failure = None if self.options.guarded else self.session.failure_in(kata, row)
        if failure is None:
            return None
        from grader.output.pictures.wrong import draw_wrong_result  # here, because right answers do not need it
        with contextlib.suppress(Exception):      # Matplotlib may be broken; the message does without a picture
            return draw_wrong_result(kata, failure)
        return None

    def pytest_terminal_summary(self, terminalreporter: Any, exitstatus: int) -> None:
        if self.config.option.collectonly:           # nothing was graded, so there is nothing to say about it
            return
        line, results = terminalreporter.write_line, self.results
        if results:
            scoreboard(terminalreporter, results, self.options, self.picture_of)
            if self.session.found is not None:
                for text in self.session.found.unused:
                    line(visible(f"Not used: {text}", LONGEST_PATH), **{"red" if LOST in text else "yellow": True})
            elif not self.options.solutions:
                for text in not_portable(results):
                    for part in paragraph(text, terminal_width(self.config)):
                        line(part, yellow=True)
            for result in results:
                reasons = [row.text() or "" for row in result.rows if row.outcome == "not_run" and row.message]
                for why in dict.fromkeys(reasons):
                    start = f"Not graded: {self.submission().name} ({result.name})"
                    line(visible(f"{start}: {why.strip()}", LONGEST_PATH), red=True)
            if self.options.guarded and (lacking := protections.unprotected(self.protections)):
                line(lacking, yellow=True)
            if self.options.picture or self.options.picture_text:
                from grader.output.pictures import show  # here, because most runs do not need it
                show.show(terminalreporter, results, self.options, lambda kata: self.session.grader(kata).submission)
        elif exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            line("No check was selected, so nothing was graded. To grade one kata, run:")
            line(f"pytest {command_name(all_katas()[0])}")
        for text in self.session.unwritten:
            line(text, red=True)
        if self.config.option.verbose > 0:
            for row in (row for result in results for row in result.rows if row.fault):
                line(f"A fault of the grader, not of your code, in {row.check}:", red=True)
                line(row.fault)
