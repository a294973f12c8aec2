"""The command line: the project's options, each with one clear line when it cannot be used."""
import json
import sys
from pathlib import Path

import pytest

WITH_VALUE = ("--submission", "--report", "--seed", "--time-limit")


def add(parser):
    """Declare the options under one heading of `pytest --help`."""
    refuse_spaces(sys.argv[1:])
    group = parser.getgroup("katas", "positional encoding katas")
    group.addoption("--solutions", action="store_true", help="grade the reference solutions instead of the stubs")
    group.addoption("--submission", metavar="DIR", help="grade the files in DIR instead of the stubs; write it with =")
    group.addoption("--seed", metavar="N", default="0", help="other random inputs for the same checks (default 0)")
    group.addoption("--report", metavar="FILE.json", help="write the results to FILE.json; write it with =")
    group.addoption("--time-limit", metavar="SECONDS", default="10", help="how long one call may take (default 10)")
    group.addoption("--hint", action="store_true", help="the next hint for the first open task of the selected katas")
    group.addoption("--all-hints", action="store_true", help="all hints for that task")


def refuse_spaces(arguments):
    """Refuse `--report FILE`: before our options are known, pytest takes FILE for a folder of tests."""
    for argument in arguments:
        if argument in WITH_VALUE:
            raise pytest.UsageError(f"{argument} needs its value behind an equals sign: {argument}=VALUE")


class Options:
    """The options of one run, checked; `source` is the folder to grade, None for the katas themselves."""

    def __init__(self, config):
        refuse_spaces(map(str, config.invocation_params.args))
        option = config.getoption
        self.solutions = option("solutions")
        self.hint = option("hint") or option("all_hints")
        self.all_hints = option("all_hints")
        self.seed = whole_number("--seed", option("seed"))
        self.time_limit = seconds("--time-limit", option("time_limit"))
        here = config.invocation_params.dir
        self.submission = None if option("submission") is None else folder("--submission", here, option("submission"))
        if self.solutions and self.submission is not None:
            raise pytest.UsageError("--solutions and --submission exclude each other: one run grades one thing")
        if self.hint and self.solutions:
            raise pytest.UsageError("--hint and --solutions exclude each other: solutions need no hints")
        self.report = None
        if option("report") is not None and not hasattr(config, "workerinput"):
            self.report = writable("--report", here, option("report"))


def whole_number(name, text):
    """A number from 0 on."""
    if not str(text).isdecimal():
        raise pytest.UsageError(f"{name}={text}: wanted a whole number from 0 on")
    return int(text)


def seconds(name, text):
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise pytest.UsageError(f"{name}={text}: wanted a number of seconds above 0")
    return value


def folder(name, here, text):
    """A folder that exists."""
    path = Path(here, text)
    if not text or not path.is_dir():
        raise pytest.UsageError(f"{name}={text}: no such folder")
    return path


def writable(name, here, text):
    """A file that can be written and holds nothing but, at most, an earlier report."""
    path = Path(here, text)
    if not text or not path.parent.is_dir() or (path.exists() and not path.is_file()):
        raise pytest.UsageError(f"{name}={text}: not a file that could be written")
    try:
        if path.exists() and not is_report(path):
            raise pytest.UsageError(f"{name}={text}: the file exists and is not a report; it stays as it is")
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise pytest.UsageError(f"{name}={text}: {error.strerror}") from None
    return path


def is_report(path):
    """Whether a file is empty or an earlier report of ours."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.strip():
        return True
    try:
        return "submissions" in json.loads(text)
    except (ValueError, TypeError):
        return False
