"""What Gradescope reads: results.json, with a test per kata."""
import json

from grader.output.escaping import visible, visible_lines
from grader.output.gradebook import rounded
from grader.output.writing import write_text

HEIGHT = 24                       # lines of a message


def gradescope(run):
    """The content of results.json for the one submission of a run, as a dict; every kata counts the same."""
    submissions = list(run.submissions)
    if len(submissions) != 1:
        raise ValueError(f"Gradescope takes a single submission, but this run has {len(submissions)}")
    (submission,) = submissions
    if not submission.graded:
        raise ValueError("not every kata was graded, so there is no score")
    each = run.points / len(submission.katas)
    return {
        "score": rounded(submission.share * run.points, 2),
        "output": f"{submission.solved} of {len(submission.katas)} katas are solved, and "
                  f"{submission.passed} of {submission.total} checks pass.",
        "output_format": "text",            # Gradescope's default for this output is HTML
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": visible(kata.name),
                "name_format": "text",
                "score": round(float(each * kata.passed / kata.total), 4),
                "max_score": round(float(each), 4),
                "status": "passed" if kata.passed_all else "failed",
                "output": rendered(kata),
                "output_format": "text",
                "visibility": "visible",
            }
            for kata in submission.katas
        ],
    }


def rendered(kata):
    """The first failing check of a kata, how many more there are, and the message."""
    row = kata.first_open
    if row is None:
        return "All checks pass." if kata.passed_all else "No check was selected."
    lines = [f"{visible(row.check)}: {row.outcome}. {kata.what_follows}".rstrip()]
    lines += [f"Mistake: {visible(row.mistake)}"] if row.mistake else []
    return "\n".join(lines + visible_lines(row.text(), HEIGHT))


def write(path, run):
    """Write results.json, in ASCII, which is safe in every encoding."""
    write_text(path, json.dumps(gradescope(run), indent=1, ensure_ascii=True, allow_nan=False) + "\n")
