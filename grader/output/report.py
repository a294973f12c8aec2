"""The machine-readable result of a run."""
import json

from grader.course.katas import ROOT, shown
from grader.course.visible import LONGEST_PATH, visible
from grader.output.writing import write_pieces


def kata(result):
    """The part of one kata; every selected check has its row."""
    return {
        "kata": result.name,
        "directory": result.kata.folder.name,
        "file": None if result.file is None else shown(result.file, ROOT),
        "status": result.state,
        "passed": result.passed,
        "total": result.total,
        "checks": [check(row) for row in result.rows],
    }


def check(row):
    """The part of one check."""
    return {"check": row.check, "function": row.function, "outcome": row.outcome, "message": row.text(),
            "mistake": row.mistake, "line": row.line, "pattern": row.pattern, "seconds": row.seconds}


def submission(one):
    """The part of one submission."""
    return {"submission": one.name, "source": visible(one.source, LONGEST_PATH), "passed": one.passed,
            "total": one.total, "unused": [visible(text, LONGEST_PATH) for text in one.unused],
            "katas": [kata(result) for result in one.katas]}


def write(path, run):
    """Write the report as JSON, one submission after the other: all at once may need too much memory."""
    write_pieces(path, pieces(run))


def pieces(run):
    """The JSON of a run, bit by bit."""
    unused = [visible(text, LONGEST_PATH) for text in run.unused]
    equal = [{"kata": name, "submissions": names} for name, names in run.equal_files]
    head = {"version": 1, "seed": run.seed, "protections": list(run.protections), "unused": unused,
            "equal_files": equal}
    yield json.dumps(head, indent=1).removesuffix("\n}") + ',\n "submissions": ['
    for number, one in enumerate(run.submissions):
        yield (",\n" if number else "\n") + json.dumps(submission(one), indent=1)
    yield "\n]}\n"
