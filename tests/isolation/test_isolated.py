"""A submission in a process of its own: one question at a time, and arguments whose bytes are looked at afterwards."""
import errno
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader.calling.answers import NotGraded
from grader.calling.in_process import InProcess
from grader.calling.limits import Limits
from grader.calling.memory import traced
from grader.calling.source import Source
from grader.course.katas import ROOT, all_katas
from grader.isolation.isolated import IsolatedFile
from grader.run.session import Session
from tests.helpers.harness import handed_in


def test_a_changed_argument_is_seen_whatever_the_code_says(written):
    submission = written("def double(x):\n    x *= 2\n    return x.copy()")
    for array in np.arange(3.0), np.arange(4.0) + 10, np.array([[7]]), np.arange(6.0)[::2]:
        answer = submission.ask("double", (array.copy(),))
        np.testing.assert_array_equal(answer.value, 2 * array)
        assert answer.touched == (0,)


@pytest.mark.parametrize("code", [
    "config['base'] = 7.0", "config.pop('base')", "config['scaling']['factor'] = 3.0", "config['new'] = 1",
    "config['scaling'] = dict(config['scaling'], type='other')", "weights['a.weight'] += 1",
    "weights['a.weight'] = weights['a.weight'] * 2", "weights['deep']['b'][0] = 5", "del weights['deep']"])
def test_a_changed_dict_is_seen_and_the_next_call_gets_another_one(written, tmp_path, code):
    source = f"def value(config, weights):\n    {code}\n    return config['scaling']['factor']"
    config = {"base": 10.0, "scaling": {"factor": 2.0, "type": "linear"}, "none": None}
    weights = {"a.weight": np.ones((2, 3)), "deep": {"b": np.arange(3)}}
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    place = int("weights[" in code or "del" in code)
    for submission in written(source), InProcess(tmp_path / "own.py"):
        assert submission.ask("value", (config, weights)).touched == (place,)
        assert submission.ask("value", (), {"config": config, "weights": weights}).touched == (
            ("config", "weights")[place],)
    assert config == {"base": 10.0, "scaling": {"factor": 2.0, "type": "linear"}, "none": None}
    assert list(weights) == ["a.weight", "deep"]
    assert (weights["a.weight"] == 1).all()
    assert (weights["deep"]["b"] == [0, 1, 2]).all()


def test_a_dict_that_is_only_read_is_unchanged_and_copied_with_its_arrays(written):
    submission = written("""
def total(config, weights):
    own = {**config, "scaling": dict(config["scaling"] or {}, factor=9.0)}
    weights = {name: w + 1 for name, w in weights.items()}
    return own["scaling"]["factor"] + sum(w.sum() for w in weights.values())""")
    view = np.arange(12.0, dtype=np.float32).reshape(3, 4)[:, ::2]
    answer = submission.ask("total", ({"scaling": {"factor": 1.0}}, {"w": view}))
    assert (answer.value, answer.touched, type(answer.value)) == (45.0, (), np.float32)


@pytest.mark.parametrize(("second", "outcome"), [
    ("import os; os._exit(0)", "crashed"), ("import time; time.sleep(60)", "timeout"),
    ("return [0] * 10**9", "raised")])
def test_after_a_call_that_fails_the_next_one_is_answered(written, second, outcome):
    submission = written(f"def one(): print('once'); return 1\ndef two():\n    {second}")
    assert (submission.ask("one").value, submission.ask("one").printed) == (1, "once\n")
    submission.timeouts["two"] = 1                             # so it is not asked once more
    assert (answer := submission.ask("two")).outcome == outcome
    assert answer.printed == ""
    assert submission.ask("one").value == 1


def test_a_question_does_not_hold_what_will_be_asked_next(written):
    submission = written("seen = []\ndef one(x):\n    seen.append(x)\n    return len(seen)")
    assert [submission.ask("one", (x,)).value for x in (1, 2, 3)] == [1, 2, 3]


@pytest.fixture
def two(tmp_path):
    """A function that asks for the submission of one of two katas, as a run does."""
    katas = all_katas()[:2]
    for kata in katas:
        (tmp_path / f"{kata.name}.py").write_text("def one():\n    return 1", encoding="utf-8")
    session = Session(SimpleNamespace(
        solutions=False, work=None, isolated=True, seed=0, limits=Limits(kata=50.0)), handed_in(tmp_path, *katas))
    yield lambda number: session.asked(katas[number])._submission
    session.close()


