"""Runs over a cohort that are interrupted or killed, and workers that the kernel kills."""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.project import Project
from tests.isolation.attacks.attack import CHECKS, KATA, RIGHT
from tests.isolation.attacks.run import OF_KATA, left_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes in /proc")

RIGHT_FILE = f"import numpy as np\n{RIGHT}"


@pytest.fixture
def several(tmp_path):
    """A project, and a cohort of eight whose files take a moment each."""
    (tmp_path / "project").mkdir()
    project = Project(tmp_path / "project", KATA)
    for number in range(8):
        path = tmp_path / "cohort" / f"one_{number}" / f"{KATA}.py"
        path.parent.mkdir(parents=True)
        path.write_text(f"# {number}\nimport time\ntime.sleep(0.6)\n{RIGHT_FILE}", encoding="utf-8")   # no twins
    return project


def heed_ctrl_c():
    """What a shell starts in the background ignores it, and hands that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def started(project, *options):
    """A run in the background, in a session of its own, as a terminal would give it."""
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", OF_KATA[KATA], f"--cohort={project.root.parent / 'cohort'}",
         f"--report={project.root.parent / 'report.json'}", *options],
        cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        preexec_fn=heed_ctrl_c,
        env={k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
        | {"PYTHONUNBUFFERED": "1"})


def read_until(run, word, seconds=30):
    """What a run has written up to a word."""
    text, end = "", time.monotonic() + seconds
    while word not in text and time.monotonic() < end:
        line = run.stdout.readline()
        if not line:
            break
        text += line
    return text


def test_an_interrupted_run_goes_on_where_it_was(several, processes):
    run = started(several, *processes)
    read_until(run, "1 of 8 graded")
    os.killpg(run.pid, signal.SIGINT)                    # as Ctrl-C does: everyone in the terminal's group
    output, _ = run.communicate(timeout=60)
    assert "INTERNALERROR" not in output
    assert gone(several.root)
    again = several.run(OF_KATA[KATA], f"--cohort={several.root.parent / 'cohort'}",
                        f"--report={several.root.parent / 'report.json'}", *processes)
    (last,) = re.findall(r"(\d) of \1 graded: ", again.stdout)
    assert 1 <= int(last) <= 7                           # what had been graded is not graded again
    assert again.returncode == 0
    content = json.loads((several.root.parent / "report.json").read_text())
    assert [one["passed"] for one in content["submissions"]] == [CHECKS] * 8


def test_a_run_that_is_killed_leaves_no_worker(several):
    run = started(several)
    read_until(run, "1 of 8 graded")
    run.kill()
    run.communicate(timeout=30)
    assert gone(several.root)


def test_the_board_is_written_while_a_run_goes_on(several, processes):
    pytest.importorskip("jinja2")
    board, end = several.root.parent / "board.html", time.monotonic() + 30
    run = started(several, f"--board={board}", "--refresh=10", *processes)
    while not (board.exists() and board.stat().st_size) and time.monotonic() < end:
        time.sleep(0.05)
    text = board.read_text(encoding="utf-8")
    run.kill()
    run.communicate(timeout=30)
    assert re.search(r"[67] submissions are not graded in full yet\.", text)
    assert '<td class="not-graded"></td>' in text
    assert '<td class="solved">' in text


MARKS = "solved", "passed", "total", "percent", "points", KATA


def marks(project):
    """{learner: their marks} in the gradebook, if there is one."""
    if not (project.root.parent / "marks.csv").exists():
        return {}
    with (project.root.parent / "marks.csv").open(encoding="utf-8", newline="") as file:
        return {row["submission"]: [row[title] for title in MARKS] for row in csv.DictReader(file)}


def test_an_interrupted_run_writes_no_mark_that_a_whole_run_would_not(several, processes):
    book = several.root.parent / "marks.csv"
    processes = (*processes, f"--gradebook={book}")
    wrong = several.root.parent / "cohort" / "one_7" / f"{KATA}.py"
    right = wrong.read_text(encoding="utf-8")
    wrong.write_text("def nothing():\n    return 1\n", encoding="utf-8")
    several.run(OF_KATA[KATA], f"--cohort={several.root.parent / 'cohort'}", *processes)
    assert marks(several)["one_7"][-1] == "0"
    wrong.write_text(right, encoding="utf-8")            # what was kept about the old file is worth nothing now
    whole = ["1", str(CHECKS), str(CHECKS), "100.0", "100.0", str(CHECKS)]
    nothing = [""] * len(MARKS)
    for wait, fresh in ((1.2, []), (2.1, ["--fresh"])):
        book.unlink(missing_ok=True)
        run = started(several, *processes, *fresh)
        time.sleep(wait)
        os.killpg(run.pid, signal.SIGINT)
        run.communicate(timeout=60)
        assert all(found in (whole, nothing) for found in marks(several).values())
    several.run(OF_KATA[KATA], f"--cohort={several.root.parent / 'cohort'}", *processes)
    assert set(map(tuple, marks(several).values())) == {tuple(whole)}


def gone(root, seconds=10):
    """Whether all workers of a project end soon."""
    end = time.monotonic() + seconds
    while left_processes(root) and time.monotonic() < end:
        time.sleep(0.05)
    return not left_processes(root)


@pytest.mark.parametrize("whose", [lambda process: process, lambda process: parent(process)],
                         ids=["the worker", "the process that forks"])
def test_what_the_kernel_kills_costs_nothing(several, whose):
    cohort = several.root.parent / "cohort"
    for path in cohort.iterdir():
        (path / f"{KATA}.py").write_text(RIGHT_FILE)
    slow = RIGHT_FILE + "\nimport time\n_table = positional_encoding\n" + (
        "def positional_encoding(*args, **kwargs):\n"
        "    time.sleep(0.06)\n    return _table(*args, **kwargs)\n")
    (cohort / "one_0" / f"{KATA}.py").write_text(slow)
    run = started(several)
    killed, end = None, time.monotonic() + 20
    while killed is None and time.monotonic() < end:
        seen = worker_of(several.root)
        time.sleep(0.3)                                  # by then the others are at their next file
        killed = seen if seen is not None and seen == worker_of(several.root) else None
    os.kill(whose(killed), signal.SIGKILL)                      # what the kernel does to who uses too much
    run.communicate(timeout=60)
    content = json.loads((several.root.parent / "report.json").read_text())
    assert [one["passed"] for one in content["submissions"]] == [CHECKS] * 8
    assert gone(several.root)


def worker_of(root):
    """One of the project's workers: one whose parent runs the same program."""
    found = left_processes(root)
    return next((one for one in found if parent(one) in found), None)


def parent(process):
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None
