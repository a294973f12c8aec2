"""Names that are bytes and no text, as files have on Linux: they are shown escaped, and graded like others."""
import csv
import json
import os
import sys

import pytest

from tests.helpers.handed_in import laid_out, zipped

KATA, FOLDER = "positional_formula", "katas/21_positional_formula"
NAMES = {b"Fran\xe7ois": r"Fran\xe7ois", b"\xff\xfe\xe9": r"\xff\xfe\xe9", b"ada": "ada"}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")


@pytest.fixture
def folder(project, tmp_path):
    """Three right files in folders, a wrong one in a folder and with a name of bytes, a zip file with such names."""
    right = project.solution(KATA)
    files = {name + f"/{KATA}.py".encode(): f"{right}# {number}\n" for number, name in enumerate(NAMES)}
    files[b"wrong/caf\xe9/" + KATA.encode() + b" (\xe9).py"] = right + "raise ValueError\n"
    files[b"zo\xeb.zip"] = zipped({f"caf_/{KATA}.py": right + "# in a zip file\n"}).replace(b"caf_", b"caf\xe9")
    laid_out(tmp_path / "collected", {os.fsdecode(name): content for name, content in files.items()})
    return tmp_path / "collected"


def test_names_of_bytes_are_shown_escaped_and_graded(project, tmp_path, folder):
    pytest.importorskip("jinja2")
    paths = {"report": "r.json", "gradebook": "g.csv", "board": "b.html", "feedback": "feedback", "junitxml": "j.xml"}
    for processes in [("-n", "2"), ()]:       # the second time, from what is kept
        result = project.run(FOLDER, f"--cohort={folder}", *processes, *(
            f"--{option}={tmp_path / name}" for option, name in paths.items()), PYTHONIOENCODING="utf-8")
        assert "INTERNALERROR" not in result.stdout
        content = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        wanted = dict.fromkeys([*NAMES.values(), r"zo\xeb"], 20) | {"wrong": 0}
        assert {one["submission"]: one["passed"] for one in content["submissions"]} == wanted
        with (tmp_path / "g.csv").open(encoding="utf-8", newline="") as file:
            assert {row["submission"]: int(row[KATA]) for row in csv.DictReader(file)} == wanted
        board = (tmp_path / "b.html").read_text(encoding="utf-8")
        assert all(f"<bdi>{name}</bdi>" in board for name in wanted)
        assert len(list((tmp_path / "feedback").iterdir())) == 5
        assert (tmp_path / "j.xml").stat().st_size
        assert r"Fran\xe7ois" in result.stdout
        assert result.returncode == 1


def test_a_folder_that_the_command_names_in_bytes_is_graded_or_refused_in_one_line(project, folder):
    named = folder.rename(folder.with_name(os.fsdecode(b"caf\xe9")))
    graded, refused = (project.run(FOLDER, f"--cohort={named}", *processes) for processes in [(), ("-n", "2")])
    assert r"20/20       1 of 1 solved   Fran\xe7ois" in graded.stdout
    assert r"caf\xe9: this name is not UTF-8, so -n does not work with it" in refused.stderr
    assert refused.returncode == 4
