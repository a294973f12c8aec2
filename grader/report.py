"""The machine-readable result of a run."""
import json

from grader.katas import ROOT, shown

COLUMNS = ("check", "function", "outcome", "message", "mistake", "pattern", "seconds")


def report(grading):
    """The report as a dict; every selected check has its row."""
    name, source = grading.name()
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
        for result in grading.finished()
    ]
    submission = {
        "submission": name,
        "source": source,
        "passed": sum(k["passed"] for k in katas),
        "total": sum(k["total"] for k in katas),
        "katas": katas,
    }
    return {"version": 1, "seed": grading.options.seed, "protections": [], "submissions": [submission]}


def write(path, content):
    """Write the report as JSON that any reader takes."""
    path.write_text(json.dumps(content, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")
