"""Make texts from learners safe to show: without characters that hide, move or control anything."""
import unicodedata

MARKS_AT_MOST = 3                     # accents on one letter; more of them run into the lines above and below


def visible(text, limit=200):
    """One line of at most about `limit` characters, with escapes for invisible characters."""
    pieces, length, marks = [], 0, MARKS_AT_MOST          # at the start there is no letter to mark
    for character in str(text):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category == "Zs":
            piece = " "
        elif category[0] in "CZ" or marks > MARKS_AT_MOST:
            piece = character.encode("unicode_escape").decode("ascii")
        else:
            piece = character
        length += len(piece)
        if length > limit:
            pieces.append("...")
            break
        pieces.append(piece)
    return "".join(pieces)


def visible_lines(text, height, width=100):
    """At most `height` lines of a text; where there are more, the last one says so."""
    lines = str(text or "").expandtabs(4).replace("\r\n", "\n").split("\n")
    if len(lines) > height:
        lines = [*lines[:height - 1], f"({len(lines) - height + 1} more lines)"]
    return [visible(line, width).rstrip() for line in lines]


def visible_names(run, limit=200):
    """A name for each submission of a run, in order; no two look alike."""
    given = [submission.name for submission in run.submissions]
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