def test_the_process_of_a_kata_ends_when_another_kata_is_asked(two):
    first, second = two(0), two(1)
    for number, own, other in ((0, first, second), (1, second, first), (0, first, second)):
        assert two(number).ask("one").value == 1
        assert own.worker is not None
        assert other.worker is None


def test_each_kata_has_time_of_its_own(two):
    two(0).left = 0.0
    answer = two(0).ask("one")
    assert (answer.outcome, answer.message) == ("timeout", "the calls for this kata have used all of its time")
    assert two(1).left == 50.0
    assert two(1).ask("one").value == 1


TEXT = "def one():\n    return 'ä'\n"
NUL = "the file contains NUL bytes: it is not a text, or it is saved as UTF-16. Save it as UTF-8"
SAVED = {
    "utf-16": "the file is saved as UTF-16. Save it as UTF-8",
    "utf-32": "the file is saved as UTF-32. Save it as UTF-8",
    "utf-16-le": NUL, "latin-1": "line 2 is not in UTF-8. Save the file as UTF-8",
}


@pytest.mark.parametrize("encoding", SAVED)
def test_a_file_that_is_not_saved_as_utf_8_is_said_to_be_so(written, encoding):
    isolated = written(TEXT.encode(encoding))
    for answer in isolated.ask("one"), InProcess(isolated.path).ask("one"):
        assert (answer.outcome, answer.message) == ("broken", SAVED[encoding])


@pytest.mark.parametrize("content", [TEXT.encode("utf-8-sig"), f"# coding: latin-1\n{TEXT}".encode("latin-1")])
def test_a_file_that_names_its_encoding_is_read(written, content):
    isolated = written(content)
    assert isolated.ask("one").value == InProcess(isolated.path).ask("one").value == "ä"


HELD = {
    "in itself": "take()",
    "in a child": "if os.fork() == 0:\n        take()\n        os._exit(0)\n    os.wait()",
    "in a thread": "thread = threading.Thread(target=take)\n    thread.start()\n    thread.join()",
    "in memory from before": "global ballast\n    ballast = None\n    take()\n    ballast = np.ones(2**26, np.int8)",
    "in memory that is used again": "global ballast\n    ballast[:] = 2",
    "in secret": "import tracemalloc\n    tracemalloc.get_traced_memory = lambda: (0, 0)\n    take()",
}


@pytest.mark.skipif(sys.platform != "linux", reason="others do not say what a process has held")
@pytest.mark.parametrize("where", HELD)
def test_memory_that_a_call_needs_is_counted_wherever_it_is(written, where):
    submission = written(f"""
import os, threading
import numpy as np
ballast = {"np.ones(2**26, np.int8)" if "memory" in where else "None"}
def take():
    np.ones(2**26, np.int8)
def hungry():
    {HELD[where]}
    return 1
""")
    with traced():
        assert submission.ask("hungry").peak > 2**25


def test_modules_that_a_file_imports_are_not_counted(written):
    submission = written("import asyncio, sqlite3, unittest.mock, numpy.testing, http.server, xml.dom.minidom\n"
                         "def modest():\n    return 1")
    with traced():
        assert submission.ask("modest").peak < 2**20


