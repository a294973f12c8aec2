"""Grades that Canvas imports: its own columns, which come from the roster unchanged, and one for the assignment."""
from pathlib import Path

from grader.output.files import Writer
from grader.output.tables import ASSIGNMENT, cell, points_of, write_table
from grader.verdict.results import RunResult

TITLES = ("ID", "SIS User ID", "SIS Login ID", "Section")


def write(path: Path, run: RunResult) -> Writer:
    """Write the grades; who has no points has an empty cell."""
    points = yield from points_of(run)
    rows = [["Points Possible", *[""] * len(TITLES), float(run.points)]]
    for person in run.people:
        columns = (person.columns.get(title.replace(" ", "").lower(), "") for title in TITLES)
        rows.append([*map(cell, [person.name, *columns]), points.get(person.submission, "")])
    write_table(path, ["Student", *TITLES, ASSIGNMENT], rows)
