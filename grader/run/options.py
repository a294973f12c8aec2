"""The project's command-line options, and a clear line for each way to misuse them."""
import os
import re
import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.calling.limits import CAN_ISOLATE, MEBIBYTE, Limits
from grader.course.katas import quoted
from grader.course.visible import visible
from grader.output import files as outputs
from grader.verdict.results import ByHand

UNITS = {"kata": 1, "memory": MEBIBYTE, "processes": 1, "files": 1, "file_size": MEBIBYTE, "answer": MEBIBYTE}
WRITTEN = {outputs.flag(name): one for name, one in outputs.OUTPUTS.items()}
LIVE = outputs.flag(outputs.LIVE)
DECLARED = {                                  # {option: (its value, help)}, as `pytest --help` shows them
    "--solutions": ("", "grade the reference solutions instead of the stubs"),
    "--submission": ("DIR", "grade the files in DIR or in a .zip file, isolated"),
    "--cohort": ("DIR", "grade the files of many people, in a folder or a .zip file"),
    "--roster": ("FILE.csv", "the people of the cohort, with columns id, name and email"),
    "--overrides": ("FILE.csv", "marks set by hand, with columns who, kata, points and why"),
    "--regrade": ("NAME", "grade this submission of the cohort again"),
    "--fresh": ("", "grade the whole cohort again, with a new seed"),
    "--isolated": ("", "run the graded files in separate processes with limits"),
    "--limits": ("NAME=N,...", "limits of these processes, such as memory=512"),
    "--seed": ("N", "run the same checks on other random inputs (default 0)"),
    **{name: (one.value, f"write {one.help}") for name, one in WRITTEN.items()},
    "--points": ("N", "points for solving every selected kata (default 100)"),
    "--anonymous": ("", "with --cohort: made-up names on the board, only there"),
    "--refresh": ("SECONDS", "the board reloads itself, and long runs keep writing it"),
    "--time-limit": ("SECONDS", f"seconds that one call may take (default {Limits.call:g})"),
    "--hint": ("", "show the next hint for the first unsolved task"),
    "--all-hints": ("", "show all hints for that task"),
    "--examples": ("", "run the >>> examples of the README on your file"),
    "--compare": ("", "show your code of a solved kata and the reference"),
    "--variant": ("NAME", "with --compare: show the code of this other solution, too"),
    "--latest": ("", "grade only the kata saved last"),
    "--watch": ("", "grade now, and again whenever a file is saved"),
    "--start": ("DIR", "copy the stubs into a folder of your own"),
    "--notebooks": ("", "with --start, write notebooks instead of stubs"),
    "--work": ("DIR", "grade your own folder (or set KATAS_WORK)"),
    "--reset": ("", "restore the original stub; your file gets a new name"),
    "--picture": ("", "draw the selected katas as PNG files (needs Matplotlib)"),
    "--picture-text": ("", "draw the selected katas as text in the terminal"),
}
DEFAULTS = {"--limits": "", "--points": "100", "--time-limit": f"{Limits.call:g}"}
OF_A_KATA = ("--hint", "--all-hints", "--examples", "--compare", "--picture", "--picture-text", "--reset", "--latest",
             "--watch")
