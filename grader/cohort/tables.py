"""What an instructor's CSV files say: the people of a course, and marks that are set by hand."""
import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import NoReturn

import pytest

from grader.course.katas import Kata, katas_by_name
from grader.course.visible import LONGEST_PATH, visible
from grader.verdict.results import ByHand, Person
from grader.verdict.rows import Check

# The titles of a roster's columns, as their letters in lower case. Canvas and Moodle name theirs like this, too.
NAMES = ("name", "student", "fullname", "studentname")
FIRST_NAMES = ("firstname", "givenname")
LAST_NAMES = ("lastname", "surname", "familyname")
EMAILS = ("email", "emailaddress", "mail")
PARTICIPANT = "identifier"                # such as "Participant 12345", and its folders have the number
IDS = ("id", "studentid", "sisuserid", "sisloginid", "idnumber", "username", PARTICIPANT)
NO_PERSON = "points possible"             # Canvas has a row for the assignments' points
TITLES = ("who", "kata", "points", "why")             # of marks that are set by hand
POINTS = re.compile(r"(\d{1,6}(?:\.\d{1,6})?) *(%?)")
Marks = dict[tuple[str, str], ByHand]                # by the name of a submission and of a kata


class Table:
    """A CSV file for an option of the command; `named` is how the command names it."""

    def __init__(self, option: str, path: Path, named: str) -> None:
        self.start = f"--{option}={visible(named, LONGEST_PATH)}: "
        try:
            with path.open(encoding="utf-8-sig", newline="") as file:
                content = file.read()
            separator = max(",;\t", key=content.strip().partition("\n")[0].count)
            rows = [row for row in csv.reader(io.StringIO(content), delimiter=separator) if any(map(str.strip, row))]
        except OSError as error:
            self.refuse(error.strerror)
        except UnicodeDecodeError:
            self.refuse("save this file as UTF-8")
        except csv.Error as error:
            self.refuse(f"this is not a CSV file: {error}")
        titles, *self.cells = rows or [[]]
        self.titles = [re.sub("[^a-z]", "", title.casefold()) for title in titles]     # their letters in lower case

    def refuse(self, why: object) -> NoReturn:
        """Refuse the file in one line."""
        raise pytest.UsageError(f"{self.start}{why}") from None

    def rows(self) -> Iterator[dict[str, str]]:
        """{title: text} of each row; of two columns with one title, the first counts."""
        for cells in self.cells:
            if any(map(str.strip, cells[len(self.titles):])):
                self.refuse(f"there are more cells than columns in the row of {visible(', '.join(cells))}")
            yield {title: text.strip() for title, text in reversed([*zip(self.titles, cells, strict=False)])}


# The people of a course

def people_in(path: Path, named: str) -> list[Person]:
    """The people in a file, in order; `named` is how the command names it."""
    table = Table("roster", path, named)
    if not set(table.titles) & {*NAMES, *FIRST_NAMES, *LAST_NAMES, *EMAILS, *IDS}:
        table.refuse("its first line names no column with an id, a name or an email address; write id,name,email")
    everybody = [Person(name_in(columns), columns) for columns in table.rows()]
    people = [person for person in everybody if with_id(person) and person.name.casefold() != NO_PERSON]
    if not people:
        table.refuse("there is nobody in this file")
    for title in IDS:
        for text, count in Counter(person.columns.get(title) for person in people).items():
            if text and count > 1:
                table.refuse(f"{count} people have the id {visible(text)}")
    return people


def name_in(columns: Mapping[str, str]) -> str:
    """The whole name."""
    return cell_of(columns, NAMES) or f"{cell_of(columns, FIRST_NAMES)} {cell_of(columns, LAST_NAMES)}".strip()


def cell_of(columns: Mapping[str, str], titles: Iterable[str]) -> str:
    """What the first of these columns says that is not empty."""
    return next((columns[title] for title in titles if columns.get(title)), "")


def with_id(person: Person) -> str:
    """How a line names a person: the name, and an id or email address, which tells apart people of one name."""
    number = cell_of(person.columns, (*IDS, *EMAILS))
    return " ".join(filter(None, [person.name, number and f"({number})"]))


# Marks set by hand

def marks_in(path: Path, named: str) -> Marks:
    """The marks in a file, in its order; `named` is how the command names it."""
    table, katas = Table("overrides", path, named), katas_by_name()
    if not set(TITLES) <= set(table.titles):
        table.refuse(f"its first line must name the columns {', '.join(TITLES)}")
    marks: Marks = {}
    for row in table.rows():
        who, text, points, why = (row.get(title, "") for title in TITLES)
        kata, number = katas.get(text), POINTS.fullmatch(points)
        if kata is None:
            table.refuse(f"{visible(text) or 'an empty cell'} is no kata; write its number or name")
        if number is None or (number[2] and Decimal(number[1]) > 100):
            table.refuse(f"{visible(points) or 'an empty cell'} are no points; "
                         "write a number of checks, such as 12, or 75%")
        if (who, kata.name) in marks:
            table.refuse(f"{visible(who)} has two rows for {kata.name}")
        marks[who, kata.name] = ByHand(Decimal(number[1]), bool(number[2]), why)
    return marks


def known(option: str, named: object, names: Iterable[str], submissions: Collection[str]) -> None:
    """Refuse a name that no submission has."""
    for name in names:
        if name not in submissions:
            raise pytest.UsageError(f"--{option}={visible(named)}: no submission has the name {visible(name)}. "
                                    "--gradebook lists all names")


def too_high(marks: Marks, katas: Iterable[tuple[Kata, list[Check]]]) -> list[str]:
    """A line for each mark with more points than its kata has checks, which only a run knows."""
    return [f"--overrides: {who} has {mark.points} points for {name}, which has {len(checks)} checks. "
            "No file was written."
            for kata, checks in katas for (who, name), mark in marks.items()
            if name == kata.name and mark.of(len(checks)) > len(checks)]
