"""What is still to be graded, how long it may take, and what shows that while a run goes on."""
import time
import unicodedata

OF_A_LINE, OF_A_LOG = 0.1, 1.0            # seconds from one line to the next, in a terminal and in a log file
OF_THE_BOARD, SHARE = 5.0, 0.05           # seconds from one board to the next, and the part of all time it may take


class Progress:
    """What is still to be graded; in the process that controls also a line about it.

    A terminal has one line that changes. A log file gets a line for a submission that is graded in full.
    """

    def __init__(self, config):
        self.config = config
        self.pending = None               # {submission: names of katas that are still to be graded}
        self.left = self.total = 0        # files to grade
        self.done = 0                     # submissions graded in full
        self.running = {}                 # node id -> whose file it grades
        self.start = None
        self.shown = 0.0                  # when the last line was written

    def expect(self, pairs):
        """Note what is to be graded: what earlier runs have kept about it does not count."""
        if self.pending is None:          # a process that takes the place of another tells it again
            self.pending = {}
            for name, kata in pairs:
                self.pending.setdefault(name, set()).add(kata)
            self.left = self.total = sum(map(len, self.pending.values()))

    def is_pending(self, name, kata):
        """Whether a file is still to be graded, or may be: before pytest has collected everything, all are."""
        return self.pending is None or kata in self.pending.get(name, ())

    def started(self, node, name, kata):
        """A process begins with a file."""
        self.start = self.start or time.monotonic()
        self.running[node] = f"{name} ({kata})"
        if self.terminal.isatty:
            self.show(self.in_place, OF_A_LINE)

    def graded(self, name, kata):
        """A file has been graded; if its process has ended just then, it may come twice."""
        if kata not in self.pending[name]:
            return
        self.pending[name].discard(kata)
        self.left -= 1
        if not self.pending[name]:
            self.done += 1
            if self.terminal.isatty:
                self.show(self.in_place, OF_A_LINE)
            else:
                self.show(lambda: self.terminal.write_line(f"{self.counted()}: {name}{self.time_left()}"), OF_A_LOG)

    def show(self, write, seconds):
        """Write a line, unless the last one has just been written; the very last is always written."""
        now = time.monotonic()
        if now >= self.shown + seconds or not self.left:
            self.shown = now
            write()

    def in_place(self):
        """Write the line over the last one; what pytest writes next begins a new line."""
        now = f". Now: {', '.join(self.running.values())}" if self.running else ""
        line = fitting(f"{self.counted()}{self.time_left()}{now}", self.config.get_terminal_writer().fullwidth - 1)
        self.terminal.rewrite(line, erase=True)
        self.terminal.currentfspath = -2

    def counted(self):
        return f"  {self.done} of {len(self.pending)} graded"

    def time_left(self):
        """How long the rest may take, judged by the files of this run so far."""
        if not self.left or self.left == self.total:
            return ""
        seconds = (time.monotonic() - self.start) / (self.total - self.left) * self.left
        return f", about {duration(seconds)} left"

    @property
    def terminal(self):
        return self.config.pluginmanager.get_plugin("terminalreporter")


class Live:
    """Writes something again and again while a run goes on, but not so often that it takes much of the time."""

    def __init__(self, write):
        self.write = write
        self.start = None
        self.spent = 0.0                  # seconds for all writing so far
        self.next = 0.0                   # when to write again

    def graded(self):
        """A file has been graded."""
        before = time.monotonic()
        self.start = self.start or before
        if before >= self.next:
            self.write()
            after = time.monotonic()
            self.spent += after - before
            self.next = max(after + OF_THE_BOARD, self.start + self.spent / SHARE)


def duration(seconds):
    """Seconds in words, such as 40 s, 12 min or 3.5 h."""
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def fitting(line, columns):
    """The start of a line that fits into so many columns, with three dots if there is more, padded for `rewrite`."""
    widths = [2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line]
    if sum(widths) <= columns:
        return line
    while line and sum(widths) > columns - 3:
        line, widths = line[:-1], widths[:-1]
    return f"{line}..."
