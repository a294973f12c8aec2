"""The board: a page for the projector with frequent mistakes, where people are stuck, and who has solved what."""
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pytest

from grader.output.checks import Rates
from grader.output.escaping import shown_names, visible
from grader.output.writing import write_text
from grader.verdict.mistakes import mistakes
from grader.verdict.results import STATES

TEMPLATE = Path(__file__).with_name("board.html")
NAME, FREQUENT, MISTAKES = 30, 10, 3        # characters of a name; mistakes of all katas, and of each
PLACES, TOGETHER, LOWEST = 12, 12, 5        # where people are stuck, names in one row there, checks that fewest pass
WIDEST = 13                                 # katas in one part of the grid, so that it fits on a small projector
LEGEND = {"solved": "solved", "started": "started, with the percentage of checks that pass", "todo": "not started",
          "broken": "the file does not load", "no file": "no file", "not graded": "not graded yet"}
DASH, EMPTY = "\N{EN DASH}", "\N{EMPTY SET}"
SIGNS = {"solved": "\N{CHECK MARK}", "started": "%", "todo": DASH, "broken": "!", "no file": EMPTY, "not graded": ""}


@dataclass
class Cell:
    """What the board shows of one learner's kata."""

    state: str
    text: str
    mistakes: set                           # (function, name of its mistake)
    stuck: tuple | None                     # (first function to fix, what is wrong)
    edited: bool                            # there is a file, and it is not the stub, or it is not graded yet


def page(run):
    """The page as HTML."""
    jinja2 = needed()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE.parent), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    written = f"{datetime.now():%Y-%m-%d at %H:%M:%S}"
    return environment.get_template(TEMPLATE.name).render(content(run), written=written, refresh=run.refresh)


def needed():
    """Jinja2, or one line that says how to get it."""
    try:
        import jinja2
    except ImportError:
        raise pytest.UsageError("--board needs Jinja2: python -m pip install jinja2") from None
    return jinja2


def content(run):
    """What the template shows, as plain texts and numbers."""
    katas, people, rates = {}, [], Rates()
    for one in run.submissions:                       # only once: there may be thousands
        katas.update((result.name, result.kata) for result in one.katas)
        for result in one.katas:
            if not result.kata.to_mend:               # the names of its checks tell its faults
                rates.add(result)
        people.append((one.alias, one.name, {result.name: cell(result) for result in one.katas}))
    people.sort(key=lambda person: person[0])         # by made-up names: real ones would come in their own order
    names = shown_names([alias or name for alias, name, _ in people], NAME)
    edited = {kata for *_, cells in people for kata, one in cells.items() if one.edited} or katas
    left_out, katas = len(katas), {name: kata for name, kata in katas.items() if name in edited}
    people = [(name, {kata: one for kata, one in cells.items() if kata in katas})
              for name, (*_, cells) in zip(names, people, strict=True)]
    made = frequent(katas, [cells for _, cells in people])
    stuck = places(katas, people)
    states = {name: Counter(cells[name].state for _, cells in people if name in cells) for name in katas}
    sums = sum(states.values(), Counter())
    return {
        "learners": len(people),
        "solved": sums["solved"],
        "possible": sums.total(),
        "ungraded": sum(not all_graded(cells) for _, cells in people),
        "mistakes": made[:FREQUENT],
        "stuck": stuck[:PLACES],
        "elsewhere": len(stuck[PLACES:]),
        "lowest": [(title(kata), visible(check, 100), passed, graded)
                   for kata, check, _, passed, graded in rates.lowest(LOWEST)],
        "left_out": left_out - len(katas),
        "legend": [(state, SIGNS[state], LEGEND[state], sums[state]) for state in STATES],
        "parts": parts([(name, title(kata)) for name, kata in katas.items()]),
        "rows": [{"name": name, "cells": cells,
                  "solved": sum(one.state == "solved" for one in cells.values()) if all_graded(cells) else ""}
                 for name, cells in people],
        "katas": [{"title": title(kata), "states": [(one, SIGNS[one], states[name][one]) for one in STATES],
                   "mistakes": [one for one in made if one["id"] == name][:MISTAKES]}
                  for name, kata in katas.items()],
    }


def all_graded(cells):
    """Whether all katas of a learner are graded; if not, there is no sum."""
    return all(one.state != "not graded" for one in cells.values())


def cell(result):
    """What the board shows of a kata. It does not tell the faults of a kata to mend, because people look for them."""
    state, rows = result.state, [] if result.untouched or result.kata.to_mend else result.failing
    text = str(100 * result.passed // max(result.total, 1)) if state == "started" else SIGNS[state]
    mistakes = {(row.mistake_of or row.function or "", row.mistake) for row in rows if row.mistake}
    stuck = place(result) if state in ("started", "broken") else None
    return Cell(state, text, mistakes, stuck, state != "no file" and not result.untouched)


def place(result):
    """The function that a learner is stuck at, and why: the mistake if it is known; None if nothing is wrong."""
    row = result.first_open
    if result.state == "broken" or row is None:
        return row and ("", "the file does not load")
    outcomes = {"failed": "wrong result", "todo": "not written yet", "error": "raises an error",
                "timeout": "takes too long", "crashed": "crashes"}
    mistake = None if result.kata.to_mend else row.mistake
    return visible(row.function or "", 60), visible(mistake or outcomes.get(row.outcome, row.outcome), 60)


def title(kata):
    """A kata as people call it, such as 21 positional formula."""
    return f"{visible(kata.number, 2)} {visible(kata.name, NAME)}".replace("_", " ")


def frequent(katas, people):
    """All mistakes that were made, those of most learners first."""
    made = Counter((name, *mistake) for cells in people for name, one in cells.items() for mistake in one.mistakes)
    found = []
    order = {name: number for number, name in enumerate(katas)}
    for (name, function, mistake), count in sorted(made.items(), key=lambda one: (-one[1], order[one[0][0]], one[0])):
        sentences = {(one.replaces, one.name): one.sentence for one in reversed(mistakes(katas[name]))}
        found.append({"id": name, "kata": title(katas[name]), "function": visible(function, 60), "count": count,
                      "name": visible(mistake, 60), "sentence": sentences.get((function, mistake), "")})
    return found


def places(katas, people):
    """The learners who have started a kata, by the first function to fix and what is wrong; most learners first."""
    groups = {}
    for kata in katas:
        for name, cells in people:
            if kata in cells and cells[kata].stuck:
                groups.setdefault((kata, *cells[kata].stuck), []).append(name)
    return [
        {"kata": title(katas[kata]), "function": function, "trouble": trouble, "count": len(names),
         "names": names[:TOGETHER]}
        for (kata, function, trouble), names in sorted(groups.items(), key=lambda group: -len(group[1]))
    ]


def parts(columns):
    """The columns of the grid in parts of nearly the same width."""
    count = -(-len(columns) // WIDEST) or 1
    size = -(-len(columns) // count)
    return [columns[start:start + size] for start in range(0, len(columns), size or 1)]


def write(path, run):
    """Write the board."""
    write_text(path, page(run))
