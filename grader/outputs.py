"""The files that a run can write: what each is for, and which may be overwritten."""
import json
from importlib import import_module
from pathlib import Path

import pytest

OUTPUTS = {
    # option: (what it wants, help, module, function, a key that an earlier JSON of ours has, or a text near its start)
    "report": ("FILE.json", "all results as JSON", "report", "write", "submissions"),
    "gradebook": ("FILE.csv", "a row per submission, a column per kata", "gradebook", "write", '"submission",'),
    "board": ("FILE.html", "a page for the projector (needs jinja2)", "board", "write", "katas solved by"),
    "feedback": ("DIR", "a text per submission, to be handed back", "feedback", "write", None),
    "gradescope": ("FILE.json", "results.json for Gradescope", "services", "write_gradescope", "tests"),
    "classroom": ("FILE.json", "results for GitHub's autograding reporter", "services", "write_classroom", "tests"),
}


def add(group):
    """Declare the options."""
    for name, (wanted, text, *_) in OUTPUTS.items():
        group.addoption(f"--{name}", metavar=wanted, help=f"write {text}; write the option with =")


def chosen(option, here):
    """{name: path} of the files that this run is to write, each checked now and not after the grading."""
    paths = {}
    for name, (wanted, _, _, _, mark) in OUTPUTS.items():
        if option(name) is not None:
            check = folder_to_be if wanted == "DIR" else writable
            paths[name] = check(f"--{name}", Path(here, option(name)), option(name), mark)
    if "board" in paths:
        import_module("grader.board").needed()
    return paths


def write(paths, report):
    """Write what was chosen; a line for each that could not be."""
    for name, path in paths.items():
        module, function = OUTPUTS[name][2:4]
        try:
            getattr(import_module(f"grader.{module}"), function)(path, report)
        except (OSError, ValueError) as error:
            yield f"--{name}={path}: {error}"


def folder_to_be(name, path, text, _):
    """A folder that is there or can be made."""
    if not text or (path.exists() and not path.is_dir()) or not path.absolute().parent.is_dir():
        raise pytest.UsageError(f"{name}={text}: not a folder that could be written to")
    return path


def writable(name, path, text, mark):
    """A file that can be written and holds nothing but, at most, what an earlier run wrote."""
    if not text or not path.parent.is_dir() or (path.exists() and not path.is_file()):
        raise pytest.UsageError(f"{name}={text}: not a file that could be written")
    try:
        if path.exists() and not is_ours(path, mark):
            raise pytest.UsageError(f"{name}={text}: the file exists and is not {noun(name)}; it stays as it is")
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise pytest.UsageError(f"{name}={text}: {error.strerror}") from None
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
    return text.startswith((mark, "<!DOCTYPE html>")) and mark in text[:2000]


def noun(name):
    """What the file would be, in words."""
    return {"--report": "a report", "--gradebook": "a gradebook", "--board": "a board"}.get(name, "results of ours")
