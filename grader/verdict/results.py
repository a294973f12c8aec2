"""What a run has found out: the rows of each kata, of each submission, and of the whole run."""
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from grader.course.katas import Kata, Task
from grader.verdict.rows import NOT_FAILING, Row

STATES = ("solved", "started", "todo", "broken", "no file", "not graded")      # of a kata


@dataclass(frozen=True)
class ByHand:
    """A mark for a kata that an instructor has set by hand."""

    points: Decimal                    # checks, or percent of them
    percent: bool
    why: str

    def __str__(self) -> str:
        return ": ".join(filter(None, ("set by hand", self.why)))

    def of(self, total: int) -> Decimal:
        """The mark as a number of checks."""
        return self.points * total / 100 if self.percent else self.points


@dataclass
class KataResult:
    """A kata with the rows of its selected checks."""

    kata: Kata
    file: Path | None                  # the graded file, by the path that people know
    rows: list[Row] = field(default_factory=list)
    partial: bool = False              # some checks of the suite were not selected
    untouched: bool = False            # the file is the stub, so what passes is not the learner's
    by_hand: ByHand | None = None      # what counts in place of the rows

    @property
    def name(self) -> str:
        return self.kata.name

    @property
    def passed(self) -> int | Decimal:
        if self.by_hand:
            return self.by_hand.of(self.total)
        return 0 if self.untouched else sum(row.outcome == "passed" for row in self.rows)

    @property
    def total(self) -> int:
        return len(self.rows)

    @property
    def graded(self) -> bool:
        """Whether every selected check has run, or the mark is set by hand; if not, there is no mark."""
        return self.by_hand is not None or (bool(self.rows) and all(row.outcome != "not_run" for row in self.rows))

    @property
    def passed_all(self) -> bool:
        """Whether every selected check passed."""
        return self.passed == self.total > 0

    @property
    def state(self) -> str:
        """One of STATES; a part of a suite cannot solve its kata."""
        if not self.graded:
            return "not graded"
        if self.by_hand:
            return "solved" if self.passed_all else "started"
        faults = {row.file_fault for row in self.rows}
        if faults & {"broken", "no_file"}:
            return "broken" if "broken" in faults else "no file"
        if self.passed_all and not self.partial:
            return "solved"
        return "todo" if self.untouched or {row.outcome for row in self.rows} == {"todo"} else "started"

    def passed_of(self, task: Task) -> tuple[int, int]:
        """How many checks of a task have passed, and how many there are; a check of several tasks is in the last."""
        outcomes = [row.outcome for row in self.rows if row.counted_for == task.number]
        return outcomes.count("passed"), len(outcomes)

    @property
    def failing(self) -> list[Row]:
        """The checks that failed. A function that is not written yet is not a failure."""
        return [row for row in self.rows if row.outcome not in NOT_FAILING]

    @property
    def first_open(self) -> Row | None:
        """The check to look at first: the first that failed, else the first that has not passed."""
        return next(iter(self.failing or [row for row in self.rows if row.outcome != "passed"]), None)

    @property
    def open_task(self) -> Task | None:
        """The lowest task with a check that has not passed."""
        waiting = {row.task for row in self.rows if row.outcome != "passed"}
        return next((task for number, task in sorted(self.kata.tasks.items()) if number in waiting), None)

    @property
    def more_failures(self) -> str:
        """How many checks fail besides the first one, as a sentence; an empty text if none does."""
        count = len(self.failing) - 1
        if count < 1 or self.state == "broken":
            return ""
        first = self.failing[0]
        reasons = [(row.mistake, row.mistake_of) for row in self.failing]
        alike = reasons.count(reasons[0]) - 1 if first.mistake else 0
        share = "" if alike in (0, count) else f", {alike} of them"
        reason = f"{share} for the same reason" if alike else ""
        return f"{count} more check{'s fail' if count > 1 else ' fails'}{reason}."

    @property
    def what_follows(self) -> str:
        """How many checks fail besides the first one, and how many need code that is not written yet."""
        count = sum(row.outcome == "todo" for row in self.rows) if self.failing else 0
        unwritten = f"{count} check{'s need' if count > 1 else ' needs'} code that is not written yet." if count else ""
        return " ".join(filter(None, [self.more_failures, unwritten]))


@dataclass
class SubmissionResult:
    """The katas of one submission."""

    name: str
    source: str                        # its folder
    katas: list[KataResult]
    unused: Sequence[str] = ()         # lines about files that no kata uses
    id: str = ""                       # the learner's number on the platform that collected the files
    alias: str = ""                    # a made-up name for the board, with --anonymous

    @property
    def passed(self) -> int | Decimal:
        return sum(kata.passed for kata in self.katas)

    @property
    def total(self) -> int:
        return sum(kata.total for kata in self.katas)

    @property
    def solved(self) -> int:
        """How many katas are solved."""
        return sum(kata.state == "solved" for kata in self.katas)

    @property
    def graded(self) -> bool:
        """Whether every kata has been graded; if not, there is no sum."""
        return bool(self.katas) and all(kata.graded for kata in self.katas)

    @property
    def share(self) -> Fraction:
        """The part of all points that is reached, from 0 to 1; every kata counts the same."""
        return sum(Fraction(kata.passed) / kata.total for kata in self.katas) / Fraction(len(self.katas))

    def marked(self, by_hand: Mapping[tuple[str, str], ByHand]) -> "SubmissionResult":
        """The same results with the marks that are set by hand."""
        return replace(self, katas=[replace(kata, by_hand=by_hand.get((self.name, kata.name)))
                                    for kata in self.katas]) if by_hand else self


@dataclass(eq=False)
class Person:
    """Somebody in the roster of a course."""

    name: str
    columns: dict[str, str]            # what the roster says, by the letters of a column's title in lower case
    submission: str | None = None      # the name of this person's submission


@dataclass
class RunResult:
    """All that the files of a run are written from; they go through `submissions` once."""

    seed: int
    protections: Sequence[str]
    submissions: Iterable[SubmissionResult]
    points: Fraction = Fraction(100)   # for solving everything
    unused: Sequence[str] = ()         # lines about files that belong to no submission
    people: Sequence[Person] = ()      # of the roster
    equal_files: Sequence[tuple[str, list[str]]] = ()    # (name of a kata, the submissions that share a file for it)
    refresh: int = 0                   # seconds after which the board reloads itself
    by_hand: Mapping[tuple[str, str], ByHand] = field(default_factory=dict)     # by submission and kata
