"""A run over a cohort in a project of its own, and what is there before and after it."""
import hashlib
import json
import os
from pathlib import Path

from tests.helpers.project import Project
from tests.isolation.attacks import skewing
from tests.isolation.attacks.attack import KATA

OF_KATA = {KATA: "katas/21_positional_formula", skewing.KATA: "katas/43_skewing"}
LIMITS = "--limits=memory=256,kata=2,processes=24,file_size=16,answer=2"


class Graded:
    """One run over a cohort, and what was there before and after."""

    def __init__(self, root, make, *options):
        self.root = root
        self.project = Project(folder(root / "project"), *OF_KATA)
        self.cohort = folder(root / "cohort")
        self.outside = folder(root / "outside")
        self.temporary = folder(root / "temporary")
        self.outside.chmod(0o777)
        self.before = digest(self.project.root)
        make(self)
        report = root / "report.json"
        self.result = self.project.run(
            *OF_KATA.values(), f"--cohort={self.cohort}", f"--report={report}", "--time-limit=0.5", LIMITS,
            *options, TMPDIR=str(self.temporary), KATA_CANARY="right")
        assert report.exists(), self.result.stdout + self.result.stderr
        content = json.loads(report.read_text(encoding="ascii"))
        self.protections = content["protections"]
        self.submissions = {one["submission"]: one for one in content["submissions"]}

    def put(self, name, text, kata=KATA):
        """Make a submission with this text, or these bytes."""
        path = folder(self.cohort / name) / f"{kata}.py"
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))

    def rows(self, name, kata=KATA):
        """What a submission got for a kata."""
        (one,) = [k for k in self.submissions[name]["katas"] if k["kata"] == kata]
        return one["checks"]


def folder(path):
    path.mkdir()
    return path


def digest(root):
    """Every file of a project, but what Python and pytest keep for themselves."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {"__pycache__", ".pytest_cache"} & set(path.parts)
    }


def passed(rows):
    return sum(row["outcome"] == "passed" for row in rows)


def outcomes(rows):
    return {row["outcome"] for row in rows}


def left_processes(root):
    """Workers of the project at `root` that still run, by their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if os.fsencode(root / "grader" / "isolation" / "worker.py") in words:
            found.append(int(path.name))
    return found
