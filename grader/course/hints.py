"""Hints: three per task in HINTS.md, given one at a time; pytest's cache remembers how many."""
import re
from pathlib import Path
from typing import Any

from grader.course.katas import Kata, Task

CACHE_KEY = "katas/hints"


def read_hints(path: Path) -> dict[int, list[str]]:
    """{task number: [hint, ...]} of a HINTS.md; hints are numbered items under '## Task n'."""
    hints = {}
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title = re.match(r"Task (\d+)", section)
        if title:
            items = re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]              # indented, as Markdown wants it
            hints[int(title[1])] = [re.sub(r"^ {3}", "", item.strip(), flags=re.MULTILINE) for item in items]
    return hints


def next_hints(kata: Kata, task: Task, cache: Any, everything: bool) -> tuple[list[tuple[int, str]], int, bool]:
    """The hints to show, as (number, text) pairs, how many a task has, and whether all were shown; counts them."""
    hints = read_hints(kata.hints).get(task.number, [])
    if everything:
        return list(enumerate(hints, 1)), len(hints), False
    shown = cache.get(CACHE_KEY, {}) if cache is not None else {}
    place = f"{kata.name}/{task.number}"
    before = shown.get(place, 0)
    number = min(before + 1, len(hints))
    if cache is not None:
        cache.set(CACHE_KEY, shown | {place: number})
    return [(number, hints[number - 1])] if hints else [], len(hints), before >= len(hints)
