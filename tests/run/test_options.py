"""Every option is in the help, and what cannot be done is refused in one line that says what to write instead."""
import contextlib
import io
import os
import re
from itertools import combinations
from types import SimpleNamespace

import pytest

from grader.course.katas import ROOT
from grader.run import options
from tests.helpers.project import EXTRAS

EQUALS, NO_FOLDER = "write its value after an equals sign", "this folder does not exist"
WHOLE, SECONDS, LIMITS = "write a whole number, 0 or more", "write a number of seconds", "write NAME=NUMBER"
NOT_WRITABLE, ALL_KATAS = "this file cannot be written", "no kata has this number or name. katas/README.md lists all"
REFUSED = {                                   # a command without `pytest` -> words of the line
    "--submission=nowhere": NO_FOLDER, "--submission=": NO_FOLDER, "--cohort=nowhere": NO_FOLDER,
    "--submission katas": EQUALS, "--report report.json": EQUALS, "--seed 3": EQUALS,
    "--start mine": EQUALS, "--seed=three": WHOLE, "--seed=-1": WHOLE,
    "--refresh=0 --board=b.html": "write a whole number, 1 or more", "--refresh 10": EQUALS,
    "--time-limit=soon": SECONDS, "--time-limit=0": SECONDS, "--time-limit=-1": SECONDS,
    "--limits=memory": LIMITS, "--limits=memory=0": LIMITS, "--limits=speed=3": "where NAME is one of kata, mem",
    "--report=nowhere/report.json": NOT_WRITABLE, "--report=katas": NOT_WRITABLE,
    "--board=nowhere/b.html": NOT_WRITABLE,
    "--report=notes.txt": "so it was not overwritten",
    "--gradebook=notes.txt": "is not a gradebook, so it was not overwritten",
    "--board=notes.txt": "is not a board, so it was not overwritten",
    "--feedback=notes.txt": "this folder cannot be written to",
    "--start=notes.txt": "notes.txt", "--start=notes.txt/inside": "notes.txt",
    "--start=mine katas": "this is not a kata",
    **{f"--start=ROOT{place}": "updates of the project change this folder"
       for place in ("", "/katas", "/katas/21_positional_formula", "/solutions/new", "/grader/x")},
    "--start=": "this folder cannot be created",
    "--reset": "such as: pytest --reset 11", "--reset katas": "this is not a kata",
    "--reset katas/99_no_such_kata": ALL_KATAS,
    "--work=nowhere": "To make one, run: pytest --start=nowhere", "--work=empty": "run: pytest --start=empty",
    "--work=notes.txt": "run: pytest --start=notes.txt",
    **{f"{option}{name}": ALL_KATAS for option in ("", "--examples ", "--hint ", "-n 2 ")
       for name in ("99", "katas/99", "katas/99_no_such_kata")},
    **{f"{option}positonal_formula": "Did you mean positional_formula?" for option in ("", "--hint ", "-n 2 ")},
    "sinusoidal_table": ALL_KATAS, "shaw": "Did you mean 42_shaw_attention?",
    "--hint attention": "name. 2 katas have it in their names: 42_shaw_attention, 63_rope_attention",
    "rope": "rope: no kata has this number or name. 10 katas have it in their names: 61_rope_rotation, "
            "62_rope_layouts, 63_rope_attention, 64_mend_the_rope, 65_partial_rope, 66_latent_rope, 74_longrope, "
            "75_rope_from_config, 83_axial_rope, 84_multimodal_rope",
}


