"""What shows how far a run over a cohort is: the line in a terminal or a log file, and the board meanwhile."""
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.cohort import progress
from grader.cohort.progress import Live, Progress, duration, fitting


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test moves it."""
    moved = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: moved.now))
    return moved


@pytest.fixture
def log(clock):
    """The lines in a log file, and the Progress of four submissions with two files each."""
    lines = []
    terminal = SimpleNamespace(isatty=False, write_line=lines.append)
    config = SimpleNamespace(pluginmanager=SimpleNamespace(get_plugin=lambda _: terminal))
    run = Progress(config)
    run.expect((name, kata) for name in ("ada", "bob", "eve", "zoe") for kata in ("skewing", "yarn"))
    return SimpleNamespace(lines=lines, run=run)


def graded(log, clock, name, seconds):
    """Both files of a learner are graded, each in so many seconds."""
    for kata in ("skewing", "yarn"):
        log.run.started("node", name, kata)
        clock.now += seconds
        log.run.graded(name, kata)


def test_a_log_file_gets_a_line_for_each_submission_with_the_time_left(log, clock):
    for name in ("ada", "bob", "eve", "zoe"):
        graded(log, clock, name, 5)
    assert log.lines == [
        "  1 of 4 graded: ada, about 30 s left", "  2 of 4 graded: bob, about 20 s left",
        "  3 of 4 graded: eve, about 10 s left", "  4 of 4 graded: zoe"]


def test_lines_of_a_fast_run_are_left_out_but_not_the_last(log, clock):
    for name in ("ada", "bob", "eve", "zoe"):
        graded(log, clock, name, 0.1)
    assert [line.partition(",")[0] for line in log.lines] == ["  1 of 4 graded: ada", "  4 of 4 graded: zoe"]


def test_a_kata_is_pending_until_it_is_graded(log, clock):
    assert log.run.is_pending("ada", "skewing")
    graded(log, clock, "ada", 1)
    assert not log.run.is_pending("ada", "skewing")
    assert log.run.is_pending("bob", "skewing")
    assert not log.run.is_pending("an earlier run has graded it", "skewing")
    assert Progress(None).is_pending("ada", "skewing")             # nothing has been collected


@pytest.mark.parametrize(("seconds", "words"), [
    (0.2, "1 s"), (41.6, "42 s"), (90, "2 min"), (3600, "60 min"), (9000, "2.5 h")])
def test_a_duration_is_said_in_one_unit(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(("line", "seen"), [
    ("graded", "graded"), ("0123456789", "0123456789"), ("0123456789a", "0123456..."),
    ("\u674e\u660e\u674e\u660e\u674e", "\u674e\u660e\u674e\u660e\u674e"),
    ("\u674e\u660e\u674e\u660e\u674e\u660e", "\u674e\u660e\u674e..."),      # these are two columns wide
])
def test_a_line_that_is_too_long_for_a_terminal_ends_in_dots(line, seen):
    assert fitting(line, 10) == seen


@pytest.mark.parametrize(("seconds", "pause"), [(0.01, 5), (1.0, 19), (10.0, 190)])
def test_a_board_is_written_again_after_some_seconds_and_takes_a_twentieth_of_the_time(clock, seconds, pause):
    written = []

    def write():
        written.append(clock.now)
        clock.now += seconds

    live = Live(write)
    live.graded()
    clock.now += pause - 0.1
    live.graded()
    assert written == [1000.0]
    clock.now += 0.1
    live.graded()
    assert len(written) == 2


def test_boards_that_take_longer_and_longer_are_written_less_often(clock):
    seconds = []

    def write():
        seconds.append(len(seconds) + 1)
        clock.now += seconds[-1]

    live = Live(write)
    for _ in range(10_000):
        live.graded()
        clock.now += 1
    assert len(seconds) > 5
    assert sum(seconds) <= 0.06 * (clock.now - 1000)


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_terminal_has_one_line_that_says_whose_file_is_graded(project, tmp_path):
    pty = pytest.importorskip("pty")
    for name in ("ada", "bob"):
        (tmp_path / "collected" / name).mkdir(parents=True)
        (tmp_path / "collected" / name / "positional_formula.py").write_text(
            project.solution("positional_formula") + f"# {name}\n", encoding="utf-8")
    ours, theirs = pty.openpty()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON", "KATAS"))}
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:xdist", f"--cohort={tmp_path / 'collected'}", "21"],
        cwd=project.root, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=kept | {"COLUMNS": "100"})
    os.close(theirs)
    printed = b""
    while piece := read(ours):
        printed += piece
    os.close(ours)
    assert run.wait(timeout=60) == 0
    before, _, after = printed.decode("utf-8").partition("Cohort: 2 submissions")
    (line,) = [line for line in before.split("\n") if " graded" in line]
    seen = [one.rstrip() for one in line.split("\r") if one.strip()]
    assert seen[0] == "  0 of 2 graded. Now: ada (positional_formula)"
    assert seen[-1] == "  2 of 2 graded"
    assert "20/20" in after


def read(terminal):
    """What a terminal shows next; nothing when nobody writes to it any more."""
    try:
        return os.read(terminal, 4096)
    except OSError:                       # how Linux says so
        return b""
