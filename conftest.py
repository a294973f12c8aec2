"""How grading runs: pytest's hooks and fixtures, each handing over to the module in grader/ that does the work.

A check asks the learner's functions through the `kata` fixture. What it finds becomes a row (grader/grading.py),
explained where it failed (grader/diagnosis.py, grader/messages.py); the rows become the scoreboard and the report.
"""
import gc
import zlib
from pathlib import Path

import numpy as np
import pytest

from grader import options, report
from grader.grading import Grading, check_of
from grader.katas import ROOT, all_katas, kata_of
from grader.results import Check
from grader.scoreboard import scoreboard

GRADING = pytest.StashKey[Grading]()
OWN_TESTS = ROOT / "tests"


# Options

def pytest_addoption(parser):
    options.add(parser)


def pytest_configure(config):
    gc.freeze()                                  # what is imported by now stays; looking at it again costs a tenth
    gc.set_threshold(20_000)
    config.stash[GRADING] = Grading(options.Options(config))
    if config.option.verbose <= 0 and not config.option.collectonly and not runs_own_tests(config):
        config.option.verbose = -2               # the scoreboard says it all; -v brings pytest's lines back
        config.option.reportchars = ""
        if config.option.tbstyle == "auto":
            config.option.tbstyle = "no"


def runs_own_tests(config):
    """Whether the run was pointed at the project's own tests."""
    here = config.invocation_params.dir
    return any((here / str(arg).split("::")[0]).is_relative_to(OWN_TESTS) for arg in config.args)


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
    seed = request.config.stash[GRADING].options.seed
    return np.random.default_rng([seed, zlib.crc32(request.node.name.encode())])


# What comes out

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Give the report of a check its row; with pytest-xdist it travels to the controlling process."""
    result = yield
    if kata_of(item.path) and (call.when == "call" or call.excinfo is not None):
        result.row = item.config.stash[GRADING].row(item, call)
        if result.failed:
            result.longrepr = result.row["message"]
            result.row["printed"] = result.capstdout
    return result


def pytest_report_teststatus(report, config):
    """Sort the reports by outcome in pytest's own statistics, without a letter on the terminal."""
    row = getattr(report, "row", None)
    if row is None:
        return None
    return row["outcome"], "", row["outcome"].upper() if config.option.verbose > 0 else ""


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """pytest-xdist: learn from a worker what was selected, and which rows look different at its end."""
    output, results = getattr(node, "workeroutput", {}), node.config.stash[GRADING].results
    if "selected" in output:
        checks, partial = output["selected"]
        results.select([Check(*check) for check in checks], partial)
        results.settled |= output["settled"]


def pytest_sessionfinish(session):
    """Put the rows together; here, since every process of a run has its own sessionfinish before the summary."""
    config = session.config
    grading = config.stash[GRADING]
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
    if grading.options.report:
        report.write(grading.options.report, report.report(grading))


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    results = config.stash[GRADING].finished()
    if results:
        scoreboard(terminalreporter, results, config.stash[GRADING].options)
    elif exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and not runs_own_tests(config):
        terminalreporter.write_line("No check was selected, so nothing was graded. Name a kata by its folder, such as")
        terminalreporter.write_line(f"pytest katas/{all_katas()[0].folder.name}")
