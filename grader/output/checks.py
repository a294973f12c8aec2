"""How many people pass each check: of those whose file loads and has the function that the check is about."""
from fractions import Fraction

from grader.output.gradebook import as_csv, cell, rounded
from grader.output.writing import write_text


class Rates:
    """Counts of people for each check, as results come in."""

    def __init__(self):
        self.counts = {}                  # (name of the kata, check) -> [kata, task, passed, graded]

    def add(self, result):
        """Count the rows of one person's kata; a stub's rows are nobody's work."""
        for row in result.rows:
            count = self.counts.setdefault((result.name, row.check), [result.kata, row.counted_for, 0, 0])
            if not (result.untouched or row.file_fault or row.outcome in ("todo", "not_run")):
                count[2] += row.outcome == "passed"
                count[3] += 1

    def lowest(self, most):
        """The checks that most people fail, by share, as (kata, check, task, passed, graded)."""
        failed = [(kata, check, task, passed, graded)
                  for (_, check), (kata, task, passed, graded) in self.counts.items() if passed < graded]
        return sorted(failed, key=lambda one: (Fraction(*one[3:]), -one[4]))[:most]


def checks(run):
    """The text: a row for each check."""
    rates = Rates()
    for one in run.submissions:
        for result in one.katas:
            rates.add(result)
    return as_csv([["kata", "check", "task", "passed", "graded", "share"], *(
        [cell(name), cell(check), task or "", passed, graded, rounded(Fraction(passed, graded), 3) if graded else ""]
        for (name, check), (_, task, passed, graded) in rates.counts.items())])


def write(path, run):
    """Write the checks of a run."""
    write_text(path, checks(run))
