"""pytest's hooks for a run of the grader: options, fixtures, and the plugin that collects the results."""
from __future__ import annotations

import gc
from collections.abc import Generator

import numpy as np
import pytest

from grader.calling.kata_fixture import Asked
from grader.calling.reference import Reference
from grader.course.katas import kata_with_suite
from grader.course.visible import LONGEST_PATH, visible
from grader.run import options
from grader.run.one_run import OneRun
from grader.run.selection import find_katas, latest
from grader.run.session import Session

SESSION = pytest.StashKey[Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    options.add(parser)


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Handle the options that run no checks."""
    if config.option.help:
        return None
    find_katas(config)
    if config.getoption("examples"):
        from grader.run import examples  # here, because most runs do not need it
        return examples.main(config, session_of(config, options.Options(config)))
    if config.getoption("watch"):
        from grader.run import watch
        return watch.main(config, session_of(config, options.Options(config)))
    if config.getoption("start") is not None or config.getoption("reset"):
        from grader.run import own_folder
        return own_folder.main(config, options.Options(config))
    return None


def pytest_configure(config: pytest.Config) -> None:
    gc.freeze()                                  # never look at what is imported by now: that costs a tenth of the time
    gc.set_threshold(20_000)
    config.stash[SESSION] = session = session_of(config, options.Options(config))
    if session.options.cohort is not None:
        from grader.cohort import plugin  # here, because most runs do not need it
        plugin.register(config, session)
    else:
        config.pluginmanager.register(OneRun(config, session))
    if session.options.latest and (kata := latest(config, session.file)):
        config.args = [str(kata.folder)]
    if not config.pluginmanager.has_plugin("terminal"):
        if session.options.outputs:
            raise pytest.UsageError("-p no:terminal cannot be combined with options that write results")
        return
    if config.option.verbose <= 0 and not config.option.collectonly:
        config.option.verbose = -2               # the scoreboard says it all; -v brings pytest's lines back
        config.option.reportchars = ""
        if config.option.tbstyle == "auto":
            config.option.tbstyle = "no"


def session_of(config: pytest.Config, chosen: options.Options) -> Session:
    """The Session for these options, with the files of --submission."""
    if chosen.submission is None:
        return Session(chosen)
    from grader.cohort import archives, finding  # here, because most runs do not need them
    if hasattr(config, "workerinput"):           # only the controlling process of pytest-xdist reads them
        return Session(chosen, finding.Found.unpacked(config.workerinput["found"]))
    unpacked = archives.Unpacked()
    config.add_cleanup(unpacked.close)
    return Session(chosen, finding.files_of(chosen.submission, unpacked))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Turn an error while pytest writes --junitxml into a line; all our own files are written by then."""
    try:
        return (yield)
    except OSError as error:
        path = getattr(session.config.option, "xmlpath", None)
        if path is None:
            raise
        session.config.stash[SESSION].unwritten.append(visible(f"--junitxml={path}: {error}", LONGEST_PATH))
        session.exitstatus = max(session.exitstatus, pytest.ExitCode.INTERNAL_ERROR)
        return None


def pytest_unconfigure(config: pytest.Config) -> None:
    if SESSION in config.stash:
        config.stash[SESSION].close()


# What suites work with

@pytest.fixture
def kata(request: pytest.FixtureRequest) -> Asked:
    """The file under grading: its functions as attributes, called with the arguments of the contract."""
    return request.config.stash[SESSION].asked(kata_with_suite(request.path))


@pytest.fixture(scope="module")
def reference(request: pytest.FixtureRequest) -> Reference:
    """The reference solution, with the same functions."""
    return request.config.stash[SESSION].reference(kata_with_suite(request.path))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that depend on --seed and on the check, and on nothing else."""
    return request.config.stash[SESSION].rng(request.node.name)
