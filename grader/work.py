"""A folder of the learner's own that updates of the project do not touch, and the way back to an original stub."""
import datetime
import os
import sys
from pathlib import Path

import pytest

from grader.katas import KATAS, ROOT, SOLUTIONS, all_katas, quoted, shown
from grader.messages import WIDTH
from grader.narrow import paragraph
from grader.selection import OWN_TESTS, named
from grader.submission import find_file, is_edited
from grader.writing import write_text

OF_THE_PROJECT = (KATAS, SOLUTIONS, ROOT / "grader", OWN_TESTS, ROOT / ".github", ROOT / ".ci", ROOT / ".git")


def path_of(here, text):
    """The folder that a text names; no shell replaces the ~ of --work=~/mine, so it is done here."""
    return Path(os.path.abspath(Path(here, Path(text).expanduser())))


def own_file(kata, folder):
    """The file that a folder of one's own has for a kata, found by the kata's name whatever its number is now."""
    numbered = f"[0-9][0-9]_{kata.name}/{kata.name}.py"
    return find_file(kata, folder) or min((p for p in folder.glob(numbered) if p.is_file()), default=None)


def own_folder(here, text, origin):
    """The folder to grade; without a file for any kata it is refused, with the way to get one."""
    folder = path_of(here, text) if text else None
    if folder and any(own_file(kata, folder) for kata in all_katas()):
        return folder
    fault = "names no folder" if not text else "holds no file for any kata" if folder.is_dir() else "is no folder"
    way = quoted(f"--start={text or 'DIR'}")
    raise pytest.UsageError(f"{origin}={text} {fault}; make one with: pytest {way}")


def main(config, options):
    """Do what --start or --reset asks for; the exit status."""
    try:
        if options.start is not None:
            start(config, options.start)
        else:
            for kata in named_for_reset(config):
                reset(kata, options.work)
    except OSError as error:
        if error.filename is None:            # about the terminal, not about a file
            raise
        raise pytest.UsageError(f"{error.filename}: {error.strerror}") from None
    return pytest.ExitCode.OK


# --start

def start(config, text):
    """Copy the stubs as they are, with what is written in them; a file that is there already stays."""
    folder = path_of(config.invocation_params.dir, text) if text else None
    if folder is None or (folder.exists() and not folder.is_dir()):
        raise pytest.UsageError(f"--start={text}: not a folder that could be made")
    if folder.resolve() == ROOT or any(folder.resolve().is_relative_to(part) for part in OF_THE_PROJECT):
        raise pytest.UsageError(f"--start={text}: a folder of the project itself, which updates change; "
                                "name another, such as --start=../my-katas")
    katas = named(config, "--start") or all_katas()
    folder.mkdir(parents=True, exist_ok=True)
    copied, left = [], []
    for kata in katas:
        (copied if copy(kata, folder) else left).append(kata)
    stubs = {0: "No stub", 1: "1 stub"}.get(len(copied), f"{len(copied)} stubs")
    say(*paragraph(f"{stubs} copied to {text}, which updates of this project do not touch.", WIDTH))
    edited = [kata.stub.name for kata in copied if is_edited(folder / kata.stub.name, kata)]
    if edited:
        say(*paragraph(f"With your work in them: {', '.join(edited)}", WIDTH))
    if left:
        say(*paragraph(f"Already there and left as they were: {', '.join(kata.stub.name for kata in left)}", WIDTH))
    first, again = (copied or left)[0], quoted(f"--work={text}")
    say("",
        f"Start:  {shown(first.readme)}",
        f"Edit:   {shown(own_file(first, folder) or folder / first.stub.name)}",
        f"Check:  pytest {again} {quoted(shown(first.folder))}",
        f"All:    pytest {again}",
        "",
        "Plain `pytest` grades that folder too where the variable KATAS_WORK is set to",
        f"  {folder}")


def copy(kata, folder):
    """Copy a stub; False where the folder has a file for the kata, wherever in it."""
    if own_file(kata, folder):
        return False
    content = (kata.stub if kata.stub.is_file() else kata.original).read_bytes()
    try:
        with (folder / kata.stub.name).open("xb") as file:
            file.write(content)
    except FileExistsError:
        return False
    return True


# --reset

def named_for_reset(config):
    """The katas to reset: only those that are named."""
    katas = named(config, "--reset")
    if not katas:
        raise pytest.UsageError("--reset puts back only what is named, "
                                f"such as: pytest --reset katas/{all_katas()[0].folder.name}")
    return katas


def reset(kata, folder):
    """Put the original stub back; what was in its place stays beside it, under a name with the date."""
    file = kata.stub if folder is None else own_file(kata, folder) or folder / kata.stub.name
    if not kata.original.is_file():
        raise pytest.UsageError(f"--reset: {shown(kata.original)} is missing, the original of {kata.stub.name}")
    kept = None
    if file.is_file():
        if not is_edited(file, kata):
            say(f"{shown(file)} is the original stub already.")
            return
        kept = keep(file)
    write_text(file, kata.original.read_bytes().decode("utf-8"))
    say(f"{shown(file)} is the original stub again.")
    if kept:
        say(f"Your file was kept as {shown(kept)}")


def keep(file):
    """Copy a file beside itself under a name that no other has; the new path."""
    content, today, number = file.read_bytes(), datetime.date.today().isoformat(), 1
    while True:
        suffix = f".{today}" + (f".{number}" if number > 1 else "")
        kept = file.with_name(f"{file.stem}{suffix}{file.suffix}")
        try:
            with kept.open("xb") as copied:
                copied.write(content)
        except FileExistsError:
            number += 1
        else:
            return kept


# What is said

def say(*lines):
    """Print to a terminal of whatever encoding."""
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        print(line.encode(encoding, "backslashreplace").decode(encoding))
