"""The board: a page for the projector that shows each learner's progress and the most frequent mistakes."""
from collections import Counter
from pathlib import Path

import pytest

from grader.course.alternatives import alternatives
from grader.course.katas import all_katas
from grader.output.escaping import visible, visible_names
from grader.output.findings import failing, first_open, kata_ids, solved
from grader.output.writing import write_text

TEMPLATE = Path(__file__).with_name("board.html")
STATES = ("solved", "started", "todo", "broken")
NAME, MISTAKES, TOGETHER = 30, 3, 12        # characters of a name, mistakes per kata, names in one row
WIDE = 14                                   # up to this many katas get wide columns


def page(report):
    """The page as HTML."""
    jinja2 = needed()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE.parent), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    return environment.get_template(TEMPLATE.name).render(content(report))


def needed():
    """Jinja2, or one line that says how to get it."""
    try:
        import jinja2
    except ImportError:
        raise pytest.UsageError("--board needs Jinja2: python -m pip install jinja2") from None
    return jinja2


def content(report):
    """What the template shows, as plain texts and numbers."""
    ids, names = kata_ids(report), visible_names(report, NAME)
    katas = [summary(one, report) for one in ids]
    rows = [
        {"name": name, "solved": solved(submission), "cells": cells(submission, ids)}
        for name, submission in zip(names, report["submissions"], strict=True)
    ]
    return {
        "learners": len(rows),
        "solved": sum(row["solved"] for row in rows),
        "possible": sum(len(submission["katas"]) for submission in report["submissions"]),
        "katas": katas,
        "wide": len(ids) <= WIDE,
        "rows": rows,
        "stuck": sorted((g for one in ids for g in stuck(one, names, report)), key=lambda g: -g["count"]),
    }


def cells(submission, ids):
    """(state, text) for each kata of a row; the state only sets the colour."""
    katas = {kata["kata"]: kata for kata in submission["katas"]}
    return [(katas[one]["status"], cell(katas[one])) if one in katas else ("none", "") for one in ids]


def cell(kata):
    """A check mark, a percentage, an exclamation mark or a dash."""
    signs = {"solved": "\N{CHECK MARK}", "todo": "\N{EN DASH}", "broken": "!"}
    share = f"{100 * kata['passed'] // max(kata['total'], 1)}%"
    return signs.get(kata["status"], share)


def summary(one, report):
    """How many have solved, started or not started a kata, and its most frequent mistakes."""
    katas = [kata for each in report["submissions"] for kata in each["katas"] if kata["kata"] == one]
    states = Counter(kata["status"] for kata in katas)
    made = Counter(mistake for kata in katas for mistake in {c["mistake"] for c in failing(kata)} - {None})
    frequent = sorted(made.items(), key=lambda item: (-item[1], item[0]))[:MISTAKES]
    known = sentences(one) if frequent else {}
    mistakes = [{"name": visible(name, 60), "count": count, "sentence": known.get(name, "")}
                for name, count in frequent]
    return {"name": visible(one, NAME), **{state: states[state] for state in STATES}, "mistakes": mistakes}


def sentences(one):
    """{mistake: sentence} of a kata, from its mistakes.py."""
    kata = next((kata for kata in all_katas() if kata.name == one), None)
    return {a.name: a.sentence for a in alternatives(kata.mistakes, kata.solution)} if kata else {}


def stuck(one, names, report):
    """The learners who have started a kata, grouped by the first function to fix and what is wrong with it."""
    groups = {}
    for name, submission in zip(names, report["submissions"], strict=True):
        for kata in submission["katas"]:
            check = first_open(kata)
            if kata["kata"] == one and kata["status"] in ("started", "broken") and check:
                groups.setdefault(place(kata, check), []).append(name)
    return [
        {"kata": visible(one, NAME), "function": function, "trouble": trouble, "count": len(members),
         "names": members[:TOGETHER]}
        for (function, trouble), members in groups.items()
    ]


def place(kata, check):
    """The function that a learner is stuck at, and why: the mistake if it is known."""
    if kata["status"] == "broken":
        return "", "the file does not load"
    outcomes = {"failed": "wrong result", "todo": "not written yet", "error": "raises an error",
                "timeout": "takes too long", "crashed": "crashes", "not_run": "did not run"}
    return (visible(check["function"] or "", 60),
            visible(check["mistake"] or outcomes.get(check["outcome"], check["outcome"]), 60))


def write(path, report):
    """Write the board."""
    write_text(path, page(report))
