"""A suite never computes with an answer of another shape than the right one, nor without a limit on memory."""
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from grader.calling.answers import Answer, Foreign
from grader.calling.forms import LARGE, remembered, same_form
from grader.calling.in_process import InProcess
from grader.calling.kata_fixture import AnotherForm, Asked, calls_of
from grader.calling.memory import GROWTH
from grader.calling.reference import Reference
from grader.run.session import Session

RIGHT = """
import numpy as np
def table(n):
    return np.zeros((n, 4))
def both(n):
    return np.zeros(n), np.zeros(n)
def refuse(n):
    raise ValueError
"""
LEARNED = """
import numpy as np
def table(n):
    return np.zeros((9000, 3))
def both(n):
    return np.zeros((2, 9000))
def refuse(n):
    return np.zeros((9000, 8))
"""


@pytest.fixture
def kata(tmp_path):
    right, learned = tmp_path / "right.py", tmp_path / "learned.py"
    right.write_text(RIGHT, encoding="utf-8")
    learned.write_text(LEARNED, encoding="utf-8")
    return Asked(InProcess(learned), Reference(right))


@pytest.mark.parametrize("function", ["table", "both"])
def test_a_suite_does_not_get_an_answer_of_another_shape(kata, function):
    with pytest.raises(AnotherForm):
        getattr(kata, function)(5)
    (call,) = calls_of(kata)
    assert call.answer.returned


def test_where_a_refusal_is_right_the_suite_gets_the_answer_but_a_large_one_without_its_entries(kata):
    value = kata.refuse(5)
    assert value.shape == (9000, 8)
    assert value.strides == (0, 0)


@pytest.mark.parametrize(("value", "wanted"), [
    (np.zeros((2, 3), int), np.ones((2, 3))), (3, 2.0), (np.float64(3.0), 2), (np.array(3), True),
    ((np.zeros(2), 1.0), (np.ones(2), 2)), ([1, 2], (3, 4)), (np.zeros((2, 5)), (np.ones(5), np.ones(5))),
], ids=repr)
def test_results_have_the_same_form_whatever_their_type(value, wanted):
    assert same_form(value, wanted)


@pytest.mark.parametrize(("value", "wanted"), [
    (np.zeros((2, 3)), np.ones((3, 2))), ([1.0, 2.0], np.ones(2)), (np.zeros(1), 2.0), (None, 2.0), ("x", 2.0),
    ({}, 2.0), (Foreign("set"), 2.0), ((np.zeros(2),), (np.ones(2), 2)), (3.0, (1, 2)), (np.array(3), (1, 2)),
    (np.zeros((10**6, 1)), (np.ones(5), np.ones(5))), ((1.0, np.zeros(3)), (1, 2)),
], ids=lambda v: repr(v)[:40])
def test_other_shapes_and_other_numbers_of_results_have_another_form(value, wanted):
    assert not same_form(value, wanted)


def test_a_large_answer_of_another_form_is_remembered_without_its_entries():
    right = Answer("returned", np.zeros(5))
    large = Answer("returned", np.zeros(LARGE, np.int8))
    assert remembered(large, Answer("returned", np.ones(LARGE))) is large
    assert remembered(Answer("returned", np.zeros(6)), right).value.tolist() == [0] * 6
    for wanted in right, Answer("raised", error_types=("ValueError",)):
        kept = remembered(Answer("returned", np.zeros(LARGE // 8 + 1)), wanted).value
        assert (kept.shape, kept.dtype, kept.strides) == ((LARGE // 8 + 1,), np.float64, (0,))
    assert remembered(Answer("returned", [0] * LARGE), right).value == Foreign("list")


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit")
def test_a_check_that_needs_too_much_memory_fails():
    class Item:
        fixturenames = ()

        def obj():
            np.empty(2 * GROWTH, np.int8)

    assert isinstance(Session(SimpleNamespace(isolated=True)).error_of(Item, None, None), MemoryError)
    Item.obj()                            # the limit is for checks only
