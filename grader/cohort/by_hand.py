"""Marks that an instructor has set by hand, from a CSV file with the columns who, kata, points and why."""
import re
from decimal import Decimal

import pytest

from grader.cohort.tables import refusal, table
from grader.course.katas import all_katas
from grader.course.visible import visible
from grader.verdict.results import ByHand

TITLES = ("who", "kata", "points", "why")
POINTS = re.compile(r"(\d{1,6}(?:\.\d{1,6})?) *(%?)")


def marks_in(path, named):
    """{(name of a submission, kata): ByHand}, in the order of the file; `named` is how the command names it."""
    refuse = refusal("overrides", named)
    katas = {text: kata.name for kata in all_katas() for text in (kata.number, kata.name, kata.folder.name)}
    titles, rows = table(path, refuse)
    if not set(TITLES) <= set(titles):
        refuse(f"its first line must name the columns {', '.join(TITLES)}")
    marks = {}
    for row in rows:
        who, kata, points, why = (row.get(title, "") for title in TITLES)
        number = POINTS.fullmatch(points)
        if kata not in katas:
            refuse(f"{visible(kata) or 'an empty cell'} is no kata; write its number or name")
        if number is None or (number[2] and Decimal(number[1]) > 100):
            refuse(f"{visible(points) or 'an empty cell'} are no points; write a number of checks, such as 12, or 75%")
        if (who, katas[kata]) in marks:
            refuse(f"{visible(who)} has two rows for {katas[kata]}")
        marks[who, katas[kata]] = ByHand(Decimal(number[1]), bool(number[2]), why)
    return marks


def known(option, named, names, submissions):
    """Refuse a name that no submission has."""
    for name in names:
        if name not in submissions:
            raise pytest.UsageError(f"--{option}={visible(named)}: no submission has the name {visible(name)}. "
                                    "--gradebook lists all names")


def too_high(marks, katas):
    """A line for each mark with more points than its kata has checks, which only a run knows."""
    return [f"--overrides: {who} has {mark.points} points for {name}, which has {len(checks)} checks. "
            "No file was written."
            for kata, checks in katas for (who, name), mark in marks.items()
            if name == kata.name and mark.of(len(checks)) > len(checks)]
