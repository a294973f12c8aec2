"""One run of the grader: which file is graded for each kata, and how a pytest outcome becomes a row."""
import contextlib
import io
import traceback
import zlib

import numpy as np
import pytest

from grader.calling.answers import LearnerFile, NotGraded
from grader.calling.in_process import InProcess
from grader.calling.kata_fixture import Asked, NoValue, calls_of
from grader.calling.limits import Limits
from grader.calling.memory import bounded, is_short
from grader.course.katas import all_katas, shown
from grader.course.learner_files import has_work, own_file
from grader.course.visible import LONGEST_PATH, visible
from grader.verdict.diagnosis import Diagnosis, Diagnostician
from grader.verdict.messages import about_file, explanation, message
from grader.verdict.results import KataResult, Results
from grader.verdict.rows import Check
from grader.verdict.wrapping import Block

CHECK = pytest.StashKey[Check]()
ABOUT_THE_FILE = ("no_file", "broken", "reference", "missing")
OUTCOME = {"raised": "error", "missing": "error", "broken": "error", "no_file": "todo", "reference": "failed"}


class Grading:
    """Everything a run needs to know, made once from the options."""

    def __init__(self, options, found=None):
        self.options = options
        self.found = found                    # the files of somebody else, see grader/cohort/finding.py
        self.results = Results(self.result)
        self._graders = {}
        self._current = None                  # the kata whose checks run
        self._explained = []                  # (kata, check, row, diagnosis) of the checks that failed
        self._isolated = []                   # submissions that have processes

    def file(self, kata):
        """The file that is graded for a kata, or None."""
        if self.found is not None:
            entry = self.found.files.get(kata.name)
            return entry and entry.path
        if self.options.solutions:
            return kata.solution
        if self.options.work is not None:
            return own_file(kata, self.options.work)
        return kata.stub if kata.stub.is_file() else None

    def place(self, kata):
        """Where the file for a kata is, for a message; in a submission of somebody else, relative to that."""
        if self.found is not None and kata.name in self.found.files:
            return visible(self.found.files[kata.name].name, LONGEST_PATH)
        return shown(self.file(kata) or kata.folder)

    def result(self, kata, rows):
        """The result of a kata, from its rows."""
        if self.found is not None:
            return self.found.result(kata, rows)
        file = self.file(kata)
        some = len({row.outcome == "passed" for row in rows}) == 2        # no stub passes all checks
        maybe = file and (some or any(row.file_fault == "missing" for row in rows))
        return KataResult(kata, file, rows, untouched=bool(maybe and not has_work(file, kata)))

    def grader(self, kata):
        """The (submission, diagnostician) of a kata, made when first asked for; the process of another kata ends."""
        if self.found is not None and self.found.refusal:
            raise NotGraded(self.found.refusal)
        if self._current != kata.name:
            self.end_processes()
            self._current = kata.name
        if kata.name not in self._graders:
            limits, solution = self.options.limits, None if self.options.solutions else kata.solution
            entry = self.found and self.found.files.get(kata.name)
            source = entry and entry.source
            submission: LearnerFile
            if self.options.isolated:
                from grader.isolation.isolated import IsolatedFile  # here, because most runs do not need it
                submission = isolated = IsolatedFile(self.file(kata), limits, solution, source)
                self._isolated.append(isolated)
            else:
                ours = self.options.solutions and limits.call == Limits.call           # the default
                submission = InProcess(self.file(kata), float("inf") if ours else limits.call, solution, source)
            self._graders[kata.name] = submission, Diagnostician(kata, submission)
        return self._graders[kata.name]

    def end_processes(self):
        """End the processes of this submission, because nobody watches them while they are not asked."""
        for submission in self._isolated:
            submission.end()

    def close(self):
        """End the processes of this submission, and forget its answers."""
        self.end_processes()
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

    def bounded(self):
        """A limit on the memory of this process meanwhile, if the code of others decides what it needs."""
        return bounded() if self.options.isolated else contextlib.nullcontext()

    def row(self, kata, check, asked, failure, seconds):
        """The row for one finished check, from its `kata` fixture and what it raised, if anything."""
        if isinstance(failure, MemoryError) and is_short():
            failure = NotGraded(NotGraded.NO_MEMORY)
        if isinstance(failure, NotGraded):
            return check.row("not_run", check.task(kata), message=[Block(str(failure))], seconds=seconds)
        calls = calls_of(asked) if asked is not None else []
        if failure is None:
            self.grader(kata)[1].remember(calls)
            return check.row("passed", check.task(kata), seconds=seconds)
        answer = failure.answer if isinstance(failure, NoValue) else None
        outcome = "failed" if answer is None else OUTCOME.get(answer.outcome, answer.outcome)
        gone_wrong = calls and (answer is None or answer.outcome not in (*ABOUT_THE_FILE, "todo"))
        row = check.row(outcome, check.task(kata, calls[-1].function if gone_wrong else None), seconds=seconds)
        row.printed = "".join(call.answer.printed for call in calls)
        if answer is not None and answer.outcome in ABOUT_THE_FILE:
            row.message = about_file(self.place(kata), answer.message)
            row.file_fault = answer.outcome
        elif answer is not None and answer.outcome == "todo":
            row.message = [Block(f"{calls[-1].function} is not written yet", "", "")]
        else:
            self.explain(row, kata, check, calls, failure)
            row.file_fault = "broken" if answer is not None and answer.loading else None
        return row

    def explain(self, row, kata, check, calls, failure):
        """Add what the diagnosis finds to the row of a failed check."""
        _, diagnostician = self.grader(kata)
        try:
            with quiet(), self.bounded():
                found = diagnostician.diagnose(calls, failure)
        except Exception:                     # a fault of the grader, not of the learner: the run goes on
            found = Diagnosis(calls[-1] if calls else None, None, "claim", str(failure))
            row.fault = traceback.format_exc()
        self._explained.append((kata, check, row, found))
        if found.call:
            task = check.task(kata, found.call.function)
            row.function, row.task = found.call.function, task and task.number
        self.put_into_words(row, kata, check, found)

    def put_into_words(self, row, kata, check, found):
        """Fill in what depends on the mistakes that were named."""
        task = check.task(kata, found.call.function if found.call else None)
        readme = f"{shown(kata.folder)}/README.md"
        submission, diagnostician = self.grader(kata)
        reference = diagnostician.reference
        row.message = message(found, reference, submission, task, readme, name_it=not kata.to_mend)
        row.mistake, row.mistake_of, row.pattern = found.mistake, found.mistake_of, found.pattern
        row.line = None if kata.to_mend else found.line
        row.named = explanation(found, reference, task) if kata.to_mend and found.mistakes else []

    def name_again(self):
        """Explain the failures of each kata again, now that all of them are known; {node: row} of their rows."""
        rows = {}
        for kata in {kata.name: kata for kata, *_ in self._explained}.values():
            mine = [(check, row, found) for one, check, row, found in self._explained if one == kata]
            fault = ""
            try:
                with quiet(), self.bounded():
                    self.grader(kata)[1].name([found for *_, found in mine])
            except Exception:                 # a fault of the grader: the messages stay as they are
                fault = traceback.format_exc()
            for check, row, found in mine:
                row.fault = row.fault or fault
                self.put_into_words(row, kata, check, found)
                rows[check.node] = row
        return rows

    def finished(self):
        """The results, kata by kata."""
        return self.results.katas(all_katas())

    @property
    def protections(self):
        """The protections from the graded code."""
        if not self.options.isolated:
            return []
        from grader.isolation.fork_server import protections
        return protections()


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
