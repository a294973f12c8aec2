"""Fixtures of the project's own tests: a copy of the project in a folder with an awkward name."""
import functools

import pytest

from tests.helpers.project import Project


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
