"""The results of all submissions so far, from the rows that the store has."""
from dataclasses import replace

from grader.cohort.checks import without_file
from grader.course.katas import KATAS, Kata
from grader.verdict.results import SubmissionResult
from grader.verdict.rows import Check


class AllResults:
    """The SubmissionResult of every submission, made whenever they are gone through, one by one."""

    def __init__(self, submissions, store, progress, aliases):
        self.submissions = submissions
        self.store = store
        self.progress = progress
        self.aliases = aliases
        self.katas = []                       # (kata, its checks, its rows without a file, whether it is a part)

    def select(self, selected):
        """Learn which checks are selected, from a process that has collected them."""
        if not self.katas:
            for folder, columns, is_part in selected:
                kata, checks = Kata(KATAS / folder), [Check(*one) for one in columns]
                self.katas.append((kata, checks, without_file(kata, checks), is_part))

    def __iter__(self):
        for one in self.submissions:
            yield SubmissionResult(one.name, str(one.found.source), self.of(one), one.found.unused, one.id,
                                   self.aliases.get(one.name, ""))

    def of(self, submission):
        """The KataResults of one submission."""
        results = []
        for kata, checks, no_file, is_part in self.katas:
            rows = None
            if kata.name not in submission.found.files and not submission.found.refusal:
                rows = no_file
            elif not submission.found.refusal and not self.progress.is_pending(submission.name, kata.name):
                rows = self.store.rows((submission.name, kata.name))
            rows = rows or [check.row("not_run", check.task(kata)) for check in checks]
            results.append(replace(submission.found.result(kata, rows), partial=is_part))
        return results
