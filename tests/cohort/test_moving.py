"""Files that people save, rename and delete while their class is graded: a row is about the bytes that were read."""
import os
import random
import threading
import time

import pytest

from grader.calling.limits import CAN_ISOLATE
from tests.helpers.handed_in import graded, laid_out, states

KATA, FOLDER = "positional_formula", "katas/21_positional_formula"
pytestmark = pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")

# The file of everybody whose name begins with ada is saved before it is loaded.
SAVED_NOW = """

import shutil
from pathlib import Path
from grader.isolation.isolated import IsolatedFile
load = IsolatedFile.load
def saving(self):
    if self.path.parent.name.startswith("ada"):
        shutil.copy(Path(__file__).with_name("new.py"), self.path)
    return load(self)
IsolatedFile.load = saving
"""


@pytest.fixture
def texts(project):
    """{what it is: a file with a (status, checks that pass) of its own}."""
    right = project.solution(KATA)
    return {
        ("solved", 20): right,
        ("started", 9): right.replace("np.cos(angles", "np.sin(angles"),
        ("started", 0): "x = 1\n",
        ("todo", 0): project.kata(KATA).original.read_text(encoding="utf-8"),
        ("broken", 0): "def frequencies(:\n",
    }


def results(project, folder, *options):
    """{learner: (status, checks that pass)} of a run."""
    return states(graded(project, folder, FOLDER, *options)[0])


def test_who_saves_a_file_while_it_is_graded_changes_nothing_for_those_with_an_equal_one(
        project, tmp_path, texts, processes):
    with (project.root / "conftest.py").open("a", encoding="utf-8") as file:
        file.write(SAVED_NOW)
    (project.root / "new.py").write_text(texts["solved", 20], encoding="utf-8")
    before = {f"{name} {state}": state for state in (("started", 9), ("todo", 0), ("broken", 0))
              for name in ("ada", "bob", "eve")}
    laid_out(tmp_path / "collected", {f"{name}/{KATA}.py": texts[state] for name, state in before.items()})
    assert results(project, tmp_path / "collected", *processes) == before
    after = {name: ("solved", 20) if name.startswith("ada") else state for name, state in before.items()}
    assert results(project, tmp_path / "collected", *processes) == after


def test_whoever_edits_renames_and_deletes_gets_the_marks_of_bytes_that_were_there(project, tmp_path, texts, processes):
    folder, chance, now = tmp_path / "collected", random.Random(len(processes)), {}

    def change(name):
        file = folder / name / f"{KATA}.py"
        if file.exists() and chance.random() < 0.3:
            file.unlink() if chance.random() < 0.5 else file.rename(file.with_name("old.bak"))
            now[name] = "no file", 0
            return
        now[name] = chance.choice(list(texts))
        slow = "import time\ntime.sleep(0.1)\n" if now[name] != ("todo", 0) else ""
        file.with_name("beside").write_text(slow + texts[now[name]], encoding="utf-8")
        os.replace(file.with_name("beside"), file)

    def work():
        for _ in range(15):
            name = chance.choice(list(now))
            change(name)
            had[name].add(now[name])
            time.sleep(chance.uniform(0.03, 0.2))

    for number in range(8):
        (folder / f"one_{number}").mkdir(parents=True)
        change(f"one_{number}")
    had = {name: {state} for name, state in now.items()}
    worker = threading.Thread(target=work)
    worker.start()
    moving = results(project, folder, *processes)
    worker.join()
    assert {name: state for name, state in moving.items() if state not in had[name]} == {}
    assert results(project, folder, *processes) == now
