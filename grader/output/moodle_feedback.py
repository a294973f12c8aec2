"""Feedback as Moodle's "Upload multiple feedback files in a zip" takes it: in folders as in a download from Moodle.

Moodle splits a folder's name at underscores: the full name, the person's number in the assignment, assignsubmission,
file. The number decides whose feedback it is.
"""
import io
import re
import zipfile

from grader.output.escaping import visible_names
from grader.output.feedback import OURS, feedback
from grader.output.files import OUTPUTS
from grader.output.writing import write_bytes


def write(path, run):
    """Write the zip file; ValueError, after that, about people whose number is not known."""
    numbers = {person.submission: re.sub(r"\D", "", person.columns.get("identifier", "")) for person in run.people}
    content, without = io.BytesIO(), []
    with zipfile.ZipFile(content, "w") as file:
        file.comment = OUTPUTS["moodle_feedback"][2].encode()
        for one, name, text in zip(run.submissions, visible_names(run, 80), feedback(run), strict=True):
            if number := one.id or numbers.get(one.name):
                plain = re.sub(r'[\\/:*?"<>|_]+', " ", name).strip(" .") or "Learner"
                entry = zipfile.ZipInfo(f"{plain}_{number}_assignsubmission_file_/feedback.txt")
                file.writestr(entry, text.removeprefix(OURS).lstrip(), zipfile.ZIP_DEFLATED)
            else:
                without.append(name)
    write_bytes(path, content.getvalue())
    if without:
        raise ValueError(f"not in this file, because Moodle's number is not known: {', '.join(without)}")
