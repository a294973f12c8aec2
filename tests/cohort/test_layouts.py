"""However files were handed in and collected, each is graded or named as not used, and none is executed to find out."""
import json
import shutil

import pytest

from grader.calling.source import read_source
from grader.cohort.collecting import Collected
from tests.helpers.handed_in import ADA, BEN, NAMES, REAL, WRONG, both, laid_out, right, run_here, stub, zipped
from tests.helpers.notebook import notebook

COMMENTS, IMPORT = "# mine\n\n# todo\n", "import numpy as np\n"
PEOPLE = "submission_11:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '7'\nsubmission_12:\n  - :name: Ben\n"
LAYOUTS = {
    # layout: (files, the learners)
    "numbered folders": (both("Ben/{folder}/{name}.py"), [BEN]),
    "named folders": (both("Ben/{name}/{name}.py"), [BEN]),
    "files alone": (both("Ben/{name}.py"), [BEN]),
    "numbered folders in katas": (both("Ben/katas/{folder}/{name}.py"), [BEN]),
    "files in katas": (both("Ben/katas/{name}.py"), [BEN]),
    "somewhere below": (both("Ben/my work/week 1/{name}.py"), [BEN]),
    "an old number": (both("Ben/99_{name}/{name}.py"), [BEN]),
    "a browser's copies": (both("Ben/{name} (1).py") | {"Ben/rope_rotation.py": WRONG}, [BEN]),
    "copies with a hyphen": (both("Ben/{name}-2.py") | {"Ben/rope_rotation-1.py": WRONG}, [BEN]),
    "copies of Windows and macOS": ({"Ben/positional_formula - Copy.py": right(NAMES[0]),
                                     "Ben/rope_rotation copy.py": right(NAMES[1])}, [BEN]),
    "another spelling": ({"Ben/PositionalFormula.py": right(NAMES[0]), "Ben/rope-rotation.PY": right(NAMES[1])}, [BEN]),
    "more than the name": ({"Ben/ben_positional_formula.py": right(NAMES[0]),
                            "Ben/61 rope rotation final.py": right(NAMES[1])}, [BEN]),
    "an untouched stub before the work": (
        both("Ben/backup/{name}.py") | {f"Ben/{kata.folder.name}/{name}.py": stub(name) for name, kata in REAL.items()},
        [BEN]),
    "one file for all": ({"Ben/main.py": right(NAMES[0]) + right(NAMES[1])}, [BEN]),
    "notebooks": ({f"Ben/{name}.ipynb": notebook(right(name), "%matplotlib inline") for name in NAMES}, [BEN]),
    "one notebook for all": ({"Ben/Untitled3.ipynb": notebook(("markdown", "# Mine"), *map(right, NAMES))}, [BEN]),
    "Canvas": (both("lovelaceada_41_1005_{name}.py") | both("benson_LATE_42_1007_{name}-1.py")
               | {"benson_42_1001_rope_rotation.py": WRONG}, ["benson", "lovelaceada"]),
    "Canvas with archives": ({"lovelaceada_41_1005_katas.zip": zipped(both("{name}.py"))}, ["lovelaceada"]),
    "Moodle": (both("Ada Lovelace_123_assignsubmission_file_/{name}.py")
               | both("Ben_124_assignsubmission_file/{folder}/{name}.py")
               | {"Ben_124_assignsubmission_onlinetext/onlinetext.html": "hello"}, [ADA, BEN]),
    "Moodle without folders": (both("Ada Lovelace_123_assignsubmission_file_{name}.py"), [ADA]),
    "Blackboard": (both("Week 1_ben_attempt_2026-11-20-17-03-01_{name}.py")
                   | {"Week 1_ben_attempt_2026-11-20-17-03-01.txt": "Name: Ben",
                      "Week 1_ben_attempt_2026-11-19-23-00-00_rope_rotation.py": WRONG}, ["ben"]),
    "Teams": (both("Ben/Katas/Version 10/{name}.py") | {"Ben/Katas/Version 9/rope_rotation.py": WRONG}, [BEN]),
    "Gradescope": (both("submission_11/{name}.py") | both("submission_12/katas/{folder}/{name}.py")
                   | {"submission_metadata.yml": PEOPLE}, [ADA, BEN]),
    "Google Classroom": (both("Ada Lovelace - {name}.py")
                         | {f"Ben - {name}.ipynb": notebook(right(name)) for name in NAMES}, [ADA, BEN]),
    "an archive per learner": (
        {"Ada Lovelace.zip": zipped(both("my work/{name}.py") | both("__MACOSX/my work/._{name}.py")),
         "Ben/katas.zip": zipped({"inner.zip": zipped(both("{folder}/{name}.py"))})}, [ADA, BEN]),
    "archives of Windows": ({"Ben.zip": zipped({f"work\\{name}.py": right(name) for name in NAMES})}, [BEN]),
    "saved by an editor of Windows": (both("Ben/{name}.py.txt"), [BEN]),
    "Moodle without names": (both("Participant 77_assignsubmission_file_/{name}.py"), ["Participant 77"]),
    "Google Forms": (both("{name} - Ada Lovelace.py"), [ADA]),
    "a learner's own folder for solutions": (
        both("Ben/solutions/{name}.py") | {f"Ben/{name}.py": stub(name) for name in NAMES}, [BEN]),
    "learners' names in the names of files": (both("{name}_ben.py"), ["ben"]),
    "a browser's copies with learners' names": (
        both("ben_{name} (1).py") | {"ben_rope_rotation.py": WRONG, "rope_rotation_Ada (1).py": right(NAMES[1]),
                                     "Ada_positional_formula (2).py": right(NAMES[0])}, ["ada", "ben"]),
    "copies of Windows with learners' names": (
        {"ben_rope_rotation - Copy.py": right(NAMES[1]), "ben_positional_formula - Copy (2).py": right(NAMES[0]),
         "ben_positional_formula.py": WRONG}, ["ben"]),
    "copies of other systems with learners' names": (
        {"ben_rope_rotation copy 2.py": right(NAMES[1]), "ben_positional_formula - Kopie.py": right(NAMES[0])},
        ["ben"]),
    "versions with learners' names": (
        both("ben_{name}_v3.py") | {"ben_rope_rotation_v2.py": WRONG, "ben_rope_rotation.py": WRONG,
                                    "positional_formula_v2_ben.py": WRONG}, ["ben"]),
    "numbers of katas with learners' names": (
        {"61_rope_rotation_ben.py": right(NAMES[1]), "ben_21_positional_formula.py": right(NAMES[0])}, ["ben"]),
    "numbered learners in the names of files": (both("student_1_{name}.py") | both("{name}_student_2.py"),
                                                ["student_1", "student_2"]),
    "copies from a form": (both("{name} - Ada Lovelace (1).py") | {"rope_rotation - Ada Lovelace.py": WRONG}, [ADA]),
    "archives with learners' names": (
        {"ben_21_positional_formula (1).zip": zipped({"main.py": right(NAMES[0])}),
         "rope_rotation_ben.zip": zipped({"main.py": right(NAMES[1])})}, ["ben"]),
    "text files": (both("Ben/{name}.txt") | both("ada_{name}.txt"), [BEN, "ada"]),
    "files without a suffix": (both("Ben/{name}") | {"Cy.zip": zipped(both("katas/{folder}/{name}"))}, [BEN, "Cy"]),
    "empty files before the work": (
        both("Ben/mine/{name}.py") | {"Ben/rope_rotation.py": "", "Ben/positional_formula.py": COMMENTS}, [BEN]),
    "files without functions before the work": (
        {"Ben/my.py": right(NAMES[0]) + right(NAMES[1]), "Ben/rope_rotation.py": IMPORT}, [BEN]),
    "a stub with a comment before the work": (
        both("Ben/mine/{name}.py") | {f"Ben/{name}.py": "# Ben\n" + stub(name) for name in NAMES}, [BEN]),
    "sections": (both("section A/Ada Lovelace/{name}.py") | both("section A/Doris Day/{name}.py")
                 | both("section A/Ben/katas/{folder}/{name}.py")
                 | both("section B/Cy/{name}.py") | {"section B/notes.md": "Cy is ill"}, [ADA, BEN, "Cy", "Doris Day"]),
    "sections with other names": (
        both("Monday/Ada Lovelace/{name}.py") | both("Monday/Ben/{folder}/{name}.py"), [ADA, BEN]),
    "one name in two sections": (both("section A/Ben/{name}.py") | both("section B/Ben/{name}.py")
                                 | both("section B/Ada Lovelace/{name}.py"), [ADA, "Ben section A", "Ben section B"]),
    "versions in a folder": (both("Ben/version 2/{name}.py") | {"Ben/version 1/rope_rotation.py": WRONG}, [BEN]),
    "two people of the same name": (both("Ada Lovelace_1_assignsubmission_file_/{name}.py")
                                    | both("Ada Lovelace_2_assignsubmission_file_/{name}.py"),
                                    ["Ada Lovelace 1", "Ada Lovelace 2"]),
}


