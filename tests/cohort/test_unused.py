"""What of somebody's files is graded, and which files are not: which ones are named, with which reason."""
import errno
import os
import shutil

import pytest

from grader.cohort.contents import is_python
from grader.cohort.finding import files_of
from grader.course.katas import KATAS, ROOT, SOLUTIONS, all_katas
from tests.helpers.handed_in import NAMES, REAL, WRONG, both, laid_out, right, stub, zipped
from tests.helpers.results import checks

FORMULA, ROPE = NAMES
PLACE = f"{REAL[ROPE].folder.name}/{ROPE}.py"
REFERENCE = REAL[ROPE].solution.read_text(encoding="utf-8")
HALF = "def apply_rope(x, positions, base=10000.0):\n    return x\n"
SOFTMAX = "def softmax(scores):\n    return scores\n"
WITH_PROSE = f"My answer:\n\n{right(ROPE)}"
OF_FORMULA, OF_ROPE = (f"it has the functions of {name}, and was graded for that" for name in NAMES)
CASES = {
    # what is tested: (files, {kata: the file that is graded}, lines about the others)
    "a file of no kata is named with the name it should have": (
        {"rope_rotaton.py": "x = 1\n", "helper.py": "x = 1\n", "work.rar": b"Rar!"}, {},
        ["helper.py: not the name of a kata; use names such as order_blindness.py",
         "rope_rotaton.py: not the name of a kata; should it be rope_rotation.py?",
         "work.rar: not unpacked; hand in a .zip file or the files themselves"]),
    "files that differ from what is graded and equal files are named": (
        {"a/rope_rotation.py": WRONG, "rope_rotation.py": right(ROPE), "b/rope_rotation.py": right(ROPE)},
        {ROPE: "rope_rotation.py"},
        ["a/rope_rotation.py: differs from rope_rotation.py, which was graded",
         "b/rope_rotation.py: the same as rope_rotation.py, which was graded"]),
    "a copy of the reference is graded if there is nothing else": (
        {"rope_rotation (3).py": REFERENCE}, {ROPE: "rope_rotation (3).py"}, []),
    "a wrong file is graded before a copy of the reference": (
        {"rope_rotation (3).py": REFERENCE, "rope_rotation.py": WRONG}, {ROPE: "rope_rotation.py"}, []),
    "a helper with a function of another kata is not taken for it": (
        {"rope_rotation.py": SOFTMAX + right(ROPE), "tools.py": SOFTMAX}, {ROPE: "rope_rotation.py"},
        ["tools.py: not the name of a kata; use names such as order_blindness.py"]),
    "environments and hidden folders are not searched, and suites are no answers": (
        {f"{folder}/rope_rotation.py": WRONG for folder in (".git", "venv", "__MACOSX", "node_modules")}
        | {"mine/pyvenv.cfg": "", "mine/lib/rope_rotation.py": WRONG, "test_rope_rotation.py": WRONG}, {},
        ["test_rope_rotation.py: not the name of a kata; should it be rope_rotation.py?"]),
    "a file of a word processor with the name of a kata is named": (
        {"rope_rotation.docx": b"PK", "notes.docx": b"PK"}, {},
        ["rope_rotation.docx: not Python; use rope_rotation.py"]),
    "other copies of what is graded are named without advice": (
        {"rope_rotation.py": right(ROPE), "rope_rotation.py.bak": right(ROPE), "rope_rotation.pdf": b"",
         "rope_rotation.txt": WRONG + right(ROPE), "rope_rotation.pyw": stub(ROPE)}, {ROPE: "rope_rotation.py"},
        ["rope_rotation.py.bak: the same as rope_rotation.py, which was graded",
         "rope_rotation.txt: differs from rope_rotation.py, which was graded"]),
    "code with another suffix comes first among the lines, and is named although there is a stub": (
        {"a.py": "x = 1\n", "rope_rotation.py": stub(ROPE), "rope_rotation.pyw": right(ROPE)},
        {ROPE: "rope_rotation.py"},
        ["rope_rotation.pyw: looks like Python; rename it to rope_rotation.py to have it graded",
         "a.py: not the name of a kata; use names such as order_blindness.py"]),
    "files with each other's names are graded by their functions": (
        {"rope_rotation.py": right(FORMULA), "positional_formula.py": right(ROPE)},
        {FORMULA: "rope_rotation.py", ROPE: "positional_formula.py"},
        [f"positional_formula.py: not for positional_formula: {OF_ROPE}",
         f"rope_rotation.py: not for rope_rotation: {OF_FORMULA}"]),
    "a file with the right name comes before one with another": (
        {"rope_rotation.py": right(FORMULA) + "x = 1\n", "positional_formula.py": right(FORMULA)},
        {FORMULA: "positional_formula.py"},
        ["rope_rotation.py: differs from positional_formula.py, which was graded"]),
    "work at the place of the reference is named": (
        {f"solutions/{PLACE}": right(ROPE), f"katas/{PLACE}": stub(ROPE)}, {ROPE: f"katas/{PLACE}"},
        [f"solutions/{PLACE}: katas/{PLACE} was graded"]),
    **{f"{older} before {newer}": (
        {older: HALF, newer: right(ROPE)}, {ROPE: newer}, [f"{older}: differs from {newer}, which was graded"])
       for older, newer in [
           ("rope_rotation.py", "rope_rotation (1).py"), ("rope_rotation (2).py", "rope_rotation (10).py"),
           ("rope_rotation_v2.py", "rope_rotation_v2 (1).py"), ("rope_rotation_v2 (1).py", "rope_rotation_v3.py"),
           ("rope_rotation copy.py", "rope_rotation copy 2.py"), ("rope_rotation - Copy.py", "rope_rotation.py"),
           ("rope_rotation_old.py", "rope_rotation.py")]},
    **{f"{name}{' in an archive' if archive else ''}": (
        {"Ben.zip": zipped({name: text})} if archive else {name: text}, {},
        [f"{'Ben.zip/' if archive else ''}{name}: looks like Python; rename it to {new} to have it graded"])
       for archive in (False, True) for name, text, new in [
           *((f"rope_rotation{suffix}", right(ROPE), "rope_rotation.py") for suffix in (".pyw", ".md", ".py.bak")),
           ("answers.text", right(ROPE), "answers.py"), ("61 rope rotation.rtf", right(ROPE), "61 rope rotation.py"),
           ("rope_rotation (1).py~", right(ROPE), "rope_rotation (1).py"),
           ("rope_rotation.txt", WITH_PROSE, "rope_rotation.py"), ("rope_rotation", WITH_PROSE, "rope_rotation.py"),
           ("answers.txt", WITH_PROSE, "answers.py")]},
}


