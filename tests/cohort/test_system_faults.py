"""What the system refuses ends in one clear line, not in a traceback, and costs nobody a mark."""
import csv
import errno
import json
import os
import shutil
import sys

import pytest

from grader.calling.answers import NotGraded
from grader.calling.limits import CAN_ISOLATE, Limits
from grader.cohort import archives as module
from grader.cohort.archives import Unpacked
from grader.cohort.collecting import Collected
from grader.isolation.isolated import IsolatedFile
from tests.helpers.handed_in import laid_out, zipped

OF_KATA = "katas/21_positional_formula"


def refused(number):
    """A function that the system refuses."""
    def refuse(*args, **kwargs):
        raise OSError(number, os.strerror(number))
    return refuse


# Databases in files may have so many pages.
FULL_DISK = """

import os, sqlite3
connect = sqlite3.connect
def small(path, **options):
    database = connect(path, **options)
    database.execute(f"PRAGMA max_page_count = {os.environ.get('PAGES', 9999) if path else 9999}")
    return database
sqlite3.connect = small
"""


@pytest.fixture
def cohort(project, tmp_path):
    laid_out(tmp_path, {"collected/somebody/positional_formula.py": project.solution("positional_formula")})
    return tmp_path / "collected"


def changed(project, text):
    """The project, which executes this text first."""
    with (project.root / "conftest.py").open("a", encoding="utf-8") as file:
        file.write(text)
    return project


def test_a_folder_that_cannot_be_listed_is_an_error_of_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "listdir", refused(errno.EACCES))
    with pytest.raises(pytest.UsageError, match="Permission denied"):
        Collected(tmp_path, Unpacked())


def test_a_full_disk_ends_the_run_with_a_line_and_the_next_run_continues(project, cohort):
    changed(project, FULL_DISK)
    shutil.copytree(cohort / "somebody", cohort / "with much to say")
    command = (OF_KATA, f"--cohort={cohort}")
    result = project.run(*command, PAGES="4")
    assert "Exit: the results cannot be kept: No space left on device. Run the same command again: it continues." in (
        result.stdout)
    assert "INTERNALERROR" not in result.stdout + result.stderr
    assert result.returncode == 3
    again = project.run(*command)
    assert again.stdout.count("20/20 ") == 2
    assert again.returncode == 0


def test_a_disk_that_is_full_already_is_a_line_and_a_status(project, cohort):
    result = changed(project, FULL_DISK).run(OF_KATA, f"--cohort={cohort}", PAGES="1")
    assert "20/20" in result.stdout
    assert "The results are not kept for a later run: [Errno 28] No space left on device" in result.stdout
    assert result.returncode == 3


def test_without_a_folder_for_temporary_files_there_is_a_line(monkeypatch):
    monkeypatch.setattr(module.tempfile, "TemporaryDirectory", refused(errno.ENOENT))
    with pytest.raises(pytest.UsageError, match="no folder for temporary files"):
        Unpacked()


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_a_process_that_cannot_be_started_is_no_answer(tmp_path, monkeypatch):
    (tmp_path / "code.py").write_text("", encoding="utf-8")
    monkeypatch.setattr("grader.isolation.fork_server.tempfile.TemporaryDirectory", refused(errno.EMFILE))
    submission = IsolatedFile(tmp_path / "code.py", Limits())
    for _ in range(2):
        with pytest.raises(NotGraded, match=r"no process can be started .*Too many open files"):
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


# What the system refuses about one person

REFUSED = """

import errno, os
from pathlib import Path
from grader.cohort.archives import Unpacked
opened, place = os.open, Unpacked.place
def refusing(path, *args, **options):
    if Path(os.fsdecode(path)).parent.name == "ada" and str(path).endswith(".py"):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return opened(path, *args, **options)
def full(self, name):
    if self.count:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return place(self, name)
os.open, Unpacked.place = refusing, full
"""


@pytest.fixture
def three(project, tmp_path):
    """A project where the file of ada may not be read and the disk is full after one file of bob's archive."""
    right = project.solution("positional_formula")
    zipped_files = {"similarity_matrix.py": project.solution("similarity_matrix"), "positional_formula.py": right}
    laid_out(tmp_path, {
        "collected/ada/positional_formula.py": right, "collected/eve/positional_formula.py": right,
        "collected/bob.zip": zipped(zipped_files), "roster.csv": "id,name\n1,Ada\n2,Bob\n3,Eve\n"})
    return changed(project, REFUSED)


