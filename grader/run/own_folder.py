"""`--start` copies the stubs into a folder of the learner's own; `--reset` restores an original stub."""
import datetime
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from grader.calling.source import is_notebook
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
            start(config, options.start, ".ipynb" if options.notebooks else ".py")
        else:
            for kata in named_for_reset(config):
                reset(kata, options.work)
    except OSError as error:
        if error.filename is None:            # this is about the terminal, not a file
            raise
        raise pytest.UsageError(f"{error.filename}: {error.strerror}") from None
    return pytest.ExitCode.OK


# --start

def start(config, text, suffix):
    """Copy the stubs, with what is already written in them, or write them as notebooks. Never overwrite a file."""
    folder = path_of(config.invocation_params.dir, text) if text else None
    if folder is None or (folder.exists() and not folder.is_dir()):
        raise pytest.UsageError(f"--start={text}: this folder cannot be created")
    if folder.resolve() == ROOT or any(folder.resolve().is_relative_to(part) for part in OF_THE_PROJECT):
        raise pytest.UsageError(f"--start={text}: updates of the project change this folder. "
                                "Name another one, such as --start=../my-katas")
    katas = named(config, "--start") or all_katas()
    folder.mkdir(parents=True, exist_ok=True)
    there = {kata: file for kata in katas if (file := own_file(kata, folder))}
    made = {kata: folder / f"{kata.name}{suffix}" for kata in katas if kata not in there}
    for kata in [kata for kata, file in made.items() if not copy(kata, file)]:
        there[kata] = made.pop(kata)
    kind, done = ("notebook", "written") if suffix == ".ipynb" else ("stub", "copied")
    count = {0: f"No {kind}", 1: f"1 {kind}"}.get(len(made), f"{len(made)} {kind}s")
    say(*paragraph(f"{count} {done} to {text}. Updates of this project do not touch this folder.", WIDTH))
    edited = [file.name for kata, file in made.items() if is_edited(file, kata)]
    if edited:
        say(*paragraph(f"These copies contain your work: {', '.join(edited)}", WIDTH))
    if there:
        say(*paragraph(f"Already there, not overwritten: {', '.join(file.name for file in there.values())}", WIDTH))
    first, again = next(iter(made or there)), quoted(f"--work={text}")
    say("",
        f"Start:  {shown(first.readme)}",
        f"Edit:   {shown((made or there)[first])}",
        f"Check:  pytest {again} {command_name(first)}",
        f"All:    pytest {again}",
        "",
        "To grade this folder with plain `pytest`, set the variable KATAS_WORK to",
        f"  {folder}")


def copy(kata, file):
    """Write a stub to a file that is not there yet; False if it is."""
    source = kata.stub if kata.stub.is_file() else kata.original
    content = source.read_bytes()
    if is_notebook(file):
        from grader.run import notebooks  # here, because most runs do not need it
        try:
            text = importlib.util.decode_source(content)
        except (SyntaxError, UnicodeDecodeError):
            raise pytest.UsageError(f"--notebooks: {shown(source)} is not saved as UTF-8") from None
        content = notebooks.notebook(kata, text).encode("utf-8")
    try:
        with file.open("xb") as copied:
            copied.write(content)
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
    text = kata.original.read_bytes().decode("utf-8")
    if is_notebook(file):
        from grader.run import notebooks  # here, because most runs do not need it
        text = notebooks.notebook(kata, text)
    write_text(file, text)
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
