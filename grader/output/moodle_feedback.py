"""Feedback as Moodle's "Upload multiple feedback files in a zip" takes it: in folders as in a download from Moodle.

Moodle splits a folder's name at underscores: the full name, the person's number in the assignment, assignsubmission,
file. The number decides whose feedback it is.
"""
import io
import re
import zipfile
from pathlib import Path

from grader.output.escaping import shown_names
from grader.output.feedback import LONGEST_NAME, text, title
from grader.output.files import Writer
from grader.output.writing import write_bytes
from grader.verdict.results import RunResult

COMMENT = b"feedback on the positional encoding katas"       # of the zip file; the next run knows it by that


def write(path: Path, run: RunResult) -> Writer:
    """Write the zip file; ValueError, after that, about people whose number is not known."""
    numbers = {person.submission: re.sub(r"\D", "", person.columns.get("identifier", "")) for person in run.people}
    people = []
    while one := (yield):
        people.append((one.name, one.id or numbers.get(one.name), text(one)))
    content, without = io.BytesIO(), []
    with zipfile.ZipFile(content, "w") as file:
        file.comment = COMMENT
        for name, (_, number, told) in zip(shown_names([name for name, *_ in people], LONGEST_NAME), people,
                                           strict=True):
            if number:
                plain = re.sub(r'[\\/:*?"<>|_]+', " ", name).strip(" .") or "Learner"
                entry = zipfile.ZipInfo(f"{plain}_{number}_assignsubmission_file_/feedback.txt")
                file.writestr(entry, title(name) + told, zipfile.ZIP_DEFLATED)
            else:
                without.append(name)
    write_bytes(path, content.getvalue())
    if without:
        raise ValueError(f"not in this file, because Moodle's number is not known: {', '.join(without)}")
