"""The gradebook: one row per submission as CSV, with numbers that a spreadsheet can add up."""
from fractions import Fraction
from pathlib import Path

from grader.output.escaping import shown_names
from grader.output.files import Writer
from grader.output.tables import cell, rounded, write_table
from grader.verdict.results import RunResult, SubmissionResult


def write(path: Path, run: RunResult) -> Writer:
    """Write checks passed for each kata, sums, the status of each kata, files not used, who has equal files."""
    ids: dict[str, None] = {}             # names of all katas, in order
    people = []                           # (name, cells for katas, cells for sums, cells for states, files not used)
    while one := (yield):
        ids |= dict.fromkeys(kata.name for kata in one.katas)
        people.append((one.name, {kata.name: kata.passed if kata.graded else "" for kata in one.katas},
                       sums(one, run.points), {kata.name: cell(kata.by_hand or kata.state) for kata in one.katas},
                       "; ".join(one.unused)))
    titles = ["submission", *ids, "solved", "passed", "total", "percent", "points", *(f"{one} status" for one in ids),
              "not used", "same files as"]
    names = shown_names([name for name, *_ in people], 200)
    write_table(path, [cell(title) for title in titles], [
        [cell(shown), *(passed.get(kata, "") for kata in ids), *sums, *(states.get(kata, "") for kata in ids),
         cell(unused), cell("; ".join(sharing(name, run)))]
        for shown, (name, passed, sums, states, unused) in zip(names, people, strict=True)])


def sums(one: SubmissionResult, points: Fraction) -> list:
    """Katas solved, checks passed, all checks, percent and points; nothing if a kata has not been graded."""
    if not one.graded:
        return [""] * 5
    return [one.solved, one.passed, one.total, rounded(one.share * 100, 1), rounded(one.share * points, 2)]


def sharing(name: str, run: RunResult) -> list[str]:
    """The other submissions that share a file with this one, each once."""
    same = dict.fromkeys(other for _, names in run.equal_files if name in names for other in names)
    return [other for other in same if other != name]
