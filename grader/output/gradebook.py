"""The gradebook: one row per submission as CSV, with numbers that a spreadsheet can add up."""
import csv
import io
import math
import unicodedata

from grader.output.escaping import visible, visible_names
from grader.output.writing import write_text

FORMULA = "=+-@\N{MINUS SIGN}"


def gradebook(run):
    """The text: checks passed for each kata, the sums, the status of each kata, and the files that were not used."""
    ids = [kata.name for kata in run.katas]
    text = io.StringIO()
    # Numbers bare, texts quoted: a spreadsheet that splits at semicolons then leaves a name in one piece.
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    titles = ["submission", *ids, "solved", "passed", "total", "percent", "points", *(f"{one} status" for one in ids),
              "not used"]
    rows.writerow([cell(title) for title in titles])
    for name, submission in zip(visible_names(run), run.submissions, strict=True):
        katas = {kata.name: kata for kata in submission.katas}
        rows.writerow([
            cell(name),
            *(katas[one].passed if one in katas and katas[one].graded else "" for one in ids),
            *sums(submission, run.points),
            *(cell(katas[one].state) if one in katas else "" for one in ids),
            cell("; ".join(submission.unused)),
        ])
    return text.getvalue()


def sums(submission, points):
    """Katas solved, checks passed, all checks, percent and points; nothing if a kata has not been graded."""
    if not submission.graded:
        return [""] * 5
    percent, scaled = rounded(submission.share * 100, 1), rounded(submission.share * points, 2)
    return submission.solved, submission.passed, submission.total, percent, scaled


def cell(text):
    """A text that no spreadsheet takes for a formula."""
    text = visible(text, 2000)
    start = unicodedata.normalize("NFKC", text.lstrip()[:1])[:1]
    return f"'{text}" if start and start in FORMULA else text


def rounded(number, digits):
    """A number with so many digits, rounded down: all points are reached only by solving everything."""
    return math.floor(number * 10**digits) / 10**digits


def write(path, run):
    """Write the gradebook of a run."""
    write_text(path, gradebook(run))
