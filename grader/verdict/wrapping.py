"""Fit a message for 80 columns into a narrower terminal, or a paragraph into any terminal."""
import re
import textwrap

CODE = re.compile(r"`[^`\n]*`")
HELD = "\0"                            # a space inside code that is kept on one line


def paragraph(text, width, first="", rest=""):
    """Lines of at most `width` columns; code in backticks is broken only where it fills a line by itself."""
    text = CODE.sub(lambda code: code[0].replace(" ", HELD) if len(code[0]) <= width - len(rest) else code[0],
                    " ".join(text.split()))
    lines = textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False,
                          break_on_hyphens=False)
    return [line.replace(HELD, " ") for line in lines]


def narrowed(message, written, width):
    """The lines of a message that was wrapped to `written` columns, wrapped to fewer; pictures lose columns."""
    result, cut = [], False
    for line, rest in rejoined(message.splitlines(), written):
        if cut and not drawn(line):
            result.append("  (use a wider terminal to see the rest)")
            cut = False
        if len(line) <= width:
            result.append(line)
        elif drawn(line):
            kept = line[:width] if line[width] == " " else line[:width].rpartition(" ")[0]
            result.append(kept.rstrip())
            cut = True
        else:
            result += paragraph(line, width, indent(line), rest or indent(line) or "    ")
    return result


def indent(line):
    """The spaces in front of a line."""
    return line[: len(line) - len(line.lstrip(" "))]


def drawn(line):
    """Whether a line is one of a picture: cells that stand under each other."""
    return len(re.findall(r"\S {2,}(?=\S)", line)) > 3


def rejoined(lines, written):
    """Each line with those that follow only because it was full, and their indent if there are any."""
    result, last = [], ""
    for line in lines:
        words = line.split()
        full = last and words and len(last) + 1 + len(words[0]) > written
        if full and line.startswith(" ") and words[0][0] != "[" and not drawn(line) and not drawn(last):
            result[-1] = f"{result[-1][0]} {' '.join(words)}", indent(line)
        else:
            result.append((line, None))
        last = line
    return result
