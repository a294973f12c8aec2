"""Feedback for learners: one Markdown text per submission, and a file name that is safe for each."""
import os
import re
from pathlib import Path

from grader.output.escaping import composed, distinct, visible, visible_lines, visible_names
from grader.output.writing import write_text

OURS = "<!-- Feedback on the positional encoding katas. The next run overwrites this file. -->"
LINES, HEIGHT, AROUND = 300, 24, 12      # lines: of a text; of a message, at most; of a section without its message
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9])(\..*)?")
NAME_BYTES = 120
UNUSED = 20                              # lines about files that no kata used


def feedback(run):
    """The texts, in the order of the submissions."""
    return [text(name, one) for name, one in zip(visible_names(run, 80), run.submissions, strict=True)]


def text(name, submission):
    """What is solved, and what to look at first in every other kata."""
    katas = submission.katas
    lines = [OURS, "", f"# Feedback for {code(name)}", ""]
    lines += [f"{submission.solved} of {len(katas)} katas are solved, and "
              f"{submission.passed} of {submission.total} checks pass.", ""] if submission.graded else []
    lines += [line_of(kata) for kata in katas]
    if submission.unused:
        lines += ["", "These files were not used:", ""]
        lines += [f"- {code(text, 500)}" for text in submission.unused[:UNUSED]]
        lines += [f"- and {len(submission.unused) - UNUSED} more"] if len(submission.unused) > UNUSED else []
    begun = [kata for kata in katas if kata.state in ("started", "broken") and kata.first_open]
    height = min(HEIGHT, (LINES - len(lines)) // max(len(begun), 1) - AROUND)
    room = max(0, (LINES - len(lines) - 2) // (AROUND + max(height, 4)))
    for kata in begun[:room]:
        lines += section(kata, max(height, 4))
    if len(begun) > room:
        lines += ["", f"You have started {len(begun) - room} more katas. They follow when you solve some of these."]
    return "\n".join(lines) + "\n"


def line_of(kata):
    """One kata in a line of the list."""
    if not kata.graded:
        return f"- {code(kata.name)}: not graded"
    line = f"- {code(kata.name)}: {kata.state}, {kata.passed} of {kata.total} checks"
    if kata.by_hand:
        return f"{line}; {code(kata.by_hand, 500)}"
    if kata.state in ("todo", "no file") and kata.first_open and (message := kata.first_open.text()):
        line += f"; {code(' '.join(message[:300].split()))}"
    return line


def section(kata, height):
    """The first failing check of a kata, its message, and how many more there are."""
    row = kata.first_open
    lines = ["", f"## {code(kata.name)}", "", f"{code(row.check)}: {outcome(row)}.", ""]
    lines += fenced(visible_lines(row.text(), height)) if row.message else []
    if row.mistake:
        lines += ["", f"Mistake: {code(row.mistake)}"]
    return lines + (["", kata.what_follows] if kata.what_follows else [])


def outcome(row):
    """The outcome of a check in words."""
    return {"todo": "not written yet", "not_run": "did not run", "error": "raised an error",
            "timeout": "took too long"}.get(row.outcome, row.outcome)


def code(text, limit=110):
    """A text as Markdown code within a line, whatever back quotes it has."""
    text = visible(text, limit)
    ticks = "`" * (longest_run(text) + 1)
    space = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fenced(lines):
    """Lines in a code block, with a fence that none of them can close."""
    ticks = "`" * max(3, max(map(longest_run, lines), default=0) + 1)
    return [f"{ticks}text", *lines, ticks]


def longest_run(text):
    """The length of the longest row of back quotes."""
    return max(map(len, re.findall("`+", text)), default=0)


def file_names(run):
    """A file name for each submission, in order: short, the same on every system, no two alike."""
    given = [submission.name for submission in run.submissions]
    return [f"{stem}.md" for stem in distinct([file_stem(name) for name in given], given, "-{}")]


def file_stem(name):
    """The letters and digits of a name in lower case, with hyphens for everything between them."""
    # Some file systems ignore case and how a letter is encoded, so names must differ by more than that.
    parts = re.findall(r"\w+", composed(composed(visible(name, 200)).casefold()))
    stem = "-".join(parts).encode()[:NAME_BYTES].decode("utf-8", "ignore").strip("-_")
    return f"submission-{stem}".strip("-") if RESERVED.fullmatch(stem) or not stem else stem


def write(folder, run):
    """Write a file per submission into a folder; ValueError if that would overwrite what is not feedback."""
    folder = Path(folder)
    paths = [folder / name for name in file_names(run)]
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{visible(folder)} is not a folder")
    for path in paths:
        if os.path.lexists(path) and not is_feedback(path):
            raise ValueError(f"{visible(path)} is not the feedback of an earlier run, so it was not overwritten")
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in zip(paths, feedback(run), strict=True):
        write_text(path, content)


def is_feedback(path):
    """Whether a file is feedback that an earlier run wrote."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(OURS)) == OURS.encode()
