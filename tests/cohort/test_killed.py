"""Processes that somebody kills while a class is graded: each costs its own file at most."""
import sys

import pytest

from grader.isolation.fork_server import protections
from tests.helpers.handed_in import graded, laid_out, states
from tests.isolation.attacks.attack import CHECKS, KATA, RIGHT
from tests.isolation.attacks.run import OF_KATA

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, code can kill its own process")

# What is killed when the file of one_2 has been loaded: in each run of its checks, or only in the first.
KILLS = """

import os, signal
from pathlib import Path
from grader.isolation import isolated
load = isolated.IsolatedFile.load
def killing(self):
    load(self)
    marker = Path(__file__).with_name("killed")
    if self.path.parent.name == "one_2" and not ({once} and marker.exists()):
        marker.touch()
        os.kill({whom}, signal.SIGKILL)
isolated.IsolatedFile.load = killing
"""
WHOM = {"the process that grades": "os.getpid()", "the process that forks": "isolated.fork_server().process.pid",
        "the worker": "self.worker.process"}


@pytest.fixture
def room(project_with, tmp_path):
    """The project with one kata, and a folder with four right files, none like another."""
    laid_out(tmp_path / "collected",
             {f"one_{number}/{KATA}.py": f"# {number}\n{RIGHT}" for number in range(4)})
    return project_with(KATA), tmp_path / "collected"


@pytest.mark.parametrize("once", [True, False], ids=["once", "whenever it is graded"])
@pytest.mark.parametrize("whom", WHOM)
def test_a_killed_process_costs_its_own_file_at_most(room, whom, once):
    pytest.importorskip("xdist")
    if whom == "the worker" and "filesystem" not in protections():
        pytest.skip("without namespaces, the worker's own code may have killed it")
    project, folder = room
    with (project.root / "conftest.py").open("a", encoding="utf-8") as file:
        file.write(KILLS.format(once=once, whom=WHOM[whom]))
    processes = ("-n", "2") if whom == "the process that grades" else ()
    report, result = graded(project, folder, OF_KATA[KATA], *processes)
    assert (project.root / "killed").exists()
    all_right = {f"one_{number}": ("solved", CHECKS) for number in range(4)}
    if once:
        assert (states(report), result.returncode) == (all_right, 0)
    else:
        assert (states(report), result.returncode) == (all_right | {"one_2": ("not graded", None)}, 3)
        (line,) = [line for line in result.stdout.splitlines() if line.startswith("Not graded: ")]
        assert f"one_2 ({KATA})" in line
        assert "twice" in line
