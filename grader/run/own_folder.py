"""`--start` copies the stubs into a folder of the learner's own; `--reset` restores an original stub."""
import datetime
import os
import sys
from pathlib import Path

import pytest

from grader.course.katas import KATAS, ROOT, SOLUTIONS, all_katas, command_name, quoted, shown
from grader.course.learner_files import is_edited, own_file
from grader.output.writing import write_text
from grader.run.selection import named
from grader.verdict.wrapping import WIDTH, paragraph

OF_THE_PROJECT = (KATAS, SOLUTIONS, ROOT / "grader", ROOT / "tests", ROOT / ".github", ROOT / ".ci", ROOT / ".git")


def path_of(here, text):
    """The folder that a text names. This expands the ~ of --work=~/mine, because shells do not."""
    return Path(os.path.abspath(Path(here, Path(text).expanduser())))


def own_folder(here, text, origin):
    """The folder to grade. If it has no file for any kata, the error says how to make one."""
    folder = path_of(here, text) if text else None
    if folder and any(own_file(kata, folder) for kata in all_katas()):
        return folder
    fault = "needs a folder" if not text else "has no file for any kata" if folder.is_dir() else "is not a folder"
    way = quoted(f"--start={text or 'DIR'}")
    raise pytest.UsageError(f"{origin}={text} {fault}. To make one, run: pytest {way}")


def main(config, options):
    """Do what --start or --reset asks for; the exit status."""
    try:
        if options.start is not None:
            start(config, options.start)
        else:
            for kata in named_for_reset(config):
                reset(kata, options.work)
    except OSError as error:
        if error.filename is None:            # this is about the terminal, not a file
            raise
        raise pytest.UsageError(f"{error.filename}: {error.strerror}") from None
    return pytest.ExitCode.OK


# --start

def start(config, text):
    """Copy the stubs, with what is already written in them. Never overwrite a file."""
    folder = path_of(config.invocation_params.dir, text) if text else None
    if folder is None or (folder.exists() and not folder.is_dir()):
        raise pytest.UsageError(f"--start={text}: this folder cannot be created")
    if folder.resolve() == ROOT or any(folder.resolve().is_relative_to(part) for part in OF_THE_PROJECT):
        raise pytest.UsageError(f"--start={text}: updates of the project change this folder. "
                                "Name another one, such as --start=../my-katas")
    katas = named(config, "--start") or all_katas()
    folder.mkdir(parents=True, exist_ok=True)
    copied, left = [], []
    for kata in katas:
        (copied if copy(kata, folder) else left).append(kata)
    stubs = {0: "No stub", 1: "1 stub"}.get(len(copied), f"{len(copied)} stubs")
    say(*paragraph(f"{stubs} copied to {text}. Updates of this project do not touch this folder.", WIDTH))
    edited = [kata.stub.name for kata in copied if is_edited(folder / kata.stub.name, kata)]
    if edited:
        say(*paragraph(f"These copies contain your work: {', '.join(edited)}", WIDTH))
    if left:
        say(*paragraph(f"Already there, not overwritten: {', '.join(kata.stub.name for kata in left)}", WIDTH))
    first, again = (copied or left)[0], quoted(f"--work={text}")
    say("",
        f"Start:  {shown(first.readme)}",
        f"Edit:   {shown(own_file(first, folder) or folder / first.stub.name)}",
        f"Check:  pytest {again} {command_name(first)}",
        f"All:    pytest {again}",
        "",
        "To grade this folder with plain `pytest`, set the variable KATAS_WORK to",
        f"  {folder}")


def copy(kata, folder):
    """Copy a stub; False if the folder has a file for the kata already, in any place."""
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
        raise pytest.UsageError("--reset needs the number or name of a kata, "
                                f"such as: pytest --reset {all_katas()[0].number}")
    return katas


def reset(kata, folder):
    """Restore the original stub. Keep the old file next to it, with the date in its name."""
    file = kata.stub if folder is None else own_file(kata, folder) or folder / kata.stub.name
    if not kata.original.is_file():
        raise pytest.UsageError(f"--reset: cannot restore {kata.stub.name}, because {shown(kata.original)} is missing")
    kept = None
    if file.is_file():
        if not is_edited(file, kata):
            say(f"{shown(file)} is already the original stub.")
            return
        kept = keep(file)
    write_text(file, kata.original.read_bytes().decode("utf-8"))
    say(f"{shown(file)} is the original stub again.")
    if kept:
        say(f"Your file is kept as {shown(kept)}")


def keep(file):
    """Copy a file to a new name in the same folder; return the new path."""
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


# Output

def say(*lines):
    """Print to a terminal with any encoding."""
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        print(line.encode(encoding, "backslashreplace").decode(encoding))
