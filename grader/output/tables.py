"""Tables as CSV that every spreadsheet reads alike, and numbers in them."""
import csv
import io
import math
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from grader.course.visible import visible
from grader.output.writing import write_text

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
