"""The files that a run can write: what each is for, and which may be overwritten."""
import json
from importlib import import_module
from pathlib import Path

import pytest

from grader.course.visible import visible

OUTPUTS = {
    # option and name of the module: (kind of value, help, the mark of our files: a key of the JSON or a text)
    "report": ("FILE.json", "all results as JSON", "submissions"),
    "gradebook": ("FILE.csv", "a row per submission, a column per kata", '"submission",'),
    "board": ("FILE.html", "a page for the projector (needs Jinja2)", "katas solved by"),
    "feedback": ("DIR", "a text per submission, to give to the learner", None),
    "canvas": ("FILE.csv", "a grade for each person in --roster, to import into Canvas",
               '"Student","ID","SIS User ID","SIS Login ID","Section","Positional encodings"'),
    "moodle": ("FILE.csv", "a grade for each person in --roster, to import into Moodle",
               '"ID number","Email address","Positional encodings"'),
    "moodle_feedback": ("FILE.zip", "the feedback as Moodle imports it, a folder per person",
                        "feedback on the positional encoding katas"),
    "checks": ("FILE.csv", "how many pass each check", '"kata","check","task","passed","graded","share"'),
    "gradescope": ("FILE.json", "results.json for Gradescope", "tests"),
}
AS_GRADED = ("report", "board", "checks")       # they do not have the marks that are set by hand


def flag(name):
    """The option of an output."""
    return f"--{name.replace('_', '-')}"


def add(group):
    """Declare the options."""
    for name, (wanted, text, _) in OUTPUTS.items():
        group.addoption(flag(name), metavar=wanted, help=f"write {text}")


def chosen(option, here):
    """{name: path} of the files that this run will write, checked before the grading."""
    paths = {}
    for name, (wanted, _, mark) in OUTPUTS.items():
        if option(name) is not None:
            check = folder_to_be if wanted == "DIR" else writable
            paths[name] = check(flag(name), Path(here, option(name)), option(name), mark)
    if "board" in paths:
        import_module("grader.output.board").needed()
    return paths


def write(paths, run):
    """Write the chosen files; yield a line for each that could not be written."""
    for name, path in paths.items():
        try:
            import_module(f"grader.output.{name}").write(path, run if name in AS_GRADED else run.marked())
        except (OSError, ValueError) as error:
            yield visible(f"{flag(name)}={path}: {error}", 1000)


def folder_to_be(name, path, text, _):
    """A folder that exists or can be created."""
    if not text or (path.exists() and not path.is_dir()) or not path.absolute().parent.is_dir():
        raise pytest.UsageError(f"{name}={visible(text)}: this folder cannot be written to")
    return path


def writable(name, path, text, mark):
    """A file that can be written: it is new, empty, or written by an earlier run."""
    if not text or not path.parent.is_dir() or (path.exists() and not path.is_file()):
        raise pytest.UsageError(f"{name}={visible(text)}: this file cannot be written")
    try:
        if path.exists() and not is_ours(path, mark):
            raise pytest.UsageError(f"{name}={visible(text)}: this file is not {noun(name)}, so it was not overwritten")
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise pytest.UsageError(f"{name}={visible(text)}: {error.strerror}") from None
    return path


def is_ours(path, mark):
    """Whether a file is empty, or an earlier one of the same kind."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.strip():
        return True
    if mark.isidentifier():
        try:
            content = json.loads(text)
        except ValueError:
            return False
        return isinstance(content, dict) and mark in content
    if text.startswith("PK"):
        return text.endswith(mark)           # a zip file's comment
    return text.startswith((mark, "<!DOCTYPE html>")) and mark in text[:2000]


def noun(name):
    """The kind of file, in words."""
    return {"--report": "a report", "--gradebook": "a gradebook", "--board": "a board"}.get(name, "a file of results")
