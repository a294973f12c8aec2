"""What pytest runs for a cohort: an item for one submission's file for one kata."""
import pytest

from grader.calling.answers import NotGraded
from grader.cohort.checks import rows_of, without_file
from grader.cohort.store import key_of
from grader.course.katas import kata_of
from grader.verdict.grading import Grading, check_of


class Rejected(Exception):
    """Raised by an item whose submission has not passed every check, for pytest to count."""


class Submitted(pytest.Item):
    """One submission's file for one kata; `checks` are the suite's own pytest items."""

    def __init__(self, *, submission, checks, options, twins, **kwargs):
        super().__init__(**kwargs)
        self.submission = submission
        self.checks = checks
        self.options = options
        self.twins = twins                    # of all katas, of all submissions
        self.kata = kata_of(self.path)
        self.key = key_of(self.kata, submission.found.files.get(self.kata.name), options, checks)
        twins.expect(self.key)
        self.known = False                    # an earlier run has kept the rows
        self.rows = None

    def runtest(self):
        if self.known:
            return
        if self.submission.found.refusal:
            raise NotGraded(self.submission.found.refusal)
        self.rows = self.twins.rows.get(self.key)
        if self.rows is None and self.kata.name not in self.submission.found.files:
            self.rows = without_file(self.kata, map(check_of, self.checks))
        if self.rows is None:
            grading = Grading(self.options, self.submission.found)
            try:
                self.rows = rows_of(grading, self.kata, self.checks)
            finally:
                grading.close()
            self.twins.keep(self.key, self.rows)
        if any(row.outcome != "passed" for row in self.rows):
            raise Rejected

    def repr_failure(self, excinfo):
        """Nothing more: the rows say it, and pytest would read the source of its own functions for every submission."""
        return str(excinfo.value) or excinfo.typename

    def reportinfo(self):
        return self.path, None, self.name
