"""What grading services read: results.json for Gradescope, and a runner's results for GitHub Classroom.

Both describe one submission, with a test per kata and a point per check.
"""
import base64
import json
import re

from grader.output.escaping import visible, visible_lines
from grader.output.findings import first_open, more, passed_all, solved
from grader.output.writing import write_text

HEIGHT = 24                       # lines of a message
CLASSROOM_CHARACTERS = 30_000     # of all messages: base64 of it all has to fit into one environment variable


def gradescope(report):
    """The content of results.json as a dict."""
    submission = only(report)
    return {
        "score": submission["passed"],
        "output": summary(submission),
        "output_format": "text",            # Gradescope's default for this output is HTML
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": visible(kata["kata"]),
                "name_format": "text",
                "score": kata["passed"],
                "max_score": kata["total"],
                "status": "passed" if passed_all(kata) else "failed",
                "output": rendered(kata),
                "output_format": "text",
                "visibility": "visible",
            }
            for kata in submission["katas"]
        ],
    }


def classroom(report):
    """The results of a runner as a dict."""
    katas = only(report)["katas"]
    good = all(passed_all(kata) for kata in katas)
    room = CLASSROOM_CHARACTERS // max(len(katas), 1)
    return {
        "version": 1,
        "status": ("pass" if good else "fail") if katas else "error",
        "max_score": sum(kata["total"] for kata in katas),
        "tests": [classroom_test(kata, room) for kata in katas],
    }


def classroom_test(kata, room):
    """One test of a runner; the reporter shows the message of an error and the test code of all others."""
    text = cut(inert(in_ascii(rendered(kata))), room)
    status = "pass" if passed_all(kata) else "error" if kata["status"] == "broken" else "fail"
    return {
        "name": inert(in_ascii(visible(kata["kata"]))),
        "status": status,
        "score": kata["passed"],
        "message": text if status == "error" else None,
        "test_code": text if status == "fail" else "",
        "filename": inert(in_ascii(visible(kata["file"] or ""))),
        "line_no": 0,
        "duration": round(1000 * sum(check["seconds"] for check in kata["checks"])),
    }


def classroom_output(report):
    """The line for the file GITHUB_OUTPUT that hands the results from a step to the reporter."""
    return f"result={base64.b64encode(as_json(classroom(report)).encode()).decode()}"


def only(report):
    """The one submission of a report."""
    if len(report["submissions"]) != 1:
        raise ValueError(f"a grading service takes a single submission, but this run has {len(report['submissions'])}")
    return report["submissions"][0]


def summary(submission):
    """How far a submission is, in a sentence."""
    katas = submission["katas"]
    return (f"{solved(submission)} of {len(katas)} katas are solved, and "
            f"{submission['passed']} of {submission['total']} checks pass.")


def rendered(kata):
    """The first failing check of a kata, how many more there are, and the message."""
    check = first_open(kata)
    if check is None:
        return "All checks pass." if passed_all(kata) else "No check was selected."
    lines = [f"{visible(check['check'])}: {visible(check['outcome'])}. {more(kata)}".rstrip()]
    lines += [f"Mistake: {visible(check['mistake'])}"] if check["mistake"] else []
    return "\n".join(lines + visible_lines(check["message"], HEIGHT))


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


def write_gradescope(path, report):
    """Write results.json."""
    write_text(path, as_json(gradescope(report)) + "\n")


def write_classroom(path, report):
    """Write the results of a runner."""
    write_text(path, as_json(classroom(report)) + "\n")
