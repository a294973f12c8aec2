"""What the system refuses ends in one clear line, not in a traceback, and costs nobody a mark."""
import errno
import os
import sys
from types import SimpleNamespace

import pytest

from grader.calling.limits import CAN_ISOLATE, Budget, Limits
from grader.cohort import store as module
from grader.cohort.archives import Unpacked
from grader.cohort.collecting import Collected
from grader.cohort.store import Store
from grader.isolation.isolated import IsolatedSubmission

OF_KATA = "katas/21_positional_formula"


def refused(number):
    """A function that the system refuses."""
    def refuse(*args, **kwargs):
        raise OSError(number, os.strerror(number))
    return refuse


@pytest.fixture
def cohort(project, tmp_path):
    folder = tmp_path / "collected" / "somebody"
    folder.mkdir(parents=True)
    (folder / "positional_formula.py").write_text(project.solution("positional_formula"), encoding="utf-8")
    return folder.parent


def test_a_folder_that_cannot_be_listed_is_an_error_of_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "listdir", refused(errno.EACCES))
    with pytest.raises(pytest.UsageError, match="Permission denied"):
        Collected(tmp_path, Unpacked())


def test_a_full_disk_ends_the_run(tmp_path):
    store = Store(None, SimpleNamespace(cohort=tmp_path, fresh=False, seed=3))
    store.file = SimpleNamespace(seek=lambda *args: 0, write=refused(errno.ENOSPC))
    with pytest.raises(pytest.exit.Exception, match="cannot be kept: No space left"):
        store.add(("somebody", "kata"), "key", "[]")
    store.file.write = lambda line: len(line) - 1
    with pytest.raises(pytest.exit.Exception, match="cannot be kept: No space left"):
        store.add(("somebody", "kata"), "key", "[]")


def test_without_a_folder_for_temporary_files_there_is_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(module.tempfile, "TemporaryFile", refused(errno.ENOENT))
    with pytest.raises(pytest.UsageError, match="no folder for temporary files"):
        Store(None, SimpleNamespace(cohort=tmp_path, fresh=False, seed=3))


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_process_that_cannot_be_started_ends_the_run(tmp_path, monkeypatch):
    (tmp_path / "code.py").write_text("", encoding="utf-8")
    monkeypatch.setattr("grader.isolation.fork_server.tempfile.TemporaryDirectory", refused(errno.EMFILE))
    submission = IsolatedSubmission(tmp_path / "code.py", Limits(), Budget(9.0))
    with pytest.raises(pytest.exit.Exception, match=r"no process can be started .*Too many open files"):
        submission.ask("anything")


def test_where_the_cache_cannot_be_written_the_run_goes_on(project, cohort):
    (project.root / ".pytest_cache").write_text("in the way", encoding="utf-8")
    result = project.run(OF_KATA, f"--cohort={cohort}")
    assert "20/20" in result.stdout
    assert "not kept for a later run" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert result.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count descriptors otherwise")
@pytest.mark.parametrize("option", ["--cohort={}", "--submission={}/somebody"])
def test_too_few_file_descriptors_end_the_run_with_a_line(project, cohort, option):
    (project.root / "sitecustomize.py").write_text(
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (15, 15))\n", encoding="utf-8")
    result = project.run(OF_KATA, option.format(cohort), PYTHONPATH=str(project.root))
    assert "no process can be started for the graded code: [Errno 24] Too many open files" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
    assert "INTERNALERROR" not in result.stdout + result.stderr
    assert result.returncode == 3


def test_a_thousand_empty_folders_are_graded_without_running_a_suite(project, tmp_path):
    for number in range(1000):
        (tmp_path / "collected" / f"{number}").mkdir(parents=True)
    report = tmp_path / "report.json"
    result = project.run(f"--cohort={tmp_path / 'collected'}", f"--report={report}", OF_KATA)
    assert result.stdout.count("0/20 ") == 1000
    assert " graded: " not in result.stdout
    assert report.read_text(encoding="ascii").count('"outcome": "todo"') == 20_000
