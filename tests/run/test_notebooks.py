"""Katas as notebooks: written, opened in Jupyter, and graded like Python files."""
import ast
import base64
import datetime
import json
import os
import re
import subprocess
import sys
import types

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.calling.notebooks import code_of
from grader.calling.source import normal_text, normalised
from grader.course.katas import all_katas
from grader.run import notebooks
from tests.helpers.notebook import notebook

KATA = "positional_formula"
PLACE = "katas/21_positional_formula"
TODAY = datetime.date.today().isoformat()
FILE = "positional_formula.ipynb"
ESCAPES = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def work(project):
    """A folder with the katas as notebooks, which another copy of the project has written; the first is solved."""
    folder = project.root.parent / "my work"
    folder.mkdir()
    for name, text in ((KATA, project.solution(KATA)), ("similarity_matrix", None)):
        kata = project.kata(name)
        text = notebooks.notebook(kata, text or kata.stub.read_text(encoding="utf-8"))
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
    return folder


def cells(text, kind=None):
    """The sources of a notebook's cells, of one kind or of all."""
    return ["".join(cell["source"]) for cell in json.loads(text)["cells"] if kind in (None, cell["cell_type"])]


def changed(file, old, new):
    """Change a notebook's code."""
    content = json.loads(file.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        cell["source"] = "".join(cell["source"]).replace(old, new)
    assert new in "".join(cell["source"] for cell in content["cells"])
    file.write_text(json.dumps(content), encoding="utf-8")


# Writing

@pytest.mark.parametrize("kata", all_katas(), ids=lambda kata: kata.name)
def test_a_notebook_has_the_whole_kata_with_each_function_below_its_task(kata):
    stub = kata.stub.read_text(encoding="utf-8")
    text = notebooks.notebook(kata, stub)
    assert normalised(code_of(text.encode("utf-8"))) == normal_text(kata.stub)
    first, imports, *functions, last = cells(text, "code")
    assert "google.colab" in first
    assert imports.endswith("import numpy as np")
    assert [ast.parse(cell).body[0].name for cell in functions] == [node.name for node in ast.parse(stub).body[2:]]
    assert "-m pytest" in last
    assert last.endswith(kata.name)

    readme = "\n\n".join(cells(text, "markdown"))
    (data,) = re.findall(r"^!\[.*\]\(data:image/png;base64,(.*)\)$", readme, re.MULTILINE)
    assert base64.b64decode(data) == (kata.folder / "picture.png").read_bytes()
    readme = readme.replace(f"data:image/png;base64,{data}", "picture.png")
    assert readme + "\n" == kata.readme.read_text(encoding="utf-8")

    seen = cells(text)
    for task in kata.tasks.values():
        (title,) = [number for number, cell in enumerate(seen) if cell.startswith(f"## Task {task.number}:")]
        (function,) = [number for number, cell in enumerate(seen) if re.search(rf"^def {task.function}\(", cell, re.M)]
        assert title < function

    nbformat = pytest.importorskip("nbformat")
    as_jupyter_reads_it = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(as_jupyter_reads_it)
    assert text == nbformat.writes(as_jupyter_reads_it) + "\n"


@pytest.mark.parametrize("text", [
    "", "x = 1", "# nothing\n", "def f(:\n    x\n", "def f(): pass", "# f\ndef f():\n    pass\n# end\n",
    "import a\n# to f\n\n@b\ndef f(): pass\nX = 1\n# to g\nclass g:\n    '''\n\n    '''\nif X:\n    def h(): pass\n",
])
def test_nothing_of_a_learners_file_is_lost(text):
    parts = notebooks.parts_of(text)
    assert normalised("\n".join(source for _, source in parts).encode()) == normalised(text.encode())
    assert parts[0][0] == ""


def test_comments_stay_with_the_function_below_them():
    text = "import a\n\n# to f\n@b\ndef f(): pass\nX = 1\n\n\n# to g\ndef g(): pass\n# end"
    assert notebooks.parts_of(text) == [
        ("", "import a"), ("f", "# to f\n@b\ndef f(): pass\nX = 1"), ("g", "# to g\ndef g(): pass\n# end")]


def test_start_writes_notebooks_with_what_is_in_the_stubs_and_overwrites_no_file(project):
    mine = project.root.parent / "mine"
    project.write(KATA, project.solution(KATA))
    result = project.run("--start=../mine", "--notebooks", PLACE)
    assert result.stdout.startswith("1 notebook written to ../mine. ")
    assert f"These copies contain your work: {FILE}\n" in result.stdout
    assert os.listdir(mine) == [FILE]
    (mine / "similarity_matrix.py").write_text("# mine\n", encoding="utf-8")
    before = (mine / FILE).read_bytes()
    result = project.run("--start=../mine", "--notebooks")
    assert result.stdout.startswith("No notebook written to ../mine. ")
    assert "Already there, not overwritten: positional_formula.ipynb," in result.stdout
    assert f"Edit:   {(mine / FILE).as_posix()}\n" in result.stdout
    assert (mine / FILE).read_bytes() == before
    assert sorted(os.listdir(mine)) == [FILE, "similarity_matrix.py"]


@pytest.mark.parametrize(("origin", "address"), [
    ("https://github.com/ada/katas.git", "https://github.com/ada/katas.git"),
    ("https://ada:secret@git.example.org/ada/katas", "https://git.example.org/ada/katas"),
    ("git@github.com:ada/katas.git", "https://github.com/ada/katas.git"),
    ("ssh://git@github.com:22/ada/katas.git", "https://github.com/ada/katas.git"),
    ("/srv/katas", "ADDRESS_OF_THE_PROJECT"), ("../katas", "ADDRESS_OF_THE_PROJECT"),
    (None, "ADDRESS_OF_THE_PROJECT"),
])
def test_colab_clones_from_where_this_clone_came_from_without_a_password(tmp_path, monkeypatch, origin, address):
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    if origin:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        subprocess.run(["git", "-C", tmp_path, "remote", "add", "origin", origin], check=True)
    text = notebooks.notebook(all_katas()[0], "")
    assert f'!git clone --quiet "{address}" /content/katas' in cells(text)[0]
    assert "secret" not in text


# In Jupyter

def executed(file):
    """The last output of a notebook after all of its cells have run in its folder, without colours."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    content = nbformat.read(file, as_version=4)
    client = nbclient.NotebookClient(content, timeout=120, resources={"metadata": {"path": str(file.parent)}})
    client.execute(env={k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "KATAS"))})
    return ESCAPES.sub("", "".join(output["text"] for output in content.cells[-1].outputs)).replace("\r", "")


def test_the_last_cell_shows_the_scoreboard_and_what_to_do_next(project):
    project.write(KATA, project.solution(KATA))
    project.run("--start=../my work", "--notebooks")
    text = executed(project.root.parent / "my work" / FILE)
    assert "Positional encodings: 1 of 1 solved" in text
    assert f" {FILE}\n" in text
    assert "All selected katas are solved." in text
    text = executed(project.root.parent / "my work" / "similarity_matrix.ipynb")
    assert "Positional encodings: 0 of 1 solved" in text
    assert "todo" in text
    assert "Next:   task 1, " in text
    assert "Edit:   similarity_matrix.ipynb\n" in text


def test_the_last_cell_fetches_the_notebook_in_colab(work, monkeypatch, tmp_path):
    content = json.loads((work / FILE).read_text(encoding="utf-8"))
    for name in ("google", "google.colab"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["google.colab"]._message = types.SimpleNamespace(
        blocking_request=lambda what, timeout_sec: {"ipynb": content} if what == "get_ipynb" else None)
    monkeypatch.chdir(tmp_path)
    *lines, command = cells(json.dumps(content))[-1].split("\n")
    names = {}
    exec("\n".join(lines), names)
    assert json.loads((tmp_path / FILE).read_text(encoding="utf-8")) == content
    assert names["project"] == "/content/katas"
    assert command == '!"{sys.executable}" -m pytest "{project}" --work=. positional_formula'


def test_the_cell_for_colab_does_nothing_elsewhere(work):
    transformer = pytest.importorskip("IPython.core.inputtransformer2").TransformerManager()
    source = cells((work / FILE).read_text(encoding="utf-8"))[0]
    exec(transformer.transform_cell(source), {})                 # otherwise, it would need `get_ipython`


# Grading

def test_a_notebook_is_graded_as_a_file_is(project, work):
    for options in ([], ["--isolated", "-n", "2"]):
        submission, _ = project.report("--work=../my work", *options)
        assert [(kata["file"], kata["status"]) for kata in submission["katas"]] == [
            (str(work / FILE), "solved"), (str(work / "similarity_matrix.ipynb"), "todo")]


def test_options_for_one_kata_work_with_notebooks(project, work):
    for option, words in (("--examples", "examples print what the README says"), ("--picture-text", "solved"),
                          ("--compare", f"Yours:      {(work / FILE).as_posix()}\n")):
        result = project.run("--work=../my work", option, FILE)
        assert result.returncode == 0, result.stdout
        assert words in result.stdout


def test_a_message_names_the_cell(project, work):
    changed(work / FILE, "    return table\n", "    return tables\n")
    sources = cells((work / FILE).read_text(encoding="utf-8"))
    (cell,) = (number for number, source in enumerate(sources, start=1) if "return tables" in source)
    printed = project.run("--work=../my work", "--isolated", PLACE).stdout
    assert re.search(rf"^  cell {cell}, line \d+: return tables$", printed, re.MULTILINE)
    printed = project.run("--work=../my work", "--examples", PLACE).stdout
    assert re.search(rf"\(cell {cell}, line \d+: return tables\)", printed)
    changed(work / FILE, "    return tables\n", "    return (\n")
    printed = project.run("--work=../my work", PLACE).stdout
    assert f"SyntaxError in cell {cell}, line " in printed
    assert f"{FILE}\n" in printed


@pytest.mark.skipif(not CAN_ISOLATE, reason="this system cannot start a worker")
@pytest.mark.parametrize(("option", "content", "status", "said"), [
    ("--submission=../class/ada", notebook("import os\nos._exit(7)"), "started", "crashed"),
    ("--cohort=../class", b'{"cells": ' + b"[" * 100_000, "broken", "the notebook is too large or nested too deeply"),
])
def test_a_notebook_of_somebody_else_runs_in_a_worker_only(project, option, content, status, said):
    folder = project.root.parent / "class" / "ada"
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(content)
    right = notebook(("markdown", "# Mine"), project.solution("similarity_matrix"))
    (folder / "similarity_matrix.ipynb").write_bytes(right)
    submission, result = project.report(option)
    assert result.returncode == 1                                # not 7
    first, second = submission["katas"]
    assert first["status"] == status
    assert all(said in f"{check['outcome']} {check['message']}".lower() for check in first["checks"])
    assert second["status"] == "solved"


# --reset

def test_reset_writes_a_fresh_notebook_and_keeps_the_old_one(project, work):
    before = (work / FILE).read_bytes()
    result = project.run("--reset", "--work=../my work", "21", "22")
    kept = work / f"positional_formula.{TODAY}.ipynb"
    assert f"Your file is kept as {kept.as_posix()}\n" in result.stdout
    assert kept.read_bytes() == before
    assert "similarity_matrix.ipynb is already the original stub.\n" in result.stdout     # with another last cell
    assert project.run("--reset", "--work=../my work", "21").stdout.endswith("is already the original stub.\n")
    assert len(cells((work / FILE).read_text(encoding="utf-8"))) == len(cells(before))
