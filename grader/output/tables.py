"""CSV files that every spreadsheet reads alike: the gradebook, grades to import elsewhere, how many pass each check."""
import csv
import io
import math
import unicodedata
from collections.abc import Generator, Iterable
from fractions import Fraction
from pathlib import Path

from grader.course.visible import shown_names, visible
from grader.output.files import Writer
from grader.output.writing import write_text
from grader.verdict.results import KataResult, RunResult, SubmissionResult

FORMULA = "=+-@\N{MINUS SIGN}"
ASSIGNMENT = "Positional encodings"         # the title of the column with the grades
OF_CANVAS = ("ID", "SIS User ID", "SIS Login ID", "Section")
OF_MOODLE = {"ID number": ("idnumber", "studentid", "id"), "Email address": ("emailaddress", "email", "mail")}
NO_GRADE = "-"          # as Moodle writes it; in a new column, Moodle takes an empty cell for 0


def write_table(path: Path, titles: list[str], rows: Iterable[list]) -> None:
    """Put a table at `path`."""
    text = io.StringIO()
    # Numbers bare, texts quoted: a spreadsheet that splits at semicolons then leaves a name in one piece.
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows(
        [[as_cell(one) if isinstance(one, str) else one for one in row] for row in (titles, *rows)])
    write_text(path, text.getvalue())


def as_cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    shown = visible(text, 2000)
    start = unicodedata.normalize("NFKC", shown.lstrip()[:1])[:1]
    return f"'{shown}" if start and start in FORMULA and shown != NO_GRADE else shown        # which is none by itself


def rounded_down(number: Fraction, digits: int) -> float:
    """A number with so many digits: all points are reached only by solving everything."""
    return math.floor(number * 10**digits) / 10**digits


def gradebook(path: Path, run: RunResult) -> Writer:
    """Write checks passed for each kata, sums, the status of each kata, files not used, who has equal files."""
    ids: dict[str, None] = {}             # names of all katas, in order
    people = []                           # (name, cells for katas, cells for sums, cells for states, files not used)
    while one := (yield):
        ids |= dict.fromkeys(kata.name for kata in one.katas)
        people.append((one.name, {kata.name: kata.passed if kata.graded else "" for kata in one.katas},
                       sums(one, run.points), {kata.name: str(kata.by_hand or kata.state) for kata in one.katas},
                       "; ".join(one.unused)))
    same: dict[str, dict[str, None]] = {}                     # the submissions that share a file with one, each once
    for _, names in run.equal_files:
        for name in names:
            same.setdefault(name, {}).update(dict.fromkeys(other for other in names if other != name))
    write_table(path, ["submission", *ids, "solved", "passed", "total", "percent", "points",
                       *(f"{kata} status" for kata in ids), "not used", "same files as"], [
        [shown, *(passed.get(kata, "") for kata in ids), *sums, *(states.get(kata, "") for kata in ids), unused,
         "; ".join(same.get(name, ()))]
        for shown, (name, passed, sums, states, unused)
        in zip(shown_names([name for name, *_ in people], 200), people, strict=True)])


def sums(one: SubmissionResult, points: Fraction) -> list:
    """Katas solved, checks passed, all checks, percent and points; nothing if a kata has not been graded."""
    if not one.graded:
        return [""] * 5
    return [one.solved, one.passed, one.total, rounded_down(one.share * 100, 1), rounded_down(one.share * points, 2)]


def points_of(run: RunResult) -> Generator[None, SubmissionResult | None, dict[str | None, float]]:
    """{submission: its points}, without those that are not graded in full or have no file for any kata."""
    points: dict[str | None, float] = {}
    while one := (yield):
        if one.graded and any(kata.file or kata.by_hand for kata in one.katas):
            points[one.name] = rounded_down(one.share * run.points, 2)
    return points


def canvas(path: Path, run: RunResult) -> Writer:
    """Write Canvas's own columns, which come from the roster unchanged; who has no points has an empty cell."""
    points = yield from points_of(run)
    rows: list[list] = [["Points Possible", *[""] * len(OF_CANVAS), float(run.points)]]
    for person in run.people:
        columns = (person.columns.get(title.replace(" ", "").lower(), "") for title in OF_CANVAS)
        rows.append([person.name, *columns, points.get(person.submission, "")])
    write_table(path, ["Student", *OF_CANVAS, ASSIGNMENT], rows)


def moodle(path: Path, run: RunResult) -> Writer:
    """Write a row for whoever has the ID number or the email address in it; ValueError if neither can be used."""
    points = yield from points_of(run)
    columns = [[next(filter(None, map(person.columns.get, titles)), "") for person in run.people]
               for titles in OF_MOODLE.values()]
    # Where a cell is empty, Moodle gives the grade to the person of the row above.
    columns = [texts if all(texts) else [""] * len(texts) for texts in columns]
    if not any(map(any, columns)):
        raise ValueError("Moodle needs everybody's ID number or everybody's email address, but the roster lacks some")
    titles, rows = [*OF_MOODLE, ASSIGNMENT], []
    for person, *texts in zip(run.people, *columns, strict=True):
        rows.append([*texts, points.get(person.submission, NO_GRADE)])
        if run.by_hand:                   # Moodle's import can take the reasons as feedback on the grade
            rows[-1].append("; ".join(f"{kata}: {mark}" for (who, kata), mark in run.by_hand.items()
                                      if who == person.submission))
    write_table(path, titles + (["Set by hand"] if run.by_hand else []), rows)


class Rates:
    """How many people pass each check, of those whose file loads and has the function that the check is about."""

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


def checks(path: Path, run: RunResult) -> Writer:
    """Write a row for each check."""
    rates = Rates()
    while one := (yield):
        for result in one.katas:
            rates.add(result)
    write_table(path, ["kata", "check", "task", "passed", "graded", "share"], [
        [name, check, task or "", passed, graded, rounded_down(Fraction(passed, graded), 3) if graded else ""]
        for (name, check), (_, task, passed, graded) in rates.counts.items()])
