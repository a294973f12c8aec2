"""Names of folders are shown without what hides, moves or controls anything, wherever they are printed or reported."""
import json
import re
import sys

import pytest

from grader.course.katas import shown
from grader.course.visible import visible

NASTY = "\x1b[31m\x1b]0;title\x07 \u202egnp \u3164\u2800\u115f\u034f new\nline ##[set-output]x"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u034f\u115f\u1160\u2800\u3164\u202a-\u202e\ufeff]|^\\s*::|##\\[", re.M)


@pytest.mark.parametrize("text", [
    "\u3164", "\u2800", "\u115f", "\u1160", "\uffa0", "a\u034f", "a\ufe00", "\u202e", "\x1b"])
def test_what_cannot_be_seen_is_escaped(text):
    assert visible(text).isascii()
    assert "\\" in visible(text)


@pytest.mark.parametrize("text", ["::error::x", "  ::error::x", "a ##[group]b", "##[x] ##[y]"])
def test_commands_for_services_that_read_the_log_are_escaped(text):
    assert not RAW.search(visible(text))
    assert RAW.search(text)


@pytest.mark.parametrize("text", ["Zo\u00eb", "a: b", "std::vector", "# x", "\u674e\u660e", "mein Ordner"])
def test_other_names_stay_as_they_are(text):
    assert visible(text) == text
    assert shown(f"/elsewhere/{text}/x.py") == f"/elsewhere/{text}/x.py"


@pytest.mark.skipif(sys.platform == "win32", reason="no folder can have such a name")
@pytest.mark.parametrize("name", [NASTY, f"::error title=x::{NASTY}"])
@pytest.mark.parametrize("code", ["import numpy as np\n", "1 +\n", "def frequencies(*a):\n    return 1\n"])
def test_the_name_of_a_submission_is_never_shown_raw(project, name, code):
    folder = project.root / name
    folder.mkdir()
    (folder / "positional_formula.py").write_text(code, encoding="utf-8")
    report = f"--report={project.root / 'r.json'}"
    for options in [report], [f"--feedback={name}/no/folder"]:
        result = project.run("21", f"--submission={name}", *options)
        assert not RAW.search(result.stdout)
        assert not RAW.search(result.stderr)
    (one,) = json.loads((project.root / "r.json").read_text(encoding="utf-8"))["submissions"]
    shown_there = [one["submission"], one["source"], *(k["file"] for k in one["katas"]),
                   *(c["message"] or "" for k in one["katas"] for c in k["checks"])]
    assert not [text for text in shown_there if RAW.search(text)]
