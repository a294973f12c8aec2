"""The guides' lines for watching, as they stand there: a file is saved or handed in, and what is new is graded."""
import os
import re
import shutil
import subprocess
import sysconfig
import threading
import time
import zipfile

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.course.katas import ROOT
from tests.helpers.notebook import notebook

SECONDS = 30                  # on a busy machine; it takes about one


class Watcher:
    """A pytest-watcher in a terminal that is read line by line."""

    def __init__(self, project, command):
        scripts = sysconfig.get_path("scripts")
        path = os.pathsep.join([scripts, os.environ.get("PATH", "")])
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON", "KATAS"))}
        self.process = subprocess.Popen(
            [shutil.which(command.split()[0], path=scripts), *command.split()[1:]], cwd=project.root, text=True,
            env=kept | {"PATH": path, "PYTHONUNBUFFERED": "1"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", errors="backslashreplace")
        self.lines = []
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()

    def until(self, words, start=0, seconds=SECONDS):
        """The lines from number `start` on, once there is one with these words; nothing when that takes too long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            lines = self.lines[start:]
            if any(words in line for line in lines):
                return "".join(lines)
            time.sleep(0.05)
        return ""

    def saved(self, file, text):
        """Save a right answer and wait for the verdict; again where pytest was still running, as a learner would."""
        start = len(self.lines)
        for _ in range(6):
            file.write_text(text, encoding="utf-8")
            if verdict := self.until("All selected katas are solved.", start, SECONDS / 6):
                return verdict
        raise AssertionError("".join(self.lines))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=10)


def commands():
    """The commands for watching one's own files, in the README."""
    return re.findall(r"`(ptw [^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8"))


def for_a_cohort():
    """The command for watching a cohort, in the guide for instructors."""
    guide = (ROOT / ".github" / "INSTRUCTORS.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ptw .+$", guide, re.MULTILINE)
    return command


def test_saving_a_file_grades_its_kata_and_no_other(project):
    pytest.importorskip("pytest_watcher")
    in_katas, in_own_folder = commands()
    assert (in_katas, in_own_folder) == ("ptw katas", "ptw ../my-katas --work=../my-katas")
    project.run("--start=../my-katas", "--notebooks")
    own = project.root.parent / "my-katas" / "positional_formula.ipynb"
    right = {project.kata(name).stub: project.solution(name) for name in ("similarity_matrix", "positional_formula")}
    for command, files in ((in_katas, right),
                           (in_own_folder, {own: notebook(project.solution("positional_formula")).decode("utf-8")})):
        with Watcher(project, command) as watcher:
            assert watcher.until("Waiting for file changes")
            for file, text in files.items():
                verdict = watcher.saved(file, text)
                assert "1 of 1 solved" in verdict
                assert file.name in verdict
                time.sleep(1.0)               # pytest-watcher forgets a save while pytest runs


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_file_that_arrives_in_a_cohort_is_graded(project):
    pytest.importorskip("pytest_watcher")
    pytest.importorskip("jinja2")
    assert for_a_cohort() == "ptw collected --cohort=collected --board=board.html --refresh=10"
    collected, right = project.root / "collected", project.solution("positional_formula")
    collected.mkdir()

    def handed_in(name):
        (collected / name).mkdir()
        (collected / name / "positional_formula.py").write_text(right, encoding="utf-8")

    def as_notebook(name):
        (collected / name).mkdir()
        (collected / name / "positional_formula.ipynb").write_bytes(notebook(right))

    def as_archive(name):
        with zipfile.ZipFile(collected / f"{name}.zip", "w") as archive:
            archive.writestr("positional_formula.py", right)

    with Watcher(project, for_a_cohort()) as watcher:
        assert watcher.until("Waiting for file changes")
        for number, (name, arrives) in enumerate({"ada": handed_in, "bob": as_notebook, "eve": as_archive}.items(), 1):
            start = len(watcher.lines)
            arrives(name)
            printed = watcher.until(f"Cohort: {number} submission", start)
            assert f"1 of 1 graded: {name}" in printed, "".join(watcher.lines)
            assert watcher.until(f"of 2 solved   {name}", start)
            board = (project.root / "board.html").read_text(encoding="utf-8")
            assert all(f"<bdi>{one}</bdi>" in board for one in ("ada", "bob", "eve")[:number])
            time.sleep(1.0)                       # pytest-watcher does not see what arrives while pytest runs
