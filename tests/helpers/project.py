"""A copy of the project that a test may change, and pytest run in it."""
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from grader.course.katas import ROOT, Kata, all_katas

EXTRAS = {"-n": "xdist", "--board": "jinja2", "--picture": "matplotlib"}      # option -> the package it needs
PICTURE = r"  Yours, expected and difference: (\S+)\n"
PARTS = ("conftest.py", "pyproject.toml", "grader", "katas", "solutions")


class Project:
    """A copy of the project that a test may change, and a terminal in it."""

    def __init__(self, root, *names):
        self.root = root
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("[0-9][0-9]_*"))
            else:
                shutil.copy(ROOT / part, root / part)
        for kata in all_katas():
            for folder in (kata.folder, kata.solution.parent):
                if not names or kata.name in names:
                    copy = root / folder.relative_to(ROOT)
                    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def kata(self, name):
        """The kata with this id, in the copy."""
        (folder,) = (self.root / "katas").glob(f"??_{name}")
        return Kata(folder)

    def solution(self, name):
        """The text of a right answer that is not the reference file letter by letter."""
        (path,) = (self.root / "solutions").glob(f"??_{name}/{name}.py")
        return path.read_text(encoding="utf-8") + "\n# written by a learner\n"

    def write(self, name, text):
        """Put a text into the learner's file."""
        self.kata(name).stub.write_text(text, encoding="utf-8")

    def run(self, *args, cwd=None, **env):
        """Run pytest as a learner would; the result has stdout, stderr, returncode, and the picture that it names.

        stdout is without that line, which is there only if Matplotlib is.
        """
        for option in {str(argument).split("=")[0] for argument in args} & set(EXTRAS):
            pytest.importorskip(EXTRAS[option])
        result = subprocess.run(
            [sys.executable, "-m", "pytest", *map(str, args)], cwd=cwd or self.root, capture_output=True,
            encoding="utf-8", errors="backslashreplace", timeout=120, stdin=subprocess.DEVNULL,
            env={**{k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON", "KATAS"))},
                 "COLUMNS": "80", **env},
        )
        result.picture = "".join(re.findall(PICTURE, result.stdout))
        result.stdout = re.sub(PICTURE, "", result.stdout)
        return result

    def report(self, *args, **options):
        """Run pytest with a report; return the report's submission and the result of the run."""
        path = self.root.parent / "report.json"
        result = self.run(*args, f"--report={path}", **options)
        content = json.loads(path.read_text(encoding="utf-8"))
        return content["submissions"][0], result
