"""Grades that Moodle imports: a row is for whoever has the ID number or the email address in it."""
from pathlib import Path

from grader.output.files import Writer
from grader.output.tables import ASSIGNMENT, cell, points_of, write_table
from grader.verdict.results import RunResult

TITLES = {"ID number": ("idnumber", "studentid", "id"), "Email address": ("emailaddress", "email", "mail")}
NO_GRADE = "-"          # as Moodle writes it; in a new column, Moodle takes an empty cell for 0


def write(path: Path, run: RunResult) -> Writer:
    """Write the grades; ValueError if neither of the identifying columns can be used."""
    points = yield from points_of(run)
    columns = [[next(filter(None, map(person.columns.get, titles)), "") for person in run.people]
               for titles in TITLES.values()]
    # Where a cell is empty, Moodle gives the grade to the person of the row above.
    columns = [texts if all(texts) else [""] * len(texts) for texts in columns]
    if not any(map(any, columns)):
        raise ValueError("Moodle needs everybody's ID number or everybody's email address, but the roster lacks some")
    rows = [[*map(cell, texts), points.get(person.submission, NO_GRADE)]
            for person, *texts in zip(run.people, *columns, strict=True)]
    titles = [*TITLES, ASSIGNMENT]
    if run.by_hand:                       # Moodle's import can take the reasons as feedback on the grade
        titles.append("Set by hand")
        for row, person in zip(rows, run.people, strict=True):
            row.append(cell("; ".join(f"{kata}: {mark}" for (who, kata), mark in run.by_hand.items()
                                      if who == person.submission)))
    write_table(path, titles, rows)
