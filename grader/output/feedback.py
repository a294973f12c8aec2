"""Feedback for learners: one Markdown text per submission, in a folder or in an archive that Moodle imports."""
import io
import os
import re
import zipfile
from collections.abc import Generator, Sequence
from pathlib import Path

from grader.course.visible import composed, distinct, shown_names, visible, visible_lines
from grader.output.files import Writer
from grader.output.writing import write_bytes, write_text
from grader.verdict.results import KataResult, RunResult, SubmissionResult
from grader.verdict.rows import Row, in_words

OURS = "<!-- Feedback on the positional encoding katas. The next run overwrites this file. -->"
ARCHIVE_COMMENT = b"feedback on the positional encoding katas"       # the next run knows its archive by that
LINES, HEIGHT, AROUND = 300, 24, 12      # lines: of a text; of a message, at most; of a section without its message
LOWEST = 4                               # lines that a message always has
RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9])(\..*)?")
LONGEST_NAME, NAME_BYTES = 80, 120       # characters of a name, bytes of a file name
UNUSED = 20                              # lines about files that no kata used


def feedback(path: Path, run: RunResult) -> Writer:
    """Write a file per submission into a folder; ValueError if that would overwrite what is not feedback."""
    people = yield from texts()
    names = file_names([name for name, *_ in people])
    files = {path / file: text for file, (*_, text) in zip(names, people, strict=True)}
    if path.exists() and not path.is_dir():
        raise ValueError(f"{visible(path)} is not a folder")
    for file in files:
        if os.path.lexists(file) and not is_feedback(file):
            raise ValueError(f"{visible(file)} is not the feedback of an earlier run, so it was not overwritten")
    path.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        write_text(file, f"{OURS}\n\n{text}")


def moodle_feedback(path: Path, run: RunResult) -> Writer:
    """Write an archive for Moodle's "Upload multiple feedback files in a zip", with folders as in its downloads.

    Moodle splits a folder's name at underscores: the full name, the person's number in the assignment,
    assignsubmission, file. The number decides whose feedback it is. ValueError, after that, about people without one.
    """
    numbers = {person.submission: re.sub(r"\D", "", person.columns.get("identifier", "")) for person in run.people}
    people, content, without = (yield from texts()), io.BytesIO(), []
    with zipfile.ZipFile(content, "w") as file:
        file.comment = ARCHIVE_COMMENT
        for name, own, shown, text in people:
            if number := own or numbers.get(name):
                plain = re.sub(r'[\\/:*?"<>|_]+', " ", shown).strip(" .") or "Learner"
                entry = zipfile.ZipInfo(f"{plain}_{number}_assignsubmission_file_/feedback.txt")
                file.writestr(entry, text, zipfile.ZIP_DEFLATED)
            else:
                without.append(shown)
    write_bytes(path, content.getvalue())
    if without:
        raise ValueError(f"not in this file, because Moodle's number is not known: {', '.join(without)}")


def texts() -> Generator[None, SubmissionResult | None, list[tuple[str, str, str, str]]]:
    """[(name, number on the platform, name as it is shown, text)] of the submissions that are sent."""
    people = []
    while one := (yield):
        people.append((one.name, one.id, text_of(one)))
    names = shown_names([name for name, *_ in people], LONGEST_NAME)
    return [(name, own, shown, f"# Feedback for {as_code(shown)}\n\n{text}")
            for shown, (name, own, text) in zip(names, people, strict=True)]


def is_feedback(path: Path) -> bool:
    """Whether a file is feedback that an earlier run wrote."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(OURS)) == OURS.encode()


# What a learner reads

def text_of(submission: SubmissionResult) -> str:
    """What follows the title: what is solved, and what to look at first in every other kata."""
    katas = submission.katas
    lines = [f"{submission.solved} of {len(katas)} katas are solved, and "
             f"{submission.passed} of {submission.total} checks pass.", ""] if submission.graded else []
    lines += [line_of_kata(kata) for kata in katas]
    if submission.unused:
        lines += ["", "These files were not used:", ""]
        lines += [f"- {as_code(text, 500)}" for text in submission.unused[:UNUSED]]
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


def line_of_kata(kata: KataResult) -> str:
    """One kata in a line of the list."""
    if not kata.graded:
        return f"- {as_code(kata.name)}: not graded"
    line = f"- {as_code(kata.name)}: {kata.state}, {kata.passed} of {kata.total} checks"
    if kata.by_hand:
        return f"{line}; {as_code(kata.by_hand, 500)}"
    if kata.state in ("todo", "no file") and kata.first_open and (message := kata.first_open.text()):
        line += f"; {as_code(' '.join(message.split()))}"
    return line


def section(kata: KataResult, row: Row, height: int) -> list[str]:
    """The first failing check of a kata, its message, and how many more there are."""
    lines = ["", f"## {as_code(kata.name)}", "", f"{as_code(row.check)}: {in_words(row.outcome)}.", ""]
    lines += fenced(visible_lines(row.text(), height)) if row.message else []
    lines += ["", f"Mistake: {as_code(row.mistake)}"] if row.mistake else []
    return lines + (["", kata.what_follows] if kata.what_follows else [])


# As Markdown

def as_code(text: object, limit: int = 110) -> str:
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
