"""What the project's own tests share: a copy of the project in a folder with an awkward name."""
import functools

import pytest

from tests.helpers.project import Project

# Modules with a fixture that takes long and is made once in a process.
TOGETHER = ("isolation/test_attacks.py", "isolation/test_faulty.py", "cohort/test_cohort.py", "output/test_board.py",
            "project/test_bench.py")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With `-n 2`, all tests of such a module go to one process, before the others."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            module = nodeid.partition("::")[0]
            return module if module in TOGETHER else nodeid

    return Scheduling(config, log)


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
