"""Submissions that mean no harm: wrong ones keep what is right of them, unusual ones get full marks."""
import sys

import pytest

from tests.helpers.results import HIDDEN
from tests.isolation.attacks.attack import RIGHT
from tests.isolation.attacks.faulty import RIGHT_ONES, WRONG_ONES
from tests.isolation.attacks.run import Graded, left_processes, outcomes, passed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the submissions are written for Linux")

# Names of folders: what they hold is right, and each has its marks, whatever it is called.
NAMES = ("\x1b[31mred\x1b[0m", "new\nline", "same\x01", "same\x02", "\u00e4", "\\xe4", "::error::x", "{0} %s",
         "-rf", "x" * 200, "x" * 200 + "y", "\udcff", "=1+1", "con", "right [0001", "a" * 119 + "\u00e4")


def make(graded):
    for one in (*RIGHT_ONES, *WRONG_ONES):
        graded.put(one.name, one.text())
    graded.put("ends_lines_as_windows_does", RIGHT.replace("\n", "\r\n"))
    for name in NAMES:
        graded.put(name, RIGHT)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    return Graded(tmp_path_factory.mktemp("faulty"), make)


@pytest.mark.parametrize("one", WRONG_ONES, ids=lambda one: one.name)
def test_a_faulty_submission_keeps_what_is_right_of_it(faulty, one):
    rows = faulty.rows(one.name)
    assert passed(rows) == one.passed
    assert outcomes(rows) <= set(one.outcomes)


def test_an_unusual_submission_has_full_marks_whatever_it_is_called(faulty):
    failed = {name: [row["message"] for row in faulty.rows(name) if row["outcome"] != "passed"]
              for name in faulty.submissions}
    assert {name for name in failed if failed[name]} == {one.name for one in WRONG_ONES}, failed


def test_every_submission_has_its_own_name_which_is_fit_for_a_terminal(faulty):
    assert len({one["source"] for one in faulty.submissions.values()}) == len(list(faulty.cohort.iterdir()))
    assert not any(HIDDEN.search(name) for name in faulty.submissions)
    assert not HIDDEN.search(faulty.result.stdout)
    assert left_processes(faulty.project.root) == []
