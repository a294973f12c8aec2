"""Make texts from learners safe to show: without characters that hide, move or control anything."""
import unicodedata
from collections.abc import Sequence

from grader.course.visible import visible


def visible_lines(text: str | None, height: int, width: int = 100) -> list[str]:
    """At most `height` lines of a text; where there are more, the last one says so."""
    lines = (text or "").expandtabs(4).replace("\r\n", "\n").split("\n")
    if len(lines) > height:
        lines = [*lines[:height - 1], f"({len(lines) - height + 1} more lines)"]
    return [visible(line, width).rstrip() for line in lines]


def shown_names(given: Sequence[str], limit: int) -> list[str]:
    """These names as they are safe to show; no two look alike."""
    return distinct([visible(name, limit).strip() or "(no name)" for name in given], given, " ({})")


def distinct(names: Sequence[str], given: Sequence[str], numbered: str) -> list[str]:
    """The names, with a number where two look alike. A submission with exactly that name keeps it."""
    taken: set[str] = set()
    result = list(names)
    for place in sorted(range(len(names)), key=lambda i: names[i] != given[i]):
        number = 1
        while composed(result[place]) in taken:
            number += 1
            result[place] = names[place] + numbered.format(number)
        taken.add(composed(result[place]))
    return result


def composed(text: str) -> str:
    """The text with one way of writing for letters that can be written in several."""
    return unicodedata.normalize("NFKC", text)
