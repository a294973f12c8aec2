"""However files were handed in and collected, each is graded or named as not used, and none is executed to find out."""
import json
import os
import shutil
import zipfile

import pytest

from grader.calling.limits import MEBIBYTE
from grader.calling.source import read_source
from grader.cohort.archives import Room
from grader.cohort.collecting import Collected
from grader.cohort.finding import files_of
from grader.course.katas import ROOT, all_katas
from tests.helpers.handed_in import ADA, BEN, NAMES, REAL, WRONG, both, laid_out, right, stub, zipped

COMMENTS, IMPORT = "# mine\n\n# todo\n", "import numpy as np\n"


def notebook(*texts):
    """A notebook with these code cells."""
    cells = [{"cell_type": "code", "source": text, "metadata": {}, "outputs": []} for text in texts]
    return json.dumps({"cells": [{"cell_type": "markdown", "source": "# Mine"}, *cells], "nbformat": 4})


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
    "one notebook for all": ({"Ben/Untitled3.ipynb": notebook(*map(right, NAMES))}, [BEN]),
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
        both("Ben/work/{name}.py") | {f"Ben/{name}.py": "# Ben\n" + stub(name) for name in NAMES}, [BEN]),
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


# What is not used

def unused_in(folder, unpacked):
    return files_of(folder, unpacked).unused


