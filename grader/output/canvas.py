"""Grades that Canvas imports: its own columns, which come from the roster unchanged, and one for the assignment."""
from grader.output.gradebook import ASSIGNMENT, as_csv, cell, points_of
from grader.output.writing import write_text

TITLES = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def canvas(run):
    """The text: who has no points has an empty cell."""
    points = points_of(run)
    rows = [[*TITLES, ASSIGNMENT], ["Points Possible", *[""] * (len(TITLES) - 1), float(run.points)]]
    for person in run.people:
        columns = (person.columns.get(title.replace(" ", "").lower(), "") for title in TITLES[1:])
        rows.append([*map(cell, [person.name, *columns]), points.get(person.submission, "")])
    return as_csv(rows)


def write(path, run):
    """Write the grades of a run."""
    write_text(path, canvas(run))
