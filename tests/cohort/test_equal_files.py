"""Equal files: which ones a run names, and which ones it leaves alone."""
import json

import pytest

from grader.cohort.contents import LARGEST, Entry, equal_files, without_comments
from grader.course.katas import all_katas

KATA = next(kata for kata in all_katas() if kata.name == "positional_formula")
STUB = KATA.original.read_text(encoding="utf-8")
RIGHT = KATA.solution.read_text(encoding="utf-8").replace("angles", "phases")


def groups_of(tmp_path, *texts):
    """The groups of submissions "0", "1" ... with these texts."""
    files = {}
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.py"
        path.write_text(text, encoding="utf-8", newline="")
        files[f"{number}"] = {KATA.name: Entry(path, path.name)}
    return equal_files([KATA], files | {"without files": {}})


@pytest.mark.parametrize("other", [
    RIGHT,
    "# by me\n\n" + RIGHT.replace("    return", "    # mine\n\n    return").replace("# (", "# [("),
    RIGHT.replace("\n", "  \r\n"),
    "\ufeff" + RIGHT,
    RIGHT.replace("    return", "\treturn").replace(" = ", "=").replace("np.sin(", "np.sin( \\\n").strip(),
])
def test_files_that_differ_in_comments_and_white_space_are_equal(tmp_path, other):
    assert groups_of(tmp_path, RIGHT, RIGHT.replace("phases", "waves"), other) == [("positional_formula", ["0", "2"])]


@pytest.mark.parametrize("other", [RIGHT.replace("phases", "phase"), RIGHT + "\nTITLE = 'a  b'\n", ""])
def test_files_with_other_code_are_not(tmp_path, other):
    assert groups_of(tmp_path, RIGHT, other) == []


def test_white_space_and_signs_in_strings_count():
    assert without_comments(b"x = 'a  b' # c\n") == b"x='a  b'"
    assert without_comments(b'x = "#"  # "\ny = \'\'\'\n# no comment "\n\'\'\'\n') == (
        b'x="#"y=\'\'\'\n# no comment "\n\'\'\'')
    assert without_comments(b"x = 'it\\'s # 1' # 2") == b"x='it\\'s # 1'"


@pytest.mark.parametrize("text", [
    STUB, "# mine\n" + STUB, "\ufeff" + STUB, KATA.solution.read_text(encoding="utf-8"),
    "\ufeff" + KATA.solution.read_text(encoding="utf-8"),
    KATA.solution.read_text(encoding="utf-8") + "# mine\n", "def frequencies(): pass\n", "",
    STUB.replace("raise NotImplementedError", "return None  #"),
])
def test_stubs_references_and_tiny_files_are_nobodys_copies(tmp_path, text):
    assert groups_of(tmp_path, text, text) == []


def test_a_notebook_is_compared_by_its_code(tmp_path):
    paths = [tmp_path / "ada.py", tmp_path / "bob.ipynb"]
    paths[0].write_text(RIGHT, encoding="utf-8")
    cells = [{"cell_type": "markdown", "source": "# Mine"}, {"cell_type": "code", "source": "%matplotlib inline\n"},
             {"cell_type": "code", "source": RIGHT.splitlines(keepends=True)}]
    paths[1].write_text(json.dumps({"nbformat": 4, "cells": cells}), encoding="utf-8")
    files = {path.name: {KATA.name: Entry(path, path.name)} for path in paths}
    assert equal_files([KATA], files) == [("positional_formula", ["ada.py", "bob.ipynb"])]


def test_several_groups_share_files(tmp_path):
    other = RIGHT.replace("phases", "waves")
    assert groups_of(tmp_path, RIGHT, other, RIGHT, other, RIGHT) == [
        ("positional_formula", ["0", "2", "4"]), ("positional_formula", ["1", "3"])]


def test_a_large_file_is_compared_byte_for_byte(tmp_path):
    large = RIGHT + "#" * LARGEST
    assert groups_of(tmp_path, large, large, large + "#") == [("positional_formula", ["0", "1"])]


@pytest.mark.parametrize("text", [
    b'"""\\', b"\"'", b'"\\', b"\\", b'"""', b"'", b"#\n", b'""\n', b"'''\"", b"\0\xff", b'"""\\"""', b"(", b'r"\\',
])
def test_hostile_text_is_read_in_time(text):
    """A pattern that looks at the same text again and again would take hours here."""
    for whole in (b'"""\\' + text * (LARGEST // len(text)), text * (LARGEST // len(text)) + b"\\"):
        assert len(without_comments(whole)) <= len(whole)
