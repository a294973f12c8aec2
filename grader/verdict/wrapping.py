"""Text in blocks, and their lines in a terminal of any width."""
import re
import textwrap
from collections.abc import Sequence

WIDTH = 80
CODE = re.compile(r"`[^`\n]*`")
HELD = "\0"                            # a space inside code or a path that is kept on one line
LONGEST_WORD = 300                     # characters of what is not broken, such as a path
Block = list[str]                      # a paragraph, see `said`; or a text alone: a drawing, whose lines stay


def said(text: str, first: str = "  ", rest: str = "  ") -> Block:
    """A paragraph, with the indentation of its first line and of the others."""
    return [text, first, rest]


def lines_of(blocks: Sequence[Block], width: int = WIDTH) -> list[str]:
    """The lines of a message, of at most `width` and 80 columns; drawings lose the columns that do not fit."""
    width = min(width, WIDTH)
    lines: list[str] = []
    for text, *indentation in blocks:
        if indentation:
            long_words = any(len(word) > LONGEST_WORD for word in text.split())
            lines += paragraph(text, width, indentation[0], indentation[1], long_words)
            continue
        rows = text.split("\n")
        lines += [row if len(row) <= width else cut(row, width) for row in rows]
        if any(len(row) > width for row in rows):
            lines.append("  (use a wider terminal to see the rest)")
    return lines


def paragraph(text: str, width: int, first: str = "", rest: str = "", break_long_words: bool = False) -> list[str]:
    """Lines of at most `width` columns; code in backticks is broken only where it fills a line by itself."""
    text = CODE.sub(lambda code: code[0].replace(" ", HELD) if len(code[0]) <= width - len(rest) else code[0],
                    " ".join(text.split()))
    lines = textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest,
                          break_long_words=break_long_words, break_on_hyphens=False)
    return [line.replace(HELD, " ") for line in lines]


def cut(row: str, width: int) -> str:
    """The row of a drawing without the cells that do not fit."""
    return (row[:width] if row[width] == " " else row[:width].rpartition(" ")[0]).rstrip()


def printable(text: str) -> str:
    """The text without control characters, with anything beyond ASCII escaped."""
    text = re.sub(r"[\x00-\x1f\x7f]", " ", text)
    return text.encode("ascii", "backslashreplace").decode("ascii")
