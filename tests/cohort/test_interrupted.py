"""Runs over a cohort that are interrupted or killed: no mark is wrong, no worker stays, and the next run continues."""
import csv
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from tests.helpers.handed_in import laid_out
from tests.isolation.attacks.attack import CHECKS, KATA, RIGHT
from tests.isolation.attacks.run import OF_KATA, left_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes in /proc")

NAMES = [f"one_{number}" for number in range(6)]
SLOW = {name: f"# {name}\nimport time\ntime.sleep(0.4)\n{RIGHT}" for name in NAMES}        # no twins
MARKS = "solved", "passed", "total", "percent", "points", KATA
WHOLE, NOTHING = ["1", str(CHECKS), str(CHECKS), "100.0", "100.0", str(CHECKS)], [""] * len(MARKS)


@pytest.fixture
def several(project_with, tmp_path, processes):
    """A cohort whose files take a moment each."""
    return Several(project_with(KATA), tmp_path, processes)


class Several:
    """A cohort in a folder, and runs over it."""

    def __init__(self, project, root, processes):
        self.project, self.root, self.book = project, root, root / "marks.csv"
        self.command = OF_KATA[KATA], f"--cohort={root / 'cohort'}", f"--gradebook={self.book}", *processes

    def hand_in(self, texts):
        laid_out(self.root / "cohort", {f"{name}/{KATA}.py": text for name, text in texts.items()})

    def marks(self):
        """{learner: their marks} in the gradebook, if there is one."""
        if not self.book.exists():
            return {}
        with self.book.open(encoding="utf-8", newline="") as file:
            return {row["submission"]: [row[title] for title in MARKS] for row in csv.DictReader(file)}

    def started(self, *options):
        """A run in the background, in a session of its own, as a terminal would give it."""
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", *self.command, *options], cwd=self.project.root,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),      # in the background it is ignored
            env={k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
            | {"PYTHONUNBUFFERED": "1"})

    def interrupted(self, *options):
        """What a run prints that is interrupted when it has graded one file."""
        run = self.started(*options)
        before = next(line for line in run.stdout if f"1 of {len(NAMES)} graded" in line)
        os.killpg(run.pid, signal.SIGINT)                # as Ctrl-C does: everyone in the terminal's group
        return before + run.communicate(timeout=60)[0]

    def are_workers_gone(self):
        """Whether all workers end soon."""
        end = time.monotonic() + 10
        while left_processes(self.project.root) and time.monotonic() < end:
            time.sleep(0.05)
        return not left_processes(self.project.root)


def test_an_interrupted_run_writes_no_mark_that_a_whole_run_would_not_and_the_next_goes_on_where_it_was(several):
    several.hand_in({NAMES[-1]: "def nothing():\n    return 1\n"})
    several.project.run(*several.command)
    assert several.marks()[NAMES[-1]][-1] == "0"
    several.hand_in(SLOW)                                # what was kept about the old file is worth nothing now
    for options in ((), ("--fresh",)):
        several.book.unlink(missing_ok=True)
        assert "INTERNALERROR" not in several.interrupted(*options)
        assert several.are_workers_gone()
        assert all(found in (WHOLE, NOTHING) for found in several.marks().values())
    again = several.project.run(*several.command)
    (last,) = re.findall(r"(\d) of \1 graded: ", again.stdout)
    assert 1 <= int(last) < len(NAMES)                   # what had been graded is not graded again
    assert again.returncode == 0
    assert several.marks() == dict.fromkeys(NAMES, WHOLE)


def test_the_board_is_written_while_a_run_goes_on_and_who_kills_the_run_leaves_no_worker(several):
    pytest.importorskip("jinja2")
    several.hand_in(SLOW)
    board, end = several.root / "board.html", time.monotonic() + 30
    run = several.started(f"--board={board}", "--refresh=10")
    while not (board.exists() and board.stat().st_size) and time.monotonic() < end:
        time.sleep(0.05)
    text = board.read_text(encoding="utf-8")
    run.kill()
    run.communicate(timeout=30)
    assert re.search(r"[45] submissions are not graded in full yet\.", text)
    assert '<td class="not-graded"></td>' in text
    assert '<td class="solved">' in text
    assert several.are_workers_gone()
