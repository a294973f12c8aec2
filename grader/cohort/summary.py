"""What the terminal shows at the end of a cohort: a line for each submission, and what was not used or not graded."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from grader.cohort.collecting import EXPECTED
from grader.cohort.finding import LOST
from grader.cohort.roster import Roster
from grader.course.visible import LONGEST_PATH, visible
from grader.isolation import protections

if TYPE_CHECKING:
    from grader.cohort.plugin import Cohort

AT_MOST = 5                               # lines about one submission


def write_summary(terminal: Any, cohort: Cohort) -> None:
    """Write the summary."""
    line, count = terminal.write_line, len(cohort.submissions)
    line(f"Cohort: {count} submission{'' if count == 1 else 's'}, seed {cohort.options.seed}", bold=True)
    line("")
    ungraded = 0
    for one in cohort.results:
        ungraded += not one.graded
        score = f"{one.passed}/{one.total}" if one.graded else "not graded"
        line(f"  {score:<10} {one.solved:>2} of {len(one.katas)} solved   {one.name}")
        some(line, "      Not used: ", one.unused)
    if not count:
        nothing(line, cohort)
    line("")
    if cohort.roster.people:
        of_the_roster(line, cohort.roster)
    some(line, "Not used: ", cohort.unused)
    if ungraded:
        line(f"{ungraded} submission{' is' if ungraded == 1 else 's are'} not graded in full. "
             f"{cohort.store.next_run}", red=True)
    if count := len(cohort.options.overrides):
        line(f"{count} mark{' is' if count == 1 else 's are'} set by hand. The numbers above are as graded.")
    for why, names in cohort.lost.items():
        line(visible(f"Not graded: {', '.join(names)}: {why}", LONGEST_PATH), red=True)
    if text := protections.unprotected(cohort.protections):
        line(text, yellow=True)
    for text in (*cohort.store.notes, *cohort.unwritten):
        line(text, red=True)


def some(line: Callable, start: str, texts: Sequence[str]) -> None:
    """Write a line for each text, but only for the first if there are many. Code that is not graded is in red."""
    for text in texts[:AT_MOST]:
        line(f"{start}{visible(text, LONGEST_PATH)}", **{"red" if LOST in text else "yellow": True})
    if len(texts) > AT_MOST:
        line(f"{start}{len(texts) - AT_MOST} more, which --report names", yellow=True)


def of_the_roster(line: Callable, roster: Roster) -> None:
    """Say who in the roster has no submission, and whose submissions are not in it; each of them, however many."""
    found = sum(person.submission is not None for person in roster.people)
    line(f"Roster: {found} of {len(roster.people)} people have a submission.")
    for start, texts in (("No submission: ", roster.missing), ("No file for a kata: ", roster.without_files),
                         ("Not clear: ", roster.unclear), ("Not in the roster: ", roster.unknown)):
        for text in texts:
            line(f"  {start}{visible(text, LONGEST_PATH)}", yellow=True)
    line("")


def nothing(line: Callable, cohort: Cohort) -> None:
    """Say what lies in a folder without a submission, and what was expected."""
    shown = ", ".join(visible(name, 60) for name in cohort.names[:10]) + (" ..." if len(cohort.names) > 10 else "")
    line(f"  {visible(cohort.options.cohort, LONGEST_PATH)} has {shown or 'nothing in it'}.")
    line(f"  {EXPECTED}.")
