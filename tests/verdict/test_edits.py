"""Known mistakes are edits of the solution: what an edit changes, what is refused, and what the families cover."""
import ast

import pytest

from grader.course.katas import all_katas
from grader.verdict.edits import changed, places
from grader.verdict.families import families, written
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
    return [ast.unparse(changed(function, one)).partition("\n    ")[2] for one in places(function, piece, other)]


def test_a_piece_is_found_by_its_structure():
    assert texts("return (x   + y)", "x+y", "x - y") == ["return x - y"]
    assert texts("return x + y + 1", "y + 1", "y") == []          # it is (x + y) + 1


def test_each_place_is_an_edit_of_its_own():
    assert texts("return abs(x) + abs(y)", "abs(A)", "A") == ["return x + abs(y)", "return abs(x) + y"]


def test_a_capital_letter_stands_for_the_same_expression_everywhere():
    assert texts("return x / x", "A / A", "1") == ["return 1"]
    assert texts("return x / y", "A / A", "1") == []


def test_a_piece_may_be_the_target_of_an_assignment():
    assert texts("x[0::2] = y[0::2]", "A[0::2] = B", "A[1::2] = B") == ["x[1::2] = y[0::2]"]


def entry(**fields):
    """An entry of mistakes.toml."""
    return {"name": "wrong_one", "says": "You do\nsomething else.", **fields}


def test_an_edit_of_a_kata_changes_one_function(solution):
    one = edit(solution, "helper", entry(solution="np.arange(n)", wrong="np.arange(1, n + 1)"))
    assert (one.name, one.sentence, one.replaces) == ("wrong_one", "You do something else.", "helper")
    assert one.ask("helper", (3,), {}).value.tolist() == [1, 2, 3]
    assert one.ask("table", (3,), {}).value.tolist() == [0.1, 0.2, 0.3]
    assert '"""' not in one.source


def test_statements_can_change_and_disappear(solution):
    one = edit(solution, "table", entry(solution="n = n - 1\nn = n + 1", wrong="n = 1"))
    assert len(one.ask("table", (5,), {}).value) == 1
    one = edit(solution, "table", entry(solution="n = n + 1", wrong=""))
    assert len(one.ask("table", (5,), {}).value) == 4


def test_several_pieces_change_together(solution):
    one = edit(solution, "table", entry(solution=["n - 1", "n + 1"], wrong=["n - 2", "n + 4"]))
    assert len(one.ask("table", (5,), {}).value) == 7


def test_without_a_piece_the_whole_body_is_another(solution):
    one = edit(solution, "table", entry(wrong="m = 2\nreturn np.ones(m)"))
    assert one.ask("table", (5,), {}).value.tolist() == [1, 1]


def test_an_edit_of_a_helper_is_told_of_the_function_that_calls_it(solution):
    one = edit(solution, "_divided", entry(solution="x / base", wrong="x * base"))
    assert (one.replaces, one.shows_in) == ("table", {"table", "_divided"})
    assert one.ask("table", (3,), {}).value.tolist() == [0, 10, 20]


@pytest.mark.parametrize(("piece", "times"), [("n", 6), ("np.ones(n)", 0)])
def test_a_piece_that_does_not_stand_in_the_solution_once_is_refused(solution, piece, times):
    with pytest.raises(ValueError, match=f"this stands in the solution {times} times, not once: "):
        edit(solution, "table", entry(solution=piece, wrong="1") | {"name": "a"})


@pytest.mark.parametrize("bad", [{}, {"wrong": "1", "solutoin": "n"}])
def test_an_entry_with_other_fields_is_refused(solution, bad):
    with pytest.raises(ValueError, match=r"mistakes\.toml, table, wrong_one: needs"):
        edit(solution, "table", entry(**bad))


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
        assert any(places(node, piece, other) for node in FUNCTIONS), piece


def test_a_mistake_of_the_kata_comes_before_a_family_with_the_same_code():
    names = [(one.name, one.of_the_kata) for one in mistakes(KATAS["positional_formula"])]
    assert ("cosine_first", True) in names
    assert names == sorted(names, key=lambda one: not one[1])
    sources = [one.source for one in mistakes(KATAS["positional_formula"])]
    assert len(sources) == len(set(sources))


def test_what_a_solution_keeps_besides_its_functions_is_kept(solution):
    assert solution.source({}).startswith("import numpy as np\n\n\ndef helper")
