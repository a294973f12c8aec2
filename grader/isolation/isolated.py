"""A LearnerFile whose code runs in a separate process, with limits.

The replies are bytes from code that we do not trust. Only grader/isolation/values.py turns them into values.
"""
from __future__ import annotations

import itertools
import pickle
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from grader.calling.answers import Answer, LearnerFile, NotGraded, missing
from grader.calling.arguments import laid_out
from grader.calling.limits import Clock, Limits
from grader.calling.memory import is_short
from grader.calling.recording import Recording
from grader.calling.source import Source, advice_on_loading
from grader.isolation import frames, values
from grader.isolation.fork_server import NOT_STARTED, TooMuchMemory, WorkerHandle, fork_server

ENDED = "its process ended without an answer"
USED_UP = "the calls for this kata have used all of its time"


class IsolatedFile(LearnerFile):
    """One file, run by a worker process. If a worker has to be ended, a new one takes its place."""

    def __init__(self, path: Path | None, limits: Limits, solution: Path | None = None,
                 source: Source | None = None) -> None:
        super().__init__(path, limits.call, solution, source)
        self.limits = limits
        self.left = limits.kata           # seconds for all calls
        self.worker: WorkerHandle | None = None
        self.whole: tuple[str, ...] | None = None              # if given, the worker answers with recordings
        self.functions: list[str] = []
        self.loaded_again = False
        self.kills = 0                    # how often somebody else has killed its process
        self.numbers = itertools.count(1)
        self.printed = bytearray()

    def load(self) -> None:
        """Start a worker, or set the fault that answers every question."""
        if self.worker is not None or self.fault is not None:
            return
        if self.left == 0.0:
            self.fault = Answer("timeout", message=USED_UP)
            return
        if not self.read():
            return
        assert self.path is not None
        self.worker = self.started(self.path.name)
        loaded = self.exchange(lambda worker, clock: frames.message_in(worker.receive(clock)[1]))
        if isinstance(loaded, Answer):    # it ended or took too long before the first question
            late = loaded.outcome == "timeout"
            text = f"while loading the file: {loaded.message}{advice_on_loading(self.path) if late else ''}"
            first = not self.functions and self.left > 0                         # it has never loaded
            self.fault = Answer(loaded.outcome, message=text, loading=late and first)
        elif loaded.get("outcome") == "loaded":
            names = loaded.get("functions")
            self.functions = [values.clean(n) for n in names if type(n) is str] if type(names) is list else []
        else:
            text = loaded.get("message")
            self.fault = Answer("broken", message=values.clean(text) if type(text) is str else "the file does not load")
            self.end()

    def started(self, name: str) -> WorkerHandle:
        """A worker for a file of this name. What keeps it from starting is not the learner's fault."""
        try:
            try:
                return WorkerHandle(name, self.code, self.limits, self.whole, self.printed)
            except (EOFError, ConnectionError):
                fork_server.cache_clear()     # the fork server has ended, so start another
                return WorkerHandle(name, self.code, self.limits, self.whole, self.printed)
        except NOT_STARTED as error:
            why = str(error) or "it ended"
        self.refuse(f"no process can be started for the graded code: {why}")

    def refuse(self, why: str) -> NoReturn:
        """Grade nothing more of this file. Not within `except`: the context of an exception keeps files open."""
        self.source = Source(self.source and self.source.code, refusal=why)
        raise NotGraded(why)

    def call(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Answer:
        if tracemalloc.is_tracing() or self.whole is not None:
            self.end()                    # the most that a new worker ever holds is what this call needs
            self.whole = None
        answer = self.answer_to(function, args, kwargs)
        late = answer.outcome == "timeout" and not self.timeouts[function] and self.left > 0
        ended = answer.outcome == "crashed" and answer.message.endswith(ENDED)
        if (late or ended) and not (self.fault and self.loaded_again):
            # Perhaps the system has ended or delayed the process. If the code did, it will do so again.
            self.loaded_again, self.fault = self.loaded_again or self.fault is not None, None
            answer = self.answer_to(function, args, kwargs)
        if tracemalloc.is_tracing():
            answer.peak = max(answer.peak or 0, self.end()["held"])            # the worker may have lied
        answer.printed = self.take_printed()
        return answer

    def answer_to(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Answer:
        """The Answer without what was printed."""
        def step(worker: WorkerHandle, clock: Clock) -> Answer:
            message, content = self.reply(worker, clock, function, args, kwargs)
            return values.unpacked_answer(message, content, (*range(len(args)), *kwargs))

        self.load()
        answer = replace(self.fault) if self.fault is not None else self.exchange(step)
        return missing(self.path, function, self.functions) if answer.outcome == "missing" else answer

    def record(self, function: str, args: tuple, kwargs: dict[str, Any], whole: tuple[str, ...]) -> Recording | None:
        """From a worker of its own, which sends what it computes and gets nothing but the arguments."""
        def step(worker: WorkerHandle, clock: Clock) -> Recording | None:
            message, content = self.reply(worker, clock, function, args, kwargs)
            return Recording.of(values.unpacked(message.get("value"), content))

        if self.fault is not None:
            return None
        if self.whole != whole:
            self.end()
            self.whole = whole
        self.load()
        recording = self.fault or self.exchange(step)
        self.fault = None                 # it is one of the recording only
        self.take_printed()
        return None if isinstance(recording, Answer) else recording

    def reply(self, worker: WorkerHandle, clock: Clock, function: str, args: tuple,
              kwargs: dict[str, Any]) -> tuple[dict[str, Any], memoryview]:
        """The worker's reply to a question. The question is pickled, because we wrote it; answers never are."""
        number = next(self.numbers)
        asked = (function, tuple(map(laid_out, args)), {name: laid_out(a) for name, a in kwargs.items()},
                 tracemalloc.is_tracing())
        question = frames.frame(pickle.dumps(asked), number=number)
        worker.calls.settimeout(max(clock.look(), 0.001))      # the worker may not read
        worker.calls.sendall(question)
        answered, text, content = worker.receive(clock)
        if answered != number:
            raise frames.Malformed("it belongs to another call")
        return frames.message_in(text), content

    def exchange(self, step: Callable[[WorkerHandle, Clock], Any]) -> Any:
        """The result of one exchange with the worker, or the Answer that says why there is none."""
        assert self.worker is not None
        allowed = min(self.limits.call, self.left)
        clock, found, refused, ended = Clock(allowed), None, "", False
        try:
            return step(self.worker, clock)
        except TimeoutError:
            over = USED_UP if self.left <= self.limits.call else f"it took longer than {self.limits.call:g} s"
            found = Answer("timeout", message=over)
        except TooMuchMemory:
            found = Answer("crashed", message="it used more memory than the limit")
        except (EOFError, ConnectionError):
            found, ended = Answer("crashed", message=ENDED), True
        except OSError as error:
            refused = f"the graded code cannot be asked: {error.strerror or error}"
        except frames.Malformed as error:
            found = Answer("crashed", message=f"the result could not be read: {error}")
        except MemoryError:
            found = Answer("crashed", message="the result could not be read: it is too large")
            if is_short():
                found, refused = None, NotGraded.NO_MEMORY
        finally:
            self.left = max(self.left - (allowed - clock.look()), 0.0)
        self.kills += self.end(await_news=ended)["killed"] and ended
        if ended and self.kills > 1:
            found, refused = None, "its process was killed twice"
        if found is None:
            self.refuse(refused)
        if self.left == 0.0:
            self.fault = Answer("timeout", message=USED_UP)
        return found

    def take_printed(self) -> str:
        """What the code has printed since the last call."""
        if self.worker is not None:
            self.worker.drain()
        text = self.printed.decode("utf-8", "replace")
        self.printed.clear()
        return text

    def end(self, await_news: bool = False) -> dict[str, int]:
        """End the worker, if there is one, and say what the system knows of it; the next question gets a new one."""
        worker, self.worker = self.worker, None
        return worker.end(await_news) if worker else {"killed": False, "held": 0}
