"""Equal files: which ones a run names, and which ones it leaves alone."""
import pytest

from grader.cohort.contents import LARGEST, Entry, equal_files, without_comments
from grader.course.katas import all_katas
from tests.helpers.handed_in import laid_out
from tests.helpers.notebook import notebook

KATA = next(kata for kata in all_katas() if kata.name == "positional_formula")
STUB = KATA.original.read_text(encoding="utf-8")
RIGHT = KATA.solution.read_text(encoding="utf-8").replace("angles", "phases")


def groups_of(tmp_path, *texts):
    """The groups of submissions "0", "1" ... with these texts."""
    laid_out(tmp_path, {f"{number}.py": text for number, text in enumerate(texts)})
    files = {f"{number}": {KATA.name: Entry(tmp_path / f"{number}.py", "")} for number in range(len(texts))}
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
    cells = ("markdown", "# Mine"), "%matplotlib inline\n", RIGHT.splitlines(keepends=True)
    laid_out(tmp_path, {"ada.py": RIGHT, "bob.ipynb": notebook(*cells)})
    files = {name: {KATA.name: Entry(tmp_path / name, name)} for name in ("ada.py", "bob.ipynb")}
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
