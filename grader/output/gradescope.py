"""What Gradescope reads: results.json, with a test per kata."""
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.course.visible import visible, visible_lines
from grader.output.files import Writer
from grader.output.tables import rounded_down
from grader.output.writing import write_text
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import in_words

LINES_AT_MOST = 24                # of a message


def write(path: Path, run: RunResult) -> Writer:
    """Write results.json, in ASCII, which is safe in every encoding."""
    submissions = []
    while one := (yield):
        submissions.append(one)
    if len(submissions) != 1:
        raise ValueError(f"Gradescope takes a single submission, but this run has {len(submissions)}")
    write_text(path, json.dumps(result(submissions[0], run.points), indent=1, allow_nan=False) + "\n")


def result(submission: SubmissionResult, points: Fraction) -> dict[str, Any]:
    """The content of results.json; every kata counts the same."""
    if not submission.graded:
        raise ValueError("not every kata was graded, so there is no score")
    each = points / len(submission.katas)
    return {
        "score": rounded_down(submission.share * points, 2),
        "output": f"{submission.solved} of {len(submission.katas)} katas are solved, and "
                  f"{submission.passed} of {submission.total} checks pass.",
        "output_format": "text",            # Gradescope's default for this output is HTML
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": visible(kata.name),
                "name_format": "text",
                "score": round(float(each * Fraction(kata.passed) / kata.total), 4),
                "max_score": round(float(each), 4),
                "status": "passed" if kata.passed_all else "failed",
                "output": rendered(kata),
                "output_format": "text",
                "visibility": "visible",
            }
            for kata in submission.katas
        ],
    }


def rendered(kata: KataResult) -> str:
    """The first failing check of a kata, how many more there are, and the message."""
    row = kata.first_open
    if row is None:
        return "All checks pass." if kata.passed_all else "No check was selected."
    lines = [f"{visible(row.check)}: {in_words(row.outcome)}. {kata.what_follows}".rstrip()]
    lines += [f"Mistake: {visible(row.mistake)}"] if row.mistake else []
    return "\n".join(lines + visible_lines(row.text(), LINES_AT_MOST))
