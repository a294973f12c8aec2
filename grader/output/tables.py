"""Tables as CSV that every spreadsheet reads alike, and the marks in them."""
import csv
import io
import math
import unicodedata
from collections.abc import Generator, Iterable
from fractions import Fraction
from pathlib import Path

from grader.course.visible import visible
from grader.output.writing import write_text
from grader.verdict.results import RunResult, SubmissionResult

ASSIGNMENT = "Positional encodings"         # the title of the column with the grades that other systems import
FORMULA = "=+-@\N{MINUS SIGN}"


def write_table(path: Path, titles: list[str], rows: Iterable[list]) -> None:
    """Put a table at `path`."""
    text = io.StringIO()
    # Numbers bare, texts quoted: a spreadsheet that splits at semicolons then leaves a name in one piece.
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows([titles, *rows])
    write_text(path, text.getvalue())


def cell(text: object) -> str:
    """A text that no spreadsheet takes for a formula."""
    shown = visible(text, 2000)
    start = unicodedata.normalize("NFKC", shown.lstrip()[:1])[:1]
    return f"'{shown}" if start and start in FORMULA else shown


def rounded(number: Fraction, digits: int) -> float:
    """A number with so many digits, rounded down: all points are reached only by solving everything."""
    return math.floor(number * 10**digits) / 10**digits


def points_of(run: RunResult) -> Generator[None, SubmissionResult | None, dict[str | None, float]]:
    """{submission: its points}, without those that are not graded in full or have no file for any kata."""
    points: dict[str | None, float] = {}
    while one := (yield):
        if one.graded and any(kata.file or kata.by_hand for kata in one.katas):
            points[one.name] = rounded(one.share * run.points, 2)
    return points
