"""How many people pass each check: whom it counts, and what the file and the board say."""
from tests.helpers.results import check, content, hostile_run, kata, run_of, submission, table


def person(name, *outcomes, **how):
    """Somebody whose file for kata 21 has these outcomes."""
    rows = [check(f"test_{place}", outcome) for place, outcome in enumerate(outcomes)]
    for number, row in enumerate(rows):
        row.counted_for = number + 1
    return submission(name, [kata("positional_formula", rows, **how)])


CLASS = run_of(person("ada", "passed", "failed", "todo"), person("ben", "passed", "passed", "todo"),
               person("cyd", "failed", "timeout", "todo"), person("dan", "error", "error", "error", broken=True),
               person("eve", "passed", "todo", "todo", untouched=True),
               person("fay", "todo", "todo", "todo", absent=True), person("gus", "passed", "not_run", "not_run"))


def test_a_check_counts_those_whose_file_loads_and_has_the_function():
    assert table("checks", CLASS) == [
        ["kata", "check", "task", "passed", "graded", "share"],
        ["positional_formula", "test_0", "1", "3", "4", "0.75"],
        ["positional_formula", "test_1", "2", "1", "3", "0.333"],
        ["positional_formula", "test_2", "3", "0", "0", ""],
    ]
    assert content(CLASS)["lowest"] == [
        ("21 positional formula", "test_1", 1, 3), ("21 positional formula", "test_0", 3, 4)]


def test_names_of_checks_are_no_formulas():
    for row in table("checks", hostile_run()):
        assert not any(cell.lstrip().startswith(("=", "+", "-", "@")) for cell in row)


def test_of_equal_shares_the_one_with_most_people_comes_first_and_five_are_shown():
    people = [person("ada", *["failed"] * 7), person("ben", *["todo"] * 6, "failed")]
    assert [one[1] for one in content(run_of(*people))["lowest"]] == ["test_6", "test_0", "test_1", "test_2", "test_3"]
