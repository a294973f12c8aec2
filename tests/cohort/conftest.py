"""Fixtures of the tests of cohorts."""
import pytest

from grader.cohort.archives import Unpacked
from grader.cohort.collecting import Collected
from grader.cohort.finding import files_of
from tests.helpers.handed_in import laid_out


@pytest.fixture(params=[(), ("-n", "2")], ids=["one process", "two processes"])
def processes(request):
    """The options for a run in one process, and for one in two."""
    if request.param:
        pytest.importorskip("xdist")
    return request.param


@pytest.fixture
def unpacked():
    place = Unpacked()
    yield place
    place.close()


@pytest.fixture
def found(tmp_path, unpacked):
    """A function that writes files of one learner, and finds out what they are for."""
    def found(files):
        laid_out(tmp_path, files)
        return files_of(tmp_path, unpacked)
    return found


@pytest.fixture
def collected(tmp_path, unpacked):
    """A function that writes files of several learners, and finds out whose they are."""
    def collected(files):
        laid_out(tmp_path, files)
        return Collected(tmp_path, unpacked)
    return collected
