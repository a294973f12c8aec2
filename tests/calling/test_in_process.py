"""Whatever a learner's file does in this process, it gets a fair row and a sentence."""
import functools

import pytest

from grader.calling.in_process import InProcess
from grader.course.katas import all_katas
from tests.helpers.harness import grade

(KATA,) = (kata for kata in all_katas() if kata.name == "positional_formula")
SOLUTION = KATA.solution.read_text(encoding="utf-8") + "\n# written by a learner\n"


@pytest.fixture
def graded(tmp_path):
    """A function that grades a source text and returns the kata's part of the report."""
    return functools.partial(grade, KATA, folder=tmp_path, isolated=False)


def exchanged(line, replacement):
    """The right answer with one line changed."""
    assert SOLUTION.count(line) == 1
    return SOLUTION.replace(line, replacement)


@pytest.mark.parametrize("source", ["import no_such_module\n", "1 / 0\n", "raise SystemExit(0)\n", "\0", "\xff"])
def test_a_file_that_does_not_import_is_broken(graded, source):
    kata = graded(source)
    assert kata["status"] == "broken"
    assert {c["outcome"] for c in kata["checks"]} == {"error"}


def test_a_file_with_a_byte_order_mark_is_read(graded):
    assert graded("\ufeff" + SOLUTION)["status"] == "solved"


def test_an_exit_in_a_call_is_an_error(graded):
    kata = graded(exchanged("    return table\n", "    raise SystemExit(0)\n"))
    assert "error" in {c["outcome"] for c in kata["checks"]}


def test_a_function_that_took_too_long_twice_is_not_called_again(tmp_path):
    file = tmp_path / "code.py"
    file.write_text("""
called = []
def slow(number):
    called.append(number)
    while number > 1:
        pass
    return number
def so_far():
    return called
""", encoding="utf-8")
    submission = InProcess(file, 0.2)
    answers = [submission.ask("slow", (number,)) for number in (1, 2, 3, 4, 1)]
    assert [answer.outcome for answer in answers] == ["returned"] + 4 * ["timeout"]
    assert answers[3].message == answers[4].message == "it took longer than 0.2 s twice, so it was not called again"
    assert submission.ask("so_far").value == [1, 2, 3]


def test_a_todo_inside_a_helper_of_the_same_file_is_todo(graded):
    line = "    return base ** ("
    kata = graded(exchanged(line, f"    raise NotImplementedError\n{line}"))
    assert {c["outcome"] for c in kata["checks"]} == {"todo"}


def test_a_not_implemented_from_elsewhere_is_an_error(graded):
    line = "    return table\n"
    kata = graded(exchanged(line, f"    import asyncio; asyncio.AbstractEventLoop().time()\n{line}"))
    assert "error" in {c["outcome"] for c in kata["checks"]}


STRANGE = (
    "[[1, 2], [3]]", "object()", "np.array([object()])", "{'a': 1}", "(1, 2)", "'text'", "float('nan')",
    "np.matrix('1 2')", "np.ma.masked_array([1.0], [True])", "np.zeros((0, 3))", "np.array('x')", "iter([])", "type",
    "np.array([('a', 1)], dtype=[('n', 'U1'), ('v', int)])", "np.datetime64('2020-01-01')", "10 ** 400", "[None]",
    "np.array([1 + 2j])", "np.longdouble(1)", "b'bytes'", "np.array(None)",
)


@pytest.mark.parametrize("result", STRANGE)
def test_a_strange_result_is_wrong_and_stops_nothing(graded, result):
    kata = graded(exchanged("    return table\n", f"    return {result}\n"))
    assert {c["outcome"] for c in kata["checks"] if c["function"] == "frequencies"} == {"passed"}
    assert kata["passed"] < kata["total"]
    assert not [c for c in kata["checks"] if "Traceback" in (c["message"] or "")]
