"""An answer that holds nothing passes no check of any kata."""
from types import SimpleNamespace

import numpy as np
import pytest

from grader.calling.answers import Answer, Foreign
from grader.calling.kata_fixture import Asked
from grader.calling.limits import Limits
from grader.calling.reference import reference_of
from grader.course.katas import all_katas
from grader.run.session import Session
from grader.verdict.rows import check_of
from tests.helpers.harness import checks_of


def filled(value, number):
    """The value with every number replaced by this one."""
    if isinstance(value, tuple):
        return tuple(filled(v, number) for v in value)
    return np.full(value.shape, number) if isinstance(value, np.ndarray) else number


NOTHING = {
    "nan": lambda right: filled(right, np.nan), "inf": lambda right: filled(right, np.inf),
    "no entries": lambda right: np.zeros((0, 8)), "nothing in a tuple": lambda right: (),
    "a text": lambda right: "text", "none": lambda right: None,
    "an object": lambda right: Foreign("object"),
}


class Submission:
    """It gives every call the same kind of answer."""


    def __init__(self, reference, make):
        self.reference = reference
        self.make = make

    def ask(self, function, args=(), kwargs=None):
        right = self.reference.ask(function, args, kwargs or {}).value
        return Answer("returned", self.make(right), peak=0).rounded(args, kwargs or {})


@pytest.mark.parametrize("kind", NOTHING)
@pytest.mark.parametrize("kata", all_katas(), ids=lambda kata: kata.folder.name)
def test_nothing_earns_nothing(kata, kind):
    reference, checks = reference_of(kata.solution), checks_of(kata)
    session = Session(SimpleNamespace(
        solutions=False, work=None, isolated=False, seed=0, limits=Limits()))
    asked = Asked(Submission(reference, NOTHING[kind]), reference)
    passed = [check_of(item).name for item in checks if session.error_of(item, kata, asked) is None]
    assert passed == []
