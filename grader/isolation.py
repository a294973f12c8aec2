"""A submission whose code runs in a separate process, with limits.

It answers the same questions as grader/submission.py. But the replies are bytes from code that we do not trust, and
only grader/wire.py turns them into values.
"""
import itertools
import os
import stat
import time
from collections import deque
from pathlib import Path

from grader import wire
from grader.answers import Answer, returned
from grader.limits import MEBIBYTE
from grader.memory import Peak
from grader.questions import Batch, question_of
from grader.submission import normal_text
from grader.workers import KEPT_OUTPUT, nursery

LARGEST_SOURCE = 2 * MEBIBYTE
USED_UP = "the submission has used all of its time"


class IsolatedSubmission:
    """One file, run by a worker process. If a worker has to be ended, a new one takes its place."""

    def __init__(self, path, limits, budget, solution=None):
        self.path = path
        self.limits = limits
        self.solution = solution
        self.worker = None
        self.functions = []
        self.fault = None
        self.budget = budget              # shared by all files of a submission
        self.numbers = itertools.count(1)
        self.exchanged = []               # (Question, Reply) of this check; no Reply where memory was measured
        self.replies = deque()            # such pairs that are known already, so that we need not ask
        self.early = None                 # replies to the questions of all checks; [] if they cannot be asked at once
        self.printed = ""

    def load(self):
        """Start a worker, or set the fault that answers every question."""
        if self.worker is not None or self.fault is not None:
            return
        if self.path is None:
            self.fault = Answer("no_file", message="there is no file for this kata")
            return
        if self.budget.left == 0.0:
            self.fault = Answer("timeout", message=USED_UP)
            return
        source, fault = read_source(self.path)
        if fault:
            self.fault = Answer("broken", message=fault)
            return
        if self.solution is not None and normal_text(self.path) == normal_text(self.solution):
            self.fault = Answer("reference", message="this file is the reference solution")
            return
        name = Path(self.path).name
        try:
            self.worker = nursery().bear(name, source, self.limits)
        except (OSError, EOFError, wire.Malformed):
            nursery.cache_clear()         # the nursery has ended, so start another
            self.worker = nursery().bear(name, source, self.limits)
        loaded = self.exchange(lambda deadline: wire.parsed(*self.worker.receive(deadline)[1:]))
        if isinstance(loaded, Answer):    # it ended or took too long before the first question
            self.fault = Answer(loaded.outcome, message=f"while loading the file: {loaded.message}")
        elif loaded[0].get("outcome") == "loaded":
            names = loaded[0].get("functions")
            self.functions = [wire.clean(n) for n in names if type(n) is str] if type(names) is list else []
        else:
            text = loaded[0].get("message")
            self.fault = Answer("broken", message=wire.clean(text) if type(text) is str else "the file does not load")
            self.end()

    def ask(self, function, args=(), kwargs=None, measured=False):
        """Call `function` of this file with the given arguments and return its Answer."""
        self.load()
        if self.fault is not None:
            return self.fault
        watched = Peak(self.worker.process) if measured else None
        by_itself = watched is not None and watched.before is None
        question, memory = question_of(function, args, kwargs or {}, by_itself)
        if self.replies and self.replies[0][0] == question:
            _, reply = self.replies.popleft()
        else:
            self.replies.clear()
            reply = self.replied(Batch([question]))
            reply = reply if isinstance(reply, Answer) else reply[0]
        self.exchanged.append((question, None if measured else reply))
        if isinstance(reply, Answer):
            return reply
        try:
            answer = self.answer(*wire.parsed(reply.text, reply.rest), memory.touched(reply.content), function)
            if answer.returned:
                answer = returned(answer.value, args, kwargs or {}, answer.touched, answer.peak)
        except wire.Malformed as error:
            self.end()
            return Answer("crashed", message=f"the result could not be read: {error}")
        if watched is not None and watched.before is not None:
            answer.peak = watched.reached()
        return answer

    def ahead(self, batch):
        """The replies to the questions of all checks, asked at once; [] if they must be asked one by one."""
        self.load()
        if self.early is None and self.fault is None:
            left = self.budget.left
            self.early = self.replied(batch)
            if isinstance(self.early, Answer):                 # only the outcome of asking again counts
                self.budget.left, self.fault = left, None
                self.start_again()
            else:
                self.worker.drain()
        return self.early or []

    @property
    def loud(self):
        """Whether the questions asked at once printed something, so that nobody knows which check it belongs to."""
        return bool(self.early and (self.printed or (self.worker is not None and self.worker.printed)))

    def start_again(self):
        """Forget the replies that came at once and what was printed. From now on, ask one question at a time."""
        self.end()
        self.early, self.printed = [], ""

    def replied(self, batch):
        """The worker's replies to questions, as bytes, or the Answer that says why there are none."""
        worker, number = self.worker, next(self.numbers)

        def step(deadline):
            if batch.content:
                os.pwrite(worker.shared.fileno(), batch.content, 0)
            worker.calls.sendall(wire.frame(number, batch.text))
            answered, text, frames = worker.receive(deadline)
            if answered != number or text:
                raise wire.Malformed("it belongs to another call")
            size = len(batch.content)
            return batch.replies(frames, os.pread(worker.shared.fileno(), size, 0) if size else b"")

        return self.exchange(step)

    def begin(self, replies=()):
        """Begin a check. Some replies to its questions may be known already."""
        self.exchanged.clear()
        self.replies = deque(replies)

    def exchange(self, step):
        """The result of one exchange with the worker, or the Answer that says why there is none."""
        start = time.monotonic()
        allowed = min(self.limits.call, self.budget.left)
        try:
            return step(start + allowed)
        except TimeoutError:
            over = USED_UP if self.budget.left <= self.limits.call else None
            found = Answer("timeout", message=over or f"it took longer than {self.limits.call:g} s")
        except MemoryError:
            found = Answer("crashed", message="it used more memory than the limit")
        except (EOFError, OSError):
            found = Answer("crashed", message="its process ended without an answer")
        except wire.Malformed as error:
            found = Answer("crashed", message=f"the result could not be read: {error}")
        finally:
            self.budget.left = max(self.budget.left - (time.monotonic() - start), 0.0)
        self.end()
        if self.budget.left == 0.0:
            self.fault = Answer("timeout", message=USED_UP)
        return found

    def answer(self, message, blobs, touched, function):
        """The Answer in a message. Every part of the message may be forged."""
        outcome = message.get("outcome")
        if outcome == "returned":
            peak = message.get("peak")
            return Answer("returned", value=wire.unpacked(message.get("value"), blobs), touched=touched,
                          peak=peak if type(peak) is int and peak >= 0 else None)
        if outcome == "todo":
            return Answer("todo")
        if outcome == "missing":
            return Answer("missing", message=f"{Path(self.path).name} defines no function `{function}`; it defines "
                                             f"{', '.join(self.functions) or 'none'}")
        types, text, line = message.get("types"), message.get("message"), message.get("line")
        if outcome == "raised" and type(types) is list and all(type(t) is str for t in types) and type(text) is str:
            return Answer("raised", error_types=tuple(map(wire.clean, types)) or ("Exception",),
                          message=wire.clean(text), line=line if type(line) is int and line > 0 else None,
                          touched=touched)
        raise wire.Malformed("it has an unknown outcome")

    def take_printed(self):
        """What the code has printed since this was last asked."""
        if self.worker is not None:
            self.worker.drain()
            self.keep_printed()
        text, self.printed = self.printed, ""
        return text

    def keep_printed(self):
        self.printed = (self.printed + self.worker.printed.decode("utf-8", "replace"))[:KEPT_OUTPUT]
        self.worker.printed.clear()

    def end(self):
        """End the worker, if there is one; the next question gets a new one."""
        if self.worker is not None:
            self.worker.end()
            self.keep_printed()
            self.worker = None


def read_source(path):
    """(content, None) of a file that may be read, or (None, what is wrong with it)."""
    if Path(path).parent.is_symlink():
        return None, "its folder is a link"
    try:
        with open(path, "rb", opener=lambda p, f: os.open(p, f | os.O_NOFOLLOW | os.O_NONBLOCK)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return None, "this is not an ordinary file"
            if status.st_size > LARGEST_SOURCE:
                return None, f"the file is too large for source code ({status.st_size} bytes)"
            return file.read(LARGEST_SOURCE), None
    except OSError as error:
        return None, f"the file cannot be read: {error.strerror}"

