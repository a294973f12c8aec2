"""Several trainings at the same time, each in its own process, and a line that shows the progress."""
import multiprocessing
import os
import signal
import sys
import time
from multiprocessing import resource_tracker
from multiprocessing.connection import wait

import lab.functions
from lab.results import used_by
from lab.train import measure, train


def prepare_environment():
    """Set what a new process reads as it starts.

    For matrices as small as these, one process per core with one thread each is faster than one process with many
    threads. And the same sums in the same order give the same bits.

    On Linux, freed memory is kept for the next array of that size. Fetching it from the system again in every step
    costs a quarter of the time.
    """
    for library in ("OPENBLAS", "OMP", "MKL", "VECLIB"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**30))
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**30))


def work(connection, settings, sources):
    """What each process does: one training. It sends progress and the result through `connection`."""
    told = 0.0

    def tell(done, loss):
        nonlocal told
        if time.monotonic() - told > 0.2:
            told = time.monotonic()
            connection.send(("progress", (done, loss)))

    try:
        functions = lab.functions.load(sources)
        training = train(settings, functions, tell)
        connection.send(("found", (measure(settings, functions, training), training.vector)))
    except BrokenPipeError:
        pass                                     # the lab itself was ended
    except Exception as error:
        connection.send(("failed", f"{type(error).__name__}: {error}"))


def start(process):
    """Start a process that ignores Ctrl-C, which reaches every process of the terminal; the lab ends it.

    If Ctrl-C is pressed in the meantime, the lab gets it as soon as the process has started. The process inherits that
    Ctrl-C is blocked; on Windows nothing can block it.
    """
    pressed = []
    can_block = hasattr(signal, "pthread_sigmask")
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    if can_block:
        resource_tracker.ensure_running()        # because it unblocks signals when it starts
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        if can_block:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


class Running:
    """A process that trains one model."""

    def __init__(self, settings, sources):
        self.settings = settings
        self.done, self.loss = 0, None
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(theirs, settings, sources), daemon=True)
        start(self.process)
        theirs.close()

    def message(self):
        """The next message: ("progress" or "found" or "failed", what)."""
        try:
            return self.connection.recv()
        except EOFError:
            self.process.join()
            return "failed", f"its process ended with exit code {self.process.exitcode}"

    def end(self):
        self.process.terminate()
        self.process.join()
        self.connection.close()


def train_all(waiting, sources, processes, keep):
    """Train with all settings in `waiting`, `processes` at a time; call `keep(settings, what)` after each.

    Returns {settings: reason} for those that failed.
    """
    waiting, running, failed = list(waiting), [], {}
    progress = Progress(sum(settings.steps for settings in waiting), len(waiting))
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                settings = waiting.pop(0)
                names = used_by(settings.scheme)
                running.append(Running(settings, [source for source in sources if source.function in names]))
            ready = wait([one.connection for one in running], timeout=0.5)
            for one in [one for one in running if one.connection in ready]:
                kind, what = one.message()
                if kind == "progress":
                    one.done, one.loss = what
                    continue
                if kind == "found":
                    keep(one.settings, what)
                else:
                    failed[one.settings] = what
                progress.finished(one.settings.steps)
                running.remove(one)
                one.end()
            progress.show(running)
    finally:
        for one in running:
            one.end()
        progress.clear()
    return failed


class Progress:
    """One line on a terminal, rewritten again and again; elsewhere a new line now and then."""

    def __init__(self, steps, models):
        self.steps, self.models = steps, models
        self.steps_done = self.models_done = 0
        self.began = self.shown = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def finished(self, steps):
        self.steps_done += steps
        self.models_done += 1

    def show(self, running):
        now = time.monotonic()
        if now - self.shown < (0.2 if self.terminal else 10):
            return
        self.shown = now
        self.write(self.line(running, now - self.began))

    def write(self, text):
        if self.terminal:
            width = (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1       # some terminals say 0
            text = f"\r{text[:width]:<{width}}"
        print(text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def line(self, running, seconds):
        done = self.steps_done + sum(one.done for one in running)
        parts = [f"{self.models_done} of {self.models} trained"]
        parts += [f"{one.settings.scheme} {one.done}/{one.settings.steps} loss {one.loss:.2f}"
                  for one in running if one.loss is not None]
        if done:
            left = round(seconds * (self.steps - done) / done)
            parts.append(f"about {left // 60}:{left % 60:02} left")
        return " | ".join(parts)

    def clear(self):
        if self.terminal:
            self.write("")
            print("\r", end="", file=sys.stderr, flush=True)
