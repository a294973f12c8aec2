"""The project's command-line options, and a clear line for each way to misuse them."""
import os
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from grader.calling.limits import CAN_ISOLATE, MEBIBYTE, Limits
from grader.course.katas import quoted
from grader.course.visible import visible
from grader.output import files as outputs

UNITS = {"kata": 1, "memory": MEBIBYTE, "processes": 1, "files": 1, "file_size": MEBIBYTE, "answer": MEBIBYTE}
WITH_VALUE = ("--submission", "--cohort", "--seed", "--time-limit", "--limits", "--start", "--work", "--points",
              "--roster", "--overrides", "--regrade", "--refresh", "--variant", *map(outputs.flag, outputs.OUTPUTS))
OF_A_KATA = ("--hint", "--all-hints", "--examples", "--compare", "--picture", "--picture-text", "--reset", "--latest")
GRADES_OTHERS = ("solutions", "submission", "cohort")
HINTS = ("hint", "all_hints")
PICTURES = ("picture", "picture_text")
OF_A_GRADING = (*GRADES_OTHERS, "isolated", "compare", "latest", *HINTS, *PICTURES, *outputs.OUTPUTS)
EXCLUDED = {
    "start": ("work", "reset", "examples", *OF_A_GRADING),         # --start and --reset grade nothing
    "reset": (*OF_A_GRADING, "examples"),
    "examples": ("cohort", "compare", "latest", *HINTS, *PICTURES, *outputs.OUTPUTS),
    "compare": (*HINTS, *GRADES_OTHERS),
    "work": GRADES_OTHERS,
    "solutions": ("submission", *HINTS),               # they need no hints
    "cohort": ("solutions", "submission", *(name for name, one in outputs.OUTPUTS.items() if one.of_one), "lf", *HINTS,
               *PICTURES),
}


def add(parser):
    """Declare the options under one heading of `pytest --help`."""
    refuse_spaces(sys.argv[1:])
    group = parser.getgroup("katas", "positional encoding katas")
    group.addoption("--solutions", action="store_true", help="grade the reference solutions instead of the stubs")
    group.addoption("--submission", metavar="DIR", help="grade the files in DIR or in a .zip file, isolated")
    group.addoption("--cohort", metavar="DIR", help="grade the files of many people, in a folder or a .zip file")
    group.addoption("--roster", metavar="FILE.csv", help="the people of the cohort, with columns id, name and email")
    group.addoption("--overrides", metavar="FILE.csv", help="marks set by hand, with columns who, kata, points and why")
    group.addoption("--regrade", metavar="NAME", help="grade this submission of the cohort again")
    group.addoption("--fresh", action="store_true", help="grade the whole cohort again, with a new seed")
    group.addoption("--isolated", action="store_true", help="run the graded files in separate processes with limits")
    group.addoption("--limits", metavar="NAME=N,...", default="", help="limits of these processes, such as memory=512")
    group.addoption("--seed", metavar="N", help="run the same checks on other random inputs (default 0)")
    outputs.declare(group)
    group.addoption("--points", metavar="N", default="100", help="points for solving every selected kata (default 100)")
    group.addoption("--anonymous", action="store_true", help="with --cohort: made-up names on the board, only there")
    group.addoption("--refresh", metavar="SECONDS", help="the board reloads itself, and long runs keep writing it")
    group.addoption("--time-limit", metavar="SECONDS", default=f"{Limits.call:g}",
                    help=f"seconds that one call may take (default {Limits.call:g})")
    group.addoption("--hint", action="store_true", help="show the next hint for the first unsolved task")
    group.addoption("--all-hints", action="store_true", help="show all hints for that task")
    group.addoption("--examples", action="store_true", help="run the >>> examples of the README on your file")
    group.addoption("--compare", action="store_true", help="show your code of a solved kata and the reference")
    group.addoption("--variant", metavar="NAME", help="with --compare: show the code of this other solution, too")
    group.addoption("--latest", action="store_true", help="grade only the kata saved last (with --cohort: all)")
    group.addoption("--start", metavar="DIR", help="copy the stubs into a folder of your own")
    group.addoption("--notebooks", action="store_true", help="with --start, write notebooks instead of stubs")
    group.addoption("--work", metavar="DIR", help="grade your own folder (or set KATAS_WORK)")
    group.addoption("--reset", action="store_true", help="restore the original stub; your file gets a new name")
    group.addoption("--picture", action="store_true", help="draw the selected katas as PNG files (needs Matplotlib)")
    group.addoption("--picture-text", action="store_true", help="draw the selected katas as text in the terminal")


