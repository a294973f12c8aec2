"""Fixtures of the project's own tests: a copy of the project in a folder with an awkward name."""
import functools

import pytest

from tests.helpers.project import Project


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give all tests of a file to one process: some share a run that takes long."""
    from xdist.scheduler import LoadFileScheduling
    return LoadFileScheduling(config, log)


@pytest.fixture
def project_with(tmp_path):
    """A function that makes the project with these katas, in a path with a space and letters beyond ASCII."""
    root = tmp_path / "mein Ordner äß"
    root.mkdir()
    return functools.partial(Project, root)


@pytest.fixture
def project(project_with):
    """The project with two katas."""
    return project_with("positional_formula", "similarity_matrix")
