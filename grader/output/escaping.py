"""Make texts from learners safe to show: without characters that hide, move or control anything."""
import unicodedata

from grader.course.visible import visible


def visible_lines(text, height, width=100):
    """At most `height` lines of a text; where there are more, the last one says so."""
    lines = str(text or "").expandtabs(4).replace("\r\n", "\n").split("\n")
    if len(lines) > height:
        lines = [*lines[:height - 1], f"({len(lines) - height + 1} more lines)"]
    return [visible(line, width).rstrip() for line in lines]


def visible_names(run, limit=200):
    """A name for each submission of a run, in order; no two look alike."""
    return shown_names([submission.name for submission in run.submissions], limit)


def shown_names(given, limit):
    """These names as they are safe to show; no two look alike."""
    return distinct([visible(name, limit).strip() or "(no name)" for name in given], given, " ({})")


def distinct(names, given, numbered):
    """The names, with a number where two look alike. A submission with exactly that name keeps it."""
    taken, result = set(), {}
    for place in sorted(range(len(names)), key=lambda i: names[i] != given[i]):
        candidate, number = names[place], 1
        while composed(candidate) in taken:
            number += 1
            candidate = names[place] + numbered.format(number)
        taken.add(composed(candidate))
        result[place] = candidate
    return [result[place] for place in range(len(names))]


def composed(text):
    """The text with one way of writing for letters that can be written in several."""
    return unicodedata.normalize("NFKC", text)