def refuse_spaces(arguments):
    """Refuse `--report FILE`: before our options are known, pytest takes FILE for a folder of tests."""
    for argument in arguments:
        if argument in WITH_VALUE:
            raise pytest.UsageError(f"{argument}: write its value after an equals sign, as in {argument}=VALUE")
        name, equals, value = argument.partition("=")
        if equals and name in OF_A_KATA:
            raise pytest.UsageError(f"{name} takes no value; name the kata after a space: pytest {name} {value}")


def refuse_bytes(config):
    """Refuse arguments that pytest-xdist cannot hand on, because they are bytes and no text."""
    for argument in map(str, config.invocation_params.args):
        if getattr(config.option, "numprocesses", None) and re.search("[\ud800-\udfff]", argument):
            raise pytest.UsageError(f"{visible(argument)}: this name is not UTF-8, so -n does not work with it")


class Options:
    """The options of one run, checked; `source` is the folder to grade, None for the katas themselves."""

    def __init__(self, config):
        refuse_spaces(map(str, config.invocation_params.args))
        refuse_bytes(config)
        option = config.getoption
        refuse_excluded(option)
        self.solutions = option("solutions")
        self.hint = option("hint") or option("all_hints")
        self.all_hints = option("all_hints")
        self.seed = None if option("seed") is None else whole_number("--seed", option("seed"))
        here = config.invocation_params.dir
        self.submission = None if option("submission") is None else folder("--submission", here, option("submission"))
        self.cohort = None if option("cohort") is None else folder("--cohort", here, option("cohort"))
        self.fresh, self.regrade = option("fresh"), option("regrade")
        self.compare, self.latest, self.start = option("compare"), option("latest"), option("start")
        self.notebooks, self.variant = option("notebooks"), option("variant")
        if self.cohort is not None:
            self.latest = False               # pytest-watcher adds it; only what has changed is graded anyway
        self.work, self.again = self.own_folder(config)
        if self.seed is None and self.cohort is None:
            self.seed = 0                     # a cohort draws its own
        self.guarded = option("isolated") or self.submission is not None or self.cohort is not None
        self.isolated = self.guarded and CAN_ISOLATE       # the scoreboard lists missing protections
        self.limits = limits(option("limits"), seconds("--time-limit", option("time_limit")))
        self.points = points("--points", option("points"))
        self.anonymous = option("anonymous")
        self.refresh = 0 if option("refresh") is None else whole_number("--refresh", option("refresh"), 1)
        self.picture, self.picture_text = option("picture"), option("picture_text")
        if self.picture:
            outputs.require("--picture", "Matplotlib")          # fail now, not after the grading
        if self.notebooks and self.start is None:
            raise pytest.UsageError("--notebooks works only with --start")
        if self.variant is not None and not self.compare:
            raise pytest.UsageError("--variant works only with --compare")
        for name in ("fresh", "regrade"):
            if option(name) not in (None, False) and self.cohort is None:
                raise pytest.UsageError(f"--{name} works only with --cohort")
        if self.fresh and any(map(option, ("keyword", "markexpr", "deselect"))):
            raise pytest.UsageError("--fresh grades the whole cohort again, so -k, -m and --deselect exclude it")
        if self.anonymous and (self.cohort is None or option(outputs.LIVE) is None):
            raise pytest.UsageError(f"--anonymous works only with --cohort and {outputs.flag(outputs.LIVE)}")
        if self.refresh and option(outputs.LIVE) is None:
            raise pytest.UsageError(f"--refresh works only with {outputs.flag(outputs.LIVE)}")
        if option("limits") and not self.guarded:
            raise pytest.UsageError("--limits works only with --isolated, --submission or --cohort")
        self.overrides = overrides(option, here, hasattr(config, "workerinput"))
        self.people = people(option, here, hasattr(config, "workerinput"))
        self.outputs = {} if hasattr(config, "workerinput") else outputs.chosen(option, here)

    def own_folder(self, config):
        """(the learner's folder, None for the stubs in katas/; the option that grades it in the next command)."""
        text, origin = config.getoption("work"), "--work"
        if text is None:
            elsewhere = self.solutions or self.submission is not None or self.cohort is not None
            if elsewhere or self.start is not None or config.option.help:
                return None, ""
            text, origin = os.environ.get("KATAS_WORK") or None, "KATAS_WORK"
        if text is None:
            return None, ""
        from grader.run import own_folder as work  # here, because most runs grade the stubs in katas/
        folder = work.own_folder(config.invocation_params.dir, text, origin)
        return folder, quoted(f"--work={text}") + " " if origin == "--work" else ""


