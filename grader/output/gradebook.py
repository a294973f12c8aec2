"""The gradebook: one row per submission as CSV, with numbers that a spreadsheet can add up."""
import csv
import io
import unicodedata

from grader.output.escaping import visible, visible_names
from grader.output.writing import write_text

FORMULA = "=+-@\N{MINUS SIGN}"


def gradebook(run):
    """The text: checks passed for each kata, the sums, then the status of each kata."""
    ids = [kata.name for kata in run.katas]
    text = io.StringIO()
    # Numbers bare, texts quoted: a spreadsheet that splits at semicolons then leaves a name in one piece.
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC)
    titles = ["submission", *ids, "solved", "passed", "total", "percent", *(f"{one} status" for one in ids)]
    rows.writerow([cell(title) for title in titles])
    for name, submission in zip(visible_names(run), run.submissions, strict=True):
        katas = {kata.name: kata for kata in submission.katas}
        passed, total = submission.passed, submission.total
        rows.writerow([
            cell(name),
            *(katas[one].passed if one in katas else "" for one in ids),
            submission.solved, passed, total, percent(passed, total),
            *(cell(katas[one].state) if one in katas else "" for one in ids),
        ])
    return text.getvalue()


def cell(text):
    """A text that no spreadsheet takes for a formula."""
    text = visible(text, 300)
    start = unicodedata.normalize("NFKC", text.lstrip()[:1])[:1]
    return f"'{text}" if start and start in FORMULA else text


def percent(passed, total):
    """Percent with one digit, rounded down: 100 is all of it."""
    return 1000 * passed // total / 10 if total else 0.0


def write(path, run):
    """Write the gradebook of a run."""
    write_text(path, gradebook(run))
