"""The gradebook: one row per submission as CSV, with numbers that a spreadsheet can add up."""
import csv
import io
import math
import unicodedata

from grader.output.escaping import visible, visible_names
from grader.output.writing import write_text

ASSIGNMENT = "Positional encodings"         # the title of the column with the grades that other systems import
FORMULA = "=+-@\N{MINUS SIGN}"


def gradebook(run):
    """The text: checks passed for each kata, sums, the status of each kata, files not used, who has equal files."""
    ids = [kata.name for kata in run.katas]
    groups = {}                           # submission -> groups of submissions that share a file with it
    for _, names in run.equal_files:
        for name in names:
            groups.setdefault(name, []).append(names)
    titles = ["submission", *ids, "solved", "passed", "total", "percent", "points", *(f"{one} status" for one in ids),
              "not used", "same files as"]
    rows = [[cell(title) for title in titles]]
    for name, submission in zip(visible_names(run), run.submissions, strict=True):
        katas = {kata.name: kata for kata in submission.katas}
        same = dict.fromkeys(other for names in groups.get(submission.name, ()) for other in names)
        rows.append([
            cell(name),
            *(katas[one].passed if one in katas and katas[one].graded else "" for one in ids),
            *sums(submission, run.points),
            *(cell(katas[one].by_hand or katas[one].state) if one in katas else "" for one in ids),
            cell("; ".join(submission.unused)),
            cell("; ".join(other for other in same if other != submission.name)),
        ])
    return as_csv(rows)


def as_csv(rows):
    """The text of a table."""
    text = io.StringIO()
    # Numbers bare, texts quoted: a spreadsheet that splits at semicolons then leaves a name in one piece.
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows(rows)
    return text.getvalue()


def sums(submission, points):
    """Katas solved, checks passed, all checks, percent and points; nothing if a kata has not been graded."""
    if not submission.graded:
        return [""] * 5
    percent, scaled = rounded(submission.share * 100, 1), rounded(submission.share * points, 2)
    return submission.solved, submission.passed, submission.total, percent, scaled


def points_of(run):
    """{submission: its points}, without those that are not graded in full or have no file for any kata."""
    return {one.name: rounded(one.share * run.points, 2) for one in run.submissions
            if one.graded and any(kata.file or kata.by_hand for kata in one.katas)}


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
