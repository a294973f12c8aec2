"""Names that are bytes and no text, as files have on Linux: they are shown escaped, and graded like others."""
import csv
import io
import json
import os
import sys
import zipfile

import pytest

KATA, FOLDER = "positional_formula", "katas/21_positional_formula"
NAMES = {b"Fran\xe7ois": r"Fran\xe7ois", b"\xff\xfe\xe9": r"\xff\xfe\xe9", b"ada": "ada"}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")


@pytest.fixture
def folder(project, tmp_path):
    """Three right files in folders, one in a folder and with a name of bytes, one in a zip file with such names."""
    right, folder = project.solution(KATA), os.fsencode(tmp_path / "collected")
    for number, name in enumerate(NAMES):
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, name, f"{KATA}.py".encode()), "w", encoding="utf-8") as file:
            file.write(f"{right}# {number}\n")
    os.makedirs(os.path.join(folder, b"wrong", b"caf\xe9"))
    with open(os.path.join(folder, b"wrong", b"caf\xe9", f"{KATA} (\udce9).py".encode(errors="surrogateescape")),
              "w", encoding="utf-8") as file:
        file.write(right + "raise ValueError\n")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(f"caf_/{KATA}.py", right + "# in a zip file\n")
    with open(os.path.join(folder, b"zo\xeb.zip"), "wb") as file:
        file.write(content.getvalue().replace(b"caf_", b"caf\xe9"))
    return tmp_path / "collected"


def test_names_of_bytes_are_shown_escaped_and_graded(project, tmp_path, folder, processes):
    pytest.importorskip("jinja2")
    paths = {"report": "r.json", "gradebook": "g.csv", "board": "b.html", "feedback": "feedback", "junitxml": "j.xml"}
    for _ in range(2):                        # the second time, from what is kept
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


def test_a_folder_that_the_command_names_in_bytes_is_graded_or_refused_in_one_line(project, folder, processes):
    named = folder.rename(folder.with_name(os.fsdecode(b"caf\xe9")))
    result = project.run(FOLDER, f"--cohort={named}", *processes)
    if processes:
        assert r"caf\xe9: this name is not UTF-8, so -n does not work with it" in result.stderr
        assert result.returncode == 4
    else:
        assert r"20/20       1 of 1 solved   Fran\xe7ois" in result.stdout
