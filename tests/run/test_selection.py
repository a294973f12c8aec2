"""A kata on the command line: by number, by name or by folder, from anywhere in the project."""
import pytest

from grader.course.katas import ROOT
from tests.helpers.harness import collected

PLACE = "katas/21_positional_formula"


def paths(*arguments):
    """The suites, as paths in the project, whose checks a command selects."""
    return {item.path.relative_to(ROOT).as_posix() for item in collected(*arguments)}


@pytest.mark.parametrize(("folder", "name"), [
    *((".", name) for name in (
        "21", "katas/21", "positional_formula", "katas/positional_formula", "21_positional_formula",
        "positional-formula", PLACE, f"{PLACE}/positional_formula.py", f"{PLACE}/README.md",
        f"{PLACE}/test_positional_formula.py")),
    *((folder, name) for folder in ("katas", PLACE, "solutions") for name in ("21", "positional_formula")),
])
def test_a_kata_is_found_by_number_name_or_file_in_every_folder_of_the_project(monkeypatch, folder, name):
    monkeypatch.chdir(ROOT / folder)
    assert paths(name) == {f"{PLACE}/test_positional_formula.py"}


def test_several_katas_and_a_single_check_are_found(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert paths("22", "positional_formula") == {
        f"{PLACE}/test_positional_formula.py", "katas/22_similarity_matrix/test_similarity_matrix.py"}
    (item,) = collected("21::test_position_zero_is_zeros_and_ones")
    assert item.name == "test_position_zero_is_zeros_and_ones"


def test_elsewhere_the_project_is_named_first(project, tmp_path):
    printed = project.run(project.root, "21", cwd=tmp_path).stdout
    assert "0 of 1 solved" in printed
    assert f'Check:  pytest "{project.root / PLACE}"' in printed


def test_a_path_that_is_no_kata_is_left_to_pytest(project):
    result = project.run("elsewhere/test_x.py")
    assert "file or directory not found: elsewhere/test_x.py" in result.stdout + result.stderr
