"""CSV files that an instructor has written or downloaded."""
import csv
import io
import re

import pytest

from grader.course.visible import LONGEST_PATH, visible


def refusal(option, named):
    """A function that refuses a file in one line; `named` is how the command names it."""
    def refuse(why):
        raise pytest.UsageError(f"--{option}={visible(named, LONGEST_PATH)}: {why}") from None
    return refuse


def table(path, refuse):
    """(the titles of the columns as their letters in lower case, {title: text} of each row, one by one)."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            content = file.read()
        separator = max(",;\t", key=content.strip().partition("\n")[0].count)
        rows = [row for row in csv.reader(io.StringIO(content), delimiter=separator) if any(map(str.strip, row))]
    except OSError as error:
        refuse(error.strerror)
    except UnicodeDecodeError:
        refuse("save this file as UTF-8")
    except csv.Error as error:
        refuse(f"this is not a CSV file: {error}")
    titles = [re.sub("[^a-z]", "", title.casefold()) for title in rows[0]] if rows else []
    return titles, (columns(titles, row, refuse) for row in rows[1:])


def columns(titles, row, refuse):
    """{title: text} of one row; of two columns with one title, the first counts."""
    if any(map(str.strip, row[len(titles):])):
        refuse(f"there are more cells than columns in the row of {visible(', '.join(row))}")
    found: dict[str, str] = {}
    for title, value in zip(titles, row, strict=False):
        found.setdefault(title, value.strip())
    return found