@pytest.mark.parametrize("case", CASES)
def test_one_file_is_graded_for_a_kata_and_the_others_are_named(found, case):
    content, graded, unused = CASES[case]
    result = found(content)
    assert {name: entry.name for name, entry in result.files.items()} == graded
    assert result.unused == unused


@pytest.mark.parametrize(("older", "newer"), [("a.py", "b.py"), ("b.py", "a.py")])
def test_of_two_files_that_nothing_else_tells_apart_the_newer_one_is_graded(tmp_path, unpacked, older, newer):
    laid_out(tmp_path, {"a.py": right(ROPE), "b.py": right(ROPE) + "x = 1\n"})
    os.utime(tmp_path / older, (1_700_000_000, 1_700_000_000))
    os.utime(tmp_path / newer, (1_700_000_100, 1_700_000_100))
    found = files_of(tmp_path, unpacked)
    assert found.files[ROPE].name == newer
    assert found.unused == [f"{older}: differs from {newer}, which was graded"]


def test_an_untouched_submission_has_no_points(found):
    katas = [kata for kata in all_katas() if kata.name in (FORMULA, "mend_the_rope")]
    result = found({f"{kata.name}.py": kata.original.read_bytes() for kata in katas})
    for kata in katas:
        graded = result.result(kata, checks(3))
        assert (graded.passed, graded.state) == (0, "todo")


# Whose a file is

def test_a_file_that_belongs_to_nobody_is_named(collected):
    result = collected(both("{name}.py") | {"Ben/rope_rotation.py": WRONG, "notes.txt": "x"})
    assert result.unused == [f"{name}.py: it is nobody's; put it into a folder with the learner's name"
                             for name in NAMES]
    assert [one.name for one in result.submissions] == ["Ben"]


def test_a_learners_name_stays_in_the_new_name(collected):
    result = collected({"ada_rope_rotation.pyw": right(ROPE), "rope_rotation.pyw": right(ROPE)})
    (one,) = result.submissions
    assert one.name == "ada"
    assert one.found.unused == [
        "ada_rope_rotation.pyw: looks like Python; rename it to ada_rope_rotation.py to have it graded"]
    assert result.unused == ["rope_rotation.pyw: it is nobody's; put it into a folder with the learner's name"]