def is_right(entry, name):
    """Whether the code of an entry is the right answer."""
    return right(name).strip() in read_source(entry.path)[0].decode()


@pytest.mark.parametrize("archive", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_file_of_every_learner_is_found(tmp_path, monkeypatch, unpacked, layout, archive):
    files, learners = LAYOUTS[layout]
    folder = tmp_path / "collected"
    laid_out(folder, files)
    if archive:                           # an instructor's download, with a folder around everything
        folder = shutil.make_archive(tmp_path / "download", "zip", tmp_path, "collected")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    collected = Collected(tmp_path / folder, unpacked)
    assert [one.name for one in collected.submissions] == learners
    for one in collected.submissions:
        assert sorted(one.found.files) == sorted(NAMES)
        assert all(is_right(entry, name) for name, entry in one.found.files.items())
    others = sum(content in (WRONG, "", COMMENTS, IMPORT) for content in files.values())    # stubs are no news
    assert sum(len(one.found.unused) for one in collected.submissions) == others
    assert collected.unused == []
    assert list((tmp_path / "here").iterdir()) == []                     # nothing was executed


# In a run

@pytest.fixture
def project(project_with):
    """The project with the two katas."""
    return project_with(*NAMES)


def not_used(printed):
    """The lines about files that are not used, in red and in yellow."""
    return [[line for line in printed.splitlines() if f"\x1b[{colour}m" in line and "Not used" in line]
            for colour in (31, 33)]


def test_what_is_not_used_is_named_in_the_terminal_and_in_every_file_and_other_suffixes_of_code_in_red(
        project, tmp_path):
    laid_out(tmp_path / "collected", both("Ben/{name}.py") | {
        "Ben/helper.py": "x = 1\n", "rope_rotation.py": WRONG, "Ada/rope_rotation.pyw": right(NAMES[1])})
    download = shutil.make_archive(tmp_path / "download", "zip", tmp_path / "collected")
    files = {name: tmp_path / name for name in ("report", "gradebook", "feedback")}
    run = project.run(f"--cohort={download}", "--color=yes", *(f"--{name}={path}" for name, path in files.items()))
    (red,), (helper, nobodys) = not_used(run.stdout)
    assert "Not used: rope_rotation.pyw: looks like Python; rename it to rope_rotation.py" in red
    assert "Not used: helper.py: not the name of a kata" in helper
    assert "Not used: rope_rotation.py: it is nobody's" in nobodys
    assert "2 of 2 solved   Ben" in run.stdout
    report = json.loads(files["report"].read_text(encoding="utf-8"))
    assert [line.partition(":")[0] for line in report["unused"]] == ["rope_rotation.py"]
    assert [line.partition(":")[0] for line in report["submissions"][1]["unused"]] == ["helper.py"]
    assert "helper.py: not the name" in files["gradebook"].read_text(encoding="utf-8")
    feedback = (files["feedback"] / "ben.md").read_text(encoding="utf-8")
    assert "These files were not used:\n\n- `helper.py: not the name" in feedback


def test_a_submission_is_searched_as_a_cohort_is(project, tmp_path):
    laid_out(tmp_path / "work", {"main.ipynb": notebook(right(NAMES[0])), "helper.py": "x = 1\n",
                                 "rope_rotation.pyw": right(NAMES[1])})
    submission, run = project.report(f"--submission={tmp_path / 'work'}", "--color=yes")
    assert [kata["status"] for kata in submission["katas"]] == ["solved", "no file"]
    assert [line.partition(":")[0] for line in submission["unused"]] == ["rope_rotation.pyw", "helper.py"]
    (red,), (yellow,) = not_used(run.stdout)
    assert "Not used: rope_rotation.pyw: looks like Python" in red
    assert "Not used: helper.py" in yellow


def test_a_folder_without_submissions_says_what_is_there_and_what_was_expected(tmp_path, monkeypatch):
    laid_out(tmp_path / "collected", {"notes.txt": "x", "slides.pdf": "x"})
    monkeypatch.chdir(tmp_path)
    status, printed = run_here("21", "--cohort=collected")
    assert "collected has notes.txt, slides.pdf." in printed
    assert "Expected for each learner: a sub-folder, a .zip file" in printed
    assert status != 0
