"""Grades for Canvas and Moodle: their importers take them, and nobody gets a mark that was not earned.

What the importers do was read in their public code: lib/gradebook_importer.rb of instructure/canvas-lms, and
grade/import/csv/classes/load_data.php of moodle/moodle.
"""
from fractions import Fraction

import pytest

from grader.verdict.results import Person
from tests.helpers.results import HOSTILE, check, checks, kata, run_of, submission, table


def run_with(*people, points=100):
    """A run with five submissions: all right, a part right, not graded in full, nothing right, no file."""
    missing = kata("alibi_bias", checks(0, 0, 3))
    missing.file = None
    given = {"ada": checks(3), "bob": checks(1, 2), "cyd": [check("test_a", "not_run")], "dan": checks(0, 3)}
    run = run_of(*(submission(name, [kata("order_blindness", checks(0, 0, 4) if name == "dan" else checks(4)),
                                     kata("alibi_bias", rows)]) for name, rows in given.items()),
                 submission("eve", [missing]))
    run.people, run.points = people, Fraction(points)
    return run


def person(name, of=None, **columns):
    return Person(name, columns, of)


CLASS = (
    person("Lovelace, Ada", "ada", id="1001", sisuserid="s77", sisloginid="ada", section="CS 1", idnumber="s77",
           email="ada@example.org"),
    person("Bob; the second", "bob", id="1002", idnumber="s78", email="bob@example.org"),
    person("Cyd", "cyd", id="1003", idnumber="s79", email="cyd@example.org"),
    person("Dan", "dan", id="1004", idnumber="s80", email="dan@example.org"),
    person("Eve", "eve", id="1005", idnumber="s81", email="eve@example.org"),
    person("Fay", None, id="1006", idnumber="s82", email="fay@example.org"),
)


def test_canvas_gets_its_columns_the_points_and_a_grade_for_each_who_was_graded():
    assert table("canvas", run_with(*CLASS)) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Positional encodings"],
        ["Points Possible", "", "", "", "", "100.0"],
        ["Lovelace, Ada", "1001", "s77", "ada", "CS 1", "100.0"],
        ["Bob; the second", "1002", "", "", "", "66.66"],
        ["Cyd", "1003", "", "", "", ""],
        ["Dan", "1004", "", "", "", "0.0"],
        ["Eve", "1005", "", "", "", ""],
        ["Fay", "1006", "", "", "", ""],
    ]


def test_moodle_gets_what_it_knows_people_by_and_a_dash_for_each_who_was_not_graded():
    assert table("moodle", run_with(*CLASS)) == [
        ["ID number", "Email address", "Positional encodings"],
        ["s77", "ada@example.org", "100.0"],
        ["s78", "bob@example.org", "66.66"],
        ["s79", "cyd@example.org", "-"],
        ["s80", "dan@example.org", "0.0"],
        ["s81", "eve@example.org", "-"],
        ["s82", "fay@example.org", "-"],
    ]


@pytest.mark.parametrize("points", [8, Fraction("7.5")])
def test_grades_are_parts_of_the_points(points):
    run = run_with(*CLASS, points=points)
    _, possible, ada, *_ = table("canvas", run)
    assert float(possible[-1]) == float(ada[-1]) == float(table("moodle", run)[1][-1]) == points


def test_a_column_that_some_people_lack_identifies_nobody_in_moodle():
    """Where the cell is empty, Moodle would give the grade to the person before."""
    people = [person("Ada", "ada", idnumber="s77", email="ada@example.org"),
              person("Bob", "bob", idnumber="", email="bob@example.org")]
    assert [row[:2] for row in table("moodle", run_with(*people))[1:]] == [["", "ada@example.org"],
                                                                          ["", "bob@example.org"]]
    with pytest.raises(ValueError, match="Moodle needs everybody's ID number or everybody's email address"):
        table("moodle", run_with(person("Ada", "ada", id="s77"), person("Bob", "bob", email="bob@example.org")))


@pytest.mark.parametrize("name", ["canvas", "moodle"])
def test_cells_from_a_roster_are_no_formulas(name):
    people = [person(text, None, id=text or "x", email=text or "x", section=text) for text in HOSTILE]
    for row in table(name, run_with(*people))[1:]:
        assert not any(cell.lstrip().startswith(("=", "+", "@", "\N{FULLWIDTH EQUALS SIGN}")) for cell in row)
        assert not any(cell.startswith("-") and cell != "-" for cell in row)
