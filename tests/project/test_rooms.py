"""The rooms of grader/: every module is in one, and imports go down only."""
import ast

import pytest

from grader.course.katas import ROOT

GRADER = ROOT / "grader"
BELOW = {                                       # a room may import from itself and from those listed
    "run": {"cohort", "output", "verdict", "course", "isolation", "calling"},
    "cohort": {"output", "verdict", "course", "isolation", "calling"},
    "output": {"verdict", "course", "isolation", "calling"},
    "verdict": {"course", "isolation", "calling"},
    "course": {"calling"},
    "isolation": {"calling"},
    "calling": set(),
}
MODULES = sorted(path for path in GRADER.rglob("*.py") if path.name != "__init__.py")


def room_of(path):
    return path.relative_to(GRADER).parts[0]


def imported(path):
    """The rooms that a module imports from, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else (
            [node.module] if isinstance(node, ast.ImportFrom) and node.module else [])
        for name in names:
            if name.split(".")[0] == "grader":
                yield name.split(".")[1]


def test_every_module_is_in_a_room():
    assert {room_of(path) for path in MODULES} == set(BELOW)
    assert [path.name for path in GRADER.glob("*.py")] == ["__init__.py"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(GRADER).as_posix())
def test_imports_go_down_only(path):
    assert set(imported(path)) <= BELOW[room_of(path)] | {room_of(path)}


def test_an_import_that_goes_up_is_noticed(tmp_path):
    (tmp_path / "module.py").write_text("def late():\n    from grader.run import options\n", encoding="utf-8")
    assert list(imported(tmp_path / "module.py")) == ["run"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(GRADER).as_posix())
def test_a_module_can_be_read_in_one_go(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
