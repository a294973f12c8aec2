"""The rooms of grader/: imports go down only, and what ARCHITECTURE.md and CONTRIBUTING.md name exists."""
import ast
import re

import pytest

from grader.course.katas import ROOT

GRADER = ROOT / "grader"
GUIDES = ROOT / ".github"
ARCHITECTURE = (GUIDES / "ARCHITECTURE.md").read_text(encoding="utf-8")
OF_A_KATA = {"name.py", "test_name.py", "stub.py", "picture.py", "mistakes.toml", "variants.py", "README.md",
             "HINTS.md"}
ROOMS = "run", "cohort", "output", "verdict", "course", "isolation", "calling"
BELOW = {room: set(ROOMS[place + 1:]) for place, room in enumerate(ROOMS)}      # what it may import from
BELOW["course"] = {"calling"}                                                   # not from isolation


def names_in(path):
    """The functions, classes, methods, fields and constants of a module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
            found |= {f"{node.name}.{part.target.id}" for part in node.body if isinstance(part, ast.AnnAssign)}
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


NAMES = {path.relative_to(GRADER).as_posix(): names_in(path) for path in GRADER.rglob("*.py")}
NAMES |= {path.relative_to(ROOT).as_posix(): names_in(path) for path in ROOT.glob("tests/helpers/*.py")}


@pytest.mark.parametrize("guide", ["ARCHITECTURE", "CONTRIBUTING"])
def test_links_and_files_of_a_guide_exist(guide):
    text = (GUIDES / f"{guide}.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (GUIDES / link).exists(), link
    for name in re.findall(r"`([\w/.]+\.(?:py|md|txt|html))`", text):
        places = [folder / name for folder in (ROOT, GRADER, GUIDES, ROOT / "tests", GRADER / "output")]
        assert name.rpartition("/")[2] in OF_A_KATA or any(place.exists() for place in places), name


def test_every_name_in_the_table_stands_in_its_file():
    rows = re.findall(r"^\| .+? \| (.*\.py`.*?) \| (.*`.*?) \|$", ARCHITECTURE, re.MULTILINE)
    assert len(rows) >= 15
    for files, names in rows:
        there = set().union(*(NAMES[file] for file in re.findall(r"`([\w/]+\.py)`", files) if file in NAMES))
        for name in re.findall(r"`([\w.]+)`", names):
            assert name in there, (files, name)


@pytest.mark.parametrize("room", BELOW)
def test_every_module_of_a_room_is_named(room):
    (text,) = re.findall(rf"^\*\*{room}\*\*(.*?)\n\n", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    modules = {path.relative_to(GRADER / room).as_posix()[:-3] for path in (GRADER / room).rglob("*.py")}
    assert {name for name in modules if not name.endswith("__init__")} == set(re.findall(r"`([a-z_/]+)`", text))


def imported(path):
    """The rooms that a module imports from, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else (
            [node.module] if isinstance(node, ast.ImportFrom) and node.module else [])
        for name in names:
            if name.split(".")[0] == "grader":
                yield name.split(".")[1]


def test_every_module_is_in_a_room():
    assert {path.relative_to(GRADER).parts[0] for path in GRADER.rglob("*.py")} == {*BELOW, "__init__.py"}


@pytest.mark.parametrize("room", BELOW)
def test_imports_go_down_only(room):
    for path in (GRADER / room).rglob("*.py"):
        assert set(imported(path)) <= BELOW[room] | {room}, path
