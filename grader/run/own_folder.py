"""`--start` copies the stubs into a folder of the learner's own; `--reset` restores an original stub."""
import datetime
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from grader.calling.source import is_notebook
from grader.course.katas import KATAS, ROOT, SOLUTIONS, Kata, all_katas, command_name, quoted, shown
from grader.course.learner_files import is_edited, own_file
from grader.output.writing import write_bytes
from grader.run.options import Options
from grader.run.selection import katas_in
from grader.verdict.wrapping import WIDTH, paragraph

OF_THE_PROJECT = (KATAS, SOLUTIONS, ROOT / "grader", ROOT / "tests", ROOT / ".github", ROOT / ".ci", ROOT / ".git")


def path_of(here: Path, text: str) -> Path:
    """The folder that a text names. This expands the ~ of --work=~/mine, because shells do not."""
    return Path(os.path.abspath(Path(here, Path(text).expanduser())))


def own_folder(here: Path, text: str, origin: str) -> Path:
    """The folder to grade. If it has no file for any kata, the error says how to make one."""
    fault, folder = "needs a folder", path_of(here, text)
    if text:
        if any(own_file(kata, folder) for kata in all_katas()):
            return folder
        fault = "has no file for any kata" if folder.is_dir() else "is not a folder"
    way = quoted(f"--start={text or 'DIR'}")
    raise pytest.UsageError(f"{origin}={text} {fault}. To make one, run: pytest {way}")


def main(config: pytest.Config, options: Options) -> int:
    """Do what --start or --reset asks for; the exit status."""
    try:
        if options.start is not None:
            start(config, options.start, ".ipynb" if options.notebooks else ".py")
        else:
            katas = katas_in(config, "--reset")
            if not katas:
                raise pytest.UsageError("--reset needs the number or name of a kata, "
                                        f"such as: pytest --reset {all_katas()[0].number}")
            for kata in katas:
                reset(kata, options.work)
    except OSError as error:
        if error.filename is None:            # this is about the terminal, not a file
            raise
        raise pytest.UsageError(f"{error.filename}: {error.strerror}") from None
    return pytest.ExitCode.OK


def start(config: pytest.Config, text: str, suffix: str) -> None:
    """Copy the stubs, with what is already written in them, or write them as notebooks. Never overwrite a file."""
    folder = path_of(config.invocation_params.dir, text)
    if not text or (folder.exists() and not folder.is_dir()):
        raise pytest.UsageError(f"--start={text}: this folder cannot be created")
    if folder.resolve() == ROOT or any(folder.resolve().is_relative_to(part) for part in OF_THE_PROJECT):
        raise pytest.UsageError(f"--start={text}: updates of the project change this folder. "
                                "Name another one, such as --start=../my-katas")
    katas = katas_in(config, "--start") or all_katas()
    folder.mkdir(parents=True, exist_ok=True)
    there = {kata: file for kata in katas if (file := own_file(kata, folder))}
    made: dict[Kata, Path] = {}
    for kata in [kata for kata in katas if kata not in there]:
        file = folder / f"{kata.name}{suffix}"
        source = kata.stub if kata.stub.is_file() else kata.original
        (made if write_new(file, content_of(source, kata, file)) else there)[kata] = file
    kind, done = ("notebook", "written") if suffix == ".ipynb" else ("stub", "copied")
    count = {0: f"No {kind}", 1: f"1 {kind}"}.get(len(made), f"{len(made)} {kind}s")
    lines = [f"{count} {done} to {text}. Updates of this project do not touch this folder."]
    if edited := [file.name for kata, file in made.items() if is_edited(file, kata)]:
        lines.append(f"These copies contain your work: {', '.join(edited)}")
    if there:
        lines.append(f"Already there, not overwritten: {', '.join(file.name for file in there.values())}")
    first, again = next(iter(made or there)), quoted(f"--work={text}")
    print_lines(*(row for line in lines for row in paragraph(line, WIDTH)),
                "",
                f"Start:  {shown(first.readme)}",
                f"Edit:   {shown((made or there)[first])}",
                f"Check:  pytest {again} {command_name(first)}",
                f"All:    pytest {again}",
                "",
                "To grade this folder with plain `pytest`, set the variable KATAS_WORK to",
                f"  {folder}")


def reset(kata: Kata, folder: Path | None) -> None:
    """Restore the original stub. Keep the old file next to it, with the date in its name."""
    file = kata.stub if folder is None else own_file(kata, folder) or folder / kata.stub.name
    if not kata.original.is_file():
        raise pytest.UsageError(f"--reset: cannot restore {kata.stub.name}, because {shown(kata.original)} is missing")
    there = file.is_file()
    if there and not is_edited(file, kata):
        print_lines(f"{shown(file)} is already the original stub.")
        return
    kept = keep(file) if there else None
    write_bytes(file, content_of(kata.original, kata, file))
    print_lines(f"{shown(file)} is the original stub again.")
    if kept:
        print_lines(f"Your file is kept as {shown(kept)}")


def content_of(source: Path, kata: Kata, file: Path) -> bytes:
    """What a file for a kata contains: a stub as it is, or as a notebook."""
    content = source.read_bytes()
    if not is_notebook(file):
        return content
    from grader.run.notebooks import notebook  # here, because most runs do not need it
    try:
        return notebook(kata, importlib.util.decode_source(content)).encode("utf-8")
    except (SyntaxError, UnicodeDecodeError):
        raise pytest.UsageError(f"--notebooks: {shown(source)} is not saved as UTF-8") from None


def keep(file: Path) -> Path:
    """Copy a file to a new name in the same folder; return the new path."""
    content, start = file.read_bytes(), f"{file.stem}.{datetime.date.today().isoformat()}"
    kept, number = file.with_name(f"{start}{file.suffix}"), 1
    while not write_new(kept, content):
        number += 1
        kept = file.with_name(f"{start}.{number}{file.suffix}")
    return kept


def write_new(file: Path, content: bytes) -> bool:
    """Write a file that is not there yet; False if it is."""
    try:
        with file.open("xb") as new:
            new.write(content)
    except FileExistsError:
        return False
    return True


def print_lines(*lines: str) -> None:
    """Print to a terminal with any encoding."""
    encoding = sys.stdout.encoding or "ascii"
    for line in lines:
        print(line.encode(encoding, "backslashreplace").decode(encoding))
