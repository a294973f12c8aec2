"""Where the file of a learner is looked for, and that it stands alone."""
import os

import pytest

from grader.calling.in_process import InProcess
from grader.course.katas import KATAS, SOLUTIONS, Kata
from grader.course.learner_files import own_file
from tests.helpers.notebook import notebook

KATA = "positional_formula"
REFERENCE = SOLUTIONS / "21_positional_formula" / "positional_formula.py"


def test_a_missing_file_is_not_an_untouched_one(project):
    project.kata(KATA).stub.unlink()
    submission, result = project.report()
    assert submission["katas"][0]["file"] is None
    assert submission["katas"][0]["status"] == "no file"
    assert "no file for this kata" in result.stdout


@pytest.mark.parametrize("layout", ["{0}.py", "{0}/{0}.py", "21_{0}/{0}.py"])
def test_a_later_version_finds_the_work_by_name_whatever_the_numbers_are(tmp_path, layout):
    file = tmp_path / layout.format(KATA)
    file.parent.mkdir(exist_ok=True)
    file.touch()
    assert own_file(Kata(KATAS / f"27_{KATA}"), tmp_path) == file


@pytest.mark.parametrize("edited", [".py", ".ipynb"])
def test_an_edited_file_comes_before_an_untouched_one_and_then_the_newest(tmp_path, edited):
    kata = Kata(KATAS / f"21_{KATA}")
    files = {suffix: tmp_path / f"{KATA}{suffix}" for suffix in (".py", ".ipynb")}
    right = {".py": REFERENCE.read_bytes(), ".ipynb": notebook(REFERENCE.read_text(encoding="utf-8"))}
    stub = {".py": kata.original.read_bytes(), ".ipynb": notebook(kata.original.read_text(encoding="utf-8"))}
    other = ".ipynb" if edited == ".py" else ".py"
    files[edited].write_bytes(right[edited])
    for content, first in ((stub[other], edited), (right[other], other)):
        files[other].write_bytes(content)
        os.utime(files[other], (2e9, 2e9))                       # saved later
        assert own_file(kata, tmp_path) == files[first]


@pytest.mark.parametrize("way", ["copy", "link"])
def test_the_reference_itself_is_not_an_answer(tmp_path, way):
    file = tmp_path / "mine.py"
    if way == "link":
        file.symlink_to(REFERENCE)
    else:
        file.write_bytes(REFERENCE.read_bytes().replace(b"\n", b"\r\n"))
    assert InProcess(file, solution=REFERENCE).ask("frequencies", (8,)).outcome == "reference"


def test_the_reference_by_import_is_not_an_answer(project):
    project.write(KATA, f"import importlib\nfrequencies = importlib.import_module("
                        f"'solutions.{REFERENCE.parent.name}.{KATA}').frequencies\n")
    submission, result = project.report("21")
    assert submission["katas"][0]["passed"] == 0
    assert {check["outcome"] for check in submission["katas"][0]["checks"]} == {"failed"}
    assert "the reference solution" in result.stdout
    assert result.returncode == 1


def test_a_submission_is_found_in_its_first_place_and_from_where_one_stands(project, tmp_path):
    for place, text in (("21_positional_formula", project.solution(KATA)), (".", "1 / 0\n")):
        (tmp_path / "work" / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / place / f"{KATA}.py").write_text(text, encoding="utf-8")
    submission, result = project.report("--submission=work", project.root, cwd=tmp_path)
    assert submission["submission"] == "work"
    assert [kata["status"] for kata in submission["katas"]] == ["solved", "no file"]
    assert submission["katas"][0]["file"] == str(tmp_path / "work" / "21_positional_formula" / f"{KATA}.py")
    assert "work/21_positional_formula/positional_formula.py" in result.stdout


def test_a_submission_stands_without_the_files_beside_it(project, tmp_path):
    for name, text in ((f"{KATA}.py", "import helper\n" + project.solution(KATA)), ("helper.py", "x = 1\n"),
                       ("conftest.py", "raise SystemExit('loaded')\n")):
        (tmp_path / "work").mkdir(exist_ok=True)
        (tmp_path / "work" / name).write_text(text, encoding="utf-8")
    submission, _ = project.report(f"--submission={tmp_path / 'work'}", cwd=project.root)
    assert submission["katas"][0]["status"] == "broken"
