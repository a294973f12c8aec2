"""A submission in a process of its own: one question at a time, and arguments whose bytes are looked at afterwards."""
import numpy as np
import pytest

from grader.calling.limits import Budget, Limits
from grader.isolation.isolated import IsolatedSubmission


@pytest.fixture
def written(tmp_path):
    """A function that makes a submission whose file holds this code."""
    made = []

    def write(code):
        file = tmp_path / "code.py"
        file.write_text(code, encoding="utf-8")
        made.append(IsolatedSubmission(file, Limits(call=2.0), Budget(60.0)))
        return made[-1]

    yield write
    for submission in made:
        submission.end()


def test_a_changed_argument_is_seen_whatever_the_code_says(written):
    submission = written("def double(x):\n    x *= 2\n    return x.copy()")
    for array in np.arange(3.0), np.arange(4.0) + 10, np.array([[7]]), np.arange(6.0)[::2]:
        answer = submission.ask("double", (array.copy(),))
        np.testing.assert_array_equal(answer.value, 2 * array)
        assert answer.touched == (0,)


@pytest.mark.parametrize(("second", "outcome"), [
    ("import os; os._exit(0)", "crashed"), ("while True: pass", "timeout"), ("return [0] * 10**9", "raised")])
def test_after_a_call_that_fails_the_next_one_is_answered(written, second, outcome):
    submission = written(f"def one(): print('once'); return 1\ndef two():\n    {second}")
    assert (submission.ask("one").value, submission.ask("one").printed) == (1, "once\n")
    assert (answer := submission.ask("two")).outcome == outcome
    assert answer.printed == ""
    assert submission.ask("one").value == 1


def test_a_question_does_not_hold_what_will_be_asked_next(written):
    submission = written("seen = []\ndef one(x):\n    seen.append(x)\n    return len(seen)")
    assert [submission.ask("one", (x,)).value for x in (1, 2, 3)] == [1, 2, 3]
