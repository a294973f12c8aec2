"""The machine-readable result of a run."""
import json

from grader.course.katas import ROOT, shown
from grader.course.visible import LONGEST_PATH, visible
from grader.output.writing import write_pieces

COLUMNS = ("check", "function", "outcome", "message", "mistake", "pattern", "seconds")


def report(seed, protections, submissions):
    """The report as a dict; `submissions` may be anything that can be gone through more than once."""
    return {"version": 1, "seed": seed, "protections": list(protections), "submissions": submissions}


def submission(name, source, results):
    """The part of one submission, from its KataResults; every selected check has its row."""
    katas = [
        {
            "kata": result.kata.name,
            "directory": result.kata.folder.name,
            "file": None if result.file is None else shown(result.file, ROOT),
            "status": result.state,
            "passed": result.passed,
            "total": len(result.rows),
            "checks": [{column: row[column] for column in COLUMNS} for row in result.rows],
        }
        for result in results
    ]
    return {
        "submission": name,
        "source": visible(source, LONGEST_PATH),
        "passed": sum(k["passed"] for k in katas),
        "total": sum(k["total"] for k in katas),
        "katas": katas,
    }


def write(path, content):
    """Write the report as JSON, one submission after the other: all at once may need too much memory."""
    write_pieces(path, pieces(content))


def pieces(content):
    """The JSON of a report, bit by bit."""
    head = json.dumps({name: value for name, value in content.items() if name != "submissions"}, indent=1)
    yield head.removesuffix("\n}") + ',\n "submissions": ['
    for number, one in enumerate(content["submissions"]):
        yield (",\n" if number else "\n") + json.dumps(one, indent=1)
    yield "\n]}\n"
