"""Texts as they are safe to show: without characters that hide, move or control anything.

`visible` is for names and for lines that contain a path. `shown`, in katas.py, is for a path that a learner may type.
"""
import re
import unicodedata
from collections.abc import Sequence

LONGEST_PATH = 4096
MARKS_AT_MOST = 3                     # accents on one letter; more of them run into the lines above and below
# letters, symbols and marks that look like nothing: fillers, joiners, vowels without a sound, variation selectors
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0"
                       "\U0001d159\U000e0100-\U000e01ef]")
COMMAND = re.compile(r"^\s*:(?=:)|#(?=#\[)")                 # where a command begins for a service that reads the log


def visible(text: object, limit: int = 200) -> str:
    """One line of at most about `limit` characters, with escapes for invisible characters and for commands."""
    pieces, length, marks = [], 0, MARKS_AT_MOST          # at the start there is no letter to mark
    for character in str(text):
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category == "Zs":
            piece = " "
        elif "\udc80" <= character <= "\udcff":                 # a byte of a name that is no text
            piece = f"\\x{ord(character) - 0xdc00:02x}"
        elif category[0] in "CZ" or marks > MARKS_AT_MOST or INVISIBLE.match(character):
            piece = character.encode("unicode_escape").decode("ascii")
        else:
            piece = character
        length += len(piece)
        if length > limit:
            pieces.append("...")
            break
        pieces.append(piece)
    return COMMAND.sub(lambda found: f"{found[0][:-1]}\\x{ord(found[0][-1]):02x}", "".join(pieces))


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
