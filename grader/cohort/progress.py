"""What is still to be graded, how long it may take, and what shows that while a run goes on."""
import time
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from grader.course.terminal import terminal_width

OF_A_LINE, OF_A_LOG = 0.1, 1.0            # seconds from one line to the next, in a terminal and in a log file
OF_THE_BOARD, SHARE = 5.0, 0.05           # seconds from one board to the next, and the part of all time it may take


class Progress:
    """What is still to be graded, and a line about it.

    A terminal has one line that changes. A log file gets a line for a submission that is graded in full.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.pending: dict[str, set[str]] = {}       # submission -> names of katas that are still to be graded
        self.is_known = False             # what is to be graded
        self.left = self.total = 0        # files to grade
        self.running: dict[str, str] = {}            # node id -> whose file it grades
        self.start = self.shown = 0.0     # when the run began, and when the last line was written

    def expect(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Note what is to be graded: what earlier runs have kept about it does not count."""
        if not self.is_known:             # a process that takes the place of another tells it again
            self.is_known, self.start = True, time.monotonic()
            for name, kata in pairs:
                self.pending.setdefault(name, set()).add(kata)
                self.left = self.total = self.total + 1

    def is_pending(self, name: str, kata: str) -> bool:
        """Whether a file is still to be graded, or may be: before pytest has collected everything, all are."""
        return not self.is_known or kata in self.pending.get(name, ())

    def started(self, node: str, name: str, kata: str) -> None:
        """A process begins with a file."""
        self.running[node] = f"{name} ({kata})"
        if self.terminal.isatty:
            self.show(name)

    def graded(self, name: str, kata: str) -> None:
        """A file has been graded; if its process has ended just then, it may come twice."""
        if kata in self.pending[name]:
            self.pending[name].discard(kata)
            self.left -= 1
            if not self.pending[name]:
                self.show(name)

    def show(self, name: str) -> None:
        """Write a line, unless the last one has just been written; the very last is always written."""
        now, terminal = time.monotonic(), self.terminal
        if self.left and now < self.shown + (OF_A_LINE if terminal.isatty else OF_A_LOG):
            return
        self.shown = now
        counted = f"  {sum(not katas for katas in self.pending.values())} of {len(self.pending)} graded"
        if not terminal.isatty:
            terminal.write_line(f"{counted}: {name}{self.time_left()}")
            return
        doing = f". Now: {', '.join(self.running.values())}" if self.running else ""
        columns = terminal_width(self.config) - 1
        terminal.rewrite(fitting(f"{counted}{self.time_left()}{doing}", columns), erase=True)
        terminal.currentfspath = -2       # so what pytest writes next begins a new line

    def time_left(self) -> str:
        """How long the rest may take, judged by the files of this run so far."""
        if self.left in (0, self.total):
            return ""
        seconds = (time.monotonic() - self.start) / (self.total - self.left) * self.left
        return f", about {duration(seconds)} left"

    @property
    def terminal(self) -> Any:
        return self.config.pluginmanager.get_plugin("terminalreporter")


class Live:
    """Writes something again and again while a run goes on, but not so often that it takes much of the time."""

    def __init__(self, write: Callable[[], None]) -> None:
        self.write = write
        self.next = 0.0                   # when to write again

    def graded(self) -> None:
        """A file has been graded."""
        before = time.monotonic()
        if before >= self.next:
            self.write()
            after = time.monotonic()
            self.next = after + max(OF_THE_BOARD, (after - before) * (1 / SHARE - 1))


def duration(seconds: float) -> str:
    """Seconds in words, such as 40 s, 12 min or 3.5 h."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def fitting(line: str, columns: int) -> str:
    """The start of a line that fits into so many columns, with three dots if there is more."""
    widths = [2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line]
    if sum(widths) <= columns:
        return line
    while line and sum(widths) > columns - 3:
        line, widths = line[:-1], widths[:-1]
    return f"{line}..."
