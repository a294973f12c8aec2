"""Known mistakes are edits of the solution: what an edit changes, what is refused, and what the families cover."""
import ast

import pytest

from grader.course.katas import all_katas
from grader.verdict.edits import edits_of, families, with_changes, written
from grader.verdict.mistakes import Solution, edit, mistakes

KATAS = {kata.name: kata for kata in all_katas()}
FUNCTIONS = [node for kata in all_katas() for node in Solution(kata.solution).functions.values()]
SOLUTION = '''import numpy as np


def helper(n):
    """Count."""
    return np.arange(n)             # (n,)


def table(n, base=10.0):
    """A table."""
    if n > 3:
        n = n - 1
        n = n + 1
    return _divided(helper(n), base)


def _divided(x, base):
    return x / base
'''


@pytest.fixture
def solution(tmp_path):
    (tmp_path / "kata.py").write_text(SOLUTION)
    return Solution(tmp_path / "kata.py")


def texts(code, piece, other):
    """The bodies of a function after an edit of each place."""
    (function,) = ast.parse(f"def f(x, y):\n    {code}").body
    return [ast.unparse(with_changes(function, one)).partition("\n    ")[2] for one in edits_of(function, piece, other)]


@pytest.mark.parametrize(("code", "piece", "other", "wanted"), [
    ("return (x   + y)", "x+y", "x - y", ["return x - y"]),                    # by its structure
    ("return x + y + 1", "y + 1", "y", []),                                    # it is (x + y) + 1
    ("return abs(x) + abs(y)", "abs(A)", "A", ["return x + abs(y)", "return abs(x) + y"]),       # an edit of each place
    ("return x / x", "A / A", "1", ["return 1"]),                              # the same expression everywhere
    ("return x / y", "A / A", "1", []),
    ("x[0::2] = y[0::2]", "A[0::2] = B", "A[1::2] = B", ["x[1::2] = y[0::2]"]),     # the target of an assignment
])
def test_a_piece_is_found_where_it_stands(code, piece, other, wanted):
    assert texts(code, piece, other) == wanted


def entry(**fields):
    """An entry of mistakes.toml."""
    return {"name": "wrong_one", "says": "You do\nsomething else.", **fields}


def test_an_edit_of_a_kata_changes_one_function(solution):
    one = edit(solution, "helper", entry(solution="np.arange(n)", wrong="np.arange(1, n + 1)"))
    assert (one.name, one.sentence, one.replaces) == ("wrong_one", "You do something else.", "helper")
    assert one.ask("helper", (3,), {}).value.tolist() == [1, 2, 3]
    assert one.ask("table", (3,), {}).value.tolist() == [0.1, 0.2, 0.3]
    assert '"""' not in one.source


@pytest.mark.parametrize(("change", "size"), [
    ({"solution": "n = n - 1\nn = n + 1", "wrong": "n = 1"}, 1),               # statements
    ({"solution": "n = n + 1", "wrong": ""}, 4),                               # that disappear
    ({"solution": ["n - 1", "n + 1"], "wrong": ["n - 2", "n + 4"]}, 7),        # several pieces together
    ({"wrong": "m = 2\nreturn np.ones(m)"}, 2),                                # the whole body
])
def test_an_edit_changes_statements_several_pieces_or_the_whole_body(solution, change, size):
    assert len(edit(solution, "table", entry(**change)).ask("table", (5,), {}).value) == size


def test_an_edit_of_a_helper_is_told_of_the_function_that_calls_it(solution):
    one = edit(solution, "_divided", entry(solution="x / base", wrong="x * base"))
    assert (one.replaces, one.shows_in) == ("table", {"table", "_divided"})
    assert one.ask("table", (3,), {}).value.tolist() == [0, 10, 20]


@pytest.mark.parametrize(("fields", "told"), [
    ({"solution": "n", "wrong": "1"}, "this stands in the solution 6 times, not once: n"),
    ({"solution": "np.ones(n)", "wrong": "1"}, r"this stands in the solution 0 times, not once: np\.ones"),
    ({}, "needs"), ({"wrong": "1", "solutoin": "n"}, "needs"),
])
def test_a_piece_that_does_not_stand_there_once_and_other_fields_are_refused(solution, fields, told):
    with pytest.raises(ValueError, match=rf"mistakes\.toml, table, wrong_one: {told}"):
        edit(solution, "table", entry(**fields))


def test_two_mistakes_can_be_made_together(solution):
    one = edit(solution, "helper", entry(solution="np.arange(n)", wrong="np.arange(1, n + 1)"))
    other = edit(solution, "_divided", entry(solution="x / base", wrong="x * base"))
    assert one.together(other).ask("table", (2,), {}).value.tolist() == [10, 20]


# Families


def test_an_argument_that_stays_at_its_default_is_a_family(solution):
    found = {name: edited for name, _, edited in families(solution.functions)}
    assert "_divided(helper(n), 10.0)" in found["base_ignored"]["table"]


def test_a_family_applies_in_each_place_and_everywhere_at_once():
    functions = {node.name: node for node in ast.parse(
        "def f(n):\n    return np.arange(n) + np.arange(2 * n)\ndef g(n):\n    return np.arange(n)").body}
    edited = [edited for name, _, edited in families(functions) if name == "counts_from_one"]
    assert len({str(one) for one in edited}) == 5
    assert [list(one) for one in edited][-1] == ["f", "g"]


@pytest.mark.parametrize("family", written(), ids=lambda family: family["name"])
def test_a_family_fits_some_kata(family):
    assert set(family) <= {"name", "says", "edits", "together"}
    for piece, other in family["edits"]:
        assert any(edits_of(node, piece, other) for node in FUNCTIONS), piece


def test_a_mistake_of_the_kata_comes_before_a_family_with_the_same_code():
    names = [(one.name, one.of_the_kata) for one in mistakes(KATAS["positional_formula"])]
    assert ("cosine_first", True) in names
    assert names == sorted(names, key=lambda one: not one[1])
    sources = [one.source for one in mistakes(KATAS["positional_formula"])]
    assert len(sources) == len(set(sources))


def test_what_a_solution_keeps_besides_its_functions_is_kept(solution):
    assert solution.source({}).startswith("import numpy as np\n\n\ndef helper")
