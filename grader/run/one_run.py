"""The results of one learner's run: from pytest's reports to rows, then to the scoreboard and the files."""
from pathlib import Path

import pytest

from grader.cohort.finding import LOST
from grader.course.katas import all_katas, command_name, kata_of, named_in_part
from grader.course.visible import LONGEST_PATH, visible
from grader.isolation import protections
from grader.output import files
from grader.run.portability import not_portable
from grader.run.scoreboard import columns, scoreboard
from grader.verdict.grading import check_of
from grader.verdict.results import RunResult, SubmissionResult
from grader.verdict.rows import Check, Row
from grader.verdict.wrapping import Block, paragraph


class OneRun:
    """The pytest plugin of every run that is not a cohort's."""

    def __init__(self, config, grading):
        self.config = config
        self.grading = grading
        self.options = grading.options
        self.renamed = {}                     # rows that processes of pytest-xdist have named again
        self.crashed = set()                  # node ids during which a process of pytest-xdist has ended

    def pytest_deselected(self, items):
        for item in items:
            if kata_of(item.path):
                self.grading.results.partial.add(item.path.parent.name)

    def pytest_collection_finish(self, session):
        config = self.config
        checks = [check_of(item) for item in session.items if kata_of(item.path)]
        only_failed = config.getoption("lf", False) and config.cache.get("cache/lastfailed", {})
        in_part = {check.folder for check in checks} if only_failed else named_in_part(config.args)
        self.grading.results.select(checks, in_part)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self):
        with self.grading.bounded():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        """Give the report of a check its row; with pytest-xdist it travels to the controlling process."""
        result = yield
        if isinstance(item, pytest.Function) and kata_of(item.path) and (call.when == "call" or call.excinfo):
            failure = None if call.excinfo is None else call.excinfo.value
            asked = item.funcargs.get("kata")
            row = self.grading.row(kata_of(item.path), check_of(item), asked, failure, call.duration)
            if result.failed:
                result.longrepr = row.text()
                row.printed = result.capstdout + row.printed
            result.row = row.packed()
        return result

    def pytest_report_teststatus(self, report, config):
        """Sort the reports by outcome in pytest's own statistics, without a letter on the terminal."""
        row = getattr(report, "row", None)
        if row is None:
            return None
        return row["outcome"], "", row["outcome"].upper() if config.option.verbose > 0 else ""

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """pytest-xdist: give a worker the files of --submission as they were read, so that all grade the same bytes."""
        if self.grading.found is not None:
            node.workerinput["found"] = self.grading.found.packed()

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem, report, sched):
        """pytest-xdist: a process has ended during a check, so another one runs the check, but only once."""
        if crashitem not in self.crashed:
            self.crashed.add(crashitem)
            sched.mark_test_pending(crashitem)
            report.outcome = "rerun"          # which is no failure

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """pytest-xdist: learn from a worker what was selected, and which of its rows changed at the end."""
        output, results = getattr(node, "workeroutput", {}), self.grading.results
        if "selected" in output:
            checks, partial = output["selected"]
            results.select([Check(*check) for check in checks], partial)
            self.renamed |= {node: Row.unpacked(columns) for node, columns in output["renamed"].items()}

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        """Put the rows together. Each process of a run comes here before the summary is printed."""
        config, results = self.config, self.grading.results
        self.grading.end_processes()
        if hasattr(config, "workeroutput"):
            config.workeroutput["selected"] = results.packed()
            config.workeroutput["renamed"] = {node: row.packed() for node, row in self.grading.name_again().items()}
            return
        terminal = config.pluginmanager.get_plugin("terminalreporter")
        reports = [r for reports in terminal.stats.values() for r in reports if hasattr(r, "row")] if terminal else []
        results.rows = {r.nodeid: Row.unpacked(r.row) for r in reports} | self.renamed | self.grading.name_again()
        for node in self.crashed & results.checks.keys() - results.rows.keys():
            check, why = results.checks[node], [Block("the process that graded it has ended twice")]
            results.rows[node] = check.row("not_run", None, message=why)
        for one in reports:
            one.longrepr = results.rows[one.nodeid].text()            # what -v shows
        if self.options.outputs and not config.option.collectonly:
            result = RunResult(self.options.seed, self.grading.protections, [self.submission()], self.options.points,
                               refresh=self.options.refresh)
            results.unwritten = files.write(self.options.outputs, result)
        if results.unwritten or any(row.outcome == "not_run" for row in results.rows.values()):
            session.exitstatus = max(session.exitstatus, pytest.ExitCode.INTERNAL_ERROR)

    def submission(self):
        """The results of the one submission."""
        source = self.options.submission or self.options.work
        if source is None:
            name = source = "solutions" if self.options.solutions else "katas"
        else:
            name = visible(Path(source).resolve().name)
        unused = self.grading.found.unused if self.grading.found else ()
        return SubmissionResult(name, str(source), self.grading.finished(), unused)

    def pytest_terminal_summary(self, terminalreporter, exitstatus):
        if self.config.option.collectonly:           # nothing was graded, so there is nothing to say about it
            return
        results = self.grading.finished()
        if results:
            scoreboard(terminalreporter, results, self.options)
            if self.grading.found is not None:
                for text in self.grading.found.unused:
                    colour = "red" if LOST in text else "yellow"
                    terminalreporter.write_line(visible(f"Not used: {text}", LONGEST_PATH), **{colour: True})
            elif not self.options.solutions:
                for text in not_portable(results):
                    for line in paragraph(text, columns(terminalreporter)):
                        terminalreporter.write_line(line, yellow=True)
            for result in results:
                for why in dict.fromkeys(row.text() for row in result.rows if row.outcome == "not_run" and row.message):
                    text = f"Not graded: {self.submission().name} ({result.name}): {why.strip()}"
                    terminalreporter.write_line(visible(text, LONGEST_PATH), red=True)
            if self.options.guarded and (text := protections.unprotected(self.grading.protections)):
                terminalreporter.write_line(text, yellow=True)
            if self.options.picture or self.options.picture_text:
                from grader.output.pictures import show  # here, because most runs do not need it
                show.show(terminalreporter, results, self.grading)
        elif exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            terminalreporter.write_line("No check was selected, so nothing was graded. To grade one kata, run:")
            terminalreporter.write_line(f"pytest {command_name(all_katas()[0])}")
        for text in self.grading.results.unwritten:
            terminalreporter.write_line(text, red=True)
        if self.config.option.verbose > 0:
            for row in (row for result in results for row in result.rows if row.fault):
                terminalreporter.write_line(f"A fault of the grader, not of your code, in {row.check}:", red=True)
                terminalreporter.write_line(row.fault)
