"""What grading services read: results.json for Gradescope, and a runner's results for GitHub Classroom.

Both describe one submission, with a test per kata and a point per check.
"""
import base64
import json
import re

from grader.course.katas import ROOT, shown
from grader.output.escaping import visible, visible_lines
from grader.output.writing import write_text

HEIGHT = 24                       # lines of a message
CLASSROOM_CHARACTERS = 30_000     # of all messages: base64 of it all has to fit into one environment variable


def gradescope(run):
    """The content of results.json as a dict."""
    submission = only(run)
    return {
        "score": submission.passed,
        "output": summary(submission),
        "output_format": "text",            # Gradescope's default for this output is HTML
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": visible(kata.name),
                "name_format": "text",
                "score": kata.passed,
                "max_score": kata.total,
                "status": "passed" if kata.passed_all else "failed",
                "output": rendered(kata),
                "output_format": "text",
                "visibility": "visible",
            }
            for kata in submission.katas
        ],
    }


def classroom(run):
    """The results of a runner as a dict."""
    katas = only(run).katas
    good = all(kata.passed_all for kata in katas)
    room = CLASSROOM_CHARACTERS // max(len(katas), 1)
    return {
        "version": 1,
        "status": ("pass" if good else "fail") if katas else "error",
        "max_score": sum(kata.total for kata in katas),
        "tests": [classroom_test(kata, room) for kata in katas],
    }


def classroom_test(kata, room):
    """One test of a runner; the reporter shows the message of an error and the test code of all others."""
    text = cut(inert(in_ascii(rendered(kata))), room)
    status = "pass" if kata.passed_all else "error" if kata.state == "broken" else "fail"
    return {
        "name": inert(in_ascii(visible(kata.name))),
        "status": status,
        "score": kata.passed,
        "message": text if status == "error" else None,
        "test_code": text if status == "fail" else "",
        "filename": inert(in_ascii(visible(shown(kata.file, ROOT) if kata.file else ""))),
        "line_no": 0,
        "duration": round(1000 * sum(row.seconds for row in kata.rows)),
    }


def classroom_output(run):
    """The line for the file GITHUB_OUTPUT that hands the results from a step to the reporter."""
    return f"result={base64.b64encode(as_json(classroom(run)).encode()).decode()}"


def only(run):
    """The one submission of a run."""
    submissions = list(run.submissions)
    if len(submissions) != 1:
        raise ValueError(f"a grading service takes a single submission, but this run has {len(submissions)}")
    return submissions[0]


def summary(submission):
    """How far a submission is, in a sentence."""
    return (f"{submission.solved} of {len(submission.katas)} katas are solved, and "
            f"{submission.passed} of {submission.total} checks pass.")


def rendered(kata):
    """The first failing check of a kata, how many more there are, and the message."""
    row = kata.first_open
    if row is None:
        return "All checks pass." if kata.passed_all else "No check was selected."
    lines = [f"{visible(row.check)}: {row.outcome}. {kata.what_follows}".rstrip()]
    lines += [f"Mistake: {visible(row.mistake)}"] if row.mistake else []
    return "\n".join(lines + visible_lines(row.text(), HEIGHT))


def cut(text, room):
    """The text, shortened if there is no room for all of it."""
    return text if len(text) <= room else text[:room - 3] + "..."


def in_ascii(text):
    """The text with an escape for what is not ASCII; JSON would need as much room for it."""
    return text.encode("ascii", "backslashreplace").decode("ascii")


def inert(text):
    """A text without commands for GitHub Actions, which runs those in its log: a forged one could award points."""
    text = re.sub(r"^(\s*):(?=:)", r"\1: ", text, flags=re.MULTILINE)
    return text.replace("##[", "## [")


def as_json(content):
    """JSON in ASCII, which is safe in every encoding."""
    return json.dumps(content, indent=1, ensure_ascii=True, allow_nan=False)


def write_gradescope(path, run):
    """Write results.json."""
    write_text(path, as_json(gradescope(run)) + "\n")


def write_classroom(path, run):
    """Write the results of a runner."""
    write_text(path, as_json(classroom(run)) + "\n")
