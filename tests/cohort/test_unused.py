"""Files that are not graded: which ones are named, with which reason, and which ones are no news."""
import errno
import os
import shutil

import pytest

from grader.cohort.collecting import Collected
from grader.cohort.contents import is_python
from grader.cohort.finding import files_of
from grader.course.katas import KATAS, SOLUTIONS, all_katas
from tests.helpers.handed_in import BEN, NAMES, REAL, WRONG, both, laid_out, right, stub, zipped

ROPE = NAMES[1]
UNREADABLE = f"My answer:\n\n{right(ROPE)}"               # prose and code


# Code in files that are not named as code

@pytest.mark.parametrize("archive", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize(("name", "new"), [
    ("rope_rotation.pyw", "rope_rotation.py"), ("rope_rotation.md", "rope_rotation.py"),
    ("rope_rotation.py.bak", "rope_rotation.py"), ("61 rope rotation.rtf", "61 rope rotation.py"),
    ("answers.text", "answers.py"), ("rope_rotation (1).py~", "rope_rotation (1).py")])
def test_code_with_another_suffix_is_named(tmp_path, unpacked, name, new, archive):
    folder = tmp_path / "collected"
    laid_out(folder, {"Ben.zip": zipped({name: right(ROPE)})} if archive else {f"Ben/{name}": right(ROPE)})
    (one,) = Collected(folder, unpacked).submissions
    assert one.name == BEN
    assert one.found.files == {}
    assert one.found.unused == [f"{name}: looks like Python; rename it to {new} to have it graded"]


@pytest.mark.parametrize("name", ["rope_rotation.txt", "rope_rotation", "answers.txt"])
def test_a_text_that_is_not_python_is_named(tmp_path, unpacked, name):
    laid_out(tmp_path, {name: UNREADABLE})
    found = files_of(tmp_path, unpacked)
    new = name.removesuffix(".txt")
    assert found.files == {}
    assert found.unused == [f"{name}: looks like Python; rename it to {new}.py to have it graded"]


def test_a_learners_name_stays_in_the_new_name(tmp_path, unpacked):
    laid_out(tmp_path, {"ada_rope_rotation.pyw": right(ROPE), "rope_rotation.pyw": right(ROPE)})
    collected = Collected(tmp_path, unpacked)
    (one,) = collected.submissions
    assert one.name == "ada"
    assert one.found.unused == [
        "ada_rope_rotation.pyw: looks like Python; rename it to ada_rope_rotation.py to have it graded"]
    assert collected.unused == ["rope_rotation.pyw: it is nobody's; put it into a folder with the learner's name"]


def test_a_file_of_a_word_processor_with_the_name_of_a_kata_is_named(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotation.docx": b"PK", "notes.docx": b"PK"})
    assert files_of(tmp_path, unpacked).unused == ["rope_rotation.docx: not Python; use rope_rotation.py"]


def test_other_copies_of_what_was_graded_are_named_without_advice(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotation.py": right(ROPE), "rope_rotation.py.bak": right(ROPE), "rope_rotation.pdf": b"",
                        "rope_rotation.txt": WRONG + right(ROPE), "rope_rotation.pyw": stub(ROPE)})
    found = files_of(tmp_path, unpacked)
    assert found.files[ROPE].name == "rope_rotation.py"
    assert found.unused == ["rope_rotation.py.bak: the same as rope_rotation.py, which was graded",
                            "rope_rotation.txt: differs from rope_rotation.py, which was graded"]


def test_code_with_another_suffix_comes_first_and_before_a_stub(tmp_path, unpacked):
    laid_out(tmp_path, {f"{number}.py": "x = 1\n" for number in range(9)}
             | {"rope_rotation.py": stub(ROPE), "rope_rotation.pyw": right(ROPE)})
    found = files_of(tmp_path, unpacked)
    assert found.untouched == {ROPE}
    assert found.unused[0].startswith("rope_rotation.pyw: looks like Python")


@pytest.mark.parametrize("text", [b"import " + b"a." * 100_000 + b"a", b"(" * 100_000, b"-" * 100_000 + b"1",
                                  b"x" + b"()" * 100_000, b"\0", b"\xff"],
                         ids=["memory", "brackets", "signs", "calls", "NUL", "bytes"])
def test_hostile_texts_are_not_python(text):
    assert not is_python("rope_rotation.txt", text)


def test_a_text_of_python_is_not_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_python("rope_rotation.txt", right(ROPE).encode())
    assert list(tmp_path.iterdir()) == []


# Names that say something else than what is in the file

def test_files_with_each_others_names_are_graded_by_their_functions(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotation.py": right(NAMES[0]), "positional_formula.py": right(ROPE)})
    found = files_of(tmp_path, unpacked)
    assert {name: entry.name for name, entry in found.files.items()} == {
        "rope_rotation": "positional_formula.py", "positional_formula": "rope_rotation.py"}
    assert found.unused == [
        "positional_formula.py: not for positional_formula: it has the functions of rope_rotation, and was graded for "
        "that",
        "rope_rotation.py: not for rope_rotation: it has the functions of positional_formula, and was graded for that"]


def test_a_file_with_the_right_name_comes_before_one_with_another(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotation.py": right(NAMES[0]) + "x = 1\n", "positional_formula.py": right(NAMES[0])})
    found = files_of(tmp_path, unpacked)
    assert {name: entry.name for name, entry in found.files.items()} == {"positional_formula": "positional_formula.py"}
    assert found.unused == ["rope_rotation.py: differs from positional_formula.py, which was graded"]


def test_of_two_files_that_nothing_else_tells_apart_the_newer_one_is_graded(tmp_path, unpacked):
    laid_out(tmp_path, {"a.py": right(ROPE), "b.py": right(ROPE) + "x = 1\n"})
    for name, older in (("a.py", "b.py"), ("b.py", "a.py")):
        os.utime(tmp_path / older, (1_700_000_000, 1_700_000_000))
        os.utime(tmp_path / name, (1_700_000_100, 1_700_000_100))
        found = files_of(tmp_path, unpacked)
        assert found.files[ROPE].name == name
        assert found.unused == [f"{older}: differs from {name}, which was graded"]


# The project's own files

def test_a_whole_folder_katas_is_no_news(tmp_path, unpacked):
    shutil.copytree(KATAS, tmp_path / "ada")
    shutil.copytree(KATAS, tmp_path / "ben" / "katas")
    for one in ("ada", "ben/katas"):
        (tmp_path / one / REAL[ROPE].folder.name / f"{ROPE}.py").write_text(right(ROPE), encoding="utf-8")
    submissions = Collected(tmp_path, unpacked).submissions
    assert [one.name for one in submissions] == ["ada", "ben"]
    for one in submissions:
        assert one.found.unused == []
        assert one.found.untouched == {kata.name for kata in all_katas()} - {ROPE}


def test_the_references_beside_a_folder_katas_are_no_news(tmp_path, unpacked):
    shutil.copytree(KATAS, tmp_path / "katas")
    shutil.copytree(SOLUTIONS, tmp_path / "solutions")
    laid_out(tmp_path, both("my work/{name}.py") | {"katas/notes.py": "x = 1\n"})
    found = files_of(tmp_path, unpacked)
    assert found.unused == ["katas/notes.py: not the name of a kata; use names such as order_blindness.py"]
    assert found.files[ROPE].name == "my work/rope_rotation.py"


def test_a_virtual_environment_of_any_name_is_not_searched(tmp_path, unpacked):
    laid_out(tmp_path, both("{name}.py") | {"mine/pyvenv.cfg": "", "mine/lib/rope_rotation.py": WRONG})
    assert files_of(tmp_path, unpacked).unused == []


# Links and archives

def test_a_damaged_archive_of_a_learner_is_named(tmp_path, unpacked):
    (tmp_path / "ada.zip").write_bytes(zipped(both("{name}.py"))[:-30])
    (one,) = Collected(tmp_path, unpacked).submissions
    assert one.name == "ada"
    assert one.found.unused == ["ada.zip: this zip file is damaged"]
    assert files_of(tmp_path / "ada.zip", unpacked).unused == ["ada.zip: this zip file is damaged"]


def test_a_plain_archive_that_holds_code_is_not_taken_for_code(tmp_path, unpacked):
    laid_out(tmp_path, {"rope_rotation.tar": right(ROPE), "test_rope_rotation.txt": right(ROPE)})
    assert files_of(tmp_path, unpacked).unused == [
        "rope_rotation.tar: not unpacked; hand in a .zip file or the files themselves"]


def test_work_at_the_place_of_the_reference_is_named(tmp_path, unpacked):
    place = f"solutions/{REAL[ROPE].folder.name}/{ROPE}.py"
    laid_out(tmp_path, {place: right(ROPE), f"katas/{REAL[ROPE].folder.name}/{ROPE}.py": stub(ROPE)})
    assert files_of(tmp_path, unpacked).unused == [f"{place}: katas/61_rope_rotation/rope_rotation.py was graded"]


HALF = "def apply_rope(x, positions, base=10000.0):\n    return x\n"


@pytest.mark.parametrize(("older", "newer"), [
    ("rope_rotation.py", "rope_rotation (1).py"), ("rope_rotation (2).py", "rope_rotation (10).py"),
    ("rope_rotation_v2.py", "rope_rotation_v2 (1).py"), ("rope_rotation_v2 (1).py", "rope_rotation_v3.py"),
    ("rope_rotation copy.py", "rope_rotation copy 2.py"), ("rope_rotation - Copy.py", "rope_rotation.py"),
    ("rope_rotation_old.py", "rope_rotation.py")])
def test_the_later_version_is_graded_and_the_other_is_named(tmp_path, unpacked, older, newer):
    laid_out(tmp_path, {older: HALF, newer: right(ROPE)})
    found = files_of(tmp_path, unpacked)
    assert found.files[ROPE].name == newer
    assert found.unused == [f"{older}: differs from {newer}, which was graded"]


@pytest.mark.parametrize(("older", "newer"), [
    ("ada_rope_rotation.py", "ada_rope_rotation (1).py"), ("ada_rope_rotation_v2.py", "ada_rope_rotation_v10.py"),
    ("ada_rope_rotation - Copy.py", "ada_rope_rotation - Copy (2).py"),
    ("ada_rope_rotation-1.py", "ada_rope_rotation-2.py"), ("61_rope_rotation_ada.py", "ada_61_rope_rotation (1).py"),
    ("61_rope_rotation_ada - Copy.py", "rope_rotation_ada (1).py"), ("rope_rotation_ada.py", "rope_rotation_ada_v2.py"),
    ("Copy of ada_rope_rotation.py", "ada_rope_rotation_final (1).py")])
def test_a_later_version_has_the_same_owner(tmp_path, unpacked, older, newer):
    laid_out(tmp_path, {older: HALF, newer: right(ROPE)})
    (one,) = Collected(tmp_path, unpacked).submissions
    assert one.name == "ada"
    assert one.found.files[ROPE].name == newer
    assert one.found.unused == [f"{older}: differs from {newer}, which was graded"]


def test_a_pipe_with_the_name_of_an_archive_is_not_opened(tmp_path, unpacked):
    os.mkfifo(tmp_path / "katas.zip")
    assert files_of(tmp_path, unpacked).unused == [
        "katas.zip: not unpacked; hand in a .zip file or the files themselves"]


def test_code_that_would_be_graded_under_another_name_is_in_red(project_with, tmp_path):
    project = project_with(ROPE)
    laid_out(tmp_path / "collected", {"Ben/rope_rotation.pyw": right(ROPE), "Ben/helper.py": "x = 1\n"})
    for option in ("--cohort=collected", "--submission=collected/Ben"):
        printed = project.run(option.replace("=", f"={tmp_path}/"), "--color=yes").stdout
        red, yellow = ([line for line in printed.splitlines() if f"\x1b[{colour}m" in line and "Not used" in line]
                       for colour in (31, 33))
        assert "rope_rotation.pyw: looks like Python; rename it to rope_rotation.py" in red[0]
        assert "helper.py" in yellow[0]
        assert (len(red), len(yellow)) == (1, 1)


# Files that the system does not let us read

@pytest.fixture
def kept_back(monkeypatch):
    """A set of names of files that may not be read."""
    names, opened = set(), os.open

    def refuse(path, *args, **options):
        if os.path.basename(path) in names:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(path, *args, **options)
    monkeypatch.setattr("grader.calling.source.os.open", refuse)
    return names


@pytest.mark.parametrize("name", ["rope_rotation.py", "rope_rotation.txt", "ada_rope_rotation.txt"])
def test_a_file_that_may_not_be_read_is_the_one_for_the_kata_in_its_name(tmp_path, unpacked, kept_back, name):
    laid_out(tmp_path, {f"Ben/{name}": right(ROPE)})
    kept_back.add(name)
    found = files_of(tmp_path / BEN, unpacked)
    assert found.files[ROPE].name == name
    assert found.files[ROPE].source.refusal == "the file cannot be read: Permission denied"


def test_a_file_that_may_not_be_read_comes_before_one_with_another_name(tmp_path, unpacked, kept_back):
    laid_out(tmp_path, {"rope_rotation.py": right(ROPE), "main.py": HALF})
    kept_back.add("rope_rotation.py")
    assert files_of(tmp_path, unpacked).files[ROPE].name == "rope_rotation.py"


def test_who_has_a_text_that_may_not_be_read_is_a_person(tmp_path, unpacked, kept_back):
    laid_out(tmp_path, {"ada_rope_rotation.txt": right(ROPE)})
    kept_back.add("ada_rope_rotation.txt")
    (one,) = Collected(tmp_path, unpacked).submissions
    assert one.name == "ada"
    assert one.found.files[ROPE].source.refusal


def test_who_has_code_for_an_unknown_kata_that_may_not_be_read_has_no_mark(tmp_path, unpacked, kept_back):
    laid_out(tmp_path, {"main.py": right(ROPE), "positional_formula.py": right("positional_formula")})
    kept_back.add("main.py")
    found = files_of(tmp_path, unpacked)
    assert found.refusal == "main.py: the file cannot be read: Permission denied"
    assert found.unused == [found.refusal]


def test_a_process_that_cannot_be_started_to_parse_a_text_ends_the_run(tmp_path, unpacked, monkeypatch):
    def refuse(*args, **options):
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    monkeypatch.setattr("grader.cohort.contents.subprocess.run", refuse)
    laid_out(tmp_path, {"rope_rotation.txt": right(ROPE)})
    with pytest.raises(pytest.UsageError, match="no process can be started to parse rope_rotation"):
        files_of(tmp_path, unpacked)