def test_a_file_of_no_kata_is_named_with_the_name_it_should_have(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotaton.py": "x = 1\n", "helper.py": "x = 1\n", "work.rar": b"Rar!"})
    assert unused_in(tmp_path, unpacked) == [
        "helper.py: not the name of a kata; use names such as order_blindness.py",
        "rope_rotaton.py: not the name of a kata; should it be rope_rotation.py?",
        "work.rar: not unpacked; hand in a .zip file or the files themselves"]


def test_of_two_files_that_differ_both_are_named(tmp_path, unpacked):
    laid_out(tmp_path, {"a/rope_rotation.py": WRONG, "rope_rotation.py": right(NAMES[1]),
                        "b/rope_rotation.py": right(NAMES[1])})
    assert unused_in(tmp_path, unpacked) == [
        "a/rope_rotation.py: differs from rope_rotation.py, which was graded",
        "b/rope_rotation.py: the same as rope_rotation.py, which was graded"]


def test_a_file_that_belongs_to_nobody_is_named(tmp_path, unpacked):
    laid_out(tmp_path, both("{name}.py") | {"Ben/rope_rotation.py": WRONG, "notes.txt": "x"})
    collected = Collected(tmp_path, unpacked)
    assert collected.unused == [f"{name}.py: it is nobody's; put it into a folder with the learner's name"
                                for name in NAMES]
    assert [one.name for one in collected.submissions] == [BEN]


def test_a_copy_of_the_whole_project_has_only_the_learners_files(tmp_path, unpacked):
    for part in ("conftest.py", "grader", "katas", "solutions"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    stub_of_rope = tmp_path / "katas" / REAL[NAMES[1]].folder.name / f"{NAMES[1]}.py"
    stub_of_rope.write_text(right(NAMES[1]), encoding="utf-8")
    (tmp_path / "solutions" / "scratch.py").write_text("x = 1\n", encoding="utf-8")
    found = files_of(tmp_path, unpacked)
    assert found.unused == ["solutions/scratch.py: not the name of a kata; use names such as order_blindness.py"]
    assert found.files[NAMES[1]].path == stub_of_rope
    assert found.untouched == {kata.name for kata in all_katas()} - {NAMES[1]}


def test_a_copy_of_the_reference_is_graded_only_if_there_is_nothing_else(tmp_path, unpacked):
    reference = REAL[NAMES[1]].solution.read_text(encoding="utf-8")
    laid_out(tmp_path, {"rope_rotation (3).py": reference})
    assert files_of(tmp_path, unpacked).files[NAMES[1]].name == "rope_rotation (3).py"
    laid_out(tmp_path, {"rope_rotation.py": WRONG})
    assert files_of(tmp_path, unpacked).files[NAMES[1]].name == "rope_rotation.py"


def test_a_helper_with_a_function_of_another_kata_is_not_taken_for_it(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotation.py": "def softmax(scores):\n    return scores\n" + right(NAMES[1]),
                        "tools.py": "def softmax(scores):\n    return scores\n"})
    assert sorted(files_of(tmp_path, unpacked).files) == [NAMES[1]]


def test_environments_hidden_folders_and_suites_are_not_searched(tmp_path, unpacked):
    laid_out(tmp_path, {f"{folder}/rope_rotation.py": WRONG for folder in (".git", "venv", "__MACOSX", "node_modules")}
             | {"test_rope_rotation.py": WRONG})
    found = files_of(tmp_path, unpacked)
    assert found.files == {}
    assert [line.partition(":")[0] for line in found.unused] == ["test_rope_rotation.py"]


# Archives of strangers

def member(name, content=b"x = 1\n", mode=0o644, flags=0):
    """A member of a zip file, as hostile as asked for."""
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.flag_bits = flags
    return info, content


def refused(tmp_path, unpacked, *members):
    """What is said about the members of an archive."""
    path = tmp_path / "katas.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in members:
            archive.writestr(info, content, compress_type=zipfile.ZIP_DEFLATED)
    return unused_in(tmp_path, unpacked)


@pytest.mark.parametrize("name", ["../rope_rotation.py", "/rope_rotation.py", "a/../../rope_rotation.py",
                                  "C:/rope_rotation.py", "//server/rope_rotation.py"])
def test_names_that_lead_out_of_the_archive_are_refused(tmp_path, unpacked, name):
    said = refused(tmp_path, unpacked, member(name))
    assert said == [f"katas.zip/{name}: its name leads out of the archive"]
    assert not (tmp_path.parent / "rope_rotation.py").exists()


def test_links_are_refused(tmp_path, unpacked):
    assert refused(tmp_path, unpacked, member("rope_rotation.py", b"/etc/passwd", mode=0o120777)) == [
        "katas.zip/rope_rotation.py: it is a link"]


def test_bombs_are_refused_by_name_and_the_rest_is_used(tmp_path, unpacked):
    said = refused(tmp_path, unpacked, member("rope_rotation.py", b"#" * 50_000_000), member("alibi_bias.py"))
    assert said == ["katas.zip/rope_rotation.py: it is too large for code"]
    assert sorted(files_of(tmp_path, unpacked).files) == ["alibi_bias"]


def test_archives_within_archives_end(tmp_path, unpacked):
    content = b"x = 1\n"
    for _ in range(20):
        content = zipped({"inner.zip": content})
    (tmp_path / "katas.zip").write_bytes(content)
    (line,) = unused_in(tmp_path, unpacked)
    assert line.endswith(": too many folders or archives within each other")


def test_many_archives_that_unpack_to_much_are_refused(tmp_path, unpacked, monkeypatch):
    monkeypatch.setattr("grader.cohort.finding.Room", lambda: Room(3 * MEBIBYTE))
    inner = zipped({f"helper_{number}.py": b"#" * MEBIBYTE for number in range(5)})
    (tmp_path / "katas.zip").write_bytes(zipped({"a.zip": inner, "b.zip": inner}))
    said = [line for line in unused_in(tmp_path, unpacked) if line.endswith("there is more than 3 MiB of code")]
    assert len(said) == 8


def test_an_archive_with_a_huge_list_of_members_is_refused(tmp_path, unpacked):
    with zipfile.ZipFile(tmp_path / "katas.zip", "w") as archive:
        for number in range(30_000):
            archive.writestr(f"{'x' * 100}{number}.txt", "")
    assert unused_in(tmp_path, unpacked) == ["katas.zip: the archive has too many files"]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no zip at all", zipped({"a.py": "x"})[:-30]],
                         ids=["empty", "begun", "no zip", "cut off"])
def test_a_damaged_archive_is_named(tmp_path, unpacked, content):
    (tmp_path / "katas.zip").write_bytes(content)
    assert unused_in(tmp_path, unpacked) == ["katas.zip: this zip file is damaged"]


def test_an_encrypted_member_is_named(tmp_path, unpacked):
    content = bytearray(zipped({"rope_rotation.py": WRONG}))
    content[6] |= 1                                                      # the flag in the member's own header
    content[content.index(b"PK\x01\x02") + 8] |= 1                       # and in the list of members
    (tmp_path / "katas.zip").write_bytes(content)
    assert unused_in(tmp_path, unpacked) == ["katas.zip/rope_rotation.py: it is encrypted"]


