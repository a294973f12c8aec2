#!/usr/bin/env python3
"""PrairieLearn runs this for every submission, each in a container of its own, and reads /grade/results/results.json.

In the course, serverFilesCourse/katas/ has this file and, of this project, conftest.py, pyproject.toml, grader/, katas/
and solutions/. The image has Python 3.11 or newer, NumPy and pytest.
"""
import json
import subprocess
import sys
from pathlib import Path

KATAS = ["21"]                        # what the question grades; all katas if this is empty
RESULTS = Path("/grade/results")


def output(kata):
    """The first check that did not pass, and its message."""
    failed = next((check for check in kata["checks"] if check["outcome"] != "passed"), None)
    return f'{failed["check"]}: {failed["outcome"]}\n{failed["message"]}' if failed else "All checks pass."


RESULTS.mkdir(exist_ok=True)
report = RESULTS / "report.json"
run = subprocess.run(
    [sys.executable, "-m", "pytest", *KATAS, "--submission=/grade/student", f"--report={report}"],
    cwd=Path(__file__).parent, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
print(run.stdout)
if run.returncode > 1:
    sys.exit(run.returncode)          # not everything was graded, which is not the same as 0 points

(submission,) = json.loads(report.read_text(encoding="utf-8"))["submissions"]
tests = [{"name": kata["kata"], "points": kata["passed"] / kata["total"], "max_points": 1, "output": output(kata)}
         for kata in submission["katas"]]
results = {"score": sum(test["points"] for test in tests) / len(tests), "output": run.stdout, "tests": tests}
(RESULTS / "results.json").write_text(json.dumps(results), encoding="utf-8")