GRADES_OTHERS = ("--solutions", "--submission", "--cohort")
HINTS = ("--hint", "--all-hints")
PICTURES = ("--picture", "--picture-text")
OF_A_GRADING = (*GRADES_OTHERS, "--isolated", "--compare", "--latest", *HINTS, *PICTURES, *WRITTEN)
EXCLUDED = {
    "--start": ("--work", "--reset", "--examples", *OF_A_GRADING),         # --start and --reset grade nothing
    "--reset": (*OF_A_GRADING, "--examples"),
    "--watch": ("--start", "--reset", "--examples", "--submission", "--solutions", "--latest", "--fresh", "--regrade",
                "--lf", *HINTS),
    "--examples": ("--cohort", "--compare", "--latest", *HINTS, *PICTURES, *WRITTEN),
    "--compare": (*HINTS, *GRADES_OTHERS),
    "--work": GRADES_OTHERS,
    "--solutions": ("--submission", *HINTS),               # they need no hints
    "--cohort": ("--solutions", "--submission", "--latest", "--lf", *HINTS, *PICTURES,
                 *(name for name, one in WRITTEN.items() if one.of_one)),
}
NEEDS = {                                     # what an option works with: all of these, or one of them
    "--notebooks": "--start", "--variant": "--compare", "--fresh": "--cohort", "--regrade": "--cohort",
    "--overrides": "--cohort", "--roster": "--cohort", "--anonymous": f"--cohort and {LIVE}", "--refresh": LIVE,
    "--limits": "--isolated, --submission or --cohort",
    **{name: "--roster" for name, one in WRITTEN.items() if one.of_people},
}


def add(parser: pytest.Parser) -> None:
    """Declare the options under one heading of `pytest --help`."""
    refuse_spaces(sys.argv[1:])
    group = parser.getgroup("katas", "positional encoding katas")
    for name, (value, text) in DECLARED.items():
        if value:
            group.addoption(name, metavar=value, default=DEFAULTS.get(name), help=text)
        else:
            group.addoption(name, action="store_true", help=text)


class Options:
    """The options of one run, checked."""

    def __init__(self, config: pytest.Config) -> None:
        refuse_spaces(map(str, config.invocation_params.args))
        refuse_bytes(config)
        option, here = config.getoption, config.invocation_params.dir
        given = {name for name in (*DECLARED, "--lf") if option(name, None) not in (None, False, DEFAULTS.get(name))}
        refuse_excluded(given)
        self.seed = whole_number("--seed", option("--seed")) if "--seed" in given else None
        self.submission = folder_or_zip("--submission", here, option("--submission"))
        self.cohort = folder_or_zip("--cohort", here, option("--cohort"))
        if self.seed is None and self.cohort is None:
            self.seed = 0                         # a cohort draws its own
        self.solutions, self.start, self.notebooks = option("--solutions"), option("--start"), option("--notebooks")
        self.work, self.again = graded_folder(config, given)
        self.fresh, self.regrade, self.anonymous = option("--fresh"), option("--regrade"), option("--anonymous")
        self.all_hints = option("--all-hints")
        self.hint = option("--hint") or self.all_hints
        self.compare, self.variant = option("--compare"), option("--variant")
        self.picture, self.picture_text = option("--picture"), option("--picture-text")
        self.latest = option("--latest")
        self.guarded = bool(given & {"--isolated", "--submission", "--cohort"})
        self.isolated = self.guarded and CAN_ISOLATE           # the scoreboard lists missing protections
        self.limits = limits_in(option("--limits"), seconds("--time-limit", option("--time-limit")))
        self.points = points("--points", option("--points"))
        self.refresh = whole_number("--refresh", option("--refresh"), 1) if "--refresh" in given else 0
        if self.picture:
            outputs.require("--picture", "Matplotlib")          # fail now, not after the grading
        self.overrides: dict[tuple[str, str], ByHand] = {}
        self.people: list[Any] = []
        self.outputs: dict[str, Path] = {}
        if hasattr(config, "workerinput"):        # of pytest-xdist; only the controlling process reads and writes files
            return
        if (text := option("--overrides")) is not None:
            from grader.cohort.tables import marks_in  # here, because most runs do not need it
            self.overrides = marks_in(Path(here, text), text)
        if (text := option("--roster")) is not None:
            from grader.cohort.tables import people_in  # here, too
            self.people = people_in(Path(here, text), text)
        refuse_alone(given)
        if self.fresh and any(map(option, ("keyword", "markexpr", "deselect"))):
            raise pytest.UsageError("--fresh grades the whole cohort again, so -k, -m and --deselect exclude it")
        self.outputs = outputs.chosen(option, here)


