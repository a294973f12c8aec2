"""One run of the grader: which file is graded for each kata, and how a pytest outcome becomes a row."""
import contextlib
import io
import traceback
import zlib

import numpy as np
import pytest

from grader.calling.in_process import InProcess
from grader.calling.kata_fixture import Asked, NoValue, calls_of
from grader.calling.limits import Budget, Limits
from grader.course.katas import SOLUTIONS, all_katas, shown
from grader.course.learner_files import find_file, own_file
from grader.verdict.diagnosis import Diagnosis, Diagnostician
from grader.verdict.messages import about_file, explanation, message
from grader.verdict.rows import Check, Results

CHECK = pytest.StashKey[Check]()
ABOUT_THE_FILE = ("no_file", "broken", "reference", "missing")
OUTCOME = {"raised": "error", "missing": "error", "broken": "error", "no_file": "todo", "reference": "failed"}


class Grading:
    """Everything a run needs to know, made once from the options."""

    def __init__(self, options, source=None, budget=None):
        self.options = options
        self.budget = budget or Budget(options.limits.submission)
        self.source = source or (SOLUTIONS if options.solutions else options.submission or options.work)
        self.results = Results(self.file)
        self._graders = {}
        self._explained = []                  # (kata, check, diagnosis) of the checks that failed

    def file(self, kata):
        """The file that is graded for a kata, or None."""
        if self.source is None:
            return kata.stub if kata.stub.is_file() else None
        if self.source == self.options.work:
            return own_file(kata, self.source)
        return find_file(kata, self.source)

    def grader(self, kata):
        """The (submission, diagnostician) of a kata, made when first asked for."""
        if kata.name not in self._graders:
            solution = None if self.options.solutions else kata.solution
            if self.options.isolated:
                from grader.isolation.isolated import IsolatedSubmission  # here, because most runs do not need it
                submission = IsolatedSubmission(self.file(kata), self.options.limits, self.budget, solution)
            else:
                ours = self.options.solutions and self.options.limits.call == Limits.call      # the default
                submission = InProcess(self.file(kata), None if ours else self.options.limits.call, solution)
            self._graders[kata.name] = submission, Diagnostician(kata, submission)
        return self._graders[kata.name]

    def close(self):
        """End the processes of this submission, and forget its answers."""
        for one, _ in self._graders.values():
            one.end()
        self._graders.clear()
        self._explained.clear()

    def asked(self, kata):
        """A fresh `kata` fixture."""
        submission, diagnostician = self.grader(kata)
        return Asked(submission, diagnostician.reference)

    def reference(self, kata):
        """The `reference` fixture."""
        return self.grader(kata)[1].reference

    def rng(self, check):
        """Random numbers that depend on the seed and on the check's name, and on nothing else."""
        return np.random.default_rng([self.options.seed, zlib.crc32(check.encode())])

    def row(self, kata, check, asked, failure, seconds):
        """The row for one finished check, from its `kata` fixture and what it raised, if anything."""
        calls = calls_of(asked) if asked is not None else []
        if failure is None:
            self.grader(kata)[1].remember(calls)
            return check.row("passed", check.task(kata), seconds=seconds)
        answer = failure.answer if isinstance(failure, NoValue) else None
        outcome = "failed" if answer is None else OUTCOME.get(answer.outcome, answer.outcome)
        gone_wrong = calls and (answer is None or answer.outcome not in (*ABOUT_THE_FILE, "todo"))
        row = check.row(outcome, check.task(kata, calls[-1].function if gone_wrong else None), seconds=seconds)
        row["printed"] = self.grader(kata)[0].take_printed()
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
        fault = ""
        try:
            with quiet():
                found = diagnostician.diagnose(calls, failure)
        except Exception:                     # a fault of the grader, not of the learner: the run goes on
            found, fault = Diagnosis(calls[-1] if calls else None, None, "claim", str(failure)), traceback.format_exc()
        self._explained.append((kata, check, found))
        added = self.rendered(kata, check, found) | {"pattern": found.pattern, "fault": fault}
        if found.call:
            task = check.task(kata, found.call.function)
            added |= {"function": found.call.function, "task": task and task.number}
        return added

    def rendered(self, kata, check, found):
        """The columns of a row that depend on the mistakes that were named."""
        task = check.task(kata, found.call.function if found.call else None)
        readme = f"{shown(kata.folder)}/README.md"
        reference = self.grader(kata)[1].reference
        text = message(found, reference, self.file(kata), task, readme, name_it=not kata.to_mend)
        named = explanation(found, reference, task) if kata.to_mend and found.mistakes else []
        return {"message": text, "mistake": found.mistake, "named": "\n".join(named)}

    def final_names(self):
        """{node: columns} of the failed rows: what they mean is only known when all failures of their kata are."""
        changes = {}
        for kata in {kata.name: kata for kata, _, _ in self._explained}.values():
            checks = {id(found): check for one, check, found in self._explained if one == kata}
            found = [found for one, _, found in self._explained if one == kata]
            fault = ""
            try:
                with quiet():
                    self.grader(kata)[1].name(found)
            except Exception:                 # a fault of the grader: the messages stay without names
                fault = traceback.format_exc()
            changes |= {checks[id(one)].node: self.rendered(kata, checks[id(one)], one)
                        | {"pattern": one.pattern, "fault": fault} for one in found if one.calls}
        return changes

    def finished(self):
        """The results, kata by kata."""
        return self.results.katas(all_katas())

    @property
    def protections(self):
        """The protections from the graded code."""
        if not self.options.isolated:
            return []
        from grader.isolation.fork_server import fork_server
        return fork_server().protections


@contextlib.contextmanager
def quiet():
    """Hide what the learner's code prints while the diagnosis calls it again."""
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield


def check_of(item):
    """The Check that a pytest item is."""
    if CHECK not in item.stash:
        marker = item.get_closest_marker("task")
        item.stash[CHECK] = Check(item.nodeid, item.path.parent.name, item.name, marker.args if marker else ())
    return item.stash[CHECK]
