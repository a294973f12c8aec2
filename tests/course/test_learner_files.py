"""Where the file of a learner is looked for, and that it stands alone."""
import pytest

KATA = "positional_formula"
PLACE = "katas/21_positional_formula"


def test_a_missing_file_is_not_an_untouched_one(project):
    project.kata(KATA).stub.unlink()
    submission, result = project.report()
    assert submission["katas"][0]["file"] is None
    assert submission["katas"][0]["status"] == "no file"
    assert "no file for this kata" in result.stdout


@pytest.mark.parametrize("way", ["copy", "link", "import"])
def test_the_reference_itself_is_not_an_answer(project, way):
    stub = project.kata(KATA).stub
    reference = project.root / "solutions" / "21_positional_formula" / "positional_formula.py"
    if way == "link":
        stub.unlink()
        stub.symlink_to(reference)
    elif way == "copy":
        stub.write_bytes(reference.read_bytes().replace(b"\n", b"\r\n"))
    else:
        stub.write_text(
            "import importlib\n"
            f"positional_encoding = importlib.import_module('solutions.{reference.parent.name}.{KATA}')"
            ".positional_encoding\n", encoding="utf-8")
    submission, result = project.report()
    assert submission["katas"][0]["passed"] == 0
    assert {c["outcome"] for c in submission["katas"][0]["checks"]} == {"failed"}
    assert "the reference solution" in result.stdout
    assert result.returncode == 1


@pytest.mark.parametrize("place", ["21_positional_formula/{}", "positional_formula/{}", "{}"])
def test_a_submission_is_found_in_each_of_its_places(project, tmp_path, place):
    file = tmp_path / "work" / place.format("positional_formula.py")
    file.parent.mkdir(parents=True)
    file.write_text(project.solution(KATA), encoding="utf-8")
    submission, result = project.report(f"--submission={tmp_path / 'work'}")
    assert submission["submission"] == "work"
    assert [k["status"] for k in submission["katas"]] == ["solved", "no file"]
    assert submission["katas"][0]["file"] == str(file)
    assert str(file.relative_to(tmp_path)) in result.stdout.replace("\\", "/")


def test_the_first_place_of_a_submission_counts(project, tmp_path):
    for place, text in (("21_positional_formula", project.solution(KATA)), (".", "1 / 0\n")):
        (tmp_path / "work" / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / place / f"{KATA}.py").write_text(text, encoding="utf-8")
    submission, _ = project.report(f"--submission={tmp_path / 'work'}", "katas/21_positional_formula")
    assert submission["katas"][0]["status"] == "solved"


def test_a_submission_stands_without_the_files_beside_it(project, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "helper.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "work" / "conftest.py").write_text("raise SystemExit('loaded')\n", encoding="utf-8")
    (tmp_path / "work" / f"{KATA}.py").write_text("import helper\n" + project.solution(KATA), encoding="utf-8")
    submission, _ = project.report(f"--submission={tmp_path / 'work'}", cwd=project.root)
    assert submission["katas"][0]["status"] == "broken"


def test_a_submission_may_be_named_relative_to_where_one_stands(project, tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / f"{KATA}.py").write_text(project.solution(KATA), encoding="utf-8")
    result = project.run("--submission=work", project.root / PLACE, cwd=tmp_path)
    assert result.returncode == 0