def test_what_the_system_refuses_about_a_person_is_a_line_and_no_mark(three, tmp_path, processes):
    names = {"gradebook": "marks.csv", "canvas": "canvas.csv", "feedback": "feedback", "report": "report.json"}
    result = three.run(OF_KATA, f"--cohort={tmp_path / 'collected'}", f"--roster={tmp_path / 'roster.csv'}", *processes,
                       *(f"--{option}={tmp_path / name}" for option, name in names.items()))
    with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
        marks = {row["submission"]: (row["positional_formula"], row["points"]) for row in csv.DictReader(file)}
    assert marks == {"ada": ("", ""), "bob": ("", ""), "eve": ("20", "100.0")}
    with (tmp_path / "canvas.csv").open(encoding="utf-8", newline="") as file:
        points = {row["Student"]: row["Positional encodings"] for row in csv.DictReader(file)}
    assert points == {"Points Possible": "100.0", "Ada": "", "Bob": "", "Eve": "100.0"}
    content = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [one["katas"][0]["status"] for one in content["submissions"]] == ["not graded", "not graded", "solved"]
    marks = [(one["passed"], one["katas"][0]["passed"]) for one in content["submissions"]]
    assert marks == [(None, None), (None, None), (20, 20)]
    for name in ("ada", "bob"):
        assert ": not graded" in (tmp_path / "feedback" / f"{name}.md").read_text(encoding="utf-8")
    assert "Not graded: ada (positional_formula): the file cannot be read: Permission denied" in result.stdout
    assert "Not graded: bob: it cannot be unpacked: No space left on device" in result.stdout
    assert result.returncode == 3


@pytest.mark.parametrize(("option", "advice"), [
    ("", "Run the same command again: it continues."),
    ("--fresh", "Run the same command without --fresh: it continues."),
    ("-pno:cacheprovider", "Run the same command again: it begins anew."),
])
def test_the_advice_for_the_rest_says_what_the_next_run_does(three, tmp_path, option, advice):
    command = [OF_KATA, f"--cohort={tmp_path / 'collected'}"]
    assert f"2 submissions are not graded in full. {advice}\n" in three.run(*command, *filter(None, [option])).stdout
    if "continues" in advice:                            # so what was graded is not graded again
        again = three.run(*command).stdout
        assert " graded: eve" not in again


@pytest.mark.parametrize(("name", "options", "why"), [
    ("ada", [], "Not graded: ada (positional_formula): the file cannot be read: Permission denied"),
    ("bob.zip", ["-n", "2"], "it cannot be unpacked: No space left on device")])
def test_of_one_submission_as_well(three, tmp_path, name, options, why):
    result = three.run(OF_KATA, f"--submission={tmp_path / 'collected' / name}", *options)
    assert "not graded -/20" in result.stdout
    assert why in result.stdout
    assert result.returncode == 3


@pytest.mark.parametrize("option", ["--cohort={}", "--submission={}/somebody"])
def test_a_file_of_results_that_cannot_be_written_is_a_line_and_a_status(project, cohort, tmp_path, option):
    changed(project, "\nimport os\ndef full(*paths):\n    raise OSError(28, os.strerror(28))\nos.replace = full\n")
    result = project.run(OF_KATA, option.format(cohort), f"--report={tmp_path / 'report.json'}")
    assert "20/20" in result.stdout
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("--report=")]
    assert "No space left on device" in line
    assert result.returncode == 3


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("options", [
    ["--cohort={}", "-n", "2"], ["--cohort={}"], ["--submission={}/somebody"]], ids=repr)
def test_a_full_disk_for_junitxml_is_a_line_and_a_status_and_all_else_is_written(project, cohort, tmp_path, options):
    path = tmp_path / "report.json"
    result = project.run(OF_KATA, *(option.format(cohort) for option in options), f"--report={path}",
                         "--junitxml=/dev/full")
    assert "20/20" in result.stdout
    assert "--junitxml=/dev/full: [Errno 28] No space left on device" in result.stdout.splitlines()
    assert "Traceback" not in result.stdout + result.stderr
    assert "INTERNALERROR" not in result.stdout + result.stderr
    assert result.returncode == 3
    assert json.loads(path.read_text(encoding="utf-8"))["submissions"][0]["passed"] == 20