def refuse_excluded(option):
    """Refuse two options that exclude each other."""
    for name, others in EXCLUDED.items():
        for other in others:
            if option(name) not in (None, False) and option(other, None) not in (None, False):
                raise pytest.UsageError(f"--{name} and --{other.replace('_', '-')} cannot be used together")


def people(option, here, in_worker):
    """The people in --roster, which only the controlling process of pytest-xdist needs."""
    for name, one in outputs.OUTPUTS.items():
        if one.of_people and option(name) is not None and option("roster") is None:
            raise pytest.UsageError(f"{outputs.flag(name)} works only with --roster")
    if option("roster") is None or in_worker:
        return []
    from grader.cohort.tables import people_in  # here, because most runs do not need it
    found = people_in(Path(here, option("roster")), option("roster"))
    if option("cohort") is None:
        raise pytest.UsageError("--roster works only with --cohort")
    return found


def overrides(option, here, in_worker):
    """The marks in --overrides, which only the controlling process of pytest-xdist needs."""
    if option("overrides") is None or in_worker:
        return {}
    from grader.cohort.tables import marks_in  # here, because most runs do not need it
    found = marks_in(Path(here, option("overrides")), option("overrides"))
    if option("cohort") is None:
        raise pytest.UsageError("--overrides works only with --cohort")
    return found


def limits(text, call):
    """The Limits in a text such as memory=2048,processes=8; seconds for calls come from --time-limit."""
    found = {"call": call}
    for part in filter(None, text.split(",")):
        name, _, number = part.partition("=")
        if name not in UNITS or not number.isdecimal() or int(number) == 0:
            raise pytest.UsageError(f"--limits={text}: write NAME=NUMBER, where NAME is one of {', '.join(UNITS)}")
        found[name] = int(number) * UNITS[name]
    return Limits(**found)


def whole_number(name, text, least=0):
    """A whole number that is not too small."""
    if not str(text).isdecimal() or int(text) < least:
        raise pytest.UsageError(f"{name}={text}: write a whole number, {least} or more")
    return int(text)


def points(name, text):
    """A positive number, exactly as it is written."""
    if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) or not Fraction(text):
        raise pytest.UsageError(f"{name}={text}: write a number of points, more than 0")
    return Fraction(text)


def seconds(name, text):
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise pytest.UsageError(f"{name}={text}: write a number of seconds, more than 0")
    return value


def folder(name, here, text):
    """A folder or a zip file that exists."""
    path = Path(here, text)
    if not text or not (path.is_dir() or (path.suffix.lower() == ".zip" and path.is_file())):
        raise pytest.UsageError(f"{name}={visible(text)}: this folder does not exist")
    return path.resolve() if path.is_symlink() else path
