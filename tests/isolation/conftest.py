"""A learner's file in a process of its own."""
import pytest

from grader.calling.limits import Limits
from grader.isolation.isolated import IsolatedFile


@pytest.fixture
def written(tmp_path):
    """A function that makes an IsolatedFile with this code."""
    made = []

    def write(code):
        file = tmp_path / "code.py"
        file.write_bytes(code if isinstance(code, bytes) else code.encode("utf-8"))
        made.append(IsolatedFile(file, Limits(call=2.0)))
        return made[-1]

    yield write
    for submission in made:
        submission.end()
