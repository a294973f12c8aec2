"""Which katas a command line is about."""
import os
from pathlib import Path

import pytest

from grader.katas import ROOT, all_katas

OWN_TESTS = ROOT / "tests"


def paths_of(config, arguments):
    """The paths in arguments such as katas/21_x or katas/21_x/test_x.py::test_y."""
    return [Path(config.invocation_params.dir, str(one).split("::")[0]) for one in arguments]


def runs_own_tests(config):
    """Whether the run was pointed at the project's own tests."""
    return any(path.is_relative_to(OWN_TESTS) for path in paths_of(config, config.args))


def named(config, option):
    """The katas named by a folder or a file of theirs; an argument that names none is refused."""
    found = []
    arguments = config.getoption("file_or_dir")
    for path, text in zip(paths_of(config, arguments), arguments, strict=True):
        kata = next((kata for kata in all_katas() if path.resolve().is_relative_to(kata.folder)), None)
        if kata is None:
            raise pytest.UsageError(f"{option} {text}: that names no kata; wanted is its folder in katas/")
        found.append(kata)
    return list(dict.fromkeys(found))


def latest(config, file_of):
    """Of the selected katas, the one whose file was saved last; None where none has a file."""
    paths = [path.resolve() for path in paths_of(config, config.args)]
    saved = {}
    for kata in all_katas():
        file = file_of(kata)
        if file and any(kata.folder.is_relative_to(path) or path.is_relative_to(kata.folder) for path in paths):
            saved[kata] = os.stat(file).st_mtime_ns
    return max(saved, key=saved.get, default=None)
