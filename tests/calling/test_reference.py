"""The reference is asked once for one and the same input, and again for any other."""
import numpy as np
import pytest

from grader.calling import reference as module
from grader.calling.reference import LARGEST_KEPT, Reference

SOURCE = """
import numpy as np
calls = 0
def count(x, scale=1):
    global calls
    calls += 1
    return np.full(np.shape(x), calls)
"""


@pytest.fixture
def reference(tmp_path):
    return Reference(tmp_path / "code.py", SOURCE)


def asked(reference, *args, **kwargs):
    return reference.ask("count", args, kwargs).value.max(initial=0)


def test_the_same_input_is_answered_from_memory(reference):
    assert [asked(reference, np.arange(3.0), scale=2) for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("other", [
    np.arange(3.0) + 1, np.arange(3), np.arange(3.0, dtype=np.float32), np.arange(3.0)[:, None],
    np.repeat(np.arange(3.0), 2)[::2],
    [0.0, 1.0, 2.0], (0.0, 1.0, 2.0),
], ids=repr)
def test_another_input_is_asked_anew(reference, other):
    assert [asked(reference, x) for x in (np.arange(3.0), other, np.arange(3.0))] == [1, 2, 1]


def test_a_value_is_not_its_equal_of_another_type(reference):
    assert [asked(reference, np.ones(1), scale=s) for s in (1, 1.0, True, "1", 1)] == [1, 2, 3, 4, 1]


def test_a_dict_with_another_value_in_it_is_asked_anew(reference):
    one, other = ({"deep": {"x": np.arange(1500.0) + last}} for last in (0, np.arange(1500) == 700))
    asked = [reference.ask("count", (np.ones(1), weights)).value.max() for weights in (one, other, one)]
    assert asked == [1, 2, 1]


def test_what_is_large_is_asked_anew(reference):
    assert [asked(reference, np.zeros(LARGEST_KEPT)) for _ in range(2)] == [1, 2]


def test_all_references_together_remember_a_bounded_number_of_answers(reference, tmp_path, monkeypatch):
    monkeypatch.setattr("grader.calling.reference.MOST_KEPT", 5)
    monkeypatch.setattr("grader.calling.reference.kept", {})
    other = Reference(tmp_path / "code.py", SOURCE)
    for number in range(6):
        asked(reference if number % 2 else other, np.full(9, float(number)))
    assert len(module.kept) == 5
    assert asked(reference, np.full(9, 5.0)) == 3              # the newest
    assert asked(other, np.full(9, 0.0)) == 4                  # the oldest has been forgotten
