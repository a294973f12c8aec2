"""Fixtures of the tests of cohorts."""
import pytest

from grader.cohort.archives import Unpacked


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