def test_a_question_that_the_worker_does_not_read_takes_no_more_than_the_time_that_is_left(written, monkeypatch):
    submission = written("def one():\n    return 1")
    assert submission.ask("one").value == 1
    waits = []

    def sendall(content):
        raise TimeoutError

    monkeypatch.setattr(submission.worker, "calls", SimpleNamespace(
        settimeout=waits.append, sendall=sendall, close=submission.worker.calls.close))
    submission.left = 0.5                                      # a call may take 2 seconds
    submission.timeouts["one"] = 1                             # so it is not asked once more
    assert submission.ask("one").outcome == "timeout"
    assert [0 < wait <= 0.5 for wait in waits] == [True]


ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from grader.calling.in_process import InProcess
from grader.calling.limits import Limits
from grader.isolation.fork_server import fork_server
from grader.isolation.isolated import IsolatedFile
path = Path(sys.argv[2])
isolated = IsolatedFile(path, Limits(call=2.0, kata=6.0))
"""


@pytest.fixture
def run(tmp_path):
    """A function that runs a program which asks a file, and returns what it printed."""
    def run(python, code, program):
        (tmp_path / "code.py").write_text(code, encoding="utf-8")
        result = subprocess.run([python, "-c", ASK + program + "isolated.end()", ROOT, tmp_path / "code.py"],
                                capture_output=True, text=True, timeout=60, check=False)
        assert result.stderr == ""
        return result.stdout.splitlines()
    return run


def test_numpy_loads_its_parts_late_where_python_is_reached_through_a_link(run, tmp_path):
    (tmp_path / "link").symlink_to(sys.prefix)
    python = tmp_path / "link" / Path(sys.executable).relative_to(sys.prefix)
    code = "def late():\n    import numpy.ma, sqlite3"
    assert run(python, code, "print(isolated.ask('late').outcome)\n") == ["returned"]


PAUSED = """
import os, subprocess
from concurrent.futures import ThreadPoolExecutor
both = isolated, InProcess(path, 2.0)
for submission in both:
    submission.timeouts.update(slow=1, idle=1)     # so they are not asked once more
    submission.ask("quick")
all_of_us = f"{os.getpid()} {fork_server().process.pid} {isolated.worker.process}"
subprocess.Popen(["sh", "-c", f"sleep 0.1; kill -STOP {all_of_us}; sleep 2.5; kill -CONT {all_of_us}"])
with ThreadPoolExecutor() as pool:
    print(*pool.map(lambda submission: [submission.ask(name).outcome for name in ("slow", "idle")], both))
"""


def test_a_pause_of_the_grader_counts_for_nobody(run):
    code = ("import time\ndef quick(): return 1\n"
            "def slow():\n    end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n"
            "def idle():\n    while True: time.sleep(0.05)\n")
    assert run(sys.executable, code, PAUSED) == ["['returned', 'timeout'] ['returned', 'timeout']"]


def test_a_lone_timeout_is_asked_once_more_before_it_counts(written, monkeypatch):
    submission, late, reply = written("def one(): return 1"), [True, False, True, True], IsolatedFile.reply

    def sometimes_late(*args):
        if late.pop(0):
            raise TimeoutError
        return reply(*args)

    monkeypatch.setattr(IsolatedFile, "reply", sometimes_late)
    assert [submission.ask("one").outcome for _ in range(2)] == ["returned", "timeout"]
    assert submission.timeouts["one"] == 1


def test_every_worker_of_a_file_gets_the_code_that_was_read_first(written):
    submission = written("import os\ndef one(): return 1\ndef end(): os._exit(0)")
    assert submission.ask("one").value == 1
    submission.path.write_text("def one(): return 2", encoding="utf-8")
    assert submission.ask("end").outcome == "crashed"
    assert submission.ask("one").value == 1


@pytest.mark.parametrize("refusing", ["frames.select.select", "fork_server.os.chmod"])
def test_what_the_system_refuses_is_no_answer(written, monkeypatch, refusing):
    def refuse(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    submission = written("def one(x): return 1")
    monkeypatch.setattr(f"grader.isolation.{refusing}", refuse)
    with pytest.raises(NotGraded, match="No space left on device"):
        submission.ask("one", (np.ones(3),))
    monkeypatch.undo()
    with pytest.raises(NotGraded):                             # the file has no mark, so nothing more is asked
        submission.ask("one")


def test_a_worker_that_cannot_write_its_file_is_no_answer():
    source = Source(b"def one(): return 1")
    submission = IsolatedFile(Path("x" * 300 + ".py"), Limits(), source=source)
    with pytest.raises(NotGraded, match="File name too long"):
        submission.ask("one")


@pytest.mark.parametrize("short", [True, False])
def test_memory_that_the_system_lacks_is_no_answer(written, monkeypatch, short):
    def refuse(*args):
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    submission = written("def one(): return 1")
    monkeypatch.setattr("grader.isolation.values.unpacked", lambda *args: [0] * 2**60)
    if not short:
        assert submission.ask("one").outcome == "crashed"
        return
    monkeypatch.setattr("grader.calling.memory.mmap.mmap", refuse)
    with pytest.raises(NotGraded, match="no memory left"):
        submission.ask("one")
