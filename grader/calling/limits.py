"""The limits for graded code, and calls in this process with a time limit."""
import contextlib
import ctypes
import math
import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MEBIBYTE = 2**20
LOOK, STEP = 0.1, 0.5                     # seconds: from one look at a Clock to the next, and what this counts at most
# Pyodide, which is Python in a browser, has these functions, but they fail.
CAN_ISOLATE = sys.platform != "emscripten" and hasattr(os, "fork") and hasattr(socket, "send_fds")


@dataclass(frozen=True)
class Limits:
    """What the code of one kata may use."""

    call: float = 10.0                    # seconds
    kata: float = 120.0                   # seconds for all calls
    memory: int = 1024 * MEBIBYTE
    processes: int = 32
    files: int = 64
    file_size: int = 16 * MEBIBYTE
    answer: int = 64 * MEBIBYTE


class Clock:
    """What is left of a time limit, for somebody who looks all the time.

    A pause, as from Ctrl-Z or of a laptop that sleeps, keeps the grader from looking. So the time between two looks
    counts no more than STEP.
    """

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self.looked = time.monotonic()

    def look(self) -> float:
        """The seconds that are left; less than 0 if the time is over."""
        now = time.monotonic()
        self.left -= min(now - self.looked, STEP)
        self.looked = now
        return self.left


class Overtime(BaseException):
    """Raised inside a call that has run out of time; not an Exception, so that few handlers catch it."""


class Caller:
    """Calls functions in a separate thread, and abandons the thread if a call does not return in time.

    A signal would not work on Windows or in a loop inside NumPy. A thread that cannot be stopped runs until the
    process ends. Without a limit, or where no thread can start, as in Pyodide, it calls in this thread.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.thread: threading.Thread | None = None

    def start(self) -> None:
        """Start a thread, if that can be; all calls are in the same one, as in a worker."""
        self.questions: queue.SimpleQueue = queue.SimpleQueue()
        self.answers: queue.SimpleQueue = queue.SimpleQueue()
        thread = threading.Thread(target=answer_questions, args=(self.questions, self.answers), daemon=True)
        with contextlib.suppress(RuntimeError):
            thread.start()
            self.thread = thread

    def call(self, function: Callable, *args: Any) -> tuple[str, Any]:
        """Return ("returned", value), ("raised", exception) or ("timeout", None)."""
        if self.thread is None and self.seconds < math.inf:
            self.start()
        if self.thread is None:
            return outcome_of(function, args, KeyboardInterrupt)           # from the keyboard: it ends the run
        self.questions.put((function, args))
        clock = Clock(self.seconds)
        while (left := clock.look()) > 0:
            with contextlib.suppress(queue.Empty):
                return self.answers.get(timeout=min(left, LOOK))
        stop(self.thread)
        self.thread = None                       # the next call gets a new one
        return ("timeout", None)


def outcome_of(function: Callable, args: tuple, let_through: type[BaseException]) -> tuple[str, Any]:
    """("returned", value) or ("raised", exception) of a call; only one kind of exception ends more than the call."""
    try:
        return "returned", function(*args)
    except let_through:
        raise
    except BaseException as error:
        return "raised", error


def answer_questions(questions: queue.SimpleQueue, answers: queue.SimpleQueue) -> None:
    """Answer one call after the other until one is stopped."""
    with contextlib.suppress(Overtime):
        while True:
            function, args = questions.get()
            answers.put(outcome_of(function, args, Overtime))


def stop(thread: threading.Thread) -> None:
    """Interrupt a thread, several times, because a bare `except:` in a loop may catch the first attempts."""
    for _ in range(5):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Overtime))
        thread.join(0.05)
    sys.setswitchinterval(1e-4)                  # it is still running, so switch to the other threads more often
