"""The board: a page for the projector that shows each learner's progress and the most frequent mistakes."""
from collections import Counter
from pathlib import Path

import pytest

from grader.course.alternatives import alternatives
from grader.output.escaping import visible, visible_names
from grader.output.writing import write_text

TEMPLATE = Path(__file__).with_name("board.html")
STATES = ("solved", "started", "todo", "broken")
NAME, MISTAKES, TOGETHER = 30, 3, 12        # characters of a name, mistakes per kata, names in one row
WIDE = 14                                   # up to this many katas get wide columns


def page(run):
    """The page as HTML."""
    jinja2 = needed()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE.parent), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    return environment.get_template(TEMPLATE.name).render(content(run))


def needed():
    """Jinja2, or one line that says how to get it."""
    try:
        import jinja2
    except ImportError:
        raise pytest.UsageError("--board needs Jinja2: python -m pip install jinja2") from None
    return jinja2


def content(run):
    """What the template shows, as plain texts and numbers."""
    katas, names = run.katas, visible_names(run, NAME)
    rows, found = [], {kata.name: [] for kata in katas}
    for name, submission in zip(names, run.submissions, strict=True):
        results = {result.name: result for result in submission.katas}
        cells = [(results[one].state, cell(results[one])) if one in results else ("none", "") for one in found]
        rows.append({"name": name, "solved": submission.solved, "cells": cells})
        for one, result in results.items():
            found[one].append((name, result))
    return {
        "learners": len(rows),
        "solved": sum(row["solved"] for row in rows),
        "possible": sum(map(len, found.values())),
        "katas": [summary(kata, [result for _, result in found[kata.name]]) for kata in katas],
        "wide": len(katas) <= WIDE,
        "rows": rows,
        "stuck": sorted((g for kata in katas for g in stuck(kata, found[kata.name])), key=lambda g: -g["count"]),
    }


def cell(result):
    """A check mark, a percentage, an exclamation mark or a dash; the state of the kata only sets the colour."""
    dash = "\N{EN DASH}"
    signs = {"solved": "\N{CHECK MARK}", "todo": dash, "no file": dash, "not graded": "", "broken": "!"}
    return signs.get(result.state, f"{100 * result.passed // max(result.total, 1)}%")


def summary(kata, results):
    """How many have solved, started or not started a kata, and its most frequent mistakes."""
    states = Counter(result.state for result in results)
    made = Counter(mistake for result in results for mistake in {row.mistake for row in result.failing} - {None})
    frequent = sorted(made.items(), key=lambda item: (-item[1], item[0]))[:MISTAKES]
    known = {a.name: a.sentence for a in alternatives(kata.mistakes, kata.solution)} if frequent else {}
    mistakes = [{"name": visible(name, 60), "count": count, "sentence": known.get(name, "")}
                for name, count in frequent]
    return {"name": visible(kata.name, NAME), **{state: states[state] for state in STATES}, "mistakes": mistakes}


def stuck(kata, found):
    """The learners who have started a kata, grouped by the first function to fix and what is wrong with it."""
    groups = {}
    for name, result in found:
        if result.state in ("started", "broken") and result.first_open:
            groups.setdefault(place(result), []).append(name)
    return [
        {"kata": visible(kata.name, NAME), "function": function, "trouble": trouble, "count": len(members),
         "names": members[:TOGETHER]}
        for (function, trouble), members in groups.items()
    ]


def place(result):
    """The function that a learner is stuck at, and why: the mistake if it is known."""
    if result.state == "broken":
        return "", "the file does not load"
    row = result.first_open
    outcomes = {"failed": "wrong result", "todo": "not written yet", "error": "raises an error",
                "timeout": "takes too long", "crashed": "crashes", "not_run": "did not run"}
    return visible(row.function or "", 60), visible(row.mistake or outcomes.get(row.outcome, row.outcome), 60)


def write(path, run):
    """Write the board."""
    write_text(path, page(run))
