"""The learner's own line with the expression marked where their steps go wrong, and its value beside the one needed."""
import re
from pathlib import Path
from typing import Any

import numpy as np

from grader.calling.answers import LearnerFile
from grader.calling.loading import line_name, text_of_line
from grader.verdict.array_patterns import pattern
from grader.verdict.steps import Parting
from grader.verdict.wrapping import WIDTH, Block, printable, said

FEW = 6                                   # entries of an array that is shown in full
COMMENT = re.compile(r"\s+#\s")
RESULT = re.compile(r"\bthe result\b")


def marked_line(submission: LearnerFile, parting: Parting, before: str) -> list[Block]:
    """The Blocks: the line, the mark below it, and what is known of the value but was not said `before`."""
    first, start, last, end = parting.place
    try:
        code = submission.code
    except (OSError, ValueError):
        return []
    encoded = text_of_line(code, first).encode()
    text = COMMENT.split(encoded.decode())[0].rstrip()
    start = len(encoded[:start].decode("utf-8", "replace"))
    end = min(len(encoded[:end].decode("utf-8", "replace")), len(text)) if last == first else len(text)
    title, indent = f"  {line_name(code, submission.path or Path(), first)}:  ", len(text) - len(text.lstrip())
    start, room = max(start, indent), WIDTH - len(title)
    begin = indent if end - indent <= room else max(indent, min(start, end - room))
    shown = printable(text[begin:begin + room])
    shown = f"...{shown[3:]}" if begin > indent and start >= begin + 3 else shown
    lines = [f"{title}{shown}",
             " " * (len(title) + start - begin) + "^" * max(1, min(end, begin + room) - start)]
    told = about(parting)
    return [["\n".join(["", *lines])], *([said(told, "    ", "    ")] if told and told[6:] not in before else [])]


def about(parting: Parting) -> str:
    """What is known of the value at the mark."""
    if parting.calls:
        return (f"`{parting.calls}` is not right yet." if parting.is_wrong else
                f"`{parting.calls}` passes its checks, so look at what you pass to it.")
    if parting.value is None:
        return ""
    if parting.cuts:
        return "This array holds whole numbers, so it cuts the fractions of what you write into it."
    if parting.remedies:
        return parting.remedies[0]
    value = np.asarray(parting.value)
    if parting.needed is None:
        return f"This is {entries(value)}." if value.size <= FEW else ""
    needed = np.asarray(parting.needed)
    if value.size == 1 < needed.size:
        return f"This is one number, {entries(value)}. An array of shape {needed.shape} is needed here."
    told = pattern(value, needed)
    if told and told[0] != "nan":
        return f"Here, {RESULT.sub('this value', told[1][:1].lower() + told[1][1:])}"
    if value.shape != needed.shape:
        return f"This has shape {value.shape}. Shape {needed.shape} is needed here."
    if needed.size <= FEW and entries(value) != entries(needed):
        return f"This is {entries(value)}. Here, {entries(needed)} is needed."
    return ""


def entries(value: np.ndarray) -> str:
    """All entries of a small array, or a number."""
    return re.sub(r"'", "", str(np.vectorize(number, otypes=[object])(value).tolist()))


def number(value: Any) -> str:
    return str(value) if np.asarray(value).dtype.kind in "bO" else f"{value + 0:.6g}"
