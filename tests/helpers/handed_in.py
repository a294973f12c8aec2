"""Files that somebody has handed in, for tests."""
import contextlib
import io
import json
import zipfile

import pytest

from grader.course.katas import ROOT, all_katas

NAMES = ("positional_formula", "rope_rotation")
REAL = {kata.name: kata for kata in all_katas() if kata.name in NAMES}
ADA, BEN = "Ada Lovelace", "Ben"
WRONG = "def frequencies(d_model, base=10000.0):\n    return None\n"


def right(name):
    """A right answer that would leave a file if it were executed."""
    return REAL[name].solution.read_text(encoding="utf-8") + "\nopen('executed', 'w')\n"


def stub(name):
    return REAL[name].original.read_text(encoding="utf-8")


def zipped(files):
    """The bytes of a zip file with these files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def both(pattern):
    """A right answer for each of the two katas, at the place that the pattern makes from its folder and its name."""
    return {pattern.format(folder=kata.folder.name, name=name): right(name) for name, kata in REAL.items()}


def laid_out(folder, files):
    """Write files, whose places may have folders."""
    for place, content in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def graded(project, folder, *arguments, **env):
    """The report of a run over a cohort, and the result of the run."""
    path = folder.parent / "report.json"
    result = project.run(f"--cohort={folder}", f"--report={path}", *arguments, **env)
    assert "INTERNALERROR" not in result.stdout + result.stderr
    return json.loads(path.read_text(encoding="utf-8")), result


def run_here(*arguments):
    """(exit status, what is printed) of a command in this process, which is faster where nothing is graded."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = pytest.main(["-c", str(ROOT / "pyproject.toml"), "-p", "grader.run.plugin", "-p", "no:cacheprovider",
                              *map(str, arguments)])
    return status, printed.getvalue()


def scores(report):
    """{submission: (checks that pass, all checks)}."""
    return {one["submission"]: (one["passed"], one["total"]) for one in report["submissions"]}


def states(report):
    """{submission: (status of its first kata, checks that pass)}."""
    return {one["submission"]: (one["katas"][0]["status"], one["passed"]) for one in report["submissions"]}
