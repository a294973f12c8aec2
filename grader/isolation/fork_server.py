"""The grader's side of the processes that run learners' code: started once, forked for every file, ended for good."""
from __future__ import annotations

import atexit
import contextlib
import functools
import json
import mmap
import os
import select
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.calling.limits import MEBIBYTE, Clock, Limits
from grader.isolation import frames

FIRST_USER = 61_000                       # an unused user number; + 0 to 999, so that graders do not share limits
KEPT_OUTPUT = 64 * 1024
READS_AT_ONCE = 64
BETWEEN_LOOKS = 0.1                       # seconds
QUIET = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "LANG": "C.UTF-8"}
STEERS_NUMPY = ("OPENBLAS_", "OMP_NUM_THREADS", "MKL_", "NPY_")      # how the names of such variables begin

NOT_STARTED = (OSError, EOFError, frames.Malformed)


class TooMuchMemory(Exception):
    """The processes of a worker hold more together than they may."""


class ForkServer:
    """The process that workers are forked from, started once per run."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        arguments = [sys.executable, "-I", str(Path(__file__).with_name("worker.py")), str(theirs.fileno())]
        same_numpy = {name: value for name, value in os.environ.items() if name.startswith(STEERS_NUMPY)}
        self.process = subprocess.Popen(
            arguments, pass_fds=[theirs.fileno()], env=QUIET | same_numpy, cwd="/", stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        theirs.close()
        self.channel = ours
        message = frames.message_in(frames.receive(ours, 10_000, Clock(60))[1])
        self.protections = ["process", "memory", *message["hidden"]]

    def close(self) -> None:
        self.channel.close()
        self.process.wait(10)


@functools.cache
def fork_server() -> ForkServer:
    """The fork server of this process, started when it is first needed and ended with the process."""
    started = ForkServer()
    atexit.register(started.close)
    return started


def protections() -> list[str]:
    """The protections of this process's workers; none if there can be no workers."""
    try:
        return fork_server().protections
    except NOT_STARTED:
        return []


class WorkerHandle:
    """The grader's end of a worker: one process, which loads one file.

    If `recorded` is given, it answers with recordings, in which calls of these functions are one step each. What it
    prints is added to `printed`.
    """

    def __init__(self, name: str, source: bytes, limits: Limits, recorded: tuple[str, ...] | None,
                 printed: bytearray) -> None:
        channel, self.limits = fork_server().channel, limits
        self.folder = tempfile.TemporaryDirectory(prefix="kata")
        os.chmod(self.folder.name, 0o777)                      # another user will write there
        self.control, control = socket.socketpair()
        self.calls, calls = socket.socketpair()
        self.output, output = map(os.fdopen, os.pipe(), ("rb", "wb"), (0, 0))
        self.printed = printed
        self.printing = [self.output]     # until its end is closed; select would report it again
        self.looked = time.monotonic()
        os.set_blocking(self.output.fileno(), False)
        request = {
            "name": name, "folder": self.folder.name, "user": FIRST_USER + os.getpid() % 1000, "recorded": recorded,
            "limits": asdict(limits),
        }
        ends = [control.fileno(), calls.fileno(), output.fileno()]
        socket.send_fds(channel, [json.dumps(request).encode()], ends)
        for end in (control, calls, output):
            end.close()
        self.calls.settimeout(30)
        with contextlib.suppress(ConnectionError):             # the reason comes over the other line
            self.calls.sendall(frames.frame(source))
        message = self.told(30)
        if message["refusal"]:
            raise OSError(message["refusal"])
        self.process = message["worker"]
        self.calls.settimeout(limits.call)                     # a worker that does not read cannot stop us

    def told(self, seconds: float) -> dict[str, Any]:
        """What the process that forks says next of this worker."""
        return frames.message_in(frames.receive(self.control, 10_000, Clock(seconds), only=False)[1])

    def receive(self, clock: Clock) -> frames.Frame:
        """The next frame. While waiting, and from time to time in any case, look after the worker."""
        if time.monotonic() - self.looked > BETWEEN_LOOKS:
            self.look_after()
        return frames.receive(self.calls, self.limits.answer, clock, (self.printing, self.look_after))

    def look_after(self) -> None:
        """Read what the worker printed, and end it if its processes use too much memory together."""
        self.drain()
        if time.monotonic() - self.looked < BETWEEN_LOOKS:
            return
        self.looked = time.monotonic()
        held = held_in_namespace(self.process)
        if held is not None and held > self.limits.memory + 100 * MEBIBYTE:
            raise TooMuchMemory

    def drain(self) -> None:
        """Read what has been printed, so that nobody waits for us to do so; keep the beginning."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(READS_AT_ONCE):                     # a worker that floods the pipe does not keep us here
                part = os.read(self.output.fileno(), 65536)
                if not part:
                    self.printing = []
                    return
                self.printed += part[: max(KEPT_OUTPUT - len(self.printed), 0)]

    def end(self, await_news: bool) -> dict[str, int]:
        """End the worker and everything it has started. Whether somebody else has `killed` it, or the process that it
        was forked from, and the bytes that it `held` at its peak, as the system counts. If the worker seems to have
        ended by itself, `await_news` of that."""
        news = {"killed": True, "held": 0}
        if await_news:
            select.select([self.control], [], [], 1)
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)
        with contextlib.suppress(OSError, EOFError, frames.Malformed):
            news = self.told(10)
        self.drain()
        for end in (self.control, self.calls, self.output):
            end.close()
        try:
            self.folder.cleanup()
        except RecursionError:            # folders in folders
            subprocess.run(["rm", "-rf", self.folder.name], check=False)
        return news


def held_in_namespace(worker: int) -> int | None:
    """Bytes that all processes of a worker's own hold together, or None where that cannot be seen."""
    pages = 0
    try:
        own = os.readlink(f"/proc/{worker}/ns/pid")
        if own == os.readlink("/proc/self/ns/pid"):
            return None
    except OSError:
        return None
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                if os.readlink(f"/proc/{name}/ns/pid") == own:
                    pages += int(Path("/proc", name, "statm").read_text().split()[1])
    return pages * mmap.PAGESIZE
