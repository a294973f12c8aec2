"""How many people pass each check: whom it counts, and what the file and the board say."""
import csv
import io

from grader.output.board import content
from grader.output.checks import checks
from grader.output.files import OUTPUTS
from tests.helpers.results import check, hostile_run, kata, run_of, submission


def person(name, *outcomes, **how):
    """Somebody whose file for kata 21 has these outcomes."""
    rows = [check(f"test_{place}", outcome) for place, outcome in enumerate(outcomes)]
    for number, row in enumerate(rows):
        row.counted_for = number + 1
    one = kata("positional_formula", rows, broken=how.get("broken", False), absent=how.get("absent", False))
    one.untouched = how.get("untouched", False)
    return submission(name, [one])


CLASS = (person("ada", "passed", "failed", "todo"), person("ben", "passed", "passed", "todo"),
         person("cyd", "failed", "timeout", "todo"), person("dan", "error", "error", "error", broken=True),
         person("eve", "passed", "todo", "todo", untouched=True), person("fay", "todo", "todo", "todo", absent=True),
         person("gus", "passed", "not_run", "not_run"))


def rows(text):
    return list(csv.reader(io.StringIO(text, newline="")))


def test_a_check_counts_those_whose_file_loads_and_has_the_function():
    assert rows(checks(run_of(*CLASS))) == [
        ["kata", "check", "task", "passed", "graded", "share"],
        ["positional_formula", "test_0", "1", "3", "4", "0.75"],
        ["positional_formula", "test_1", "2", "1", "3", "0.333"],
        ["positional_formula", "test_2", "3", "0", "0", ""],
    ]


def test_an_earlier_file_is_known_by_how_it_begins():
    assert checks(run_of(*CLASS)).startswith(OUTPUTS["checks"][2])


def test_names_of_checks_are_no_formulas():
    for row in rows(checks(hostile_run())):
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row)


def test_the_board_shows_the_lowest_that_somebody_fails():
    assert content(run_of(*CLASS))["lowest"] == [
        ("21 positional formula", "test_1", 1, 3), ("21 positional formula", "test_0", 3, 4)]


def test_of_equal_shares_the_one_with_most_people_comes_first_and_five_are_shown():
    people = [person("ada", *["failed"] * 7), person("ben", *["todo"] * 6, "failed")]
    assert [one[1] for one in content(run_of(*people))["lowest"]] == ["test_6", "test_0", "test_1", "test_2", "test_3"]


def test_the_board_names_no_check_of_the_kata_with_faults_to_find():
    run = run_of(submission("ada", [kata("mend_the_rope", [check("test_a", "failed")])]))
    assert content(run)["lowest"] == []
