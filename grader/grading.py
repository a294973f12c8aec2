"""One run of the grader: which file is graded for each kata, and how a pytest outcome becomes a row."""
import contextlib
import io
from pathlib import Path

from grader.asking import Asked, NoValue, calls_of
from grader.diagnosis import Diagnosis, Diagnostician
from grader.katas import SOLUTIONS, all_katas, kata_of, shown
from grader.messages import about_file, message
from grader.results import Check, Results, function_of
from grader.submission import Submission, find_file

ABOUT_THE_FILE = ("no_file", "broken", "reference", "missing")
OUTCOME = {"raised": "error", "missing": "error", "broken": "error", "no_file": "todo", "reference": "failed"}


class Grading:
    """Everything a run needs to know, made once from the options."""

    def __init__(self, options):
        self.options = options
        self.results = Results(self.file)
        self._graders = {}
        self._explained = []                  # (kata, check, diagnosis) of the checks that failed

    @property
    def source(self):
        """The folder whose files are graded."""
        if self.options.solutions:
            return SOLUTIONS
        return self.options.submission

    def file(self, kata):
        """The file that is graded for a kata, or None."""
        if self.source is None:
            return kata.stub if kata.stub.is_file() else None
        return find_file(kata, self.source)

    def grader(self, kata):
        """The (submission, diagnostician) of a kata, made when first asked for."""
        if kata.name not in self._graders:
            solution = None if self.options.solutions else kata.solution
            submission = Submission(self.file(kata), self.options.time_limit, solution)
            self._graders[kata.name] = submission, Diagnostician(kata, submission)
        return self._graders[kata.name]

    def asked(self, kata):
        """A fresh `kata` fixture."""
        submission, diagnostician = self.grader(kata)
        return Asked(submission, diagnostician.reference)

    def reference(self, kata):
        """The `reference` fixture."""
        return self.grader(kata)[1].reference

    def row(self, item, call):
        """The row for one finished check."""
        kata, check = kata_of(item.path), check_of(item)
        function = function_of(kata, check)
        calls = calls_of(item.funcargs["kata"]) if "kata" in item.funcargs else []
        if call.excinfo is None:
            self.grader(kata)[1].remember(calls)
            return check.row("passed", function, seconds=call.duration)
        failure = call.excinfo.value
        answer = failure.answer if isinstance(failure, NoValue) else None
        outcome = "failed" if answer is None else OUTCOME.get(answer.outcome, answer.outcome)
        row = check.row(outcome, calls[-1].function if calls else function, seconds=call.duration)
        if answer is not None and answer.outcome in ABOUT_THE_FILE:
            row["message"] = about_file(shown(self.file(kata) or kata.folder), answer.message)
            row["state"] = answer.outcome
        elif answer is not None and answer.outcome == "todo":
            row["message"] = f"{calls[-1].function} is not written yet"
        else:
            row |= self.explained(kata, check, calls, failure)
        return row

    def explained(self, kata, check, calls, failure):
        """What the diagnosis adds to the row of a failed check."""
        _, diagnostician = self.grader(kata)
        try:
            with quiet():
                found = diagnostician.diagnose(calls, failure)
        except Exception:                     # a result too strange to explain is wrong, and the run goes on
            found = Diagnosis(calls[-1] if calls else None, None, "claim", str(failure))
        diagnostician.remember(calls)
        self._explained.append((kata, check, found))
        added = self.told(kata, check, found) | {"pattern": found.pattern}
        return added | ({"function": found.call.function} if found.call else {})

    def told(self, kata, check, found):
        """The columns of a row that depend on the mistakes that were named."""
        task, readme = kata.tasks.get(check.task), f"{shown(kata.folder)}/README.md"
        text = message(found, self.grader(kata)[1].reference, self.file(kata), task, readme)
        return {"message": text, "mistake": found.mistake}

    def settled(self):
        """{node: columns} for the rows that look different now that all failures of their kata are known."""
        changes = {}
        for kata in {kata.name: kata for kata, _, _ in self._explained}.values():
            checks = {id(found): check for one, check, found in self._explained if one == kata}
            found = [found for one, _, found in self._explained if one == kata]
            with quiet():
                changed = self.grader(kata)[1].settle(found)
            changes |= {checks[id(one)].node: self.told(kata, checks[id(one)], one) for one in changed}
        return changes

    def finished(self):
        """The results, kata by kata."""
        return self.results.katas(all_katas())

    def name(self):
        """(name, source) of the submission, for the report."""
        if self.source is None:
            return "katas", "katas"
        if self.options.solutions:
            return "solutions", "solutions"
        return Path(self.source).resolve().name, str(self.source)


@contextlib.contextmanager
def quiet():
    """The diagnosis asks again; what that prints is nobody's business."""
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


def check_of(item):
    """The Check that a pytest item is."""
    marker = item.get_closest_marker("task")
    task = marker.args[0] if marker else None
    return Check(item.nodeid, item.path.parent.name, item.name, task)
