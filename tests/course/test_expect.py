"""What the assertions of suites take for right, and what they do not."""
import numpy as np
import pytest

from grader.calling.in_process import InProcess
from grader.calling.kata_fixture import ArgumentChanged, Asked, NoValue
from grader.calling.reference import Reference
from grader.course.compare import same
from grader.course.expect import (
    Wrong,
    WrongPrecision,
    assert_double_precision,
    assert_keeps_float32,
    assert_refused,
    assert_same,
)

SOURCE = """
import numpy as np
def half(x, scale=1.0):
    return x / 2 * scale
def widened(x):
    return (x / 2).astype(np.float64) + 1e-6
def narrowed(x):
    return (x / 2).astype(np.float32)
def both(x):
    return x / 2, (x / 2).astype(np.float64)
def refuses(x):
    raise ValueError
def breaks(x):
    raise KeyError(x)
def writes(x):
    x += 1
    return x
"""


@pytest.fixture
def kata(tmp_path):
    path = tmp_path / "code.py"
    path.write_text(SOURCE, encoding="utf-8")
    return Asked(InProcess(path), Reference(path))


@pytest.mark.parametrize(("actual", "wanted"), [
    (np.array([1.0, 2.0]), np.array([1, 2])), (np.array([1, 2]), np.array([1.0, 2.0])),
    (np.array([True, False]), np.array([1.0, 0.0])), (np.array([1, 0]), np.array([True, False])),
    (np.array([1.0, 2.0], np.longdouble), np.array([1.0, 2.0])), (np.float64(3.0), 3), (np.bool_(True), True),
    (np.array(2.5), 2.5), (1, True),
    (np.array([3.0, 5.0]), (3, 5)), ([3, 5], (3, 5)), (np.array([1.0, 2.0], np.float32), np.array([1.0, 2.0])),
], ids=repr)
def test_numbers_are_judged_by_value(actual, wanted):
    assert same(actual, wanted)


@pytest.mark.parametrize(("actual", "wanted"), [
    ([1.0, 2.0], np.array([1.0, 2.0])), (np.array([1.0 + 0j]), np.array([1.0])), (np.array(["1"]), np.array([1])),
    (np.array([1.0, 2.0 + 1e-9]), np.array([1, 2])), (np.array([True, True]), np.array([1.0, 0.5])), (None, 0.0),
    (np.array([2.5]), 2.5), (np.array([1.0 + 1e-8]), np.array([1.0])),
], ids=repr)
def test_other_values_types_and_shapes_are_wrong(actual, wanted):
    assert not same(actual, wanted)


def test_results_of_float32_arguments_are_judged_as_float32_however_wide_they_are(kata):
    x = np.linspace(0.0, 1.0, 7)
    assert_same(kata.widened(x.astype(np.float32)), x / 2)
    with pytest.raises(Wrong):
        assert_same(kata.widened(x), x / 2)


def test_single_precision_from_float64_input_is_right_in_value_and_fails_its_own_check(kata):
    x = np.linspace(0.0, 1.0, 7)
    assert_same(kata.narrowed(x), x / 2)
    assert_double_precision(kata.half, x)
    assert_double_precision(kata.half, 3)
    with pytest.raises(WrongPrecision, match="expected float64, got float32"):
        assert_double_precision(kata.narrowed, x)


def test_float32_is_kept_in_every_result_or_not_at_all(kata):
    x = np.ones(3, np.float32)
    assert_keeps_float32(kata.half, x)
    for function in (kata.widened, kata.both):
        with pytest.raises(WrongPrecision, match=r"got .*float64"):
            assert_keeps_float32(function, x)


def test_a_refusal_is_a_value_error_in_whatever_words(kata):
    assert_refused(kata.refuses, 3)
    with pytest.raises(Wrong, match="got KeyError"):
        assert_refused(kata.breaks, 3)
    with pytest.raises(Wrong, match="expected a ValueError, got a "):
        assert_refused(kata.half, 3)
    with pytest.raises(NoValue):
        assert_refused(kata.not_there, 3)


def test_a_call_that_changes_its_argument_fails_where_it_happens(kata):
    with pytest.raises(ArgumentChanged):
        kata.writes(np.ones(3))
