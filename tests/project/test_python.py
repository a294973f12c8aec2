"""Every file that names the oldest Python names the same one."""
import re
import tomllib

import pytest

from grader.course.katas import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OLDEST = PROJECT["project"]["requires-python"].removeprefix(">=")
GRADESCOPE = ".github/examples/gradescope/setup.sh"
PLACES = {                                     # file -> how it names the oldest Python
    "README.md": r"Python (3\.\d+) or newer", ".setup": r"Python (3\.\d+) or newer",
    ".github/SERVICES.md": r"Python (3\.\d+) or newer", ".github/examples/prairielearn/grade.py": r"(3\.\d+) or newer",
    ".github/workflows/tests.yml": r'python: \["(3\.\d+)", "3"\]', GRADESCOPE: r"\bpython(3\.\d+)",
}

@pytest.mark.parametrize("place", PLACES)
def test_a_file_that_names_the_oldest_python_names_the_same(place):
    text = (ROOT / place).read_text(encoding="utf-8")
    assert set(re.findall(PLACES[place], text)) == {OLDEST}


def test_ruff_asks_for_what_the_oldest_python_can_do():
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{OLDEST.replace('.', '')}"
