"""The process that runs learners' code: `python -I worker.py FD`, started by grader/isolation/fork_server.py, asked by
grader/isolation/isolated.py.

It imports NumPy once and hides what can be hidden. Then it forks a worker for every file. The worker gives up its
rights, loads the file and answers calls. When the grader closes the connection, this process ends the worker. Nothing
secret ever comes here: no suite, no reference, no expected value.
"""
import contextlib
import gc
import importlib
import json
import os
import pickle
import select
import signal
import socket
import sys
import time
import tracemalloc
from pathlib import Path
from types import FunctionType
from typing import Any, NoReturn

# `sandbox.hide` shows folders at their real paths only; NumPy loads some of its parts when they are first used.
sys.path.extend([os.path.realpath(sys.path.pop(0)) for _ in sys.path.copy()])
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from grader.calling.answers import Answer, answered, failed
from grader.calling.arguments import Copies
from grader.calling.limits import MEBIBYTE
from grader.calling.loading import LoadError
from grader.calling.recorder import Recorder
from grader.calling.recording import Recorded
from grader.isolation import frames, sandbox, stand_ins, values

sys.path.pop(0)
for part in "fft", "linalg", "random":    # once for all workers
    importlib.import_module(f"numpy.{part}")
QUESTION = 2**31                          # the grader may send as much as it likes
IMPORTS = 4 * MEBIBYTE                    # that a file may need for modules that it imports


# The process that forks

def serve(channel: socket.socket) -> None:
    """Say what is hidden, then fork a worker for every request until the grader goes away."""
    in_use, resident = sandbox.memory_in_use()
    sandbox.give_back_memory()
    hidden = sandbox.hide()
    another_user = sandbox.python_is_for_all()
    sandbox.forbid_new_privileges()
    streams: list[Any] = [sys.stdout, sys.stderr]
    for stream in streams:
        stream.reconfigure(errors="backslashreplace", line_buffering=True)
    workers = Workers(channel, resident)
    channel.sendall(frames.as_json({"hidden": hidden}))
    gc.freeze()                           # otherwise, garbage collection in a worker would copy it all
    while True:
        data, ends = workers.next_request()
        if not data:                      # the grader has gone away
            break
        request = json.loads(data)
        request["limits"]["memory"] += in_use
        request["hidden"] = "filesystem" in hidden
        request["user"] = request["user"] if another_user else None
        workers.spawn(request, *ends)
    for number in list(workers.lines):
        workers.end(number)


class Workers:
    """The workers of a grader, each with a connection to the grader, who closes it to end the worker."""

    def __init__(self, channel: socket.socket, resident: int) -> None:
        self.channel = channel
        self.allowed = resident + IMPORTS                      # bytes that a worker holds before it is asked
        # number -> (line, whether what it starts ends with it, CPU seconds allowed)
        self.lines: dict[int, tuple[socket.socket, bool, float]] = {}
        self.news, self.bell = socket.socketpair()             # rings when a process has ended
        self.bell.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.bell.fileno())
        sandbox.become_subreaper()

    def next_request(self) -> tuple[bytes, list[int]]:
        """What the grader sends next, and the file descriptors with it; until then, end who is to be ended."""
        while True:
            ready, _, _ = select.select([self.channel, self.news, *(line for line, *_ in self.lines.values())], [], [])
            if self.news in ready:
                self.news.recv(4096)
            for number in [n for n, (line, *_) in self.lines.items() if line in ready or ended(n)]:
                self.end(number)
            if self.channel in ready:
                data, ends, *_ = socket.recv_fds(self.channel, 1 << 16, 3)
                return data, ends

    def spawn(self, request: dict[str, Any], control: int, *ends: int) -> None:
        """Fork a worker, and tell the grader its number once it has its file, or what the system refuses."""
        line = socket.socket(fileno=control)
        number, refusal, (told, tell) = None, "", os.pipe()
        try:
            number, enclosed = sandbox.fork()
        except OSError as error:
            refusal = str(error)
        if number == 0:
            self.close_inherited_fds((*ends, tell))
            work(request, enclosed, tell, *ends)
        for end in (*ends, tell):
            os.close(end)
        if number is not None:
            self.lines[number] = line, enclosed, request["limits"]["kata"]
            refusal = os.read(told, 1000).decode()             # nothing, when the worker closes its end
        os.close(told)
        with contextlib.suppress(OSError):
            line.sendall(frames.as_json({"worker": number, "refusal": refusal}))

    def close_inherited_fds(self, kept: tuple[int, ...]) -> None:
        """In a worker: close all that is not its own, such as the lines to others."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        start = 3
        for number in sorted(kept):
            os.closerange(start, number)
            start = number + 1
        os.closerange(start, start + 1000)

    def end(self, number: int) -> None:
        """End a worker and what it has left behind; say whether somebody else has killed it and what it has held."""
        line, enclosed, seconds = self.lines.pop(number)
        killed, held = enclosed and ended(number), 0           # code cannot kill the first process of its namespace
        with contextlib.suppress(OSError):
            os.kill(number, signal.SIGKILL)
        if not enclosed:                  # otherwise they end with the worker
            deadline = time.monotonic() + 5
            with contextlib.suppress(OSError):
                os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)           # what it has left is ours only then
            others = {number, *self.lines}
            while time.monotonic() < deadline and (left := children_of(os.getpid()) - others):
                for process in left:
                    with contextlib.suppress(OSError):
                        os.kill(process, signal.SIGKILL)
                        os.waitpid(process, 0)
        with contextlib.suppress(OSError):
            _, status, used = os.wait4(number, 0)
            killed &= status == signal.SIGKILL and used.ru_utime + used.ru_stime < seconds     # the limit kills, too
            if sys.platform == "linux":                        # others count in other units
                held = max(used.ru_maxrss * 1024 - self.allowed, 0)
        with contextlib.suppress(OSError):
            line.sendall(frames.as_json({"killed": killed, "held": held}))
        line.close()


def ended(process: int) -> bool:
    """Whether a process of ours has ended; it still waits to be let go."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def children_of(parent: int) -> set[int]:
    """The processes whose parent this one is, by birth or because their own has ended."""
    try:
        return set(map(int, Path(f"/proc/self/task/{parent}/children").read_text().split()))
    except OSError:
        return set()