@pytest.mark.parametrize("command", REFUSED)
def test_what_cannot_be_done_is_refused_in_one_line(command, tmp_path, monkeypatch):
    """In this process and in a folder that is not the project: nothing is graded, and nothing is in danger."""
    for option, package in EXTRAS.items():
        if option in command:
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KATAS_WORK", raising=False)
    for name in ("katas", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "notes.txt").write_text("my notes", encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = pytest.main(["-c", str(ROOT / "pyproject.toml"), "-p", "grader.run.plugin", "-p", "no:cacheprovider",
                              *command.replace("ROOT", str(ROOT)).split()])
    (line,) = printed.getvalue().strip().splitlines()
    assert status == 4
    assert line.startswith("ERROR: ")
    assert REFUSED[command] in line
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "my notes"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["empty", "katas", "notes.txt"]
    assert not (ROOT / "grader" / "x").exists()


@pytest.mark.parametrize(("arguments", "variable", "start", "end"), [
    (["--cohort"], "", "--cohort: ", "as in --cohort=VALUE"), (["99"], "", "99: no kata", "lists all katas"),
    ([], "../none", "KATAS_WORK=../none ", "To make one, run: pytest --start=../none"),
])
def test_a_run_that_is_refused_prints_one_line(project, arguments, variable, start, end):
    result = project.run(*arguments, KATAS_WORK=variable)
    (line,) = (result.stdout + result.stderr).strip().splitlines()
    assert line.startswith(f"ERROR: {start}")
    assert line.endswith(end)
    assert result.returncode == 4


# The help

def declared():
    """{--name: its declaration} of the project's own options."""
    found, group = {}, SimpleNamespace()
    group.addoption = lambda name, **kwargs: found.__setitem__(name, kwargs)
    options.add(SimpleNamespace(getgroup=lambda *_: group))
    return found


def test_every_option_has_one_line_under_one_heading(project):
    text = project.run("--help", COLUMNS="100").stdout
    (group,) = [part for part in text.split("\n\n") if part.startswith("positional encoding katas:")]
    entries = {re.match(r"--[\w-]+", entry)[0]: entry for entry in re.split(r"^  (?=--)", group, flags=re.M)[1:]}
    assert list(entries) == list(declared())
    for name, entry in entries.items():
        lines = [line.strip() for line in re.split(r"\n| {2,}", entry.strip("\n")) if line.strip()]
        assert len(lines) == 2, entry
        assert len(lines[1]) > 10, entry
        assert len(re.findall(rf"^  {name}\b(?!-)", text, re.MULTILINE)) == 1


# Options that exclude or need each other

EXCLUDING = [("--cohort", "--submission"), ("--cohort", "--solutions"), ("--cohort", "--hint"),
             ("--cohort", "--all-hints"), ("--cohort", "--gradescope"), ("--cohort", "--picture"),
             ("--cohort", "--picture-text"),
             ("--solutions", "--submission"), ("--solutions", "--hint"), ("--solutions", "--all-hints"),
             ("--work", "--solutions"), ("--work", "--submission"), ("--work", "--cohort"),
             ("--compare", "--hint"), ("--start", "--report"), ("--start", "--reset"), ("--reset", "--all-hints")]
VALUES = {"N": "1", "SECONDS": "5", "NAME=N,...": "memory=512"}


def chosen(folder, *names):
    """The Options of a command with these options, with values that fit."""
    values = {}
    for name, kwargs in declared().items():
        key, metavar = name[2:].replace("-", "_"), kwargs.get("metavar", "")
        values[key] = kwargs.get("default", False if kwargs.get("action") == "store_true" else None)
        if name in names:
            place = folder / f"{key}{os.path.splitext(metavar)[1]}"
            if metavar == "DIR":
                place.mkdir(exist_ok=True)
                (place / "positional_formula.py").touch()
            values[key] = True if not metavar else VALUES.get(metavar, str(place))
    config = SimpleNamespace(
        getoption=lambda name, *default: values.get(name.lstrip("-").replace("-", "_"), *default),
        option=SimpleNamespace(help="--help" in names, **values), args=[str(ROOT / "katas")],
        invocation_params=SimpleNamespace(args=[], dir=folder))
    return options.Options(config)


def refused(folder, *names):
    """The line with which these options are refused, or None."""
    try:
        chosen(folder, *names)
    except pytest.UsageError as error:
        return str(error)
    return None


def test_options_go_together_or_say_which_do_not(tmp_path):
    alone = {name: refused(tmp_path, name) for name in declared()}
    for pair in combinations(declared(), 2):
        line = refused(tmp_path, *pair)
        if line is not None and line not in (alone[pair[0]], alone[pair[1]]):
            assert "\n" not in line
            for name in pair:
                assert re.search(rf"{name}(?![\w-])", line), line
        if pair in EXCLUDING or pair[::-1] in EXCLUDING:
            assert "cannot be used together" in line, pair


@pytest.mark.parametrize(("alone", "companions"), [
    ("--fresh", ["--cohort"]), ("--regrade", ["--cohort"]), ("--limits", ["--isolated"]), ("--refresh", ["--board"]),
    ("--anonymous", ["--cohort", "--board"]), ("--variant", ["--compare"]), ("--notebooks", ["--start"]),
])
def test_an_option_without_effect_is_refused_and_names_what_it_needs(tmp_path, alone, companions):
    if "--board" in companions:
        pytest.importorskip("jinja2")
    for missing in companions:
        line = refused(tmp_path, alone, *(one for one in companions if one != missing))
        assert line.startswith(f"{alone} works only with ")
        assert all(companion in line for companion in companions)
    assert refused(tmp_path, alone, *companions) is None


@pytest.mark.parametrize("names", [["--help"], ["--start"], ["--solutions"], ["--submission"], ["--cohort"]])
def test_the_variable_is_only_for_runs_that_grade_ones_own_work(tmp_path, monkeypatch, names):
    for value in ("../none", ""):
        monkeypatch.setenv("KATAS_WORK", value)
        assert chosen(tmp_path, *names).work is None
    assert chosen(tmp_path).work is None
    monkeypatch.setenv("KATAS_WORK", str(chosen(tmp_path, "--work").work))
    assert (chosen(tmp_path).work, chosen(tmp_path).again) == (tmp_path / "work", "")
