"""Classroom 50 runs this in the learner's repository for every submission, and reads result.json from there.

In the repository `classroom50`, CLASSROOM/autograders/ASSIGNMENT/ has this file and, of this project, conftest.py,
pyproject.toml, grader/, katas/ and solutions/.
"""
import datetime
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

KATAS = ["21"]                        # what the assignment grades; all katas if this is empty
POINTS = 100                          # of each kata; Classroom 50 takes whole numbers only
HERE = Path(__file__).resolve().parent

# Python and pytest start in this folder, so they load nothing from the learner's repository.
subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "numpy>=1.26", "pytest>=8"], cwd=HERE, check=True)
run = subprocess.run(
    [sys.executable, "-m", "pytest", *KATAS, f"--submission={Path.cwd()}", f"--report={HERE / 'report.json'}"],
    cwd=HERE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
scoreboard = textwrap.indent(run.stdout, "    ")       # Markdown shows it as it is, and GitHub runs no commands in it
print(scoreboard)
if run.returncode > 1:
    sys.exit(run.returncode)          # not everything was graded, which is not the same as 0 points
Path("release-body.md").write_text(scoreboard, encoding="utf-8")

(submission,) = json.loads((HERE / "report.json").read_text(encoding="utf-8"))["submissions"]
tests = [{"test-name": kata["kata"], "passed": kata["passed"] == kata["total"],
          "score": POINTS * kata["passed"] // kata["total"], "max-score": POINTS} for kata in submission["katas"]]
Path("result.json").write_text(json.dumps({
    "schema": "classroom50/result/v1",
    "classroom": os.environ["CLASSROOM"], "assignment": os.environ["ASSIGNMENT"],
    "assignment_type": os.environ["ASSIGNMENT_TYPE"], "owner": os.environ["OWNER"],
    "submission": os.environ["SUBMISSION_TAG"], "commit": os.environ["COMMIT_URL"],
    "release": os.environ["RELEASE_URL"], "review": os.environ["REVIEW_URL"],
    "datetime": f"{datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}",
    "score": sum(test["score"] for test in tests), "max-score": sum(test["max-score"] for test in tests),
    "tests": tests,
}, indent=1), encoding="utf-8")
