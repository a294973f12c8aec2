"""Grades that Canvas and Moodle import."""
from collections.abc import Generator
from pathlib import Path

from grader.output.files import Writer
from grader.output.tables import cell, rounded, write_table
from grader.verdict.results import RunResult, SubmissionResult

ASSIGNMENT = "Positional encodings"         # the title of the column with the grades
CANVAS = ("ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = {"ID number": ("idnumber", "studentid", "id"), "Email address": ("emailaddress", "email", "mail")}
NO_GRADE = "-"          # as Moodle writes it; in a new column, Moodle takes an empty cell for 0


def points_of(run: RunResult) -> Generator[None, SubmissionResult | None, dict[str | None, float]]:
    """{submission: its points}, without those that are not graded in full or have no file for any kata."""
    points: dict[str | None, float] = {}
    while one := (yield):
        if one.graded and any(kata.file or kata.by_hand for kata in one.katas):
            points[one.name] = rounded(one.share * run.points, 2)
    return points


def canvas(path: Path, run: RunResult) -> Writer:
    """Write Canvas's own columns, which come from the roster unchanged; who has no points has an empty cell."""
    points = yield from points_of(run)
    rows = [["Points Possible", *[""] * len(CANVAS), float(run.points)]]
    for person in run.people:
        columns = (person.columns.get(title.replace(" ", "").lower(), "") for title in CANVAS)
        rows.append([*map(cell, [person.name, *columns]), points.get(person.submission, "")])
    write_table(path, ["Student", *CANVAS, ASSIGNMENT], rows)


def moodle(path: Path, run: RunResult) -> Writer:
    """Write a row for whoever has the ID number or the email address in it; ValueError if neither can be used."""
    points = yield from points_of(run)
    columns = [[next(filter(None, map(person.columns.get, titles)), "") for person in run.people]
               for titles in MOODLE.values()]
    # Where a cell is empty, Moodle gives the grade to the person of the row above.
    columns = [texts if all(texts) else [""] * len(texts) for texts in columns]
    if not any(map(any, columns)):
        raise ValueError("Moodle needs everybody's ID number or everybody's email address, but the roster lacks some")
    titles, rows = [*MOODLE, ASSIGNMENT], []
    for person, *texts in zip(run.people, *columns, strict=True):
        rows.append([*map(cell, texts), points.get(person.submission, NO_GRADE)])
        if run.by_hand:                   # Moodle's import can take the reasons as feedback on the grade
            rows[-1].append(cell("; ".join(f"{kata}: {mark}" for (who, kata), mark in run.by_hand.items()
                                           if who == person.submission)))
    write_table(path, titles + (["Set by hand"] if run.by_hand else []), rows)
