"""A file that several submissions have, byte for byte, is graded once where its rows are certain to be the same."""
import pytest

from grader.cohort.checks import Twins
from grader.verdict.rows import Row


def row(outcome, file_fault=None):
    return Row("test_a", outcome, file_fault=file_fault)


@pytest.mark.parametrize(("rows", "submissions", "kept"), [
    ([row("passed"), row("failed"), row("error"), row("todo")], 2, True), ([row("passed")], 1, False),
    ([row("passed"), row("timeout")], 2, False), ([row("crashed")], 3, False), ([row("error", "broken")], 2, False),
])
def test_a_file_that_comes_again_is_not_graded_again_where_that_is_certain(rows, submissions, kept):
    twins = Twins()
    for _ in range(submissions):
        twins.expect("key")
    twins.keep("key", rows)
    assert twins.rows == ({"key": rows} if kept else {})
