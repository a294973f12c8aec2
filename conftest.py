"""How grading runs: pytest's hooks and fixtures. Each calls the module in grader/ that does the work.

A check calls the learner's functions through the `kata` fixture. Its outcome becomes a row (grader/grading.py), with an
explanation if it failed (grader/diagnosis.py, grader/messages.py). The rows become the scoreboard and the report.
"""
import gc
from pathlib import Path

import pytest

from grader import options, outputs
from grader.grading import Grading, check_of
from grader.katas import all_katas, command_name, kata_of
from grader.results import Check
from grader.scoreboard import class_board, protected, scoreboard
from grader.selection import OWN_TESTS, find_katas, latest, runs_own_tests

GRADING = pytest.StashKey[Grading]()


# Options

def pytest_addoption(parser):
    options.add(parser)


def pytest_cmdline_main(config):
    """Handle the options that run no checks."""
    if config.option.help:
        return None
    find_katas(config)
    if config.getoption("examples"):
        from grader import examples  # here, because most runs do not need it
        return examples.main(config, options.Options(config))
    if config.getoption("start") is not None or config.getoption("reset"):
        from grader import work
        return work.main(config, options.Options(config))
    return None


def pytest_configure(config):
    gc.freeze()                                  # never look at what is imported by now: that costs a tenth of the time
    gc.set_threshold(20_000)
    config.stash[GRADING] = grading = Grading(options.Options(config))
    if grading.options.cohort is not None:
        from grader.cohort import Cohort  # here, because most runs do not need it
        config.pluginmanager.register(Cohort(config, grading), "cohort")
    if grading.options.latest and (kata := latest(config, grading.file)):
        config.args = [str(kata.folder)]
    if not config.pluginmanager.has_plugin("terminal"):
        if grading.options.outputs:
            raise pytest.UsageError("-p no:terminal cannot be combined with options that write results")
        return
    if config.option.verbose <= 0 and not config.option.collectonly and not runs_own_tests(config):
        config.option.verbose = -2               # the scoreboard says it all; -v brings pytest's lines back
        config.option.reportchars = ""
        if config.option.tbstyle == "auto":
            config.option.tbstyle = "no"


def pytest_unconfigure(config):
    if GRADING in config.stash:
        config.stash[GRADING].close()


# What is selected

def pytest_ignore_collect(collection_path, config):
    """Collect the project's own tests only when they are asked for, not for `pytest /path/to/project`."""
    return True if collection_path == OWN_TESTS and not runs_own_tests(config) else None


def pytest_deselected(items):
    for item in items:
        if kata_of(item.path):
            item.config.stash[GRADING].results.partial.add(item.path.parent.name)


def pytest_collection_finish(session):
    config, results = session.config, session.config.stash[GRADING].results
    checks = [check_of(item) for item in session.items if kata_of(item.path)]
    single = {Path(arg.split("::")[0]).parent.name for arg in map(str, config.args) if "::" in arg}
    only_failed = config.getoption("lf", False) and config.cache.get("cache/lastfailed", {})
    results.select(checks, {check.folder for check in checks} if only_failed else single)


# What suites work with

@pytest.fixture
def kata(request):
    """The file under grading: its functions as attributes, called with the arguments of the contract."""
    return request.config.stash[GRADING].asked(kata_of(request.path))


@pytest.fixture(scope="module")
def reference(request):
    """The reference solution, with the same functions."""
    return request.config.stash[GRADING].reference(kata_of(request.path))


@pytest.fixture
def rng(request):
    """Random numbers that depend on --seed and on the check, and on nothing else."""
    return request.config.stash[GRADING].rng(request.node.name)


# What comes out

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Give the report of a check its row; with pytest-xdist it travels to the controlling process."""
    result = yield
    if isinstance(item, pytest.Function) and kata_of(item.path) and (call.when == "call" or call.excinfo):
        failure = None if call.excinfo is None else call.excinfo.value
        asked = item.funcargs.get("kata")
        result.row = item.config.stash[GRADING].row(kata_of(item.path), check_of(item), asked, failure, call.duration)
        if result.failed:
            result.longrepr = result.row["message"]
            result.row["printed"] = result.capstdout + result.row["printed"]
    return result


def pytest_report_teststatus(report, config):
    """Sort the reports by outcome in pytest's own statistics, without a letter on the terminal."""
    row = getattr(report, "row", None)
    if row is None:
        return None
    return row["outcome"], "", row["outcome"].upper() if config.option.verbose > 0 else ""


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """pytest-xdist: learn from a worker what was selected, and which of its rows changed at the end."""
    output, results = getattr(node, "workeroutput", {}), node.config.stash[GRADING].results
    if "selected" in output:
        checks, partial = output["selected"]
        results.select([Check(*check) for check in checks], partial)
        results.settled |= output["settled"]


def pytest_sessionfinish(session):
    """Put the rows together. Each process of a run comes here before the summary is printed."""
    config = session.config
    grading, cohort = config.stash[GRADING], config.pluginmanager.get_plugin("cohort")
    if hasattr(config, "workeroutput"):
        config.workeroutput["selected"] = grading.results.packed()
        config.workeroutput["settled"] = grading.settled()
        return
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    reports = [r for reports in terminal.stats.values() for r in reports if hasattr(r, "row")] if terminal else []
    grading.results.settled |= grading.settled()
    for one in reports:
        one.row |= grading.results.settled.get(one.nodeid, {})
    grading.results.rows = {r.nodeid: r.row for r in reports}
    if cohort and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.OK if cohort.solved() else pytest.ExitCode.TESTS_FAILED
    if grading.options.outputs and not config.option.collectonly:
        results = cohort.report() if cohort else grading.report()
        grading.results.unwritten = list(outputs.write(grading.options.outputs, results))


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    grading, cohort = config.stash[GRADING], config.pluginmanager.get_plugin("cohort")
    results = grading.finished()
    if config.option.collectonly:                # nothing was graded, so there is nothing to say about it
        return
    if cohort:
        class_board(terminalreporter, cohort)
    elif results:
        scoreboard(terminalreporter, results, grading.options)
        if grading.options.guarded:
            protected(terminalreporter, grading.protections)
        if grading.options.picture or grading.options.picture_text:
            from grader import gallery  # here, because most runs do not need it
            gallery.show(terminalreporter, results, grading)
    elif exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and not runs_own_tests(config):
        terminalreporter.write_line("No check was selected, so nothing was graded. To grade one kata, run:")
        terminalreporter.write_line(f"pytest {command_name(all_katas()[0])}")
    for text in grading.results.unwritten:
        terminalreporter.write_line(text, red=True)
