"""A Submission whose code runs in a separate process, with limits.

The replies are bytes from code that we do not trust. Only grader/isolation/values.py turns them into values.
"""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from grader.calling.answers import NO_FILE, Answer, NotGraded, Submission, missing, returned
from grader.calling.limits import Budget, Clock, Limits
from grader.calling.memory import Peak, is_short
from grader.calling.recording import Recording
from grader.calling.source import Source, advice_on_loading, normal_text, normalised, read_source
from grader.isolation import frames, values
from grader.isolation.fork_server import KEPT_OUTPUT, NOT_STARTED, ForkServer, fork_server
from grader.isolation.questions import Question

ENDED = "its process ended without an answer"
USED_UP = "the calls for this kata have used all of its time"


class IsolatedSubmission(Submission):
    """One file, run by a worker process. If a worker has to be ended, a new one takes its place."""

    def __init__(self, path: Path | None, limits: Limits, budget: Budget, solution: Path | None = None,
                 source: Source | None = None, alone: bool = False, recorded: tuple[str, ...] | None = None) -> None:
        super().__init__(path, limits.call, source)
        self.recorded = recorded          # if given, it is asked for recordings
        self.recorder: IsolatedSubmission | None = None
        self.limits = limits
        self.solution = solution
        self.alone = alone                # whether its worker can start no other processes
        self.worker: Any = None           # a Worker, while there is one
        self.functions: list[str] = []
        self.loaded_again = False
        self.kills = 0                    # how often somebody else has killed its process
        self.budget = budget
        self.numbers = itertools.count(1)
        self.printed = ""

    def load(self) -> None:
        """Start a worker, or set the fault that answers every question."""
        if self.worker is not None or self.fault is not None:
            return
        if self.path is None:
            self.fault = Answer("no_file", message=NO_FILE)
            return
        if self.budget.left == 0.0:
            self.fault = Answer("timeout", message=USED_UP)
            return
        self.source = self.source or read_source(self.path)    # only once: every worker gets the same code
        code, fault, refusal = self.source
        if refusal:
            raise NotGraded(refusal)
        if code is None:
            self.fault = Answer("broken", message=fault or "")
            return
        if self.solution is not None and normalised(code) == normal_text(self.solution):
            self.fault = Answer("reference", message="this file is the reference solution")
            return
        self.worker = self.started(self.path.name, code)
        loaded = self.exchange(lambda clock: frames.parsed(*self.worker.receive(clock)[1:]))
        if isinstance(loaded, Answer):    # it ended or took too long before the first question
            late = loaded.outcome == "timeout"
            text = f"while loading the file: {loaded.message}{advice_on_loading(self.path) if late else ''}"
            first = not self.functions and self.budget.left > 0                  # it has never loaded
            self.fault = Answer(loaded.outcome, message=text, loading=late and first)
        elif loaded[0].get("outcome") == "loaded":
            names = loaded[0].get("functions")
            self.functions = [values.clean(n) for n in names if type(n) is str] if type(names) is list else []
        else:
            text = loaded[0].get("message")
            self.fault = Answer("broken", message=values.clean(text) if type(text) is str else "the file does not load")
            self.end()

    def started(self, name: str, code: bytes) -> Any:
        """A worker for a file of this name with this code. What keeps it from starting is not the learner's fault."""
        start = partial(ForkServer.spawn, name=name, source=code, limits=self.limits, alone=self.alone,
                        recorded=self.recorded)
        try:
            try:
                return start(fork_server())
            except (EOFError, ConnectionError):
                fork_server.cache_clear()     # the fork server has ended, so start another
                return start(fork_server())
        except NOT_STARTED as error:
            why = str(error) or "it ended"
        self.refuse(f"no process can be started for the graded code: {why}")

    def refuse(self, why: str) -> NoReturn:
        """Grade nothing more of this file. Not within `except`: the context of an exception keeps files open."""
        self.source = Source(self.source and self.source.code, refusal=why)
        raise NotGraded(why)

    def call(self, function: str, args: tuple, kwargs: dict[str, Any], measured: bool) -> Answer:
        if measured and not self.alone:
            return self.measured(function, args, kwargs)
        answer = self.answer_to(function, args, kwargs, measured)
        late = answer.outcome == "timeout" and not self.timeouts[function] and self.budget.left > 0
        ended = answer.outcome == "crashed" and answer.message.endswith(ENDED)
        if (late or ended) and not (self.fault and self.loaded_again):
            # Perhaps the system has ended or delayed the process. If the code did, it will do so again.
            self.loaded_again, self.fault = self.loaded_again or self.fault is not None, None
            answer = self.answer_to(function, args, kwargs, measured)
        answer.printed = self.take_printed()
        return answer

    def answer_to(self, function: str, args: tuple, kwargs: dict[str, Any], measured: bool) -> Answer:
        """The Answer without what was printed."""
        self.load()
        if self.fault is not None:
            return replace(self.fault)
        watched = Peak(self.worker.process, fork_server().process.pid) if measured else None
        by_itself = watched is not None and watched.before is None
        question = Question(function, args, kwargs, by_itself)
        reply = self.exchange(partial(self.reply, question))
        if isinstance(reply, Answer):
            return reply
        try:
            message, blobs = frames.parsed(*reply[:2])
            answer = self.answer(message, blobs, question.touched(reply[2], message.get("reshaped")), function)
            if answer.returned:
                answer = returned(answer.value, args, kwargs, answer.touched, answer.peak)
        except (frames.Malformed, MemoryError) as error:
            self.end()
            if isinstance(error, MemoryError) and is_short():
                raise NotGraded(NotGraded.NO_MEMORY) from None
            return Answer("crashed", message=f"the result could not be read: {str(error) or 'it is too large'}")
        if watched is not None and watched.before is not None:
            answer.peak = watched.reached()
        return answer

    def record(self, function: str, args: tuple, kwargs: dict[str, Any], whole: tuple[str, ...]) -> Recording | None:
        """From a worker of its own, which sends what it computes and gets nothing but the arguments."""
        if self.recorder is None or self.recorder.recorded != whole:
            self.end()
            self.recorder = IsolatedSubmission(self.path, self.limits, self.budget, source=self.source, recorded=whole)
        asked = self.recorder
        asked.load()
        reply = asked.fault or asked.exchange(partial(asked.reply, Question(function, args, kwargs, False)))
        if isinstance(reply, Answer):
            return None
        try:
            message, blobs = frames.parsed(*reply[:2])
            return Recording.of(values.unpacked(message.get("value"), blobs))
        except (frames.Malformed, MemoryError):
            asked.end()
            return None

    def measured(self, function: str, args: tuple, kwargs: dict[str, Any]) -> Answer:
        """The answer with its peak of memory, from a new worker that holds nothing yet and can start no processes."""
        self.end()
        alone = IsolatedSubmission(self.path, self.limits, self.budget, self.solution, self.source, alone=True)
        alone.timeouts = self.timeouts
        try:
            answer = alone.call(function, args, kwargs, False)               # this also loads parts of NumPy
            if not answer.returned:
                return answer
            again = alone.call(function, args, kwargs, True)
            return replace(again, printed=answer.printed + again.printed)
        finally:
            alone.end()

    def reply(self, question: Question, clock: Clock) -> tuple[bytes, bytes, bytes]:
        """The worker's reply to a question, as bytes: a text, what follows it, and the arguments after the call."""
        worker, number, content = self.worker, next(self.numbers), question.content()
        if content:
            os.pwrite(worker.shared.fileno(), content, 0)
        worker.calls.settimeout(max(clock.look(), 0.001))      # the worker may not read
        worker.calls.sendall(frames.frame(number, question.text))
        answered, text, rest = worker.receive(clock)
        if answered != number:
            raise frames.Malformed("it belongs to another call")
        return text, rest, os.pread(worker.shared.fileno(), len(content), 0) if content else b""

    def exchange(self, step: Callable[[Clock], Any]) -> Any:
        """The result of one exchange with the worker, or the Answer that says why there is none."""
        allowed = min(self.limits.call, self.budget.left)
        clock, found, refused = Clock(allowed), None, ""
        try:
            return step(clock)
        except TimeoutError:
            over = USED_UP if self.budget.left <= self.limits.call else None
            found = Answer("timeout", message=over or f"it took longer than {self.limits.call:g} s")
        except MemoryError:
            found = Answer("crashed", message="it used more memory than the limit")
            if is_short():
                found, refused = None, NotGraded.NO_MEMORY
        except (EOFError, ConnectionError):
            found = Answer("crashed", message=ENDED)
            self.kills += self.worker.was_killed()
            if self.kills > 1:
                found, refused = None, "its process was killed twice"
        except OSError as error:
            refused = f"the graded code cannot be asked: {error.strerror or error}"
        except frames.Malformed as error:
            found = Answer("crashed", message=f"the result could not be read: {error}")
        finally:
            self.budget.left = max(self.budget.left - (allowed - clock.look()), 0.0)
        self.end()
        if found is None:
            self.refuse(refused)
        if self.budget.left == 0.0:
            self.fault = Answer("timeout", message=USED_UP)
        return found

    def answer(self, message: dict[str, Any], blobs: list[bytes], touched: tuple, function: str) -> Answer:
        """The Answer in a message. Every part of the message may be forged."""
        outcome = message.get("outcome")
        if outcome == "returned":
            peak = message.get("peak")
            return Answer("returned", value=values.unpacked(message.get("value"), blobs), touched=touched,
                          peak=peak if type(peak) is int and peak >= 0 else None)
        if outcome == "todo":
            return Answer("todo")
        if outcome == "missing":
            return missing(self.path, function, self.functions)
        types, text = message.get("types"), message.get("message")
        line, caller = (n if type(n) is int and n > 0 else None for n in (message.get("line"), message.get("caller")))
        if outcome == "raised" and type(types) is list and all(type(t) is str for t in types) and type(text) is str:
            return Answer("raised", error_types=tuple(map(values.clean, types)) or ("Exception",),
                          message=values.clean(text), line=line, caller=caller, touched=touched)
        raise frames.Malformed("it has an unknown outcome")

    def take_printed(self) -> str:
        """What the code has printed since the last call."""
        if self.worker is not None:
            self.worker.drain()
            self.keep_printed()
        text, self.printed = self.printed, ""
        return text

    def keep_printed(self) -> None:
        self.printed = (self.printed + self.worker.printed.decode("utf-8", "replace"))[:KEPT_OUTPUT]
        self.worker.printed.clear()

    def end(self) -> None:
        """End the worker, if there is one; the next question gets a new one."""
        if self.recorder is not None:
            self.recorder.end()
            self.recorder = None
        if self.worker is not None:
            self.worker.end()
            self.keep_printed()
            self.worker = None
