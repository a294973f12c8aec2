"""How many people pass each check: of those whose file loads and has the function that the check is about."""
from fractions import Fraction
from pathlib import Path

from grader.output.files import Writer
from grader.output.tables import cell, rounded, write_table
from grader.verdict.results import KataResult, RunResult


class Rates:
    """Counts of people for each check, as results come in."""

    def __init__(self) -> None:
        self.counts: dict = {}            # (name of the kata, check) -> [kata, task, passed, graded]

    def add(self, result: KataResult) -> None:
        """Count the rows of one person's kata; a stub's rows are nobody's work."""
        for row in result.rows:
            count = self.counts.setdefault((result.name, row.check), [result.kata, row.counted_for, 0, 0])
            if not (result.untouched or row.file_fault or row.outcome in ("todo", "not_run")):
                count[2] += row.outcome == "passed"
                count[3] += 1

    def lowest(self, most: int) -> list[tuple]:
        """The checks that most people fail, by share, as (kata, check, passed, graded)."""
        failed = [(kata, check, passed, graded)
                  for (_, check), (kata, _, passed, graded) in self.counts.items() if passed < graded]
        return sorted(failed, key=lambda one: (Fraction(*one[2:]), -one[3]))[:most]


def write(path: Path, run: RunResult) -> Writer:
    """Write a row for each check."""
    rates = Rates()
    while one := (yield):
        for result in one.katas:
            rates.add(result)
    write_table(path, ["kata", "check", "task", "passed", "graded", "share"], [
        [cell(name), cell(check), task or "", passed, graded, rounded(Fraction(passed, graded), 3) if graded else ""]
        for (name, check), (_, task, passed, graded) in rates.counts.items()])