def graded_folder(config: pytest.Config, given: set[str]) -> tuple[Path | None, str]:
    """The learner's folder, None for the stubs in katas/; and the option that grades it in the next command."""
    text, origin = config.getoption("--work"), "--work"
    if text is None and not given & {*GRADES_OTHERS, "--start"} and not config.option.help:
        text, origin = os.environ.get("KATAS_WORK") or None, "KATAS_WORK"
    if text is None:
        return None, ""
    from grader.run.own_folder import own_folder  # here, because most runs grade the stubs in katas/
    folder = own_folder(config.invocation_params.dir, text, origin)
    return folder, quoted(f"--work={text}") + " " if origin == "--work" else ""


# What is refused

def refuse_spaces(arguments: Iterable[str]) -> None:
    """Refuse `--report FILE`: before our options are known, pytest takes FILE for a folder of tests."""
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals and DECLARED.get(name, ("",))[0]:
            raise pytest.UsageError(f"{name}: write its value after an equals sign, as in {name}=VALUE")
        if equals and name in OF_A_KATA:
            raise pytest.UsageError(f"{name} takes no value; name the kata after a space: pytest {name} {value}")


def refuse_bytes(config: pytest.Config) -> None:
    """Refuse arguments that pytest-xdist cannot hand on, because they are bytes and no text."""
    for argument in map(str, config.invocation_params.args):
        if getattr(config.option, "numprocesses", None) and re.search("[\ud800-\udfff]", argument):
            raise pytest.UsageError(f"{visible(argument)}: this name is not UTF-8, so -n does not work with it")


def refuse_excluded(given: set[str]) -> None:
    """Refuse two options that exclude each other."""
    for name, others in EXCLUDED.items():
        for other in others:
            if {name, other} <= given:
                raise pytest.UsageError(f"{name} and {other} cannot be used together")


def refuse_alone(given: set[str]) -> None:
    """Refuse an option that has no effect without another."""
    for name, needs in NEEDS.items():
        found = [one in given for one in re.findall(r"--[\w-]+", needs)]
        if name in given and not (any(found) if " or " in needs else all(found)):
            raise pytest.UsageError(f"{name} works only with {needs}")


# Values

def limits_in(text: str, call: float) -> Limits:
    """The Limits in a text such as memory=2048,processes=8; seconds for calls come from --time-limit."""
    found: dict[str, Any] = {"call": call}
    for part in filter(None, text.split(",")):
        name, _, number = part.partition("=")
        if name not in UNITS or not number.isdecimal() or int(number) == 0:
            raise pytest.UsageError(f"--limits={text}: write NAME=NUMBER, where NAME is one of {', '.join(UNITS)}")
        found[name] = int(number) * UNITS[name]
    return Limits(**found)


def whole_number(name: str, text: str, least: int = 0) -> int:
    """A whole number that is not too small."""
    if not text.isdecimal() or int(text) < least:
        raise pytest.UsageError(f"{name}={text}: write a whole number, {least} or more")
    return int(text)


def points(name: str, text: str) -> Fraction:
    """A positive number, exactly as it is written."""
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) or not Fraction(text):
        raise pytest.UsageError(f"{name}={text}: write a number of points, more than 0")
    return Fraction(text)


def seconds(name: str, text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise pytest.UsageError(f"{name}={text}: write a number of seconds, more than 0")
    return value


def folder_or_zip(name: str, here: Path, text: str | None) -> Path | None:
    """A folder or a zip file that exists; None if the option is not used."""
    if text is None:
        return None
    path = Path(here, text)
    if not text or not (path.is_dir() or (path.suffix.lower() == ".zip" and path.is_file())):
        raise pytest.UsageError(f"{name}={visible(text)}: this folder does not exist")
    return path.resolve() if path.is_symlink() else path