def test_links_and_pipes_are_not_followed(tmp_path, unpacked):
    outside = tmp_path / "outside"
    laid_out(outside, both("{name}.py"))
    folder = tmp_path / "collected" / "Ben"
    folder.mkdir(parents=True)
    (folder / "katas").symlink_to(outside)
    (folder / "work.zip").symlink_to(outside / "rope_rotation.py")
    (folder / "rope_rotation.py").symlink_to(outside / "rope_rotation.py")
    (folder.parent / "Link").symlink_to(outside)
    os.mkfifo(folder / "positional_formula.py")
    collected = Collected(folder.parent, unpacked)
    (one,) = collected.submissions
    assert read_source(one.found.files["rope_rotation"].path)[0] is None
    assert read_source(one.found.files["positional_formula"].path).fault == "this is not an ordinary file"
    link = "it is a link; hand in what it leads to"
    assert one.found.unused == [f"rope_rotation.py: {link}", f"katas: {link}", f"work.zip: {link}"]
    assert collected.unused == [f"Link: {link}"]


# In a run

@pytest.fixture
def project(project_with):
    """The project with the two katas."""
    return project_with(*NAMES)


def test_what_is_not_used_is_named_in_the_terminal_and_in_every_file(project, tmp_path):
    laid_out(tmp_path / "collected", both("Ben/{name}.py") | {"Ben/helper.py": "x = 1\n", "rope_rotation.py": WRONG})
    download = shutil.make_archive(tmp_path / "download", "zip", tmp_path / "collected")
    files = {name: tmp_path / name for name in ("report", "gradebook", "feedback")}
    run = project.run(f"--cohort={download}", *(f"--{name}={path}" for name, path in files.items()))
    assert "Not used: helper.py: not the name of a kata" in run.stdout
    assert "Not used: rope_rotation.py: it is nobody's" in run.stdout
    assert "2 of 2 solved   Ben" in run.stdout
    report = json.loads(files["report"].read_text(encoding="utf-8"))
    assert [line.partition(":")[0] for line in report["unused"]] == ["rope_rotation.py"]
    assert [line.partition(":")[0] for line in report["submissions"][0]["unused"]] == ["helper.py"]
    assert "helper.py: not the name" in files["gradebook"].read_text(encoding="utf-8")
    feedback = (files["feedback"] / "ben.md").read_text(encoding="utf-8")
    assert "These files were not used:\n\n- `helper.py: not the name" in feedback


def test_a_submission_is_searched_as_a_cohort_is(project, tmp_path):
    laid_out(tmp_path / "work", {"main.ipynb": notebook(right(NAMES[0])), "helper.py": "x = 1\n"})
    submission, run = project.report(f"--submission={tmp_path / 'work'}")
    assert [kata["status"] for kata in submission["katas"]] == ["solved", "no file"]
    assert [line.partition(":")[0] for line in submission["unused"]] == ["helper.py"]
    assert "Not used: helper.py" in run.stdout


def test_a_folder_without_submissions_says_what_is_there_and_what_was_expected(project, tmp_path):
    laid_out(tmp_path / "collected", {"notes.txt": "x", "slides.pdf": "x"})
    run = project.run(f"--cohort={tmp_path / 'collected'}")
    assert "collected has notes.txt, slides.pdf." in run.stdout
    assert "Expected for each learner: a sub-folder, a .zip file" in run.stdout
    assert run.returncode != 0


def test_an_untouched_submission_has_no_points(project_with, tmp_path):
    project = project_with(NAMES[0], "mend_the_rope")
    mend = next(kata for kata in all_katas() if kata.name == "mend_the_rope")
    laid_out(tmp_path / "Ben", {"positional_formula.py": stub(NAMES[0]),
                                "mend_the_rope.py": mend.original.read_text(encoding="utf-8")})
    submission, _ = project.report(f"--submission={tmp_path / 'Ben'}")
    assert (submission["passed"], [kata["status"] for kata in submission["katas"]]) == (0, ["todo", "todo"])
