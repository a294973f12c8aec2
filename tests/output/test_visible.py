"""Names of folders are shown without what hides, moves or controls anything, wherever they are printed or reported."""
import json
import re
import sys

import pytest

from grader.course.katas import shown
from grader.course.visible import visible, visible_lines

NASTY = "::error title=x::\x1b[31m\x1b]0;title\x07 \u202egnp \u3164\u2800\u115f\u034f new\nline ##[set-output]x"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u034f\u115f\u1160\u2800\u3164\u202a-\u202e\ufeff]|^\\s*::|##\\[", re.M)


@pytest.mark.parametrize(("text", "seen"), [
    ("plain \u00e9 \u674e", "plain \u00e9 \u674e"), ("a\tb\nc", "a\\tb\\nc"), ("\x1b[0m", "\\x1b[0m"),
    ("\u202eabc", "\\u202eabc"), ("\ud800", "\\ud800"), ("no\u00a0break", "no break"), ("x" * 201, "x" * 200 + "..."),
    ("e\u0301", "e\u0301"), ("\u0301", "\\u0301"), ("\u3164", "\\u3164"), ("\u2800", "\\u2800"), ("\u115f", "\\u115f"),
    ("\u1160", "\\u1160"), ("\uffa0", "\\uffa0"), ("a\u034f", "a\\u034f"), ("a\ufe00", "a\\ufe00"),
])
def test_what_cannot_be_seen_is_escaped(text, seen):
    assert visible(text) == seen


@pytest.mark.parametrize("text", ["::error::x", "  ::error::x", "a ##[group]b", "##[x] ##[y]"])
def test_commands_for_services_that_read_the_log_are_escaped(text):
    assert not RAW.search(visible(text))
    assert RAW.search(text)


@pytest.mark.parametrize("text", ["Zo\u00eb", "a: b", "std::vector", "# x", "\u674e\u660e", "mein Ordner"])
def test_other_names_stay_as_they_are(text):
    assert visible(text) == text
    assert shown(f"/elsewhere/{text}/x.py") == f"/elsewhere/{text}/x.py"


@pytest.mark.parametrize(("text", "lines"), [
    ("a\nb\nc\nd", ["a", "b", "(2 more lines)"]), ("a\nb\nc", ["a", "b", "c"]), (None, [""])])
def test_of_many_lines_the_last_says_how_many_more_there_are(text, lines):
    assert visible_lines(text, 3) == lines


@pytest.mark.skipif(sys.platform == "win32", reason="no folder can have such a name")
@pytest.mark.parametrize("code", ["import numpy as np\n", "1 +\n", "def frequencies(*a):\n    return 1\n", None])
def test_the_name_of_a_submission_is_never_shown_raw(project, code):
    folder, report = project.root / NASTY, project.root / "r.json"
    folder.mkdir()
    (folder / "positional_formula.py").write_text(code or "", encoding="utf-8")
    option = f"--report={report}" if code else f"--feedback={NASTY}/no/folder"
    result = project.run("21", f"--submission={NASTY}", option)
    assert not RAW.search(result.stdout + result.stderr)
    if code:
        (one,) = json.loads(report.read_text(encoding="utf-8"))["submissions"]
        shown_there = [one["submission"], one["source"], *(k["file"] for k in one["katas"]),
                       *(c["message"] or "" for k in one["katas"] for c in k["checks"])]
        assert not [text for text in shown_there if RAW.search(text)]
