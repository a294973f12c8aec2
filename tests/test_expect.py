"""What counts as a message that names an argument and shows its value."""
import numpy as np
import pytest

from grader.answers import Answer
from grader.asking import Asked, Reference
from grader.expect import Wrong, assert_refused, shows_value

SOLUTION = "def low_pass(x, low=1.0, high=8.0):\n    return x"


class Refusing:
    """A submission that refuses everything with one sentence."""

    def __init__(self, sentence):
        self.sentence = sentence

    def ask(self, *_):
        return Answer("raised", error_types=("ValueError",), message=self.sentence)


def refused(sentence, *args, **options):
    reference = Reference("solution.py", SOLUTION.encode())
    assert_refused(Asked(Refusing(sentence), reference).low_pass, *args, **options)


@pytest.mark.parametrize("sentence", [
    "x is 6x11x5, and that does not do", "x: 6 x 11 x 5", "x has shape (6, 11, 5)", "x with 11 columns", "x_11?",
    "x, axis of 11.", "x (11, that is)", "row no.11 of x", "shape of x=[6,11,5]",
])
def test_the_shape_of_an_array_is_found_however_it_is_written(sentence):
    assert shows_value(sentence, np.zeros((6, 11, 5)))


@pytest.mark.parametrize("sentence", ["x is wrong", "x of float64", "x1", "110 x 12", "x = 1.1", "version2.11a of x"])
def test_other_digits_are_not_its_shape(sentence):
    assert not shows_value(sentence, np.ones((6, 11, 5)) / 3)


def test_blaming_an_argument_left_at_its_default_is_right_where_either_may_be_blamed():
    refused("high must be above low, got high=-3", np.ones(2), 1.0, -3.0, naming=("low", "high"))
    refused("low must be below high, got 1.0", np.ones(2), high=-3.0, naming=("low", "high"))
    with pytest.raises(Wrong, match="must name"):
        refused("low must be below high, got 2.0", np.ones(2), high=-3.0, naming=("low", "high"))
    with pytest.raises(Wrong, match="must name"):
        refused("that will not do: 1.0", np.ones(2), high=-3.0, naming=("low", "high"))