@pytest.mark.parametrize(("older", "newer"), [
    ("ada_rope_rotation.py", "ada_rope_rotation (1).py"), ("ada_rope_rotation_v2.py", "ada_rope_rotation_v10.py"),
    ("ada_rope_rotation - Copy.py", "ada_rope_rotation - Copy (2).py"),
    ("ada_rope_rotation-1.py", "ada_rope_rotation-2.py"), ("61_rope_rotation_ada.py", "ada_61_rope_rotation (1).py"),
    ("61_rope_rotation_ada - Copy.py", "rope_rotation_ada (1).py"), ("rope_rotation_ada.py", "rope_rotation_ada_v2.py"),
    ("Copy of ada_rope_rotation.py", "ada_rope_rotation_final (1).py")])
def test_a_later_version_has_the_same_owner(collected, older, newer):
    (one,) = collected({older: HALF, newer: right(ROPE)}).submissions
    assert (one.name, one.found.files[ROPE].name) == ("ada", newer)
    assert one.found.unused == [f"{older}: differs from {newer}, which was graded"]


# The project's own files

def test_whole_folders_katas_are_no_news(tmp_path, collected):
    for one in ("ada", "ben/katas"):
        shutil.copytree(KATAS, tmp_path / one)
    submissions = collected({f"{one}/{PLACE}": right(ROPE) for one in ("ada", "ben/katas")}).submissions
    assert [one.name for one in submissions] == ["ada", "ben"]
    for one in submissions:
        assert one.found.unused == []
        assert one.found.untouched == {kata.name for kata in all_katas()} - {ROPE}


def test_a_copy_of_the_whole_project_has_only_the_learners_files(tmp_path, found):
    for part in ("conftest.py", "grader", "katas", "solutions"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, tmp_path / part)
    result = found({f"katas/{PLACE}": right(ROPE), "solutions/scratch.py": "x = 1\n", "katas/notes.py": "x = 1\n"})
    assert result.unused == [f"{name}.py: not the name of a kata; use names such as order_blindness.py"
                             for name in ("katas/notes", "solutions/scratch")]
    assert result.files[ROPE].name == f"katas/{PLACE}"
    assert result.untouched == {kata.name for kata in all_katas()} - {ROPE}


def test_the_references_beside_a_folder_katas_are_no_news(tmp_path, found):
    for folder in (KATAS, SOLUTIONS):
        shutil.copytree(folder, tmp_path / folder.name)
    result = found(both("my work/{name}.py"))
    assert (result.unused, result.files[ROPE].name) == ([], "my work/rope_rotation.py")


# Texts that may be Python

@pytest.mark.parametrize("text", [b"import " + b"a." * 100_000 + b"a", b"(" * 100_000, b"-" * 100_000 + b"1",
                                  b"x" + b"()" * 100_000, b"\0", b"\xff"],
                         ids=["memory", "brackets", "signs", "calls", "NUL", "bytes"])
def test_hostile_texts_are_not_python(text):
    assert not is_python("rope_rotation.txt", text)


def test_a_text_of_python_is_not_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert is_python("rope_rotation.txt", right(ROPE).encode())
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_cannot_be_started_to_parse_a_text_ends_the_run(found, monkeypatch):
    def refuse(*args, **options):
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    monkeypatch.setattr("grader.cohort.contents.subprocess.run", refuse)
    with pytest.raises(pytest.UsageError, match="no process can be started to parse rope_rotation"):
        found({"rope_rotation.txt": right(ROPE)})


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
def test_a_file_that_may_not_be_read_is_the_one_for_the_kata_in_its_name(found, kept_back, name):
    kept_back.add(name)
    entry = found({name: right(ROPE), "main.py": HALF}).files[ROPE]
    assert (entry.name, entry.source.refusal) == (name, "the file cannot be read: Permission denied")


def test_who_has_a_text_that_may_not_be_read_is_a_person(collected, kept_back):
    kept_back.add("ada_rope_rotation.txt")
    (one,) = collected({"ada_rope_rotation.txt": right(ROPE)}).submissions
    assert one.name == "ada"
    assert one.found.files[ROPE].source.refusal


def test_who_has_code_for_an_unknown_kata_that_may_not_be_read_has_no_mark(found, kept_back):
    kept_back.add("main.py")
    result = found({"main.py": right(ROPE), "positional_formula.py": right(FORMULA)})
    assert result.refusal == "main.py: the file cannot be read: Permission denied"
    assert result.unused == [result.refusal]
