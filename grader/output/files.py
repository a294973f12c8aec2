"""The files that a run can write: one entry for each format, and a writer that gives the results to all of them."""
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from grader.course.visible import visible
from grader.verdict.results import RunResult, SubmissionResult

Writer = Generator[None, SubmissionResult | None, None]      # is sent each result once, and then None


@dataclass(frozen=True)
class Output:
    """A format, which is an option of its own."""

    writer: str                        # module and name of a function (path, run) -> Writer
    value: str                         # of the option
    help: str
    begins: str = ""                   # a pattern for the beginning of its files: only those are overwritten
    noun: str = "a file of results"    # what messages call it
    package: str = ""                  # an extra that it needs
    as_graded: bool = False            # it does not have the marks that are set by hand
    equal_files: bool = False          # it says which submissions have equal files
    of_people: bool = False            # it has the people in --roster
    of_one: bool = False               # it has one submission, not a cohort
    live: bool = False                 # --refresh and --anonymous are about it, and it is written during a run, too


OUTPUTS = {
    "report": Output("report:write", "FILE.json", "all results as JSON", r'\{\s*"version": \d+,\s*"seed":', "a report",
                     as_graded=True, equal_files=True),
    "gradebook": Output("tables:gradebook", "FILE.csv", "a row per submission, a column per kata",
                        '"submission",', "a gradebook", equal_files=True),
    "board": Output("board:write", "FILE.html", "a page for the projector (needs Jinja2)",
                    "<!DOCTYPE html>.{,2000}katas solved by", "a board", package="Jinja2", as_graded=True, live=True),
    "feedback": Output("feedback:feedback", "DIR", "a text per submission, to give to the learner"),
    "canvas": Output("tables:canvas", "FILE.csv", "a grade for each person in --roster, to import into Canvas",
                     '"Student","ID","SIS User ID","SIS Login ID","Section","Positional encodings"', of_people=True),
    "moodle": Output("tables:moodle", "FILE.csv", "a grade for each person in --roster, to import into Moodle",
                     '"ID number","Email address","Positional encodings"', of_people=True),
    "moodle_feedback": Output("feedback:moodle_feedback", "FILE.zip",
                              "the feedback as Moodle imports it, a folder per person",
                              r"PK.*feedback on the positional encoding katas\Z"),
    "checks": Output("tables:checks", "FILE.csv", "how many pass each check",
                     '"kata","check","task","passed","graded","share"', as_graded=True),
    "gradescope": Output("gradescope:write", "FILE.json", "results.json for Gradescope",
                         r'\{\s*"score": .*"tests":', of_one=True),
}
LIVE = next(name for name, one in OUTPUTS.items() if one.live)


def flag(name: str) -> str:
    """The option of a format."""
    return f"--{name.replace('_', '-')}"


def chosen(option: Callable[[str], Any], here: Path) -> dict[str, Path]:
    """{name: path} of the files that this run will write, checked before the grading."""
    paths = {}
    for name, one in OUTPUTS.items():
        if (text := option(name)) is not None:
            paths[name] = path = Path(here, text)
            if fault := fault_of_folder(path, text) if one.value == "DIR" else fault_of_file(path, one):
                raise pytest.UsageError(f"{flag(name)}={visible(text)}: {fault}")
            if one.package:
                require(flag(name), one.package)
    return paths


def fault_of_folder(path: Path, text: str) -> str:
    """Why this cannot be a folder to write to, if it cannot."""
    can_be = text and (path.is_dir() or not path.exists()) and path.parent.is_dir()
    return "" if can_be else "this folder cannot be written to"


def fault_of_file(path: Path, one: Output) -> str | None:
    """Why a file cannot be written, if it cannot: it must be new, empty, or of the same kind from an earlier run."""
    if not path.parent.is_dir() or (path.exists() and not path.is_file()):
        return "this file cannot be written"
    is_new = not path.exists()
    try:
        with path.open("a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            text = file.read()
        if is_new:
            path.unlink()                 # a run that is interrupted leaves no empty file
    except OSError as error:
        return error.strerror
    ours = not text.strip() or re.match(one.begins, text, re.DOTALL)
    return "" if ours else f"this file is not {one.noun}, so it was not overwritten"


def require(option: str, package: str) -> None:
    """Say in one line how to get an optional package that is missing."""
    try:
        import_module(package.lower())
    except ImportError:
        raise pytest.UsageError(f"{option} needs {package}: python -m pip install {package.lower()}") from None


def write(paths: dict[str, Path], run: RunResult) -> list[str]:
    """Write the chosen files, with the results gone through once; a line for each that could not be written."""
    writers = {name: resolve_name(f"grader.output.{OUTPUTS[name].writer}")(path, run) for name, path in paths.items()}
    faults = {}
    for one in chain([None], run.submissions, [None]):       # the first None starts a writer, the last one ends it
        marked = one and one.marked(run.by_hand)
        for name, writer in list(writers.items()):
            try:
                writer.send(one if OUTPUTS[name].as_graded else marked)
            except StopIteration:
                del writers[name]
            except (OSError, ValueError) as error:
                del writers[name]
                faults[name] = visible(f"{flag(name)}={paths[name]}: {error}", 1000)
    return [faults[name] for name in paths if name in faults]
