"""What a run has found out: one row per selected check, one state per kata."""
from dataclasses import dataclass, field

from grader.course.katas import Kata

OUTCOMES = ("passed", "failed", "todo", "error", "timeout", "crashed", "not_run")


@dataclass(frozen=True)
class Check:
    """One pytest item of a suite."""

    node: str
    folder: str          # of the kata
    name: str            # test name with its parameters
    tasks: tuple         # the numbers of the tasks it is about

    def row(self, outcome, task, **more):
        """The check's row in the report; `task` is a Task or None, `more` overrides what is empty by default."""
        number, function = (task.number, task.function) if task else (None, None)
        row = {"check": self.name, "function": function, "outcome": outcome, "message": None, "mistake": None,
               "pattern": None, "seconds": 0.0, "task": number, "state": None, "printed": "", "named": "", "fault": "",
               "counted_for": max(self.tasks, default=None)}
        return row | more

    def task(self, kata, function=None):
        """The Task that this check speaks of: the last of its own that is about the function, if one is known."""
        own = [kata.tasks[number] for number in self.tasks if number in kata.tasks]
        about = [task for task in own if task.function == function]
        others = [task for task in kata.tasks.values() if task.function == function]
        return next(iter(about[::-1] or others or own[::-1]), None)


@dataclass
class KataResult:
    """A kata with the rows of its selected checks."""

    kata: Kata
    file: object                  # the graded file, None when there is none
    rows: list = field(default_factory=list)
    partial: bool = False         # some checks of the suite were not selected

    @property
    def passed(self):
        return sum(row["outcome"] == "passed" for row in self.rows)

    @property
    def state(self):
        """solved, started, todo or broken; a part of a suite cannot solve its kata."""
        outcomes = {row["outcome"] for row in self.rows}
        if any(row["state"] == "broken" for row in self.rows):
            return "broken"
        if outcomes == {"passed"} and not self.partial:
            return "solved"
        return "todo" if outcomes <= {"todo", "not_run"} else "started"

    def passed_of(self, task):
        """How many checks of a task have passed, and how many there are; a check of several tasks is in the last."""
        outcomes = [row["outcome"] for row in self.rows if row["counted_for"] == task.number]
        return outcomes.count("passed"), len(outcomes)

    @property
    def first_failure(self):
        """The first row of a check that failed."""
        return next((r for r in self.rows if r["outcome"] not in ("passed", "todo", "not_run")), None)

    @property
    def open_task(self):
        """The lowest task with a check that has not passed, as a Task; None when all have."""
        numbers = [r["task"] for r in self.rows if r["outcome"] != "passed" and r["task"] in self.kata.tasks]
        return self.kata.tasks[min(numbers)] if numbers else None


class Results:
    """The rows of a run, put in order at its end; rows come in one by one, from other processes too."""

    def __init__(self, files):
        self.files = files            # a function: kata -> the graded file
        self.checks = {}              # node -> Check, in order
        self.rows = {}                # node -> row
        self.final_names = {}             # node -> columns of its row that changed when all failures were known
        self.unwritten = []           # lines about files that could not be written
        self.partial = set()          # folders of katas of which only a part was selected

    def select(self, checks, partial):
        """Note the checks that are to run."""
        self.checks.update((check.node, check) for check in checks)
        self.partial.update(partial)

    def packed(self):
        """What `select` was told, in the plain types that cross from one process to another."""
        return [[c.node, c.folder, c.name, c.tasks] for c in self.checks.values()], sorted(self.partial)

    def katas(self, katas):
        """A KataResult for each kata with a selected check, in the order of the katas."""
        results = []
        for kata in katas:
            checks = [c for c in self.checks.values() if c.folder == kata.folder.name]
            if checks:
                rows = [self.rows.get(c.node) or c.row("not_run", c.task(kata)) for c in checks]
                results.append(KataResult(kata, self.files(kata), rows, kata.folder.name in self.partial))
        return results
