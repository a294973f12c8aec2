"""Feedback for learners: one Markdown text per submission, and a file name that is safe for each."""
import os
import re
from collections.abc import Sequence
from pathlib import Path

from grader.course.visible import visible
from grader.output.escaping import composed, distinct, shown_names, visible_lines
from grader.output.files import Writer
from grader.output.writing import write_text
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import OUTCOMES, Row

OURS = "<!-- Feedback on the positional encoding katas. The next run overwrites this file. -->"
LINES, HEIGHT, AROUND = 300, 24, 12      # lines: of a text; of a message, at most; of a section without its message
LOWEST = 4                               # lines that a message always has
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9])(\..*)?")
LONGEST_NAME, NAME_BYTES = 80, 120       # characters of a name, bytes of a file name
UNUSED = 20                              # lines about files that no kata used


def write(folder: Path, run: RunResult) -> Writer:
    """Write a file per submission into a folder; ValueError if that would overwrite what is not feedback."""
    given, texts = [], []
    while one := (yield):
        given.append(one.name)
        texts.append(text(one))
    paths = [folder / name for name in file_names(given)]
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{visible(folder)} is not a folder")
    for path in paths:
        if os.path.lexists(path) and not is_feedback(path):
            raise ValueError(f"{visible(path)} is not the feedback of an earlier run, so it was not overwritten")
    folder.mkdir(parents=True, exist_ok=True)
    for path, name, told in zip(paths, shown_names(given, LONGEST_NAME), texts, strict=True):
        write_text(path, f"{OURS}\n\n{title(name)}{told}")


def is_feedback(path: Path) -> bool:
    """Whether a file is feedback that an earlier run wrote."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(OURS)) == OURS.encode()


# What a learner reads

def title(name: str) -> str:
    """The first line, and an empty one."""
    return f"# Feedback for {code(name)}\n\n"


def text(submission: SubmissionResult) -> str:
    """What is solved, and what to look at first in every other kata."""
    katas = submission.katas
    lines = [f"{submission.solved} of {len(katas)} katas are solved, and "
             f"{submission.passed} of {submission.total} checks pass.", ""] if submission.graded else []
    lines += [line_of(kata) for kata in katas]
    if submission.unused:
        lines += ["", "These files were not used:", ""]
        lines += [f"- {code(text, 500)}" for text in submission.unused[:UNUSED]]
        lines += [f"- and {len(submission.unused) - UNUSED} more"] if len(submission.unused) > UNUSED else []
    begun = [(kata, row) for kata in katas if kata.state in ("started", "broken") and (row := kata.first_open)]
    left = LINES - len(lines) - 4                            # four more lines are above
    height = max(LOWEST, min(HEIGHT, left // max(len(begun), 1) - AROUND))
    room = max(0, (left - 2) // (AROUND + height))
    for kata, row in begun[:room]:
        lines += section(kata, row, height)
    if len(begun) > room:
        lines += ["", f"You have started {len(begun) - room} more katas. They follow when you solve some of these."]
    return "\n".join(lines) + "\n"


def line_of(kata: KataResult) -> str:
    """One kata in a line of the list."""
    if not kata.graded:
        return f"- {code(kata.name)}: not graded"
    line = f"- {code(kata.name)}: {kata.state}, {kata.passed} of {kata.total} checks"
    if kata.by_hand:
        return f"{line}; {code(kata.by_hand, 500)}"
    if kata.state in ("todo", "no file") and kata.first_open and (message := kata.first_open.text()):
        line += f"; {code(' '.join(message.split()))}"
    return line


def section(kata: KataResult, row: Row, height: int) -> list[str]:
    """The first failing check of a kata, its message, and how many more there are."""
    lines = ["", f"## {code(kata.name)}", "", f"{code(row.check)}: {OUTCOMES[row.outcome]}.", ""]
    lines += fenced(visible_lines(row.text(), height)) if row.message else []
    lines += ["", f"Mistake: {code(row.mistake)}"] if row.mistake else []
    return lines + (["", kata.what_follows] if kata.what_follows else [])


# As Markdown

def code(text: object, limit: int = 110) -> str:
    """A text as Markdown code within a line, whatever back quotes it has."""
    shown = visible(text, limit)
    ticks = "`" * (longest_run(shown) + 1)
    space = " " if shown[:1] in ("`", " ", "") or shown[-1:] in ("`", " ") else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def fenced(lines: list[str]) -> list[str]:
    """Lines in a code block, with a fence that none of them can close."""
    ticks = "`" * max(3, longest_run("\n".join(lines)) + 1)
    return [f"{ticks}text", *lines, ticks]


def longest_run(text: str) -> int:
    """The length of the longest row of back quotes."""
    return max(map(len, re.findall("`+", text)), default=0)


# Names of files

def file_names(given: Sequence[str]) -> list[str]:
    """A file name for each submission: short, the same on every system, no two alike."""
    return [f"{stem}.md" for stem in distinct([file_stem(name) for name in given], given, "-{}")]


def file_stem(name: str) -> str:
    """The letters and digits of a name in lower case, with hyphens for everything between them."""
    # Some file systems ignore case and how a letter is encoded, so names must differ by more than that.
    parts = re.findall(r"\w+", composed(composed(visible(name, 200)).casefold()))
    stem = "-".join(parts).encode()[:NAME_BYTES].decode("utf-8", "ignore").strip("-_")
    return f"submission-{stem}".strip("-") if RESERVED.fullmatch(stem) or not stem else stem
