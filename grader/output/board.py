"""The board: a page for the projector with frequent mistakes, where people are stuck, and who has solved what."""
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from grader.course.katas import Kata
from grader.course.visible import shown_names, visible
from grader.output.files import Writer
from grader.output.tables import Rates
from grader.output.writing import write_text
from grader.verdict.mistakes import mistakes
from grader.verdict.results import STATES, KataResult, RunResult, SubmissionResult
from grader.verdict.rows import in_words

TEMPLATE = Path(__file__).with_name("board.html")
NAME, FUNCTION, FREQUENT, MISTAKES = 30, 60, 10, 3   # characters of names; mistakes of all katas, and of each
PLACES, TOGETHER, LOWEST = 12, 12, 5        # where people are stuck, names in one row there, checks that fewest pass
WIDEST = 13                                 # katas in one part of the grid, so that it fits on a small projector
LEGEND = {"solved": "solved", "started": "started, with the percentage of checks that pass", "todo": "not started",
          "broken": "the file does not load", "no file": "no file", "not graded": "not graded yet"}
SIGNS = {"solved": "\N{CHECK MARK}", "started": "%", "todo": "\N{EN DASH}", "broken": "!", "no file": "\N{EMPTY SET}",
         "not graded": ""}


@dataclass
class Cell:
    """What the board shows of one learner's kata."""

    state: str
    text: str
    mistakes: set[tuple[str, str]]          # (function, name of its mistake)
    stuck: tuple[str, str] | None           # (first function to fix, what is wrong)
    edited: bool                            # there is a file, and it is not the stub, or it is not graded yet


People = Sequence[tuple[str, dict[str, Cell]]]              # a name, and a cell for each kata
Katas = Mapping[str, Kata]


def write(path: Path, run: RunResult) -> Writer:
    """Write the board as HTML."""
    import jinja2  # an extra, which only this needs
    shown = yield from content()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE.parent), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    written = f"{datetime.now():%Y-%m-%d at %H:%M:%S}"
    write_text(path, environment.get_template(TEMPLATE.name).render(shown, written=written, refresh=run.refresh))


def content() -> Generator[None, SubmissionResult | None, dict[str, Any]]:
    """What the template shows of the results that are sent, as plain texts and numbers."""
    katas: dict[str, Kata] = {}
    found, rates = [], Rates()
    while one := (yield):
        katas |= {result.name: result.kata for result in one.katas}
        for result in one.katas:
            rates.add(result)
        found.append((one.alias, one.name, {result.name: cell_of(result) for result in one.katas}))
    found.sort(key=lambda person: person[0])          # by made-up names: real ones would come in their own order
    names = shown_names([alias or name for alias, name, _ in found], NAME)
    edited = {kata for *_, cells in found for kata, cell in cells.items() if cell.edited} or set(katas)
    left_out, katas = len(katas.keys() - edited), {name: kata for name, kata in katas.items() if name in edited}
    people = [(name, {kata: cell for kata, cell in cells.items() if kata in katas})
              for name, (*_, cells) in zip(names, found, strict=True)]
    made, stuck = frequent(katas, people), stuck_groups(katas, people)
    states = {name: Counter(cells[name].state for _, cells in people if name in cells) for name in katas}
    sums = sum(states.values(), Counter())
    rows = [{"name": name, "cells": cells, "solved": solved(cells)} for name, cells in people]
    return {
        "learners": len(people),
        "solved": sums["solved"],
        "possible": sums.total(),
        "ungraded": sum(row["solved"] == "" for row in rows),
        "mistakes": made[:FREQUENT],
        "stuck": stuck[:PLACES],
        "elsewhere": len(stuck[PLACES:]),
        "lowest": [(title(kata), visible(check, 100), passed, graded)
                   for kata, check, passed, graded in rates.lowest(LOWEST)],
        "left_out": left_out,
        "legend": [(state, SIGNS[state], LEGEND[state], sums[state]) for state in STATES],
        "parts": parts([(name, title(kata)) for name, kata in katas.items()]),
        "rows": rows,
        "katas": [{"title": title(kata), "states": [(one, SIGNS[one], states[name][one]) for one in STATES],
                   "mistakes": [one for one in made if one["id"] == name][:MISTAKES]}
                  for name, kata in katas.items()],
    }


def solved(cells: dict[str, Cell]) -> int | str:
    """How many katas a learner has solved; nothing if one is not graded."""
    states = [cell.state for cell in cells.values()]
    return "" if "not graded" in states else states.count("solved")


def cell_of(result: KataResult) -> Cell:
    """What the board shows of a kata."""
    state, rows = result.state, [] if result.untouched else result.failing
    text = str(100 * result.passed // result.total) if state == "started" else SIGNS[state]
    mistakes = {(row.mistake_of or row.function or "", row.mistake) for row in rows if row.mistake}
    stuck = stuck_at(result) if state in ("started", "broken") else None
    return Cell(state, text, mistakes, stuck, state != "no file" and not result.untouched)


def stuck_at(result: KataResult) -> tuple[str, str] | None:
    """The function that a learner is stuck at, and why: the mistake if it is known; None if nothing is wrong."""
    row = result.first_open
    if row is None:
        return None
    if result.state == "broken":
        return "", "the file does not load"
    why = row.mistake or in_words(row.outcome, "wrong result")
    return visible(row.function or "", FUNCTION), visible(why, FUNCTION)


def title(kata: Kata) -> str:
    """A kata as people call it, such as 21 positional formula."""
    return f"{visible(kata.number, 2)} {visible(kata.name, NAME)}".replace("_", " ")


def frequent(katas: Katas, people: People) -> list[dict[str, Any]]:
    """All mistakes that were made, those of most learners first."""
    made = Counter((kata, *one) for _, cells in people for kata, cell in cells.items() for one in cell.mistakes)
    found, order = [], list(katas)
    ordered = sorted(made.items(), key=lambda one: (-one[1], order.index(one[0][0]), one))
    for (name, function, mistake), count in ordered:
        sentences = {(one.replaces, one.name): one.sentence for one in reversed(mistakes(katas[name]))}
        found.append({"id": name, "kata": title(katas[name]), "function": visible(function, FUNCTION), "count": count,
                      "name": visible(mistake, FUNCTION), "sentence": sentences.get((function, mistake), "")})
    return found


def stuck_groups(katas: Katas, people: People) -> list[dict[str, Any]]:
    """The learners who have started a kata, by the first function to fix and what is wrong; most learners first."""
    groups: dict[tuple, list[str]] = {}
    for kata in katas:
        for name, cells in people:
            if kata in cells and (stuck := cells[kata].stuck):
                groups.setdefault((kata, *stuck), []).append(name)
    return [{"kata": title(katas[kata]), "function": function, "trouble": trouble, "count": len(names),
             "names": names[:TOGETHER]}
            for (kata, function, trouble), names in sorted(groups.items(), key=lambda group: -len(group[1]))]


def parts(columns: Sequence) -> list[Sequence]:
    """The columns of the grid in parts of nearly the same width."""
    count = -(-len(columns) // WIDEST) or 1
    size = -(-len(columns) // count) or 1
    return [columns[start:start + size] for start in range(0, len(columns), size)]
