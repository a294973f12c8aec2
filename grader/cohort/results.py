"""The results of all submissions so far, from the rows that the store has."""
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from grader.calling.answers import NO_FILE
from grader.cohort.collecting import Submission
from grader.cohort.progress import Progress
from grader.cohort.store import Store
from grader.course.katas import KATAS, Kata, shown
from grader.verdict.messages import about_file
from grader.verdict.results import KataResult, SubmissionResult
from grader.verdict.rows import Check, Row


def without_file(kata: Kata, checks: Iterable[Check]) -> list[Row]:
    """The rows of a kata for which a submission has no file; no suite needs to run for them."""
    message = about_file(shown(kata.folder), NO_FILE)
    return [check.row("todo", check.task(kata), message=message, file_fault="no_file") for check in checks]


class AllResults:
    """The SubmissionResult of every submission, made whenever they are gone through, one by one."""

    def __init__(self, submissions: Sequence[Submission], store: Store, progress: Progress,
                 aliases: Mapping[str, str]) -> None:
        self.submissions = submissions
        self.store = store
        self.progress = progress
        self.aliases = aliases
        # (kata, its checks, its rows without a file, whether it is a part)
        self.katas: list[tuple[Kata, list[Check], list[Row], bool]] = []

    def select(self, selected: Iterable[tuple[str, list[tuple], bool]]) -> None:
        """Learn which checks are selected, from a process that has collected them."""
        if not self.katas:
            for folder, columns, is_part in selected:
                kata, checks = Kata(KATAS / folder), [Check(*one) for one in columns]
                self.katas.append((kata, checks, without_file(kata, checks), is_part))

    def __iter__(self) -> Iterator[SubmissionResult]:
        for one in self.submissions:
            yield SubmissionResult(one.name, str(one.found.source), self.of(one), one.found.unused, one.id,
                                   self.aliases.get(one.name, ""))

    def of(self, submission: Submission) -> list[KataResult]:
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
