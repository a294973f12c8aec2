"""The machine-readable result of a run."""
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.course.katas import ROOT, shown
from grader.course.visible import LONGEST_PATH, visible
from grader.output.files import Writer
from grader.output.writing import replacing
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import Row


def write(path: Path, run: RunResult) -> Writer:
    """Write each submission as it comes: all at once may need too much memory."""
    equal = [{"kata": name, "submissions": names} for name, names in run.equal_files]
    head = {"version": 1, "seed": run.seed, "protections": list(run.protections), "unused": paths(run.unused),
            "equal_files": equal}
    with replacing(path) as file:
        file.write(json.dumps(head, indent=1).removesuffix("\n}").encode() + b',\n "submissions": [')
        between = b"\n"
        while one := (yield):
            file.write(between + json.dumps(of_submission(one), indent=1).encode())
            between = b",\n"
        file.write(b"\n]}\n")


def of_submission(one: SubmissionResult) -> dict[str, Any]:
    """The part of one submission. The number of passed checks is null if not all were graded."""
    passed = one.passed if one.graded else None
    return {"submission": one.name, "source": visible(one.source, LONGEST_PATH), "passed": passed,
            "total": one.total, "unused": paths(one.unused), "katas": [of_kata(result) for result in one.katas]}


def of_kata(result: KataResult) -> dict[str, Any]:
    """The part of one kata; every selected check has its row."""
    return {
        "kata": result.name,
        "directory": result.kata.folder.name,
        "file": None if result.file is None else shown(result.file, ROOT),
        "status": result.state,
        "passed": result.passed if result.graded else None,
        "total": result.total,
        "checks": [of_check(row) for row in result.rows],
    }


def of_check(row: Row) -> dict[str, Any]:
    """The part of one check."""
    return {"check": row.check, "function": row.function, "outcome": row.outcome, "message": row.text(),
            "mistake": row.mistake, "line": row.line, "pattern": row.pattern, "seconds": row.seconds}


def paths(texts: Iterable[str]) -> list[str]:
    """Lines about files, safe to show."""
    return [visible(text, LONGEST_PATH) for text in texts]
