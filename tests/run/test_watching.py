"""`--watch` as its users have it: a file is saved or handed in, and what is new is graded, until Ctrl-C."""
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile

import pytest

from grader.calling.limits import CAN_ISOLATE
from tests.helpers.notebook import notebook

SECONDS = 30                  # on a busy machine; it takes about one
WAITING = "This command runs again when you save a file."
LOOP = "def frequencies(d_model, base=10000.0):\n    while True:\n        pass\n"


class Watcher:
    """A `pytest --watch` whose lines are read as they come."""

    def __init__(self, project, *arguments):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON", "KATAS"))}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pytest", "--watch", *arguments], cwd=project.root, text=True, encoding="utf-8",
            env=kept | {"PYTHONUNBUFFERED": "1"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, errors="backslashreplace", start_new_session=True)
        self.lines, self.read = [], 0
        threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True).start()

    def until(self, words):
        """The lines since the last ones, up to one with these words."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            for place, line in enumerate(self.lines[self.read:], self.read):
                if words in line:
                    lines, self.read = self.lines[self.read:place + 1], place + 1
                    return "".join(lines)
            time.sleep(0.05)
        raise AssertionError("".join(self.lines))

    def processes(self):
        """The processes of the session that it has started."""
        found = subprocess.run(["ps", "-o", "pid=", "-s", str(self.process.pid)], capture_output=True, text=True)
        return found.stdout.split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGINT)            # as a terminal does
        self.process.wait(timeout=10)
        assert self.processes() == []


@pytest.fixture
def right(project):
    return project.solution("positional_formula")


def test_whatever_is_saved_is_graded_at_once_however_an_editor_saves_it(project, right):
    file = project.kata("positional_formula").stub
    with Watcher(project, "21") as watcher:
        assert "0 of 1 solved" in watcher.until(WAITING)
        file.write_text(right.replace("np.sin", "np.cos"), encoding="utf-8")          # in place
        printed = watcher.until(WAITING)
        assert "[only_cosines, task 2]" in printed
        assert "Task 1 is solved.\nNext:   task 2" in printed
        file.write_text("def frequencies(:\n", encoding="utf-8")
        assert "SyntaxError in line 1" in watcher.until(WAITING)
        file.write_text(LOOP, encoding="utf-8")
        time.sleep(2.0)                                       # the loop runs now, with 10 seconds for each call
        other = file.with_name("other.tmp")
        other.write_text(right, encoding="utf-8")
        start = time.monotonic()
        os.replace(other, file)                               # as editors do that keep a copy
        assert "All selected katas are solved." in watcher.until(WAITING)
        assert time.monotonic() - start < 8.0
        assert len(watcher.processes()) == 1
        before = os.times().children_user
        used = time.process_time()
        time.sleep(1.0)
        assert time.process_time() - used + os.times().children_user - before < 0.5


def test_of_two_saves_during_one_run_the_last_is_graded(project, right):
    file = project.kata("positional_formula").stub
    with Watcher(project, "21") as watcher:
        watcher.until(WAITING)
        for text in (LOOP, right.replace("np.sin", "np.cos"), right):
            file.write_text(text, encoding="utf-8")
            time.sleep(0.6)
        while "1 of 1 solved" not in watcher.until(WAITING):
            pass


def test_notebooks_in_a_folder_of_ones_own_are_watched_and_the_one_that_is_saved_is_graded(project, right):
    project.run("--start=../my-katas", "--notebooks")
    own = project.root.parent / "my-katas" / "positional_formula.ipynb"
    with Watcher(project, "--work=../my-katas") as watcher:
        assert "0 of 2 solved" in watcher.until(WAITING)
        own.write_bytes(notebook(right))
        printed = watcher.until(WAITING)
        assert "1 of 1 solved" in printed
        assert own.name in printed


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_file_that_arrives_in_a_cohort_is_graded_and_what_the_run_writes_starts_no_other(project, right):
    pytest.importorskip("jinja2")
    collected = project.root / "collected"
    (collected / "ada").mkdir(parents=True)
    (collected / "ada" / "positional_formula.py").write_text(right, encoding="utf-8")
    board = collected / "board.html"
    with Watcher(project, "--cohort=collected", f"--board={board}", "--refresh=10") as watcher:
        assert "Cohort: 1 submission" in watcher.until(WAITING)
        with zipfile.ZipFile(collected / "eve.zip", "w") as archive:
            archive.writestr("positional_formula.py", right)
        printed = watcher.until(WAITING)
        assert "1 of 1 graded: eve" in printed
        assert all(f"<bdi>{one}</bdi>" in board.read_text(encoding="utf-8") for one in ("ada", "eve"))
        time.sleep(1.5)
        assert len(watcher.processes()) == 1