# The worker proper

def work(request: dict[str, Any], enclosed: bool, tell: int, calls: int, output: int) -> NoReturn:
    """Load the file and answer calls until the grader has no more; never returns.

    What the system refuses goes to `tell`, which is closed before the file is loaded: it cannot pretend a refusal.
    """
    status, told = 1, False
    try:
        link = socket.socket(fileno=calls)
        os.dup2(output, 1)                # one place for all that is written; there is nothing to read
        os.dup2(output, 2)
        os.close(output)
        folder = request["folder"]
        if request["hidden"] and enclosed:                     # else it would be mounted for the whole system
            folder = sandbox.work_folder(folder)
        path = Path(folder, request["name"])
        _, source, _ = frames.receive(link, QUESTION)
        path.write_bytes(source)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update({"HOME": folder, "TMPDIR": folder, "PATH": "/nowhere", "LANG": "C.UTF-8"})
        sys.argv = [str(path)]
        sandbox.drop_privileges(request["limits"], request["user"])
        os.close(tell)
        told = True
        answer_calls(link, path, bytes(source), request["recorded"])
        status = 0
    except BaseException as error:
        if not told:                      # otherwise, nobody is left to report it to
            os.write(tell, f"{type(error).__name__}: {error}".encode()[:1000])
    finally:
        os._exit(status)


def answer_calls(calls: socket.socket, path: Path, source: bytes, recorded: tuple[str, ...] | None) -> None:
    """Say how loading went, then answer one call after the other."""
    recorder = None if recorded is None else Recorder(recorded)
    try:
        module = stand_ins.load(path, source, recorder)
    except LoadError as error:
        calls.sendall(frames.as_json({"outcome": "broken", "message": str(error)[: values.LONGEST_STRING]}))
        return
    functions = [n for n, v in vars(module).items() if isinstance(v, FunctionType) and not n.startswith("_")][:50]
    calls.sendall(frames.as_json({"outcome": "loaded", "functions": [f[:80] for f in functions]}))
    while True:
        try:
            number, question, _ = frames.receive(calls, QUESTION)
        except (EOFError, ConnectionError):
            return
        function, args, kwargs, tracing = pickle.loads(question)               # it comes from the grader
        if tracing:                       # it is the only question to this worker
            tracemalloc.start()
        if recorder is None:
            message, content = values.packed_answer(answer(module, function, args, kwargs, path))
        else:
            copies = Copies(args, kwargs)
            recording = Recorded(path, module, recorder).call(function, copies.args, copies.kwargs)
            parts: list[bytes] = []
            message = {"value": values.packed(recording and recording.plain(), parts)}
            content = b"".join(parts)
        calls.sendall(frames.as_json(message, content, number))


def answer(module: Any, function: str, args: tuple, kwargs: dict[str, Any], path: Path) -> Answer:
    """The Answer of a call, whatever it raises."""
    target = getattr(module, function, None)
    if not callable(target):
        return Answer("missing")
    try:
        return answered(target, args, kwargs, path)
    except BaseException as error:
        return failed(error, path)


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
