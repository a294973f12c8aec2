"""A kata on the command line: by number, by name or by folder, from anywhere in the project and with other options."""
import pytest

from grader.course.katas import ROOT
from tests.helpers.harness import collected

PLACE = "katas/21_positional_formula"
SCORE = "todo     0/20     "


@pytest.mark.parametrize("name", [
    "21", "katas/21", "positional_formula", "katas/positional_formula", "21_positional_formula", "positional-formula",
    PLACE, f"{PLACE}/positional_formula.py", f"{PLACE}/README.md", f"{PLACE}/test_positional_formula.py",
])
def test_a_kata_is_found_by(monkeypatch, name):
    monkeypatch.chdir(ROOT)
    assert {item.path for item in collected(name)} == {ROOT / PLACE / "test_positional_formula.py"}


@pytest.mark.parametrize("folder", ["katas", PLACE, "solutions"])
@pytest.mark.parametrize("name", ["21", "positional_formula"])
def test_a_number_or_name_works_in_every_folder_of_the_project(monkeypatch, folder, name):
    monkeypatch.chdir(ROOT / folder)
    assert {item.path for item in collected(name)} == {ROOT / PLACE / "test_positional_formula.py"}


def test_elsewhere_the_project_is_named_first(project, tmp_path):
    printed = project.run(project.root, "21", cwd=tmp_path).stdout
    assert "0 of 1 solved" in printed
    assert f'Check:  pytest "{project.root / PLACE}"' in printed


def test_several_katas_and_a_single_check_are_found(project):
    assert "0 of 2 solved" in project.run("22", "positional_formula").stdout
    assert "0/1 " in project.run("21::test_position_zero_is_zeros_and_ones").stdout


def test_a_number_goes_together_with_other_options(project, tmp_path):
    project.run(f"--start={tmp_path / 'mine'}")
    printed = project.run(f"--work={tmp_path / 'mine'}", "21").stdout
    assert f"{SCORE}{tmp_path / 'mine' / 'positional_formula.py'}" in printed
    assert "Hint 1 of 3" in project.run("--hint", "21").stdout
    assert "is already the original stub" in project.run("--reset", "positional_formula").stdout
    assert "All selected katas are solved." in project.run("--solutions", "katas/21").stdout


def test_a_path_that_is_no_kata_is_left_to_pytest(project):
    result = project.run("elsewhere/test_x.py")
    assert "file or directory not found: elsewhere/test_x.py" in result.stdout + result.stderr
